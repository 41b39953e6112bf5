/* SPDX-License-Identifier: Apache-2.0 */
/* The tree view against the tree vectors, and what these lack against the lists of children made of them. */
#include <stdlib.h>
#include <string.h>

#include "inputs/families.h"
#include "parenmatch.h"
#include "tests/bp/variants.h"
#include "tests/support/unit.h"

/* The vectors, and each node's children: those of i are child[first_child_at[i]] ... in order. */
typedef struct tree {
    const uint64_t *parens;
    size_t n;
    uint32_t *match, *depth, *prev, *next, *first_child, *size;
    uint32_t *child, *children_at, *degree, *rank;
} tree;

static bool is_open(const tree *t, uint64_t i) {
    return i < t->n && (t->parens[i / 64] >> i % 64 & 1);
}

static tree tree_create(const uint64_t *parens, size_t n) {
    tree t = {.parens = parens, .n = n};
    uint32_t **const columns[] = {&t.match, &t.depth, &t.prev,        &t.next,   &t.first_child,
                                  &t.size,  &t.child, &t.children_at, &t.degree, &t.rank};
    for (size_t c = 0; c < COUNT_OF(columns); c++) {
        *columns[c] = allocate(n + 1, sizeof(uint32_t));
        memset(*columns[c], 0, (n + 1) * sizeof(uint32_t));
    }
    assert_ok(pm_match_seq(NULL, parens, n, t.match, NULL));
    assert_ok(pm_forest_depth(NULL, PM_FOREST_BY_ELEMENT, parens, n, t.match, t.depth));
    assert_ok(pm_forest_prev_sibling(NULL, PM_FOREST_BY_ELEMENT, parens, n, t.match, t.prev));
    assert_ok(pm_forest_next_sibling(NULL, PM_FOREST_BY_ELEMENT, parens, n, t.match, t.next));
    assert_ok(pm_forest_first_child(NULL, PM_FOREST_BY_ELEMENT, parens, n, t.match, t.first_child));
    assert_ok(pm_forest_subtree_size(NULL, PM_FOREST_BY_ELEMENT, parens, n, t.match, t.size));
    uint32_t opens = 0, placed = 0;
    for (size_t i = 0; i < n; i++) {
        t.rank[i] = opens;
        opens += is_open(&t, i);
        if (is_open(&t, i) && t.match[i] != PM_NONE)
            t.degree[t.match[i]]++;
    }
    for (size_t i = 0; i < n; i++) {
        t.children_at[i] = placed;
        placed += t.degree[i];
    }
    memset(t.degree, 0, n * sizeof *t.degree);
    for (size_t i = 0; i < n; i++)
        if (is_open(&t, i) && t.match[i] != PM_NONE)
            t.child[t.children_at[t.match[i]] + t.degree[t.match[i]]++] = (uint32_t)i;
    return t;
}

static void tree_destroy(tree *t) {
    uint32_t *const columns[] = {t->match, t->depth, t->prev,        t->next,   t->first_child,
                                 t->size,  t->child, t->children_at, t->degree, t->rank};
    for (size_t c = 0; c < COUNT_OF(columns); c++)
        free(columns[c]);
}

static uint64_t wide(uint32_t index) {
    return index == PM_NONE ? PM_BP_NONE : index;
}

static void check_no_node(const pm_bp *bp, uint64_t i) {
    assert_int_equal(pm_bp_parent(bp, i), PM_BP_NONE);
    assert_int_equal(pm_bp_depth(bp, i), PM_BP_NONE);
    assert_false(pm_bp_is_leaf(bp, i));
    assert_int_equal(pm_bp_first_child(bp, i), PM_BP_NONE);
    assert_int_equal(pm_bp_last_child(bp, i), PM_BP_NONE);
    assert_int_equal(pm_bp_next_sibling(bp, i), PM_BP_NONE);
    assert_int_equal(pm_bp_prev_sibling(bp, i), PM_BP_NONE);
    assert_int_equal(pm_bp_subtree_size(bp, i), 0);
    assert_int_equal(pm_bp_degree(bp, i), 0);
    assert_int_equal(pm_bp_child(bp, i, 0), PM_BP_NONE);
    assert_int_equal(pm_bp_level_ancestor(bp, i, 0), PM_BP_NONE);
    assert_int_equal(pm_bp_lca(bp, i, i), PM_BP_NONE);
    assert_false(pm_bp_is_ancestor(bp, i, i));
    assert_int_equal(pm_bp_preorder_rank(bp, i), PM_BP_NONE);
}

static void check_children(const tree *t, const pm_bp *bp, uint64_t i, uint64_t *seed) {
    const uint32_t degree = t->degree[i], *const child = t->child + t->children_at[i];
    assert_int_equal(pm_bp_is_leaf(bp, i), degree == 0);
    assert_int_equal(pm_bp_first_child(bp, i), wide(t->first_child[i]));
    assert_int_equal(pm_bp_last_child(bp, i), degree > 0 ? child[degree - 1] : PM_BP_NONE);
    assert_int_equal(pm_bp_degree(bp, i), degree);
    assert_int_equal(pm_bp_child(bp, i, degree), PM_BP_NONE);
    assert_int_equal(pm_bp_child(bp, i, UINT64_MAX), PM_BP_NONE);
    for (int tries = 0; degree > 0 && tries < 3; tries++) {
        const uint64_t k = tries == 0 ? degree - 1 : random_below(seed, degree);
        assert_int_equal(pm_bp_child(bp, i, k), child[k]);
    }
}

static void check_node(const tree *t, const pm_bp *bp, uint64_t i, uint64_t *seed) {
    assert_int_equal(pm_bp_parent(bp, i), wide(t->match[i]));
    assert_int_equal(pm_bp_depth(bp, i), t->depth[i]);
    assert_int_equal(pm_bp_next_sibling(bp, i), wide(t->next[i]));
    assert_int_equal(pm_bp_prev_sibling(bp, i), wide(t->prev[i]));
    assert_int_equal(pm_bp_subtree_size(bp, i), t->size[i]);
    assert_int_equal(pm_bp_preorder_rank(bp, i), t->rank[i]);
    assert_int_equal(pm_bp_preorder_select(bp, t->rank[i]), i);
    check_children(t, bp, i, seed);
    assert_int_equal(pm_bp_level_ancestor(bp, i, t->depth[i] + UINT64_C(1)), PM_BP_NONE);
    assert_int_equal(pm_bp_level_ancestor(bp, i, UINT64_MAX), PM_BP_NONE);
    const uint64_t distance = random_below(seed, (t->depth[i] < 3000 ? t->depth[i] : 3000) + UINT64_C(1));
    uint32_t ancestor = (uint32_t)i;
    for (uint64_t d = 0; d < distance; d++)
        ancestor = t->match[ancestor];
    assert_int_equal(pm_bp_level_ancestor(bp, i, distance), ancestor);
}

static void check_pair(const tree *t, const pm_bp *bp, uint64_t a, uint64_t b) {
    uint32_t above_a = (uint32_t)a, above_b = (uint32_t)b;
    while (above_a != above_b) {
        uint32_t *const deeper = above_b == PM_NONE || (above_a != PM_NONE && above_a > above_b) ? &above_a : &above_b;
        *deeper = t->match[*deeper];
    }
    assert_int_equal(pm_bp_lca(bp, a, b), wide(above_a));
    assert_int_equal(pm_bp_is_ancestor(bp, a, b), above_a == a);
    assert_int_equal(pm_bp_is_ancestor(bp, b, a), above_a == b);
}

/* Of nodes `first` ... `last` - 1 everything, and the lowest common ancestor with some node near and some far. */
static void check_nodes(const tree *t, const pm_bp *bp, uint64_t first, uint64_t last, uint64_t *seed) {
    for (uint64_t i = first; i < last; i++) {
        if (!is_open(t, i)) {
            check_no_node(bp, i);
            continue;
        }
        check_node(t, bp, i, seed);
        const uint64_t near = i + random_below(seed, 40), far = random_below(seed, t->n);
        if (is_open(t, near))
            check_pair(t, bp, i, near);
        if (is_open(t, far) && t->depth[i] + UINT64_C(0) + t->depth[far] < 20000)
            check_pair(t, bp, i, far);
    }
    check_no_node(bp, t->n);
    check_no_node(bp, UINT64_MAX);
}

TEST(test_every_string) {
    uint64_t seed = 1;
    for (unsigned n = 1; n <= 11; n++)
        for (uint64_t bits = 0; bits < UINT64_C(1) << n; bits++) {
            const uint64_t parens = bits | UINT64_MAX << n;
            tree t = tree_create(&parens, n);
            for (size_t v = 0; v < bp_variant_count; v++) {
                pm_bp *bp = bp_variant_create(v, &parens, n);
                check_nodes(&t, bp, 0, n, &seed);
                for (uint64_t pair = 0; pair < n * n; pair++)
                    if (is_open(&t, pair / n) && is_open(&t, pair % n))
                        check_pair(&t, bp, pair / n, pair % n);
                pm_bp_destroy(bp);
            }
            tree_destroy(&t);
        }
}

TEST(test_families) {
    const size_t sizes[] = {64, 513, 9000};
    uint64_t parens[10000 / 64], seed = 2;
    for (const char *const *name = family_names; *name; name++)
        for (size_t s = 0; s < COUNT_OF(sizes); s++) {
            const size_t n = sizes[s];
            assert_true(family_fill(*name, 3, n, parens));
            tree t = tree_create(parens, n);
            for (size_t v = 0; v < bp_variant_count; v++) {
                pm_bp *bp = bp_variant_create(v, parens, n);
                for (uint64_t at = 0; at + 20 < n; at += n < 2000 ? 20 : 403)
                    check_nodes(&t, bp, at, at + 20, &seed);
                pm_bp_destroy(bp);
            }
            tree_destroy(&t);
        }
}

/* Trees of several rows, with nodes that have many children. */
TEST(test_large) {
    static const char *const names[] = {"twist:.5", "bits", "sparse:511", "flat"};
    const size_t n = 33 * 32 * 8192 + 77;
    uint64_t *parens = allocate((n + 63) / 64, sizeof *parens), seed = 4;
    for (size_t f = 0; f < COUNT_OF(names); f++) {
        assert_true(family_fill(names[f], 9, n, parens));
        if (f % 2 == 0)
            parens[0] |= 3; /* a node or two that might hold all the others */
        tree t = tree_create(parens, n);
        for (size_t v = 0; v < bp_variant_count; v++) {
            pm_bp *bp = bp_variant_create(v, parens, n);
            check_nodes(&t, bp, 0, 4, &seed);
            for (int round = 0; round < 100; round++) {
                const uint64_t at = random_below(&seed, n - 4);
                check_nodes(&t, bp, at, at + 4, &seed);
            }
            pm_bp_destroy(bp);
        }
        tree_destroy(&t);
    }
    free(parens);
}

int main(void) {
    return tests_run_between(bp_variants_set_up, bp_variants_tear_down);
}
