/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The structure of texts stage by stage: twins in C up to a stage, the device from there on. Skipped (77) where there
 * is no device.
 *   test_structure_stages [ANYTHING [PATTERN]]   PATTERN: of the names of the tests to run
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/delimiters/tokenizer.h"
#include "inputs/families.h"
#include "shaders/twins.h"
#include "tests/delimiters/rules_fixture.h"
#include "tests/delimiters/structure_fixture.h"
#include "tests/support/block.h"
#include "tests/support/gpu_fixture.h"
#include "tests/support/unit.h"

enum stage {
    LETTERS,
    REDUCE,
    SCAN,
    MARK,
    COUNT,
    CLEAR,
    WRITE,
    MATCH,
    NAMES, /* the first of theirs */
    CHECK = NAMES + PM_NAMES_STAGES,
    TELL,
    STAGES
};

enum part {
    TEXT,
    TABLES,
    SCRATCH,
    MATCHING,
    RESULT,
    PARENS,
    POSITIONS,
    KINDS,
    LENGTHS,
    MATCHES,
    PLANS,
    PARTS
};

static gpu_host host;
static pmi_indirect planned;

/* ---- Buffers ---- */

/* A text, with room for `capacity` tokens. */
typedef struct text_task {
    const pmi_tokenizer *tokenizer;
    const char *text;
    uint32_t n, capacity;
    bool lengths;
    const structure_expected *expected;
    const char *what;
} text_task;

static pmi_tokenizer_task task_at(const text_task *t, const block *b, block_side side) {
    return (pmi_tokenizer_task){.n = t->n,
                                .capacity = t->capacity,
                                .text = block_address(b, side, TEXT),
                                .tables = block_address(b, side, TABLES),
                                .scratch = block_address(b, side, SCRATCH),
                                .matching = block_address(b, side, MATCHING),
                                .result = block_address(b, side, RESULT),
                                .parens = block_address(b, side, PARENS),
                                .positions = block_address(b, side, POSITIONS),
                                .kinds = block_address(b, side, KINDS),
                                .lengths = t->lengths ? block_address(b, side, LENGTHS) : 0,
                                .match = block_address(b, side, MATCHES)};
}

static void make(const void *task, block *b) {
    const text_task *const t = task;
    const uint32_t capacity = t->capacity;
    const size_t words[PARTS] = {[TEXT] = (t->n + 15) / 16 * 4,
                                 [TABLES] = t->tokenizer->table_words,
                                 [SCRATCH] = pmi_tokenizer_scratch_bytes(t->tokenizer, t->n) / 4,
                                 [MATCHING] = pmi_tokenizer_matching_bytes(t->tokenizer, capacity) / 4,
                                 [RESULT] = PM_STRUCTURE_RESULT_WORDS,
                                 [PARENS] = (capacity + 31) / 32,
                                 [POSITIONS] = capacity,
                                 [KINDS] = capacity,
                                 [LENGTHS] = capacity,
                                 [MATCHES] = capacity,
                                 [PLANS] = pmi_levels_plans_bytes(&host.device, capacity) / 4};
    block_open_with(b, &host.device, words, PARTS);
    memcpy(block_words(b, TEXT), t->text, t->n);
    memcpy(block_words(b, TABLES), t->tokenizer->tables, words[TABLES] * 4);
}

/* ---- Stages ---- */

/* The tokens that there are, or that there is room for. */
static uint32_t stored(const text_task *t, const block *b) {
    const uint32_t count = block_words(b, RESULT)[PM_STRUCTURE_RESULT_COUNT];
    return count < t->capacity ? count : t->capacity;
}

static void match_twin(const text_task *t, const block *b) {
    const uint32_t n = stored(t, b);
    uint64_t *const parens = allocate(n / 64 + 1, sizeof *parens);
    pm_bic total;
    memcpy(parens, block_words(b, PARENS), (n + 31) / 32 * 4);
    assert_ok(pm_match_seq(NULL, parens, n, block_words(b, MATCHES), &total));
    block_words(b, RESULT)[PM_STRUCTURE_RESULT_CLOSE] = (uint32_t)total.close;
    block_words(b, RESULT)[PM_STRUCTURE_RESULT_OPEN] = (uint32_t)total.open;
    free(parens);
}

static void names_twin(const text_task *t, const block *b, pmi_names_stage stage) {
    static void (*const twins[])(const pmi_structure_names_parameters *, uint32_t) = {
        pmi_structure_name_twin, pmi_structure_enter_twin,  pmi_structure_first_twin,
        pmi_structure_rank_twin, pmi_structure_number_twin, pmi_structure_kind_twin};
    const pmi_tokenizer_task of_host = task_at(t, b, BLOCK_HOST);
    const pmi_structure_names_parameters p = pmi_tokenizer_names_parameters(t->tokenizer, &of_host);
    if (t->tokenizer->tags)
        twins[stage](&p, stored(t, b));
}

static void twin(const text_task *t, const block *b, enum stage stage) {
    const pmi_tokenizer *const tokenizer = t->tokenizer;
    const pmi_tokenizer_task of_host = task_at(t, b, BLOCK_HOST);
    const pmi_structure_parameters p = pmi_tokenizer_parameters_make(tokenizer, &of_host);
    switch (stage) {
    case LETTERS: {
        const pmi_structure_letters_parameters letters = pmi_tokenizer_letters_parameters(tokenizer, &of_host);
        if (!tokenizer->of_bytes)
            pmi_structure_letters_twin(&letters);
        break;
    }
    case REDUCE:
        pmi_structure_reduce_twin(&p, tokenizer->states);
        break;
    case SCAN:
        pmi_structure_scan_twin(&p, tokenizer->states);
        break;
    case MARK:
        pmi_structure_mark_twin(&p, tokenizer->states, tokenizer->late);
        break;
    case COUNT:
        pmi_structure_count_twin(&p);
        break;
    case CLEAR:
        pmi_structure_clear_twin(&p);
        break;
    case WRITE:
        pmi_structure_write_twin(&p, tokenizer->late);
        break;
    case MATCH:
        match_twin(t, b);
        break;
    case CHECK:
        pmi_structure_check_twin(&p);
        break;
    case TELL:
        pmi_structure_tell_twin(&p);
        break;
    default:
        names_twin(t, b, (pmi_names_stage)(stage - NAMES));
    }
}

/* Names and the check go by the plans of the match, so these are always the device's. */
static void record(const text_task *t, const block *b, enum stage stage, pmi_plans *plans) {
    const pmi_device *const device = &host.device;
    const VkCommandBuffer commands = host.commands;
    const pmi_tokenizer *const tokenizer = t->tokenizer;
    const pmi_tokenizer_task of_device = task_at(t, b, BLOCK_DEVICE);
    const pmi_structure_parameters p = pmi_tokenizer_parameters_make(tokenizer, &of_device);
    switch (stage) {
    case LETTERS:
        pmi_tokenizer_record_letters(device, commands, tokenizer, &of_device);
        break;
    case REDUCE:
        pmi_tokenizer_record_reduce(device, commands, tokenizer, p, 0, pmi_tokenizer_groups(p.n));
        break;
    case SCAN:
        pmi_tokenizer_record_stage(device, commands, tokenizer, PM_TOKENIZER_SCAN, p);
        break;
    case MARK:
        pmi_tokenizer_record_stage(device, commands, tokenizer, PM_TOKENIZER_MARK, p);
        break;
    case COUNT:
        pmi_tokenizer_record_stage(device, commands, tokenizer, PM_TOKENIZER_COUNT, p);
        break;
    case CLEAR:
        pmi_tokenizer_record_stage(device, commands, tokenizer, PM_TOKENIZER_CLEAR, p);
        break;
    case WRITE:
        pmi_tokenizer_record_stage(device, commands, tokenizer, PM_TOKENIZER_WRITE, p);
        break;
    case MATCH:
        *plans = pmi_tokenizer_record_match(device, commands, &planned, &of_device, *plans);
        break;
    case CHECK:
        pmi_tokenizer_record_check(device, commands, tokenizer, p, *plans);
        break;
    case TELL:
        pmi_tokenizer_record_stage(device, commands, tokenizer, PM_TOKENIZER_TELL, p);
        break;
    default:
        pmi_tokenizer_record_names(device, commands, tokenizer, &of_device, (pmi_names_stage)(stage - NAMES), *plans);
    }
    pmi_shader_barrier(device, commands);
}

static void run(const void *task, const block *b, unsigned from) {
    const text_task *const t = task;
    for (unsigned stage = 0; stage < from; stage++)
        twin(t, b, (enum stage)stage);
    if (from == STAGES)
        return;
    pmi_plans plans = {.buffer = b->memory.handle,
                       .offset = 4 * b->buffers[PLANS].first,
                       .address = block_address(b, BLOCK_DEVICE, PLANS)};
    gpu_commands_begin(&host);
    if (from > MATCH && from < TELL)
        record(t, b, MATCH, &plans);
    for (unsigned stage = from; stage < STAGES; stage++)
        record(t, b, (enum stage)stage, &plans);
    gpu_commands_run(&host);
}

/* ---- What is found ---- */

static void assert_part(const text_task *t, const block *b, enum part k, const void *expected, size_t bytes) {
    if (bytes > 0 && memcmp(block_words(b, k), expected, bytes) != 0)
        fail_msg("%s, n = %u: the twins' part %u is wrong", t->what, t->n, k);
}

/* The twins find what the oracle does. */
static void check_twins(const void *task, const block *b) {
    const text_task *const t = task;
    const structure_expected *const e = t->expected;
    const uint32_t *const result = block_words(b, RESULT);
    const size_t count = stored(t, b);
    assert_int_equal(result[PM_STRUCTURE_RESULT_COUNT], e->count);
    assert_part(t, b, PARENS, e->parens, count / 32 * 4);
    assert_part(t, b, POSITIONS, e->positions, count * 4);
    assert_part(t, b, KINDS, e->kinds, count * 4);
    assert_part(t, b, MATCHES, e->match, count * 4);
    if (t->lengths)
        assert_part(t, b, LENGTHS, e->lengths, count * 4);
    assert_int_equal(result[PM_STRUCTURE_RESULT_UNTERMINATED], (uint32_t)e->cut);
    if (count < e->count)
        return;
    assert_int_equal(result[PM_STRUCTURE_RESULT_CLOSE], e->summary.unmatched.close);
    assert_int_equal(result[PM_STRUCTURE_RESULT_OPEN], e->summary.unmatched.open);
    assert_int_equal(result[PM_STRUCTURE_RESULT_MISMATCHED], e->summary.mismatched);
    assert_int_equal(result[PM_STRUCTURE_RESULT_FAULT], e->faulty ? (uint32_t)e->first.fault : PM_STRUCTURE_NONE);
    assert_int_equal(result[PM_STRUCTURE_RESULT_AT], e->faulty ? e->first.at.offset : PM_STRUCTURE_NONE);
    assert_int_equal(result[PM_STRUCTURE_RESULT_PARTNER], e->faulty && e->first.fault == PM_FAULT_KIND_MISMATCH
                                                              ? e->first.partner.offset
                                                              : PM_STRUCTURE_NONE);
}

/* All parts are the same but what the match and names have for themselves. */
static bool same(const void *task, const block *twins, const block *b) {
    (void)task;
    bool all = true;
    for (unsigned k = 0; k < PARTS; k++)
        all = all && (k == MATCHING || k == PLANS || block_same(twins, b, k));
    return all;
}

static void check_capacity(const pmi_tokenizer *tokenizer, const char *text, uint32_t n,
                           const structure_expected *expected, uint32_t capacity, bool lengths, const char *what) {
    static const char *const names[STAGES] = {"letters", "reduce", "scan",  "mark", "count",  "clear", "write", "match",
                                              "name",    "enter",  "first", "rank", "number", "kind",  "check", "tell"};
    static const staged structure = {.names = names,
                                     .count = STAGES,
                                     .as_a_whole = true,
                                     .make = make,
                                     .run = run,
                                     .check = check_twins,
                                     .same = same};
    const text_task t = {tokenizer, text, n, capacity, lengths, expected, what};
    staged_check(&structure, &t, what, n);
}

static void check_text(const pmi_tokenizer *tokenizer, const pm_language *pairs, const char *text, uint32_t n,
                       const char *what) {
    structure_expected expected;
    structure_expect(pairs, text, n, &expected);
    const uint32_t count = (uint32_t)expected.count;
    check_capacity(tokenizer, text, n, &expected, count + 40, true, what);
    check_capacity(tokenizer, text, n, &expected, count / 2, false, what);
    structure_expected_clear(&expected);
}

/* ---- Tests ---- */

static pmi_tokenizer *tokenizer_make(const pm_language *pairs) {
    const pm_allocator allocator = pm_context_allocator(NULL);
    pmi_tokenizer *const tokenizer = allocate(1, sizeof *tokenizer);
    pmi_dfa *machine;
    assert_ok(pmi_dfa_create(&allocator, pairs, &machine));
    assert_ok(pmi_tokenizer_create(&host.device, machine, tokenizer));
    pmi_dfa_destroy(&allocator, machine);
    return tokenizer;
}

static void tokenizer_free(pmi_tokenizer *tokenizer) {
    pmi_tokenizer_destroy(&host.device, tokenizer);
    free(tokenizer);
}

static void check_sizes(const structure_rules *set, const pmi_tokenizer *tokenizer, const pm_language *pairs) {
    static const uint32_t sizes[] = {0,
                                     1,
                                     15,
                                     PM_STRUCTURE_LANE_BYTES - 1,
                                     PM_STRUCTURE_LANE_BYTES,
                                     PM_STRUCTURE_LANE_BYTES + 1,
                                     1000,
                                     PM_STRUCTURE_TILE - 1,
                                     PM_STRUCTURE_TILE,
                                     PM_STRUCTURE_TILE + 1,
                                     5 * PM_STRUCTURE_TILE + 321};
    for (size_t s = 0; s < COUNT_OF(sizes); s++) {
        char *const text = allocate(sizes[s], 1);
        structure_text(set, s, text, sizes[s]);
        check_text(tokenizer, pairs, text, sizes[s], set->name);
        free(text);
    }
}

static void check_many(const structure_rules *set, const pmi_tokenizer *tokenizer, const pm_language *pairs) {
    for (uint64_t seed = 0; seed < 12; seed++) {
        uint64_t random = seed;
        const uint32_t n = 1 + (uint32_t)random_below(&random, 300);
        char *const text = allocate(n, 1);
        structure_text(set, seed, text, n);
        check_text(tokenizer, pairs, text, n, set->name);
        free(text);
    }
}

/* Scratch is bounded, and what is enough for a text is enough for a shorter one. */
static void check_bounds(const pmi_tokenizer *tokenizer) {
    uint64_t last = 0;
    for (uint64_t n = 0; n <= PM_TOKENIZER_BYTES_MAX; n += n / 7 + 1) {
        const uint64_t bytes = pmi_tokenizer_scratch_bytes(tokenizer, (uint32_t)n);
        const uint64_t groups = pmi_tokenizer_groups((uint32_t)n);
        const uint64_t functions = tokenizer->states <= PM_STRUCTURE_FEW ? n / 15 : n / 2;
        const uint64_t marks = tokenizer->late ? n / 4 : n / 8;
        assert_true(bytes >= last && bytes <= marks + functions + n / 400 + 16384 + (tokenizer->of_bytes ? 0 : n));
        assert_true(groups * pmi_tokenizer_group_bytes((uint32_t)n) >= n);
        last = bytes;
    }
}

TEST(test_twins) {
    for (const structure_rules *set = structure_sets; set->name; set++) {
        pm_language *const pairs = structure_pairs(set);
        pmi_tokenizer *const tokenizer = tokenizer_make(pairs);
        check_sizes(set, tokenizer, pairs);
        check_many(set, tokenizer, pairs);
        check_bounds(tokenizer);
        tokenizer_free(tokenizer);
        pm_language_destroy(pairs);
    }
}

/* Groups of several tiles, more groups than a row of the scan has, and what is found far from where it began. */
TEST(test_long) {
    enum {
        N = (1 << 25) + 12345
    };
    static const char *const pieces[] = {"[{\"]\"}]", "{", "}", "\"\\\"\"[]", "\"[[[["};
    pm_language *const pairs = pairs_of(structure_sets->rules);
    pmi_tokenizer *const tokenizer = tokenizer_make(pairs);
    char *const text = allocate(N, 1);
    structure_expected expected;
    uint64_t seed = 9;
    memset(text, ' ', N);
    for (size_t at = 0; at + 8 < N; at += random_below(&seed, 1 << 15)) {
        const char *const piece = pieces[random_below(&seed, COUNT_OF(pieces))];
        memcpy(text + at, piece, strlen(piece));
    }
    assert_true(pmi_tokenizer_group_bytes(N) > PM_STRUCTURE_TILE);
    assert_true(pmi_tokenizer_groups(N) > 4 * PM_STRUCTURE_LANES);
    structure_expect(pairs, text, N, &expected);
    check_capacity(tokenizer, text, N, &expected, (uint32_t)expected.count, false, "long");
    structure_expected_clear(&expected);
    tokenizer_free(tokenizer);
    pm_language_destroy(pairs);
    free(text);
}

/* Tags that are told lanes, tiles and many groups behind where they began; and many names. */
TEST(test_tags) {
    enum {
        N = 5 << 20 /* more tiles than a workgroup has lanes */
    };
    pm_language *const pairs = pairs_of(pm_language_rules(pm_language_by_name("xml")));
    pmi_tokenizer *const tokenizer = tokenizer_make(pairs);
    char *const text = allocate(N, 1);
    memset(text, ' ', N);
    structure_text(&(structure_rules){.pieces = {"<a>", "</a>", "<", "/>", " b='", "'", "<!--", "-->"}}, 1, text, 1000);
    memcpy(text + 1000, "'-->\">'>\">]]>?><a b='", 22);
    memcpy(text + 6 * PM_STRUCTURE_TILE - 7, "<c/>'/><a b='<a>'", 17);
    memcpy(text + 8 * PM_STRUCTURE_TILE + 500, "></b><!-- <c> ", 14);
    memcpy(text + 10 * PM_STRUCTURE_TILE, "--></d><e b=\"", 13);
    memcpy(text + N - 40000, "\">", 2);
    uint64_t seed = 4;
    for (size_t at = N - 39000; at + 64 < N; at += 16 + random_below(&seed, 16))
        snprintf(text + at, 16, random_below(&seed, 3) ? "<n%u>" : "</n%u>", (unsigned)random_below(&seed, 1000));
    for (size_t at = 0; at < N; at++)
        text[at] = text[at] ? text[at] : ' ';
    assert_true(N / pmi_tokenizer_group_bytes(N) > PM_STRUCTURE_LANES);
    structure_expected expected;
    structure_expect(pairs, text, N, &expected);
    assert_true(expected.count > 1200);
    check_capacity(tokenizer, text, N, &expected, (uint32_t)expected.count, true, "tags");
    structure_expected_clear(&expected);
    tokenizer_free(tokenizer);
    pm_language_destroy(pairs);
    free(text);
}

static pm_status open_all(void) {
    const pm_status status = gpu_host_open((pmi_gpu_settings){0}, &host);
    return status == PM_OK ? pmi_indirect_create(&host.device, &planned) : status;
}

static void close_all(void) {
    pmi_indirect_destroy(&host.device, &planned);
    gpu_host_close(&host);
}

int main(int argc, char **argv) {
    return gpu_tests_main(argc, argv, open_all, close_all);
}
