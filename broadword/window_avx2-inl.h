// SPDX-License-Identifier: Apache-2.0
// The engine for AVX2.
//
// A block's halves, 32 elements each, are summarised side by side in the two lanes of a vector: two groups of 16 each,
// as in window_planes-inl.h, of which the later one's outer codes are looked up in the earlier one's symbolic stack.
// The halves are then matched one after another. The stack has 32-bit entries; those that a half may ask for, often
// only the topmost 16, are turned into planes of bytes to be looked up.
#if defined(PM_BROADWORD_WINDOW_AVX2_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PM_BROADWORD_WINDOW_AVX2_INL_H
#undef PM_BROADWORD_WINDOW_AVX2_INL_H
#else
#define PM_BROADWORD_WINDOW_AVX2_INL_H
#endif

#include <string.h>

#include "broadword/avx2_tables.h"
#include "broadword/far_entries_avx2-inl.h"
#include "broadword/far_stack-inl.h"
#include "broadword/match_range-inl.h"
#include "broadword/planes_tables.h"

#if HWY_TARGET == HWY_AVX2

HWY_BEFORE_NAMESPACE();
namespace pm {
namespace HWY_NAMESPACE {

HWY_INLINE __m256i Load(const void *p) {
    return _mm256_load_si256(static_cast<const __m256i *>(p));
}
HWY_INLINE __m256i LoadU(const void *p) {
    return _mm256_loadu_si256(static_cast<const __m256i *>(p));
}
HWY_INLINE void Store(void *p, __m256i v) {
    _mm256_store_si256(static_cast<__m256i *>(p), v);
}

template <bool kStreaming> HWY_INLINE void StoreResults(uint32_t *out, __m256i results) {
    if (kStreaming) {
        _mm256_stream_si256(reinterpret_cast<__m256i *>(out), results);
    } else {
        _mm256_storeu_si256(reinterpret_cast<__m256i *>(out), results);
    }
}

HWY_INLINE __m128i Row16(const void *p) {
    return _mm_loadu_si128(static_cast<const __m128i *>(p));
}

// Two rows of a table, one for each half of a block.
HWY_INLINE __m256i Rows(const uint8_t *low, const uint8_t *high) {
    return _mm256_inserti128_si256(_mm256_castsi128_si256(Row16(low)), Row16(high), 1);
}

// The tables at an address that compilers do not know: otherwise they like to make constants anew, which takes longer.
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
        closes[g] = pm_bits_count(~bits >> 16 * g & 0xffff);
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
        return pm_bits_count(static_cast<unsigned>(_mm256_movemask_epi8(codes)) >> 16 * half & 0xffff);
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

// The top of the stack as 32-bit indices in memory, growing downwards. The far stack holds all of it but what the last
// blocks did, since it was brought up to date. Where it was written lately it is read and
// written in aligned blocks of 8 alone: a load that straddles a store still on its way to the cache has to wait for it.
class Window {
  public:
    HWY_INLINE Window(const pm_grid &grid, size_t first, const pm_far_stack &far, void *scratch, size_t size)
        : grid_(grid), begin_(static_cast<uint32_t *>(scratch)), bottom_(begin_ + (size / sizeof *begin_ - kBelow)),
          top_(bottom_), hidden_(far.depth), drained_(first), next_(first) {
        memset(bottom_, 0xff, kBelow * sizeof *bottom_);
    }

    HWY_INLINE uint64_t TotalDepth(const pm_far_stack &) const {
        return hidden_ + depth();
    }
    HWY_INLINE int64_t net() const {
        return net_;
    }

    HWY_INLINE bool Ready(const pm_far_stack &) const {
        return top_ >= highest() && top_ <= lowest();
    }
    HWY_NOINLINE void MakeReady(pm_far_stack &far) {
        Drain(far);
        if (top_ < highest())
            Drop();
        else
            Refill(far);
    }

    // All entries stay at hand.
    HWY_NOINLINE void Drain(pm_far_stack &far) {
        TakeBlocks(grid_, drained_, next_, far);
        drained_ = next_;
    }

    template <bool kStreaming> void Match(size_t first, size_t last, pm_far_stack &far) {
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
        Summarise(bits | ~pm_bits_low(to), summary, kAvx2);
        top_ = MatchBlock<false>(summary, BlockBase(grid_, block), top_, bottom_, results, kAvx2) + (64 - to);
        next_ = block + 1;
        memcpy(out, results + from, (to - from) * sizeof *out);
        const uint64_t present = bits & pm_bits_low(to);
        net_ += static_cast<int64_t>(to - from) - 2 * static_cast<int64_t>(pm_bits_count(present));
    }

  private:
    static constexpr size_t kSettled = 2048; // entries held after MakeReady, if there are as many
    // Past the bottom lie as many PM_NONE as a block can ask for, in whole blocks of 8, with two to spare.
    static constexpr size_t kBelow = 64 + 16;
    // Before the top, entries that may be written beside it.
    static constexpr size_t kAbove = kSpelledAbove;

    // Makes room for entries: forgets the oldest, which the far stack holds.
    HWY_INLINE void Drop() {
        uint32_t *const top = bottom_ - kSettled;
        hidden_ += depth() - kSettled;
        memcpy(top, top_, kSettled * sizeof *top);
        top_ = top;
    }

    // Spells entries of the far stack out, those at hand as well, which are few.
    HWY_INLINE void Refill(const pm_far_stack &far) {
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

    // Each matches blocks of its kind: from the next one, which is of that kind, up to `last`, the first of another
    // kind, or where the window is not ready. Only the one for opens that go onto the far stack at once does not need
    // it.
    template <bool kStreaming> void MatchMixed(size_t last);
    template <bool kStreaming> void MatchCloses(size_t last, pm_far_stack &far);
    template <bool kStreaming> void MatchOpens(size_t last);
    template <bool kStreaming> void MatchOpensFar(size_t last, pm_far_stack &far);

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

    // Takes eight entries that begin so many bytes into a block from that and the next.
    struct Rotation {
        __m256i rotate, wrapped;

        HWY_INLINE Rotation(size_t above, const Avx2Tables &tables)
            : rotate(Load(RowFor(tables.rotate, above))), wrapped(Load(RowFor(tables.wrapped, above))) {}
        HWY_INLINE __m256i Of(__m256i block, __m256i next) const {
            return _mm256_permutevar8x32_epi32(_mm256_blendv_epi8(block, next, wrapped), rotate);
        }
    };

    // Matches a summarised block on the stack from `top` to `floor`; returns its top then.
    template <bool kStreaming>
    static HWY_INLINE uint32_t *MatchBlock(const Summary &summary, uint32_t base, uint32_t *top, uint32_t *floor,
                                           uint32_t *out, const Avx2Tables &tables) {
        HWY_UNROLL(2)
        for (int h = 0; h < 2; h++, base += 32, out += 32) {
            __asm__("" : "+r"(out)); // so that it is not made into many pointers
            const unsigned open = summary.open[h];
            const unsigned close = open + 32 - 2 * pm_bits_count(static_cast<uint32_t>(summary.bits >> 32 * h));
            Emit<kStreaming>(Load(summary.code[h]), close, base, top, out, tables);
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
    template <bool kStreaming>
    static HWY_INLINE void Emit(__m256i code, unsigned close, uint32_t base, const uint32_t *top, uint32_t *out,
                                const Avx2Tables &tables) {
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
            StoreResults<kStreaming>(out, _mm256_add_epi32(_mm256_unpacklo_epi16(low[k], high[k]), bases));
            StoreResults<kStreaming>(out + 8, _mm256_add_epi32(_mm256_unpackhi_epi16(low[k], high[k]), bases));
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

    const pm_grid &grid_;
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
        opens += pm_bits_count(bits);
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

// They take the top of the stack as it is.
template <bool kStreaming> HWY_NOINLINE void Window::MatchCloses(size_t last, pm_far_stack &far) {
    const uint32_t *const lowest = this->lowest();
    size_t block = next_;
    uint32_t *out = grid_.match + BlockResults(grid_, block), *top = top_;
    do {
        const Rotation rotation(Above(top), kAvx2);
        const uint32_t *const at = BlockAt(top);
        HWY_UNROLL(8)
        for (int i = 0; i < 64; i += 8)
            StoreResults<kStreaming>(out + i, rotation.Of(Load(at + i), Load(at + i + 8)));
        top = HWY_MIN(top + 64, bottom_);
        block++, out += 64;
    } while (block < last && top <= lowest && BlockBits(grid_, block) == 0);
    if (drained_ == next_) { // then the far stack stays up to date
        PopSurvivors(far, HWY_MIN(64 * (block - next_), far.depth));
        drained_ = block;
    }
    net_ += static_cast<int64_t>(64 * (block - next_));
    next_ = block;
    top_ = top;
}

// Each has the one before it for a parent, and all go onto the stack.
template <bool kStreaming> HWY_NOINLINE void Window::MatchOpens(size_t last) {
    const uint32_t *const highest = this->highest();
    const __m256i iota = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    __m256i eight = _mm256_set1_epi32(8);
    __asm__("" : "+x"(eight));
    size_t block = next_;
    uint32_t *out = grid_.match + BlockResults(grid_, block), *top = top_;
    const uint32_t base = BlockBase(grid_, block);
    __m256i parent = _mm256_add_epi32(iota, _mm256_set1_epi32(static_cast<int>(base - 1)));
    __m256i line = _mm256_blend_epi32(parent, _mm256_set1_epi32(static_cast<int>(*top)), 1);
    // Entries lie in the order of their blocks of eight, each with the last one first; those of the first block of all
    // that are not opens of the run are left.
    const size_t above = Above(top);
    uint32_t *to = BlockAt(top);
    const int first = static_cast<int>(base + static_cast<uint32_t>(above / sizeof *top) - 1);
    __m256i entries = _mm256_sub_epi32(_mm256_set1_epi32(first), iota);
    const __m256i rest = _mm256_blendv_epi8(Load(to), entries, Load(RowFor(kAvx2.wrapped, above)));
    uint32_t *const rest_to = to;
    do {
        HWY_UNROLL(8)
        for (int i = 0; i < 64; i += 8) {
            StoreResults<kStreaming>(out + i, line);
            line = parent = _mm256_add_epi32(parent, eight);
        }
        HWY_UNROLL(8)
        for (int i = 0; i < 64; i += 8) {
            Store(to - i, entries);
            entries = _mm256_add_epi32(entries, eight);
        }
        to -= 64, top -= 64;
        block++, out += 64;
    } while (block < last && top >= highest && BlockBits(grid_, block) == UINT64_MAX);
    Store(to, entries);
    Store(rest_to, rest);
    net_ -= static_cast<int64_t>(64 * (block - next_));
    next_ = block;
    top_ = top;
}

// The same when the window is full.
template <bool kStreaming> HWY_NOINLINE void Window::MatchOpensFar(size_t last, pm_far_stack &far) {
    Drain(far);
    size_t block = next_;
    uint32_t *out = grid_.match + BlockResults(grid_, block);
    const __m256i eight = _mm256_set1_epi32(8);
    __m256i parent = _mm256_add_epi32(_mm256_set1_epi32(static_cast<int>(BlockBase(grid_, block) - 1)),
                                      _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
    __m256i line = _mm256_blend_epi32(parent, _mm256_set1_epi32(static_cast<int>(*top_)), 1);
    do {
        HWY_UNROLL(8)
        for (int i = 0; i < 64; i += 8) {
            StoreResults<kStreaming>(out + i, line);
            line = parent = _mm256_add_epi32(parent, eight);
        }
        PushSurvivors(far, static_cast<uint32_t>(block++), 64);
        out += 64;
    } while (block < last && BlockBits(grid_, block) == UINT64_MAX);
    net_ -= static_cast<int64_t>(64 * (block - next_));
    next_ = drained_ = block;
    hidden_ = far.depth;
    top_ = bottom_;
}

} // namespace HWY_NAMESPACE
} // namespace pm
HWY_AFTER_NAMESPACE();

#endif // HWY_TARGET

#endif
