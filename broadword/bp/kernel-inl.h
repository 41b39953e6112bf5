// SPDX-License-Identifier: Apache-2.0
// A Block, made into what C calls.
#if defined(PM_BROADWORD_BP_KERNEL_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PM_BROADWORD_BP_KERNEL_INL_H
#undef PM_BROADWORD_BP_KERNEL_INL_H
#else
#define PM_BROADWORD_BP_KERNEL_INL_H
#endif

#include "broadword/bp/batch-inl.h"
#include "broadword/bp/pioneers-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pm {
namespace HWY_NAMESPACE {

template <class Block> void BpSummarise(const uint64_t *words, size_t count, pm_bp_line *lines) {
    for (pm_bp_line *line = lines; line < lines + count; line++) {
        int level = 0;
        for (unsigned j = 0; j < PM_BP_LINE_BLOCKS; j++, words += PM_BP_BLOCK_WORDS) {
            int least;
            const int rise = Block::Summarise(words, &least);
            line->least[j] = static_cast<int16_t>(level + least);
            level += rise;
            line->end[j] = static_cast<int16_t>(level);
        }
    }
}

template <class Block, class L, pmi_bp_kind kKind> constexpr pmi_bp_queries BpMakeQueries() {
    using Queries = BpQueries<Block, L>;
    using Range = BpRange<Block, L>;
    constexpr bool kByStretches = kKind == PM_BP_NEAR_DEEP && BpSearch<Block, L>::kStretches;
    return {Queries::template FindClose<kKind>,
            Queries::template FindOpen<kKind>,
            Queries::template Enclose<kKind>,
            Queries::RankOpen,
            Queries::SelectOpen,
            BpBatch<Block, L, BpQuery::kFindClose, kByStretches>::Answer,
            BpBatch<Block, L, BpQuery::kFindOpen, kByStretches>::Answer,
            BpBatch<Block, L, BpQuery::kEnclose, kByStretches>::Answer,
            Queries::Level,
            Queries::Forwards,
            Queries::Backwards,
            Range::Least,
            Range::Count};
}

template <class Block> constexpr pmi_bp_kernel BpMakeKernel() {
    return {{{BpMakeQueries<Block, int32_t, PM_BP_NEAR_FLAT>(), BpMakeQueries<Block, int64_t, PM_BP_NEAR_FLAT>()},
             {BpMakeQueries<Block, int32_t, PM_BP_NEAR_DEEP>(), BpMakeQueries<Block, int64_t, PM_BP_NEAR_DEEP>()},
             {BpMakeQueries<Block, int32_t, PM_BP_FAR_FLAT>(), BpMakeQueries<Block, int64_t, PM_BP_FAR_FLAT>()},
             {BpMakeQueries<Block, int32_t, PM_BP_FAR_DEEP>(), BpMakeQueries<Block, int64_t, PM_BP_FAR_DEEP>()}},
            {BpPioneers<int32_t>::FindClose, BpPioneers<int32_t>::FindOpen},
            {BpPioneers<int64_t>::FindClose, BpPioneers<int64_t>::FindOpen},
            BpSummarise<Block>};
}

} // namespace HWY_NAMESPACE
} // namespace pm
HWY_AFTER_NAMESPACE();

#endif
