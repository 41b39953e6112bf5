// SPDX-License-Identifier: Apache-2.0
// The far stack for AVX2: brought up to date by looking back over blocks, from the last to the first; and spelled out
// again from the bottom up, a byte of input at a time.
#if defined(PM_BROADWORD_MATCH_FAR_STACK_AVX2_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PM_BROADWORD_MATCH_FAR_STACK_AVX2_INL_H
#undef PM_BROADWORD_MATCH_FAR_STACK_AVX2_INL_H
#else
#define PM_BROADWORD_MATCH_FAR_STACK_AVX2_INL_H
#endif

#include <string.h>

#include "broadword/match/range-inl.h"
#include "broadword/match/reduce_blocks-inl.h"

#if HWY_TARGET == HWY_AVX2

HWY_BEFORE_NAMESPACE();
namespace pm::HWY_NAMESPACE {

// ---- The far stack brought up to date with blocks that were matched on the window alone ----

// What each block does to a stack, elements past the sequence left out: as opens, which come off the top again.
HWY_INLINE void ReducePresent(const pmi_grid &grid, size_t first, size_t count, pmi_block_bic *bics) {
    ReduceEach(grid, first, count, bics);
    const size_t last = first + count - 1, end = grid.n + grid.lead;
    if (64 * (last + 1) > end) {
        const unsigned present = static_cast<unsigned>(end - 64 * last);
        pmi_block_bic cut[kWords];
        ReduceWords(hwy::HWY_NAMESPACE::Set(WordTag(), BlockBits(grid, last) | ~pmi_bits_low(present)), cut);
        bics[count - 1] = {cut[0].close, static_cast<uint8_t>(cut[0].open - (64 - present))};
    }
}

// `far` is the stack before the blocks first ... last - 1, and becomes the stack after them. The survivors are found
// last one first, so they are written from the end of their room on, and moved.
HWY_INLINE void TakeBlocks(const pmi_grid &grid, size_t first, size_t last, pmi_far_stack &far) {
    constexpr size_t kAtOnce = 64;
    pm_survivors *const end = far.survivors + far.used + (last - first), *to = end;
    uint64_t pending = 0, found = 0; // closes that look for an open further back; opens that survive
    pmi_block_bic bics[kAtOnce];
    for (size_t block = last; block > first;) {
        const size_t count = HWY_MIN(kAtOnce, block - first);
        block -= count;
        ReducePresent(grid, block, count, bics);
        for (size_t i = count; i-- > 0;) {
            const uint64_t met = HWY_MIN(pending, bics[i].open), survive = bics[i].open - met;
            pending += bics[i].close - met;
            found += survive;
            to[-1] = pm_survivors{static_cast<uint32_t>(block + i), static_cast<uint32_t>(survive)};
            to -= survive > 0;
        }
    }
    PopSurvivors(far, HWY_MIN(pending, far.depth));
    const size_t blocks = static_cast<size_t>(end - to);
    memmove(far.survivors + far.used, to, blocks * sizeof *to);
    far.used += blocks;
    far.depth += found;
}

// ---- Entries spelled out ----

// The unmatched opens of each byte, first one last, at the end of eight lanes: so they lie on a stack in memory.
struct ByteOpenTables {
    alignas(64) uint8_t open[256][8];

    constexpr ByteOpenTables() : open() {
        for (int byte = 0; byte < 256; byte++) {
            int opens = 0;
            for (int i = 0; i < 8; i++) {
                if (byte >> i & 1)
                    open[byte][7 - opens++] = static_cast<uint8_t>(i);
                else if (opens > 0)
                    opens--;
            }
        }
    }
};

constexpr ByteOpenTables kByteOpen{};

// The first `count` elements of a block of opens.
HWY_INLINE uint32_t *SpellOpens(uint32_t base, uint32_t count, uint32_t *top) {
    __m256i down =
        _mm256_sub_epi32(_mm256_set1_epi32(static_cast<int>(base)), _mm256_setr_epi32(-7, -6, -5, -4, -3, -2, -1, 0));
    HWY_UNROLL(8)
    for (int i = 8; i <= 64; i += 8) {
        _mm256_storeu_si256(reinterpret_cast<__m256i *>(top - i), down);
        down = _mm256_add_epi32(down, _mm256_set1_epi32(8));
    }
    return top - count;
}

// Puts entries of the far stack onto a stack in memory, the `count` from survivors[0] up. Before the top, which it
// returns, kSpelledAbove entries may be written.
constexpr size_t kSpelledAbove = 64 + 8;

inline uint32_t *SpellEntries(const pmi_grid &grid, const pm_survivors *survivors, size_t count, uint32_t *top) {
    const uint32_t origin = BlockBase(grid, 0);
    __m256i eight = _mm256_set1_epi32(8);
    for (size_t k = 0; k < count; k += kWords) {
        const size_t present = HWY_MIN(kWords, count - k);
        alignas(32) uint64_t bits[kWords] = {}, left[kWords];
        for (size_t i = 0; i < present; i++)
            bits[i] = BlockBits(grid, survivors[k + i].block);
        const Words words = hwy::HWY_NAMESPACE::Load(WordTag(), bits);
        hwy::HWY_NAMESPACE::Store(SurvivorsOfBytes(words), WordTag(), left);
        // Survivors of the bytes before each, taken from 64 so that they can be added to an address.
        const uint64_t one = UINT64_C(0x0101010101010101);
        for (size_t i = 0; i < kWords; i++)
            left[i] = 64 * one - (left[i] * one << 8);
        __asm__("" : "+m"(bits), "+m"(left), "+x"(eight)); // so that bytes are loaded one by one, and no constants made
        for (size_t i = 0; i < present; i++) {
            const uint32_t base = survivors[k + i].block * 64 + origin;
            if (bits[i] == UINT64_MAX) {
                top = SpellOpens(base, survivors[k + i].count, top);
                continue;
            }
            const uint8_t *const byte = reinterpret_cast<const uint8_t *>(bits + i);
            const uint8_t *const at = reinterpret_cast<const uint8_t *>(left + i);
            uint32_t *const to = top - 64 - 8;
            __m256i bases = _mm256_set1_epi32(static_cast<int>(base));
            HWY_UNROLL(8)
            for (int b = 0; b < 8; b++) {
                const __m128i codes = _mm_loadl_epi64(reinterpret_cast<const __m128i *>(kByteOpen.open[byte[b]]));
                _mm256_storeu_si256(reinterpret_cast<__m256i *>(to + at[b]),
                                    _mm256_add_epi32(_mm256_cvtepu8_epi32(codes), bases));
                bases = _mm256_add_epi32(bases, eight);
            }
            // What survives of a block goes from its lowest open on; the next one's take the place of others.
            top -= survivors[k + i].count;
        }
    }
    return top;
}

} // namespace pm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif // HWY_TARGET

#endif
