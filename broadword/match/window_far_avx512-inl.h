// SPDX-License-Identifier: Apache-2.0
// How the window for AVX-512 and the far stack go together: one brought up to date, the other refilled, and long runs
// of one kind of element matched on the far stack alone.
#if defined(PM_BROADWORD_MATCH_WINDOW_FAR_AVX512_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PM_BROADWORD_MATCH_WINDOW_FAR_AVX512_INL_H
#undef PM_BROADWORD_MATCH_WINDOW_FAR_AVX512_INL_H
#else
#define PM_BROADWORD_MATCH_WINDOW_FAR_AVX512_INL_H
#endif

#include <string.h>

#include "broadword/match/range-inl.h"
#include "broadword/match/summary_avx512-inl.h"
#include "broadword/match/window_avx512-inl.h"

#if HWY_TARGET == HWY_AVX3_DL

HWY_BEFORE_NAMESPACE();
namespace pm::HWY_NAMESPACE {

// ---- The far stack spelled out again: its entries from the top down, sixteen at a time ----

// Blocks of any number, those that are present; as BlockBits.
HWY_INLINE __m512i GatherBlocks(const pmi_grid &grid, __mmask8 present, __m512i block) {
    const __m512i words = _mm512_set1_epi64(static_cast<int64_t>(pmi_bits_words(grid.n)));
    const __mmask8 has_above = _mm512_mask_cmplt_epu64_mask(present, block, words);
    const __m512i above = _mm512_mask_i64gather_epi64(_mm512_setzero_si512(), has_above, block, grid.parens, 8);
    const unsigned lead = grid.lead;
    if (lead == 0)
        return above;
    const __mmask8 has_below = _mm512_mask_test_epi64_mask(present, block, block);
    const __m512i before = _mm512_sub_epi64(block, _mm512_set1_epi64(1));
    const __m512i below = _mm512_mask_i64gather_epi64(_mm512_setzero_si512(), has_below, before, grid.parens, 8);
    return _mm512_or_si512(_mm512_slli_epi64(above, lead), _mm512_srli_epi64(below, 64 - lead));
}

// Blocks' survivors are listed, top first, eight blocks at a time. A list has a place in the output, and for each line
// of sixteen entries is recorded which list it begins in; so lines do not wait for one another. Places are modulo 2^32.
class FarEntries {
  public:
    // The entries of `far` but its `skipped` topmost. The first line begins with `padding` < 16 others, which may be
    // anything.
    HWY_INLINE FarEntries(const pmi_grid &grid, const pmi_far_stack &far, size_t skipped, size_t padding)
        : grid_(grid), survivors_(far.survivors), left_(far.used) {
        while (skipped > 0 && skipped >= survivors_[left_ - 1].count)
            skipped -= survivors_[--left_].count;
        end_ = static_cast<uint32_t>(padding - skipped);
        list_of_[0] = 0;
    }

    // The next lines, each given to `put`. There must be as many entries left.
    template <class Put> HWY_INLINE void Spell(size_t lines, const Put &put) {
        while (lines > 0) {
            // What is listed now is spelled out in the next turn, so that neither waits for the other. All the rest is
            // spelled out now, but less than a line, or a line of the next time round; so there are rooms enough.
            uint32_t listed = end_;
            if (left_ > 0) {
                ListBlocks();
            } else {
                listed += kLine - 1;
            }
            if (Before(listed, place_ + kLine))
                continue;
            const size_t ready = (listed - place_) / kLine, line = place_ / kLine % kLines;
            const size_t count = HWY_MIN(HWY_MIN(lines, ready), kLines - line);
            if (Before(place_, short_end_)) {
                SpellReady<true>(line, count, put);
            } else {
                SpellReady<false>(line, count, put);
            }
            lines -= count;
        }
    }

  private:
    static constexpr uint32_t kLine = 16;
    static constexpr size_t kLists = 64;  // rooms for lists, used in turn
    static constexpr size_t kLines = 512; // rooms for the lines that lists fill, and some

    struct alignas(64) List {
        uint8_t code[64]; // inner codes
        uint32_t start;   // place of the first
        uint32_t base;    // plus their codes: entries
    };

    // Lists the survivors of the next eight blocks, or what is left.
    HWY_INLINE void ListBlocks() {
        const size_t count = HWY_MIN(8, left_);
        left_ -= count;
        const __m512i iota = _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7);
        const __mmask8 present = static_cast<__mmask8>(pmi_bits_low(static_cast<unsigned>(count)));
        const __m512i top_first = _mm512_sub_epi64(_mm512_set1_epi64(static_cast<int64_t>(count - 1)), iota);
        const __m512i entries =
            _mm512_maskz_permutexvar_epi64(present, top_first, _mm512_maskz_loadu_epi64(present, survivors_ + left_));
        Prefetch(left_);
        const __m512i block = _mm512_and_si512(entries, _mm512_set1_epi64(UINT32_MAX));
        const __m512i wanted = _mm512_srli_epi64(entries, 32);
        const __m512i survivors = SurvivorsOf(GatherBlocks(grid_, present, block));

        // Where each list starts.
        const __m512i zero = _mm512_setzero_si512();
        __m512i ends = _mm512_add_epi64(wanted, _mm512_alignr_epi64(wanted, zero, 7));
        ends = _mm512_add_epi64(ends, _mm512_alignr_epi64(ends, zero, 6));
        ends = _mm512_add_epi64(ends, _mm512_alignr_epi64(ends, zero, 4));
        const __m512i start = _mm512_and_si512(
            _mm512_add_epi64(_mm512_sub_epi64(ends, wanted), _mm512_set1_epi64(end_)), _mm512_set1_epi64(UINT32_MAX));
        const __m512i base =
            _mm512_add_epi64(_mm512_slli_epi64(block, 6),
                             _mm512_set1_epi64(static_cast<int64_t>(BlockBase(grid_, 0) - Avx512Tables::kInner)));
        const __m512i first_line = _mm512_srli_epi64(_mm512_add_epi64(start, _mm512_set1_epi64(int64_t{kLine} - 1)), 4);

        // The lowest ones of the block's survivors are the last of them.
        alignas(64) uint64_t mask[8], skip[8], line[8], place[8];
        _mm512_store_si512(mask, survivors);
        _mm512_store_si512(skip, _mm512_sub_epi64(_mm512_popcnt_epi64(survivors), wanted));
        _mm512_store_si512(line, _mm512_and_si512(first_line, _mm512_set1_epi64(kLines - 1)));
        _mm512_store_si512(place, _mm512_or_si512(start, _mm512_slli_epi64(base, 32)));
        __asm__("" : "+m"(mask), "+m"(skip), "+m"(line), "+m"(place));

        end_ += static_cast<uint32_t>(_mm_cvtsi128_si32(_mm512_castsi512_si128(_mm512_alignr_epi64(ends, ends, 7))));
        if (_mm512_mask_cmplt_epu64_mask(present, wanted, _mm512_set1_epi64(int64_t{kLine})) != 0)
            short_end_ = end_;
        List *list = list_ + made_ % kLists;
        const uint64_t four = UINT64_C(0x0001000100010001);
        uint64_t offset =
            four * static_cast<uint64_t>(reinterpret_cast<char *>(list) - reinterpret_cast<char *>(list_));
        for (size_t i = 0; i < 8; i++, list++, offset += four * sizeof *list) {
            const uint64_t lowest = _pdep_u64(UINT64_MAX << skip[i], mask[i]);
            _mm512_store_si512(list->code, _mm512_maskz_compress_epi8(lowest, Row(kAvx512.opens)));
            memcpy(&list->start, &place[i], sizeof place[i]);
            // A list has at most four lines; those that begin in a later one are recorded again then.
            memcpy(list_of_ + line[i], &offset, sizeof offset);
            if (HWY_UNLIKELY(line[i] > kLines - 4))
                memcpy(list_of_, list_of_ + kLines, 3 * sizeof *list_of_);
        }
        if (made_ % kLists == 0)
            list_[kLists] = list_[0];
        made_ += count;
        // What comes after these begins past them.
        list_[made_ % kLists].start = end_;
        if (made_ % kLists == 0)
            list_[kLists].start = end_;
    }

    static HWY_INLINE bool Before(uint32_t a, uint32_t b) {
        return static_cast<int32_t>(a - b) < 0;
    }

    // Memory is read backwards here, and in step with the lines written, which is where it is slow.
    HWY_INLINE void Prefetch(size_t entry) const {
        constexpr size_t kAhead = 128;
        if (entry >= kAhead) {
            hwy::Prefetch(survivors_ + entry - kAhead);
            hwy::Prefetch(grid_.parens + survivors_[entry - kAhead / 2].block);
        }
    }

    template <bool kShort, class Put> HWY_INLINE void SpellReady(size_t line, size_t count, const Put &put) {
        __m512i places = _mm512_add_epi32(_mm512_set1_epi32(static_cast<int>(place_)), Row(kAvx512.rotate[0]));
        const uint16_t *offset = list_of_ + line, *end = offset + count;
        const __m512i step = _mm512_set1_epi32(static_cast<int>(kLine));
        uint32_t place = place_;
        for (; offset < end; offset++) {
            const List *list = reinterpret_cast<const List *>(reinterpret_cast<const char *>(list_) + *offset);
            const __m512i after = After(places, list[1]);
            __m512i entries = _mm512_mask_mov_epi32(Entries(after, list[1]), _mm512_movepi32_mask(after),
                                                    Entries(After(places, list[0]), list[0]));
            place += kLine;
            if (kShort) { // then two lists may not suffice
                size_t k = static_cast<size_t>(list - list_) + 1;
                while (list_[k % kLists].start != end_ && Before(list_[++k % kLists].start, place)) {
                    const __m512i more = After(places, list_[k % kLists]);
                    entries =
                        _mm512_mask_mov_epi32(Entries(more, list_[k % kLists]), _mm512_movepi32_mask(more), entries);
                }
            }
            put(entries);
            places = _mm512_add_epi32(places, step);
        }
        place_ += static_cast<uint32_t>(kLine * count);
    }

    static HWY_INLINE __m512i After(__m512i places, const List &list) {
        return _mm512_sub_epi32(places, _mm512_set1_epi32(static_cast<int>(list.start)));
    }
    static HWY_INLINE __m512i Entries(__m512i lane, const List &list) {
        const __mmask64 low_bytes = UINT64_C(0x1111111111111111);
        const __m512i code = _mm512_maskz_permutexvar_epi8(low_bytes, lane, Row(list.code));
        return _mm512_add_epi32(code, _mm512_set1_epi32(static_cast<int>(list.base)));
    }

    List list_[kLists + 1];        // and a copy of the first
    uint16_t list_of_[kLines + 4]; // for each line, where in the lists the one lies in which it begins
    const pmi_grid &grid_;
    const pm_survivors *const survivors_;
    size_t left_;              // entries of the far stack that are not listed yet
    size_t made_ = 0;          // lists
    uint32_t end_, place_ = 0; // of the lists, and of the next line
    uint32_t short_end_ = 0;   // of the last list shorter than a line, or of one after it
};

// ---- The window and the far stack ----

// Brings the far stack up to date with the recorded blocks: what the lowest of them left alone, then theirs.
void Window::Drain(pmi_far_stack &far) {
    const uint64_t untouched = hidden_ + CountSurvivorsOfBlocks();
    PopSurvivors(far, far.depth - untouched);

    pm_survivors *to = far.survivors + far.used;
    if (recorded_ > 0)
        *to = {}; // so that its page is there: masked stores of nothing are slow on one that has yet to be made
    __m512i block = _mm512_add_epi64(_mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7),
                                     _mm512_set1_epi64(static_cast<int64_t>(next_ - recorded_)));
    for (size_t i = 0; i < recorded_; i += 8) {
        const __m512i count = _mm512_cvtepu32_epi64(_mm256_load_si256(reinterpret_cast<const __m256i *>(records_ + i)));
        const __mmask8 some = _mm512_test_epi64_mask(count, count);
        const __m512i survivors = _mm512_or_si512(block, _mm512_slli_epi64(count, 32)); // as pm_survivors lie in memory
        const unsigned found = pmi_bits_count(some);
        _mm512_mask_storeu_epi64(to, static_cast<__mmask8>(pmi_bits_low(found)),
                                 _mm512_maskz_compress_epi64(some, survivors));
        to += found;
        block = _mm512_add_epi64(block, _mm512_set1_epi64(8));
    }
    far.used = static_cast<size_t>(to - far.survivors);
    far.depth = TotalDepth(far);
    recorded_ = 0;
}

// Puts in the place of each record how many of the block's opens are left: those between its base and the lowest base
// of the blocks after it, or the top. Returns the lowest base of all, as a depth in the window.
HWY_INLINE uint32_t Window::CountSurvivorsOfBlocks() {
    const __m512i bottom = _mm512_set1_epi32(static_cast<int>(Low(bottom_)));
    const __m512i most = _mm512_set1_epi32(INT32_MAX);
    // The top is the base of what comes next, so also of what fills up the last 16.
    _mm512_storeu_si512(records_ + recorded_, _mm512_set1_epi32(static_cast<int>(Low(top_))));
    __m512i lowest = _mm512_set1_epi32(static_cast<int>(depth()));
    for (size_t i = (recorded_ + 15) / 16 * 16; i > 0;) {
        i -= 16;
        const __m512i base = _mm512_srli_epi32(_mm512_sub_epi32(bottom, Row(records_ + i)), 2);
        // The lowest of each and those after it among the 16.
        __m512i among = _mm512_min_epi32(base, _mm512_alignr_epi32(most, base, 1));
        among = _mm512_min_epi32(among, _mm512_alignr_epi32(most, among, 2));
        among = _mm512_min_epi32(among, _mm512_alignr_epi32(most, among, 4));
        among = _mm512_min_epi32(among, _mm512_alignr_epi32(most, among, 8));
        const __m512i after = _mm512_min_epi32(lowest, _mm512_alignr_epi32(most, among, 1));
        _mm512_store_si512(records_ + i, _mm512_max_epi32(_mm512_sub_epi32(after, base), _mm512_setzero_si512()));
        lowest = _mm512_min_epi32(lowest, _mm512_broadcastd_epi32(_mm512_castsi512_si128(among)));
    }
    return static_cast<uint32_t>(_mm512_cvtsi512_si32(lowest));
}

// Spells out entries that are on the far stack alone, below those at hand.
void Window::Refill(const pmi_far_stack &far) {
    const size_t found = HWY_MIN(kRefill, hidden_);
    if (found == hidden_) {
        MoveBottom(end_ - found);
    } else if (static_cast<size_t>(end_ - bottom_) < found + 16) {
        MoveBottom(begin_ + kAbove + 2 * kElements + depth()); // far enough for this time and the next
    }
    // The far stack, which is up to date, holds the entries at hand as well: they are skipped. New ones are written in
    // whole aligned blocks, of which the first begins with some of those.
    const size_t padding = Above(bottom_) / sizeof *bottom_;
    uint32_t *const begin = bottom_ - padding, *to = begin;
    const __m512i above = Row(begin);
    FarEntries entries(grid_, far, depth(), padding);
    entries.Spell((padding + found + 15) / 16, [&to](__m512i line) HWY_ATTR {
        _mm512_store_si512(to, line);
        to += 16;
    });
    _mm512_mask_store_epi32(begin, static_cast<__mmask16>(pmi_bits_low(static_cast<unsigned>(padding))), above);
    bottom_ += found;
    hidden_ -= found;
    if (hidden_ == 0)
        ClearBelow();
}

// Forgets all entries at hand. The far stack is up to date and holds them.
HWY_INLINE void Window::Hide(const pmi_far_stack &far) {
    hidden_ = far.depth;
    top_ = bottom_ = end_;
}

// How many blocks from `first` on are equal to the word; counted by the eight.
HWY_INLINE size_t Window::CountEqual(size_t first, size_t last, uint64_t word) const {
    const __m512i words = _mm512_set1_epi64(static_cast<int64_t>(word));
    size_t block = first;
    while (block + 8 <= last && _mm512_cmpneq_epi64_mask(Blocks(block, 8), words) == 0)
        block += 8;
    return block - first;
}

// A batch of blocks of one kind of element, for which the window is not ready by `excess`, needs no entries at hand,
// only the far stack. Matches it and those that follow; returns the block after them.
template <bool kStreaming>
HWY_NOINLINE size_t Window::MatchRun(size_t first, size_t last, int64_t excess, pmi_far_stack &far) {
    if (excess == static_cast<int64_t>(kElements) && room() < kElements)
        return MatchRunOfOpens<kStreaming>(first, last, far);
    if (excess == -static_cast<int64_t>(kElements) && depth() < kElements && hidden_ > 0)
        return MatchRunOfCloses<kStreaming>(first, last, far);
    return first;
}

// Each open has the one before it for a parent.
template <bool kStreaming> size_t Window::MatchRunOfOpens(size_t first, size_t last, pmi_far_stack &far) {
    Drain(far);
    const size_t count = CountEqual(first, last, UINT64_MAX);
    uint32_t *out = grid_.match + BlockResults(grid_, first);
    __m512i parents =
        _mm512_add_epi32(_mm512_set1_epi32(static_cast<int>(BlockBase(grid_, first) - 1)), Row(kAvx512.rotate[0]));
    __m512i line = _mm512_mask_mov_epi32(parents, 1, _mm512_set1_epi32(static_cast<int>(*top_)));
    for (size_t i = 0; i < 4 * count; i++, out += 16) {
        Store<kStreaming>(out, line);
        line = parents = _mm512_add_epi32(parents, _mm512_set1_epi32(16));
    }

    __m512i survivors = _mm512_add_epi64(_mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7),
                                         _mm512_set1_epi64(static_cast<int64_t>(UINT64_C(64) << 32 | first)));
    for (size_t i = 0; i < count; i += 8, far.used += 8) {
        _mm512_storeu_si512(far.survivors + far.used, survivors);
        survivors = _mm512_add_epi64(survivors, _mm512_set1_epi64(8));
    }
    far.depth += 64 * count;
    net_ -= static_cast<int64_t>(64 * count);
    Hide(far);
    return first + count;
}

// Closes get the entries of the stack as they are.
template <bool kStreaming> size_t Window::MatchRunOfCloses(size_t first, size_t last, pmi_far_stack &far) {
    Drain(far);
    const size_t count = HWY_MIN(CountEqual(first, last, 0), far.depth / 64);
    uint32_t *out = grid_.match + BlockResults(grid_, first);
    FarEntries entries(grid_, far, 0, 0);
    entries.Spell(4 * count, [&out](__m512i line) HWY_ATTR {
        Store<kStreaming>(out, line);
        out += 16;
    });
    PopSurvivors(far, 64 * count);
    net_ += static_cast<int64_t>(64 * count);
    Hide(far);
    return first + count;
}

} // namespace pm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif // HWY_TARGET

#endif
