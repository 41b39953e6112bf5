// SPDX-License-Identifier: Apache-2.0
// Results of 32 bits made 64 wide, a vector at a time, by stores past the caches where that is asked for. Included once
// for each target with vectors.
#if defined(PM_BROADWORD_MATCH_WIDEN_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PM_BROADWORD_MATCH_WIDEN_INL_H
#undef PM_BROADWORD_MATCH_WIDEN_INL_H
#else
#define PM_BROADWORD_MATCH_WIDEN_INL_H
#endif

#include "base/engine.h"
#include "hwy/highway.h"

#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128

HWY_BEFORE_NAMESPACE();
namespace pm {
namespace HWY_NAMESPACE {

using WideTag = hwy::HWY_NAMESPACE::CappedTag<int64_t, 8>;
using NarrowTag = hwy::HWY_NAMESPACE::Rebind<int32_t, WideTag>;
constexpr size_t kWideLanes = hwy::HWY_NAMESPACE::MaxLanes(WideTag());

// The sum of a result and what it moves by. A result is near or far by the sign of its distance from the origin.
HWY_INLINE hwy::HWY_NAMESPACE::Vec<WideTag> WidenVector(const pmi_widening &by, const uint32_t *from) {
    namespace hn = hwy::HWY_NAMESPACE;
    const WideTag wide;
    const NarrowTag narrow;
    const hn::RebindToUnsigned<NarrowTag> narrow_index;
    const hn::RebindToUnsigned<WideTag> wide_index;
    const auto index = hn::LoadU(narrow_index, from);
    const auto distance = hn::Sub(hn::BitCast(narrow, index), hn::Set(narrow, static_cast<int32_t>(by.origin)));
    const auto is_far = hn::Lt(hn::PromoteTo(wide, distance), hn::Zero(wide));
    const auto moved = hn::IfThenElse(is_far, hn::Set(wide, static_cast<int64_t>(by.far)),
                                      hn::Set(wide, static_cast<int64_t>(by.near)));
    return hn::Add(hn::BitCast(wide, hn::PromoteTo(wide_index, index)), moved);
}

template <bool kPastCaches>
HWY_INLINE size_t WidenVectors(const pmi_widening &by, const uint32_t *from, size_t i, size_t n, uint64_t *to) {
    namespace hn = hwy::HWY_NAMESPACE;
    const WideTag wide;
    for (; i + kWideLanes <= n; i += kWideLanes) {
        int64_t *const out = reinterpret_cast<int64_t *>(to + i);
        if (kPastCaches)
            hn::Stream(WidenVector(by, from + i), wide, out);
        else
            hn::StoreU(WidenVector(by, from + i), wide, out);
    }
    return i;
}

void Widen(const pmi_widening *by, const uint32_t *from, size_t n, bool past_caches, uint64_t *to) {
    size_t i = 0;
    if (past_caches) {
        while (i < n && reinterpret_cast<uintptr_t>(to + i) % (kWideLanes * sizeof *to) != 0) {
            to[i] = pmi_widen(by, from[i]);
            i++;
        }
        i = WidenVectors<true>(*by, from, i, n, to);
        hwy::FlushStream();
    } else {
        i = WidenVectors<false>(*by, from, i, n, to);
    }
    for (; i < n; i++)
        to[i] = pmi_widen(by, from[i]);
}

} // namespace HWY_NAMESPACE
} // namespace pm
HWY_AFTER_NAMESPACE();

#endif // HWY_TARGET

#endif
