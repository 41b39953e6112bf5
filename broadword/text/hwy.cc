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
#include "broadword/text/code_words-inl.h"
#include "broadword/text/unquoted-inl.h"

// Emulated vectors are no gain over the portable words, and masks have no fixed size on scalable ones.
#if HWY_TARGET != HWY_EMU128 && HWY_TARGET != HWY_SCALAR && !HWY_HAVE_SCALABLE

HWY_BEFORE_NAMESPACE();
namespace {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using namespace pm::HWY_NAMESPACE; // of byte_lookup-inl.h

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

// Aligned, so that its speed does not depend on what is linked before it: up to 2 %.
__attribute__((aligned(128))) size_t Code(const pmi_code_rules *rules, const pmi_code_classes *classes,
                                          pmi_code_state *state, const unsigned char *text, size_t words,
                                          const pmi_code_found *found) {
#if HWY_TARGET == HWY_AVX3_DL
    const Classes table(classes->all);
    if (!table.simple())
        return ReadGroups<false, false>(rules, table, state, text, words, found);
    return rules->backticks && !rules->templates ? ReadGroups<true, true>(rules, table, state, text, words, found)
                                                 : ReadGroups<true, false>(rules, table, state, text, words, found);
#else
    return ReadCode(rules, *classes, state, text, words, found);
#endif
}

template <bool kBefore>
HWY_INLINE size_t FindBytes(unsigned char byte, const unsigned char *text, size_t words, uint64_t *masks,
                            uint16_t *before) {
    const V wanted = hn::Set(kBytes, byte);
    size_t found = 0;
    for (size_t w = 0; w < words; w++, text += PM_WORD_BITS) {
        uint64_t mask = 0;
        HWY_UNROLL(4)
        for (size_t v = 0; v < kVectors; v++)
            StorePart(hn::Eq(hn::LoadU(kBytes, text + v * kLanes), wanted), v, &mask);
        masks[w] = mask;
        if (kBefore)
            before[w] = static_cast<uint16_t>(found);
        found += pmi_bits_count(mask);
    }
    if (kBefore)
        before[words] = static_cast<uint16_t>(found);
    return found;
}

size_t Find(unsigned char byte, const unsigned char *text, size_t words, uint64_t *masks, uint16_t *before) {
    return before ? FindBytes<true>(byte, text, words, masks, before)
                  : FindBytes<false>(byte, text, words, masks, before);
}

size_t Count(const uint64_t *masks, size_t words) {
    size_t counted = 0;
    for (size_t w = 0; w < words; w++)
        counted += pmi_bits_count(masks[w]);
    return counted;
}

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

#else

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

#if HWY_TARGET == HWY_AVX3_DL || HWY_TARGET == HWY_AVX2

size_t Cancel(const uint8_t role_of[256], const unsigned char *brackets, size_t count, bool records, uint8_t *roles,
              uint16_t *numbers, size_t *rise) {
    return CancelBytes(role_of, brackets, count, records, roles, numbers, rise);
}

__attribute__((aligned(128))) size_t Unquoted(const pmi_byte_classes *classes, bool many_kinds, pmi_quotation *state,
                                              const unsigned char *text, size_t *words, size_t room,
                                              const pmi_unquoted_found *found) {
    return UnquotedBrackets(classes, many_kinds, state, text, words, room, found);
}

size_t UnquotedWithEnds(const pmi_byte_classes *classes, unsigned char separator, pmi_quotation *state,
                        const unsigned char *text, size_t *words, size_t room, const pmi_unquoted_found *found) {
    return UnquotedRecords(classes, separator, state, text, words, room, found);
}

size_t CancelUnquoted(const unsigned char *packed, size_t count, bool records, uint8_t *roles, uint16_t *numbers,
                      size_t *rise) {
    return CancelPacked(packed, count, records, roles, numbers, rise);
}

void UnpackUnquoted(const unsigned char *packed, size_t count, uint64_t *opens, uint8_t *kinds) {
    Unpack(packed, count, opens, kinds);
}

constexpr auto kCancel = &Cancel;
constexpr auto kUnquoted = &Unquoted;
constexpr auto kUnquotedRecords = &UnquotedWithEnds;
constexpr auto kCancelPacked = &CancelUnquoted;
constexpr auto kUnpack = &UnpackUnquoted;

#else

constexpr decltype(pmi_classifier::cancel) kCancel = nullptr;
constexpr decltype(pmi_classifier::unquoted) kUnquoted = nullptr;
constexpr decltype(pmi_classifier::unquoted_records) kUnquotedRecords = nullptr;
constexpr decltype(pmi_classifier::cancel_packed) kCancelPacked = nullptr;
constexpr decltype(pmi_classifier::unpack) kUnpack = nullptr;

#endif

// The lowest bit of a role says that it is an open, the third is the lowest one of its kind.
void Roles(const pmi_byte_classes *table, const unsigned char *brackets, size_t words, uint64_t *opens,
           uint8_t *kinds) {
    const Classes classes(*table);
    for (size_t w = 0; w < words; w++) {
        V found[kVectors];
        classes.LookUp<false>(brackets + w * PM_WORD_BITS, found);
        StorePlanes<1>(found, opens + w);
        HWY_UNROLL(4)
        for (size_t v = 0; v < kVectors; v++)
            hn::StoreU(hn::ShiftRight<2>(found[v]), kBytes, kinds + w * PM_WORD_BITS + v * kLanes);
    }
}

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

#define PMI_CLASSIFIER(target, bits)                                                                                   \
    {                                                                                                                  \
        target::Classify, target::Quoted, target::Code, target::Find, target::Count, target::Pick, target::Positions,  \
            target::Roles, target::kCancel, target::kUnquoted, target::kUnquotedRecords, target::kCancelPacked,        \
            target::kUnpack, target::Copy, bits                                                                        \
    }

#if HWY_ARCH_X86

const pmi_classifier pmi_classifier_avx512_vbmi = PMI_CLASSIFIER(N_AVX3_DL, true);
const pmi_classifier pmi_classifier_avx512bw = PMI_CLASSIFIER(N_AVX3, true);
const pmi_classifier pmi_classifier_avx2 = PMI_CLASSIFIER(N_AVX2, true);
const pmi_classifier pmi_classifier_sse4 = PMI_CLASSIFIER(N_SSE4, false);

#elif HWY_ARCH_ARM_A64

const pmi_classifier pmi_classifier_neon = PMI_CLASSIFIER(N_NEON, false);

#elif HWY_ARCH_WASM

const pmi_classifier pmi_classifier_simd128 = PMI_CLASSIFIER(N_WASM, false);

#endif

#endif // HWY_ONCE

#endif // architectures
