/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Structure recorded through parenmatch_vulkan.h: right, in no more memory than was asked for, and what is refused.
 * Skipped (77) where there is no device; arguments as vulkan_tests_main() has them.
 */
#include <stdlib.h>
#include <string.h>

#include "inputs/families.h"
#include "shaders/delimiters/tokenizer.h"
#include "tests/delimiters/rules_fixture.h"
#include "tests/delimiters/structure_fixture.h"
#include "tests/support/unit.h"
#include "tests/support/vulkan_fixture.h"

enum {
    BLOCK_WORDS = 1 << 20,
    TEXTS = 24 /* recorded together */
};

enum part {
    TEXT,
    TABLES,
    SCRATCH,
    RESULT,
    PARENS,
    POSITIONS,
    KINDS,
    LENGTHS,
    MATCH,
    DISPATCHES,
    PARTS
};

/* A text that has been recorded. */
typedef struct recorded {
    uint32_t n;
    size_t capacity;
    char *bytes;
    structure_expected expected;
    size_t at; /* the index of its first buffer */
} recorded;

static struct {
    block block;
    recorded texts[TEXTS];
    size_t count;
} bench;

static uint32_t *part(const recorded *r, enum part k) {
    return block_words(&bench.block, r->at + k);
}

static VkDeviceAddress address_of(const recorded *r, enum part k) {
    return block_address(&bench.block, BLOCK_DEVICE, r->at + k);
}

static pm_vk_tokenizer *tokenizer_of(const pm_language *pairs) {
    pm_vk_tokenizer *made;
    assert_ok(pm_vk_tokenizer_create(matcher, pairs, VK_NULL_HANDLE, &made));
    return made;
}

static void begin(void) {
    block_open(&bench.block, &host.device, BLOCK_WORDS);
    gpu_commands_begin(&host);
    bench.count = 0;
}

static void lay_out(recorded *r, const pm_vk_tokenizer *tokenizer) {
    pm_vk_delimiters_sizes sizes;
    assert_ok(pm_vk_tokenizer_sizes(tokenizer, r->n, r->capacity, &sizes));
    const pm_vk_buffer buffers[PARTS] = {sizes.text,  sizes.tables, sizes.scratch, sizes.result, sizes.parens,
                                         sizes.words, sizes.words,  sizes.words,   sizes.match,  sizes.dispatches};
    r->at = block_add(&bench.block, buffers, PARTS, "structure", r->n);
    memcpy(part(r, TABLES), pm_vk_tokenizer_tables(tokenizer), sizes.tables.size);
}

static pm_vk_delimiters_info info_of(const recorded *r, bool lengths) {
    return (pm_vk_delimiters_info){.struct_size = sizeof(pm_vk_delimiters_info),
                                   .n = r->n,
                                   .capacity = r->capacity,
                                   .text = address_of(r, TEXT),
                                   .tables = address_of(r, TABLES),
                                   .scratch = address_of(r, SCRATCH),
                                   .result = address_of(r, RESULT),
                                   .parens = address_of(r, PARENS),
                                   .positions = address_of(r, POSITIONS),
                                   .kinds = address_of(r, KINDS),
                                   .lengths = lengths ? address_of(r, LENGTHS) : 0,
                                   .match = address_of(r, MATCH),
                                   .dispatches = bench.block.memory.handle,
                                   .dispatches_offset = 4 * bench.block.buffers[r->at + DISPATCHES].first};
}

/* more: of room than there are tokens; less, if it is negative. */
static void add(const pm_vk_tokenizer *tokenizer, const pm_language *pairs, const structure_rules *set, uint32_t n,
                int more) {
    recorded *const r = &bench.texts[bench.count++];
    *r = (recorded){.n = n, .bytes = allocate(n, 1)};
    structure_text(set, bench.count, r->bytes, n);
    structure_expect(pairs, r->bytes, n, &r->expected);
    const size_t count = r->expected.count;
    r->capacity = more >= 0 ? count + (size_t)more : count / (size_t)-more;
    lay_out(r, tokenizer);
    memcpy(part(r, TEXT), r->bytes, n);
    const pm_vk_delimiters_info info = info_of(r, n % 2 != 0);
    assert_ok(pm_vk_cmd_delimiters(host.commands, tokenizer, &info));
}

static void check_words(const recorded *r, enum part k, const uint32_t *expected, size_t count) {
    block_expect(&bench.block, r->at + k, expected, count);
}

static void check_result(const recorded *r) {
    const structure_expected *const e = &r->expected;
    pm_vk_delimiters_result found;
    memcpy(&found, part(r, RESULT), sizeof found);
    assert_int_equal(found.count, e->count);
    assert_int_equal(found.unterminated, (uint32_t)e->cut);
    if (e->count > r->capacity)
        return;
    assert_int_equal(found.unmatched.close, e->summary.unmatched.close);
    assert_int_equal(found.unmatched.open, e->summary.unmatched.open);
    assert_int_equal(found.mismatched, e->summary.mismatched);
    assert_int_equal(found.fault, e->faulty ? (uint32_t)e->first.fault : PM_NONE);
    assert_int_equal(found.at, e->faulty ? e->first.at.offset : PM_NONE);
    if (found.token != PM_NONE)
        assert_int_equal(part(r, POSITIONS)[found.token], found.at);
    assert_int_equal(found.token == PM_NONE, !e->faulty || e->first.fault == PM_FAULT_UNTERMINATED);
    const bool pair = e->faulty && e->first.fault == PM_FAULT_KIND_MISMATCH;
    assert_int_equal(found.partner, pair ? e->first.partner.offset : PM_NONE);
}

static void check_text(recorded *r) {
    const structure_expected *const e = &r->expected;
    const size_t stored = e->count < r->capacity ? e->count : r->capacity;
    assert_memory_equal(part(r, TEXT), r->bytes, r->n); /* what is given has not been changed */
    check_words(r, POSITIONS, e->positions, stored);
    check_words(r, KINDS, e->kinds, stored);
    check_words(r, MATCH, e->match, stored);
    check_words(r, LENGTHS, e->lengths, r->n % 2 != 0 ? stored : 0);
    for (size_t k = 0; k < stored; k++)
        assert_int_equal(part(r, PARENS)[k / 32] >> k % 32 & 1, e->parens[k / 64] >> k % 64 & 1);
    check_result(r);
    structure_expected_clear(&r->expected);
    free(r->bytes);
}

static void run_and_check(void) {
    gpu_commands_run(&host);
    for (size_t k = 0; k < bench.count; k++)
        check_text(&bench.texts[k]);
    block_check(&bench.block);
    block_close(&bench.block);
}

TEST(test_texts) {
    static const uint32_t sizes[] = {0, 1, 31, 64, 1000, PM_STRUCTURE_TILE, PM_STRUCTURE_TILE + 1, 40001};
    for (const structure_rules *set = structure_sets; set->name; set++) {
        pm_language *const pairs = structure_pairs(set);
        pm_vk_tokenizer *const tokenizer = tokenizer_of(pairs);
        begin();
        for (size_t s = 0; s < COUNT_OF(sizes); s++) {
            add(tokenizer, pairs, set, sizes[s], 0);
            add(tokenizer, pairs, set, sizes[s], 100);
            add(tokenizer, pairs, set, sizes[s], -3);
        }
        run_and_check();
        pm_vk_tokenizer_destroy(tokenizer);
        pm_language_destroy(pairs);
    }
}

/* None of the buffers that are not needed need be there. */
TEST(test_nothing) {
    pm_language *const pairs = pairs_of(structure_sets->rules);
    pm_vk_tokenizer *const tokenizer = tokenizer_of(pairs);
    begin();
    recorded r = {.n = 20};
    lay_out(&r, tokenizer);
    memcpy(part(&r, TEXT), "[ \"\\\"]\" ] {}[\"abcdef", r.n);
    pm_vk_delimiters_info info = info_of(&r, false);
    info.parens = info.positions = info.kinds = info.match = 0;
    assert_ok(pm_vk_cmd_delimiters(host.commands, tokenizer, &info));
    gpu_commands_run(&host);
    const pm_vk_delimiters_result *const result = (const void *)part(&r, RESULT);
    assert_int_equal(result->count, 5);
    assert_int_equal(result->unterminated, 13);
    block_close(&bench.block);
    pm_vk_tokenizer_destroy(tokenizer);
    pm_language_destroy(pairs);
}

/* What cannot be told is told to be so. */
TEST(test_unknown) {
    pm_language *const pairs = pairs_of(pm_language_rules(pm_language_by_name("sql")));
    pm_vk_tokenizer *const tokenizer = tokenizer_of(pairs);
    begin();
    recorded r = {.n = 20, .capacity = 9};
    lay_out(&r, tokenizer);
    memcpy(part(&r, TEXT), "begin $a$ end $a$ ()", r.n);
    const pm_vk_delimiters_info info = info_of(&r, true);
    assert_ok(pm_vk_cmd_delimiters(host.commands, tokenizer, &info));
    gpu_commands_run(&host);
    assert_int_equal(((const pm_vk_delimiters_result *)(const void *)part(&r, RESULT))->count, PM_NONE);
    block_close(&bench.block);
    pm_vk_tokenizer_destroy(tokenizer);
    pm_language_destroy(pairs);
}

TEST(test_sizes) {
    pm_language *const pairs = pairs_of(structure_sets->rules);
    pm_vk_tokenizer *const tokenizer = tokenizer_of(pairs);
    pm_vk_delimiters_sizes sizes;
    VkDeviceSize scratch = 0;
    for (uint64_t n = 0; n <= UINT32_MAX; n = n * 3 + 1) {
        const uint64_t capacity = n / 3;
        assert_ok(pm_vk_tokenizer_sizes(tokenizer, n, capacity, &sizes));
        assert_int_equal(sizes.text.size, (n + 15) / 16 * 16);
        assert_int_equal(sizes.words.size, capacity * 4);
        assert_true(sizes.scratch.size >= scratch);
        assert_true(sizes.scratch.size < n / 5 + capacity / 7 + 16384);
        scratch = sizes.scratch.size;
    }
    assert_int_equal(pm_vk_tokenizer_sizes(tokenizer, UINT64_C(1) << 32, 0, &sizes), PM_TOO_LARGE);
    assert_int_equal(pm_vk_tokenizer_sizes(tokenizer, 1, UINT64_C(1) << 31, &sizes), PM_TOO_LARGE);
    assert_invalid(pm_vk_tokenizer_sizes(tokenizer, 1, 1, NULL));
    assert_invalid(pm_vk_tokenizer_sizes(NULL, 1, 1, &sizes));
    assert_null(pm_vk_tokenizer_tables(NULL));
    pm_vk_tokenizer_destroy(NULL);
    pm_vk_tokenizer_destroy(tokenizer);
    pm_language_destroy(pairs);
}

/* What comes of the call with one member of a good info changed. */
#define with(change) (bad = good, bad.change, pm_vk_cmd_delimiters(commands, tokenizer, &bad))

TEST(test_bad_texts) {
    const VkDeviceAddress some = 1 << 16;
    pm_language *const pairs = pairs_of(structure_sets->rules);
    pm_vk_tokenizer *const tokenizer = tokenizer_of(pairs);
    const VkCommandBuffer commands = host.commands; /* nothing is recorded to it: nothing has been begun */
    const pm_vk_delimiters_info good = {.struct_size = sizeof good,
                                        .n = 2000,
                                        .capacity = 1000,
                                        .text = some,
                                        .tables = some,
                                        .scratch = some,
                                        .result = some,
                                        .parens = some,
                                        .positions = some,
                                        .kinds = some,
                                        .lengths = some,
                                        .match = some,
                                        .dispatches = (VkBuffer)(uintptr_t)some};
    pm_vk_delimiters_info bad = good;
    assert_invalid(pm_vk_cmd_delimiters(NULL, tokenizer, &good));
    assert_invalid(pm_vk_cmd_delimiters(commands, NULL, &good));
    assert_invalid(pm_vk_cmd_delimiters(commands, tokenizer, NULL));
    assert_int_equal(with(n = UINT64_C(1) << 32), PM_TOO_LARGE);
    assert_int_equal(with(capacity = UINT64_C(1) << 31), PM_TOO_LARGE);
    assert_invalid(with(struct_size = 8));
    assert_invalid(with(dispatches = VK_NULL_HANDLE));
    assert_invalid(with(dispatches_offset = 2));
    VkDeviceAddress *const addresses[] = {&bad.text,   &bad.tables,    &bad.scratch, &bad.result,
                                          &bad.parens, &bad.positions, &bad.kinds,   &bad.match};
    for (size_t k = 0; k < COUNT_OF(addresses); k++) {
        bad = good;
        *addresses[k] = 0;
        assert_invalid(pm_vk_cmd_delimiters(commands, tokenizer, &bad));
        *addresses[k] = some + 2;
        assert_invalid(pm_vk_cmd_delimiters(commands, tokenizer, &bad));
    }
    pm_vk_tokenizer_destroy(tokenizer);
    pm_language_destroy(pairs);
}

TEST(test_creating) {
    pm_language *const pairs = pairs_of(structure_sets->rules), *const names = pairs_of(
                                                                    pm_language_rules(pm_language_by_name("html")));
    pm_vk_context_info info = matcher_info(0);
    pm_vk_context *without;
    pm_vk_tokenizer *none;
    info.flags &= ~(uint32_t)PM_VK_COUNT_ON_DEVICE;
    assert_ok(pm_vk_context_create(&info, &without));
    assert_invalid(pm_vk_tokenizer_create(without, pairs, VK_NULL_HANDLE, &none));
    assert_null(none);
    pm_vk_context_destroy(without);
    assert_int_equal(pm_vk_tokenizer_create(matcher, names, VK_NULL_HANDLE, &none), PM_UNSUPPORTED);
    assert_null(none);
    assert_invalid(pm_vk_tokenizer_create(NULL, pairs, VK_NULL_HANDLE, &none));
    assert_invalid(pm_vk_tokenizer_create(matcher, NULL, VK_NULL_HANDLE, &none));
    assert_invalid(pm_vk_tokenizer_create(matcher, pairs, VK_NULL_HANDLE, NULL));
    const size_t blocks = faults.live_blocks;
    faults.fail_at = faults.calls + 1;
    assert_int_equal(pm_vk_tokenizer_create(matcher, pairs, VK_NULL_HANDLE, &none), PM_OUT_OF_MEMORY);
    assert_null(none);
    faults.fail_at = 0;
    assert_int_equal(faults.live_blocks, blocks);
    pm_language_destroy(pairs);
    pm_language_destroy(names);
}

int main(int argc, char **argv) {
    return vulkan_tests_main(argc, argv, NULL, NULL);
}
