/* SPDX-License-Identifier: Apache-2.0 */
/* pm_match_auto() and pm_match_explain(): the choice between the backends, and its reasons. */
#include "base/arguments.h"
#include "base/clock.h"
#include "core/choose/select.h"
#include "core/match/match.h"
#include "gpu/gpu.h"

/* ---- What may be chosen ---- */

/* Returns the figures of the context's device: of the open one, or of the one in its profile; NULL if unknown. */
static const pmi_gpu_figures *gpu_figures_of(const pm_context *context) {
    if (!context || context->gpu_given_up)
        return NULL;
    const pmi_profile *const profile = pmi_context_device_profile(context);
    return profile ? &profile->gpu : pmi_gpu_figures_shipped(pmi_context_gpu_kind(context));
}

/* Returns the time that the device saves. */
static double device_saves(const pmi_selection *selection) {
    return selection->ns[pmi_selection_best(selection, PM_BACKEND_OMP)] - selection->ns[PM_BACKEND_GPU];
}

static pmi_selection select_backend(const pm_context *context, size_t n) {
    const pmi_figures *figures = context ? &context->profile.cpu : pmi_figures_shipped(pmi_simd_of(context)->name);
    const bool team = !context || pmi_thread_backoff_allows_team(&context->backoff);
    const pmi_gpu_figures *gpu = n < PM_SELECT_GPU_MIN ? NULL : gpu_figures_of(context);
    return pmi_backend_select(figures, gpu, n, team ? pmi_threads_of(context, n) : 1);
}

/* A device is opened once the time that calls would have saved with it, this call included, reaches the time to open
 * it. That is the ski-rental rule: at most twice the optimum, whatever calls follow. */
static bool opening_pays(const pm_context *context, const pmi_selection *selection) {
    return context->gpu_missed_ns + device_saves(selection) >= context->profile.gpu.open;
}

/* ---- Matching ---- */

/* Opens the device that a selection is for, if that pays. Afterwards another device may be open than the profile
 * describes, so the selection is made again. */
static void prepare_device(pm_context *context, size_t n, pmi_selection *selection) {
    if (context->gpu)
        return;
    if (!opening_pays(context, selection)) {
        context->gpu_missed_ns += device_saves(selection);
        selection->backend = pmi_selection_best(selection, PM_BACKEND_OMP);
        return;
    }
    context->gpu_given_up = pmi_context_gpu_open(context) != PM_OK;
    *selection = select_backend(context, n);
}

/* Matches with a team, or with the one thread that stands in for it, and keeps account of the time. */
static pm_status match_timed(pm_context *context, bool team, double thread_ns, const uint64_t *parens, size_t n,
                             uint32_t *match, pm_bic *total) {
    const double begin = pmi_clock_ns();
    const pm_status status = pmi_match_on_threads(context, team ? context->threads : 1, parens, n, match, total);
    (team ? pmi_thread_backoff_team_took : pmi_thread_backoff_thread_took)(&context->backoff, pmi_clock_ns() - begin,
                                                                           thread_ns);
    return status;
}

static pm_status match_on_cpu(pm_context *context, const pmi_selection *selection, const uint64_t *parens, size_t n,
                              uint32_t *match, pm_bic *total) {
    const pmi_backend backend = pmi_selection_best(selection, PM_BACKEND_OMP);
    const double thread_ns = selection->ns[PM_BACKEND_BROADWORD];
    const bool team = backend == PM_BACKEND_OMP;
    if (backend == PM_BACKEND_SEQ) {
        pmi_seq_match(parens, n, match, total);
        return PM_OK;
    }
    if (!context)
        return pmi_match_on_threads(NULL, team ? 0 : 1, parens, n, match, total);
    if (team || (!pmi_thread_backoff_allows_team(&context->backoff) && pmi_threads_of(context, n) > 1))
        return match_timed(context, team, thread_ns, parens, n, match, total);
    pmi_thread_backoff_thread_worked(&context->backoff, thread_ns); /* too short to measure without slowing it down */
    return pmi_match_on_threads(context, 1, parens, n, match, total);
}

static pm_status match_selected(pm_context *context, const uint64_t *parens, size_t n, uint32_t *match, pm_bic *total) {
    pmi_selection selection = select_backend(context, n);
    if (selection.backend == PM_BACKEND_GPU)
        prepare_device(context, n, &selection);
    if (selection.backend == PM_BACKEND_GPU) {
        const pm_status on_device = pmi_gpu_match(context->gpu, parens, n, match, total);
        if (on_device == PM_OK)
            return PM_OK;
        context->gpu_given_up = on_device != PM_TOO_LARGE; /* which is true of this sequence alone */
    }
    return match_on_cpu(context, &selection, parens, n, match, total);
}

PM_NOINLINE static pm_status match_auto(pm_context *context, const uint64_t *parens, size_t n, uint32_t *match,
                                        pm_bic *total) {
    pm_bic sum = {0, 0};
    pm_status status = pmi_arguments_check(n, parens && match);
    if (status == PM_OK)
        status = n < PM_SELECT_MIN ? pmi_match_on_threads(context, 1, parens, n, match, &sum)
                                   : match_selected(context, parens, n, match, &sum);
    if (status == PM_OK && total)
        *total = sum;
    return status;
}

pm_status pm_match_auto(pm_context *context, const uint64_t *parens, size_t n, uint32_t *match, pm_bic *total) {
    if (n < PM_WORTHWHILE_MIN)
        return pmi_match_few(parens, n, match, total);
    return match_auto(context, parens, n, match, total);
}

unsigned pmi_auto_threads(const pm_context *context, size_t n) {
    const pmi_selection selection = select_backend(context, n);
    if (pmi_selection_best(&selection, PM_BACKEND_OMP) != PM_BACKEND_OMP)
        return 1;
    return context ? context->threads : 0;
}

/* ---- Explaining ---- */

/* Returns the reason that lies in the context's state; NULL: the figures alone decide. */
static const char *context_reason(const pm_context *context, size_t n, const pmi_selection *selection) {
    if (!pmi_thread_backoff_allows_team(&context->backoff) && pmi_threads_of(context, n) > 1)
        return "one thread for now: several threads lately waited for each other longer than one would have taken";
    if (selection->ns[PM_BACKEND_GPU] > 0 && selection->backend != PM_BACKEND_GPU && device_saves(selection) > 0)
        return "the device would be faster, but opening it would take longer than all calls so far would have saved";
    if (context->gpu_given_up)
        return "the shortest predicted time, without the device, which has failed";
    if (context->profile_refused)
        return "the shortest time predicted from shipped figures: the profile is damaged or made for another machine";
    if (*context->profile.device && !pmi_context_device_profile(context))
        return "the shortest predicted time; the profile describes another device or driver than the open one";
    return context->profiled ? "the shortest time predicted from this machine's profile" : NULL;
}

static const char *choice_reason(const pm_context *context, size_t n, const pmi_selection *selection) {
    if (n < PM_SELECT_MIN)
        return "so short that fixed bounds decide, without predictions";
    const char *const reason = context ? context_reason(context, n, selection) : NULL;
    if (reason)
        return reason;
    const bool alternatives = selection->ns[PM_BACKEND_OMP] > 0 || selection->ns[PM_BACKEND_GPU] > 0;
    return alternatives ? "the shortest time predicted from shipped figures"
                        : "too short for several threads, or only one is allowed";
}

/* Returns what pm_match_auto() would select, without opening a device. */
static pmi_selection foresee_selection(const pm_context *context, size_t n) {
    pmi_selection selection = select_backend(context, n);
    if (n < PM_SELECT_MIN)
        selection.backend = n >= PM_WORTHWHILE_MIN && pmi_engine_worthwhile(pmi_simd_of(context)->engine, n)
                                ? PM_BACKEND_BROADWORD
                                : PM_BACKEND_SEQ;
    if (selection.backend == PM_BACKEND_GPU && !context->gpu && !opening_pays(context, &selection))
        selection.backend = pmi_selection_best(&selection, PM_BACKEND_OMP);
    return selection;
}

static pm_match_choice explain_choice(const pm_context *context, size_t n) {
    static const char *const names[PM_BACKEND_COUNT] = {"seq", "broadword", "omp", "gpu"};
    const pmi_selection selection = foresee_selection(context, n);
    const pmi_gpu_figures *const gpu = gpu_figures_of(context);
    const bool vectors = selection.backend == PM_BACKEND_BROADWORD || selection.backend == PM_BACKEND_OMP;
    const bool team = selection.backend == PM_BACKEND_OMP;
    return (pm_match_choice){.backend = names[selection.backend],
                             .simd = vectors ? pmi_simd_of(context)->name : "none",
                             .threads = team ? pmi_threads_of(context, n) : 1,
                             .profiled = context && context->profiled,
                             .seq_ns = selection.ns[PM_BACKEND_SEQ],
                             .broadword_ns = selection.ns[PM_BACKEND_BROADWORD],
                             .omp_ns = selection.ns[PM_BACKEND_OMP],
                             .gpu_ns = selection.ns[PM_BACKEND_GPU],
                             .reason = choice_reason(context, n, &selection),
                             .gpu_resident_ns = gpu ? pmi_device_resident_time(gpu, n) : 0};
}

pm_status pm_match_explain(pm_context *context, size_t n, pm_match_choice *choice) {
    if (!choice)
        return PM_INVALID_ARGUMENT;
    if (n > PM_N_MAX)
        return PM_TOO_LARGE;
    const pm_match_choice explained = explain_choice(context, n);
    return pmi_options_write(&explained, choice, sizeof explained,
                             offsetof(pm_match_choice, reason) + sizeof choice->reason);
}
