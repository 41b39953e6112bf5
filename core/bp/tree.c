/* SPDX-License-Identifier: Apache-2.0 */
/* The queries on an index, in terms of a few that its implementation answers. */
#include "core/bp/bp.h"

/* Does the top row of the range-min tree show that no excess is below 0? */
static bool never_below(const pm_bp *bp) {
    if (bp->rows == 0)
        return false;
    const unsigned top = bp->rows - 1;
    int64_t all = 0; /* negative if one is */
    for (uint64_t k = 0; k < bp->row_length[top]; k++)
        all |= bp->view.wide ? ((const int64_t *)bp->min[top])[k] : ((const int32_t *)bp->min[top])[k];
    return all >= 0;
}

static uint64_t begin_of(const pm_bp *bp, uint64_t i) {
    return bp->batch ? pmi_bp_sequence_begin(bp->batch, i) : 0;
}

static uint64_t end_of(const pm_bp *bp, uint64_t i) {
    return bp->batch ? pmi_bp_sequence_end(bp->batch, i) : bp->view.n;
}

static int64_t min_before(const pm_bp *bp, uint64_t i) {
    const uint64_t begin = begin_of(bp, i);
    return begin == 0 && never_below(bp) ? 0 : bp->queries.min(bp, begin, i);
}

#define SEQUENCE pm_bp
#define QUERY(name) pm_bp_##name
#define LENGTH(s) ((s)->view.n)
#define IS_OPEN(s, i) pmi_bits_get((s)->view.parens, i)
#define IS_BATCH(s) ((s)->batch != NULL)
#define BEGIN_OF(s, i) begin_of(s, i)
#define END_OF(s, i) end_of(s, i)
#define MIN_BEFORE(s, i) min_before(s, i)
#include "core/bp/queries.h"
