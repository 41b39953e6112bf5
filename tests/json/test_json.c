/* SPDX-License-Identifier: Apache-2.0 */
/* The index of JSON texts: all small texts, mutants of longer ones, borders of words, faults, pointers, memory. */
#include <stdio.h>
#include <string.h>

#include "broadword/json/json.h"
#include "inputs/families.h"
#include "tests/json/model.h"
#include "tests/support/guarded.h"
#include "tests/support/unit.h"

static const char example[] =
    "{ \"name\": \"a \\\"b\\\\\", \"\\u00e9\\n~/\": [1, -2.5e3 ,[ ],{}, [[\"x\"],{\"y\":null}]],\r\n\t\"\": {\"t\": "
    "true,"
    "\"deep\":[[[[{\"k\":[0,{\"q\":\"[{,:}]\"}]}]]]]}, \"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\" : \"\xed\x9f\xbf\", "
    "\"end\":false }\n";

static void expect(const char *text, size_t n) {
    const char *const wrong = json_model_try(text, n);
    if (wrong)
        fail_msg("%s: %.*s", wrong, n < 300 ? (int)n : 300, text);
}

/* Compares with the model in an index that is kept. */
static void expect_kept(pm_json *json, const char *text, size_t n) {
    json_model model;
    pm_diagnostic fault;
    const bool good = json_model_read(&model, text, n);
    const pm_status status = pm_json_read(json, text, n, &fault);
    const char *const wrong = status != (good ? PM_OK : PM_CORRUPT) ? "verdict"
                              : good                                ? json_model_compare(&model, json)
                                                                    : NULL;
    if (wrong)
        fail_msg("%s: %.*s", wrong, n < 300 ? (int)n : 300, text);
    json_model_destroy(&model);
}

static pm_json *index_of(pm_context *context) {
    pm_json *json;
    assert_ok(pm_json_create(context, "0", 1, NULL, &json));
    return json;
}

/* An index by the k-th target, and its context; NULL: this CPU does not have it. */
static pm_json *index_by_target(size_t k, pm_context **context) {
    const pm_options options = {.simd = pm_simd_at(k)->name};
    *context = pm_simd_at(k)->supported ? context_of(&options) : NULL;
    return *context ? index_of(*context) : NULL;
}

/* Every byte inside a string, and outside, by each target. */
TEST(test_every_byte) {
    for (size_t k = 0; pm_simd_at(k); k++) {
        pm_context *context;
        pm_json *const json = index_by_target(k, &context);
        for (unsigned byte = 0; json && byte < 256; byte++) {
            const char quoted[] = {'[', '"', 'a', (char)byte, 'a', '"', ']'}, bare[] = {'[', (char)byte, ']'};
            expect_kept(json, quoted, sizeof quoted);
            expect_kept(json, bare, sizeof bare);
        }
        pm_json_destroy(json);
        pm_context_destroy(context);
    }
}

/* All texts of some letters up to a length, by each target; `before` stands before each. */
static void try_all(const char *letters, size_t longest, size_t before) {
    const size_t count = strlen(letters);
    char text[128];
    memset(text, ' ', sizeof text);
    for (size_t k = 0; pm_simd_at(k); k++) {
        pm_context *context;
        pm_json *const json = index_by_target(k, &context);
        for (size_t length = 0, all = 1; json && length <= longest; length++, all *= count)
            for (size_t number = 0; number < all; number++) {
                size_t left = number;
                for (size_t i = 0; i < length; i++, left /= count)
                    text[before + i] = letters[left % count];
                expect_kept(json, text, before + length);
            }
        pm_json_destroy(json);
        pm_context_destroy(context);
    }
}

TEST(test_all_small_texts) {
    try_all("{}[],:\"", 5, 0);
    try_all("{},:\"1", 5, 61);
    try_all("[],1 ", 6, 60);
    try_all("[]{}", 7, 0);
    try_all("\"\\a", 7, 59);
}

/* Every pair of brackets of objects with members: longer than all texts can be tried. */
TEST(test_small_texts_of_parts) {
    static const char *const parts[] = {"\"a\":", "\"b\"", "{", "}", "[", "]", ",", "1"};
    char text[64];
    pm_json *const json = index_of(NULL);
    for (size_t length = 1, all = 8; length <= 6; length++, all *= 8)
        for (size_t number = 0; number < all; number++) {
            size_t n = 0, left = number;
            for (size_t i = 0; i < length; i++, left /= 8) {
                memcpy(text + n, parts[left % 8], strlen(parts[left % 8]));
                n += strlen(parts[left % 8]);
            }
            expect_kept(json, text, n);
        }
    pm_json_destroy(json);
}

/* The example at each place in a word, cut off at each place. */
TEST(test_borders) {
    char text[sizeof example + 64];
    const size_t n = sizeof example - 1;
    for (size_t before = 0; before < 64; before++) {
        memset(text, ' ', before);
        memcpy(text + before, example, n);
        expect(text, before + n);
    }
    for (size_t length = 0; length < n; length++) {
        char *const exact = allocate(length, 1); /* reading past it is noticed */
        memcpy(exact, example, length);
        expect(exact, length);
        free(exact);
    }
}

/* Writes a container of `count` values, of which the one at `stranger` is what the other sort of container has. */
static size_t container_with_stranger(char *to, bool object, size_t count, size_t stranger, unsigned nested) {
    size_t n = 0;
    to[n++] = object ? '{' : '[';
    for (size_t k = 0; k < count; k++) {
        if (object != (k == stranger)) {
            memcpy(to + n, "\"k\":", 4);
            n += 4;
        }
        for (unsigned bracket = 0; bracket < 2 * nested; bracket++)
            to[n++] = bracket < nested ? '[' : ']';
        to[n++] = k + 1 < count ? ',' : object ? '}' : ']';
    }
    return n;
}

/* Many brackets between a fault and what it does not fit, over all borders of what is read at once. */
TEST(test_strangers_in_containers) {
    static const size_t counts[] = {1, 5, 10, 20, 31, 32, 33, 64, 70};
    static char text[8192];
    for (size_t c = 0; c < COUNT_OF(counts); c++)
        for (unsigned nested = 1; nested <= 4; nested++)
            for (unsigned around = 0; around < 3; around++)
                for (size_t stranger = 0; stranger <= counts[c]; stranger += 1 + counts[c] / 9)
                    for (unsigned variant = 0; variant < 6; variant++) {
                        const bool object = variant % 2;
                        size_t n = PM_JSON_WORDS * PM_WORD_BITS - (variant < 2 ? 4096 : 90 * (variant / 2));
                        memset(text, ' ', n);
                        memset(text + n, '[', around);
                        n += around;
                        n += container_with_stranger(text + n, object, counts[c], stranger, nested);
                        memset(text + n, ']', around);
                        expect(text, n + around);
                    }
}

/* Opens alone and closes alone, many in a row, of both kinds: all as they should be, a close of the other kind, or a
 * container whose only value is what the other kind has. */
TEST(test_many_opens_and_closes) {
    uint64_t seed = 5;
    char text[8192];
    for (unsigned round = 0; round < 600; round++) {
        const size_t depth = 30 + random_below(&seed, 300), wrong = random_below(&seed, depth), variant = round % 3;
        char closes[330];
        size_t n = (size_t)random_below(&seed, 4000);
        memset(text, ' ', n);
        for (size_t k = 0; k < depth; k++) {
            const bool object = random_below(&seed, 2);
            text[n++] = object ? '{' : '[';
            if (object != (variant == 1 && k == wrong)) {
                memcpy(text + n, "\"k\":", 4);
                n += 4;
            }
            closes[depth - 1 - k] = object != (variant == 2 && k == wrong) ? '}' : ']';
        }
        text[n++] = '1';
        memcpy(text + n, closes, depth);
        expect(text, n + depth);
    }
}

TEST(test_mutants) {
    static const char letters[] = "{}[],:\"\\ \n1a\x01\x80\xc3\xe0\xed\xf0\xf4\xff";
    uint64_t seed = 3;
    char text[8 * sizeof example];
    for (unsigned round = 0; round < 3000; round++) {
        size_t n = 0;
        const size_t copies = 1 + random_below(&seed, 6);
        text[n++] = '[';
        for (size_t c = 0; c < copies; c++) {
            memcpy(text + n, example, sizeof example - 1);
            n += sizeof example - 1;
            text[n++] = c + 1 < copies ? ',' : ']';
        }
        for (uint64_t changes = random_below(&seed, 3); changes > 0; changes--) {
            const size_t at = random_below(&seed, n);
            if (random_below(&seed, 2))
                text[at] = letters[random_below(&seed, sizeof letters - 1)];
            else
                text[at] = text[random_below(&seed, n)];
        }
        expect(text, n);
    }
}

/* Every sequence of bytes that UTF-8 forms differ by. */
TEST(test_utf8) {
    static const unsigned char bytes[] = {'a',  '"',  0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf,
                                          0xe0, 0xe1, 0xec, 0xed, 0xee, 0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xff};
    const size_t count = sizeof bytes;
    char text[80];
    for (size_t k = 0; pm_simd_at(k); k++) {
        pm_context *context;
        pm_json *const json = index_by_target(k, &context);
        for (size_t before = 58; json && before < 64; before += 3)
            for (size_t number = 0; number < count * count * count; number++) {
                memset(text, ' ', before);
                text[before] = '"';
                text[before + 1] = (char)bytes[number % count];
                text[before + 2] = (char)bytes[number / count % count];
                text[before + 3] = (char)bytes[number / count / count];
                text[before + 4] = (char)0x80;
                text[before + 5] = '"';
                expect_kept(json, text, before + 6);
                expect_kept(json, text, before + 4);
            }
        pm_json_destroy(json);
        pm_context_destroy(context);
    }
}

/* Long and deep enough for arrays to grow, and for many blocks. */
TEST(test_long_texts) {
    for (unsigned shape = 0; shape < 3; shape++) {
        const size_t half = shape == 1 ? 9000 : 3000, n = shape == 2 ? 40000 : 2 * half + (shape == 1);
        char *const text = allocate(n, 1);
        memset(text, shape == 2 ? 'a' : '[', n);
        if (shape < 2)
            memset(text + n - half, ']', half);
        if (shape == 1)
            text[half] = '1';
        if (shape == 2)
            text[0] = text[n - 1] = '"';
        expect(text, n);
        if (shape == 0) {
            text[n - 1] = '[';
            expect(text, n);
            memset(text, ']', n);
            expect(text, n);
        }
        free(text);
    }
}

/* ---- Faults ---- */

TEST(test_faults) {
    static const struct {
        const char *text;
        pm_fault fault;
        uint64_t at, line, column, length;
    } cases[] = {{"", PM_FAULT_MISPLACED, 0, 1, 1, 0},
                 {" \n", PM_FAULT_MISPLACED, 2, 2, 1, 0},
                 {"[1,]", PM_FAULT_MISPLACED, 3, 1, 4, 1},
                 {"[1,,2]", PM_FAULT_MISPLACED, 3, 1, 4, 1},
                 {"{\n\"a\" 1}", PM_FAULT_MISPLACED, 6, 2, 5, 1},
                 {"{\"a\":1 \"b\":2}", PM_FAULT_MISPLACED, 7, 1, 8, 1},
                 {"{1:2}", PM_FAULT_MISPLACED, 1, 1, 2, 1},
                 {"[1:2]", PM_FAULT_MISPLACED, 2, 1, 3, 1},
                 {"[1] 2", PM_FAULT_TRAILING, 4, 1, 5, 1},
                 {"1,2", PM_FAULT_TRAILING, 1, 1, 2, 1},
                 {"[]]", PM_FAULT_TRAILING, 2, 1, 3, 1},
                 {"]", PM_FAULT_UNMATCHED_CLOSE, 0, 1, 1, 1},
                 {"[[", PM_FAULT_UNMATCHED_OPEN, 1, 1, 2, 1},
                 {"[}", PM_FAULT_KIND_MISMATCH, 1, 1, 2, 1},
                 {"[\"a]", PM_FAULT_UNTERMINATED, 1, 1, 2, 1},
                 {"[\"\xdf\xbf", PM_FAULT_UNTERMINATED, 1, 1, 2, 1},
                 {"[\"a\n\"]", PM_FAULT_BAD_BYTE, 3, 1, 4, 1},
                 {"[\"\x80\"]", PM_FAULT_BAD_BYTE, 2, 1, 3, 1},
                 {"[\"\xdf\xbf \xe0\xa0\x80\xed\x9f\xbf\" 1]", PM_FAULT_MISPLACED, 13, 1, 14, 1},
                 {"[\"\xf0\x90\x80\x80\xf4\x8f\xbf\xbf\xef\xbf\xbf\" 1]", PM_FAULT_MISPLACED, 15, 1, 16, 1},
                 {"[\\\"\"]", PM_FAULT_BAD_BYTE, 1, 1, 2, 1}};
    for (size_t k = 0; k < COUNT_OF(cases); k++) {
        pm_json *json;
        pm_diagnostic fault;
        assert_int_equal(pm_json_create(NULL, cases[k].text, strlen(cases[k].text), &fault, &json), PM_CORRUPT);
        assert_null(json);
        assert_int_equal(fault.fault, cases[k].fault);
        assert_int_equal(fault.at.offset, cases[k].at);
        assert_int_equal(fault.at.line, cases[k].line);
        assert_int_equal(fault.at.column, cases[k].column);
        assert_int_equal(fault.length, cases[k].length);
        assert_int_equal(pm_json_create(NULL, cases[k].text, strlen(cases[k].text), NULL, &json), PM_CORRUPT);
    }
}

/* What is missing at the end has no byte, even where the memory behind the text has one. */
TEST(test_faults_at_the_end) {
    pm_json *json;
    pm_diagnostic fault;
    assert_int_equal(pm_json_create(NULL, " xy", 1, &fault, &json), PM_CORRUPT);
    assert_int_equal(fault.fault, PM_FAULT_MISPLACED);
    assert_int_equal(fault.length, 0);
    assert_int_equal(fault.byte, 0);
}

/* ---- Pointers ---- */

static void expect_pointer(const pm_json *json, const char *text, const char *pointer, const char *value) {
    pm_json_range range;
    assert_ok(pm_json_pointer(json, pointer, strlen(pointer), &range));
    if (!value) {
        assert_int_equal(range.begin, PM_BP_NONE);
        assert_int_equal(range.end, PM_BP_NONE);
        return;
    }
    assert_int_equal(range.end - range.begin, strlen(value));
    assert_memory_equal(text + range.begin, value, strlen(value));
}

TEST(test_pointers_of_the_rfc) {
    static const char text[] = "{\"foo\": [\"bar\", \"baz\"], \"\": 0, \"a/b\": 1, \"c%d\": 2, \"e^f\": 3, \"g|h\": 4,"
                               "\"i\\\\j\": 5, \"k\\\"l\": 6, \" \": 7, \"m~n\": 8}";
    static const char *const cases[][2] = {{"", text},
                                           {"/foo", "[\"bar\", \"baz\"]"},
                                           {"/foo/0", "\"bar\""},
                                           {"/", "0"},
                                           {"/a~1b", "1"},
                                           {"/c%d", "2"},
                                           {"/e^f", "3"},
                                           {"/g|h", "4"},
                                           {"/i\\j", "5"},
                                           {"/k\"l", "6"},
                                           {"/ ", "7"},
                                           {"/m~0n", "8"}};
    pm_json *json;
    assert_ok(pm_json_create(NULL, text, sizeof text - 1, NULL, &json));
    for (size_t k = 0; k < COUNT_OF(cases); k++)
        expect_pointer(json, text, cases[k][0], cases[k][1]);
    static const char *const absent[] = {"/foo/2",
                                         "/foo/-",
                                         "/foo/00",
                                         "/foo/01",
                                         "/foo/",
                                         "/fo",
                                         "/fooo",
                                         "/foo/0/0",
                                         "/m~01n",
                                         "/a/b",
                                         "//",
                                         "/foo/4294967296",
                                         "/foo/99999999999999999999"};
    for (size_t k = 0; k < COUNT_OF(absent); k++)
        expect_pointer(json, text, absent[k], NULL);
    static const char *const bad[] = {"foo", "/~", "/m~2n", "/foo~"};
    pm_json_range range;
    for (size_t k = 0; k < COUNT_OF(bad); k++)
        assert_invalid(pm_json_pointer(json, bad[k], strlen(bad[k]), &range));
    assert_invalid(pm_json_pointer(json, NULL, 1, &range));
    assert_invalid(pm_json_pointer(json, "", 0, NULL));
    assert_int_equal(pm_json_count(json, 0), 10);
    assert_int_equal(pm_json_count(json, 8), 2);
    assert_int_equal(pm_json_count(json, 1), 0);
    pm_json_destroy(json);
}

TEST(test_escaped_keys) {
    static const char text[] =
        "{\"\\u0041\":1,\"\\uD83D\\ude00\":2,\"\\u00E9\":3,\"\\u20ac\\t\":4,\"\\ud83d\":5,"
        "\"\\x\":6,\"\\u12\":7,\"\\udE00\":8,\"\\u0000\":9,\"dup\":10,\"dup\":11,\"\\/\\u002f\":12}";
    pm_json *json;
    assert_ok(pm_json_create(NULL, text, sizeof text - 1, NULL, &json));
    expect_pointer(json, text, "/A", "1");
    expect_pointer(json, text, "/\xf0\x9f\x98\x80", "2");
    expect_pointer(json, text, "/\xc3\xa9", "3");
    expect_pointer(json, text, "/\xe2\x82\xac\t", "4");
    expect_pointer(json, text, "/dup", "10");
    expect_pointer(json, text, "/~1~1", "12");
    static const char *const absent[] = {"/\xed\xa0\xbd", "/x", "/\\x", "/\\u12", "/\xed\xb8\x80", "/u0041"};
    for (size_t k = 0; k < COUNT_OF(absent); k++)
        expect_pointer(json, text, absent[k], NULL);
    pm_json_range range;
    assert_ok(pm_json_pointer(json, "/\0", 2, &range));
    assert_int_equal(text[range.begin], '9');
    pm_json_destroy(json);
}

/* ---- Arguments and memory ---- */

/* Every element of an array by its index, of one digit and of two. */
TEST(test_pointers_into_arrays) {
    static const char text[] = "[10,11,12,13,14,15,16,17,18,19,20,21,22]";
    pm_json *json;
    pm_json_range range;
    assert_ok(pm_json_create(NULL, text, sizeof text - 1, NULL, &json));
    for (unsigned index = 0; index < 13; index++) {
        char pointer[8];
        const int length = snprintf(pointer, sizeof pointer, "/%u", index);
        assert_ok(pm_json_pointer(json, pointer, (size_t)length, &range));
        assert_int_equal(range.begin, 1 + 3 * index);
        assert_int_equal(range.end, 3 + 3 * index);
    }
    assert_ok(pm_json_pointer(json, "/13", 3, &range));
    assert_int_equal(range.begin, PM_BP_NONE);
    assert_ok(pm_json_pointer(json, "/1~", 2, &range)); /* what is behind the pointer is not read */
    assert_int_equal(range.begin, 4);
    static const char *const no_indices[] = {"/:", "/.", "/1:", "/1.", "/ 1", "/+1"};
    for (size_t k = 0; k < COUNT_OF(no_indices); k++) {
        assert_ok(pm_json_pointer(json, no_indices[k], strlen(no_indices[k]), &range));
        assert_int_equal(range.begin, PM_BP_NONE);
    }
    assert_ok(pm_json_pointer(json, NULL, 0, &range)); /* all of it */
    assert_int_equal(range.begin, 0);
    assert_int_equal(range.end, sizeof text - 1);
    pm_json_destroy(json);
}

/* Keys with half a surrogate pair, or a wrong escape, are those of no pointer. */
TEST(test_keys_that_are_no_text) {
    static const char *const keys[] = {"\\ud83d",    "\\ud83dxude00",  "\\ud83d\\nde00", "\\ud83dn\\de00",
                                       "\\ude00",    "\\ud83d\\u0061", "\\ud83d\\ud83d", "\\ud83d\\ude0",
                                       "\\ud83d\\u", "\\ud83d\\"};
    static const char *const pointers[] = {"/\xf0\x9f\x98\x80", "/", "/a", "/\xf0\x9f\x91\xa1", "/\xf0\x9f\x90\xbd"};
    for (size_t k = 0; k < COUNT_OF(keys); k++) {
        char text[64];
        pm_json *json;
        pm_json_range range;
        snprintf(text, sizeof text, "{\"%s\":1}", keys[k]);
        if (pm_json_create(NULL, text, strlen(text), NULL, &json) != PM_OK)
            continue;
        for (size_t p = 0; p < COUNT_OF(pointers); p++) {
            assert_ok(pm_json_pointer(json, pointers[p], strlen(pointers[p]), &range));
            assert_int_equal(range.begin, PM_BP_NONE);
        }
        pm_json_destroy(json);
    }
}

/* Too few digits, or others, stand for no byte, not even for the one that is zero. */
TEST(test_units_of_other_digits) {
    static const char *const keys[] = {"\\u", "\\u12", "\\u00g1", "\\u0000"};
    static const char pointers[][6] = {"/\0",
                                       "/\0"
                                       "12",
                                       "/\0"
                                       "g1",
                                       "/\0"};
    static const size_t lengths[] = {2, 4, 4, 2};
    for (size_t k = 0; k < COUNT_OF(keys); k++) {
        char text[64];
        pm_json *json;
        pm_json_range range;
        snprintf(text, sizeof text, "{\"%s\":1}", keys[k]);
        assert_ok(pm_json_create(NULL, text, strlen(text), NULL, &json));
        assert_ok(pm_json_pointer(json, pointers[k], lengths[k], &range));
        assert_int_equal(range.begin == PM_BP_NONE, k < 3);
        pm_json_destroy(json);
    }
}

/* Escaped characters on both sides of where UTF-8 takes one byte more. */
TEST(test_lengths_of_escaped_characters) {
    static const char text[] =
        "{\"\\u007f\":0,\"\\u0080\":1,\"\\u07ff\":2,\"\\u0800\":3,\"\\uffff\":4,\"\\ud800\\udc00\":5}";
    static const char *const pointers[] = {"/\x7f",         "/\xc2\x80",     "/\xdf\xbf",
                                           "/\xe0\xa0\x80", "/\xef\xbf\xbf", "/\xf0\x90\x80\x80"};
    pm_json *json;
    assert_ok(pm_json_create(NULL, text, sizeof text - 1, NULL, &json));
    for (unsigned k = 0; k < COUNT_OF(pointers); k++) {
        pm_json_range range;
        assert_ok(pm_json_pointer(json, pointers[k], strlen(pointers[k]), &range));
        assert_int_not_equal(range.begin, PM_BP_NONE);
        assert_int_equal(text[range.begin], '0' + (int)k);
    }
    pm_json_destroy(json);
}

/* Any range of a text of several words, with room for some of its tokens. */
TEST(test_ranges_of_tokens) {
    enum {
        N = sizeof example - 1
    };
    uint64_t all[N], found[N];
    pm_json *json;
    assert_ok(pm_json_create(NULL, example, N, NULL, &json));
    const uint64_t count = pm_json_tokens(json, 0, N, N, all);
    assert_int_equal(count, pm_json_token_count(json));
    for (uint64_t begin = 0; begin <= N; begin++)
        for (uint64_t end = begin; end <= N; end += 3) {
            uint64_t first = 0, behind;
            while (first < count && all[first] < begin)
                first++;
            for (behind = first; behind < count && all[behind] < end;)
                behind++;
            const uint64_t capacity = (begin + end) % 7 * 5;
            memset(found, 0xff, sizeof found);
            assert_int_equal(pm_json_tokens(json, begin, end, capacity, found), behind - first);
            for (uint64_t k = 0; k < N; k++)
                assert_int_equal(found[k], k < behind - first && k < capacity ? all[first + k] : UINT64_MAX);
        }
    pm_json_destroy(json);
}

/* The fault is the first wrong byte, and nothing behind the text is read. */
TEST(test_first_fault) {
    static const struct {
        const char *text;
        size_t n, offset;
        pm_fault fault;
    } cases[] = {
        {"\"\xc3\xa9\"", 2, 1, PM_FAULT_BAD_BYTE},
        {"[\"\xc3\xa9\" \x01]", 8, 6, PM_FAULT_MISPLACED},
        {"[\"\xe2\x82\xac\",]", 8, 7, PM_FAULT_MISPLACED},
        {"\"\\\x01\"", 4, 2, PM_FAULT_BAD_BYTE},
    };
    for (size_t k = 0; k < COUNT_OF(cases); k++) {
        pm_json *json;
        pm_diagnostic fault;
        assert_int_equal(pm_json_create(NULL, cases[k].text, cases[k].n, &fault, &json), PM_CORRUPT);
        if (fault.at.offset != cases[k].offset || fault.fault != cases[k].fault)
            fail_msg("case %zu: fault %d at %d", k, (int)fault.fault, (int)fault.at.offset);
    }
}

TEST(test_arguments) {
    pm_json *json;
    assert_invalid(pm_json_create(NULL, "1", 1, NULL, NULL));
    assert_invalid(pm_json_create(NULL, NULL, 1, NULL, &json));
    assert_invalid(pm_json_read(NULL, "1", 1, NULL));
    if (SIZE_MAX > PM_JSON_BYTES_MAX)
        assert_int_equal(pm_json_create(NULL, "1", (size_t)PM_JSON_BYTES_MAX + 1, NULL, &json), PM_TOO_LARGE);
    assert_int_equal(pm_json_create(NULL, NULL, 0, NULL, &json), PM_CORRUPT);
    json = index_of(NULL);
    assert_int_equal(pm_json_read(json, "[", 1, NULL), PM_CORRUPT);
    assert_int_equal(pm_json_root(json), PM_BP_NONE); /* no text now */
    assert_int_equal(pm_json_token_count(json), 0);
    assert_int_equal(pm_json_tokens(json, 0, 9, 0, NULL), 0);
    assert_int_equal(pm_json_kind_of(json, 0), PM_JSON_NONE);
    pm_diagnostic fault;
    assert_int_equal(pm_json_read(json, NULL, 0, &fault), PM_CORRUPT);
    assert_int_equal(fault.fault, PM_FAULT_MISPLACED);
    assert_ok(pm_json_read(json, "[1,[2]]", 7, NULL));
    uint64_t offsets[3] = {9, 9, 9};
    assert_int_equal(pm_json_tokens(json, 1, 5, 2, offsets), 4);
    assert_int_equal(offsets[0], 1);
    assert_int_equal(offsets[1], 2);
    assert_int_equal(offsets[2], 9);
    assert_int_equal(pm_json_skip(json, 6), PM_BP_NONE);
    assert_int_equal(pm_json_skip(json, UINT64_MAX), PM_BP_NONE);
    assert_true(pm_json_size_in_bytes(json) > 7);
    pm_json_destroy(json);
    pm_json_destroy(NULL);
}

/* An index of a text with few brackets is made in four blocks, whatever its length. */
TEST(test_blocks) {
    static const size_t sizes[] = {1, 31, 32, 511, 512, 4096, 20000, 100000};
    for (size_t k = 0; k < COUNT_OF(sizes); k++) {
        char *const text = allocate(sizes[k], 1);
        memset(text, ' ', sizes[k]);
        text[sizes[k] - 1] = '0';
        fault_allocator memory = {0};
        pm_context *const context = context_with(&memory);
        const size_t before = memory.calls;
        pm_json *json;
        assert_ok(pm_json_create(context, text, sizes[k], NULL, &json));
        assert_int_equal(memory.calls - before, 4);
        pm_json_destroy(json);
        context_close(context, &memory);
        free(text);
    }
}

/* As many brackets as there is room for at first, and some more, then as many as are read at once: nothing behind a
 * block is written. */
TEST(test_brackets_at_the_end_of_their_room) {
    enum {
        AT_ONCE = PM_JSON_WORDS * 64,
        N = 3 * AT_ONCE + 1
    };
    char *const text = allocate(N, 1);
    memset(text, ' ', N);
    text[0] = '[';
    memset(text + 2 * AT_ONCE, '[', AT_ONCE / 2);
    memset(text + 2 * AT_ONCE + AT_ONCE / 2, ']', AT_ONCE / 2);
    text[N - 1] = ']';
    for (size_t pairs = 0; pairs < 300; pairs++) {
        guarded_blocks blocks = {.block = {NULL}};
        pm_context *const context = context_of(&(pm_options){.allocator = guarded_allocator(&blocks)});
        pm_json *json;
        assert_ok(pm_json_create(context, text, N, NULL, &json));
        assert_int_equal(pm_json_skip(json, 2 * AT_ONCE), N - 1);
        pm_json_destroy(json);
        pm_context_destroy(context);
        memcpy(text + 1 + 3 * pairs, "[],", 3);
    }
    free(text);
}

/* The size of an index is that of its blocks, at first and when they have grown. */
TEST(test_size) {
    const size_t n = 20000;
    char *const text = allocate(n, 1);
    fault_allocator memory = {0};
    pm_context *const context = context_with(&memory);
    const size_t before = memory.live_bytes;
    pm_json *const json = index_of(context);
    assert_int_equal(pm_json_size_in_bytes(json), memory.live_bytes - before);
    memset(text, '[', n / 2);
    memset(text + n / 2, ']', n / 2);
    assert_ok(pm_json_read(json, text, n, NULL));
    assert_int_equal(pm_json_size_in_bytes(json), memory.live_bytes - before);
    pm_json_destroy(json);
    context_close(context, &memory);
    free(text);
}

/* The header's words. */
static size_t promised_bytes(size_t n, size_t brackets, size_t depth) {
    return n / 64 * 28 + 8 * brackets + 24 * depth + 140000;
}

TEST(test_promised_size) {
    const size_t n = 300000;
    char *const text = allocate(n, 1);
    pm_json *const json = index_of(NULL);
    memset(text, '1', n);
    assert_ok(pm_json_read(json, text, n, NULL));
    assert_in_range(pm_json_size_in_bytes(json), 1, promised_bytes(n, 0, 0));
    pm_json_destroy(json);
    for (size_t depth = 1; depth < n / 2; depth += depth / 50 + 1) {
        pm_json *const nest = index_of(NULL);
        memset(text, '[', depth);
        memset(text + depth, ']', depth);
        assert_ok(pm_json_read(nest, text, 2 * depth, NULL));
        assert_in_range(pm_json_size_in_bytes(nest), 1, promised_bytes(2 * depth, 2 * depth, depth));
        pm_json_destroy(nest);
    }
    free(text);
}

TEST(test_failing_allocations) {
    const size_t n = 20000;
    char *const text = allocate(n, 1);
    memset(text, '[', n / 2);
    memset(text + n / 2, ']', n / 2);
    for (size_t wrong = 0; wrong < 2; wrong++) {
        text[n - 1] = wrong ? '}' : ']';
        for (size_t k = 1;; k++) {
            fault_allocator memory = {.fail_at = 0};
            pm_context *const context = context_with(&memory);
            pm_json *json;
            pm_diagnostic fault;
            memory.fail_at = memory.calls + k;
            const pm_status status = pm_json_create(context, text, n, &fault, &json);
            const bool done = status != PM_OUT_OF_MEMORY;
            if (done)
                assert_int_equal(status, wrong ? PM_CORRUPT : PM_OK);
            else
                assert_null(json);
            pm_json_destroy(json);
            context_close(context, &memory);
            if (done)
                break;
        }
    }
    free(text);
}
