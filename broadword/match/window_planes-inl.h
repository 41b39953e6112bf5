// SPDX-License-Identifier: Apache-2.0
// The engine for vectors that look up 16 bytes at a time: SSSE3, SSE4 and NEON.
//
// Sixteen elements are a group. Groups are matched one after another: no group has more than 16 closes or survivors, so
// there is one path for all inputs. To be looked up by bytes, the stack is kept as planes: byte p of each entry in
// plane p. Indices are counted from the grid's block 0, so that those of a group differ in the lowest byte only; the
// index of that block is added when results are put together.
#if defined(PM_BROADWORD_MATCH_WINDOW_PLANES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PM_BROADWORD_MATCH_WINDOW_PLANES_INL_H
#undef PM_BROADWORD_MATCH_WINDOW_PLANES_INL_H
#else
#define PM_BROADWORD_MATCH_WINDOW_PLANES_INL_H
#endif

#include <string.h>

#include "broadword/match/range-inl.h"
#include "broadword/match/tables.h"
#include "broadword/vector-inl.h"

// The other targets have engines of their own.
#if HWY_TARGET != HWY_AVX3_DL && HWY_TARGET != HWY_AVX2 && HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128

HWY_BEFORE_NAMESPACE();
namespace pm::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Bytes = hn::CappedTag<uint8_t, 16>;
using SignedBytes = hn::RebindToSigned<Bytes>;
using VBytes = hn::Vec<Bytes>;
constexpr Bytes kBytes;
constexpr size_t kLanes = 16;
constexpr size_t kVectors = 64 / kLanes; // that sixteen entries take
using IndexTag = hn::Repartition<uint32_t, Bytes>;
using Indices = hn::Vec<IndexTag>;

// Sixteen entries as planes: 0 and 2 come first, then 1 and 3.
struct Entries {
    VBytes vector[kVectors];
};

HWY_INLINE Entries LoadEntries(const uint8_t *p) {
    Entries e;
    for (size_t v = 0; v < kVectors; v++)
        e.vector[v] = hn::Load(kBytes, p + kLanes * v);
    return e;
}

HWY_INLINE void StoreEntries(const Entries &e, uint8_t *p) {
    for (size_t v = 0; v < kVectors; v++)
        hn::Store(e.vector[v], kBytes, p + kLanes * v);
}

HWY_INLINE VBytes Row(const uint8_t *p) {
    return hn::LoadU(kBytes, p);
}

// Flagged lanes as they are, 0 elsewhere.
HWY_INLINE VBytes InnerOnly(VBytes code) {
    const SignedBytes d;
    return hn::BitCast(kBytes, hn::Min(hn::BitCast(d, code), hn::Zero(d)));
}

// All ones in flagged lanes, 0 elsewhere.
HWY_INLINE VBytes InnerMask(VBytes code) {
    return hn::BitCast(kBytes, hn::BroadcastSignBit(hn::BitCast(SignedBytes(), code)));
}

// The flags as bits.
HWY_INLINE unsigned FlagBits(VBytes code) {
    const SignedBytes d;
    return static_cast<unsigned>(MaskBits(d, hn::Lt(hn::BitCast(d, code), hn::Zero(d))));
}

// Sixteen results from their planes.
HWY_INLINE void Interleave(const Entries &e, Indices (&result)[kVectors]) {
    const hn::Repartition<uint16_t, Bytes> d16;
    const IndexTag d32;
    const VBytes low[2] = {hn::InterleaveLower(kBytes, e.vector[0], e.vector[2]),
                           hn::InterleaveUpper(kBytes, e.vector[0], e.vector[2])};
    const VBytes high[2] = {hn::InterleaveLower(kBytes, e.vector[1], e.vector[3]),
                            hn::InterleaveUpper(kBytes, e.vector[1], e.vector[3])};
    for (int h = 0; h < 2; h++) {
        const auto low16 = hn::BitCast(d16, low[h]), high16 = hn::BitCast(d16, high[h]);
        result[2 * h] = hn::BitCast(d32, hn::InterleaveLower(d16, low16, high16));
        result[2 * h + 1] = hn::BitCast(d32, hn::InterleaveUpper(d16, low16, high16));
    }
}

// Sixteen entries that are all the same.
HWY_INLINE Entries Repeated(uint32_t index) {
    const auto plane = [index](unsigned p) HWY_ATTR { return hn::Set(kBytes, static_cast<uint8_t>(index >> (8 * p))); };
    return {{plane(0), plane(2), plane(1), plane(3)}};
}

// What a group does to any stack: its elements' codes, and its survivors, top first, then outer codes.
struct Group {
    VBytes code, stack;
    size_t open, close;
};

HWY_INLINE Group Summarise(unsigned bits) {
    const uint8_t(&first)[2][16] = kPlanes.first[bits & 255], (&second)[2][16] = kPlanes.second[bits >> 8];
    const VBytes below = Row(first[1]), code = Row(second[0]), stack = Row(second[1]);
    Group group;
    group.code = hn::Or(LookUpBytesOr0(below, code), hn::Xor(InnerOnly(code), Row(first[0])));
    group.stack = hn::Or(LookUpBytesOr0(below, stack), InnerOnly(stack));
    group.open = pmi_bits_count(FlagBits(group.stack));
    group.close = group.open + 16 - 2 * pmi_bits_count(bits);
    return group;
}

// The top of the stack as planes, growing downwards, in blocks of 16 entries that are read and written whole.
class Window {
  public:
    HWY_INLINE Window(const pmi_grid &grid, size_t, const pmi_far_stack &, void *scratch, size_t size)
        : grid_(grid), planes_(static_cast<uint8_t *>(scratch)), bottom_(size / sizeof(uint32_t) - kBelow),
          top_(bottom_) {
        const Entries none = Repeated(PM_NONE - BlockBase(grid, 0));
        for (size_t p = bottom_; p < bottom_ + kBelow; p += 16)
            StoreEntries(none, BlockAt(p));
    }

    HWY_INLINE size_t depth() const {
        return bottom_ - top_;
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
        constexpr Results kStore = kStreaming ? Results::kStreamed : Results::kStored;
        uint32_t *out = grid_.match + BlockResults(grid_, first);
        for (size_t block = first; block < last; block++, out += 64) {
            if (HWY_UNLIKELY(!Ready(far)))
                MakeReady(far);
            const uint64_t bits = BlockBits(grid_, block);
            net_ += 64 - 2 * static_cast<int64_t>(pmi_bits_count(bits));
            top_ = MatchBlock<kStore>(block, bits, top_, bottom_, out);
        }
    }

    HWY_INLINE void MatchPart(size_t block, unsigned from, unsigned to, uint32_t *out) {
        alignas(64) uint32_t results[64];
        const uint64_t bits = BlockBits(grid_, block);
        top_ = MatchBlock<Results::kStored>(block, bits | ~pmi_bits_low(to), top_, bottom_, results) + (64 - to);
        memcpy(out, results + from, (to - from) * sizeof *out);
        const uint64_t present = bits & pmi_bits_low(to);
        net_ += static_cast<int64_t>(to - from) - 2 * static_cast<int64_t>(pmi_bits_count(present));
    }

    void Drain(pmi_far_stack &far);
    void Replay(size_t first, const pmi_far_stack &far);

  private:
    static constexpr size_t kSettled = 2048; // entries held after MakeReady, if there are as many

    HWY_INLINE size_t room() const {
        return top_;
    }

    // Past the bottom lie sixteen times "none" for a group to pop, in whole blocks.
    static constexpr size_t kBelow = 32;

    enum class Results {
        kNone,
        kStored,
        kStreamed
    };

    HWY_INLINE uint8_t *BlockAt(size_t position) const {
        return planes_ + position / 16 * 64;
    }

    unsigned BlockEnds(size_t position) const;

    HWY_INLINE uint32_t EntryAt(size_t position) const {
        const uint8_t *p = BlockAt(position) + position % 16;
        return p[0] | static_cast<uint32_t>(p[32]) << 8 | static_cast<uint32_t>(p[16]) << 16 |
               static_cast<uint32_t>(p[48]) << 24;
    }

    // Matches a block on the stack from `top` to `floor`; returns its top then.
    template <Results kResults>
    HWY_INLINE size_t MatchBlock(size_t block, uint64_t bits, size_t top, size_t floor, uint32_t *out) const {
        HWY_ALIGN static constexpr uint8_t kIota[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
        HWY_ALIGN static constexpr uint8_t kSixteen[16] = {16, 16, 16, 16, 16, 16, 16, 16,
                                                           16, 16, 16, 16, 16, 16, 16, 16};
        Entries own = Repeated(static_cast<uint32_t>(64 * block));
        own.vector[0] = hn::Or(own.vector[0], hn::Load(kBytes, kIota));
        // All groups first, as they do not depend on one another.
        Group groups[4];
        HWY_UNROLL(4)
        for (int g = 0; g < 4; g++)
            groups[g] = Summarise(bits >> (16 * g) & 0xffff);
        Top blocks = {LoadEntries(BlockAt(top)), LoadEntries(BlockAt(top) + 64)};
        HWY_UNROLL(4)
        for (int g = 0; g < 4; g++) {
            const Group &group = groups[g];
            if (kResults != Results::kNone)
                Emit<kResults == Results::kStreamed>(group, own, blocks, top % 16, out + 16 * g);
            top = HWY_MIN(top + group.close, floor) - group.open;
            blocks = Push(group, own, top);
            own.vector[0] = hn::Add(own.vector[0], hn::Load(kBytes, kSixteen));
        }
        return top;
    }

    // The block of 16 entries that the top one lies in, and the next.
    struct Top {
        Entries near, far;
    };

    // Looks a group's codes up: outer ones from entry `above` of the stack's top blocks on, inner ones in `own`.
    template <bool kStreaming>
    HWY_INLINE void Emit(const Group &group, const Entries &own, const Top &top, size_t above, uint32_t *out) const {
        const SignedBytes d;
        VBytes in_near = hn::SaturatedAdd(group.code, Row(kPlanes.add[above]));
#if !HWY_ARCH_X86 // which looks at bits 0-3 and 7 alone
        in_near = hn::And(in_near, hn::Set(kBytes, 0x8f));
#endif
        const VBytes in_far = hn::BitCast(
            kBytes, hn::SaturatedSub(hn::BitCast(d, group.code), hn::BitCast(d, Row(kPlanes.subtract[above]))));
        const VBytes in_own = hn::Xor(group.code, hn::Set(kBytes, PlanesTables::kInner));
        Entries found;
        for (size_t v = 0; v < kVectors; v++) {
            const VBytes outer =
                hn::Or(LookUpBytesOr0(top.near.vector[v], in_near), LookUpBytesOr0(top.far.vector[v], in_far));
            found.vector[v] = hn::Or(outer, LookUpBytesOr0(own.vector[v], in_own));
        }
        Indices result[kVectors];
        Interleave(found, result);
        const Indices base = hn::Set(IndexTag(), BlockBase(grid_, 0));
        for (size_t v = 0; v < kVectors; v++) {
            uint32_t *to = out + hn::MaxLanes(IndexTag()) * v;
            const Indices index = hn::Add(result[v], base);
            if (kStreaming) {
                hn::Stream(index, IndexTag(), to);
            } else {
                hn::StoreU(index, IndexTag(), to);
            }
        }
    }

    // Puts a group's survivors on the stack, whose top is `top` then, and returns its top blocks. What comes before
    // `top` is nobody's.
    HWY_INLINE Top Push(const Group &group, const Entries &own, size_t top) const {
        uint8_t *const block = BlockAt(top);
        const uint8_t *const shift = kPlanes.shift + 16 - top % 16;
        return {PushBlock(LookUpBytesOr0(group.stack, Row(shift)), own, block),
                PushBlock(LookUpBytesOr0(group.stack, Row(shift + 16)), own, block + 64)};
    }

    // Replaces the entries of a block for which there is an inner code.
    HWY_INLINE Entries PushBlock(VBytes code, const Entries &own, uint8_t *block) const {
        const VBytes pushed = InnerMask(code);
        const VBytes in_own = hn::Xor(code, hn::Set(kBytes, PlanesTables::kInner));
        Entries e = LoadEntries(block);
        for (size_t v = 0; v < kVectors; v++)
            e.vector[v] = hn::Or(hn::AndNot(pushed, e.vector[v]), LookUpBytesOr0(own.vector[v], in_own));
        StoreEntries(e, block);
        return e;
    }

    const pmi_grid &grid_;
    uint8_t *const planes_;
    const size_t bottom_;
    size_t top_;
    int64_t net_ = 0;
};

// Which of the sixteen entries from `position` on, a multiple of 16, lie in another block than the entry after them.
HWY_INLINE unsigned Window::BlockEnds(size_t position) const {
    HWY_ALIGN static constexpr uint8_t kOffset[16] = {63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63};
    const Entries here = LoadEntries(BlockAt(position)), next = LoadEntries(BlockAt(position) + 64);
    VBytes differ = hn::Zero(kBytes);
    for (size_t v = 0; v < kVectors; v++) {
        const VBytes after = hn::CombineShiftRightBytes<1>(kBytes, next.vector[v], here.vector[v]);
        const VBytes bits = hn::Xor(here.vector[v], after);
        differ = hn::Or(differ, v == 0 ? hn::AndNot(hn::Load(kBytes, kOffset), bits) : bits);
    }
    return ~FlagBits(hn::VecFromMask(kBytes, hn::Eq(differ, hn::Zero(kBytes)))) & 0xffff;
}

void Window::Drain(pmi_far_stack &far) {
    size_t oldest = bottom_; // one past the oldest entry of the block at hand
    for (size_t p = bottom_; p > top_;) {
        // 64 entries at a time, or as many as there are.
        const size_t groups = HWY_MIN(4, p / 16);
        p -= 16 * groups;
        uint64_t ends = 0;
        for (size_t g = 0; g < groups; g++)
            ends |= uint64_t{BlockEnds(p + 16 * g)} << (16 * g);
        if (p < top_)
            ends &= ~pmi_bits_low(static_cast<unsigned>(top_ - p));
        if (p + 16 * groups == bottom_) // after the oldest entry lies none that counts
            ends &= pmi_bits_low(static_cast<unsigned>(16 * groups) - 1);
        for (; ends != 0; ends ^= UINT64_C(1) << pmi_bits_highest(ends)) {
            const size_t end = p + pmi_bits_highest(ends) + 1;
            PushSurvivors(far, EntryAt(end) / 64, oldest - end);
            oldest = end;
        }
    }
    if (oldest > top_)
        PushSurvivors(far, EntryAt(top_) / 64, oldest - top_);
    top_ = bottom_;
}

void Window::Replay(size_t first, const pmi_far_stack &far) {
    for (size_t k = first; k < far.used; k++) {
        const pm_survivors from = far.survivors[k];
        MatchBlock<Results::kNone>(from.block, BlockBits(grid_, from.block), top_, top_, nullptr);
        top_ -= from.count;
    }
}

} // namespace pm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif // HWY_TARGET

#endif
