/* SPDX-License-Identifier: Apache-2.0 */
/*
 * parenmatch/boxes.h: the bounding boxes of a tree-structured scene.
 *
 * A scene is a sequence of leaves, clips, blends and ends. A clip or a blend opens a node, and an end closes the
 * innermost open node. A node that is never closed extends to n; an end without an open node closes nothing.
 *
 * Results are the same to the bit on every backend. A box is empty unless x0 < x1 and y0 < y1, so a box with a NaN is
 * empty. Infinite coordinates are ordinary; -0 counts as 0. The union of an empty box with b is b; an intersection with
 * an empty box is empty. Every empty result is exactly {0, 0, 0, 0}, and no result has a -0.
 *
 * Source: Levien, "Fast GPU bounding boxes on tree-structured scenes", sections 6 and 9.
 *
 * Stability: experimental.
 */
#ifndef PARENMATCH_BOXES_H
#define PARENMATCH_BOXES_H

#include "parenmatch/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A box in any units: left, top, right, bottom (or bottom, top: the direction of y does not matter). */
typedef struct pm_box {
    float x0; /**< The lower bound in x. */
    float y0; /**< The lower bound in y. */
    float x1; /**< The upper bound in x; the box is empty unless x0 < x1. */
    float y1; /**< The upper bound in y; the box is empty unless y0 < y1. */
} pm_box;

/** The kind of a scene's element. (The node of a forest, in other headers, is something else: an open.) */
typedef enum pm_node {
    PM_LEAF = 0,  /**< Something drawn: it has a box. */
    PM_CLIP = 1,  /**< Opens a node whose box is intersected with everything below it. */
    PM_BLEND = 2, /**< Opens a node whose box is the union of the clipped boxes of the leaves below it. */
    PM_END = 3    /**< Closes the innermost open node. */
} pm_node;

/**
 * Computes the boxes of a scene with the backend that is predicted to be the fastest, pm_box_omp() or pm_box_gpu().
 *
 * A device is considered only if n >= 2^20 and the context's profile (pm_options.profile) describes it. The time on
 * threads is predicted from a sample of `kinds` (how well the next kind can be guessed), the time on a device from n.
 * The device is opened once the time it would have saved exceeds the cost of opening it and creating its kernels. If
 * the device fails, this call and all later ones on the context use the CPU; if a scene does not fit it, so do this
 * call and scenes at least as large. Errors and memory are those of pm_box_omp(), and the device's memory.
 *
 * @param context  NULL for the defaults, without a device.
 * @param kinds    n values of pm_node; another value is PM_INVALID_ARGUMENT.
 * @param boxes    n boxes, of which those of leaves and clips are read.
 * @param n        elements, at most 2^32 - 1; more is PM_TOO_LARGE.
 * @param out      receives n results; may be the array `boxes` itself, which is then overwritten. For a leaf or a clip:
 *                 its box intersected with the boxes of all clips above it. For a blend: the union of the results of
 *                 the leaves below it, empty without leaves. For an end: the result of the node that it closes, empty
 *                 if it closes no node.
 * @return PM_OK; PM_INVALID_ARGUMENT; PM_TOO_LARGE; PM_OUT_OF_MEMORY.
 */
PM_API pm_status pm_box_auto(pm_context *context, const uint8_t *kinds, const pm_box *boxes, size_t n, pm_box *out);

/**
 * Computes the boxes of a scene on one thread with one stack in one pass, the reference implementation for all other
 * backends. Parameters as pm_box_auto(). Memory: 4 n bytes from the context's allocator during the call, of which only
 * as many are touched as the scene is deep.
 */
PM_API pm_status pm_box_seq(pm_context *context, const uint8_t *kinds, const pm_box *boxes, size_t n, pm_box *out);

/**
 * Computes the boxes of a scene on several threads (pm_options.threads). It works as pm_box_seq() on the calling
 * thread alone for short scenes, inside a parallel region without nested parallelism, and in a library built without
 * OpenMP. Results do not depend on the number of threads. Parameters as pm_box_auto(). Memory from the context's
 * allocator during the call: at most 6 n bytes, few of them touched unless many nodes are open where the scene is
 * divided. Each such node that a later thread's part closes takes 8 bytes more. If `out` is `boxes`, in addition 16
 * bytes for each node that is open where a part ends, whether or not it is closed later.
 */
PM_API pm_status pm_box_omp(pm_context *context, const uint8_t *kinds, const pm_box *boxes, size_t n, pm_box *out);

/**
 * Computes the boxes of a scene on a Vulkan device, chosen and opened as by pm_match_gpu(); the first call creates the
 * kernels. The scene, its results and 5 bytes of scratch an element must fit the device, and 16 bytes an element must
 * fit one allocation there: with allocations of 4 GiB, up to 2^28 - 1 elements. Else PM_OUT_OF_MEMORY. Parameters as
 * pm_box_auto(), except that context is not NULL and n is at most 2^31 - 1 (PM_TOO_LARGE). PM_NO_DEVICE,
 * PM_DEVICE_LOST and PM_OUT_OF_MEMORY as pm_match_gpu().
 */
PM_API pm_status pm_box_gpu(pm_context *context, const uint8_t *kinds, const pm_box *boxes, size_t n, pm_box *out);

#ifdef __cplusplus
}
#endif

#endif /* PARENMATCH_BOXES_H */
