/* SPDX-License-Identifier: Apache-2.0 */
/* Matching a sequence of one family on some ranks, timed and verified; the floor is storing as much. */
#ifndef PM_BENCH_MPI_CASE_H
#define PM_BENCH_MPI_CASE_H

#include "bench/timing.h"
#include "parenmatch_mpi.h"

/* Seconds are of the slowest rank. */
struct mpi_result {
    unsigned repetitions;
    struct distribution floor, match;
    double share_spread;              /* of floor / match within pairs */
    struct pm_mpi_costs steps;        /* seconds of the fastest match; the rest summed over all ranks */
    unsigned long long most_received; /* bytes, by one rank */
    bool verified;                    /* every match that was timed */
};

/*
 * Times n elements, an equal number on each rank except the last ones; collective. Floor and match are interleaved.
 * False if a rank has no memory, or the family is unknown.
 *
 * Before the clock starts, each rank holds its results against a stream of all that comes before its slice; after each
 * sample, against the checksum of these.
 */
bool mpi_case_measure(pm_context *context, MPI_Comm comm, const char *family, uint64_t seed, size_t n,
                      struct sampling sampling, struct mpi_result *result);

/* The maximum over all ranks. */
double mpi_greatest(MPI_Comm comm, double value);

/* Is it true everywhere? */
bool mpi_all(MPI_Comm comm, bool here);

#endif
