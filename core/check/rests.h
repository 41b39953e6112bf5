/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rests of suffixes that were read, behind an #endif of theirs each. What follows there depends on nothing but the
 * readings and the #ifs around, so that a later suffix which comes to the same place need not be read to its end, where
 * many #ifs are nested. A rest is forgotten where another one wants its slot.
 */
#ifndef PM_CORE_CHECK_RESTS_H
#define PM_CORE_CHECK_RESTS_H

#include "core/text/readings.h"

#define PM_SUFFIX_KEPT 32u /* bytes */

/* A place between an #endif of a suffix and what follows. Compared bytewise. */
typedef struct pmi_rest_place {
    uint64_t stamp, around;        /* of the innermost #if */
    uint64_t epoch;                /* times that the check has gone back */
    uint64_t offsets[PM_READINGS]; /* of the readings' innermost opens; UINT64_MAX: nothing is open */
    uint64_t count;                /* of readings */
    uint64_t skipped, lost;        /* lost: the text itself has lost opens */
} pmi_rest_place;

typedef struct pmi_rest {
    pmi_rest_place place;
    uint64_t closings; /* of the readings: more of them may complete what could not be */
    uint64_t at;       /* bytes before it, while the suffix is read */
    size_t length;
    pm_status status;           /* PM_OK or PM_UNSUPPORTED */
    unsigned stored;            /* all of it, or PM_SUFFIX_KEPT; while it is read what came so far */
    char bytes[PM_SUFFIX_KEPT]; /* its first ones */
} pmi_rest;

typedef struct pmi_rests {
    pmi_rest *slots;   /* by their places' hash; stamp 0: empty */
    size_t slot_count; /* a power of two, or 0 */
    uint64_t epoch;
    pmi_rest *noted; /* places that the suffix being read has come to */
    size_t noted_count, room;
    uint64_t passed;   /* #endifs of the suffix being read */
    uint64_t closings; /* of the readings when it began */
} pmi_rests;

void pmi_rests_clear(pmi_rests *rests, const pm_allocator *allocator);

/* A suffix begins. */
void pmi_rests_begin(pmi_rests *rests, const pmi_readings *readings);

/* The suffix, which has `at` bytes, is behind an #endif in plain code; returns the rest, or NULL: it is not known, and
 * the place is noted. Without memory it is not. */
const pmi_rest *pmi_rests_find(pmi_rests *rests, const pmi_readings *readings, bool lost, uint64_t at);

/* The suffix goes on with these bytes, or more of which these are as many as are kept. */
void pmi_rests_add(pmi_rests *rests, const char *bytes, size_t n);

/* The suffix has ended, with so many bytes. */
void pmi_rests_end(pmi_rests *rests, const pm_allocator *allocator, const pmi_readings *readings, pm_status status,
                   uint64_t length);

#endif
