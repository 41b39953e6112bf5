// SPDX-License-Identifier: Apache-2.0
// Tags by vector instructions, compiled once for each target.
#if defined(__x86_64__) || defined(__aarch64__) || defined(__wasm_simd128__)

#include "broadword/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "broadword/delimiters/hwy.cc"
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | PMI_SCALABLE_TARGETS)
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#include "broadword/simd.h"
#include "broadword/text/byte_lookup-inl.h"

// Emulated vectors are no gain over single bytes, and masks have no fixed size on scalable ones.
#if HWY_TARGET != HWY_EMU128 && HWY_TARGET != HWY_SCALAR && !HWY_HAVE_SCALABLE

HWY_BEFORE_NAMESPACE();
namespace {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using namespace pm::HWY_NAMESPACE; // of byte_lookup-inl.h

// ---- Where tags begin and end ----

// Of a word of text, bytes that are these.
struct Masks {
    uint64_t begins, ends, quotes, apostrophes, equals, specials, newlines;
};

// Masks are wanted in general registers: compilers would compute with them where that takes three times as long.
HWY_INLINE uint64_t General(uint64_t mask) {
#if defined(__GNUC__) && HWY_ARCH_X86
    __asm__("" : "+r"(mask));
#endif
    return mask;
}

HWY_INLINE Masks MasksOf(const unsigned char *text) {
    Masks masks;
    HWY_UNROLL(4)
    for (size_t v = 0; v < kVectors; v++) {
        const V bytes = hn::LoadU(kBytes, text + v * kLanes), next = hn::LoadU(kBytes, text + 1 + v * kLanes);
        const auto is = [&](char byte) HWY_ATTR { return hn::Eq(bytes, hn::Set(kBytes, static_cast<uint8_t>(byte))); };
        const auto special =
            hn::Or(hn::Eq(next, hn::Set(kBytes, uint8_t{'!'})), hn::Eq(next, hn::Set(kBytes, uint8_t{'?'})));
        StorePart(is('<'), v, &masks.begins);
        StorePart(is('>'), v, &masks.ends);
        StorePart(is('"'), v, &masks.quotes);
        StorePart(is('\''), v, &masks.apostrophes);
        StorePart(is('='), v, &masks.equals);
        StorePart(is('\n'), v, &masks.newlines);
        StorePart(special, v, &masks.specials);
    }
    return Masks{General(masks.begins),      General(masks.ends),   General(masks.quotes),
                 General(masks.apostrophes), General(masks.equals), General(masks.specials & masks.begins),
                 General(masks.newlines)};
}

// From each `<` to the next `>`, both included: a carry runs through what is not `>`. A `<` in between is left out.
HWY_INLINE uint64_t Spans(uint64_t begins, uint64_t ends, uint64_t &in_tag) {
    uint64_t sum;
    const bool one = __builtin_add_overflow(~ends, begins, &sum);
    const bool other = __builtin_add_overflow(sum, in_tag & 1, &sum);
    in_tag = uint64_t{0} - uint64_t{one | other};
    return sum ^ ~ends;
}

// What is odd of quotation marks in tags, were all values in quotes: a `>` or a quote's opening where none is expected,
// and marks of the other sort outside.
HWY_INLINE uint64_t OddQuotes(uint64_t inside, uint64_t ends, uint64_t quotes, uint64_t others, uint64_t behind_equal) {
    return (ends & inside) | (others & ~inside) | (quotes & inside & ~behind_equal);
}

#if HWY_TARGET == HWY_AVX3_DL

HWY_INLINE size_t Append(uint64_t *places, size_t count, uint64_t mask, size_t base) {
    alignas(64) static constexpr uint8_t kNumbers[64] = {
        0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
        22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43,
        44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63};
    const unsigned found = pmi_bits_count(mask);
    const __m512i bases = _mm512_set1_epi64(static_cast<int64_t>(base));
    __m512i bits = _mm512_maskz_compress_epi8(mask, _mm512_load_si512(kNumbers));
    uint64_t *to = places + count;
    unsigned k = 0;
    do {
        _mm512_storeu_si512(to + k, _mm512_add_epi64(_mm512_cvtepu8_epi64(_mm512_castsi512_si128(bits)), bases));
        bits = _mm512_alignr_epi64(bits, bits, 1);
        k += 8;
    } while (HWY_UNLIKELY(k < found));
    return count + found;
}

#else

// Four at a time, whether or not there are as many: a loop that ends after the last one would be mispredicted often.
HWY_INLINE size_t Append(uint64_t *places, size_t count, uint64_t mask, size_t base) {
    const unsigned found = pmi_bits_count(mask);
    uint64_t *to = places + count;
    unsigned k = 0;
    do {
        HWY_UNROLL(4)
        for (unsigned i = 0; i < 4; i++) {
            to[k + i] = base + pmi_bits_lowest(mask | UINT64_C(1) << 63);
            mask &= mask - 1;
        }
        k += 4;
    } while (HWY_UNLIKELY(k < found));
    return count + found;
}

#endif

size_t Find(pmi_tag_state *state, const unsigned char *text, size_t at, size_t words, pmi_tag_places *places,
            uint64_t *events) {
    uint64_t in_tag = state->in_tag, quoted = state->quoted, sort = state->apostrophes, equal = state->behind_equal;
    uint64_t newlines = state->newlines;
    size_t begins = places->begin_count, ends = places->end_count, w = 0;
    for (; w < words; w++, at += PM_WORD_BITS) {
        PM_TEXT_EXPECT(text + at);
        const Masks masks = MasksOf(text + at);
        uint64_t still_in_tag = in_tag;
        const uint64_t tags = Spans(masks.begins, masks.ends, still_in_tag);
        const uint64_t behind_equal = masks.equals << 1 | (equal & 1);
        const uint64_t swap = (masks.quotes ^ masks.apostrophes) & sort;
        const uint64_t quotes = (masks.quotes ^ swap) & tags, others = (masks.apostrophes ^ swap) & tags;
        const uint64_t tag_ends = masks.ends & tags, odd = masks.specials | (masks.begins & ~tags);
        uint64_t inside = PrefixParity(quotes) ^ quoted;
        if (HWY_UNLIKELY((odd | OddQuotes(inside, tag_ends, quotes, others, behind_equal)) != 0)) {
            const uint64_t other_inside = PrefixParity(others);
            if (quoted || (odd | OddQuotes(other_inside, tag_ends, others, quotes, behind_equal)) != 0) {
                *events = masks.begins | masks.ends | masks.quotes | masks.apostrophes;
                break;
            }
            inside = other_inside;
            sort = ~sort;
        }
        begins = Append(places->begins, begins, masks.begins, at);
        ends = Append(places->ends, ends, tag_ends, at);
        newlines += pmi_bits_count(masks.newlines);
        in_tag = still_in_tag;
        quoted = uint64_t{0} - (inside >> (PM_WORD_BITS - 1));
        equal = masks.equals >> (PM_WORD_BITS - 1);
    }
    places->begin_count = begins;
    places->end_count = ends;
    state->in_tag = in_tag;
    state->quoted = quoted;
    state->apostrophes = sort;
    state->behind_equal = uint64_t{0} - (equal & 1);
    state->newlines = newlines;
    return w;
}

// ---- Names ----

const hn::CappedTag<uint8_t, 32> kPiece; // bytes of names that are compared at once
constexpr size_t kPieceLanes = HWY_MIN(kLanes, 32);

// The byte behind a `<`: 0 begins a name, 1 is the slash of a close, 2 is neither.
struct FirstBytes {
    uint8_t of[256];
};
constexpr FirstBytes MakeFirstBytes() {
    FirstBytes first{};
    for (int byte = 0; byte < 256; byte++)
        first.of[byte] =
            byte == '/' ? 1
            : (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || byte == '_' || byte == ':' || byte >= 0x80
                ? 0
                : 2;
    return first;
}
constexpr FirstBytes kFirst = MakeFirstBytes();

// Bytes that end names, by their lower halves, which differ.
alignas(16) constexpr uint8_t kNameEnds[16] = {' ', 0, 0, 0, 0, 0, 0, 0, 0, '\t', '\n', '\v', '\f', '\r', '>', '/'};

// What two names have in the same places: bits that are set where a piece of `name` has an end, where both have the
// same bytes, and no =.
struct Compared {
    uint64_t ends, differ;
};

HWY_INLINE Compared Compare(const unsigned char *name, const unsigned char *other) {
    const auto table = hn::LoadDup128(kPiece, kNameEnds), low = hn::Set(kPiece, 15);
    const auto a = hn::LoadU(kPiece, name), b = hn::LoadU(kPiece, other);
    const auto a_ends = hn::Eq(LookUpBytes(table, hn::And(a, low)), a);
    const auto b_ends = hn::Eq(LookUpBytes(table, hn::And(b, low)), b);
    const auto equal = hn::AndNot(hn::Eq(a, hn::Set(kPiece, uint8_t{'='})), hn::Eq(a, b));
    const uint64_t ends = General(MaskBits(kPiece, a_ends)), others = General(MaskBits(kPiece, b_ends));
    const uint64_t same = General(MaskBits(kPiece, equal)), lowest = ends ^ (ends - 1);
    return Compared{ends, (~same & lowest >> 1) | ((ends ^ others) & lowest)};
}

// Names that do not end in the first piece.
HWY_NOINLINE bool LongNamesFit(const unsigned char *name, const unsigned char *other) {
    for (;; name += kPieceLanes, other += kPieceLanes) {
        const Compared found = Compare(name, other);
        const uint64_t all = kPieceLanes == 64 ? ~uint64_t{0} : (uint64_t{1} << kPieceLanes % 64) - 1;
        if (found.ends)
            return found.differ == 0;
        if (found.differ & all)
            return false;
    }
}

size_t Match(pmi_tag_stack *stack, const unsigned char *text, const uint64_t *begins, const uint64_t *ends,
             size_t count) {
    uint64_t *const opens = stack->opens;
    uint64_t depth = stack->depth, deepest = stack->deepest, counted = stack->count;
    size_t k = 0;
    for (; k < count; k++) {
        const uint64_t begin = begins[k];
        const unsigned char *const at = text + begin + 1;
        const uint64_t first = kFirst.of[*at], closes = first & 1;
        const uint64_t top = opens[static_cast<int64_t>(depth) - 1];
        const unsigned char *const name = at + closes, *const other = text + 1 + (closes ? top : begin);
        uint64_t wrong = (first & 2) | uint64_t{closes > depth};
        if (HWY_UNLIKELY(wrong != 0))
            break;
        const Compared found = Compare(name, other);
        if (HWY_UNLIKELY(found.differ != 0) && (found.ends != 0 || !LongNamesFit(name, other)))
            break;
        const uint64_t opened = (closes ^ 1) & uint64_t{text[ends[k] - 1] != '/'};
        opens[depth] = begin;
        depth += opened - closes;
        deepest = depth > deepest ? depth : deepest;
        counted += opened + closes;
    }
    stack->depth = depth;
    stack->deepest = deepest;
    stack->count = counted;
    return k;
}

} // namespace HWY_NAMESPACE
} // namespace
HWY_AFTER_NAMESPACE();

#endif

#if HWY_ONCE

#define PMI_TAG_KERNEL(target)                                                                                         \
    { target::Find, target::Match }

#if HWY_ARCH_X86

const pmi_tag_kernel pmi_tag_kernel_avx512_vbmi = PMI_TAG_KERNEL(N_AVX3_DL);
const pmi_tag_kernel pmi_tag_kernel_avx512bw = PMI_TAG_KERNEL(N_AVX3);
const pmi_tag_kernel pmi_tag_kernel_avx2 = PMI_TAG_KERNEL(N_AVX2);
const pmi_tag_kernel pmi_tag_kernel_sse4 = PMI_TAG_KERNEL(N_SSE4);

#elif HWY_ARCH_ARM_A64

const pmi_tag_kernel pmi_tag_kernel_neon = PMI_TAG_KERNEL(N_NEON);

#elif HWY_ARCH_WASM

const pmi_tag_kernel pmi_tag_kernel_simd128 = PMI_TAG_KERNEL(N_WASM);

#endif

#endif // HWY_ONCE

#endif // architectures
