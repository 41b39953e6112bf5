/* SPDX-License-Identifier: Apache-2.0 */
/* The place of an offset in a text, line by line from the beginning: for what is reported once. */
#ifndef PM_CORE_TEXT_PLACE_H
#define PM_CORE_TEXT_PLACE_H

#include <string.h>

#include "parenmatch/text.h"

static inline pm_place pmi_place_of(const char *text, size_t offset) {
    pm_place place = {.offset = offset, .line = 1};
    const char *line = text, *const to = text + offset;
    for (const char *newline; (newline = memchr(line, '\n', (size_t)(to - line))) != NULL; line = newline + 1)
        place.line++;
    place.column = (uint64_t)(to - line) + 1;
    return place;
}

#endif
