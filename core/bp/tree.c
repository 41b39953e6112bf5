/* SPDX-License-Identifier: Apache-2.0 */
/* The queries on an index, in terms of a few that its implementation answers. */
#include "base/bp_index.h"

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

#define SEQUENCE pm_bp
#define QUERY(name) pm_bp_##name
#define LENGTH(s) ((s)->view.n)
#define IS_OPEN(s, i) pmi_bits_get((s)->view.parens, i)
#define MIN_BEFORE(s, i) (never_below(s) ? 0 : (s)->queries.min(s, 0, i))
#include "core/bp/queries.h"
