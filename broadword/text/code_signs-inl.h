// SPDX-License-Identifier: Apache-2.0
// Bytes that only elements of JSX and code in strings ask for: see pmi_code_signs.
#if defined(PM_BROADWORD_TEXT_CODE_SIGNS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PM_BROADWORD_TEXT_CODE_SIGNS_INL_H
#undef PM_BROADWORD_TEXT_CODE_SIGNS_INL_H
#else
#define PM_BROADWORD_TEXT_CODE_SIGNS_INL_H
#endif

#include "broadword/text/byte_lookup-inl.h"
#include "broadword/text/code_types.h"

#if HWY_TARGET != HWY_EMU128 && HWY_TARGET != HWY_SCALAR && !HWY_HAVE_SCALABLE

HWY_BEFORE_NAMESPACE();
namespace pm::HWY_NAMESPACE {

HWY_INLINE auto BytesAre(V bytes, char byte) {
    return hn::Eq(bytes, hn::Set(kBytes, static_cast<uint8_t>(byte)));
}

HWY_INLINE auto BytesBetween(V bytes, char first, char last) {
    const V behind = hn::Sub(bytes, hn::Set(kBytes, static_cast<uint8_t>(first)));
    return hn::Eq(hn::Min(behind, hn::Set(kBytes, static_cast<uint8_t>(last - first))), behind);
}

HWY_INLINE void SignsOf(const unsigned char *word, pmi_code_signs *signs) {
    *signs = {0, 0, 0, 0, 0};
    HWY_UNROLL(4)
    for (size_t v = 0; v < kVectors; v++) {
        const V bytes = hn::LoadU(kBytes, word + v * kLanes);
        const auto letters = BytesBetween(hn::Or(bytes, hn::Set(kBytes, 'a' - 'A')), 'a', 'z');
        const auto others = hn::Or(BytesAre(bytes, '_'), BytesAre(bytes, '$'));
        const auto not_ascii = hn::Eq(hn::Min(bytes, hn::Set(kBytes, 0x80)), hn::Set(kBytes, 0x80));
        StorePart(hn::Or(BytesAre(bytes, ' '), BytesBetween(bytes, '\t', '\r')), v, &signs->blanks);
        StorePart(hn::Or(hn::Or(letters, BytesBetween(bytes, '0', '9')), hn::Or(others, not_ascii)), v, &signs->names);
        StorePart(BytesAre(bytes, '<'), v, &signs->less);
        StorePart(BytesAre(bytes, '>'), v, &signs->greater);
        StorePart(hn::Or(BytesAre(bytes, '{'), BytesAre(bytes, '}')), v, &signs->braces);
    }
}

HWY_NOINLINE void LookForSigns(const unsigned char *word, pmi_code_signs *signs) {
    SignsOf(word, signs);
}

} // namespace pm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

#endif
