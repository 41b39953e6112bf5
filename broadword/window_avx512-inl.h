// SPDX-License-Identifier: Apache-2.0
// The engine for AVX-512 with VBMI: blocks of 64, summarised a few ahead of where they are matched with the stack.
#if defined(PM_BROADWORD_WINDOW_AVX512_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PM_BROADWORD_WINDOW_AVX512_INL_H
#undef PM_BROADWORD_WINDOW_AVX512_INL_H
#else
#define PM_BROADWORD_WINDOW_AVX512_INL_H
#endif

#include <string.h>

#include "broadword/match_range-inl.h"
#include "broadword/summary_avx512-inl.h"

#if HWY_TARGET == HWY_AVX3_DL

HWY_BEFORE_NAMESPACE();
namespace pm {
namespace HWY_NAMESPACE {

// The top of the stack as 32-bit indices in memory, growing downwards; the oldest entries are spilled. It is read and
// written in aligned blocks of 16 alone: a load that straddles a store still on its way to the cache has to wait for
// it, one that repeats it does not.
class Window {
  public:
    HWY_INLINE Window(const pm_grid &grid, void *scratch, size_t size)
        : grid_(grid), begin_(static_cast<uint32_t *>(scratch)), end_(begin_ + (size / sizeof *begin_ - kBelow)),
          bottom_(end_), top_(end_) {
        ClearBelow();
    }

    HWY_INLINE size_t depth() const {
        return static_cast<size_t>(bottom_ - top_);
    }
    HWY_INLINE int64_t net() const {
        return net_;
    }

    HWY_INLINE bool Ready(const pm_far_stack &far) const {
        return room() >= kElements && depth() <= kMost && (depth() >= kElements || far.used == 0);
    }

    HWY_NOINLINE void MakeReady(pm_far_stack &far) {
        if (depth() > kMost)
            Spill(kElements, far);
        if (room() < kElements)
            MoveBottom(end_);
        if (depth() < kElements && far.used > 0)
            Refill(far);
    }

    HWY_INLINE void Drain(pm_far_stack &far) {
        if (depth() > 0)
            Spill(depth(), far);
    }

    template <bool kStreaming> void Match(size_t first, size_t last, pm_far_stack &far) {
        uint32_t base = BlockBase(grid_, first);
        uint32_t *out = grid_.match + BlockResults(grid_, first);
        const Constants constants;
        Ring ring;
        int64_t excess = EnterBatch(first, last, 0, ring);
        Summarise<kAhead>(ring, 0, constants);
        for (size_t at = 0; first < last; at ^= kBatch) {
            if (HWY_UNLIKELY(!Ready(far)))
                MakeReady(far);
            const size_t count = HWY_MIN(kBatch, last - first);
            net_ -= excess;
            excess = EnterBatch(first + count, last, at ^ kBatch, ring);
            for (size_t i = at; i < at + count;) {
                i = MatchNarrowRun<kStreaming>(ring, i, at + count, base, out);
                i = MatchWideRun<kStreaming>(ring, i, at + count, base, out);
            }
            first += count;
            base += kElements;
            out += kElements;
        }
    }

    // Elements missing at the end are made opens: they match nothing before them and end up on top, to be taken off.
    HWY_INLINE void MatchPart(size_t block, unsigned from, unsigned to, uint32_t *out) {
        alignas(64) uint32_t results[64];
        const uint64_t bits = BlockBits(grid_, block);
        const Constants constants;
        Ring ring;
        Enter(_mm512_maskz_set1_epi64(1, static_cast<int64_t>(bits | ~pm_bits_low(to))), 0, ring);
        Summarise<1>(ring, 0, constants);
        const __m512i inner_base = InnerBase(BlockBase(grid_, block));
        const int open = CountSurvivors(ring.summary[0].state), close = open - static_cast<int>(ring.excess[0]);
        top_ = open == Avx512Tables::kDepth
                   ? MatchFull<false>(ring, 0, inner_base, top_, results, constants)
                   : MatchWide<false>(ring, 0, open, close, inner_base, top_, results, constants);
        top_ += 64 - to;
        memcpy(out, results + from, (to - from) * sizeof *out);
        net_ -= Excess(bits, to) + static_cast<int>(from);
    }

  private:
    static constexpr size_t kBatch = Ring::kBlocks / 2;
    static constexpr size_t kElements = 64 * kBatch; // of a batch: what it may push or pop
    static constexpr size_t kAhead = 4;              // blocks summarised ahead of the one that is matched
    static constexpr size_t kMost = 5632;            // entries from which on the oldest are spilled
    static constexpr size_t kRefill = 2048;          // entries taken back at least
    // Past the end lie as many PM_NONE as a block can ask for, in whole blocks of 16, with one to spare.
    static constexpr size_t kBelow = 64 + 32;
    // Before the top, so many entries that Spill may read without looking.
    static constexpr size_t kAbove = 64;

    // Entries that fit before the top.
    HWY_INLINE size_t room() const {
        return static_cast<size_t>(top_ - begin_) - kAbove;
    }

    // Moves all entries so that they end at `bottom`.
    void MoveBottom(uint32_t *bottom) {
        uint32_t *const top = bottom - depth();
        memmove(top, top_, depth() * sizeof *top_);
        top_ = top;
        bottom_ = bottom;
    }

    void Spill(size_t count, pm_far_stack &far);
    void Refill(pm_far_stack &far);
    uint64_t BlockEnds(const uint32_t *p) const;

    HWY_INLINE void ClearBelow() {
        memset(end_, 0xff, kBelow * sizeof *end_);
    }

    // Codes of inner elements plus this are their indices.
    static HWY_INLINE __m512i InnerBase(uint32_t base) {
        return _mm512_set1_epi32(static_cast<int>(base - Avx512Tables::kInner));
    }

    // Enters a batch of the blocks first ... last - 1 into the ring at `at`, zeros after them. Returns the sum of
    // excesses.
    HWY_INLINE int64_t EnterBatch(size_t first, size_t last, size_t at, Ring &ring) const {
        int64_t sum = 0;
        for (size_t i = 0; i < kBatch; i += 8, first += 8) {
            const size_t count = first < last ? HWY_MIN(8, last - first) : 0;
            sum += Enter(Blocks(first, static_cast<unsigned>(count)), at + i, ring);
            sum += 64 * static_cast<int64_t>(8 - count); // absent blocks are no closes
        }
        return sum;
    }

    // Blocks first ... first + count - 1, whole ones; zeros after them.
    HWY_INLINE __m512i Blocks(size_t first, unsigned count) const {
        const __mmask8 present = static_cast<__mmask8>(pm_bits_low(count));
        const __m512i words = _mm512_maskz_loadu_epi64(present, grid_.parens + first);
        const unsigned lead = grid_.lead;
        if (lead == 0)
            return words;
        const __m512i before = _mm512_maskz_loadu_epi64(present, grid_.parens + first - 1);
        return _mm512_or_si512(_mm512_slli_epi64(words, lead), _mm512_srli_epi64(before, 64 - lead));
    }

    // Bytes between the aligned block that holds the top entry, and that entry.
    static HWY_INLINE size_t Above(const uint32_t *top) {
        return reinterpret_cast<uintptr_t>(top) % 64;
    }

    // A pointer moved by a number of bytes.
    template <class T> static HWY_INLINE T *Moved(T *p, ptrdiff_t bytes) {
        return reinterpret_cast<T *>(reinterpret_cast<uintptr_t>(p) + static_cast<uintptr_t>(bytes));
    }

    // The stack from its top entry on: 32 entries.
    struct Pair {
        __m512i first, second;
    };
    static HWY_INLINE Pair Top(const uint32_t *top) {
        const ptrdiff_t above = static_cast<ptrdiff_t>(Above(top));
        const __m512i rotate = Row(Moved(&kAvx512.rotate[0][0], above * 16));
        const uint32_t *block = Moved(top, -above);
        const __m512i middle = Row(block + 16);
        return {_mm512_permutex2var_epi32(Row(block), rotate, middle),
                _mm512_permutex2var_epi32(middle, rotate, Row(block + 32))};
    }

    template <bool kStreaming> static HWY_INLINE void Store(uint32_t *out, __m512i results) {
        if (kStreaming) {
            _mm512_stream_si512(reinterpret_cast<__m512i *>(out), results);
        } else {
            _mm512_storeu_si512(out, results);
        }
    }

    // Sixteen results, from the codes and from what outer codes stand for.
    template <bool kStreaming>
    static HWY_INLINE void Emit(__m128i codes, __m512i code, __m512i outer, __m512i inner_base, uint32_t *out) {
        Store<kStreaming>(out, _mm512_mask_add_epi32(outer, _mm_movepi8_mask(codes), code, inner_base));
    }

    // Results of a block whose codes are below 32.
    template <bool kStreaming>
    static HWY_INLINE void EmitNarrow(const Summary &summary, __m512i inner_base, const uint32_t *top, uint32_t *out) {
        const Pair stack = Top(top);
        HWY_UNROLL(4)
        for (int g = 0; g < 4; g++) {
            const __m128i codes = _mm_load_si128(reinterpret_cast<const __m128i *>(summary.code + 16 * g));
            const __m512i code = _mm512_cvtepu8_epi32(codes);
            Emit<kStreaming>(codes, code, _mm512_permutex2var_epi32(stack.first, code, stack.second), inner_base,
                             out + 16 * g);
        }
    }

    // Results of a block whose codes are below 64.
    template <bool kStreaming>
    static HWY_INLINE void EmitWide(const Summary &summary, __m512i inner_base, const uint32_t *top, uint32_t *out) {
        const Pair stack = Top(top), deeper = Top(top + 32);
        HWY_UNROLL(4)
        for (int g = 0; g < 4; g++) {
            const __m128i codes = _mm_load_si128(reinterpret_cast<const __m128i *>(summary.code + 16 * g));
            const __m512i code = _mm512_cvtepu8_epi32(codes);
            const __mmask16 deep = _mm512_test_epi32_mask(code, _mm512_set1_epi32(32));
            const __m512i near = _mm512_permutex2var_epi32(stack.first, code, stack.second);
            const __m512i far = _mm512_permutex2var_epi32(deeper.first, code, deeper.second);
            Emit<kStreaming>(codes, code, _mm512_mask_mov_epi32(near, deep, far), inner_base, out + 16 * g);
        }
    }

    // Matches blocks i, i + 1, ... of the batch up to `end` or the first that is not narrow, and returns which that is.
    // `base` and `out` are those of the ring. Apart from the rest, so that the compiler thinks of nothing else here.
    template <bool kStreaming>
    HWY_NOINLINE size_t MatchNarrowRun(Ring &ring, size_t i, size_t end, uint32_t base, uint32_t *out) {
        const Constants constants;
        const size_t before = 64 * (i % kBatch);
        __m512i inner_base = InnerBase(base + static_cast<uint32_t>(before));
        uint32_t *top = top_;
        out += before;
        for (; i < end; i++, out += 64) {
            const Summary &summary = ring.summary[i];
            const size_t open = static_cast<size_t>(CountSurvivors(summary.state));
            const size_t close = open - static_cast<size_t>(ring.excess[i]);
            if (HWY_UNLIKELY(open > kNarrowOpens || close > kNarrowCloses))
                break;
            Summarise<1>(ring, (i + kAhead) % Ring::kBlocks, constants);
            top = MatchNarrow<kStreaming>(summary, open, close, inner_base, top, out, constants);
            inner_base = _mm512_add_epi32(inner_base, constants.block);
        }
        top_ = top;
        return i;
    }

    // The same for blocks of any kind, up to where several narrow ones follow one another.
    template <bool kStreaming>
    HWY_NOINLINE size_t MatchWideRun(Ring &ring, size_t i, size_t end, uint32_t base, uint32_t *out) {
        const Constants constants;
        const size_t before = 64 * (i % kBatch);
        __m512i inner_base = InnerBase(base + static_cast<uint32_t>(before));
        uint32_t *top = top_;
        out += before;
        int narrow_left = 4;
        for (; i < end; i++, out += 64) {
            if (ring.bits[i] == 0) {
                top = MatchCloses<kStreaming>(top, out);
            } else if (ring.bits[i] == UINT64_MAX) {
                top = MatchOpens<kStreaming>(inner_base, top, out);
            } else {
                const int open = CountSurvivors(ring.summary[i].state);
                if (HWY_UNLIKELY(open == Avx512Tables::kDepth)) {
                    top = MatchFull<kStreaming>(ring, i, inner_base, top, out, constants);
                    narrow_left = 4;
                } else {
                    const int close = open - static_cast<int>(ring.excess[i]);
                    narrow_left = close <= kNarrowCloses ? narrow_left - 1 : 4;
                    if (narrow_left == 0)
                        break;
                    top = MatchWide<kStreaming>(ring, i, open, close, inner_base, top, out, constants);
                }
            }
            SummariseUnlessUniform(ring, (i + kAhead) % Ring::kBlocks, constants);
            inner_base = _mm512_add_epi32(inner_base, constants.block);
        }
        top_ = top;
        return i;
    }

    // A block of closes alone takes the top of the stack as it is.
    template <bool kStreaming> HWY_INLINE uint32_t *MatchCloses(uint32_t *top, uint32_t *out) const {
        const Pair stack = Top(top), deeper = Top(top + 32);
        Store<kStreaming>(out, stack.first);
        Store<kStreaming>(out + 16, stack.second);
        Store<kStreaming>(out + 32, deeper.first);
        Store<kStreaming>(out + 48, deeper.second);
        return HWY_MIN(top + 64, bottom_);
    }

    // A block of opens alone: each has the one before it for a parent, and all go onto the stack.
    template <bool kStreaming>
    static HWY_INLINE uint32_t *MatchOpens(__m512i inner_base, uint32_t *top, uint32_t *out) {
        const __m512i iota = Row(kAvx512.rotate[0]);
        const __m512i base = _mm512_add_epi32(inner_base, _mm512_set1_epi32(Avx512Tables::kInner));
        const __m512i parent = _mm512_add_epi32(base, _mm512_sub_epi32(iota, _mm512_set1_epi32(1)));
        Store<kStreaming>(out, _mm512_mask_mov_epi32(parent, 1, _mm512_set1_epi32(static_cast<int>(*top))));
        HWY_UNROLL(3)
        for (int g = 1; g < 4; g++)
            Store<kStreaming>(out + 16 * g, _mm512_add_epi32(parent, _mm512_set1_epi32(16 * g)));

        top -= 64;
        const size_t above = Above(top) / sizeof *top;
        uint32_t *to = top - above;
        // Entry `above` is element 63.
        __m512i down = _mm512_sub_epi32(_mm512_add_epi32(base, _mm512_set1_epi32(63 + static_cast<int>(above))), iota);
        HWY_UNROLL(4)
        for (int k = 0; k < 4; k++) {
            _mm512_store_si512(to + 16 * k, down);
            down = _mm512_sub_epi32(down, _mm512_set1_epi32(16));
        }
        const __mmask16 rest = static_cast<__mmask16>(pm_bits_low(static_cast<unsigned>(above)));
        _mm512_store_si512(to + 64, _mm512_mask_mov_epi32(Row(to + 64), rest, down));
        return top;
    }

    // Matches a narrow block; returns where the stack begins then.
    template <bool kStreaming>
    HWY_INLINE uint32_t *MatchNarrow(const Summary &summary, size_t open, size_t close, __m512i inner_base,
                                     uint32_t *top, uint32_t *out, const Constants &constants) const {
        EmitNarrow<kStreaming>(summary, inner_base, top, out);
        top = HWY_MIN(top + close, bottom_) - open;
        Push(summary.state, static_cast<size_t>(open), top, inner_base, constants);
        return top;
    }

    // The same for any number of closes.
    template <bool kStreaming>
    HWY_INLINE uint32_t *MatchWide(Ring &ring, size_t i, int open, int close, __m512i inner_base, uint32_t *top,
                                   uint32_t *out, const Constants &constants) const {
        Summary &summary = ring.summary[i];
        if (close > kNarrowCloses) {
            Extend(ring, i, constants);
            EmitWide<kStreaming>(summary, inner_base, top, out);
        } else {
            EmitNarrow<kStreaming>(summary, inner_base, top, out);
        }
        top = HWY_MIN(top + close, bottom_) - open;
        Push(summary.state, static_cast<size_t>(open), top, inner_base, constants);
        return top;
    }

    // The same where the symbolic stack was full; then there are few closes.
    template <bool kStreaming>
    HWY_INLINE uint32_t *MatchFull(const Ring &ring, size_t i, __m512i inner_base, uint32_t *top, uint32_t *out,
                                   const Constants &constants) const {
        const Survivors survivors = FindSurvivors(ring, i, constants);
        EmitNarrow<kStreaming>(ring.summary[i], inner_base, top, out);
        top = HWY_MIN(top + (survivors.count - static_cast<int>(ring.excess[i])), bottom_) - survivors.count;
        PushMany(survivors, top, inner_base, constants);
        return top;
    }

    // Puts the survivors of a state, at most 47, on the stack, whose top entry then is `top`. Lanes past the survivors
    // hold outer codes, and mean what is there already. What comes before `top` is nobody's.
    static HWY_INLINE void Push(State state, size_t open, uint32_t *top, __m512i inner_base,
                                const Constants &constants) {
        const ptrdiff_t above = static_cast<ptrdiff_t>(Above(top));
        const uint32_t *from = Moved(&kAvx512.push[0][0][0], above * 64);
        uint32_t *to = Moved(top, -above);
        PushBlock(state, from, to, inner_base, constants);
        PushBlock(state, from + 16, to + 16, inner_base, constants);
        if (HWY_UNLIKELY(open > 16)) {
            PushBlock(state, from + 32, to + 32, inner_base, constants);
            PushBlock(state, from + 48, to + 48, inner_base, constants);
        }
    }

    static HWY_INLINE void PushBlock(State state, const uint32_t *from, uint32_t *to, __m512i inner_base,
                                     const Constants &constants) {
        const __m512i code = _mm512_maskz_permutexvar_epi8(constants.low_bytes, Row(from), state);
        const __mmask16 survives = _mm512_test_epi32_mask(code, constants.inner);
        _mm512_store_si512(to, _mm512_mask_add_epi32(Row(to), survives, code, inner_base));
    }

    // Puts 48 survivors or more on the stack: they fill three blocks, or what matters of these, and reach into two
    // more.
    static HWY_INLINE void PushMany(const Survivors &survivors, uint32_t *top, __m512i inner_base,
                                    const Constants &constants) {
        const size_t above = Above(top) / sizeof *top;
        uint32_t *to = top - above;
        __m512i lane = _mm512_sub_epi32(Row(kAvx512.rotate[0]), _mm512_set1_epi32(static_cast<int>(above)));
        const __m512i end = _mm512_set1_epi32(survivors.count);
        HWY_UNROLL(5)
        for (int k = 0; k < 5; k++, to += 16) {
            const __m512i code = _mm512_maskz_permutexvar_epi8(constants.low_bytes, lane, survivors.list);
            const __m512i entry = _mm512_add_epi32(code, inner_base);
            if (k < 2) {
                _mm512_store_si512(to, entry);
            } else {
                const __mmask16 survives = _mm512_cmplt_epu32_mask(lane, end);
                _mm512_store_si512(to, _mm512_mask_mov_epi32(Row(to), survives, entry));
            }
            lane = _mm512_add_epi32(lane, _mm512_set1_epi32(16));
        }
    }

    const pm_grid &grid_;
    uint32_t *const begin_; // of the memory
    uint32_t *const end_;   // of the part for entries
    uint32_t *bottom_;      // one past the oldest entry; the end, unless older ones are spilled
    uint32_t *top_;
    int64_t net_ = 0; // closes minus opens so far
};

// Which of the 64 entries from `p` on lie in another block than the entry after them, as bits.
HWY_INLINE uint64_t Window::BlockEnds(const uint32_t *p) const {
    const __m512i origin = _mm512_set1_epi32(static_cast<int>(BlockBase(grid_, 0)));
    uint64_t ends = 0;
    for (int g = 3; g >= 0; g--) {
        const __m512i entry = _mm512_sub_epi32(RowAt(p + 16 * g), origin);
        const __m512i after = _mm512_sub_epi32(RowAt(p + 16 * g + 1), origin);
        const __mmask16 differ = _mm512_test_epi32_mask(_mm512_xor_si512(entry, after), _mm512_set1_epi32(~63));
        ends = ends << 16 | differ;
    }
    return ends;
}

// Moves the `count` > 0 oldest entries to the far stack.
void Window::Spill(size_t count, pm_far_stack &far) {
    uint32_t *const bottom = bottom_ - count;
    const uint32_t *oldest = bottom_; // one past the oldest entry that is left
    size_t last_run = 64;
    pm_survivors *to = far.survivors + far.used;
    uint32_t before = 0; // entries of the same block on the far stack's top: the two become one
    if (far.used > 0 && to[-1].block == BlockOf(grid_, bottom_[-1]))
        before = (--to)->count;
    const auto push = [&](const uint32_t *end) HWY_ATTR { // the entries from `end` on, which are of one block
        last_run = static_cast<size_t>(oldest - end);
        *to++ = pm_survivors{BlockOf(grid_, *end), before + static_cast<uint32_t>(last_run)};
        before = 0;
        oldest = end;
    };
    while (oldest > bottom) {
        // Often a block has as many entries as the one before.
        const uint32_t *const same = oldest - last_run;
        if (same >= bottom) {
            const uint32_t block = BlockOf(grid_, *same);
            if (block == BlockOf(grid_, oldest[-1]) && block != BlockOf(grid_, same[-1])) {
                push(same);
                continue;
            }
        }
        // Otherwise look for all blocks that end in the next 64 entries; a block has no more.
        const uint32_t *const p = oldest - 64, *const before_these = oldest;
        uint64_t ends = BlockEnds(p) & UINT64_MAX >> 1;
        if (p < bottom)
            ends &= ~pm_bits_low(static_cast<unsigned>(bottom - p));
        for (; ends != 0; ends ^= UINT64_C(1) << pm_bits_highest(ends))
            push(p + pm_bits_highest(ends) + 1);
        if (oldest == before_these)
            push(HWY_MAX(p, bottom));
    }
    far.used = static_cast<size_t>(to - far.survivors);
    far.depth += count;
    bottom_ = bottom;
}

// Takes entries back from the far stack, and puts them below those at hand.
void Window::Refill(pm_far_stack &far) {
    size_t left = far.used, found = 0;
    while (left > 0 && found < kRefill)
        found += far.survivors[--left].count;
    if (left == 0 || static_cast<size_t>(end_ - bottom_) < found)
        MoveBottom(end_ - found);

    const Constants constants;
    Ring ring;
    uint32_t *to = bottom_;
    for (size_t above = far.used; above > left;) {
        const size_t count = HWY_MIN(8, above - left);
        above -= count;
        const pm_survivors *const from = far.survivors + above;
        alignas(64) uint64_t bits[8] = {};
        bool opens_alone = true;
        for (size_t i = 0; i < count; i++) {
            bits[i] = BlockBits(grid_, from[i].block);
            opens_alone = opens_alone && bits[i] == UINT64_MAX;
        }
        if (!opens_alone) {
            Enter(Row(bits), 0, ring);
            Summarise<4>(ring, 0, constants);
            Summarise<4>(ring, 4, constants);
        }
        for (size_t i = count; i-- > 0; to += from[i].count) {
            // The lowest ones of the block's survivors end the list of them.
            const Survivors survivors =
                opens_alone ? Survivors{64, Row(kAvx512.opens)} : ListSurvivors(ring, i, constants);
            const __m512i inner_base = InnerBase(BlockBase(grid_, from[i].block));
            __m512i lane = _mm512_add_epi32(Row(kAvx512.rotate[0]),
                                            _mm512_set1_epi32(survivors.count - static_cast<int>(from[i].count)));
            for (int g = 0; g < 4; g++) { // what is written past the last is overwritten next
                const __m512i code = _mm512_maskz_permutexvar_epi8(constants.low_bytes, lane, survivors.list);
                _mm512_storeu_si512(to + 16 * g, _mm512_add_epi32(code, inner_base));
                lane = _mm512_add_epi32(lane, _mm512_set1_epi32(16));
            }
        }
    }
    bottom_ = to;
    far.used = left;
    far.depth -= found;
    ClearBelow();
}

// A sequence of n <= 64 elements: below it lies nothing, so there is nothing to look up. Elements past its end are made
// opens; they have no part in anything before them, and come off the survivors.
pm_bic MatchBlockAlone(uint64_t parens, size_t n, uint32_t *match) {
    const Constants constants;
    Ring ring;
    const unsigned absent = 64 - static_cast<unsigned>(n);
    Enter(_mm512_maskz_set1_epi64(1, static_cast<int64_t>(parens | ~pm_bits_low(64 - absent))), 0, ring);
    Summarise<1>(ring, 0, constants);
    const __m512i none = _mm512_set1_epi32(-1), inner_base = _mm512_set1_epi32(-Avx512Tables::kInner);
    for (size_t i = 0; i < n; i += 16) {
        const __m128i codes = _mm_load_si128(reinterpret_cast<const __m128i *>(ring.summary[0].code + i));
        const __mmask16 present = static_cast<__mmask16>(pm_bits_low(static_cast<unsigned>(HWY_MIN(16, n - i))));
        const __m512i inner = _mm512_add_epi32(_mm512_cvtepu8_epi32(codes), inner_base);
        _mm512_mask_storeu_epi32(match + i, present, _mm512_mask_mov_epi32(none, _mm_movepi8_mask(codes), inner));
    }
    const int open = ListSurvivors(ring, 0, constants).count, close = open - static_cast<int>(ring.excess[0]);
    const pm_bic total = {static_cast<uint64_t>(close), static_cast<uint64_t>(open) - absent};
    return total;
}

} // namespace HWY_NAMESPACE
} // namespace pm
HWY_AFTER_NAMESPACE();

#endif // HWY_TARGET

#endif
