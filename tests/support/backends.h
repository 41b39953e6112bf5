/* SPDX-License-Identifier: Apache-2.0 */
/* The matching functions under test, all with one signature. */
#ifndef PM_TESTS_SUPPORT_BACKENDS_H
#define PM_TESTS_SUPPORT_BACKENDS_H

#include "parenmatch.h"

typedef struct backend {
    const char *name;
    pm_status (*match)(pm_context *context, const uint64_t *parens, size_t n, uint32_t *match, pm_bic *total);
} backend;

extern const backend backends[];
extern const size_t backend_count;

#endif
