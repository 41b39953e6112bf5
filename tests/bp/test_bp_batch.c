/* SPDX-License-Identifier: Apache-2.0 */
/* The index of many sequences against an index of each. */
#include <string.h>

#include "core/bp/bp.h"
#include "inputs/families.h"
#include "parenmatch/bp_view.h"
#include "tests/bp/variants.h"
#include "tests/support/unit.h"

/* A batch that grows, and the index of each sequence. */
typedef struct batch {
    uint64_t *parens, *offsets;
    size_t count, room;
    const pm_bp **own;
    pm_bp *bp;
} batch;

static batch batch_make(size_t room, size_t sequence_room, uint64_t first) {
    batch made = {.room = room};
    made.parens = allocate(room / 64 + 1, sizeof *made.parens);
    memset(made.parens, 0x5a, (room / 64 + 1) * sizeof *made.parens);
    made.offsets = allocate(sequence_room + 1, sizeof *made.offsets);
    made.own = allocate(sequence_room, sizeof *made.own);
    made.offsets[0] = first;
    return made;
}

static void batch_free(batch *made) {
    pm_bp_destroy(made->bp);
    free(made->parens);
    free(made->offsets);
    free(made->own);
}

/* Appends a sequence, of which `own` is the index. */
static void batch_append(batch *to, const pm_bp *own, const uint64_t *parens) {
    const uint64_t first = to->offsets[to->count], n = pm_bp_length(own);
    assert_true(n <= to->room - first);
    for (uint64_t i = 0; i < n; i++) {
        const uint64_t bit = UINT64_C(1) << (first + i) % 64, word = (first + i) / 64;
        to->parens[word] = pmi_bits_get(parens, i) ? to->parens[word] | bit : to->parens[word] & ~bit;
    }
    to->own[to->count++] = own;
    to->offsets[to->count] = first + n;
}

static void batch_index(batch *all, size_t variant) {
    all->bp = bp_variant_create(variant, all->parens, all->offsets[all->count]);
    assert_true(pmi_bp_cut(all->bp, all->offsets, all->count));
}

/* ---- What is right ---- */

/* A place in the sequence as one in the array. */
static uint64_t moved(uint64_t first, uint64_t place) {
    return place == PM_BP_NONE ? PM_BP_NONE : first + place;
}

#define assert_moved(query) assert_int_equal(pm_bp_##query(bp, first + i), moved(first, pm_bp_##query(own, i)))

static void check_partners(const pm_bp *bp, const pm_bp *own, uint64_t first, uint64_t i) {
    assert_moved(find_close);
    assert_moved(find_open);
    assert_moved(enclose);
    assert_int_equal(pm_bp_excess(bp, first + i), pm_bp_excess(own, i));
}

static void check_node(const pm_bp *bp, const pm_bp *own, uint64_t first, uint64_t i, uint64_t *seed) {
    assert_moved(parent);
    assert_moved(first_child);
    assert_moved(last_child);
    assert_moved(next_sibling);
    assert_moved(prev_sibling);
    assert_int_equal(pm_bp_depth(bp, first + i), pm_bp_depth(own, i));
    assert_int_equal(pm_bp_is_leaf(bp, first + i), pm_bp_is_leaf(own, i));
    assert_int_equal(pm_bp_subtree_size(bp, first + i), pm_bp_subtree_size(own, i));
    assert_int_equal(pm_bp_degree(bp, first + i), pm_bp_degree(own, i));
    for (uint64_t k = 0; k < 3; k++) {
        assert_int_equal(pm_bp_child(bp, first + i, k), moved(first, pm_bp_child(own, i, k)));
        assert_int_equal(pm_bp_level_ancestor(bp, first + i, k), moved(first, pm_bp_level_ancestor(own, i, k)));
    }
    assert_int_equal(pm_bp_level_ancestor(bp, first + i, i + 1), PM_BP_NONE);
    const uint64_t j = random_below(seed, pm_bp_length(own)), rank = pm_bp_preorder_rank(own, i);
    assert_int_equal(pm_bp_lca(bp, first + i, first + j), moved(first, pm_bp_lca(own, i, j)));
    assert_int_equal(pm_bp_is_ancestor(bp, first + i, first + j), pm_bp_is_ancestor(own, i, j));
    assert_int_equal(pm_bp_preorder_rank(bp, first + i),
                     rank == PM_BP_NONE ? PM_BP_NONE : pm_bp_rank_open(bp, first) + rank);
}

/* Queries about a sequence, not about one of its elements. */
static void check_sequence(const pm_bp *bp, const pm_bp *own, uint64_t first, size_t s) {
    const uint64_t n = pm_bp_length(own);
    for (uint64_t k = 0; k <= n; k += 1 + n / 8) {
        assert_int_equal(pm_bp_select_unmatched_close_in(bp, s, k), moved(first, pm_bp_select_unmatched_close(own, k)));
        assert_int_equal(pm_bp_select_unmatched_open_in(bp, s, k), moved(first, pm_bp_select_unmatched_open(own, k)));
        assert_int_equal(pm_bp_rank_open(bp, first + k) - pm_bp_rank_open(bp, first), pm_bp_rank_open(own, k));
        assert_int_equal(pm_bp_rank_close(bp, first + k) - pm_bp_rank_close(bp, first), pm_bp_rank_close(own, k));
    }
    if (n > 0) {
        assert_int_equal(pm_bp_sequence_of(bp, first), s);
        assert_int_equal(pm_bp_sequence_of(bp, first + n - 1), s);
    }
}

/* All elements of sequences up to `step` elements, of longer ones about `step`. */
static void check(const batch *all, uint64_t step, bool nodes) {
    uint64_t seed = 1;
    for (size_t s = 0; s < all->count; s++) {
        const uint64_t first = all->offsets[s], n = all->offsets[s + 1] - first;
        check_sequence(all->bp, all->own[s], first, s);
        for (uint64_t i = 0; i < n; i += 1 + (n > step ? random_below(&seed, 2 * n / step) : 0)) {
            check_partners(all->bp, all->own[s], first, i);
            if (nodes)
                check_node(all->bp, all->own[s], first, i, &seed);
        }
    }
}

/* The queries for many elements answer as the single ones do, in place too. */
static void check_many(const batch *all) {
    static void (*const many[])(const pm_bp *, const uint64_t *, size_t,
                                uint64_t *) = {pm_bp_find_close_many, pm_bp_find_open_many, pm_bp_enclose_many};
    static uint64_t (*const single[])(const pm_bp *, uint64_t) = {pm_bp_find_close, pm_bp_find_open, pm_bp_enclose};
    uint64_t elements[1000], answers[1000], seed = 9;
    for (size_t q = 0; q < COUNT_OF(many); q++) {
        for (size_t k = 0; k < COUNT_OF(elements); k++)
            elements[k] = random_below(&seed, all->offsets[all->count] + 3);
        many[q](all->bp, elements, COUNT_OF(elements), answers);
        for (size_t k = 0; k < COUNT_OF(elements); k++)
            assert_int_equal(answers[k], single[q](all->bp, elements[k]));
        many[q](all->bp, elements, COUNT_OF(elements), elements);
        assert_memory_equal(elements, answers, sizeof answers);
    }
}

/* ---- Tests ---- */

/* To as many elements; to fewer where sanitizers make that slow. */
enum {
#ifdef NDEBUG
    TOGETHER_TO = 10,
    ALONE_TO = 6
#else
    TOGETHER_TO = 7,
    ALONE_TO = 4
#endif
};

/* The index of each sequence of up to TOGETHER_TO elements, at 2^n + its bits. */
static pm_bp *own_of_all[2 << TOGETHER_TO];
static uint64_t bits_of_all[2 << TOGETHER_TO];

static void make_all(void) {
    for (unsigned n = 0; n <= TOGETHER_TO; n++)
        for (uint64_t bits = 0; bits < UINT64_C(1) << n; bits++) {
            const size_t at = (size_t)((UINT64_C(1) << n) + bits);
            bits_of_all[at] = bits;
            assert_ok(pm_bp_create(NULL, &bits_of_all[at], n, &own_of_all[at]));
        }
}

static void free_all(void) {
    for (size_t at = 1; at < COUNT_OF(own_of_all); at++)
        pm_bp_destroy(own_of_all[at]);
}

/* Cuts n elements after each whose bit is set. */
static void append_cut(batch *to, uint64_t parens, uint64_t cuts, unsigned n) {
    for (unsigned begin = 0, end; begin < n; begin = end) {
        end = begin + 1;
        while (end < n && !(cuts >> (end - 1) & 1))
            end++;
        const uint64_t length = UINT64_C(1) << (end - begin);
        const size_t at = (size_t)(length + (parens >> begin & (length - 1)));
        batch_append(to, own_of_all[at], &bits_of_all[at]);
    }
}

TEST(test_every_cut_sequence_in_one_batch) {
    make_all();
    batch all = batch_make((size_t)8 << 20, (size_t)6 << 20, 5);
    for (unsigned n = 1; n <= TOGETHER_TO; n++)
        for (uint64_t parens = 0; parens < UINT64_C(1) << n; parens++)
            for (uint64_t cuts = 0; cuts < UINT64_C(1) << (n - 1); cuts++)
                append_cut(&all, parens, cuts, n);
    batch_index(&all, 0);
    check(&all, UINT64_MAX, false);
    check_many(&all);
    batch_free(&all);
    free_all();
}

TEST(test_every_cut_sequence_by_itself) {
    make_all();
    size_t variant = 0;
    for (unsigned n = 1; n <= ALONE_TO; n++)
        for (uint64_t parens = 0; parens < UINT64_C(1) << n; parens++)
            for (uint64_t cuts = 0; cuts < UINT64_C(1) << n; cuts++) {
                batch one = batch_make(n + 2, n + 2, parens % 3);
                batch_append(&one, own_of_all[1], NULL);
                append_cut(&one, parens, cuts, n);
                batch_append(&one, own_of_all[1], NULL);
                batch_index(&one, variant++ % bp_variant_count);
                for (int round = 0; round < 3; round++)
                    check(&one, UINT64_MAX, true);
                batch_free(&one);
            }
    free_all();
}

/* Lengths around words, blocks and superblocks, with empty sequences and very short ones between them. Neighbours are
 * of different families, so that some leave much open, and others close more than they open. */
TEST(test_families) {
    static const size_t lengths[] = {0,   1,   2, 63, 64, 65,   127,  129,  0,    511,   512,
                                     513, 514, 1, 1,  0,  8191, 8192, 8193, 4097, 16385, 3};
    enum {
        SEQUENCES = 2 * COUNT_OF(lengths)
    };
    size_t families = 0;
    while (family_names[families])
        families++;
    pm_bp *own[SEQUENCES];
    uint64_t *words[SEQUENCES], seed = 3;
    for (size_t variant = 0; variant < bp_variant_count; variant++) {
        batch all = batch_make((size_t)1 << 17, SEQUENCES, variant * 37);
        for (size_t s = 0; s < SEQUENCES; s++) {
            const size_t n = lengths[s % COUNT_OF(lengths)];
            words[s] = allocate(n / 64 + 1, sizeof **words);
            assert_true(n == 0 || family_fill(family_names[random_below(&seed, families)], variant, n, words[s]));
            assert_ok(pm_bp_create(NULL, words[s], n, &own[s]));
            batch_append(&all, own[s], words[s]);
        }
        batch_index(&all, variant);
        check(&all, 60, true);
        check_many(&all);
        batch_free(&all);
        for (size_t s = 0; s < SEQUENCES; s++) {
            pm_bp_destroy(own[s]);
            free(words[s]);
        }
    }
}

/* Elements before the first offset are a sequence without a number. */
TEST(test_before_the_first_offset) {
    const uint64_t parens = 0x0f; /* (((())))((((...: cut in the middle of a tree */
    const uint64_t offsets[] = {3, 6};
    pm_bp *bp;
    assert_ok(pm_bp_create_batch(NULL, NULL, &parens, offsets, 1, &bp));
    assert_int_equal(pm_bp_length(bp), 6);
    assert_int_equal(pm_bp_find_close(bp, 2), PM_BP_NONE);
    assert_int_equal(pm_bp_enclose(bp, 2), 1);
    assert_int_equal(pm_bp_enclose(bp, 3), PM_BP_NONE);
    assert_int_equal(pm_bp_find_close(bp, 3), 4);
    assert_int_equal(pm_bp_find_open(bp, 5), PM_BP_NONE);
    assert_int_equal(pm_bp_sequence_of(bp, 2), PM_BP_NONE);
    assert_int_equal(pm_bp_sequence_of(bp, 3), 0);
    assert_int_equal(pm_bp_sequence_of(bp, 6), PM_BP_NONE);
    assert_int_equal(pm_bp_lca(bp, 2, 3), PM_BP_NONE);
    assert_int_equal(pm_bp_subtree_size(bp, 0), 3);
    assert_int_equal(pm_bp_excess(bp, UINT64_MAX), -1);
    assert_int_equal(pm_bp_select_unmatched_close(bp, 0), PM_BP_NONE);
    assert_int_equal(pm_bp_select_unmatched_open(bp, 0), PM_BP_NONE);
    assert_int_equal(pm_bp_select_unmatched_close_in(bp, 0, 0), 5);
    assert_int_equal(pm_bp_select_unmatched_close_in(bp, 1, 0), PM_BP_NONE);
    assert_int_equal(pm_bp_select_unmatched_open_in(bp, UINT64_MAX, 0), PM_BP_NONE);
    pm_bp_destroy(bp);
}

TEST(test_one_sequence_has_number_0) {
    const uint64_t parens = 0x6; /* )(()  */
    pm_bp *bp;
    assert_ok(pm_bp_create(NULL, &parens, 4, &bp));
    assert_int_equal(pm_bp_sequence_of(bp, 3), 0);
    assert_int_equal(pm_bp_sequence_of(bp, 4), PM_BP_NONE);
    assert_int_equal(pm_bp_select_unmatched_close_in(bp, 0, 0), 0);
    assert_int_equal(pm_bp_select_unmatched_open_in(bp, 0, 0), 1);
    assert_int_equal(pm_bp_select_unmatched_open_in(bp, 1, 0), PM_BP_NONE);
    pm_bp_destroy(bp);
}

TEST(test_arguments) {
    const uint64_t parens = 5, offsets[] = {0, 2, 2, 5}, descending[] = {0, 3, 2},
                   large[] = {0, (UINT64_C(1) << 48) + 1};
    pm_bp *bp = NULL;
    pm_bp_view view;
    assert_ok(pm_bp_create_batch(NULL, NULL, &parens, offsets, 3, &bp));
    assert_int_equal(pm_bp_view_of(bp, &view), PM_UNSUPPORTED);
    assert_int_equal(pm_bp_save(bp, "/nowhere/batch.index"), PM_UNSUPPORTED);
    pm_bp_destroy(bp);
    assert_ok(pm_bp_create_batch(NULL, NULL, NULL, NULL, 0, &bp));
    assert_int_equal(pm_bp_find_close(bp, 0), PM_BP_NONE);
    assert_int_equal(pm_bp_excess(bp, 0), 0);
    assert_int_equal(pm_bp_sequence_of(bp, 0), PM_BP_NONE);
    assert_int_equal(pm_bp_select_unmatched_open_in(bp, 0, 0), PM_BP_NONE);
    pm_bp_destroy(bp);
    assert_invalid(pm_bp_create_batch(NULL, NULL, &parens, offsets, 3, NULL));
    assert_invalid(pm_bp_create_batch(NULL, NULL, &parens, NULL, 3, &bp));
    assert_null(bp);
    assert_invalid(pm_bp_create_batch(NULL, NULL, &parens, descending, 2, &bp));
    assert_invalid(pm_bp_create_batch(NULL, NULL, NULL, offsets, 3, &bp));
    assert_invalid(
        pm_bp_create_batch(NULL, &(pm_bp_options){.structure = (pm_bp_structure)2}, &parens, offsets, 3, &bp));
    assert_int_equal(pm_bp_create_batch(NULL, NULL, &parens, large, 1, &bp), PM_TOO_LARGE);
    assert_null(bp);
}

TEST(test_no_memory) {
    const uint64_t parens = 5, offsets[] = {0, 2, 2, 5};
    pm_bp *bp;
    size_t failures = 0;
    for (pm_status status = PM_OUT_OF_MEMORY; status != PM_OK; failures++) {
        fault_allocator memory = {0};
        pm_context *const context = context_with(&memory);
        memory.fail_at = memory.calls + failures + 1;
        status = pm_bp_create_batch(context, NULL, &parens, offsets, 3, &bp);
        assert_true(status == PM_OUT_OF_MEMORY ? bp == NULL : status == PM_OK);
        pm_bp_destroy(bp);
        context_close(context, &memory);
    }
    assert_true(failures > 3);
}

int main(void) {
    return tests_run_between(bp_variants_set_up, bp_variants_tear_down);
}
