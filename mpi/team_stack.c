/* SPDX-License-Identifier: Apache-2.0 */
/* The stack before a part of a slice: opens of the parts before it, and below these of other ranks. */
#include "mpi/team.h"

/* Words of opens, the topmost first, as they are found. */
typedef struct found {
    pm_open_word *words; /* NULL: they are only counted */
    size_t count;
} found;

static uint64_t take(uint64_t wanted, pm_open_word word, found *to) {
    const uint64_t opens = pmi_bits_count(word.opens);
    for (uint64_t surplus = opens > wanted ? opens - wanted : 0; surplus > 0; surplus--)
        word.opens &= word.opens - 1; /* the lowest */
    if (to->words)
        to->words[to->count] = word;
    to->count++;
    return opens < wanted ? opens : wanted;
}

/* Opens of a piece of what has come from other ranks. */
static void coming_take(const pmi_mpi_team *team, pmi_mpi_piece piece, found *to) {
    uint64_t skip = piece.skip, wanted = piece.opens;
    for (size_t k = team->coming_count; k-- > 0 && wanted > 0;) {
        pm_open_word word = team->coming[k];
        const uint64_t opens = pmi_bits_count(word.opens), dropped = opens < skip ? opens : skip;
        word.opens = pmi_bits_drop_highest(word.opens, dropped);
        skip -= dropped;
        if (word.opens != 0)
            wanted -= take(wanted, word, to);
    }
}

/* Most words that the opens of a piece of a part lie in. */
static size_t part_words(const pmi_mpi_team *team, const pmi_mpi_piece *piece) {
    const size_t all = team->part_elements / PM_WORD_BITS;
    return piece->opens < all ? (size_t)piece->opens : all;
}

/* Opens of a piece of a part of this slice, which begins at `index`. */
static void part_take(const pmi_mpi_team *team, pm_context *context, size_t part, uint64_t index, pmi_mpi_piece piece,
                      found *to) {
    const size_t room = part_words(team, &piece);
    size_t end = pmi_mpi_team_part_length(team, part), count;
    for (uint64_t skip = piece.skip; skip > 0;) {
        pm_open_word *const words = to->words + to->count; /* are overwritten */
        (void)pm_slice_survivors(context, pmi_mpi_team_part(team, part), end, skip, room, words, &count);
        for (size_t k = 0; k < count; k++)
            skip -= pmi_bits_count(words[k].opens);
        end = (size_t)words[count - 1].first + pmi_bits_lowest(words[count - 1].opens);
    }
    pm_open_word *const words = to->words + to->count;
    (void)pm_slice_survivors(context, pmi_mpi_team_part(team, part), end, piece.opens, room, words, &count);
    for (size_t k = 0; k < count; k++)
        words[k].first += index;
    to->count += count;
}

/* Most words that the pieces can lie in. */
static size_t words_most(const pmi_mpi_team *team, const pmi_mpi_plan *plan) {
    found counted = {0};
    for (int k = 0; k < plan->need_count; k++)
        if (plan->needs[k].rank == 0)
            coming_take(team, plan->needs[k], &counted);
        else
            counted.count += part_words(team, &plan->needs[k]);
    return counted.count;
}

static void found_reverse(found *opens) {
    for (size_t low = 0, high = opens->count; low + 1 < high; low++) {
        const pm_open_word word = opens->words[low];
        opens->words[low] = opens->words[--high];
        opens->words[high] = word;
    }
}

pm_status pmi_mpi_team_stack(pmi_mpi_team *team, const pmi_mpi_worker *worker, uint64_t index, uint64_t position,
                             pm_stream *stream) {
    const pmi_mpi_plan *const plan = &worker->plan;
    const size_t most = words_most(team, plan);
    found opens = {.words = most > 0 ? pmi_mpi_team_allocate(most * sizeof *opens.words, team) : NULL};
    if (most > 0 && !opens.words)
        return PM_OUT_OF_MEMORY;
    for (int k = 0; k < plan->need_count; k++) {
        const pmi_mpi_piece piece = plan->needs[k];
        const size_t part = (size_t)piece.rank - 1;
        if (piece.rank == 0)
            coming_take(team, piece, &opens);
        else
            part_take(team, worker->context, part, index + part * team->part_elements, piece, &opens);
    }
    found_reverse(&opens);
    const pm_status status = pm_stream_skip(stream, position, opens.words, opens.count);
    if (opens.words)
        pmi_mpi_team_free(opens.words, team);
    return status;
}
