// SPDX-License-Identifier: Apache-2.0
// Searches inside a block word by word, and in the lines and rows of the index, for any 64-bit machine.
#ifndef PM_BROADWORD_BP_BLOCK_WORDS_H
#define PM_BROADWORD_BP_BLOCK_WORDS_H

#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include <type_traits>

#include "base/bp_index.h"
#include "broadword/bp/tables.h"
#include "broadword/word.h"
#include "hwy/base.h"

namespace pm {

// How a search reports that it has found nothing: by a branch that the processor guesses, so that what comes next waits
// for nothing, which suits a query by itself; or by its value alone, where all queries of a batch have come so far and
// many a guess would be wrong; or not at all, where it is known that there is something.
enum class BpExit {
    kGuessed,
    kValue,
    kNever
};

// What each function answers stands in block_avx512-inl.h.
class WordBlock {
  public:
    using Number = int64_t;
    static inline Number AnyNumber() {
        return 0;
    }
    static inline uint64_t Done(uint64_t answer) {
        return answer;
    }
    static inline Number Sum(Number number, int64_t more) {
        return number + more;
    }
    static inline Number RelativeTo(Number number, int32_t other, int32_t min) {
        return number - other > min ? number - other : min;
    }
    static inline int64_t ValueOf(Number number) {
        return number;
    }

    // That there has been a search in the word is worth knowing.
    static constexpr bool kByWords = true;

    using Rise = int;
    static inline Number Less(int64_t excess, Rise rise) {
        return excess - rise;
    }
    static inline Number More(int64_t excess, Rise rise) {
        return excess + rise;
    }

    template <BpExit = BpExit::kGuessed>
    static inline unsigned First(const uint64_t *words, unsigned from, int fall, Rise *rise) {
        *rise = 0;
        const unsigned shift = from % PM_WORD_BITS;
        unsigned w = from / PM_WORD_BITS;
        uint64_t word = ~(~words[w] >> shift); // opens come in behind its end
        int left = fall;
        for (int missing = static_cast<int>(shift);; missing = 0) {
            const int excess = Excess(word);
            if (2 * left <= static_cast<int>(PM_WORD_BITS) - excess) { // there are enough closes
                const unsigned found = FirstOf(word, left);
                if (found < PM_WORD_BITS)
                    return w * PM_WORD_BITS + found + static_cast<unsigned>(missing);
            }
            left += excess - missing;
            if (++w == PM_BP_BLOCK_WORDS)
                break;
            word = words[w];
        }
        *rise = left - fall;
        return PM_BP_BLOCK;
    }

    // First(), where the word that has `from` is known not to have the element behind it: it is only counted, but for
    // one that begins at `from`. So it is where a search has failed in a word before.
    static inline unsigned FirstBehindWord(const uint64_t *words, unsigned from, int fall, Rise *rise) {
        const unsigned shift = from % PM_WORD_BITS;
        unsigned w = from / PM_WORD_BITS;
        int left = fall;
        if (shift != 0)
            left += 2 * static_cast<int>(OpensOfWord(words[w++] >> shift)) - static_cast<int>(PM_WORD_BITS - shift);
        for (; w < PM_BP_BLOCK_WORDS; w++) {
            const int excess = Excess(words[w]);
            if (2 * left <= static_cast<int>(PM_WORD_BITS) - excess) { // there are enough closes
                const unsigned found = FirstOf(words[w], left);
                if (found < PM_WORD_BITS)
                    return w * PM_WORD_BITS + found;
            }
            left += excess;
        }
        *rise = left - fall;
        return PM_BP_BLOCK;
    }

    static inline unsigned FirstOfAll(const uint64_t *words, int fall, int) {
        Rise rise;
        return FirstBehindWord(words, 0, fall, &rise);
    }

    template <BpExit = BpExit::kGuessed>
    static inline unsigned Last(const uint64_t *words, unsigned to, int fall, Rise *rise) {
        *rise = 0;
        if (to == 0)
            return PM_BP_BLOCK;
        unsigned w = (to - 1) / PM_WORD_BITS;
        const unsigned shift = PM_WORD_BITS - 1 - (to - 1) % PM_WORD_BITS;
        uint64_t word =
            words[w] << shift; // closes come in below it, before which the excess is higher than at its begin
        int left = fall;
        for (int missing = static_cast<int>(shift);; missing = 0) {
            const int excess = Excess(word);
            if (2 * left <= static_cast<int>(PM_WORD_BITS) + excess) { // there are enough opens
                const unsigned found = LastOf(word, left);
                if (found < PM_WORD_BITS)
                    return w * PM_WORD_BITS + found - static_cast<unsigned>(missing);
            }
            left -= excess + missing;
            if (w-- == 0)
                break;
            word = words[w];
        }
        *rise = fall - left;
        return PM_BP_BLOCK;
    }

    // Last(), where the word that has `to` is known not to have the element before it, nor need a word that ends there.
    static inline unsigned LastBehindWord(const uint64_t *words, unsigned to, int fall, Rise *rise) {
        const unsigned shift = to % PM_WORD_BITS;
        unsigned w = to / PM_WORD_BITS;
        int left = fall;
        if (shift != 0)
            left -= 2 * static_cast<int>(OpensOfWord(words[w] << (PM_WORD_BITS - shift))) - static_cast<int>(shift);
        while (w-- > 0) {
            const int excess = Excess(words[w]);
            if (2 * left <= static_cast<int>(PM_WORD_BITS) + excess) { // there are enough opens
                const unsigned found = LastOf(words[w], left);
                if (found < PM_WORD_BITS)
                    return w * PM_WORD_BITS + found;
            }
            left -= excess;
        }
        *rise = fall - left;
        return PM_BP_BLOCK;
    }

    static inline unsigned LastOfAll(const uint64_t *words, int fall) {
        Rise rise;
        return LastBehindWord(words, PM_BP_BLOCK, fall, &rise);
    }

    // Most partners are so near that a table for bytes has them, which takes less than a word does.
    template <BpExit kExit = BpExit::kGuessed> static inline unsigned ToClose(uint64_t word, unsigned open) {
        const unsigned in_byte = kBp.first[word >> (open + 1) & 255][1];
        if (kExit == BpExit::kGuessed && in_byte < 8)
            return in_byte;
        return Distance<kExit>(pmi_broadword_far_closes(~(~word >> (open + 1)), 0));
    }

    template <BpExit kExit = BpExit::kGuessed> static inline unsigned ToOpen(uint64_t word, unsigned missing) {
        const unsigned in_byte = kBp.last[word << missing >> 56][1];
        if (kExit == BpExit::kGuessed && in_byte < 8)
            return 7 - in_byte;
        return Distance<kExit>(pmi_broadword_far_opens(word << missing, 0));
    }

    static inline pm_bp_view_count CountOpens(const pm_bp_view &view, bool wide, const uint64_t *words, uint64_t at,
                                              uint64_t i) {
        const uint64_t *const half = words + at / kHalf * (PM_BP_BLOCK_WORDS / 2);
        return pm_bp_view_from_nearer(&view, wide, i, OpensToNearer(half, i));
    }

    static inline unsigned Select(const uint64_t *words, unsigned k) {
        unsigned word = 0, before = 0, sum = 0;
        for (unsigned w = 0; w < PM_BP_BLOCK_WORDS - 1; w++) {
            sum += OpensOfWord(words[w]);
            word += sum <= k;
            before = sum <= k ? sum : before;
        }
        return word * PM_WORD_BITS + SelectInWord(words[word], k - before);
    }

    static inline unsigned BlocksWithin(const pm_bp_line *line, int twice) {
        // In 16 bits each, of which compilers make vectors.
        int16_t within = 0;
        for (unsigned b = 0; b < PM_BP_LINE_BLOCKS; b++) {
            const int16_t doubled = static_cast<int16_t>(line->end[b] + kBp.elements_to[b]);
            within = static_cast<int16_t>(within + (doubled <= static_cast<int16_t>(twice)));
        }
        return static_cast<unsigned>(within);
    }

    static inline uint32_t AtMost(const int16_t *excesses, int64_t excess) {
        return Reached<PM_BP_LINE_BLOCKS>(excesses, static_cast<int16_t>(excess));
    }
    template <class Excess> static inline uint32_t AtMost(const Excess *excesses, int64_t excess) {
        return Reached<PM_BP_FAN_OUT>(excesses, static_cast<Excess>(excess));
    }

    static inline int Summarise(const uint64_t *words, int *min) {
        int excess = 0;
        *min = 0;
        for (unsigned w = 0; w < PM_BP_BLOCK_WORDS; w++)
            for (unsigned shift = 0; shift < PM_WORD_BITS; shift += 8) {
                const unsigned byte = words[w] >> shift & 255;
                const int of_seven = excess + kBp.min_after[byte & 127];
                excess += kBp.after[byte];
                const int of_byte = of_seven < excess ? of_seven : excess;
                *min = of_byte < *min ? of_byte : *min;
            }
        return excess;
    }

    static inline int Min(const uint64_t *words, unsigned from, unsigned to) {
        uint64_t elements[PM_BP_BLOCK_WORDS], behind[PM_BP_BLOCK_WORDS], last[PM_BP_BLOCK_WORDS];
        FromBit(from, behind);
        FromBit(to, last);
        for (unsigned w = 0; w < PM_BP_BLOCK_WORDS; w++)
            elements[w] = (words[w] & behind[w]) | last[w];
        int min;
        Summarise(elements, &min);
        return min + static_cast<int>(from);
    }

    // How many of elements `from` ... `to` have the excess `wanted` before them, which is the minimum there; relative
    // to the block's beginning.
    static inline unsigned Count(const uint64_t *words, unsigned from, unsigned to, int wanted) {
        unsigned count = 0;
        int excess = 0;
        for (unsigned i = 0; i <= to; i += 8) {
            const unsigned byte = words[i / PM_WORD_BITS] >> i % PM_WORD_BITS & 255;
            if (i >= from && i + 7 <= to)
                count += excess + kBp.min_before[byte & 127] == wanted ? kBp.count_before[byte & 127] : 0u;
            else if (i + 7 >= from)
                for (unsigned k = 0, at = static_cast<unsigned>(excess - wanted); k < 8;
                     at += byte >> k++ & 1 ? 1 : -1u)
                    count += at == 0 && i + k >= from && i + k <= to;
            excess += kBp.after[byte];
        }
        return count;
    }

    // The k-th, from 1, element at or after `from` before which a block has the excess, relative to its beginning.
    static inline unsigned Kth(const uint64_t *words, unsigned from, int wanted, unsigned k) {
        int excess = 0;
        for (unsigned i = 0; i < PM_BP_BLOCK; i++) {
            k -= i >= from && excess == wanted;
            if (k == 0)
                return i;
            excess += pmi_bits_get(words, i) ? 1 : -1;
        }
        return 0;
    }

  protected:
    static constexpr uint64_t kHalf = PM_BP_BLOCK / 2;

    // The same in a word, for any fall.
    static inline unsigned FirstOf(uint64_t word, int fall) {
        if (fall > static_cast<int>(PM_WORD_BITS))
            return PM_WORD_BITS;
        return static_cast<unsigned>(pmi_broadword_find_far_close(word, static_cast<unsigned>(fall - 1)));
    }

    static inline unsigned LastOf(uint64_t word, int fall) {
        if (fall > static_cast<int>(PM_WORD_BITS))
            return PM_WORD_BITS;
        return static_cast<unsigned>(pmi_broadword_find_far_open(word, static_cast<unsigned>(fall - 1)));
    }

    // Vigna, "Broadword implementation of rank/select queries": the byte by comparing all sums with k at once.
    static inline unsigned SelectInWord(uint64_t word, unsigned k) {
        const uint64_t sums = OpensOfBytes(word) * PM_L(8);
        const uint64_t within = ((k % PM_WORD_BITS * PM_L(8) | PM_H(8)) - sums) & PM_H(8);
        const unsigned shift = static_cast<unsigned>((within >> 7) * PM_L(8) >> 56) % 8 * 8;
        return shift + kBp.select[(k - (sums << 8 >> shift)) & 7][word >> shift & 255];
    }

  private:
    // The place of the lowest bit; the branch comes before it.
    template <BpExit kExit> static inline unsigned Distance(uint64_t found) {
        if (kExit == BpExit::kGuessed && HWY_UNLIKELY(found == 0))
            return PM_WORD_BITS;
        return pmi_bits_lowest(found | (kExit == BpExit::kGuessed ? 0 : UINT64_C(1) << 63)) + (found == 0);
    }

    // Which of some excesses are at most that, of which compilers make a few at a time.
    template <unsigned kCount, class Excess> static inline uint32_t Reached(const Excess *excesses, Excess excess) {
        using Bits = typename std::make_unsigned<Excess>::type;
        static constexpr PowersOf2<kCount, Bits> kOf{};
        Bits found = 0;
        for (unsigned i = 0; i < kCount; i++)
            found = static_cast<Bits>(found | (excesses[i] <= excess ? kOf.bit[i] : 0));
        return static_cast<uint32_t>(found);
    }
    template <unsigned kCount, class Bits> struct PowersOf2 {
        alignas(16) Bits bit[kCount];
        constexpr PowersOf2() : bit() {
            for (unsigned i = 0; i < kCount; i++)
                bit[i] = static_cast<Bits>(Bits{1} << i);
        }
    };

    // Ones from bit `from` <= 512 of a block on.
    static inline void FromBit(unsigned from, uint64_t *ones) {
        memcpy(ones, kBp.from_bit[from % 8] + 64 - from / 8, PM_BP_BLOCK_WORDS * sizeof *ones);
    }

    // Two words, of which compilers make a vector where there are some.
    typedef uint64_t Two __attribute__((vector_size(2 * sizeof(uint64_t))));
    static inline Two LoadTwo(const void *at) {
        Two two;
        memcpy(&two, at, sizeof two);
        return two;
    }

    // In half a block, the opens from its element i % kHalf on if it is the upper half, else those before that.
    static inline uint64_t OpensToNearer(const uint64_t *half, uint64_t i) {
        const uint8_t *const from = kBp.from_bit[i % 8] + 64 - i % kHalf / 8;
        const uint64_t before = i / kHalf % 2 - 1;
        Two a = LoadTwo(half) & (LoadTwo(from) ^ before);
        Two b = LoadTwo(half + 2) & (LoadTwo(from + sizeof a) ^ before);
        a -= a >> 1 & PM_MU(0);
        b -= b >> 1 & PM_MU(0);
        a = (a & PM_MU(1)) + (a >> 2 & PM_MU(1)) + (b & PM_MU(1)) + (b >> 2 & PM_MU(1)); // up to 8 in four bits
        a = (a & PM_MU(2)) + (a >> 4 & PM_MU(2));
#ifdef __SSE2__ // which every x86 with 64 bits has
        const Two sums = reinterpret_cast<Two>(_mm_sad_epu8(reinterpret_cast<__m128i>(a), _mm_setzero_si128()));
        return sums[0] + sums[1];
#else
        uint64_t opens = a[0] + a[1];
        opens = (opens & PM_MU(3)) + (opens >> 8 & PM_MU(3)); // as a byte does not hold the 256 that there may be
        return opens * PM_L(16) >> 48;
#endif
    }

    static inline uint64_t OpensOfBytes(uint64_t word) {
        word -= word >> 1 & PM_MU(0);
        word = (word & PM_MU(1)) + (word >> 2 & PM_MU(1));
        return (word + (word >> 4)) & PM_MU(2);
    }

    // Not by an instruction, which this must do without and would call a function for.
    static inline unsigned OpensOfWord(uint64_t word) {
        return static_cast<unsigned>(OpensOfBytes(word) * PM_L(8) >> 56);
    }

    static inline int Excess(uint64_t word) {
        return 2 * static_cast<int>(OpensOfWord(word)) - static_cast<int>(PM_WORD_BITS);
    }
};

} // namespace pm

#endif
