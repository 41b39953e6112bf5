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

/* Bits of the index for an element, of which so many are opens. */
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
        assert_true(faults.live_bytes - before <= 14 * KIB + bytes * (50 + 4 * 26));
        assert_true(faults.peak_bytes - before <= 14 * KIB + bytes * (100 + 4 * 26));
        pm_dict_destroy(dict);
        context_close(context, &faults);
    }
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
    assert_true(faults.live_bytes - before <= 51000);
    for (size_t p = 0; p < count; p++)
        assert_ok(pm_check_push(check, part, length));
    const size_t words = count * length / 64 + 2, open = 56 * words + (nests ? 16 * count : 0);
    /* What of a chunk an entry does not fill is less than a hundredth of it. */
    assert_true(faults.peak_bytes - before <= 51000 + open + open / 100 + (nests ? (size_t)4 : 2) * CHUNK);
    assert_ok(pm_check_finish(check, &summary));
    assert_int_equal(summary.unmatched.open, count);
    pm_check_destroy(check);
    context_close(context, &faults);
}

TEST(test_check) {
    check_check("json", "{", 1, false);
    check_check("json", "\n {  ", 30000, false);
    check_check("javascript", "`${", 40000, true);
}
