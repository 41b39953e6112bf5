// SPDX-License-Identifier: Apache-2.0
// The engine for AVX-512 with VBMI: 64 bytes are looked up in 64 bytes by one instruction, so a block's symbolic stack
// fits a register, and a byte of input (eight elements) is one such permutation of it.
#ifndef PM_BROADWORD_WINDOW_AVX512_INL_H
#define PM_BROADWORD_WINDOW_AVX512_INL_H

#include <string.h>

#include "broadword/avx512_tables.h"
#include "broadword/match_range-inl.h"

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

// The lowest byte of each 32-bit lane.
constexpr __mmask64 kLowBytes = UINT64_C(0x1111111111111111);

// A block made ready: what it does to any stack.
struct Summary {
    alignas(64) uint8_t code[64]; // of its elements
    State state;                  // after all of them
};

// Blocks of input. Rows are where the bytes' permutations lie in the table.
constexpr size_t kBatchBlocks = 32;
constexpr size_t kAhead = 4; // blocks summarised ahead of the one that is matched
struct Batch {
    alignas(64) uint16_t row[kBatchBlocks + 8][8]; // 8 more, which are summarised in vain
    alignas(64) uint64_t bits[kBatchBlocks];
    alignas(64) int64_t excess[kBatchBlocks]; // opens minus closes
    Summary summary[8];                       // of the blocks now at work, that of block i in [i % 8]

    HWY_INLINE Summary &SummaryOf(size_t i) {
        return summary[i % 8];
    }
};

// Takes byte kByte of a block. That of an odd byte leaves lanes 0-7 alone, so that lanes 0-15 hold the results of both.
template <int kByte> HWY_INLINE State Step(State state, const uint16_t *row) {
    const __m512i fresh = _mm512_set1_epi64(static_cast<int64_t>(Avx512Tables::Fresh(kByte)));
    const State ready = kByte == 0 ? state : _mm512_mask_mov_epi64(state, 2, fresh);
    const __m512i from = Row(reinterpret_cast<const char *>(kAvx512.step) + row[kByte]);
    if (kByte % 2 == 0)
        return _mm512_permutexvar_epi8(from, ready);
    return _mm512_mask_permutexvar_epi8(ready, ~UINT64_C(0xff), from, ready);
}

// Takes bytes kByte and kByte + 1 of kBlocks blocks, whose chains of permutations run beside one another.
template <int kByte, int kBlocks>
HWY_INLINE void StepTwice(State (&state)[kBlocks], const uint16_t (*row)[8], Summary *summary) {
    HWY_UNROLL(4)
    for (int k = 0; k < kBlocks; k++)
        state[k] = Step<kByte>(state[k], row[k]);
    HWY_UNROLL(4)
    for (int k = 0; k < kBlocks; k++)
        state[k] = Step<kByte + 1>(state[k], row[k]);
    HWY_UNROLL(4)
    for (int k = 0; k < kBlocks; k++)
        _mm_store_si128(reinterpret_cast<__m128i *>(summary[k].code + 8 * kByte), _mm512_castsi512_si128(state[k]));
}

template <int kBlocks> HWY_INLINE void Summarise(Batch &batch, size_t first) {
    const uint16_t(*const row)[8] = batch.row + first;
    Summary *const summary = &batch.SummaryOf(first);
    State state[kBlocks];
    for (int k = 0; k < kBlocks; k++)
        state[k] = Row(kAvx512.start);
    StepTwice<0>(state, row, summary);
    StepTwice<2>(state, row, summary);
    StepTwice<4>(state, row, summary);
    StepTwice<6>(state, row, summary);
    for (int k = 0; k < kBlocks; k++)
        summary[k].state = state[k];
}

// Enters eight blocks into the batch, and returns the sum of their excesses.
HWY_INLINE int64_t Prepare(__m512i blocks, size_t at, Batch &batch) {
    static_assert(sizeof Avx512Tables::step[0] == 64, "a byte's row is found by a shift of 6");
    const __m512i low = _mm512_cvtepu8_epi16(_mm512_castsi512_si256(blocks));
    const __m512i high = _mm512_cvtepu8_epi16(_mm512_extracti64x4_epi64(blocks, 1));
    const __m512i opens = _mm512_popcnt_epi64(blocks);
    const __m512i excess = _mm512_sub_epi64(_mm512_add_epi64(opens, opens), _mm512_set1_epi64(64));
    _mm512_store_si512(batch.bits + at, blocks);
    _mm512_store_si512(batch.row[at], _mm512_slli_epi16(low, 6));
    _mm512_store_si512(batch.row[at + 4], _mm512_slli_epi16(high, 6));
    _mm512_store_si512(batch.excess + at, excess);
    return _mm512_reduce_add_epi64(excess);
}

// Survivors among the state's stack lanes.
HWY_INLINE unsigned CountSurvivors(State state) {
    return static_cast<unsigned>(_mm_popcnt_u64(_mm512_movepi8_mask(state) >> Avx512Tables::kStack));
}

// Opens minus closes of the first n elements.
HWY_INLINE int Excess(uint64_t bits, unsigned n) {
    return 2 * static_cast<int>(_mm_popcnt_u64(bits & pm_bits_low(n))) - static_cast<int>(n);
}

HWY_INLINE State StateAfter16(const uint16_t *row) {
    return Step<1>(Step<0>(Row(kAvx512.start), row), row);
}

// A block's unmatched opens. When the symbolic stack was full, opens may have fallen off its bottom, but then no close
// went past the block's first 16 elements: after 48 opens, the rest of the block is too short to close them all.
HWY_INLINE int CountOpens(Batch &batch, size_t i) {
    const int open = static_cast<int>(CountSurvivors(batch.SummaryOf(i).state));
    if (HWY_LIKELY(open < Avx512Tables::kDepth))
        return open;
    const int early = static_cast<int>(CountSurvivors(StateAfter16(batch.row[i])));
    return early - Excess(batch.bits[i], 16) + static_cast<int>(batch.excess[i]);
}

// All of a block's survivors, top first, even where the symbolic stack lost the bottom ones: those are among the first
// 16 elements, and on the bottom of the symbolic stack after them.
HWY_INLINE __m512i ListSurvivors(Batch &batch, size_t i, int open) {
    const State state = batch.SummaryOf(i).state, early = StateAfter16(batch.row[i]);
    const __mmask64 late =
        _mm512_cmpge_epu8_mask(state, _mm512_set1_epi8(static_cast<char>(Avx512Tables::kInner | 16)));
    const unsigned lates = static_cast<unsigned>(_mm_popcnt_u64(late >> Avx512Tables::kStack));
    const __m512i iota = Row(kAvx512.iota);
    const __m512i from_state = _mm512_add_epi8(iota, _mm512_set1_epi8(Avx512Tables::kStack));
    const int shift = Avx512Tables::kStack + static_cast<int>(CountSurvivors(early)) - open;
    const __m512i from_early = _mm512_add_epi8(iota, _mm512_set1_epi8(static_cast<char>(shift)));
    return _mm512_mask_permutexvar_epi8(_mm512_permutexvar_epi8(from_early, early), pm_bits_low(lates), from_state,
                                        state);
}

// Opens move outer codes off the bottom of the symbolic stack, and once they are closed again these codes are missing:
// from code 48 - p on, after p opens. Element i of the block can ask for code k after p opens, their closes and k
// closes, if 2 p + k <= i. So what is missing is asked for by the last 16 elements alone (i >= 48 + p), and only in
// blocks with 33 closes or more. For these blocks, redo those elements on a stack whose outer codes are all there
// again.
constexpr int kMayMissCodes = 33;

HWY_INLINE void Extend(Batch &batch, size_t i) {
    const uint16_t *row = batch.row[i];
    State s48 = Step<2>(StateAfter16(row), row);
    s48 = Step<5>(Step<4>(Step<3>(s48, row), row), row);
    const int open = static_cast<int>(CountSurvivors(s48));
    const int close = open - Excess(batch.bits[i], 48);
    const __m512i below = _mm512_set1_epi8(static_cast<char>(close - open - Avx512Tables::kStack));
    const __m512i outer = _mm512_add_epi8(Row(kAvx512.iota), below);
    State state[1] = {_mm512_mask_mov_epi8(outer, _mm512_movepi8_mask(s48), s48)};
    StepTwice<6>(state, batch.row + i, &batch.SummaryOf(i));
    batch.SummaryOf(i).state = state[0];
}

// The top of the stack as 32-bit indices in memory, growing downwards. It is read and written in aligned blocks of 16
// alone: a load that straddles a store still on its way to the cache has to wait for it, one that repeats it does not.
class Window {
  public:
    static constexpr size_t kBatch = kBatchBlocks;

    // Past the bottom lie as many PM_NONE as a block can ask for, in whole blocks of 16, with one to spare.
    static constexpr size_t kBelow = 64 + 32;
    // Before the top, so many entries that Drain may read without looking.
    static constexpr size_t kAbove = 64;

    HWY_INLINE Window(const pm_grid &grid, void *scratch, size_t size)
        : grid_(grid), entries_(static_cast<uint32_t *>(scratch)),
          bottom_(entries_ + (size / sizeof(uint32_t) - kBelow)), top_(bottom_) {
        ClearBelow();
    }

    HWY_INLINE size_t depth() const {
        return static_cast<size_t>(bottom_ - top_);
    }
    HWY_INLINE size_t room() const {
        return static_cast<size_t>(top_ - entries_) - kAbove;
    }
    HWY_INLINE int64_t net() const {
        return net_;
    }

    template <bool kStreaming> HWY_INLINE void Match(size_t first, size_t last) {
        const size_t count = last - first;
        Batch batch;
        for (size_t i = 0; i < count; i += 8) {
            const size_t blocks = HWY_MIN(8, count - i);
            net_ -= Prepare(Blocks(first + i, static_cast<unsigned>(blocks)), i, batch);
            net_ -= 64 * static_cast<int64_t>(8 - blocks); // zeros for the absent ones
        }
        _mm512_store_si512(batch.row[(count + 7) / 8 * 8], _mm512_setzero_si512());
        HWY_FENCE; // so that rows are loaded one by one: taking them out of a vector costs shuffles

        uint32_t *const out = grid_.match + (64 * first - grid_.lead);
        const uint32_t base = BlockBase(grid_, first);
        Summarise<kAhead>(batch, 0);
        for (size_t i = MatchNarrowRun<kStreaming>(batch, 0, count, base, out); i < count;) {
            Summarise<1>(batch, i + kAhead);
            top_ = MatchWide<kStreaming>(batch, i, InnerBase(base + static_cast<uint32_t>(64 * i)), top_, out + 64 * i);
            i++;
            i = MatchNarrowRun<kStreaming>(batch, i, count, base + static_cast<uint32_t>(64 * i), out + 64 * i);
        }
    }

    // Elements missing at the end are made opens: they match nothing before them and end up on top, to be taken off.
    HWY_INLINE void MatchPart(size_t block, unsigned from, unsigned to, uint32_t *out) {
        alignas(64) uint32_t results[64];
        const uint64_t bits = BlockBits(grid_, block);
        Batch batch;
        Prepare(_mm512_maskz_set1_epi64(1, static_cast<int64_t>(bits | ~pm_bits_low(to))), 0, batch);
        Summarise<1>(batch, 0);
        top_ = MatchWide<false>(batch, 0, InnerBase(BlockBase(grid_, block)), top_, results) + (64 - to);
        memcpy(out, results + from, (to - from) * sizeof *out);
        net_ -= Excess(bits, to) + static_cast<int>(from);
    }

    void Drain(pm_far_stack &far);
    void Replay(size_t first, const pm_far_stack &far);

  private:
    HWY_INLINE void ClearBelow() {
        memset(bottom_, 0xff, kBelow * sizeof *bottom_);
    }

    // Codes of inner elements plus this are their indices.
    static HWY_INLINE __m512i InnerBase(uint32_t base) {
        return _mm512_set1_epi32(static_cast<int>(base - Avx512Tables::kInner));
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

    // Matches blocks i ... end - 1 of the batch, up to the first that is not narrow, which it returns. Apart from the
    // rest, so that the compiler thinks of nothing else here.
    template <bool kStreaming>
    HWY_NOINLINE size_t MatchNarrowRun(Batch &batch, size_t i, size_t end, uint32_t base, uint32_t *out) {
        const __m512i next = _mm512_set1_epi32(64);
        __m512i inner_base = InnerBase(base);
        uint32_t *top = top_;
        for (; i < end; i++) {
            const Summary &summary = batch.SummaryOf(i);
            const size_t open = CountSurvivors(summary.state), close = open - static_cast<size_t>(batch.excess[i]);
            if (HWY_UNLIKELY(open > 16 || close >= 32))
                break;
            Summarise<1>(batch, i + kAhead);
            top = MatchNarrow<kStreaming>(summary, open, close, inner_base, top, out);
            inner_base = _mm512_add_epi32(inner_base, next);
            out += 64;
        }
        top_ = top;
        return i;
    }

    // Matches a block with at most 16 survivors and 31 closes; returns where the stack begins then.
    template <bool kStreaming>
    HWY_INLINE uint32_t *MatchNarrow(const Summary &summary, size_t open, size_t close, __m512i inner_base,
                                     uint32_t *top, uint32_t *out) const {
        const Pair stack = Top(top);
        HWY_UNROLL(4)
        for (int g = 0; g < 4; g++) {
            const __m128i codes = _mm_load_si128(reinterpret_cast<const __m128i *>(summary.code + 16 * g));
            const __m512i code = _mm512_cvtepu8_epi32(codes);
            Emit<kStreaming>(codes, code, _mm512_permutex2var_epi32(stack.first, code, stack.second), inner_base,
                             out + 16 * g);
        }
        top = HWY_MIN(top + close, bottom_) - open;
        Push(summary.state, top, inner_base);
        return top;
    }

    // The same for blocks of any kind: codes to 63, any number of survivors.
    template <bool kStreaming>
    HWY_INLINE uint32_t *MatchWide(Batch &batch, size_t i, __m512i inner_base, uint32_t *top, uint32_t *out) const {
        const int open = CountOpens(batch, i), close = open - static_cast<int>(batch.excess[i]);
        if (close >= kMayMissCodes)
            Extend(batch, i);
        const Summary &summary = batch.SummaryOf(i);
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
        top = HWY_MIN(top + close, bottom_) - open;
        if (open <= 16) {
            Push(summary.state, top, inner_base);
        } else {
            PushMany(ListSurvivors(batch, i, open), open, top, inner_base);
        }
        return top;
    }

    // Puts at most 16 survivors of a state on the stack, whose top entry then is `top`: into two blocks, where the
    // lanes past the survivors hold outer codes and mean what is there. What comes before `top` is nobody's.
    static HWY_INLINE void Push(State state, uint32_t *top, __m512i inner_base) {
        const ptrdiff_t above = static_cast<ptrdiff_t>(Above(top));
        const uint32_t *from = Moved(&kAvx512.push[0][0][0], above * 32);
        uint32_t *to = Moved(top, -above);
        HWY_UNROLL(2)
        for (int k = 0; k < 2; k++) {
            const __m512i code = _mm512_maskz_permutexvar_epi8(kLowBytes, Row(from + 16 * k), state);
            const __mmask16 survives = _mm512_test_epi32_mask(code, _mm512_set1_epi32(Avx512Tables::kInner));
            _mm512_store_si512(to + 16 * k, _mm512_mask_add_epi32(Row(to + 16 * k), survives, code, inner_base));
        }
    }

    // Puts any number of survivors on the stack, from a list of them.
    static HWY_INLINE void PushMany(__m512i list, int open, uint32_t *top, __m512i inner_base) {
        const size_t above = Above(top) / sizeof *top;
        uint32_t *to = top - above;
        const __m512i from = _mm512_sub_epi32(Row(kAvx512.rotate[0]), _mm512_set1_epi32(static_cast<int>(above)));
        const unsigned end = static_cast<unsigned>(above) + static_cast<unsigned>(open);
        const uint64_t low = pm_bits_low(end), high = end < 64 ? 0 : pm_bits_low(end - 64);
        HWY_UNROLL(5)
        for (int k = 0; k < 5; k++) {
            const __m512i lane = _mm512_add_epi32(from, _mm512_set1_epi32(16 * k));
            const __m512i code = _mm512_maskz_permutexvar_epi8(kLowBytes, lane, list);
            const __mmask16 survives = static_cast<__mmask16>(k < 4 ? low >> (16 * k) : high);
            _mm512_store_si512(to + 16 * k, _mm512_mask_add_epi32(Row(to + 16 * k), survives, code, inner_base));
        }
    }

    const pm_grid &grid_;
    uint32_t *const entries_;
    uint32_t *const bottom_;
    uint32_t *top_;
    int64_t net_ = 0; // closes minus opens so far
};

void Window::Drain(pm_far_stack &far) {
    for (const uint32_t *end = bottom_; end > top_;) { // from the oldest entry on
        const uint32_t block = BlockOf(grid_, end[-1]);
        const __m512i base = _mm512_set1_epi32(static_cast<int>(BlockBase(grid_, block)));
        // The entries of a block are consecutive, and 64 at most: count those at the end of the 64 before `end`.
        uint64_t others = 0;
        for (int g = 1; g <= 4; g++) {
            const __m512i offset = _mm512_sub_epi32(RowAt(end - 16 * g), base);
            others = others << 16 | _mm512_cmpge_epu32_mask(offset, _mm512_set1_epi32(64));
        }
        const size_t run = others == 0 ? 64 : static_cast<size_t>(__builtin_clzll(others));
        const size_t count = HWY_MIN(run, static_cast<size_t>(end - top_));
        PushSurvivors(far, block, count);
        end -= count;
    }
    top_ = bottom_;
}

void Window::Replay(size_t first, const pm_far_stack &far) {
    Batch batch;
    for (size_t k = first; k < far.used; k++) {
        const pm_survivors from = far.survivors[k];
        Prepare(_mm512_maskz_set1_epi64(1, static_cast<int64_t>(BlockBits(grid_, from.block))), 0, batch);
        Summarise<1>(batch, 0);
        const int open = CountOpens(batch, 0);
        PushMany(ListSurvivors(batch, 0, open), open, top_ - open, InnerBase(BlockBase(grid_, from.block)));
        top_ -= from.count;
    }
}

} // namespace HWY_NAMESPACE
} // namespace pm
HWY_AFTER_NAMESPACE();

#endif
