/* SPDX-License-Identifier: Apache-2.0 */
/* What searches of whole texts and of streams share: options, the choice of an engine, and running it. */
#ifndef PM_CORE_FIND_FIND_H
#define PM_CORE_FIND_FIND_H

#include "base/hit_sink.h"

/* Finds out where patterns may begin. `begins_word`: of each pattern, whether it counts only where a word begins; its
 * first byte is part of a word then (pmi_byte_is_word()). */
void pmi_dict_make_starts(const struct pm_dict *dict, const bool *begins_word, pmi_dict_starts *starts);

/* Copies the settings; NULL stands for the defaults. PM_INVALID_ARGUMENT for invalid ones. */
pm_status pmi_find_options_read(const pm_find_options *from, pm_find_options *to);

/* Stores the engine of a name, or the best one for NULL. PM_INVALID_ARGUMENT for an unknown name, PM_UNSUPPORTED for an
 * engine that does not support the dictionary or this CPU. */
pm_status pmi_find_engine_choose(const struct pm_dict *dict, const struct pmi_finder *finder, const char *name,
                                 const pmi_find_engine **engine);

/* Stores a plan with the backend and engine of the settings. Fails as pmi_find_engine_choose() does. */
pm_status pmi_find_plan_choose(pm_context *context, const struct pm_dict *dict, const pm_find_options *options,
                               pmi_find_plan *plan);

/* Sets how much of a text the plan searches at a time, and with how many threads: at most `threads` (0: as many as
 * OpenMP gives). */
void pmi_find_plan_divide(pmi_find_plan *plan, const struct pm_dict *dict, size_t places, unsigned threads);

/* Returns a search of a whole text. */
pmi_search pmi_search_make(const struct pm_dict *dict, const struct pmi_finder *finder, const char *text, size_t n);

/* Runs a search as planned. PM_OUT_OF_MEMORY is possible. */
pm_status pmi_find_run(const pm_allocator *allocator, const pmi_find_plan *plan, const pmi_search *search,
                       pmi_hit_sink *sink);

#endif
