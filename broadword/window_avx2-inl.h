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

// A constant that is loaded where it is used: compilers like to make it anew, which takes longer.
HWY_INLINE __m256i Constant(const void *p) {
    __asm__("" : "+r"(p));
    return Load(p);
}

// Inner codes as they are, 0 in place of outer ones.
HWY_INLINE __m256i InnerOnly(__m256i code) {
    return _mm256_min_epi8(code, _mm256_setzero_si256());
}

// The same for elements that are 16 further on.
HWY_INLINE __m256i InnerMoved(__m256i code) {
    return InnerOnly(_mm256_add_epi8(code, Constant(kAvx2.sixteen)));
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

// The top of the stack as 32-bit indices in memory, growing downwards. Where it was written lately it is read and
// written in aligned blocks of 8 alone: a load that straddles a store still on its way to the cache has to wait for it.
class Window {
  public:
    HWY_INLINE Window(const pm_grid &grid, const pm_far_stack &, void *scratch, size_t size)
        : grid_(grid), begin_(static_cast<uint32_t *>(scratch)), bottom_(begin_ + (size / sizeof *begin_ - kBelow)),
          top_(bottom_) {
        memset(bottom_, 0xff, kBelow * sizeof *bottom_);
    }

    HWY_INLINE uint64_t TotalDepth(const pm_far_stack &far) const {
        return far.depth + depth();
    }
    HWY_INLINE size_t depth() const {
        return static_cast<size_t>(bottom_ - top_);
    }
    HWY_INLINE int64_t net() const {
        return net_;
    }

    HWY_INLINE bool Ready(const pm_far_stack &far) const {
        return room() >= 64 && (depth() >= 64 || far.used == 0);
    }
    HWY_NOINLINE void MakeReady(pm_far_stack &far) {
        if (depth() <= 2 * kSettled) {
            Settle(*this, kSettled, far);
            return;
        }
        Spill(depth() - kSettled, far);
        uint32_t *const top = bottom_ - kSettled;
        memcpy(top, top_, kSettled * sizeof *top);
        top_ = top;
    }

    template <bool kStreaming> void Match(size_t first, size_t last, pm_far_stack &far) {
        constexpr Results kStore = kStreaming ? Results::kStreamed : Results::kStored;
        uint32_t *out = grid_.match + BlockResults(grid_, first);
        uint32_t base = BlockBase(grid_, first);
        for (size_t block = first; block < last; block++, out += 64, base += 64) {
            if (HWY_UNLIKELY(!Ready(far)))
                MakeReady(far);
            const uint64_t bits = BlockBits(grid_, block);
            net_ += 64 - 2 * static_cast<int64_t>(pm_bits_count(bits));
            top_ = MatchBlock<kStore>(base, bits, top_, bottom_, out);
        }
    }

    HWY_INLINE void MatchPart(size_t block, unsigned from, unsigned to, uint32_t *out) {
        alignas(64) uint32_t results[64];
        const uint64_t bits = BlockBits(grid_, block);
        top_ = MatchBlock<Results::kStored>(BlockBase(grid_, block), bits | ~pm_bits_low(to), top_, bottom_, results) +
               (64 - to);
        memcpy(out, results + from, (to - from) * sizeof *out);
        const uint64_t present = bits & pm_bits_low(to);
        net_ += static_cast<int64_t>(to - from) - 2 * static_cast<int64_t>(pm_bits_count(present));
    }

    HWY_INLINE void Drain(pm_far_stack &far) {
        if (depth() > 0)
            Spill(depth(), far);
        top_ = bottom_;
    }
    void Replay(size_t first, const pm_far_stack &far);

  private:
    static constexpr size_t kSettled = 2048; // entries held after MakeReady, if there are as many
    // Past the bottom lie as many PM_NONE as a block can ask for, in whole blocks of 8, with two to spare.
    static constexpr size_t kBelow = 64 + 16;
    // Before the top, as much of a block as may be written beside the top entry, and 64 that Spill may read.
    static constexpr size_t kAbove = 64;

    HWY_INLINE size_t room() const {
        return static_cast<size_t>(top_ - begin_) - kAbove;
    }

    enum class Results {
        kNone,
        kStored,
        kStreamed
    };

    void Spill(size_t count, pm_far_stack &far) const;
    uint64_t BlockEnds(const uint32_t *p) const;

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

        explicit HWY_INLINE Rotation(size_t above)
            : rotate(Load(RowFor(kAvx2.rotate, above))), wrapped(Load(RowFor(kAvx2.wrapped, above))) {}
        HWY_INLINE __m256i Of(__m256i block, __m256i next) const {
            return _mm256_permutevar8x32_epi32(_mm256_blendv_epi8(block, next, wrapped), rotate);
        }
    };

    // Matches a block on the stack from `top` to `floor`; returns its top then.
    template <Results kResults>
    static HWY_INLINE uint32_t *MatchBlock(uint32_t base, uint64_t bits, uint32_t *top, uint32_t *floor,
                                           uint32_t *out) {
        if (HWY_UNLIKELY(bits + 1 <= 1))
            return bits == 0 ? MatchCloses<kResults>(top, floor, out) : MatchOpens<kResults>(base, top, out);
        alignas(16) uint16_t row[8];
        static_assert(sizeof PlanesTables::first[0] == 32, "a byte's rows are found by a shift of 5");
        _mm_store_si128(reinterpret_cast<__m128i *>(row),
                        _mm_slli_epi16(_mm_cvtepu8_epi16(_mm_cvtsi64_si128(static_cast<int64_t>(bits))), 5));
        __asm__("" : "+m"(row)); // so that rows are loaded one by one: taking them out of a vector costs shuffles
        const Groups early = SummariseGroups(row), late = SummariseGroups(row + 2);
        const auto outer = [bits](int g)
                               HWY_ATTR { return kAvx2.outer + 2 * size_t{pm_bits_count(~bits >> 16 * g & 0xffff)}; };

        // Together: outer codes of the late groups are looked up in the symbolic stacks of the early ones. Tables say
        // only of inner entries which they are; the outer ones follow from the closes.
        const __m256i below = _mm256_max_epu8(early.stack, Rows(outer(0), outer(2)));
        const __m256i late_code = _mm256_or_si256(_mm256_shuffle_epi8(below, late.code), InnerMoved(late.code));
        const __m256i late_inner = InnerMoved(late.stack);
        // Entries of the late groups' stacks that are not their own: where in the early ones', if there at all.
        const __m256i from = _mm256_adds_epu8(Rows(outer(1), outer(3)), Constant(kAvx2.limit));
        const __m256i stack =
            _mm256_or_si256(_mm256_shuffle_epi8(below, _mm256_or_si256(from, late_inner)), late_inner);
        const unsigned flags = static_cast<unsigned>(_mm256_movemask_epi8(stack));

        HWY_UNROLL(2)
        for (int h = 0; h < 2; h++, base += 32, out += 32) {
            unsigned open = pm_bits_count(h == 0 ? flags & 0xffff : flags >> 16);
            const unsigned ones = pm_bits_count(bits >> 32 * h & UINT32_MAX);
            __m128i more = _mm_setzero_si128(); // survivors but the first 16
            if (HWY_UNLIKELY(open == 16)) {
                const __m256i from_16 = _mm256_adds_epu8(Rows(outer(1) + 16, outer(3) + 16), Constant(kAvx2.limit));
                more = Half(_mm256_shuffle_epi8(below, from_16), h);
                open += pm_bits_count(static_cast<unsigned>(_mm_movemask_epi8(more)));
            }
            const unsigned close = open + 32 - 2 * ones;
            const __m256i code = h == 0 ? _mm256_permute2x128_si256(early.code, late_code, 0x20)
                                        : _mm256_permute2x128_si256(early.code, late_code, 0x31);
            if (kResults != Results::kNone)
                Emit<kResults == Results::kStreamed>(code, close, base, top, out);
            top = HWY_MIN(top + close, floor) - open;
            Push(Half(stack, h), open, base, top);
            if (HWY_UNLIKELY(open > 16))
                Push(more, open - 16, base, top + 16);
        }
        return top;
    }

    static HWY_INLINE __m128i Half(__m256i v, int half) {
        return half == 0 ? _mm256_castsi256_si128(v) : _mm256_extracti128_si256(v, 1);
    }

    // Sixteen entries, less a base, as planes: byte p of each in plane p, in both lanes.
    struct Planes {
        __m256i plane[4];

        HWY_INLINE Planes(const uint32_t *at, const Rotation &rotation, __m256i base) {
            const __m256i block[3] = {Load(at), Load(at + 8), Load(at + 16)};
            const __m256i near = _mm256_sub_epi32(rotation.Of(block[0], block[1]), base);
            const __m256i far = _mm256_sub_epi32(rotation.Of(block[1], block[2]), base);
            const __m256i by_plane = Constant(kAvx2.by_plane);
            const __m256i even = _mm256_shuffle_epi8(_mm256_permute2x128_si256(near, far, 0x20), by_plane);
            const __m256i odd = _mm256_shuffle_epi8(_mm256_permute2x128_si256(near, far, 0x31), by_plane);
            const __m256i low = _mm256_unpacklo_epi32(even, odd), high = _mm256_unpackhi_epi32(even, odd);
            plane[0] = _mm256_permute4x64_epi64(low, 0x88);
            plane[1] = _mm256_permute4x64_epi64(low, 0xdd);
            plane[2] = _mm256_permute4x64_epi64(high, 0x88);
            plane[3] = _mm256_permute4x64_epi64(high, 0xdd);
        }
    };

    // Looks the codes of 32 elements up. Taken less the base, entries for inner elements have but one byte.
    template <bool kStreaming>
    static HWY_INLINE void Emit(__m256i code, unsigned close, uint32_t base, const uint32_t *top, uint32_t *out) {
        const __m256i bases = _mm256_set1_epi32(static_cast<int>(base));
        const Rotation rotation(Above(top));
        const Planes near(BlockAt(top), rotation, bases);
        code = _mm256_permutevar8x32_epi32(code, Constant(kAvx2.fours));
        __m256i byte[4];
        if (HWY_LIKELY(close < 16)) {
            for (int p = 0; p < 4; p++)
                byte[p] = _mm256_shuffle_epi8(near.plane[p], code);
        } else {
            const Planes far(BlockAt(top) + 16, rotation, bases);
            const __m256i in_near = _mm256_adds_epu8(code, Constant(kAvx2.limit));
            const __m256i in_far = _mm256_subs_epi8(code, Constant(kAvx2.sixteen));
            for (int p = 0; p < 4; p++)
                byte[p] = _mm256_or_si256(_mm256_shuffle_epi8(near.plane[p], in_near),
                                          _mm256_shuffle_epi8(far.plane[p], in_far));
        }
        byte[0] = _mm256_or_si256(byte[0], _mm256_subs_epu8(code, Constant(kAvx2.inner)));
        const __m256i low[2] = {_mm256_unpacklo_epi8(byte[0], byte[1]), _mm256_unpackhi_epi8(byte[0], byte[1])};
        const __m256i high[2] = {_mm256_unpacklo_epi8(byte[2], byte[3]), _mm256_unpackhi_epi8(byte[2], byte[3])};
        HWY_UNROLL(2)
        for (int k = 0; k < 2; k++, out += 16) {
            StoreResults<kStreaming>(out, _mm256_add_epi32(_mm256_unpacklo_epi16(low[k], high[k]), bases));
            StoreResults<kStreaming>(out + 8, _mm256_add_epi32(_mm256_unpackhi_epi16(low[k], high[k]), bases));
        }
    }

    // Puts survivors on the stack, whose top is `top` then. What comes before `top` is nobody's.
    static HWY_INLINE void Push(__m128i stack, unsigned open, uint32_t base, uint32_t *top) {
        const size_t above = Above(top);
        const uint8_t *const shift = RowFor(kAvx2.push, above);
        uint32_t *const to = BlockAt(top);
        const __m128i codes = _mm_shuffle_epi8(stack, Row16(shift));
        const __m256i bases = _mm256_set1_epi32(static_cast<int>(base + PlanesTables::kInner));
        PushBlock(codes, bases, to);
        PushBlock(_mm_unpackhi_epi64(codes, codes), bases, to + 8);
        if (HWY_UNLIKELY(open > 9))
            PushBlock(_mm_shuffle_epi8(stack, Row16(shift + 16)), bases, to + 16);
    }

    // Replaces the entries of a block of 8 for which there is an inner code. Those are negative.
    static HWY_INLINE void PushBlock(__m128i codes, __m256i bases, uint32_t *block) {
        const __m256i code = _mm256_cvtepi8_epi32(codes);
        const __m256i entry = _mm256_add_epi32(code, bases);
        Store(block, _mm256_castps_si256(_mm256_blendv_ps(_mm256_castsi256_ps(Load(block)), _mm256_castsi256_ps(entry),
                                                          _mm256_castsi256_ps(code))));
    }

    // A block of closes alone takes the top of the stack as it is.
    template <Results kResults> static HWY_INLINE uint32_t *MatchCloses(uint32_t *top, uint32_t *floor, uint32_t *out) {
        if (kResults != Results::kNone) {
            const Rotation rotation(Above(top));
            const uint32_t *const at = BlockAt(top);
            HWY_UNROLL(8)
            for (int i = 0; i < 64; i += 8)
                StoreResults<kResults == Results::kStreamed>(out + i, rotation.Of(Load(at + i), Load(at + i + 8)));
        }
        return HWY_MIN(top + 64, floor);
    }

    // A block of opens alone: each has the one before it for a parent, and all go onto the stack.
    template <Results kResults> static HWY_INLINE uint32_t *MatchOpens(uint32_t base, uint32_t *top, uint32_t *out) {
        const __m256i iota = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7), eight = _mm256_set1_epi32(8);
        if (kResults != Results::kNone) {
            constexpr bool kStreaming = kResults == Results::kStreamed;
            __m256i parent = _mm256_add_epi32(iota, _mm256_set1_epi32(static_cast<int>(base - 1)));
            StoreResults<kStreaming>(out, _mm256_blend_epi32(parent, _mm256_set1_epi32(static_cast<int>(*top)), 1));
            HWY_UNROLL(7)
            for (int i = 8; i < 64; i += 8) {
                parent = _mm256_add_epi32(parent, eight);
                StoreResults<kStreaming>(out + i, parent);
            }
        }
        top -= 64;
        const size_t above = Above(top);
        uint32_t *to = BlockAt(top);
        const int first = static_cast<int>(base + 63 + static_cast<uint32_t>(above / sizeof *top));
        __m256i down = _mm256_sub_epi32(_mm256_set1_epi32(first), iota);
        HWY_UNROLL(8)
        for (int i = 0; i < 64; i += 8) {
            Store(to + i, down);
            down = _mm256_sub_epi32(down, eight);
        }
        Store(to + 64, _mm256_blendv_epi8(Load(to + 64), down, Load(RowFor(kAvx2.wrapped, above))));
        return top;
    }

    const pm_grid &grid_;
    uint32_t *const begin_;  // of the memory
    uint32_t *const bottom_; // one past the oldest entry
    uint32_t *top_;
    int64_t net_ = 0; // closes minus opens so far
};

// Which of the 64 entries from `p` on lie in another block than the entry after them, as bits.
HWY_INLINE uint64_t Window::BlockEnds(const uint32_t *p) const {
    const __m256i origin = _mm256_set1_epi32(static_cast<int>(BlockBase(grid_, 0)));
    uint64_t same = 0;
    for (int g = 7; g >= 0; g--) {
        const __m256i entry = _mm256_sub_epi32(LoadU(p + 8 * g), origin);
        const __m256i after = _mm256_sub_epi32(LoadU(p + 8 * g + 1), origin);
        const __m256i differ = _mm256_and_si256(_mm256_xor_si256(entry, after), _mm256_set1_epi32(~63));
        const __m256i equal = _mm256_cmpeq_epi32(differ, _mm256_setzero_si256());
        same = same << 8 | static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(equal)));
    }
    return ~same;
}

// Puts the `count` > 0 oldest entries on the far stack. It is up to the caller to take them off this one.
void Window::Spill(size_t count, pm_far_stack &far) const {
    const uint32_t *const end = bottom_ - count;
    const uint32_t *oldest = bottom_; // one past the oldest entry that is left
    size_t last_run = 64;
    pm_survivors *to = far.survivors + far.used;
    uint32_t before = 0; // entries of the same block on the far stack's top: the two become one
    if (far.used > 0 && to[-1].block == BlockOf(grid_, bottom_[-1]))
        before = (--to)->count;
    const auto push = [&](const uint32_t *first) HWY_ATTR { // the entries from `first` on, which are of one block
        last_run = static_cast<size_t>(oldest - first);
        *to++ = pm_survivors{BlockOf(grid_, *first), before + static_cast<uint32_t>(last_run)};
        before = 0;
        oldest = first;
    };
    while (oldest > end) {
        // Often a block has as many entries as the one before.
        const uint32_t *const same = oldest - last_run;
        if (same >= end) {
            const uint32_t block = BlockOf(grid_, *same);
            if (block == BlockOf(grid_, oldest[-1]) && block != BlockOf(grid_, same[-1])) {
                push(same);
                continue;
            }
        }
        // Otherwise look for all blocks that end in the next 64 entries; a block has no more.
        const uint32_t *const p = oldest - 64, *const before_these = oldest;
        uint64_t ends = BlockEnds(p) & UINT64_MAX >> 1;
        if (p < end)
            ends &= ~pm_bits_low(static_cast<unsigned>(end - p));
        for (; ends != 0; ends ^= UINT64_C(1) << pm_bits_highest(ends))
            push(p + pm_bits_highest(ends) + 1);
        if (oldest == before_these)
            push(HWY_MAX(p, end));
    }
    far.used = static_cast<size_t>(to - far.survivors);
    far.depth += static_cast<size_t>(bottom_ - end);
}

void Window::Replay(size_t first, const pm_far_stack &far) {
    for (size_t k = first; k < far.used; k++) {
        const pm_survivors from = far.survivors[k];
        MatchBlock<Results::kNone>(BlockBase(grid_, from.block), BlockBits(grid_, from.block), top_, top_, nullptr);
        top_ -= from.count;
    }
}

} // namespace HWY_NAMESPACE
} // namespace pm
HWY_AFTER_NAMESPACE();

#endif // HWY_TARGET

#endif
