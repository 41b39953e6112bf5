/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Conditionals that a push has begun to read in bulk, and whose branches so far have closed all that they opened, and
 * nothing else. Whichever branch is taken, what is open stays the same; as long as it does, the readings need not know
 * of them. Most end so. Each has at least as many opens before it as the one around it.
 */
#ifndef PM_CORE_CHECK_PENDING_H
#define PM_CORE_CHECK_PENDING_H

#include <stdbool.h>
#include <stdint.h>

#define PM_PENDING_IFS 32u /* at most; deeper nests are rare */

typedef struct pmi_pending_if {
    uint64_t depth;          /* opens above the readings before the #if; none of them is closed since */
    bool branched, has_else; /* #elif or #else; #else */
} pmi_pending_if;

typedef struct pmi_pending {
    unsigned count;
    pmi_pending_if ifs[PM_PENDING_IFS]; /* the innermost one last */
} pmi_pending;

/* How many opens must not be closed while conditionals are pending? */
static inline uint64_t pmi_pending_depth(const pmi_pending *pending) {
    return pending->count > 0 ? pending->ifs[pending->count - 1].depth : 0;
}

#endif
