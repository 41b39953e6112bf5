/* SPDX-License-Identifier: Apache-2.0 */
/* What searches a range of a text for the patterns of a dictionary: the vocabulary that all ways to do it share. */
#ifndef PM_CORE_FIND_ENGINE_H
#define PM_CORE_FIND_ENGINE_H

#include "core/dict.h"

#ifdef __cplusplus
extern "C" {
#endif

struct pm_finder;

/* A place where patterns begin, and the longest of them, which tells the others (core/dict.h). */
typedef struct pm_event {
    uint32_t offset; /* from the beginning of the range */
    uint32_t pattern;
} pm_event;

/* What is searched, and by which instructions. */
typedef struct pm_search {
    const struct pm_dict *dict; /* with a pattern at least */
    const unsigned char *text;
    size_t n;
    const struct pm_finder *finder; /* of broadword/find.h */
} pm_search;

typedef struct pm_find_engine {
    const char *name, *description;

    /* Can it search for these patterns? */
    bool (*suits)(const struct pm_dict *dict);

    /*
     * Every event at the places first ... end - 1 of the text, in order; patterns may go on behind the range, up to n.
     * There is room for an event at each place; what of it is not used may be overwritten. end - first < 2^32. Returns
     * the number of events.
     */
    size_t (*search)(const pm_search *search, size_t first, size_t end, pm_event *events);
} pm_find_engine;

#ifdef __cplusplus
}
#endif

#endif
