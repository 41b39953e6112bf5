/* SPDX-License-Identifier: Apache-2.0 */
/*
 * parenmatch on many machines: a sequence whose slices lie in the memories of MPI's ranks. A library of its own,
 * libparenmatch_mpi, so that libparenmatch needs no MPI.
 *
 * The sequence is the slices in the order of the ranks: the first begins at index 0, each next one where the one before
 * ends. Slices may have any lengths, 0 too.
 *
 * Conventions are those of parenmatch.h, and
 *   - Every function here is collective: all ranks of the communicator call it. Each gives its own slice, its own
 *     context (NULL or not) and its own arrays.
 *   - Errors: where a rank fails, for whatever reason, all ranks return the same failure, that of the lowest rank that
 *     failed. PM_IO where MPI itself fails; it is asked to return its errors, whatever the communicator's handler is.
 *     A rank that ends in the middle of a call is MPI's own affair; its launchers end the others.
 *   - MPI has been initialised by the caller, at MPI_THREAD_SINGLE or more; the calling thread may call it. A call uses
 *     a duplicate of the communicator, so that it never meets the caller's messages. Intercommunicators and
 *     MPI_COMM_NULL are PM_INVALID_ARGUMENT.
 */
#ifndef PARENMATCH_MPI_H
#define PARENMATCH_MPI_H

/* Of MPI its C alone: the C++ that it has dropped some still have, in a library that programs would have to name. */
#if defined(__cplusplus) && !defined(OMPI_SKIP_MPICXX)
#define OMPI_SKIP_MPICXX 1 /**< Open MPI's way to leave it out; a program that wants it includes mpi.h first. */
#endif
#if defined(__cplusplus) && !defined(MPICH_SKIP_MPICXX)
#define MPICH_SKIP_MPICXX 1 /**< MPICH's. */
#endif
#include <mpi.h>

#include "parenmatch.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Matching --------------------------------------------------------------------------------------------------- */

/**
 * Matches a sequence, each rank the slice it holds: on the calling thread, or on as many as pm_options.threads of the
 * rank's context asks for, where the slice has some thousand elements for each of them. (Not asked, a rank has one, for
 * mostly ranks share a machine's cores.) Where MPI was initialised for threads, MPI_THREAD_FUNNELED or more, and this
 * is the thread that may call it, the others meanwhile match what needs nothing of other ranks.
 *
 * Or on GPUs, if pm_options.device of the rank's context names some: by pm_match_gpu(), for slices of fewer than 2^32
 * elements. The calling thread then makes indices of the whole sequence of its results. Ranks that share a machine
 * name a device each.
 *
 * Three steps: reduce the slice; scan what all slices came to (one allgather of 24 bytes a rank); match, with the stack
 * before the slice. Of that stack a rank gets as much as its own closes reach, and one open more, the parent of what
 * comes after them; from the ranks that own it, in messages of at most 64 KiB. An open that is to be sent travels with
 * those of the same 64 elements of its slice: 16 bytes for all of them. Nothing is sent to who does not need it, and
 * no message asks for one.
 * Memory beside the arrays: less than 1 MiB, for each thread as well, 120 bytes for each rank, and 32 bytes for every
 * 64 elements that hold an open of the stack before the slice which the slice can reach; with several threads up to
 * twice that, and as much for what their parts need of each other.
 *
 * @param context  NULL for the defaults.
 * @param parens   the rank's n bits, (n + 63) / 64 words; they begin at bit 0, wherever the slice begins.
 * @param n        elements of the slice.
 * @param match    n results: indices in the whole sequence, or PM_BP_NONE.
 * @param total    receives the whole sequence's bicyclic element; may be NULL.
 * @return PM_OK; PM_INVALID_ARGUMENT; PM_OUT_OF_MEMORY; PM_IO; of a rank with a device as pm_match_gpu(), too.
 */
PM_API pm_status pm_mpi_match(pm_context *context, MPI_Comm comm, const uint64_t *parens, uint64_t n, uint64_t *match,
                              pm_bic *total);

/** What a match took on one rank. */
typedef struct pm_mpi_costs {
    uint64_t sent_opens;     /**< Opens sent to other ranks; one that goes to several counts as often. */
    uint64_t sent_bytes;     /**< For these: 16 for every word of them. */
    uint64_t sent_messages;  /**< In so many messages. */
    uint64_t received_bytes; /**< The same from other ranks. */
    double reduce_seconds;   /**< Of the slice. */
    double scan_seconds;     /**< Waiting for the slowest included. */
    double exchange_seconds; /**< Of opens: finding them, sending, and receiving. */
    double match_seconds;    /**< Of the slice, with the stack before it. */
} pm_mpi_costs;

/** pm_mpi_match(), and what it took. @param costs receives the rank's own; may be NULL. */
PM_API pm_status pm_mpi_match_costs(pm_context *context, MPI_Comm comm, const uint64_t *parens, uint64_t n,
                                    uint64_t *match, pm_bic *total, pm_mpi_costs *costs);

/* ---- Queries on the whole --------------------------------------------------------------------------------------- */

/** A sequence as a whole, and where a rank's slice is in it. */
typedef struct pm_mpi_summary {
    uint64_t n;            /**< Elements of all slices. */
    uint64_t opens;        /**< Opens among them. */
    pm_bic total;          /**< The bicyclic element of all: balanced, if both are 0. */
    uint64_t max_depth;    /**< Most opens on the stack at once. */
    uint64_t first;        /**< The index of the rank's first element. */
    uint64_t opens_before; /**< Opens before it. */
    pm_bic before;         /**< The bicyclic element of what comes before it. */
} pm_mpi_summary;

/**
 * Sums a sequence up, without matching it; one allgather of 40 bytes a rank. Memory: these. Parameters as
 * pm_mpi_match().
 *
 * @param summary  not optional.
 */
PM_API pm_status pm_mpi_bp_summary(pm_context *context, MPI_Comm comm, const uint64_t *parens, uint64_t n,
                                   pm_mpi_summary *summary);

/**
 * The excess at places of the whole sequence: opens minus closes among elements 0 ... i, as pm_bp_excess(). Memory: an
 * index of the slice, as pm_bp_create() makes it, for the call.
 *
 * @param i       count indices in any order, the same on every rank; one past the end counts all elements.
 * @param count   the same on every rank, at most 2^31 - 1 (PM_TOO_LARGE).
 * @param excess  receives count results, on every rank.
 */
PM_API pm_status pm_mpi_bp_excess(pm_context *context, MPI_Comm comm, const uint64_t *parens, uint64_t n,
                                  const uint64_t *i, size_t count, int64_t *excess);

/**
 * Where places of the whole sequence have their closes, as pm_bp_find_close(). Memory: an index of the slice, as for
 * pm_mpi_bp_excess(), 24 bytes a rank and 16 a query. Two sums over all ranks, of 16 and 8 bytes a query; what a query
 * asks of another rank than its element's is which of that one's unmatched elements is the answer, and no element
 * travels.
 *
 * @param i      count indices in any order, the same on every rank.
 * @param count  the same on every rank, less than 2^30 (PM_TOO_LARGE).
 * @param close  receives count answers, on every rank: indices in the whole sequence, or PM_BP_NONE. Not the same
 * array.
 */
PM_API pm_status pm_mpi_bp_find_close(pm_context *context, MPI_Comm comm, const uint64_t *parens, uint64_t n,
                                      const uint64_t *i, size_t count, uint64_t *close);
/** As pm_bp_find_open(), likewise. */
PM_API pm_status pm_mpi_bp_find_open(pm_context *context, MPI_Comm comm, const uint64_t *parens, uint64_t n,
                                     const uint64_t *i, size_t count, uint64_t *open);
/** As pm_bp_enclose(), likewise: the match of each place. */
PM_API pm_status pm_mpi_bp_enclose(pm_context *context, MPI_Comm comm, const uint64_t *parens, uint64_t n,
                                   const uint64_t *i, size_t count, uint64_t *open);

#ifdef __cplusplus
}
#endif

#endif /* PARENMATCH_MPI_H */
