/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From a text on a device to its tokens, their match and what is wrong with them, by the shaders of
 * shaders/delimiters/tokenizer.h. Sizes and recording only; it allocates, submits and waits for nothing.
 *
 * Stages, in this order, with pmi_tokenizer_record_barrier() between them: letters, unless they are bytes; reduce, on
 * any ranges of groups that together are all; scan, mark, count, after which the device knows how many tokens there
 * are; clear, write, match; with tags, those of gpu/delimiters/tag_names.h; check, tell.
 */
#ifndef PM_GPU_DELIMITERS_TOKENIZER_H
#define PM_GPU_DELIMITERS_TOKENIZER_H

#include "base/dfa.h"
#include "gpu/delimiters/tag_names.h"
#include "gpu/match/indirect.h"

/* Places and tokens are numbered by 32 bits, and tokens addressed by signed ones. */
#define PM_TOKENIZER_BYTES_MAX UINT32_MAX
#define PM_TOKENIZER_TOKENS_MAX INT32_MAX

/* Words of tables, at most: letters, nodes, choices and bytes of a machine. */
#define PM_TOKENIZER_TABLE_MOST                                                                                        \
    (PM_STRUCTURE_TABLE_ROOT(PM_STRUCTURE_MANY_WORDS) + PM_STRUCTURE_TABLE_BYTES + 2 * PM_MACHINE_NODES_MAX +          \
     2 * PM_MACHINE_CHOICES_MAX + PM_MACHINE_BYTES_MAX / 4)

typedef struct pmi_tokenizer {
    pmi_kernel letters, reduce, scan, mark, count, clear, write, check, tell;
    pmi_tag_names names;   /* if there are tags */
    uint32_t states;       /* that they are made for, */
    bool late, tags;       /* likewise, as pmi_dfa's */
    uint32_t unterminated; /* as pmi_dfa.unterminated */
    bool of_bytes, ignore_case;
    uint32_t name_ends, kinds; /* as pmi_dfa's */
    uint32_t steps;            /* as pmi_dfa's */
    uint32_t table_words;
    uint32_t tables[PM_TOKENIZER_TABLE_MOST]; /* what has to be on the device */
} pmi_tokenizer;

/* Words of a row of the tables, and of a function. */
static inline uint32_t pmi_tokenizer_row_words(uint32_t states) {
    return states <= PM_STRUCTURE_FEW ? 1 : PM_STRUCTURE_MANY_WORDS;
}

/* On failure it needs no destroying. PM_UNSUPPORTED: workgroups of the device are too small. */
pm_status pmi_tokenizer_create(const pmi_device *device, const pmi_dfa *machine, pmi_tokenizer *tokenizer);

/* The states that kernels have for it: words have no bits to tell tokens late. */
static inline uint32_t pmi_tokenizer_states(const pmi_dfa *machine) {
    return machine->late && machine->states <= PM_STRUCTURE_FEW ? PM_STRUCTURE_FEW + 1 : machine->states;
}

/* Do a machine's kernels do for another one? */
static inline bool pmi_tokenizer_suits(const pmi_tokenizer *tokenizer, const pmi_dfa *machine) {
    return tokenizer->states == pmi_tokenizer_states(machine) && tokenizer->late == machine->late &&
           tokenizer->tags == machine->tags;
}

/* Makes it follow another machine that it suits. */
void pmi_tokenizer_follow(pmi_tokenizer *tokenizer, const pmi_dfa *machine);

/* One that is all zeros is fine. */
void pmi_tokenizer_destroy(const pmi_device *device, pmi_tokenizer *tokenizer);

/* What is read and written; addresses are the device's. */
typedef struct pmi_tokenizer_task {
    uint32_t n;        /* bytes of text */
    uint32_t capacity; /* tokens that there is room for */
    uint64_t text;     /* n bytes, read in whole 16; aligned to 16 */
    uint64_t tables;   /* pmi_tokenizer.table_words words; aligned to 4 */
    uint64_t scratch;  /* pmi_tokenizer_scratch_bytes() bytes, aligned to 16; likewise: */
    uint64_t matching; /* pmi_tokenizer_matching_bytes() bytes */
    uint64_t result;   /* receives PM_STRUCTURE_RESULT_WORDS words; aligned to 4, as what follows is: */
    uint64_t parens;   /* receives the tokens' bits; aligned to 16 */
    uint64_t positions, kinds;
    uint64_t lengths; /* 0: not wanted */
    uint64_t match;   /* aligned to 16 */
} pmi_tokenizer_task;

/* Bytes of scratch: of all stages but match and names, for n bytes of text; of those, for so many tokens. */
uint64_t pmi_tokenizer_scratch_bytes(const pmi_tokenizer *tokenizer, uint32_t n);
uint64_t pmi_tokenizer_matching_bytes(const pmi_tokenizer *tokenizer, uint32_t capacity);

/* Bytes of plans that the match of so many tokens needs: see gpu/match/indirect.h. */
uint64_t pmi_tokenizer_plans_bytes(const pmi_device *device, uint32_t capacity);

pmi_structure_letters_parameters pmi_tokenizer_letters_parameters(const pmi_tokenizer *tokenizer,
                                                                  const pmi_tokenizer_task *task);
pmi_structure_parameters pmi_tokenizer_parameters_make(const pmi_tokenizer *tokenizer, const pmi_tokenizer_task *task);

pmi_structure_names_parameters pmi_tokenizer_names_parameters(const pmi_tokenizer *tokenizer,
                                                              const pmi_tokenizer_task *task);

/* Groups that n bytes touch, and bytes of a group. */
uint32_t pmi_tokenizer_groups(uint32_t n);
uint32_t pmi_tokenizer_group_bytes(uint32_t n);

/* Each records dispatches alone, which read and write in shaders (VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT). */
void pmi_tokenizer_record_letters(const pmi_device *device, VkCommandBuffer commands, const pmi_tokenizer *tokenizer,
                                  const pmi_tokenizer_task *task);
void pmi_tokenizer_record_reduce(const pmi_device *device, VkCommandBuffer commands, const pmi_tokenizer *tokenizer,
                                 pmi_structure_parameters parameters, uint32_t first_group, uint32_t groups);
void pmi_tokenizer_record_scan(const pmi_device *device, VkCommandBuffer commands, const pmi_tokenizer *tokenizer,
                               pmi_structure_parameters parameters);
void pmi_tokenizer_record_mark(const pmi_device *device, VkCommandBuffer commands, const pmi_tokenizer *tokenizer,
                               pmi_structure_parameters parameters);
void pmi_tokenizer_record_count(const pmi_device *device, VkCommandBuffer commands, const pmi_tokenizer *tokenizer,
                                pmi_structure_parameters parameters);
void pmi_tokenizer_record_clear(const pmi_device *device, VkCommandBuffer commands, const pmi_tokenizer *tokenizer,
                                pmi_structure_parameters parameters);
void pmi_tokenizer_record_write(const pmi_device *device, VkCommandBuffer commands, const pmi_tokenizer *tokenizer,
                                pmi_structure_parameters parameters);
void pmi_tokenizer_record_tell(const pmi_device *device, VkCommandBuffer commands, const pmi_tokenizer *tokenizer,
                               pmi_structure_parameters parameters);
void pmi_tokenizer_record_barrier(const pmi_device *device, VkCommandBuffer commands);

/* The match of the tokens, with barriers of its own; returns the plans that names and the check go by. */
pmi_plans pmi_tokenizer_record_match(const pmi_device *device, VkCommandBuffer commands, const pmi_indirect *planned,
                                     const pmi_tokenizer_task *task, pmi_plans plans);
/* A stage of names, where there are any. */
void pmi_tokenizer_record_names(const pmi_device *device, VkCommandBuffer commands, const pmi_tokenizer *tokenizer,
                                const pmi_tokenizer_task *task, pmi_names_stage stage, pmi_plans plans);
void pmi_tokenizer_record_check(const pmi_device *device, VkCommandBuffer commands, const pmi_tokenizer *tokenizer,
                                pmi_structure_parameters parameters, pmi_plans plans);

/* The stages up to count, or from scan on; and those behind it; with the barriers between them. */
void pmi_tokenizer_record_all_marks(const pmi_device *device, VkCommandBuffer commands, const pmi_tokenizer *tokenizer,
                                    const pmi_tokenizer_task *task);
void pmi_tokenizer_record_marks(const pmi_device *device, VkCommandBuffer commands, const pmi_tokenizer *tokenizer,
                                const pmi_tokenizer_task *task);
void pmi_tokenizer_record_structure(const pmi_device *device, VkCommandBuffer commands, const pmi_tokenizer *tokenizer,
                                    const pmi_indirect *planned, const pmi_tokenizer_task *task, pmi_plans plans);

#endif
