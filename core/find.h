/* SPDX-License-Identifier: Apache-2.0 */
/* What a search is made of: an engine, a plan, and where hits go. */
#ifndef PM_CORE_FIND_H
#define PM_CORE_FIND_H

#include "core/hit_sink.h"

/* Searches its places on one thread. PM_OUT_OF_MEMORY is possible. */
pm_status pm_find_sequential(const pm_allocator *allocator, const pm_find_plan *plan, const pm_search *search,
                             pm_hit_sink *sink);

/* What searches with the instructions that a context uses. */
const struct pm_finder *pm_finder_of(const pm_context *context);

/* On as many threads as the plan says. */
pm_status pm_find_run(const pm_allocator *allocator, const pm_find_plan *plan, const pm_search *search,
                      pm_hit_sink *sink);

/* Sets how much the engine searches at a time, and on how many threads, at most `threads` (0: as many as OpenMP gives).
 */
void pm_find_plan_divide(pm_find_plan *plan, const struct pm_dict *dict, size_t places, unsigned threads);

/* The settings, those of NULL too. */
pm_status pm_find_options_read(const pm_find_options *from, pm_find_options *to);

/* A search of a whole text by an engine that suits the dictionary. */
pm_search pm_search_make(const struct pm_dict *dict, const struct pm_finder *finder, const char *text, size_t n);

/* The engine of that name, or the best one for NULL. PM_INVALID_ARGUMENT for no such name, PM_UNSUPPORTED for one that
 * does not suit. */
pm_status pm_find_engine_choose(const struct pm_dict *dict, const struct pm_finder *finder, const char *name,
                                const pm_find_engine **engine);

/* By the settings' backend and engine, or the best one for NULL. PM_INVALID_ARGUMENT for no such name, PM_UNSUPPORTED
 * for one that does not suit. */
pm_status pm_find_plan_choose(pm_context *context, const struct pm_dict *dict, const pm_find_options *options,
                              pm_find_plan *plan);

#endif
