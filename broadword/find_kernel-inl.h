// SPDX-License-Identifier: Apache-2.0
// The kernels of searching, compiled for each instruction set by find_hwy.cc.
#if defined(PM_BROADWORD_FIND_KERNEL_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PM_BROADWORD_FIND_KERNEL_INL_H
#undef PM_BROADWORD_FIND_KERNEL_INL_H
#else
#define PM_BROADWORD_FIND_KERNEL_INL_H
#endif

#include "broadword/byte_lookup-inl.h"
#include "broadword/find.h"

#if HWY_TARGET != HWY_EMU128 && HWY_TARGET != HWY_SCALAR && !HWY_HAVE_SCALABLE

HWY_BEFORE_NAMESPACE();
namespace pm {
namespace HWY_NAMESPACE {

// ---- Candidates: after Langdale's Teddy. A byte's halves each look up the buckets of patterns that may have it there;
// where all bytes of a prefix agree on a bucket, one of its patterns may begin.

template <unsigned kLength>
HWY_INLINE size_t CandidatesOf(const pm_dict_prefixes &prefixes, const unsigned char *text, size_t words,
                               uint64_t *masks, uint64_t *any) {
    V low[kLength], high[kLength];
    for (unsigned p = 0; p < kLength; p++) {
        low[p] = hn::LoadDup128(kBytes, prefixes.low[p]);
        high[p] = hn::LoadDup128(kBytes, prefixes.high[p]);
    }
    const V half = hn::Set(kBytes, 15);
    size_t count = 0;
    for (size_t w = 0; w < words; any++) {
        uint64_t words_with = 0;
        const size_t end = words - w < PM_WORD_BITS ? words : w + PM_WORD_BITS;
        for (; w < end; w++, text += PM_WORD_BITS) {
            HWY_UNROLL(4)
            for (size_t v = 0; v < kVectors; v++) {
                V buckets = hn::Set(kBytes, 0xff);
                HWY_UNROLL(3)
                for (unsigned p = 0; p < kLength; p++) {
                    const V bytes = hn::LoadU(kBytes, text + v * kLanes + p);
                    const V by_low = hn::TableLookupBytes(low[p], hn::And(bytes, half));
                    const V by_high = hn::TableLookupBytes(high[p], hn::ShiftRight<4>(bytes));
                    buckets = hn::And(buckets, hn::And(by_low, by_high));
                }
                StorePart(hn::Ne(buckets, hn::Zero(kBytes)), v, masks + w);
            }
            words_with |= uint64_t{masks[w] != 0} << w % PM_WORD_BITS;
            count += pm_bits_count(masks[w]);
        }
        *any = words_with;
    }
    return count;
}

size_t Candidates(const pm_dict_prefixes *prefixes, const unsigned char *text, size_t words, uint64_t *masks,
                  uint64_t *any) {
    switch (prefixes->length) {
    case 1:
        return CandidatesOf<1>(*prefixes, text, words, masks, any);
    case 2:
        return CandidatesOf<2>(*prefixes, text, words, masks, any);
    default:
        return CandidatesOf<3>(*prefixes, text, words, masks, any);
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

    HWY_INLINE Gatherer(const pm_search &search, size_t first, size_t length, pm_event *events)
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
        for (size_t i = length_ + pm_gather_reach(&dict_); i > length_; i -= 4)
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

    static HWY_INLINE pm_byte_classes TableOf(const pm_dict &dict) {
        pm_byte_classes table = {};
        __builtin_memcpy(table.of, dict.class_of, sizeof table.of);
        pm_byte_classes_finish(&table);
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
            events_[--end[lane + 1]] = pm_event{lane * static_cast<uint32_t>(length_) + where / uint32_t{kCount},
                                                static_cast<uint32_t>(answer)};
        }
        return count;
    }

    const pm_dict &dict_;
    const int32_t *const rows_;
    const unsigned char *const text_;
    const size_t length_; // of a lane
    pm_event *const events_;
    const pm_byte_classes classes_table_;
    const Classes classes_;
    const States lanes_;  // a vector's lanes' numbers,
    const States starts_; // and where they begin after the first one
};

size_t Gather(const pm_search *search, size_t first, size_t length, pm_event *events) {
    Gatherer gatherer(*search, first, length, events);
    return gatherer.Run();
}

#endif

} // namespace HWY_NAMESPACE
} // namespace pm
HWY_AFTER_NAMESPACE();

#endif

#endif
