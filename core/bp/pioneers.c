/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Making pioneers, a word at a time, in two passes over the far parentheses: the first one counts, the second one knows
 * where each word's pioneers go. On the stack are words with far opens, and how many of these are still open; a word's
 * far closes take them from the top, and what they take of one word has one pioneer, its outermost.
 */
#include "core/bp/bp.h"

#include <string.h>

#include "broadword/word.h"

typedef struct far_opens {
    uint64_t word;
    unsigned count, left; /* far opens, and the lowest of these that are still open */
    unsigned pioneers;    /* found so far, the last ones of the word */
} far_opens;

/* What a pass does with a pioneer: the outermost of the far opens of a word that are left, and a word's far close.
 * NULL or PM_BP_NONE: it has no partner. */
typedef struct far_pass far_pass;
typedef void pioneer_found(far_pass *pass, far_opens *opens, uint64_t close_word, unsigned close);

struct far_pass {
    struct pm_bp *bp;
    pioneer_found *found;
    far_opens *stack;
    uint64_t closing; /* pioneers found among closes */
};

static uint64_t word_at(const struct pm_bp *bp, uint64_t word) {
    return pmi_bp_block(bp, word / PM_BP_BLOCK_WORDS)[word % PM_BP_BLOCK_WORDS];
}

static void pass_run(far_pass *pass) {
    size_t height = 0;
    const uint64_t words = pmi_bits_words(pass->bp->view.n);
    for (uint64_t w = 0; w < words; w++) {
        const pm_bic far = pmi_broadword_total(word_at(pass->bp, w));
        const unsigned closes = (unsigned)far.close, opens = (unsigned)far.open;
        unsigned closed = 0;
        while (closed < closes && height > 0) {
            far_opens *const top = &pass->stack[height - 1];
            const unsigned taken = closes - closed < top->left ? closes - closed : top->left;
            top->left -= taken;
            closed += taken;
            pass->found(pass, top, w, closed - 1);
            height -= top->left == 0;
        }
        if (closed < closes)
            pass->found(pass, NULL, w, closes - 1);
        if (opens > 0)
            pass->stack[height++] = (far_opens){w, opens, opens, 0};
    }
    while (height-- > 0) {
        pass->stack[height].left = 0;
        pass->found(pass, &pass->stack[height], PM_BP_NONE, 0);
    }
}

/* ---- Counting ---- */

static uint16_t *of_word(const pmi_bp_pioneers *pioneers) {
    return (uint16_t *)(uintptr_t)pioneers->of_word; /* written while they are made, and never after */
}

static void count_pioneer(far_pass *pass, far_opens *opens, uint64_t close_word, unsigned close) {
    (void)close;
    if (opens)
        of_word(&pass->bp->opening)[opens->word]++;
    if (close_word != PM_BP_NONE)
        of_word(&pass->bp->closing)[close_word]++;
}

/* Makes each word's number of pioneers the number of those before it; returns the number of all. */
static uint64_t sum_up(pmi_bp_pioneers *pioneers, uint64_t words) {
    uint64_t *const of_superblock = (uint64_t *)(uintptr_t)pioneers->of_superblock;
    uint64_t sum = 0;
    for (uint64_t w = 0; w <= words; w++) {
        if (w % PM_BP_SUPERBLOCK_WORDS == 0)
            of_superblock[w / PM_BP_SUPERBLOCK_WORDS] = sum;
        const unsigned count = w < words ? of_word(pioneers)[w] : 0;
        of_word(pioneers)[w] = (uint16_t)(sum - of_superblock[w / PM_BP_SUPERBLOCK_WORDS]);
        sum += count;
    }
    return sum;
}

/* ---- Placing ---- */

static void place(const struct pm_bp *bp, pmi_bp_pioneers *pioneers, uint64_t p, int bit, uint64_t partner) {
    ((uint8_t *)(uintptr_t)pioneers->bit)[p] = (uint8_t)bit;
    if (bp->view.wide)
        ((uint64_t *)(uintptr_t)pioneers->partner)[p] = partner;
    else
        ((uint32_t *)(uintptr_t)pioneers->partner)[p] = (uint32_t)partner;
}

/* A word's closing pioneers are found in their order, its opening ones the other way round. */
static void place_pioneer(far_pass *pass, far_opens *opens, uint64_t close_word, unsigned close) {
    struct pm_bp *const bp = pass->bp;
    uint64_t open_at = PM_BP_NONE, close_at = PM_BP_NONE;
    int open_bit = 0, close_bit = 0;
    if (opens) {
        open_bit = pmi_broadword_find_far_open(word_at(bp, opens->word), opens->count - 1 - opens->left);
        open_at = opens->word * PM_WORD_BITS + (unsigned)open_bit;
    }
    if (close_word != PM_BP_NONE) {
        close_bit = pmi_broadword_find_far_close(word_at(bp, close_word), close);
        close_at = close_word * PM_WORD_BITS + (unsigned)close_bit;
    }
    if (opens)
        place(bp, &bp->opening, pmi_bp_first_pioneer(&bp->opening, opens->word + 1) - ++opens->pioneers, open_bit,
              close_at);
    if (close_word != PM_BP_NONE)
        place(bp, &bp->closing, pass->closing++, close_bit, open_at);
}

/* ---- Memory ---- */

/* Takes the next block of the index. */
static void *allocate(struct pm_bp *bp, size_t count, size_t size) {
    void **block = bp->blocks;
    while (*block)
        block++;
    *block = pmi_memory_allocate(&bp->allocator, count, size);
    bp->size += *block ? count * size : 0;
    return *block;
}

/* Room for each word's number of pioneers, all 0. */
static bool make_counts(struct pm_bp *bp, pmi_bp_pioneers *pioneers, uint64_t words) {
    uint16_t *const counts = allocate(bp, words + 1, sizeof *counts);
    pioneers->of_word = counts;
    pioneers->of_superblock = allocate(bp, words / PM_BP_SUPERBLOCK_WORDS + 1, sizeof *pioneers->of_superblock);
    if (!pioneers->of_word || !pioneers->of_superblock)
        return false;
    memset(counts, 0, (words + 1) * sizeof *counts);
    return true;
}

static bool make_pioneers(struct pm_bp *bp, pmi_bp_pioneers *pioneers, uint64_t words) {
    const uint64_t count = sum_up(pioneers, words);
    pioneers->bit = allocate(bp, count, sizeof *pioneers->bit);
    pioneers->partner = allocate(bp, count, bp->view.wide ? sizeof(uint64_t) : sizeof(uint32_t));
    return pioneers->bit && pioneers->partner;
}

static bool add_with_stack(struct pm_bp *bp, far_opens *stack) {
    const uint64_t words = pmi_bits_words(bp->view.n);
    if (!make_counts(bp, &bp->opening, words) || !make_counts(bp, &bp->closing, words))
        return false;
    far_pass counting = {bp, count_pioneer, stack, 0};
    pass_run(&counting);
    if (!make_pioneers(bp, &bp->opening, words) || !make_pioneers(bp, &bp->closing, words))
        return false;
    far_pass placing = {bp, place_pioneer, stack, 0};
    pass_run(&placing);
    return true;
}

bool pmi_bp_add_pioneers(struct pm_bp *bp) {
    far_opens *const stack = pmi_memory_allocate(&bp->allocator, pmi_bits_words(bp->view.n), sizeof *stack);
    const bool added = stack && add_with_stack(bp, stack);
    pmi_memory_free(&bp->allocator, stack);
    return added;
}
