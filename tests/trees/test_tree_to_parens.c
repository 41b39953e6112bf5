/* SPDX-License-Identifier: Apache-2.0 */
/* From depth and parent vectors to parentheses: against the recursive definition, and there and back again. */
#include <stdlib.h>
#include <string.h>

#include "inputs/families.h"
#include "parenmatch.h"
#include "tests/support/unit.h"

#define CANARY UINT32_C(0xa5a5a5a5)
#define CANARY_WORD UINT64_C(0xa5a5a5a5a5a5a5a5)
#define UNTOUCHED SIZE_MAX
#define TOO_MANY (UINT32_C(1) << 31)

static size_t words_of(size_t nodes) {
    return (2 * nodes + 63) / 64;
}

/* ---- The recursive definition ---- */

typedef struct sequence {
    const uint32_t *parent;
    size_t nodes;
    uint64_t *parens;
    uint32_t *order;
    size_t length, visited;
} sequence;

static bool is_root(const uint32_t *parent, size_t node) {
    return parent[node] == PM_NONE || parent[node] == node;
}

/* An open, the children in the order of their numbers, a close. */
static void write_subtree(sequence *to, size_t node) {
    to->order[to->visited++] = (uint32_t)node;
    to->parens[to->length / 64] |= UINT64_C(1) << to->length % 64;
    to->length++;
    for (size_t child = 0; child < to->nodes; child++)
        if (!is_root(to->parent, child) && to->parent[child] == node)
            write_subtree(to, child);
    to->length++;
}

/* Does the way up from every node end at a root, over nodes alone? */
static bool is_forest(const uint32_t *parent, size_t nodes) {
    for (size_t k = 0; k < nodes; k++) {
        size_t steps = 0;
        for (size_t node = k; !is_root(parent, node); node = parent[node])
            if (parent[node] >= nodes || ++steps > nodes)
                return false;
    }
    return true;
}

/* The first node whose parent is no node, or whose way up comes back to it; `nodes` if every node's way up ends. */
static size_t first_wrong(const uint32_t *parent, size_t nodes) {
    for (size_t k = 0; k < nodes; k++) {
        size_t node = k, steps = 0;
        do {
            if (is_root(parent, node))
                break;
            if (parent[node] >= nodes && node == k)
                return k;
            node = parent[node];
        } while (node < nodes && node != k && ++steps <= nodes);
        if (node == k && !is_root(parent, k))
            return k;
    }
    return nodes;
}

/* In preorder: the first node that is no root, nor a child of the node before it or of one above that. */
static size_t first_wrong_in_preorder(const uint32_t *parent, size_t nodes) {
    for (size_t k = 0; k < nodes; k++) {
        if (is_root(parent, k))
            continue;
        if (k == 0)
            return k;
        size_t above = k - 1;
        while (parent[k] != above && !is_root(parent, above))
            above = parent[above];
        if (parent[k] != above)
            return k;
    }
    return nodes;
}

/* Do the verifications say that `first` is the first wrong entry, or with `nodes` that no entry is wrong? */
static void check_depth_verdict(const uint32_t *depth, size_t nodes, size_t first) {
    size_t wrong = UNTOUCHED;
    assert_int_equal(pm_depth_verify(NULL, depth, nodes, &wrong), first < nodes ? PM_CORRUPT : PM_OK);
    assert_int_equal(wrong, first < nodes ? first : UNTOUCHED);
}

static void check_parent_verdict(const uint32_t *parent, size_t nodes, bool in_preorder, size_t first) {
    size_t wrong = UNTOUCHED;
    assert_int_equal(pm_parent_verify(NULL, parent, nodes, in_preorder, &wrong), first < nodes ? PM_CORRUPT : PM_OK);
    assert_int_equal(wrong, first < nodes ? first : UNTOUCHED);
}

/* Both forms of pm_parent_verify(). */
static void check_parent_verify(const uint32_t *parent, size_t nodes, bool forest, bool in_preorder) {
    const size_t first = first_wrong(parent, nodes), first_in_preorder = first_wrong_in_preorder(parent, nodes);
    assert_true((first == nodes) == forest);
    assert_true((first_in_preorder == nodes) == in_preorder);
    check_parent_verdict(parent, nodes, false, first);
    check_parent_verdict(parent, nodes, true, first_in_preorder);
}

/* Compares both forms of pm_parens_from_parent() with the definition. */
static void check_parent_vector(const uint32_t *parent, size_t nodes) {
    const size_t words = words_of(nodes);
    uint64_t *expected = calloc(words + 1, sizeof *expected);
    assert_non_null(expected);
    uint64_t *parens = allocate(words + 1, sizeof *parens);
    uint32_t *expected_order = allocate(nodes, sizeof *expected_order);
    uint32_t *order = allocate(nodes + 1, sizeof *order);

    const bool forest = is_forest(parent, nodes);
    bool in_preorder = forest;
    sequence to = {parent, nodes, expected, expected_order, 0, 0};
    for (size_t node = 0; forest && node < nodes; node++)
        if (is_root(parent, node))
            write_subtree(&to, node);
    for (size_t k = 0; forest && k < nodes; k++)
        in_preorder = in_preorder && expected_order[k] == k;

    parens[words] = CANARY_WORD;
    order[nodes] = CANARY;
    const pm_status status = pm_parens_from_parent(NULL, parent, nodes, parens, order);
    assert_int_equal(status, forest ? PM_OK : PM_INVALID_ARGUMENT);
    if (forest) {
        assert_memory_equal(parens, expected, words * sizeof *parens);
        assert_memory_equal(order, expected_order, nodes * sizeof *order);
    }
    check_parent_verify(parent, nodes, forest, in_preorder);
    const pm_status status_in_preorder = pm_parens_from_parent(NULL, parent, nodes, parens, NULL);
    assert_int_equal(status_in_preorder, in_preorder ? PM_OK : PM_INVALID_ARGUMENT);
    if (in_preorder)
        assert_memory_equal(parens, expected, words * sizeof *parens);
    assert_true(parens[words] == CANARY_WORD);
    assert_int_equal(order[nodes], CANARY);

    free(expected);
    free(parens);
    free(expected_order);
    free(order);
}

/* Every vector of numbers up to the first that is no node, and PM_NONE: all forests, all cycles. */
TEST(test_every_parent_vector_to_6) {
    for (size_t nodes = 0; nodes <= 6; nodes++) {
        uint32_t digits[7] = {0}, parent[6];
        while (digits[nodes] == 0) {
            for (size_t k = 0; k < nodes; k++)
                parent[k] = digits[k] <= nodes ? digits[k] : PM_NONE;
            check_parent_vector(parent, nodes);
            size_t k = 0;
            while (k < nodes && digits[k] == nodes + 1)
                digits[k++] = 0;
            digits[k]++;
        }
    }
}

/* Random forests under random names. In one round of four some parents are replaced, which makes cycles. */
TEST(test_permuted_parent_vectors) {
    enum {
        MOST = 150
    };
    uint64_t seed = 1;
    for (int round = 0; round < 400; round++) {
        const size_t nodes = 1 + random_below(&seed, MOST);
        uint32_t name[MOST], parent[MOST];
        for (size_t k = 0; k < nodes; k++) {
            const size_t other = random_below(&seed, k + 1);
            name[k] = name[other];
            name[other] = (uint32_t)k;
        }
        for (size_t k = 0; k < nodes; k++) {
            const bool root = k == 0 || random_below(&seed, 20) == 0;
            const size_t nearby = k < 3 ? k : 3; /* deep trees; else flat ones */
            const size_t above = k - 1 - (root ? 0 : random_below(&seed, round % 2 ? nearby : k));
            parent[name[k]] = !root ? name[above] : random_below(&seed, 2) ? PM_NONE : name[k];
        }
        if (round % 4 == 3)
            parent[random_below(&seed, nodes)] = (uint32_t)random_below(&seed, nodes);
        check_parent_vector(parent, nodes);
    }
}

/* Depth vectors: valid ones give the sequence with these depths, others an error. */
TEST(test_every_depth_vector_to_6) {
    for (size_t nodes = 0; nodes <= 6; nodes++) {
        uint32_t depth[7] = {0};
        while (depth[nodes] == 0) {
            bool valid = true;
            size_t first = nodes;
            uint64_t expected = 0, parens[2] = {CANARY_WORD, CANARY_WORD};
            size_t length = 0, open = 0;
            for (size_t k = 0; k < nodes && valid; k++) {
                valid = depth[k] <= open;
                first = valid ? nodes : k;
                for (; valid && open > depth[k]; open--)
                    length++;
                expected |= UINT64_C(1) << length++;
                open++;
            }
            assert_int_equal(pm_parens_from_depth(NULL, depth, nodes, parens), valid ? PM_OK : PM_INVALID_ARGUMENT);
            check_depth_verdict(depth, nodes, first);
            if (valid && nodes > 0)
                assert_true(parens[0] == expected);
            assert_true(parens[words_of(nodes)] == CANARY_WORD);
            size_t k = 0;
            while (k < nodes && depth[k] == nodes)
                depth[k++] = 0;
            depth[k]++;
        }
    }
}

/* ---- There and back again ---- */

/* A balanced sequence of n elements gives vectors that give the sequence. */
static void check_round_trips(const uint64_t *parens, size_t n) {
    const size_t nodes = n / 2, words = words_of(nodes);
    uint32_t *match = allocate(n, sizeof *match);
    uint32_t *vector = allocate(nodes, sizeof *vector);
    uint32_t *order = allocate(nodes, sizeof *order);
    uint64_t *back = allocate(words + 1, sizeof *back);
    uint64_t *expected = allocate(words, sizeof *expected);
    memcpy(expected, parens, words * sizeof *expected);
    if (n % 64 != 0)
        expected[words - 1] &= (UINT64_C(1) << n % 64) - 1;
    assert_ok(pm_match_seq(NULL, parens, n, match, NULL));
    back[words] = CANARY_WORD;

    assert_ok(pm_forest_depth(NULL, PM_FOREST_BY_NODE, parens, n, match, vector));
    assert_ok(pm_parens_from_depth(NULL, vector, nodes, back));
    assert_memory_equal(back, expected, words * sizeof *back);

    assert_ok(pm_forest_parent(NULL, PM_FOREST_BY_NODE, parens, n, match, vector));
    assert_ok(pm_parens_from_parent(NULL, vector, nodes, back, NULL));
    assert_memory_equal(back, expected, words * sizeof *back);

    memset(back, 0xff, words * sizeof *back);
    assert_ok(pm_parens_from_parent(NULL, vector, nodes, back, order));
    assert_memory_equal(back, expected, words * sizeof *back);
    for (size_t k = 0; k < nodes; k++)
        assert_true(order[k] == k);
    assert_true(back[words] == CANARY_WORD);

    free(match);
    free(vector);
    free(order);
    free(back);
    free(expected);
}

TEST(test_round_trips_of_every_balanced_string_to_16) {
    for (size_t n = 0; n <= 16; n += 2)
        for (uint64_t bits = 0; bits < UINT64_C(1) << n; bits++) {
            int excess = 0, lowest = 0;
            for (size_t i = 0; i < n; i++) {
                excess += bits >> i & 1 ? 1 : -1;
                lowest = excess < lowest ? excess : lowest;
            }
            const uint64_t parens = bits | UINT64_MAX << n; /* junk past n */
            if (excess == 0 && lowest == 0)
                check_round_trips(&parens, n);
        }
}

TEST(test_round_trips_of_families) {
    static const char *const balanced[] = {"twist:1", "twist:.5", "twist:2", "deep", "flat"};
    static const size_t sizes[] = {62, 64, 66, 126, 128, 130, 4094, 4096, 4098, 70000};
    for (size_t s = 0; s < COUNT_OF(sizes); s++)
        for (size_t f = 0; f < COUNT_OF(balanced); f++) {
            uint64_t *parens = allocate(words_of(sizes[s] / 2), sizeof *parens);
            assert_true(family_fill(balanced[f], s, sizes[s], parens));
            check_round_trips(parens, sizes[s]);
            free(parens);
        }
}

/* ---- What recursion and quadratic searches would not survive ---- */

enum {
    MANY = 1 << 20
};

TEST(test_deep_path) {
    uint32_t *parent = allocate(MANY, sizeof *parent), *order = allocate(MANY, sizeof *order);
    uint64_t *parens = allocate(words_of(MANY), sizeof *parens);
    for (uint32_t k = 0; k < MANY; k++)
        parent[k] = k + 1 < MANY ? k + 1 : PM_NONE; /* numbered from the leaf up */
    assert_ok(pm_parens_from_parent(NULL, parent, MANY, parens, order));
    for (size_t k = 0; k < MANY; k++)
        assert_true(order[k] == MANY - 1 - k);
    for (size_t w = 0; w < words_of(MANY); w++)
        assert_true(parens[w] == (w < words_of(MANY) / 2 ? UINT64_MAX : 0));
    assert_invalid(pm_parens_from_parent(NULL, parent, MANY, parens, NULL));
    check_parent_verdict(parent, MANY, false, MANY);

    parent[MANY - 1] = MANY / 2; /* a cycle, and a path that leads into it */
    assert_invalid(pm_parens_from_parent(NULL, parent, MANY, parens, order));
    assert_invalid(pm_parens_from_parent(NULL, parent, MANY, parens, NULL));
    check_parent_verdict(parent, MANY, false, MANY / 2); /* not 0, which only leads there */
    parent[MANY / 2 + 1] = MANY;
    check_parent_verdict(parent, MANY, false, MANY / 2 + 1);
    free(parent);
    free(order);
    free(parens);
}

TEST(test_wide_star) {
    uint32_t *parent = allocate(MANY, sizeof *parent), *order = allocate(MANY, sizeof *order);
    uint64_t *parens = allocate(words_of(MANY), sizeof *parens);
    for (uint32_t k = 0; k < MANY; k++)
        parent[k] = MANY - 1; /* the root is its own parent */
    assert_ok(pm_parens_from_parent(NULL, parent, MANY, parens, order));
    for (size_t k = 0; k < MANY; k++)
        assert_true(order[k] == (k == 0 ? MANY - 1 : k - 1));
    assert_true(parens[0] == UINT64_C(0xaaaaaaaaaaaaaaab)); /* (()()()... */
    assert_true(parens[words_of(MANY) - 1] == UINT64_C(0x2aaaaaaaaaaaaaaa));
    free(parent);
    free(order);
    free(parens);
}

/* ---- Arguments and memory ---- */

TEST(test_arguments) {
    const uint32_t depth[3] = {0, 1, 3}, parent[2] = {PM_NONE, 0}, deepest[2] = {0, UINT32_MAX};
    uint32_t order[2];
    uint64_t parens;
    assert_ok(pm_parens_from_depth(NULL, NULL, 0, NULL));
    assert_invalid(pm_parens_from_depth(NULL, NULL, 2, &parens));
    assert_invalid(pm_parens_from_depth(NULL, depth, 2, NULL));
    assert_int_equal(pm_parens_from_depth(NULL, depth, TOO_MANY, &parens), PM_TOO_LARGE);
    assert_invalid(pm_parens_from_depth(NULL, depth + 1, 2, &parens)); /* begins at 1 */
    assert_invalid(pm_parens_from_depth(NULL, depth, 3, &parens));     /* jumps */
    assert_invalid(pm_parens_from_depth(NULL, deepest, 2, &parens));
    assert_ok(pm_parens_from_depth(NULL, depth, 2, &parens));
    assert_true(parens == 3);

    assert_ok(pm_parens_from_parent(NULL, NULL, 0, NULL, NULL));
    assert_ok(pm_parens_from_parent(NULL, NULL, 0, NULL, order));
    assert_invalid(pm_parens_from_parent(NULL, NULL, 2, &parens, order));
    assert_invalid(pm_parens_from_parent(NULL, parent, 2, NULL, order));
    assert_int_equal(pm_parens_from_parent(NULL, parent, TOO_MANY, &parens, order), PM_TOO_LARGE);
    assert_ok(pm_depth_verify(NULL, NULL, 0, NULL));
    assert_invalid(pm_depth_verify(NULL, NULL, 2, NULL));
    assert_int_equal(pm_depth_verify(NULL, depth, TOO_MANY, NULL), PM_TOO_LARGE);
    assert_int_equal(pm_depth_verify(NULL, depth, 3, NULL), PM_CORRUPT);
    check_depth_verdict(deepest, 2, 1);
    for (int in_preorder = 0; in_preorder < 2; in_preorder++) {
        assert_ok(pm_parent_verify(NULL, NULL, 0, in_preorder, NULL));
        assert_invalid(pm_parent_verify(NULL, NULL, 2, in_preorder, NULL));
        assert_int_equal(pm_parent_verify(NULL, parent, TOO_MANY, in_preorder, NULL), PM_TOO_LARGE);
        assert_ok(pm_parent_verify(NULL, parent, 2, in_preorder, NULL));
    }
    const uint32_t wild[] = {2, 63, INT32_MAX, UINT32_C(1) << 31, PM_NONE - 1};
    for (size_t w = 0; w < COUNT_OF(wild); w++) {
        const uint32_t bad[2] = {PM_NONE, wild[w]};
        assert_invalid(pm_parens_from_parent(NULL, bad, 2, &parens, order));
        assert_invalid(pm_parens_from_parent(NULL, bad, 2, &parens, NULL));
        assert_int_equal(pm_parent_verify(NULL, bad, 2, false, NULL), PM_CORRUPT);
        check_parent_verdict(bad, 2, false, 1);
        check_parent_verdict(bad, 2, true, 1);
    }
}

TEST(test_out_of_memory) {
    const uint32_t depth[2] = {0, 1}, parent[2] = {1, PM_NONE}, in_preorder[2] = {PM_NONE, 0}, cycle[2] = {1, 0};
    uint32_t order[2];
    uint64_t parens;
    fault_allocator faults = {.fail_at = 2}; /* the one after the context */
    pm_context *context = context_with(&faults);
    assert_ok(pm_parens_from_depth(context, depth, 2, &parens));
    assert_ok(pm_parens_from_parent(context, in_preorder, 2, &parens, NULL));
    assert_int_equal(pm_parens_from_parent(context, parent, 2, &parens, order), PM_OUT_OF_MEMORY);
    assert_ok(pm_parens_from_parent(context, parent, 2, &parens, order));
    assert_int_equal(faults.live_blocks, 1); /* the context alone */
    assert_invalid(pm_parens_from_parent(context, cycle, 2, &parens, order));
    assert_int_equal(faults.live_blocks, 1);
    context_close(context, &faults);

    faults = (fault_allocator){.fail_at = 2};
    assert_ok(fault_allocator_context(&faults, &context));
    assert_ok(pm_depth_verify(context, depth, 2, NULL));
    assert_ok(pm_parent_verify(context, in_preorder, 2, true, NULL));
    assert_int_equal(pm_parent_verify(context, cycle, 2, false, NULL), PM_OUT_OF_MEMORY);
    assert_int_equal(pm_parent_verify(context, cycle, 2, false, NULL), PM_CORRUPT);
    assert_int_equal(faults.live_blocks, 1);
    context_close(context, &faults);
}
