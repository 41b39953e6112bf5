/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is open in a text with delimiters that grows, kept from one question to the next: only what has come since is
 * read. What a byte is may depend on those that follow, so that the text has two parts: up to `at` nothing depends on
 * what may follow the text, and the rest, mostly a few bytes, is read again at each question as if the text ended
 * there. Inside a comment, string or tag that is not ended a search goes on where the last one stopped. Opens are
 * entries that point to the one below and stay, so that saved states share them: a state is one pmi_open_text_now.
 */
#ifndef PM_CORE_DELIMITERS_OPEN_TEXT_H
#define PM_CORE_DELIMITERS_OPEN_TEXT_H

#include "base/stack.h"
#include "core/delimiters/open/closes.h"
#include "core/delimiters/token_scan.h"

#define PM_CLOSE_KEPT 24u /* bytes of a close that its open keeps */

typedef struct pmi_open_entry {
    const struct pmi_open_entry *below;  /* NULL: this is the outermost */
    const struct pmi_open_entry *needed; /* the innermost from here on whose close may not be left out at the end */
    pm_place at;
    pmi_open open;
    uint64_t depth;                     /* opens, with this one */
    uint64_t suffix;                    /* bytes that close all of them, without what separates these */
    unsigned char bytes[PM_CLOSE_KEPT]; /* its close, */
    uint8_t length;                     /* if that is no longer; else 0 */
    bool whole;                         /* its close is a word, which counts only where one may begin */
    bool worded;                        /* as in pmi_close */
    unsigned close;                     /* what sort its close is of (core/delimiters/open/closes.h) */
    unsigned separator;                 /* of these closes, the first that suits all of them: of pmi_close_separators */
} pmi_open_entry;

/* Where a reader stands. */
typedef struct pmi_open_text_state {
    const pmi_open_entry *top; /* the innermost open; NULL: nothing is open */
    uint64_t faults;           /* closes that close nothing, or another kind */
    bool let;                  /* as in pmi_spared */
    pmi_raw_contents raw;
    size_t counted, line, line_start; /* up to here newlines are counted; the line there, and where it begins */
} pmi_open_text_state;

/* How far a text was read. */
typedef struct pmi_open_text_now {
    uint64_t generation; /* of the entries; 0: nothing was read */
    size_t at;           /* bytes before it are what they are, whatever follows */
    pmi_open_text_state state;
    pmi_name_change *names; /* of tags: the last one up to there */
    pmi_end_search search;  /* as in pmi_scan_growth, as these: */
    pmi_expression expression, inner;
    pmi_known_name name;
    size_t blanks, blanks_end;
} pmi_open_text_now;

/* What follows the part of a text that does not depend on what may follow. */
typedef enum pmi_open_text_unsettled {
    PM_UNSETTLED_NOTHING,
    PM_UNSETTLED_LINE, /* what a newline ends */
    PM_UNSETTLED_OTHER
} pmi_open_text_unsettled;

/* What a text is like at its end. */
typedef struct pmi_open_text_end {
    const pmi_open_entry *top; /* with what the end closes because it may be left open: top->needed is without it */
    uint64_t faults;
    size_t cut, cut_end; /* as in pmi_token_scan */
    size_t braces;       /* as in pmi_scan_growth, of what is cut off */
    pmi_open_text_unsettled unsettled;
    bool raw;             /* it ends in the contents of a raw element */
    bool certain;         /* of a cut tag: it ends in no expression, and none in it depends on what follows; of an
                             expression the latter */
    unsigned char string; /* what ends the string that the cut tag or region ends in; 0: it ends in no string, or it
                             is not known */
} pmi_open_text_end;

/* How a text is completed, as long as it waits (pmi_open_text.waits). */
typedef struct pmi_completion {
    bool known;
    unsigned char end[8]; /* of what the text is cut off in */
    size_t length;
    const pmi_open_entry *open; /* the innermost behind that, */
    unsigned separator;         /* and what stands before each close */
    size_t cut;                 /* as in pmi_open_text_end */
    unsigned char string;       /* the same: `end` begins with it */
    bool quotes;                /* it stays except for that if quotes begin and end strings */
    bool naming;                /* it ends a tag whose name may go on, and then its close with it, which is `open`'s */
} pmi_completion;

/* What a saved state has of a text. */
typedef struct pmi_open_text_saved {
    pmi_open_text_now now;
    size_t known; /* of pmi_open_text, as all that follow; PM_CUT_NONE: they are not saved */
    bool waits;
    uint32_t region;
    pmi_open_text_end end;
    pmi_completion completion; /* unless its open came with a trial, and goes with the next one */
} pmi_open_text_saved;

/* A second standing: behind an expression in which quotes wait that may yet begin strings, how far the text was read
 * where nothing depends on what may follow, as long as none of these quotes comes, nor a newline which ends some. */
typedef struct pmi_open_text_later {
    bool holds;
    bool ends[4]; /* what is not to come, if it waits: each quote, a newline */
    pmi_open_text_now now;
    uint64_t count, names; /* entries and changes of names up to there */
} pmi_open_text_later;

typedef struct pmi_open_text {
    pm_context *context;
    pmi_open_text_now now;
    pmi_open_text_end end;
    size_t known;          /* the text's bytes that `end` is of; PM_CUT_NONE: it is of none */
    bool waits;            /* `end` stays as long as only other bytes come than in: */
    bool ends[256];        /* bytes that may end a tag or region, or change what does */
    uint32_t region;       /* the rule of the plain region or tag that `end` is in; PM_NONE: it is in none */
    uint32_t known_region; /* the last one, and what may end that: */
    bool region_ends[256];
    pmi_completion completion;
    bool plain_tags[PM_CLOSE_FAMILIES];  /* of a family: see is_plain() */
    uint8_t begins[256];                 /* what patterns begin with it: a sum of PM_BEGINS_* */
    bool blanks_begin;                   /* patterns begin with blanks, too */
    bool goes_on[PM_RULES_PATTERNS_MAX]; /* others begin with the pattern */
    pmi_stack entries;                   /* of pmi_open_entry */
    uint64_t count, settled;             /* entries; those that do not depend on what may follow the text */
    pmi_stack changes;                   /* of pmi_name_change */
    uint64_t settled_names;              /* of them, as those entries */
    pmi_open_text_later later, read;     /* read: where the scan stands, if it `holds` */
    bool shared;                         /* entries that are no longer open may be those of a state that was saved */
    pmi_closes *closes;

    pmi_token_scan scan;
    pmi_scan_growth growth;
    pmi_open_text_state state; /* of the scan */
} pmi_open_text;

#define PM_BEGINS_WORD 1u     /* which count where a word begins */
#define PM_BEGINS_ANYWHERE 2u /* others */

/* Reads the first n bytes of a text, which begins with what was read before, so that *text is about these. It is made
 * with the first text, and to be given to pmi_open_text_destroy(). PM_OUT_OF_MEMORY; then the text is forgotten. */
pm_status pmi_open_text_read(pmi_open_text **text, pm_context *context, const struct pmi_delimiters *pairs,
                             const unsigned char *bytes, size_t n);

/* What a text is like at its end whose first text->known bytes were read. Nothing of it is kept but entries: those of
 * *end are there until the next call of pmi_open_text_read(). PM_OUT_OF_MEMORY. */
pm_status pmi_open_text_try(pmi_open_text *text, const unsigned char *bytes, size_t n, pmi_open_text_end *end);

/* The innermost open and faults behind the end of the tag that the text, whose first n bytes were read, is cut off in.
 * As pmi_open_text_try() of that; but false: it does not follow from its name. *status says whether there was memory.
 */
bool pmi_open_text_end_tag(pmi_open_text *text, const unsigned char *bytes, size_t n, uint32_t family, pmi_tag tag,
                           pmi_open_text_end *end, pm_status *status);

/* The bytes that may end what the text is cut off in, or change what does, while it waits. */
static inline const bool *pmi_open_text_ends(const pmi_open_text *text) {
    return text->region == PM_NONE ? text->ends : text->region_ends;
}

/* Stores what pmi_open_text_return() needs. `text` may be NULL in these functions. */
void pmi_open_text_save(pmi_open_text *text, pmi_open_text_saved *saved);

/* The text is now one that begins with what `then` was of. */
void pmi_open_text_return(pmi_open_text *text, const pmi_open_text_saved *then);

/* Forgets the text. */
void pmi_open_text_forget(pmi_open_text *text);

void pmi_open_text_destroy(pmi_open_text *text);

#endif
