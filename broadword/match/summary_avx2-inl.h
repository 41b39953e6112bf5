// SPDX-License-Identifier: Apache-2.0
// What the halves of a block do to any stack, for AVX2. They are summarised side by side in the two lanes of a vector:
// two groups of 16 elements each, as in window_planes-inl.h, of which the later one's outer codes are looked up in the
// earlier one's symbolic stack. Blocks do not depend on one another here.
#if defined(PM_BROADWORD_MATCH_SUMMARY_AVX2_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PM_BROADWORD_MATCH_SUMMARY_AVX2_INL_H
#undef PM_BROADWORD_MATCH_SUMMARY_AVX2_INL_H
#else
#define PM_BROADWORD_MATCH_SUMMARY_AVX2_INL_H
#endif

#include "base/slice.h"
#include "broadword/match/tables.h"
#include "hwy/highway.h"

#if HWY_TARGET == HWY_AVX2

HWY_BEFORE_NAMESPACE();
namespace pm::HWY_NAMESPACE {

HWY_INLINE __m256i Load(const void *p) {
    return _mm256_load_si256(static_cast<const __m256i *>(p));
}
HWY_INLINE void Store(void *p, __m256i v) {
    _mm256_store_si256(static_cast<__m256i *>(p), v);
}

HWY_INLINE __m128i Row16(const void *p) {
    return _mm_loadu_si128(static_cast<const __m128i *>(p));
}

// Two rows of a table, one for each half of a block.
HWY_INLINE __m256i Rows(const uint8_t *low, const uint8_t *high) {
    return _mm256_inserti128_si256(_mm256_castsi128_si256(Row16(low)), Row16(high), 1);
}

// The tables at an address that compilers do not know: otherwise they like to make constants again, which takes longer.
HWY_INLINE const Avx2Tables &HiddenTables() {
    const Avx2Tables *tables = &kAvx2;
    __asm__("" : "+r"(tables));
    return *tables;
}

// Inner codes as they are, 0 in place of outer ones.
HWY_INLINE __m256i InnerOnly(__m256i code) {
    return _mm256_min_epi8(code, _mm256_setzero_si256());
}

// The same for elements that are 16 further on.
HWY_INLINE __m256i InnerMoved(__m256i code, const Avx2Tables &tables) {
    return InnerOnly(_mm256_add_epi8(code, Load(tables.sixteen)));
}

// What a group of each half does to any stack: its elements' codes, and its survivors, top first, then outer codes.
struct Groups {
    __m256i code, stack;
};

// `row` says for each byte of the block where its rows begin in a table.
HWY_INLINE Groups SummariseGroups(const uint16_t *row) {
    const uint8_t *const first = &kPlanes.first[0][0][0], *const second = &kPlanes.second[0][0][0];
    const __m256i below = Rows(first + row[0] + 16, first + row[4] + 16);
    const __m256i code = Rows(second + row[1], second + row[5]);
    const __m256i stack = Rows(second + row[1] + 16, second + row[5] + 16);
    return {_mm256_or_si256(_mm256_shuffle_epi8(below, code),
                            _mm256_xor_si256(InnerOnly(code), Rows(first + row[0], first + row[4]))),
            _mm256_or_si256(_mm256_shuffle_epi8(below, stack), InnerOnly(stack))};
}

// What a block's halves do to any stack.
struct Summary {
    alignas(32) uint8_t code[2][32];  // of their elements, in the order in which they are looked up
    alignas(32) uint8_t stack[2][16]; // inner codes of their survivors, top first, then zeros
    alignas(32) uint8_t more[2][16];  // the same of survivors after the first 16, if there are any
    uint32_t open[2];                 // survivors
    uint64_t bits;                    // the block
};

HWY_INLINE void Summarise(uint64_t bits, Summary &summary, const Avx2Tables &tables) {
    summary.bits = bits;
    alignas(16) uint16_t row[8];
    static_assert(sizeof PlanesTables::first[0] == 32, "a byte's rows are found by a shift of 5");
    _mm_store_si128(reinterpret_cast<__m128i *>(row),
                    _mm_slli_epi16(_mm_cvtepu8_epi16(_mm_cvtsi64_si128(static_cast<int64_t>(bits))), 5));
    __asm__("" : "+m"(row)); // so that rows are loaded one by one: taking them out of a vector costs shuffles
    const Groups early = SummariseGroups(row), late = SummariseGroups(row + 2);
    size_t closes[4];
    for (int g = 0; g < 4; g++)
        closes[g] = pmi_bits_count(~bits >> 16 * g & 0xffff);
    const auto outer = [&](int g) HWY_ATTR { return tables.outer + 2 * closes[g]; };

    // Together: outer codes of the late groups are looked up in the symbolic stacks of the early ones. Tables say only
    // of inner entries which they are; the outer ones follow from the closes.
    const __m256i below = _mm256_max_epu8(early.stack, Rows(outer(0), outer(2)));
    const __m256i late_code = _mm256_or_si256(_mm256_shuffle_epi8(below, late.code), InnerMoved(late.code, tables));
    const __m256i fours = Load(tables.fours);
    const auto in_order = [fours](__m256i code) HWY_ATTR { return _mm256_permutevar8x32_epi32(code, fours); };
    Store(summary.code[0], in_order(_mm256_permute2x128_si256(early.code, late_code, 0x20)));
    Store(summary.code[1], in_order(_mm256_permute2x128_si256(early.code, late_code, 0x31)));

    // Entries of the late groups' stacks that are not their own: where in the early ones', if there at all.
    const __m256i late_inner = InnerMoved(late.stack, tables);
    const __m256i from = _mm256_adds_epu8(Rows(outer(1), outer(3)), Load(tables.limit));
    const __m256i stack = _mm256_or_si256(_mm256_shuffle_epi8(below, _mm256_or_si256(from, late_inner)), late_inner);
    Store(summary.stack, stack);
    const auto count = [](__m256i codes, int half) HWY_ATTR {
        return pmi_bits_count(static_cast<unsigned>(_mm256_movemask_epi8(codes)) >> 16 * half & 0xffff);
    };
    unsigned open[2] = {count(stack, 0), count(stack, 1)};
    if (HWY_UNLIKELY(open[0] == 16 || open[1] == 16)) {
        const __m256i from_16 = _mm256_adds_epu8(Rows(outer(1) + 16, outer(3) + 16), Load(tables.limit));
        const __m256i more = _mm256_shuffle_epi8(below, from_16);
        Store(summary.more, more);
        open[0] += count(more, 0);
        open[1] += count(more, 1);
    }
    summary.open[0] = open[0];
    summary.open[1] = open[1];
}

} // namespace pm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif // HWY_TARGET

#endif
