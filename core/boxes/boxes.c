/* SPDX-License-Identifier: Apache-2.0 */
/* The public functions on boxes: they check their arguments, and pm_box_auto() chooses between threads and a device. No
 * device is chosen without a profile that describes it. */
#include "core/boxes/boxes.h"

#include "base/arguments.h"
#include "core/choose/select.h"
#include "core/context/context.h"
#include "cpu/boxes/boxes.h"
#include "gpu/gpu.h"

/* ---- One backend ---- */

static pm_status boxes_on_threads(const pm_context *context, unsigned threads, const pmi_scene *scene) {
    const pm_allocator allocator = pm_context_allocator(context);
    const pmi_slice_plan plan = threads == 1 ? (pmi_slice_plan){.threads = 1} : pmi_box_plan_make(scene->n, threads);
    return plan.threads > 1 ? pmi_omp_boxes(&allocator, &plan, scene) : pmi_seq_boxes(&allocator, scene);
}

static pm_status check_and_run(const pm_context *context, unsigned threads, const pmi_scene *scene) {
    const pm_status status = pmi_arguments_check(scene->n, scene->kinds && scene->boxes && scene->out);
    return status != PM_OK || scene->n == 0 ? status : boxes_on_threads(context, threads, scene);
}

pm_status pm_box_seq(pm_context *context, const uint8_t *kinds, const pm_box *boxes, size_t n, pm_box *out) {
    return check_and_run(context, 1, &(pmi_scene){kinds, boxes, n, out});
}

pm_status pm_box_omp(pm_context *context, const uint8_t *kinds, const pm_box *boxes, size_t n, pm_box *out) {
    return check_and_run(context, context ? context->threads : 0, &(pmi_scene){kinds, boxes, n, out});
}

pm_status pm_box_gpu(pm_context *context, const uint8_t *kinds, const pm_box *boxes, size_t n, pm_box *out) {
    pm_status status = context ? pmi_arguments_check(n, kinds && boxes && out) : PM_INVALID_ARGUMENT;
    if (status != PM_OK || n == 0)
        return status;
    status = pmi_context_gpu_open(context);
    return status == PM_OK ? pmi_gpu_boxes(context->gpu, kinds, boxes, n, out) : status;
}

/* ---- What a device saves ---- */

enum {
    SAMPLES = 16,
    SAMPLE = 256, /* elements */
    BEFORE = 3,
    KINDS = 4,
    CONTEXTS = KINDS * KINDS * KINDS
};

/* Counts the elements of a row that are not of its most frequent kind. */
static unsigned count_wrong(const unsigned row[KINDS]) {
    unsigned all = 0, max = 0;
    for (unsigned kind = 0; kind < KINDS; kind++) {
        all += row[kind];
        max = row[kind] > max ? row[kind] : max;
    }
    return all - max;
}

double pmi_box_wrong_guesses(const uint8_t *kinds, size_t n) {
    unsigned seen[CONTEXTS][KINDS] = {{0}}, all = 0, wrong = 0;
    const size_t sample = n / SAMPLES < SAMPLE ? n / SAMPLES : SAMPLE;
    for (size_t s = 0; s < SAMPLES; s++) {
        const uint8_t *const begin = kinds + n / SAMPLES * s;
        unsigned context = 0;
        for (size_t i = 0; i < sample; i++) {
            const unsigned kind = begin[i] % KINDS;
            if (i >= BEFORE) {
                seen[context][kind]++;
                all++;
            }
            context = (context * KINDS + kind) % CONTEXTS;
        }
    }
    for (unsigned context = 0; context < CONTEXTS; context++)
        wrong += count_wrong(seen[context]);
    return all > 0 ? (double)wrong / all : 0;
}

unsigned pmi_box_threads_of(const pm_context *context, size_t n) {
    return pmi_box_plan_make(n, context->threads).threads;
}

/* Returns the figures of this machine, if its device may be used for n elements; else NULL. */
static const pmi_box_figures *figures_for(const pm_context *context, size_t n) {
    const pmi_profile *const profile = context->gpu_given_up ? NULL : pmi_context_device_profile(context);
    const bool fits = context->box_too_large == 0 || n < context->box_too_large;
    return profile && fits ? &profile->box : NULL;
}

/* Returns the time that the device saves; 0 or less if it does not pay. Samples the kinds only if it might pay. */
static double device_saves(const pm_context *context, const uint8_t *kinds, size_t n) {
    const pmi_box_figures *const figures = figures_for(context, n);
    if (!figures)
        return 0;
    const unsigned threads = pmi_box_threads_of(context, n);
    const double device = pmi_box_device_time(figures, n, threads);
    const double at_most = pmi_box_host_time(figures, n, threads, 1) - device;
    return at_most <= 0 ? 0 : pmi_box_host_time(figures, n, threads, pmi_box_wrong_guesses(kinds, n)) - device;
}

/* ---- The choice ---- */

/* As pm_match_auto() does, opens the device and makes its kernels once calls have missed as much time as that takes.
 * False: not yet. */
static bool preparing_pays(pm_context *context, double saves) {
    const double open = context->gpu ? 0 : context->profile.gpu.open, kernels = context->profile.box.kernels;
    if (pmi_context_gpu_has_boxes(context) || context->box_missed_ns + saves >= open + kernels)
        return true;
    context->box_missed_ns += saves;
    return false;
}

/* Is the device to be used? If so, it is open. */
static bool choose_device(pm_context *context, const uint8_t *kinds, size_t n) {
    const double saves = device_saves(context, kinds, n);
    if (saves <= 0 || !preparing_pays(context, saves))
        return false;
    if (context->gpu)
        return true;
    context->gpu_given_up = pmi_context_gpu_open(context) != PM_OK;
    return device_saves(context, kinds, n) > 0; /* another device may be open than the profile describes */
}

/* Remembers a failure on the device, if it concerns later calls too. */
static void note_failure(pm_context *context, pm_status status, size_t n) {
    if (status == PM_OUT_OF_MEMORY)
        context->box_too_large = n;
    else if (status != PM_INVALID_ARGUMENT && status != PM_TOO_LARGE) /* which are true of this scene alone */
        context->gpu_given_up = true;
}

/* What a failed call has written to `out` does no harm if that is `boxes` itself: a box that has been intersected with
 * the clips above it stays the same when that is done again, and only such boxes are read. */
pm_status pmi_box_auto(pm_context *context, const uint8_t *kinds, const pm_box *boxes, size_t n, pm_box *out) {
    if (choose_device(context, kinds, n)) {
        const pm_status status = pmi_gpu_boxes(context->gpu, kinds, boxes, n, out);
        if (status == PM_OK)
            return PM_OK;
        note_failure(context, status, n);
    }
    return boxes_on_threads(context, context->threads, &(pmi_scene){kinds, boxes, n, out});
}

pm_status pm_box_auto(pm_context *context, const uint8_t *kinds, const pm_box *boxes, size_t n, pm_box *out) {
    const pm_status status = pmi_arguments_check(n, kinds && boxes && out);
    if (status != PM_OK || n == 0)
        return status;
    if (context && n >= PM_SELECT_GPU_MIN)
        return pmi_box_auto(context, kinds, boxes, n, out);
    return boxes_on_threads(context, context ? context->threads : 0, &(pmi_scene){kinds, boxes, n, out});
}
