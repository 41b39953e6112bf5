// SPDX-License-Identifier: Apache-2.0
// Words of 64 bytes of text in vectors: bytes looked up in a table, comparisons' results as words of bits, and parities
// of these. Compiled for each instruction set by who includes it.
#if defined(PM_BROADWORD_TEXT_BYTE_LOOKUP_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PM_BROADWORD_TEXT_BYTE_LOOKUP_INL_H
#undef PM_BROADWORD_TEXT_BYTE_LOOKUP_INL_H
#else
#define PM_BROADWORD_TEXT_BYTE_LOOKUP_INL_H
#endif

#include "broadword/text/classify.h"
#include "broadword/vector-inl.h"

// Emulated vectors are no gain over the portable words, and masks have no fixed size on scalable ones.
#if HWY_TARGET != HWY_EMU128 && HWY_TARGET != HWY_SCALAR && !HWY_HAVE_SCALABLE

HWY_BEFORE_NAMESPACE();
namespace pm::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// A vector is a quarter, half, or all of a word of text.
const HWY_FULL(uint8_t) kBytes;
using V = hn::Vec<decltype(kBytes)>;
constexpr size_t kLanes = HWY_LANES(uint8_t);
constexpr size_t kVectors = PM_WORD_BITS / kLanes;

// Puts a vector's lanes into its part of a mask, of which those before have been put there. The mask is written as a
// whole each time: a word that is read when parts of it have just been written keeps the CPU waiting.
template <class M> HWY_INLINE void StorePart(M lanes, size_t vector, uint64_t *mask) {
    *mask = (vector == 0 ? 0 : *mask) | MaskBits(kBytes, lanes) << vector * (kLanes % PM_WORD_BITS);
}

// Of each bit, the parity of the bits up to and with it: a carry-less multiplication by all ones, where every CPU with
// the target's other instructions has that.
HWY_INLINE uint64_t PrefixParity(uint64_t x) {
#if !HWY_ARCH_X86
    for (unsigned shift = 1; shift < PM_WORD_BITS; shift *= 2)
        x ^= x << shift;
    return x;
#else
    const hn::CappedTag<uint64_t, 2> two;
    return hn::GetLane(hn::CLMulLower(hn::Set(two, x), hn::Set(two, ~uint64_t{0})));
#endif
}

// The lowest bit of a mask, removed; anything for none.
HWY_INLINE unsigned TakeLowest(uint64_t &mask) {
    const unsigned lowest = pmi_bits_lowest(mask | UINT64_C(1) << 63);
    mask &= mask - 1;
    return lowest;
}

// Bits are taken four at a time, whether or not there are as many: a loop that ends after the last one would be
// mispredicted at every other word.
constexpr unsigned kTaken = 4;

#if HWY_TARGET == HWY_AVX3_DL

// All 256 classes fit four registers, and one instruction looks up 64 bytes in two of them.
class Classes {
  public:
    HWY_INLINE explicit Classes(const pmi_byte_classes &classes) {
        for (int k = 0; k < 4; k++)
            quarter_[k] = _mm512_loadu_si512(classes.of + 64 * k);
        ascii_ = classes.row_count == 0 || classes.rows[classes.row_count - 1] < 8;
    }

    // May LookUp<true>() be called, which takes less time?
    bool simple() const {
        return ascii_;
    }

    template <bool kAscii> HWY_INLINE void LookUp(const unsigned char *text, V (&classes)[kVectors]) const {
        const __m512i bytes = _mm512_loadu_si512(text);
        const __m512i low = _mm512_permutex2var_epi8(quarter_[0], bytes, quarter_[1]);
        const __mmask64 high_half = _mm512_movepi8_mask(bytes);
        const __m512i high =
            kAscii ? _mm512_setzero_si512() : _mm512_permutex2var_epi8(quarter_[2], bytes, quarter_[3]);
        classes[0] = V{_mm512_mask_mov_epi8(low, high_half, high)};
    }

  private:
    __m512i quarter_[4];
    bool ascii_;
};

// Bit p of the classes of 64 bytes as word p. Each 8 classes are a matrix of bits, which a multiplication by unit
// vectors transposes; its rows go to where they belong. In assembly, because Highway's target does not promise that
// instruction; pmi_simd_of() does.
HWY_INLINE __m512i Planes(V classes) {
    const __m512i backward = _mm512_set4_epi32(0x08090a0b, 0x0c0d0e0f, 0x00010203, 0x04050607);
    const __m512i units = _mm512_set1_epi64(static_cast<int64_t>(UINT64_C(0x8040201008040201)));
    alignas(64) uint8_t from[64];
    for (unsigned i = 0; i < 64; i++)
        from[i] = static_cast<uint8_t>(i % 8 * 8 + i / 8);
    __m512i rows;
    __asm__("vgf2p8affineqb $0, %2, %1, %0" : "=v"(rows) : "v"(units), "v"(_mm512_shuffle_epi8(classes.raw, backward)));
    return _mm512_permutexvar_epi8(_mm512_load_si512(from), rows);
}

#else

// Does LookUpBytes() take the low half of a byte for the index, and give 0 for 0x80 and above?
constexpr bool kLooksUpByLowHalf = HWY_ARCH_X86 != 0;

// One look-up by a byte's low half and one by its high half give all classes, if a few of these pairs do for the table.
// In general, a row of 16 classes is one look-up, whose result stands where the byte's high half is the row's.
class Classes {
  public:
    HWY_INLINE explicit Classes(const pmi_byte_classes &classes) : table_(classes) {
        for (unsigned k = 0; k < PM_CLASS_PAIRS; k++) {
            low_[k] = hn::LoadDup128(kBytes, classes.low[k]);
            high_[k] = hn::LoadDup128(kBytes, classes.high[k]);
        }
    }

    // May LookUp<true>() be called, which takes less time? As for JSON, where one pair does, and bytes of 0x80 and
    // above have no class.
    bool simple() const {
        return table_.pair_count <= 1 && (table_.row_count == 0 || table_.rows[table_.row_count - 1] < 8);
    }

    template <bool kSimple> HWY_INLINE void LookUp(const unsigned char *text, V (&classes)[kVectors]) const {
        V low[kVectors], high[kVectors];
        HWY_UNROLL(4)
        for (size_t v = 0; v < kVectors; v++) {
            const V bytes = hn::LoadU(kBytes, text + v * kLanes);
            low[v] = kSimple && kLooksUpByLowHalf ? bytes : hn::And(bytes, hn::Set(kBytes, 15));
            high[v] = hn::ShiftRight<4>(bytes);
            classes[v] = hn::Zero(kBytes);
        }
        if (kSimple)
            AddPair(0, low, high, classes);
        else if (table_.pair_count <= PM_CLASS_PAIRS)
            AddPairs(low, high, classes);
        else
            AddRows(low, high, classes);
    }

  private:
    HWY_INLINE void AddPair(unsigned k, const V (&low)[kVectors], const V (&high)[kVectors],
                            V (&classes)[kVectors]) const {
        HWY_UNROLL(4)
        for (size_t v = 0; v < kVectors; v++)
            classes[v] = hn::Or(classes[v], hn::And(LookUpBytes(low_[k], low[v]), LookUpBytes(high_[k], high[v])));
    }

    HWY_INLINE void AddPairs(const V (&low)[kVectors], const V (&high)[kVectors], V (&classes)[kVectors]) const {
        AddPair(0, low, high, classes);
        HWY_UNROLL(4)
        for (unsigned k = 1; k < PM_CLASS_PAIRS; k++) {
            if (table_.pair_count <= k)
                return;
            AddPair(k, low, high, classes);
        }
    }

    HWY_INLINE void AddRows(const V (&low)[kVectors], const V (&high)[kVectors], V (&classes)[kVectors]) const {
        for (unsigned r = 0; r < table_.row_count; r++) {
            const V row = hn::LoadDup128(kBytes, table_.of + 16 * table_.rows[r]);
            const V number = hn::Set(kBytes, table_.rows[r]);
            HWY_UNROLL(4)
            for (size_t v = 0; v < kVectors; v++)
                classes[v] = hn::Or(classes[v], hn::IfThenElseZero(hn::Eq(high[v], number), LookUpBytes(row, low[v])));
        }
    }

    const pmi_byte_classes &table_;
    V low_[PM_CLASS_PAIRS], high_[PM_CLASS_PAIRS];
};

#endif

// The highest kPlanes bits of a vector's bytes as its parts of as many masks, the one of the highest bits last.
template <unsigned kPlanes> HWY_INLINE void StoreUpperPlanes(V found, size_t vector, uint64_t *masks, size_t stride) {
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_SSE4
    // The highest bits of all bytes are gathered by one instruction, and adding brings the next ones there.
    HWY_UNROLL(8)
    for (unsigned p = kPlanes; p-- > 0;) {
        StorePart(hn::MaskFromVec(found), vector, masks + stride * p);
        found = hn::Add(found, found);
    }
#else
    HWY_UNROLL(8)
    for (unsigned p = 0; p < kPlanes; p++) {
        const V bit = hn::Set(kBytes, static_cast<uint8_t>(1u << (8 - kPlanes + p)));
        StorePart(hn::TestBit(found, bit), vector, masks + stride * p);
    }
#endif
}

// Bit p of the classes of 64 bytes as word p.
template <unsigned kPlanes> HWY_INLINE void StorePlanes(const V (&found)[kVectors], uint64_t *masks) {
#if HWY_TARGET == HWY_AVX3_DL
    if (kPlanes > 2) {
        _mm512_mask_storeu_epi64(masks, static_cast<__mmask8>((1u << kPlanes) - 1), Planes(found[0]));
        return;
    }
#elif HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_SSE4
    // The highest bits of all bytes are gathered by one instruction, and adding brings the next ones there.
    V shifted[kVectors];
    HWY_UNROLL(4)
    for (size_t v = 0; v < kVectors; v++)
        shifted[v] = hn::ShiftLeft<8 - kPlanes>(found[v]);
    HWY_UNROLL(8)
    for (unsigned p = kPlanes; p-- > 0;)
        HWY_UNROLL(4)
    for (size_t v = 0; v < kVectors; v++) {
        StorePart(hn::MaskFromVec(shifted[v]), v, masks + p);
        shifted[v] = hn::Add(shifted[v], shifted[v]);
    }
    return;
#endif
    HWY_UNROLL(8)
    for (unsigned p = 0; p < kPlanes; p++) {
        const V bit = hn::Set(kBytes, static_cast<uint8_t>(1u << p));
        HWY_UNROLL(4)
        for (size_t v = 0; v < kVectors; v++)
            StorePart(hn::TestBit(found[v], bit), v, masks + p);
    }
}

} // namespace pm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

#endif
