/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of tags on a device: each gets a number, in the order in which they come, and tags the kind of their name. Two
 * names are the same if their bytes are; a hash only says where to look. Sizes and recording only.
 */
#ifndef PM_GPU_DELIMITERS_TAG_NAMES_H
#define PM_GPU_DELIMITERS_TAG_NAMES_H

#include "gpu/match/indirect.h"

/* In this order, with pmi_tokenizer_record_barrier() between them. */
typedef enum pmi_names_stage {
    PM_NAMES_NAME,   /* hashes and lengths */
    PM_NAMES_ENTER,  /* slots */
    PM_NAMES_FIRST,  /* how many names each tile of tokens has first */
    PM_NAMES_RANK,   /* how many there are before it */
    PM_NAMES_NUMBER, /* numbers of those */
    PM_NAMES_KIND,   /* kinds of all */
    PM_NAMES_STAGES
} pmi_names_stage;

typedef struct pmi_tag_names {
    pmi_kernel kernels[PM_NAMES_STAGES];
} pmi_tag_names;

/* On failure it needs no destroying. */
pm_status pmi_tag_names_create(const pmi_device *device, pmi_tag_names *names);

/* One that is all zeros is fine. */
void pmi_tag_names_destroy(const pmi_device *device, pmi_tag_names *names);

/* Bytes of scratch for so many tokens; where in it what is: at an address that is aligned to 8. */
uint64_t pmi_tag_names_scratch_bytes(uint32_t tokens);
void pmi_tag_names_lay_out(uint32_t tokens, uint64_t scratch, pmi_structure_names_parameters *parameters);

/* Records a stage by the plans of a task on tiles of tokens; parameters need no plan. */
void pmi_tag_names_record(const pmi_device *device, VkCommandBuffer commands, const pmi_tag_names *names,
                          pmi_names_stage stage, pmi_structure_names_parameters parameters, pmi_plan_task task,
                          pmi_plans plans);

#endif
