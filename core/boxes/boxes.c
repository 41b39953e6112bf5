/* SPDX-License-Identifier: Apache-2.0 */
/* From the public functions on boxes to their backends: checks once, then hands on. */
#include "base/arguments.h"
#include "core/choose/select.h"
#include "core/context/context.h"
#include "core/match/match.h"
#include "cpu/boxes/omp.h"
#include "cpu/boxes/seq.h"
#include "gpu/gpu.h"

pm_status pm_box_seq(pm_context *context, const uint8_t *kinds, const pm_box *boxes, size_t n, pm_box *out) {
    const pm_status status = pmi_arguments_check(n, kinds && boxes && out);
    if (status != PM_OK || n == 0)
        return status;
    const pm_allocator allocator = pm_context_allocator(context);
    return pmi_seq_boxes(&allocator, &(pmi_scene){kinds, boxes, n, out});
}

pm_status pm_box_omp(pm_context *context, const uint8_t *kinds, const pm_box *boxes, size_t n, pm_box *out) {
    const pm_status status = pmi_arguments_check(n, kinds && boxes && out);
    if (status != PM_OK || n == 0)
        return status;
    const pm_allocator allocator = pm_context_allocator(context);
    const pmi_slice_plan plan = pmi_box_plan_make(n, context ? context->threads : 0);
    const pmi_scene scene = {kinds, boxes, n, out};
    return plan.threads > 1 ? pmi_omp_boxes(&allocator, &plan, &scene) : pmi_seq_boxes(&allocator, &scene);
}

pm_status pm_box_gpu(pm_context *context, const uint8_t *kinds, const pm_box *boxes, size_t n, pm_box *out) {
    pm_status status = context ? pmi_arguments_check(n, kinds && boxes && out) : PM_INVALID_ARGUMENT;
    if (status != PM_OK || n == 0)
        return status;
    status = pmi_context_gpu_open(context);
    return status == PM_OK ? pmi_gpu_boxes(context->gpu, kinds, boxes, n, out) : status;
}

pm_status pm_box_auto(pm_context *context, const uint8_t *kinds, const pm_box *boxes, size_t n, pm_box *out) {
    const bool may_choose = context && n >= PM_SELECT_GPU_LEAST;
    const pm_status status = pmi_arguments_check(n, kinds && boxes && out);
    return status == PM_OK && may_choose ? pmi_boxes_chosen(context, kinds, boxes, n, out)
                                         : pm_box_omp(context, kinds, boxes, n, out);
}

/* ---- What the choice asks ---- */

unsigned pmi_box_threads_of(const pm_context *context, size_t n) {
    return pmi_box_plan_make(n, context->threads).threads;
}

bool pmi_context_gpu_has_boxes(const pm_context *context) {
    return context->gpu && pmi_gpu_has_boxes(context->gpu);
}
