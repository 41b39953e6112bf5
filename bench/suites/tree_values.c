/* SPDX-License-Identifier: Apache-2.0 */
/* A draw for each value. */
#include "bench/suites/tree_values.h"

#include <string.h>

#include "inputs/families.h"

void tree_values_fill(const pm_monoid *monoid, uint64_t seed, size_t nodes, unsigned char *values) {
    static const pm_affine turns[2] = {{{{0, -1, 0, 0}, {1, 0, 0, 0}, {0, 0, 1, 0}}},
                                       {{{1, 0, 0, 0}, {0, 0, -1, 0}, {0, 1, 0, 0}}}};
    for (size_t k = 0; k < nodes; k++) {
        const uint64_t draw = random_next(&seed);
        const float x = (float)(draw % 1000), y = (float)(draw / 1000 % 1000);
        const pm_box box = {x, y, x + 10, y + 10};
        const void *const value = monoid == pm_monoid_affine()      ? (const void *)&turns[draw % 2]
                                  : monoid == pm_monoid_box_union() ? (const void *)&box
                                                                    : (const void *)&draw;
        memcpy(values + k * monoid->size, value, monoid->size);
    }
}
