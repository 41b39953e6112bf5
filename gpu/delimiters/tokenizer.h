/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the tokens of a text on a device, their match and their faults, by the shaders of
 * shaders/delimiters/tokenizer.h. Sizes and recording only; it allocates, submits and waits for nothing.
 *
 * Stages, in this order, with pmi_shader_barrier() between them: letters, unless they are bytes; reduce, in any ranges
 * of groups that together are all; scan, mark, count, after which the device knows the number of tokens; clear, write,
 * match; with tags, those of names; check, tell.
 */
#ifndef PM_GPU_DELIMITERS_TOKENIZER_H
#define PM_GPU_DELIMITERS_TOKENIZER_H

#include "base/dfa.h"
#include "gpu/device/memory.h"
#include "gpu/match/levels.h"

/* ---- Names of tags: each gets a number, in the order in which they come, and tags the kind of their name. Two names
 * are the same if their bytes are; a hash only says where to look ---- */

/* In this order, with pmi_shader_barrier() between them. */
typedef enum pmi_names_stage {
    PM_NAMES_NAME,   /* hashes and lengths */
    PM_NAMES_ENTER,  /* slots of the hash table */
    PM_NAMES_FIRST,  /* the number of names whose first token is in each tile */
    PM_NAMES_RANK,   /* their number in the tiles before it */
    PM_NAMES_NUMBER, /* numbers of these names */
    PM_NAMES_KIND,   /* kinds of all tags */
    PM_NAMES_STAGES
} pmi_names_stage;

typedef struct pmi_tag_names {
    pmi_kernel kernels[PM_NAMES_STAGES];
} pmi_tag_names;

/* After a failure it needs no destroying. */
pm_status pmi_tag_names_create(const pmi_device *device, pmi_tag_names *names);

/* Zeros are allowed. */
void pmi_tag_names_destroy(const pmi_device *device, pmi_tag_names *names);

/* Bytes of scratch, and its layout at an address that is aligned to 8. */
uint64_t pmi_tag_names_scratch_bytes(uint32_t tokens);
void pmi_tag_names_lay_out(uint32_t tokens, uint64_t scratch, pmi_structure_names_parameters *parameters);

/* Records a stage by the plans of a task for tiles of tokens. Sets the parameters' plan. */
void pmi_tag_names_record(const pmi_device *device, VkCommandBuffer commands, const pmi_tag_names *names,
                          pmi_names_stage stage, pmi_structure_names_parameters parameters, pmi_plan_task task,
                          pmi_plans plans);

/* ---- All stages ---- */

/* Positions and tokens have 32-bit numbers; shaders use signed ones for tokens. */
#define PM_TOKENIZER_BYTES_MAX UINT32_MAX
#define PM_TOKENIZER_TOKENS_MAX INT32_MAX

/* The maximum number of words of tables: letters, nodes, choices and bytes of a DFA. */
#define PM_TOKENIZER_TABLE_MAX                                                                                         \
    (PM_STRUCTURE_TABLE_ROOT(PM_STRUCTURE_MANY_WORDS) + PM_STRUCTURE_TABLE_BYTES + 2 * PM_MACHINE_NODES_MAX +          \
     2 * PM_MACHINE_CHOICES_MAX + PM_MACHINE_BYTES_MAX / 4)

typedef struct pmi_tokenizer {
    pmi_kernel letters, reduce, scan, mark, count, clear, write, check, tell;
    pmi_tag_names names; /* if there are tags */
    uint32_t states;     /* of the kernels */
    bool late, tags;     /* these and the next ones are pmi_dfa's */
    uint32_t unterminated;
    bool of_bytes, ignore_case;
    uint32_t name_ends, kinds;
    uint32_t steps;
    uint32_t table_words;
    uint32_t tables[PM_TOKENIZER_TABLE_MAX]; /* to be uploaded */
} pmi_tokenizer;

/* Words of a row of the tables, and of a function. */
static inline uint32_t pmi_tokenizer_row_words(uint32_t states) {
    return states <= PM_STRUCTURE_FEW ? 1 : PM_STRUCTURE_MANY_WORDS;
}

/* PM_UNSUPPORTED if workgroups of the device are too small. After a failure it needs no destroying. */
pm_status pmi_tokenizer_create(const pmi_device *device, const pmi_dfa *machine, pmi_tokenizer *tokenizer);

/* The states of its kernels: with few states, words have no bits for late tokens. */
static inline uint32_t pmi_tokenizer_states(const pmi_dfa *machine) {
    return machine->late && machine->states <= PM_STRUCTURE_FEW ? PM_STRUCTURE_FEW + 1 : machine->states;
}

/* Can the kernels be used for this DFA? */
static inline bool pmi_tokenizer_suits(const pmi_tokenizer *tokenizer, const pmi_dfa *machine) {
    return tokenizer->states == pmi_tokenizer_states(machine) && tokenizer->late == machine->late &&
           tokenizer->tags == machine->tags;
}

/* Changes to another DFA that the kernels can be used for. */
void pmi_tokenizer_follow(pmi_tokenizer *tokenizer, const pmi_dfa *machine);

/* Zeros are allowed. */
void pmi_tokenizer_destroy(const pmi_device *device, pmi_tokenizer *tokenizer);

/* Inputs and outputs; addresses are the device's. */
typedef struct pmi_tokenizer_task {
    uint32_t n;        /* bytes of text */
    uint32_t capacity; /* tokens, at most */
    uint64_t text;     /* n bytes, read in whole 16; aligned to 16 */
    uint64_t tables;   /* pmi_tokenizer.table_words words; aligned to 4 */
    uint64_t scratch;  /* pmi_tokenizer_scratch_bytes() bytes, aligned to 16 */
    uint64_t matching; /* pmi_tokenizer_matching_bytes() bytes, aligned to 16 */
    uint64_t result;   /* receives PM_STRUCTURE_RESULT_WORDS words; like the arrays below aligned to 4 */
    uint64_t parens;   /* receives the tokens' bits; aligned to 16 */
    uint64_t positions, kinds;
    uint64_t lengths; /* 0: none */
    uint64_t match;   /* aligned to 16 */
} pmi_tokenizer_task;

/* Bytes of scratch for n bytes of text, which count as whole tiles; and of what match and names need for `capacity`
 * tokens. */
uint64_t pmi_tokenizer_scratch_bytes(const pmi_tokenizer *tokenizer, uint32_t n);
uint64_t pmi_tokenizer_matching_bytes(const pmi_tokenizer *tokenizer, uint32_t capacity);

pmi_structure_letters_parameters pmi_tokenizer_letters_parameters(const pmi_tokenizer *tokenizer,
                                                                  const pmi_tokenizer_task *task);
pmi_structure_parameters pmi_tokenizer_parameters_make(const pmi_tokenizer *tokenizer, const pmi_tokenizer_task *task);

pmi_structure_names_parameters pmi_tokenizer_names_parameters(const pmi_tokenizer *tokenizer,
                                                              const pmi_tokenizer_task *task);

/* Groups that n bytes touch, and bytes of a group. */
uint32_t pmi_tokenizer_groups(uint32_t n);
uint32_t pmi_tokenizer_group_bytes(uint32_t n);

/* The stages that need nothing but their parameters. */
typedef enum pmi_tokenizer_stage {
    PM_TOKENIZER_SCAN,
    PM_TOKENIZER_MARK,
    PM_TOKENIZER_COUNT,
    PM_TOKENIZER_CLEAR,
    PM_TOKENIZER_WRITE,
    PM_TOKENIZER_TELL
} pmi_tokenizer_stage;

/* Record dispatches, which read and write in shaders (VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT). */
void pmi_tokenizer_record_stage(const pmi_device *device, VkCommandBuffer commands, const pmi_tokenizer *tokenizer,
                                pmi_tokenizer_stage stage, pmi_structure_parameters parameters);
void pmi_tokenizer_record_letters(const pmi_device *device, VkCommandBuffer commands, const pmi_tokenizer *tokenizer,
                                  const pmi_tokenizer_task *task);
void pmi_tokenizer_record_reduce(const pmi_device *device, VkCommandBuffer commands, const pmi_tokenizer *tokenizer,
                                 pmi_structure_parameters parameters, uint32_t first_group, uint32_t groups);

/* The match of the tokens, with the barriers inside it. Returns the plans for names and the check. */
pmi_plans pmi_tokenizer_record_match(const pmi_device *device, VkCommandBuffer commands, const pmi_indirect *indirect,
                                     const pmi_tokenizer_task *task, pmi_plans plans);
/* A stage of names. Without tags it records nothing. */
void pmi_tokenizer_record_names(const pmi_device *device, VkCommandBuffer commands, const pmi_tokenizer *tokenizer,
                                const pmi_tokenizer_task *task, pmi_names_stage stage, pmi_plans plans);
void pmi_tokenizer_record_check(const pmi_device *device, VkCommandBuffer commands, const pmi_tokenizer *tokenizer,
                                pmi_structure_parameters parameters, pmi_plans plans);

/* The stages up to count, or those of them from scan on; and the stages after count; with the barriers between them. */
void pmi_tokenizer_record_all_marks(const pmi_device *device, VkCommandBuffer commands, const pmi_tokenizer *tokenizer,
                                    const pmi_tokenizer_task *task);
void pmi_tokenizer_record_marks(const pmi_device *device, VkCommandBuffer commands, const pmi_tokenizer *tokenizer,
                                const pmi_tokenizer_task *task);
void pmi_tokenizer_record_structure(const pmi_device *device, VkCommandBuffer commands, const pmi_tokenizer *tokenizer,
                                    const pmi_indirect *indirect, const pmi_tokenizer_task *task, pmi_plans plans);

/* ---- From host to host ---- */

typedef struct pmi_delimiters_runner {
    bool indirect_created, tokenizer_created;
    pmi_indirect indirect;
    pmi_tokenizer tokenizer;
    pmi_buffer given;  /* the tables and the text */
    pmi_buffer result; /* in host memory */
    pmi_buffer scratch, matching, dispatches;
    pmi_buffer parens, positions, lengths, kinds, match;
} pmi_delimiters_runner;

/* Sets the runner to zeros, which are allowed. The device must be idle. */
void pmi_delimiters_runner_clear(const pmi_device *device, pmi_delimiters_runner *runner);

#endif
