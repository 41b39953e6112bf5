// SPDX-License-Identifier: Apache-2.0
// The levels before eight elements at once, for AVX-512 with VBMI and BITALG: what is the same for all is done in one
// vector, and the counts of what is behind the elements in their blocks meet in another, each in its lane.
#if defined(PM_BROADWORD_BP_LEVELS_AVX512_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PM_BROADWORD_BP_LEVELS_AVX512_INL_H
#undef PM_BROADWORD_BP_LEVELS_AVX512_INL_H
#else
#define PM_BROADWORD_BP_LEVELS_AVX512_INL_H
#endif

#include "broadword/bp_block_avx512-inl.h"
#include "core/bp_index.h"
#include "hwy/highway.h"

#if HWY_TARGET == HWY_AVX3_DL

HWY_BEFORE_NAMESPACE();
namespace pm {
namespace HWY_NAMESPACE {

class BpEightLevels {
  public:
    static constexpr size_t kCount = 8;

    explicit BpEightLevels(const pm_bp *bp) : bp_(bp) {}

    // rank[q]: opens before element i[q]; excess[q]: the level after it. Past the end as at the end; n > 0.
    template <class L> HWY_INLINE void Rank(const uint64_t *i, uint64_t *rank) const {
        const __m512i k = _mm512_min_epu64(_mm512_loadu_si512(i), All(bp_->n));
        _mm512_storeu_si512(rank, _mm512_srli_epi64(_mm512_add_epi64(Before<L>(k), k), 1));
    }
    template <class L> HWY_INLINE void Excess(const uint64_t *i, int64_t *excess) const {
        const __m512i element = _mm512_min_epu64(_mm512_loadu_si512(i), All(bp_->n - 1));
        _mm512_storeu_si512(excess, Before<L>(_mm512_add_epi64(element, All(1))));
    }

  private:
    // P(k), k <= n.
    template <class L> HWY_INLINE __m512i Before(__m512i k) const {
        const __m512i at = _mm512_min_epu64(k, All(bp_->n - 1));
        const __m512i levels = BeforeElements<L>(at);
        return _mm512_mask_mov_epi64(levels, _mm512_cmpneq_epi64_mask(k, at), All(2 * bp_->opens - bp_->n));
    }

    // P(k), k < n: the level after the block less what the elements from k on add to it.
    template <class L> HWY_INLINE __m512i BeforeElements(__m512i k) const {
        const __m512i superblock = _mm512_srli_epi64(k, kSuperblockShift), block = _mm512_srli_epi64(k, kBlockShift);
        const __m512i in_block = _mm512_and_si512(k, All(PM_BP_BLOCK - 1));
        const __m512i end = _mm512_add_epi64(LevelsOf<L>(superblock), EndsOf(superblock, block));
        const __m512i elements = _mm512_sub_epi64(All(PM_BP_BLOCK), in_block);

        alignas(64) const uint64_t *words[kCount];
        alignas(64) uint64_t below[kCount];
        const __m512i bytes = _mm512_slli_epi64(block, 6), parens = All(reinterpret_cast<uintptr_t>(bp_->parens));
        const __mmask8 cut = _mm512_cmpeq_epi64_mask(block, All(bp_->tail_block));
        _mm512_store_si512(words, _mm512_mask_mov_epi64(_mm512_add_epi64(bytes, parens), cut,
                                                        All(reinterpret_cast<uintptr_t>(bp_->tail))));
        _mm512_store_si512(below, in_block);
        // From there on they are read from memory: to take vectors apart keeps those units busy that count.
        __asm__("" : "+m"(words), "+m"(below));
        __m512i opens = _mm512_setzero_si512();
        for (size_t q = 0; q < kCount; q++)
            opens = _mm512_add_epi64(opens, Block::OpensFrom(words[q], below[q], kBp.words_all[q]));
        return _mm512_sub_epi64(_mm512_add_epi64(end, elements), _mm512_add_epi64(opens, opens));
    }

    template <class L> HWY_INLINE __m512i LevelsOf(__m512i superblock) const {
        if (sizeof(L) == sizeof(int64_t))
            return _mm512_i64gather_epi64(superblock, bp_->levels, 8);
        return _mm512_cvtepi32_epi64(_mm512_i64gather_epi32(superblock, bp_->levels, 4));
    }

    // Of 32 bits read the lower half; the other one is of the same line.
    HWY_INLINE __m512i EndsOf(__m512i superblock, __m512i block) const {
        static_assert(offsetof(pm_bp_line, end) == 0 && sizeof(pm_bp_line) == 2 * sizeof(pm_bp_line::end), "");
        const __m512i index = _mm512_add_epi64(_mm512_slli_epi64(superblock, 4), block);
        const __m256i two = _mm512_i64gather_epi32(index, bp_->lines, sizeof(int16_t));
        return _mm512_cvtepi32_epi64(_mm256_srai_epi32(_mm256_slli_epi32(two, 16), 16));
    }

    static HWY_INLINE __m512i All(uint64_t number) {
        return _mm512_set1_epi64(static_cast<int64_t>(number));
    }

    static constexpr unsigned kBlockShift = 9, kSuperblockShift = 13;
    static_assert(PM_BP_BLOCK == 1u << kBlockShift && PM_BP_SUPERBLOCK == 1u << kSuperblockShift, "");

    const pm_bp *bp_;
};

} // namespace HWY_NAMESPACE
} // namespace pm
HWY_AFTER_NAMESPACE();

#endif

#endif
