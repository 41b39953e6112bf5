/* SPDX-License-Identifier: Apache-2.0 */
/* Pieces of texts, and the way from one to the next. */
#include "bench/suites/pieces.h"

#include <stdio.h>
#include <string.h>

#include "inputs/families.h"

static const char *const tokens[] = {"{",
                                     "}",
                                     "(",
                                     ")",
                                     "[",
                                     "]",
                                     "\"",
                                     "'",
                                     "`",
                                     "\\",
                                     "/",
                                     "*",
                                     "//",
                                     "/*",
                                     "*/",
                                     "#",
                                     "\n",
                                     " ",
                                     "x",
                                     "<",
                                     ">",
                                     "-",
                                     "$",
                                     "=",
                                     "#if 1\n",
                                     "#if 0\n",
                                     "#else\n",
                                     "#endif\n",
                                     "${",
                                     "#{",
                                     "$(",
                                     "$\"",
                                     "<div>",
                                     "</div>",
                                     "<a ",
                                     "<a b=",
                                     "--",
                                     "(*",
                                     "*)",
                                     "{-",
                                     "<<E\n",
                                     "\nE\n",
                                     "<<E ",
                                     "r#\"",
                                     "\"\"\"",
                                     "'''",
                                     "case x in ",
                                     "esac\n",
                                     "m{",
                                     "q(",
                                     "begin ",
                                     "end ",
                                     "loop ",
                                     "while ",
                                     "\\begin{a}",
                                     "\\end{a}",
                                     "{% if %}",
                                     "{%",
                                     "%}",
                                     "<!--",
                                     "<li>",
                                     "<p>",
                                     "$$",
                                     "$a$",
                                     "|",
                                     "@\"",
                                     "f\"",
                                     "s\"",
                                     "\\(",
                                     "%w(",
                                     "--[[",
                                     "[=[",
                                     "''",
                                     "<?php ",
                                     "?>",
                                     "=begin\n",
                                     "s{",
                                     "#[[",
                                     "\\verb|",
                                     "~",
                                     "%",
                                     "!",
                                     ":",
                                     "0",
                                     ",",
                                     ";",
                                     "`ifdef x\n",
                                     "`endif\n",
                                     "#region\n",
                                     "R\"(",
                                     "->",
                                     "- ",
                                     "? ",
                                     "&",
                                     "#|",
                                     "/+",
                                     "tr/",
                                     "qw<",
                                     "s/",
                                     "{/*",
                                     "<a b={",
                                     "<></>",
                                     "</",
                                     "{{",
                                     "{#if x}",
                                     "<script>",
                                     "</script>",
                                     "<style>",
                                     "%{",
                                     "?",
                                     "-->",
                                     "<!",
                                     "<?",
                                     "]]>",
                                     "<![CDATA[",
                                     "\r\n",
                                     "\t",
                                     "<a/>",
                                     "=>",
                                     "\\\\",
                                     "\\$",
                                     "\"a\"",
                                     "'a'",
                                     "repeat ",
                                     "until ",
                                     "case ",
                                     "record ",
                                     "if ",
                                     "end;",
                                     "aaaaaaaa",
                                     "aaaaaaaaaaaaaaaaaaaaaaaa",
                                     "/**/",
                                     "(**)",
                                     "{}",
                                     "()",
                                     "[]",
                                     "[[",
                                     "]]",
                                     "..",
                                     "\xc3\xa9"};
#define TOKENS (sizeof tokens / sizeof *tokens)
#define NAME_BYTES 32u

size_t piece_bytes(const struct piece *piece, char *bytes) {
    size_t length = 0;
    for (unsigned k = 0; k < piece->count; k++) {
        const size_t n = strlen(tokens[piece->token[k]]);
        if (n > PIECE_BYTES - length)
            break;
        memcpy(bytes + length, tokens[piece->token[k]], n);
        length += n;
    }
    return length;
}

static struct piece piece_moved(const struct piece *from, uint64_t *state) {
    struct piece piece = *from;
    const unsigned token = (unsigned)random_below(state, TOKENS);
    if (piece.count > 1 && random_below(state, 4) == 0) {
        const unsigned gone = (unsigned)random_below(state, piece.count--);
        memmove(piece.token + gone, piece.token + gone + 1, (piece.count - gone) * sizeof *piece.token);
    } else if (piece.count < PIECE_TOKENS && random_below(state, 2) == 0) {
        piece.token[piece.count++] = token;
    } else {
        piece.token[random_below(state, piece.count)] = token;
    }
    return piece;
}

static struct piece piece_random(uint64_t *state) {
    struct piece piece = {.count = 1 + (unsigned)random_below(state, PIECE_TOKENS)};
    for (unsigned k = 0; k < piece.count; k++)
        piece.token[k] = (unsigned)random_below(state, TOKENS);
    return piece;
}

struct piece piece_next(const struct slow_pieces *slow, uint64_t *state) {
    const size_t from = (size_t)random_below(state, 2 * PIECES_KEPT);
    return from < PIECES_KEPT && slow->pieces[from].count > 0 ? piece_moved(&slow->pieces[from], state)
                                                              : piece_random(state);
}

static bool pieces_are_equal(const struct piece *a, const struct piece *b) {
    char x[PIECE_BYTES], y[PIECE_BYTES];
    const size_t n = piece_bytes(a, x);
    return n == piece_bytes(b, y) && memcmp(x, y, n) == 0;
}

bool piece_is_slow(const struct slow_pieces *slow, double cost) {
    return cost > slow->pieces[PIECES_KEPT - 1].cost;
}

void piece_keep(struct slow_pieces *slow, const struct piece *piece) {
    struct piece *const pieces = slow->pieces;
    size_t k = 0;
    for (size_t i = 0; i < PIECES_KEPT; i++)
        if (pieces_are_equal(&pieces[i], piece))
            return;
    while (k < PIECES_KEPT && pieces[k].cost >= piece->cost)
        k++;
    if (k == PIECES_KEPT)
        return;
    memmove(pieces + k + 1, pieces + k, (PIECES_KEPT - 1 - k) * sizeof *pieces);
    pieces[k] = *piece;
}

/* The language that a family begins with; NULL: there is none of that name. */
static const pm_language *language_of(const char *family) {
    const size_t length = strcspn(family, ":");
    char name[NAME_BYTES] = "";
    if (length < sizeof name)
        memcpy(name, family, length);
    return pm_language_by_name(name);
}

bool piece_is_family(const char *family) {
    return language_of(family) != NULL;
}

const pm_language *piece_family(const char *suite, const char *family, const char **bytes) {
    const char *const colon = strchr(family, ':');
    const pm_language *const language = language_of(family);
    *bytes = colon ? colon + 1 : NULL;
    if (language && (!colon || (colon[1] && strlen(colon + 1) <= PIECE_BYTES)))
        return language;
    fprintf(stderr, "pm_bench: --suite %s: no language, or no piece of up to %u bytes: '%s'\n", suite, PIECE_BYTES,
            family);
    return NULL;
}

const char *piece_language(size_t k) {
    return pm_language_name(pm_language_at(k));
}
