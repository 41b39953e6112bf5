/* SPDX-License-Identifier: Apache-2.0 */
/* What the header says that objects take of memory: indices, dictionaries and checks, at their worst. */
#include <stdlib.h>
#include <string.h>

#include "inputs/families.h"
#include "tests/support/unit.h"

enum {
    KIB = 1024,
    CHUNK = 16 * KIB /* of a stack; there may be one that is empty */
};

/* Bits of the index for an element of a family. */
static void check_index(const char *family, double bits) {
    static const size_t sizes[] = {0, 1, 1000, 8192, 100000, (1 << 20) + 77, (1 << 22) + 77};
    fault_allocator faults = {0};
    pm_context *context = context_with(&faults);
    const size_t before = faults.live_bytes;
    for (size_t s = 0; s < COUNT_OF(sizes); s++) {
        const size_t n = sizes[s];
        uint64_t *const parens = allocate(n / 64 + 1, sizeof *parens);
        assert_true(family_fill(family, 1, n, parens));
        pm_bp *bp;
        assert_ok(pm_bp_create(context, parens, n, &bp));
        assert_true((double)(faults.live_bytes - before) < bits * (double)n / 8 + KIB);
        pm_bp_destroy(bp);
        const pm_bp_options pioneers = {.structure = PM_BP_PIONEERS};
        faults.peak_bytes = before;
        assert_ok(pm_bp_create_with(context, &pioneers, parens, n, &bp));
        assert_true((double)(faults.live_bytes - before) < (bits + 4) * (double)n / 8 + 2 * KIB);
        assert_true((double)(faults.peak_bytes - before) < (bits + 7) * (double)n / 8 + 2 * KIB);
        pm_bp_destroy(bp);
        free(parens);
    }
    context_close(context, &faults);
}

TEST(test_index) {
    check_index("zigzag", .075);
    check_index("random", .075);
    check_index("closes", .071);
    check_index("opens", .087); /* deep, too */
}

TEST(test_dictionary) {
    static const char *const words[] = {"a", "abracadabra", "zyxwvutsrqponmlkjihgfedcba"};
    for (size_t count = 0; count <= COUNT_OF(words); count++) {
        fault_allocator faults = {0};
        pm_dict *dict;
        pm_context *context = context_with(&faults);
        const size_t before = faults.live_bytes;
        assert_ok(pm_dict_create(context, words, NULL, count, 0, &dict));
        size_t bytes = 0;
        for (size_t w = 0; w < count; w++)
            bytes += strlen(words[w]);
        assert_true(faults.live_bytes - before <= 17 * KIB + bytes * (50 + 4 * 26));
        assert_true(faults.peak_bytes - before <= 17 * KIB + bytes * (100 + 4 * 26));
        pm_dict_destroy(dict);
        context_close(context, &faults);
    }
}

/* Peak bytes of a call on a context whose memory is counted. */
#define assert_takes_at_most(faults, bytes, call)                                                                      \
    do {                                                                                                               \
        const size_t before_call = (faults)->peak_bytes = (faults)->live_bytes;                                        \
        assert_ok(call);                                                                                               \
        assert_true((faults)->peak_bytes - before_call <= (bytes));                                                    \
    } while (0)

/* Patterns of single bytes, up to all of them. */
TEST(test_dictionary_of_bytes) {
    char bytes[256];
    const char *patterns[256];
    size_t lengths[256];
    for (size_t count = 1; count <= 256; count++) {
        bytes[count - 1] = (char)(count - 1);
        patterns[count - 1] = &bytes[count - 1];
        lengths[count - 1] = 1;
        fault_allocator faults = {0};
        pm_dict *dict;
        pm_context *context = context_with(&faults);
        assert_takes_at_most(&faults, 17 * KIB + count * (100 + 4 * count),
                             pm_dict_create(context, patterns, lengths, count, 0, &dict));
        assert_true(pm_dict_size_in_bytes(dict) <= 17 * KIB + count * (50 + 4 * count));
        pm_dict_destroy(dict);
        context_close(context, &faults);
    }
}

/* A search with a long pattern, and scans of trees with and without nodes. */
TEST(test_searches_and_scans) {
    enum {
        LONGEST = 5000,
        N = 100000
    };
    static char pattern[LONGEST + 1], text[N];
    static uint64_t parens[N / 64 + 1];
    static uint64_t values[N], out[N];
    memset(pattern, 'a', LONGEST);
    memset(text, 'a', N);
    fault_allocator faults = {0};
    pm_context *context = context_with(&faults);
    const char *const patterns[] = {pattern};
    pm_dict *dict;
    size_t found;
    assert_ok(pm_dict_create(context, patterns, NULL, 1, 0, &dict));
    assert_takes_at_most(&faults, 512 + 64 * LONGEST, pm_find_seq(context, dict, text, N, NULL, 0, &found));
    pm_dict_destroy(dict);
    const pm_monoid *const sum = pm_monoid_sum_u64();
    for (unsigned opens = 0; opens < 2; opens++) {
        memset(parens, opens ? 0xff : 0, sizeof parens);
        const size_t nodes = opens ? N : 0;
        assert_takes_at_most(&faults, 4 * nodes,
                             pm_tree_scan_down_seq(context, parens, N, sum, PM_SCAN_INCLUSIVE, values, out));
        assert_takes_at_most(&faults, 4 * nodes + 8, pm_tree_reduce_up_seq(context, parens, N, sum, values, out));
    }
    context_close(context, &faults);
}

/* A scene of nothing but opens, in place: every node is open where a part ends. */
TEST(test_boxes_in_place) {
    enum {
        N = 1 << 21
    };
    uint8_t *const kinds = allocate(N, 1);
    pm_box *const boxes = allocate(N, sizeof *boxes);
    memset(kinds, PM_CLIP, N);
    memset(boxes, 0, N * sizeof *boxes);
    fault_allocator faults = {0};
    pm_context *context;
    const pm_options options = {.allocator = fault_allocator_functions(&faults), .threads = 4};
    assert_ok(pm_context_create(&options, &context));
    assert_takes_at_most(&faults, (6 + 16) * (size_t)N, pm_box_omp(context, kinds, boxes, N, boxes));
    context_close(context, &faults);
    free(boxes);
    free(kinds);
}

/* A text of one part over and over, each of which leaves an open and, perhaps, a string with code in it. */
static void check_check(const char *language, const char *part, size_t count, bool nests) {
    const size_t length = strlen(part);
    fault_allocator faults = {0};
    pm_check *check;
    pm_check_summary summary;
    pm_context *context = context_with(&faults);
    const size_t before = faults.live_bytes;
    assert_ok(pm_check_create(context, pm_language_by_name(language), NULL, NULL, NULL, &check));
    assert_true(faults.live_bytes - before <= 68000);
    for (size_t p = 0; p < count; p++)
        assert_ok(pm_check_push(check, part, length));
    const size_t words = count * length / 64 + 2, open = 56 * words + (nests ? 56 * count : 0);
    /* What of a chunk an entry does not fill is less than a hundredth of it. */
    assert_true(faults.peak_bytes - before <= 68000 + open + open / 100 + (nests ? (size_t)4 : 2) * CHUNK);
    assert_ok(pm_check_finish(check, &summary));
    assert_int_equal(summary.unmatched.open, count);
    pm_check_destroy(check);
    context_close(context, &faults);
}

/* Languages with delimiters compile the library's rules. */
TEST(test_compiled_rules) {
    for (size_t i = 0; i < pm_language_count(); i++) {
        const pm_language *const language = pm_language_at(i);
        const size_t rules = pm_language_alphabet(language) ? 0 : 200000;
        fault_allocator faults = {0};
        pm_context *context = context_with(&faults);
        pm_check *check;
        size_t count;
        assert_takes_at_most(&faults, 68000 + rules, pm_check_create(context, language, NULL, NULL, NULL, &check));
        pm_check_destroy(check);
        assert_takes_at_most(&faults, rules, pm_text_scan(context, language, "a", 1, NULL, &count));
        context_close(context, &faults);
    }
}

/* A context keeps what it has compiled for the next call in the same language, and for no other; a check has it until
 * it is destroyed. */
TEST(test_kept_rules) {
    static const char text[] = "<a></a> begin begin end end";
    static const char *const languages[] = {"xml", "sql"};
    static const size_t tokens[] = {2, 4};
    fault_allocator faults = {0};
    pm_context *context = context_with(&faults);
    const size_t before = faults.live_bytes;
    const pm_text_records records = {.struct_size = sizeof records, .separator = '>'};
    for (size_t k = 0; k < 6; k++) {
        const pm_language *const language = pm_language_by_name(languages[k % 2]);
        size_t count;
        assert_ok(pm_text_scan(context, language, text, strlen(text), NULL, &count));
        assert_int_equal(count, tokens[k % 2]);
        const size_t kept = faults.live_bytes;
        assert_true(kept > before && kept - before <= 192000);
        faults.peak_bytes = kept;
        assert_ok(pm_text_scan(context, language, text, strlen(text), NULL, &count));
        assert_int_equal(count, tokens[k % 2]);
        assert_ok(pm_text_scan_records(context, language, text, strlen(text), &records, NULL, &count, NULL));
        assert_true(faults.live_bytes == kept && faults.peak_bytes - kept <= 8 * KIB);
        pm_check *check;
        pm_check_summary summary;
        assert_ok(pm_check_create(context, language, NULL, NULL, NULL, &check));
        assert_true(faults.live_bytes - kept <= 68000);
        assert_ok(pm_text_scan(context, pm_language_by_name("html"), text, strlen(text), NULL, &count));
        assert_ok(pm_check_text(check, text, strlen(text), &summary));
        assert_int_equal(summary.brackets, tokens[k % 2]);
        pm_check_destroy(check);
    }
    context_close(context, &faults);
}

TEST(test_check) {
    check_check("json", "{", 1, false);
    check_check("json", "\n {  ", 30000, false);
    check_check("javascript", "`${", 40000, true);
}
