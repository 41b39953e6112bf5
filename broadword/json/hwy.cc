// SPDX-License-Identifier: Apache-2.0
// JSON by vector instructions, compiled once for each target.
#if defined(__x86_64__) || defined(__aarch64__) || defined(__wasm_simd128__)

#include "broadword/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "broadword/json/hwy.cc"
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | PMI_SCALABLE_TARGETS)
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#include "broadword/json/pairs_avx512-inl.h"
#include "broadword/json/read-inl.h"
#include "broadword/simd.h"
#include "broadword/text/byte_lookup-inl.h"

// Emulated vectors are no gain over the portable words, and masks have no fixed size on scalable ones.
#if HWY_TARGET != HWY_EMU128 && HWY_TARGET != HWY_SCALAR && !HWY_HAVE_SCALABLE

HWY_BEFORE_NAMESPACE();
namespace {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using namespace pm::HWY_NAMESPACE; // of byte_lookup-inl.h and read-inl.h

// A byte is of a class if the tables for its low and its high half both say so.
enum : uint8_t {
    kComma = 1,
    kColon = 2,
    kOpen = 4,
    kClose = 8,
    kSpace = 16,
    kOtherWhite = 32,
    kQuote = 64,
    kBackslash = 128
};
alignas(16) constexpr uint8_t kLow[16] = {kSpace,
                                          0,
                                          kQuote,
                                          0,
                                          0,
                                          0,
                                          0,
                                          0,
                                          0,
                                          kOtherWhite,
                                          kColon | kOtherWhite,
                                          kOpen,
                                          kComma | kBackslash,
                                          kClose | kOtherWhite,
                                          0,
                                          0};
alignas(16) constexpr uint8_t kHigh[16] = {
    kOtherWhite, 0, kComma | kSpace | kQuote, kColon, 0, kOpen | kClose | kBackslash, 0, kOpen | kClose};

#if HWY_TARGET == HWY_AVX3_DL
using JsonBracketList = JsonPairedList;
#else
using JsonBracketList = JsonWholeList;
#endif

#if HWY_TARGET == HWY_AVX3_DL

// The classes of ASCII bytes, a bit each, in the order of the block's masks.
struct JsonClasses {
    uint8_t of[128];
    constexpr JsonClasses() : of() {
        for (unsigned byte = 0; byte < 0x20; byte++)
            of[byte] = 8;
        of['"'] = 1;
        of['\\'] = 2;
        of['\t'] = of['\n'] = of['\r'] = 4 | 8;
        of[' '] = 4;
        of['['] = of['{'] = 16;
        of[']'] = of['}'] = 32;
        of[','] = 64;
        of[':'] = 128;
    }
};
alignas(64) constexpr JsonClasses kClasses;

// Of eight vectors of eight numbers: each gets their numbers at one place.
HWY_INLINE void Transpose(__m512i (&rows)[8]) {
    __m512i pairs[8], fours[8];
    HWY_UNROLL(4)
    for (unsigned k = 0; k < 4; k++) {
        pairs[2 * k] = _mm512_unpacklo_epi64(rows[2 * k], rows[2 * k + 1]);
        pairs[2 * k + 1] = _mm512_unpackhi_epi64(rows[2 * k], rows[2 * k + 1]);
    }
    HWY_UNROLL(2)
    for (unsigned k = 0; k < 2; k++)
        HWY_UNROLL(2)
    for (unsigned odd = 0; odd < 2; odd++) {
        fours[4 * k + odd] = _mm512_shuffle_i64x2(pairs[4 * k + odd], pairs[4 * k + 2 + odd], 0x88);
        fours[4 * k + 2 + odd] = _mm512_shuffle_i64x2(pairs[4 * k + odd], pairs[4 * k + 2 + odd], 0xdd);
    }
    HWY_UNROLL(4)
    for (unsigned k = 0; k < 4; k++) {
        rows[k] = _mm512_shuffle_i64x2(fours[k], fours[4 + k], 0x88);
        rows[4 + k] = _mm512_shuffle_i64x2(fours[k], fours[4 + k], 0xdd);
    }
}

#endif

struct Vectors : JsonBracketList {
#if HWY_TARGET == HWY_AVX3_DL
    // All eight masks of a word come from one multiplication of bits, and those of eight words are exchanged.
    HWY_INLINE bool Masks(const unsigned char *text, size_t words, JsonBlock &block) const {
        const __m512i low = _mm512_load_si512(kClasses.of), high = _mm512_load_si512(kClasses.of + 64);
        const __m512i top = _mm512_set1_epi8(static_cast<char>(0x80));
        uint64_t *const masks[8] = {block.quotes, block.backslashes, block.white,  block.controls,
                                    block.opens,  block.closes,      block.commas, block.colons};
        __m512i any = _mm512_setzero_si512();
        for (size_t w = 0; w < words; w += PM_JSON_STEP) {
            __m512i rows[PM_JSON_STEP];
            HWY_UNROLL(8)
            for (size_t k = 0; k < PM_JSON_STEP; k++) {
                const unsigned char *const from = text + PM_WORD_BITS * (w + k);
                PM_TEXT_EXPECT(from);
                const __m512i bytes = _mm512_loadu_si512(from);
                any = _mm512_or_si512(any, bytes);
                rows[k] =
                    Planes(V{_mm512_maskz_permutex2var_epi8(_mm512_testn_epi8_mask(bytes, top), low, bytes, high)});
            }
            Transpose(rows);
            HWY_UNROLL(8)
            for (size_t p = 0; p < 8; p++)
                _mm512_store_si512(masks[p] + w, rows[p]);
        }
        return _mm512_test_epi8_mask(any, top) != 0;
    }
#else
    HWY_INLINE bool Masks(const unsigned char *text, size_t words, JsonBlock &block) const {
        const V low = hn::LoadDup128(kBytes, kLow), high = hn::LoadDup128(kBytes, kHigh);
        V any = hn::Zero(kBytes);
        for (size_t w = 0; w < words; w++) {
            PM_TEXT_EXPECT(text + PM_WORD_BITS * w);
            HWY_UNROLL(4)
            for (size_t v = 0; v < kVectors; v++) {
                const V bytes = hn::LoadU(kBytes, text + PM_WORD_BITS * w + v * kLanes);
                const V classes = hn::And(LookUpBytes(low, hn::And(bytes, hn::Set(kBytes, 15))),
                                          LookUpBytes(high, hn::ShiftRight<4>(bytes)));
                const V white = hn::And(classes, hn::Set(kBytes, kSpace | kOtherWhite));
                any = hn::Or(any, bytes);
                StorePart(hn::TestBit(classes, hn::Set(kBytes, kComma)), v, block.commas + w);
                StorePart(hn::TestBit(classes, hn::Set(kBytes, kColon)), v, block.colons + w);
                StorePart(hn::TestBit(classes, hn::Set(kBytes, kOpen)), v, block.opens + w);
                StorePart(hn::TestBit(classes, hn::Set(kBytes, kClose)), v, block.closes + w);
                StorePart(hn::TestBit(classes, hn::Set(kBytes, kQuote)), v, block.quotes + w);
                StorePart(hn::TestBit(classes, hn::Set(kBytes, kBackslash)), v, block.backslashes + w);
                StorePart(hn::Ne(white, hn::Zero(kBytes)), v, block.white + w);
                StorePart(hn::Lt(bytes, hn::Set(kBytes, 0x20)), v, block.controls + w);
            }
        }
        return MaskBits(kBytes, hn::TestBit(any, hn::Set(kBytes, 0x80))) != 0;
    }
#endif

#if HWY_TARGET == HWY_AVX3_DL
    HWY_INLINE void List(uint64_t mask, size_t w, JsonBlock &block, unsigned count) const {
        ListBrackets(mask, w, block, count);
    }
#else
    // Four at a time, whether or not there are as many: a loop that ends after the last one would be mispredicted
    // often.
    HWY_INLINE void List(uint64_t mask, size_t w, JsonBlock &block, unsigned count) const {
        const unsigned base = static_cast<unsigned>(PM_WORD_BITS * w);
        uint16_t *to = block.where + 1 + count;
        do {
            HWY_UNROLL(4)
            for (unsigned k = 0; k < 4; k++) {
                to[k] = static_cast<uint16_t>(base + pmi_bits_lowest(mask | UINT64_C(1) << 63));
                mask &= mask - 1;
            }
            to += 4;
        } while (mask != 0);
    }
#endif

    HWY_INLINE bool Utf8(const unsigned char *text, Utf8Masks &masks) const {
        HWY_UNROLL(4)
        for (size_t v = 0; v < kVectors; v++)
            StorePart(hn::TestBit(hn::LoadU(kBytes, text + v * kLanes), hn::Set(kBytes, 0x80)), v, &masks.high);
        if (masks.high == 0) {
            masks = Utf8Masks{};
            return false;
        }
        HWY_UNROLL(4)
        for (size_t v = 0; v < kVectors; v++) {
            const V bytes = hn::LoadU(kBytes, text + v * kLanes);
            const auto is = [&](uint8_t byte) HWY_ATTR { return hn::Eq(bytes, hn::Set(kBytes, byte)); };
            const auto from = [&](uint8_t byte)
                                  HWY_ATTR { return hn::Gt(bytes, hn::Set(kBytes, static_cast<uint8_t>(byte - 1))); };
            const auto below = [&](uint8_t byte) HWY_ATTR { return hn::Lt(bytes, hn::Set(kBytes, byte)); };
            StorePart(from(0xc0), v, &masks.from_c0);
            StorePart(from(0xe0), v, &masks.from_e0);
            StorePart(from(0xf0), v, &masks.from_f0);
            StorePart(hn::Or(from(0xf5), hn::Eq(hn::And(bytes, hn::Set(kBytes, 0xfe)), hn::Set(kBytes, 0xc0))), v,
                      &masks.never);
            StorePart(is(0xe0), v, &masks.e0);
            StorePart(is(0xed), v, &masks.ed);
            StorePart(is(0xf0), v, &masks.f0);
            StorePart(is(0xf4), v, &masks.f4);
            StorePart(below(0x90), v, &masks.below_90);
            StorePart(below(0xa0), v, &masks.below_a0);
        }
        return true;
    }
};

bool Read(pmi_json_state *state, const unsigned char *text, size_t words, const pmi_json_found *found) {
    return JsonRead<Vectors>(state, text, words, found);
}

} // namespace HWY_NAMESPACE
} // namespace
HWY_AFTER_NAMESPACE();

#endif

#if HWY_ONCE

#if HWY_ARCH_X86

const pmi_json_kernel pmi_json_kernel_avx512_vbmi = {N_AVX3_DL::Read};
const pmi_json_kernel pmi_json_kernel_avx512bw = {N_AVX3::Read};
const pmi_json_kernel pmi_json_kernel_avx2 = {N_AVX2::Read};
const pmi_json_kernel pmi_json_kernel_sse4 = {N_SSE4::Read};

#elif HWY_ARCH_ARM_A64

const pmi_json_kernel pmi_json_kernel_neon = {N_NEON::Read};

#elif HWY_ARCH_WASM

const pmi_json_kernel pmi_json_kernel_simd128 = {N_WASM::Read};

#endif

#endif // HWY_ONCE

#endif // architectures
