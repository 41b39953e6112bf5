/* SPDX-License-Identifier: Apache-2.0 */
/* Inputs for all ways: given ones, or of all kinds for a while. PM_OUT_OF_MEMORY is possible everywhere. */
#ifndef PM_CLI_CROSSCHECK_RUN_H
#define PM_CLI_CROSSCHECK_RUN_H

#include "cli/crosscheck/ways.h"

/* Is it the name of a family of inputs (inputs/families.h)? */
bool crosscheck_is_family(const char *name);

/* Compares all ways on n elements of a family; PM_INVALID_ARGUMENT for an unknown name. */
pm_status crosscheck_family(crosscheck_ways *all, const char *family, size_t n, uint64_t seed);

/* Compares all ways on a sequence; PM_INVALID_ARGUMENT for an invalid spelling. */
pm_status crosscheck_string(crosscheck_ways *all, const char *spelling, uint64_t seed);

/* Compares all ways on random families and lengths for `seconds`, without the time of making differences small; one
 * input at least. */
pm_status crosscheck_seconds(crosscheck_ways *all, uint64_t seconds, uint64_t seed);

#endif
