/* SPDX-License-Identifier: Apache-2.0 */
/* The implementations of the engine; those of other architectures than the one compiled for are missing. */
#ifndef PM_BROADWORD_MATCH_ENGINES_H
#define PM_BROADWORD_MATCH_ENGINES_H

#include "broadword/match/match.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const pmi_engine pmi_engine_portable;

#if defined(__x86_64__)
extern const pmi_engine pmi_engine_avx512_vbmi;
extern const pmi_engine pmi_engine_avx2;
extern const pmi_engine pmi_engine_sse4;
extern const pmi_engine pmi_engine_ssse3;
#elif defined(__aarch64__)
extern const pmi_engine pmi_engine_neon;
#endif

#ifdef __cplusplus
}
#endif

#endif
