/* SPDX-License-Identifier: Apache-2.0 */
/* What a search is made of: an engine, a plan, and where hits go. */
#ifndef PM_CORE_FIND_SEQ_H
#define PM_CORE_FIND_SEQ_H

#include "base/hit_sink.h"

/* Searches its places on one thread. PM_OUT_OF_MEMORY is possible. */
pm_status pmi_seq_find(const pm_allocator *allocator, const pmi_find_plan *plan, const pmi_search *search,
                       pmi_hit_sink *sink);

/* What searches with the instructions that a context uses. */
const struct pmi_finder *pmi_finder_of(const pm_context *context);

/* On as many threads as the plan says. */
pm_status pmi_find_run(const pm_allocator *allocator, const pmi_find_plan *plan, const pmi_search *search,
                       pmi_hit_sink *sink);

/* Sets how much the engine searches at a time, and on how many threads, at most `threads` (0: as many as OpenMP gives).
 */
void pmi_find_plan_divide(pmi_find_plan *plan, const struct pm_dict *dict, size_t places, unsigned threads);

/* The settings, those of NULL too. */
pm_status pmi_find_options_read(const pm_find_options *from, pm_find_options *to);

/* A search of a whole text by an engine that suits the dictionary. */
pmi_search pmi_search_make(const struct pm_dict *dict, const struct pmi_finder *finder, const char *text, size_t n);

/* The engine of that name, or the best one for NULL. PM_INVALID_ARGUMENT for no such name, PM_UNSUPPORTED for one that
 * does not suit. */
pm_status pmi_find_engine_choose(const struct pm_dict *dict, const struct pmi_finder *finder, const char *name,
                                 const pmi_find_engine **engine);

/* By the settings' backend and engine, or the best one for NULL. PM_INVALID_ARGUMENT for no such name, PM_UNSUPPORTED
 * for one that does not suit. */
pm_status pmi_find_plan_choose(pm_context *context, const struct pm_dict *dict, const pm_find_options *options,
                               pmi_find_plan *plan);

#endif
