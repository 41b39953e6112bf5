/* SPDX-License-Identifier: Apache-2.0 */
/* The table of variants: one line for each implementation that differs from the others, and width. */
#include "tests/bp/variants.h"

#include <stdio.h>

#include "core/bp/bp.h"
#include "tests/support/unit.h"

enum {
    CONTEXTS_MAX = 8
};

size_t bp_variant_count;
static pm_context *contexts[CONTEXTS_MAX];

static bool is_new(const pm_context *context, size_t count) {
    for (size_t c = 0; c < count; c++)
        if (pmi_simd_of(contexts[c])->bp == pmi_simd_of(context)->bp)
            return false;
    return true;
}

int bp_variants_set_up(void **state) {
    (void)state;
    size_t count = 0;
    for (size_t i = 0; pm_simd_at(i); i++) {
        if (!pm_simd_at(i)->supported)
            continue;
        const pm_options options = {.simd = pm_simd_at(i)->name, .threads = (unsigned)(count % 3)};
        pm_context *context = context_of(&options);
        if (is_new(context, count))
            contexts[count++] = context;
        else
            pm_context_destroy(context);
    }
    bp_variant_count = BP_WAYS * count;
    return 0;
}

int bp_variants_tear_down(void **state) {
    (void)state;
    for (size_t c = 0; c < bp_variant_count / BP_WAYS; c++)
        pm_context_destroy(contexts[c]);
    return 0;
}

/* The ways: indices of one width, kind and structure each. */
static const struct way {
    const char *name;
    bool wide;
    pmi_bp_kind kind; /* as if it were one, by levels */
    pm_bp_structure structure;
} ways[BP_WAYS] = {
    {"narrow", false, PM_BP_NEAR_FLAT, PM_BP_LEVELS},
    {"wide", true, PM_BP_NEAR_FLAT, PM_BP_LEVELS},
    {"narrow, deep", false, PM_BP_NEAR_DEEP, PM_BP_LEVELS},
    {"wide, deep", true, PM_BP_NEAR_DEEP, PM_BP_LEVELS},
    {"narrow, far, flat", false, PM_BP_FAR_FLAT, PM_BP_LEVELS},
    {"wide, far, deep", true, PM_BP_FAR_DEEP, PM_BP_LEVELS},
    {"narrow, pioneers", false, PM_BP_NEAR_FLAT, PM_BP_PIONEERS},
    {"wide, pioneers", true, PM_BP_NEAR_FLAT, PM_BP_PIONEERS},
};

const char *bp_variant_name(size_t variant) {
    static char name[64];
    snprintf(name, sizeof name, "%s, %s", pmi_simd_of(contexts[variant / BP_WAYS])->name, ways[variant % BP_WAYS].name);
    return name;
}

pm_bp *bp_variant_create(size_t variant, const uint64_t *parens, uint64_t n) {
    const struct way *const way = &ways[variant % BP_WAYS];
    const pm_context *const context = contexts[variant / BP_WAYS];
    const pm_bp_options options = {.structure = way->structure};
    pm_bp *bp;
    assert_ok(pmi_bp_create_wide(contexts[variant / BP_WAYS], &options, parens, n, way->wide, &bp));
    if (way->structure == PM_BP_LEVELS)
        bp->queries = pmi_simd_of(context)->bp->queries[way->kind][way->wide];
    if (way->kind == PM_BP_NEAR_DEEP && !way->wide && !bp->far_close)
        assert_true(pmi_bp_add_stretches(bp));
    return bp;
}
