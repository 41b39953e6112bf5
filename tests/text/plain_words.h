/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Languages of tags and words, read plainly: by a function each, which has the whole text before it and looks at one
 * byte after another. What the library says of a text is compared with them.
 */
#ifndef PM_TESTS_TEXT_PLAIN_WORDS_H
#define PM_TESTS_TEXT_PLAIN_WORDS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct plain_word {
    size_t begin, end; /* equal: a close that the text omits */
    bool open;
    bool may_end; /* an open that the text's end closes, or what surrounds it */
    bool passed;  /* a close that a check passes over */
    size_t kind;  /* of a name: where the name begins that came first; of words: the language's number */
    size_t rule;  /* the language's, of an open */
} plain_word;

typedef struct plain_words {
    const char *bytes;
    size_t n;
    bool nested;       /* comments have others of their kind in them, where the language leaves that open */
    bool unterminated; /* the text's end cuts something off */
    bool transaction;  /* SQL: one has begun */
    plain_word *words; /* room for n + 1 and more of them */
    plain_word *open;  /* room for n + 1 of them: what is open, the innermost last */
    size_t count, depth;
} plain_words;

typedef struct plain_word_reader {
    const char *language;
    /* Takes what begins at `at` and returns the offset behind it; at + 1: nothing begins there. */
    size_t (*take)(plain_words *text, size_t at);
    const char *pieces[64]; /* that texts may be made of */
} plain_word_reader;

extern const plain_word_reader plain_word_readers[];
extern const size_t plain_word_reader_count;

/* Sets text->words, text->count and text->unterminated. */
void plain_words_read(const plain_word_reader *reader, plain_words *text);

#endif
