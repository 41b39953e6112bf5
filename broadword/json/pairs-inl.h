// SPDX-License-Identifier: Apache-2.0
// Matching the brackets of a JSON block, 64 at a time, most of them without a stack: an open and a close side by side
// are a pair. It is taken out, and others are side by side then. What was in the gaps before and behind a pair is in
// one gap then. Compiled for each instruction set by who includes it.
#if defined(PM_BROADWORD_JSON_PAIRS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PM_BROADWORD_JSON_PAIRS_INL_H
#undef PM_BROADWORD_JSON_PAIRS_INL_H
#else
#define PM_BROADWORD_JSON_PAIRS_INL_H
#endif

#include "broadword/json/block-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pm::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

constexpr unsigned kRounds = 2; // after the first; more find little

// Takes pairs out of a group of brackets.
class PairTaker {
  public:
    uint64_t opens, closes; // the brackets of the pairs taken last
    uint64_t left;          // those that have not been taken
#if HWY_TARGET == HWY_AVX3_DL
    uint64_t row, row_opens; // set by TakeNext(): what was left before, and which of that, in a row, are the opens
#endif

    // `member`, `element`: what stands behind the last bracket that was left of earlier groups.
    HWY_INLINE PairTaker(const JsonBrackets &group, unsigned count, unsigned member, unsigned element)
        : opens(0), closes(0), left(pmi_bits_low(count)), together_(group), rest_(left), member_(0), element_(0) {
        together_.of[kMembers] |= member;
        together_.of[kElements] |= element;
    }

    // All brackets are left.
    HWY_INLINE void TakeFirst() {
        Take();
        left = rest_;
    }

#if PM_JSON_PEXT
    // Of those that were left by the call before.
    HWY_INLINE void TakeNext() {
        const uint64_t before = left;
        for (size_t p = 0; p < JsonBrackets::kPlanes; p++)
            together_.of[p] = _pext_u64(together_.of[p], rest_);
        rest_ = pmi_bits_low(pmi_bits_count(rest_));
        Take();
#if HWY_TARGET == HWY_AVX3_DL
        row = before;
        row_opens = opens;
#endif
        opens = _pdep_u64(opens, before);
        closes = _pdep_u64(closes, before);
        left = _pdep_u64(rest_, before);
    }
#endif

    // The next one that is left: is it so in a plane?
    HWY_INLINE unsigned Test(unsigned plane) const {
        return together_.of[plane] >> pmi_bits_lowest(rest_) & 1;
    }
    HWY_INLINE unsigned CountOpens() const {
        return pmi_bits_count(together_.of[kOpens] & rest_);
    }
    HWY_INLINE void TakeOne() {
        left &= left - 1;
        rest_ &= rest_ - 1;
    }

    // What stands behind the last one that was left by pairs.
    HWY_INLINE unsigned member() const {
        return member_;
    }
    HWY_INLINE unsigned element() const {
        return element_;
    }
    HWY_INLINE uint64_t wrong() const {
        return wrong_;
    }

  private:
    HWY_INLINE void Take() {
        const uint64_t open = together_.of[kOpens], object = together_.of[kObjects];
        uint64_t &members = together_.of[kMembers], &elements = together_.of[kElements];
        opens = open & ~(open >> 1) & rest_ >> 1;
        closes = opens << 1;
        wrong_ |= opens & ((object ^ object >> 1) | JsonStrangers(members >> 1, elements >> 1, object));
        members |= Pass(members, member_);
        elements |= Pass(elements, element_);
        rest_ &= ~(opens | closes);
    }

    // Carries what is in the gap before a pair over it, and over those that follow it, to the next bracket that is
    // left; or behind the last one.
    HWY_INLINE uint64_t Pass(uint64_t gaps, unsigned &behind) const {
        const uint64_t over = rest_ + 1, sum = (opens | closes) + (gaps & opens);
        behind |= (over != 0 ? sum & over : uint64_t{sum < (gaps & opens)}) != 0;
        return sum & ~(opens | closes);
    }

    JsonBrackets together_; // what was left, together, when pairs were taken last
    uint64_t rest_;         // what is left of that
    uint64_t wrong_ = 0;
    unsigned member_, element_;
};

#if HWY_TARGET == HWY_AVX3_DL

// 0, 1, 2, ...
struct ByteNumbers {
    uint8_t of[PM_WORD_BITS];
    constexpr ByteNumbers() : of() {
        for (unsigned k = 0; k < PM_WORD_BITS; k++)
            of[k] = static_cast<uint8_t>(k);
    }
};
alignas(64) constexpr ByteNumbers kByteNumbers;

// The partners of a group whose first bracket is the k-th. They are collected as numbers in the group.
class GroupPartners {
  public:
    HWY_INLINE GroupPartners(const pmi_json_state &state, const JsonBlock &block, size_t k, size_t)
        : at_(_mm512_set1_epi32(static_cast<int>(state.at))), where_(block.where + 1 + k),
          to_(state.partners + state.brackets + 1 + k), numbers_(_mm512_load_si512(kByteNumbers.of)),
          partners_(numbers_) {}

    // Of pairs of neighbours.
    HWY_INLINE void AddFirst(uint64_t opens, uint64_t closes) {
        partners_ = _mm512_mask_add_epi8(partners_, opens, numbers_, _mm512_set1_epi8(1));
        partners_ = _mm512_mask_sub_epi8(partners_, closes, numbers_, _mm512_set1_epi8(1));
    }

    // Of pairs that others were between: of what is left in a row, each is beside its partner. Moving bytes together
    // and apart takes longest, so it is done once for both.
    HWY_INLINE void AddNext(const PairTaker &taker) {
        const __m512i row = _mm512_maskz_compress_epi8(taker.row, numbers_), one = _mm512_set1_epi8(1);
        const __m512i behind = _mm512_permutexvar_epi8(_mm512_add_epi8(numbers_, one), row);
        const __m512i before = _mm512_permutexvar_epi8(_mm512_sub_epi8(numbers_, one), row);
        const __m512i beside = _mm512_mask_mov_epi8(before, taker.row_opens, behind);
        const __m512i apart = _mm512_maskz_expand_epi8(taker.row, beside);
        partners_ = _mm512_mask_mov_epi8(partners_, taker.opens | taker.closes, apart);
    }

    HWY_INLINE void Store() const {
        StoreHalf(_mm512_castsi512_si256(partners_), to_);
        StoreHalf(_mm512_extracti64x4_epi64(partners_, 1), to_ + 32);
    }

  private:
    HWY_INLINE void StoreHalf(__m256i numbers, uint32_t *to) const {
        const __m512i lower = _mm512_loadu_si512(where_), upper = _mm512_loadu_si512(where_ + 32);
        const __m512i where = _mm512_permutex2var_epi16(lower, _mm512_cvtepu8_epi16(numbers), upper);
        const __m512i first = _mm512_cvtepu16_epi32(_mm512_castsi512_si256(where));
        const __m512i second = _mm512_cvtepu16_epi32(_mm512_extracti64x4_epi64(where, 1));
        _mm512_storeu_si512(to, _mm512_add_epi32(first, at_));
        _mm512_storeu_si512(to + 16, _mm512_add_epi32(second, at_));
    }

    const __m512i at_;
    const uint16_t *const where_;
    uint32_t *const to_;
    const __m512i numbers_;
    __m512i partners_;
};

#else

// Vectors of offsets.
const HWY_FULL(uint32_t) kOffsets;
using E = hn::Vec<decltype(kOffsets)>;
constexpr size_t kOffsetLanes = HWY_LANES(uint32_t);

// The lanes of a group's mask from `begin` on.
HWY_INLINE hn::Mask<decltype(kOffsets)> LanesOf(uint64_t group, size_t begin) {
    const E bits = hn::Shl(hn::Set(kOffsets, 1), hn::Iota(kOffsets, 0));
    return hn::TestBit(hn::Set(kOffsets, static_cast<uint32_t>(group >> begin)), bits);
}

// The partners of a group whose first bracket is the k-th of `count`.
class GroupPartners {
  public:
    HWY_INLINE GroupPartners(const pmi_json_state &state, const JsonBlock &block, size_t k, size_t count)
        : at_(state.at), where_(block.where + 1 + k), to_(state.partners + state.brackets + 1 + k), count_(count) {}

    // Of pairs of neighbours.
    HWY_INLINE void AddFirst(uint64_t opens, uint64_t) const {
        for (size_t begin = 0; begin < count_; begin += kOffsetLanes) {
            const E behind = Load(where_ + begin + 1), before = Load(where_ + begin - 1);
            const E partners = hn::IfThenElse(LanesOf(opens, begin), behind, before);
            hn::StoreU(hn::Add(partners, hn::Set(kOffsets, at_)), kOffsets, to_ + begin);
        }
    }

#if PM_JSON_PEXT
    // Of pairs that others were between: the first open is that of the first close, and so on. Some at a time: if there
    // are fewer, one behind the group is stored, whose turn comes later.
    HWY_INLINE void AddNext(const PairTaker &taker) const {
        uint64_t opens = taker.opens, closes = taker.closes;
        while (opens != 0) {
            HWY_UNROLL(4)
            for (unsigned pair = 0; pair < 4; pair++) {
                const uint64_t open = _tzcnt_u64(opens), close = _tzcnt_u64(closes);
                to_[open] = at_ + where_[close];
                to_[close] = at_ + where_[open];
                opens &= opens - 1;
                closes &= closes - 1;
            }
        }
    }
#endif

    HWY_INLINE void Store() const {}

  private:
    static HWY_INLINE E Load(const uint16_t *from) {
        return hn::PromoteTo(kOffsets, hn::LoadU(hn::Rebind<uint16_t, decltype(kOffsets)>(), from));
    }

    const uint32_t at_;
    const uint16_t *const where_;
    uint32_t *const to_;
    const size_t count_;
};

#endif

// The stack, while what is left of a group goes through it.
class JsonNest {
  public:
    HWY_INLINE JsonNest(const pmi_json_state &state, const JsonBlock &block, size_t k)
        : top_(state.top), bottom_(state.bottom), partners_(state.partners), at_(state.at),
          first_number_(state.brackets + 1 + static_cast<uint32_t>(k)), where_(block.where + 1 + k) {}

    // Without a branch: each bracket is written above the top of the stack, where an open belongs and a close does no
    // harm, and then meets an entry: an open itself, a close the top.
    HWY_INLINE void TakeAny(PairTaker &taker) {
        for (; taker.left != 0; taker.TakeOne()) {
            const unsigned open = taker.Test(kOpens);
            Look(taker);
            Write(top_ + 1);
            Meet(top_ + open);
            top_ += 2 * static_cast<ptrdiff_t>(open) - 1;
            bottom_met_ |= top_ == bottom_;
        }
    }

    // The same of opens or closes alone, which need not wait for each other.
    HWY_INLINE void TakeOpens(PairTaker &taker) {
        for (; taker.left != 0; taker.TakeOne()) {
            Look(taker);
            Write(++top_);
        }
    }
    HWY_INLINE void TakeCloses(PairTaker &taker) {
        for (; taker.left != 0; taker.TakeOne()) {
            Look(taker);
            Meet(top_--);
            bottom_met_ |= top_ == bottom_;
        }
    }

    HWY_INLINE pmi_json_open *top() const {
        return top_;
    }
    // Does each close meet an open of its kind?
    HWY_INLINE bool good() const {
        return mismatched_ == 0;
    }
    // Not 0: something is in a wrong container.
    HWY_INLINE uint64_t strangers() const {
        return strangers_;
    }
    // Something may be in no container.
    HWY_INLINE bool bottom_met() const {
        return bottom_met_;
    }

  private:
    HWY_INLINE void Look(const PairTaker &taker) {
        const unsigned in_group = pmi_bits_lowest(taker.left);
        next_at_ = at_ + where_[in_group];
        next_number_ = first_number_ + in_group;
        next_kind_ = taker.Test(kObjects);
        strangers_ |= JsonStrangers(taker.Test(kMembers), taker.Test(kElements), top_->kind & 1);
    }

    // Member by member: whole entries would be put together in memory, and waited for.
    HWY_INLINE void Write(pmi_json_open *to) const {
        to->at = next_at_;
        to->number = next_number_;
        to->kind = next_kind_;
    }

    HWY_INLINE void Meet(const pmi_json_open *met) {
        partners_[next_number_] = met->at;
        partners_[met->number] = next_at_;
        mismatched_ |= met->kind ^ next_kind_;
    }

    pmi_json_open *top_, *const bottom_;
    uint32_t *const partners_;
    const uint32_t at_, first_number_;
    const uint16_t *const where_;
    uint32_t next_at_ = 0, next_number_ = 0, next_kind_ = 0;
    uint32_t mismatched_ = 0;
    uint64_t strangers_ = 0;
    bool bottom_met_ = false;
};

// Takes what is left of a group whose first bracket is the k-th. See JsonMatch().
HWY_INLINE bool NestRest(pmi_json_state &state, JsonBlock &block, size_t k, PairTaker &taker, bool &bottom_met) {
    JsonNest nest(state, block, k);
    const unsigned opens = taker.CountOpens(), count = pmi_bits_count(taker.left);
    if (HWY_LIKELY(count < PM_WORD_BITS / 2 || (opens > 0 && opens < count)))
        nest.TakeAny(taker);
    else if (opens > 0)
        nest.TakeOpens(taker);
    else
        nest.TakeCloses(taker);
    state.top = nest.top();
    block.wrong |= nest.strangers();
    bottom_met |= nest.bottom_met();
    return nest.good();
}

// Matches the `count` brackets of a block. Returns whether each close meets an open of its kind. Sets `bottom_met` if
// something may be in no container, and notes in block.wrong what is in a wrong one. Not inlined: it needs all
// registers.
HWY_NOINLINE inline bool JsonMatch(pmi_json_state &state, JsonBlock &block, size_t count, bool &bottom_met) {
#if PM_JSON_PEXT
    const unsigned rounds = MovesByOne() ? kRounds : 0;
#endif
    unsigned member = 0, element = 0;
    bottom_met = state.top == state.bottom;
    for (size_t k = 0; k < count; k += PM_WORD_BITS) {
        const size_t here = count - k < PM_WORD_BITS ? count - k : PM_WORD_BITS;
        const JsonBrackets group = block.brackets.Row(k / PM_WORD_BITS);
        PairTaker taker(group, static_cast<unsigned>(here), member, element);
        GroupPartners partners(state, block, k, here);
        taker.TakeFirst();
        partners.AddFirst(taker.opens, taker.closes);
#if PM_JSON_PEXT
        for (unsigned round = 0; round < rounds && taker.left != 0; round++) {
            taker.TakeNext();
            partners.AddNext(taker);
        }
#endif
        partners.Store();
        member = taker.member();
        element = taker.element();
        block.wrong |= taker.wrong();
        if (!NestRest(state, block, k, taker, bottom_met))
            return false;
    }
    block.last_member |= member;
    block.last_element |= element;
    return true;
}

} // namespace pm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
