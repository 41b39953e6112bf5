/* SPDX-License-Identifier: Apache-2.0 */
/* parenmatch-mpi: what the program does, by several ranks together. The first rank alone prints. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/mpi/slice.h"
#include "parenmatch_mpi.h"

const char program_name[] = "parenmatch-mpi";

static int help(void) {
    puts("Usage: mpirun -n RANKS parenmatch-mpi COMMAND [OPTION]... [FILE]...\n"
         "What parenmatch does, by several ranks of MPI together.\n\n"
         "  check      are the brackets of these files balanced and of matching kinds?\n\n"
         "'parenmatch-mpi COMMAND --help' lists the options of a command.");
    return EXIT_FINE;
}

static int check(int argc, char **argv) {
    return command_mpi_check(MPI_COMM_WORLD, argc, argv);
}

static int run(int argc, char **argv) {
    const char *name = argc > 1 ? argv[1] : "";
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0)
        return help();
    if (strcmp(name, "--version") == 0) {
        printf("parenmatch-mpi %s\n", pm_version_string());
        return EXIT_FINE;
    }
    if (strcmp(name, "check") == 0)
        return run_command(check, argc - 1, argv + 1);
    if (*name)
        return complain("no such command: '%s'\nTry 'parenmatch-mpi --help'.", name);
    help();
    return EXIT_TROUBLE;
}

int main(int argc, char **argv) {
    int rank = 0;
    begin_program();
    if (MPI_Init(&argc, &argv) != MPI_SUCCESS || MPI_Comm_rank(MPI_COMM_WORLD, &rank) != MPI_SUCCESS)
        return finish_output(complain("cannot start MPI"));
    if (rank > 0 && (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr)))
        MPI_Abort(MPI_COMM_WORLD, EXIT_TROUBLE);
    int code = finish_output(run(argc, argv));
    MPI_Allreduce(MPI_IN_PLACE, &code, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Finalize();
    return code;
}
