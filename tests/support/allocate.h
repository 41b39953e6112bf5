/* SPDX-License-Identifier: Apache-2.0 */
/* Memory for tests: a block of exactly the size asked for, so that sanitizers watch its edges; none fails the test. */
#ifndef PM_TESTS_SUPPORT_ALLOCATE_H
#define PM_TESTS_SUPPORT_ALLOCATE_H

#include <stdlib.h>

#include "tests/support/cmocka_all.h"

static inline void *allocate(size_t count, size_t size) {
    void *memory = malloc(count * size + (count == 0));
    assert_non_null(memory);
    return memory;
}

#endif
