/* SPDX-License-Identifier: Apache-2.0 */
/*
 * parenmatch_mpi.h: matches and queries a sequence whose slices lie in the memories of MPI ranks.
 *
 * It belongs to a library of its own, libparenmatch_mpi, so that libparenmatch does not need MPI.
 *
 * The sequence is the concatenation of the slices in the order of the ranks. Slices may have any lengths, including 0.
 *
 * Conventions are those of parenmatch.h, and these:
 *   - Every function is collective: all ranks of the communicator call it, each with its own slice, context (or NULL)
 *     and arrays.
 *   - Errors: if a rank fails, all ranks return the same failure, that of the lowest rank that failed. If MPI itself
 *     fails on a rank, that rank returns PM_IO at once. Ranks on which MPI did not fail may then wait for it in MPI:
 *     end the job with MPI_Abort(). The library asks MPI to return errors, whatever the communicator's handler is. If a
 *     rank dies during a call, recovery is left to MPI, whose launcher normally ends the job.
 *   - You have initialised MPI, at MPI_THREAD_SINGLE or more, and the calling thread may call it. A call uses a
 *     duplicate of the communicator, so it never receives your messages. Intercommunicators and MPI_COMM_NULL are
 *     PM_INVALID_ARGUMENT.
 *
 * Stability: experimental.
 */
#ifndef PARENMATCH_MPI_H
#define PARENMATCH_MPI_H

/* Only MPI's C interface. Some MPIs still have the removed C++ one, in a library that programs would have to name. */
#if defined(__cplusplus) && !defined(OMPI_SKIP_MPICXX)
#define OMPI_SKIP_MPICXX 1 /**< Leaves it out of Open MPI. If you want it, include mpi.h first. */
#endif
#if defined(__cplusplus) && !defined(MPICH_SKIP_MPICXX)
#define MPICH_SKIP_MPICXX 1 /**< Leaves it out of MPICH. */
#endif
#include <mpi.h>

#include "parenmatch.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Matching ---------------------------------------------------------------------------------------------------- */

/**
 * Matches a sequence. Each rank matches its own slice.
 *
 * Threads: pm_options.threads of the rank's context, but at most 1024, and one for every 4096 elements of the slice; by
 * default one, because ranks usually share a machine's cores. They are OpenMP's: if the system refuses one, its runtime
 * ends the process. They call the context's allocator, too, but no two at the same time. If MPI was initialised for
 * threads (MPI_THREAD_FUNNELED or more) and the calling thread may call it, the others match during communication.
 *
 * GPUs: if pm_options.device of the rank's context names devices, pm_match_gpu() matches slices of fewer than 2^32
 * elements. Ranks that share a machine should name a device each.
 *
 * Communication: one allgather of 24 bytes a rank. Then each rank receives as much of the stack before its slice as its
 * closes reach, plus one open, from the ranks that own it, in messages of at most 64 KiB. Opens travel in words of 64
 * elements, 16 bytes each. Only what is needed is sent, and no rank asks for it.
 *
 * Memory in addition to the arrays: less than 1 MiB and as much for each thread, and 120 bytes a rank. Every 64
 * elements that hold an open which the slice can reach take 32 bytes, up to four times that with several threads.
 *
 * @param context  NULL for the defaults.
 * @param parens   the rank's n bits in (n + 63) / 64 words, from bit 0 on, wherever the slice begins.
 * @param n        elements of the slice.
 * @param match    receives n results: indices in the whole sequence, or PM_BP_NONE.
 * @param total    receives the whole sequence's bicyclic element; may be NULL.
 * @return PM_OK; PM_INVALID_ARGUMENT; PM_OUT_OF_MEMORY; PM_IO; with a device also as pm_match_gpu().
 */
PM_API pm_status pm_mpi_match(pm_context *context, MPI_Comm comm, const uint64_t *parens, uint64_t n, uint64_t *match,
                              pm_bic *total);

/** The costs of a match on one rank. */
typedef struct pm_mpi_costs {
    uint64_t sent_opens;     /**< Opens sent to other ranks, counted once for each receiver. */
    uint64_t sent_bytes;     /**< Bytes sent for them: 16 for each word with opens. */
    uint64_t sent_messages;  /**< Messages sent for them. */
    uint64_t received_bytes; /**< Bytes of opens received from other ranks. */
    double reduce_seconds;   /**< Reducing the slice. */
    double scan_seconds;     /**< The allgather, including the wait for the slowest rank. */
    double exchange_seconds; /**< Finding, sending and receiving opens. */
    double match_seconds;    /**< Matching the slice. */
} pm_mpi_costs;

/**
 * Matches a sequence and reports the costs. Other parameters and results as pm_mpi_match().
 *
 * @param costs  receives the rank's own costs; may be NULL.
 */
PM_API pm_status pm_mpi_match_costs(pm_context *context, MPI_Comm comm, const uint64_t *parens, uint64_t n,
                                    uint64_t *match, pm_bic *total, pm_mpi_costs *costs);

/* ---- Queries on the whole sequence ------------------------------------------------------------------------------- */

/** A sequence as a whole, and where the rank's slice is in it. */
typedef struct pm_mpi_summary {
    uint64_t n;            /**< Elements of all slices. */
    uint64_t opens;        /**< Opens of all slices. */
    pm_bic total;          /**< The bicyclic element of the whole; the sequence is balanced if both fields are 0. */
    uint64_t max_depth;    /**< Maximum number of opens on the stack. */
    uint64_t first;        /**< Index of the rank's first element. */
    uint64_t opens_before; /**< Opens before that element. */
    pm_bic before;         /**< The bicyclic element of everything before it. */
} pm_mpi_summary;

/**
 * Summarizes a sequence without matching it. One allgather of 40 bytes a rank, which is also the memory.
 *
 * @param context  NULL for the defaults.
 * @param parens   the rank's n bits, as for pm_mpi_match().
 * @param n        elements of the slice.
 * @param summary  receives the summary; not NULL.
 * @return PM_OK; PM_INVALID_ARGUMENT; PM_OUT_OF_MEMORY; PM_IO.
 */
PM_API pm_status pm_mpi_bp_summary(pm_context *context, MPI_Comm comm, const uint64_t *parens, uint64_t n,
                                   pm_mpi_summary *summary);

/**
 * Returns the excess at indices of the whole sequence: opens minus closes among elements 0 ... i, as pm_bp_excess().
 * Memory: an index of the slice, as pm_bp_create() makes it, during the call.
 *
 * @param i       count indices in any order, the same on every rank; an index past the end counts all elements.
 * @param count   the same on every rank, at most 2^31 - 1; more is PM_TOO_LARGE.
 * @param excess  receives count results, on every rank.
 * @return PM_OK; PM_INVALID_ARGUMENT; PM_OUT_OF_MEMORY; PM_TOO_LARGE; PM_IO.
 */
PM_API pm_status pm_mpi_bp_excess(pm_context *context, MPI_Comm comm, const uint64_t *parens, uint64_t n,
                                  const uint64_t *i, size_t count, int64_t *excess);

/**
 * Finds the closes that match opens of the whole sequence, as pm_bp_find_close().
 *
 * Memory: an index of the slice, as for pm_mpi_bp_excess(), 24 bytes a rank and 16 a query. Communication: two sums
 * over all ranks, of 16 and 8 bytes a query. No elements travel: the slices' totals determine which rank has the answer
 * and its ordinal among that slice's unmatched elements.
 *
 * @param i      count indices in any order, the same on every rank.
 * @param count  the same on every rank, less than 2^30; more is PM_TOO_LARGE.
 * @param close  receives count answers on every rank: indices in the whole sequence, or PM_BP_NONE. It must not be `i`.
 * @return PM_OK; PM_INVALID_ARGUMENT; PM_OUT_OF_MEMORY; PM_TOO_LARGE; PM_IO.
 */
PM_API pm_status pm_mpi_bp_find_close(pm_context *context, MPI_Comm comm, const uint64_t *parens, uint64_t n,
                                      const uint64_t *i, size_t count, uint64_t *close);
/** Finds the opens that match closes, as pm_bp_find_open(). Parameters and costs as pm_mpi_bp_find_close(). */
PM_API pm_status pm_mpi_bp_find_open(pm_context *context, MPI_Comm comm, const uint64_t *parens, uint64_t n,
                                     const uint64_t *i, size_t count, uint64_t *open);
/** Finds the match of each index, as pm_bp_enclose(). Parameters and costs as pm_mpi_bp_find_close(). */
PM_API pm_status pm_mpi_bp_enclose(pm_context *context, MPI_Comm comm, const uint64_t *parens, uint64_t n,
                                   const uint64_t *i, size_t count, uint64_t *open);

#ifdef __cplusplus
}
#endif

#endif /* PARENMATCH_MPI_H */
