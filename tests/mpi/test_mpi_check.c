/* SPDX-License-Identifier: Apache-2.0 */
/* parenmatch-mpi check where reading fails on one rank: all ranks come to the same end. Takes the place of MPI's own
 * MPI_File_read_at, by the profiling interface. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/mpi/slice.h"
#include "tests/mpi/fixture.h"
#include "tests/support/unit.h"

const char program_name[] = "test_mpi_check";

static int reads_left = -1; /* until one fails; negative: none does */
static bool short_read;     /* it fails by an end of the file before its time */

int MPI_File_read_at(MPI_File file, MPI_Offset offset, void *to, int count, MPI_Datatype type, MPI_Status *about) {
    const bool fails = reads_left >= 0 && reads_left-- == 0;
    if (fails && !short_read)
        return MPI_ERR_IO;
    return PMPI_File_read_at(file, offset, to, fails ? 0 : count, type, about);
}

static int check(char *path) {
    char name[] = "check", quiet[] = "--quiet", language[] = "--lang=json";
    char *arguments[] = {name, quiet, language, path, NULL};
    optind = 1;
    const int code = command_mpi_check(MPI_COMM_WORLD, 4, arguments);
    int least = code, most = code;
    MPI_Allreduce(MPI_IN_PLACE, &least, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    mpi_check(least == most);
    return code;
}

TEST(test_failing_reads) {
    char path[] = "mpi_check_XXXXXX";
    if (mpi_rank() == 0) {
        const int file = mkstemp(path);
        mpi_check(file >= 0);
        for (int k = 0; k < 500; k++)
            mpi_check(write(file, "{\"a\\\"\": []}", 11) == 11);
        close(file);
    }
    MPI_Bcast(path, (int)sizeof path, MPI_CHAR, 0, MPI_COMM_WORLD);
    mpi_check(check(path) == EXIT_FINE);
    for (int failing = 0; failing < mpi_ranks(); failing++)
        for (int kind = 0; kind < 2; kind++) {
            int reads = 0; /* made by the failing rank before it fails */
            for (int code = EXIT_TROUBLE; code == EXIT_TROUBLE; reads++) {
                reads_left = failing == mpi_rank() ? reads : -1;
                short_read = kind == 1;
                code = check(path);
                reads_left = -1;
                mpi_check(code == EXIT_TROUBLE || code == EXIT_FINE);
            }
            mpi_check(reads - 1 == (failing == 0 ? 1 : 2)); /* of its slice, and before that for where to cut */
        }
    mpi_check(check(path) == EXIT_FINE);
    MPI_Barrier(MPI_COMM_WORLD);
    if (mpi_rank() == 0)
        unlink(path);
}

int main(int argc, char **argv) {
    return mpi_run(&argc, &argv, tests_run);
}
