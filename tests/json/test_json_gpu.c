/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The index of JSON texts by whatever Vulkan device there is, a software renderer if need be: byte for byte that of
 * pm_json_read(), under the validation layer where that is installed. Skipped (77) where there is no device.
 *   test_json_gpu [ANYTHING [PATTERN]]   PATTERN: of the names of the tests to run
 */
#include <stdlib.h>
#include <string.h>

#include "core/json/json.h"
#include "inputs/families.h"
#include "shaders/json/layout.h"
#include "tests/json/json_texts.h"
#include "tests/support/gpu_fixture.h"
#include "tests/support/unit.h"

enum {
    SLOT_BYTES = PM_INDEX_TILE,
    CANARY = 0x5a
};

static pmi_gpu *gpu;
static pmi_gpu *gpu_of_chunks; /* with small slots, which go up and down by copies, and dispatches that do little */

/* ---- Against the CPU ---- */

/* The arrays of an index, each with canaries behind it. */
typedef struct arrays {
    unsigned char *tokens, *brackets, *before, *partners;
    size_t partners_bytes;
} arrays;

static unsigned char *room(size_t bytes) {
    unsigned char *const made = allocate(bytes + 8, 1);
    memset(made, CANARY, bytes + 8);
    return made;
}

static uint32_t *partners_make(void *user, uint32_t brackets) {
    arrays *const a = user;
    a->partners_bytes = (size_t)brackets * 4;
    a->partners = room(a->partners_bytes);
    return (uint32_t *)(void *)a->partners;
}

static void assert_array(const unsigned char *found, const void *expected, size_t bytes, const char *what,
                         const char *text, size_t n) {
    if (memcmp(found, expected, bytes) != 0)
        fail_msg("%s differ: %.*s", what, n < 300 ? (int)n : 300, text);
    for (size_t k = 0; k < 8; k++)
        assert_int_equal(found[bytes + k], CANARY);
}

/* Makes the index by a device, and compares it with what the host has in `json`. */
static void check_on(pmi_gpu *tested, const pm_json *json, pm_status status, const char *text, size_t n) {
    const size_t words = pmi_json_words(n);
    arrays a = {.tokens = room(words * 8), .brackets = room(words * 8), .before = room(words * 4)};
    pmi_gpu_json found = {.tokens = (uint64_t *)(void *)a.tokens,
                          .brackets = (uint64_t *)(void *)a.brackets,
                          .before = (uint32_t *)(void *)a.before,
                          .partners = partners_make,
                          .user = &a};
    if (pmi_gpu_json_index(tested, text, (uint32_t)n, &found) != status)
        fail_msg("another verdict than %s: %.*s", pm_status_string(status), n < 300 ? (int)n : 300, text);
    if (status == PM_OK) {
        assert_int_equal(found.token_count, json->token_count);
        assert_array(a.tokens, json->found.tokens, words * 8, "tokens", text, n);
        assert_array(a.brackets, json->found.brackets, words * 8, "brackets", text, n);
        assert_array(a.before, json->found.before, words * 4, "brackets before words", text, n);
        assert_array(a.partners, json->partners + 1, a.partners_bytes, "partners", text, n);
    }
    free(a.tokens);
    free(a.brackets);
    free(a.before);
    free(a.partners);
}

static pm_json *index_make(void) {
    pm_json *json;
    assert_ok(pm_json_create(NULL, "0", 1, NULL, &json));
    return json;
}

/* By one device, with an index for the host's results. */
static void check_with(pm_json *json, pmi_gpu *tested, const char *text, size_t n) {
    check_on(tested, json, pm_json_read(json, text, n, NULL), text, n);
}

/* By both devices. The text is of exactly its size, so that sanitizers watch its end. */
static void check(const char *text, size_t n) {
    pm_json *const json = index_make();
    char *const exact = allocate(n, 1);
    memcpy(exact, text, n);
    const pm_status status = pm_json_read(json, exact, n, NULL);
    check_on(gpu, json, status, exact, n);
    check_on(gpu_of_chunks, json, status, exact, n);
    free(exact);
    pm_json_destroy(json);
}

/* ---- Small texts ---- */

/* All texts of some letters up to a length, with a number of blanks before them. */
static void try_all(const char *letters, size_t longest, size_t before) {
    const size_t count = strlen(letters);
    char *const text = allocate(before + longest, 1);
    pm_json *const json = index_make();
    memset(text, ' ', before);
    for (size_t length = 1, all = count; length <= longest; length++, all *= count)
        for (size_t number = 0; number < all; number++) {
            size_t left = number;
            for (size_t i = 0; i < length; i++, left /= count)
                text[before + i] = letters[left % count];
            check_with(json, gpu, text, before + length);
        }
    pm_json_destroy(json);
    free(text);
}

TEST(test_all_small_texts) {
    try_all("{}[],:\"\\a ", 4, 0);
    try_all("{},:\"1", 5, 61);
    try_all("\"\\", 8, PM_INDEX_TILE - 4);
}

/* Containers with members and elements: of up to four parts all, of more parts some. */
TEST(test_small_texts_of_parts) {
    static const char *const parts[] = {"\"a\":", "\"b\"", "{", "}", "[", "]", ",", "1"};
    char text[64];
    pm_json *const json = index_make();
    for (size_t length = 1, all = 8; length <= 6; length++, all *= 8)
        for (size_t number = 0; number<all; number += all> 4096 ? all / 4096 + 3 : 1) {
            size_t n = 0, left = number;
            for (size_t i = 0; i < length; i++, left /= 8) {
                memcpy(text + n, parts[left % 8], strlen(parts[left % 8]));
                n += strlen(parts[left % 8]);
            }
            check_with(json, gpu, text, n);
        }
    pm_json_destroy(json);
}

/* ---- Boundaries ---- */

/* Around words, rows of masks, and tiles. */
TEST(test_boundaries) {
    static const size_t edges[] = {64, 512, PM_INDEX_TILE, 5 * PM_INDEX_TILE};
    char *const text = allocate(6 * PM_INDEX_TILE, 1);
    for (size_t e = 0; e < COUNT_OF(edges); e++)
        for (size_t n = edges[e] - 2; n <= edges[e] + 2; n++)
            for (uint64_t seed = 0; seed < 6; seed++) {
                json_text_make(seed * 99 + n, text, n);
                check(text, n);
            }
    free(text);
}

/* Strings that end with backslashes, over words and tiles. */
TEST(test_backslashes) {
    static const size_t runs[] = {1,
                                  2,
                                  3,
                                  62,
                                  63,
                                  64,
                                  65,
                                  66,
                                  127,
                                  128,
                                  129,
                                  1023,
                                  4096,
                                  PM_INDEX_TILE - 1,
                                  PM_INDEX_TILE,
                                  PM_INDEX_TILE + 1,
                                  3 * PM_INDEX_TILE + 7};
    char *const text = allocate(6 * PM_INDEX_TILE, 1);
    for (size_t r = 0; r < COUNT_OF(runs); r++)
        for (size_t end = 0; end < 5; end++) {
            const size_t begin = PM_INDEX_TILE - 2 - (runs[r] + end) % 64, behind = begin + 3 + runs[r];
            memset(text, ' ', begin);
            memcpy(text + begin, "[\"", 2);
            memset(text + begin + 2, '\\', runs[r]);
            memcpy(text + begin + 2 + runs[r], "\"],[\"]", 6);
            check(text, behind + 1);
            check(text, behind + 5);
            check(text, begin + 2 + runs[r]);
        }
    free(text);
}

/* Long gaps: what is in an array's or an object's is tiles away from the brackets at its ends. */
TEST(test_gaps) {
    static const char *const parts[] = {"[],", "\"k\":[],", "1,", "\"k\":1,", "{},", "\"k\":{},"};
    enum {
        PARTS = 6
    };
    char *const text = allocate(8 * PM_INDEX_TILE, 1);
    for (unsigned number = 0; number < 2 * PARTS * PARTS * PARTS; number++) {
        const bool object = number % 2;
        size_t n = 0;
        text[n++] = object ? '{' : '[';
        for (unsigned k = 0, left = number / 2; k < 3; k++, left /= PARTS) {
            const char *const part = parts[left % PARTS];
            const size_t blanks = k == 0 ? 5 : k * PM_INDEX_TILE + 17;
            memset(text + n, ' ', blanks);
            n += blanks;
            memcpy(text + n, part, strlen(part));
            n += strlen(part);
        }
        text[n - 1] = ' ';
        text[n++] = object ? '}' : ']';
        check(text, n);
    }
    free(text);
}

/* ---- Characters ---- */

/* Sequences of bytes that UTF-8 forms differ by, at the ends of words, tiles and texts. */
TEST(test_utf8) {
    static const unsigned char bytes[] = {'a',  0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc1, 0xc2, 0xdf,
                                          0xe0, 0xe1, 0xed, 0xef, 0xf0, 0xf1, 0xf4, 0xf5, 0xff};
    const size_t count = sizeof bytes;
    char *const text = allocate(PM_INDEX_TILE + 10, 1);
    pm_json *const json = index_make();
    for (size_t number = 0; number < count * count * count; number++) {
        const size_t before = number % 3 == 0 ? PM_INDEX_TILE - 1 - number % 5 : 58 + number % 7;
        memset(text, ' ', before);
        text[before] = '"';
        text[before + 1] = (char)bytes[number % count];
        text[before + 2] = (char)bytes[number / count % count];
        text[before + 3] = (char)bytes[number / count / count];
        text[before + 4] = (char)0x80;
        text[before + 5] = '"';
        check_with(json, gpu, text, before + 6);
    }
    for (size_t length = 1; length < 4; length++) { /* a scalar that the end cuts off */
        memset(text, ' ', 64);
        memcpy(text + 64 - length, "\xf0\x9f\x98\x80", length);
        check_with(json, gpu, text, 64);
        check_with(json, gpu, text, 63);
    }
    pm_json_destroy(json);
    free(text);
}

/* ---- Random ---- */

TEST(test_random) {
    char *const text = allocate(40000, 1);
    for (uint64_t seed = 0; seed < 150; seed++) {
        uint64_t random = seed;
        const size_t n = 2000 + (size_t)random_below(&random, 38000);
        json_text_make(seed, text, n);
        for (uint64_t changes = seed % 3; changes > 0; changes--)
            json_text_change(&random, text, n);
        check(text, n);
    }
    free(text);
}

/* More tiles than a workgroup's lanes, and more than it takes at a time. */
TEST(test_long) {
    const size_t tiles = PM_INDEX_ROW * PM_INDEX_LANES, n = (tiles + 3) * PM_INDEX_TILE + 1;
    char *const text = allocate(n, 1);
    memset(text, ' ', n);
    pm_json *const json = index_make();
    json_text_make(5, text + 1, 300 * PM_INDEX_TILE);
    text[0] = '[';
    memcpy(text + n - 20, ",\"\\\\\":1]", 8);
    check_with(json, gpu, text, n);
    memcpy(text + n - 20, ",\"\\\\\"  ]", 8);
    check_with(json, gpu, text, n);
    memset(text + 301 * PM_INDEX_TILE, '[', PM_INDEX_TILE);
    memset(text + n - PM_INDEX_TILE - 20, ']', PM_INDEX_TILE);
    text[301 * PM_INDEX_TILE - 1] = ',';
    check_with(json, gpu, text, n);
    pm_json_destroy(json);
    free(text);
}

/* ---- The public functions ---- */

static pm_context *context_make(void) {
    const pm_options options = {
        .struct_size = sizeof options, .allow_cpu_device = true, .allocator = fault_allocator_functions(&faults)};
    return context_of(&options);
}

TEST(test_calls) {
    static const char text[] = "{\"a\": [1, \"x\"], \"]\": {}}", wrong[] = "[1, 2}";
    pm_context *const context = context_make();
    pm_json *json;
    pm_diagnostic fault;
    pm_json_range range;
    assert_ok(pm_json_create_gpu(context, text, strlen(text), &fault, &json));
    assert_int_equal(pm_json_partner(json, 0), strlen(text) - 1);
    assert_ok(pm_json_pointer(json, "/a/1", 4, &range));
    assert_int_equal(range.begin, 10);
    assert_int_equal(range.end, 13);
    assert_int_equal(pm_json_read_gpu(context, json, wrong, strlen(wrong), &fault), PM_CORRUPT);
    assert_int_equal(fault.fault, PM_FAULT_KIND_MISMATCH);
    assert_int_equal(fault.at.offset, 5);
    assert_int_equal(pm_json_root(json), PM_BP_NONE);
    assert_int_equal(pm_json_token_count(json), 0);
    assert_int_equal(pm_json_read_gpu(context, json, wrong, strlen(wrong), NULL), PM_CORRUPT);
    assert_int_equal(pm_json_read_gpu(context, json, NULL, 0, &fault), PM_CORRUPT);
    assert_int_equal(fault.fault, PM_FAULT_MISPLACED);
    assert_ok(pm_json_read_gpu(context, json, " \"7\" ", 5, &fault));
    assert_int_equal(pm_json_skip(json, 1), 4);
    pm_json_destroy(json);
    assert_int_equal(pm_json_create_gpu(context, wrong, strlen(wrong), &fault, &json), PM_CORRUPT);
    assert_null(json);
    pm_context_destroy(context);
}

TEST(test_arguments) {
    pm_context *const context = context_make();
    pm_json *json = index_make(), *made;
    assert_invalid(pm_json_read_gpu(NULL, json, "1", 1, NULL));
    assert_invalid(pm_json_read_gpu(context, NULL, "1", 1, NULL));
    assert_invalid(pm_json_read_gpu(context, json, NULL, 1, NULL));
    assert_invalid(pm_json_create_gpu(context, "1", 1, NULL, NULL));
    assert_invalid(pm_json_create_gpu(NULL, "1", 1, NULL, &made));
    assert_invalid(pm_json_create_gpu(context, NULL, 1, NULL, &made));
    assert_null(made);
    if (SIZE_MAX > UINT32_MAX) {
        const size_t n = (size_t)UINT32_MAX + 1;
        assert_int_equal(pm_json_read_gpu(context, json, "1", n, NULL), PM_TOO_LARGE);
    }
    pm_json_destroy(json);
    pm_context_destroy(context);
}

/* Each allocation of the host's fails in turn. */
TEST(test_no_memory) {
    static char text[2000];
    pm_context *const context = context_make();
    pm_json *json;
    json_text_make(1, text, sizeof text);
    assert_ok(pm_json_create_gpu(context, text, sizeof text, NULL, &json));
    pm_json_destroy(json);
    pm_status status = PM_OUT_OF_MEMORY;
    for (size_t k = 1; status != PM_OK; k++) {
        faults.fail_at = faults.calls + k;
        status = pm_json_create_gpu(context, text, sizeof text, NULL, &json);
        assert_int_equal(status == PM_OK, json != NULL);
        assert_true(status == PM_OK ? k == 4 : status == PM_OUT_OF_MEMORY);
    }
    faults.fail_at = 0;
    pm_json_destroy(json);
    pm_context_destroy(context);
}

int main(int argc, char **argv) {
    const gpu_tests_device devices[] = {
        {.gpu = &gpu},
        {.settings = {.chunk_bytes = SLOT_BYTES, .transfer = PM_TRANSFER_STAGED, .dispatch_tiles = 16},
         .gpu = &gpu_of_chunks}};
    return gpu_tests_with(argc, argv, devices, 2);
}
