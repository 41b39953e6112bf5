/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A slice by itself: its bicyclic element, and its survivors. Blocks are reduced by an engine, as many at once as it
 * takes; what is left after the last whole word is reduced alone. Survivors are found by looking back from the end,
 * with a count of the closes that look for an open.
 */
#include "base/engine.h"
#include "base/sizes.h"
#include "core/context/context.h"

/* The elements of a slice after its last whole word. */
static pmi_word_slice tail_reduce(const uint64_t *parens, size_t n) {
    const unsigned length = n % PM_WORD_BITS;
    return length > 0 ? pmi_word_reduce(parens[n / PM_WORD_BITS], length) : (pmi_word_slice){0, 0};
}

static pmi_grid whole_words(const uint64_t *parens, size_t n) {
    return (pmi_grid){.parens = parens, .n = n - n % PM_WORD_BITS};
}

pm_status pm_slice_reduce(pm_context *context, const uint64_t *parens, size_t n, pm_bic *effect) {
    if (!effect || (n > 0 && !parens))
        return PM_INVALID_ARGUMENT;
    const pmi_engine *engine = pmi_simd_of(context)->engine;
    const pmi_grid grid = whole_words(parens, n);
    const size_t blocks = pmi_grid_blocks(&grid);
    pmi_block_bic bics[PM_REDUCE_BLOCKS];
    pm_bic product = {0, 0};
    for (size_t first = 0, count; first < blocks; first += count) {
        count = blocks - first < PM_REDUCE_BLOCKS ? blocks - first : PM_REDUCE_BLOCKS;
        product = pmi_bic_multiply(product, engine->reduce_blocks(&grid, first, count, bics));
    }
    const pmi_word_slice tail = tail_reduce(parens, n);
    *effect = pmi_bic_multiply(product, (pm_bic){tail.far_closes, pmi_bits_count(tail.far_opens)});
    return PM_OK;
}

/* Looking back. */
typedef struct lookback {
    uint64_t pending; /* closes after the place reached that look for their opens */
    uint64_t most;    /* opens still wanted */
    size_t capacity, count;
    pm_open_word *words;
} lookback;

static bool lookback_done(const lookback *back) {
    return back->most == 0 || back->count == back->capacity;
}

/* Passes what has such an effect. */
static void lookback_pass(lookback *back, uint64_t close, uint64_t open) {
    back->pending = back->pending - pmi_min(back->pending, open) + close;
}

/* Stores the survivors of a word, or as many of them as are wanted. */
static void lookback_store(lookback *back, size_t word, uint64_t survivors, uint64_t opens) {
    for (; opens > back->most; opens--)
        survivors &= survivors - 1;
    back->words[back->count++] = (pm_open_word){word * PM_WORD_BITS, survivors};
    back->most -= opens;
}

/* Looks back over `count` blocks, reduced already: first for how many opens of each survive, then for which. */
static void lookback_over_blocks(lookback *back, const pmi_engine *engine, const uint64_t *parens, size_t first,
                                 size_t count, const pmi_block_bic *bics) {
    uint64_t pending[PM_REDUCE_BLOCKS], opens[PM_REDUCE_BLOCKS];
    for (size_t k = count; k-- > 0;) {
        pending[k] = pmi_min(back->pending, PM_WORD_BITS);
        lookback_pass(back, bics[k].close, bics[k].open);
    }
    engine->survivors(parens + first, pending, count, opens);
    for (size_t k = count; k-- > 0 && !lookback_done(back);)
        if (bics[k].open > pending[k])
            lookback_store(back, first + k, opens[k], bics[k].open - pending[k]);
}

pm_status pm_slice_survivors(pm_context *context, const uint64_t *parens, size_t n, uint64_t most, size_t capacity,
                             pm_open_word *words, size_t *count) {
    if (!count || (capacity > 0 && !words) || (n > 0 && !parens))
        return PM_INVALID_ARGUMENT;
    const pmi_engine *engine = pmi_simd_of(context)->engine;
    const pmi_grid grid = whole_words(parens, n);
    const pmi_word_slice tail = tail_reduce(parens, n);
    lookback back = {.pending = tail.far_closes, .most = most, .capacity = capacity, .words = words};
    if (tail.far_opens != 0 && !lookback_done(&back))
        lookback_store(&back, n / PM_WORD_BITS, tail.far_opens, pmi_bits_count(tail.far_opens));
    pmi_block_bic bics[PM_REDUCE_BLOCKS];
    for (size_t end = pmi_grid_blocks(&grid), first; end > 0 && !lookback_done(&back); end = first) {
        first = (end - 1) / PM_REDUCE_BLOCKS * PM_REDUCE_BLOCKS;
        const pm_bic bic = engine->reduce_blocks(&grid, first, end - first, bics);
        if (bic.open <= back.pending)
            lookback_pass(&back, bic.close, bic.open);
        else
            lookback_over_blocks(&back, engine, parens, first, end - first, bics);
    }
    *count = back.count;
    return PM_OK;
}
