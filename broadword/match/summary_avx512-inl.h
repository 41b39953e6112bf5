// SPDX-License-Identifier: Apache-2.0
// What a block of 64 elements does to any stack, for AVX-512 with VBMI: 64 bytes are looked up in 64 bytes by one
// instruction, so the block's symbolic stack fits a register, and a byte of input (eight elements) is one such
// permutation of it. Blocks do not depend on one another here.
#if defined(PM_BROADWORD_MATCH_SUMMARY_AVX512_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PM_BROADWORD_MATCH_SUMMARY_AVX512_INL_H
#undef PM_BROADWORD_MATCH_SUMMARY_AVX512_INL_H
#else
#define PM_BROADWORD_MATCH_SUMMARY_AVX512_INL_H
#endif

#include "base/slice.h"
#include "broadword/match/avx512_tables.h"
#include "hwy/highway.h"

#if HWY_TARGET == HWY_AVX3_DL

HWY_BEFORE_NAMESPACE();
namespace pm {
namespace HWY_NAMESPACE {

// The state of a block part of the way through; see avx512_tables.h for its lanes.
using State = __m512i;

HWY_INLINE __m512i Row(const void *p) {
    return _mm512_load_si512(p);
}
HWY_INLINE __m512i RowAt(const void *p) {
    return _mm512_loadu_si512(p);
}

// Constants for the length of a loop. Compilers prefer to make them anew in each turn, which takes the one port that
// permutations need as well; so their origin is hidden.
struct Constants {
    __m512i fresh[8];      // the codes of each byte's elements
    __m512i inner;         // kInner in each 32-bit lane
    __m512i block;         // 64 in each 32-bit lane
    __m512i sixteen;       // 16 in each 32-bit lane
    __mmask64 low_bytes;   // the lowest byte of each 32-bit lane
    __mmask64 but_results; // all lanes of a state but 0-7
    __mmask64 but_fresh;   // all but 8-15
    __mmask8 fresh_lane;   // lanes 8-15 of a state, eight at a time

    HWY_INLINE Constants() {
        for (int i = 0; i < 8; i++)
            fresh[i] = Hidden(Row(kAvx512.fresh[i]));
        inner = Hidden(_mm512_set1_epi32(Avx512Tables::kInner));
        block = Hidden(_mm512_set1_epi32(64));
        sixteen = Hidden(_mm512_set1_epi32(16));
        low_bytes = Hidden(static_cast<__mmask64>(UINT64_C(0x1111111111111111)));
        but_results = Hidden(static_cast<__mmask64>(~UINT64_C(0xff)));
        but_fresh = Hidden(static_cast<__mmask64>(~UINT64_C(0xff00)));
        fresh_lane = Hidden(static_cast<__mmask8>(2));
    }

  private:
    static HWY_INLINE __m512i Hidden(__m512i v) {
        __asm__("" : "+v"(v));
        return v;
    }
    template <class Mask> static HWY_INLINE Mask Hidden(Mask mask) {
        __asm__("" : "+k"(mask));
        return mask;
    }
};

// A block made ready: what it does to any stack.
struct Summary {
    alignas(64) uint8_t code[64]; // of its elements
    State state;                  // after all of them
};

// Blocks of input, as a ring: while one half is matched, the other half is made ready.
struct Ring {
    static constexpr size_t kBlocks = 32;
    alignas(64) uint16_t row[kBlocks][8]; // where the bytes' permutations lie in the table
    alignas(64) uint64_t bits[kBlocks];
    alignas(64) int64_t excess[kBlocks]; // opens minus closes
    Summary summary[kBlocks];
};

// Takes byte kByte of a block. That of an even byte brings the fresh codes of the next one along; that of an odd byte
// leaves lanes 0-7 alone, so that lanes 0-15 hold the results of both.
template <int kByte> HWY_INLINE State Step(State state, const uint16_t *row, const Constants &constants) {
    const State from = Row(reinterpret_cast<const char *>(kAvx512.step) + row[kByte]);
    if (kByte % 2 == 1)
        return _mm512_mask_permutexvar_epi8(state, constants.but_results, from, state);
    if (kByte > 0)
        state = _mm512_mask_mov_epi64(state, constants.fresh_lane, constants.fresh[kByte]);
    return _mm512_mask_permutexvar_epi8(constants.fresh[(kByte + 1) % 8], constants.but_fresh, from, state);
}

// Takes bytes kByte and kByte + 1 of kBlocks blocks, whose chains of permutations run beside one another.
template <int kByte, int kBlocks>
HWY_INLINE void StepTwice(State (&state)[kBlocks], const uint16_t (*row)[8], Summary *summary,
                          const Constants &constants) {
    HWY_UNROLL(4)
    for (int k = 0; k < kBlocks; k++)
        state[k] = Step<kByte>(state[k], row[k], constants);
    HWY_UNROLL(4)
    for (int k = 0; k < kBlocks; k++)
        state[k] = Step<kByte + 1>(state[k], row[k], constants);
    HWY_UNROLL(4)
    for (int k = 0; k < kBlocks; k++)
        _mm_store_si128(reinterpret_cast<__m128i *>(summary[k].code + 8 * kByte), _mm512_castsi512_si128(state[k]));
}

template <int kBlocks> HWY_INLINE void Summarise(Ring &ring, size_t first, const Constants &constants) {
    const uint16_t(*const row)[8] = ring.row + first;
    Summary *const summary = ring.summary + first;
    State state[kBlocks];
    for (int k = 0; k < kBlocks; k++)
        state[k] = Row(kAvx512.start);
    StepTwice<0>(state, row, summary, constants);
    StepTwice<2>(state, row, summary, constants);
    StepTwice<4>(state, row, summary, constants);
    StepTwice<6>(state, row, summary, constants);
    for (int k = 0; k < kBlocks; k++)
        summary[k].state = state[k];
}

// Blocks of one kind of element need no summary, but one that does not look narrow.
HWY_INLINE void SummariseUnlessUniform(Ring &ring, size_t i, const Constants &constants) {
    if (ring.bits[i] == 0 || ring.bits[i] == UINT64_MAX) {
        ring.summary[i].state = _mm512_set1_epi8(-1);
    } else {
        Summarise<1>(ring, i, constants);
    }
}

// Enters eight blocks into the ring, and returns the sum of their excesses.
HWY_INLINE int64_t Enter(__m512i blocks, size_t at, Ring &ring) {
    static_assert(sizeof Avx512Tables::step[0] == 64, "a byte's row is found by a shift of 6");
    const __m512i low = _mm512_cvtepu8_epi16(_mm512_castsi512_si256(blocks));
    const __m512i high = _mm512_cvtepu8_epi16(_mm512_extracti64x4_epi64(blocks, 1));
    const __m512i opens = _mm512_popcnt_epi64(blocks);
    const __m512i excess = _mm512_sub_epi64(_mm512_add_epi64(opens, opens), _mm512_set1_epi64(64));
    _mm512_store_si512(ring.bits + at, blocks);
    _mm512_store_si512(ring.row[at], _mm512_slli_epi16(low, 6));
    _mm512_store_si512(ring.row[at + 4], _mm512_slli_epi16(high, 6));
    _mm512_store_si512(ring.excess + at, excess);
    HWY_FENCE; // so that rows are loaded one by one: taking them out of a vector costs shuffles
    return _mm512_reduce_add_epi64(excess);
}

// Survivors among the state's stack lanes.
HWY_INLINE int CountSurvivors(State state) {
    return static_cast<int>(_mm_popcnt_u64(_mm512_movepi8_mask(state) >> Avx512Tables::kStack));
}

// Opens minus closes of the first n elements.
HWY_INLINE int Excess(uint64_t bits, unsigned n) {
    return 2 * static_cast<int>(_mm_popcnt_u64(bits & pmi_bits_low(n))) - static_cast<int>(n);
}

HWY_INLINE State StateAfter16(const uint16_t *row, const Constants &constants) {
    return Step<1>(Step<0>(Row(kAvx512.start), row, constants), row, constants);
}

// Opens move outer codes off the bottom of the symbolic stack, and once they are closed again these codes are missing:
// from code 48 - p on, after p opens. Element i of the block can ask for code k after p opens, their closes and k
// closes, if 2 p + k <= i. So what is missing is asked for by the last 16 elements alone (i >= 48 + p), and only in
// blocks with 33 closes or more. For blocks that are not narrow, redo those elements on a stack whose outer codes are
// all there again.
constexpr int kNarrowCloses = 31; // blocks with more closes look up codes past the first 32, and may miss some
constexpr int kNarrowOpens = 47;  // blocks with more survivors may have lost some

HWY_INLINE void Extend(Ring &ring, size_t i, const Constants &constants) {
    const uint16_t *row = ring.row[i];
    const State s32 = Step<3>(Step<2>(StateAfter16(row, constants), row, constants), row, constants);
    const State s48 = Step<5>(Step<4>(s32, row, constants), row, constants);
    const int open = CountSurvivors(s48);
    const int close = open - Excess(ring.bits[i], 48);
    const __m512i below = _mm512_set1_epi8(static_cast<char>(close - open - Avx512Tables::kStack));
    const __m512i outer = _mm512_add_epi8(Row(kAvx512.iota), below);
    State state[1] = {_mm512_mask_mov_epi8(outer, _mm512_movepi8_mask(s48), s48)};
    StepTwice<6>(state, ring.row + i, ring.summary + i, constants);
    ring.summary[i].state = state[0];
}

} // namespace HWY_NAMESPACE
} // namespace pm
HWY_AFTER_NAMESPACE();

#endif // HWY_TARGET

#endif
