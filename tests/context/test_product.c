/* SPDX-License-Identifier: Apache-2.0 */
/* Products of 128 bits: what halves give is what the compiler gives, where it has the type. */
#include "base/product.h"
#include "tests/support/unit.h"

static const uint64_t edges[] = {0,
                                 1,
                                 2,
                                 UINT32_MAX - UINT64_C(1),
                                 UINT32_MAX,
                                 UINT32_MAX + UINT64_C(1),
                                 UINT64_MAX - UINT32_MAX,
                                 UINT64_MAX >> 1,
                                 (UINT64_MAX >> 1) + 1,
                                 UINT64_MAX - 1,
                                 UINT64_MAX};
enum {
    EDGES = sizeof edges / sizeof *edges
};

static void check(uint64_t a, uint64_t b) {
    const pmi_product_halves halves = pmi_product_halves_of(a, b), twice = pmi_product_halves_add(halves, halves);
    const pmi_product product = pmi_product_of(a, b), sum = pmi_product_add(product, product);
    assert_int_equal(halves.low, pmi_product_low(product));
    assert_int_equal(halves.high, pmi_product_high(product));
    assert_int_equal(twice.low, pmi_product_low(sum));
    assert_int_equal(twice.high, pmi_product_high(sum));
    assert_int_equal(pmi_product_from(product, 61), halves.low >> 61 | halves.high << 3);
}

TEST(test_edges) {
    for (unsigned i = 0; i < EDGES; i++)
        for (unsigned j = 0; j < EDGES; j++)
            check(edges[i], edges[j]);
}

TEST(test_random) {
    uint64_t a = 1, b = 2;
    for (unsigned i = 0; i < 100000; i++) {
        a = a * UINT64_C(6364136223846793005) + 1442695040888963407;
        b = b * UINT64_C(2862933555777941757) + 3037000493;
        check(a >> i % 64, b >> i / 64 % 64);
    }
}

TEST(test_known) {
    const pmi_product_halves square = pmi_product_halves_of(UINT64_MAX, UINT64_MAX); /* 2^128 - 2^65 + 1 */
    assert_int_equal(square.low, 1);
    assert_int_equal(square.high, UINT64_MAX - 1);
    const pmi_product_halves sum =
        pmi_product_halves_add((pmi_product_halves){UINT64_MAX, 1}, (pmi_product_halves){1, 2});
    assert_int_equal(sum.low, 0);
    assert_int_equal(sum.high, 4);
}
