/* SPDX-License-Identifier: Apache-2.0 */
/* Ranks, cuts, and a way out. */
#include "tests/mpi/fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/slice.h"
#include "inputs/families.h"

int mpi_rank(void) {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

int mpi_ranks(void) {
    int ranks = 1;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    return ranks;
}

void mpi_check_at(bool holds, const char *what, const char *file, int line) {
    if (holds)
        return;
    fprintf(stderr, "%s:%d: rank %d of %d: not so: %s\n", file, line, mpi_rank(), mpi_ranks(), what);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

int mpi_run(int *argc, char ***argv, int (*run_all)(void)) {
    const bool single = *argc > 1 && strcmp((*argv)[1], "single") == 0;
    int level;
    if (MPI_Init_thread(argc, argv, single ? MPI_THREAD_SINGLE : MPI_THREAD_FUNNELED, &level) != MPI_SUCCESS)
        return 1;
    if (mpi_rank() != 0 && !freopen("/dev/null", "w", stdout))
        return 1;
    int failed = run_all() != 0;
    MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Finalize();
    return failed;
}

static int compare_sizes(const void *a, const void *b) {
    const size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

void mpi_cut_make(mpi_cut cut, uint64_t seed, size_t n, size_t *boundaries) {
    const size_t ranks = (size_t)mpi_ranks();
    for (size_t r = 0; r < ranks; r++) {
        size_t at = n * r / ranks;
        if (cut == MPI_CUT_WORDS)
            at -= at % 64;
        else if (cut == MPI_CUT_FIRST)
            at = r > 0 ? n : 0;
        else if (cut == MPI_CUT_LAST)
            at = 0;
        else if (cut == MPI_CUT_ONES)
            at = r < n ? r : n;
        else if (cut == MPI_CUT_RANDOM)
            at = r > 0 ? (size_t)random_below(&seed, n + 1) : 0;
        boundaries[r] = at;
    }
    boundaries[ranks] = n;
    qsort(boundaries, ranks, sizeof *boundaries, compare_sizes);
}

uint64_t *mpi_slice_of(const uint64_t *parens, size_t n, size_t begin, size_t end) {
    const size_t length = end - begin, words = pmi_bits_words(length);
    uint64_t *const slice = malloc(words * sizeof *slice + (words == 0));
    mpi_check(slice != NULL);
    for (size_t w = 0; w < words; w++)
        slice[w] = pmi_bits_from(parens, n, begin + w * PM_WORD_BITS);
    if (length % PM_WORD_BITS != 0) {
        const uint64_t inside = pmi_bits_low(length % PM_WORD_BITS);
        slice[words - 1] = (slice[words - 1] & inside) | (~slice[words - 1] & ~inside);
    }
    return slice;
}
