/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The queries of pm_bp in plain C, a word at a time, on the same index as everywhere (base/bp_index.h). P(k) is the
 * excess before element k. In a word the element that a search ends at is the k-th far close or far open, and the
 * minimum excess is the number of far closes below the excess at its beginning (broadword/word.h).
 */
#include "base/sizes.h"
#include "broadword/word.h"
#include "core/single/context.h"

/* ---- The index ---- */

static int64_t wide_or_narrow(const pm_bp *bp, const void *array, uint64_t i) {
    return bp->view.wide ? ((const int64_t *)array)[i] : ((const int32_t *)array)[i];
}

static int64_t lesser(int64_t a, int64_t b) {
    return a < b ? a : b;
}

/* By how much `count` <= 64 elements, the lowest of a word, raise the excess. */
static int64_t rise_of(uint64_t word, unsigned count) {
    return 2 * (int64_t)pmi_bits_count(word & pmi_bits_low(count)) - (int64_t)count;
}

static int64_t block_min(const pm_bp *bp, uint64_t block) {
    const uint64_t superblock = block / PM_BP_LINE_BLOCKS;
    return wide_or_narrow(bp, bp->view.levels, superblock) + bp->view.lines[superblock].min[block % PM_BP_LINE_BLOCKS];
}

static int64_t excess_before(const pm_bp *bp, uint64_t k) {
    if (k >= bp->view.n)
        return 2 * (int64_t)bp->opens - (int64_t)bp->view.n;
    const uint64_t superblock = k / PM_BP_SUPERBLOCK, block = k / PM_BP_BLOCK % PM_BP_LINE_BLOCKS;
    const uint64_t *const words = pmi_bp_block(bp, k / PM_BP_BLOCK);
    int64_t level = wide_or_narrow(bp, bp->view.levels, superblock);
    if (block > 0)
        level += bp->view.lines[superblock].end[block - 1];
    const unsigned last = k % PM_BP_BLOCK / PM_WORD_BITS;
    for (unsigned w = 0; w < last; w++)
        level += rise_of(words[w], PM_WORD_BITS);
    return level + rise_of(words[last], k % PM_WORD_BITS);
}

/* ---- Searches ---- */

/* Returns the first element of a block from `from` on after which the excess has fallen by *fall; PM_BP_BLOCK if there
 * is none, and then *fall is what is missing at the block's end. Opens come in behind the last element of a word. */
static unsigned first_in_block(const uint64_t *words, unsigned from, int64_t *fall) {
    while (from < PM_BP_BLOCK) {
        const unsigned shift = from % PM_WORD_BITS;
        const uint64_t word = ~(~words[from / PM_WORD_BITS] >> shift);
        const int found = *fall <= PM_WORD_BITS ? pmi_broadword_find_far_close(word, (unsigned)*fall - 1) : -1;
        if (found >= 0)
            return from + (unsigned)found;
        *fall += rise_of(word, PM_WORD_BITS - shift);
        from += PM_WORD_BITS - shift;
    }
    return PM_BP_BLOCK;
}

/* Returns the last element of a block before element `to`, to > 0, before which the excess is *fall lower than before
 * `to`; PM_BP_BLOCK if there is none. Closes come in before the first element of a word. */
static unsigned last_in_block(const uint64_t *words, unsigned to, int64_t *fall) {
    while (to > 0) {
        const unsigned count = (to - 1) % PM_WORD_BITS + 1, begin = to - count;
        const uint64_t word = words[begin / PM_WORD_BITS] << (PM_WORD_BITS - count);
        const int found = *fall <= PM_WORD_BITS ? pmi_broadword_find_far_open(word, (unsigned)*fall - 1) : -1;
        if (found >= 0)
            return to - PM_WORD_BITS + (unsigned)found;
        *fall -= rise_of(words[begin / PM_WORD_BITS], count);
        to = begin;
    }
    return PM_BP_BLOCK;
}

/* Returns the first superblock from `node` on that reaches down to an excess, or PM_BP_NONE: up the range-min tree as
 * long as the rest of a group does not, and down again. */
static uint64_t next_superblock(const pm_bp *bp, uint64_t node, int64_t excess) {
    for (unsigned row = 0; row < bp->rows; row++) {
        const uint64_t group = node / PM_BP_FAN_OUT;
        const uint64_t end = pmi_min((group + 1) * PM_BP_FAN_OUT, bp->row_length[row]);
        while (node < end && wide_or_narrow(bp, bp->min[row], node) > excess)
            node++;
        if (node < end) {
            while (row-- > 0)
                for (node *= PM_BP_FAN_OUT; wide_or_narrow(bp, bp->min[row], node) > excess;)
                    node++;
            return node;
        }
        node = group + 1;
    }
    return PM_BP_NONE;
}

/* Returns the last superblock before `end` that does, or PM_BP_NONE. */
static uint64_t previous_superblock(const pm_bp *bp, uint64_t end, int64_t excess) {
    for (unsigned row = 0; row < bp->rows && end > 0; row++) {
        const uint64_t group = (end - 1) / PM_BP_FAN_OUT;
        while (end > group * PM_BP_FAN_OUT && wide_or_narrow(bp, bp->min[row], end - 1) > excess)
            end--;
        if (end > group * PM_BP_FAN_OUT) {
            uint64_t node = end - 1;
            while (row-- > 0) {
                node = pmi_min((node + 1) * PM_BP_FAN_OUT, bp->row_length[row]) - 1;
                while (wide_or_narrow(bp, bp->min[row], node) > excess)
                    node--;
            }
            return node;
        }
        end = group;
    }
    return PM_BP_NONE;
}

/* Returns the first block from `block` on that reaches down to an excess, or PM_BP_NONE. */
static uint64_t next_block(const pm_bp *bp, uint64_t block, int64_t excess) {
    for (; block % PM_BP_LINE_BLOCKS != 0; block++)
        if (block_min(bp, block) <= excess)
            return block;
    const uint64_t superblock = next_superblock(bp, block / PM_BP_LINE_BLOCKS, excess);
    if (superblock == PM_BP_NONE)
        return PM_BP_NONE;
    for (block = superblock * PM_BP_LINE_BLOCKS; block_min(bp, block) > excess;)
        block++;
    return block;
}

/* Returns the last block before `end` that does, or PM_BP_NONE. */
static uint64_t previous_block(const pm_bp *bp, uint64_t end, int64_t excess) {
    for (; end % PM_BP_LINE_BLOCKS != 0; end--)
        if (block_min(bp, end - 1) <= excess)
            return end - 1;
    const uint64_t superblock = previous_superblock(bp, end / PM_BP_LINE_BLOCKS, excess);
    if (superblock == PM_BP_NONE)
        return PM_BP_NONE;
    for (end = (superblock + 1) * PM_BP_LINE_BLOCKS; block_min(bp, end - 1) > excess;)
        end--;
    return end - 1;
}

static uint64_t search_forwards(const pm_bp *bp, uint64_t s, uint64_t fall) {
    if (s >= bp->view.n)
        return PM_BP_NONE;
    const uint64_t own = s / PM_BP_BLOCK;
    int64_t left = (int64_t)fall;
    const unsigned near = first_in_block(pmi_bp_block(bp, own), s % PM_BP_BLOCK, &left);
    if (near < PM_BP_BLOCK)
        return own * PM_BP_BLOCK + near;
    const int64_t excess = excess_before(bp, s) - (int64_t)fall;
    const uint64_t block = next_block(bp, own + 1, excess);
    if (block == PM_BP_NONE)
        return PM_BP_NONE;
    left = excess_before(bp, block * PM_BP_BLOCK) - excess;
    return block * PM_BP_BLOCK + first_in_block(pmi_bp_block(bp, block), 0, &left);
}

static uint64_t search_backwards(const pm_bp *bp, uint64_t t, uint64_t fall) {
    if (t == 0)
        return PM_BP_NONE;
    const uint64_t own = (t - 1) / PM_BP_BLOCK;
    int64_t left = (int64_t)fall;
    const unsigned near = last_in_block(pmi_bp_block(bp, own), (unsigned)((t - 1) % PM_BP_BLOCK) + 1, &left);
    if (near < PM_BP_BLOCK)
        return own * PM_BP_BLOCK + near;
    const int64_t excess = excess_before(bp, t) - (int64_t)fall;
    const uint64_t block = previous_block(bp, own, excess);
    if (block == PM_BP_NONE)
        return PM_BP_NONE;
    left = excess_before(bp, (block + 1) * PM_BP_BLOCK) - excess;
    return block * PM_BP_BLOCK + last_in_block(pmi_bp_block(bp, block), PM_BP_BLOCK, &left);
}

/* ---- Partners, ranks, opens by number ---- */

static uint64_t find_close(const pm_bp *bp, uint64_t i) {
    return i < bp->view.n && pmi_bits_get(bp->view.parens, i) ? search_forwards(bp, i + 1, 1) : PM_BP_NONE;
}

static uint64_t find_open(const pm_bp *bp, uint64_t i) {
    return i < bp->view.n && !pmi_bits_get(bp->view.parens, i) ? search_backwards(bp, i, 1) : PM_BP_NONE;
}

static uint64_t enclose(const pm_bp *bp, uint64_t i) {
    return i < bp->view.n ? search_backwards(bp, i, 1) : PM_BP_NONE;
}

static void enclose_many(const pm_bp *bp, const uint64_t *i, size_t count, uint64_t *open) {
    for (size_t q = 0; q < count; q++)
        open[q] = enclose(bp, i[q]);
}

static uint64_t rank_open(const pm_bp *bp, uint64_t i) {
    return i < bp->view.n ? (uint64_t)(excess_before(bp, i) + (int64_t)i) / 2 : bp->opens;
}

/* Opens before a superblock. */
static uint64_t opens_before(const pm_bp *bp, uint64_t superblock) {
    return (uint64_t)(wide_or_narrow(bp, bp->view.levels, superblock) + (int64_t)(superblock * PM_BP_SUPERBLOCK)) / 2;
}

static uint64_t select_open(const pm_bp *bp, uint64_t k) {
    if (k >= bp->opens)
        return PM_BP_NONE;
    uint64_t low = 0, high = bp->superblocks - 1; /* the last that begins with at most k opens before it */
    while (low < high) {
        const uint64_t middle = high - (high - low) / 2;
        if (opens_before(bp, middle) <= k)
            low = middle;
        else
            high = middle - 1;
    }
    uint64_t left = k - opens_before(bp, low), block = low * PM_BP_LINE_BLOCKS;
    const int16_t *const end = bp->view.lines[low].end;
    unsigned j = 0; /* blocks that end with at most as many */
    while (j + 1 < PM_BP_LINE_BLOCKS && (uint64_t)(end[j] + (int)((j + 1) * PM_BP_BLOCK)) / 2 <= left)
        j++;
    if (j > 0)
        left -= (uint64_t)(end[j - 1] + (int)(j * PM_BP_BLOCK)) / 2;
    block += j;
    const uint64_t *word = pmi_bp_block(bp, block);
    uint64_t at = block * PM_BP_BLOCK;
    for (; left >= pmi_bits_count(*word); at += PM_WORD_BITS)
        left -= pmi_bits_count(*word++);
    uint64_t opens = *word;
    for (; left > 0; left--)
        opens &= opens - 1;
    return at + pmi_bits_lowest(opens);
}

/* ---- Minima ---- */

/* The minimum of P(k) for k from element `from` of a block to element `to`, which may be the block's end. */
static int64_t min_in_block(const pm_bp *bp, uint64_t block, unsigned from, unsigned to) {
    const uint64_t *const words = pmi_bp_block(bp, block);
    int64_t level = excess_before(bp, block * PM_BP_BLOCK + from), min = level;
    while (from < to) {
        const unsigned shift = from % PM_WORD_BITS;
        const unsigned count = (unsigned)pmi_min(PM_WORD_BITS - shift, to - from);
        const uint64_t word = words[from / PM_WORD_BITS] >> shift | ~pmi_bits_low(count);
        min = lesser(min, level - (int64_t)pmi_broadword_total(word).close);
        level += rise_of(word, count);
        from += count;
    }
    return min;
}

/* The minimum of superblocks first ... end - 1. */
static int64_t min_of_superblocks(const pm_bp *bp, uint64_t first, uint64_t end) {
    int64_t min = INT64_MAX;
    for (unsigned row = 0; first < end; row++, first /= PM_BP_FAN_OUT, end /= PM_BP_FAN_OUT) {
        const bool top = row + 1 == bp->rows;
        for (; first < end && (top || first % PM_BP_FAN_OUT != 0); first++)
            min = lesser(min, wide_or_narrow(bp, bp->min[row], first));
        for (; first < end && end % PM_BP_FAN_OUT != 0; end--)
            min = lesser(min, wide_or_narrow(bp, bp->min[row], end - 1));
    }
    return min;
}

/* The minimum of blocks first ... end - 1, which are not all of a sequence. */
static int64_t min_of_blocks(const pm_bp *bp, uint64_t first, uint64_t end) {
    int64_t min = INT64_MAX;
    for (; first < end && first % PM_BP_LINE_BLOCKS != 0; first++)
        min = lesser(min, block_min(bp, first));
    for (; first < end && end % PM_BP_LINE_BLOCKS != 0; end--)
        min = lesser(min, block_min(bp, end - 1));
    return lesser(min, min_of_superblocks(bp, first / PM_BP_LINE_BLOCKS, end / PM_BP_LINE_BLOCKS));
}

static int64_t min_between(const pm_bp *bp, uint64_t first, uint64_t last) {
    if (first == last)
        return excess_before(bp, first);
    const uint64_t from = first / PM_BP_BLOCK, to = (last - 1) / PM_BP_BLOCK;
    const unsigned end = (unsigned)(last - to * PM_BP_BLOCK);
    if (from == to)
        return min_in_block(bp, from, first % PM_BP_BLOCK, end);
    const int64_t of_ends =
        lesser(min_in_block(bp, from, first % PM_BP_BLOCK, PM_BP_BLOCK), min_in_block(bp, to, 0, end));
    return lesser(of_ends, min_of_blocks(bp, from + 1, to));
}

static uint64_t count_min(const pm_bp *bp, uint64_t first, uint64_t last, int64_t excess, uint64_t most,
                          uint64_t *kth) {
    uint64_t count = 0, k = first;
    for (uint64_t block = first / PM_BP_BLOCK; block <= last / PM_BP_BLOCK;) {
        int64_t level = excess_before(bp, k);
        const uint64_t end = pmi_min(last, block * PM_BP_BLOCK + PM_BP_BLOCK - 1);
        for (; k <= end; k++) {
            if (level == excess && ++count == most) {
                *kth = k;
                return most;
            }
            if (k < end)
                level += pmi_bits_get(bp->view.parens, k) ? 1 : -1;
        }
        block = next_block(bp, block + 1, excess);
        k = block * PM_BP_BLOCK;
    }
    return count;
}

/* ---- The table of functions ---- */

static void find_closes(const pm_bp *bp, const uint64_t *i, size_t count, uint64_t *close) {
    for (size_t q = 0; q < count; q++)
        close[q] = find_close(bp, i[q]);
}

static void find_opens(const pm_bp *bp, const uint64_t *i, size_t count, uint64_t *open) {
    for (size_t q = 0; q < count; q++)
        open[q] = find_open(bp, i[q]);
}

static void summarise(const uint64_t *words, size_t count, pm_bp_line *lines) {
    for (pm_bp_line *line = lines; line < lines + count; line++) {
        int64_t level = 0;
        for (unsigned j = 0; j < PM_BP_LINE_BLOCKS; j++) {
            int64_t min = level;
            for (unsigned w = 0; w < PM_BP_BLOCK_WORDS; w++, words++) {
                min = lesser(min, level - (int64_t)pmi_broadword_total(*words).close);
                level += rise_of(*words, PM_WORD_BITS);
            }
            line->min[j] = (int16_t)min;
            line->end[j] = (int16_t)level;
        }
    }
}

#define ALL_QUERIES                                                                                                    \
    {                                                                                                                  \
        find_close, find_open, enclose, rank_open, select_open, find_closes, find_opens, enclose_many, excess_before,  \
            search_forwards, search_backwards, min_between, count_min                                                  \
    }
#define BOTH_WIDTHS                                                                                                    \
    { ALL_QUERIES, ALL_QUERIES }

/* Pioneers are found as all others are. */
const pmi_bp_kernel pmi_bp_kernel_plain = {
    {BOTH_WIDTHS, BOTH_WIDTHS, BOTH_WIDTHS, BOTH_WIDTHS}, {find_close, find_open}, {find_close, find_open}, summarise};
