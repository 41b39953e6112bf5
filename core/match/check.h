/* SPDX-License-Identifier: Apache-2.0 */
/* The check that every function begins with that is given a sequence and its match. */
#ifndef PM_CORE_MATCH_CHECK_H
#define PM_CORE_MATCH_CHECK_H

#include "base/arguments.h"

/*
 * pmi_arguments_check(), and then: every match is none or an open before its element. So each match may be used as an
 * index, and following matches ends, even where they are not those of the sequence (pm_match_verify() would tell, at up
 * to five times the cost). The first element, in particular, has no match.
 */
pm_status pmi_match_check(const uint64_t *parens, size_t n, const uint32_t *match, bool outputs_present);

#endif
