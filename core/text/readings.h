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
 * Stacks share their entries: an entry names the one below it, or a fork, a list of possible entries below. Saved
 * readings share the entries' pages, so a change may need memory. If the allocation fails, `failed` is set.
 */
#ifndef PM_CORE_TEXT_READINGS_H
#define PM_CORE_TEXT_READINGS_H

#include "base/shared_array.h"
#include "base/stack.h"

#define PM_READINGS 8u

typedef enum pmi_directive {
    PM_DIRECTIVE_IF = 0,
    PM_DIRECTIVE_IF_ZERO, /* #if 0: its brackets do not count */
    PM_DIRECTIVE_ELSE_IF,
    PM_DIRECTIVE_ELSE,
    PM_DIRECTIVE_END
} pmi_directive;

/* Names an entry; 0: none. */
typedef uint32_t pmi_reading_id;

/* An open, or a fork. */
typedef struct pmi_reading {
    uint64_t hash;  /* of the kinds from here down; equal ones are taken for equal stacks */
    uint64_t users; /* that name it */
    union {
        struct {
            pmi_reading_id below; /* 0: nothing is open there; of a fork its first alternative */
            pm_place at;
        };
        pmi_reading_id alternatives[PM_READINGS]; /* of a fork, which has `count` */
    };
    pmi_reading_id next; /* in a list of entries that are not in use, to be freed, or unmatched */
    uint32_t depth;      /* opens from here down, the fewest */
    uint32_t first;      /* opens from here down, of forks by the first alternative */
    uint8_t kind, count;
    uint8_t width; /* readings at most while these are closed, all on that way; 0: more than PM_READINGS, or others */
    bool fork : 1, closed : 1; /* closed in some reading */
} pmi_reading;

/* Different stacks, by their topmost entries. */
typedef struct pmi_tops {
    uint32_t count;
    pmi_reading_id top[PM_READINGS];
} pmi_tops;

/* An #if that is not closed yet, and those right around it that differ in nothing, not even in what is open. */
typedef struct pmi_reading_group {
    uint64_t around;
    pmi_tops before, after; /* the #if; the branches that are complete, of the innermost one */
    bool has_else, skipped; /* skipped: the whole group is inside a skipped branch */
    bool uneven;            /* a branch of this #if or of one around it has left open what nothing can close before the
                               #endif */
    bool strayed;           /* a close in this #if or in one around it has given up opens that only an #if holds now */
    uint64_t stamp;         /* another one for each #if, and for each of its branches */
    uint32_t nested;        /* in a skipped branch: #endifs that lead out of it, behind which `before` goes on */
} pmi_reading_group;

typedef struct pmi_readings {
    pmi_tops now;              /* at least one */
    bool skipped;              /* in an #if 0 */
    bool trial;                /* all is to be restored, and of what is lost one open is enough */
    bool failed;               /* for want of memory: there is nothing to be done but to clear or restore them */
    pmi_shared_array entries;  /* all that were allocated */
    pmi_stack groups;          /* of every #if around */
    pmi_reading_id free, lost; /* lost: unmatched opens that no reading holds */
    uint64_t closings;         /* of opens that are named still */
    uint64_t strays;           /* closes that have given up opens which an #if holds */
    pmi_reading_id stray;      /* one that the last of these has given up */
    uint64_t stamps;           /* that were given, also to what was left by going back */
    pmi_reading nowhere;       /* is changed in place of an entry when there is no memory */
} pmi_readings;

void pmi_readings_init(pmi_readings *readings, const pm_allocator *allocator);

/* Makes `saved`, which was not initialised, what readings are now; they share what both hold. To be cleared. False:
 * there is no memory; then nothing is saved. */
bool pmi_readings_save(pmi_readings *readings, pmi_readings *saved);

/* Makes readings what was saved of them. pmi_readings_reserve_for() has said that there is memory for it. */
void pmi_readings_restore(pmi_readings *readings, const pmi_readings *saved);
bool pmi_readings_reserve_for(pmi_readings *readings, const pmi_readings *saved);

/* One reading, and nothing open; gives all memory back. */
void pmi_readings_clear(pmi_readings *readings);

/* Was nothing ever pushed that matters still? */
static inline bool pmi_readings_empty(const pmi_readings *readings) {
    return readings->now.count == 1 && !readings->now.top[0] && !readings->lost;
}

/* Returns an entry, to be read until the next call that changes readings; of 0 what is below all opens. */
static inline const pmi_reading *pmi_readings_at(const pmi_readings *readings, pmi_reading_id id) {
    static const pmi_reading nothing = {.width = 1};
    if (id == 0)
        return &nothing;
    return (const pmi_reading *)pmi_shared_array_page(&readings->entries, id - 1) + pmi_shared_page_place(id - 1);
}

/* Returns the number of opens in the reading that has the fewest. */
uint64_t pmi_readings_least(const pmi_readings *readings);

/* Goes down the opens of one reading, of a fork by the first alternative. */
typedef struct pmi_readings_walk {
    const pmi_shared_array *entries;
    const pmi_reading *page; /* the last one */
    size_t number;           /* of it */
    pmi_reading_id next;
} pmi_readings_walk;

static inline pmi_readings_walk pmi_readings_walk_begin(const pmi_readings *readings, pmi_reading_id top) {
    return (pmi_readings_walk){&readings->entries, NULL, SIZE_MAX, top};
}

static inline const pmi_reading *pmi_readings_walk_entry(pmi_readings_walk *walk, pmi_reading_id id) {
    if (pmi_shared_page_number(id - 1) != walk->number) {
        walk->page = pmi_shared_array_page(walk->entries, id - 1);
        walk->number = pmi_shared_page_number(id - 1);
    }
    return walk->page + pmi_shared_page_place(id - 1);
}

/* The next open, the top first; NULL: nothing is open below the last one. */
static inline const pmi_reading *pmi_readings_walk_down(pmi_readings_walk *walk) {
    const pmi_reading *entry = walk->next > 0 ? pmi_readings_walk_entry(walk, walk->next) : NULL;
    if (entry && entry->fork)
        entry = entry->below > 0 ? pmi_readings_walk_entry(walk, entry->below) : NULL;
    walk->next = entry ? entry->below : 0;
    return entry;
}

/* If all opens of the first reading are closed, the innermost first: does that close whatever other readings hold? */
bool pmi_readings_close_by_first(const pmi_readings *readings, const pmi_tops *tops);

/* Has a branch left open, in these readings, only what was open before its #if? */
bool pmi_readings_even(const pmi_readings *readings, const pmi_tops *before, const pmi_tops *after);

/* May opens that were given up be unmatched at the end, though no reading has lost them yet? An #if holds them. */
bool pmi_readings_strayed(const pmi_readings *readings);

/* Is the open that was given up last unmatched for certain, if nothing but closes follows? Then the #ifs that hold it
 * go on to the end of the text, and no equal stack is there for whose sake it would be forgiven. */
bool pmi_readings_stray_is_lost(const pmi_readings *readings);

/* The readings behind an #endif here; nothing is changed. False: there may be more than are kept, or this is in no #if.
 */
bool pmi_readings_behind_end(const pmi_readings *readings, pmi_tops *tops);

/* The opens of the first reading, as pmi_readings_walk_down() goes through them. */
static inline uint64_t pmi_readings_first(const pmi_readings *readings, const pmi_tops *tops) {
    return pmi_readings_at(readings, tops->top[0])->first;
}

/* Puts an open on top of every reading. False: there is no memory. */
bool pmi_readings_push(pmi_readings *readings, pm_place at, unsigned kind);

/* Closes the innermost open. Returns true if it has that kind in some reading. If not, *open receives the open that is
 * closed in the first one; NULL: nothing is open there. *open is valid until the next call. May fail. */
bool pmi_readings_close(pmi_readings *readings, unsigned kind, const pmi_reading **open);

/* Reads a directive. False: there is no memory. */
bool pmi_readings_direct(pmi_readings *readings, pmi_directive directive);

/* Ends the text: returns the unmatched opens, in the order of their places, linked by `next`. 0, too, if it fails. */
pmi_reading_id pmi_readings_finish(pmi_readings *readings);

/* Would pmi_readings_finish() return none? Changes the readings, which are then to be restored. False, too, if they
 * fail. */
bool pmi_readings_match(pmi_readings *readings);

#endif
