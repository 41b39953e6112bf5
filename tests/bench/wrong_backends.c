/* SPDX-License-Identifier: Apache-2.0 */
/* A table of one right backend and of wrong ones, each in a different way: pm_bench must find out which. */
#include "bench/backends.h"

#define CALLS_TO_PROVE 4096u /* before the clock starts: one for each version of an input of 256 elements */

static pm_status right(pm_context *context, const uint64_t *parens, size_t n, uint32_t *match, pm_bic *total) {
    return pm_match_seq(context, parens, n, match, total);
}

static pm_status last_match(pm_context *context, const uint64_t *parens, size_t n, uint32_t *match, pm_bic *total) {
    const pm_status status = pm_match_seq(context, parens, n, match, total);
    match[n - 1] ^= 1;
    return status;
}

static pm_status total_open(pm_context *context, const uint64_t *parens, size_t n, uint32_t *match, pm_bic *total) {
    const pm_status status = pm_match_seq(context, parens, n, match, total);
    total->open++;
    return status;
}

/* Right until it has been proved right. */
static pm_status late(pm_context *context, const uint64_t *parens, size_t n, uint32_t *match, pm_bic *total) {
    static unsigned calls;
    return (++calls > CALLS_TO_PROVE ? last_match : pm_match_seq)(context, parens, n, match, total);
}

/* Wrong now and then, once it has been proved right: in one call of 16, by a hash of its number. */
static pm_status seldom(pm_context *context, const uint64_t *parens, size_t n, uint32_t *match, pm_bic *total) {
    static uint64_t calls;
    const bool wrong = ++calls > CALLS_TO_PROVE && calls * UINT64_C(0x9e3779b97f4a7c15) >> 60 == 0;
    return (wrong ? last_match : pm_match_seq)(context, parens, n, match, total);
}

static pm_status nothing(pm_context *context, const uint64_t *parens, size_t n, uint32_t *match, pm_bic *total) {
    (void)context, (void)parens, (void)n, (void)match;
    *total = (pm_bic){0, 0};
    return PM_OK;
}

static pm_status failing(pm_context *context, const uint64_t *parens, size_t n, uint32_t *match, pm_bic *total) {
    pm_match_seq(context, parens, n, match, total);
    return PM_OUT_OF_MEMORY;
}

static const struct backend table[] = {
    {"right", "none", 1, right, false},           {"last_match", "none", 1, last_match, false},
    {"total_open", "none", 1, total_open, false}, {"late", "none", 1, late, false},
    {"seldom", "none", 1, seldom, false},         {"nothing", "none", 1, nothing, false},
    {"failing", "none", 1, failing, false}};

bool backend_at(size_t index, struct backend *backend) {
    if (index >= sizeof table / sizeof *table)
        return false;
    *backend = table[index];
    return true;
}
