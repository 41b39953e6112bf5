/* SPDX-License-Identifier: Apache-2.0 */
/* A search on one thread, range by range, so that events stay in a cache until they are hits. */
#include "cpu/find/find.h"

#include "base/memory.h"

#define SHORT 256u /* places whose events are kept on the stack */

pm_status pmi_seq_find(const pm_allocator *allocator, const pmi_find_plan *plan, const pmi_search *search,
                       pmi_hit_sink *sink) {
    const size_t n = search->places, size = n < plan->range ? n : plan->range;
    pmi_event few[SHORT * PM_FIND_ROOM_MAX + PM_FIND_ROOM_MORE], *many = NULL;
    if (size > SHORT) {
        many = pmi_memory_allocate(allocator, pmi_find_room(plan->engine, size), sizeof *many);
        if (!many)
            return PM_OUT_OF_MEMORY;
    }
    pmi_event *const events = many ? many : few;
    for (size_t first = 0, end; first < n; first = end) {
        end = n - first < size ? n : first + size;
        pmi_hit_sink_add(sink, search->base + first, events, plan->engine->search(search, first, end, events));
    }
    pmi_memory_free(allocator, many);
    return PM_OK;
}
