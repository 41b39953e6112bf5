/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The structure of texts by whatever Vulkan device there is, a software renderer if need be, against the oracle, under
 * the validation layer where that is installed. Skipped (77) where there is no device.
 *   test_structure_gpu [ANYTHING [PATTERN]]   PATTERN: of the names of the tests to run
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/dfa.h"
#include "inputs/families.h"
#include "shaders/twins.h"
#include "tests/delimiters/rules_fixture.h"
#include "tests/delimiters/structure_fixture.h"
#include "tests/support/gpu_fixture.h"
#include "tests/support/unit.h"

enum {
    SLOT_BYTES = 2 * PM_STRUCTURE_TILE,
    CANARY = 0x5a5a5a5a
};

static pmi_gpu *gpu;
static pmi_gpu *gpu_of_chunks; /* with small slots, which go up and down by copies, and dispatches that do little */

/* ---- Against the oracle ---- */

/* Room for one more than is asked for, all canaries. */
static uint32_t *room(size_t words) {
    uint32_t *const made = allocate(words + 2, sizeof *made);
    for (size_t i = 0; i < words + 2; i++)
        made[i] = CANARY;
    return made;
}

static void assert_words(const uint32_t *found, const uint32_t *expected, size_t stored, const char *what) {
    for (size_t k = 0; k < stored; k++)
        if (found[k] != expected[k])
            fail_msg("%s: token %zu: %u, not %u", what, k, found[k], expected[k]);
    assert_int_equal(found[stored], CANARY);
}

static void assert_parens(const uint32_t *found, const uint64_t *expected, size_t stored) {
    const size_t words = (stored + 63) / 64 * 2;
    for (size_t k = 0; k < stored; k++)
        assert_int_equal(found[k / 32] >> k % 32 & 1, expected[k / 64] >> k % 64 & 1);
    for (size_t k = stored; k < 32 * words; k++)
        assert_int_equal(found[k / 32] >> k % 32 & 1, 0);
    assert_int_equal(found[words], CANARY);
}

static void assert_summary(const pm_text_summary *found, const structure_expected *e) {
    assert_int_equal(found->tokens, e->count);
    assert_int_equal(found->unmatched.close, e->summary.unmatched.close);
    assert_int_equal(found->unmatched.open, e->summary.unmatched.open);
    assert_int_equal(found->mismatched, e->summary.mismatched);
    assert_int_equal(found->unterminated, e->summary.unterminated);
    assert_int_equal(found->faulty, e->faulty);
    assert_int_equal(found->fault, e->faulty ? e->first.fault : 0);
    assert_int_equal(found->at, e->faulty ? e->first.at.offset : 0);
    assert_int_equal(found->partner, e->faulty ? e->first.partner.offset : 0);
}

/* With room for a number of tokens; nothing is written behind them. */
static void check_capacity(pmi_gpu *tested, const pmi_dfa *machine, const char *text, size_t n,
                           const structure_expected *e, size_t capacity, bool lengths) {
    const size_t stored = e->count < capacity ? e->count : capacity;
    uint32_t *const parens = room((capacity + 63) / 64 * 2), *const positions = room(capacity);
    uint32_t *const of_lengths = room(capacity), *const kinds = room(capacity), *const match = room(capacity);
    const pmi_gpu_tokens arrays = {.capacity = capacity,
                                   .parens = (uint64_t *)(void *)parens,
                                   .positions = positions,
                                   .lengths = lengths ? of_lengths : NULL,
                                   .kinds = kinds,
                                   .match = match};
    pm_text_summary summary;
    assert_ok(pmi_gpu_delimiters(tested, machine, text, (uint32_t)n, &arrays, &summary));
    assert_summary(&summary, e);
    assert_words(positions, e->positions, stored, "positions");
    assert_words(of_lengths, e->lengths, lengths ? stored : 0, "lengths");
    assert_words(kinds, e->kinds, stored, "kinds");
    assert_words(match, e->match, stored, "match");
    assert_parens(parens, e->parens, stored);
    free(parens);
    free(positions);
    free(of_lengths);
    free(kinds);
    free(match);
}

/* With room for all tokens, for a part of them, and for none. */
static void check(pmi_gpu *tested, const pm_language *pairs, const char *text, size_t n) {
    structure_expected e;
    pmi_dfa *machine;
    const pm_allocator allocator = fault_allocator_functions(&faults);
    assert_ok(pmi_dfa_create(&allocator, pairs, &machine));
    structure_expect(pairs, text, n, &e);
    uint64_t seed = n + e.count;
    check_capacity(tested, machine, text, n, &e, e.count + 1, true);
    check_capacity(tested, machine, text, n, &e, random_below(&seed, e.count + 1), false);
    check_capacity(tested, machine, text, n, &e, 0, false);
    structure_expected_clear(&e);
    pmi_dfa_destroy(&allocator, machine);
}

/* By both devices. The text is of exactly its size, so that sanitizers watch its end. */
static void check_random(const structure_rules *set, const pm_language *pairs, uint64_t seed, size_t n) {
    char *const text = allocate(n, 1);
    structure_text(set, seed, text, n);
    check(gpu, pairs, text, n);
    check(gpu_of_chunks, pairs, text, n);
    free(text);
}

TEST(test_random) {
    for (const structure_rules *set = structure_sets; set->name; set++) {
        pm_language *const pairs = structure_pairs(set);
        for (uint64_t seed = 0; seed < 4; seed++) {
            uint64_t random = seed;
            check_random(set, pairs, seed, 1 + random_below(&random, seed < 3 ? 200 : 40000));
        }
        pm_language_destroy(pairs);
    }
}

/* Around lanes, tiles, and chunks of the slots, which words lie across. */
TEST(test_boundaries) {
    static const size_t edges[] = {16, PM_STRUCTURE_LANE_BYTES, PM_STRUCTURE_TILE, 3 * SLOT_BYTES};
    for (const structure_rules *set = structure_sets; set->name; set++) {
        if (strcmp(set->name, "json") != 0 && strcmp(set->name, "sql") != 0)
            continue;
        pm_language *const pairs = structure_pairs(set);
        for (size_t e = 0; e < COUNT_OF(edges); e++)
            for (size_t n = edges[e] - 1; n <= edges[e] + 1; n++)
                check_random(set, pairs, n, n);
        pm_language_destroy(pairs);
    }
}

/* Every fault in turn is the first. */
TEST(test_faults) {
    static const char *const texts[] = {
        "",           "[]",      "]",         "[{]}",      "[[]",         "[] [ {} [",
        "\"abc",      "[\"ab",   "[}\"a",     "[] \"\\\"", "{\"a\": [1}", "][",
        "[[[[[[[[[[", "[]]]]]{", "[{}{}{}]}", "[ \"]\" ",  "[\"\\\\\"] ", "{[]}{[]}{[}] \"",
        "[\"a\" \"",
    };
    pm_language *const pairs = pairs_of(structure_sets->rules);
    for (size_t t = 0; t < COUNT_OF(texts); t++)
        if (strlen(texts[t]) > 0)
            check(gpu, pairs, texts[t], strlen(texts[t]));
    pm_language_destroy(pairs);
}

/* ---- Names ---- */

enum {
    ALIKE = 2 * PM_STRUCTURE_PROBE_MOST, /* names */
    ALIKE_BITS = 4
};

/* Writes a number of tags with different names, and the first one again behind each; returns their bytes. */
static size_t many_names(char *text, unsigned count) {
    size_t n = 0;
    for (unsigned k = 0; k < count; k++)
        n += (size_t)sprintf(text + n, "<n%u a='%u'></n%u><n0/><n0></n0>", k * k, k, k % 7 ? k * k : k);
    return n;
}

static pm_status status_of(pmi_gpu *tested, const pm_language *pairs, const char *text, size_t n) {
    const pm_allocator allocator = fault_allocator_functions(&faults);
    const pmi_gpu_tokens arrays = {.capacity = 0};
    pmi_dfa *machine;
    pm_text_summary summary;
    assert_ok(pmi_dfa_create(&allocator, pairs, &machine));
    const pm_status status = pmi_gpu_delimiters(tested, machine, text, (uint32_t)n, &arrays, &summary);
    pmi_dfa_destroy(&allocator, machine);
    return status;
}

/* Tags whose names' hashes begin with the same bits, so that they look at each other's slots; returns their bytes. */
static size_t alike_names(char *text) {
    size_t n = 0;
    for (unsigned k = 0, found = 0; found < ALIKE; k++) {
        char tag[16];
        const unsigned char letters[16] = {0};
        const uint32_t tables[2] = {PM_STRUCTURE_TAG, 1}, position = 0;
        uint32_t names[2], slots[2], of_found[PM_STRUCTURE_FOUND_WORDS];
        const int length = snprintf(tag, sizeof tag, "<n%u>", k);
        const pmi_structure_names_parameters p = {.text = (uintptr_t)tag,
                                                  .letters = (uintptr_t)letters,
                                                  .tables = (uintptr_t)tables,
                                                  .positions = (uintptr_t)&position,
                                                  .names = (uintptr_t)names,
                                                  .slots = (uintptr_t)slots,
                                                  .found = (uintptr_t)of_found,
                                                  .n = (uint32_t)length,
                                                  .name_ends = '>' | '/' << 8};
        pmi_structure_name_twin(&p, 1);
        if (names[0] >> (32 - ALIKE_BITS) != 0)
            continue;
        memcpy(text + n, tag, (size_t)length);
        n += (size_t)length;
        found++;
    }
    return n;
}

TEST(test_names) {
    char *const text = allocate(200 * ALIKE, 1);
    pm_language *const pairs = pairs_of(pm_language_rules(pm_language_by_name("xml")));
    const size_t n = many_names(text, 3000);
    check(gpu, pairs, text, n);
    check(gpu_of_chunks, pairs, text, n);
    const size_t most = PM_STRUCTURE_NAME_MOST;
    for (size_t length = most - 2; length <= most + 5; length++) {
        memset(text, 'n', 2 * length + 10);
        memcpy(text, "<", 1);
        memcpy(text + 1 + length, "></", 3);
        memcpy(text + 4 + 2 * length, ">", 1);
        if (length <= most)
            check(gpu, pairs, text, 2 * length + 5);
        assert_int_equal(status_of(gpu, pairs, text, 2 * length + 5), length > most ? PM_TOO_LARGE : PM_OK);
    }
    assert_int_equal(status_of(gpu, pairs, text, alike_names(text)), PM_TOO_LARGE);
    check(gpu, pairs, text, 1000);
    pm_language_destroy(pairs);
    free(text);
}

/* ---- What no machine can follow ---- */

/* In code it is refused; where it is skipped it does not matter. */
TEST(test_unknown) {
    static const struct {
        const char *text;
        pm_status status;
    } texts[] = {
        {"begin $$ end $$ end", PM_OK},
        {"begin $a$ end $a$ end", PM_UNSUPPORTED},
        {"-- $a$\nbegin", PM_OK},
        {"'$a$' /* $a$ */ begin", PM_OK},
        {"$1 + a$b$", PM_OK},
        {"$$ $a$ $$ begin", PM_OK},
        {"$1a$ begin", PM_OK},
        {"begin $_", PM_OK},
        {"begin $_$", PM_UNSUPPORTED},
        {"a$$b$ begin", PM_UNSUPPORTED},
        {"(end loop) end\n case", PM_OK},
        {"begin transaction end if e'\\'' x'", PM_OK},
    };
    enum {
        BLANKS = PM_STRUCTURE_BLANKS_MOST
    };
    pm_language *const pairs = pairs_of(pm_language_rules(pm_language_by_name("sql")));
    for (size_t t = 0; t < COUNT_OF(texts); t++) {
        const size_t n = strlen(texts[t].text);
        if (texts[t].status == PM_OK)
            check(gpu, pairs, texts[t].text, n);
        if (status_of(gpu, pairs, texts[t].text, n) != texts[t].status)
            fail_msg("%s: another status", texts[t].text);
    }
    for (size_t more = 0; more < 2; more++) {
        char text[BLANKS + 20];
        const size_t n = 3 + BLANKS + more + 4;
        memset(text, ' ', sizeof text);
        memcpy(text, "end", 3);
        memcpy(text + n - 4, "loop", 4);
        if (more == 0)
            check(gpu, pairs, text, n);
        assert_int_equal(status_of(gpu, pairs, text, n), more == 0 ? PM_OK : PM_UNSUPPORTED);
        memcpy(text, "xnd", 3);
        check(gpu, pairs, text, n);
    }
    pm_language_destroy(pairs);
}

/* ---- The public function ---- */

static pm_context *context_make(void) {
    const pm_options options = {
        .struct_size = sizeof options, .allow_cpu_device = true, .allocator = fault_allocator_functions(&faults)};
    pm_context *context = context_of(&options);
    return context;
}

TEST(test_call) {
    static const char text[] = "{\"a\": [1, 2], \"]\": {}}";
    pm_context *const context = context_make();
    pm_language *const pairs = pairs_of(structure_sets->rules);
    uint32_t match[6];
    uint64_t positions[6];
    const pm_text_arrays arrays = {.struct_size = sizeof arrays, .capacity = 6, .positions = positions, .match = match};
    pm_text_summary summary;
    assert_ok(pm_text_scan_gpu(context, pairs, text, strlen(text), &arrays, &summary));
    assert_int_equal(summary.tokens, 6);
    assert_false(summary.faulty);
    assert_memory_equal(match, ((const uint32_t[]){PM_NONE, 0, 1, 0, 3, 0}), sizeof match);
    assert_memory_equal(positions, ((const uint64_t[]){0, 6, 11, 19, 20, 21}), sizeof positions);
    assert_ok(pm_text_scan_gpu(context, pairs, text, strlen(text), NULL, NULL));
    assert_ok(pm_text_scan_gpu(context, pairs, NULL, 0, &arrays, &summary));
    assert_int_equal(summary.tokens, 0);
    assert_false(summary.faulty);
    pm_language_destroy(pairs);
    pm_context_destroy(context);
}

TEST(test_arguments) {
    pm_context *const context = context_make();
    pm_language *const pairs = pairs_of(structure_sets->rules);
    pm_text_arrays arrays = {.struct_size = sizeof arrays};
    pm_text_summary summary = {.tokens = 77};
    assert_invalid(pm_text_scan_gpu(NULL, pairs, "[", 1, NULL, &summary));
    assert_invalid(pm_text_scan_gpu(context, NULL, "[", 1, NULL, &summary));
    assert_invalid(pm_text_scan_gpu(context, pairs, NULL, 1, NULL, &summary));
    arrays.struct_size = 8;
    assert_invalid(pm_text_scan_gpu(context, pairs, "[", 1, &arrays, &summary));
    if (SIZE_MAX > UINT32_MAX) {
        const size_t n = (size_t)UINT32_MAX + 1;
        assert_int_equal(pm_text_scan_gpu(context, pairs, "[", n, NULL, &summary), PM_TOO_LARGE);
    }
    assert_int_equal(summary.tokens, 77);
    pm_language_destroy(pairs);
    pm_context_destroy(context);
}

/* What a device cannot follow is refused, and not done otherwise. */
/* What no machine follows: test_machine has more of it. */
TEST(test_unsupported) {
    static const char *const languages[] = {"html", "latex", "pascal", "jinja"};
    pm_context *const context = context_make();
    for (size_t l = 0; l < COUNT_OF(languages); l++) {
        pm_language *const pairs = pairs_of(pm_language_rules(pm_language_by_name(languages[l])));
        assert_int_equal(pm_text_scan_gpu(context, pairs, "(", 1, NULL, NULL), PM_UNSUPPORTED);
        pm_language_destroy(pairs);
    }
    pm_context_destroy(context);
}

int main(int argc, char **argv) {
    const gpu_tests_device devices[] = {
        {.gpu = &gpu},
        {.settings = {.chunk_bytes = SLOT_BYTES, .transfer = PM_TRANSFER_STAGED, .dispatch_tiles = 16},
         .gpu = &gpu_of_chunks}};
    return gpu_tests_with(argc, argv, devices, 2);
}
