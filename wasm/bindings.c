/* SPDX-License-Identifier: Apache-2.0 */
/* What JavaScript calls: matching, and queries. Texts are in check.c. */
#include <parenmatch.h>

#include "wasm/export.h"

PMI_JS_EXPORT(const char *, version, void) {
    return pm_version_string();
}

PMI_JS_EXPORT(const char *, simd, void) {
    return pm_context_simd(NULL);
}

PMI_JS_EXPORT(const char *, status_text, pm_status status) {
    return pm_status_string(status);
}

/* ---- Matching ---- */

PMI_JS_EXPORT(pm_status, match, const uint64_t *parens, size_t n, uint32_t *match) {
    return pm_match_auto(NULL, parens, n, match, NULL);
}

PMI_JS_EXPORT(pm_status, match_batch, const uint64_t *parens, const uint64_t *offsets, size_t count, uint32_t *match) {
    return pm_match_batch_auto(NULL, parens, offsets, count, match, NULL);
}

/* ---- Queries ---- */

static double from_position(uint64_t position) {
    return position == PM_BP_NONE ? -1 : (double)position;
}

/* A position that no element has, such as -1, becomes one past every sequence. */
static uint64_t to_position(double position) {
    return position >= 0 && position < 0x1p48 ? (uint64_t)position : PM_BP_NONE;
}

/* Returns NULL if there is no memory: a sequence that fits the module's is never too long. */
PMI_JS_EXPORT(pm_bp *, bp_create, const uint64_t *parens, size_t n) {
    pm_bp *bp;
    return pm_bp_create(NULL, parens, n, &bp) == PM_OK ? bp : NULL;
}

PMI_JS_EXPORT(void, bp_destroy, pm_bp *bp) {
    pm_bp_destroy(bp);
}

PMI_JS_EXPORT(size_t, bp_size_in_bytes, const pm_bp *bp) {
    return pm_bp_size_in_bytes(bp);
}

PMI_JS_EXPORT(double, bp_excess, const pm_bp *bp, double i) {
    return (double)pm_bp_excess(bp, to_position(i));
}

PMI_JS_EXPORT(bool, bp_is_leaf, const pm_bp *bp, double node) {
    return pm_bp_is_leaf(bp, to_position(node));
}

PMI_JS_EXPORT(bool, bp_is_ancestor, const pm_bp *bp, double ancestor, double node) {
    return pm_bp_is_ancestor(bp, to_position(ancestor), to_position(node));
}

#define QUERY(name)                                                                                                    \
    PMI_JS_EXPORT(double, bp_##name, const pm_bp *bp, double i) {                                                      \
        return from_position(pm_bp_##name(bp, to_position(i)));                                                        \
    }
#define QUERY_OF_TWO(name)                                                                                             \
    PMI_JS_EXPORT(double, bp_##name, const pm_bp *bp, double a, double b) {                                            \
        return from_position(pm_bp_##name(bp, to_position(a), to_position(b)));                                        \
    }

QUERY(rank_open)
QUERY(rank_close)
QUERY(select_open)
QUERY(select_close)
QUERY(find_close)
QUERY(find_open)
QUERY(enclose)
QUERY(parent)
QUERY(depth)
QUERY(first_child)
QUERY(last_child)
QUERY(next_sibling)
QUERY(prev_sibling)
QUERY(subtree_size)
QUERY(degree)
QUERY(preorder_rank)
QUERY(preorder_select)
QUERY_OF_TWO(child)
QUERY_OF_TWO(level_ancestor)
QUERY_OF_TWO(lca)
