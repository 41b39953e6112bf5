/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels of a text's structure, and how a text is divided among their workgroups. */
#include "gpu/tokenizer.h"

#include "core/sizes.h"

static const uint32_t reduce_few[] = {
#include "shaders/spv/structure_reduce_few.inc"
};
static const uint32_t reduce_many[] = {
#include "shaders/spv/structure_reduce_many.inc"
};
static const uint32_t scan_few[] = {
#include "shaders/spv/structure_scan_few.inc"
};
static const uint32_t scan_many[] = {
#include "shaders/spv/structure_scan_many.inc"
};
static const uint32_t mark_few[] = {
#include "shaders/spv/structure_mark_few.inc"
};
static const uint32_t mark_many[] = {
#include "shaders/spv/structure_mark_many.inc"
};
static const uint32_t mark_late[] = {
#include "shaders/spv/structure_mark_late.inc"
};
static const uint32_t letters_words[] = {
#include "shaders/spv/structure_letters.inc"
};
static const uint32_t count_words[] = {
#include "shaders/spv/structure_count.inc"
};
static const uint32_t clear_words[] = {
#include "shaders/spv/structure_clear.inc"
};
static const uint32_t write_words[] = {
#include "shaders/spv/structure_write.inc"
};
static const uint32_t write_late[] = {
#include "shaders/spv/structure_write_late.inc"
};
static const uint32_t check_words[] = {
#include "shaders/spv/structure_check.inc"
};
static const uint32_t tell_words[] = {
#include "shaders/spv/structure_tell.inc"
};

/* What the largest of them, letters, has of the workgroup's memory, and a little for whatever the compiler adds. */
#define WORKGROUP_BYTES ((512 + PM_STRUCTURE_PART + PM_STRUCTURE_PART / 4 + 8) * 4)

_Static_assert(WORKGROUP_BYTES > (PM_STRUCTURE_MANY_WORDS * (PM_STRUCTURE_LETTERS + PM_STRUCTURE_LANES) + 512) * 4,
               "mark for many states has less");
enum {
    GROUPS_WANTED = 1 << 10 /* before one takes several tiles */
};

_Static_assert(sizeof(pm_structure_parameters) <= PM_PUSH_BYTES, "parameters fit");
_Static_assert(PM_STRUCTURE_MANY == PM_MACHINE_STATES_MAX && PM_STRUCTURE_LETTERS == PM_MACHINE_LETTERS_MAX,
               "one limit");
_Static_assert(PM_IF_ANYTHING == PM_STRUCTURE_IF_ANYTHING && PM_IF_WORD == PM_STRUCTURE_IF_WORD &&
                   PM_IF_NAME == PM_STRUCTURE_IF_NAME && PM_IF_FAR == PM_STRUCTURE_IF_FAR &&
                   PM_IF_TWO == PM_STRUCTURE_IF_TWO && PM_IF_APART == PM_STRUCTURE_IF_APART &&
                   PM_IF_TAGGED == PM_STRUCTURE_IF_TAGGED && PM_MACHINE_BLANKS_MAX == PM_STRUCTURE_BLANKS_MOST,
               "shaders make choices");
_Static_assert(PM_STRUCTURE_UNMATCHED_CLOSE == PM_FAULT_UNMATCHED_CLOSE &&
                   PM_STRUCTURE_UNMATCHED_OPEN == PM_FAULT_UNMATCHED_OPEN &&
                   PM_STRUCTURE_KIND_MISMATCH == PM_FAULT_KIND_MISMATCH &&
                   PM_STRUCTURE_UNTERMINATED == PM_FAULT_UNTERMINATED,
               "shaders tell faults");

/* ---- Creating ---- */

pm_status pm_tokenizer_create(const pm_device *device, const pm_machine *machine, pm_tokenizer *tokenizer) {
    const pm_constant states = {PM_CONSTANT_STATES, pm_tokenizer_states(machine)};
    const bool few = pm_tokenizer_states(machine) <= PM_STRUCTURE_FEW;
    *tokenizer = (pm_tokenizer){.states = pm_tokenizer_states(machine), .late = machine->late, .tags = machine->tags};
    if (device->can.workgroup_invocations < PM_STRUCTURE_LANES || device->can.workgroup_bytes < WORKGROUP_BYTES)
        return PM_UNSUPPORTED;
    pm_tokenizer_follow(tokenizer, machine);
    pm_status status = PM_OK;
#define SHADER(words) ((pm_shader){words, sizeof words})
#define CREATE_OF_STATES(stage, shader)                                                                                \
    if (status == PM_OK)                                                                                               \
        status = pm_kernel_create_with(device, shader, 0, &states, 1, &tokenizer->stage);
#define CREATE(stage, shader)                                                                                          \
    if (status == PM_OK)                                                                                               \
        status = pm_kernel_create(device, shader, 0, &tokenizer->stage);
    CREATE(letters, SHADER(letters_words))
    CREATE_OF_STATES(reduce, few ? SHADER(reduce_few) : SHADER(reduce_many))
    CREATE_OF_STATES(scan, few ? SHADER(scan_few) : SHADER(scan_many))
    CREATE_OF_STATES(mark, machine->late ? SHADER(mark_late) : few ? SHADER(mark_few) : SHADER(mark_many))
    CREATE(count, SHADER(count_words))
    CREATE(clear, SHADER(clear_words))
    CREATE(write, machine->late ? SHADER(write_late) : SHADER(write_words))
    CREATE(check, SHADER(check_words))
    CREATE(tell, SHADER(tell_words))
    if (status == PM_OK && machine->tags)
        status = pm_tag_names_create(device, &tokenizer->names);
#undef CREATE_OF_STATES
#undef CREATE
#undef SHADER
    if (status != PM_OK)
        pm_tokenizer_destroy(device, tokenizer);
    return status;
}

void pm_tokenizer_destroy(const pm_device *device, pm_tokenizer *tokenizer) {
    pm_kernel *const kernels[] = {&tokenizer->letters, &tokenizer->reduce, &tokenizer->scan,
                                  &tokenizer->mark,    &tokenizer->count,  &tokenizer->clear,
                                  &tokenizer->write,   &tokenizer->check,  &tokenizer->tell};
    for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++)
        pm_kernel_destroy(device, kernels[k]);
    pm_tag_names_destroy(device, &tokenizer->names);
}

/* ---- Sizes ---- */

/* A power of two. */
static uint32_t group_tiles(uint32_t n) {
    uint32_t tiles = PM_STRUCTURE_GROUP_TILES;
    while (tiles > 1 && pm_divide_up32(n, tiles * PM_STRUCTURE_TILE) < GROUPS_WANTED)
        tiles /= 2;
    return tiles;
}

uint32_t pm_tokenizer_groups(uint32_t n) {
    return pm_divide_up32(n, pm_tokenizer_group_bytes(n));
}

uint32_t pm_tokenizer_group_bytes(uint32_t n) {
    return group_tiles(n) * PM_STRUCTURE_TILE;
}

/* Lays out the scratch from `address` on; returns its end. There is room for a group of every tile, so that a longer
 * text never needs less. If tokens are told late, starts are as long as what begins, and lasts as counts. */
static uint64_t scratch_lay_out(const pm_tokenizer *tokenizer, uint32_t n, uint64_t address,
                                pm_structure_parameters *p) {
    const uint64_t tiles = pm_divide_up(n, PM_STRUCTURE_TILE);
    p->begins = address;
    p->functions = p->begins + tiles * PM_STRUCTURE_TILE_WORDS * 4 * (tokenizer->late ? 2 : 1);
    p->counts = p->functions + tiles * (1 + PM_STRUCTURE_LANES) * pm_tokenizer_row_words(tokenizer->states) * 4;
    p->found = p->counts + (tiles * (tokenizer->late ? 2 : 1) + 1) * 4;
    const uint64_t end = p->found + (uint64_t)PM_STRUCTURE_FOUND_WORDS * 4;
    return (end + 15) / 16 * 16;
}

/* Behind that, if need be, letters. */
static uint64_t letters_bytes(const pm_tokenizer *tokenizer, uint32_t n) {
    return tokenizer->of_bytes ? 0 : ((uint64_t)n + 15) / 16 * 16;
}

uint64_t pm_tokenizer_scratch_bytes(const pm_tokenizer *tokenizer, uint32_t n) {
    pm_structure_parameters parameters = {0};
    return scratch_lay_out(tokenizer, n, 0, &parameters) + letters_bytes(tokenizer, n);
}

/* Of the match; names begin behind it. */
static uint64_t match_bytes(uint32_t capacity) {
    return (pm_wide_scratch_bytes(capacity) + 15) / 16 * 16;
}

uint64_t pm_tokenizer_matching_bytes(const pm_tokenizer *tokenizer, uint32_t capacity) {
    return tokenizer->tags ? match_bytes(capacity) + pm_tag_names_scratch_bytes(capacity)
                           : pm_wide_scratch_bytes(capacity);
}

static pm_plan_task reduce_task(const pm_device *device, uint32_t capacity) {
    return pm_wide_reduce_task(device, capacity, 0, pm_wide_superblocks(capacity));
}

/* Of the check, too. */
static pm_plan_task match_task(const pm_device *device, uint32_t capacity) {
    return pm_wide_match_task(device, capacity, 0, pm_wide_tiles(capacity));
}

uint64_t pm_tokenizer_plans_bytes(const pm_device *device, uint32_t capacity) {
    return pm_planned_bytes(reduce_task(device, capacity)) + pm_planned_bytes(match_task(device, capacity));
}

pm_structure_letters_parameters pm_tokenizer_letters_parameters(const pm_tokenizer *tokenizer,
                                                                const pm_tokenizer_task *task) {
    pm_structure_parameters parameters = {0};
    return (pm_structure_letters_parameters){.text = task->text,
                                             .tables = task->tables,
                                             .letters = scratch_lay_out(tokenizer, task->n, task->scratch, &parameters),
                                             .n = task->n,
                                             .root = PM_STRUCTURE_TABLE_ROOT(pm_tokenizer_row_words(tokenizer->states)),
                                             .fold = tokenizer->ignore_case};
}

pm_structure_names_parameters pm_tokenizer_names_parameters(const pm_tokenizer *tokenizer,
                                                            const pm_tokenizer_task *task) {
    const pm_structure_parameters of_text = pm_tokenizer_parameters_make(tokenizer, task);
    pm_structure_names_parameters p = {.text = task->text,
                                       .letters = of_text.text,
                                       .tables = task->tables,
                                       .positions = task->positions,
                                       .kinds = task->kinds,
                                       .found = of_text.found,
                                       .n = task->n,
                                       .fold = tokenizer->ignore_case,
                                       .name_ends = tokenizer->name_ends,
                                       .kinds_before = tokenizer->kinds};
    pm_tag_names_lay_out(task->capacity, task->matching + match_bytes(task->capacity), &p);
    return p;
}

pm_structure_parameters pm_tokenizer_parameters_make(const pm_tokenizer *tokenizer, const pm_tokenizer_task *task) {
    pm_structure_parameters p = {.text = task->text,
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

/* Groups one after another, as many a dispatch as the device may have tiles of tokens, for bytes are no more work. */
static void record_groups(const pm_device *device, VkCommandBuffer commands, const pm_kernel *kernel,
                          pm_structure_parameters p, uint32_t first, uint32_t groups) {
    pm_kernel_dispatch_parts(device, commands, kernel, &p, sizeof p, &p.first, first, groups,
                             device->can.dispatch_tiles / (p.group_tiles * (PM_STRUCTURE_TILE / PM_TILE)));
}

/* Tiles one after another; the deeper the trie, the fewer a dispatch. */
void pm_tokenizer_record_letters(const pm_device *device, VkCommandBuffer commands, const pm_tokenizer *tokenizer,
                                 const pm_tokenizer_task *task) {
    pm_structure_letters_parameters p = pm_tokenizer_letters_parameters(tokenizer, task);
    if (!tokenizer->of_bytes)
        pm_kernel_dispatch_parts(device, commands, &tokenizer->letters, &p, sizeof p, &p.first, 0,
                                 pm_divide_up32(task->n, PM_STRUCTURE_TILE),
                                 device->can.dispatch_tiles / tokenizer->steps);
}

void pm_tokenizer_record_reduce(const pm_device *device, VkCommandBuffer commands, const pm_tokenizer *tokenizer,
                                pm_structure_parameters parameters, uint32_t first_group, uint32_t groups) {
    record_groups(device, commands, &tokenizer->reduce, parameters, first_group, groups);
}

void pm_tokenizer_record_scan(const pm_device *device, VkCommandBuffer commands, const pm_tokenizer *tokenizer,
                              pm_structure_parameters parameters) {
    pm_kernel_dispatch(device, commands, &tokenizer->scan, &parameters, sizeof parameters, 1);
}

void pm_tokenizer_record_mark(const pm_device *device, VkCommandBuffer commands, const pm_tokenizer *tokenizer,
                              pm_structure_parameters parameters) {
    record_groups(device, commands, &tokenizer->mark, parameters, 0, pm_tokenizer_groups(parameters.n));
}

void pm_tokenizer_record_count(const pm_device *device, VkCommandBuffer commands, const pm_tokenizer *tokenizer,
                               pm_structure_parameters parameters) {
    pm_kernel_dispatch(device, commands, &tokenizer->count, &parameters, sizeof parameters, 1);
}

void pm_tokenizer_record_clear(const pm_device *device, VkCommandBuffer commands, const pm_tokenizer *tokenizer,
                               pm_structure_parameters parameters) {
    pm_kernel_dispatch(device, commands, &tokenizer->clear, &parameters, sizeof parameters, 1);
}

void pm_tokenizer_record_write(const pm_device *device, VkCommandBuffer commands, const pm_tokenizer *tokenizer,
                               pm_structure_parameters parameters) {
    record_groups(device, commands, &tokenizer->write, parameters, 0, pm_tokenizer_groups(parameters.n));
}

void pm_tokenizer_record_tell(const pm_device *device, VkCommandBuffer commands, const pm_tokenizer *tokenizer,
                              pm_structure_parameters parameters) {
    pm_kernel_dispatch(device, commands, &tokenizer->tell, &parameters, sizeof parameters, 1);
}

void pm_tokenizer_record_barrier(const pm_device *device, VkCommandBuffer commands) {
    pm_device_barrier(device, commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                      VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT);
}

pm_plans pm_tokenizer_record_match(const pm_device *device, VkCommandBuffer commands, const pm_planned *planned,
                                   const pm_tokenizer_task *task, pm_plans plans) {
    const uint32_t n = task->capacity;
    const uint64_t count = task->result + UINT64_C(4) * PM_STRUCTURE_RESULT_COUNT;
    const uint64_t summary = task->result + UINT64_C(4) * PM_STRUCTURE_RESULT_CLOSE;
    const pm_wide_parameters parameters = pm_wide_parameters_make(n, task->parens, task->matching, summary);
    const pm_plan_task reduce = reduce_task(device, n), match = match_task(device, n);
    const pm_plans match_plans = pm_planned_record_plan(device, commands, planned, count, n, reduce, plans);
    pm_planned_record_plan(device, commands, planned, count, n, match, match_plans);
    pm_planned_record_barrier(device, commands);
    pm_planned_record_reduce(device, commands, planned, parameters, reduce, plans);
    pm_wide_record_barrier(device, commands);
    pm_planned_record_scan(device, commands, planned, parameters, plans);
    pm_wide_record_barrier(device, commands);
    pm_planned_record_match(device, commands, planned, parameters, match, task->match, match_plans);
    return match_plans;
}

void pm_tokenizer_record_names(const pm_device *device, VkCommandBuffer commands, const pm_tokenizer *tokenizer,
                               const pm_tokenizer_task *task, pm_names_stage stage, pm_plans plans) {
    if (tokenizer->tags)
        pm_tag_names_record(device, commands, &tokenizer->names, stage, pm_tokenizer_names_parameters(tokenizer, task),
                            match_task(device, task->capacity), plans);
}

void pm_tokenizer_record_check(const pm_device *device, VkCommandBuffer commands, const pm_tokenizer *tokenizer,
                               pm_structure_parameters parameters, pm_plans plans) {
    pm_planned_dispatch(device, commands, &tokenizer->check, &parameters, sizeof parameters, &parameters.plan,
                        match_task(device, parameters.capacity), plans);
}

void pm_tokenizer_record_all_marks(const pm_device *device, VkCommandBuffer commands, const pm_tokenizer *tokenizer,
                                   const pm_tokenizer_task *task) {
    const pm_structure_parameters parameters = pm_tokenizer_parameters_make(tokenizer, task);
    pm_tokenizer_record_letters(device, commands, tokenizer, task);
    pm_tokenizer_record_barrier(device, commands);
    pm_tokenizer_record_reduce(device, commands, tokenizer, parameters, 0, pm_tokenizer_groups(task->n));
    pm_tokenizer_record_barrier(device, commands);
    pm_tokenizer_record_marks(device, commands, tokenizer, task);
}

void pm_tokenizer_record_marks(const pm_device *device, VkCommandBuffer commands, const pm_tokenizer *tokenizer,
                               const pm_tokenizer_task *task) {
    const pm_structure_parameters parameters = pm_tokenizer_parameters_make(tokenizer, task);
    pm_tokenizer_record_scan(device, commands, tokenizer, parameters);
    pm_tokenizer_record_barrier(device, commands);
    pm_tokenizer_record_mark(device, commands, tokenizer, parameters);
    pm_tokenizer_record_barrier(device, commands);
    pm_tokenizer_record_count(device, commands, tokenizer, parameters);
}

void pm_tokenizer_record_structure(const pm_device *device, VkCommandBuffer commands, const pm_tokenizer *tokenizer,
                                   const pm_planned *planned, const pm_tokenizer_task *task, pm_plans plans) {
    const pm_structure_parameters parameters = pm_tokenizer_parameters_make(tokenizer, task);
    pm_tokenizer_record_clear(device, commands, tokenizer, parameters);
    pm_tokenizer_record_barrier(device, commands);
    pm_tokenizer_record_write(device, commands, tokenizer, parameters);
    pm_tokenizer_record_barrier(device, commands);
    const pm_plans check = pm_tokenizer_record_match(device, commands, planned, task, plans);
    pm_tokenizer_record_barrier(device, commands);
    for (unsigned stage = 0; tokenizer->tags && stage < PM_NAMES_STAGES; stage++) {
        pm_tokenizer_record_names(device, commands, tokenizer, task, (pm_names_stage)stage, check);
        pm_tokenizer_record_barrier(device, commands);
    }
    pm_tokenizer_record_check(device, commands, tokenizer, parameters, check);
    pm_tokenizer_record_barrier(device, commands);
    pm_tokenizer_record_tell(device, commands, tokenizer, parameters);
}
