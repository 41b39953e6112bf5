/* SPDX-License-Identifier: Apache-2.0 */
/* The place of an offset, by its definition. */
#ifndef PM_TESTS_TEXT_PLACE_H
#define PM_TESTS_TEXT_PLACE_H

#include "parenmatch.h"

static inline pm_place place_of(const char *text, uint64_t offset) {
    pm_place place = {offset, 1, 1};
    for (uint64_t i = 0; i < offset; i++) {
        place.column++;
        if (text[i] == '\n') {
            place.line++;
            place.column = 1;
        }
    }
    return place;
}

#endif
