// SPDX-License-Identifier: Apache-2.0
// What of a text is code, a word of 64 bytes at a time: see broadword/text/code_masks.h. A first look finds the
// brackets of all words, and the words in which something may begin; the masks of these alone are made.
#if defined(PM_BROADWORD_TEXT_CODE_WORDS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PM_BROADWORD_TEXT_CODE_WORDS_INL_H
#undef PM_BROADWORD_TEXT_CODE_WORDS_INL_H
#else
#define PM_BROADWORD_TEXT_CODE_WORDS_INL_H
#endif

#include "broadword/text/byte_lookup-inl.h"
#include "broadword/text/code_masks.h"

#if HWY_TARGET != HWY_EMU128 && HWY_TARGET != HWY_SCALAR && !HWY_HAVE_SCALABLE && HWY_TARGET != HWY_AVX3_DL

HWY_BEFORE_NAMESPACE();
namespace pm::HWY_NAMESPACE {

struct CodeTarget {
    explicit CodeTarget(const pmi_code_classes &code)
        : classes(code.all), low(hn::LoadDup128(kBytes, code.low)), high(hn::LoadDup128(kBytes, code.high)) {}

    const Classes classes;
    const V low, high;
};

// As the bytes' highest bits.
HWY_INLINE uint64_t HighestBits(const V (&bytes)[kVectors]) {
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

template <bool kLooks>
HWY_INLINE uint64_t LookAtCode(void *target, const unsigned char *text, size_t words, const pmi_code_found *found,
                               size_t first) {
    const CodeTarget &of = *static_cast<const CodeTarget *>(target);
    constexpr unsigned kBeginning =
        1u << PM_MASK_STRING | 1u << PM_MASK_CHARACTER | 1u << PM_MASK_SLASH | 1u << PM_MASK_OTHER;
    const V beginning = hn::Set(kBytes, kLooks ? (1u << PM_LOOK_BRACKET) - 1 : kBeginning);
    uint64_t begins = 0;
    for (size_t w = 0; w < words; w++, text += PM_WORD_BITS) {
        V classes[kVectors], any = hn::Zero(kBytes);
        PM_TEXT_EXPECT(text);
        if (!kLooks)
            of.classes.LookUp<false>(text, classes);
        HWY_UNROLL(4)
        for (size_t v = 0; v < kVectors; v++) {
            if (kLooks) {
                const V bytes = hn::LoadU(kBytes, text + v * kLanes);
                classes[v] = hn::And(LookUpBytes(of.low, hn::And(bytes, hn::Set(kBytes, 15))),
                                     LookUpBytes(of.high, hn::ShiftRight<4>(bytes)));
            }
            any = hn::Or(any, classes[v]);
            classes[v] = kLooks ? hn::Or(classes[v], hn::Add(classes[v], classes[v])) : hn::ShiftLeft<7>(classes[v]);
        }
        found->brackets[first + w] = HighestBits(classes);
        found->comments[first + w] = found->quoted[first + w] = 0;
        begins |= static_cast<uint64_t>(!hn::AllTrue(kBytes, hn::Eq(hn::And(any, beginning), hn::Zero(kBytes)))) << w;
    }
    return begins;
}

HWY_INLINE void LookAtWord(const void *target, const unsigned char *word, uint64_t *masks) {
    V found[kVectors];
    static_cast<const CodeTarget *>(target)->classes.LookUp<false>(word, found);
    StorePlanes<PM_MASK_COUNT>(found, masks);
}

HWY_INLINE uint64_t EqualBytes(const unsigned char *word, unsigned char byte) {
    uint64_t mask = 0;
    HWY_UNROLL(4)
    for (size_t v = 0; v < kVectors; v++)
        StorePart(hn::Eq(hn::LoadU(kBytes, word + v * kLanes), hn::Set(kBytes, byte)), v, &mask);
    return mask;
}

// As pmi_code_words().
template <bool kLooks>
HWY_INLINE size_t ReadCode(const pmi_code_rules *rules, const pmi_code_classes &classes, pmi_code_state *state,
                           const unsigned char *text, size_t words, const pmi_code_found *found) {
    CodeTarget target(classes);
    constexpr pmi_code_looks kTarget = {LookAtCode<kLooks>, LookAtWord, EqualBytes, PrefixParity};
    return pmi_code_words(rules, state, text, words, found, kTarget, &target);
}

} // namespace pm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

#endif
