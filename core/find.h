/* SPDX-License-Identifier: Apache-2.0 */
/* A search on one thread, range by range. */
#ifndef PM_CORE_FIND_H
#define PM_CORE_FIND_H

#include "core/hit_sink.h"

/* Searches the whole text. PM_OUT_OF_MEMORY is possible. */
pm_status pm_find_ranges(const pm_allocator *allocator, const pm_find_engine *engine, const pm_search *search,
                         pm_hit_sink *sink);

#endif
