/* SPDX-License-Identifier: Apache-2.0 */
/* The sizes and dispatches of `lookback`. */

#include "gpu/match/partitions.h"
#include "shaders/spv/match.h"

enum {
    INVOCATIONS = 512, /* of a workgroup, if the device has as many */
    PER_INVOCATION = 16,
    PATIENCE = 256 /* polls of a state: about ten times as long as a workgroup takes to publish it */
};

/* ---- Sizes ---- */

/* Eight numbers for each word of a partition, and two nodes of two numbers each for each invocation. */
static uint32_t workgroup_bytes(uint32_t invocations) {
    return 32 * (invocations * PER_INVOCATION / 32) + 16 * invocations + 64;
}

static uint32_t invocations_of(const pmi_device *device) {
    uint32_t invocations = device->can.partition_invocations ? device->can.partition_invocations : INVOCATIONS;
    while (invocations > device->can.workgroup_invocations || invocations * PER_INVOCATION / 32 > PM_LOOKBACK_WORDS ||
           workgroup_bytes(invocations) > device->can.workgroup_bytes)
        invocations /= 2;
    return invocations;
}

/* Offsets in the scratch, which begins with the number of partitions that are taken. */
typedef struct layout {
    uint64_t states, links, slices, end;
} layout;

static layout layout_of(const pmi_lookback *lookback, uint64_t partitions) {
    layout p = {.states = 16};
    p.links = p.states + (partitions + 3) / 4 * 16;
    p.slices = p.links + (partitions + 1) / 2 * 16;
    p.end = p.slices + partitions * lookback->elements * 4;
    return p;
}

uint64_t pmi_lookback_scratch_bytes(const pmi_lookback *lookback, uint32_t n) {
    return layout_of(lookback, pmi_partitions_of(n, lookback->elements)).end;
}

/* As many partitions as fit the largest allocation. */
static uint64_t limit_of(const pmi_lookback *lookback, uint64_t bytes) {
    uint64_t partitions = bytes / (4 * (uint64_t)lookback->elements);
    while (partitions > 0 && layout_of(lookback, partitions).end > bytes)
        partitions--;
    const uint64_t elements = partitions * lookback->elements;
    return elements < UINT32_MAX ? elements : UINT32_MAX;
}

pmi_lookback_parameters pmi_lookback_parameters_make(const pmi_device *device, const pmi_lookback *lookback,
                                                     const pmi_sequence *sequence) {
    const uint32_t n = sequence->n, partitions = pmi_partitions_of(n, lookback->elements);
    const layout begins = layout_of(lookback, partitions);
    return (pmi_lookback_parameters){.parens = sequence->parens,
                                     .begun = sequence->scratch,
                                     .states = sequence->scratch + begins.states,
                                     .links = sequence->scratch + begins.links,
                                     .slices = sequence->scratch + begins.slices,
                                     .summary = sequence->summary,
                                     .n = n,
                                     .partitions = partitions,
                                     .leaves = pmi_partition_leaves(n, lookback->elements),
                                     .patience = PATIENCE,
                                     .stall = device->can.lookback_stall,
                                     .late = device->can.lookback_late};
}

/* ---- Kernels ---- */

pm_status pmi_lookback_create(const pmi_device *device, pmi_lookback *lookback) {
    const uint32_t invocations = invocations_of(device);
    *lookback = (pmi_lookback){.elements = invocations * PER_INVOCATION};
    if (lookback->elements < 64)
        return PM_UNSUPPORTED;
    lookback->limit = limit_of(lookback, device->can.allocation_bytes);
    const pmi_constant constants[] = {{PM_CONSTANT_WORKGROUP, invocations},
                                      {PM_CONSTANT_WORDS, lookback->elements / 32},
                                      {PM_CONSTANT_BEFORE, invocations},
                                      {PM_CONSTANT_PLANES, lookback->elements / 32}};
    pm_status status =
        pmi_kernel_create_with(device, PM_SHADER(spv_match_lookback_clear), 0, constants, 1, &lookback->clear);
    if (status == PM_OK)
        status = pmi_kernel_create_with(device, PM_SHADER(spv_match_lookback_match), 0, constants,
                                        sizeof constants / sizeof *constants, &lookback->match);
    if (status != PM_OK)
        pmi_lookback_destroy(device, lookback);
    return status;
}

void pmi_lookback_destroy(const pmi_device *device, pmi_lookback *lookback) {
    pmi_kernel_destroy(device, &lookback->clear);
    pmi_kernel_destroy(device, &lookback->match);
}

/* ---- Recording ---- */

void pmi_lookback_record_clear(const pmi_device *device, VkCommandBuffer commands, const pmi_lookback *lookback,
                               const pmi_sequence *sequence) {
    const pmi_lookback_parameters parameters = pmi_lookback_parameters_make(device, lookback, sequence);
    const uint32_t invocations = lookback->elements / PER_INVOCATION;
    pmi_kernel_dispatch(device, commands, &lookback->clear, &parameters, sizeof parameters,
                        parameters.partitions / invocations + (parameters.partitions % invocations != 0));
}

/* A workgroup of any of the dispatches takes the next partition. */
void pmi_lookback_record_match(const pmi_device *device, VkCommandBuffer commands, const pmi_lookback *lookback,
                               const pmi_sequence *sequence, uint32_t first, uint32_t count, uint64_t match) {
    pmi_lookback_parameters parameters = pmi_lookback_parameters_make(device, lookback, sequence);
    parameters.first = first / lookback->elements;
    parameters.match = match;
    if (first > 0) /* partitions look at the states before */
        pmi_shader_barrier(device, commands);
    pmi_kernel_dispatch_parts(device, commands, &lookback->match, &parameters, sizeof parameters, NULL, 0,
                              pmi_partitions_of(count, lookback->elements),
                              (uint64_t)device->can.dispatch_tiles * PM_TILE / lookback->elements);
}
