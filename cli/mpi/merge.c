/* SPDX-License-Identifier: Apache-2.0 */
/* Merging slices: every rank gets a summary of all slices; the first rank matches what they leave. */
#include "cli/mpi/slice.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* What all ranks know of a slice. */
typedef struct slice_facts {
    uint64_t length, newlines, last_line;
    struct {
        uint64_t closes, opens, mismatched;
        uint64_t kept; /* of the mismatches */
        int end;       /* state */
        bool unterminated, cut_here;
    } from[SLICE_STATES];
} slice_facts;

/* A bracket that a slice leaves, by its number among the closes or opens; or where what the slice ends in begins. */
typedef struct bracket_name {
    int rank;
    enum {
        NAME_CLOSE,
        NAME_OPEN,
        NAME_CUT
    } list;
    uint64_t number;
} bracket_name;

/* A fault of which only names are known. Without partner it has its own name twice. */
typedef struct named_fault {
    pm_fault fault;
    char byte, partner_byte;
    bracket_name at, partner;
} named_fault;

typedef struct named_faults {
    named_fault *faults;
    size_t count, room;
} named_faults;

/* An open on the stack of what slices leave. */
typedef struct open_left {
    uint64_t number;
    int rank;
    char byte;
} open_left;

typedef struct merge_job {
    MPI_Comm comm;
    int rank, ranks;
    const text_slice *slice;
    const pm_alphabet *alphabet;
    size_t max;
    slice_facts *facts;
    int *state; /* of each slice's beginning */

    char *left; /* of the first rank: the bytes of all brackets left, rank by rank, closes before opens */
    open_left *stack;
    named_faults early, late; /* in the order of their places; opens never closed, and what is unterminated */
    uint64_t faults;
    bool out_of_memory;
} merge_job;

/* ---- Facts */

static bool gather_facts(merge_job *job, const slice_rule *rule) {
    job->facts = calloc((size_t)job->ranks, sizeof *job->facts);
    job->state = calloc((size_t)job->ranks, sizeof *job->state);
    if (!slice_everywhere(job->comm, job->facts && job->state))
        return false;
    const text_slice *const slice = job->slice;
    slice_facts *const own = &job->facts[job->rank];
    own->length = slice->end - slice->begin;
    own->newlines = slice->newlines;
    own->last_line = slice->last_line;
    for (int s = 0; s < slice->states; s++) {
        const slice_reading *const reading = &slice->readings[s];
        own->from[s].closes = reading->closes.count;
        own->from[s].opens = reading->opens.count;
        own->from[s].mismatched = reading->found.mismatched;
        own->from[s].kept = reading->mismatches.count;
        own->from[s].end = slice_end_state(slice, rule, s);
        own->from[s].unterminated = reading->found.unterminated > 0;
        own->from[s].cut_here = own->from[s].unterminated && reading->cut.at.offset >= reading->before;
    }
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, job->facts, (int)sizeof *job->facts, MPI_BYTE, job->comm);
    for (int r = 1; r < job->ranks; r++)
        job->state[r] = job->facts[r - 1].from[job->state[r - 1]].end;
    return true;
}

static const slice_reading *own_reading(const merge_job *job) {
    return &job->slice->readings[job->state[job->rank]];
}

/* A place of the rank's own slice as one of the whole text. */
static pm_place whole_place(const merge_job *job, pm_place place) {
    uint64_t lines = 0, column = 0; /* newlines before the slice, and bytes of its first line that come before it */
    for (int r = 0; r < job->rank; r++) {
        const slice_facts *const facts = &job->facts[r];
        column = facts->newlines > 0 ? facts->last_line : column + facts->length;
        lines += facts->newlines;
    }
    const uint64_t before = own_reading(job)->before;
    return (pm_place){.offset = job->slice->begin + place.offset - before,
                      .line = lines + place.line,
                      .column = place.line == 1 ? column + place.column - before : place.column};
}

/* ---- The brackets left */

/* Their bytes, gathered by the first rank. */
static bool gather_left(merge_job *job) {
    const slice_reading *const reading = own_reading(job);
    const size_t count = reading->closes.count + reading->opens.count;
    uint64_t all = 0;
    for (int r = 0; r < job->ranks; r++)
        all += job->facts[r].from[job->state[r]].closes + job->facts[r].from[job->state[r]].opens;
    char *const own = malloc(count + 1);
    int *const counts = malloc((size_t)job->ranks * 2 * sizeof *counts);
    if (job->rank == 0) {
        job->left = malloc(all + 1);
        job->stack = malloc((all + 1) * sizeof *job->stack);
    }
    const bool fine =
        slice_everywhere(job->comm, all <= INT_MAX && own && counts && (job->rank > 0 || (job->left && job->stack)));
    if (fine) {
        for (int r = 0, at = 0; r < job->ranks; r++) {
            counts[r] = (int)(job->facts[r].from[job->state[r]].closes + job->facts[r].from[job->state[r]].opens);
            counts[job->ranks + r] = at;
            at += counts[r];
        }
        for (size_t k = 0; k < reading->closes.count; k++)
            own[k] = reading->closes.brackets[k].byte;
        for (size_t k = 0; k < reading->opens.count; k++)
            own[reading->closes.count + k] = reading->opens.brackets[k].byte;
        MPI_Gatherv(own, (int)count, MPI_BYTE, job->left, counts, counts + job->ranks, MPI_BYTE, 0, job->comm);
    }
    free(counts);
    free(own);
    return fine;
}

/* Counts a fault, and keeps its names if it may be shown. */
static void name_fault(merge_job *job, named_faults *list, named_fault fault) {
    job->faults++;
    if (list->count >= job->max)
        return;
    named_fault *const faults = list_with_room(list->faults, list->count, &list->room, sizeof *faults);
    job->out_of_memory |= !faults;
    if (!faults)
        return;
    list->faults = faults;
    faults[list->count++] = fault;
}

static unsigned kind_of(const merge_job *job, char byte) {
    return job->alphabet->role[(unsigned char)byte] >> 2;
}

static void match_close(merge_job *job, bracket_name close, char byte, uint64_t *depth) {
    if (*depth == 0) {
        name_fault(job, &job->early, (named_fault){PM_FAULT_UNMATCHED_CLOSE, byte, 0, close, close});
        return;
    }
    const open_left open = job->stack[--*depth];
    if (kind_of(job, byte) != kind_of(job, open.byte))
        name_fault(job, &job->early,
                   (named_fault){PM_FAULT_KIND_MISMATCH, byte, open.byte, close, {open.rank, NAME_OPEN, open.number}});
}

/* Matches the brackets left, by one stack. */
static void match_left(merge_job *job) {
    const char *byte = job->left;
    uint64_t depth = 0;
    for (int r = 0; r < job->ranks; r++) {
        for (uint64_t k = 0; k < job->facts[r].from[job->state[r]].closes; k++)
            match_close(job, (bracket_name){r, NAME_CLOSE, k}, *byte++, &depth);
        for (uint64_t k = 0; k < job->facts[r].from[job->state[r]].opens; k++)
            job->stack[depth++] = (open_left){k, r, *byte++};
    }
    for (uint64_t k = 0; k < depth; k++) {
        const bracket_name open = {job->stack[k].rank, NAME_OPEN, job->stack[k].number};
        name_fault(job, &job->late, (named_fault){PM_FAULT_UNMATCHED_OPEN, job->stack[k].byte, 0, open, open});
    }
}

/* Does the whole end in a string or comment? Then it began in the last slice that does not just go on with one. */
static void name_cut(merge_job *job) {
    int r = job->ranks - 1;
    if (!job->facts[r].from[job->state[r]].unterminated)
        return;
    while (r > 0 && !job->facts[r].from[job->state[r]].cut_here)
        r--;
    const bracket_name cut = {r, NAME_CUT, 0};
    name_fault(job, &job->late, (named_fault){PM_FAULT_UNTERMINATED, 0, 0, cut, cut});
}

/* ---- Places for names */

/* A fault as its ranks know it: where, and of what is unterminated the byte. */
typedef struct fault_places {
    pm_place at, partner;
    uint64_t cut_byte;
} fault_places;

#define PLACE_WORDS (sizeof(fault_places) / sizeof(uint64_t))

static pm_place place_of(const merge_job *job, bracket_name name) {
    const slice_reading *const reading = own_reading(job);
    if (name.rank != job->rank)
        return (pm_place){0, 0, 0};
    return whole_place(job, name.list == NAME_CLOSE  ? reading->closes.brackets[name.number].at
                            : name.list == NAME_OPEN ? reading->opens.brackets[name.number].at
                                                     : reading->cut.at);
}

/* The faults of a list with their places, behind those already there. The first rank's list counts. */
static bool find_places(merge_job *job, const named_faults *list, slice_faults *shown) {
    uint64_t count = list->count;
    MPI_Bcast(&count, 1, MPI_UINT64_T, 0, job->comm);
    named_fault *const named = malloc(count * sizeof *named + 1);
    fault_places *const places = calloc(count + 1, sizeof *places);
    const bool few = count <= INT_MAX / sizeof *named && count <= INT_MAX / sizeof *places;
    bool fine = slice_everywhere(job->comm, few && named && places);
    if (fine) {
        if (job->rank == 0 && count > 0)
            memcpy(named, list->faults, count * sizeof *named);
        MPI_Bcast(named, (int)(count * sizeof *named), MPI_BYTE, 0, job->comm);
        for (uint64_t k = 0; k < count; k++) {
            places[k] = (fault_places){place_of(job, named[k].at), place_of(job, named[k].partner), 0};
            if (named[k].at.list == NAME_CUT && named[k].at.rank == job->rank)
                places[k].cut_byte = (unsigned char)own_reading(job)->cut.byte;
        }
        MPI_Reduce(job->rank == 0 ? MPI_IN_PLACE : places, job->rank == 0 ? places : NULL, (int)(count * PLACE_WORDS),
                   MPI_UINT64_T, MPI_SUM, 0, job->comm);
    }
    for (uint64_t k = 0; fine && job->rank == 0 && k < count; k++) {
        pm_diagnostic fault = {.fault = named[k].fault, .at = places[k].at, .length = 1, .byte = named[k].byte};
        if (fault.fault == PM_FAULT_KIND_MISMATCH) {
            fault.partner = places[k].partner;
            fault.partner_byte = named[k].partner_byte;
            fault.partner_length = 1;
        } else if (fault.fault == PM_FAULT_UNTERMINATED) {
            fault.byte = (char)places[k].cut_byte;
        }
        fine = slice_faults_add(shown, &fault);
    }
    free(named);
    free(places);
    return fine;
}

/* The mismatches within slices, which the first rank gets. */
static bool gather_mismatches(merge_job *job, slice_faults *shown) {
    const slice_reading *const reading = own_reading(job);
    const size_t size = sizeof(pm_diagnostic), count = reading->mismatches.count;
    uint64_t all = 0;
    for (int r = 0; r < job->ranks; r++)
        all += job->facts[r].from[job->state[r]].kept;
    pm_diagnostic *const own = calloc(count + 1, size), *const gathered =
                                                            job->rank == 0 ? malloc(all * size + 1) : NULL;
    int *const counts = malloc((size_t)job->ranks * 2 * sizeof *counts);
    bool fine = slice_everywhere(job->comm, all <= INT_MAX / size && own && counts && (gathered || job->rank > 0));
    if (fine) {
        for (int r = 0, at = 0; r < job->ranks; r++) {
            counts[r] = (int)(job->facts[r].from[job->state[r]].kept * size);
            counts[job->ranks + r] = at;
            at += counts[r];
        }
        for (size_t k = 0; k < count; k++) {
            own[k] = reading->mismatches.faults[k];
            own[k].at = whole_place(job, own[k].at);
            own[k].partner = whole_place(job, own[k].partner);
        }
        MPI_Gatherv(own, (int)(count * size), MPI_BYTE, gathered, counts, counts + job->ranks, MPI_BYTE, 0, job->comm);
    }
    for (uint64_t k = 0; fine && gathered && k < all; k++)
        fine = slice_faults_add(shown, &gathered[k]);
    free(counts);
    free(gathered);
    free(own);
    return fine;
}

/* ---- All of it */

static int compare_faults(const void *a, const void *b) {
    const uint64_t x = ((const pm_diagnostic *)a)->at.offset, y = ((const pm_diagnostic *)b)->at.offset;
    return (x > y) - (x < y);
}

/* Counts and names what is wrong; the first rank. */
static void find_faults(merge_job *job) {
    match_left(job);
    name_cut(job);
    for (int r = 0; r < job->ranks; r++)
        job->faults += job->facts[r].from[job->state[r]].mismatched;
}

/* What is to be shown, in order. */
static bool show(merge_job *job, slice_faults *shown) {
    if (!slice_everywhere(job->comm, gather_mismatches(job, shown)) ||
        !slice_everywhere(job->comm, find_places(job, &job->early, shown)))
        return false;
    if (shown->count > 0)
        qsort(shown->faults, shown->count, sizeof *shown->faults, compare_faults);
    if (!slice_everywhere(job->comm, find_places(job, &job->late, shown)))
        return false;
    shown->count = shown->count < job->max ? shown->count : job->max;
    return true;
}

bool merge_slices(const text_slice *slice, MPI_Comm comm, const slice_rule *rule, const pm_alphabet *alphabet,
                  size_t max, merged_text *merged) {
    merge_job job = {.comm = comm, .slice = slice, .alphabet = alphabet, .max = max};
    MPI_Comm_rank(comm, &job.rank);
    MPI_Comm_size(comm, &job.ranks);
    *merged = (merged_text){0};
    bool fine = gather_facts(&job, rule) && gather_left(&job);
    if (fine) {
        if (job.rank == 0)
            find_faults(&job);
        MPI_Bcast(&job.faults, 1, MPI_UINT64_T, 0, comm);
        merged->faults = job.faults;
        fine = slice_everywhere(job.comm, !job.out_of_memory) && (max == 0 || show(&job, &merged->shown));
    }
    free(job.facts);
    free(job.state);
    free(job.left);
    free(job.stack);
    free(job.early.faults);
    free(job.late.faults);
    return fine;
}

void merge_free(merged_text *merged) {
    free(merged->shown.faults);
    *merged = (merged_text){0};
}
