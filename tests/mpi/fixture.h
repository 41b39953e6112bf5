/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What tests of several ranks share. Every rank runs the same tests; where one finds something wrong it ends them all,
 * because the others would wait for it.
 */
#ifndef PM_TESTS_MPI_FIXTURE_H
#define PM_TESTS_MPI_FIXTURE_H

#include "parenmatch_mpi.h"

/* Of MPI_COMM_WORLD. */
int mpi_rank(void);
int mpi_ranks(void);

/* Says so and ends all ranks if it does not hold. */
#define mpi_check(holds) mpi_check_at((holds), #holds, __FILE__, __LINE__)
void mpi_check_at(bool holds, const char *what, const char *file, int line);

/* Initialises MPI, for threads beside the one that calls it unless the first argument is "single"; all ranks but the
 * first print nothing. Returns main()'s exit code: of all ranks the worst. */
int mpi_run(int *argc, char ***argv, int (*run_all)(void));

/* How a sequence is cut into slices: boundary r is where rank r begins. */
typedef enum mpi_cut {
    MPI_CUT_EVEN,   /* alike */
    MPI_CUT_WORDS,  /* alike, at multiples of 64, the last one with what remains */
    MPI_CUT_FIRST,  /* all on the first rank */
    MPI_CUT_LAST,   /* all on the last */
    MPI_CUT_ONES,   /* one element each, the rest on the last rank */
    MPI_CUT_RANDOM, /* anywhere; some may be empty */
    MPI_CUT_COUNT
} mpi_cut;

/* Writes mpi_ranks() + 1 boundaries, from 0 to n. */
void mpi_cut_make(mpi_cut cut, uint64_t seed, size_t n, size_t *boundaries);

/* Elements begin ... end - 1 at bit 0, in memory of just that size, the bits past them inverted; to be freed. */
uint64_t *mpi_slice_of(const uint64_t *parens, size_t n, size_t begin, size_t end);

#endif
