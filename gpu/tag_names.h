/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of tags on a device: each gets a number, in the order in which they come, and tags the kind of their name. Two
 * names are the same if their bytes are; a hash only says where to look. Sizes and recording only.
 */
#ifndef PM_GPU_TAG_NAMES_H
#define PM_GPU_TAG_NAMES_H

#include "gpu/planned.h"

/* In this order, with pm_tokenizer_record_barrier() between them. */
typedef enum pm_names_stage {
    PM_NAMES_NAME,   /* hashes and lengths */
    PM_NAMES_ENTER,  /* slots */
    PM_NAMES_FIRST,  /* how many names each tile of tokens has first */
    PM_NAMES_RANK,   /* how many there are before it */
    PM_NAMES_NUMBER, /* numbers of those */
    PM_NAMES_KIND,   /* kinds of all */
    PM_NAMES_STAGES
} pm_names_stage;

typedef struct pm_tag_names {
    pm_kernel kernels[PM_NAMES_STAGES];
} pm_tag_names;

/* On failure it needs no destroying. */
pm_status pm_tag_names_create(const pm_device *device, pm_tag_names *names);

/* One that is all zeros is fine. */
void pm_tag_names_destroy(const pm_device *device, pm_tag_names *names);

/* Bytes of scratch for so many tokens; where in it what is: at an address that is aligned to 8. */
uint64_t pm_tag_names_scratch_bytes(uint32_t tokens);
void pm_tag_names_lay_out(uint32_t tokens, uint64_t scratch, pm_structure_names_parameters *parameters);

/* Records a stage by the plans of a task on tiles of tokens; parameters need no plan. */
void pm_tag_names_record(const pm_device *device, VkCommandBuffer commands, const pm_tag_names *names,
                         pm_names_stage stage, pm_structure_names_parameters parameters, pm_plan_task task,
                         pm_plans plans);

#endif
