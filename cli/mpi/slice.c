/* SPDX-License-Identifier: Apache-2.0 */
/* Cutting a file into slices, and checking one slice from every state. */
#include "cli/mpi/slice.h"

#include <stdlib.h>
#include <string.h>

#define BLOCK ((size_t)1 << 20) /* read at once */
#define LOOK_BEHIND 3           /* bytes that tell whether a place is a cut */

static const slice_rule rules[] = {
    {"text", CUT_ANYWHERE, {""}},
    {"json", CUT_UNESCAPED, {"", "\""}},
    {"java", CUT_LINE, {"", "/*", "\"\"\""}},
    {"go", CUT_LINE, {"", "/*", "`"}},
    {"python", CUT_LINE, {"", "\"\"\"", "'''"}},
};

const slice_rule *slice_rule_of(const pm_language *language) {
    for (size_t k = 0; k < sizeof rules / sizeof *rules; k++)
        if (strcmp(rules[k].language, pm_language_name(language)) == 0)
            return &rules[k];
    return NULL;
}

bool slice_everywhere(MPI_Comm comm, bool here) {
    int all = here;
    MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_LAND, comm);
    return all;
}

/* Reads `n` bytes from an offset on. */
static bool read_at(MPI_File file, uint64_t offset, char *text, size_t n) {
    for (size_t done = 0; done < n;) {
        MPI_Status about;
        int got = 0;
        if (MPI_File_read_at(file, (MPI_Offset)(offset + done), text + done, (int)(n - done), MPI_BYTE, &about) !=
                MPI_SUCCESS ||
            MPI_Get_count(&about, MPI_BYTE, &got) != MPI_SUCCESS || got <= 0)
            return false; /* cut short while it was read, too */
        done += (size_t)got;
    }
    return true;
}

/* ---- Cuts */

/* May the text be cut behind these bytes, of which the last one is behind[LOOK_BEHIND - 1]? Before the text are NULs.
 */
static bool may_cut(const slice_rule *rule, const char *behind) {
    const char last = behind[LOOK_BEHIND - 1], second = behind[LOOK_BEHIND - 2], third = behind[LOOK_BEHIND - 3];
    if (rule->where == CUT_LINE)
        return last == '\n' && second != '\\' && !(second == '\r' && third == '\\');
    return rule->where == CUT_ANYWHERE || last != '\\';
}

/* The first place from `begin` on, before `end`, where the text may be cut; UINT64_MAX if it may not be cut. */
static bool find_cut(MPI_File file, const slice_rule *rule, uint64_t begin, uint64_t end, uint64_t *cut) {
    static char text[LOOK_BEHIND + BLOCK];
    *cut = UINT64_MAX;
    for (uint64_t at = begin; at < end && *cut == UINT64_MAX; at += BLOCK) {
        const size_t n = end - at < BLOCK ? (size_t)(end - at) : BLOCK;
        const size_t behind = at < LOOK_BEHIND ? (size_t)at : LOOK_BEHIND;
        memset(text, 0, LOOK_BEHIND);
        if (!read_at(file, at - behind, text + LOOK_BEHIND - behind, behind + n))
            return false;
        for (size_t i = 0; i < n && *cut == UINT64_MAX; i++)
            if (may_cut(rule, text + i))
                *cut = at + i;
    }
    return true;
}

bool slice_place(text_slice *slice, MPI_Comm comm, MPI_File file, uint64_t size, const slice_rule *rule) {
    int rank, ranks;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    const uint64_t each = size / (uint64_t)ranks + 1, none = UINT64_MAX;
    const uint64_t begin = each * (uint64_t)rank < size ? each * (uint64_t)rank : size;
    const uint64_t end = begin + each < size ? begin + each : size;
    uint64_t own = rank == 0 ? 0 : none;
    int fine = rank == 0 || !rule || find_cut(file, rule, begin, end, &own);

    /* What a rank without a cut would have belongs to the one before that has one. */
    uint64_t *const cuts = malloc((size_t)ranks * sizeof *cuts);
    fine &= cuts != NULL;
    MPI_Allreduce(MPI_IN_PLACE, &fine, 1, MPI_INT, MPI_LAND, comm);
    if (fine) {
        MPI_Allgather(&own, 1, MPI_UINT64_T, cuts, 1, MPI_UINT64_T, comm);
        uint64_t next = size;
        for (int r = ranks; r-- > rank;) {
            slice->end = next;
            next = cuts[r] != none ? cuts[r] : next;
        }
        slice->begin = next;
    }
    free(cuts);
    return fine;
}

/* ---- Reading */

void *list_with_room(void *entries, size_t count, size_t *room, size_t size) {
    if (count < *room)
        return entries;
    void *const wider = realloc(entries, (*room * 2 + 64) * size);
    if (wider)
        *room = *room * 2 + 64;
    return wider;
}

static bool keep_bracket(far_brackets *list, const pm_diagnostic *diagnostic) {
    far_bracket *const brackets = list_with_room(list->brackets, list->count, &list->room, sizeof *brackets);
    if (!brackets)
        return false;
    brackets[list->count++] = (far_bracket){diagnostic->at, diagnostic->byte};
    list->brackets = brackets;
    return true;
}

bool slice_faults_add(slice_faults *list, const pm_diagnostic *diagnostic) {
    pm_diagnostic *const faults = list_with_room(list->faults, list->count, &list->room, sizeof *faults);
    if (!faults)
        return false;
    faults[list->count++] = *diagnostic;
    list->faults = faults;
    return true;
}

/* What the check reports. */
static bool keep(const pm_diagnostic *diagnostic, void *user) {
    slice_reading *const reading = user;
    bool kept = true;
    switch (diagnostic->fault) {
    case PM_FAULT_UNMATCHED_CLOSE:
        kept = keep_bracket(&reading->closes, diagnostic);
        break;
    case PM_FAULT_UNMATCHED_OPEN:
        kept = keep_bracket(&reading->opens, diagnostic);
        break;
    case PM_FAULT_KIND_MISMATCH:
        kept =
            reading->mismatches.count >= reading->most_mismatches || slice_faults_add(&reading->mismatches, diagnostic);
        break;
    case PM_FAULT_UNTERMINATED:
        reading->cut = *diagnostic;
        break;
    case PM_FAULT_MISPLACED:
    case PM_FAULT_TRAILING:
    case PM_FAULT_BAD_BYTE:
        break; /* no check reports these */
    }
    reading->out_of_memory |= !kept;
    return kept;
}

static bool reading_begin(slice_reading *reading, const pm_language *language, const pm_alphabet *alphabet,
                          const char *before, size_t most_mismatches) {
    reading->before = strlen(before);
    reading->most_mismatches = most_mismatches;
    return pm_check_create(NULL, language, alphabet, keep, reading, &reading->check) == PM_OK &&
           pm_check_push(reading->check, before, reading->before) == PM_OK;
}

static bool reading_end(slice_reading *reading) {
    const pm_status status = pm_check_finish(reading->check, &reading->found);
    pm_check_destroy(reading->check);
    reading->check = NULL;
    return status == PM_OK && !reading->out_of_memory;
}

static void count_lines(text_slice *slice, const char *text, size_t n) {
    slice->last_line += n;
    for (const char *at = text; (at = memchr(at, '\n', n - (size_t)(at - text))) != NULL;) {
        at++;
        slice->newlines++;
        slice->last_line = n - (size_t)(at - text);
    }
}

/* Reads all blocks from all states. */
static bool read_blocks(text_slice *slice, MPI_File file, char *text) {
    for (uint64_t at = slice->begin; at < slice->end; at += BLOCK) {
        const size_t n = slice->end - at < BLOCK ? (size_t)(slice->end - at) : BLOCK;
        if (!read_at(file, at, text, n))
            return false;
        count_lines(slice, text, n);
        for (int s = 0; s < slice->states; s++)
            if (pm_check_push(slice->readings[s].check, text, n) != PM_OK)
                return false;
    }
    return true;
}

bool slice_read(text_slice *slice, MPI_File file, const pm_language *language, const pm_alphabet *alphabet,
                const slice_rule *rule, size_t most_mismatches) {
    const bool first = slice->begin == 0; /* which begins in no string or comment */
    char *const text = malloc(BLOCK);
    bool fine = text != NULL;
    for (int s = 0; fine && s < SLICE_STATES && (s == 0 || (!first && rule && rule->before[s])); s++) {
        slice->states = s + 1;
        fine = reading_begin(&slice->readings[s], language, alphabet, s > 0 ? rule->before[s] : "", most_mismatches);
    }
    fine = fine && read_blocks(slice, file, text);
    for (int s = 0; s < slice->states; s++)
        fine &= slice->readings[s].check && reading_end(&slice->readings[s]);
    free(text);
    return fine;
}

int slice_end_state(const text_slice *slice, const slice_rule *rule, int state) {
    const slice_reading *const reading = &slice->readings[state];
    if (reading->found.unterminated && rule)
        for (int s = 1; s < SLICE_STATES && rule->before[s]; s++)
            if (rule->before[s][0] == reading->cut.byte)
                return s;
    return 0;
}

void slice_free(text_slice *slice) {
    for (int s = 0; s < SLICE_STATES; s++) {
        pm_check_destroy(slice->readings[s].check);
        free(slice->readings[s].closes.brackets);
        free(slice->readings[s].opens.brackets);
        free(slice->readings[s].mismatches.faults);
    }
    *slice = (text_slice){0};
}
