/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels of many sequences, and their dispatches. */
#include "gpu/match/batch.h"

#include <string.h>

#include "base/sizes.h"
#include "shaders/spv/match.h"

/* Sequences of a dispatch of totals: each takes at most some hundred reads. */
enum {
    TOTALS_SEQUENCES = 1 << 22
};

pm_status pmi_batch_kernels_create(const pmi_device *device, pmi_batch_kernels *kernels) {
    *kernels = (pmi_batch_kernels){0};
    pm_status status = pmi_levels_match_create(device, PM_SHADER(spv_match_levels_match_batch_subgroup),
                                               PM_SHADER(spv_match_levels_match_batch_workgroup), &kernels->match);
    if (status == PM_OK)
        status = pmi_kernel_create(device, PM_SHADER(spv_match_levels_totals), 0, &kernels->totals);
    if (status != PM_OK)
        pmi_batch_kernels_destroy(device, kernels);
    return status;
}

void pmi_batch_kernels_destroy(const pmi_device *device, pmi_batch_kernels *kernels) {
    pmi_kernel_destroy(device, &kernels->match);
    pmi_kernel_destroy(device, &kernels->totals);
}

void pmi_batch_parameters_add(pmi_levels_parameters *parameters, uint64_t offsets, uint32_t count) {
    parameters->incoming = offsets;
    parameters->incoming_count = count + 1;
}

void pmi_batch_record_match(const pmi_device *device, VkCommandBuffer commands, const pmi_batch_kernels *kernels,
                            pmi_levels_parameters parameters, uint32_t first_tile, uint32_t tiles, uint64_t match) {
    pmi_levels_record_match_with(device, commands, &kernels->match, parameters, first_tile, tiles, match);
}

void pmi_batch_record_totals(const pmi_device *device, VkCommandBuffer commands, const pmi_batch_kernels *kernels,
                             pmi_levels_parameters parameters, uint64_t totals) {
    const uint32_t count = parameters.incoming_count - 1;
    const uint32_t most = pmi_min32(TOTALS_SEQUENCES / PM_TOTALS_WORKGROUP, device->can.dispatch_workgroups);
    parameters.match = totals;
    for (uint32_t done = 0; done < count; done += parameters.count) {
        parameters.first = done;
        parameters.count = pmi_min32(count - done, most * PM_TOTALS_WORKGROUP);
        pmi_kernel_dispatch(device, commands, &kernels->totals, &parameters, sizeof parameters,
                            pmi_plan_pieces(parameters.count, PM_TOTALS_WORKGROUP));
    }
}

unsigned char *pmi_batch_totals_halves(pm_bic *totals, size_t count) {
    return (unsigned char *)totals + count * sizeof *totals / 2;
}

/* From the first to the last: none overwrites the half of a later one. */
void pmi_batch_totals_widen(pm_bic *totals, size_t count) {
    const unsigned char *half = pmi_batch_totals_halves(totals, count);
    for (size_t s = 0; s < count; s++, half += 2 * sizeof(uint32_t)) {
        uint32_t total[2];
        memcpy(total, half, sizeof total);
        totals[s] = (pm_bic){.close = total[0], .open = total[1]};
    }
}
