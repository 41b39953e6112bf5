/* SPDX-License-Identifier: Apache-2.0 */
/* MPI fails, by its profiling interface: the rank returns PM_IO, gives back all memory, and waits for nobody. */
#include <stdlib.h>
#include <string.h>

#include "tests/mpi/fixture.h"
#include "tests/support/unit.h"

enum {
    N = 1 << 16 /* elements of a slice */
};

static const char *failing; /* the function, without "MPI_" */
static unsigned fails_at;   /* its call, from 1 on */
static unsigned calls;
static unsigned later; /* calls of others that wait for other ranks, since it failed */

/* Does this call fail? */
static bool call_fails(const char *name) {
    const bool named = strcmp(failing, name) == 0;
    later += !named && calls >= fails_at;
    calls += named;
    return named && calls >= fails_at;
}

int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *made) {
    return call_fails("Comm_dup") ? MPI_ERR_OTHER : PMPI_Comm_dup(comm, made);
}

int MPI_Allreduce(const void *from, void *to, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    return call_fails("Allreduce") ? MPI_ERR_OTHER : PMPI_Allreduce(from, to, count, type, op, comm);
}

int MPI_Allgather(const void *from, int from_count, MPI_Datatype from_type, void *to, int to_count,
                  MPI_Datatype to_type, MPI_Comm comm) {
    return call_fails("Allgather") ? MPI_ERR_OTHER
                                   : PMPI_Allgather(from, from_count, from_type, to, to_count, to_type, comm);
}

/* Messages: the first rank cannot send, and the last one not look for what would come. */
int MPI_Isend(const void *from, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request *request) {
    return call_fails("messages") ? MPI_ERR_OTHER : PMPI_Isend(from, count, type, to, tag, comm, request);
}

int MPI_Iprobe(int source, int tag, MPI_Comm comm, int *came, MPI_Status *about) {
    return strcmp(failing, "messages") == 0 && call_fails("messages") ? MPI_ERR_OTHER
                                                                      : PMPI_Iprobe(source, tag, comm, came, about);
}

int MPI_Probe(int source, int tag, MPI_Comm comm, MPI_Status *about) {
    return strcmp(failing, "messages") == 0 && call_fails("messages") ? MPI_ERR_OTHER
                                                                      : PMPI_Probe(source, tag, comm, about);
}

/* Opens on one rank, and their closes on the other. */
static pm_status match_with(unsigned threads, const char *function, unsigned call) {
    const pm_bic whole = {0, 0};
    fault_allocator faults = {0};
    const pm_options options = {
        .struct_size = sizeof options, .threads = threads, .allocator = fault_allocator_functions(&faults)};
    uint64_t *const parens = malloc(N / 8), *const match = malloc(N * sizeof *match);
    pm_context *context = NULL;
    pm_bic total = {1, 1};
    mpi_check(parens && match && pm_context_create(&options, &context) == PM_OK);
    memset(parens, mpi_rank() == 0 ? 0xff : 0, N / 8);
    failing = function;
    fails_at = call;
    calls = later = 0;
    const pm_status status = pm_mpi_match(context, MPI_COMM_WORLD, parens, N, match, &total);
    failing = "";
    mpi_check(status != PM_OK || memcmp(&total, &whole, sizeof total) == 0);
    mpi_check(status == PM_OK || later == 0);
    pm_context_destroy(context);
    mpi_check(fault_allocator_is_settled(&faults));
    free(parens);
    free(match);
    return status;
}

TEST(test_failures) {
    static const struct {
        const char *function;
        unsigned calls; /* of a match */
    } failures[] = {{"Comm_dup", 1}, {"Allreduce", 2}, {"Allgather", 1}, {"messages", 1}};
    mpi_check(mpi_ranks() == 2);
    for (unsigned threads = 1; threads <= 3; threads += 2)
        for (size_t f = 0; f < COUNT_OF(failures); f++)
            for (unsigned call = 1; call <= failures[f].calls; call++) {
                mpi_check(match_with(threads, failures[f].function, call) == PM_IO);
                mpi_check(match_with(threads, "", 1) == PM_OK);
            }
}

int main(int argc, char **argv) {
    failing = "";
    return mpi_run(&argc, &argv, tests_run);
}
