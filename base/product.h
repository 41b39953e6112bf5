/* SPDX-License-Identifier: Apache-2.0 */
/* Products of 128 bits and their sums, on machines whose compiler has no such type as well. */
#ifndef PM_BASE_PRODUCT_H
#define PM_BASE_PRODUCT_H

#include <stdint.h>

/* What there is without the type; tests compare it with the type where both are there. */
typedef struct pmi_product_halves {
    uint64_t low, high;
} pmi_product_halves;

static inline pmi_product_halves pmi_product_halves_of(uint64_t a, uint64_t b) {
    const uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
    const uint64_t middle = a1 * b0 + (a0 * b0 >> 32); /* at most 2^64 - 2^32 */
    const uint64_t other = a0 * b1 + (uint32_t)middle;
    return (pmi_product_halves){a * b, a1 * b1 + (middle >> 32) + (other >> 32)};
}

static inline pmi_product_halves pmi_product_halves_add(pmi_product_halves a, pmi_product_halves b) {
    const uint64_t low = a.low + b.low;
    return (pmi_product_halves){low, a.high + b.high + (low < a.low)};
}

#ifdef __SIZEOF_INT128__
__extension__ typedef unsigned __int128 pmi_product;

/* The product of two numbers. */
static inline pmi_product pmi_product_of(uint64_t a, uint64_t b) {
    return (pmi_product)a * b;
}

/* The sum, modulo 2^128. */
static inline pmi_product pmi_product_add(pmi_product a, pmi_product b) {
    return a + b;
}

/* The lower 64 bits. */
static inline uint64_t pmi_product_low(pmi_product a) {
    return (uint64_t)a;
}

/* The bits from one on, with 0 < bit < 64: the lower 64 of them. */
static inline uint64_t pmi_product_from(pmi_product a, unsigned bit) {
    return (uint64_t)(a >> bit);
}

/* The upper 64 bits. */
static inline uint64_t pmi_product_high(pmi_product a) {
    return (uint64_t)(a >> 64);
}
#else
typedef pmi_product_halves pmi_product;

/* As above. */
static inline pmi_product pmi_product_of(uint64_t a, uint64_t b) {
    return pmi_product_halves_of(a, b);
}
static inline pmi_product pmi_product_add(pmi_product a, pmi_product b) {
    return pmi_product_halves_add(a, b);
}
static inline uint64_t pmi_product_low(pmi_product a) {
    return a.low;
}
static inline uint64_t pmi_product_from(pmi_product a, unsigned bit) {
    return a.high << (64 - bit) | a.low >> bit;
}
static inline uint64_t pmi_product_high(pmi_product a) {
    return a.high;
}
#endif

#endif
