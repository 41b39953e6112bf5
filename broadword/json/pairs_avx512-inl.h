// SPDX-License-Identifier: Apache-2.0
// Listing the brackets of a JSON block, and matching most of them without a stack: an open and a close side by side are
// a pair. It is taken out of the list, and others are side by side then. What was in the gaps before and behind a pair
// is in one gap then. For targets with VBMI2, 64 brackets at a time.
#if defined(PM_BROADWORD_JSON_PAIRS_AVX512_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PM_BROADWORD_JSON_PAIRS_AVX512_INL_H
#undef PM_BROADWORD_JSON_PAIRS_AVX512_INL_H
#else
#define PM_BROADWORD_JSON_PAIRS_AVX512_INL_H
#endif

#include "broadword/json/read-inl.h"

#if HWY_TARGET == HWY_AVX3_DL

HWY_BEFORE_NAMESPACE();
namespace pm::HWY_NAMESPACE {

constexpr size_t kGroup = PM_WORD_BITS; // brackets that are looked at at once,
constexpr size_t kQuarter = 16;         // and those of a vector of entries
constexpr unsigned kRounds = 2;         // after the first; more find little

// 0, 1, 2, ...
template <class T, unsigned kCount> struct NumberTable {
    T of[kCount];
    constexpr NumberTable() : of() {
        for (unsigned k = 0; k < kCount; k++)
            of[k] = static_cast<T>(k);
    }
};
alignas(64) constexpr NumberTable<uint8_t, PM_WORD_BITS> kByteNumbers;
alignas(64) constexpr NumberTable<uint32_t, kQuarter> kLaneNumbers;

// The letter of a bracket in the list: its byte, with these bits changed if the gap before it has that.
enum : uint8_t {
    kMemberBit = 0x80,
    kElementBit = 0x40
};

HWY_INLINE uint64_t LettersWith(__m512i letters, uint8_t bit) {
    return _cvtmask64_u64(_mm512_test_epi8_mask(letters, _mm512_set1_epi8(static_cast<char>(bit))));
}

// Letters with more in the gaps before them.
HWY_INLINE __m512i MarkLetters(__m512i letters, uint64_t members, uint64_t elements) {
    letters = _mm512_mask_add_epi8(letters, members, letters, _mm512_set1_epi8(static_cast<char>(kMemberBit)));
    return _mm512_mask_sub_epi8(letters, elements, letters, _mm512_set1_epi8(kElementBit));
}

// Numbers of bits of a word become numbers of bytes in the block.
HWY_INLINE __m512i WidePlaces(__m256i bits, size_t w) {
    return _mm512_add_epi16(_mm512_cvtepu8_epi16(bits), _mm512_set1_epi16(static_cast<int16_t>(PM_WORD_BITS * w)));
}

// Adds the brackets of a word to the list: their letters, and where they are in the block. Mostly they are few, and
// short stores cross fewer lines of the cache.
HWY_INLINE void ListBrackets(uint64_t mask, size_t w, JsonBlock &block, unsigned count) {
    const __m512i text = _mm512_loadu_si512(block.text + PM_WORD_BITS * w);
    const __m512i marked = MarkLetters(text, block.members[w], block.elements[w]);
    const __m512i letters = _mm512_maskz_compress_epi8(mask, marked);
    const __m512i bits = _mm512_maskz_compress_epi8(mask, _mm512_load_si512(kByteNumbers.of));
    const __m512i places = WidePlaces(_mm512_castsi512_si256(bits), w);
    uint16_t *const to = block.where + 1 + count;
    _mm_storeu_si128(reinterpret_cast<__m128i *>(block.letters + count), _mm512_castsi512_si128(letters));
    _mm256_storeu_si256(reinterpret_cast<__m256i *>(to), _mm512_castsi512_si256(places));
    if (HWY_LIKELY(pmi_bits_count(mask) <= 16))
        return;
    _mm512_storeu_si512(block.letters + count, letters);
    _mm512_storeu_si512(to, places);
    _mm512_storeu_si512(to + 32, WidePlaces(_mm512_extracti64x4_epi64(bits, 1), w));
}

// Goes through a list of letters, and takes pairs out of it.
class PairTaker {
  public:
    uint64_t opens, closes, left; // of the last group: the brackets of pairs, and the others

    HWY_INLINE explicit PairTaker(uint8_t *letters) : opens(0), closes(0), left(0), letters_(letters) {}

    // Takes the next `count` letters, 64 except for the last ones.
    HWY_INLINE void Take(size_t count) {
        const __m512i letters = _mm512_loadu_si512(letters_ + read_);
        const uint64_t open = LettersWith(letters, 0x02), object = LettersWith(letters, 0x20); // "[]{}" are 5b 5d 7b 7d
        const uint64_t members = LettersWith(letters, kMemberBit), elements = ~LettersWith(letters, kElementBit);
        const uint64_t all = pmi_bits_low(static_cast<unsigned>(count));
        opens = open & ~(open >> 1) & all >> 1;
        closes = opens << 1;
        left = all & ~(opens | closes);
        wrong_ |= opens & ((object ^ object >> 1) | (members >> 1 & ~object) | (elements >> 1 & object));
        const uint64_t passed_members = Pass(members, count, member_),
                       passed_elements = Pass(elements, count, element_);
        const __m512i marked =
            MarkLetters(letters, passed_members & left & ~members, passed_elements & left & ~elements);
        _mm512_storeu_si512(letters_ + written_, _mm512_maskz_compress_epi8(left, marked));
        read_ += count;
        written_ += pmi_bits_count(left);
    }

    // Adds what is behind the last bracket that is left.
    HWY_INLINE void End(JsonBlock &block) const {
        block.last_member |= member_;
        block.last_element |= element_;
    }
    HWY_INLINE bool good() const {
        return wrong_ == 0;
    }

  private:
    // Carries what is in the gap before a pair over it, and over those that follow it, to the next bracket that is
    // left.
    HWY_INLINE uint64_t Pass(uint64_t gaps, size_t count, unsigned &carry) const {
        unsigned long long sum;
        const unsigned out = _addcarry_u64(static_cast<unsigned char>(carry), opens | closes, gaps & opens, &sum);
        carry = count < kGroup ? sum >> count & 1 : out;
        return sum;
    }

    uint8_t *const letters_;
    size_t read_ = 0, written_ = 0;
    uint64_t wrong_ = 0;
    unsigned member_ = 0, element_ = 0;
};

HWY_INLINE __mmask16 QuarterOf(uint64_t group, size_t begin) {
    return static_cast<__mmask16>(group >> begin);
}

HWY_INLINE __m512i LoadPlaces(const uint16_t *from) {
    return _mm512_cvtepu16_epi32(_mm256_loadu_si256(reinterpret_cast<const __m256i *>(from)));
}

// Stores the entries of a quarter that are in a group's mask, and returns their number.
HWY_INLINE size_t StoreSome(__m512i entries, uint64_t group, size_t begin, uint32_t *to) {
    const __mmask16 which = QuarterOf(group, begin);
    _mm512_storeu_si512(to, _mm512_maskz_compress_epi32(which, entries));
    return pmi_bits_count(which);
}

// Matches pairs among `count` brackets as they stand in the text: their partners are their neighbours. Makes entries of
// the others, and returns their number.
HWY_INLINE size_t PairNeighbours(const pmi_json_state &state, JsonBlock &block, size_t count, PairTaker &taker) {
    const __m512i at = _mm512_set1_epi32(static_cast<int>(state.at));
    size_t left = 0;
    for (size_t group = 0; group < count; group += kGroup) {
        const size_t here = count - group < kGroup ? count - group : kGroup;
        taker.Take(here);
        for (size_t begin = 0; begin < here; begin += kQuarter) {
            const size_t k = group + begin;
            const __m512i behind = LoadPlaces(block.where + k + 2), before = LoadPlaces(block.where + k);
            const __m512i partners = _mm512_mask_mov_epi32(before, QuarterOf(taker.opens, begin), behind);
            _mm512_storeu_si512(state.partners + state.brackets + 1 + k, _mm512_add_epi32(partners, at));
            const __m512i numbers =
                _mm512_add_epi32(_mm512_load_si512(kLaneNumbers.of), _mm512_set1_epi32(static_cast<int>(k)));
            const __m512i entries = _mm512_or_si512(LoadPlaces(block.where + k + 1), _mm512_slli_epi32(numbers, 16));
            left += StoreSome(entries, taker.left, begin, block.entries + left);
        }
    }
    return left;
}

// Matches pairs among the entries that are left. Returns how many then are.
HWY_INLINE size_t PairEntries(const pmi_json_state &state, JsonBlock &block, size_t count, PairTaker &taker) {
    uint32_t *const partners = state.partners + state.brackets + 1;
    size_t left = 0;
    for (size_t group = 0; group < count; group += kGroup) {
        uint32_t opens[kGroup], closes[kGroup];
        const size_t here = count - group < kGroup ? count - group : kGroup;
        size_t open_count = 0, close_count = 0;
        taker.Take(here);
        for (size_t begin = 0; begin < here; begin += kQuarter) {
            const __m512i entries = _mm512_loadu_si512(block.entries + group + begin);
            open_count += StoreSome(entries, taker.opens, begin, opens + open_count);
            close_count += StoreSome(entries, taker.closes, begin, closes + close_count);
            left += StoreSome(entries, taker.left, begin, block.entries + left);
        }
        for (size_t k = 0; k < open_count; k++) {
            partners[opens[k] >> 16] = state.at + (closes[k] & 0xffff);
            partners[closes[k] >> 16] = state.at + (opens[k] & 0xffff);
        }
    }
    return left;
}

// The list without the brackets that have been matched.
struct JsonPairedList {
    static HWY_INLINE bool Pair(const pmi_json_state &state, JsonBlock &block, size_t &count) {
        PairTaker neighbours(block.letters);
        count = PairNeighbours(state, block, count, neighbours);
        neighbours.End(block);
        bool good = neighbours.good();
        for (unsigned round = 0; round < kRounds; round++) {
            PairTaker entries(block.letters);
            count = PairEntries(state, block, count, entries);
            entries.End(block);
            good &= entries.good();
        }
        return good;
    }

    static HWY_INLINE uint64_t Strangers(const JsonBlock &block, const uint64_t *, size_t count) {
        uint64_t found = 0;
        for (size_t k = 0; k < count; k += kGroup) {
            const __m512i letters = _mm512_load_si512(block.letters + k);
            const uint64_t all = pmi_bits_low(static_cast<unsigned>(count - k < kGroup ? count - k : kGroup));
            found |= all & JsonStrangers(LettersWith(letters, kMemberBit), ~LettersWith(letters, kElementBit),
                                         block.objects[k / kGroup]);
        }
        return found;
    }

    static HWY_INLINE JsonBracket Bracket(const JsonBlock &block, size_t k) {
        return {block.entries[k] & 0xffff, block.entries[k] >> 16, block.letters[k]};
    }
};

} // namespace pm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

#endif
