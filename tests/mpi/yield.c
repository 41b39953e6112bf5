/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For an MPI whose ranks keep their core while they wait, as MPICH's do: where there are more ranks than cores, each
 * step then takes as long as the system lets a process run. These take the places of the calls that the library and the
 * tests wait in (by MPI's profiling interface) and let others run meanwhile.
 */
#include <mpi.h>
#include <sched.h>

static int wait_yielding(int code, MPI_Request *request) {
    for (int done = 0; code == MPI_SUCCESS && !done;) {
        code = PMPI_Test(request, &done, MPI_STATUS_IGNORE);
        if (!done)
            sched_yield();
    }
    return code;
}

int MPI_Allreduce(const void *from, void *to, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    MPI_Request request;
    return wait_yielding(PMPI_Iallreduce(from, to, count, type, op, comm, &request), &request);
}

int MPI_Allgather(const void *from, int from_count, MPI_Datatype from_type, void *to, int to_count,
                  MPI_Datatype to_type, MPI_Comm comm) {
    MPI_Request request;
    return wait_yielding(PMPI_Iallgather(from, from_count, from_type, to, to_count, to_type, comm, &request), &request);
}

int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *made) {
    MPI_Request request;
    return wait_yielding(PMPI_Comm_idup(comm, made, &request), &request);
}

int MPI_Iprobe(int source, int tag, MPI_Comm comm, int *came, MPI_Status *about) {
    const int code = PMPI_Iprobe(source, tag, comm, came, about);
    if (code == MPI_SUCCESS && !*came)
        sched_yield();
    return code;
}

int MPI_Probe(int source, int tag, MPI_Comm comm, MPI_Status *about) {
    for (int came = 0;;) {
        const int code = MPI_Iprobe(source, tag, comm, &came, about);
        if (code != MPI_SUCCESS || came)
            return code;
    }
}
