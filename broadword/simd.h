/* SPDX-License-Identifier: Apache-2.0 */
/* The table of SIMD targets: each has a name, the instructions it needs, and the functions of every feature. */
#ifndef PM_BROADWORD_SIMD_H
#define PM_BROADWORD_SIMD_H

#include "base/bp_index.h"
#include "base/engine.h"
#include "broadword/delimiters/tags.h"
#include "broadword/find/find.h"
#include "broadword/json/json.h"
#include "broadword/text/classify.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pmi_edit_kernel pmi_edit_kernel; /* base/edit_tree.h */

typedef struct pmi_simd_target {
    const char *name;
    pm_simd_info info[2]; /* on a CPU without the instructions, and on one with them */
    bool (*supported)(void);
    const pmi_engine *engine;         /* of matching */
    const pmi_bp_kernel *bp;          /* of pm_bp */
    const pmi_edit_kernel *edit;      /* of pm_edit */
    const pmi_classifier *classifier; /* of texts */
    const pmi_finder *finder;         /* of searches for patterns */
    const pmi_json_kernel *json;      /* of pm_json */
    const pmi_tag_kernel *tags;       /* of tags; NULL: they are read byte by byte */
} pmi_simd_target;

/* Returns target `index`, best first, or NULL past the last one, which works everywhere. */
const pmi_simd_target *pmi_simd_at(size_t index);

/* Returns the target of that name, supported or not; NULL for an unknown name. */
const pmi_simd_target *pmi_simd_by_name(const char *name);

/* Returns the best target that this CPU supports. */
const pmi_simd_target *pmi_simd_best(void);

/* The functions of a target. Each is defined by its feature; some targets use those of a lesser one. */
#define PMI_SIMD_DECLARE(target)                                                                                       \
    extern const pmi_engine pmi_engine_##target;                                                                       \
    extern const pmi_bp_kernel pmi_bp_kernel_##target;                                                                 \
    extern const pmi_edit_kernel pmi_edit_kernel_##target;                                                             \
    extern const pmi_classifier pmi_classifier_##target;                                                               \
    extern const pmi_finder pmi_finder_##target;                                                                       \
    extern const pmi_json_kernel pmi_json_kernel_##target;                                                             \
    extern const pmi_tag_kernel pmi_tag_kernel_##target

PMI_SIMD_DECLARE(portable);
#if defined(__x86_64__)
PMI_SIMD_DECLARE(avx512_vbmi);
PMI_SIMD_DECLARE(avx512bw);
PMI_SIMD_DECLARE(avx2);
PMI_SIMD_DECLARE(sse4);
PMI_SIMD_DECLARE(ssse3);
#elif defined(__aarch64__)
PMI_SIMD_DECLARE(neon);
#elif defined(__wasm_simd128__)
PMI_SIMD_DECLARE(simd128);
#endif

#ifdef __cplusplus
}
#endif

#endif
