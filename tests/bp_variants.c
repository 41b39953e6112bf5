/* SPDX-License-Identifier: Apache-2.0 */
/* The table of variants: one line for each implementation that differs from the others, and width. */
#include "tests/bp_variants.h"

#include <stdio.h>

#include "core/bp.h"
#include "core/bp_dispatch.h"
#include "tests/cmocka_all.h"

enum {
    CONTEXTS_MAX = 8
};

size_t bp_variant_count;
static pm_context *contexts[CONTEXTS_MAX];

static bool is_new(const pm_context *context, size_t count) {
    for (size_t c = 0; c < count; c++)
        if (pm_bp_kernel_of(contexts[c]) == pm_bp_kernel_of(context))
            return false;
    return true;
}

int bp_variants_set_up(void **state) {
    (void)state;
    size_t count = 0;
    for (size_t i = 0; i < pm_simd_count(); i++) {
        if (!pm_simd_supported(i))
            continue;
        const pm_options options = {.simd = pm_simd_name(i), .threads = (unsigned)(count % 3)};
        pm_context *context;
        assert_int_equal(pm_context_create(&options, &context), PM_OK);
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

static bool is_wide(size_t variant) {
    return variant % 2;
}

static bool has_pioneers(size_t variant) {
    return variant / 2 % 2;
}

const char *bp_variant_name(size_t variant) {
    static char name[64];
    snprintf(name, sizeof name, "%s, %s%s", pm_bp_kernel_of(contexts[variant / BP_WAYS])->name,
             is_wide(variant) ? "wide" : "narrow", has_pioneers(variant) ? ", pioneers" : "");
    return name;
}

pm_bp *bp_variant_create(size_t variant, const uint64_t *parens, uint64_t n) {
    const pm_bp_options options = {.structure = has_pioneers(variant) ? PM_BP_PIONEERS : PM_BP_LEVELS};
    pm_bp *bp;
    assert_int_equal(pm_bp_create_wide(contexts[variant / BP_WAYS], &options, parens, n, is_wide(variant), &bp), PM_OK);
    return bp;
}
