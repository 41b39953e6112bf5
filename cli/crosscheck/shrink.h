/* SPDX-License-Identifier: Apache-2.0 */
/* A smaller input that fails in the same way. */
#ifndef PM_CLI_CROSSCHECK_SHRINK_H
#define PM_CLI_CROSSCHECK_SHRINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Does this sequence fail? */
typedef bool shrink_test(void *user, const uint64_t *parens, size_t n);

/*
 * Removes elements of a sequence that fails for as long as it still does, and returns how many are left: none of them
 * can be removed alone, unless trying has taken too long. Bits past the end are closes before and after.
 */
size_t crosscheck_shrink(uint64_t *parens, size_t n, shrink_test *fails, void *user);

#endif
