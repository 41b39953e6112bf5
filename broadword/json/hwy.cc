// SPDX-License-Identifier: Apache-2.0
// JSON by vector instructions, compiled once for each target.
#if defined(__x86_64__) || defined(__aarch64__) || defined(__wasm_simd128__)

#include "broadword/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "broadword/json/hwy.cc"
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | PMI_SCALABLE_TARGETS)
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

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

// What each byte is, by two look-ups: of where a byte would be, if it means something, and whether it is that byte.
// Both halves of a byte decide on the place; the numbers are such that no two places are the same.
constexpr unsigned kPlaces = 16;
constexpr unsigned JsonPlace(unsigned byte) {
    return ((byte + 6) ^ (byte + 6) >> 2) % kPlaces;
}
struct JsonTable {
    uint8_t bytes[kPlaces], meanings[kPlaces]; // meanings in the upper half
    constexpr JsonTable() : bytes(), meanings() {
        for (unsigned byte = 0; byte < 128; byte++) {
            const JsonByte meaning = JsonByteOf(byte);
            if (meaning == kScalar || meaning == kControl)
                continue;
            bytes[JsonPlace(byte)] = static_cast<uint8_t>(byte);
            meanings[JsonPlace(byte)] = static_cast<uint8_t>(meaning << 4);
        }
    }
};
alignas(16) constexpr JsonTable kTable;

#if HWY_TARGET == HWY_AVX3_DL

// What ASCII bytes are, in the lower half or in the upper one.
struct JsonHalves {
    uint8_t lower[128], upper[128];
    constexpr JsonHalves() : lower(), upper() {
        for (unsigned byte = 0; byte < 128; byte++) {
            lower[byte] = JsonByteOf(byte);
            upper[byte] = static_cast<uint8_t>(JsonByteOf(byte) << 4);
        }
    }
};
alignas(64) constexpr JsonHalves kHalves;

HWY_INLINE __m512i LookUpAscii(__m512i bytes, const uint8_t (&table)[128]) {
    const __mmask64 ascii = _knot_mask64(_mm512_movepi8_mask(bytes));
    return _mm512_maskz_permutex2var_epi8(ascii, _mm512_load_si512(table), bytes, _mm512_load_si512(table + 64));
}

// First the bytes that begin tokens, then 64 of them at a time. Mostly a word has few tokens and brackets, and short
// stores cross fewer lines of the cache.
class CompressedRows {
  public:
    HWY_INLINE CompressedRows(JsonBlock &block, const pmi_json_found &)
        : block_(block), numbers_(_mm512_load_si512(kByteNumbers.of)), first_(_mm512_setzero_si512()) {}

    HWY_INLINE void Add(size_t w, uint64_t tokens, uint64_t brackets, unsigned tokens_before,
                        unsigned brackets_before) {
        AddBytes(_mm512_maskz_compress_epi8(tokens, _mm512_loadu_si512(block_.text + PM_WORD_BITS * w)),
                 pmi_bits_count(tokens), block_.firsts + tokens_before);
        AddPlaces(_mm512_maskz_compress_epi8(brackets, numbers_), pmi_bits_count(brackets),
                  block_.where + 1 + brackets_before);
        first_ = _mm512_add_epi16(first_, _mm512_set1_epi16(PM_WORD_BITS));
    }

    template <class R> HWY_INLINE void End(const R &, unsigned count) const {
        for (size_t group = 0; group * PM_WORD_BITS < count; group++) {
            const __m512i bytes = _mm512_loadu_si512(block_.firsts + group * PM_WORD_BITS);
            const __m512i letters = LookUpAscii(bytes, kHalves.lower);
            HWY_UNROLL(3)
            for (int bit = 0; bit < 3; bit++)
                block_.letters.of[bit][group] =
                    _cvtmask64_u64(_mm512_test_epi8_mask(letters, _mm512_set1_epi8(static_cast<char>(1 << bit))));
        }
    }

  private:
    static HWY_INLINE void AddBytes(__m512i bytes, unsigned count, unsigned char *to) {
        _mm256_storeu_si256(reinterpret_cast<__m256i *>(to), _mm512_castsi512_si256(bytes));
        if (HWY_UNLIKELY(count > 32))
            _mm512_storeu_si512(to, bytes);
    }

    HWY_INLINE void AddPlaces(__m512i bits, unsigned count, uint16_t *to) const {
        const __m128i few = _mm_cvtepu8_epi16(_mm512_castsi512_si128(bits));
        _mm_storeu_si128(reinterpret_cast<__m128i *>(to), _mm_add_epi16(few, _mm512_castsi512_si128(first_)));
        if (HWY_LIKELY(count <= 8))
            return;
        const __m256i lower = _mm512_castsi512_si256(bits), upper = _mm512_extracti64x4_epi64(bits, 1);
        _mm512_storeu_si512(to, _mm512_add_epi16(_mm512_cvtepu8_epi16(lower), first_));
        _mm512_storeu_si512(to + 32, _mm512_add_epi16(_mm512_cvtepu8_epi16(upper), first_));
    }

    JsonBlock &block_;
    const __m512i numbers_;
    __m512i first_; // the place of the next word's first byte
};

#endif

#if HWY_TARGET == HWY_AVX2

// The meanings of a vector's bytes as its parts of a word's masks. These are not read soon, so parts may be written one
// by one, which takes less time than putting them together.
HWY_INLINE void StoreMeanings(V meanings, size_t vector, JsonBytes &masks, size_t w) {
    HWY_UNROLL(4)
    for (size_t p = kBytePlanes; p-- > 0;) {
        const int part = _mm256_movemask_epi8(meanings.raw);
        memcpy(reinterpret_cast<char *>(masks.bits[p] + w) + vector * sizeof part, &part, sizeof part);
        meanings = hn::Add(meanings, meanings);
    }
}

#elif HWY_TARGET != HWY_AVX3_DL

HWY_INLINE void StoreMeanings(V meanings, size_t vector, JsonBytes &masks, size_t w) {
    StoreUpperPlanes<kBytePlanes>(meanings, vector, masks.bits[0] + w, PM_JSON_WORDS);
}

#endif

struct Vectors {
#if HWY_TARGET == HWY_AVX3_DL
    // Two words share a multiplication of bits, which gives four masks of each; those of eight words are exchanged.
    HWY_INLINE JsonSeen Masks(const unsigned char *text, size_t words, JsonBytes &masks) const {
        __m512i any = _mm512_setzero_si512();
        for (size_t w = 0; w < words; w += PM_JSON_STEP) {
            __m512i rows[4], pairs[4];
            HWY_UNROLL(4)
            for (size_t k = 0; k < 4; k++) {
                const unsigned char *const from = text + PM_WORD_BITS * (w + (k & 1) + 2 * (k & 2));
                const __m512i one = _mm512_loadu_si512(from), other = _mm512_loadu_si512(from + 2 * PM_WORD_BITS);
                any = _mm512_or_si512(any, _mm512_or_si512(one, other));
                rows[k] =
                    Planes(V{_mm512_or_si512(LookUpAscii(one, kHalves.lower), LookUpAscii(other, kHalves.upper))});
            }
            HWY_UNROLL(2)
            for (size_t k = 0; k < 2; k++) {
                pairs[2 * k] = _mm512_unpacklo_epi64(rows[2 * k], rows[2 * k + 1]);
                pairs[2 * k + 1] = _mm512_unpackhi_epi64(rows[2 * k], rows[2 * k + 1]);
            }
            HWY_UNROLL(2)
            for (size_t odd = 0; odd < 2; odd++) {
                _mm512_store_si512(masks.bits[odd] + w, _mm512_shuffle_i64x2(pairs[odd], pairs[2 + odd], 0x88));
                _mm512_store_si512(masks.bits[2 + odd] + w, _mm512_shuffle_i64x2(pairs[odd], pairs[2 + odd], 0xdd));
            }
        }
        return {_mm512_movepi8_mask(any) != 0, false};
    }

    HWY_INLINE size_t PutInRows(pmi_json_state &state, JsonBlock &block, const pmi_json_found &found) const {
        return JsonRows<CompressedRows>(*this, state, block, found);
    }
#else
    HWY_INLINE JsonSeen Masks(const unsigned char *text, size_t words, JsonBytes &masks) const {
        const V bytes_at = hn::LoadDup128(kBytes, kTable.bytes), meanings_at = hn::LoadDup128(kBytes, kTable.meanings);
        const hn::Repartition<uint16_t, decltype(kBytes)> twos;
        V any = hn::Zero(kBytes), least = hn::Set(kBytes, 0x20);
        for (size_t w = 0; w < words; w++) {
            HWY_UNROLL(4)
            for (size_t v = 0; v < kVectors; v++) {
                const V bytes = hn::LoadU(kBytes, text + PM_WORD_BITS * w + v * kLanes);
                const V more = hn::Add(bytes, hn::Set(kBytes, 6));
                const V shifted = hn::BitCast(kBytes, hn::ShiftRight<2>(hn::BitCast(twos, more)));
                const V places = hn::And(hn::Xor(more, shifted), hn::Set(kBytes, kPlaces - 1));
                const V means = hn::VecFromMask(kBytes, hn::Eq(bytes, LookUpBytes(bytes_at, places)));
                const V meanings = hn::And(means, LookUpBytes(meanings_at, places));
                any = hn::Or(any, bytes);
                least = hn::Min(least, hn::Or(means, bytes));
                StoreMeanings(meanings, v, masks, w);
            }
        }
        return {MaskBits(kBytes, hn::TestBit(any, hn::Set(kBytes, 0x80))) != 0,
                MaskBits(kBytes, hn::Lt(least, hn::Set(kBytes, 0x20))) != 0};
    }

    HWY_INLINE size_t PutInRows(pmi_json_state &state, JsonBlock &block, const pmi_json_found &found) const {
        return HWY_LIKELY(MovesByOne()) ? JsonRows<JsonPackedRows>(*this, state, block, found)
                                        : JsonRows<JsonListedRows>(*this, state, block, found);
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
