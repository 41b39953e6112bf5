/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Conditionals that no bracket pair crosses.
 *
 * Take #if as an open of a kind of its own, #endif as its close, and #else and #elif as both. If in this one sequence
 * each directive meets a directive, and each bracket a bracket, then every branch leaves open what is open before it.
 * So there is one reading all along (core/text/readings.h), and the text is as if there were no directives. If not, all
 * readings are followed (branches.h). An #if that is never closed, and an #endif or #else of no #if, change nothing
 * either.
 *
 * The brackets of an #if 0 do not count. They make no difference if they match, except to the depth, which leaves leave
 * them out of. If one of them ends in another leaf, or holds mismatches, readings are followed, too.
 */
#include "core/document/document.h"

/* ---- Directives without a partner ---- */

static unsigned count_of(const pmi_document_ifs *ifs, unsigned run) {
    return ifs->counts >> 4 * run & 15;
}

static unsigned runs_of(const pmi_document_ifs *ifs) {
    unsigned run = 0;
    while (run < PM_DOCUMENT_IF_RUNS && count_of(ifs, run) > 0)
        run++;
    return run;
}

/* Adds directives outside of the others. False: there is no room. */
static bool add(pmi_document_ifs *ifs, uint32_t at, unsigned count) {
    unsigned run = runs_of(ifs);
    run -= run > 0 && ifs->at[run - 1] == at;
    if (run == PM_DOCUMENT_IF_RUNS || at > UINT16_MAX || count_of(ifs, run) + count > PM_DOCUMENT_IFS_MAX)
        return false;
    ifs->at[run] = (uint16_t)at;
    ifs->counts = (uint16_t)(ifs->counts + (count << 4 * run));
    return true;
}

/* Adds runs from one on, whose places change by `shift`. */
static bool add_runs(pmi_document_ifs *ifs, const pmi_document_ifs *added, unsigned run, int64_t shift) {
    bool done = true;
    for (; done && run < PM_DOCUMENT_IF_RUNS && count_of(added, run) > 0; run++)
        done = add(ifs, (uint32_t)(added->at[run] + shift), count_of(added, run));
    return done;
}

/* ---- A leaf ---- */

#define NESTED_MAX 64u /* in a leaf; more are not noted */

/* A walk over a leaf. Heights are opens less closes since its beginning. */
typedef struct leaf_walk {
    const pm_document *document;
    pmi_document_node *sums;
    int32_t height, lowest;
    int32_t at_if[NESTED_MAX]; /* of each #if around, */
    unsigned nested;           /* of which there are so many */
    unsigned skipped;          /* the number of the one that is an #if 0, in its branch; 0: none is */
    int32_t peak, rise;        /* without brackets in an #if 0 */
} leaf_walk;

/* False: a close closes what is open before the #if. */
static bool walk_brackets(leaf_walk *walk, const unsigned char *picked, size_t count) {
    int32_t height = walk->height, floor = walk->nested > 0 ? walk->at_if[walk->nested - 1] : INT32_MIN;
    int32_t lowest = walk->lowest, lowest_here = height, peak = 0, rise = 0;
    for (size_t i = 0; i < count; i++) {
        height += pmi_role_is_open(walk->document->alphabet.role[picked[i]]) ? 1 : -1;
        lowest_here = height < lowest_here ? height : lowest_here;
        lowest = height < lowest ? height : lowest;
        rise = height > rise ? height : rise;
        peak = height - lowest > peak ? height - lowest : peak;
    }
    walk->height = height;
    walk->lowest = lowest;
    if (walk->skipped == 0) {
        walk->rise = rise > walk->rise ? rise : walk->rise;
        walk->peak = peak > walk->peak ? peak : walk->peak;
    }
    return lowest_here >= floor;
}

/* Ends a branch. False: it does not leave open what was open before it. */
static bool walk_end(leaf_walk *walk) {
    if (walk->nested == 0)
        return walk->height == walk->lowest && add(&walk->sums->ifs[PM_DOCUMENT_CLOSES], (uint32_t)-walk->lowest, 1);
    if (walk->skipped == walk->nested)
        walk->skipped = 0;
    return walk->height == walk->at_if[--walk->nested];
}

static bool walk_directive(leaf_walk *walk, pmi_directive directive) {
    if (directive > PM_DIRECTIVE_IF_ZERO && !walk_end(walk))
        return false;
    if (directive == PM_DIRECTIVE_END)
        return true;
    if (walk->nested == NESTED_MAX)
        return false;
    walk->at_if[walk->nested++] = walk->height;
    if (directive == PM_DIRECTIVE_IF_ZERO && walk->skipped == 0)
        walk->skipped = walk->nested;
    return true;
}

/* Notes the #ifs around the leaf's end. */
static bool note_opens(leaf_walk *walk) {
    bool done = true;
    for (unsigned k = walk->nested; done && k-- > 0;)
        done = add(&walk->sums->ifs[PM_DOCUMENT_OPENS], (uint32_t)(walk->height - walk->at_if[k]), 1);
    return done;
}

void pmi_document_ifs_read(const pm_document *document, const unsigned char *picked, const uint64_t *masks,
                           const uint16_t *before, pmi_document_node *sums) {
    const pmi_directives *const directives = &document->directives;
    leaf_walk walk = {.document = document, .sums = sums};
    size_t from = 0;
    bool fine = true, zero = false;
    for (size_t d = 0; fine && d < directives->count; d++) {
        const size_t offset = directives->list[d] >> 3, w = offset / PM_WORD_BITS;
        const pmi_directive directive = (pmi_directive)(directives->list[d] & 7);
        const size_t to = before[w] + pmi_bits_count(masks[w] & pmi_bits_low(offset % PM_WORD_BITS));
        fine = walk_brackets(&walk, picked + from, to - from) && walk_directive(&walk, directive);
        zero |= directive == PM_DIRECTIVE_IF_ZERO;
        from = to;
    }
    fine = fine && walk_brackets(&walk, picked + from, sums->brackets - from) && walk.skipped == 0 &&
           !(zero && sums->mismatched > 0) && note_opens(&walk);
    sums->crosses = !fine;
    if (zero) {
        sums->peak = (uint32_t)walk.peak;
        sums->rise = walk.rise;
    }
}

/* ---- Two parts ---- */

/* Directives of the left part meet those of the right one. Returns whether each that meets another one has the same
 * brackets between it and the middle; what remains of both begins with a run each. */
static bool pair_up(pmi_document_ifs *opens, pmi_document_ifs *closes, unsigned *open, unsigned *close) {
    const unsigned open_runs = runs_of(opens), close_runs = runs_of(closes);
    for (*open = *close = 0; *open < open_runs && *close < close_runs;) {
        const unsigned open_count = count_of(opens, *open), close_count = count_of(closes, *close);
        const unsigned pairs = open_count < close_count ? open_count : close_count;
        if (opens->at[*open] != closes->at[*close])
            return false;
        opens->counts = (uint16_t)(opens->counts - (pairs << 4 * *open));
        closes->counts = (uint16_t)(closes->counts - (pairs << 4 * *close));
        *open += pairs == open_count;
        *close += pairs == close_count;
    }
    return true;
}

/* What both parts leave. False: pairs of brackets cross those of directives, or there is no room. */
static bool meet(pmi_document_node *node) {
    const pmi_document_node *const left = node->child[0], *const right = node->child[1];
    pmi_document_ifs opens = left->ifs[PM_DOCUMENT_OPENS], closes = right->ifs[PM_DOCUMENT_CLOSES];
    const uint32_t opened = left->count[PM_DOCUMENT_OPENS], closed = right->count[PM_DOCUMENT_CLOSES];
    unsigned open, close;
    if (!pair_up(&opens, &closes, &open, &close))
        return false;
    if (open < PM_DOCUMENT_IF_RUNS && count_of(&opens, open) > 0 && opens.at[open] < closed)
        return false;
    if (close < PM_DOCUMENT_IF_RUNS && count_of(&closes, close) > 0 && closes.at[close] < opened)
        return false;
    node->ifs[PM_DOCUMENT_OPENS] = right->ifs[PM_DOCUMENT_OPENS];
    node->ifs[PM_DOCUMENT_CLOSES] = left->ifs[PM_DOCUMENT_CLOSES];
    return add_runs(&node->ifs[PM_DOCUMENT_OPENS], &opens, open, (int64_t)right->count[PM_DOCUMENT_OPENS] - closed) &&
           add_runs(&node->ifs[PM_DOCUMENT_CLOSES], &closes, close, (int64_t)left->count[PM_DOCUMENT_CLOSES] - opened);
}

void pmi_document_ifs_meet(pmi_document_node *node) {
    node->crosses = node->child[0]->crosses || node->child[1]->crosses;
    if (!node->directives)
        memset(node->ifs, 0, sizeof node->ifs);
    else if (!node->crosses)
        node->crosses = !meet(node);
}
