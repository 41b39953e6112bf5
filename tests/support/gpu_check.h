/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of the GPU backend hold its answers against; whatever is wrong fails the test. */
#ifndef PM_TESTS_SUPPORT_GPU_CHECK_H
#define PM_TESTS_SUPPORT_GPU_CHECK_H

#include "gpu/gpu.h"

/* n elements of a family; to be freed. */
uint64_t *family_make(const char *name, uint64_t seed, size_t n);

/* n elements in words of all densities, so that levels wander far up and down; to be freed. */
uint64_t *wandering_make(uint64_t *seed, size_t n);

/* The match is the oracle's, and nothing is written outside it. */
void check_match(pmi_gpu *tested, const uint64_t *parens, size_t n, const char *what);
void check_family(pmi_gpu *tested, const char *family, uint64_t seed, size_t n);

#endif
