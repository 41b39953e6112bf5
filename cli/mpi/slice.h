/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of parenmatch-mpi. */
#ifndef PM_CLI_MPI_SLICE_H
#define PM_CLI_MPI_SLICE_H

#include <mpi.h>

#include "parenmatch.h"

/*
 * One rank's slice of a text file, checked by itself. Whether its first byte stands in a string or comment only those
 * before it know; so it is checked from every state in which a slice of the language may begin, and what is right is
 * chosen afterwards. A check that begins with the slice leaves what a slice leaves: closes without open, opens without
 * close.
 */

#define SLICE_STATES 3

/* Where a language's text may be cut, and how. */
typedef struct slice_rule {
    const char *language;
    enum {
        CUT_ANYWHERE,
        CUT_UNESCAPED, /* not behind a backslash */
        CUT_LINE,      /* where a line begins that does not continue the one before */
    } where;
    /* What stands for the text before a slice that begins in each state: its first byte opens what the slice begins in.
     * NULL past the last state. */
    const char *before[SLICE_STATES];
} slice_rule;

/* Returns the rule for a language; NULL if only the first slice can be read, as the states at a cut are unbounded or
 * unknown. */
const slice_rule *slice_rule_of(const pm_language *language);

/* A bracket whose partner is not in the slice. */
typedef struct far_bracket {
    pm_place at;
    char byte;
} far_bracket;

typedef struct far_brackets {
    far_bracket *brackets;
    size_t count, room;
} far_brackets;

typedef struct slice_faults {
    pm_diagnostic *faults;
    size_t count, room;
} slice_faults;

/* A list's entries with room for one more; NULL, with the list as it was, when there is no memory. */
void *list_with_room(void *entries, size_t count, size_t *room, size_t size);

/* Appends a fault; false when there is no memory. */
bool slice_faults_add(slice_faults *list, const pm_diagnostic *fault);

/* The slice as read from one state on. Places count from the beginning of what stands before the slice. */
typedef struct slice_reading {
    pm_check *check;
    size_t before; /* bytes that stand for the text before the slice */
    far_brackets closes, opens;
    slice_faults mismatches;
    size_t most_mismatches; /* kept; SIZE_MAX: all */
    pm_check_summary found;
    pm_diagnostic cut; /* where what the slice ends in began, if it is one */
    bool out_of_memory;
} slice_reading;

typedef struct text_slice {
    uint64_t begin, end; /* bytes of the file */
    uint64_t newlines;
    uint64_t last_line; /* bytes behind the last newline, or all */
    int states;
    slice_reading readings[SLICE_STATES];
} text_slice;

/* Is it so on all ranks? Collective. */
bool slice_everywhere(MPI_Comm comm, bool here);

/* Finds the slices of all ranks; collective. False where reading fails on any. */
bool slice_place(text_slice *slice, MPI_Comm comm, MPI_File file, uint64_t size, const slice_rule *rule);

/* Reads the slice; false where memory or reading fails. alphabet NULL: the language's own. */
bool slice_read(text_slice *slice, MPI_File file, const pm_language *language, const pm_alphabet *alphabet,
                const slice_rule *rule, size_t most_mismatches);

/* The state in which the text behind the slice begins if the slice itself began in that one. */
int slice_end_state(const text_slice *slice, const slice_rule *rule, int state);

void slice_free(text_slice *slice);

/*
 * The slices of a text put together: which of the brackets that they leave belong to each other, and the faults of the
 * whole, which the first rank gets. It also gets a byte for every bracket left, so its memory is in proportion to
 * these.
 */

typedef struct merged_text {
    uint64_t faults; /* all of them; the rest is of the first rank only */
    slice_faults shown;
} merged_text;

/* Collective. Puts at most `most` faults into `shown`, those that a check of the whole would report first and in its
 * order. False where a rank has no memory, or there is too much for MPI's numbers. */
bool merge_slices(const text_slice *slice, MPI_Comm comm, const slice_rule *rule, const pm_alphabet *alphabet,
                  size_t most, merged_text *merged);

void merge_free(merged_text *merged);

/* ---- The commands of parenmatch-mpi ---- */

/* Gets its own name as argv[0], the same arguments on every rank, and returns the same exit code on every rank.
 * Messages are the first rank's: those of others go nowhere. */
int command_mpi_check(MPI_Comm comm, int argc, char **argv);

#endif
