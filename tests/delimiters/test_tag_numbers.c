/* SPDX-License-Identifier: Apache-2.0 */
/* Which names are one: every byte at every place of a name, and names that are read in several pieces. */
#include "core/delimiters/token_scan.h"

#include <string.h>

#include "core/context/context.h"
#include "tests/support/guarded.h"
#include "tests/support/unit.h"

enum {
    BYTES = 256,
    LENGTH_MOST = 20 /* two pieces of eight bytes, and some more */
};

static pmi_tag_numbers names_of(const unsigned char *text, size_t n, bool ignore_case) {
    return (pmi_tag_numbers){.allocator = pm_context_allocator(NULL), .text = text, .n = n, .ignore_case = ignore_case};
}

/* Names that differ in the byte at one place are as many names as there are bytes, where capitals are not small
 * letters. */
static void check_bytes(size_t length, size_t place, bool ignore_case) {
    unsigned char text[BYTES * LENGTH_MOST];
    memset(text, 'n', sizeof text);
    for (size_t byte = 0; byte < BYTES; byte++)
        text[byte * length + place] = (unsigned char)byte;
    pmi_tag_numbers names = names_of(text, BYTES * length, ignore_case);
    uint32_t numbers[BYTES];
    for (int byte = 0; byte < BYTES; byte++) {
        const uint32_t told = names.numbered; /* a new name is given this number */
        pmi_name *const name = pmi_tag_numbers_find(&names, 0, (size_t)byte * length, length);
        assert_non_null(name);
        numbers[byte] = pmi_tag_numbers_number(&names, name);
        const bool is_known = ignore_case && byte >= 'a' && byte <= 'z';
        assert_int_equal(numbers[byte], is_known ? numbers[byte - 'a' + 'A'] : told);
    }
    assert_int_equal(names.numbered, ignore_case ? BYTES - 26 : BYTES);
    pmi_tag_numbers_clear(&names);
}

TEST(test_every_byte) {
    for (size_t length = 1; length <= LENGTH_MOST; length++)
        for (size_t place = 0; place < length; place++) {
            check_bytes(length, place, false);
            check_bytes(length, place, true);
        }
}

/* The end of the text may be nearer than a piece is long, and what stands behind a name does not count. */
TEST(test_beginnings_and_ends) {
    static const char letters[] = "abcdefghijklmnop abcdefghijklmnop";
    const size_t n = sizeof letters - 1, second = n - 16;
    guarded_memory memory = guarded_allocate(n);
    const unsigned char *const text = memory.end - n;
    memcpy(memory.end - n, letters, n);
    pmi_tag_numbers names = names_of(text, n, false);
    for (uint32_t length = 1; length <= 16; length++) {
        pmi_name *const name = pmi_tag_numbers_find(&names, 0, 0, length);
        assert_int_equal(pmi_tag_numbers_number(&names, name), length - 1);
        assert_int_equal(pmi_tag_numbers_number(&names, pmi_tag_numbers_find(&names, 0, second, length)), length - 1);
    }
    for (uint32_t length = 1; length < 16; length++) /* ends of the text */
        assert_int_equal(pmi_tag_numbers_number(&names, pmi_tag_numbers_find(&names, 0, n - length, length)),
                         15 + length);
    pmi_tag_numbers_clear(&names);
    guarded_free(&memory);
}

TEST(test_families) {
    const char *const text = "a a";
    pmi_tag_numbers names = names_of((const unsigned char *)text, 3, false);
    assert_int_equal(pmi_tag_numbers_number(&names, pmi_tag_numbers_find(&names, 0, 0, 1)), 0);
    assert_int_equal(pmi_tag_numbers_number(&names, pmi_tag_numbers_find(&names, 1, 0, 1)), 1);
    assert_int_equal(pmi_tag_numbers_number(&names, pmi_tag_numbers_find(&names, 0, 2, 1)), 0);
    assert_int_equal(pmi_tag_numbers_number(&names, pmi_tag_numbers_find(&names, 1, 2, 1)), 1);
    pmi_tag_numbers_clear(&names);
}

/* Many names in two families, so that some are looked for where those of the other family are. */
TEST(test_families_of_many) {
    enum {
        NAMES = 5000
    };
    uint32_t *const text = allocate(NAMES, sizeof *text);
    pmi_tag_numbers names = names_of((const unsigned char *)text, NAMES * sizeof *text, false);
    for (uint32_t k = 0; k < NAMES; k++)
        text[k] = k;
    for (uint32_t k = 0; k < 2 * NAMES; k++) {
        pmi_name *const name = pmi_tag_numbers_find(&names, k % 2, k / 2 * sizeof *text, sizeof *text);
        assert_int_equal(pmi_tag_numbers_number(&names, name), k);
    }
    pmi_tag_numbers_clear(&names);
    free(text);
}

/* Finds n names of two pieces. With user, the second undoes what the key of an empty table makes of the first. */
static void find_names(size_t n, void *user) {
    uint64_t *const text = allocate(2 * n, sizeof *text);
    pmi_tag_numbers names = names_of((const unsigned char *)text, 2 * n * sizeof *text, false);
    for (size_t k = 0; k < n; k++) {
        text[2 * k] = k;
        text[2 * k + 1] = user ? pmi_tag_numbers_mix(names.key, 0, k) : k * k;
    }
    for (size_t k = 0; k < n; k++) {
        pmi_name *const name = pmi_tag_numbers_find(&names, 0, 16 * k, 16);
        if (!name || pmi_tag_numbers_number(&names, name) != k)
            fail_msg("name %zu", k);
    }
    pmi_tag_numbers_clear(&names);
    free(text);
}

/* Names that were chosen to have equal hashes take about the time of others, not one that grows with their square. */
TEST(test_equal_hashes) {
    char chosen;
    assert_true(takes_at_most(5, (timed_work){find_names, 20000, &chosen}, (timed_work){find_names, 20000, NULL}));
}
