/* SPDX-License-Identifier: Apache-2.0 */
/* Products of 128 bits, on machines whose compiler has no such type as well. */
#ifndef PM_BASE_PRODUCT_H
#define PM_BASE_PRODUCT_H

#include <stdint.h>

typedef struct pmi_product {
    uint64_t low, high;
} pmi_product;

/* The sum, modulo 2^128. */
static inline pmi_product pmi_product_add(pmi_product a, pmi_product b) {
    const uint64_t low = a.low + b.low;
    return (pmi_product){low, a.high + b.high + (low < a.low)};
}

/* The product, of halves of 32 bits. */
static inline pmi_product pmi_product_by_halves(uint64_t a, uint64_t b) {
    const uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
    const uint64_t middle = a1 * b0 + (a0 * b0 >> 32); /* at most 2^64 - 2^32 */
    const uint64_t other = a0 * b1 + (uint32_t)middle;
    return (pmi_product){a * b, a1 * b1 + (middle >> 32) + (other >> 32)};
}

/* The product. */
static inline pmi_product pmi_product_of(uint64_t a, uint64_t b) {
#ifdef __SIZEOF_INT128__
    __extension__ typedef unsigned __int128 product_type;
    const product_type product = (product_type)a * b;
    return (pmi_product){(uint64_t)product, (uint64_t)(product >> 64)};
#else
    return pmi_product_by_halves(a, b);
#endif
}

#endif
