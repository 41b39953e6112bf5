/* SPDX-License-Identifier: Apache-2.0 */
/* The table of SIMD targets, and which of them this CPU supports. */
#include "broadword/simd.h"

#include <stdatomic.h>
#include <string.h>

static bool always(void) {
    return true;
}

/* Highway's own dispatch picks one target for the whole process. Here each context may have its own, so these ask for
 * the features that Highway compiles a target with. */
#if defined(__x86_64__)

static bool has_ssse3(void) {
    return __builtin_cpu_supports("ssse3");
}

static bool has_sse4(void) {
    return has_ssse3() && __builtin_cpu_supports("sse4.1") && __builtin_cpu_supports("sse4.2") &&
           __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("aes") && __builtin_cpu_supports("pclmul");
}

static bool has_avx2(void) {
    return has_sse4() && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("fma");
}

static bool has_avx512bw(void) {
    return has_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw");
}

static bool has_avx512_vbmi(void) {
    return has_avx512bw() && __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512vbmi2") &&
           __builtin_cpu_supports("gfni") && __builtin_cpu_supports("avx512bitalg") &&
           __builtin_cpu_supports("avx512vpopcntdq") && __builtin_cpu_supports("vpclmulqdq");
}

#endif

/* The first three members of a target. */
#define NAMED(name, description, supported) name, {{name, description, false}, {name, description, true}}, supported

/* clang-format off */
static const pmi_simd_target targets[] = {
#if defined(__x86_64__)
    {NAMED("avx512-vbmi", "AVX-512 with VBMI: 64 elements a step (Ice Lake, Zen 4 and later)", has_avx512_vbmi),
     &pmi_engine_avx512_vbmi, &pmi_bp_kernel_avx512_vbmi, &pmi_edit_kernel_avx512_vbmi, &pmi_classifier_avx512_vbmi, &pmi_finder_avx512_vbmi, &pmi_json_kernel_avx512_vbmi, &pmi_tag_kernel_avx512_vbmi},
    {NAMED("avx512bw", "AVX-512 with BW: texts 64 bytes a step, all else as avx2 (Skylake-X)", has_avx512bw),
     &pmi_engine_avx2, &pmi_bp_kernel_avx2, &pmi_edit_kernel_avx2, &pmi_classifier_avx512bw, &pmi_finder_avx2, &pmi_json_kernel_avx512bw, &pmi_tag_kernel_avx512bw},
    {NAMED("avx2", "AVX2: 32 elements a step (Haswell, Zen and later)", has_avx2),
     &pmi_engine_avx2, &pmi_bp_kernel_avx2, &pmi_edit_kernel_avx2, &pmi_classifier_avx2, &pmi_finder_avx2, &pmi_json_kernel_avx2, &pmi_tag_kernel_avx2},
    {NAMED("sse4", "SSE4.2: 16 elements a step", has_sse4),
     &pmi_engine_sse4, &pmi_bp_kernel_sse4, &pmi_edit_kernel_sse4, &pmi_classifier_sse4, &pmi_finder_sse4, &pmi_json_kernel_sse4, &pmi_tag_kernel_sse4},
    {NAMED("ssse3", "SSSE3: 16 elements a step", has_ssse3),
     &pmi_engine_ssse3, &pmi_bp_kernel_ssse3, &pmi_edit_kernel_ssse3, &pmi_classifier_portable, &pmi_finder_ssse3, &pmi_json_kernel_portable, NULL},
#elif defined(__aarch64__)
    {NAMED("neon", "NEON: 16 elements a step", always),
     &pmi_engine_neon, &pmi_bp_kernel_neon, &pmi_edit_kernel_neon, &pmi_classifier_neon, &pmi_finder_neon, &pmi_json_kernel_neon, &pmi_tag_kernel_neon},
#elif defined(__wasm_simd128__)
    {NAMED("simd128", "WebAssembly's SIMD128: 16 elements a step", always),
     &pmi_engine_simd128, &pmi_bp_kernel_simd128, &pmi_edit_kernel_simd128, &pmi_classifier_simd128, &pmi_finder_simd128, &pmi_json_kernel_simd128, &pmi_tag_kernel_simd128},
#endif
    {NAMED("portable", "64-bit words, no vectors", always),
     &pmi_engine_portable, &pmi_bp_kernel_portable, &pmi_edit_kernel_portable, &pmi_classifier_portable, &pmi_finder_portable, &pmi_json_kernel_portable, NULL},
};
/* clang-format on */

#define TARGETS (sizeof targets / sizeof *targets)

const pmi_simd_target *pmi_simd_at(size_t index) {
    return index < TARGETS ? &targets[index] : NULL;
}

const pm_simd_info *pm_simd_at(size_t index) {
    return index < TARGETS ? &targets[index].info[targets[index].supported()] : NULL;
}

const pmi_simd_target *pmi_simd_by_name(const char *name) {
    for (size_t i = 0; i < TARGETS; i++)
        if (strcmp(targets[i].name, name) == 0)
            return &targets[i];
    return NULL;
}

const pmi_simd_target *pmi_simd_best(void) {
    /* Asked once: the answer does not change, so it does not matter which thread stores it. */
    static _Atomic(const pmi_simd_target *) best;
    const pmi_simd_target *found = atomic_load_explicit(&best, memory_order_relaxed);
    if (found)
        return found;
    for (size_t i = 0; !found; i++)
        if (targets[i].supported())
            found = &targets[i];
    atomic_store_explicit(&best, found, memory_order_relaxed);
    return found;
}
