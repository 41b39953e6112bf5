/* SPDX-License-Identifier: Apache-2.0 */
/* Matching a whole sequence with the engine of a SIMD target. */
#ifndef PM_BROADWORD_MATCH_MATCH_H
#define PM_BROADWORD_MATCH_MATCH_H

#include "base/engine.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Matches a whole sequence, n > 0, with the engine, worthwhile or not. PM_OUT_OF_MEMORY is possible for more than
 * PM_RANGE_SHORT elements. */
pm_status pmi_broadword_match(const pmi_engine *engine, const pm_allocator *allocator, const uint64_t *parens, size_t n,
                              uint32_t *match, pm_bic *total);

#ifdef __cplusplus
}
#endif

#endif
