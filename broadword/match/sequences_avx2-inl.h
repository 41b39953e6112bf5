// SPDX-License-Identifier: Apache-2.0
// Many sequences one after another, for AVX2: matched as one, with results that are stored as they count from the start
// of their sequence, or as none if they lie before it. What earlier sequences leave on the stack does no harm.
#if defined(PM_BROADWORD_MATCH_SEQUENCES_AVX2_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PM_BROADWORD_MATCH_SEQUENCES_AVX2_INL_H
#undef PM_BROADWORD_MATCH_SEQUENCES_AVX2_INL_H
#else
#define PM_BROADWORD_MATCH_SEQUENCES_AVX2_INL_H
#endif

#include <string.h>

#include "broadword/match/sequences-inl.h"
#include "broadword/match/window_avx2-inl.h"

#if HWY_TARGET == HWY_AVX2

HWY_BEFORE_NAMESPACE();
namespace pm::HWY_NAMESPACE {

// Moves results so that they count from their starts. Indices have 31 bits, so "none" lies before every start.
struct FromStarts {
    const uint32_t *starts; // of the elements of a block

    HWY_INLINE __m256i operator()(__m256i results, int i) const {
        const __m256i start = Load(starts + i);
        return _mm256_or_si256(_mm256_sub_epi32(results, start), _mm256_cmpgt_epi32(start, results));
    }
};

// A window that holds at least the stack of the sequence that it has come to.
class SequencesWindow : private Window {
  public:
    HWY_INLINE SequencesWindow(const pmi_grid &grid, const pmi_far_stack &far, const Starts &starts, void *scratch,
                               size_t size)
        : Window(grid, 0, far, scratch, size), starts_(starts) {}

    template <bool kStreaming> void Match(size_t first, size_t last) {
        while (first < last) {
            const uint64_t bits = BlockBits(grid_, first);
            if (bits == 0)
                first = MatchCloses<kStreaming>(first, last);
            else if (bits == UINT64_MAX)
                first = MatchOpens<kStreaming>(first, last);
            else
                first = MatchMixed<kStreaming>(first, last);
        }
    }

    void MatchPart(size_t block, unsigned from, unsigned to) {
        alignas(64) uint32_t results[64];
        Summary summary;
        Summarise(BlockBits(grid_, block), summary, kAvx2);
        SequenceStarts starts(*this);
        starts.Enter(block);
        top_ = WithRoom(
            MatchBlock<false>(summary, BlockBase(grid_, block), top_, bottom_, results, kAvx2, starts.Of(block)));
        starts.Leave(*this);
        memcpy(grid_.match + (BlockResults(grid_, block) + from), results + from, (to - from) * sizeof *results);
    }

  private:
    // The starts of the elements of a block and the next, for a loop over blocks: what was just stored in other pieces
    // than it is read in has to be waited for.
    class SequenceStarts {
      public:
        HWY_INLINE explicit SequenceStarts(const SequencesWindow &window)
            : starts_(window.starts_), lead_(window.grid_.lead), start_(window.start_) {}

        // By whole vectors from left to right: what is written too far is written again.
        HWY_INLINE void Enter(size_t block) {
            const uint64_t begin = 64 * block;
            uint32_t *const to = of_elements_[block % 2];
            Starts starts = starts_; // in registers, for vectors cannot be stored there
            uint32_t start = start_;
            uint64_t at = 0, end;
            while ((end = HWY_MIN(starts.next() - begin, 64)) < 64) {
                Fill(to, at, end, start);
                start = static_cast<uint32_t>(begin + end - lead_);
                at = end;
                starts.Advance();
            }
            Fill(to, at, end, start);
            starts_ = starts;
            start_ = start;
        }
        HWY_INLINE FromStarts Of(size_t block) const {
            return FromStarts{of_elements_[block % 2]};
        }
        HWY_INLINE void Leave(SequencesWindow &window) const {
            window.starts_ = starts_;
            window.start_ = start_;
        }

      private:
        static HWY_INLINE void Fill(uint32_t *to, uint64_t at, uint64_t end, uint32_t start) {
            const __m256i starts = _mm256_set1_epi32(static_cast<int>(start));
            for (uint64_t i = at; i < end; i += 8)
                _mm256_storeu_si256(reinterpret_cast<__m256i *>(to + i), starts);
        }

        alignas(64) uint32_t of_elements_[2][64 + 16];
        Starts starts_;
        const uint64_t lead_;
        uint32_t start_; // of the sequence that was come to
    };

    // Forgets the oldest entries of a full window: they belong to other sequences.
    HWY_INLINE uint32_t *WithRoom(uint32_t *top) const {
        if (HWY_LIKELY(top >= highest()))
            return top;
        return static_cast<uint32_t *>(memcpy(bottom_ - PM_SEQUENCE_SHORT, top, PM_SEQUENCE_SHORT * sizeof *top));
    }

    // Each of these matches blocks of its kind, the first of which is, and returns the first of another.
    template <bool kStreaming> HWY_NOINLINE size_t MatchMixed(size_t block, size_t last) {
        const Avx2Tables &tables = HiddenTables();
        SequenceStarts starts(*this);
        uint32_t *const floor = bottom_, *top = top_;
        uint32_t *out = grid_.match + BlockResults(grid_, block);
        uint32_t base = BlockBase(grid_, block);
        Summary summary[2], *now = summary, *next = summary + 1;
        Summarise(BlockBits(grid_, block), *now, tables);
        starts.Enter(block);
        for (bool mixed = true; mixed; block++, out += 64, base += 64) {
            const uint64_t bits = block + 1 < last ? BlockBits(grid_, block + 1) : 0;
            mixed = bits + 1 > 1;
            if (HWY_LIKELY(mixed)) {
                Summarise(bits, *next, tables);
                starts.Enter(block + 1);
            }
            top = WithRoom(MatchBlock<kStreaming>(*now, base, top, floor, out, tables, starts.Of(block)));
            Summary *const free = now;
            now = next, next = free;
        }
        starts.Leave(*this);
        top_ = top;
        return block;
    }

    template <bool kStreaming> HWY_NOINLINE size_t MatchCloses(size_t block, size_t last) {
        SequenceStarts starts(*this);
        uint32_t *top = top_;
        do {
            uint32_t *const out = grid_.match + BlockResults(grid_, block);
            starts.Enter(block);
            for (int i = 0; i < 64; i += 8) {
                const __m256i opens = _mm256_loadu_si256(reinterpret_cast<const __m256i *>(top + i));
                StoreResults<kStreaming>(out + i, starts.Of(block)(opens, i));
            }
            top = HWY_MIN(top + 64, bottom_);
        } while (++block < last && BlockBits(grid_, block) == 0);
        starts.Leave(*this);
        top_ = top;
        return block;
    }

    template <bool kStreaming> HWY_NOINLINE size_t MatchOpens(size_t block, size_t last) {
        const __m256i iota = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7), eight = _mm256_set1_epi32(8);
        SequenceStarts starts(*this);
        uint32_t *top = top_;
        do {
            const int base = static_cast<int>(BlockBase(grid_, block));
            uint32_t *const out = grid_.match + BlockResults(grid_, block);
            __m256i parents = _mm256_add_epi32(iota, _mm256_set1_epi32(base - 1));
            __m256i line = _mm256_blend_epi32(parents, _mm256_set1_epi32(static_cast<int>(*top)), 1);
            __m256i entries = _mm256_sub_epi32(_mm256_set1_epi32(base + 7), iota);
            starts.Enter(block);
            for (int i = 0; i < 64; i += 8) {
                StoreResults<kStreaming>(out + i, starts.Of(block)(line, i));
                line = parents = _mm256_add_epi32(parents, eight);
                _mm256_storeu_si256(reinterpret_cast<__m256i *>(top - 8 - i), entries);
                entries = _mm256_add_epi32(entries, eight);
            }
            top = WithRoom(top - 64);
        } while (++block < last && BlockBits(grid_, block) == UINT64_MAX);
        starts.Leave(*this);
        top_ = top;
        return block;
    }

    Starts starts_;
    uint32_t start_ = 0; // of the sequence that was come to
};

// Elements that are matched together: their indices have 31 bits.
constexpr uint64_t kIndexed = uint64_t{1} << 30;

void MatchSequences(const uint64_t *parens, const pmi_sequences *sequences, bool past_caches, void *scratch,
                    size_t scratch_size, uint32_t *match) {
    const uint64_t *const offsets = sequences->offsets;
    for (size_t first = 0, end; first < sequences->count; first = end) {
        end = sequences->count;
        while (HWY_UNLIKELY(offsets[end] - offsets[first] > kIndexed))
            end = first + (end - first) / 2;
        if (offsets[end] > offsets[first])
            MatchSequencesIn<SequencesWindow>(parens, pmi_sequences{offsets + first, end - first, nullptr}, past_caches,
                                              scratch, scratch_size, match);
    }
}

} // namespace pm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif // HWY_TARGET

#endif
