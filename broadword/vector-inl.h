// SPDX-License-Identifier: Apache-2.0
// Look-ups of bytes, and masks as bits. Highway 1.0 writes them as loops for WebAssembly, from when engines lacked the
// instructions.
#if defined(PM_BROADWORD_VECTOR_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PM_BROADWORD_VECTOR_INL_H
#undef PM_BROADWORD_VECTOR_INL_H
#else
#define PM_BROADWORD_VECTOR_INL_H
#endif

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace pm::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// LookUpBytes: indices below 16. LookUpBytesOr0: 0 also where bit 7 of an index is set. MaskBits: a bit for each lane.
#if HWY_ARCH_WASM

template <class T, class I> HWY_INLINE I LookUpBytes(T table, I indices) {
    return I{wasm_i8x16_swizzle(table.raw, indices.raw)};
}

template <class T, class I> HWY_INLINE I LookUpBytesOr0(T table, I indices) {
    return LookUpBytes(table, indices);
}

template <class D, class M> HWY_INLINE uint64_t MaskBits(D, M mask) {
    return sizeof(hn::TFromD<D>) == 1 ? wasm_i8x16_bitmask(mask.raw) : wasm_i16x8_bitmask(mask.raw);
}

#else

template <class T, class I> HWY_INLINE I LookUpBytes(T table, I indices) {
    return hn::TableLookupBytes(table, indices);
}

template <class T, class I> HWY_INLINE I LookUpBytesOr0(T table, I indices) {
    return hn::TableLookupBytesOr0(table, indices);
}

template <class D, class M> HWY_INLINE uint64_t MaskBits(D d, M mask) {
    uint8_t bytes[8] = {0};
    hn::StoreMaskBits(d, mask, bytes);
    uint64_t bits;
    __builtin_memcpy(&bits, bytes, sizeof bits);
    return bits;
}

#endif

} // namespace pm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif // PM_BROADWORD_VECTOR_INL_H
