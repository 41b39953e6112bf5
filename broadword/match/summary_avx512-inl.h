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
#include "broadword/match/tables.h"
#include "hwy/highway.h"

#if HWY_TARGET == HWY_AVX3_DL

HWY_BEFORE_NAMESPACE();
namespace pm::HWY_NAMESPACE {

// The state of a block part of the way through; see tables.h for its lanes.
using State = __m512i;

HWY_INLINE __m512i Row(const void *p) {
    return _mm512_load_si512(p);
}
HWY_INLINE __m512i RowAt(const void *p) {
    return _mm512_loadu_si512(p);
}

// Constants for the length of a loop. Compilers prefer to make them again in each turn, which takes the one port that
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

// Takes bytes kByte and kByte + 1 of kBlocks blocks, whose chains of permutations are interleaved.
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

// ---- Survivors, eight blocks at a time, as bit masks ----
//
// Each byte, and each half of it, learns how many closes after it look for an open before them. That many of its
// unmatched opens fall to them, the last ones first; the others survive.

struct SurvivorTables {
    alignas(64) uint8_t close[4][16], open[4][16]; // unmatched ones of half a byte, four times over
    alignas(64) uint8_t lowest[4][16];             // [k - 1]: its k lowest survivors as bits, the last element first
    alignas(64) uint8_t reverse[64];               // the bytes of words, last first

    constexpr SurvivorTables() : close(), open(), lowest(), reverse() {
        for (int half = 0; half < 16; half++)
            FillHalf(half);
        for (int i = 0; i < 64; i++)
            reverse[i] = static_cast<uint8_t>((i ^ 7) % 16);
    }

  private:
    constexpr void FillHalf(int half) {
        int open_at[4] = {}, opens = 0, closes = 0;
        for (int i = 0; i < 4; i++) {
            if (half >> i & 1) {
                open_at[opens++] = i;
            } else if (opens > 0) {
                opens--;
            } else {
                closes++;
            }
        }
        for (int copy = 0; copy < 4; copy++) {
            close[copy][half] = static_cast<uint8_t>(closes);
            open[copy][half] = static_cast<uint8_t>(opens);
        }
        for (int k = 0, bits = 0; k < opens; k++) {
            bits |= 8 >> open_at[k];
            lowest[k][half] = static_cast<uint8_t>(bits);
        }
    }
};

constexpr SurvivorTables kSurvivors{};

// The `count` lowest survivors of each half byte.
HWY_INLINE __m512i LowestSurvivors(__m512i half, __m512i count) {
    const __m512i row = _mm512_sub_epi8(_mm512_slli_epi16(count, 4), _mm512_set1_epi8(16));
    return _mm512_maskz_permutexvar_epi8(_mm512_test_epi8_mask(count, count), _mm512_add_epi8(half, row),
                                         _mm512_load_si512(kSurvivors.lowest));
}

// The survivors of each of eight words, with bits in reverse order, so that the top of the stack comes first.
HWY_INLINE __m512i SurvivorsOf(__m512i words) {
    const __m512i half = _mm512_set1_epi8(15);
    const __m512i close = _mm512_load_si512(kSurvivors.close), open = _mm512_load_si512(kSurvivors.open);
    const __m512i low = _mm512_and_si512(words, half), high = _mm512_and_si512(_mm512_srli_epi16(words, 4), half);
    const __m512i low_close = _mm512_shuffle_epi8(close, low), low_open = _mm512_shuffle_epi8(open, low);
    const __m512i high_close = _mm512_shuffle_epi8(close, high), high_open = _mm512_shuffle_epi8(open, high);

    // Closes of each byte and of what follows it in the word: of two parts, the first one's, or as many as the second
    // one's are more than the first one's excess, opens minus closes.
    __m512i closes = _mm512_add_epi8(low_close, _mm512_subs_epu8(high_close, low_open));
    __m512i excess = _mm512_sub_epi8(_mm512_add_epi8(low_open, high_open), _mm512_add_epi8(low_close, high_close));
    closes = _mm512_max_epi8(closes, _mm512_sub_epi8(_mm512_srli_epi64(closes, 8), excess));
    excess = _mm512_add_epi8(excess, _mm512_srli_epi64(excess, 8));
    closes = _mm512_max_epi8(closes, _mm512_sub_epi8(_mm512_srli_epi64(closes, 16), excess));
    excess = _mm512_add_epi8(excess, _mm512_srli_epi64(excess, 16));
    closes = _mm512_max_epi8(closes, _mm512_sub_epi8(_mm512_srli_epi64(closes, 32), excess));

    const __m512i after_high = _mm512_srli_epi64(closes, 8);
    const __m512i after_low = _mm512_add_epi8(high_close, _mm512_subs_epu8(after_high, high_open));
    const __m512i low_bits = LowestSurvivors(low, _mm512_subs_epu8(low_open, after_low));
    const __m512i high_bits = LowestSurvivors(high, _mm512_subs_epu8(high_open, after_high));
    const __m512i bytes = _mm512_or_si512(_mm512_slli_epi16(low_bits, 4), high_bits);
    return _mm512_shuffle_epi8(bytes, _mm512_load_si512(kSurvivors.reverse));
}

// ---- A block alone, in registers ----

// A sequence of n <= 64 elements: below it lies nothing, so there is nothing to look up. Elements past its end are made
// opens; they have no part in anything before them, and come off the survivors.
pm_bic MatchBlockAlone(uint64_t parens, size_t n, uint32_t *match) {
    const Constants constants;
    Ring ring;
    const unsigned absent = 64 - static_cast<unsigned>(n);
    Enter(_mm512_maskz_set1_epi64(1, static_cast<int64_t>(parens | ~pmi_bits_low(64 - absent))), 0, ring);
    Summarise<1>(ring, 0, constants);
    const __m512i none = _mm512_set1_epi32(-1), inner_base = _mm512_set1_epi32(-Avx512Tables::kInner);
    for (size_t i = 0; i < n; i += 16) {
        const __m128i codes = _mm_load_si128(reinterpret_cast<const __m128i *>(ring.summary[0].code + i));
        const __mmask16 present = static_cast<__mmask16>(pmi_bits_low(static_cast<unsigned>(HWY_MIN(16, n - i))));
        const __m512i inner = _mm512_add_epi32(_mm512_cvtepu8_epi32(codes), inner_base);
        _mm512_mask_storeu_epi32(match + i, present, _mm512_mask_mov_epi32(none, _mm_movepi8_mask(codes), inner));
    }
    alignas(64) uint64_t survivors[8];
    _mm512_store_si512(survivors, SurvivorsOf(Row(ring.bits)));
    const uint64_t open = pmi_bits_count(survivors[0]);
    const pm_bic total = {open - static_cast<uint64_t>(ring.excess[0]), open - absent};
    return total;
}

} // namespace pm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif // HWY_TARGET

#endif
