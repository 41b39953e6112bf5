/* SPDX-License-Identifier: Apache-2.0 */
/* Roles of bytes, taken apart. */
#ifndef PM_CORE_TEXT_ALPHABET_H
#define PM_CORE_TEXT_ALPHABET_H

#include "parenmatch.h"

#define PM_ROLE_SIDES 3u /* the bits of a role that tell open, close and neutral apart; its kind is above them */

static inline bool pmi_role_is_open(uint8_t role) {
    return (role & PM_ROLE_SIDES) == PM_ROLE_OPEN;
}

static inline unsigned pmi_role_kind(uint8_t role) {
    return role >> 2;
}

/* Is every role of the alphabet one that parenmatch.h names? */
bool pmi_alphabet_valid(const pm_alphabet *alphabet);

#endif
