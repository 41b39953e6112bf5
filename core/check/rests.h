/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rests of suffixes that were read, behind a close or an #endif of theirs each. What follows there depends on nothing
 * but what is open, the #ifs, strings and patterns around, so that a later suffix which comes to the same place need
 * not be read to its end, where much is nested. A rest is forgotten where another one wants its slot.
 */
#ifndef PM_CORE_CHECK_RESTS_H
#define PM_CORE_CHECK_RESTS_H

#include "core/text/readings.h"

#define PM_SUFFIX_KEPT 32u /* bytes */

#define PM_REST_NOWHERE UINT64_MAX

/* Where the code that a suffix has come to is. */
typedef struct pmi_rest_code {
    uint64_t open;    /* offset of the innermost open above the readings, or PM_REST_NOWHERE */
    uint64_t literal; /* offset of the innermost string whose code it is in, or PM_REST_NOWHERE */
    uint64_t hash;    /* of what else the lexer knows */
} pmi_rest_code;

/* A place in a suffix, and what follows depends on. Compared bytewise. */
typedef struct pmi_rest_place {
    pmi_rest_code code;
    uint64_t stamp;                /* of the innermost #if, or 0 */
    uint64_t around;               /* how many right around it differ in nothing, as pmi_reading_group counts them */
    uint64_t offsets[PM_READINGS]; /* of the readings' innermost opens; PM_REST_NOWHERE: nothing is open */
    uint64_t count;                /* of readings */
    uint64_t skipped, lost;        /* lost: the text itself has lost opens */
} pmi_rest_place;

/* When the check went back, and how much of the text it had then is the text since. Of several times only that is known
 * which the later ones leave true: both numbers ascend. */
#define PM_RESTS_CUTS 16u
typedef struct pmi_rests_past {
    uint64_t now; /* times that the check has gone back */
    unsigned count;
    struct {
        uint64_t time, kept;
    } cuts[PM_RESTS_CUTS];
} pmi_rests_past;

typedef struct pmi_rest {
    pmi_rest_place place;
    uint64_t time;     /* pmi_rests_past.now when it was noted; 0: the slot is empty */
    uint64_t needed;   /* bytes of the text then that made it so */
    uint64_t closings; /* of the readings: more of them may complete what could not be */
    uint64_t at;       /* bytes before it, while the suffix is read */
    size_t length;
    pm_status status;           /* PM_OK or PM_UNSUPPORTED */
    unsigned stored;            /* all of it, or PM_SUFFIX_KEPT; while it is read what came so far */
    char bytes[PM_SUFFIX_KEPT]; /* its first ones */
} pmi_rest;

typedef struct pmi_rests {
    pmi_rest *slots;   /* by their places' hash */
    size_t slot_count; /* a power of two, or 0 */
    pmi_rests_past past;
    pmi_rest *noted; /* places that the suffix being read has come to */
    size_t noted_count, room;
    uint64_t passed;           /* places of the suffix being read */
    uint64_t closings, strays; /* of the readings when it began, */
    uint64_t length;           /* and bytes of the text */
} pmi_rests;

/* Forgets all rests, as another text begins. A zeroed pmi_rests must be cleared before its first text, too. */
void pmi_rests_clear(pmi_rests *rests, const pm_allocator *allocator);

/* The suffix of a text begins, which has so many bytes. */
void pmi_rests_begin(pmi_rests *rests, const pmi_readings *readings, uint64_t length);

/* The check goes back to a state whose text had `length` bytes when pmi_rests_past.now was `then`. */
void pmi_rests_go_back(pmi_rests *rests, uint64_t then, uint64_t length);

/* The suffix, which has `at` bytes, is in that code; returns the rest, or NULL: it is not known, and the place is
 * noted. Without memory it is not. */
const pmi_rest *pmi_rests_find(pmi_rests *rests, const pmi_readings *readings, const pmi_rest_code *code, bool lost,
                               uint64_t at);

/* The suffix goes on with these bytes, or more of which these are as many as are kept. */
void pmi_rests_add(pmi_rests *rests, const char *bytes, size_t n);

/* The suffix has ended, with so many bytes. */
void pmi_rests_end(pmi_rests *rests, const pm_allocator *allocator, const pmi_readings *readings, pm_status status,
                   uint64_t length);

#endif
