/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The library's index by parenmatch/bp_view.h, compiled into this file for the processor that the other peers with
 * headers are compiled for.
 */
#include "bench/peers/bp_library.h"

#define VIEW_ANSWER(query)                                                                                             \
    static uint64_t view_##query(const void *index, uint64_t argument) {                                               \
        return (uint64_t)pm_bp_view_##query(&((const struct library_index *)index)->view, argument);                   \
    }                                                                                                                  \
    static uint64_t view_##query##_apart(const void *index, const uint64_t *arguments, size_t count) {                 \
        const pm_bp_view view = ((const struct library_index *)index)->view;                                           \
        uint64_t sum = 0;                                                                                              \
        for (size_t q = 0; q < count; q++)                                                                             \
            sum += (uint64_t)pm_bp_view_##query(&view, arguments[q]);                                                  \
        return sum;                                                                                                    \
    }                                                                                                                  \
    static uint64_t view_##query##_chained(const void *index, const uint64_t *arguments, size_t count) {               \
        const pm_bp_view view = ((const struct library_index *)index)->view;                                           \
        uint64_t sum = 0, answer = 0;                                                                                  \
        for (size_t q = 0; q < count; q++)                                                                             \
            sum += answer = (uint64_t)pm_bp_view_##query(&view, arguments[q] ^ BP_NOTHING_OF(answer));                 \
        return sum;                                                                                                    \
    }
VIEW_ANSWER(rank_open)
VIEW_ANSWER(excess)

const struct bp_peer bp_peer_view = {
    .name = "view",
#if defined(PM_BP_VIEW_BY_AVX512)
    .simd = "avx512-vbmi",
#elif defined(PM_BP_VIEW_BY_AVX2)
    .simd = "avx2",
#elif defined(PM_BP_VIEW_BY_POPCOUNT)
    .simd = "popcount",
#else
    .simd = "calls",
#endif
    .create = library_create,
    .destroy = library_destroy,
    .size = library_size,
    .answer = {[BP_RANK] = view_rank_open, [BP_EXCESS] = view_excess},
    .apart = {[BP_RANK] = view_rank_open_apart, [BP_EXCESS] = view_excess_apart},
    .chained = {[BP_RANK] = view_rank_open_chained, [BP_EXCESS] = view_excess_chained},
    .built_by_another = true,
};
