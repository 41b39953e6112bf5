/* SPDX-License-Identifier: Apache-2.0 */
/* The implementations as a list: which there are, which run here, which is best. */
#include <stdatomic.h>
#include <string.h>

#include "broadword/match/engines.h"

static const pmi_engine *const engines[] = {
#if defined(__x86_64__)
    &pmi_engine_avx512_vbmi, &pmi_engine_avx2, &pmi_engine_sse4, &pmi_engine_ssse3,
#elif defined(__aarch64__)
    &pmi_engine_neon,
#endif
    &pmi_engine_portable,
};

enum {
    ENGINES = sizeof engines / sizeof *engines
};

const pm_simd_info *pm_simd_at(size_t index) {
    return index < ENGINES ? &engines[index]->info[engines[index]->supported()] : NULL;
}

const pmi_engine *pmi_engine_by_name(const char *name) {
    for (size_t i = 0; i < ENGINES; i++)
        if (strcmp(engines[i]->name, name) == 0)
            return engines[i];
    return NULL;
}

const pmi_engine *pmi_engine_best(void) {
    /* Asked once: the answer does not change, so it does not matter which thread stores it. */
    static _Atomic(const pmi_engine *) best;
    const pmi_engine *found = atomic_load_explicit(&best, memory_order_relaxed);
    if (found)
        return found;
    for (size_t i = 0; !found; i++)
        if (engines[i]->supported())
            found = engines[i];
    atomic_store_explicit(&best, found, memory_order_relaxed);
    return found;
}
