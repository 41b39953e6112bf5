/* SPDX-License-Identifier: Apache-2.0 */
/* How large the partitions are on a device, and what is dispatched for them. */
#include "gpu/partitions.h"

#include "core/sizes.h"

static const uint32_t reduce_words[] = {
#include "shaders/spv/partition_reduce.inc"
};
static const uint32_t match_words[] = {
#include "shaders/spv/partition_match.inc"
};

const pm_partitions_plan pm_simple_plan = {.invocations = 512, .per_invocation = 1, .many = true};
const pm_partitions_plan pm_work_efficient_plan = {.invocations = 512, .per_invocation = 8, .many = true};
const pm_partitions_plan pm_direct_plan = {.invocations = 512, .per_invocation = 128, .many = false};

/* So many are wanted, to fill wide devices: where there are fewer partitions, they are shared. */
enum {
    MATCH_WORKGROUPS = 256
};

/* ---- Sizes ---- */

/* Bytes of a workgroup's memory: for each word of a partition itself and two nodes of the tree; and if there are many,
 * its levels and, in reduce, what comes after it, and for each invocation two nodes of the tree of those before. */
static uint32_t workgroup_bytes(uint32_t invocations, uint32_t words, bool many) {
    return many ? (12 + 16 + 4) * words + 16 * invocations : 12 * words + 32;
}

/* As many invocations as the plan wants and the device has; 0 if there are too few for partitions of two words. */
static uint32_t invocations_of(const pm_device *device, const pm_partitions_plan *plan) {
    uint32_t invocations = device->can.partition_invocations ? device->can.partition_invocations : plan->invocations;
    const uint32_t most_words = plan->many ? PM_PARTITION_WORDS_MANY : PM_PARTITION_WORDS_ALONE;
    for (;; invocations /= 2) {
        const uint32_t words = invocations * plan->per_invocation / 32;
        if (invocations <= device->can.workgroup_invocations && words <= most_words &&
            workgroup_bytes(invocations, words, plan->many) <= device->can.workgroup_bytes)
            break;
    }
    return invocations * plan->per_invocation < 64 ? 0 : invocations;
}

uint64_t pm_partitions_limit(const pm_partitions *p) {
    return p->many ? (uint64_t)p->elements * p->elements : p->elements;
}

/* Bytes of the bicyclic elements, so that slices begin at a multiple of 16. */
static uint64_t bics_bytes(uint32_t partitions) {
    return ((uint64_t)partitions + 3) / 4 * 16;
}

uint64_t pm_partitions_scratch_bytes(const pm_partitions *p, uint32_t n) {
    const uint32_t reduced = pm_partitions_of(n, p->elements) - 1;
    return bics_bytes(reduced) + (uint64_t)reduced * p->elements * 4;
}

pm_partition_parameters pm_partitions_parameters_make(const pm_partitions *p, const pm_sequence *sequence) {
    const uint32_t n = sequence->n, partitions = pm_partitions_of(n, p->elements);
    uint32_t share = p->elements;
    while (share > p->invocations && pm_partitions_of(n, share) < MATCH_WORKGROUPS)
        share /= 2;
    return (pm_partition_parameters){.parens = sequence->parens,
                                     .bics = sequence->scratch,
                                     .slices = sequence->scratch + bics_bytes(partitions - 1),
                                     .summary = sequence->summary,
                                     .n = n,
                                     .partitions = partitions,
                                     .leaves = pm_partition_leaves(n, p->elements),
                                     .shares = partitions > 1 ? p->elements / share : pm_partitions_of(n, share),
                                     .share = share};
}

/* ---- Kernels ---- */

pm_status pm_partitions_create(const pm_device *device, const pm_partitions_plan *plan, pm_partitions *p) {
    const uint32_t invocations = invocations_of(device, plan);
    *p =
        (pm_partitions){.invocations = invocations, .elements = invocations * plan->per_invocation, .many = plan->many};
    if (invocations == 0)
        return PM_UNSUPPORTED;
    const pm_constant constants[] = {{PM_CONSTANT_WORKGROUP, invocations},
                                     {PM_CONSTANT_WORDS, p->elements / 32},
                                     {PM_CONSTANT_BEFORE, plan->many ? invocations : 1},
                                     {PM_CONSTANT_PLANES, plan->many ? p->elements / 32 : 1}};
    const uint32_t count = sizeof constants / sizeof *constants;
    pm_status status = PM_OK;
    if (plan->many)
        status = pm_kernel_create_with(device, (pm_shader){reduce_words, sizeof reduce_words}, 0, constants, count,
                                       &p->reduce);
    if (status == PM_OK)
        status =
            pm_kernel_create_with(device, (pm_shader){match_words, sizeof match_words}, 0, constants, count, &p->match);
    if (status != PM_OK)
        pm_partitions_destroy(device, p);
    return status;
}

void pm_partitions_destroy(const pm_device *device, pm_partitions *p) {
    pm_kernel_destroy(device, &p->reduce);
    pm_kernel_destroy(device, &p->match);
}

/* ---- Recording ---- */

void pm_partitions_record_reduce(const pm_device *device, VkCommandBuffer commands, const pm_partitions *p,
                                 const pm_sequence *sequence, uint32_t first, uint32_t count) {
    pm_partition_parameters parameters = pm_partitions_parameters_make(p, sequence);
    parameters.first = first / p->elements;
    const uint32_t workgroups =
        pm_least32(pm_partitions_of(count, p->elements), parameters.partitions - 1 - parameters.first);
    if (workgroups > 0)
        pm_kernel_dispatch(device, commands, &p->reduce, &parameters, sizeof parameters, workgroups);
}

void pm_partitions_record_match(const pm_device *device, VkCommandBuffer commands, const pm_partitions *p,
                                const pm_sequence *sequence, uint32_t first, uint32_t count, uint64_t match) {
    pm_partition_parameters parameters = pm_partitions_parameters_make(p, sequence);
    parameters.first = first / p->elements;
    parameters.match = match;
    pm_kernel_dispatch(device, commands, &p->match, &parameters, sizeof parameters,
                       pm_partitions_of(count, p->elements) * parameters.shares);
}
