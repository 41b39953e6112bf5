/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What may be open where a text has conditional branches (#if, #elif, #else, #endif). Each way to choose branches is a
 * reading; a reading is a stack of opens. Every branch begins with the readings before its #if; behind #endif those of
 * all branches go on, and with no #else also those before the #if. Readings with equal stacks are one.
 *
 * A close fits if it closes an open of its kind in some reading; then the other readings are over. An open is unmatched
 * if no reading closes it. So a text is fine if each bracket is matched in some choice of branches. At most PM_READINGS
 * are kept; the deepest are dropped first.
 *
 * Stacks share their entries: an entry points to the one below it, or to a fork, a list of possible entries below.
 */
#ifndef PM_CORE_TEXT_READINGS_H
#define PM_CORE_TEXT_READINGS_H

#include "base/stack.h"

#define PM_READINGS 8u

typedef enum pmi_directive {
    PM_DIRECTIVE_IF = 0,
    PM_DIRECTIVE_IF_ZERO, /* #if 0: its brackets do not count */
    PM_DIRECTIVE_ELSE_IF,
    PM_DIRECTIVE_ELSE,
    PM_DIRECTIVE_END
} pmi_directive;

typedef struct pmi_reading pmi_reading;

/* An open, or an alternative of a fork. */
struct pmi_reading {
    pmi_reading *below; /* NULL: nothing is open there */
    pmi_reading *also;  /* of a fork: its next alternative */
    pmi_reading *next;  /* in a list of entries that are not in use, to be freed, or unmatched */
    uint64_t hash;      /* of the kinds from here down; equal ones are taken for equal stacks */
    uint64_t depth;     /* opens from here down, the fewest */
    uint64_t users;     /* pointers to it */
    uint64_t first;     /* opens from here down, of forks by the first alternative */
    pm_place at;
    uint8_t kind;
    uint8_t width; /* readings at most while these are closed, all on that way; 0: more than PM_READINGS, or others */
    bool fork, closed; /* closed in some reading */
};

/* Different stacks, by their topmost entries. */
typedef struct pmi_tops {
    size_t count;
    pmi_reading *top[PM_READINGS];
} pmi_tops;

/* An #if that is not closed yet, and those right around it that differ in nothing, not even in what is open. */
typedef struct pmi_reading_group {
    uint64_t around;
    pmi_tops before, after; /* the #if; the branches that are complete, of the innermost one */
    bool has_else, skipped; /* skipped: the whole group is inside a skipped branch */
    bool uneven;            /* a branch of this #if or of one around it has left open what nothing can close before the
                               #endif */
    uint32_t nested;        /* in a skipped branch: #endifs that lead out of it, behind which `before` goes on */
} pmi_reading_group;

typedef struct pmi_readings {
    pmi_tops now;                     /* at least one */
    bool skipped;                     /* in an #if 0 */
    pmi_stack entries;                /* all that were allocated */
    pmi_stack groups;                 /* of every #if around */
    pmi_reading *free, *lost;         /* lost: unmatched opens that no reading holds */
    struct pmi_saved_readings *saved; /* what it is now, for saved states; NULL: it was not saved since it changed */
} pmi_readings;

/* A copy of readings that never changes, so that states can share it. */
typedef struct pmi_saved_readings {
    size_t users;
    pmi_readings readings;
} pmi_saved_readings;

void pmi_readings_init(pmi_readings *readings, const pm_allocator *allocator);

/* Copies readings into ones that were just made. False: there is no memory; then they are as just made. */
bool pmi_readings_copy(const pmi_readings *readings, pmi_readings *copy);

/* Returns what readings are now, to be given to pmi_saved_readings_release(): a copy, or that of the last call if
 * nothing has changed since. NULL: there is no memory. */
pmi_saved_readings *pmi_readings_save(pmi_readings *readings);

/* Makes readings what was saved of them. False: there is no memory; then they are as before. */
bool pmi_readings_restore(pmi_readings *readings, pmi_saved_readings *saved);

/* Forgets what was saved last. */
void pmi_readings_unsave(pmi_readings *readings);

/* NULL is allowed. */
void pmi_saved_readings_release(pmi_saved_readings *saved);

/* One reading, and nothing open; gives all memory back. */
void pmi_readings_clear(pmi_readings *readings);

/* Was nothing ever pushed that matters still? */
static inline bool pmi_readings_empty(const pmi_readings *readings) {
    return readings->now.count == 1 && !readings->now.top[0] && !readings->lost;
}

/* Returns the number of opens in the first reading. */
static inline uint64_t pmi_readings_depth(const pmi_readings *readings) {
    return readings->now.top[0] ? readings->now.top[0]->depth : 0;
}

/* The open below one that is open in some reading; of a fork in the first alternative. NULL: nothing is open there. */
static inline const pmi_reading *pmi_reading_below(const pmi_reading *open) {
    const pmi_reading *const below = open->below;
    return below && below->fork ? below->below : below;
}

/* If all opens of the first reading are closed, the innermost first: does that close whatever other readings hold? */
bool pmi_readings_close_by_first(const pmi_tops *tops);

/* Has a branch left open, in these readings, only what was open before its #if? */
bool pmi_readings_even(const pmi_tops *before, const pmi_tops *after);

/* The readings behind an #endif here; nothing is changed. False: there may be more than are kept, or this is in no #if.
 */
bool pmi_readings_behind_end(const pmi_readings *readings, pmi_tops *tops);

/* The opens of the first reading, as pmi_reading_below() goes through them. */
static inline uint64_t pmi_readings_first(const pmi_tops *tops) {
    return tops->top[0] ? tops->top[0]->first : 0;
}

/* Puts an open on top of every reading. False: there is no memory. */
bool pmi_readings_push(pmi_readings *readings, pm_place at, unsigned kind);

/* Closes the innermost open. Returns true if it has that kind in some reading. If not, *open receives the open that is
 * closed in the first one; NULL: nothing is open there. *open is valid until the next call. */
bool pmi_readings_close(pmi_readings *readings, unsigned kind, const pmi_reading **open);

/* Reads a directive. False: there is no memory. */
bool pmi_readings_direct(pmi_readings *readings, pmi_directive directive);

/* Ends the text: returns the unmatched opens, in the order of their places, linked by `next`. */
const pmi_reading *pmi_readings_finish(pmi_readings *readings);

#endif
