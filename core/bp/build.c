/* SPDX-License-Identifier: Apache-2.0 */
/* Building an index: lines from the sequence, excess values from the lines, and from these the range-min tree and the
 * hints. */
#include "core/bp/bp.h"

#include <stdatomic.h>
#include <string.h>

#include "cpu/threads.h"

static size_t excess_size(const struct pm_bp *bp) {
    return bp->view.wide ? sizeof(int64_t) : sizeof(int32_t);
}

static int64_t get_excess(const struct pm_bp *bp, const void *array, uint64_t i) {
    return bp->view.wide ? ((const int64_t *)array)[i] : ((const int32_t *)array)[i];
}

/* The arrays are written while the index is built, and never after; those of a saved index never. */
static void *writable(const void *array) {
    return (void *)(uintptr_t)array;
}

/* Stores a value, or compares it with what a saved index has there. */
static void put_excess(struct pm_bp *bp, const void *array, uint64_t i, int64_t excess) {
    if (bp->saved)
        bp->differs |= get_excess(bp, array, i) != (bp->view.wide ? excess : (int32_t)excess);
    else if (bp->view.wide)
        ((int64_t *)writable(array))[i] = excess;
    else
        ((int32_t *)writable(array))[i] = (int32_t)excess;
}

/* ---- Where things are ---- */

/* Sets what follows from the sequence and its length alone: everything but the arrays and the number of opens. */
static void measure(struct pm_bp *bp, const uint64_t *parens, uint64_t n, bool wide) {
    bp->view = (pm_bp_view){
        .layout = PM_BP_VIEW_LAYOUT, .wide = wide, .parens = parens, .n = n, .whole = n - n % PM_BP_BLOCK, .bp = bp};
    bp->windows = n >= PM_WORD_BITS ? (n - PM_WORD_BITS) / 8 + 1 : 0;
    bp->superblocks = n / PM_BP_SUPERBLOCK + (n % PM_BP_SUPERBLOCK != 0);
    bp->rows = 0;
    for (uint64_t length = bp->superblocks; length > 1; length = (length + PM_BP_FAN_OUT - 1) / PM_BP_FAN_OUT)
        bp->row_length[bp->rows++] = length;

    const unsigned cut = n % PM_BP_BLOCK;
    bp->tail_block = cut > 0 ? n / PM_BP_BLOCK : UINT64_MAX;
    memset(bp->tail, 0xff, sizeof bp->tail);
    if (cut == 0)
        return;
    const size_t words = pmi_bits_words(cut);
    memcpy(bp->tail, parens + bp->tail_block * PM_BP_BLOCK_WORDS, words * sizeof *bp->tail);
    if (cut % PM_WORD_BITS > 0)
        bp->tail[words - 1] |= ~pmi_bits_low(cut % PM_WORD_BITS);
}

size_t pmi_bp_arrays_size(const struct pm_bp *bp) {
    size_t excesses = bp->superblocks + 1;
    for (unsigned row = 0; row < bp->rows; row++)
        excesses += bp->row_length[row];
    return bp->superblocks * sizeof(pm_bp_line) + excesses * excess_size(bp);
}

void pmi_bp_place_arrays(struct pm_bp *bp, const void *memory) {
    const unsigned char *at = memory;
    bp->view.lines = (const void *)at;
    at += bp->superblocks * sizeof(pm_bp_line);
    bp->view.levels = at;
    at += (bp->superblocks + 1) * excess_size(bp);
    bp->min[0] = at; /* read even if there are no rows */
    for (unsigned row = 0; row < bp->rows; row++) {
        bp->min[row] = at;
        at += bp->row_length[row] * excess_size(bp);
    }
}

static uint64_t hint_count(const struct pm_bp *bp) {
    return bp->opens / PM_BP_HINT_OPENS + 2;
}

size_t pmi_bp_hints_size(const struct pm_bp *bp) {
    return hint_count(bp) * excess_size(bp);
}

struct pm_bp *pmi_bp_allocate_empty(const pm_allocator *allocator, const uint64_t *parens, uint64_t n, bool wide) {
    struct pm_bp *const bp = pmi_memory_allocate(allocator, 1, sizeof *bp);
    if (!bp)
        return NULL;
    *bp = (struct pm_bp){.allocator = *allocator};
    measure(bp, parens, n, wide);
    return bp;
}

struct pm_bp *pmi_bp_allocate(const pm_allocator *allocator, const uint64_t *parens, uint64_t n, bool wide) {
    const size_t line = sizeof(pm_bp_line);
    struct pm_bp *const bp = pmi_bp_allocate_empty(allocator, parens, n, wide);
    if (!bp)
        return NULL;
    bp->size = pmi_bp_arrays_size(bp);
    unsigned char *memory = bp->blocks[0] = pmi_memory_allocate(allocator, 1, line + bp->size + PM_BP_SLACK);
    if (!memory) {
        pmi_memory_free(allocator, bp);
        return NULL;
    }
    memory += -(uintptr_t)memory % line;
    memset(memory + bp->size, 0, PM_BP_SLACK); /* what is read there does not matter, but it shall be something */
    pmi_bp_place_arrays(bp, memory);
    return bp;
}

/* ---- Filling it in ---- */

/* Makes `count` lines, from that of superblock `first` on. */
static void make_lines(const struct pm_bp *bp, const pmi_bp_kernel *kernel, uint64_t first, uint64_t count,
                       pm_bp_line *lines) {
    const bool cut = first + count == bp->superblocks && bp->view.n % PM_BP_SUPERBLOCK != 0;
    kernel->summarise(bp->view.parens + first * PM_BP_SUPERBLOCK_WORDS, count - cut, lines);
    if (!cut)
        return;
    uint64_t words[PM_BP_SUPERBLOCK_WORDS];
    memset(words, 0xff, sizeof words);
    const uint64_t whole = bp->view.n % PM_BP_SUPERBLOCK / PM_BP_BLOCK * PM_BP_BLOCK_WORDS;
    memcpy(words, bp->view.parens + (bp->superblocks - 1) * PM_BP_SUPERBLOCK_WORDS, whole * sizeof *words);
    if (bp->tail_block != UINT64_MAX)
        memcpy(words + whole, bp->tail, sizeof bp->tail);
    kernel->summarise(words, 1, lines + count - 1);
}

#define PORTION 256u /* superblocks that a thread takes at a time: 256 KiB of the sequence */
#define COMPARED 64u /* lines that are made at a time to be compared: 4 KiB */

typedef struct fill {
    struct pm_bp *bp;
    const pmi_bp_kernel *kernel;
    atomic_bool differs;
} fill;

static bool lines_agree(const struct pm_bp *bp, const pmi_bp_kernel *kernel, uint64_t first, uint64_t count) {
    pm_bp_line made[COMPARED];
    for (uint64_t size; count > 0; first += size, count -= size) {
        size = count < COMPARED ? count : COMPARED;
        make_lines(bp, kernel, first, size, made);
        if (memcmp(made, bp->view.lines + first, size * sizeof *made) != 0)
            return false;
    }
    return true;
}

static void fill_lines(fill *work, uint64_t first, uint64_t count) {
    struct pm_bp *const bp = work->bp;
    if (!bp->saved)
        make_lines(bp, work->kernel, first, count, (pm_bp_line *)writable(bp->view.lines) + first);
    else if (!work->differs && !lines_agree(bp, work->kernel, first, count))
        work->differs = true;
}

static void fill_portion(size_t portion, unsigned thread, void *user) {
    (void)thread;
    fill *const work = user;
    const uint64_t first = (uint64_t)portion * PORTION, left = work->bp->superblocks - first;
    fill_lines(work, first, left < PORTION ? left : PORTION);
}

void pmi_bp_fill_all_lines(const pm_context *context, struct pm_bp *bp) {
    fill work = {bp, pmi_simd_of(context)->bp, false};
    const size_t portions = (size_t)((bp->superblocks + PORTION - 1) / PORTION);
    const unsigned threads = portions > 1 ? pmi_threads_available(context ? context->threads : 0) : 1;
    if (threads > 1)
        pmi_threads_run(threads < portions ? threads : (unsigned)portions, portions, fill_portion, &work);
    else if (portions > 0)
        fill_lines(&work, 0, bp->superblocks);
    bp->differs |= work.differs;
}

static int min_of_line(const pm_bp_line *line) {
    int min = line->min[0];
    for (unsigned b = 1; b < PM_BP_LINE_BLOCKS; b++)
        min = line->min[b] < min ? line->min[b] : min;
    return min;
}

static void fill_excesses(struct pm_bp *bp) {
    int64_t excess = 0;
    for (uint64_t s = 0; s < bp->superblocks; s++) {
        put_excess(bp, bp->view.levels, s, excess);
        if (bp->rows > 0)
            put_excess(bp, bp->min[0], s, excess + min_of_line(&bp->view.lines[s]));
        excess += bp->view.lines[s].end[PM_BP_LINE_BLOCKS - 1];
    }
    put_excess(bp, bp->view.levels, bp->superblocks, excess);
    const uint64_t elements = bp->superblocks * PM_BP_SUPERBLOCK;
    bp->opens = (uint64_t)(excess + (int64_t)elements) / 2 - (elements - bp->view.n);
}

static void fill_tree(struct pm_bp *bp) {
    for (unsigned row = 1; row < bp->rows; row++)
        for (uint64_t node = 0; node < bp->row_length[row]; node++) {
            const uint64_t first = node * PM_BP_FAN_OUT, length = bp->row_length[row - 1];
            int64_t min = get_excess(bp, bp->min[row - 1], first);
            for (uint64_t child = first + 1; child < first + PM_BP_FAN_OUT && child < length; child++) {
                const int64_t of_child = get_excess(bp, bp->min[row - 1], child);
                min = of_child < min ? of_child : min;
            }
            put_excess(bp, bp->min[row], node, min);
        }
}

/* The opens, and what counts as such, up to the end of a superblock. */
static uint64_t opens_to(const struct pm_bp *bp, uint64_t superblock) {
    const uint64_t end = (superblock + 1) * PM_BP_SUPERBLOCK;
    return (uint64_t)(get_excess(bp, bp->view.levels, superblock + 1) + (int64_t)end) / 2;
}

static void fill_hints(struct pm_bp *bp) {
    const uint64_t count = hint_count(bp), last = bp->superblocks > 0 ? bp->superblocks - 1 : 0;
    uint64_t h = 0;
    for (uint64_t s = 0; s < bp->superblocks; s++)
        for (; h < count - 1 && h * PM_BP_HINT_OPENS < opens_to(bp, s); h++) {
            const uint64_t begin = h * PM_BP_HINT_OPENS, to = opens_to(bp, s) - begin;
            const uint64_t end = begin + PM_BP_HINT_OPENS < bp->opens ? begin + PM_BP_HINT_OPENS : bp->opens;
            const bool more = s < last && opens_to(bp, s + 1) < end;
            const uint64_t first = to < PM_BP_HINT_OPENS ? to : PM_BP_HINT_OPENS;
            put_excess(bp, bp->hints, h, (int64_t)pmi_bp_hint(s, first, more, bp->view.wide));
        }
    while (h < count)
        put_excess(bp, bp->hints, h++, (int64_t)pmi_bp_hint(last, PM_BP_HINT_OPENS, false, bp->view.wide));
}

bool pmi_bp_finish(struct pm_bp *bp) {
    fill_excesses(bp);
    fill_tree(bp);
    bp->hints = bp->blocks[1] = pmi_memory_allocate(&bp->allocator, 1, pmi_bp_hints_size(bp));
    if (!bp->hints)
        return false;
    bp->size += pmi_bp_hints_size(bp);
    fill_hints(bp);
    return true;
}

/* Each step relies on what those before it found to agree. */
bool pmi_bp_agrees(const pm_context *context, struct pm_bp *bp) {
    const uint64_t opens = bp->opens;
    bp->saved = true;
    pmi_bp_fill_all_lines(context, bp);
    if (!bp->differs)
        fill_excesses(bp);
    if (!bp->differs)
        fill_tree(bp);
    if (!bp->differs && bp->opens == opens)
        fill_hints(bp);
    return !bp->differs && bp->opens == opens;
}
