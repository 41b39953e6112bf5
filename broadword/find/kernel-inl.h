// SPDX-License-Identifier: Apache-2.0
// The kernels of searching, compiled once for each target by hwy.cc.
#if defined(PM_BROADWORD_FIND_KERNEL_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PM_BROADWORD_FIND_KERNEL_INL_H
#undef PM_BROADWORD_FIND_KERNEL_INL_H
#else
#define PM_BROADWORD_FIND_KERNEL_INL_H
#endif

#include "broadword/find/find.h"
#include "broadword/text/byte_lookup-inl.h"

#if HWY_TARGET != HWY_EMU128 && HWY_TARGET != HWY_SCALAR && !HWY_HAVE_SCALABLE

HWY_BEFORE_NAMESPACE();
namespace pm::HWY_NAMESPACE {

// ---- Candidates: after Langdale's Teddy. Each of a prefix's bytes looks up the buckets of patterns that may have it
// there; where all agree on a bucket, one of its patterns may begin.

#if HWY_TARGET == HWY_AVX3_DL

// By the lowest six bits of a byte, which is one instruction. Places are listed by another, sixteen at once.
template <unsigned kLength> class Prefixes {
  public:
    HWY_INLINE explicit Prefixes(const pmi_dict_prefixes &prefixes) {
        for (unsigned p = 0; p < kLength; p++)
            six_[p] = _mm512_loadu_si512(prefixes.six[p]);
    }

    HWY_INLINE uint64_t Mask(const unsigned char *word) const {
        __m512i buckets = LookUp(word, 0);
        for (unsigned p = 1; p + 1 < kLength; p++)
            buckets = _mm512_and_si512(buckets, LookUp(word, p));
        return kLength == 1 ? _mm512_test_epi8_mask(buckets, buckets)
                            : _mm512_test_epi8_mask(buckets, LookUp(word, kLength - 1));
    }

  private:
    HWY_INLINE __m512i LookUp(const unsigned char *word, unsigned p) const {
        return _mm512_permutexvar_epi8(_mm512_loadu_si512(word + p), six_[p]);
    }

    __m512i six_[kLength];
};

HWY_INLINE size_t ListBits(uint64_t mask, uint32_t base, uint32_t *places) {
    alignas(64) static constexpr uint8_t kNumbers[64] = {
        0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
        22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43,
        44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63};
    const size_t count = pmi_bits_count(mask);
    const __m512i listed = _mm512_maskz_compress_epi8(mask, _mm512_load_si512(kNumbers));
    const __m512i from = _mm512_set1_epi32(static_cast<int>(base));
    _mm512_storeu_si512(places, _mm512_add_epi32(from, _mm512_cvtepu8_epi32(_mm512_castsi512_si128(listed))));
    if (HWY_UNLIKELY(count > 16)) {
        HWY_ALIGN uint8_t rest[64];
        _mm512_store_si512(rest, listed);
        for (size_t k = 16; k < count; k++)
            places[k] = base + rest[k];
    }
    return count;
}

#else

// By the halves of a byte.
template <unsigned kLength> class Prefixes {
  public:
    HWY_INLINE explicit Prefixes(const pmi_dict_prefixes &prefixes) {
        for (unsigned p = 0; p < kLength; p++) {
            low_[p] = hn::LoadDup128(kBytes, prefixes.low[p]);
            high_[p] = hn::LoadDup128(kBytes, prefixes.high[p]);
        }
    }

    HWY_INLINE uint64_t Mask(const unsigned char *word) const {
        const V half = hn::Set(kBytes, 15);
        uint64_t mask = 0;
        HWY_UNROLL(4)
        for (size_t v = 0; v < kVectors; v++) {
            V buckets = hn::Set(kBytes, 0xff);
            HWY_UNROLL(3)
            for (unsigned p = 0; p < kLength; p++) {
                const V bytes = hn::LoadU(kBytes, word + v * kLanes + p);
                const V by_low = LookUpBytes(low_[p], hn::And(bytes, half));
                const V by_high = LookUpBytes(high_[p], hn::ShiftRight<4>(bytes));
                buckets = hn::And(buckets, hn::And(by_low, by_high));
            }
            StorePart(hn::Eq(buckets, hn::Zero(kBytes)), v, &mask);
        }
        return ~mask;
    }

  private:
    V low_[kLength], high_[kLength];
};

// The first four at once, because it is hard to foretell whether there are as many.
HWY_INLINE size_t ListBits(uint64_t mask, uint32_t base, uint32_t *places) {
    const size_t count = pmi_bits_count(mask);
    for (size_t k = 0; k < 4; k++, mask &= mask - 1)
        places[k] = base + pmi_bits_lowest(mask | UINT64_C(1) << 63); // one of none is anything
    for (size_t k = 4; k < count; k++, mask &= mask - 1)
        places[k] = base + pmi_bits_lowest(mask);
    return count;
}

#endif

constexpr size_t kGroup = 4; // words, of which it is asked at once whether they have a candidate

// Bytes that are asked for before they are read: as far as that CPUs, which look ahead as far as a page's end, have not
// done so. What lies behind the text is not read by that.
constexpr size_t kAhead = 4096;

template <unsigned kLength>
HWY_INLINE size_t CandidatesOf(const pmi_dict_prefixes &prefixes, const unsigned char *text, size_t words,
                               uint32_t *places) {
    const Prefixes<kLength> begins(prefixes);
    size_t count = 0, w = 0;
    for (; w + kGroup <= words; w += kGroup) {
        uint64_t masks[kGroup], some = 0;
        HWY_UNROLL(4)
        for (size_t k = 0; k < kGroup; k++) {
            const unsigned char *const word = text + (w + k) * PM_WORD_BITS;
            __builtin_prefetch(word + kAhead);
            some |= masks[k] = begins.Mask(word);
        }
        if (some == 0)
            continue;
        HWY_UNROLL(4)
        for (size_t k = 0; k < kGroup; k++)
            count += ListBits(masks[k], static_cast<uint32_t>((w + k) * PM_WORD_BITS), places + count);
    }
    for (; w < words; w++)
        count +=
            ListBits(begins.Mask(text + w * PM_WORD_BITS), static_cast<uint32_t>(w * PM_WORD_BITS), places + count);
    return count;
}

size_t Candidates(const pmi_dict_prefixes *prefixes, const unsigned char *text, size_t words, uint32_t *places) {
    switch (prefixes->length) {
    case 1:
        return CandidatesOf<1>(*prefixes, text, words, places);
    case 2:
        return CandidatesOf<2>(*prefixes, text, words, places);
    default:
        return CandidatesOf<3>(*prefixes, text, words, places);
    }
}

// ---- Starts: the same, by the halves of bytes; and buckets of patterns that begin words count only where one begins.

// Bits of a byte's halves that agree in one if it is part of a word (pmi_byte_is_word()).
alignas(16) constexpr uint8_t kWordLow[16] = {21, 23, 23, 23, 23, 23, 23, 23, 23, 23, 22, 18, 18, 18, 18, 26};
alignas(16) constexpr uint8_t kWordHigh[16] = {0, 0, 0, 1, 2, 12, 2, 4, 16, 16, 16, 16, 16, 16, 16, 16};

template <unsigned kLength>
HWY_INLINE void StartsOf(const pmi_dict_starts &starts, const unsigned char *text, size_t words, bool in_word,
                         uint64_t *masks) {
    const V half = hn::Set(kBytes, 15), of_words = hn::Set(kBytes, starts.words), none = hn::Zero(kBytes);
    const V word_low = hn::LoadDup128(kBytes, kWordLow), word_high = hn::LoadDup128(kBytes, kWordHigh);
    V low[kLength], high[kLength];
    for (unsigned p = 0; p < kLength; p++) {
        low[p] = hn::LoadDup128(kBytes, starts.prefixes.low[p]);
        high[p] = hn::LoadDup128(kBytes, starts.prefixes.high[p]);
    }
    for (size_t w = 0; w < words; w++) {
        uint64_t not_word = 0, not_start = 0, not_word_start = 0;
        HWY_UNROLL(4)
        for (size_t v = 0; v < kVectors; v++) {
            V buckets = hn::Set(kBytes, 0xff);
            for (unsigned p = kLength; p-- > 0;) {
                const V bytes = hn::LoadU(kBytes, text + w * PM_WORD_BITS + v * kLanes + p);
                const V by_low = hn::And(bytes, half), by_high = hn::ShiftRight<4>(bytes);
                buckets = hn::And(buckets, hn::And(LookUpBytes(low[p], by_low), LookUpBytes(high[p], by_high)));
                if (p == 0)
                    StorePart(hn::Eq(hn::And(LookUpBytes(word_low, by_low), LookUpBytes(word_high, by_high)), none), v,
                              &not_word);
            }
            StorePart(hn::Eq(hn::AndNot(of_words, buckets), none), v, &not_start);
            StorePart(hn::Eq(hn::And(of_words, buckets), none), v, &not_word_start);
        }
        const uint64_t behind_word = ~not_word << 1 | uint64_t{in_word};
        masks[w] = ~(not_start & (not_word_start | behind_word));
        in_word = ~not_word >> (PM_WORD_BITS - 1);
    }
}

void Starts(const pmi_dict_starts *starts, const unsigned char *text, size_t words, bool in_word, uint64_t *masks) {
    switch (starts->prefixes.length) {
    case 1:
        StartsOf<1>(*starts, text, words, in_word, masks);
        return;
    case 2:
        StartsOf<2>(*starts, text, words, in_word, masks);
        return;
    default:
        StartsOf<3>(*starts, text, words, in_word, masks);
    }
}

// ---- Gathering: the state of each lane is an element of a vector, and one instruction takes all of a vector's lanes a
// byte further. While it waits for memory, other vectors' lanes go on.

#if HWY_TARGET == HWY_AVX2 || HWY_TARGET <= HWY_AVX3

// Elements that the offsets tell, in elements of kScale bytes. What the result's register held before is said to be
// `before`, or the instruction, which merges with it, would wait for whatever that was.
template <int kScale, class T> HWY_INLINE T GatherOver(T before, const void *base, T offsets) {
#if HWY_TARGET == HWY_AVX2
    return T{_mm256_mask_i32gather_epi32(before.raw, static_cast<const int *>(base), offsets.raw, _mm256_set1_epi32(-1),
                                         kScale)};
#else
    return T{_mm512_mask_i32gather_epi32(before.raw, 0xffff, offsets.raw, base, kScale)};
#endif
}

class Gatherer {
  public:
    static constexpr size_t kPerVector = HWY_LANES(int32_t);
    static constexpr size_t kStates = HWY_TARGET == HWY_AVX2 ? 4 : 8; // vectors, as measured
    static constexpr size_t kCount = kStates * kPerVector;            // lanes

    HWY_INLINE Gatherer(const pmi_search &search, size_t first, size_t length, pmi_event *events)
        : dict_(*search.dict), rows_(search.dict->rows), text_(search.text + first), length_(length), events_(events),
          classes_table_(TableOf(*search.dict)), classes_(classes_table_), lanes_(hn::Iota(kInts, 0)),
          starts_(hn::Mul(lanes_, hn::Set(kInts, static_cast<int32_t>(length)))) {}

    HWY_INLINE size_t Run() {
        // Twice the room for events: behind that for one a place, the log.
        int32_t *const room = reinterpret_cast<int32_t *>(events_ + kCount * length_);
        const Log begin = {room, room + kCount * length_ + kPerVector};
        Log log = begin;
        States states[kStates];
        for (size_t v = 0; v < kStates; v++)
            states[v] = hn::Zero(kInts);
        for (size_t i = length_ + pmi_gather_reach(&dict_); i > length_; i -= 4)
            ReadFour<false>(states, i, log);
        for (size_t i = length_; i > 0; i -= 4)
            ReadFour<true>(states, i, log);
        return Sort(begin, static_cast<size_t>(log.where - begin.where));
    }

  private:
    static constexpr HWY_FULL(int32_t) kInts{};
    static constexpr HWY_FULL(uint32_t) kUnsigned{};
    using States = hn::Vec<decltype(kInts)>;
    using Bytes = hn::Vec<decltype(kUnsigned)>;
    static constexpr size_t kWordVectors = kVectors; // whose lanes' four bytes make a word of text

    static HWY_INLINE pmi_byte_classes TableOf(const pm_dict &dict) {
        pmi_byte_classes table = {};
        __builtin_memcpy(table.of, dict.class_of, sizeof table.of);
        pmi_byte_classes_finish(&table);
        return table;
    }

    // Where events were, as the place in a lane times kCount, and the lane; and the states there.
    struct Log {
        int32_t *where, *states;
    };

    // Bytes i - 4 ... i - 1 of every lane, last one first.
    template <bool kNotes> HWY_INLINE void ReadFour(States (&states)[kStates], size_t i, Log &log) {
        Bytes classes[kStates];
        HWY_UNROLL(8)
        for (size_t v = 0; v < kStates; v += kWordVectors) {
            HWY_ALIGN unsigned char word[PM_WORD_BITS];
            V looked_up[kVectors];
            for (size_t k = 0; k < kWordVectors; k++) {
                const unsigned char *const from = text_ + (v + k) * kPerVector * length_ + i - 4;
                hn::Store(hn::BitCast(kBytes, GatherOver<1>(starts_, from, starts_)), kBytes, word + k * kLanes);
            }
            classes_.template LookUp<false>(word, looked_up);
            for (size_t k = 0; k < kWordVectors; k++)
                classes[v + k] = hn::BitCast(kUnsigned, looked_up[k]);
        }
        Read<3, kNotes>(states, classes, i - 1, log);
        Read<2, kNotes>(states, classes, i - 2, log);
        Read<1, kNotes>(states, classes, i - 3, log);
        Read<0, kNotes>(states, classes, i - 4, log);
    }

    // One byte of every lane, and what is found there.
    template <int kByte, bool kNotes>
    HWY_INLINE void Read(States (&states)[kStates], const Bytes (&classes)[kStates], size_t i, Log &log) {
        States any = hn::Zero(kInts);
        HWY_UNROLL(8)
        for (size_t v = 0; v < kStates; v++) {
            const Bytes of_byte = hn::And(hn::ShiftRight<8 * kByte>(classes[v]), hn::Set(kUnsigned, 0xff));
            states[v] = GatherOver<4>(states[v], rows_, hn::Add(states[v], hn::BitCast(kInts, of_byte)));
            any = hn::Or(any, states[v]);
        }
        if (kNotes && !hn::AllFalse(kInts, hn::Lt(any, hn::Zero(kInts))))
            Note(states, lanes_, i, log);
    }

    static HWY_INLINE void Note(const States (&states)[kStates], States lanes, size_t i, Log &log) {
        HWY_UNROLL(8)
        for (size_t v = 0; v < kStates; v++) {
            const auto found = hn::Lt(states[v], hn::Zero(kInts));
            const States where = hn::Add(lanes, hn::Set(kInts, static_cast<int32_t>(i * kCount + v * kPerVector)));
            hn::StoreU(hn::Compress(where, found), kInts, log.where);
            hn::StoreU(hn::Compress(states[v], found), kInts, log.states);
            const size_t count = hn::CountTrue(kInts, found);
            log.where += count;
            log.states += count;
        }
    }

    // The log has lanes mixed, and each from its last event to its first.
    HWY_INLINE size_t Sort(const Log &log, size_t count) const {
        uint32_t end[kCount + 1] = {0}; // of lane k at k + 1, then going down
        for (size_t k = 0; k < count; k++)
            end[static_cast<uint32_t>(log.where[k]) % kCount + 1]++;
        for (size_t lane = 0; lane < kCount; lane++)
            end[lane + 1] += end[lane];
        for (size_t k = 0; k < count; k++) {
            const uint32_t where = static_cast<uint32_t>(log.where[k]), lane = where % kCount;
            const int32_t answer = rows_[log.states[k] + static_cast<int32_t>(dict_.classes)];
            events_[--end[lane + 1]] = pmi_event{lane * static_cast<uint32_t>(length_) + where / uint32_t{kCount},
                                                 static_cast<uint32_t>(answer)};
        }
        return count;
    }

    const pm_dict &dict_;
    const int32_t *const rows_;
    const unsigned char *const text_;
    const size_t length_; // of a lane
    pmi_event *const events_;
    const pmi_byte_classes classes_table_;
    const Classes classes_;
    const States lanes_;  // a vector's lanes' numbers,
    const States starts_; // and where they begin after the first one
};

size_t Gather(const pmi_search *search, size_t first, size_t length, pmi_event *events) {
    Gatherer gatherer(*search, first, length, events);
    return gatherer.Run();
}

#endif

} // namespace pm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

#endif
