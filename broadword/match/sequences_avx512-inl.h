// SPDX-License-Identifier: Apache-2.0
// Many sequences one after another, for AVX-512 with VBMI: each begins with an empty stack, and its results count from
// its start, as they are stored. Blocks without a start are matched as those of one sequence; a block with starts has
// its codes moved by the start before each, a byte at a time.
#if defined(PM_BROADWORD_MATCH_SEQUENCES_AVX512_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PM_BROADWORD_MATCH_SEQUENCES_AVX512_INL_H
#undef PM_BROADWORD_MATCH_SEQUENCES_AVX512_INL_H
#else
#define PM_BROADWORD_MATCH_SEQUENCES_AVX512_INL_H
#endif

#include <string.h>

#include "broadword/match/sequences-inl.h"
#include "broadword/match/window_avx512-inl.h"

#if HWY_TARGET == HWY_AVX3_DL

HWY_BEFORE_NAMESPACE();
namespace pm::HWY_NAMESPACE {

// A window that holds the whole stack of the sequence that it has come to.
class SequencesWindow : private Window {
  public:
    HWY_INLINE SequencesWindow(const pmi_grid &grid, const pmi_far_stack &far, const Starts &starts, void *scratch,
                               size_t size)
        : Window(grid, 0, far, scratch, size), starts_(starts) {}

    // Matches whole blocks.
    template <bool kStreaming> void Match(size_t first, size_t last) {
        const Constants constants;
        Ring ring;
        uint32_t *out = grid_.match + BlockResults(grid_, first);
        size_t at = 0;
        begin_place_ = 64 * first;
        EnterBatch(first, last, at, ring);
        Summarise<kAhead>(ring, at, constants);
        for (; first < last; first += kBatch, at ^= kBatch) {
            const size_t end = at + HWY_MIN(kBatch, last - first);
            EnterBatch(first + kBatch, last, at ^ kBatch, ring);
            for (size_t i = MatchNarrowRun<kStreaming>(ring, at, end, out); i < end;) {
                i = MatchWideRun<kStreaming>(ring, i, end, out);
                i = MatchNarrowRun<kStreaming>(ring, i, end, out);
            }
            out += 64 * kBatch;
        }
    }

    // Matches elements from ... to - 1 of a block; those before and after them may be anything.
    void MatchPart(size_t block, unsigned from, unsigned to) {
        alignas(64) uint32_t results[64];
        const Constants constants;
        Ring ring;
        begin_place_ = 64 * block;
        Enter(_mm512_maskz_set1_epi64(1, static_cast<int64_t>(BlockBits(grid_, block))), 0, ring);
        Summarise<1>(ring, 0, constants);
        MatchWideRun<false>(ring, 0, 1, results);
        memcpy(grid_.match + (BlockResults(grid_, block) + from), results + from, (to - from) * sizeof *results);
    }

  private:
    // Where a loop over blocks has come to.
    struct Walk {
        uint64_t begin; // the place of the block's first element
        Starts starts;
        uint32_t *top;
        __m512i inner_base; // codes of inner elements plus this count from the start of their sequence

        // Does a sequence begin in the block, or in one of `ahead` blocks after it?
        HWY_INLINE bool IsCut(uint64_t ahead) const {
            return starts.next() - begin < 64 * (ahead + 1);
        }
        HWY_INLINE void GoOn(const Constants &constants) {
            begin += 64;
            inner_base = _mm512_add_epi32(inner_base, constants.block);
        }
    };

    HWY_INLINE Walk Resume() const {
        return Walk{begin_place_, starts_, top_, _mm512_set1_epi32(inner_base_)};
    }
    HWY_INLINE void Leave(const Walk &walk) {
        begin_place_ = walk.begin;
        starts_ = walk.starts;
        top_ = walk.top;
        inner_base_ = _mm512_cvtsi512_si32(walk.inner_base);
    }

    // Matches blocks i, i + 1, ... of the batch up to `end` or the first that is neither narrow nor cut, and returns
    // which that is. `out` is of the batch.
    template <bool kStreaming> HWY_NOINLINE size_t MatchNarrowRun(Ring &ring, size_t i, size_t end, uint32_t *out) {
        const Constants constants;
        Walk walk = Resume();
        out += 64 * (i % kBatch);
        for (; i < end; i++, out += 64) {
            const Summary &summary = ring.summary[i];
            if (walk.IsCut(0)) {
                MatchCut<kStreaming>(ring, i, walk, out, constants);
            } else {
                const size_t open = static_cast<size_t>(CountSurvivors(summary.state));
                const size_t close = open - static_cast<size_t>(ring.excess[i]);
                if (HWY_UNLIKELY(open > kNarrowOpens || close > kNarrowCloses))
                    break;
                walk.top =
                    MatchNarrow<kStreaming>(summary, open, close, walk.inner_base, walk.top, out, records_, constants);
            }
            Summarise<1>(ring, (i + kAhead) % Ring::kBlocks, constants);
            walk.GoOn(constants);
        }
        Leave(walk);
        return i;
    }

    // The same for blocks of any kind, up to where several narrow ones follow one another.
    template <bool kStreaming> HWY_NOINLINE size_t MatchWideRun(Ring &ring, size_t i, size_t end, uint32_t *out) {
        const Constants constants;
        Walk walk = Resume();
        out += 64 * (i % kBatch);
        alignas(64) uint64_t survivors[Ring::kBlocks]; // of this batch
        for (size_t at = i / kBatch * kBatch, k = 0; k < kBatch; k += 8)
            _mm512_store_si512(survivors + at + k, SurvivorsOf(Row(ring.bits + at + k)));
        int narrow_left = 4;
        for (; i < end; i++, out += 64) {
            if (walk.IsCut(0)) {
                MatchCut<kStreaming>(ring, i, walk, out, constants);
            } else if (ring.bits[i] == 0) {
                walk.top = MatchCloses<kStreaming>(walk.top, out, records_);
            } else if (ring.bits[i] == UINT64_MAX) {
                walk.top = MatchOpens<kStreaming>(walk.inner_base, walk.top, out);
            } else {
                const int open = static_cast<int>(pmi_bits_count(survivors[i]));
                const int close = open - static_cast<int>(ring.excess[i]);
                narrow_left = close <= kNarrowCloses && open <= kFewOpens ? narrow_left - 1 : 4;
                if (narrow_left == 0)
                    break;
                walk.top =
                    MatchWide<kStreaming>(ring, i, survivors[i], walk.inner_base, walk.top, out, records_, constants);
            }
            if (walk.IsCut(kAhead)) {
                Summarise<1>(ring, (i + kAhead) % Ring::kBlocks, constants);
            } else {
                SummariseUnlessUniform(ring, (i + kAhead) % Ring::kBlocks, constants);
            }
            walk.GoOn(constants);
        }
        Leave(walk);
        return i;
    }

    // The survivors of one block alone.
    static HWY_INLINE uint64_t SurvivorsOfBlock(const Ring &ring, size_t i) {
        const __m512i word = _mm512_set1_epi64(static_cast<int64_t>(ring.bits[i]));
        return static_cast<uint64_t>(_mm_cvtsi128_si64(_mm512_castsi512_si128(SurvivorsOf(word))));
    }

    // A block that sequences begin in. What matches before the last start up to it matches nothing.
    template <bool kStreaming>
    HWY_INLINE void MatchCut(Ring &ring, size_t i, Walk &walk, uint32_t *out, const Constants &constants) {
        const uint64_t before = walk.starts.next() - walk.begin;
        uint64_t start, next = before;
        __m512i codes = _mm512_setzero_si512(); // the inner code of the start that each element counts from
        do {
            start = next;
            codes = _mm512_mask_set1_epi8(codes, UINT64_MAX << start, static_cast<char>(Avx512Tables::kInner + start));
            walk.starts.Advance();
            next = walk.starts.next() - walk.begin;
        } while (next < 64);

        if (HWY_UNLIKELY(ring.bits[i] + 1 <= 1)) {
            EmitUniform<kStreaming>(ring.bits[i] != 0, codes, before, walk, out);
            walk.top = bottom_;
            if (next > 64) {
                walk.inner_base = _mm512_set1_epi32(-(Avx512Tables::kInner + static_cast<int>(start)));
                if (ring.bits[i] != 0)
                    PushOnEmpty<4>(Row(kAvx512.opens), 0, 64 - start, walk, constants);
            }
            return;
        }
        const __m512i started = StartedResults(ring.summary[i], codes);
        if (before == 0) {
            EmitStarted<kStreaming>(started, out);
        } else if (HWY_UNLIKELY(before > 32 &&
                                CountSurvivors(ring.summary[i].state) - ring.excess[i] > kNarrowCloses)) {
            EmitCutFar<kStreaming>(ring, i, started, before, _mm512_cvtsi512_si32(walk.inner_base), walk.top, out);
        } else {
            EmitCut<kStreaming, false>(ring.summary[i], started, before, walk.inner_base, walk.top, out);
        }
        walk.top = bottom_;
        if (next > 64) { // else nobody asks for the survivors
            walk.inner_base = _mm512_set1_epi32(-(Avx512Tables::kInner + static_cast<int>(start)));
            PushStarted(ring, i, start, walk, constants);
        }
    }

    // Results of a block of opens or closes alone that sequences begin in, as EmitCut() stores them. Closes from the
    // first start on match nothing.
    template <bool kStreaming>
    static HWY_INLINE void EmitUniform(bool opens, __m512i codes, uint64_t before, const Walk &walk, uint32_t *out) {
        const Pair stack = Top(walk.top), deeper = Top(walk.top + 32);
        const __m512i rows[4] = {stack.first, stack.second, deeper.first, deeper.second};
        const __m512i iota = Row(kAvx512.rotate[0]), none = _mm512_set1_epi32(-1);
        const __m512i parent =
            _mm512_add_epi32(walk.inner_base, _mm512_add_epi32(iota, _mm512_set1_epi32(Avx512Tables::kInner - 1)));
        alignas(64) uint8_t starts[64];
        _mm512_store_si512(starts, codes);
        HWY_UNROLL(4)
        for (int g = 0; g < 4; g++) {
            const __mmask16 is_started = static_cast<__mmask16>(UINT64_MAX << before >> 16 * g);
            __m512i results = rows[g], started = none;
            if (opens) {
                const __m128i bytes = _mm_load_si128(reinterpret_cast<const __m128i *>(starts + 16 * g));
                const __m512i start = _mm512_cvtepu8_epi32(bytes);
                results = _mm512_add_epi32(parent, _mm512_set1_epi32(16 * g));
                results = g == 0 ? _mm512_mask_mov_epi32(results, 1, stack.first) : results;
                started = _mm512_sub_epi32(_mm512_add_epi32(iota, _mm512_set1_epi32(16 * g + Avx512Tables::kInner - 1)),
                                           start);
            }
            Store<kStreaming>(out + 16 * g, _mm512_mask_mov_epi32(results, is_started, started));
        }
    }

    // Puts the survivors from the start on onto the empty stack.
    HWY_INLINE void PushStarted(const Ring &ring, size_t i, uint64_t start, Walk &walk, const Constants &constants) {
        const State state = ring.summary[i].state;
        const __m512i least = _mm512_set1_epi8(static_cast<char>(Avx512Tables::kInner + start));
        const __mmask64 survives = _mm512_cmpge_epu8_mask(state, least) & UINT64_MAX << Avx512Tables::kStack;
        const size_t open = pmi_bits_count(survives);
        if (HWY_LIKELY(open <= 32)) {
            PushOnEmpty<2>(state, Avx512Tables::kStack, open, walk, constants);
        } else { // the state may have lost some
            // The highest bits are the lowest elements.
            const uint64_t survivors = SurvivorsOfBlock(ring, i) & UINT64_MAX >> start;
            PushOnEmpty<4>(_mm512_maskz_compress_epi8(survivors, Row(kAvx512.opens)), 0, pmi_bits_count(survivors),
                           walk, constants);
        }
    }

    // Puts `open` <= 16 kRows of the codes onto the empty stack, of which that in lane `first` becomes the top. The
    // rows that are stored do not depend on `open`: so loads soon after it need not wait until it is known.
    template <int kRows>
    HWY_INLINE void PushOnEmpty(__m512i codes, int first, size_t open, Walk &walk, const Constants &constants) const {
        __m512i lane =
            _mm512_add_epi32(Row(kAvx512.rotate[0]), _mm512_set1_epi32(first + static_cast<int>(open) - 16 * kRows));
        HWY_UNROLL(4)
        for (int row = 0; row < kRows; row++) {
            const __m512i code = _mm512_maskz_permutexvar_epi8(constants.low_bytes, lane, codes);
            _mm512_store_si512(bottom_ - 16 * (kRows - row), _mm512_add_epi32(code, walk.inner_base));
            lane = _mm512_add_epi32(lane, constants.sixteen);
        }
        walk.top = bottom_ - open;
    }

    // The results, as bytes, of elements that count from a start in their block.
    static HWY_INLINE __m512i StartedResults(const Summary &summary, __m512i starts) {
        const __m512i code = Row(summary.code);
        return _mm512_mask_sub_epi8(_mm512_set1_epi8(-1), _mm512_cmpge_epu8_mask(code, starts), code, starts);
    }

    template <bool kStreaming> static HWY_INLINE void EmitStarted(__m512i results_started, uint32_t *out) {
        alignas(64) uint8_t started[64];
        _mm512_store_si512(started, results_started);
        HWY_UNROLL(4)
        for (int g = 0; g < 4; g++)
            Store<kStreaming>(out + 16 * g,
                              _mm512_cvtepi8_epi32(_mm_load_si128(reinterpret_cast<__m128i *>(started + 16 * g))));
    }

    // Results of a block that sequences begin in, the first of them at `before`. Are codes past the first 32 looked up?
    template <bool kStreaming, bool kWide>
    static HWY_INLINE void EmitCut(const Summary &summary, __m512i results_started, uint64_t before, __m512i inner_base,
                                   const uint32_t *top, uint32_t *out) {
        alignas(64) uint8_t started[64];
        _mm512_store_si512(started, results_started);
        const Pair stack = Top(top), deeper = kWide ? Top(top + 32) : stack;
        HWY_UNROLL(4)
        for (int g = 0; g < 4; g++) {
            const __m128i codes = _mm_load_si128(reinterpret_cast<const __m128i *>(summary.code + 16 * g));
            const __m512i code = _mm512_cvtepu8_epi32(codes);
            __m512i results = _mm512_permutex2var_epi32(stack.first, code, stack.second);
            if (kWide) {
                const __mmask16 deep = _mm512_test_epi32_mask(code, _mm512_set1_epi32(32));
                results =
                    _mm512_mask_mov_epi32(results, deep, _mm512_permutex2var_epi32(deeper.first, code, deeper.second));
            }
            results = _mm512_mask_add_epi32(results, _mm_movepi8_mask(codes), code, inner_base);
            const __mmask16 is_started = static_cast<__mmask16>(UINT64_MAX << before >> 16 * g);
            const __m128i bytes = _mm_load_si128(reinterpret_cast<const __m128i *>(started + 16 * g));
            Store<kStreaming>(out + 16 * g, _mm512_mask_cvtepi8_epi32(results, is_started, bytes));
        }
    }

    // The same where codes past the first 32 are looked up. Only the last 16 elements may miss some.
    template <bool kStreaming>
    HWY_NOINLINE static void EmitCutFar(Ring &ring, size_t i, const __m512i &started, uint64_t before, int inner_base,
                                        const uint32_t *top, uint32_t *out) {
        if (before > 48) {
            const Constants constants;
            const State state = ring.summary[i].state;
            Extend(ring, i, constants);
            ring.summary[i].state = state; // for the survivors
        }
        EmitCut<kStreaming, true>(ring.summary[i], started, before, _mm512_set1_epi32(inner_base), top, out);
    }

    // A walk between two loops.
    uint64_t begin_place_ = 0;
    Starts starts_;
    int inner_base_ = -Avx512Tables::kInner;
};

void MatchSequences(const uint64_t *parens, const pmi_sequences *sequences, bool past_caches, void *scratch,
                    size_t scratch_size, uint32_t *match) {
    MatchSequencesIn<SequencesWindow>(parens, *sequences, past_caches, scratch, scratch_size, match);
}

} // namespace pm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif // HWY_TARGET

#endif
