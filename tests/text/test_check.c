/* SPDX-License-Identifier: Apache-2.0 */
/* The check of texts against a plain one: a stack of offsets, and lines and columns counted from the start each time.
 */
#include <stdlib.h>
#include <string.h>

#include "inputs/families.h"
#include "parenmatch.h"
#include "tests/support/unit.h"
#include "tests/text/place.h"

enum {
    TEXT_MAX = 1 << 16
};

typedef struct findings {
    pm_diagnostic *list;
    size_t count, room;
    size_t wanted; /* the reporter asks for no more than these */
} findings;

static bool collect(const pm_diagnostic *diagnostic, void *user) {
    findings *found = user;
    if (found->count == found->wanted)
        return false;
    if (found->count == found->room) {
        found->room = 2 * found->room + 16;
        found->list = realloc(found->list, found->room * sizeof *found->list);
        assert_non_null(found->list);
    }
    found->list[found->count++] = *diagnostic;
    return true;
}

/* The places of all n bytes. */
static pm_place *places_of(const char *text, size_t n) {
    pm_place *places = allocate((n + 1) * sizeof *places, 1);
    places[0] = (pm_place){0, 1, 1};
    for (size_t i = 0; i < n; i++) {
        const bool newline = text[i] == '\n';
        places[i + 1] = (pm_place){i + 1, places[i].line + newline, newline ? 1 : places[i].column + 1};
    }
    return places;
}

/* What a check of a text without strings or comments must find, with the brackets ()[]{}<>. */
static pm_check_summary check_by_definition(const char *text, size_t n, findings *found) {
    static const char brackets[] = "()[]{}<>";
    uint64_t *stack = allocate((n + 1) * sizeof *stack, 1);
    pm_place *places = places_of(text, n);
    uint64_t depth = 0;
    pm_check_summary summary = {.bytes = n};
    for (size_t i = 0; i < n; i++) {
        summary.lines += text[i] == '\n' || i == n - 1;
        const char *bracket = text[i] ? strchr(brackets, text[i]) : NULL;
        if (!bracket)
            continue;
        summary.brackets++;
        if ((bracket - brackets) % 2 == 0) {
            stack[depth++] = i;
            summary.max_depth = depth > summary.max_depth ? depth : summary.max_depth;
        } else if (depth == 0) {
            summary.unmatched.close++;
            collect(&(pm_diagnostic){.fault = PM_FAULT_UNMATCHED_CLOSE, .at = places[i], .byte = text[i]}, found);
        } else if (text[stack[--depth]] != bracket[-1]) {
            summary.mismatched++;
            collect(&(pm_diagnostic){.fault = PM_FAULT_KIND_MISMATCH,
                                     .at = places[i],
                                     .byte = text[i],
                                     .partner = places[stack[depth]],
                                     .partner_byte = text[stack[depth]]},
                    found);
        }
    }
    summary.unmatched.open = depth;
    for (uint64_t i = 0; i < depth; i++)
        collect(&(pm_diagnostic){.fault = PM_FAULT_UNMATCHED_OPEN, .at = places[stack[i]], .byte = text[stack[i]]},
                found);
    free(places);
    free(stack);
    return summary;
}

static void assert_same_place(pm_place a, pm_place b) {
    assert_int_equal(a.offset, b.offset);
    assert_int_equal(a.line, b.line);
    assert_int_equal(a.column, b.column);
}

static void assert_same_findings(const findings *a, const findings *b) {
    assert_int_equal(a->count, b->count);
    for (size_t i = 0; i < a->count; i++) {
        assert_int_equal(a->list[i].fault, b->list[i].fault);
        assert_same_place(a->list[i].at, b->list[i].at);
        assert_int_equal(a->list[i].byte, b->list[i].byte);
        assert_same_place(a->list[i].partner, b->list[i].partner);
        assert_int_equal(a->list[i].partner_byte, b->list[i].partner_byte);
    }
}

static void assert_same_summary(const pm_check_summary *a, const pm_check_summary *b) {
    assert_int_equal(a->bytes, b->bytes);
    assert_int_equal(a->lines, b->lines);
    assert_int_equal(a->brackets, b->brackets);
    assert_int_equal(a->max_depth, b->max_depth);
    assert_int_equal(a->unmatched.close, b->unmatched.close);
    assert_int_equal(a->unmatched.open, b->unmatched.open);
    assert_int_equal(a->mismatched, b->mismatched);
    assert_int_equal(a->unterminated, b->unterminated);
}

static pm_alphabet four_kinds(void) {
    pm_alphabet alphabet;
    assert_ok(pm_alphabet_from_pairs("()[]{}<>", 8, &alphabet));
    return alphabet;
}

/* Pushes a text in chunks of `chunk` bytes; 0: of random lengths. */
static void push_chunks(pm_check *check, const char *text, size_t n, size_t chunk, uint64_t *seed) {
    for (size_t done = 0; done < n;) {
        size_t length = chunk ? chunk : random_below(seed, 200);
        if (length > n - done)
            length = n - done;
        char *copy = allocate(length + 1, 1); /* of its own, so that reading past it is noticed */
        memcpy(copy, text + done, length);
        assert_ok(pm_check_push(check, copy, length));
        free(copy);
        done += length;
    }
}

/* Faults that nobody asks for are counted all the same: all of them, or those behind the first ones. */
static void assert_counted(const char *text, size_t n, const pm_check_summary *expected, size_t faults) {
    static const size_t chunks[] = {TEXT_MAX, 5000, 0};
    const pm_alphabet alphabet = four_kinds();
    findings found = {.wanted = faults / 2};
    uint64_t seed = n;
    for (size_t c = 0; c < 2 * COUNT_OF(chunks); c++) {
        pm_check_summary summary;
        pm_check *check;
        found.count = 0;
        assert_ok(
            pm_check_create(NULL, pm_language_by_name("text"), &alphabet, c % 2 ? collect : NULL, &found, &check));
        push_chunks(check, text, n, chunks[c / 2], &seed);
        assert_ok(pm_check_finish(check, &summary));
        assert_same_summary(&summary, expected);
        pm_check_destroy(check);
    }
    free(found.list);
}

static void assert_checked(const char *text, size_t n, uint64_t seed) {
    static const size_t chunks[] = {1, 7, 64, 65, 128, 1000, 4096, 8191, 8192, 8193, TEXT_MAX, 0};
    const pm_alphabet alphabet = four_kinds();
    findings expected = {.wanted = SIZE_MAX}, found = {.wanted = SIZE_MAX};
    const pm_check_summary expected_summary = check_by_definition(text, n, &expected);
    pm_check *check;
    assert_ok(pm_check_create(NULL, pm_language_by_name("text"), &alphabet, collect, &found, &check));
    for (size_t c = 0; c < COUNT_OF(chunks); c++) { /* the same check again and again: it may be reused */
        pm_check_summary summary;
        found.count = 0;
        push_chunks(check, text, n, chunks[c], &seed);
        assert_ok(pm_check_finish(check, &summary));
        assert_same_summary(&summary, &expected_summary);
        assert_same_findings(&found, &expected);
    }
    pm_check_destroy(check);
    assert_counted(text, n, &expected_summary, expected.count);
    free(expected.list);
    free(found.list);
}

/* Random bytes out of a few, in random runs, so that words repeat now and then. */
static size_t random_text(uint64_t *seed, char *text, size_t n) {
    static const char *const mixes[] = {"()",          "()[]{}<>", "((((((()\n", "([{<\n",
                                        "(((((\n))))", "() \n",    "\n",         "a(\xff)\r\n"};
    const char *mix = mixes[random_below(seed, COUNT_OF(mixes))];
    const size_t period = 1 + random_below(seed, 130);
    const size_t mode = random_below(seed, 3);
    for (size_t i = 0; i < n; i++)
        text[i] = mode == 0 && i >= period ? text[i - period] : mix[random_below(seed, strlen(mix))];
    return n;
}

TEST(test_random_texts) {
    char *text = allocate(TEXT_MAX, 1);
    uint64_t seed = 1;
    for (int round = 0; round < 300; round++)
        assert_checked(text, random_text(&seed, text, random_below(&seed, 700)), seed);
    for (size_t n = 0; n <= 200; n++) {
        memset(text, '(', n);
        assert_checked(text, n, seed);
        memset(text, ')', n);
        assert_checked(text, n, seed);
    }
    free(text);
}

/* Texts of whole words out of a few, which differ in one respect each: so words that look alike follow one another,
 * also at a distance, and are taken off the stack in part and put back. */
TEST(test_words_alike) {
    static const char *const fills[] = {"(", "[", "{", " ", "(\n", "\n(", "( ", " (", ")", "]"};
    enum {
        WORDS_MAX = 12,
        WORD = 64
    };
    uint64_t seed = 2;
    for (int round = 0; round < 2000; round++) {
        char text[WORDS_MAX * WORD];
        const size_t words = 1 + random_below(&seed, WORDS_MAX);
        const size_t some = 1 + random_below(&seed, COUNT_OF(fills));
        const size_t closes = random_below(&seed, 4); /* at the end of a word */
        for (size_t w = 0; w < words; w++) {
            const char *fill = fills[random_below(&seed, some)];
            for (size_t i = 0; i < WORD; i++)
                text[w * WORD + i] = i + closes >= WORD ? ')' : fill[i % strlen(fill)];
        }
        assert_checked(text, words * WORD, seed);
    }
}

/* Nested brackets and other bytes, most of them right: the depth wanders about what it is drawn to, and `faults` in
 * 2^16 brackets are something else. */
static void nested_text(uint64_t *seed, char *text, size_t n, size_t drawn_to, size_t brackets, size_t faults) {
    static const char opens[] = "([{<", closes[] = ")]}>";
    char *stack = allocate(n + 1, 1);
    size_t depth = 0;
    for (size_t i = 0; i < n; i++) {
        const uint64_t chance = random_next(seed);
        if (chance % 256 >= brackets) {
            text[i] = "a \n(\""[random_below(seed, brackets < 100 ? 3 : 2)];
        } else if (depth == 0 || (chance >> 8) % 8 < (depth < drawn_to ? 5 : 3)) {
            const unsigned kind = (chance >> 16) % 4;
            text[i] = opens[kind];
            stack[depth++] = closes[kind];
        } else {
            text[i] = stack[--depth];
        }
        if ((chance >> 32) % 65536 < faults)
            text[i] = "([{<)]}>\na"[(chance >> 48) % 10];
    }
    free(stack);
}

/* Long enough for many chunks; shallow and deep; in most chunks nothing is wrong. */
TEST(test_nested_texts) {
    char *text = allocate(TEXT_MAX, 1);
    uint64_t seed = 5;
    static const size_t depths[] = {0, 5, 40, 3000, 9000, TEXT_MAX}, densities[] = {3, 20, 150, 256};
    for (unsigned round = 0; round < 96; round++) {
        const size_t length = 4096 * (1 + random_below(&seed, 9));
        const size_t n = round % 3 ? length + random_below(&seed, 300) : length;
        nested_text(&seed, text, n, depths[round % 6], densities[round / 6 % 4], round % 5 == 4 ? 20 : 1);
        assert_checked(text, n, seed);
    }
    free(text);
}

/* Faults everywhere, at each depth. */
TEST(test_faulty_texts) {
    char *text = allocate(TEXT_MAX, 1);
    uint64_t seed = 6;
    for (unsigned round = 0; round < 16; round++) {
        nested_text(&seed, text, 40000, round % 2 ? 30000 : 5, round % 4 < 2 ? 256 : 60, 200u << round);
        assert_checked(text, 40000, seed);
    }
    free(text);
}

/* So deep that kinds known fast are not all: down and up again, with a fault far below or none. */
TEST(test_deep_texts) {
    char *text = allocate(TEXT_MAX, 1);
    static const size_t depths[] = {4000, 4095, 4096, 4097, 8150, 8191, 8192, 8193, 8250, 16400, 30000};
    for (size_t d = 0; d < COUNT_OF(depths); d++)
        for (size_t fault = 0; fault < 3; fault++) {
            const size_t depth = depths[d];
            for (size_t i = 0; i < depth; i++) {
                text[i] = "([{<"[i * i % 7 % 4];
                text[2 * depth - 1 - i] = ")]}>"[i * i % 7 % 4];
            }
            if (fault == 1)
                text[depth + 3 * depth / 4] = '\n';
            if (fault == 2)
                memcpy(text + depth / 2, ")(", 2);
            assert_checked(text, 2 * depth - (depth % 3), depth);
        }
    free(text);
}

/* Every string of up to 6 bytes over two kinds and a newline. */
TEST(test_every_short_text) {
    static const char bytes[] = "([)]\n";
    const size_t kinds = sizeof bytes - 1;
    for (size_t n = 0, texts = 1; n <= 5; n++, texts *= kinds)
        for (size_t t = 0; t < texts; t++) {
            char text[8];
            for (size_t i = 0, rest = t; i < n; i++, rest /= kinds)
                text[i] = bytes[rest % kinds];
            assert_checked(text, n, t);
        }
}

/* Runs of equal words longer than one entry counts (2^16 - 1 words, 4 MiB), popped in part and reported in part. */
TEST(test_long_runs) {
    const size_t words = (1 << 16) + 100, n = words * 64;
    char *text = allocate(n, 1);
    for (size_t i = 0; i < n; i++)
        text[i] = i % 32 == 31 ? '\n' : i % 2 ? '[' : '(';
    const pm_alphabet alphabet = four_kinds();
    fault_allocator memory = {0};
    const pm_options one_thread = {
        .struct_size = sizeof one_thread, .threads = 1, .allocator = fault_allocator_functions(&memory)};
    pm_context *context = context_of(&one_thread);
    findings found = {.wanted = SIZE_MAX};
    pm_check *check;
    assert_ok(pm_check_create(context, pm_language_by_name("text"), &alphabet, collect, &found, &check));
    assert_ok(pm_check_push(check, text, n));
    assert_true(memory.peak_bytes < 100000); /* all those opens are two entries */
    assert_ok(pm_check_push(check, "]", 1)); /* the last open is '(', 2 bytes back, 30 into its line */
    assert_int_equal(found.count, 1);
    assert_int_equal(found.list[0].partner.offset, n - 2);
    assert_int_equal(found.list[0].partner.line, 2 * words);
    assert_int_equal(found.list[0].partner.column, 31);
    for (size_t open = n - 2; open-- > 32;) /* all but the first line's, each by its own kind */
        if (text[open] != '\n')
            assert_ok(pm_check_push(check, text[open] == '(' ? ")" : "]", 1));
    pm_check_summary summary;
    found.count = 0;
    assert_ok(pm_check_finish(check, &summary));
    assert_int_equal(summary.unmatched.open, 31);
    assert_int_equal(found.count, 31); /* the first line's */
    for (size_t i = 0; i < 31; i++) {
        assert_int_equal(found.list[i].fault, PM_FAULT_UNMATCHED_OPEN);
        assert_same_place(found.list[i].at, place_of(text, i));
        assert_int_equal(found.list[i].byte, text[i]);
    }
    pm_check_destroy(check);
    context_close(context, &memory);
    free(found.list);
    free(text);
}

static bool count_calls(const pm_diagnostic *diagnostic, void *user) {
    (void)diagnostic;
    return ++*(size_t *)user < 3;
}

/* A reporter that has had enough is not called again; what is wrong is counted all the same. */
TEST(test_reporter_stops) {
    const char text[] = ")))((((";
    findings found = {.wanted = 4};
    pm_check *check;
    pm_check_summary summary;
    assert_ok(pm_check_create(NULL, pm_language_by_name("text"), NULL, collect, &found, &check));
    assert_ok(pm_check_push(check, text, strlen(text)));
    assert_ok(pm_check_finish(check, &summary));
    assert_int_equal(found.count, 4);
    assert_int_equal(summary.unmatched.close, 3);
    assert_int_equal(summary.unmatched.open, 4);
    pm_check_destroy(check);
    free(found.list);

    size_t calls = 0;
    assert_ok(pm_check_create(NULL, pm_language_by_name("text"), NULL, count_calls, &calls, &check));
    assert_ok(pm_check_push(check, text, strlen(text)));
    assert_ok(pm_check_finish(check, NULL));
    assert_int_equal(calls, 3);
    assert_ok(pm_check_push(check, ")", 1)); /* the next text is another */
    assert_ok(pm_check_finish(check, NULL));
    assert_int_equal(calls, 4);
    pm_check_destroy(check);
}

/* A string that begins about the edge of a word, and is told of later; the next text does not begin inside it. */
TEST(test_unterminated_at_a_word_edge) {
    static const struct {
        const char *language, *opening;
        size_t begins; /* in the opening */
    } cases[] = {{"json", "\"", 0}, {"python", "\"\"\"", 0}, {"c++", "R\"abcdefgh(", 1}, {"c", "/*", 0}};
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        for (size_t before = 50; before < 70; before++)
            for (size_t chunk = 0; chunk < 4; chunk++) {
                char text[200] = "\n";
                const size_t length = strlen(cases[i].opening);
                memset(text + 1, ' ', sizeof text - 1);
                memcpy(text + before, cases[i].opening, length);
                findings found = {.wanted = SIZE_MAX};
                uint64_t seed = 0;
                pm_check *check;
                pm_check_summary summary;
                assert_ok(pm_check_create(NULL, pm_language_by_name(cases[i].language), NULL, collect, &found, &check));
                const size_t whole = chunk == 0 ? 64 : 0; /* a chunk by itself first */
                assert_ok(pm_check_push(check, text, whole));
                push_chunks(check, text + whole, sizeof text - whole, chunk == 0 ? sizeof text : chunk, &seed);
                assert_ok(pm_check_finish(check, &summary));
                assert_int_equal(found.count, 1);
                assert_same_place(found.list[0].at, place_of(text, before + cases[i].begins));
                assert_int_equal(found.list[0].byte, text[before + cases[i].begins]);
                assert_ok(pm_check_push(check, "[]", 2));
                assert_ok(pm_check_finish(check, &summary));
                assert_int_equal(summary.brackets, 2);
                pm_check_destroy(check);
                free(found.list);
            }
}

/* A string or comment that the end cuts off is told with the place where it began, however far back. */
TEST(test_unterminated) {
    static const struct {
        const char *language, *text;
        uint64_t begins;
        bool cut;
    } cases[] = {{"json", "[1,\n \"abc", 5, true}, {"json", "[\"a\"]", 0, false},     {"c", "f(); /* (\n(", 5, true},
                 {"c", "f(); // (", 0, false},     {"text", "\"(\" \"", 0, false},    {"rust", "/* /* */ ( ", 0, true},
                 {"json", "[\"a\\\"", 1, true},    {"c++", " R\"x(\")", 2, true},     {"c++", "R\"ab\n", 0, false},
                 {"javascript", "a`${", 1, true},  {"python", "(\"\"\"a\"", 1, true}, {"c", "/* a *//* (", 7, true},
                 {"rust", "/*/ *//*/ (", 6, true}, {"c", "/*//*/(/* \"", 7, true}};
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        for (size_t round = 0; round < 150; round++) {
            static const size_t chunks[] = {64, 1, 2, 200, 4096, 5000, 0};
            const char *text = cases[i].text;
            const size_t before = round < 64 ? round : round * 131 % 9000, after = round * 53 % 9000;
            const size_t length = strlen(text), n = before + length + after;
            char *whole = allocate(n, 1);
            for (size_t k = 0; k < n; k++)
                whole[k] = k < before && k % (1 + round % 70) == 0 ? '\n' : ' ';
            memcpy(whole + before, text, length);
            findings found = {.wanted = SIZE_MAX};
            pm_check *check;
            pm_check_summary summary;
            uint64_t seed = i;
            assert_ok(pm_check_create(NULL, pm_language_by_name(cases[i].language), NULL, collect, &found, &check));
            push_chunks(check, whole, n, round < 64 ? 64 : chunks[round % 7], &seed);
            assert_ok(pm_check_finish(check, &summary));
            assert_int_equal(summary.unterminated, cases[i].cut);
            const pm_diagnostic *last = found.count ? &found.list[found.count - 1] : NULL;
            assert_int_equal(last != NULL && last->fault == PM_FAULT_UNTERMINATED, cases[i].cut);
            if (cases[i].cut) {
                assert_same_place(last->at, place_of(whole, before + cases[i].begins));
                assert_int_equal(last->byte, text[cases[i].begins]);
            }
            pm_check_destroy(check);
            free(found.list);
            free(whole);
        }
}

/* Creates, pushes a text of deep random brackets, finishes: with the allocation that is due to fail failing. */
static pm_status check_with_failures(pm_context *context, const char *text, size_t n) {
    pm_check *check;
    pm_status status = pm_check_create(context, pm_language_by_name("text"), NULL, NULL, NULL, &check);
    if (status != PM_OK) {
        assert_null(check);
        return status;
    }
    status = pm_check_push(check, text, n);
    assert_int_equal(pm_check_push(check, ")", 1), status); /* a failure stays until finish */
    assert_int_equal(pm_check_finish(check, NULL), status);
    assert_ok(pm_check_push(check, "()", 2)); /* and is forgotten then */
    assert_ok(pm_check_finish(check, NULL));
    pm_check_destroy(check);
    return status;
}

TEST(test_every_allocation_fails) {
    const size_t n = TEXT_MAX;
    char *text = allocate(n, 1);
    uint64_t seed = 3;
    for (size_t i = 0; i < n; i++)
        text[i] = "([{"[random_below(&seed, 3)];
    fault_allocator memory = {0};
    pm_context *context = context_with(&memory);
    size_t failures = 0;
    for (pm_status status = PM_OUT_OF_MEMORY; status == PM_OUT_OF_MEMORY; failures++) {
        memory.fail_at = memory.calls + 1 + failures;
        status = check_with_failures(context, text, n);
        assert_true(status == PM_OK || status == PM_OUT_OF_MEMORY);
    }
    assert_true(failures > 3);
    context_close(context, &memory);
    free(text);
}

/* No memory for the code in a shell's strings, which closes behind that all the same. */
TEST(test_no_memory_for_nests) {
    enum {
        DEPTH = 600
    };
    static const char *const opens[] = {"\"$(", "\"${a", "\"$(a << 1;"};
    static const char *const closes[] = {")\"", "}\"", ")\""};
    static char text[DEPTH * 16];
    for (size_t k = 0; k < sizeof opens / sizeof *opens; k++) {
        size_t n = 0, failures = 0;
        for (size_t depth = 0; depth < 2 * DEPTH; depth++) {
            const char *const piece = depth < DEPTH ? opens[k] : closes[k];
            memcpy(text + n, piece, strlen(piece));
            n += strlen(piece);
        }
        for (pm_status status = PM_OUT_OF_MEMORY; status != PM_OK; failures++) {
            fault_allocator memory = {0};
            pm_context *context = context_with(&memory);
            pm_check_summary summary;
            pm_check *check;
            assert_ok(pm_check_create(context, pm_language_by_name("shell"), NULL, NULL, NULL, &check));
            memory.fail_at = memory.calls + 1 + failures;
            status = pm_check_text(check, text, n, &summary);
            assert_true(status == PM_OK || status == PM_OUT_OF_MEMORY);
            pm_check_destroy(check);
            context_close(context, &memory);
        }
        assert_true(failures > 3);
    }
}

/* A text that nests little is checked without memory of its own. */
TEST(test_small_texts_take_no_memory) {
    const char *const text =
        "{\"a\": [1, 2, 3], \"b\": \"it goes on in the next word, as it is longer than one\", \"c\": 4}";
    fault_allocator memory = {0};
    pm_context *context = context_with(&memory);
    pm_check_summary summary;
    pm_check *check;
    assert_ok(pm_check_create(context, pm_language_by_name("json"), NULL, NULL, NULL, &check));
    memory.fail_at = memory.calls + 1;
    assert_ok(pm_check_text(check, text, strlen(text), &summary));
    assert_int_equal(summary.max_depth, 2);
    assert_int_equal(summary.unmatched.open + summary.unmatched.close, 0);
    pm_check_destroy(check);
    context_close(context, &memory);
}

TEST(test_bad_arguments) {
    const pm_language *text = pm_language_by_name("text");
    pm_alphabet five_kinds;
    pm_check *check;
    assert_ok(pm_alphabet_from_pairs("()[]{}<>ab", 10, &five_kinds));
    assert_invalid(pm_check_create(NULL, text, NULL, NULL, NULL, NULL));
    assert_invalid(pm_check_create(NULL, NULL, NULL, NULL, NULL, &check));
    assert_null(check);
    assert_int_equal(pm_check_create(NULL, text, &five_kinds, NULL, NULL, &check), PM_UNSUPPORTED);
    assert_null(check);
    assert_invalid(pm_check_push(NULL, "", 0));
    assert_invalid(pm_check_finish(NULL, NULL));
    pm_check_destroy(NULL);
    assert_ok(pm_check_create(NULL, text, NULL, NULL, NULL, &check));
    assert_ok(pm_check_push(check, NULL, 0));
    assert_invalid(pm_check_push(check, NULL, 1));
    assert_ok(pm_check_finish(check, NULL));
    pm_check_destroy(check);
}
