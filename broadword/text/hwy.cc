// SPDX-License-Identifier: Apache-2.0
// The classifiers for vector instructions, compiled once for each target.
#if defined(__x86_64__) || defined(__aarch64__) || defined(__wasm_simd128__)

#include "broadword/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "broadword/text/hwy.cc"
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | PMI_SCALABLE_TARGETS)
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#include "broadword/simd.h"
#include "broadword/text/byte_lookup-inl.h"
#include "broadword/text/code_groups-inl.h"
#include "broadword/text/code_masks.h"

// Emulated vectors are no gain over the portable words, and masks have no fixed size on scalable ones.
#if HWY_TARGET != HWY_EMU128 && HWY_TARGET != HWY_SCALAR && !HWY_HAVE_SCALABLE

HWY_BEFORE_NAMESPACE();
namespace {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using namespace pm::HWY_NAMESPACE; // of byte_lookup-inl.h

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

template <bool kSimple, unsigned kPlanes>
HWY_INLINE void ClassifyPlanes(const Classes &classes, const unsigned char *text, size_t words, uint64_t *masks) {
    for (; words > 0; words--, text += PM_WORD_BITS, masks += kPlanes) {
        V found[kVectors];
        PM_TEXT_EXPECT(text);
        classes.LookUp<kSimple>(text, found);
        StorePlanes<kPlanes>(found, masks);
    }
}

template <bool kSimple>
HWY_INLINE void ClassifySwitch(const Classes &classes, unsigned planes, const unsigned char *text, size_t words,
                               uint64_t *masks) {
    switch (planes) {
    case 1:
        return ClassifyPlanes<kSimple, 1>(classes, text, words, masks);
    case 2:
        return ClassifyPlanes<kSimple, 2>(classes, text, words, masks);
    case 3:
        return ClassifyPlanes<kSimple, 3>(classes, text, words, masks);
    case 4:
        return ClassifyPlanes<kSimple, 4>(classes, text, words, masks);
    case 5:
        return ClassifyPlanes<kSimple, 5>(classes, text, words, masks);
    case 6:
        return ClassifyPlanes<kSimple, 6>(classes, text, words, masks);
    case 7:
        return ClassifyPlanes<kSimple, 7>(classes, text, words, masks);
    default:
        return ClassifyPlanes<kSimple, 8>(classes, text, words, masks);
    }
}

void Classify(const pmi_byte_classes *table, unsigned planes, const unsigned char *text, size_t words,
              uint64_t *masks) {
    const Classes classes(*table);
    if (classes.simple()) {
        ClassifySwitch<true>(classes, planes, text, words, masks);
    } else {
        ClassifySwitch<false>(classes, planes, text, words, masks);
    }
}

void Quoted(pmi_quotation *state, const pmi_quoted_masks *masks, size_t words, uint64_t *outside, uint64_t *inside) {
    pmi_quotation now = *state;
    for (size_t w = 0; w < words; w++) {
        inside[w] = pmi_quoted_inside(&now, &masks[w], PrefixParity(pmi_quoted_quotes(&now, &masks[w])));
        outside[w] = masks[w].brackets & ~inside[w];
    }
    *state = now;
}

constexpr bool kMakesMasks = HWY_TARGET == HWY_AVX3_DL;

size_t Code(const pmi_code_rules *rules, const pmi_byte_classes *classes, pmi_code_state *state,
            const unsigned char *text, const uint64_t *masks, size_t words, const pmi_code_found *found) {
#if HWY_TARGET == HWY_AVX3_DL
    (void)masks;
    const Classes table(*classes);
    return table.simple() ? ReadGroups<true>(rules, table, state, text, words, found)
                          : ReadGroups<false>(rules, table, state, text, words, found);
#else
    (void)classes;
    return pmi_code_words(rules, state, text, masks, words, found, PrefixParity);
#endif
}

size_t Find(unsigned char byte, const unsigned char *text, size_t words, uint64_t *masks) {
    const V wanted = hn::Set(kBytes, byte);
    size_t found = 0;
    for (; words > 0; words--, text += PM_WORD_BITS, masks++) {
        HWY_UNROLL(4)
        for (size_t v = 0; v < kVectors; v++)
            StorePart(hn::Eq(hn::LoadU(kBytes, text + v * kLanes), wanted), v, masks);
        found += pmi_bits_count(*masks);
    }
    return found;
}

size_t Count(const uint64_t *masks, size_t words) {
    size_t counted = 0;
    for (size_t w = 0; w < words; w++)
        counted += pmi_bits_count(masks[w]);
    return counted;
}

#if HWY_TARGET == HWY_AVX3_DL || HWY_TARGET == HWY_AVX2

// Of eight brackets, the lowest bit first, where 1 is an open: how much they rise at most, and by how much in all.
struct RiseTable {
    int8_t most[256], all[256];
    constexpr RiseTable() : most(), all() {
        for (int byte = 0; byte < 256; byte++) {
            int depth = 0, deepest = 0;
            for (int bit = 0; bit < 8; bit++) {
                depth += (byte >> bit & 1) * 2 - 1;
                deepest = depth > deepest ? depth : deepest;
            }
            most[byte] = static_cast<int8_t>(deepest);
            all[byte] = static_cast<int8_t>(depth);
        }
    }
};
constexpr RiseTable kRises;

// How deep a run of brackets gets, which come 64 at a time.
class RunRise {
  public:
    // What has neither bit is no bracket.
    HWY_INLINE void Add(uint64_t opens, uint64_t closes, unsigned count) {
        int64_t depth = depth_;
        depth_ += static_cast<int64_t>(pmi_bits_count(opens)) - static_cast<int64_t>(pmi_bits_count(closes));
        if (HWY_UNLIKELY((opens | closes) != pmi_bits_low(count)))
            opens = Together(opens, opens | closes);
        for (unsigned bit = 0; bit < PM_WORD_BITS; bit += 8) {
            const unsigned byte = opens >> bit & 255;
            const int64_t deepest = depth + kRises.most[byte];
            most_ = deepest > most_ ? deepest : most_;
            depth += kRises.all[byte];
        }
    }

    size_t most() const {
        return static_cast<size_t>(most_);
    }

  private:
    static uint64_t Together(uint64_t bits, uint64_t where) {
        uint64_t together = 0;
        for (unsigned k = 0; where != 0; k++, where &= where - 1)
            together |= (bits >> pmi_bits_lowest(where) & 1) << k;
        return together;
    }

    int64_t depth_ = 0, most_ = 0;
};

#endif

#if HWY_TARGET == HWY_AVX3_DL

// Bytes are compressed in a register and stored whole: compressing to memory is slow on some CPUs.
size_t Pick(const unsigned char *text, const uint64_t *masks, size_t words, unsigned char *picked, uint16_t *before) {
    unsigned char *end = picked;
    for (size_t w = 0; w < words; w++) {
        before[w] = static_cast<uint16_t>(end - picked);
        const __m512i bytes = _mm512_loadu_si512(text + PM_WORD_BITS * w);
        _mm512_storeu_si512(end, _mm512_maskz_compress_epi8(masks[w], bytes));
        end += pmi_bits_count(masks[w]);
    }
    return static_cast<size_t>(end - picked);
}

void Positions(const uint64_t *masks, size_t words, uint64_t base, uint64_t *positions) {
    alignas(64) uint8_t number[64];
    for (unsigned i = 0; i < 64; i++)
        number[i] = static_cast<uint8_t>(i);
    const __m512i numbers = _mm512_load_si512(number);
    for (size_t w = 0; w < words; w++, base += PM_WORD_BITS) {
        const unsigned count = pmi_bits_count(masks[w]);
        const __m512i bases = _mm512_set1_epi64(static_cast<int64_t>(base));
        __m512i bits = _mm512_maskz_compress_epi8(masks[w], numbers);
        for (unsigned k = 0; k < count; k += 8) {
            const __mmask8 eight = static_cast<__mmask8>(pmi_bits_low(count - k < 8 ? count - k : 8));
            const __m512i wide = _mm512_cvtepu8_epi64(_mm512_castsi512_si128(bits));
            _mm512_mask_storeu_epi64(positions + k, eight, _mm512_add_epi64(wide, bases));
            bits = _mm512_alignr_epi64(bits, bits, 1);
        }
        positions += count;
    }
}

// A role is PM_ROLE(): an open has bit 0 set, a close bit 1, and the kind is above them; so the two of a pair differ
// by 3.
size_t Cancel(const uint8_t role_of[256], const unsigned char *brackets, size_t count, uint8_t *roles,
              uint16_t *numbers, size_t *rise) {
    const __m512i bit0 = _mm512_set1_epi8(1), bit1 = _mm512_set1_epi8(2), partners = _mm512_set1_epi8(3);
    const __m512i ascii_low = _mm512_loadu_si512(role_of), ascii_high = _mm512_loadu_si512(role_of + 64);
    const __m512i low = _mm512_loadu_si512(role_of + 128), high = _mm512_loadu_si512(role_of + 192);
    alignas(64) uint8_t number[64], following[64];
    for (unsigned i = 0; i < 64; i++) {
        number[i] = static_cast<uint8_t>(i);
        following[i] = static_cast<uint8_t>((i + 1) % 64);
    }
    const __m512i all = _mm512_load_si512(number), next = _mm512_load_si512(following);
    uint64_t differ = 0;
    RunRise risen;
    size_t left = 0;
    for (size_t first = 0; first < count; first += PM_WORD_BITS) {
        const unsigned n = static_cast<unsigned>(count - first < PM_WORD_BITS ? count - first : PM_WORD_BITS);
        uint64_t valid = pmi_bits_low(n);
        const __m512i bytes = _mm512_maskz_loadu_epi8(valid, brackets + first);
        __m512i role = _mm512_mask_mov_epi8(_mm512_permutex2var_epi8(ascii_low, bytes, ascii_high),
                                            _mm512_movepi8_mask(bytes), _mm512_permutex2var_epi8(low, bytes, high));
        __m512i places = all;
        HWY_UNROLL(2)
        for (unsigned round = 0; round < 2; round++) {
            const uint64_t opens = _mm512_mask_test_epi8_mask(valid, role, bit0);
            const uint64_t closes = _mm512_mask_test_epi8_mask(valid, role, bit1);
            const uint64_t pairs = opens & closes >> 1;
            if (round == 0)
                risen.Add(opens, closes, n);
            const __m512i other = _mm512_xor_si512(role, _mm512_permutexvar_epi8(next, role));
            differ |= _mm512_mask_cmpneq_epi8_mask(pairs, other, partners);
            const uint64_t kept = valid & ~(pairs | pairs << 1);
            role = _mm512_maskz_compress_epi8(kept, role);
            places = _mm512_maskz_compress_epi8(kept, places);
            valid = pmi_bits_low(pmi_bits_count(kept));
        }
        const __m512i base = _mm512_set1_epi16(static_cast<int16_t>(first));
        _mm512_storeu_si512(roles + left, role);
        _mm512_storeu_si512(numbers + left,
                            _mm512_add_epi16(_mm512_cvtepu8_epi16(_mm512_castsi512_si256(places)), base));
        _mm512_storeu_si512(numbers + left + 32,
                            _mm512_add_epi16(_mm512_cvtepu8_epi16(_mm512_extracti64x4_epi64(places, 1)), base));
        left += pmi_bits_count(valid);
    }
    *rise = risen.most();
    return differ ? SIZE_MAX : left;
}

constexpr auto kCancel = &Cancel;

#else

// The lowest bit of a mask, removed; anything for none.
HWY_INLINE unsigned TakeLowest(uint64_t &mask) {
    const unsigned lowest = pmi_bits_lowest(mask | UINT64_C(1) << 63);
    mask &= mask - 1;
    return lowest;
}

// Bits are taken four at a time, whether or not there are as many: a loop that ends after the last one would be
// mispredicted at every other word.
constexpr unsigned kTaken = 4;

#if HWY_TARGET == HWY_AVX2

// The roles of bytes, by rows of 16 of which most are empty.
class Roles {
  public:
    explicit Roles(const uint8_t role_of[256]) : role_of_(role_of), row_count_(0) {
        for (unsigned row = 0; row < 16; row++) {
            const __m128i roles = _mm_loadu_si128(reinterpret_cast<const __m128i *>(role_of + 16 * row));
            rows_[row_count_] = static_cast<uint8_t>(row);
            row_count_ += !_mm_testz_si128(roles, roles);
        }
    }

    HWY_INLINE __m256i LookUp(const unsigned char *bytes) const {
        const __m256i from = _mm256_loadu_si256(reinterpret_cast<const __m256i *>(bytes));
        const __m256i half = _mm256_set1_epi8(15);
        const __m256i low = _mm256_and_si256(from, half), high = _mm256_and_si256(_mm256_srli_epi16(from, 4), half);
        __m256i roles = _mm256_setzero_si256();
        for (unsigned r = 0; r < row_count_; r++) {
            const __m256i row = _mm256_broadcastsi128_si256(
                _mm_loadu_si128(reinterpret_cast<const __m128i *>(role_of_ + 16 * rows_[r])));
            const __m256i here = _mm256_cmpeq_epi8(high, _mm256_set1_epi8(static_cast<char>(rows_[r])));
            roles = _mm256_or_si256(roles, _mm256_and_si256(here, _mm256_shuffle_epi8(row, low)));
        }
        return roles;
    }

  private:
    const uint8_t *const role_of_;
    unsigned row_count_;
    uint8_t rows_[17];
};

// Bit `bit` of each byte.
HWY_INLINE uint64_t PlaneOf(__m256i low, __m256i high, int bit) {
    const uint32_t bits = static_cast<uint32_t>(_mm256_movemask_epi8(_mm256_slli_epi16(low, 7 - bit)));
    return bits | static_cast<uint64_t>(static_cast<uint32_t>(_mm256_movemask_epi8(_mm256_slli_epi16(high, 7 - bit))))
                      << 32;
}

// The first Zens take some hundred cycles to move bits together.
HWY_INLINE bool PextIsSlow() {
    return __builtin_cpu_is("znver1") || __builtin_cpu_is("znver2");
}

constexpr unsigned kCancelRounds = 3; // a fourth finds little

// The roles of 64 brackets as planes of bits: opens, closes, two of kinds.
class RolePlanes {
  public:
    uint64_t left; // those of the 64 that have not been removed

    HWY_INLINE RolePlanes(__m256i low, __m256i high, unsigned count)
        : left(pmi_bits_low(count)), valid_(left), opens_(PlaneOf(low, high, 0) & left),
          closes_(PlaneOf(low, high, 1) & left), kind0_(PlaneOf(low, high, 2)), kind1_(PlaneOf(low, high, 3)) {}

    HWY_INLINE void AddTo(RunRise &rise, unsigned count) const {
        rise.Add(opens_, closes_, count);
    }

    // Removes pairs side by side, and moves the others together. Returns those of two kinds.
    HWY_INLINE uint64_t RemovePairs() {
        const uint64_t pairs = opens_ & closes_ >> 1, kept = valid_ & ~(pairs | pairs << 1);
        const uint64_t differ = pairs & ((kind0_ ^ kind0_ >> 1) | (kind1_ ^ kind1_ >> 1));
        left = _pdep_u64(kept, left);
        opens_ = _pext_u64(opens_, kept);
        closes_ = _pext_u64(closes_, kept);
        kind0_ = _pext_u64(kind0_, kept);
        kind1_ = _pext_u64(kind1_, kept);
        valid_ = pmi_bits_low(pmi_bits_count(kept));
        return differ;
    }

  private:
    uint64_t valid_, opens_, closes_, kind0_, kind1_;
};

// See the AVX-512 one for roles.
size_t Cancel(const uint8_t role_of[256], const unsigned char *brackets, size_t count, uint8_t *roles,
              uint16_t *numbers, size_t *rise) {
    const Roles table(role_of);
    const unsigned rounds = PextIsSlow() ? 0 : kCancelRounds;
    uint64_t differ = 0;
    RunRise risen;
    size_t left = 0;
    for (size_t first = 0; first < count; first += PM_WORD_BITS) {
        alignas(32) uint8_t role[PM_WORD_BITS] = {0};
        const unsigned n = static_cast<unsigned>(count - first < PM_WORD_BITS ? count - first : PM_WORD_BITS);
        const unsigned char *bytes = brackets + first;
        if (n < PM_WORD_BITS) {
            memcpy(role, bytes, n);
            bytes = role;
        }
        const __m256i low = table.LookUp(bytes), high = table.LookUp(bytes + 32);
        _mm256_store_si256(reinterpret_cast<__m256i *>(role), low);
        _mm256_store_si256(reinterpret_cast<__m256i *>(role + 32), high);
        RolePlanes planes(low, high, n);
        planes.AddTo(risen, n);
        for (unsigned round = 0; round < rounds; round++)
            differ |= planes.RemovePairs();
        const unsigned stay = pmi_bits_count(planes.left);
        for (unsigned k = 0; k < stay; k += kTaken) {
            HWY_UNROLL(4)
            for (unsigned i = 0; i < kTaken; i++) {
                const unsigned place = TakeLowest(planes.left);
                roles[left + k + i] = role[place];
                numbers[left + k + i] = static_cast<uint16_t>(first + place);
            }
        }
        left += stay;
    }
    *rise = risen.most();
    return differ ? SIZE_MAX : left;
}

constexpr auto kCancel = &Cancel;

#else

constexpr size_t (*kCancel)(const uint8_t *, const unsigned char *, size_t, uint8_t *, uint16_t *, size_t *) = nullptr;

#endif

size_t Pick(const unsigned char *text, const uint64_t *masks, size_t words, unsigned char *picked, uint16_t *before) {
    size_t end = 0;
    for (size_t w = 0; w < words; w++, text += PM_WORD_BITS) {
        before[w] = static_cast<uint16_t>(end);
        uint64_t mask = masks[w];
        const unsigned count = pmi_bits_count(mask);
        unsigned k = 0;
        do {
            HWY_UNROLL(4)
            for (unsigned i = 0; i < kTaken; i++)
                picked[end + k + i] = text[TakeLowest(mask)];
            k += kTaken;
        } while (k < count);
        end += count;
    }
    return end;
}

void Positions(const uint64_t *masks, size_t words, uint64_t base, uint64_t *positions) {
    size_t room = Count(masks, words);
    for (size_t w = 0; w < words; w++, base += PM_WORD_BITS) {
        uint64_t mask = masks[w];
        const unsigned count = pmi_bits_count(mask);
        unsigned k = 0;
        for (; k < count && k + kTaken <= room; k += kTaken) {
            HWY_UNROLL(4)
            for (unsigned i = 0; i < kTaken; i++)
                positions[k + i] = base + TakeLowest(mask);
        }
        for (; k < count; k++)
            positions[k] = base + TakeLowest(mask);
        positions += count;
        room -= count;
    }
}

#endif

void Copy(const unsigned char *from, size_t n, unsigned char *to) {
    const size_t to_next_line = static_cast<size_t>(-reinterpret_cast<uintptr_t>(to) % PM_WORD_BITS);
    const size_t before = to_next_line < n ? to_next_line : n, end = n - (n - before) % PM_WORD_BITS;
    memcpy(to, from, before);
    for (size_t i = before; i < end; i += PM_WORD_BITS) {
        HWY_UNROLL(4)
        for (size_t v = 0; v < kVectors; v++)
            hn::Stream(hn::LoadU(kBytes, from + i + v * kLanes), kBytes, to + i + v * kLanes);
    }
    memcpy(to + end, from + end, n - end);
}

} // namespace HWY_NAMESPACE
} // namespace
HWY_AFTER_NAMESPACE();

#endif

#if HWY_ONCE

#define PMI_CLASSIFIER(target)                                                                                         \
    {                                                                                                                  \
        target::Classify, target::Quoted, target::kMakesMasks, target::Code, target::Find, target::Count,              \
            target::Pick, target::Positions, target::kCancel, target::Copy                                             \
    }

#if HWY_ARCH_X86

const pmi_classifier pmi_classifier_avx512_vbmi = PMI_CLASSIFIER(N_AVX3_DL);
const pmi_classifier pmi_classifier_avx512bw = PMI_CLASSIFIER(N_AVX3);
const pmi_classifier pmi_classifier_avx2 = PMI_CLASSIFIER(N_AVX2);
const pmi_classifier pmi_classifier_sse4 = PMI_CLASSIFIER(N_SSE4);

#elif HWY_ARCH_ARM_A64

const pmi_classifier pmi_classifier_neon = PMI_CLASSIFIER(N_NEON);

#elif HWY_ARCH_WASM

const pmi_classifier pmi_classifier_simd128 = PMI_CLASSIFIER(N_WASM);

#endif

#endif // HWY_ONCE

#endif // architectures
