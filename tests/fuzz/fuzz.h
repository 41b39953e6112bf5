/* SPDX-License-Identifier: Apache-2.0 */
/* What a fuzzer is: libFuzzer's function, and how it says that something is wrong. */
#ifndef PM_TESTS_FUZZ_FUZZ_H
#define PM_TESTS_FUZZ_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "parenmatch.h"

/* Tries one input; returns 0. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* Ends the program, which libFuzzer takes for a finding, unless the condition holds. */
static inline void fuzz_require(bool condition, const char *what) {
    if (condition)
        return;
    fprintf(stderr, "wrong: %s\n", what);
    abort();
}

/* The language that a letter stands for: one with brackets of a byte, which come first. */
static inline const pm_language *fuzz_language(uint8_t letter) {
    size_t count = 0;
    while (pm_language_alphabet(pm_language_at(count)))
        count++;
    return pm_language_at((uint8_t)(letter - 'a') % count);
}

/* malloc that does not fail; a block of exactly that size, so that its edges are watched. */
static inline void *fuzz_allocate(size_t count, size_t size) {
    void *memory = malloc(count * size + (count == 0));
    fuzz_require(memory != NULL, "memory");
    return memory;
}

#endif
