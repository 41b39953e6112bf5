// SPDX-License-Identifier: Apache-2.0
// The engine for AVX-512 with VBMI: blocks of 64, summarised a few ahead of where they are matched with the stack.
#if defined(PM_BROADWORD_MATCH_WINDOW_AVX512_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PM_BROADWORD_MATCH_WINDOW_AVX512_INL_H
#undef PM_BROADWORD_MATCH_WINDOW_AVX512_INL_H
#else
#define PM_BROADWORD_MATCH_WINDOW_AVX512_INL_H
#endif

#include <string.h>

#include "broadword/match/range-inl.h"
#include "broadword/match/stack_avx512-inl.h"

#if HWY_TARGET == HWY_AVX3_DL

HWY_BEFORE_NAMESPACE();
namespace pm::HWY_NAMESPACE {

// The top of the stack. All of it is on the far stack too, except what the last blocks did. Of these each has its base
// recorded, where the stack began between its closes and its opens; when there are many, that says what the far stack
// has to hold.
class Window {
  public:
    HWY_INLINE Window(const pmi_grid &grid, size_t, const pmi_far_stack &far, void *scratch, size_t size)
        : grid_(grid), begin_(static_cast<uint32_t *>(scratch)),
          end_(begin_ + (HWY_MIN(size, kMemory) / sizeof *begin_ - kBelow)), bottom_(end_), top_(end_),
          hidden_(far.depth) {
        ClearBelow();
    }

    HWY_INLINE uint64_t TotalDepth(const pmi_far_stack &) const {
        return hidden_ + depth();
    }
    HWY_INLINE int64_t net() const {
        return net_;
    }

    HWY_INLINE bool Ready(const pmi_far_stack &) const {
        return room() >= kElements && recorded_ <= kRecords - kBatch && (depth() >= kElements || hidden_ == 0);
    }

    HWY_NOINLINE void MakeReady(pmi_far_stack &far) {
        Drain(far);
        if (room() < kElements)
            Drop();
        if (depth() < kElements && hidden_ > 0)
            Refill(far);
    }

    void Drain(pmi_far_stack &far);

    template <bool kStreaming> void Match(size_t first, size_t last, pmi_far_stack &far) {
        const Constants constants;
        Ring ring;
        size_t at = 0;
        int64_t excess = EnterBatch(first, last, at, ring);
        Summarise<kAhead>(ring, at, constants);
        while (first < last) {
            if (HWY_UNLIKELY(!Ready(far))) {
                next_ = first;
                const size_t run_end = MatchRun<kStreaming>(first, last, excess, far);
                if (run_end > first) { // begin again behind it
                    first = run_end;
                    excess = EnterBatch(first, last, at, ring);
                    Summarise<kAhead>(ring, at, constants);
                    continue;
                }
                MakeReady(far);
            }
            const uint32_t base = BlockBase(grid_, first);
            uint32_t *const out = grid_.match + BlockResults(grid_, first);
            const size_t count = HWY_MIN(kBatch, last - first), end = at + count;
            net_ -= excess;
            excess = EnterBatch(first + count, last, at ^ kBatch, ring);
            for (size_t i = MatchNarrowRun<kStreaming>(ring, at, end, base, out); i < end;) {
                i = MatchWideRun<kStreaming>(ring, i, end, base, out);
                i = MatchNarrowRun<kStreaming>(ring, i, end, base, out);
            }
            first += count;
            recorded_ += count;
            at ^= kBatch;
        }
        next_ = last;
    }

    // Elements missing at the end are made opens: they match nothing before them and end up on top, to be taken off.
    HWY_INLINE void MatchPart(size_t block, unsigned from, unsigned to, uint32_t *out) {
        alignas(64) uint32_t results[64];
        const uint64_t bits = BlockBits(grid_, block);
        const Constants constants;
        Ring ring;
        Enter(_mm512_maskz_set1_epi64(1, static_cast<int64_t>(bits | ~pmi_bits_low(to))), 0, ring);
        Summarise<1>(ring, 0, constants);
        const __m512i inner_base = InnerBase(BlockBase(grid_, block));
        alignas(64) uint64_t survivors[8];
        _mm512_store_si512(survivors, SurvivorsOf(Row(ring.bits)));
        top_ = MatchWide<false>(ring, 0, survivors[0], inner_base, top_, results, records_ + recorded_, constants);
        next_ = block + 1;
        recorded_++;
        top_ += 64 - to;
        memcpy(out, results + from, (to - from) * sizeof *out);
        net_ -= Excess(bits, to) + static_cast<int>(from);
    }

  protected:
    static constexpr size_t kBatch = Ring::kBlocks / 2;
    static constexpr size_t kElements = 64 * kBatch; // of a batch: what it may push or pop
    static constexpr size_t kAhead = 4;              // blocks summarised ahead of the one that is matched
    static constexpr int kFewOpens = 32;             // survivors of blocks after which some will not soon be many
    static constexpr size_t kMemory = 40960;         // bytes used at most: they stay in the first level's cache
    static constexpr size_t kKept = 3072;            // entries kept at most when room is made
    static constexpr size_t kRecords = 256;          // blocks recorded before they go to the far stack
    static constexpr size_t kRefill = 2048;          // entries taken back at a time
    // Past the end lie as many PM_NONE as a block can ask for, in whole blocks of 16, with one to spare.
    static constexpr size_t kBelow = 64 + 32;
    // Before the top, entries that may be read and written without looking.
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

    HWY_INLINE size_t depth() const {
        return static_cast<size_t>(bottom_ - top_);
    }

    // Makes room for entries: forgets the oldest, which the far stack holds, and moves the others to the end.
    HWY_INLINE void Drop() {
        if (depth() > kKept) {
            hidden_ += depth() - kKept;
            bottom_ = top_ + kKept;
        }
        MoveBottom(end_);
    }

    // In window_far_avx512-inl.h:
    uint32_t CountSurvivorsOfBlocks();
    void Refill(const pmi_far_stack &far);
    template <bool kStreaming> size_t MatchRun(size_t first, size_t last, int64_t excess, pmi_far_stack &far);
    template <bool kStreaming> size_t MatchRunOfOpens(size_t first, size_t last, pmi_far_stack &far);
    template <bool kStreaming> size_t MatchRunOfCloses(size_t first, size_t last, pmi_far_stack &far);
    size_t CountEqual(size_t first, size_t last, uint64_t word) const;
    void Hide(const pmi_far_stack &far);

    // Takes `close` entries off, and records where the stack begins then.
    HWY_INLINE uint32_t *Pop(uint32_t *top, size_t close, uint32_t *record) const {
        top = HWY_MIN(top + close, bottom_);
        *record = Low(top);
        return top;
    }

    static HWY_INLINE uint32_t Low(const uint32_t *p) {
        return static_cast<uint32_t>(reinterpret_cast<uintptr_t>(p));
    }

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
        const __mmask8 present = static_cast<__mmask8>(pmi_bits_low(count));
        const __m512i words = _mm512_maskz_loadu_epi64(present, grid_.parens + first);
        const unsigned lead = grid_.lead;
        if (lead == 0)
            return words;
        const __m512i before = _mm512_maskz_loadu_epi64(present, grid_.parens + first - 1);
        return _mm512_or_si512(_mm512_slli_epi64(words, lead), _mm512_srli_epi64(before, 64 - lead));
    }

    // Matches blocks i, i + 1, ... of the batch up to `end` or the first that is not narrow, and returns which that is.
    // `base` and `out` are those of the ring. Apart from the rest, so that the compiler thinks of nothing else here.
    template <bool kStreaming>
    HWY_NOINLINE size_t MatchNarrowRun(Ring &ring, size_t i, size_t end, uint32_t base, uint32_t *out) {
        const Constants constants;
        const size_t before = 64 * (i % kBatch);
        __m512i inner_base = InnerBase(base + static_cast<uint32_t>(before));
        uint32_t *top = top_, *record = records_ + (recorded_ + i % kBatch);
        out += before;
        for (; i < end; i++, out += 64, record++) {
            const Summary &summary = ring.summary[i];
            const size_t open = static_cast<size_t>(CountSurvivors(summary.state));
            const size_t close = open - static_cast<size_t>(ring.excess[i]);
            if (HWY_UNLIKELY(open > kNarrowOpens || close > kNarrowCloses))
                break;
            Summarise<1>(ring, (i + kAhead) % Ring::kBlocks, constants);
            top = MatchNarrow<kStreaming>(summary, open, close, inner_base, top, out, record, constants);
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
        uint32_t *top = top_, *record = records_ + (recorded_ + i % kBatch);
        out += before;
        alignas(64) uint64_t survivors[Ring::kBlocks]; // of this batch
        for (size_t at = i / kBatch * kBatch, k = 0; k < kBatch; k += 8)
            _mm512_store_si512(survivors + at + k, SurvivorsOf(Row(ring.bits + at + k)));
        int narrow_left = 4;
        for (; i < end; i++, out += 64, record++) {
            if (ring.bits[i] == 0) {
                top = MatchCloses<kStreaming>(top, out, record);
            } else if (ring.bits[i] == UINT64_MAX) {
                top = MatchOpens<kStreaming>(inner_base, Pop(top, 0, record), out);
            } else {
                const int open = static_cast<int>(pmi_bits_count(survivors[i]));
                const int close = open - static_cast<int>(ring.excess[i]);
                narrow_left = close <= kNarrowCloses && open <= kFewOpens ? narrow_left - 1 : 4;
                if (narrow_left == 0)
                    break;
                top = MatchWide<kStreaming>(ring, i, survivors[i], inner_base, top, out, record, constants);
            }
            SummariseUnlessUniform(ring, (i + kAhead) % Ring::kBlocks, constants);
            inner_base = _mm512_add_epi32(inner_base, constants.block);
        }
        top_ = top;
        return i;
    }

    // A block of closes alone takes the top of the stack as it is.
    template <bool kStreaming> HWY_INLINE uint32_t *MatchCloses(uint32_t *top, uint32_t *out, uint32_t *record) const {
        const Pair stack = Top(top), deeper = Top(top + 32);
        Store<kStreaming>(out, stack.first);
        Store<kStreaming>(out + 16, stack.second);
        Store<kStreaming>(out + 32, deeper.first);
        Store<kStreaming>(out + 48, deeper.second);
        return Pop(top, 64, record);
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
        const __mmask16 rest = static_cast<__mmask16>(pmi_bits_low(static_cast<unsigned>(above)));
        _mm512_store_si512(to + 64, _mm512_mask_mov_epi32(Row(to + 64), rest, down));
        return top;
    }

    // Matches a narrow block; returns where the stack begins then.
    template <bool kStreaming>
    HWY_INLINE uint32_t *MatchNarrow(const Summary &summary, size_t open, size_t close, __m512i inner_base,
                                     uint32_t *top, uint32_t *out, uint32_t *record, const Constants &constants) const {
        EmitNarrow<kStreaming>(summary, inner_base, top, out);
        top = Pop(top, static_cast<size_t>(close), record) - open;
        Push(summary.state, static_cast<size_t>(open), top, inner_base, constants);
        return top;
    }

    // The same for any number of closes and of survivors.
    template <bool kStreaming>
    HWY_INLINE uint32_t *MatchWide(Ring &ring, size_t i, uint64_t survivors, __m512i inner_base, uint32_t *top,
                                   uint32_t *out, uint32_t *record, const Constants &constants) const {
        Summary &summary = ring.summary[i];
        const size_t open = pmi_bits_count(survivors), close = open - static_cast<size_t>(ring.excess[i]);
        if (close > kNarrowCloses) { // then there are few survivors
            Extend(ring, i, constants);
            EmitWide<kStreaming>(summary, inner_base, top, out);
            top = Pop(top, close, record) - open;
            Push(summary.state, open, top, inner_base, constants);
        } else {
            EmitNarrow<kStreaming>(summary, inner_base, top, out);
            top = Pop(top, close, record) - open;
            PushMany(_mm512_maskz_compress_epi8(survivors, Row(kAvx512.opens)), open, top, inner_base, constants);
        }
        return top;
    }

    const pmi_grid &grid_;
    uint32_t *const begin_; // of the memory
    uint32_t *const end_;   // of the part for entries
    uint32_t *bottom_;      // one past the oldest entry; the end, unless older ones are hidden
    uint32_t *top_;
    uint64_t hidden_;     // entries on the far stack alone, below those at hand
    int64_t net_ = 0;     // closes minus opens so far
    size_t recorded_ = 0; // blocks recorded
    size_t next_ = 0;     // the block after them
    // Where, after each block's closes and before its opens, the stack began: addresses modulo 2^32.
    alignas(64) uint32_t records_[kRecords + 16];
};

} // namespace pm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif // HWY_TARGET

#endif
