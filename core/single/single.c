/* SPDX-License-Identifier: Apache-2.0 */
/* Contexts, threads and the choice of a backend, where there is only one of each. */
#include "base/arguments.h"
#include "core/single/context.h"
#include "cpu/threads.h"

#include <stdlib.h>
#include <string.h>

static void *default_alloc(size_t size, void *user) {
    (void)user;
    return malloc(size);
}

static void default_free(void *block, void *user) {
    (void)user;
    free(block);
}

static const pm_allocator default_allocator = {default_alloc, default_free, NULL};

static const pm_simd_info only_simd = {"plain", "64-bit words, no vectors", true};

const pm_simd_info *pm_simd_at(size_t index) {
    return index == 0 ? &only_simd : NULL;
}

const pmi_simd_target *pmi_simd_of(const pm_context *context) {
    static const pmi_simd_target only_target = {&pmi_bp_kernel_plain};
    (void)context;
    return &only_target;
}

pm_status pm_context_create(const pm_options *options, pm_context **context) {
    if (!context)
        return PM_INVALID_ARGUMENT;
    *context = NULL;
    pm_options known = {.struct_size = sizeof known};
    if (options) {
        const pm_status status =
            pmi_options_read(options, &known, sizeof known, offsetof(pm_options, allocator) + sizeof known.allocator);
        if (status != PM_OK)
            return status;
    }
    if (!known.allocator.alloc != !known.allocator.free)
        return PM_INVALID_ARGUMENT;
    if (known.simd && strcmp(known.simd, only_simd.name) != 0)
        return PM_INVALID_ARGUMENT;
    const pm_allocator allocator = known.allocator.alloc ? known.allocator : default_allocator;
    pm_context *const created = pmi_memory_allocate(&allocator, 1, sizeof *created);
    if (!created)
        return PM_OUT_OF_MEMORY;
    *created = (pm_context){allocator, known.threads};
    *context = created;
    return PM_OK;
}

void pm_context_destroy(pm_context *context) {
    if (!context)
        return;
    const pm_allocator allocator = context->allocator; /* outlives the block it frees */
    pmi_memory_free(&allocator, context);
}

pm_allocator pm_context_allocator(const pm_context *context) {
    return context ? context->allocator : default_allocator;
}

const char *pm_context_simd(const pm_context *context) {
    (void)context;
    return only_simd.name;
}

unsigned pm_context_threads(const pm_context *context) {
    return context ? context->threads : 0;
}

pm_status pm_match_auto(pm_context *context, const uint64_t *parens, size_t n, uint32_t *match, pm_bic *total) {
    return pm_match_seq(context, parens, n, match, total);
}

/* ---- Threads ---- */

unsigned pmi_threads_available(unsigned most) {
    (void)most;
    return 1;
}

void pmi_threads_run(unsigned threads, size_t items, void (*work)(size_t item, unsigned thread, void *user),
                     void *user) {
    (void)threads;
    for (size_t item = 0; item < items; item++)
        work(item, 0, user);
}
