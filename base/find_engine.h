/* SPDX-License-Identifier: Apache-2.0 */
/* Engines that search a range of a text for the patterns of a dictionary. */
#ifndef PM_BASE_FIND_ENGINE_H
#define PM_BASE_FIND_ENGINE_H

#include "base/dict.h"

#ifdef __cplusplus
extern "C" {
#endif

struct pmi_finder;

/* A place where patterns begin, and the longest of them, from which the others follow (base/dict.h). */
typedef struct pmi_event {
    uint32_t offset; /* from the beginning of the range */
    uint32_t pattern;
} pmi_event;

struct pmi_search;

/*
 * Every event at the places first ... end - 1 of the text, in order; patterns may go on behind the range, up to n.
 * There is room for pmi_find_room() events; what of it is not used may be overwritten. end - first < 2^32. Returns the
 * number of events.
 */
typedef size_t pmi_find_range(const struct pmi_search *search, size_t first, size_t end, pmi_event *events);

/* What is searched, and by what. */
typedef struct pmi_search {
    const struct pm_dict *dict; /* with a pattern at least */
    const unsigned char *text;
    size_t n;
    size_t places;                   /* only this many, from the first, are searched; patterns may go on up to n */
    uint64_t base;                   /* the number of the first */
    const struct pmi_finder *finder; /* of broadword/find/find.h */
    pmi_find_range *dense;           /* searches where an engine that is for few hits finds many */
    pmi_find_range *rest;            /* searches what is too short for an engine */
} pmi_search;

typedef struct pmi_find_engine {
    pm_find_engine_info info;

    /* Can it search for these patterns, by these instructions? */
    bool (*suits)(const struct pm_dict *dict, const struct pmi_finder *finder);

    /* If it can: does it, in general, search faster than those that come after it in the list? */
    bool (*pays)(const struct pm_dict *dict, const struct pmi_finder *finder);

    pmi_find_range *search;
    size_t range;  /* places that it searches best at a time; with long patterns more (pmi_find_range_size()) */
    unsigned room; /* events of room for each place of a range: 1, or 2 where it needs some for itself */
} pmi_find_engine;

#define PM_FIND_ROOM_MAX 2u
#define PM_FIND_ROOM_MORE 64u /* events of room in addition to those for each place */

static inline size_t pmi_find_room(const pmi_find_engine *engine, size_t places) {
    return places * engine->room + PM_FIND_ROOM_MORE;
}

/* Places that an engine should search at a time: enough that what it reads behind them does not count much. */
static inline size_t pmi_find_range_size(const pmi_find_engine *engine, const struct pm_dict *dict) {
    const size_t reach = (size_t)dict->longest * 8;
    return reach < engine->range ? engine->range : reach;
}

/* How a text is searched. */
typedef struct pmi_find_plan {
    pm_context *device; /* whose device searches; NULL: the engine does */
    const pmi_find_engine *engine;
    size_t range;         /* places searched at a time */
    unsigned threads;     /* 1: the caller alone */
    size_t ranges_a_turn; /* that threads search before their hits are stored */
} pmi_find_plan;

#ifdef __cplusplus
}
#endif

#endif
