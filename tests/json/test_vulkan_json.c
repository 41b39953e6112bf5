/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The index of JSON texts recorded through parenmatch_vulkan.h: that of pm_json_read(), in no more memory than was
 * asked for, and what is refused. Skipped (77) where there is no device; arguments as vulkan_tests_main() has them.
 */
#include <stdlib.h>
#include <string.h>

#include "core/json/json.h"
#include "inputs/families.h"
#include "shaders/json/layout.h"
#include "tests/json/json_texts.h"
#include "tests/support/unit.h"
#include "tests/support/vulkan_fixture.h"

enum {
    BLOCK_WORDS = 1 << 21,
    TEXTS = 64 /* recorded together */
};

enum part {
    TEXT,
    TOKENS,
    BRACKETS,
    BEFORE,
    PARTNERS,
    POSITIONS,
    RESULT,
    SCRATCH,
    DISPATCHES,
    PARTS
};

/* A text that has been recorded. */
typedef struct recorded {
    size_t n, bracket_capacity, token_capacity;
    char *bytes;
    pm_json *expected; /* NULL: the text is wrong */
    size_t brackets;
    size_t at; /* the index of its first buffer */
} recorded;

static pm_vk_context *reader;
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

static void begin(void) {
    block_open(&bench.block, &host.device, BLOCK_WORDS);
    gpu_commands_begin(&host);
    bench.count = 0;
}

static void lay_out(recorded *r) {
    pm_vk_json_sizes sizes;
    assert_ok(pm_vk_context_json_sizes(reader, r->n, r->bracket_capacity, r->token_capacity, &sizes));
    const pm_vk_buffer buffers[PARTS] = {sizes.text,      sizes.masks,  sizes.masks,   sizes.before,    sizes.partners,
                                         sizes.positions, sizes.result, sizes.scratch, sizes.dispatches};
    r->at = block_add(&bench.block, buffers, PARTS, "json", (uint32_t)r->n);
}

static pm_vk_json_info info_of(const recorded *r) {
    return (pm_vk_json_info){.struct_size = sizeof(pm_vk_json_info),
                             .n = r->n,
                             .bracket_capacity = r->bracket_capacity,
                             .token_capacity = r->token_capacity,
                             .text = address_of(r, TEXT),
                             .tokens = address_of(r, TOKENS),
                             .brackets = address_of(r, BRACKETS),
                             .before = address_of(r, BEFORE),
                             .partners = address_of(r, PARTNERS),
                             .positions = address_of(r, POSITIONS),
                             .result = address_of(r, RESULT),
                             .scratch = address_of(r, SCRATCH),
                             .dispatches = bench.block.memory.handle,
                             .dispatches_offset = 4 * bench.block.buffers[r->at + DISPATCHES].first};
}

/* The brackets of a text, wrong or not, as masks find them. */
static size_t brackets_of(const pm_json *json, size_t n) {
    size_t count = 0;
    for (size_t w = 0; w < pmi_json_words(n); w++)
        count += (size_t)__builtin_popcountll(json->found.brackets[w]);
    return count;
}

/* A copy of a text, with so much more room than it needs; less, if it is negative. The room of a wrong text is n. */
static void add(const char *text, size_t n, int more) {
    recorded *const r = &bench.texts[bench.count++];
    *r = (recorded){.n = n, .bytes = allocate(n, 1)};
    memcpy(r->bytes, text, n);
    if (pm_json_create(NULL, r->bytes, n, NULL, &r->expected) == PM_OK)
        r->brackets = brackets_of(r->expected, n);
    const size_t tokens = r->expected ? (size_t)pm_json_token_count(r->expected) : n;
    const size_t brackets = r->expected ? r->brackets : n;
    r->bracket_capacity = more >= 0 ? brackets + (size_t)more : brackets / 2;
    r->token_capacity = more >= 0 ? tokens + (size_t)more : tokens / 3;
    lay_out(r);
    memcpy(part(r, TEXT), r->bytes, n);
    const pm_vk_json_info info = info_of(r);
    assert_ok(pm_vk_cmd_json_index(host.commands, reader, &info));
}

static void check_words(const recorded *r, enum part k, const void *expected, size_t count) {
    block_expect(&bench.block, r->at + k, expected, count);
}

static void check_positions(const recorded *r) {
    const size_t tokens = (size_t)pm_json_token_count(r->expected);
    const size_t stored = tokens < r->token_capacity ? tokens : r->token_capacity;
    uint64_t *const offsets = allocate(stored, sizeof *offsets);
    uint32_t *const expected = allocate(stored, sizeof *expected);
    pm_json_tokens(r->expected, 0, r->n, stored, offsets);
    for (size_t k = 0; k < stored; k++)
        expected[k] = (uint32_t)offsets[k];
    check_words(r, POSITIONS, expected, stored);
    free(offsets);
    free(expected);
}

static void check_right(const recorded *r) {
    const size_t words = pmi_json_words(r->n);
    const pm_vk_json_result *const result = (const void *)part(r, RESULT);
    const bool room = r->brackets <= r->bracket_capacity;
    assert_int_equal(result->tokens, pm_json_token_count(r->expected));
    assert_int_equal(result->brackets, r->brackets);
    assert_int_equal(result->verdict, room ? PM_VK_JSON_RIGHT : PM_VK_JSON_NO_ROOM);
    check_words(r, TOKENS, r->expected->found.tokens, 2 * words);
    check_words(r, BRACKETS, r->expected->found.brackets, 2 * words);
    check_words(r, BEFORE, r->expected->found.before, words);
    check_positions(r);
    if (!room)
        return;
    check_words(r, PARTNERS, r->expected->partners + 1, r->brackets);
    if (r->bracket_capacity > 0) {
        assert_int_equal(result->unmatched.close, 0);
        assert_int_equal(result->unmatched.open, 0);
    }
}

static void run_and_check(void) {
    gpu_commands_run(&host);
    for (size_t k = 0; k < bench.count; k++) {
        recorded *const r = &bench.texts[k];
        assert_memory_equal(part(r, TEXT), r->bytes, r->n); /* what is given has not been changed */
        if (r->expected)
            check_right(r);
        else if (((const pm_vk_json_result *)(const void *)part(r, RESULT))->verdict != PM_VK_JSON_WRONG)
            fail_msg("not found to be wrong: %.*s", (int)(r->n < 300 ? r->n : 300), r->bytes);
        pm_json_destroy(r->expected);
        free(r->bytes);
    }
    block_check(&bench.block);
    block_close(&bench.block);
}

TEST(test_texts) {
    static const size_t sizes[] = {1, 63, 64, 513, 3000, PM_INDEX_TILE - 1, PM_INDEX_TILE, PM_INDEX_TILE + 1, 40001};
    char *const text = allocate(40001, 1);
    for (uint64_t seed = 0; seed < 4; seed++) {
        begin();
        for (size_t s = 0; s < COUNT_OF(sizes); s++) {
            uint64_t random = seed;
            json_text_make(seed + 7 * s, text, sizes[s]);
            add(text, sizes[s], 0);
            add(text, sizes[s], 100);
            add(text, sizes[s], -1);
            json_text_change(&random, text, sizes[s]);
            add(text, sizes[s], 0);
        }
        run_and_check();
    }
    free(text);
}

/* Nothing but brackets, all words of parens full or not. */
TEST(test_brackets) {
    char *const text = allocate(40000, 1);
    begin();
    for (size_t half = 1; half < 40; half += 5) {
        memset(text, '[', half);
        memset(text + half, ']', half);
        add(text, 2 * half, 0);
    }
    memset(text, '[', 20000);
    memset(text + 20000, ']', 20000);
    add(text, 40000, 0);
    add(text, 40000, -1);
    add(text, 39999, 0);
    add(text + 1, 39999, 0);
    text[20000] = '}';
    add(text, 40000, 0);
    run_and_check();
    free(text);
}

/* None of the buffers that are not needed need be there. */
TEST(test_nothing) {
    begin();
    recorded r[2] = {{.n = 0}, {.n = 4}};
    for (size_t k = 0; k < COUNT_OF(r); k++) {
        lay_out(&r[k]);
        pm_vk_json_info info = info_of(&r[k]);
        info.partners = info.positions = 0;
        if (r[k].n == 0)
            info.text = info.tokens = info.brackets = info.before = 0;
        else
            memcpy(part(&r[k], TEXT), " \"a\"", r[k].n);
        assert_ok(pm_vk_cmd_json_index(host.commands, reader, &info));
    }
    gpu_commands_run(&host);
    const pm_vk_json_result *const of_nothing = (const void *)part(&r[0], RESULT);
    const pm_vk_json_result *const of_string = (const void *)part(&r[1], RESULT);
    assert_int_equal(of_nothing->tokens, 0);
    assert_int_equal(of_nothing->verdict, PM_VK_JSON_WRONG);
    assert_int_equal(of_string->tokens, 1);
    assert_int_equal(of_string->brackets, 0);
    assert_int_equal(of_string->verdict, PM_VK_JSON_RIGHT);
    block_check(&bench.block);
    block_close(&bench.block);
}

TEST(test_sizes) {
    pm_vk_json_sizes sizes;
    VkDeviceSize scratch = 0;
    for (uint64_t n = 0; n <= UINT32_MAX; n = n * 3 + 1) {
        assert_ok(pm_vk_context_json_sizes(reader, n, n / 8, n / 4, &sizes));
        assert_int_equal(sizes.text.size, (n + 15) / 16 * 16);
        assert_int_equal(sizes.masks.size, (n + 511) / 512 * 64);
        assert_int_equal(sizes.before.size, (n + 511) / 512 * 32);
        assert_int_equal(sizes.partners.size, n / 8 * 4);
        assert_int_equal(sizes.positions.size, n / 4 * 4);
        assert_true(sizes.scratch.size >= scratch);
        assert_true(sizes.scratch.size <= n / 1024 + 13 * (n / 8) + 9216);
        scratch = sizes.scratch.size;
    }
    const uint64_t much = UINT64_C(1) << 32;
    assert_int_equal(pm_vk_context_json_sizes(reader, much, 0, 0, &sizes), PM_TOO_LARGE);
    assert_int_equal(pm_vk_context_json_sizes(reader, 1, much, 0, &sizes), PM_TOO_LARGE);
    assert_int_equal(pm_vk_context_json_sizes(reader, 1, 0, much, &sizes), PM_TOO_LARGE);
    assert_invalid(pm_vk_context_json_sizes(reader, 1, 1, 1, NULL));
    assert_invalid(pm_vk_context_json_sizes(NULL, 1, 1, 1, &sizes));
    assert_invalid(pm_vk_context_json_sizes(matcher, 1, 1, 1, &sizes));
}

TEST(test_bad_texts) {
    const VkDeviceAddress some = 1 << 16;
    const VkCommandBuffer commands = host.commands; /* nothing is recorded to it: nothing has been begun */
    const pm_vk_json_info good = {.struct_size = sizeof good,
                                  .n = 2000,
                                  .bracket_capacity = 10,
                                  .token_capacity = 10,
                                  .text = some,
                                  .tokens = some,
                                  .brackets = some,
                                  .before = some,
                                  .partners = some,
                                  .positions = some,
                                  .result = some,
                                  .scratch = some,
                                  .dispatches = (VkBuffer)(uintptr_t)some};
    pm_vk_json_info bad = good;
    VkDeviceAddress *const addresses[] = {&bad.text,     &bad.tokens,    &bad.brackets, &bad.before,
                                          &bad.partners, &bad.positions, &bad.result,   &bad.scratch};
    for (size_t k = 0; k < COUNT_OF(addresses); k++) {
        bad = good;
        *addresses[k] = 0;
        assert_invalid(pm_vk_cmd_json_index(commands, reader, &bad));
        *addresses[k] = some + 2;
        assert_invalid(pm_vk_cmd_json_index(commands, reader, &bad));
    }
    bad = good;
    bad.dispatches = VK_NULL_HANDLE;
    assert_invalid(pm_vk_cmd_json_index(commands, reader, &bad));
    bad = good;
    bad.dispatches_offset = 2;
    assert_invalid(pm_vk_cmd_json_index(commands, reader, &bad));
    bad = good;
    bad.n = UINT64_C(1) << 32;
    assert_int_equal(pm_vk_cmd_json_index(commands, reader, &bad), PM_TOO_LARGE);
    bad = good;
    bad.struct_size = 8;
    assert_invalid(pm_vk_cmd_json_index(commands, reader, &bad));
    assert_invalid(pm_vk_cmd_json_index(NULL, reader, &good));
    assert_invalid(pm_vk_cmd_json_index(commands, NULL, &good));
    assert_invalid(pm_vk_cmd_json_index(commands, reader, NULL));
    assert_invalid(pm_vk_cmd_json_index(commands, matcher, &good));
}

static void open_more(void) {
    const pm_vk_context_info info = matcher_info(PM_VK_JSON);
    assert_ok(pm_vk_context_create(&info, &reader));
}

static void close_more(void) {
    pm_vk_context_destroy(reader);
}

int main(int argc, char **argv) {
    return vulkan_tests_main(argc, argv, open_more, close_more);
}
