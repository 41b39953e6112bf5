/* SPDX-License-Identifier: Apache-2.0 */
/* Sums of a sequence on several ranks, against one walk. */
#include <stdlib.h>

#include "base/slice.h"
#include "inputs/families.h"
#include "tests/mpi/fixture.h"
#include "tests/support/unit.h"

/* Where a walk over the whole is. */
typedef struct walk {
    uint64_t opens, max_depth;
    pm_bic bic;
} walk;

static void step(walk *at, bool open) {
    at->opens += open;
    at->bic.close += !open && at->bic.open == 0;
    at->bic.open = open ? at->bic.open + 1 : at->bic.open - (at->bic.open > 0);
    at->max_depth = at->bic.open > at->max_depth ? at->bic.open : at->max_depth;
}

/* Sums up the slices that the boundaries make, and asks for the excess everywhere and past the end. */
static void check_slices(const uint64_t *parens, size_t n, const size_t *boundaries) {
    const size_t begin = boundaries[mpi_rank()], end = boundaries[mpi_rank() + 1], asked = n + 2;
    uint64_t *const slice = mpi_slice_of(parens, n, begin, end), *const index = malloc(asked * sizeof *index);
    int64_t *const excess = malloc(asked * sizeof *excess);
    mpi_check(index && excess);
    for (size_t k = 0; k < asked; k++)
        index[k] = asked - 1 - k;
    pm_mpi_summary summary;
    mpi_check(pm_mpi_bp_summary(NULL, MPI_COMM_WORLD, slice, end - begin, &summary) == PM_OK);
    mpi_check(pm_mpi_bp_excess(NULL, MPI_COMM_WORLD, slice, end - begin, index, asked, excess) == PM_OK);
    walk at = {0};
    for (size_t i = 0; i <= n; i++) {
        if (i == begin)
            mpi_check(summary.first == i && summary.opens_before == at.opens && summary.before.open == at.bic.open &&
                      summary.before.close == at.bic.close);
        if (i < n)
            step(&at, pmi_bits_get(parens, i));
        mpi_check(excess[asked - 1 - i] == (int64_t)(2 * at.opens) - (int64_t)(i < n ? i + 1 : n));
    }
    mpi_check(excess[0] == excess[1]); /* past the end */
    mpi_check(summary.n == n && summary.opens == at.opens && summary.max_depth == at.max_depth);
    mpi_check(summary.total.open == at.bic.open && summary.total.close == at.bic.close);
    free(excess);
    free(index);
    free(slice);
}

TEST(test_every_family) {
    const size_t ranks = (size_t)mpi_ranks(), sizes[] = {0, 1, ranks, 64 * ranks + 1, 1003};
    size_t *const boundaries = malloc((ranks + 1) * sizeof *boundaries);
    mpi_check(boundaries != NULL);
    for (const char *const *name = family_names; *name; name++)
        for (size_t s = 0; s < COUNT_OF(sizes); s++) {
            uint64_t *const parens = malloc(pmi_bits_words(sizes[s]) * sizeof *parens + 1);
            mpi_check(parens && family_fill(*name, s, sizes[s], parens));
            mpi_cut_make((mpi_cut)(s % MPI_CUT_COUNT), s, sizes[s], boundaries);
            check_slices(parens, sizes[s], boundaries);
            mpi_cut_make(MPI_CUT_RANDOM, s, sizes[s], boundaries);
            check_slices(parens, sizes[s], boundaries);
            free(parens);
        }
    free(boundaries);
}

TEST(test_failures) {
    const uint64_t pair = 1, index = 1;
    int64_t excess;
    pm_mpi_summary summary;
    for (int bad = 0; bad < mpi_ranks(); bad++) {
        const bool here = bad == mpi_rank();
        mpi_check(pm_mpi_bp_summary(NULL, MPI_COMM_WORLD, here ? NULL : &pair, 2, &summary) == PM_INVALID_ARGUMENT);
        mpi_check(pm_mpi_bp_summary(NULL, MPI_COMM_WORLD, &pair, 2, here ? NULL : &summary) == PM_INVALID_ARGUMENT);
        mpi_check(pm_mpi_bp_excess(NULL, MPI_COMM_WORLD, here ? NULL : &pair, 2, &index, 1, &excess) ==
                  PM_INVALID_ARGUMENT);
        mpi_check(pm_mpi_bp_excess(NULL, MPI_COMM_WORLD, &pair, 2, &index, 1, here ? NULL : &excess) ==
                  PM_INVALID_ARGUMENT);
        for (size_t fail_at = 2; fail_at < 4; fail_at++) {
            fault_allocator faults = {.fail_at = here ? fail_at : 0};
            pm_context *context = NULL;
            mpi_check(fault_allocator_context(&faults, &context) == PM_OK);
            mpi_check(pm_mpi_bp_excess(context, MPI_COMM_WORLD, &pair, 2, &index, 1, &excess) == PM_OUT_OF_MEMORY);
            pm_context_destroy(context);
            mpi_check(fault_allocator_is_settled(&faults));
        }
    }
    mpi_check(pm_mpi_bp_summary(NULL, MPI_COMM_NULL, &pair, 2, &summary) == PM_INVALID_ARGUMENT);
    mpi_check(pm_mpi_bp_excess(NULL, MPI_COMM_NULL, &pair, 2, &index, 1, &excess) == PM_INVALID_ARGUMENT);
    mpi_check(pm_mpi_bp_excess(NULL, MPI_COMM_WORLD, &pair, 2, NULL, 0, NULL) == PM_OK);
}

int main(int argc, char **argv) {
    return mpi_run(&argc, &argv, tests_run);
}
