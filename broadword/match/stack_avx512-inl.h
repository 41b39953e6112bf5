// SPDX-License-Identifier: Apache-2.0
// A stack of 32-bit indices in memory, growing downwards, for AVX-512: blocks' codes looked up in it, and their
// survivors put on it. It is read and written in aligned blocks of 16 alone: a load that straddles a store still on its
// way to the cache has to wait for it, one that repeats it does not.
#if defined(PM_BROADWORD_MATCH_STACK_AVX512_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PM_BROADWORD_MATCH_STACK_AVX512_INL_H
#undef PM_BROADWORD_MATCH_STACK_AVX512_INL_H
#else
#define PM_BROADWORD_MATCH_STACK_AVX512_INL_H
#endif

#include "broadword/match/summary_avx512-inl.h"

#if HWY_TARGET == HWY_AVX3_DL

HWY_BEFORE_NAMESPACE();
namespace pm::HWY_NAMESPACE {

// Bytes between the aligned block that holds the top entry, and that entry.
HWY_INLINE size_t Above(const uint32_t *top) {
    return reinterpret_cast<uintptr_t>(top) % 64;
}

// A pointer moved by a number of bytes.
template <class T> HWY_INLINE T *Moved(T *p, ptrdiff_t bytes) {
    return reinterpret_cast<T *>(reinterpret_cast<uintptr_t>(p) + static_cast<uintptr_t>(bytes));
}

// The stack from its top entry on: 32 entries.
struct Pair {
    __m512i first, second;
};
HWY_INLINE Pair Top(const uint32_t *top) {
    const ptrdiff_t above = static_cast<ptrdiff_t>(Above(top));
    const __m512i rotate = Row(Moved(&kAvx512.rotate[0][0], above * 16));
    const uint32_t *block = Moved(top, -above);
    const __m512i middle = Row(block + 16);
    return {_mm512_permutex2var_epi32(Row(block), rotate, middle),
            _mm512_permutex2var_epi32(middle, rotate, Row(block + 32))};
}

template <bool kStreaming> HWY_INLINE void Store(uint32_t *out, __m512i results) {
    if (kStreaming) {
        _mm512_stream_si512(reinterpret_cast<__m512i *>(out), results);
    } else {
        _mm512_storeu_si512(out, results);
    }
}

// Sixteen results, from the codes and from what outer codes stand for.
template <bool kStreaming>
HWY_INLINE void Emit(__m128i codes, __m512i code, __m512i outer, __m512i inner_base, uint32_t *out) {
    Store<kStreaming>(out, _mm512_mask_add_epi32(outer, _mm_movepi8_mask(codes), code, inner_base));
}

// Results of a block whose codes are below 32.
template <bool kStreaming>
HWY_INLINE void EmitNarrow(const Summary &summary, __m512i inner_base, const uint32_t *top, uint32_t *out) {
    const Pair stack = Top(top);
    HWY_UNROLL(4)
    for (int g = 0; g < 4; g++) {
        const __m128i codes = _mm_load_si128(reinterpret_cast<const __m128i *>(summary.code + 16 * g));
        const __m512i code = _mm512_cvtepu8_epi32(codes);
        Emit<kStreaming>(codes, code, _mm512_permutex2var_epi32(stack.first, code, stack.second), inner_base,
                         out + 16 * g);
    }
}

// Results of a block whose codes are below 64.
template <bool kStreaming>
HWY_INLINE void EmitWide(const Summary &summary, __m512i inner_base, const uint32_t *top, uint32_t *out) {
    const Pair stack = Top(top), deeper = Top(top + 32);
    HWY_UNROLL(4)
    for (int g = 0; g < 4; g++) {
        const __m128i codes = _mm_load_si128(reinterpret_cast<const __m128i *>(summary.code + 16 * g));
        const __m512i code = _mm512_cvtepu8_epi32(codes);
        const __mmask16 deep = _mm512_test_epi32_mask(code, _mm512_set1_epi32(32));
        const __m512i near = _mm512_permutex2var_epi32(stack.first, code, stack.second);
        const __m512i far = _mm512_permutex2var_epi32(deeper.first, code, deeper.second);
        Emit<kStreaming>(codes, code, _mm512_mask_mov_epi32(near, deep, far), inner_base, out + 16 * g);
    }
}

// Replaces the entries of an aligned block for which the state, in the lanes `from`, has inner codes.
HWY_INLINE void PushBlock(State state, const uint32_t *from, uint32_t *to, __m512i inner_base,
                          const Constants &constants) {
    const __m512i code = _mm512_maskz_permutexvar_epi8(constants.low_bytes, Row(from), state);
    const __mmask16 survives = _mm512_test_epi32_mask(code, constants.inner);
    _mm512_store_si512(to, _mm512_mask_add_epi32(Row(to), survives, code, inner_base));
}

// Puts the survivors of a state, at most 47, on the stack, whose top entry then is `top`. Lanes past the survivors
// hold outer codes, and mean what is there already. What comes before `top` is nobody's.
HWY_INLINE void Push(State state, size_t open, uint32_t *top, __m512i inner_base, const Constants &constants) {
    const ptrdiff_t above = static_cast<ptrdiff_t>(Above(top));
    const uint32_t *from = Moved(&kAvx512.push[0][0][0], above * 64);
    uint32_t *to = Moved(top, -above);
    PushBlock(state, from, to, inner_base, constants);
    PushBlock(state, from + 16, to + 16, inner_base, constants);
    if (HWY_UNLIKELY(open > 16)) {
        PushBlock(state, from + 32, to + 32, inner_base, constants);
        PushBlock(state, from + 48, to + 48, inner_base, constants);
    }
}

// The same from a list of them, with zeros after it, of any length.
HWY_INLINE void PushMany(__m512i list, size_t open, uint32_t *top, __m512i inner_base, const Constants &constants) {
    const ptrdiff_t above = static_cast<ptrdiff_t>(Above(top));
    uint32_t *to = Moved(top, -above);
    __m512i lane = Row(Moved(&kAvx512.list[0][0], above * 16));
    const auto codes = [&]() HWY_ATTR {
        const __m512i code = _mm512_maskz_permutexvar_epi8(constants.low_bytes, lane, list);
        lane = _mm512_add_epi32(lane, constants.sixteen);
        return code;
    };
    const auto push = [&](__mmask16 there) HWY_ATTR {
        const __m512i code = codes();
        const __mmask16 survives = _mm512_mask_test_epi32_mask(there, code, constants.inner);
        _mm512_store_si512(to, _mm512_mask_add_epi32(Row(to), survives, code, inner_base));
        to += 16;
    };
    if (open > 16) {
        _mm512_store_si512(to, _mm512_add_epi32(codes(), inner_base));
        to += 16;
        push(0xffff);
        push(0xffff);
        push(0xffff);
        push(static_cast<__mmask16>(pmi_bits_low(static_cast<unsigned>(above) / 4)));
    } else {
        push(0xffff);
        push(0xffff);
    }
}

} // namespace pm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif // HWY_TARGET

#endif
