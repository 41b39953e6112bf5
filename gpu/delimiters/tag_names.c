/* SPDX-License-Identifier: Apache-2.0 */
/* Names of tags. */
#include "gpu/delimiters/tokenizer.h"
#include "shaders/spv/delimiters.h"

static const pmi_shader shaders[PM_NAMES_STAGES] = {
    [PM_NAMES_NAME] = {spv_delimiters_name, sizeof spv_delimiters_name},
    [PM_NAMES_ENTER] = {spv_delimiters_enter, sizeof spv_delimiters_enter},
    [PM_NAMES_FIRST] = {spv_delimiters_first, sizeof spv_delimiters_first},
    [PM_NAMES_RANK] = {spv_delimiters_rank, sizeof spv_delimiters_rank},
    [PM_NAMES_NUMBER] = {spv_delimiters_number, sizeof spv_delimiters_number},
    [PM_NAMES_KIND] = {spv_delimiters_kind, sizeof spv_delimiters_kind},
};

_Static_assert(sizeof(pmi_structure_names_parameters) <= PM_PUSH_BYTES, "parameters fit");

pm_status pmi_tag_names_create(const pmi_device *device, pmi_tag_names *names) {
    *names = (pmi_tag_names){0};
    for (unsigned k = 0; k < PM_NAMES_STAGES; k++) {
        const pm_status status = pmi_kernel_create(device, shaders[k], 0, &names->kernels[k]);
        if (status != PM_OK) {
            pmi_tag_names_destroy(device, names);
            return status;
        }
    }
    return PM_OK;
}

void pmi_tag_names_destroy(const pmi_device *device, pmi_tag_names *names) {
    for (unsigned k = 0; k < PM_NAMES_STAGES; k++)
        pmi_kernel_destroy(device, &names->kernels[k]);
}

void pmi_tag_names_lay_out(uint32_t tokens, uint64_t scratch, pmi_structure_names_parameters *p) {
    p->names = scratch;
    p->slots = p->names + (uint64_t)tokens * 8;
    p->firsts = p->slots + (uint64_t)tokens * 8;
}

/* With a count for each tile, and for all. */
uint64_t pmi_tag_names_scratch_bytes(uint32_t tokens) {
    return (uint64_t)tokens * 16 + ((uint64_t)pmi_plan_pieces(tokens, PM_TILE) + 1) * 4;
}

void pmi_tag_names_record(const pmi_device *device, VkCommandBuffer commands, const pmi_tag_names *names,
                          pmi_names_stage stage, pmi_structure_names_parameters p, pmi_plan_task task,
                          pmi_plans plans) {
    const pmi_kernel *const kernel = &names->kernels[stage];
    if (stage == PM_NAMES_RANK) /* over all tiles */
        pmi_indirect_dispatch_once(device, commands, kernel, &p, sizeof p, &p.plan, task, plans);
    else
        pmi_indirect_dispatch(device, commands, kernel, &p, sizeof p, &p.plan, task, plans);
}
