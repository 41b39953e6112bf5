/* SPDX-License-Identifier: Apache-2.0 */
/* What closes an open of a text with delimiters. */
#ifndef PM_CORE_DELIMITERS_OPEN_CLOSES_H
#define PM_CORE_DELIMITERS_OPEN_CLOSES_H

#include "core/delimiters/delimiters.h"

#define PM_CLOSE_PIECES 6u

/* A close, piece by piece: of the language, and a name from the text. */
typedef struct pmi_close {
    struct {
        const unsigned char *bytes;
        size_t length;
    } pieces[PM_CLOSE_PIECES];
    unsigned count;
    unsigned sort; /* closes of one sort are alike in what may stand next to them; PM_CLOSE_SORTS: not known */
    bool whole;    /* it is a word, and counts only where a word may begin */
    bool worded;   /* it is a tag with a name of letters, digits, and signs that names have */
    size_t length; /* of all pieces; 0: nothing closes the open */
} pmi_close;

#define PM_CLOSE_KINDS 16u /* of rules that are told apart */
#define PM_CLOSE_FAMILIES 4u
#define PM_CLOSE_SORTS (PM_CLOSE_KINDS + PM_CLOSE_FAMILIES)

/* What stands between closes, the first that suits: nothing, a blank, a newline. */
#define PM_CLOSE_SEPARATORS 3u
extern const char *const pmi_close_separators[PM_CLOSE_SEPARATORS];

/* Stores the close of an open of kind `kind`, which the text has at begin ... end - 1. */
void pmi_close_of(const struct pmi_delimiters *pairs, const unsigned char *text, uint32_t kind, size_t begin,
                  size_t end, pmi_close *close);

/* Writes a close, and returns its length. */
size_t pmi_close_put(const pmi_close *close, unsigned char *bytes);

/* Last bytes of a text that what follows may change, such as the first ones of a word, and what else depends on how it
 * is completed behind them. Compared bytewise. */
#define PM_TAIL_BYTES 16u
#define PM_TAIL_OPENS 6u
typedef struct pmi_tail {
    uint8_t bytes[PM_TAIL_BYTES]; /* zeros behind them */
    uint8_t length, before;       /* of the bytes; the byte before them */
    uint8_t opens[PM_TAIL_OPENS]; /* what sorts the closes of the innermost ones are of */
    uint8_t separators[2];        /* that suit all closes, and all but the innermost one */
    uint8_t opened;               /* opens that these bytes bring, modulo 256 */
    uint8_t string;               /* as in pmi_open_text_end */
    bool cut;                     /* they begin a region or tag, */
    bool closing;                 /* and the close of the innermost open, too */
    bool let;                     /* as in pmi_spared, before them */
    uint8_t unused;
} pmi_tail;

#define PM_TAIL_END 4u

/* How such texts are completed. */
typedef struct pmi_tail_end {
    uint8_t separator;          /* before each close */
    bool closes;                /* first comes the rest of the innermost open's close, else: */
    uint8_t length;             /* bytes */
    uint8_t bytes[PM_TAIL_END]; /* that end the region or tag */
} pmi_tail_end;

#define PM_TAILS_KEPT 128u

/* Of a language: which separators two closes need, and the ends of some tails. */
typedef struct pmi_closes {
    uint8_t known[PM_CLOSE_SORTS][PM_CLOSE_SORTS]; /* 0: not tried yet; else 1 more than what is returned */
    struct {
        pmi_tail tail; /* of length 0: none */
        pmi_tail_end end;
    } tails[PM_TAILS_KEPT];
} pmi_closes;

/* Stores the first separator with which a close may stand before another; PM_CLOSE_SEPARATORS: not known, or there is
 * none. False: there is no memory. */
bool pmi_closes_separator(pmi_closes *closes, pm_context *context, const struct pmi_delimiters *pairs,
                          const pmi_close *first, const pmi_close *second, unsigned *separator);

/* ---- Texts that end alike: what completes one completes all of them ---- */

struct pmi_open_text;

/* Stores what it depends on how the text is completed, if `tried` closes are tried. Returns false if it depends on more
 * than a tail has. */
bool pmi_tail_of(const struct pmi_open_text *text, const unsigned char *bytes, unsigned tried, pmi_tail *tail);

/* Returns how texts with that tail are completed; NULL: it is not known. */
const pmi_tail_end *pmi_tail_find(const pmi_closes *closes, const pmi_tail *tail);

/* Notes how they are, perhaps in place of another tail. */
void pmi_tail_keep(pmi_closes *closes, const pmi_tail *tail, const pmi_tail_end *end);

#endif
