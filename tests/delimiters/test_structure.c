/* SPDX-License-Identifier: Apache-2.0 */
/* The structure of texts against a plain tokenizer, which tries every pattern at every byte; what is told of faults. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inputs/families.h"
#include "parenmatch.h"
#include "tests/delimiters/rules_fixture.h"
#include "tests/support/unit.h"
#include "tests/text/place.h"

/* ---- Places ---- */

static bool keep_place(const pm_diagnostic *diagnostic, void *user) {
    *(pm_place *)user = diagnostic->at;
    return true;
}

/* Newlines around where a block of the index of lines begins, and a fault behind them. */
TEST(test_places_at_blocks) {
    enum {
        BLOCK = 192 * 64,
        N = 3 * BLOCK
    };
    static char text[N];
    pm_language *const pairs = pairs_of("pair { }");
    for (size_t newline = BLOCK - 2; newline <= BLOCK + 2; newline++)
        for (size_t fault = newline + 1; fault <= newline + 2 * BLOCK - 3; fault += fault < newline + 5 ? 1 : 997) {
            pm_place at = {0};
            memset(text, 'x', N);
            text[newline] = '\n';
            text[fault] = '}';
            assert_ok(check_text_in(NULL, pairs, text, N, keep_place, &at, NULL));
            assert_true(at.offset == fault && at.line == 2 && at.column == fault - newline);
        }
    pm_language_destroy(pairs);
}

/* ---- A plain tokenizer ---- */

enum {
    PATTERNS = 8,
    TEXT = 2600, /* at most: some are longer than what is read at a time */
    SHORT = 200,
    RULES = 1024
};

typedef enum plain_role {
    PLAIN_OPEN,
    PLAIN_CLOSE,
    PLAIN_NOTHING,
    PLAIN_LINE,
    PLAIN_SKIP,
    PLAIN_STRING
} plain_role;

typedef struct plain_pattern {
    char bytes[8], end[8];
    plain_role role;
    uint32_t kind;
    bool word;
    char escape; /* PLAIN_STRING; 0: none */
} plain_pattern;

typedef struct plain_rules {
    plain_pattern patterns[PATTERNS];
    size_t count;
    char text[RULES];
} plain_rules;

typedef struct tokens {
    uint64_t parens[(TEXT + 63) / 64], positions[TEXT];
    uint32_t lengths[TEXT], kinds[TEXT];
    size_t count;
    bool unterminated;
} tokens;

static void random_word(uint64_t *seed, char *word, size_t most) {
    static const char letters[] = "ab+*";
    const size_t n = 1 + random_below(seed, most);
    for (size_t i = 0; i < n; i++)
        word[i] = letters[random_below(seed, 4)];
    word[n] = '\0';
}

static bool is_new(const plain_rules *rules, const char *word) {
    for (size_t i = 0; i < rules->count; i++)
        if (strcmp(rules->patterns[i].bytes, word) == 0)
            return false;
    return true;
}

/* Random rules, no pattern of which comes twice. */
static void random_rules(uint64_t *seed, plain_rules *rules) {
    *rules = (plain_rules){.count = 0};
    uint32_t kinds = 0;
    while (rules->count + 2 <= PATTERNS) {
        plain_pattern *const one = &rules->patterns[rules->count], *const other = one + 1;
        const char *line = NULL;
        random_word(seed, one->bytes, 3);
        random_word(seed, other->bytes, 3);
        if (!is_new(rules, one->bytes))
            continue;
        one->word = other->word = false;
        one->escape = 0;
        switch (random_below(seed, 7)) {
        case 0:
        case 1:
        case 2:
            if (!is_new(rules, other->bytes) || strcmp(one->bytes, other->bytes) == 0)
                continue;
            one->word = other->word = random_below(seed, 3) == 0;
            line = one->word ? "word" : "pair";
            one->role = PLAIN_OPEN;
            other->role = PLAIN_CLOSE;
            one->kind = other->kind = kinds++;
            break;
        case 3:
            line = "nothing";
            one->role = PLAIN_NOTHING;
            one->word = true;
            break;
        case 4:
            line = "line";
            one->role = PLAIN_LINE;
            break;
        case 5:
            line = "skip";
            one->role = PLAIN_SKIP;
            memcpy(one->end, other->bytes, sizeof one->end);
            break;
        default:
            line = "string";
            one->role = PLAIN_STRING;
            memcpy(one->end, one->bytes, sizeof one->end);
            if (random_below(seed, 2))
                one->escape = "ab+*"[random_below(seed, 4)];
            break;
        }
        const bool two = one->role == PLAIN_OPEN || one->role == PLAIN_SKIP;
        const size_t used = strlen(rules->text);
        snprintf(rules->text + used, sizeof rules->text - used, "%s %s %s%c\n", line, one->bytes,
                 two ? other->bytes : "", one->escape ? one->escape : ' ');
        rules->count += one->role == PLAIN_OPEN ? 2 : 1;
    }
}

static bool is_word(char byte) {
    return byte != 0 && strchr("abZ9_\xc3", byte) != NULL;
}

static bool fits(const plain_pattern *pattern, const char *text, size_t n, size_t at) {
    const size_t length = strlen(pattern->bytes), end = at + length;
    if (end > n || memcmp(text + at, pattern->bytes, length) != 0)
        return false;
    return !pattern->word || !((at > 0 && is_word(text[at - 1]) && is_word(text[at])) ||
                               (end < n && is_word(text[end - 1]) && is_word(text[end])));
}

/* Where the region ends that begins before `at`; n + 1: nowhere. */
static size_t plain_end(const plain_pattern *pattern, const char *text, size_t n, size_t at) {
    for (size_t i = at; i < n; i++) {
        if (pattern->role == PLAIN_LINE) {
            if (text[i] == '\n')
                return i;
        } else if (pattern->escape && text[i] == pattern->escape) {
            i++;
        } else if (strlen(pattern->end) <= n - i && memcmp(text + i, pattern->end, strlen(pattern->end)) == 0) {
            return i + strlen(pattern->end);
        }
    }
    return pattern->role == PLAIN_LINE ? n : n + 1;
}

static void plain_tokens(const plain_rules *rules, const char *text, size_t n, tokens *found) {
    memset(found, 0, sizeof *found);
    for (size_t i = 0; i < n;) {
        const plain_pattern *best = NULL;
        for (size_t p = 0; p < rules->count; p++)
            if (fits(&rules->patterns[p], text, n, i) &&
                (!best || strlen(rules->patterns[p].bytes) > strlen(best->bytes)))
                best = &rules->patterns[p];
        if (!best) {
            i++;
            continue;
        }
        const size_t length = strlen(best->bytes);
        if (best->role == PLAIN_OPEN || best->role == PLAIN_CLOSE) {
            const size_t k = found->count++;
            found->parens[k / 64] |= (uint64_t)(best->role == PLAIN_OPEN) << k % 64;
            found->positions[k] = i;
            found->lengths[k] = (uint32_t)length;
            found->kinds[k] = best->kind;
        }
        i += length;
        if (best->role >= PLAIN_LINE)
            i = plain_end(best, text, n, i);
        found->unterminated = i > n;
    }
}

/* ---- What is found ---- */

static pm_check_summary summary_of(const pm_language *pairs, const char *text, size_t n) {
    pm_check_summary summary;
    assert_ok(check_text_in(NULL, pairs, text, n, NULL, NULL, &summary));
    return summary;
}

/* What the tokens come to by way of their match. */
static void assert_summary(const tokens *found, size_t n, pm_check_summary summary) {
    static uint32_t match[TEXT];
    pm_bic total;
    uint64_t mismatched = 0;
    assert_ok(pm_match_seq(NULL, found->parens, found->count, match, &total));
    for (size_t i = 0; i < found->count; i++)
        mismatched +=
            !(found->parens[i / 64] >> i % 64 & 1) && match[i] != PM_NONE && found->kinds[match[i]] != found->kinds[i];
    assert_int_equal(summary.bytes, n);
    assert_int_equal(summary.brackets, found->count);
    assert_int_equal(summary.unmatched.open, total.open);
    assert_int_equal(summary.unmatched.close, total.close);
    assert_int_equal(summary.mismatched, mismatched);
    assert_int_equal(summary.unterminated, found->unterminated);
}

/* A context with the instructions of a target, each in its turn. */
static pm_context *context_in_turn(size_t turn) {
    size_t count = 0;
    while (pm_simd_at(count))
        count++;
    while (!pm_simd_at(turn % count)->supported)
        turn++;
    pm_context *context;
    assert_ok(pm_context_create(&(pm_options){.simd = pm_simd_at(turn % count)->name}, &context));
    return context;
}

TEST(test_random) {
    uint64_t seed = 1;
    for (int round = 0; round < 3000; round++) {
        plain_rules rules;
        pm_context *const context = context_in_turn((size_t)round);
        random_rules(&seed, &rules);
        pm_language *const pairs = pairs_of(rules.text);
        for (int t = 0; t < 4; t++) {
            const size_t n = random_below(&seed, round / 8 % 4 == 0 ? TEXT : SHORT);
            char *const text = allocate(n + (n == 0), 1); /* of its own, so that reading past it is noticed */
            for (size_t i = 0; i < n; i++)
                text[i] = "aabb++**\n   Z9_\xc3"[random_below(&seed, 17)];
            tokens expected, found = {.count = 0};
            plain_tokens(&rules, text, n, &expected);
            assert_ok(scan_tokens(context, pairs, text, n, TEXT, found.parens, found.positions, found.lengths,
                                  found.kinds, &found.count));
            assert_int_equal(found.count, expected.count);
            assert_memory_equal(found.positions, expected.positions, found.count * sizeof *found.positions);
            assert_memory_equal(found.lengths, expected.lengths, found.count * sizeof *found.lengths);
            assert_memory_equal(found.kinds, expected.kinds, found.count * sizeof *found.kinds);
            assert_memory_equal(found.parens, expected.parens, (found.count + 63) / 64 * sizeof *found.parens);
            assert_summary(&expected, n, summary_of(pairs, text, n));
            free(text);
        }
        pm_language_destroy(pairs);
        pm_context_destroy(context);
    }
}

/* A word counts behind every byte that is not part of one. */
TEST(test_word_bytes) {
    pm_language *const pairs = pairs_of("word x y");
    for (size_t turn = 0; pm_simd_at(turn); turn++) {
        pm_context *const context = context_in_turn(turn);
        char text[2600];
        size_t expected = 0;
        memset(text, ' ', sizeof text);
        for (unsigned byte = 0; byte < 256; byte++) {
            const bool letter = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
            text[5 * byte + 63] = (char)byte;
            text[5 * byte + 64] = 'x';
            expected += !letter && !(byte >= '0' && byte <= '9') && byte != '_' && byte < 0x80;
        }
        for (size_t n = 5 * 256 + 63; n < sizeof text; n += 61) {
            size_t found;
            assert_ok(scan_tokens(context, pairs, text, n, 0, NULL, NULL, NULL, NULL, &found));
            assert_int_equal(found, expected);
        }
        pm_context_destroy(context);
    }
    pm_language_destroy(pairs);
}

TEST(test_arguments) {
    pm_language *pairs;
    size_t count;
    assert_ok(pm_language_create_rules(NULL, NULL, 0, &pairs, NULL)); /* no rules, no tokens */
    assert_ok(scan_tokens(NULL, pairs, "()", 2, 0, NULL, NULL, NULL, NULL, &count));
    assert_int_equal(count, 0);
    assert_ok(scan_tokens(NULL, pairs, NULL, 0, 0, NULL, NULL, NULL, NULL, &count));
    assert_ok(check_text_in(NULL, pairs, NULL, 0, NULL, NULL, NULL));
    assert_invalid(scan_tokens(NULL, pairs, NULL, 1, 0, NULL, NULL, NULL, NULL, &count));
    assert_invalid(scan_tokens(NULL, NULL, "", 0, 0, NULL, NULL, NULL, NULL, &count));
    assert_invalid(scan_tokens(NULL, pairs, "", 0, 0, NULL, NULL, NULL, NULL, NULL));
    assert_invalid(check_text_in(NULL, NULL, "", 0, NULL, NULL, NULL));
    pm_language_destroy(pairs);
    pm_language_destroy(NULL);
}

/* Only what there is room for is written. */
TEST(test_capacity) {
    pm_language *const pairs = pairs_of("pair << >>\n");
    const char text[] = "<<>><<>>";
    for (size_t capacity = 0; capacity <= 5; capacity++) {
        const size_t room = capacity < 4 ? capacity : 4;
        uint64_t parens[2] = {7, 7}, positions[6];
        uint32_t lengths[6], kinds[6];
        size_t count;
        memset(positions, 7, sizeof positions);
        assert_ok(scan_tokens(NULL, pairs, text, strlen(text), capacity, parens, positions, lengths, kinds, &count));
        assert_int_equal(count, 4);
        assert_int_equal(parens[0], capacity ? 5 & ((1u << room) - 1) : 7);
        assert_int_equal(parens[1], 7);
        for (size_t i = 0; i < 6; i++)
            assert_int_equal(positions[i], i < room ? 2 * i : UINT64_C(0x0707070707070707));
    }
    pm_language_destroy(pairs);
}

/* ---- Closes that are left out ---- */

enum {
    TAGS = 60,
    NAMED = 5
};

/* Random lines: which of the names a, b, ... are closed before which, or at the end of what they are in. */
typedef struct implied_rules {
    bool implied[NAMED], before[NAMED][NAMED];
    char text[RULES];
} implied_rules;

static void random_implied(uint64_t *seed, implied_rules *rules) {
    *rules = (implied_rules){.text = "element < </ >\n"};
    for (unsigned name = 0; name < NAMED; name++) {
        rules->implied[name] = random_below(seed, 3) > 0;
        if (!rules->implied[name])
            continue;
        size_t used = strlen(rules->text);
        used += (size_t)snprintf(rules->text + used, RULES - used, "implied %c", 'a' + (int)name);
        for (unsigned next = 0; next < NAMED; next++) {
            rules->before[name][next] = random_below(seed, 3) == 0;
            if (rules->before[name][next])
                used += (size_t)snprintf(rules->text + used, RULES - used, " %c", 'a' + (int)next);
        }
        snprintf(rules->text + used, RULES - used, "\n");
    }
}

typedef struct name_stack {
    unsigned names[TAGS];
    size_t depth;
} name_stack;

/* How many opens are left when a tag comes: of those at the top whose close may be left out, as many are closed as let
 * the tag follow. */
static size_t plain_depth(const implied_rules *rules, const name_stack *open, unsigned name, bool opens) {
    size_t left = open->depth;
    for (size_t d = open->depth; d > 0; d--) {
        const unsigned top = open->names[d - 1];
        if (!opens && top == name)
            return d;
        if (!rules->implied[top])
            break;
        if (opens && rules->before[top][name])
            left = d - 1;
    }
    return left;
}

TEST(test_implied) {
    uint64_t seed = 2;
    for (int round = 0; round < 4000; round++) {
        implied_rules rules;
        random_implied(&seed, &rules);
        name_stack open = {.depth = 0};
        char text[TAGS * 4 + 1] = "", expected[TAGS * 8] = "", shown[TAGS * 8] = "";
        size_t n = 0, said = 0;
        for (size_t tag = random_below(&seed, TAGS); tag > 0; tag--) {
            const unsigned name = (unsigned)random_below(&seed, NAMED);
            const bool opens = random_below(&seed, 5) > 1;
            for (const size_t left = plain_depth(&rules, &open, name, opens); open.depth > left; open.depth--)
                said += (size_t)snprintf(expected + said, sizeof expected - said, ".)");
            if (opens)
                open.names[open.depth++] = name;
            else
                open.depth -= open.depth > 0;
            said +=
                (size_t)snprintf(expected + said, sizeof expected - said, "%c%c", 'a' + (int)name, opens ? '(' : ')');
            n += (size_t)snprintf(text + n, sizeof text - n, "<%s%c>", opens ? "" : "/", 'a' + (int)name);
        }
        for (; open.depth > 0 && rules.implied[open.names[open.depth - 1]]; open.depth--)
            said += (size_t)snprintf(expected + said, sizeof expected - said, ".)");
        pm_language *const pairs = pairs_of(rules.text);
        tokens found;
        assert_ok(scan_tokens(NULL, pairs, text, n, TEXT, found.parens, found.positions, found.lengths, found.kinds,
                              &found.count));
        for (size_t k = 0; k < found.count; k++) {
            const char *const token = text + found.positions[k];
            snprintf(shown + 2 * k, 3, "%c%c", found.lengths[k] == 0 ? '.' : token[token[1] == '/' ? 2 : 1],
                     found.parens[k / 64] >> k % 64 & 1 ? '(' : ')');
        }
        assert_string_equal(shown, expected);
        pm_language_destroy(pairs);
    }
}

/* Among the 64 innermost opens, no deeper. */
TEST(test_implied_depth) {
    pm_language *const pairs = pairs_of("element < </ >\nimplied a\n");
    for (unsigned depth = 60; depth < 70; depth++) {
        char text[TEXT * 2];
        size_t n = (size_t)snprintf(text, sizeof text, "<b>");
        for (unsigned d = 0; d < depth; d++)
            n += (size_t)snprintf(text + n, sizeof text - n, "<a>");
        n += (size_t)snprintf(text + n, sizeof text - n, "</b>");
        assert_int_equal(summary_of(pairs, text, n).mismatched, depth > 64);
    }
    pm_language_destroy(pairs);
}

/* ---- Diagnostics ---- */

typedef struct findings {
    pm_diagnostic list[8];
    size_t count, wanted;
} findings;

static bool collect(const pm_diagnostic *diagnostic, void *user) {
    findings *const found = user;
    assert_true(found->count < found->wanted);
    found->list[found->count++] = *diagnostic;
    return found->count < found->wanted;
}

static void assert_place(pm_place place, uint64_t offset, uint64_t line, uint64_t column) {
    assert_int_equal(place.offset, offset);
    assert_int_equal(place.line, line);
    assert_int_equal(place.column, column);
}

TEST(test_diagnostics) {
    pm_language *const pairs = pairs_of(pm_language_rules(pm_language_by_name("xml")));
    const char text[] = "</x>\n<a>\n <b>\n</c>\n<!--";
    findings found = {.wanted = 8};
    pm_check_summary summary;
    assert_ok(check_text_in(NULL, pairs, text, strlen(text), collect, &found, &summary));
    assert_int_equal(found.count, 4);
    assert_int_equal(found.list[0].fault, PM_FAULT_UNMATCHED_CLOSE);
    assert_place(found.list[0].at, 0, 1, 1);
    assert_int_equal(found.list[0].length, 4);
    assert_int_equal(found.list[1].fault, PM_FAULT_KIND_MISMATCH);
    assert_place(found.list[1].at, 14, 4, 1);
    assert_place(found.list[1].partner, 10, 3, 2);
    assert_int_equal(found.list[1].partner_length, 3);
    assert_int_equal(found.list[2].fault, PM_FAULT_UNMATCHED_OPEN);
    assert_place(found.list[2].at, 5, 2, 1);
    assert_place(found.list[2].partner, 0, 0, 0); /* nothing stays of the fault before */
    assert_int_equal(found.list[2].partner_length, 0);
    assert_int_equal(found.list[2].partner_byte, 0);
    assert_int_equal(found.list[3].fault, PM_FAULT_UNTERMINATED);
    assert_place(found.list[3].at, 19, 5, 1);
    assert_int_equal(found.list[3].length, 4);
    assert_int_equal(summary.lines, 5);
    assert_int_equal(summary.max_depth, 2);
    assert_int_equal(summary.unterminated, 1);
    found = (findings){.wanted = 2}; /* and not asked again */
    assert_ok(check_text_in(NULL, pairs, text, strlen(text), collect, &found, &summary));
    assert_int_equal(found.count, 2);
    assert_int_equal(summary.unmatched.open, 1);
    pm_language_destroy(pairs);
}

/* Faults at any distance, with a newline anywhere in between: mismatches, whose partners come one before the other. */
TEST(test_places_of_faults) {
    const pm_language *const xml = pm_language_by_name("xml");
    for (size_t apart = 0; apart < 40; apart++)
        for (size_t newline = 0; newline <= apart; newline++) {
            char text[128];
            const size_t second = 3 + apart, third = second + 3 + apart, n = third + 8;
            memset(text, ' ', sizeof text);
            memcpy(text, "<a>", 3);
            memcpy(text + second, "<b>", 3);
            memcpy(text + third, "</c></d>", 8);
            if (newline < apart)
                text[3 + newline] = text[second + 3 + newline] = '\n';
            const bool lines = newline < apart;
            const size_t column = lines ? apart - newline : second + 1, last = lines ? apart - newline : third + 1;
            findings found = {.wanted = 8};
            pm_check_summary summary;
            assert_ok(check_text_in(NULL, xml, text, n, collect, &found, &summary));
            assert_int_equal(found.count, 2);
            assert_place(found.list[0].at, third, lines ? 3 : 1, last);
            assert_place(found.list[0].partner, second, lines ? 2 : 1, column);
            assert_place(found.list[1].at, third + 4, lines ? 3 : 1, last + 4);
            assert_place(found.list[1].partner, 0, 1, 1);
        }
}

/* A text in chunks of any size is the text as a whole; what was pushed before the end is not lost. */
TEST(test_chunks) {
    static const char text[] = "<a><b x='>'>\n<!-- </a> --></c></a>\n</a><d>";
    const pm_language *const xml = pm_language_by_name("xml");
    findings whole = {.wanted = 8};
    pm_check_summary expected, found;
    assert_ok(check_text_in(NULL, xml, text, strlen(text), collect, &whole, &expected));
    assert_int_equal(whole.count, 3);
    assert_int_equal(whole.list[0].byte, '<');
    assert_int_equal(whole.list[0].partner_byte, '<');
    for (size_t size = 1; size <= strlen(text); size++)
        for (unsigned at_once = 0; at_once < 2; at_once++) {
            findings pieces = {.wanted = 8};
            pm_check *check;
            size_t done = 0;
            assert_ok(pm_check_create(NULL, xml, NULL, collect, &pieces, &check));
            for (unsigned again = 0; again < 2; again++) {
                pieces.count = 0;
                for (done = 0; strlen(text) - done > size; done += size)
                    assert_ok(pm_check_push(check, text + done, size));
                if (!at_once)
                    assert_ok(pm_check_push(check, text + done, strlen(text) - done));
                assert_ok(at_once ? pm_check_text(check, text + done, strlen(text) - done, &found)
                                  : pm_check_finish(check, &found));
                assert_memory_equal(&found, &expected, sizeof found);
                assert_int_equal(pieces.count, whole.count);
                assert_memory_equal(pieces.list, whole.list, whole.count * sizeof *whole.list);
            }
            pm_check_destroy(check);
        }
}

/* Brackets and delimiters are scanned by one function; the match is that of the tokens that are stored. */
TEST(test_scan_match) {
    static const struct {
        const char *language, *text;
        size_t count;
        uint32_t match[6], lengths[6], kinds[6];
    } cases[] = {
        {"json", "{\"[\": [[]]}", 6, {PM_NONE, 0, 1, 2, 1, 0}, {1, 1, 1, 1, 1, 1}, {1, 0, 0, 0, 0, 1}},
        {"xml", "<a><b></b><c/></a>", 4, {PM_NONE, 0, 1, 0}, {3, 3, 4, 4}, {0, 1, 1, 0}},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (size_t capacity = 0; capacity <= 6; capacity++)
            for (unsigned with_parens = 0; with_parens < 2; with_parens++) {
                uint32_t match[6] = {7, 7, 7, 7, 7, 7}, lengths[6], kinds[6];
                uint64_t parens;
                size_t count;
                const pm_text_arrays arrays = {.struct_size = sizeof arrays,
                                               .capacity = capacity,
                                               .parens = with_parens ? &parens : NULL,
                                               .lengths = lengths,
                                               .kinds = kinds,
                                               .match = match};
                const size_t stored = capacity < cases[c].count ? capacity : cases[c].count;
                assert_ok(pm_text_scan(NULL, pm_language_by_name(cases[c].language), cases[c].text,
                                       strlen(cases[c].text), &arrays, &count));
                assert_int_equal(count, cases[c].count);
                assert_memory_equal(match, cases[c].match, stored * sizeof *match);
                assert_memory_equal(lengths, cases[c].lengths, stored * sizeof *lengths);
                assert_memory_equal(kinds, cases[c].kinds, stored * sizeof *kinds);
                for (size_t k = stored; k < 6; k++)
                    assert_int_equal(match[k], 7);
            }
}

/* What a language with delimiters has not. */
TEST(test_no_alphabet) {
    const pm_language *const xml = pm_language_by_name("xml");
    pm_alphabet alphabet;
    pm_check *check;
    size_t count;
    assert_ok(pm_alphabet_from_pairs("()", 2, &alphabet));
    assert_int_equal(pm_check_create(NULL, xml, &alphabet, NULL, NULL, &check), PM_UNSUPPORTED);
    assert_null(check);
    assert_int_equal(pm_text_brackets(NULL, xml, &alphabet, "()", 2, 0, NULL, NULL, NULL, &count), PM_UNSUPPORTED);
}

typedef struct place_test {
    const char *text;
    size_t count;
} place_test;

static void assert_place_in(const char *text, pm_place place) {
    const pm_place expected = place_of(text, place.offset);
    assert_place(place, expected.offset, expected.line, expected.column);
}

static bool check_place(const pm_diagnostic *diagnostic, void *user) {
    place_test *const test = user;
    assert_place_in(test->text, diagnostic->at);
    if (diagnostic->fault == PM_FAULT_KIND_MISMATCH)
        assert_place_in(test->text, diagnostic->partner);
    test->count++;
    return true;
}

/* Lines and columns across the blocks in which newlines are counted: faults follow each other through the text, their
 * partners go back and forth. */
TEST(test_places) {
    enum {
        N = 40000
    };
    char *const text = allocate(N, 1);
    pm_language *const pairs = pairs_of("pair ( )\npair [ ]\n");
    uint64_t seed = 3;
    for (unsigned rare = 1; rare <= 10000; rare *= 100) {
        for (size_t i = 0; i < N; i++)
            text[i] = random_below(&seed, 40) == 0     ? "([)]"[random_below(&seed, 4)]
                      : random_below(&seed, rare) == 0 ? '\n'
                                                       : ' ';
        memset(text + N / 4, '(', 50);
        memset(text + 3 * (N / 4), ']', 50);
        text[4095] = text[4096] = text[12287] = text[12288] = ')';
        place_test test = {.text = text};
        pm_check_summary summary;
        assert_ok(check_text_in(NULL, pairs, text, N, check_place, &test, &summary));
        assert_int_equal(test.count, summary.unmatched.close + summary.unmatched.open + summary.mismatched);
        assert_true(summary.unmatched.open > 0 && summary.mismatched > 50);
    }
    pm_language_destroy(pairs);
    free(text);
}

/* Every allocation fails once. */
static void check_memory(const char *rules, const char *text, size_t n, unsigned names) {
    pm_status status = PM_OUT_OF_MEMORY;
    for (size_t fail_at = 1; status == PM_OUT_OF_MEMORY; fail_at++) {
        fault_allocator faults = {.fail_at = 0};
        pm_language *pairs;
        pm_check_summary summary;
        pm_context *context = context_with(&faults);
        faults.fail_at = faults.calls + fail_at;
        status = pm_language_create_rules(context, rules, strlen(rules), &pairs, NULL);
        if (status == PM_OK)
            status = check_text_in(context, pairs, text, n, NULL, NULL, &summary);
        if (status == PM_OK) {
            assert_int_equal(summary.brackets, 2 * names);
            assert_int_equal(summary.max_depth, names);
            assert_int_equal(summary.mismatched, 1); /* the last name's close has the first name */
        } else {
            assert_int_equal(status, PM_OUT_OF_MEMORY);
        }
        pm_language_destroy(pairs);
        context_close(context, &faults);
    }
}

/* Many names, across pieces of the search; with HTML's rules what is open is kept. */
TEST(test_memory) {
    enum {
        NAMES = 5000
    };
    char *const text = allocate(NAMES * 16, 1);
    size_t n = 0;
    for (unsigned i = 0; i < NAMES; i++)
        n += (size_t)snprintf(text + n, 16, "<n%u>", i);
    for (unsigned i = NAMES; i-- > 0;)
        n += (size_t)snprintf(text + n, 16, "</n%u>", i % 4999);
    for (unsigned html = 0; html < 2; html++)
        check_memory(pm_language_rules(pm_language_by_name(html ? "html" : "xml")), text, n, NAMES);
    free(text);
}
