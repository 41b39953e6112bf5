/* SPDX-License-Identifier: Apache-2.0 */
/* The matching function that chooses among the others, and tells why. */
#include <string.h>

#include "core/check_arguments.h"
#include "core/context.h"
#include "core/dispatch.h"
#include "core/engine.h"
#include "core/select.h"

/* The choice for a sequence that is long enough for one. */
static pm_selection select_backend(const pm_context *context, size_t n) {
    const bool profiled = context && context->profiled;
    const pm_figures *figures = profiled ? &context->figures : pm_figures_shipped(pm_engine_of(context)->name);
    const bool team = !context || pm_pace_allows_team(&context->pace);
    return pm_backend_select(figures, n, team ? pm_threads_of(context, n) : 1, profiled && !context->gpu_given_up);
}

/* By a team, or by the thread that stands in for one, with an eye on the clock. */
static pm_status match_watched(pm_context *context, bool team, double thread_ns, const uint64_t *parens, size_t n,
                               uint32_t *match, pm_bic *total) {
    const double begin = pm_pace_clock();
    const pm_status status = (team ? pm_match_omp : pm_match_broadword)(context, parens, n, match, total);
    (team ? pm_pace_team_took : pm_pace_thread_took)(&context->pace, pm_pace_clock() - begin, thread_ns);
    return status;
}

static pm_status match_on_cpu(pm_context *context, const pm_selection *selection, const uint64_t *parens, size_t n,
                              uint32_t *match, pm_bic *total) {
    const double thread_ns = selection->ns[PM_BACKEND_BROADWORD];
    const bool team = selection->backend == PM_BACKEND_OMP;
    if (selection->backend == PM_BACKEND_SEQ)
        return pm_match_seq(context, parens, n, match, total);
    if (context && (team || (!pm_pace_allows_team(&context->pace) && pm_threads_of(context, n) > 1)))
        return match_watched(context, team, thread_ns, parens, n, match, total);
    if (context)
        pm_pace_thread_worked(&context->pace, thread_ns); /* a look at the clock would show in so short a time */
    return (team ? pm_match_omp : pm_match_broadword)(context, parens, n, match, total);
}

static pm_status match_selected(pm_context *context, const uint64_t *parens, size_t n, uint32_t *match, pm_bic *total) {
    const pm_status status = pm_arguments_check(n, parens && match);
    if (status != PM_OK)
        return status;
    pm_selection selection = select_backend(context, n);
    if (selection.backend == PM_BACKEND_GPU) {
        if (pm_match_gpu(context, parens, n, match, total) == PM_OK)
            return PM_OK;
        context->gpu_given_up = true;
        selection = select_backend(context, n);
    }
    return match_on_cpu(context, &selection, parens, n, match, total);
}

pm_status pm_match_auto(pm_context *context, const uint64_t *parens, size_t n, uint32_t *match, pm_bic *total) {
    if (n < PM_SELECT_LEAST)
        return pm_match_broadword(context, parens, n, match, total);
    return match_selected(context, parens, n, match, total);
}

/* ---- Explaining ---- */

static const char *choice_reason(const pm_context *context, size_t n, const pm_selection *selection) {
    if (n < PM_SELECT_LEAST)
        return "so short that the instructions' own bounds decide, without predictions";
    if (context && !pm_pace_allows_team(&context->pace) && pm_threads_of(context, n) > 1)
        return "several threads have lately waited for each other longer than one takes: one, for a while";
    if (context && context->profiled)
        return "the least time, as predicted by this machine's profile";
    if (context && context->profile_refused)
        return "the least time, as predicted by shipped figures: the profile is damaged or of something else";
    return selection->ns[PM_BACKEND_OMP] > 0 ? "the least time, as predicted by shipped figures"
                                             : "too short for several threads, or no more than one is given";
}

static pm_auto_choice explain_choice(const pm_context *context, size_t n) {
    static const char *const names[PM_BACKEND_COUNT] = {"seq", "broadword", "omp", "gpu"};
    const pm_engine *const engine = pm_engine_of(context);
    pm_selection selection = select_backend(context, n);
    if (n < PM_SELECT_LEAST)
        selection.backend =
            n >= PM_WORTHWHILE_LEAST && pm_engine_worthwhile(engine, n) ? PM_BACKEND_BROADWORD : PM_BACKEND_SEQ;
    const bool vectors = selection.backend == PM_BACKEND_BROADWORD || selection.backend == PM_BACKEND_OMP;
    const bool team = selection.backend == PM_BACKEND_OMP;
    return (pm_auto_choice){.backend = names[selection.backend],
                            .simd = vectors ? engine->name : "none",
                            .threads = team ? pm_threads_of(context, n) : 1,
                            .profiled = context && context->profiled,
                            .seq_ns = selection.ns[PM_BACKEND_SEQ],
                            .broadword_ns = selection.ns[PM_BACKEND_BROADWORD],
                            .omp_ns = selection.ns[PM_BACKEND_OMP],
                            .gpu_ns = selection.ns[PM_BACKEND_GPU],
                            .reason = choice_reason(context, n, &selection)};
}

pm_status pm_auto_explain(pm_context *context, size_t n, pm_auto_choice *choice) {
    if (!choice)
        return PM_INVALID_ARGUMENT;
    if (n > PM_N_MAX)
        return PM_TOO_LARGE;
    const size_t size = choice->struct_size;
    if (size > 0 && size < sizeof *choice)
        return PM_INVALID_ARGUMENT;
    *choice = explain_choice(context, n);
    choice->struct_size = size;
    return PM_OK;
}
