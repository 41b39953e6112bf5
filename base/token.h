/* SPDX-License-Identifier: Apache-2.0 */
/* Tokens of texts with delimiters. */
#ifndef PM_BASE_TOKEN_H
#define PM_BASE_TOKEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct pmi_token {
    size_t begin, end;
    uint32_t kind;
    bool open;
} pmi_token;

#endif
