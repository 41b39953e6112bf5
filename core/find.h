/* SPDX-License-Identifier: Apache-2.0 */
/* A search on one thread, range by range. */
#ifndef PM_CORE_FIND_H
#define PM_CORE_FIND_H

#include "core/hit_sink.h"

/* Searches the whole text. PM_OUT_OF_MEMORY is possible. */
pm_status pm_find_sequential(const pm_allocator *allocator, const pm_find_plan *plan, const pm_search *search,
                             pm_hit_sink *sink);

/* What searches with the instructions that a context uses. */
const struct pm_finder *pm_finder_of(const pm_context *context);

/* The engine of that name, or the best one for NULL. PM_INVALID_ARGUMENT for no such name, PM_UNSUPPORTED for one that
 * does not suit. */
pm_status pm_find_engine_choose(const struct pm_dict *dict, const struct pm_finder *finder, const char *name,
                                const pm_find_engine **engine);

#endif
