// SPDX-License-Identifier: Apache-2.0
// The brackets outside quotations, from the bytes of a text to a row of roles in one pass, a few words at a time.
// Compiled for each instruction set by who includes it.
#if defined(PM_BROADWORD_TEXT_UNQUOTED_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PM_BROADWORD_TEXT_UNQUOTED_INL_H
#undef PM_BROADWORD_TEXT_UNQUOTED_INL_H
#else
#define PM_BROADWORD_TEXT_UNQUOTED_INL_H
#endif

#include "broadword/text/bracket_pairs-inl.h"

#if HWY_TARGET == HWY_AVX3_DL || HWY_TARGET == HWY_AVX2

HWY_BEFORE_NAMESPACE();
namespace pm::HWY_NAMESPACE {

// Which bytes of a word of text are a byte.
HWY_INLINE uint64_t BytesThatAre(V byte, const unsigned char *text) {
    uint64_t mask = 0;
    HWY_UNROLL(4)
    for (size_t v = 0; v < kVectors; v++)
        StorePart(hn::Eq(hn::LoadU(kBytes, text + v * kLanes), byte), v, &mask);
    return mask;
}

// What the bytes of a word of text are.
struct WordMasks {
    uint64_t brackets, quotes, backslashes, newlines;
};

#if HWY_TARGET == HWY_AVX3_DL

// Masks go to general registers at once: compilers would compute with them where that takes three times as long.
HWY_INLINE uint64_t General(uint64_t mask) {
    __asm__("" : "+r"(mask));
    return mask;
}

// The classes of a word of text.
class WordClasses {
  public:
    template <bool kSimple> static HWY_INLINE WordClasses Of(const Classes &classes, const unsigned char *text) {
        V found[kVectors];
        classes.LookUp<kSimple>(text, found);
        return WordClasses(found[0].raw);
    }

    HWY_INLINE uint64_t Test(int bits) const {
        return General(_mm512_test_epi8_mask(of_, _mm512_set1_epi8(static_cast<char>(bits))));
    }

    HWY_INLINE explicit WordClasses(__m512i of) : of_(of) {}

    __m512i of() const {
        return of_;
    }

  private:
    __m512i of_;
};

// The roles of a word's brackets, among what other bytes are.
struct WordRoles {
    __m512i classes;

    template <bool kManyKinds, bool kRecords>
    HWY_INLINE WordMasks Set(const WordClasses &of, const unsigned char *text, uint64_t /*ends*/) {
        classes = of.of();
        return {of.Test(PM_UNQUOTED_BRACKET), of.Test(PM_UNQUOTED_QUOTE), of.Test(PM_UNQUOTED_BACKSLASH),
                BytesThatAre(hn::Set(kBytes, '\n'), text)};
    }
};

// Puts roles in a row, as bytes.
template <bool kManyKinds, bool kRecords> class Packer {
  public:
    HWY_INLINE explicit Packer(unsigned char *packed) : packed_(packed), count_(0) {}

    HWY_INLINE void Add(const WordRoles &word, uint64_t brackets) {
        _mm512_storeu_si512(packed_ + count_, _mm512_maskz_compress_epi8(brackets, word.classes));
        count_ += pmi_bits_count(brackets);
    }

    HWY_INLINE size_t count() const {
        return count_;
    }
    HWY_INLINE void End() const {}

  private:
    unsigned char *const packed_;
    size_t count_;
};

HWY_INLINE void Unpack(const unsigned char *packed, size_t count, uint64_t *opens, uint8_t *kinds) {
    for (size_t first = 0; first < count; first += PM_WORD_BITS) {
        const __m512i roles = _mm512_loadu_si512(packed + first);
        opens[first / PM_WORD_BITS] = _mm512_test_epi8_mask(roles, _mm512_set1_epi8(PM_ROLE_OPEN));
        _mm512_storeu_si512(kinds + first, _mm512_and_si512(_mm512_srli_epi16(roles, 2), _mm512_set1_epi8(3)));
    }
}

#else

class WordClasses {
  public:
    template <bool kSimple> static HWY_INLINE WordClasses Of(const Classes &classes, const unsigned char *text) {
        V found[kVectors];
        classes.LookUp<kSimple>(text, found);
        return WordClasses(found[0].raw, found[1].raw);
    }

    // One bit.
    HWY_INLINE uint64_t Test(unsigned bit) const {
        return PlaneOf(low_, high_, static_cast<int>(pmi_bits_lowest(bit)));
    }

    // Any of some bits but the highest.
    HWY_INLINE uint64_t TestAny(unsigned bits) const {
        const __m256i any = _mm256_set1_epi8(static_cast<char>(bits)), none = _mm256_setzero_si256();
        return PlaneOf(_mm256_cmpgt_epi8(_mm256_and_si256(low_, any), none),
                       _mm256_cmpgt_epi8(_mm256_and_si256(high_, any), none), 7);
    }

  private:
    HWY_INLINE WordClasses(__m256i low, __m256i high) : low_(low), high_(high) {}
    __m256i low_, high_;
};

// The planes have the roles of brackets, and where no bracket is, anything: so three planes are enough to distinguish
// all that bytes may be. Getting a plane from vectors takes longest.
struct WordRoles {
    PackedPlanes planes;

    template <bool kManyKinds, bool kRecords>
    HWY_INLINE WordMasks Set(const WordClasses &of, const unsigned char * /*text*/, uint64_t ends) {
        const uint64_t brackets = of.Test(PM_UNQUOTED_BRACKET);
        const uint64_t first = of.TestAny(PM_ROLE_OPEN | PM_UNQUOTED_QUOTE | PM_UNQUOTED_NEWLINE);
        const uint64_t second = of.TestAny(PM_ROLE(0, 1) | PM_UNQUOTED_BACKSLASH | PM_UNQUOTED_NEWLINE);
        planes.opens = first;
        planes.kinds[0] = second;
        if (kManyKinds)
            planes.kinds[1] = of.Test(PM_ROLE(0, 2));
        if (kRecords) {
            planes.opens &= ~ends;
            planes.kinds[0] &= ~ends;
            planes.ends = ends;
        }
        return {brackets, first & ~(second | brackets), second & ~(first | brackets), first & second & ~brackets};
    }
};

// Puts roles in a row, as planes of bits.
template <bool kManyKinds, bool kRecords> class Packer {
  public:
    HWY_INLINE explicit Packer(unsigned char *packed)
        : packed_(packed), count_(0), last_{0, {0, 0}, 0}, pext_is_slow_(PextIsSlow()) {}

    HWY_INLINE void Add(const WordRoles &word, uint64_t brackets) {
        const unsigned held = count_ % PM_WORD_BITS, more = pmi_bits_count(brackets);
        const uint64_t opens = Together(word.planes.opens, brackets);
        const uint64_t kind0 = Together(word.planes.kinds[0], brackets);
        const uint64_t kind1 = kManyKinds ? Together(word.planes.kinds[1], brackets) : 0;
        const uint64_t ends = kRecords ? Together(word.planes.ends, brackets) : 0;
        last_.opens |= opens << held;
        last_.kinds[0] |= kind0 << held;
        last_.kinds[1] |= kind1 << held;
        last_.ends |= ends << held;
        count_ += more;
        if (HWY_UNLIKELY(held + more >= PM_WORD_BITS)) {
            End();
            packed_ += sizeof last_;
            const unsigned taken = PM_WORD_BITS - 1 - held;
            last_.opens = opens >> 1 >> taken;
            last_.kinds[0] = kind0 >> 1 >> taken;
            last_.kinds[1] = kind1 >> 1 >> taken;
            last_.ends = ends >> 1 >> taken;
        }
    }

    HWY_INLINE size_t count() const {
        return count_;
    }
    // Member by member: for one address of all, they would be kept in memory.
    HWY_INLINE void End() const {
        const uint64_t planes[] = {last_.opens, last_.kinds[0], last_.kinds[1], last_.ends};
        for (size_t k = 0; k < sizeof planes / sizeof *planes; k++)
            memcpy(packed_ + k * sizeof *planes, &planes[k], sizeof *planes);
    }

  private:
    HWY_INLINE uint64_t Together(uint64_t bits, uint64_t where) const {
        return HWY_UNLIKELY(pext_is_slow_) ? MoveTogether(bits, where) : _pext_u64(bits, where);
    }

    unsigned char *packed_;
    size_t count_;
    PackedPlanes last_;
    const bool pext_is_slow_;
};

HWY_INLINE void Unpack(const unsigned char *packed, size_t count, uint64_t *opens, uint8_t *kinds) {
    for (size_t first = 0; first < count; first += PM_WORD_BITS, packed += sizeof(PackedPlanes)) {
        PackedPlanes planes;
        memcpy(&planes, packed, sizeof planes);
        opens[first / PM_WORD_BITS] = planes.opens;
        for (unsigned half = 0; half < 2; half++) {
            __m256i of[2]; // all ones where the kind has that bit
            for (unsigned k = 0; k < 2; k++)
                of[k] = BytesOfBits(static_cast<uint32_t>(planes.kinds[k] >> 32 * half));
            const __m256i kind =
                _mm256_sub_epi8(_mm256_setzero_si256(), _mm256_add_epi8(of[0], _mm256_add_epi8(of[1], of[1])));
            _mm256_storeu_si256(reinterpret_cast<__m256i *>(kinds + first + 32 * half), kind);
        }
    }
}

#endif

constexpr size_t kPackedStep =
    PM_UNQUOTED_ROOM / PM_WORD_BITS; // words between one pass over them and the next, whose masks stay in the L1 cache

// Where a text is, between one word and the next: all ones in a quotation; 1 behind a backslash that protects.
struct QuotationWords {
    uint64_t inside, escaped;

    // Goes to the next word. Returns what is quoted, given that no backslash stands outside.
    HWY_INLINE uint64_t Next(uint64_t quotes, uint64_t backslashes) {
        const pmi_quotation behind = {true, escaped != 0};
        const uint64_t escapes = pmi_quoted_escapes(&behind, backslashes);
        const uint64_t parity = PrefixParity(quotes & ~(escapes ^ (backslashes | escaped))) ^ inside;
        escaped = (escapes & backslashes) >> (PM_WORD_BITS - 1);
        inside = ~(parity >> (PM_WORD_BITS - 1)) + 1;
        return parity;
    }
};

// What ends records, by a byte.
template <bool kRecords> HWY_INLINE uint64_t RecordEnds(unsigned char separator, const unsigned char *text) {
    return kRecords ? BytesThatAre(hn::Set(kBytes, separator), text) : 0;
}

// The same with backslashes outside, as no valid text has them.
template <bool kSimple, bool kRecords>
HWY_NOINLINE pmi_quotation StrayBackslashes(const Classes &table, unsigned char separator, pmi_quotation state,
                                            const unsigned char *text, size_t words, uint64_t *brackets,
                                            uint64_t *inside) {
    for (size_t w = 0; w < words; w++) {
        const unsigned char *const from = text + w * PM_WORD_BITS;
        const WordClasses classes = WordClasses::Of<kSimple>(table, from);
        const pmi_quoted_masks masks = {classes.Test(PM_UNQUOTED_BRACKET), classes.Test(PM_UNQUOTED_QUOTE),
                                        classes.Test(PM_UNQUOTED_BACKSLASH)};
        inside[w] = pmi_quoted_inside(&state, &masks, PrefixParity(pmi_quoted_quotes(&state, &masks)));
        brackets[w] = (masks.brackets | RecordEnds<kRecords>(separator, from)) & ~inside[w];
    }
    return state;
}

// Quotations, newlines, and what the packer wants to know of a step's words. Without branches: which words have a
// backslash is hard to predict.
template <bool kSimple, bool kManyKinds, bool kRecords>
HWY_INLINE void UnquotedStep(const Classes &table, unsigned char separator, pmi_quotation &state,
                             const unsigned char *text, size_t words, uint64_t *HWY_RESTRICT brackets,
                             uint64_t *HWY_RESTRICT inside, uint64_t *HWY_RESTRICT newlines,
                             WordRoles *HWY_RESTRICT roles) {
    QuotationWords now = {~uint64_t{state.inside} + 1, state.escaped};
    uint64_t stray = 0;
    for (size_t w = 0; w < words; w++) {
        const unsigned char *const from = text + w * PM_WORD_BITS;
        PM_TEXT_EXPECT(from);
        const WordClasses classes = WordClasses::Of<kSimple>(table, from);
        const uint64_t separators = RecordEnds<kRecords>(separator, from);
        const WordMasks masks = roles[w].template Set<kManyKinds, kRecords>(classes, from, separators);
        const uint64_t quoted = now.Next(masks.quotes, masks.backslashes);
        newlines[w] = masks.newlines;
        inside[w] = quoted;
        brackets[w] = (masks.brackets | separators) & ~quoted;
        stray |= masks.backslashes & ~quoted;
    }
    if (HWY_LIKELY(stray == 0))
        state = {now.inside != 0, now.escaped != 0};
    else
        state = StrayBackslashes<kSimple, kRecords>(table, separator, state, text, words, brackets, inside);
}

template <bool kSimple, bool kManyKinds, bool kRecords>
HWY_INLINE size_t UnquotedWords(const Classes &table, unsigned char separator, pmi_quotation *state,
                                const unsigned char *text, size_t *words, size_t room,
                                const pmi_unquoted_found *found) {
    Packer<kManyKinds, kRecords> packer(found->packed);
    WordRoles roles[kPackedStep];
    size_t newlines = 0, from = 0;
    while (from < *words && packer.count() + PM_UNQUOTED_ROOM <= room) {
        const size_t now = *words - from < kPackedStep ? *words - from : kPackedStep;
        uint64_t *const brackets = found->brackets + from, *const lines = found->newlines + from;
        UnquotedStep<kSimple, kManyKinds, kRecords>(table, separator, *state, text + from * PM_WORD_BITS, now, brackets,
                                                    found->inside + from, lines, roles);
        for (size_t w = 0; w < now; w++) {
            found->before[from + w] = static_cast<uint16_t>(packer.count());
            found->lines_before[from + w] = static_cast<uint16_t>(newlines);
            newlines += pmi_bits_count(lines[w]);
            packer.Add(roles[w], brackets[w]);
        }
        from += now;
    }
    packer.End();
    found->lines_before[from] = static_cast<uint16_t>(newlines);
    *words = from;
    return packer.count();
}

HWY_INLINE size_t UnquotedBrackets(const pmi_byte_classes *classes, bool many_kinds, pmi_quotation *state,
                                   const unsigned char *text, size_t *words, size_t room,
                                   const pmi_unquoted_found *found) {
    const Classes table(*classes);
    if (!table.simple())
        return UnquotedWords<false, true, false>(table, 0, state, text, words, room, found);
    return many_kinds ? UnquotedWords<true, true, false>(table, 0, state, text, words, room, found)
                      : UnquotedWords<true, false, false>(table, 0, state, text, words, room, found);
}

HWY_INLINE size_t UnquotedRecords(const pmi_byte_classes *classes, unsigned char separator, pmi_quotation *state,
                                  const unsigned char *text, size_t *words, size_t room,
                                  const pmi_unquoted_found *found) {
    const Classes table(*classes);
    return table.simple() ? UnquotedWords<true, true, true>(table, separator, state, text, words, room, found)
                          : UnquotedWords<false, true, true>(table, separator, state, text, words, room, found);
}

} // namespace pm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

#endif
