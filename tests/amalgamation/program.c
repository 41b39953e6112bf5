/* SPDX-License-Identifier: Apache-2.0 */
/* A program of another project: compares what the one file answers with a plain stack and prints the version. */
#include "parenmatch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST 800000u

/* What a plain stack finds. P is the excess before each element; node arrays are of opens. */
static uint64_t parens[LONGEST / 64 + 1];
static uint32_t match[LONGEST];
static uint64_t close_of[LONGEST], below[LONGEST], open_at[LONGEST], stack[LONGEST], children[LONGEST];
static int64_t P[LONGEST + 1];

static uint64_t seed = 1;

static uint64_t next_random(void) {
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed;
}

static bool is_open(uint64_t i) {
    return parens[i / 64] >> i % 64 & 1;
}

#define EXPECT(what) ((what) ? (void)0 : fail(#what, n, i))

static void fail(const char *what, uint64_t n, uint64_t i) {
    printf("n = %llu, i = %llu: %s\n", (unsigned long long)n, (unsigned long long)i, what);
    exit(1);
}

/* Fills the arrays; returns the number of opens. */
static uint64_t by_stack(uint64_t n, pm_bic *total) {
    uint64_t depth = 0, opens = 0;
    *total = (pm_bic){0, 0};
    for (uint64_t i = 0; i < n; i++) {
        below[i] = depth > 0 ? stack[depth - 1] : PM_BP_NONE;
        close_of[i] = PM_BP_NONE;
        children[i] = 0;
        P[i + 1] = P[i] + (is_open(i) ? 1 : -1);
        if (is_open(i)) {
            if (depth > 0)
                children[stack[depth - 1]]++;
            stack[depth++] = i;
            open_at[opens++] = i;
        } else if (depth > 0) {
            close_of[stack[--depth]] = i;
        } else {
            total->close++;
        }
    }
    total->open = depth;
    return opens;
}

static void check_match(uint64_t n, pm_bic expected) {
    uint64_t i = 0;
    pm_bic total = {1, 1};
    size_t wrong = 0;
    memset(match, 0, n * sizeof *match);
    EXPECT(pm_match_auto(NULL, parens, n, match, &total) == PM_OK);
    EXPECT(total.close == expected.close && total.open == expected.open);
    for (i = 0; i < n; i++)
        EXPECT(match[i] == (uint32_t)below[i]);
    EXPECT(pm_match_verify(NULL, parens, n, match, &wrong) == PM_OK);
}

/* The queries that take more than an element. */
static void check_pairs(const pm_bp *bp, uint64_t n, uint64_t opens, uint64_t i) {
    const uint64_t node = open_at[next_random() % opens], other = open_at[next_random() % opens];
    uint64_t up = node, distance = 0;
    for (; distance < 40 && up != PM_BP_NONE; distance++, up = below[up])
        EXPECT(pm_bp_level_ancestor(bp, node, distance) == up);
    const uint64_t first = node < other ? node : other, second = node < other ? other : node;
    uint64_t ancestor = first;
    while (ancestor != PM_BP_NONE && close_of[ancestor] < second)
        ancestor = below[ancestor];
    EXPECT(pm_bp_lca(bp, node, other) == ancestor);
    if (children[node] > 0) {
        uint64_t child = node + 1;
        for (uint64_t k = 0; k < children[node] && k < 50; k++, child = close_of[child] + 1)
            EXPECT(pm_bp_child(bp, node, k) == child);
        EXPECT(pm_bp_child(bp, node, children[node]) == PM_BP_NONE);
    }
}

static void check_queries(uint64_t n, uint64_t opens, uint64_t step, pm_bp_structure structure) {
    const pm_bp_options options = {.struct_size = sizeof options, .structure = structure};
    uint64_t i = 0, rank = 0;
    int64_t lowest = 0;
    pm_bp *bp;
    EXPECT(pm_bp_create_with(NULL, &options, parens, n, &bp) == PM_OK);
    for (i = 0; i < n; rank += is_open(i), i++) {
        if (P[i] < lowest)
            lowest = P[i];
        if (step > 1 && next_random() % step != 0)
            continue;
        EXPECT(pm_bp_rank_open(bp, i) == rank);
        EXPECT(pm_bp_excess(bp, i) == P[i + 1]);
        EXPECT(pm_bp_enclose(bp, i) == below[i]);
        EXPECT(pm_bp_find_open(bp, i) == (is_open(i) ? PM_BP_NONE : below[i]));
        EXPECT(pm_bp_find_close(bp, i) == close_of[i]);
        if (!is_open(i))
            continue;
        EXPECT(pm_bp_select_open(bp, rank) == i);
        EXPECT(pm_bp_depth(bp, i) == (uint64_t)(P[i] - lowest));
        EXPECT(pm_bp_degree(bp, i) == children[i]);
    }
    for (i = 0; opens > 0 && i < n && i < 2000; i++)
        check_pairs(bp, n, opens, i);
    EXPECT(pm_bp_rank_open(bp, n) == opens);
    EXPECT(pm_bp_select_open(bp, opens) == PM_BP_NONE);
    EXPECT(pm_bp_find_close(bp, n) == PM_BP_NONE);
    pm_bp_destroy(bp);
}

static void check(uint64_t n, uint64_t step) {
    pm_bic total;
    const uint64_t opens = by_stack(n, &total);
    check_match(n, total);
    check_queries(n, opens, step, PM_BP_LEVELS);
    check_queries(n, opens, step, PM_BP_PIONEERS);
}

/* A walk that goes up in `up` of 16 steps to its middle, and then down as often: deep, flat or unbalanced. */
static void fill(uint64_t n, unsigned up) {
    memset(parens, 0, sizeof parens);
    for (uint64_t i = 0; i < n; i++) {
        const bool open = next_random() % 16 < (i < n / 2 ? up : 16 - up);
        parens[i / 64] |= (uint64_t)open << i % 64;
    }
    parens[n / 64] |= UINT64_MAX << n % 64; /* bits past n do not count */
}

int main(void) {
    static const uint64_t around[] = {64, 128, 512, 8192, 262144, 786432};
    for (uint64_t n = 0; n <= 10; n++)
        for (uint64_t word = 0; word < (uint64_t)1 << n; word++) {
            parens[0] = word;
            check(n, 1);
        }
    for (size_t k = 0; k < sizeof around / sizeof *around; k++)
        for (unsigned up = 4; up <= 16; up += 2) {
            const uint64_t n = around[k] - 1 + next_random() % 3;
            fill(n, up);
            check(n, n / 2000 + 1);
        }
    for (int i = 0; i < 64; i++) {
        uint64_t n = 64, word = next_random();
        pm_bic total;
        parens[0] = word;
        by_stack(n, &total);
        EXPECT(pm_word_find_close(word, i) == (close_of[i] == PM_BP_NONE ? -1 : (int)close_of[i]));
        EXPECT(pm_word_far_open_count(word) == (int)total.open);
    }
    puts(pm_version_string());
    return 0;
}
