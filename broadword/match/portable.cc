// SPDX-License-Identifier: Apache-2.0
// The engine for any 64-bit machine: one element after another, without a branch on what it is.
#define HWY_COMPILE_ONLY_SCALAR
#include "broadword/match/range-inl.h"
#include "broadword/simd.h"

#include <string.h>

namespace pm::HWY_NAMESPACE {

// What a byte does to a stack: closes first, then opens.
struct ByteTables {
    uint8_t close[256];
    int8_t excess[256]; // opens minus closes

    constexpr ByteTables() : close(), excess() {
        for (int byte = 0; byte < 256; byte++) {
            int depth = 0, lowest = 0;
            for (int i = 0; i < 8; i++) {
                depth += byte >> i & 1 ? 1 : -1;
                if (depth < lowest)
                    lowest = depth;
            }
            close[byte] = static_cast<uint8_t>(-lowest);
            excess[byte] = static_cast<int8_t>(depth);
        }
    }
};

constexpr ByteTables kByte{};

// The unmatched ones of a byte, and of its opens the k lowest as a mask.
struct SurvivorTables {
    uint8_t close[256], open[256], lowest[9][256];

    constexpr SurvivorTables() : close(), open(), lowest() {
        for (int byte = 0; byte < 256; byte++) {
            int open_at[8] = {}, opens = 0;
            for (int i = 0; i < 8; i++) {
                if (byte >> i & 1) {
                    open_at[opens++] = i;
                } else if (opens > 0) {
                    opens--;
                } else {
                    close[byte]++;
                }
            }
            open[byte] = static_cast<uint8_t>(opens);
            for (int k = 0; k < opens; k++)
                lowest[k + 1][byte] = static_cast<uint8_t>(lowest[k][byte] | 1 << open_at[k]);
        }
    }
};

constexpr SurvivorTables kSurvivors{};

// The closes of a block that go past its own opens, and its opens minus its closes.
struct Reduced {
    int close, excess;
};

HWY_INLINE Reduced Reduce(uint64_t bits) {
    Reduced r = {0, 0};
    for (int i = 0; i < 64; i += 8) {
        const unsigned byte = bits >> i & 255;
        r.close = HWY_MAX(r.close, kByte.close[byte] - r.excess);
        r.excess += kByte.excess[byte];
    }
    return r;
}

// The top of the stack as indices, growing downwards.
class Window {
  public:
    HWY_INLINE Window(const pmi_grid &grid, size_t, const pmi_far_stack &, void *scratch, size_t size)
        : grid_(grid), entries_(static_cast<uint32_t *>(scratch)),
          bottom_(entries_ + (size / sizeof *entries_ - kBelow)), top_(bottom_) {
        ClearBelow();
    }

    HWY_INLINE size_t depth() const {
        return static_cast<size_t>(bottom_ - top_);
    }
    HWY_INLINE uint64_t TotalDepth(const pmi_far_stack &far) const {
        return far.depth + depth();
    }
    HWY_INLINE int64_t net() const {
        return net_;
    }

    HWY_INLINE bool Ready(const pmi_far_stack &far) const {
        return room() >= 64 && (depth() >= 64 || far.used == 0);
    }
    HWY_NOINLINE void MakeReady(pmi_far_stack &far) {
        Settle(*this, kSettled, far);
    }

    template <bool kStreaming> void Match(size_t first, size_t last, pmi_far_stack &far) {
        uint32_t *out = grid_.match + BlockResults(grid_, first);
        for (size_t block = first; block < last; block++, out += 64) {
            if (HWY_UNLIKELY(!Ready(far)))
                MakeReady(far);
            const uint64_t bits = BlockBits(grid_, block);
            net_ -= MatchBlock(block, bits, out);
        }
    }

    void MatchPart(size_t block, unsigned from, unsigned to, uint32_t *out) {
        uint32_t results[64];
        const uint64_t bits = BlockBits(grid_, block);
        net_ -=
            MatchBlock(block, bits | ~pmi_bits_low(to), results) - static_cast<int>(64 - to) + static_cast<int>(from);
        top_ += 64 - to; // absent elements were made opens; absent ones at the beginning were closes of an empty stack
        memcpy(out, results + from, (to - from) * sizeof *out);
    }

    void Drain(pmi_far_stack &far) {
        for (const uint32_t *end = bottom_; end > top_;) { // from the oldest entry on
            const uint32_t block = BlockOf(grid_, end[-1]);
            const uint32_t *const oldest = end;
            while (end > top_ && BlockOf(grid_, end[-1]) == block)
                end--;
            PushSurvivors(far, block, static_cast<size_t>(oldest - end));
        }
        top_ = bottom_;
    }

    void Replay(size_t first, const pmi_far_stack &far) {
        for (size_t k = first; k < far.used; k++) {
            const pm_survivors from = far.survivors[k];
            uint64_t open = Unmatched(BlockBits(grid_, from.block));
            for (uint32_t left = from.count; left > 0; left--, open &= open - 1)
                *--top_ = BlockBase(grid_, from.block) + pmi_bits_lowest(open);
        }
    }

  private:
    static constexpr size_t kSettled = 2048; // entries held after MakeReady, if there are as many

    HWY_INLINE size_t room() const {
        return static_cast<size_t>(top_ - entries_) - 1;
    }

    // Past the bottom lie as many PM_NONE as a block can pop, and one more to look at.
    static constexpr size_t kBelow = 64 + 1;

    void ClearBelow() {
        memset(bottom_, 0xff, kBelow * sizeof *bottom_);
    }

    // A block's unmatched opens.
    static uint64_t Unmatched(uint64_t bits) {
        uint64_t open = 0;
        for (int i = 63, closes = 0; i >= 0; i--) {
            if (!(bits >> i & 1)) {
                closes++;
            } else if (closes > 0) {
                closes--;
            } else {
                open |= UINT64_C(1) << i;
            }
        }
        return open;
    }

    // Matches a block, and returns its excess. Its closes may run past the bottom: what it then puts there is moved
    // back.
    HWY_INLINE int MatchBlock(size_t block, uint64_t bits, uint32_t *out) {
        const Reduced r = Reduce(bits);
        const bool breaks = static_cast<size_t>(r.close) > depth();
        uint32_t index = BlockBase(grid_, block);
        uint32_t *top = top_;
        HWY_UNROLL(16)
        for (int i = 0; i < 64; i++) {
            out[i] = *top;
            top[-1] = index++;
            top += 1 - 2 * static_cast<ptrdiff_t>(bits >> i & 1);
        }
        if (HWY_UNLIKELY(breaks)) {
            const size_t open = static_cast<size_t>(r.close + r.excess);
            memmove(bottom_ - open, top, open * sizeof *top);
            top = bottom_ - open;
            ClearBelow();
        }
        top_ = top;
        return r.excess;
    }

    const pmi_grid &grid_;
    uint32_t *const entries_;
    uint32_t *const bottom_;
    uint32_t *top_;
    int64_t net_ = 0;
};

static uint64_t Range(const pmi_grid *grid, const pmi_range *range, pmi_far_stack *stack, void *scratch, size_t size) {
    return MatchRange<Window>(*grid, *range, *stack, scratch, size);
}

static pm_bic ReduceBlocks(const pmi_grid *grid, size_t first, size_t count, pmi_block_bic *out) {
    pm_bic product = {0, 0};
    for (size_t k = 0; k < count; k++) {
        const Reduced r = Reduce(BlockBits(*grid, first + k));
        out[k] = pmi_block_bic{static_cast<uint8_t>(r.close), static_cast<uint8_t>(r.close + r.excess)};
        product = pmi_bic_multiply(product, pm_bic{out[k].close, out[k].open});
    }
    return product;
}

static void Widen(const pmi_widening *by, const uint32_t *from, size_t n, bool, uint64_t *to) {
    for (size_t i = 0; i < n; i++)
        to[i] = pmi_widen(by, from[i]);
}

static void Localise(const pmi_sequences *sequences, const uint32_t *from, bool, uint32_t *to) {
    const uint64_t *const offsets = sequences->offsets, base = offsets[0];
    for (size_t s = 0; s < sequences->count; s++) {
        const uint32_t start = static_cast<uint32_t>(offsets[s] - base);
        for (uint64_t i = start; i < offsets[s + 1] - base; i++) // "none" is negative, so it is before every start
            to[i] = static_cast<int32_t>(from[i]) < static_cast<int32_t>(start) ? PM_NONE : from[i] - start;
    }
}

static void FinishStores() {}

// Nothing but opens comes often. Else bytes from the last one on: what is pending takes the highest of a byte's
// unmatched opens, the others survive.
static uint64_t WordSurvivors(uint64_t parens, uint64_t pending) {
    if (parens == UINT64_MAX)
        return pending < 64 ? pmi_bits_low(static_cast<unsigned>(64 - pending)) : 0;
    uint64_t survivors = 0;
    for (int shift = 56; shift >= 0; shift -= 8) {
        const unsigned byte = parens >> shift & 255;
        const uint64_t open = kSurvivors.open[byte], met = HWY_MIN(open, pending);
        survivors |= static_cast<uint64_t>(kSurvivors.lowest[open - met][byte]) << shift;
        pending += kSurvivors.close[byte] - met;
    }
    return survivors;
}

static void SurvivorsOfBlocks(const uint64_t *parens, const uint64_t *pending, size_t count, uint64_t *opens) {
    for (size_t k = 0; k < count; k++)
        opens[k] = WordSurvivors(parens[k], pending[k]);
}

} // namespace pm::HWY_NAMESPACE

const pmi_engine pmi_engine_portable = {
    pm::HWY_NAMESPACE::Range,
    pm::HWY_NAMESPACE::ReduceBlocks,
    pm::HWY_NAMESPACE::SurvivorsOfBlocks,
    pm::HWY_NAMESPACE::Widen,
    pm::HWY_NAMESPACE::Localise,
    pm::HWY_NAMESPACE::FinishStores,
    nullptr,
    nullptr,
    0,
    512,
};
