/* SPDX-License-Identifier: Apache-2.0 */
/* Samples in pairs, floor and match, each begun by all ranks together. */
#include "bench/mpi/case.h"

#include <stdlib.h>
#include <string.h>

#include "bench/floors.h"
#include "bench/machine.h"
#include "inputs/families.h"

#define REPETITIONS_LEAST 5u

/* What one rank has. */
struct slice {
    MPI_Comm comm;
    pm_context *context;
    uint64_t *whole;  /* the whole sequence, from which it is checked */
    size_t first, n;  /* the slice, */
    uint64_t *parens; /* from a whole word on */
    uint64_t *match;
    pm_bic total;
    pm_mpi_costs costs;
    bool fine; /* no call has failed */
};

double mpi_greatest(MPI_Comm comm, double value) {
    MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_MAX, comm);
    return value;
}

bool mpi_all(MPI_Comm comm, bool here) {
    int all = here;
    MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_LAND, comm);
    return all;
}

static size_t words_of(size_t n) {
    return (n + 63) / 64;
}

/* ---- A slice */

static bool slice_create(struct slice *slice, MPI_Comm comm, const char *family, uint64_t seed, size_t n) {
    int rank, ranks;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    const size_t words = words_of(n), each = (words + (size_t)ranks - 1) / (size_t)ranks;
    const size_t begin = each * (size_t)rank < words ? each * (size_t)rank : words;
    const size_t end = begin + each < words ? begin + each : words;
    *slice = (struct slice){.comm = comm, .first = begin * 64, .fine = true};
    slice->n = (end * 64 < n ? end * 64 : n) - (begin * 64 < n ? begin * 64 : n);
    slice->whole = malloc(words * sizeof *slice->whole + 1);
    slice->parens = malloc((end - begin) * sizeof *slice->parens + 1);
    slice->match = buffer_create(slice->n * sizeof *slice->match + 1);
    if (!slice->whole || !slice->parens || !slice->match || !family_fill(family, seed, n, slice->whole))
        return false;
    memcpy(slice->parens, slice->whole + begin, (end - begin) * sizeof *slice->parens);
    return true;
}

static void slice_destroy(struct slice *slice) {
    free(slice->whole);
    free(slice->parens);
    free(slice->match);
}

/* Is every match that of one stream over all elements before and in the slice? */
static bool slice_proved(const struct slice *slice) {
    enum {
        BLOCK = 1 << 16
    };
    uint64_t *const expected = malloc(BLOCK * sizeof *expected);
    pm_stream *stream = NULL;
    bool right = expected && pm_stream_create(NULL, &stream) == PM_OK &&
                 pm_stream_push(stream, slice->whole, slice->first, NULL) == PM_OK;
    for (size_t i = 0, n; right && i < slice->n; i += n) {
        n = slice->n - i < BLOCK ? slice->n - i : BLOCK;
        right = pm_stream_push(stream, slice->parens + i / 64, n, expected) == PM_OK &&
                memcmp(slice->match + i, expected, n * sizeof *expected) == 0;
    }
    pm_stream_destroy(stream);
    free(expected);
    return right;
}

/* Each place has a different factor. */
static uint64_t slice_checksum(const struct slice *slice) {
    uint64_t sum = 0;
    for (size_t i = 0; i < slice->n; i++)
        sum += slice->match[i] * (2 * i + 1);
    return sum;
}

/* ---- Samples */

static void run_floor(struct slice *slice) {
    floor_loops_best()->store(slice->match, UINT32_C(0xa5a5a5a5), slice->n * sizeof *slice->match);
}

static void run_match(struct slice *slice) {
    const pm_status status = pm_mpi_match_costs(slice->context, slice->comm, slice->parens, slice->n, slice->match,
                                                &slice->total, &slice->costs);
    slice->fine &= status == PM_OK;
}

/* Seconds of the slowest rank. */
static double sample(struct slice *slice, void (*run)(struct slice *slice)) {
    MPI_Barrier(slice->comm);
    const double begun = MPI_Wtime();
    run(slice);
    return mpi_greatest(slice->comm, MPI_Wtime() - begun);
}

/* One more? The first rank's clock decides. */
static bool go_on(const struct slice *slice, struct sampling sampling, unsigned done, double begun) {
    const unsigned least = sampling.repetitions ? sampling.repetitions : REPETITIONS_LEAST;
    const unsigned most = sampling.repetitions ? sampling.repetitions : REPETITIONS_MOST;
    int more = done < least || (done < most && MPI_Wtime() - begun < sampling.seconds);
    MPI_Bcast(&more, 1, MPI_INT, 0, slice->comm);
    return more;
}

/* The steps' times, of the slowest rank each, where they are those of the fastest match so far. */
static void note_steps(const struct slice *slice, bool fastest, struct pm_mpi_costs *steps) {
    const pm_mpi_costs *costs = &slice->costs;
    double seconds[] = {costs->reduce_seconds, costs->scan_seconds, costs->exchange_seconds, costs->match_seconds};
    MPI_Allreduce(MPI_IN_PLACE, seconds, 4, MPI_DOUBLE, MPI_MAX, slice->comm);
    if (!fastest)
        return;
    steps->reduce_seconds = seconds[0];
    steps->scan_seconds = seconds[1];
    steps->exchange_seconds = seconds[2];
    steps->match_seconds = seconds[3];
}

/* What is sent and received, which does not change from match to match. */
static void sum_traffic(const struct slice *slice, struct mpi_result *result) {
    const pm_mpi_costs *costs = &slice->costs;
    uint64_t sums[4] = {costs->sent_opens, costs->sent_bytes, costs->sent_messages, costs->received_bytes};
    uint64_t most = costs->received_bytes;
    MPI_Allreduce(MPI_IN_PLACE, sums, 4, MPI_UINT64_T, MPI_SUM, slice->comm);
    MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_UINT64_T, MPI_MAX, slice->comm);
    result->steps.sent_opens = sums[0];
    result->steps.sent_bytes = sums[1];
    result->steps.sent_messages = sums[2];
    result->steps.received_bytes = sums[3];
    result->most_received = most;
}

static void take_samples(struct slice *slice, struct sampling sampling, struct mpi_result *result) {
    static double floors[REPETITIONS_MOST], matches[REPETITIONS_MOST], shares[REPETITIONS_MOST];
    run_match(slice);
    bool right = slice->fine && slice_proved(slice);
    const uint64_t checksum = slice_checksum(slice);
    const double begun = MPI_Wtime();
    double least = 0;
    unsigned r = 0;
    for (; go_on(slice, sampling, r, begun); r++) {
        floors[r] = sample(slice, run_floor);
        matches[r] = sample(slice, run_match);
        shares[r] = floors[r] / matches[r];
        least = r == 0 || matches[r] < least ? matches[r] : least;
        note_steps(slice, matches[r] <= least, &result->steps);
        right &= slice->fine && slice_checksum(slice) == checksum;
    }
    result->repetitions = r;
    result->floor = distribution_of(floors, r);
    result->match = distribution_of(matches, r);
    result->share_spread = distribution_of(shares, r).spread;
    result->verified = mpi_all(slice->comm, right);
    sum_traffic(slice, result);
}

bool mpi_case_measure(pm_context *context, MPI_Comm comm, const char *family, uint64_t seed, size_t n,
                      struct sampling sampling, struct mpi_result *result) {
    struct slice slice;
    const bool ready = mpi_all(comm, slice_create(&slice, comm, family, seed, n));
    slice.context = context;
    if (ready)
        take_samples(&slice, sampling, result);
    slice_destroy(&slice);
    return ready;
}
