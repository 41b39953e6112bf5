/* SPDX-License-Identifier: Apache-2.0 */
/* Builds without a GPU backend: there is no device. */
#include "bench/resident.h"

size_t resident_open(size_t n) {
    (void)n;
    return 0;
}

void resident_close(void) {}

void resident_load(const uint64_t *parens, size_t n) {
    (void)parens, (void)n;
}

size_t resident_chosen(size_t n) {
    (void)n;
    return 0;
}

bool resident_takes(size_t pipeline, size_t n) {
    (void)pipeline, (void)n;
    return false;
}

bool resident_is_right(size_t pipeline, size_t n) {
    (void)pipeline, (void)n;
    return false;
}

struct distribution resident_time(size_t pipeline, size_t n, struct sampling sampling, unsigned *repetitions) {
    (void)pipeline, (void)n, (void)sampling;
    *repetitions = 0;
    return (struct distribution){0, 0, 0};
}
