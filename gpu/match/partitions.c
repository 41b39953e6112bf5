/* SPDX-License-Identifier: Apache-2.0 */
/* The partitions' sizes on a device, and their dispatches. */
#include "gpu/match/partitions.h"

#include "base/sizes.h"
#include "shaders/spv/match.h"

const pmi_partitions_plan pmi_simple_plan = {.invocations = 512, .per_invocation = 1, .many = true};
const pmi_partitions_plan pmi_work_efficient_plan = {.invocations = 512, .per_invocation = 8, .many = true};
const pmi_partitions_plan pmi_direct_plan = {.invocations = 512, .per_invocation = 128, .many = false};

/* To fill large devices. If there are fewer partitions, several workgroups share each. */
enum {
    MATCH_WORKGROUPS = 256
};

/* ---- Sizes ---- */

/* Shared memory: for each word of a partition the word and two nodes of the tree. If there are many partitions, also
 * its levels, in reduce what comes after it, and for each invocation two nodes of the tree of the partitions before. */
static uint32_t workgroup_bytes(uint32_t invocations, uint32_t words, bool many) {
    return many ? (12 + 16 + 4) * words + 16 * invocations : 12 * words + 32;
}

/* 0 if the device has too few for partitions of two words. */
static uint32_t invocations_of(const pmi_device *device, const pmi_partitions_plan *plan) {
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

uint64_t pmi_partitions_limit(const pmi_partitions *p) {
    return p->many ? (uint64_t)p->elements * p->elements : p->elements;
}

/* Bytes of the bicyclic elements, a multiple of 16. */
static uint64_t bics_bytes(uint32_t partitions) {
    return ((uint64_t)partitions + 3) / 4 * 16;
}

uint64_t pmi_partitions_scratch_bytes(const pmi_partitions *p, uint32_t n) {
    const uint32_t reduced = pmi_partitions_of(n, p->elements) - 1;
    return bics_bytes(reduced) + (uint64_t)reduced * p->elements * 4;
}

pmi_partition_parameters pmi_partitions_parameters_make(const pmi_partitions *p, const pmi_sequence *sequence) {
    const uint32_t n = sequence->n, partitions = pmi_partitions_of(n, p->elements);
    uint32_t share = p->elements;
    while (share > p->invocations && pmi_partitions_of(n, share) < MATCH_WORKGROUPS)
        share /= 2;
    return (pmi_partition_parameters){.parens = sequence->parens,
                                      .bics = sequence->scratch,
                                      .slices = sequence->scratch + bics_bytes(partitions - 1),
                                      .summary = sequence->summary,
                                      .length = sequence->length,
                                      .most = n,
                                      .partitions = partitions,
                                      .leaves = pmi_partition_leaves(n, p->elements),
                                      .shares = partitions > 1 ? p->elements / share : pmi_partitions_of(n, share),
                                      .share = share};
}

/* ---- Kernels ---- */

pm_status pmi_partitions_create(const pmi_device *device, const pmi_partitions_plan *plan, pmi_partitions *p) {
    const uint32_t invocations = invocations_of(device, plan);
    *p = (pmi_partitions){
        .invocations = invocations, .elements = invocations * plan->per_invocation, .many = plan->many};
    if (invocations == 0)
        return PM_UNSUPPORTED;
    const pmi_constant constants[] = {{PM_CONSTANT_WORKGROUP, invocations},
                                      {PM_CONSTANT_WORDS, p->elements / 32},
                                      {PM_CONSTANT_BEFORE, plan->many ? invocations : 1},
                                      {PM_CONSTANT_PLANES, plan->many ? p->elements / 32 : 1}};
    const uint32_t count = sizeof constants / sizeof *constants;
    pm_status status = PM_OK;
    if (plan->many)
        status = pmi_kernel_create_with(device, PM_SHADER(spv_match_partition_reduce), 0, constants, count, &p->reduce);
    if (status == PM_OK)
        status = pmi_kernel_create_with(device, PM_SHADER(spv_match_partition_match), 0, constants, count, &p->match);
    if (status != PM_OK)
        pmi_partitions_destroy(device, p);
    return status;
}

void pmi_partitions_destroy(const pmi_device *device, pmi_partitions *p) {
    pmi_kernel_destroy(device, &p->reduce);
    pmi_kernel_destroy(device, &p->match);
}

/* ---- Recording ---- */

void pmi_partitions_record_reduce(const pmi_device *device, VkCommandBuffer commands, const pmi_partitions *p,
                                  const pmi_sequence *sequence, uint32_t first, uint32_t count) {
    pmi_partition_parameters parameters = pmi_partitions_parameters_make(p, sequence);
    parameters.first = first / p->elements;
    const uint32_t workgroups =
        pmi_min32(pmi_partitions_of(count, p->elements), parameters.partitions - 1 - parameters.first);
    if (workgroups > 0)
        pmi_kernel_dispatch(device, commands, &p->reduce, &parameters, sizeof parameters, workgroups);
}

void pmi_partitions_record_match(const pmi_device *device, VkCommandBuffer commands, const pmi_partitions *p,
                                 const pmi_sequence *sequence, uint32_t first, uint32_t count, uint64_t match) {
    pmi_partition_parameters parameters = pmi_partitions_parameters_make(p, sequence);
    parameters.first = first / p->elements;
    parameters.match = match;
    pmi_kernel_dispatch(device, commands, &p->match, &parameters, sizeof parameters,
                        pmi_partitions_of(count, p->elements) * parameters.shares);
}
