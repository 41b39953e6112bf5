/* SPDX-License-Identifier: Apache-2.0 */
/* A search on one thread, range by range, so that events stay in a cache until they are hits. */
#include "core/find.h"

#include "core/context.h"

/* Places of a range: few enough that their events fit a second-level cache, were there one at each place; many enough
 * that reading what is behind a range does not count. Where patterns are long it does, up to as much again. */
static size_t range_size(const struct pm_dict *dict) {
    const size_t least = (size_t)1 << 15, reach = dict->longest - 1;
    return reach < least / 8 ? least : 8 * reach;
}

#define SHORT 256u /* places whose events are kept on the stack */

pm_status pm_find_ranges(const pm_allocator *allocator, const pm_find_engine *engine, const pm_search *search,
                         pm_hit_sink *sink) {
    const size_t n = search->n, whole = range_size(search->dict), size = n < whole ? n : whole;
    pm_event few[SHORT];
    pm_event *const many = size > SHORT ? pm_memory_allocate(allocator, size, sizeof *many) : NULL;
    if (size > SHORT && !many)
        return PM_OUT_OF_MEMORY;
    pm_event *const events = many ? many : few;
    for (size_t first = 0, end; first < n; first = end) {
        end = n - first < size ? n : first + size;
        pm_hit_sink_add(sink, first, events, engine->search(search, first, end, events));
    }
    pm_memory_free(allocator, many);
    return PM_OK;
}
