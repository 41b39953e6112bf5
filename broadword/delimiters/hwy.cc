// SPDX-License-Identifier: Apache-2.0
// Tags by vector instructions, compiled once for each target.
#if defined(__x86_64__) || defined(__aarch64__) || defined(__wasm_simd128__)

#include <cstring>

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
    in_tag = uint64_t{0} - static_cast<uint64_t>(one || other);
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

// What a byte is in a tag.
enum : uint8_t {
    kSlash = 1,
    kBeginsNoName = 2,
    kEndsNoName = 4
};
struct ByteRoles {
    uint8_t of[256];
};
constexpr bool BeginsName(int byte) {
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || byte == '_' || byte == ':' || byte >= 0x80;
}
constexpr ByteRoles MakeByteRoles() {
    ByteRoles roles{};
    for (int byte = 0; byte < 256; byte++)
        roles.of[byte] =
            static_cast<uint8_t>((byte == '/' ? kSlash : 0) | (BeginsName(byte) || byte == '/' ? 0 : kBeginsNoName));
    return roles;
}
constexpr ByteRoles kRoles = MakeByteRoles();

// Bytes that end names, by their lower halves, which differ.
alignas(16) constexpr uint8_t kNameEnds[16] = {' ', 0, 0, 0, 0, 0, 0, 0, 0, '\t', '\n', '\v', '\f', '\r', '>', '/'};

// A bit for each lane of a mask. MaskBits() goes through memory, where the CPU waits if fewer than 64 bits are written.
template <class M> HWY_INLINE uint64_t PieceBits(M mask) {
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
    return General(_cvtmask32_u32(mask.raw));
#elif HWY_ARCH_X86 && HWY_TARGET == HWY_AVX2
    return static_cast<uint32_t>(_mm256_movemask_epi8(hn::VecFromMask(kPiece, mask).raw));
#elif HWY_ARCH_X86
    return static_cast<uint32_t>(_mm_movemask_epi8(hn::VecFromMask(kPiece, mask).raw));
#else
    return MaskBits(kPiece, mask);
#endif
}

// Of a piece of a name and of another: which bytes end the first; and which differ, or are a =, except where both names
// end. The bits behind the piece count as different.
struct Compared {
    uint64_t ends, differ;

    // The differences before the first end and there. Some, if there is no end.
    HWY_INLINE uint64_t Differ() const {
        return differ & (ends ^ (ends - 1));
    }
};

HWY_INLINE Compared Compare(const unsigned char *name, const unsigned char *other) {
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2
    // Not as Highway has it for AVX-512: masks in registers of their own take longer here.
    const __m256i a = _mm256_loadu_si256(reinterpret_cast<const __m256i *>(name));
    const __m256i b = _mm256_loadu_si256(reinterpret_cast<const __m256i *>(other));
    const __m256i table = _mm256_broadcastsi128_si256(_mm_load_si128(reinterpret_cast<const __m128i *>(kNameEnds)));
    const __m256i a_ends = _mm256_cmpeq_epi8(_mm256_shuffle_epi8(table, a), a); // 0 for bytes from 0x80 on
    const __m256i b_ends = _mm256_cmpeq_epi8(_mm256_shuffle_epi8(table, b), b);
    const __m256i same = _mm256_andnot_si256(_mm256_cmpeq_epi8(a, _mm256_set1_epi8('=')), _mm256_cmpeq_epi8(a, b));
    const __m256i fine = _mm256_or_si256(same, _mm256_and_si256(a_ends, b_ends));
    return Compared{static_cast<uint32_t>(_mm256_movemask_epi8(a_ends)),
                    ~uint64_t{static_cast<uint32_t>(_mm256_movemask_epi8(fine))}};
#else
    const auto table = hn::LoadDup128(kPiece, kNameEnds), low = hn::Set(kPiece, 15);
    const auto a = hn::LoadU(kPiece, name), b = hn::LoadU(kPiece, other);
    const auto a_ends = hn::VecFromMask(kPiece, hn::Eq(LookUpBytes(table, hn::And(a, low)), a));
    const auto b_ends = hn::VecFromMask(kPiece, hn::Eq(LookUpBytes(table, hn::And(b, low)), b));
    const auto equal = hn::VecFromMask(kPiece, hn::Eq(a, hn::Set(kPiece, uint8_t{'='})));
    const auto same = hn::AndNot(equal, hn::VecFromMask(kPiece, hn::Eq(a, b)));
    const auto fine = hn::Or(same, hn::And(a_ends, b_ends));
    return Compared{PieceBits(hn::MaskFromVec(a_ends)), ~PieceBits(hn::MaskFromVec(fine))};
#endif
}

// The same for names of any length. False also if the first byte begins no name.
HWY_NOINLINE bool NamesFit(const unsigned char *at, size_t closes, const unsigned char *other) {
    if (kRoles.of[*at] & kBeginsNoName)
        return false;
    for (const unsigned char *name = at + closes;; name += kPieceLanes, other += kPieceLanes) {
        const Compared found = Compare(name, other);
        if (found.ends || (found.differ & pmi_bits_low(kPieceLanes)))
            return found.ends && !found.Differ();
    }
}

// What a close is compared with where nothing is open: nothing equals it.
alignas(32) constexpr unsigned char kNoName[64] = {'='};

size_t Match(pmi_tag_stack *stack, const unsigned char *text, const uint64_t *begins, const uint64_t *ends,
             size_t count) {
    uint64_t *const bottom = stack->opens, *top = bottom + stack->depth, *deepest = bottom + stack->deepest;
    const uintptr_t base = reinterpret_cast<uintptr_t>(text) + 1; // behind a text's first <
    const auto at_offset = [base](uint64_t offset)
                               HWY_ATTR { return reinterpret_cast<const unsigned char *>(base + offset); };
    uint64_t opened_all = 0;
    size_t k = 0;
    bottom[-1] = reinterpret_cast<uintptr_t>(kNoName) - base;
    for (; k < count; k++) {
        const uint64_t begin = begins[k];
        const unsigned char *const at = at_offset(begin);
        const unsigned role = kRoles.of[*at];
        const size_t closes = role & kSlash;
        const unsigned char *const opener = at_offset(top[-1]), *const other = closes ? opener : at;
        const Compared found = Compare(at + closes, other);
        if (HWY_UNLIKELY(((role & kBeginsNoName) | found.Differ()) != 0) && !NamesFit(at, closes, other))
            break;
        const size_t opened = (closes ^ 1) & size_t{text[ends[k] - 1] != '/'};
        *top = begin;
        top += static_cast<ptrdiff_t>(opened) - static_cast<ptrdiff_t>(closes);
        deepest = top > deepest ? top : deepest;
        opened_all += opened;
    }
    const uint64_t depth = static_cast<uint64_t>(top - bottom);
    stack->count += 2 * opened_all + stack->depth - depth;
    stack->depth = depth;
    stack->deepest = static_cast<uint64_t>(deepest - bottom);
    return k;
}

// ---- Known names ----

// The name there, up to 16 bytes of it.
HWY_INLINE pmi_known_name NameAt(const unsigned char *at, unsigned char end) {
    uint64_t first, second;
#if HWY_ARCH_X86
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i *>(at));
    const __m128i table = _mm_load_si128(reinterpret_cast<const __m128i *>(kNameEnds));
    const __m128i one = _mm_cmpeq_epi8(_mm_shuffle_epi8(table, bytes), bytes); // 0 for bytes from 0x80 on
    const __m128i other = _mm_cmpeq_epi8(bytes, _mm_set1_epi8(static_cast<char>(end)));
    const uint64_t ends = static_cast<uint32_t>(_mm_movemask_epi8(_mm_or_si128(one, other)));
    first = static_cast<uint64_t>(_mm_cvtsi128_si64(bytes));
    second = static_cast<uint64_t>(_mm_extract_epi64(bytes, 1));
#else
    const hn::FixedTag<uint8_t, 16> kShort;
    const auto bytes = hn::LoadU(kShort, at), table = hn::Load(kShort, kNameEnds);
    const auto one = hn::Eq(LookUpBytes(table, hn::And(bytes, hn::Set(kShort, 15))), bytes);
    const uint64_t ends = MaskBits(kShort, hn::Or(one, hn::Eq(bytes, hn::Set(kShort, end))));
    std::memcpy(&first, at, sizeof first);
    std::memcpy(&second, at + sizeof first, sizeof second);
#endif
    const unsigned length = pmi_bits_lowest(ends | uint64_t{1} << (PM_KNOWN_LENGTH + 1));
    const uint64_t low = (uint64_t{1} << 8 * length % PM_WORD_BITS) - 1; // not from a table: that would take longer
    const bool one_word = length < sizeof first;
    return pmi_known_name{{first & (one_word ? low : ~uint64_t{0}),
                           (second & (one_word ? 0 : low)) | uint64_t{length} << (PM_WORD_BITS - 8)}};
}

// 1 for a slash, else 0. A comparison's result would be written into a part of a register, where compilers may keep
// what the tag before left: tags would wait for one another.
HWY_INLINE unsigned IsSlash(unsigned char byte) {
    return ((unsigned{byte} ^ '/') - 1) >> 31;
}

size_t Names(const pmi_known_name known[PM_KNOWN_NAMES], const unsigned char *text, const uint64_t *begins,
             const uint64_t *ends, size_t count, unsigned char end, uint16_t *found) {
    size_t k = 0;
    for (; k < count; k++) {
        const unsigned char *const at = text + begins[k] + 1;
        const unsigned closes = IsSlash(*at), empty = IsSlash(text[ends[k] - 1]);
        const pmi_known_name name = NameAt(at + closes, end);
        const size_t place = pmi_known_name_place(&name);
        const uint64_t *const words = known[place].words;
        if (HWY_UNLIKELY(((words[0] ^ name.words[0]) | (words[1] ^ name.words[1])) != 0))
            break;
        found[k] = static_cast<uint16_t>(place | closes << PM_TAG_CLOSES_BIT | empty << PM_TAG_EMPTY_BIT);
    }
    return k;
}

} // namespace HWY_NAMESPACE
} // namespace
HWY_AFTER_NAMESPACE();

#endif

#if HWY_ONCE

#define PMI_TAG_KERNEL(target)                                                                                         \
    { target::Find, target::Match, target::Names }

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
