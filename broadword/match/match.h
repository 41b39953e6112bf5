/* SPDX-License-Identifier: Apache-2.0 */
/* The broadword engines, and matching a whole sequence with one. */
#ifndef PM_BROADWORD_MATCH_MATCH_H
#define PM_BROADWORD_MATCH_MATCH_H

#include "base/engine.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The best engine that this CPU supports. */
const pmi_engine *pmi_engine_best(void);

/* The engine of that name, supported or not; NULL if there is none. */
const pmi_engine *pmi_engine_by_name(const char *name);

/* Matches a whole sequence, n > 0, with the engine, worthwhile or not. PM_OUT_OF_MEMORY is possible for more than
 * PM_RANGE_SHORT elements. */
pm_status pmi_broadword_match(const pmi_engine *engine, const pm_allocator *allocator, const uint64_t *parens, size_t n,
                              uint32_t *match, pm_bic *total);

#ifdef __cplusplus
}
#endif

#endif
