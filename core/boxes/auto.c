/* SPDX-License-Identifier: Apache-2.0 */
/* The choice between threads and a device for boxes. It is by measured figures alone: no device is chosen without a
 * profile that tells of it. */
#include "core/boxes/guesses.h"
#include "core/choose/select.h"
#include "core/context/context.h"
#include "core/match/match.h"

/* The figures of this machine, if its device may be used for so many elements. */
static const pmi_box_figures *figures_for(const pm_context *context, size_t n) {
    const pmi_profile *const profile = context->gpu_given_up ? NULL : pmi_context_device_profile(context);
    const bool fits = context->box_too_large == 0 || n < context->box_too_large;
    return profile && fits ? &profile->box : NULL;
}

/* What using the device saves; nothing, or less, where it does not pay. Kinds are only looked at where it might. */
static double device_saves(const pm_context *context, const uint8_t *kinds, size_t n) {
    const pmi_box_figures *const figures = figures_for(context, n);
    if (!figures)
        return 0;
    const unsigned threads = pmi_box_threads_of(context, n);
    const double device = pmi_box_device_time(figures, n, threads);
    const double at_most = pmi_box_host_time(figures, n, threads, 1) - device;
    return at_most <= 0 ? 0 : pmi_box_host_time(figures, n, threads, pmi_box_wrong_guesses(kinds, n)) - device;
}

/* Opens the device and makes its kernels late, as pm_match_auto() does: when calls have missed as much time without
 * them as that takes. False: not yet. */
static bool preparing_pays(pm_context *context, double saves) {
    const double open = context->gpu ? 0 : context->profile.gpu.open, kernels = context->profile.box.kernels;
    if (pmi_context_gpu_has_boxes(context) || context->box_missed_ns + saves >= open + kernels)
        return true;
    context->box_missed_ns += saves;
    return false;
}

/* Whether the device, which is open then, is to be used. */
static bool choose_device(pm_context *context, const uint8_t *kinds, size_t n) {
    const double saves = device_saves(context, kinds, n);
    if (saves <= 0 || !preparing_pays(context, saves))
        return false;
    if (context->gpu)
        return true;
    context->gpu_given_up = pmi_context_gpu_open(context) != PM_OK;
    return device_saves(context, kinds, n) > 0; /* what has been opened may be another one */
}

/* A failure on the device, as far as it tells of calls to come. */
static void note_failure(pm_context *context, pm_status status, size_t n) {
    if (status == PM_OUT_OF_MEMORY)
        context->box_too_large = n;
    else if (status != PM_INVALID_ARGUMENT && status != PM_TOO_LARGE) /* which hold for this scene alone */
        context->gpu_given_up = true;
}

/* What a failed call has written to `out` does no harm where that is `boxes` itself: a box that has been intersected
 * with the clips above it stays as it is when that is done again, and of other elements none is read. */
pm_status pmi_boxes_chosen(pm_context *context, const uint8_t *kinds, const pm_box *boxes, size_t n, pm_box *out) {
    if (choose_device(context, kinds, n)) {
        const pm_status status = pm_box_gpu(context, kinds, boxes, n, out);
        if (status == PM_OK)
            return PM_OK;
        note_failure(context, status, n);
    }
    return pm_box_omp(context, kinds, boxes, n, out);
}
