/* SPDX-License-Identifier: Apache-2.0 */
/* Regions of which many stand side by side, such as '' and comments, are found by masks, 64 bytes at a time. */
#ifndef PM_CORE_DELIMITERS_WINDOWS_ALIKE_H
#define PM_CORE_DELIMITERS_WINDOWS_ALIKE_H

#include "core/delimiters/windows/starts.h"

/*
 * Takes out of the masks of a window the places that whole regions cover, from byte `from` on, where code is read.
 * Regions of one sort are found until something else begins that is not a token by itself; then those of the sort that
 * begins there, if that pays. 64 * PM_STARTS_WORDS + PM_PREFIX_MAX bytes of text are there. Returns how many places it
 * took out.
 */
size_t pmi_alike_drop(const pmi_starts *starts, size_t from, uint64_t masks[PM_STARTS_WORDS]);

#endif
