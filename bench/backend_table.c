/* SPDX-License-Identifier: Apache-2.0 */
/* The table of backends. One whose vector instructions can be chosen is there once for each that this CPU has. */
#include "bench/backends.h"

static const struct {
    struct backend backend;
    bool every_simd;
} table[] = {
    {{"seq", "none", 1, pm_match_seq, false}, false},   {{"broadword", NULL, 1, pm_match_broadword, false}, true},
    {{"omp", NULL, 0, pm_match_omp, false}, true},      {{"gpu", "none", 0, pm_match_gpu, true}, false},
    {{"auto", "none", 0, pm_match_auto, false}, false},
};

bool backend_at(size_t index, struct backend *backend) {
    for (size_t row = 0; row < sizeof table / sizeof *table; row++) {
        for (size_t simd = 0; table[row].every_simd ? pm_simd_at(simd) != NULL : simd == 0; simd++) {
            if ((table[row].every_simd && !pm_simd_at(simd)->supported) || index-- > 0)
                continue;
            *backend = table[row].backend;
            if (table[row].every_simd)
                backend->simd = pm_simd_at(simd)->name;
            return true;
        }
    }
    return false;
}
