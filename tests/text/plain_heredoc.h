/* SPDX-License-Identifier: Apache-2.0 */
/* Heredocs, as the plain readers of shell and Perl read them. */
#ifndef PM_TESTS_TEXT_PLAIN_HEREDOC_H
#define PM_TESTS_TEXT_PLAIN_HEREDOC_H

#include <stdbool.h>
#include <stddef.h>

typedef struct heredoc {
    const char *word;
    size_t length;
    bool indented; /* blanks may stand before the word that ends it */
} heredoc;

/* Is this line the heredoc's word? A \r behind its first byte counts as nothing. */
static inline bool heredoc_ends(const heredoc *of, const char *line, size_t length) {
    size_t at = 0, k = 0;
    while (of->indented && at < length && (line[at] == ' ' || line[at] == '\t'))
        at++;
    for (const size_t first = at; at < length; at++) {
        if (line[at] == '\r' && at > first)
            continue;
        if (k == of->length || line[at] != of->word[k])
            return false;
        k++;
    }
    return k == of->length;
}

#endif
