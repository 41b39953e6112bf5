/* SPDX-License-Identifier: Apache-2.0 */
/* The stack before a slice, as it follows from the bicyclic elements of the slices before it: how many opens of each
 * slice are on it, not which. The opens of a slice lie together, in a layer. */
#ifndef PM_BASE_SLICE_LAYERS_H
#define PM_BASE_SLICE_LAYERS_H

#include "base/slice.h"

/* Opens next to each other on the stack, all of one slice: what that leaves on the stack, top first, without the
 * first `skip`, which later slices have closed. */
typedef struct pmi_slice_layer {
    int slice;
    uint64_t skip, opens;
} pmi_slice_layer;

/* How many opens a slice looks at of the stack before it: each that it closes, and one more, the parent of what follows
 * its last unmatched close. */
static inline uint64_t pmi_slice_wanted(pm_bic before, pm_bic slice) {
    return slice.close < before.open ? slice.close + 1 : before.open;
}

/* The next of the pieces that hold *wanted > 0 opens from the top of the first *used layers; from top to bottom. */
static inline pmi_slice_layer pmi_slice_layers_next(const pmi_slice_layer *layers, int *used, uint64_t *wanted) {
    pmi_slice_layer piece = layers[--*used];
    piece.opens = piece.opens < *wanted ? piece.opens : *wanted;
    *wanted -= piece.opens;
    return piece;
}

/* Takes off what a slice closes; returns how many layers are left. */
static inline int pmi_slice_layers_close(pmi_slice_layer *layers, int used, uint64_t closes) {
    while (used > 0 && layers[used - 1].opens <= closes)
        closes -= layers[--used].opens;
    if (used > 0) {
        layers[used - 1].skip += closes;
        layers[used - 1].opens -= closes;
    }
    return used;
}

#endif
