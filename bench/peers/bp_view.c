/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The library's index by parenmatch/bp_view.h, compiled into this file for the processor that the other peers with
 * headers are compiled for.
 */
#include "bench/peers/bp_library.h"

#define ASK(query, argument) pm_bp_view_##query(&view, argument)
#define VIEW_ANSWER(query)                                                                                             \
    BP_ANSWERS(view, query, const pm_bp_view view = ((const struct library_index *)index)->view, ASK)
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
