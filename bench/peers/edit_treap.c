/* SPDX-License-Identifier: Apache-2.0 */
/* A treap of runs of equal elements. Each node has the length, excess and minimum excess of its subtree. */
#include <stdlib.h>

#include "bench/peers/edit_peers.h"
#include "inputs/families.h"
#include "parenmatch.h"

struct run {
    struct run *left, *right;
    uint64_t length, all;   /* of the run, and of its subtree */
    int64_t excess, lowest; /* of the subtree; the latter also before its first element */
    uint32_t priority;
    bool open;
};

struct treap {
    struct run *root;
    uint64_t seed;
};

static uint64_t length_of(const struct run *run) {
    return run ? run->all : 0;
}
static int64_t excess_of(const struct run *run) {
    return run ? run->excess : 0;
}
static int64_t lowest_of(const struct run *run) {
    return run ? run->lowest : 0;
}
static int64_t rise_of(const struct run *run) {
    return run->open ? (int64_t)run->length : -(int64_t)run->length;
}

static int64_t lower(int64_t a, int64_t b) {
    return a < b ? a : b;
}

static struct run *sum(struct run *run) {
    const int64_t before = excess_of(run->left), after = before + rise_of(run);
    run->all = length_of(run->left) + run->length + length_of(run->right);
    run->excess = after + excess_of(run->right);
    run->lowest = lower(lower(lowest_of(run->left), after), after + lowest_of(run->right));
    return run;
}

static struct run *make(struct treap *treap, bool open, uint64_t length) {
    struct run *const run = malloc(sizeof *run);
    if (!run)
        abort();
    *run = (struct run){.length = length, .priority = (uint32_t)random_next(&treap->seed), .open = open};
    return sum(run);
}

static struct run *merge(struct run *a, struct run *b) {
    if (!a || !b)
        return a ? a : b;
    if (a->priority > b->priority) {
        a->right = merge(a->right, b);
        return sum(a);
    }
    b->left = merge(a, b->left);
    return sum(b);
}

/* Cuts before element `at`. */
static void split(struct treap *treap, struct run *run, uint64_t at, struct run **a, struct run **b) {
    if (!run) {
        *a = *b = NULL;
        return;
    }
    const uint64_t begin = length_of(run->left);
    if (at <= begin) {
        split(treap, run->left, at, a, &run->left);
        *b = sum(run);
    } else if (at >= begin + run->length) {
        split(treap, run->right, at - begin - run->length, &run->right, b);
        *a = sum(run);
    } else {
        struct run *const right = run->right, *const rest = make(treap, run->open, begin + run->length - at);
        run->length = at - begin;
        run->right = NULL;
        *a = sum(run);
        *b = merge(rest, right);
    }
}

static struct run *treap_of(struct treap *treap, const uint64_t *parens, uint64_t n) {
    struct run *all = NULL;
    for (uint64_t i = 0, end; i < n; i = end) {
        const bool open = parens[i / 64] >> i % 64 & 1;
        for (end = i + 1; end < n && (parens[end / 64] >> end % 64 & 1) == open; end++)
            continue;
        all = merge(all, make(treap, open, end - i));
    }
    return all;
}

static void destroy_runs(struct run *run) {
    if (!run)
        return;
    destroy_runs(run->left);
    destroy_runs(run->right);
    free(run);
}

static void *treap_create(const uint64_t *parens, uint64_t n, const char *simd) {
    (void)simd;
    struct treap *const treap = calloc(1, sizeof *treap);
    if (treap)
        treap->root = treap_of(treap, parens, n);
    return treap;
}

static void treap_destroy(void *edit) {
    struct treap *const treap = edit;
    if (treap)
        destroy_runs(treap->root);
    free(treap);
}

static bool treap_replace(void *edit, uint64_t at, uint64_t removed, const uint64_t *parens, uint64_t inserted) {
    struct treap *const treap = edit;
    struct run *before, *gone, *behind;
    split(treap, treap->root, at, &before, &behind);
    split(treap, behind, removed, &gone, &behind);
    destroy_runs(gone);
    treap->root = merge(merge(before, treap_of(treap, parens, inserted)), behind);
    return true;
}

/* The first element from `from` on after which the excess is at most `wanted`, relative to the subtree; or its length.
 */
static uint64_t first_below(const struct run *run, uint64_t from, int64_t wanted) {
    if (!run || run->lowest > wanted || from >= run->all)
        return length_of(run);
    const uint64_t begin = length_of(run->left), end = begin + run->length;
    const int64_t before = excess_of(run->left);
    const uint64_t in_left = from < begin ? first_below(run->left, from, wanted) : begin;
    if (in_left < begin)
        return in_left;
    const uint64_t first = from > begin ? from : begin;
    if (!run->open && first < end && before - (int64_t)run->length <= wanted) {
        const uint64_t falls = (uint64_t)(before - wanted) + begin; /* elements until there */
        return falls > first ? falls - 1 : first;
    }
    return end + first_below(run->right, from > end ? from - end : 0, wanted - before - rise_of(run));
}

static uint64_t treap_find_close(const void *edit, uint64_t i) {
    const struct treap *const treap = edit;
    int64_t excess = 0;
    uint64_t at = i;
    for (const struct run *run = treap->root; run;) {
        const uint64_t begin = length_of(run->left);
        if (at < begin) {
            run = run->left;
            continue;
        }
        excess += excess_of(run->left);
        if (at < begin + run->length) {
            if (!run->open)
                return PM_BP_NONE;
            excess += (int64_t)(at - begin);
            break;
        }
        excess += rise_of(run);
        at -= begin + run->length;
        run = run->right;
    }
    const uint64_t found = first_below(treap->root, i + 1, excess);
    return found < length_of(treap->root) ? found : PM_BP_NONE;
}

static size_t count_runs(const struct run *run) {
    return run ? 1 + count_runs(run->left) + count_runs(run->right) : 0;
}

static size_t treap_size(const void *edit) {
    return count_runs(((const struct treap *)edit)->root) * sizeof(struct run);
}

const struct edit_peer edit_peer_treap = {"treap",       false,         UINT64_C(1) << 22, treap_create,
                                          treap_destroy, treap_replace, treap_find_close,  treap_size};
