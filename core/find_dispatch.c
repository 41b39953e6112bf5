/* SPDX-License-Identifier: Apache-2.0 */
/* From the public functions that search to the engines: checks once, chooses, hands on. */
#include "core/context.h"
#include "core/find.h"
#include "cpu/find_automaton.h"

static pm_status check_arguments(const pm_dict *dict, const char *text, size_t n, const pm_hit *hits, size_t capacity,
                                 const size_t *found) {
    const bool present = dict && found && (n == 0 || text) && (capacity == 0 || hits);
    return present ? PM_OK : PM_INVALID_ARGUMENT;
}

pm_status pm_find_seq(pm_context *context, const pm_dict *dict, const char *text, size_t n, pm_hit *hits,
                      size_t capacity, size_t *found) {
    pm_status status = check_arguments(dict, text, n, hits, capacity, found);
    if (status != PM_OK)
        return status;
    const pm_allocator allocator = pm_context_allocator(context);
    const pm_search search = {.dict = dict, .text = (const unsigned char *)text, .n = n};
    pm_hit_sink sink = {.dict = dict, .hits = hits, .capacity = capacity};
    if (n > 0 && dict->count > 0)
        status = pm_find_ranges(&allocator, &pm_find_automaton, &search, &sink);
    *found = sink.found;
    return status;
}
