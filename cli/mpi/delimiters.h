/* SPDX-License-Identifier: Apache-2.0 */
/* Delimiters of any length, which the first rank checks alone. */
#ifndef PM_CLI_MPI_DELIMITERS_H
#define PM_CLI_MPI_DELIMITERS_H

#include "cli/check_options.h"
#include "cli/source.h"

/* Checks a text that is open by rules (pm_rules_by_path()), and prints what is wrong. False, after a complaint, if it
 * could not. */
bool delimiters_check(const check_options *options, text_source *source, const char *rules, uint64_t *faults);

#endif
