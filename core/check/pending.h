/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Conditionals whose branches so far have closed all that they opened, and nothing else. Whichever branch is taken,
 * what is open stays the same; as long as it does, the readings need not know of them, and most conditionals end so.
 * None are pending between two pushes, except within pm_check_text().
 */
#ifndef PM_CORE_CHECK_PENDING_H
#define PM_CORE_CHECK_PENDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One, and those right around it that differ in nothing. */
typedef struct pmi_pending_if {
    uint64_t depth;          /* opens above the readings before the #if: not fewer than before the one around it */
    uint32_t around;         /* how many others there are: none once it has another branch */
    bool branched, has_else; /* it has an #elif or #else; an #else */
} pmi_pending_if;

typedef struct pmi_pending {
    pmi_pending_if *ifs; /* the innermost one last */
    size_t count, room;
    uint64_t depth; /* opens before the innermost one, none of which was closed since; 0 if none is pending */
} pmi_pending;

#endif
