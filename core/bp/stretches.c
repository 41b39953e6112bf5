/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How deep a sequence is; and, of a deep one in the caches, in which superblock far partners begin. The partners of
 * what a stretch leaves open are next to each other: in a random string that is deep, within two superblocks. So the
 * first superblock behind the stretch's that is no higher than the highest of these takes the place of a search in the
 * tree for each.
 */
#include "core/bp/bp.h"

#include <assert.h>

#define STRETCHES (PM_BP_SUPERBLOCK / PM_BP_STRETCH) /* of a superblock */
#define STRETCH_BLOCKS (PM_BP_LINE_BLOCKS / STRETCHES)
#define NEAR_SUPERBLOCKS (PM_BP_NEAR_MAX / PM_BP_SUPERBLOCK)

static_assert(STRETCHES == 2, "a superblock's middle ends the one and begins the other");
static_assert(NEAR_SUPERBLOCKS < UINT16_MAX, "the number of any superblock, and one more");

/* Whether a sequence is flat is asked of some superblocks' lines: of how many opens the close is in another block. In
 * random strings with twist 1, .75 and .5 it is for .06, .22 and .5 of all opens. */
pmi_bp_kind pmi_bp_kind_of(const struct pm_bp *bp) {
    enum {
        SAMPLES = 64,
        FLAT = 3 /* at most one open of this many */
    };
    const bool near = bp->view.n <= PM_BP_NEAR_MAX;
    const uint64_t samples = bp->superblocks < SAMPLES ? bp->superblocks : SAMPLES;
    int64_t left_open = 0, blocks = 0;
    for (uint64_t sample = 0; sample < samples; sample++) {
        const uint64_t superblock = bp->superblocks / samples * sample;
        const uint64_t whole = bp->view.whole / PM_BP_BLOCK - superblock * PM_BP_LINE_BLOCKS;
        const pm_bp_line *const line = &bp->view.lines[superblock];
        for (unsigned j = 0; j < PM_BP_LINE_BLOCKS && j < whole; j++, blocks++)
            left_open += line->end[j] - line->min[j];
    }
    if (FLAT * left_open <= blocks * (int64_t)(PM_BP_BLOCK / 2))
        return near ? PM_BP_NEAR_FLAT : PM_BP_FAR_FLAT;
    return near ? PM_BP_NEAR_DEEP : PM_BP_FAR_DEEP;
}

/* Superblocks that may be the first (or last) to come down to an excess, nearest last, each lower than those nearer. */
typedef struct candidates {
    const int32_t *min;
    size_t count;
    uint16_t superblock[NEAR_SUPERBLOCKS];
} candidates;

/* The nearest that comes down below an excess, or `none`; nearer ones are dropped. */
static uint16_t nearest_below(candidates *c, int64_t excess, uint16_t none) {
    while (c->count > 0 && c->min[c->superblock[c->count - 1]] >= excess)
        c->count--;
    return c->count > 0 ? c->superblock[c->count - 1] : none;
}

/* For both stretches of a superblock, with the excesses that they leave open: the higher one is asked for first, as it
 * drops no more than the other. No excess is below the superblock's minimum, so what has been dropped is not below it.
 */
static void ask_for_both(candidates *c, uint16_t superblock, const int64_t excess[STRETCHES], uint16_t *far,
                         uint16_t none) {
    const unsigned higher = excess[1] > excess[0];
    far[superblock * STRETCHES + higher] = nearest_below(c, excess[higher], none);
    far[superblock * STRETCHES + !higher] = nearest_below(c, excess[!higher], none);
    nearest_below(c, c->min[superblock], none);
    c->superblock[c->count++] = superblock;
}

bool pmi_bp_add_stretches(struct pm_bp *bp) {
    const uint16_t count = (uint16_t)bp->superblocks;
    const int32_t *const excesses = bp->view.levels;
    const size_t size = 2 * STRETCHES * sizeof(uint16_t); /* for each */
    uint16_t *const close = pmi_memory_allocate(&bp->allocator, count, size);
    if (!close)
        return false;
    uint16_t *const open = close + STRETCHES * count;
    bp->far_close = bp->blocks[PM_BP_BLOCKS_MAX - 1] = close;
    bp->far_open = open;
    bp->size += count * size;
    if (count == 1) /* then there is no range-min tree */
        close[0] = close[1] = open[0] = open[1] = count;
    if (count <= 1)
        return true;
    candidates c = {.min = bp->min[0]};
    for (unsigned s = count; s-- > 0;) {
        const int64_t middle = (int64_t)excesses[s] + bp->view.lines[s].end[STRETCH_BLOCKS - 1];
        ask_for_both(&c, (uint16_t)s, (const int64_t[STRETCHES]){middle, excesses[s + 1]}, close, count);
    }
    c.count = 0;
    for (unsigned s = 0; s < count; s++) {
        const int64_t middle = (int64_t)excesses[s] + bp->view.lines[s].end[STRETCH_BLOCKS - 1];
        ask_for_both(&c, (uint16_t)s, (const int64_t[STRETCHES]){excesses[s], middle}, open, count);
    }
    return true;
}
