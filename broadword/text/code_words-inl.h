// SPDX-License-Identifier: Apache-2.0
// What of a text is code, by scans and, where those do not do, a word of 64 bytes at a time: see
// broadword/text/code_masks.h. A first look finds the brackets of all words, and the bytes with which something may
// begin.
#if defined(PM_BROADWORD_TEXT_CODE_WORDS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PM_BROADWORD_TEXT_CODE_WORDS_INL_H
#undef PM_BROADWORD_TEXT_CODE_WORDS_INL_H
#else
#define PM_BROADWORD_TEXT_CODE_WORDS_INL_H
#endif

#include "broadword/text/byte_lookup-inl.h"
#include "broadword/text/code_masks.h"
#include "broadword/text/code_signs-inl.h"

#if HWY_TARGET != HWY_EMU128 && HWY_TARGET != HWY_SCALAR && !HWY_HAVE_SCALABLE && HWY_TARGET != HWY_AVX3_DL

HWY_BEFORE_NAMESPACE();
namespace pm::HWY_NAMESPACE {

constexpr unsigned kBeginning =
    1u << PM_MASK_STRING | 1u << PM_MASK_CHARACTER | 1u << PM_MASK_SLASH | 1u << PM_MASK_OTHER;

struct CodeTarget {
    explicit CodeTarget(const pmi_code_classes &code)
        : classes(code.all), fast(code.looks), low(hn::LoadDup128(kBytes, code.low)),
          high(hn::LoadDup128(kBytes, code.high)) {}

    // Which bytes of a word are brackets, and with which something may begin.
    HWY_INLINE void Look(const unsigned char *text, uint64_t *brackets, uint64_t *stops) const {
        const V beginning = hn::Set(kBytes, fast ? (1u << PM_LOOK_BRACKET) - 1 : kBeginning);
        V found[kVectors];
        uint64_t others = 0;
        HWY_UNROLL(4)
        for (size_t v = 0; v < kVectors; v++)
            found[v] = hn::Zero(kBytes); // for gcc, which on ARM does not see that either way sets them
        if (!fast)
            classes.LookUp<false>(text, found);
        HWY_UNROLL(4)
        for (size_t v = 0; v < kVectors; v++) {
            if (fast) {
                const V bytes = hn::LoadU(kBytes, text + v * kLanes);
                found[v] = hn::And(LookUpBytes(low, hn::And(bytes, hn::Set(kBytes, 15))),
                                   LookUpBytes(high, hn::ShiftRight<4>(bytes)));
            }
            StorePart(hn::Eq(hn::And(found[v], beginning), hn::Zero(kBytes)), v, &others);
            found[v] = fast ? hn::Or(found[v], hn::Add(found[v], found[v])) : hn::ShiftLeft<7>(found[v]);
        }
        *brackets = HighestBits(found);
        *stops = ~others;
    }

    const Classes classes;
    const bool fast; // see pmi_code_classes.looks
    const V low, high;

  private:
    // As the bytes' highest bits.
    static HWY_INLINE uint64_t HighestBits(const V (&bytes)[kVectors]) {
        uint64_t mask = 0;
        HWY_UNROLL(4)
        for (size_t v = 0; v < kVectors; v++)
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_SSE4
            StorePart(hn::MaskFromVec(bytes[v]), v, &mask);
#else
            StorePart(hn::TestBit(bytes[v], hn::Set(kBytes, 128)), v, &mask);
#endif
        return mask;
    }
};

HWY_INLINE void LookAtCode(void *target, const unsigned char *text, size_t words, const pmi_code_found *found,
                           size_t first, pmi_code_looked *looked) {
    const CodeTarget &of = *static_cast<const CodeTarget *>(target);
    uint64_t *const brackets = found->brackets + first, *const stops = looked->stops;
    uint64_t begins = 0;
    for (size_t w = 0; w < words; w++, text += PM_WORD_BITS) {
        uint64_t here;
        PM_TEXT_EXPECT(text);
        of.Look(text, &brackets[w], &here);
        stops[w] = here;
        found->comments[first + w] = found->quoted[first + w] = 0;
        begins |= static_cast<uint64_t>(here != 0) << w;
    }
    looked->first = first;
    looked->begins = begins;
}

HWY_INLINE uint64_t EqualBytes(const unsigned char *word, unsigned char byte) {
    uint64_t mask = 0;
    HWY_UNROLL(4)
    for (size_t v = 0; v < kVectors; v++)
        StorePart(hn::Eq(hn::LoadU(kBytes, word + v * kLanes), hn::Set(kBytes, byte)), v, &mask);
    return mask;
}

HWY_INLINE void LookAtWord(const void *target, const unsigned char *word, uint64_t *masks) {
    V found[kVectors];
    static_cast<const CodeTarget *>(target)->classes.LookUp<false>(word, found);
    StorePlanes<PM_MASK_COUNT>(found, masks);
}

HWY_INLINE uint64_t EitherByte(const unsigned char *word, unsigned char a, unsigned char b) {
    const V first = hn::Set(kBytes, a), second = hn::Set(kBytes, b);
    uint64_t mask = 0;
    HWY_UNROLL(4)
    for (size_t v = 0; v < kVectors; v++) {
        const V bytes = hn::LoadU(kBytes, word + v * kLanes);
        StorePart(hn::Or(hn::Eq(bytes, first), hn::Eq(bytes, second)), v, &mask);
    }
    return mask;
}

HWY_INLINE void LookAtAll(const void *target, const unsigned char *word, uint64_t *masks, pmi_code_signs *signs,
                          unsigned char *) {
    LookAtWord(target, word, masks);
    SignsOf(word, signs);
}

HWY_NOINLINE size_t NestedWords(const void *target, const pmi_code_rules *rules, pmi_code_state *state,
                                const unsigned char *text, size_t length, size_t words, const pmi_code_found *found,
                                size_t w) {
    return pmi_code_nested_words(rules, state, text, length, words, found, w, LookAtAll, false, target);
}

HWY_NOINLINE size_t OtherWords(const void *target, const pmi_code_rules *rules, pmi_code_state *state,
                               const unsigned char *word, size_t length, size_t words, const pmi_code_found *found,
                               size_t w, bool odd) {
    constexpr pmi_code_looks kLooks = {nullptr,      LookAtWord,   EqualBytes,  EitherByte,
                                       LookForSigns, PrefixParity, NestedWords, nullptr};
    return pmi_code_other_words(rules, state, word, length, words, found, w, kLooks, target, odd);
}

// As pmi_code_words().
HWY_INLINE size_t ReadCode(const pmi_code_rules *rules, const pmi_code_classes &classes, pmi_code_state *state,
                           const unsigned char *text, size_t words, const pmi_code_found *found) {
    CodeTarget target(classes);
    constexpr pmi_code_looks kTarget = {LookAtCode,   LookAtWord,   EqualBytes,  EitherByte,
                                        LookForSigns, PrefixParity, NestedWords, OtherWords};
    pmi_code_looked looked; // most of it is not initialised, as it need not be
    looked.first = SIZE_MAX;
    bool rest = true; // are scans no use for the others?
    const size_t read = pmi_code_scans(rules)
                            ? pmi_code_scanned(rules, state, text, words, found, kTarget, &target, &looked, &rest)
                            : 0;
    return rest ? pmi_code_words(rules, state, text, read, words, found, kTarget, &target, &looked) : read;
}

} // namespace pm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

#endif
