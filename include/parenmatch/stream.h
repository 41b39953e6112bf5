/* SPDX-License-Identifier: Apache-2.0 */
/*
 * parenmatch/stream.h: matching a sequence that arrives in chunks, or that lies in slices that no single memory holds.
 *
 * A stream takes chunks in order. Slices are matched in three steps: reduce every slice to its effect on a stack, scan
 * these effects (pm_bic), and match every slice with the stack before it (pm_stream_skip(), then pm_stream_push()).
 *
 * Stability: stable.
 */
#ifndef PARENMATCH_STREAM_H
#define PARENMATCH_STREAM_H

#include "parenmatch/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * A sequence that arrives in chunks; indices have 64 bits. Vector instructions (pm_options.simd) match chunks of more
 * than a few hundred elements.
 * Memory: 208 KiB, and 16 bytes for every 64 consecutive elements that hold an open that is not closed yet. Opens that
 * pm_stream_skip() puts at odd distances from each other, which no sequence does, take 16 bytes each. It is allocated
 * in blocks of 4 KiB; at most one empty block is kept. pm_stream_finish() frees every block.
 */
typedef struct pm_stream pm_stream;

/** Opens among 64 consecutive elements. */
typedef struct pm_open_word {
    uint64_t first; /**< The index of the element that bit 0 stands for. */
    uint64_t opens; /**< Bit i is set if element first + i is one of the opens. */
} pm_open_word;

/** Creates a stream. *stream is to be given to pm_stream_destroy(), and is NULL after a failure (PM_OUT_OF_MEMORY). */
PM_API pm_status pm_stream_create(pm_context *context, pm_stream **stream);

/**
 * Appends n elements. Each chunk begins at bit 0 of its own words, whatever the lengths of the chunks before it.
 *
 * @param match  receives n results, indices in the whole stream or PM_BP_NONE; NULL: the elements are only counted in,
 *               for later chunks and for pm_stream_finish().
 * @return PM_OK; PM_OUT_OF_MEMORY; PM_INVALID_ARGUMENT; PM_TOO_LARGE, with nothing appended, if the stream would be
 *         longer than 2^64 - 1 elements. After PM_OUT_OF_MEMORY every push returns it again until pm_stream_finish().
 */
PM_API pm_status pm_stream_push(pm_stream *stream, const uint64_t *parens, size_t n, uint64_t *match);

/**
 * Appends n elements and writes results of 32 bits, indices or PM_NONE. Returns as pm_stream_push(), and PM_TOO_LARGE,
 * with nothing appended, if matches are wanted and the stream would be longer than 2^32 - 1 elements. Pushes of both
 * forms may be mixed.
 */
PM_API pm_status pm_stream_push_u32(pm_stream *stream, const uint64_t *parens, size_t n, uint32_t *match);

/**
 * Continues as if elements up to index `position` had been pushed, of which only these opens had an effect. So a stream
 * can begin in the middle of a sequence with the stack of that place; pm_slice_survivors() returns the opens that a
 * slice leaves on the stack. The opens may be at any distances, also such as no sequence leaves.
 *
 * @param position  at least the number of elements pushed, and greater than the index of any given open.
 * @param opens     count words, whose opens ascend: none lies before the number of elements pushed, and none of a word
 *                  lies before one of an earlier word.
 * @return as pm_stream_push(); PM_INVALID_ARGUMENT, with the stream unchanged, if `position` or the order is wrong.
 */
PM_API pm_status pm_stream_skip(pm_stream *stream, uint64_t position, const pm_open_word *opens, size_t count);

/**
 * Ends the sequence and makes the stream ready for the next one.
 *
 * @param total  receives the bicyclic element of everything pushed; may be NULL.
 * @return PM_OK, or the failure of a push since the last finish.
 */
PM_API pm_status pm_stream_finish(pm_stream *stream, pm_bic *total);

/**
 * Lists the opens that are on the stack, the innermost first. Takes time for those it stores.
 *
 * @param opens     receives the indices of the innermost opens, at most `capacity`; may be NULL if that is 0.
 * @param count     receives the number of all opens, which may exceed the capacity; may be NULL.
 * @return PM_OK; PM_INVALID_ARGUMENT; or the failure of an earlier push.
 */
PM_API pm_status pm_stream_open(const pm_stream *stream, uint64_t *opens, size_t capacity, uint64_t *count);

/** A state of a stream, to return to. */
typedef struct pm_stream_state pm_stream_state;

/**
 * Saves the state of a stream. The opens are shared with the stream: a saved state takes at most 4 KiB, whatever was
 * pushed.
 *
 * @param state  receives the state, to be given to pm_stream_state_destroy(), before or after the stream's end; NULL
 *               after a failure.
 * @return PM_OK; PM_INVALID_ARGUMENT; PM_OUT_OF_MEMORY; or the failure of an earlier push.
 */
PM_API pm_status pm_stream_save(pm_stream *stream, pm_stream_state **state);

/**
 * Takes the stream back, or forward, to a state that was saved of it; any state, any number of times, also after
 * pm_stream_finish().
 *
 * @return PM_OK; PM_INVALID_ARGUMENT for a state of another stream; PM_OUT_OF_MEMORY, with the stream as it was.
 */
PM_API pm_status pm_stream_restore(pm_stream *stream, const pm_stream_state *state);

/** Destroys a saved state; NULL is allowed. To be called by the thread that uses the stream. */
PM_API void pm_stream_state_destroy(pm_stream_state *state);

/** Destroys a stream; NULL is allowed. */
PM_API void pm_stream_destroy(pm_stream *stream);

/* ---- A slice of a sequence -------------------------------------------------------------------------------------- */

/**
 * Reduces a slice to its bicyclic element with vector instructions, more than ten times as fast as matching it.
 *
 * @param context  NULL for the defaults.
 * @param parens   n bits in (n + 63) / 64 words.
 * @param n        elements, any number.
 * @param effect   receives the bicyclic element; not optional.
 * @return PM_OK; PM_INVALID_ARGUMENT.
 */
PM_API pm_status pm_slice_reduce(pm_context *context, const uint64_t *parens, size_t n, pm_bic *effect);

/**
 * Lists the opens that a slice leaves on the stack (its survivors), from the top down. To continue after a call that
 * filled `words`, call again with n = the index of the lowest open it stored.
 *
 * @param parens, n  as pm_slice_reduce().
 * @param most       the number of opens wanted, the topmost ones.
 * @param capacity   the room of `words`.
 * @param words      receives words with at least one open each, the topmost first. The first element of each word has
 *                   an index divisible by 64.
 * @param count      receives the number of words stored; not optional. It is less than capacity only if all wanted or
 *                   all existing opens are stored.
 * @return PM_OK; PM_INVALID_ARGUMENT.
 */
PM_API pm_status pm_slice_survivors(pm_context *context, const uint64_t *parens, size_t n, uint64_t most,
                                    size_t capacity, pm_open_word *words, size_t *count);

#ifdef __cplusplus
}
#endif

#endif /* PARENMATCH_STREAM_H */
