// SPDX-License-Identifier: Apache-2.0
// The engine for AVX2. A block is summarised while the one before it is matched, one half of 32 elements after the
// other. The stack has 32-bit entries; those that a half may ask for, often only the topmost 16, are turned into planes
// of bytes to be looked up.
#if defined(PM_BROADWORD_MATCH_WINDOW_AVX2_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PM_BROADWORD_MATCH_WINDOW_AVX2_INL_H
#undef PM_BROADWORD_MATCH_WINDOW_AVX2_INL_H
#else
#define PM_BROADWORD_MATCH_WINDOW_AVX2_INL_H
#endif

#include <string.h>

#include "broadword/match/far_stack_avx2-inl.h"
#include "broadword/match/summary_avx2-inl.h"

#if HWY_TARGET == HWY_AVX2

HWY_BEFORE_NAMESPACE();
namespace pm::HWY_NAMESPACE {

template <bool kStreaming> HWY_INLINE void StoreResults(uint32_t *out, __m256i results) {
    if (kStreaming) {
        _mm256_stream_si256(reinterpret_cast<__m256i *>(out), results);
    } else {
        _mm256_storeu_si256(reinterpret_cast<__m256i *>(out), results);
    }
}

// Results that are stored as they are.
struct AsTheyAre {
    HWY_INLINE __m256i operator()(__m256i results, int) const {
        return results;
    }
};

// The top of the stack as 32-bit indices in memory, growing downwards. The far stack holds all of it but what the last
// blocks did since it was brought up to date. Where the window was written lately it is read and written in aligned
// blocks of 8 alone: a load that straddles a store still on its way to the cache has to wait for it.
class Window {
  public:
    HWY_INLINE Window(const pmi_grid &grid, size_t first, const pmi_far_stack &far, void *scratch, size_t size)
        : grid_(grid), begin_(static_cast<uint32_t *>(scratch)), bottom_(begin_ + (size / sizeof *begin_ - kBelow)),
          top_(bottom_), hidden_(far.depth), drained_(first), next_(first) {
        memset(bottom_, 0xff, kBelow * sizeof *bottom_);
    }

    HWY_INLINE uint64_t TotalDepth(const pmi_far_stack &) const {
        return hidden_ + depth();
    }
    HWY_INLINE int64_t net() const {
        return net_;
    }

    HWY_INLINE bool Ready(const pmi_far_stack &) const {
        return top_ >= highest() && top_ <= lowest();
    }
    HWY_NOINLINE void MakeReady(pmi_far_stack &far) {
        Drain(far);
        if (top_ < highest())
            Drop();
        else
            Refill(far);
    }

    // All entries stay at hand.
    HWY_NOINLINE void Drain(pmi_far_stack &far) {
        TakeBlocks(grid_, drained_, next_, far);
        drained_ = next_;
    }

    template <bool kStreaming> void Match(size_t first, size_t last, pmi_far_stack &far) {
        for (next_ = first; next_ < last;) {
            const uint64_t bits = BlockBits(grid_, next_);
            if (HWY_UNLIKELY(!Ready(far))) {
                if (bits == UINT64_MAX && top_ < highest()) {
                    MatchOpensFar<kStreaming>(last, far);
                    continue;
                }
                MakeReady(far);
            }
            if (bits == UINT64_MAX)
                MatchOpens<kStreaming>(last);
            else if (bits == 0)
                MatchCloses<kStreaming>(last, far);
            else
                MatchMixed<kStreaming>(last);
        }
    }

    HWY_INLINE void MatchPart(size_t block, unsigned from, unsigned to, uint32_t *out) {
        alignas(64) uint32_t results[64];
        const uint64_t bits = BlockBits(grid_, block);
        Summary summary;
        Summarise(bits | ~pmi_bits_low(to), summary, kAvx2);
        top_ = MatchBlock<false>(summary, BlockBase(grid_, block), top_, bottom_, results, kAvx2) + (64 - to);
        next_ = block + 1;
        memcpy(out, results + from, (to - from) * sizeof *out);
        const uint64_t present = bits & pmi_bits_low(to);
        net_ += static_cast<int64_t>(to - from) - 2 * static_cast<int64_t>(pmi_bits_count(present));
    }

  protected:
    static constexpr size_t kSettled = 2048; // entries held after MakeReady, if there are as many
    // Past the bottom lie as many PM_NONE as a block can ask for, in whole blocks of 8, with two to spare.
    static constexpr size_t kBelow = 64 + 16;
    // Before the top, entries that may be written together with it.
    static constexpr size_t kAbove = kSpelledAbove;

    // Makes room for entries: forgets the oldest, which the far stack holds.
    HWY_INLINE void Drop() {
        uint32_t *const top = bottom_ - kSettled;
        hidden_ += depth() - kSettled;
        memcpy(top, top_, kSettled * sizeof *top);
        top_ = top;
    }

    // Spells entries of the far stack out, those at hand as well, which are few.
    HWY_INLINE void Refill(const pmi_far_stack &far) {
        size_t lowest = far.used, found = 0;
        while (lowest > 0 && found < kSettled)
            found += far.survivors[--lowest].count;
        top_ = SpellEntries(grid_, far.survivors + lowest, far.used - lowest, bottom_);
        hidden_ = far.depth - found;
    }

    HWY_INLINE size_t depth() const {
        return static_cast<size_t>(bottom_ - top_);
    }

    // Where the top may be for another block to be matched: there is room for its opens, and entries for its closes.
    HWY_INLINE const uint32_t *highest() const {
        return begin_ + kAbove + 64;
    }
    HWY_INLINE const uint32_t *lowest() const {
        return hidden_ > 0 ? bottom_ - 64 : bottom_;
    }

    // Each of these matches blocks of its kind: from the next one, which is of that kind, to `last`, a block of another
    // kind, or where the window is not ready.
    template <bool kStreaming> void MatchMixed(size_t last);
    // In window_runs_avx2-inl.h; the last one for where there is no room:
    template <bool kStreaming> void MatchCloses(size_t last, pmi_far_stack &far);
    template <bool kStreaming> void MatchOpens(size_t last);
    template <bool kStreaming> void MatchOpensFar(size_t last, pmi_far_stack &far);

    // Bytes between the aligned block of 8 that holds the top entry, and that entry.
    static HWY_INLINE size_t Above(const uint32_t *top) {
        return reinterpret_cast<uintptr_t>(top) % 32;
    }

    // That block.
    template <class T> static HWY_INLINE T *BlockAt(T *top) {
        return reinterpret_cast<T *>(reinterpret_cast<uintptr_t>(top) & ~uintptr_t{31});
    }

    // The row of a table for that many bytes.
    static HWY_INLINE const uint8_t *RowFor(const void *table, size_t above) {
        return static_cast<const uint8_t *>(table) + above * 8;
    }

    // Takes eight entries that begin some bytes into a block, from that and the next.
    struct Rotation {
        __m256i rotate, wrapped;

        HWY_INLINE Rotation(size_t above, const Avx2Tables &tables)
            : rotate(Load(RowFor(tables.rotate, above))), wrapped(Load(RowFor(tables.wrapped, above))) {}
        HWY_INLINE __m256i Of(__m256i block, __m256i next) const {
            return _mm256_permutevar8x32_epi32(_mm256_blendv_epi8(block, next, wrapped), rotate);
        }
    };

    // Matches a summarised block on the stack from `top` to `floor`; returns its top then. Eight results from element i
    // of the block on are stored as moved(results, i).
    template <bool kStreaming, class Moved = AsTheyAre>
    static HWY_INLINE uint32_t *MatchBlock(const Summary &summary, uint32_t base, uint32_t *top, uint32_t *floor,
                                           uint32_t *out, const Avx2Tables &tables, const Moved &moved = Moved()) {
        HWY_UNROLL(2)
        for (int h = 0; h < 2; h++, base += 32, out += 32) {
            __asm__("" : "+r"(out)); // so that it is not made into many pointers
            const unsigned open = summary.open[h];
            const unsigned close = open + 32 - 2 * pmi_bits_count(static_cast<uint32_t>(summary.bits >> 32 * h));
            Emit<kStreaming>(Load(summary.code[h]), close, base, top, out, tables, moved, 32 * h);
            top = HWY_MIN(top + close, floor) - open;
            if (HWY_LIKELY(open <= 16))
                Push(Row16(summary.stack[h]), open, base, top, tables);
            else
                PushMany(Row16(summary.stack[h]), Row16(summary.more[h]), open, base, top, tables);
        }
        return top;
    }

    // Sixteen entries, less a base, as planes: byte p of each in plane p, in both lanes.
    struct Planes {
        __m256i plane[4];

        HWY_INLINE Planes(__m256i first, __m256i second, __m256i base, const Avx2Tables &tables) {
            first = _mm256_sub_epi32(first, base);
            second = _mm256_sub_epi32(second, base);
            const __m256i by_plane = Load(tables.by_plane);
            const __m256i even = _mm256_shuffle_epi8(_mm256_permute2x128_si256(first, second, 0x20), by_plane);
            const __m256i odd = _mm256_shuffle_epi8(_mm256_permute2x128_si256(first, second, 0x31), by_plane);
            const __m256i low = _mm256_unpacklo_epi32(even, odd), high = _mm256_unpackhi_epi32(even, odd);
            plane[0] = _mm256_permute4x64_epi64(low, 0x88);
            plane[1] = _mm256_permute4x64_epi64(low, 0xdd);
            plane[2] = _mm256_permute4x64_epi64(high, 0x88);
            plane[3] = _mm256_permute4x64_epi64(high, 0xdd);
        }
    };

    // Looks the codes of 32 elements up. Taken less the base, entries for inner elements have but one byte.
    template <bool kStreaming, class Moved>
    static HWY_INLINE void Emit(__m256i code, unsigned close, uint32_t base, const uint32_t *top, uint32_t *out,
                                const Avx2Tables &tables, const Moved &moved, int first) {
        const __m256i bases = _mm256_set1_epi32(static_cast<int>(base));
        const size_t above = Above(top);
        const uint32_t *const at = BlockAt(top);
        __m256i byte[4];
        if (HWY_LIKELY(close + above / sizeof *top < 16)) { // all in the first two blocks
            const Planes near(Load(at), Load(at + 8), bases, tables);
            const __m256i in_near = _mm256_add_epi8(code, Load(RowFor(tables.lanes, above)));
            for (int p = 0; p < 4; p++)
                byte[p] = _mm256_shuffle_epi8(near.plane[p], in_near);
        } else {
            const Rotation rotation(above, tables);
            const auto eight_from = [&](int i) HWY_ATTR { return rotation.Of(Load(at + i), Load(at + i + 8)); };
            const Planes near(eight_from(0), eight_from(8), bases, tables);
            const Planes far(eight_from(16), eight_from(24), bases, tables);
            const __m256i in_near = _mm256_adds_epu8(code, Load(tables.limit));
            const __m256i in_far = _mm256_subs_epi8(code, Load(tables.sixteen));
            for (int p = 0; p < 4; p++)
                byte[p] = _mm256_or_si256(_mm256_shuffle_epi8(near.plane[p], in_near),
                                          _mm256_shuffle_epi8(far.plane[p], in_far));
        }
        byte[0] = _mm256_or_si256(byte[0], _mm256_subs_epu8(code, Load(tables.inner)));
        const __m256i low[2] = {_mm256_unpacklo_epi8(byte[0], byte[1]), _mm256_unpackhi_epi8(byte[0], byte[1])};
        const __m256i high[2] = {_mm256_unpacklo_epi8(byte[2], byte[3]), _mm256_unpackhi_epi8(byte[2], byte[3])};
        HWY_UNROLL(2)
        for (int k = 0; k < 2; k++, out += 16) {
            const __m256i results = _mm256_add_epi32(_mm256_unpacklo_epi16(low[k], high[k]), bases);
            const __m256i more = _mm256_add_epi32(_mm256_unpackhi_epi16(low[k], high[k]), bases);
            StoreResults<kStreaming>(out, moved(results, first + 16 * k));
            StoreResults<kStreaming>(out + 8, moved(more, first + 16 * k + 8));
        }
    }

    // Puts at most sixteen survivors on the stack, whose top is `top` then. What comes before `top` is nobody's.
    static HWY_INLINE void Push(__m128i stack, unsigned open, uint32_t base, uint32_t *top, const Avx2Tables &tables) {
        const size_t above = Above(top);
        const uint8_t *const shift = RowFor(tables.push, above);
        uint32_t *const to = BlockAt(top);
        const __m128i codes = _mm_shuffle_epi8(stack, Row16(shift));
        const __m256i bases = _mm256_set1_epi32(static_cast<int>(base + PlanesTables::kInner));
        PushBlock(codes, bases, to);
        PushBlock(_mm_unpackhi_epi64(codes, codes), bases, to + 8);
        if (HWY_UNLIKELY(open > 9))
            PushBlock(_mm_shuffle_epi8(stack, Row16(shift + 16)), bases, to + 16);
    }

    // The same for more than sixteen.
    static HWY_INLINE void PushMany(__m128i stack, __m128i more, unsigned open, uint32_t base, uint32_t *top,
                                    const Avx2Tables &tables) {
        const uint8_t *const shift = RowFor(tables.push, Above(top));
        uint32_t *const to = BlockAt(top);
        const __m256i bases = _mm256_set1_epi32(static_cast<int>(base + PlanesTables::kInner));
        const __m128i codes = _mm_shuffle_epi8(stack, Row16(shift));
        Store(to, _mm256_add_epi32(_mm256_cvtepi8_epi32(codes), bases));
        Store(to + 8, _mm256_add_epi32(_mm256_cvtepi8_epi32(_mm_unpackhi_epi64(codes, codes)), bases));
        const __m128i rest =
            _mm_or_si128(_mm_shuffle_epi8(stack, Row16(shift + 16)), _mm_shuffle_epi8(more, Row16(shift)));
        PushBlock(rest, bases, to + 16);
        PushBlock(_mm_unpackhi_epi64(rest, rest), bases, to + 24);
        if (HWY_UNLIKELY(open > 25))
            PushBlock(_mm_shuffle_epi8(more, Row16(shift + 16)), bases, to + 32);
    }

    // Replaces the entries of a block of 8 for which there is an inner code. Those are negative.
    static HWY_INLINE void PushBlock(__m128i codes, __m256i bases, uint32_t *block) {
        const __m256i code = _mm256_cvtepi8_epi32(codes);
        const __m256i entry = _mm256_add_epi32(code, bases);
        Store(block, _mm256_castps_si256(_mm256_blendv_ps(_mm256_castsi256_ps(Load(block)), _mm256_castsi256_ps(entry),
                                                          _mm256_castsi256_ps(code))));
    }

    const pmi_grid &grid_;
    uint32_t *const begin_;  // of the memory
    uint32_t *const bottom_; // one past the oldest entry
    uint32_t *top_;
    uint64_t hidden_; // entries on the far stack alone, below those at hand
    size_t drained_;  // the block up to which the far stack is up to date
    size_t next_;     // the block that is matched next
    int64_t net_ = 0; // closes minus opens so far
};

template <bool kStreaming> HWY_NOINLINE void Window::MatchMixed(size_t last) {
    const Avx2Tables &tables = HiddenTables();
    const uint64_t *const parens = grid_.parens;
    const unsigned lead = grid_.lead;
    uint32_t *const floor = bottom_, *top = top_;
    const uint32_t *const highest = this->highest(), *const lowest = this->lowest();
    size_t block = next_;
    uint32_t *out = grid_.match + BlockResults(grid_, block);
    uint32_t base = BlockBase(grid_, block);
    uint64_t below = lead > 0 ? parens[block - 1] : 0, opens = 0;
    const auto take = [&](size_t at) HWY_ATTR {
        const uint64_t above = parens[at], bits = above << lead | below >> 1 >> (63 - lead);
        below = above;
        return bits;
    };
    Summary summary[2], *now = summary, *next = summary + 1;
    uint64_t bits = take(block);
    Summarise(bits, *now, tables);
    do { // the next block is summarised first, so that what it does to a stack is known when it is matched
        opens += pmi_bits_count(bits);
        bits = block + 1 < last ? take(block + 1) : 0;
        const bool mixed = bits + 1 > 1;
        if (HWY_LIKELY(mixed))
            Summarise(bits, *next, tables);
        top = MatchBlock<kStreaming>(*now, base, top, floor, out, tables);
        block++, out += 64, base += 64;
        if (!mixed)
            break;
        Summary *const free = now;
        now = next, next = free;
    } while (top >= highest && top <= lowest);
    net_ += static_cast<int64_t>(64 * (block - next_) - 2 * opens);
    next_ = block;
    top_ = top;
}

} // namespace pm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif // HWY_TARGET

#endif
