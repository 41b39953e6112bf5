/* SPDX-License-Identifier: Apache-2.0 */
/* Dictionaries: what can be made of which patterns, the two machines by themselves, and saved ones. */
#define _DEFAULT_SOURCE /* mkstemp */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/checksum.h"
#include "base/dict.h"
#include "core/context/context.h"
#include "core/find/dict_compile.h"
#include "inputs/families.h"
#include "tests/find/word_sets.h"
#include "tests/support/unit.h"

static void assert_refused(const char *const *patterns, const size_t *lengths, size_t count, unsigned flags,
                           pm_status expected) {
    pm_dict *dict = (pm_dict *)(uintptr_t)&dict;
    assert_int_equal(pm_dict_create(NULL, patterns, lengths, count, flags, &dict), expected);
    assert_null(dict);
}

TEST(test_arguments) {
    const char *const patterns[] = {"one", "two", "", "Two", "three", "one", NULL};
    const size_t nul[] = {3, 0}, lengths[] = {3, 3}, huge[] = {3, SIZE_MAX};
    pm_dict *dict;
    assert_invalid(pm_dict_create(NULL, patterns, lengths, 2, 0, NULL));
    assert_refused(NULL, lengths, 1, 0, PM_INVALID_ARGUMENT);
    assert_refused(patterns, lengths, 2, 2, PM_INVALID_ARGUMENT);
    assert_refused(patterns, nul, 2, 0, PM_INVALID_ARGUMENT);
    assert_refused(patterns, huge, 2, 0, PM_TOO_LARGE);
    assert_refused(patterns, NULL, SIZE_MAX, 0, PM_TOO_LARGE);
    assert_refused(patterns, NULL, 3, 0, PM_INVALID_ARGUMENT);
    assert_refused(patterns + 3, NULL, 4, 0, PM_INVALID_ARGUMENT);
    assert_ok(pm_dict_create(NULL, patterns, NULL, 2, 0, &dict));
    size_t length;
    assert_int_equal(pm_dict_count(dict), 2);
    assert_int_equal(pm_dict_longest(dict), 3);
    assert_memory_equal(pm_dict_pattern_at(dict, 1, &length), "two", 3);
    assert_int_equal(length, 3);
    assert_non_null(pm_dict_pattern_at(dict, 0, NULL));
    assert_null(pm_dict_pattern_at(dict, 2, &length));
    pm_dict_destroy(dict);
    pm_dict_destroy(NULL);
}

TEST(test_equal_patterns) {
    const char *const patterns[] = {"one", "two", "Two", "one"};
    pm_dict *dict;
    assert_refused(patterns, NULL, 4, 0, PM_INVALID_ARGUMENT);
    assert_refused(patterns, NULL, 3, PM_DICT_IGNORE_CASE, PM_INVALID_ARGUMENT);
    assert_ok(pm_dict_create(NULL, patterns, NULL, 3, 0, &dict));
    pm_dict_destroy(dict);
    const char *const near[] = {"[", "{", "@", "`", "\xc0", "\xe0"}; /* as far apart as a letter's cases */
    assert_ok(pm_dict_create(NULL, near, NULL, 6, PM_DICT_IGNORE_CASE, &dict));
    pm_dict_destroy(dict);
}

static void assert_fault(const char *const *patterns, const size_t *lengths, size_t count, unsigned flags,
                         const char *reason, size_t pattern, size_t equal) {
    pm_dict *dict;
    pm_dict_fault fault;
    assert_int_not_equal(pm_dict_create_explained(NULL, patterns, lengths, count, flags, &dict, &fault), PM_OK);
    assert_null(dict);
    assert_non_null(strstr(fault.reason, reason));
    assert_true(fault.pattern == pattern && fault.equal == equal);
}

/* Which pattern is at fault, and which limit was passed. */
TEST(test_faults) {
    const char *const patterns[] = {"one", "two", "three", "Two", "one", "", NULL};
    const size_t huge[] = {3, SIZE_MAX};
    assert_fault(patterns, NULL, 5, 0, "equal", 4, 0);
    assert_fault(patterns, NULL, 4, PM_DICT_IGNORE_CASE, "equal", 3, 1);
    assert_fault(patterns, NULL, 6, 0, "empty", 5, SIZE_MAX);
    assert_fault(patterns, NULL, 7, 0, "NULL", 6, SIZE_MAX);
    assert_fault(patterns, huge, 2, 0, "more than 2147483646 bytes", 1, SIZE_MAX);
    assert_fault(patterns, NULL, SIZE_MAX, 0, "more than 2147483646 bytes", SIZE_MAX, SIZE_MAX);
    for (size_t count = 20; count <= 2000; count *= 10) { /* sorted by insertion, and not */
        char names[2001][6];
        const char *all[2001];
        for (size_t k = 0; k <= count; k++) {
            snprintf(names[k], sizeof names[k], "n%zu", k == count ? count / 3 : k);
            all[k] = names[k];
        }
        assert_fault(all, NULL, count + 1, 0, "equal", count, count / 3);
    }
    pm_dict *dict;
    pm_dict_fault fault = {"?", 1, 1};
    assert_ok(pm_dict_create_explained(NULL, patterns, NULL, 4, 0, &dict, &fault));
    assert_true(!fault.reason && fault.pattern == SIZE_MAX && fault.equal == SIZE_MAX);
    pm_dict_destroy(dict);
}

TEST(test_no_patterns) {
    pm_dict *dict;
    size_t found = 1;
    assert_ok(pm_dict_create(NULL, NULL, NULL, 0, 0, &dict));
    assert_int_equal(pm_dict_longest(dict), 0);
    assert_ok(pm_find_seq(NULL, dict, "text", 4, NULL, 0, &found));
    assert_int_equal(found, 0);
    pm_dict_destroy(dict);
}

/* Every byte is a pattern, so that there is no class of others. */
TEST(test_every_byte) {
    char bytes[256];
    const char *patterns[256];
    size_t lengths[256];
    for (unsigned byte = 0; byte < 256; byte++) {
        bytes[byte] = (char)byte;
        patterns[byte] = &bytes[byte];
        lengths[byte] = 1;
    }
    pm_dict *dict;
    pm_hit hits[256];
    size_t found;
    assert_ok(pm_dict_create(NULL, patterns, lengths, 256, 0, &dict));
    assert_int_equal(dict->classes, 256);
    assert_ok(pm_find_seq(NULL, dict, bytes, 256, hits, 256, &found));
    assert_int_equal(found, 256);
    for (unsigned byte = 0; byte < 256; byte++)
        assert_true(hits[byte].start == byte && hits[byte].pattern == byte);
    pm_dict_destroy(dict);
}

/* The longest pattern that the text begins with, by definition. */
static uint32_t longest_by_definition(const word_set *set, const char *text, size_t n) {
    pm_hit hits[64];
    const size_t found = word_set_find(set, text, n, hits, 64);
    uint32_t longest = PM_NONE;
    assert_true(found <= 64);
    for (size_t h = 0; h < found && hits[h].start == 0; h++)
        if (longest == PM_NONE || hits[h].length > set->lengths[longest])
            longest = hits[h].pattern;
    return longest;
}

/* Both machines, and what patterns begin with, on patterns and on random texts. */
TEST(test_machines) {
    for (uint64_t seed = 0; seed < 300; seed++) {
        word_set set;
        const unsigned letters = 1 + (unsigned)(seed % 16);
        assert_true(word_set_random(&set, seed, seed % 40, 1 + seed % 7, letters, seed % 2));
        pm_dict *dict = word_set_dict(&set);
        for (uint32_t p = 0; p < set.count; p++) {
            const pmi_dict_pattern *const pattern = &dict->patterns[p];
            uint32_t nested = 1, least = p, shorter = PM_NONE;
            for (uint32_t q = 0; q < set.count; q++) {
                if (q == p || set.lengths[q] >= set.lengths[p] ||
                    longest_by_definition(&(word_set){&set.patterns[q], &set.lengths[q], 1, NULL, 0, set.flags},
                                          set.patterns[p], set.lengths[q]) == PM_NONE)
                    continue;
                nested++;
                least = q < least ? q : least;
                shorter = shorter == PM_NONE || set.lengths[q] > set.lengths[shorter] ? q : shorter;
            }
            assert_int_equal(pattern->shorter, shorter);
            assert_int_equal(pattern->nested, nested);
            assert_int_equal(pattern->least, least);
        }
        char text[12];
        for (uint64_t round = 0; round < 30; round++) {
            word_text_random(seed * 100 + round, letters, text, sizeof text);
            const size_t n = round % (sizeof text + 1);
            assert_int_equal(pmi_dict_longest_at(dict, (unsigned char *)text, n), longest_by_definition(&set, text, n));
        }
        pm_dict_destroy(dict);
        word_set_clear(&set);
    }
}

/* The rows of thousands of nodes lie in each other's gaps. */
TEST(test_compact) {
    word_set set;
    assert_true(word_set_random(&set, 7, 3000, 12, 16, 0));
    pm_dict *dict = word_set_dict(&set);
    size_t used = 0;
    for (size_t i = 0; i < dict->node_room; i++)
        used += i == 0 || dict->nodes[i].parent != PM_NONE;
    assert_true(used * 3 > dict->node_room * 2);
    for (uint32_t p = 0; p < set.count; p++)
        assert_int_equal(pmi_dict_longest_at(dict, (const unsigned char *)set.patterns[p], set.lengths[p]), p);
    assert_true(pm_dict_size_in_bytes(dict) >
                dict->states * 16 * sizeof(int32_t) + dict->node_room * sizeof *dict->nodes);
    pm_dict_destroy(dict);
    word_set_clear(&set);
}

TEST(test_no_memory) {
    word_set set;
    assert_true(word_set_random(&set, 1, 50, 5, 16, 0));
    size_t fail_at = 1;
    for (pm_status status = PM_OUT_OF_MEMORY; status != PM_OK; fail_at++) {
        fault_allocator faults = {.fail_at = fail_at + 1}; /* the first is the context */
        pm_dict *dict;
        pm_context *context = context_with(&faults);
        status = pm_dict_create(context, set.patterns, set.lengths, set.count, 0, &dict);
        assert_true(status == PM_OK || status == PM_OUT_OF_MEMORY);
        assert_true((status == PM_OK) == (dict != NULL));
        pm_dict_destroy(dict);
        context_close(context, &faults);
    }
    assert_true(fail_at > 10);
    word_set_clear(&set);
}

/* ---- Saved ---- */

/* A file in a folder for such; its path stays valid until the next. */
static const char *temporary_file(void) {
    static char path[64];
    strcpy(path, "/tmp/parenmatch-dict-XXXXXX");
    const int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    close(descriptor);
    return path;
}

static void write_file(const char *path, const void *bytes, size_t size) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    fclose(file);
}

static void assert_same(const pm_dict *a, const pm_dict *b) {
    assert_int_equal(a->flags, b->flags);
    assert_int_equal(a->count, b->count);
    for (size_t p = 0; p < a->count; p++) {
        size_t length, other_length;
        const char *const bytes = pm_dict_pattern_at(a, p, &length);
        const char *const other = pm_dict_pattern_at(b, p, &other_length);
        assert_int_equal(length, other_length);
        assert_memory_equal(bytes, other, length);
    }
    assert_int_equal(pm_dict_size_in_bytes(a), pm_dict_size_in_bytes(b));
}

TEST(test_round_trip) {
    const char *const path = temporary_file();
    for (uint64_t seed = 0; seed < 12; seed++) {
        word_set set;
        assert_true(word_set_random(&set, seed, seed * seed, 9, 16, seed % 2));
        pm_dict *dict = word_set_dict(&set), *loaded;
        assert_ok(pm_dict_save(dict, path));
        assert_ok(pm_dict_load(NULL, path, &loaded));
        assert_same(dict, loaded);
        pm_dict_destroy(dict);
        pm_dict_destroy(loaded);
        word_set_clear(&set);
    }
    remove(path);
}

/* Every byte, changed in every bit at once and in one; and every length. */
TEST(test_damage) {
    word_set set;
    assert_true(word_set_random(&set, 5, 12, 9, 16, 0));
    pm_dict *dict = word_set_dict(&set);
    const pm_allocator allocator = pm_context_allocator(NULL);
    size_t size;
    unsigned char *const file = pmi_dict_pack(dict, &size);
    pm_dict *made = NULL;
    for (size_t i = 0; i < size; i++)
        for (unsigned m = 0; m < 2; m++) {
            const unsigned char mask = (unsigned char)(m ? 1u << i % 8 : 0xff);
            file[i] ^= mask;
            assert_int_equal(pmi_dict_unpack(&allocator, file, size, &made), PM_CORRUPT);
            assert_null(made);
            file[i] ^= mask;
        }
    const char *const path = temporary_file();
    for (size_t cut = 0; cut < size; cut++) {
        assert_int_equal(pmi_dict_unpack(&allocator, file, cut, &made), PM_CORRUPT);
        write_file(path, file, cut);
        assert_int_equal(pm_dict_load(NULL, path, &made), PM_CORRUPT);
        assert_null(made);
    }
    unsigned char *const longer = allocate(size + 8, 1);
    memcpy(longer, file, size);
    memset(longer + size, 0, 8);
    write_file(path, longer, size + 1);
    assert_int_equal(pm_dict_load(NULL, path, &made), PM_CORRUPT);
    assert_int_equal(pmi_dict_unpack(&allocator, longer, size + 8, &made), PM_CORRUPT);
    assert_ok(pmi_dict_unpack(&allocator, file, size, &made));
    assert_same(dict, made);
    pm_dict_destroy(made);
    pm_dict_destroy(dict);
    free(longer);
    pmi_memory_free(&allocator, file);
    remove(path);
    word_set_clear(&set);
}

/* Sums that are right do not make a dictionary. */
TEST(test_well_summed_nonsense) {
    const pm_allocator allocator = pm_context_allocator(NULL);
    const char *const patterns[] = {"same", "some"};
    pm_dict *dict, *made = NULL;
    assert_ok(pm_dict_create(NULL, patterns, NULL, 2, 0, &dict));
    memcpy(dict->bytes, "some", 4);
    size_t size;
    unsigned char *file = pmi_dict_pack(dict, &size);
    assert_int_equal(pmi_dict_unpack(&allocator, file, size, &made), PM_CORRUPT); /* two equal patterns */
    pmi_memory_free(&allocator, file);
    dict->patterns[0].length = UINT32_MAX;
    file = pmi_dict_pack(dict, &size);
    assert_int_equal(pmi_dict_unpack(&allocator, file, size, &made), PM_CORRUPT); /* longer than the file */
    pmi_memory_free(&allocator, file);
    dict->flags = 8;
    file = pmi_dict_pack(dict, &size);
    assert_int_equal(pmi_dict_unpack(&allocator, file, size, &made), PM_CORRUPT);
    ((pmi_dict_file_header *)(void *)file)->byte_order = UINT32_C(0x04030201);
    assert_int_equal(pmi_dict_unpack(&allocator, file, size, &made), PM_UNSUPPORTED);
    pmi_memory_free(&allocator, file);
    assert_null(made);
    pm_dict_destroy(dict);
}

/* A short file whose header claims the most is found out before there is memory for what it claims. */
TEST(test_claims) {
    const char *const patterns[] = {"same", "some"}, *const path = temporary_file();
    fault_allocator memory = {0};
    pm_context *const context = context_with(&memory);
    pm_dict *dict, *made;
    size_t size;
    assert_ok(pm_dict_create(context, patterns, NULL, 2, 0, &dict));
    unsigned char *const file = pmi_dict_pack(dict, &size);
    pmi_dict_file_header *const header = (pmi_dict_file_header *)(void *)file;
    header->bytes_size = PM_DICT_BYTES_MAX;
    header->header_sum = pmi_checksum_of(header, offsetof(pmi_dict_file_header, header_sum) / sizeof(uint64_t));
    write_file(path, file, size);
    const size_t before = memory.peak_bytes;
    assert_int_equal(pm_dict_load(context, path, &made), PM_CORRUPT);
    assert_int_equal(memory.peak_bytes, before);
    pmi_memory_free(&dict->allocator, file);
    pm_dict_destroy(dict);
    context_close(context, &memory);
    remove(path);
}

#ifndef _WIN32 /* without links that everyone may make, and devices in a folder */
/* Nothing is written through a link. */
TEST(test_save_to_a_link) {
    const char *const path = temporary_file();
    pm_dict *dict;
    assert_ok(pm_dict_create(NULL, NULL, NULL, 0, 0, &dict));
    remove(path);
    assert_int_equal(symlink("/nowhere/at/all", path), 0);
    assert_int_equal(pm_dict_save(dict, path), PM_IO);
    remove(path);
    assert_ok(pm_dict_save(dict, path));
    remove(path);
    pm_dict_destroy(dict);
}

TEST(test_save_to_a_device) {
    pm_dict *dict;
    assert_ok(pm_dict_create(NULL, NULL, NULL, 0, 0, &dict));
    assert_int_equal(pm_dict_save(dict, "/dev/full"), PM_IO);
    pm_dict_destroy(dict);
}
#endif

TEST(test_file_arguments) {
    pm_dict *dict, *made = (pm_dict *)(uintptr_t)&dict;
    assert_ok(pm_dict_create(NULL, NULL, NULL, 0, 0, &dict));
    assert_invalid(pm_dict_save(dict, NULL));
    assert_invalid(pm_dict_save(NULL, "/dev/null"));
    assert_int_equal(pm_dict_save(dict, "/nowhere/at/all"), PM_IO);
    assert_invalid(pm_dict_load(NULL, "/nowhere/at/all", NULL));
    assert_invalid(pm_dict_load(NULL, NULL, &made));
    assert_null(made);
    assert_int_equal(pm_dict_load(NULL, "/nowhere/at/all", &made), PM_IO);
    assert_int_equal(pm_dict_load(NULL, "/dev/null", &made), PM_CORRUPT);
    assert_int_equal(pm_dict_load(NULL, "/", &made), PM_IO);
    pm_dict_destroy(dict);
}
