/* SPDX-License-Identifier: Apache-2.0 */
/* The floors' loops in plain C, for processors without a file of their own. */
#include "bench/floor_loops.h"

static void store_plain(void *to, uint32_t value, size_t size) {
    elements_store(to, value, size / sizeof value);
}

static uint32_t read_plain(const void *from, size_t size) {
    return elements_read(from, size / sizeof(uint32_t));
}

const struct floor_loops *floor_loops_best(void) {
    static const struct floor_loops plain = {"none", store_plain, read_plain};
    return &plain;
}
