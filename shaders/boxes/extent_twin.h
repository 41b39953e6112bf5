/* SPDX-License-Identifier: Apache-2.0 */
/* Addresses, boxes and what is left open as the twins of what finds boxes have them; for boxes
 * shaders/boxes/extent.glsl in C. */
#ifndef PM_SHADERS_BOXES_EXTENT_TWIN_H
#define PM_SHADERS_BOXES_EXTENT_TWIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shaders/boxes/layout.h"

typedef struct pair {
    int32_t x, y;
} pair;

/* How far a box goes to either side, in whole numbers of the order of floating-point ones. */
typedef struct reach {
    int32_t side[4];
} reach;

static const reach everywhere = {{INT32_MAX, INT32_MAX, INT32_MAX, INT32_MAX}};
static const reach nowhere = {{-INT32_MAX, -INT32_MAX, -INT32_MAX, -INT32_MAX}};

enum {
    LEAF,
    CLIP,
    BLEND,
    END
};

static inline void *at(uint64_t address) {
    return (void *)(uintptr_t)address;
}

static inline int32_t order(int32_t bits) {
    return bits < 0 ? (int32_t)(UINT32_C(0x80000000) - (uint32_t)bits) : bits;
}

static inline bool is_empty(const reach *r) {
    return -r->side[0] >= r->side[2] || -r->side[1] >= r->side[3];
}

static inline reach reach_of_area(reach r) {
    return is_empty(&r) ? nowhere : r;
}

static inline reach reach_of_box(const int32_t *box) {
    reach r;
    for (int k = 0; k < 4; k++) {
        if ((box[k] & INT32_MAX) > 0x7f800000)
            return nowhere;
        r.side[k] = k < 2 ? -order(box[k]) : order(box[k]);
    }
    return reach_of_area(r);
}

static inline void box_of_reach(reach r, int32_t *box) {
    for (int k = 0; k < 4; k++)
        box[k] = is_empty(&r) ? 0 : order(k < 2 ? -r.side[k] : r.side[k]);
}

static inline reach intersect(reach a, reach b) {
    for (int k = 0; k < 4; k++)
        a.side[k] = a.side[k] < b.side[k] ? a.side[k] : b.side[k];
    return a;
}

static inline reach unite(reach a, reach b) {
    for (int k = 0; k < 4; k++)
        a.side[k] = a.side[k] > b.side[k] ? a.side[k] : b.side[k];
    return a;
}

/* The nodes that elements leave open, in order, counted from `begin`, go to `stack`; returns how many these are. Adds
 * what tiles and slices keep of elements: what they change the height by, their least height and their kinds. */
static inline uint32_t nodes_left(const uint8_t *kinds, uint64_t begin, uint64_t end, uint32_t *stack, pair *record) {
    int32_t depth = 0, closes = 0, has = 0;
    for (uint64_t i = begin; i < end; i++) {
        const int of = kinds[i] & 3;
        has |= of == CLIP ? PM_BOXES_HAS_CLIPS : of == BLEND ? PM_BOXES_HAS_BLENDS : 0;
        if (of == CLIP || of == BLEND)
            stack[depth++] = (uint32_t)(i - begin);
        else if (of == END && depth > 0)
            depth--;
        else
            closes += of == END;
    }
    *record = (pair){depth - closes, PM_BOXES_PACK(-closes, has)};
    return (uint32_t)depth;
}

#endif
