/* SPDX-License-Identifier: Apache-2.0 */
/* Partners and parents, asked of several ranks, against one stack. */
#include <stdlib.h>
#include <string.h>

#include "base/slice.h"
#include "inputs/families.h"
#include "tests/bp/model.h"
#include "tests/mpi/fixture.h"
#include "tests/support/unit.h"

static uint64_t *allocate_words(size_t count) {
    uint64_t *const memory = malloc(count * sizeof *memory + 1);
    mpi_check(memory != NULL);
    return memory;
}

/* All elements, from the last to the first, and what is past the end. */
static void check_slices(const bp_model *model, const size_t *boundaries) {
    const size_t n = (size_t)model->n, asked = n + 3;
    const size_t begin = boundaries[mpi_rank()], end = boundaries[mpi_rank() + 1];
    uint64_t *const slice = mpi_slice_of(model->parens, n, begin, end);
    uint64_t *const i = allocate_words(asked), *const answer = allocate_words(asked);
    for (size_t k = 0; k < asked; k++)
        i[k] = k == 0 ? UINT64_MAX : asked - 1 - k;
    mpi_check(pm_mpi_bp_enclose(NULL, MPI_COMM_WORLD, slice, end - begin, i, asked, answer) == PM_OK);
    for (size_t k = 0; k < asked; k++)
        mpi_check(answer[k] == (i[k] < n ? model->match[i[k]] : PM_BP_NONE));
    mpi_check(pm_mpi_bp_find_close(NULL, MPI_COMM_WORLD, slice, end - begin, i, asked, answer) == PM_OK);
    for (size_t k = 0; k < asked; k++)
        mpi_check(answer[k] == (i[k] < n ? model->close[i[k]] : PM_BP_NONE));
    mpi_check(pm_mpi_bp_find_open(NULL, MPI_COMM_WORLD, slice, end - begin, i, asked, answer) == PM_OK);
    for (size_t k = 0; k < asked; k++)
        mpi_check(answer[k] == (i[k] < n && !bp_model_is_open(model, i[k]) ? model->match[i[k]] : PM_BP_NONE));
    free(answer);
    free(i);
    free(slice);
}

TEST(test_every_family) {
    const size_t ranks = (size_t)mpi_ranks(), sizes[] = {0, 1, ranks, 63 * ranks + 1, 1003};
    size_t *const boundaries = malloc((ranks + 1) * sizeof *boundaries);
    mpi_check(boundaries != NULL);
    for (const char *const *name = family_names; *name; name++)
        for (size_t s = 0; s < COUNT_OF(sizes); s++) {
            uint64_t *const parens = allocate_words(pmi_bits_words(sizes[s]));
            bp_model model;
            mpi_check(family_fill(*name, s, sizes[s], parens) && bp_model_create(&model, parens, sizes[s]));
            for (mpi_cut cut = 0; cut < MPI_CUT_COUNT; cut++) {
                mpi_cut_make(cut, s, sizes[s], boundaries);
                check_slices(&model, boundaries);
            }
            bp_model_destroy(&model);
            free(parens);
        }
    free(boundaries);
}

TEST(test_failures) {
    const uint64_t pair = 1, index = 1;
    uint64_t answer;
    for (int bad = 0; bad < mpi_ranks(); bad++) {
        const bool here = bad == mpi_rank();
        mpi_check(pm_mpi_bp_enclose(NULL, MPI_COMM_WORLD, here ? NULL : &pair, 2, &index, 1, &answer) ==
                  PM_INVALID_ARGUMENT);
        mpi_check(pm_mpi_bp_find_open(NULL, MPI_COMM_WORLD, &pair, 2, here ? NULL : &index, 1, &answer) ==
                  PM_INVALID_ARGUMENT);
        mpi_check(pm_mpi_bp_find_close(NULL, MPI_COMM_WORLD, &pair, 2, &index, 1, here ? NULL : &answer) ==
                  PM_INVALID_ARGUMENT);
        mpi_check(pm_mpi_bp_find_close(NULL, MPI_COMM_WORLD, &pair, 2, &index, here ? SIZE_MAX : 1, &answer) ==
                  PM_TOO_LARGE);
        for (size_t fail_at = 2; fail_at < 4; fail_at++) {
            fault_allocator faults = {.fail_at = here ? fail_at : 0};
            pm_context *context = NULL;
            mpi_check(fault_allocator_context(&faults, &context) == PM_OK);
            mpi_check(pm_mpi_bp_enclose(context, MPI_COMM_WORLD, &pair, 2, &index, 1, &answer) == PM_OUT_OF_MEMORY);
            pm_context_destroy(context);
            mpi_check(fault_allocator_is_settled(&faults));
        }
    }
    mpi_check(pm_mpi_bp_enclose(NULL, MPI_COMM_NULL, &pair, 2, &index, 1, &answer) == PM_INVALID_ARGUMENT);
    mpi_check(pm_mpi_bp_enclose(NULL, MPI_COMM_WORLD, &pair, 2, NULL, 0, NULL) == PM_OK);
}

int main(int argc, char **argv) {
    return mpi_run(&argc, &argv, tests_run);
}
