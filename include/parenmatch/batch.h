/* SPDX-License-Identifier: Apache-2.0 */
/*
 * parenmatch/batch.h: the match of many sequences in one call, and of interleaved sequences, distinguished by a key.
 *
 * Sources: Levien, "The stack monoid revisited" (the stack as a monoid). Why one long match is enough for many
 * sequences stands in docs/design/cpu-matching.md.
 *
 * Stability: stable.
 */
#ifndef PARENMATCH_BATCH_H
#define PARENMATCH_BATCH_H

#include "parenmatch/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Matches many sequences that lie one after another, as in the lists of Apache Arrow. Each begins with an empty stack.
 * The call uses one thread or several, whichever is predicted to be faster for all elements together. It uses no
 * device.
 *
 * @param context  NULL for the defaults.
 * @param parens   the elements of all sequences, packed, up to element offsets[count] - 1.
 * @param offsets  count + 1 offsets. Sequence s is the elements offsets[s] ... offsets[s + 1] - 1; it may be empty. A
 *                 descending offset is PM_INVALID_ARGUMENT, a sequence of more than 2^32 - 1 elements PM_TOO_LARGE.
 *                 Their sum has no limit.
 * @param count    sequences. For 0 all arrays may be NULL.
 * @param match    receives match[i] for the elements i of all sequences, as many as parens has. It counts from the
 *                 beginning of the element's own sequence, or is PM_NONE. Nothing before offsets[0] is written. It may
 *                 be NULL if all sequences are empty.
 * @param totals   receives each sequence's bicyclic element, `count` in all; may be NULL.
 * @return PM_OK; PM_INVALID_ARGUMENT; PM_TOO_LARGE; PM_OUT_OF_MEMORY. Memory is that of pm_match_batch_omp().
 */
PM_API pm_status pm_match_batch_auto(pm_context *context, const uint64_t *parens, const uint64_t *offsets, size_t count,
                                     uint32_t *match, pm_bic *totals);

/**
 * Matches many sequences with a plain stack on one thread, the reference implementation. It allocates nothing.
 * Parameters as pm_match_batch_auto().
 */
PM_API pm_status pm_match_batch_seq(pm_context *context, const uint64_t *parens, const uint64_t *offsets, size_t count,
                                    uint32_t *match, pm_bic *totals);

/**
 * Matches many sequences on one thread with vector instructions (pm_options.simd). Parameters as pm_match_batch_auto().
 * Memory: at most 256 KiB and n / 4 bytes, for n elements of the longest sequence, from the context's allocator during
 * the call.
 */
PM_API pm_status pm_match_batch_broadword(pm_context *context, const uint64_t *parens, const uint64_t *offsets,
                                          size_t count, uint32_t *match, pm_bic *totals);

/**
 * Matches many sequences on several OpenMP threads (pm_options.threads). Threads share a sequence only if it is longer
 * than what each of them has to do. Results do not depend on the number of threads. Parameters as
 * pm_match_batch_auto().
 * Memory: for each thread that of pm_match_batch_broadword(), and for the longest sequence that of pm_match_omp() and
 * n / 8 bytes, from the context's allocator during the call.
 */
PM_API pm_status pm_match_batch_omp(pm_context *context, const uint64_t *parens, const uint64_t *offsets, size_t count,
                                    uint32_t *match, pm_bic *totals);

/**
 * Matches many sequences on the context's devices, with the pipeline "levels" whatever pm_options.pipeline says.
 * Parameters as pm_match_batch_auto(), but context must not be NULL. Elements go to the device in parts of fewer than
 * 2^32, sequences in parts of at most 2^26.
 * Memory: that of pm_match_gpu(), and on each device 8 bytes a sequence for the offsets and 8 for the totals. From the
 * context's allocator during the call: 8 bytes for each sequence of a part, but nothing if offsets[0] is less than 64
 * and all is one part. For a sequence of nearly 2^32 elements it is n / 8 bytes instead.
 *
 * @return as pm_match_batch_auto() and pm_match_gpu().
 */
PM_API pm_status pm_match_batch_gpu(pm_context *context, const uint64_t *parens, const uint64_t *offsets, size_t count,
                                    uint32_t *match, pm_bic *totals);

/**
 * Matches a sequence in which every key has a stack of its own: events of several threads, or kinds of brackets that do
 * not nest in each other. match[i] is the index on top of the stack of element i's key, or PM_NONE if that is empty.
 * Elements of other keys change nothing there. The call uses several threads where that pays (pm_options.threads), but
 * one for keys that differ so much that they have to be sorted. Results do not depend on the number of threads.
 *
 * @param context  NULL for the defaults.
 * @param parens   n bits.
 * @param keys     n keys, each an unsigned integer of `width` bytes.
 * @param width    1, 2 or 4; any other is PM_INVALID_ARGUMENT.
 * @param n        elements, at most 2^32 - 1; more is PM_TOO_LARGE.
 * @param match    receives n results, indices in the whole sequence.
 * @return PM_OK; PM_INVALID_ARGUMENT; PM_TOO_LARGE; PM_OUT_OF_MEMORY. Memory: on one thread at most 768 KiB and, with
 *         4-byte keys, 4 n bytes; on several 9 n / 8 bytes or that, from the context's allocator during the call.
 */
PM_API pm_status pm_match_keys(pm_context *context, const uint64_t *parens, const void *keys, size_t width, size_t n,
                               uint32_t *match);

#ifdef __cplusplus
}
#endif

#endif /* PARENMATCH_BATCH_H */
