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

HWY_NOINLINE void LookForSigns(const unsigned char *word, pmi_code_signs *signs) {
    const auto is = [](V bytes, char byte)
                        HWY_ATTR { return hn::Eq(bytes, hn::Set(kBytes, static_cast<uint8_t>(byte))); };
    const auto from_to = [](V bytes, char first, char last) HWY_ATTR {
        const V behind = hn::Sub(bytes, hn::Set(kBytes, static_cast<uint8_t>(first)));
        return hn::Eq(hn::Min(behind, hn::Set(kBytes, static_cast<uint8_t>(last - first))), behind);
    };
    *signs = {0, 0, 0, 0, 0};
    HWY_UNROLL(4)
    for (size_t v = 0; v < kVectors; v++) {
        const V bytes = hn::LoadU(kBytes, word + v * kLanes);
        const auto letters = from_to(hn::Or(bytes, hn::Set(kBytes, 'a' - 'A')), 'a', 'z');
        const auto others = hn::Or(is(bytes, '_'), is(bytes, '$'));
        const auto not_ascii = hn::Eq(hn::Min(bytes, hn::Set(kBytes, 0x80)), hn::Set(kBytes, 0x80));
        StorePart(hn::Or(is(bytes, ' '), from_to(bytes, '\t', '\r')), v, &signs->blanks);
        StorePart(hn::Or(hn::Or(letters, from_to(bytes, '0', '9')), hn::Or(others, not_ascii)), v, &signs->names);
        StorePart(is(bytes, '<'), v, &signs->less);
        StorePart(is(bytes, '>'), v, &signs->greater);
        StorePart(hn::Or(is(bytes, '{'), is(bytes, '}')), v, &signs->braces);
    }
}

} // namespace pm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

#endif
