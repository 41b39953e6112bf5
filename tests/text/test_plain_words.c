/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The library against plain readers of languages of tags and words: the tokens of a text and its check, whole and in
 * chunks, and cut off at every place. Files named in PM_TEXTS, with blanks between them, are read so, too.
 */
#include <stdlib.h>
#include <string.h>

#include "inputs/families.h"
#include "tests/support/unit.h"
#include "tests/text/plain_files.h"
#include "tests/text/plain_words.h"
#include "tests/text/summary.h"

enum {
    TEXT_MAX = 1 << 18,
    SOUP_MAX = 6000
};

static char text[TEXT_MAX];
static plain_word words[2 * TEXT_MAX], open_words[TEXT_MAX];
static pm_context *context; /* keeps a language's compiled rules from text to text */

/* What the check must find in the text that was read. */
static pm_check_summary summary_of(const plain_words *read) {
    pm_check_summary found = {.bytes = read->n, .brackets = read->count, .unterminated = read->unterminated};
    uint64_t depth = 0;
    for (size_t i = 0; i < read->n; i++)
        found.lines += read->bytes[i] == '\n' || i + 1 == read->n;
    for (size_t k = 0; k < read->count; k++) {
        const plain_word *const word = &read->words[k];
        if (word->passed)
            continue;
        if (word->open) {
            open_words[depth++] = *word;
            found.max_depth = depth > found.max_depth ? depth : found.max_depth;
        } else if (depth == 0) {
            found.unmatched.close++;
        } else {
            found.mismatched += open_words[--depth].kind != word->kind;
        }
    }
    found.unmatched.open = depth;
    return found;
}

static void assert_right(const plain_word_reader *reader, const char *bytes, size_t n, const char *how, bool right) {
    if (right)
        return;
    print_error("%s, %s, %zu bytes: %.*s\n", reader->language, how, n, n < 300 ? (int)n : 300, bytes);
    fail();
}

static void try_tokens(const plain_word_reader *reader, const plain_words *read) {
    static uint64_t parens[2 * TEXT_MAX / 64], positions[2 * TEXT_MAX];
    static uint32_t lengths[2 * TEXT_MAX];
    const pm_text_arrays arrays = {.struct_size = sizeof arrays,
                                   .capacity = COUNT_OF(positions),
                                   .parens = parens,
                                   .positions = positions,
                                   .lengths = lengths};
    const pm_language *const language = pm_language_by_name(reader->language);
    size_t count;
    assert_ok(pm_text_scan(context, language, read->bytes, read->n, &arrays, &count));
    for (size_t k = 0; k < count && k < read->count; k++) {
        const plain_word *const word = &read->words[k];
        const bool right = positions[k] == word->begin && lengths[k] == word->end - word->begin &&
                           (parens[k / 64] >> k % 64 & 1) == word->open;
        if (!right)
            print_error("Token %zu is at %zu, of %zu bytes, for the library, not at %zu, of %zu.\n", k,
                        (size_t)positions[k], (size_t)lengths[k], word->begin, word->end - word->begin);
        assert_right(reader, read->bytes, read->n, "tokens", right);
    }
    assert_right(reader, read->bytes, read->n, "the number of tokens", count == read->count);
}

/* Reads n bytes, in a block of their own, in every way. */
static void try_text(const plain_word_reader *reader, pm_check *check, const char *from, size_t n) {
    static const size_t chunks[] = {1, 7, 63, 64, 65, 4096};
    char *const bytes = allocate(n, 1);
    memcpy(bytes, from, n);
    plain_words read = {.bytes = bytes, .n = n, .words = words, .open = open_words};
    plain_words_read(reader, &read);
    try_tokens(reader, &read);
    pm_check_summary expected = summary_of(&read), found;
    read.nested = true;
    plain_words_read(reader, &read);
    const pm_check_summary nested = summary_of(&read);
    if (summary_faults(&nested) < summary_faults(&expected))
        expected = nested;
    assert_ok(pm_check_text(check, bytes, n, &found));
    assert_right(reader, bytes, n, "whole", summary_equal(&found, &expected));
    const size_t chunk = chunks[n % COUNT_OF(chunks)];
    for (size_t at = 0; at < n; at += chunk)
        assert_ok(pm_check_push(check, bytes + at, n - at < chunk ? n - at : chunk));
    assert_ok(pm_check_finish(check, &found));
    assert_right(reader, bytes, n, "chunks", summary_equal(&found, &expected));
    free(bytes);
}

static pm_check *check_of(const plain_word_reader *reader) {
    pm_check *check;
    assert_ok(pm_check_create(NULL, pm_language_by_name(reader->language), NULL, NULL, NULL, &check));
    return check;
}

/* Appends a piece to the text, sometimes with zeros in it, as at the end of a tag's name. Returns its length. */
static size_t put_piece(const char *piece, size_t length, uint64_t *seed) {
    const size_t n = strlen(piece), zeros = random_below(seed, 12) == 0 ? 1 + random_below(seed, 8) : 0,
                 at = random_below(seed, 2) == 0 ? n - 1 : random_below(seed, n);
    memcpy(text + length, piece, at);
    memset(text + length + at, 0, zeros);
    memcpy(text + length + at + zeros, piece + at, n - at);
    return n + zeros;
}

static size_t make_soup(const plain_word_reader *reader, uint64_t *seed, size_t n) {
    size_t pieces = 0, length = 0;
    while (pieces < COUNT_OF(reader->pieces) && reader->pieces[pieces])
        pieces++;
    const size_t few = 1 + random_below(seed, pieces), first = random_below(seed, pieces);
    const size_t fill = random_below(seed, 3); /* so that some texts have long stretches without anything */
    while (length < n) {
        length += put_piece(reader->pieces[(first + random_below(seed, few)) % pieces], length, seed);
        if (random_below(seed, 4) == 0)
            text[length++] = ' ';
        for (size_t k = random_below(seed, 1 + 20 * fill); k > 0; k--)
            text[length++] = random_below(seed, 8) == 0 ? ' ' : 'x';
    }
    return n;
}

TEST(test_soups) {
    uint64_t seed = 1;
    for (size_t r = 0; r < plain_word_reader_count; r++) {
        pm_check *const check = check_of(&plain_word_readers[r]);
        for (int round = 0; round < 4000; round++) {
            const size_t n = random_below(&seed, round % 100 == 0 ? SOUP_MAX : 200);
            try_text(&plain_word_readers[r], check, text, make_soup(&plain_word_readers[r], &seed, n));
        }
        pm_check_destroy(check);
    }
}

/* What is read by masks, or byte by byte, where nothing else stands between: brackets, whole comments and strings, and
 * what looks like their begins. */
typedef struct crowd_pieces {
    const char *language;
    const char *pieces[32];
} crowd_pieces;

static const crowd_pieces crowds[] = {
    {"sql", {"(",   ")",    "()",    "''",    "'('",         "'\"'",    "\"\"", "--\n", "--(\n",
             "-",   "/**/", "/*(*/", "/*/",   "begin ",      " end ",   "e''",  "$",    "$ ",
             "a$b", "$a$",  "$$",    "end $", "begin work ", "end if ", "end=", "case "}},
    {"mysql", {"(", ")", "()", "``", "`(`", "--\n", "--(\n", "-", "/**/", "/*(*/", "#\n", "#'\n", "begin ", " end "}},
    {"pascal", {"(",       ")",     "[",        "]",     "()",    "[]",     "{}",        "{[}",      "{{}", "{{}(}",
                "{$else}", "{$if}", "{$endif}", "(**)",  "(*[*)", "(*(*)",  "(*(**)[*)", "(*)",      "''",  "'['",
                "//\n",    "/",     "begin ",   " end ", "{$if",  "{$else", "=",         "= class ", ":=",  "&begin "}},
    {"latex", {"{",    "}",      "{}",     "{{",      "}}",         "%\n",       "%{\n",     "\\(",
               "\\)",  "\\[\\]", "\\{",    "\\%",     "\\begin{a}", "\\end{a}",  "\\url{%}", "\\else\\begin{",
               "\\if", "\\fi",   "\\left", "\\right", "\\begin{b}", "\\end{b }", "\\begin {"}},
};

static const crowd_pieces *crowd_of(const plain_word_reader *reader) {
    for (size_t k = 0; k < COUNT_OF(crowds); k++)
        if (strcmp(crowds[k].language, reader->language) == 0)
            return &crowds[k];
    return NULL;
}

/* Stretches of two pieces, mostly the first one, and a few others. */
static size_t make_crowd(const crowd_pieces *crowd, uint64_t *seed, size_t n) {
    size_t pieces = 0, length = 0;
    while (pieces < COUNT_OF(crowd->pieces) && crowd->pieces[pieces])
        pieces++;
    const size_t other = random_below(seed, 2) == 0 ? 5 : 300; /* one piece in so many is another one */
    while (length < n) {
        const char *const two[] = {crowd->pieces[random_below(seed, pieces)],
                                   crowd->pieces[random_below(seed, pieces)]};
        for (size_t k = 1 + random_below(seed, 700); k > 0 && length < n; k--) {
            const char *const piece = two[random_below(seed, other) == 0];
            memcpy(text + length, piece, strlen(piece));
            length += strlen(piece);
        }
    }
    return n;
}

TEST(test_crowds) {
    uint64_t seed = 3;
    for (size_t r = 0; r < plain_word_reader_count; r++) {
        const crowd_pieces *const crowd = crowd_of(&plain_word_readers[r]);
        pm_check *const check = check_of(&plain_word_readers[r]);
        for (int round = 0; crowd && round < 2000; round++)
            try_text(&plain_word_readers[r], check, text, make_crowd(crowd, &seed, random_below(&seed, SOUP_MAX)));
        pm_check_destroy(check);
    }
}

TEST(test_cuts) {
    uint64_t seed = 2;
    for (size_t r = 0; r < plain_word_reader_count; r++) {
        pm_check *const check = check_of(&plain_word_readers[r]);
        for (int round = 0; round < 20; round++)
            for (size_t n = make_soup(&plain_word_readers[r], &seed, 300); n > 0; n--)
                try_text(&plain_word_readers[r], check, text, n);
        pm_check_destroy(check);
    }
}

/* ---- Files ---- */

static bool try_language(const char *language, const char *bytes, size_t n) {
    for (size_t r = 0; r < plain_word_reader_count; r++)
        if (strcmp(plain_word_readers[r].language, language) == 0) {
            pm_check *const check = check_of(&plain_word_readers[r]);
            try_text(&plain_word_readers[r], check, bytes, n);
            pm_check_destroy(check);
            return true;
        }
    return false;
}

TEST(test_files) {
    plain_files_try(text, TEXT_MAX, try_language);
}

static int set_up(void **state) {
    (void)state;
    return pm_context_create(NULL, &context) != PM_OK;
}

static int tear_down(void **state) {
    (void)state;
    pm_context_destroy(context);
    return 0;
}

int main(void) {
    return tests_run_between(set_up, tear_down);
}
