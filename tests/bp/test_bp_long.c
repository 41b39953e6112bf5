/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Queries past 2^32 elements: one file of 16 MiB mapped so often that it makes a sequence of more than half a gigabyte,
 * which takes hardly any memory. An open, then as many () as there is room for, and the close of the first open.
 */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS, ftruncate */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "parenmatch.h"
#include "tests/support/unit.h"

#define PART ((size_t)16 << 20)
#define PARTS 33
#define N ((uint64_t)PART * 8 * PARTS)

static uint64_t *sequence;
static pm_bp *bp;

static void map_parts(int file, unsigned char *at) {
    for (size_t p = 0; p < PARTS; p++) {
        const int protection = PROT_READ | PROT_WRITE;
        assert_true(mmap(at + p * PART, PART, protection, MAP_PRIVATE | MAP_FIXED, file, 0) != MAP_FAILED);
    }
}

static int set_up(void **state) {
    (void)state;
    FILE *const file = tmpfile();
    void *const room = mmap(NULL, PARTS * PART, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (!file || room == MAP_FAILED || ftruncate(fileno(file), (off_t)PART) != 0)
        return 0; /* the tests are skipped */
    void *const part = mmap(NULL, PART, PROT_READ | PROT_WRITE, MAP_SHARED, fileno(file), 0);
    assert_true(part != MAP_FAILED);
    memset(part, 0xaa, PART); /* closes at even elements, opens at odd ones */
    munmap(part, PART);
    map_parts(fileno(file), room);
    fclose(file);
    sequence = room;
    sequence[0] |= 1;
    sequence[N / 64 - 1] ^= UINT64_C(1) << 63;
    assert_ok(pm_bp_create(NULL, sequence, N, &bp));
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    pm_bp_destroy(bp);
    if (sequence)
        munmap(sequence, PARTS * PART);
    return 0;
}

static const uint64_t places[] = {3,
                                  65535,
                                  (UINT64_C(1) << 31) - 1,
                                  (UINT64_C(1) << 31) + 1,
                                  (UINT64_C(1) << 32) - 513,
                                  (UINT64_C(1) << 32) - 1,
                                  (UINT64_C(1) << 32) + 1,
                                  (UINT64_C(1) << 32) + 8191,
                                  N - 3};

TEST(test_far_partners) {
    if (!bp)
        skip();
    assert_int_equal(pm_bp_find_close(bp, 0), N - 1);
    assert_int_equal(pm_bp_find_open(bp, N - 1), 0);
    for (size_t p = 0; p < COUNT_OF(places); p++) {
        const uint64_t i = places[p];
        assert_int_equal(pm_bp_find_close(bp, i), i + 1);
        assert_int_equal(pm_bp_find_open(bp, i + 1), i);
        assert_int_equal(pm_bp_enclose(bp, i), 0);
        assert_int_equal(pm_bp_enclose(bp, i + 1), i);
        assert_int_equal(pm_bp_excess(bp, i), 2);
        assert_int_equal(pm_bp_rank_open(bp, i), (i + 1) / 2);
        assert_int_equal(pm_bp_select_open(bp, (i + 1) / 2), i);
        assert_int_equal(pm_bp_select_close(bp, (i - 1) / 2), i + 1);
    }
    assert_int_equal(pm_bp_rank_open(bp, N), N / 2);
    uint64_t many[] = {0, (UINT64_C(1) << 32) + 1, (UINT64_C(1) << 32) + 2};
    pm_bp_find_close_many(bp, many, 3, many);
    assert_int_equal(many[0], N - 1);
    assert_int_equal(many[1], (UINT64_C(1) << 32) + 2);
    assert_int_equal(many[2], PM_BP_NONE);
}

TEST(test_tree) {
    if (!bp)
        skip();
    assert_int_equal(pm_bp_subtree_size(bp, 0), N / 2);
    assert_int_equal(pm_bp_last_child(bp, 0), N - 3);
    assert_int_equal(pm_bp_child(bp, 0, 5000), 10001);
    assert_int_equal(pm_bp_lca(bp, 1, N - 3), 0);
    for (size_t p = 0; p < COUNT_OF(places); p++) {
        const uint64_t i = places[p];
        assert_int_equal(pm_bp_depth(bp, i), 1);
        assert_int_equal(pm_bp_level_ancestor(bp, i, 1), 0);
        assert_int_equal(pm_bp_level_ancestor(bp, i, 2), PM_BP_NONE);
        assert_int_equal(pm_bp_prev_sibling(bp, i), i - 2);
        assert_int_equal(pm_bp_next_sibling(bp, i), i == N - 3 ? PM_BP_NONE : i + 2);
        assert_int_equal(pm_bp_lca(bp, i, 1), 0);
    }
}

/* A close in the middle made an open takes the last close, and two opens stay open. */
TEST(test_unbalanced) {
    if (!bp)
        skip();
    const uint64_t middle = (UINT64_C(1) << 32) + 2;
    sequence[middle / 64] ^= UINT64_C(1) << middle % 64;
    pm_bp *unbalanced;
    assert_ok(pm_bp_create(NULL, sequence, N, &unbalanced));
    assert_int_equal(pm_bp_find_close(unbalanced, 0), PM_BP_NONE);
    assert_int_equal(pm_bp_find_close(unbalanced, middle - 1), PM_BP_NONE);
    assert_int_equal(pm_bp_find_close(unbalanced, middle), N - 1);
    assert_int_equal(pm_bp_find_open(unbalanced, N - 1), middle);
    assert_int_equal(pm_bp_enclose(unbalanced, N - 3), middle);
    assert_int_equal(pm_bp_level_ancestor(unbalanced, N - 3, 3), 0);
    assert_int_equal(pm_bp_lca(unbalanced, 1, N - 3), 0);
    assert_int_equal(pm_bp_last_child(unbalanced, 0), middle - 1);
    assert_int_equal(pm_bp_excess(unbalanced, N - 1), 2);
    pm_bp_destroy(unbalanced);
    sequence[middle / 64] ^= UINT64_C(1) << middle % 64;
}

int main(void) {
    return tests_run_between(set_up, tear_down);
}
