/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels of the tokenizer, and their workgroups. */
#include "gpu/delimiters/tokenizer.h"

#include "base/sizes.h"
#include "shaders/spv/delimiters.h"

/* Shared memory of the largest kernel, letters, and a little for the compiler. */
#define WORKGROUP_BYTES ((512 + PM_STRUCTURE_PART + PM_STRUCTURE_PART / 4 + 8) * 4)

_Static_assert(WORKGROUP_BYTES > (PM_STRUCTURE_MANY_WORDS * (PM_STRUCTURE_LETTERS + PM_STRUCTURE_LANES) + 512) * 4,
               "mark for many states has less");
enum {
    GROUPS_WANTED = 1 << 10 /* before groups have several tiles */
};

_Static_assert(sizeof(pmi_structure_parameters) <= PM_PUSH_BYTES, "parameters fit");
_Static_assert(PM_STRUCTURE_MANY == PM_MACHINE_STATES_MAX && PM_STRUCTURE_LETTERS == PM_MACHINE_LETTERS_MAX,
               "one limit");
_Static_assert(PM_IF_ANYTHING == PM_STRUCTURE_IF_ANYTHING && PM_IF_WORD == PM_STRUCTURE_IF_WORD &&
                   PM_IF_NAME == PM_STRUCTURE_IF_NAME && PM_IF_FAR == PM_STRUCTURE_IF_FAR &&
                   PM_IF_TWO == PM_STRUCTURE_IF_TWO && PM_IF_APART == PM_STRUCTURE_IF_APART &&
                   PM_IF_TAGGED == PM_STRUCTURE_IF_TAGGED && PM_MACHINE_BLANKS_MAX == PM_STRUCTURE_BLANKS_MOST,
               "shaders read choices");
_Static_assert(PM_STRUCTURE_UNMATCHED_CLOSE == PM_FAULT_UNMATCHED_CLOSE &&
                   PM_STRUCTURE_UNMATCHED_OPEN == PM_FAULT_UNMATCHED_OPEN &&
                   PM_STRUCTURE_KIND_MISMATCH == PM_FAULT_KIND_MISMATCH &&
                   PM_STRUCTURE_UNTERMINATED == PM_FAULT_UNTERMINATED,
               "shaders write faults");

/* ---- Creating ---- */

pm_status pmi_tokenizer_create(const pmi_device *device, const pmi_dfa *machine, pmi_tokenizer *tokenizer) {
    const pmi_constant states = {PM_CONSTANT_STATES, pmi_tokenizer_states(machine)};
    const bool few = pmi_tokenizer_states(machine) <= PM_STRUCTURE_FEW;
    *tokenizer = (pmi_tokenizer){.states = pmi_tokenizer_states(machine), .late = machine->late, .tags = machine->tags};
    if (device->can.workgroup_invocations < PM_STRUCTURE_LANES || device->can.workgroup_bytes < WORKGROUP_BYTES)
        return PM_UNSUPPORTED;
    pmi_tokenizer_follow(tokenizer, machine);
    pm_status status = PM_OK;
#define CREATE_OF_STATES(stage, shader)                                                                                \
    if (status == PM_OK)                                                                                               \
        status = pmi_kernel_create_with(device, shader, 0, &states, 1, &tokenizer->stage);
#define CREATE(stage, shader)                                                                                          \
    if (status == PM_OK)                                                                                               \
        status = pmi_kernel_create(device, shader, 0, &tokenizer->stage);
    CREATE(letters, PM_SHADER(spv_delimiters_letters))
    CREATE_OF_STATES(reduce, few ? PM_SHADER(spv_delimiters_reduce_few) : PM_SHADER(spv_delimiters_reduce_many))
    CREATE_OF_STATES(scan, few ? PM_SHADER(spv_delimiters_scan_few) : PM_SHADER(spv_delimiters_scan_many))
    CREATE_OF_STATES(mark, machine->late ? PM_SHADER(spv_delimiters_mark_late)
                           : few         ? PM_SHADER(spv_delimiters_mark_few)
                                         : PM_SHADER(spv_delimiters_mark_many))
    CREATE(count, PM_SHADER(spv_delimiters_count))
    CREATE(clear, PM_SHADER(spv_delimiters_clear))
    CREATE(write, machine->late ? PM_SHADER(spv_delimiters_write_late) : PM_SHADER(spv_delimiters_write))
    CREATE(check, PM_SHADER(spv_delimiters_check))
    CREATE(tell, PM_SHADER(spv_delimiters_tell))
    if (status == PM_OK && machine->tags)
        status = pmi_tag_names_create(device, &tokenizer->names);
#undef CREATE_OF_STATES
#undef CREATE
    if (status != PM_OK)
        pmi_tokenizer_destroy(device, tokenizer);
    return status;
}

void pmi_tokenizer_destroy(const pmi_device *device, pmi_tokenizer *tokenizer) {
    pmi_kernel *const kernels[] = {&tokenizer->letters, &tokenizer->reduce, &tokenizer->scan,
                                   &tokenizer->mark,    &tokenizer->count,  &tokenizer->clear,
                                   &tokenizer->write,   &tokenizer->check,  &tokenizer->tell};
    for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++)
        pmi_kernel_destroy(device, kernels[k]);
    pmi_tag_names_destroy(device, &tokenizer->names);
}

/* ---- Sizes ---- */

/* A power of two. */
static uint32_t group_tiles(uint32_t n) {
    uint32_t tiles = PM_STRUCTURE_GROUP_TILES;
    while (tiles > 1 && pmi_divide_up32(n, tiles * PM_STRUCTURE_TILE) < GROUPS_WANTED)
        tiles /= 2;
    return tiles;
}

uint32_t pmi_tokenizer_groups(uint32_t n) {
    return pmi_divide_up32(n, pmi_tokenizer_group_bytes(n));
}

uint32_t pmi_tokenizer_group_bytes(uint32_t n) {
    return group_tiles(n) * PM_STRUCTURE_TILE;
}

/* Lays out the scratch from `address` on; returns its end. Each tile may be a group, so that a longer text never needs
 * less. If tokens are late, there are as many starts as begins, and as many lasts as counts. */
static uint64_t scratch_lay_out(const pmi_tokenizer *tokenizer, uint32_t n, uint64_t address,
                                pmi_structure_parameters *p) {
    const uint64_t tiles = pmi_divide_up(n, PM_STRUCTURE_TILE);
    p->begins = address;
    p->functions = p->begins + tiles * PM_STRUCTURE_TILE_WORDS * 4 * (tokenizer->late ? 2 : 1);
    p->counts = p->functions + tiles * (1 + PM_STRUCTURE_LANES) * pmi_tokenizer_row_words(tokenizer->states) * 4;
    p->found = p->counts + (tiles * (tokenizer->late ? 2 : 1) + 1) * 4;
    const uint64_t end = p->found + (uint64_t)PM_STRUCTURE_FOUND_WORDS * 4;
    return (end + 15) / 16 * 16;
}

/* Letters, if they are not bytes, follow the scratch. */
static uint64_t letters_bytes(const pmi_tokenizer *tokenizer, uint32_t n) {
    return tokenizer->of_bytes ? 0 : ((uint64_t)n + 15) / 16 * 16;
}

uint64_t pmi_tokenizer_scratch_bytes(const pmi_tokenizer *tokenizer, uint32_t n) {
    pmi_structure_parameters parameters = {0};
    return scratch_lay_out(tokenizer, n, 0, &parameters) + letters_bytes(tokenizer, n);
}

/* Of the match, which names follow. */
static uint64_t match_bytes(uint32_t capacity) {
    return (pmi_levels_scratch_bytes(capacity) + 15) / 16 * 16;
}

uint64_t pmi_tokenizer_matching_bytes(const pmi_tokenizer *tokenizer, uint32_t capacity) {
    return tokenizer->tags ? match_bytes(capacity) + pmi_tag_names_scratch_bytes(capacity)
                           : pmi_levels_scratch_bytes(capacity);
}

pmi_structure_letters_parameters pmi_tokenizer_letters_parameters(const pmi_tokenizer *tokenizer,
                                                                  const pmi_tokenizer_task *task) {
    pmi_structure_parameters parameters = {0};
    return (pmi_structure_letters_parameters){
        .text = task->text,
        .tables = task->tables,
        .letters = scratch_lay_out(tokenizer, task->n, task->scratch, &parameters),
        .n = task->n,
        .root = PM_STRUCTURE_TABLE_ROOT(pmi_tokenizer_row_words(tokenizer->states)),
        .fold = tokenizer->ignore_case};
}

pmi_structure_names_parameters pmi_tokenizer_names_parameters(const pmi_tokenizer *tokenizer,
                                                              const pmi_tokenizer_task *task) {
    const pmi_structure_parameters of_text = pmi_tokenizer_parameters_make(tokenizer, task);
    pmi_structure_names_parameters p = {.text = task->text,
                                        .letters = of_text.text,
                                        .tables = task->tables,
                                        .positions = task->positions,
                                        .kinds = task->kinds,
                                        .found = of_text.found,
                                        .n = task->n,
                                        .fold = tokenizer->ignore_case,
                                        .name_ends = tokenizer->name_ends,
                                        .kinds_before = tokenizer->kinds};
    pmi_tag_names_lay_out(task->capacity, task->matching + match_bytes(task->capacity), &p);
    return p;
}

pmi_structure_parameters pmi_tokenizer_parameters_make(const pmi_tokenizer *tokenizer, const pmi_tokenizer_task *task) {
    pmi_structure_parameters p = {.text = task->text,
                                  .tables = task->tables,
                                  .result = task->result,
                                  .parens = task->parens,
                                  .positions = task->positions,
                                  .kinds = task->kinds,
                                  .lengths = task->lengths,
                                  .match = task->match,
                                  .n = task->n,
                                  .capacity = task->capacity,
                                  .group_tiles = group_tiles(task->n),
                                  .unterminated = tokenizer->unterminated,
                                  .wants_lengths = task->lengths != 0};
    const uint64_t letters = scratch_lay_out(tokenizer, task->n, task->scratch, &p);
    if (!tokenizer->of_bytes)
        p.text = letters;
    return p;
}

/* ---- Recording ---- */

/* A dispatch has as many groups as it may have tiles of a match: bytes are no more work than tokens. */
static void record_groups(const pmi_device *device, VkCommandBuffer commands, const pmi_kernel *kernel,
                          pmi_structure_parameters p, uint32_t first, uint32_t groups) {
    pmi_kernel_dispatch_parts(device, commands, kernel, &p, sizeof p, &p.first, first, groups,
                              device->can.dispatch_tiles / (p.group_tiles * (PM_STRUCTURE_TILE / PM_TILE)));
}

/* The deeper the trie, the fewer tiles a dispatch has. */
void pmi_tokenizer_record_letters(const pmi_device *device, VkCommandBuffer commands, const pmi_tokenizer *tokenizer,
                                  const pmi_tokenizer_task *task) {
    pmi_structure_letters_parameters p = pmi_tokenizer_letters_parameters(tokenizer, task);
    if (!tokenizer->of_bytes)
        pmi_kernel_dispatch_parts(device, commands, &tokenizer->letters, &p, sizeof p, &p.first, 0,
                                  pmi_divide_up32(task->n, PM_STRUCTURE_TILE),
                                  device->can.dispatch_tiles / tokenizer->steps);
}

void pmi_tokenizer_record_reduce(const pmi_device *device, VkCommandBuffer commands, const pmi_tokenizer *tokenizer,
                                 pmi_structure_parameters parameters, uint32_t first_group, uint32_t groups) {
    record_groups(device, commands, &tokenizer->reduce, parameters, first_group, groups);
}

void pmi_tokenizer_record_stage(const pmi_device *device, VkCommandBuffer commands, const pmi_tokenizer *tokenizer,
                                pmi_tokenizer_stage stage, pmi_structure_parameters parameters) {
    const pmi_kernel *const kernels[] = {
        [PM_TOKENIZER_SCAN] = &tokenizer->scan,   [PM_TOKENIZER_MARK] = &tokenizer->mark,
        [PM_TOKENIZER_COUNT] = &tokenizer->count, [PM_TOKENIZER_CLEAR] = &tokenizer->clear,
        [PM_TOKENIZER_WRITE] = &tokenizer->write, [PM_TOKENIZER_TELL] = &tokenizer->tell};
    if (stage == PM_TOKENIZER_MARK || stage == PM_TOKENIZER_WRITE)
        record_groups(device, commands, kernels[stage], parameters, 0, pmi_tokenizer_groups(parameters.n));
    else
        pmi_kernel_dispatch(device, commands, kernels[stage], &parameters, sizeof parameters, 1);
}

pmi_plans pmi_tokenizer_record_match(const pmi_device *device, VkCommandBuffer commands, const pmi_indirect *indirect,
                                     const pmi_tokenizer_task *task, pmi_plans plans) {
    const uint32_t n = task->capacity;
    const uint64_t count = task->result + UINT64_C(4) * PM_STRUCTURE_RESULT_COUNT;
    const uint64_t summary = task->result + UINT64_C(4) * PM_STRUCTURE_RESULT_CLOSE;
    const pmi_levels_parameters parameters = pmi_levels_parameters_make(n, task->parens, task->matching, summary);
    const pmi_plan_task reduce = pmi_levels_reduce_all(device, n), match = pmi_levels_match_all(device, n);
    const pmi_plans match_plans = pmi_indirect_record_plan(device, commands, indirect, count, n, reduce, plans);
    pmi_indirect_record_plan(device, commands, indirect, count, n, match, match_plans);
    pmi_indirect_record_barrier(device, commands);
    pmi_indirect_record_reduce(device, commands, indirect, parameters, reduce, plans);
    pmi_shader_barrier(device, commands);
    pmi_indirect_record_scan(device, commands, indirect, parameters, plans);
    pmi_shader_barrier(device, commands);
    pmi_indirect_record_match(device, commands, indirect, parameters, match, task->match, match_plans);
    return match_plans;
}

void pmi_tokenizer_record_names(const pmi_device *device, VkCommandBuffer commands, const pmi_tokenizer *tokenizer,
                                const pmi_tokenizer_task *task, pmi_names_stage stage, pmi_plans plans) {
    if (tokenizer->tags)
        pmi_tag_names_record(device, commands, &tokenizer->names, stage,
                             pmi_tokenizer_names_parameters(tokenizer, task),
                             pmi_levels_match_all(device, task->capacity), plans);
}

void pmi_tokenizer_record_check(const pmi_device *device, VkCommandBuffer commands, const pmi_tokenizer *tokenizer,
                                pmi_structure_parameters parameters, pmi_plans plans) {
    pmi_indirect_dispatch(device, commands, &tokenizer->check, &parameters, sizeof parameters, &parameters.plan,
                          pmi_levels_match_all(device, parameters.capacity), plans);
}

void pmi_tokenizer_record_all_marks(const pmi_device *device, VkCommandBuffer commands, const pmi_tokenizer *tokenizer,
                                    const pmi_tokenizer_task *task) {
    const pmi_structure_parameters parameters = pmi_tokenizer_parameters_make(tokenizer, task);
    pmi_tokenizer_record_letters(device, commands, tokenizer, task);
    pmi_shader_barrier(device, commands);
    pmi_tokenizer_record_reduce(device, commands, tokenizer, parameters, 0, pmi_tokenizer_groups(task->n));
    pmi_shader_barrier(device, commands);
    pmi_tokenizer_record_marks(device, commands, tokenizer, task);
}

void pmi_tokenizer_record_marks(const pmi_device *device, VkCommandBuffer commands, const pmi_tokenizer *tokenizer,
                                const pmi_tokenizer_task *task) {
    const pmi_structure_parameters parameters = pmi_tokenizer_parameters_make(tokenizer, task);
    pmi_tokenizer_record_stage(device, commands, tokenizer, PM_TOKENIZER_SCAN, parameters);
    pmi_shader_barrier(device, commands);
    pmi_tokenizer_record_stage(device, commands, tokenizer, PM_TOKENIZER_MARK, parameters);
    pmi_shader_barrier(device, commands);
    pmi_tokenizer_record_stage(device, commands, tokenizer, PM_TOKENIZER_COUNT, parameters);
}

void pmi_tokenizer_record_structure(const pmi_device *device, VkCommandBuffer commands, const pmi_tokenizer *tokenizer,
                                    const pmi_indirect *indirect, const pmi_tokenizer_task *task, pmi_plans plans) {
    const pmi_structure_parameters parameters = pmi_tokenizer_parameters_make(tokenizer, task);
    pmi_tokenizer_record_stage(device, commands, tokenizer, PM_TOKENIZER_CLEAR, parameters);
    pmi_shader_barrier(device, commands);
    pmi_tokenizer_record_stage(device, commands, tokenizer, PM_TOKENIZER_WRITE, parameters);
    pmi_shader_barrier(device, commands);
    const pmi_plans check = pmi_tokenizer_record_match(device, commands, indirect, task, plans);
    pmi_shader_barrier(device, commands);
    for (unsigned stage = 0; tokenizer->tags && stage < PM_NAMES_STAGES; stage++) {
        pmi_tokenizer_record_names(device, commands, tokenizer, task, (pmi_names_stage)stage, check);
        pmi_shader_barrier(device, commands);
    }
    pmi_tokenizer_record_check(device, commands, tokenizer, parameters, check);
    pmi_shader_barrier(device, commands);
    pmi_tokenizer_record_stage(device, commands, tokenizer, PM_TOKENIZER_TELL, parameters);
}
