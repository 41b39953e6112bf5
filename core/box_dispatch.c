/* SPDX-License-Identifier: Apache-2.0 */
/* From the public functions on boxes to their backends: checks once, then hands on. */
#include "core/check_arguments.h"
#include "core/context.h"
#include "core/dispatch.h"
#include "core/select.h"
#include "cpu/box_omp.h"
#include "cpu/box_seq.h"
#include "gpu/run.h"

pm_status pm_box_seq(pm_context *context, const uint8_t *kinds, const pm_box *boxes, size_t n, pm_box *out) {
    const pm_status status = pm_arguments_check(n, kinds && boxes && out);
    if (status != PM_OK || n == 0)
        return status;
    const pm_allocator allocator = pm_context_allocator(context);
    return pm_box_sequential(&allocator, &(pm_scene){kinds, boxes, n, out});
}

pm_status pm_box_omp(pm_context *context, const uint8_t *kinds, const pm_box *boxes, size_t n, pm_box *out) {
    const pm_status status = pm_arguments_check(n, kinds && boxes && out);
    if (status != PM_OK || n == 0)
        return status;
    const pm_allocator allocator = pm_context_allocator(context);
    const pm_slice_plan plan = pm_box_plan_make(n, context ? context->threads : 0);
    const pm_scene scene = {kinds, boxes, n, out};
    return plan.threads > 1 ? pm_box_parallel(&allocator, &plan, &scene) : pm_box_sequential(&allocator, &scene);
}

pm_status pm_box_gpu(pm_context *context, const uint8_t *kinds, const pm_box *boxes, size_t n, pm_box *out) {
    pm_status status = context ? pm_arguments_check(n, kinds && boxes && out) : PM_INVALID_ARGUMENT;
    if (status != PM_OK || n == 0)
        return status;
    status = pm_context_gpu_open(context);
    return status == PM_OK ? pm_gpu_boxes(context->gpu, kinds, boxes, n, out) : status;
}

pm_status pm_box_auto(pm_context *context, const uint8_t *kinds, const pm_box *boxes, size_t n, pm_box *out) {
    const bool may_choose = context && n >= PM_SELECT_GPU_LEAST;
    const pm_status status = pm_arguments_check(n, kinds && boxes && out);
    return status == PM_OK && may_choose ? pm_boxes_chosen(context, kinds, boxes, n, out)
                                         : pm_box_omp(context, kinds, boxes, n, out);
}

/* ---- What the choice asks ---- */

unsigned pm_box_threads_of(const pm_context *context, size_t n) {
    return pm_box_plan_make(n, context->threads).threads;
}

bool pm_context_gpu_has_boxes(const pm_context *context) {
    return context->gpu && pm_gpu_has_boxes(context->gpu);
}
