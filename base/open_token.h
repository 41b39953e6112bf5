/* SPDX-License-Identifier: Apache-2.0 */
/* An open, as a stack of what is open has it. */
#ifndef PM_BASE_OPEN_TOKEN_H
#define PM_BASE_OPEN_TOKEN_H

#include <stddef.h>
#include <stdint.h>

/* Opens that are looked at from the top down, at most, so that a deep text does not take longer than a flat one. */
#define PM_OPENS_SEEN ((size_t)64)

typedef struct pmi_open {
    uint64_t begin;
    uint64_t chain; /* bit k: line k of its family may end it, or one beneath it with only such opens between */
    uint32_t kind;
    uint32_t rule;    /* of a pair; PM_NONE: a tag */
    uint32_t implied; /* the line of its family that says where its close may be omitted; PM_RULES_IMPLIED_MAX:
                         only where its parent ends; PM_NONE: nowhere */
    uint32_t length;  /* as pmi_token_length() */
} pmi_open;

#endif
