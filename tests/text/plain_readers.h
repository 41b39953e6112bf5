/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Languages read plainly: by a function each, which has the whole text before it and looks at one byte after another.
 * What the library says of a text is compared with them.
 */
#ifndef PM_TESTS_TEXT_PLAIN_READERS_H
#define PM_TESTS_TEXT_PLAIN_READERS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct plain_text {
    const char *bytes;
    size_t n;
    size_t behind;     /* where the last string, comment or other literal ended */
    bool unterminated; /* the text's end cuts one off */
    size_t cut;        /* where that begins; the outermost, if code nests in it */
    bool cut_known;    /* by what reads all at once */
    bool comment;      /* what was skipped last was a comment; only where readers look at `code` */
    char *code;        /* n bytes: the text up to what is being read, comments as blanks, literals as quotes */
    bool *brackets;    /* n of them */
    bool may_be_jsx;   /* JavaScript has something that may be a tag, which is not read here */
} plain_text;

typedef struct plain_reader {
    const char *language;
    /* Returns the offset behind what begins at `at` in which brackets do not count; `at`: nothing begins there. */
    size_t (*skip)(plain_text *text, size_t at);
    const char *pieces[64]; /* that texts may be made of */
} plain_reader;

extern const plain_reader plain_readers[];
extern const size_t plain_reader_count;

/* Sets text->brackets, text->code and text->unterminated. */
void plain_read(const plain_reader *reader, plain_text *text);

#endif
