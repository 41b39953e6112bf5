/* SPDX-License-Identifier: Apache-2.0 */
/*
 * parenmatch/gpu.h: matching on Vulkan devices, from host memory or with sequences that stay on the devices.
 *
 * These functions need no Vulkan header; parenmatch_vulkan.h records into command buffers of yours. The *_gpu functions
 * of boxes, trees, search and delimiters are in the headers of their subjects.
 *
 * Stability: experimental.
 */
#ifndef PARENMATCH_GPU_H
#define PARENMATCH_GPU_H

#include "parenmatch/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Matches a sequence on a GPU. The context's first call opens the device, and the first call with a pipeline creates
 * its kernels. The context keeps both until it is destroyed, with the memory of its largest call. On each device that
 * is less than 3 n / 10 bytes and 48 MiB. On the host it is 48 MiB for each device, up to 96 MiB for one that is a CPU.
 * Several threads copy to and from the device (pm_options.threads), and several devices may share a long match
 * (pm_options.device). With sequence and match in host memory, a few CPU cores are faster than the transfer;
 * pm_match_auto() accounts for this.
 *
 * @param context  not NULL.
 * @param parens   n bits in (n + 63) / 64 words.
 * @param n        elements, at most 2^32 - 1; more is PM_TOO_LARGE.
 * @param match    receives n results as pm_match_seq() gives them: match[i] < i, or PM_NONE.
 * @param total    receives the sequence's bicyclic element; may be NULL.
 * @return PM_OK; PM_INVALID_ARGUMENT; PM_NO_DEVICE without a Vulkan loader, without a device that has Vulkan 1.2 and
 *         buffer device addresses, or without the device that pm_options names; PM_OUT_OF_MEMORY, of the host or the
 *         device; PM_DEVICE_LOST, from this and every later call with this context; PM_TOO_LARGE past the limit of the
 *         pipeline that pm_options names; PM_UNSUPPORTED if the device's workgroups are too small for that pipeline, or
 *         if the driver fails in a way that has no other status.
 */
PM_API pm_status pm_match_gpu(pm_context *context, const uint64_t *parens, size_t n, uint32_t *match, pm_bic *total);

/**
 * A pipeline of pm_match_gpu(). All of them give the same results, up to these lengths:
 *   "levels"          2^32 - 1 elements. The default.
 *   "direct"          2^16, in one dispatch.
 *   "simple"          2^18, in two dispatches. Source: Levien, "Fast parentheses matching on GPU", section 6.
 *   "work-efficient"  2^24, in two dispatches, with 4 more bytes of device memory an element. Source: section 7.
 *   "lookback"        as many as fit the device's largest allocation with 4 bytes an element (2^30 for 4 GiB), in one
 *                     pass. Source: Levien, "The stack monoid revisited". Where workgroups make no independent progress
 *                     it repeats work instead of waiting.
 * The limits of "direct", "simple" and "work-efficient" are those of a device whose workgroups have 512 invocations and
 * 32 KiB of memory; smaller workgroups have smaller limits.
 */
typedef struct pm_pipeline_info {
    const char *name;        /**< As pm_options.pipeline takes it: "levels". */
    const char *description; /**< One line of English. */
} pm_pipeline_info;

/** Returns pipeline `index`, counted from 0, "levels" first; NULL past the last. Static storage. */
PM_API const pm_pipeline_info *pm_pipeline_at(size_t index);

/* ---- A sequence that stays on devices ---------------------------------------------------------------------------- */
/*
 * If a sequence is matched more than once, or little of its match is read, both can stay in device memory: a slice on
 * each device of pm_options.device. Devices reduce and match their slices. What slices need of each other goes through
 * the host if it is little; otherwise a device computes it again for itself.
 */

/**
 * A sequence on devices, or many, and the match. It belongs to its context and must be destroyed before it; both are
 * used by one thread at a time. Do not call pm_profile_measure() with the context while the object exists, because that
 * closes the devices.
 */
typedef struct pm_resident pm_resident;

/**
 * Allocates room for a sequence of n elements on the context's devices, and opens these as pm_match_gpu() does. Slices
 * are equal multiples of 32768 elements, at least 2^26 each; the last may be shorter. Short sequences therefore use
 * fewer devices. Device memory: 4 bytes for each element of the slice for the match, and less than 0.3 bytes for each
 * element from the sequence's beginning to the slice's end. Host memory: 48 MiB for each device.
 *
 * @param context   not NULL.
 * @param n         at most 2^32 - 1; more is PM_TOO_LARGE.
 * @param resident  receives the object, to be given to pm_resident_destroy(); NULL after a failure.
 * @return as pm_match_gpu().
 */
PM_API pm_status pm_resident_create(pm_context *context, uint64_t n, pm_resident **resident);

/** Destroys a resident sequence; NULL is allowed. */
PM_API void pm_resident_destroy(pm_resident *resident);

/**
 * Uploads a sequence, any number of times. The match of the sequence before it is lost. Every device gets the bits from
 * the beginning to the end of its slice, so d devices together get (d + 1) / 2 times the bits.
 *
 * @param parens  n bits in (n + 63) / 64 words; no longer used after the call.
 * @return PM_OK; PM_INVALID_ARGUMENT, also for an object of pm_resident_create_batch(); PM_OUT_OF_MEMORY;
 *         PM_DEVICE_LOST, from this and every later call with this context.
 */
PM_API pm_status pm_resident_load(pm_resident *resident, const uint64_t *parens);

/**
 * Matches what is loaded, on the devices, and returns when that is done. A slice needs one open more of the stack
 * before it than it has unmatched closes; in a random sequence of n elements that is about the square root of n. If
 * every slice of m elements needs at most 8 to 16 times the square root of m (4096 is always allowed), the opens come
 * through host memory from the devices that have them. They take 4 bytes each. Otherwise a device that needs more
 * reduces the slices from those opens up to its own by itself, which takes a tenth of the time of matching as many
 * elements.
 *
 * @param total  receives the sequence's bicyclic element; may be NULL. For many sequences it must be NULL, because
 *               pm_resident_read_totals() has the elements of each.
 * @return PM_OK; PM_INVALID_ARGUMENT, also if nothing has been loaded; PM_OUT_OF_MEMORY; PM_DEVICE_LOST, from this and
 *         every later call with this context.
 */
PM_API pm_status pm_resident_match(pm_resident *resident, pm_bic *total);

/**
 * Downloads a part of the match.
 *
 * @param first, count  elements first ... first + count - 1, all within the sequence; of many sequences, all from
 *                      element offsets[0] to element offsets[n] - 1, where n is their number. So sequence s is read by
 *                      first = offsets[s] and count = offsets[s + 1] - offsets[s].
 * @param match         receives count results: match[k] is that of element first + k. They are as pm_match_seq() gives
 *                      them: indices in the whole sequence, of many sequences in the element's own, or PM_NONE.
 * @return as pm_resident_match(); PM_INVALID_ARGUMENT also if there is no match.
 */
PM_API pm_status pm_resident_read(pm_resident *resident, uint64_t first, uint64_t count, uint32_t *match);

/* ---- Many sequences that stay on a device ------------------------------------------------------------------------ */
/*
 * pm_resident_match(), pm_resident_read() and pm_resident_destroy() take them, too. They are on one device, the first
 * of pm_options.device, and matched with the pipeline "levels".
 */

/**
 * Allocates room for many sequences on the context's first device, which it opens as pm_match_gpu() does. Device
 * memory: 4.3 bytes for each element, 8 bytes for each sequence, and 8 more for each once pm_resident_read_totals() is
 * called. Host memory: 48 MiB.
 *
 * @param context   not NULL.
 * @param n         elements of all sequences together, at most 2^32 - 64; more is PM_TOO_LARGE.
 * @param count     sequences, at most 2^31 - 1; more is PM_TOO_LARGE.
 * @param resident  receives the object, to be given to pm_resident_destroy(); NULL after a failure.
 * @return as pm_match_gpu().
 */
PM_API pm_status pm_resident_create_batch(pm_context *context, uint64_t n, uint64_t count, pm_resident **resident);

/**
 * Uploads many sequences, any number of times. The match of those before them is lost. A call that returns
 * PM_INVALID_ARGUMENT or PM_TOO_LARGE changes nothing.
 *
 * @param resident  of pm_resident_create_batch().
 * @param parens    the elements of all sequences, packed, up to element offsets[count] - 1. Those before offsets[0] are
 *                  not read, except in its word. No longer used after the call. NULL is allowed if all sequences are
 *                  empty.
 * @param offsets   count + 1 offsets. Sequence s is the elements offsets[s] ... offsets[s + 1] - 1; it may be empty. A
 *                  descending offset is PM_INVALID_ARGUMENT. No longer used after the call. For count 0 it may be NULL.
 *                  If offsets[0] is 64 or more, a copy of all offsets comes from the context's allocator during the
 *                  call.
 * @param count     sequences. More of them or of their elements than there is room for is PM_TOO_LARGE.
 * @return PM_OK; PM_INVALID_ARGUMENT; PM_TOO_LARGE; PM_OUT_OF_MEMORY; PM_DEVICE_LOST, from this and every later call
 *         with this context.
 */
PM_API pm_status pm_resident_load_batch(pm_resident *resident, const uint64_t *parens, const uint64_t *offsets,
                                        size_t count);

/**
 * Downloads bicyclic elements of sequences. The first call after a match computes those of all sequences.
 *
 * @param resident      of pm_resident_create_batch().
 * @param first, count  sequences first ... first + count - 1, of those that have been loaded.
 * @param totals        receives `count` elements; may be NULL if count is 0.
 * @return as pm_resident_match(); PM_INVALID_ARGUMENT also if there is no match.
 */
PM_API pm_status pm_resident_read_totals(pm_resident *resident, uint64_t first, uint64_t count, pm_bic *totals);

#ifdef __cplusplus
}
#endif

#endif /* PARENMATCH_GPU_H */
