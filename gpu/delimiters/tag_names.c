/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels that number names. */
#include "gpu/delimiters/tag_names.h"

static const uint32_t name_words[] = {
#include "shaders/spv/structure_name.inc"
};
static const uint32_t enter_words[] = {
#include "shaders/spv/structure_enter.inc"
};
static const uint32_t first_words[] = {
#include "shaders/spv/structure_first.inc"
};
static const uint32_t rank_words[] = {
#include "shaders/spv/structure_rank.inc"
};
static const uint32_t number_words[] = {
#include "shaders/spv/structure_number.inc"
};
static const uint32_t kind_words[] = {
#include "shaders/spv/structure_kind.inc"
};

static const pmi_shader shaders[PM_NAMES_STAGES] = {
    [PM_NAMES_NAME] = {name_words, sizeof name_words},       [PM_NAMES_ENTER] = {enter_words, sizeof enter_words},
    [PM_NAMES_FIRST] = {first_words, sizeof first_words},    [PM_NAMES_RANK] = {rank_words, sizeof rank_words},
    [PM_NAMES_NUMBER] = {number_words, sizeof number_words}, [PM_NAMES_KIND] = {kind_words, sizeof kind_words},
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

/* A tile's count for each, and all. */
uint64_t pmi_tag_names_scratch_bytes(uint32_t tokens) {
    return (uint64_t)tokens * 16 + ((uint64_t)pmi_plan_pieces(tokens, PM_TILE) + 1) * 4;
}

void pmi_tag_names_record(const pmi_device *device, VkCommandBuffer commands, const pmi_tag_names *names,
                          pmi_names_stage stage, pmi_structure_names_parameters p, pmi_plan_task task,
                          pmi_plans plans) {
    const pmi_kernel *const kernel = &names->kernels[stage];
    if (stage == PM_NAMES_RANK) /* a sum over all tiles */
        pmi_indirect_dispatch_once(device, commands, kernel, &p, sizeof p, &p.plan, task, plans);
    else
        pmi_indirect_dispatch(device, commands, kernel, &p, sizeof p, &p.plan, task, plans);
}
