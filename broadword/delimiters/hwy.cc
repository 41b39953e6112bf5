// SPDX-License-Identifier: Apache-2.0
// Tags by vector instructions, compiled once for each target.
#if defined(__x86_64__) || defined(__aarch64__) || defined(__wasm_simd128__)

#include <cstring>

#include "base/token.h"
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
    uint64_t opens, closes; // the first bytes of braces that begin and end something
    uint64_t odd_parts;     // bytes by which what is in braces is more than a stretch to their end
};

// Masks are wanted in general registers: compilers would compute with them where that takes three times as long.
HWY_INLINE uint64_t General(uint64_t mask) {
#if defined(__GNUC__) && HWY_ARCH_X86
    __asm__("" : "+r"(mask));
#endif
    return mask;
}

template <pmi_tag_braces kBraces> HWY_INLINE Masks MasksOf(const unsigned char *text) {
    Masks masks;
    masks.opens = masks.closes = masks.odd_parts = 0;
    HWY_UNROLL(4)
    for (size_t v = 0; v < kVectors; v++) {
        const V bytes = hn::LoadU(kBytes, text + v * kLanes), next = hn::LoadU(kBytes, text + 1 + v * kLanes);
        const auto is = [&](char byte) HWY_ATTR { return hn::Eq(bytes, hn::Set(kBytes, static_cast<uint8_t>(byte))); };
        const auto is_next = [&](char byte)
                                 HWY_ATTR { return hn::Eq(next, hn::Set(kBytes, static_cast<uint8_t>(byte))); };
        StorePart(is('<'), v, &masks.begins);
        StorePart(is('>'), v, &masks.ends);
        StorePart(is('"'), v, &masks.quotes);
        StorePart(is('\''), v, &masks.apostrophes);
        StorePart(is('='), v, &masks.equals);
        StorePart(is('\n'), v, &masks.newlines);
        StorePart(hn::Or(is_next('!'), is_next('?')), v, &masks.specials);
        if (kBraces == PM_BRACES_TWICE) {
            StorePart(hn::And(is('{'), is_next('{')), v, &masks.opens);
            StorePart(hn::And(is('}'), is_next('}')), v, &masks.closes);
        }
        if (kBraces == PM_BRACES_EXPRESSIONS) {
            const auto tag = hn::And(is('{'), hn::Or(is_next('#'), is_next('/')));
            const auto comment = hn::And(is('/'), is_next('*'));
            StorePart(is('{'), v, &masks.opens);
            StorePart(is('}'), v, &masks.closes);
            StorePart(hn::Or(hn::Or(tag, comment), hn::Or(is('`'), is('\\'))), v, &masks.odd_parts);
        }
    }
    return Masks{General(masks.begins),
                 General(masks.ends),
                 General(masks.quotes),
                 General(masks.apostrophes),
                 General(masks.equals),
                 General(masks.specials & masks.begins),
                 General(masks.newlines),
                 kBraces == PM_BRACES_NOTHING ? 0 : General(masks.opens),
                 kBraces == PM_BRACES_NOTHING ? 0 : General(masks.closes),
                 kBraces == PM_BRACES_EXPRESSIONS ? General(masks.odd_parts) : 0};
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

// What is in braces.
struct Braces {
    uint64_t in;
    uint64_t opens;  // that are in no others
    uint64_t quotes; // of strings
    uint64_t odd;    // what is odd, were strings of one sort there, and all else without a meaning
};

// From each open that is in no others to its close.
HWY_NOINLINE uint64_t NestedSpans(uint64_t *opens, uint64_t closes, uint64_t *depth) {
    uint64_t spans = 0, outer = 0, begin = *depth > 0 ? 0 : PM_WORD_BITS, deep = *depth;
    for (uint64_t rest = *opens | closes; rest != 0; rest &= rest - 1) {
        const uint64_t bit = rest & (0 - rest);
        if (*opens & bit) {
            begin = deep == 0 ? pmi_bits_lowest(bit) : begin;
            outer |= deep++ == 0 ? bit : 0;
        } else if (deep > 0 && --deep == 0) {
            spans |= (bit | (bit - 1)) & (UINT64_MAX << begin);
        }
    }
    *opens = outer;
    *depth = deep;
    return deep > 0 ? spans | UINT64_MAX << begin : spans;
}

// In others there are braces in expressions alone.
template <pmi_tag_braces kBraces> HWY_INLINE Braces BracesOf(const Masks &masks, uint64_t &depth) {
    if (kBraces == PM_BRACES_NOTHING)
        return Braces{0, 0, 0, 0};
    uint64_t open = uint64_t{0} - (depth & 1);
    Braces braces{Spans(masks.opens, masks.closes, open), masks.opens, 0, 0};
    if (kBraces == PM_BRACES_EXPRESSIONS && HWY_UNLIKELY(((masks.opens & ~braces.in) | (depth >> 1)) != 0))
        braces.in = NestedSpans(&braces.opens, masks.closes, &depth);
    else
        depth = open & 1;
    const uint64_t quotes = masks.quotes & braces.in, apostrophes = masks.apostrophes & braces.in;
    braces.quotes = quotes | apostrophes;
    // From each quote that opens a string to before the next one.
    const uint64_t strings = HWY_UNLIKELY(braces.quotes != 0) ? PrefixParity(braces.quotes) : 0;
    const uint64_t cut = kBraces == PM_BRACES_EXPRESSIONS ? masks.newlines : 0; // a line ends its strings
    const uint64_t at_end = depth != 0 ? UINT64_C(1) << (PM_WORD_BITS - 1) : 0;
    braces.odd = (braces.opens & ~braces.in) | (masks.odd_parts & braces.in) |
                 (strings & (((masks.opens | masks.closes) & braces.in) | cut | at_end)) |
                 (quotes != 0 ? apostrophes : 0);
    return braces;
}

// What is odd of braces in tags, by which bytes are inside values, which are read as if nothing in braces were there.
template <pmi_tag_braces kBraces>
HWY_INLINE uint64_t OddInTags(const Braces &braces, uint64_t depth, uint64_t tags, uint64_t inside) {
    if (kBraces == PM_BRACES_NOTHING)
        return 0;
    if (kBraces == PM_BRACES_TWICE)
        return braces.opens & tags;
    return (depth != 0 ? inside >> (PM_WORD_BITS - 1) : 0) | (braces.quotes != 0 ? braces.opens & inside : 0);
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

template <pmi_tag_braces kBraces>
size_t Find(pmi_tag_state *state, const unsigned char *text, size_t at, size_t words, pmi_tag_places *places,
            uint64_t *events) {
    pmi_tag_state now = *state; // in registers
    size_t begins = places->begin_count, ends = places->end_count, w = 0;
    for (; w < words; w++, at += PM_WORD_BITS) {
        PM_TEXT_EXPECT(text + at);
        const Masks masks = MasksOf<kBraces>(text + at);
        uint64_t still_in_tag = now.in_tag, still_depth = now.in_braces;
        const Braces braces = BracesOf<kBraces>(masks, still_depth);
        const uint64_t tag_begins = masks.begins & ~braces.in;
        const uint64_t tags = Spans(tag_begins, masks.ends & ~braces.in, still_in_tag);
        const uint64_t behind_equal = masks.equals << 1 | (now.behind_equal & 1);
        const uint64_t swap = (masks.quotes ^ masks.apostrophes) & now.apostrophes, values = tags & ~braces.in;
        const uint64_t quotes = (masks.quotes ^ swap) & values, others = (masks.apostrophes ^ swap) & values;
        const uint64_t tag_ends = masks.ends & values;
        const uint64_t odd =
            ((masks.specials | ~tags) & tag_begins) | braces.odd | (masks.newlines & braces.in & now.lines);
        const auto odd_with = [&](uint64_t inside, uint64_t marks, uint64_t other_marks) HWY_ATTR {
            return odd | OddQuotes(inside, tag_ends, marks, other_marks, behind_equal) |
                   OddInTags<kBraces>(braces, still_depth, tags, inside);
        };
        uint64_t inside = PrefixParity(quotes) ^ now.quoted;
        if (HWY_UNLIKELY(odd_with(inside, quotes, others) != 0)) {
            const uint64_t other_inside = PrefixParity(others);
            if (now.quoted || odd_with(other_inside, others, quotes) != 0) {
                *events = masks.begins | masks.ends | masks.quotes | masks.apostrophes | masks.opens;
                break;
            }
            inside = other_inside;
            now.apostrophes = ~now.apostrophes;
        }
        begins = Append(places->begins, begins, tag_begins, at);
        ends = Append(places->ends, ends, tag_ends, at);
        now.newlines += pmi_bits_count(masks.newlines);
        now.in_tag = still_in_tag;
        now.in_braces = still_depth;
        if (kBraces != PM_BRACES_NOTHING)
            now.braces = braces.opens != 0 ? at + pmi_bits_highest(braces.opens) : now.braces;
        now.quoted = uint64_t{0} - (inside >> (PM_WORD_BITS - 1));
        now.behind_equal = uint64_t{0} - (masks.equals >> (PM_WORD_BITS - 1));
    }
    places->begin_count = begins;
    places->end_count = ends;
    *state = now;
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

const hn::FixedTag<uint8_t, 16> kShort;
using ShortName = hn::Vec<decltype(kShort)>;

// Bytes of the name there, a slash before it included; more than PM_KNOWN_LENGTH if it is longer.
HWY_INLINE unsigned NameLength(ShortName bytes, ShortName end) {
    const auto table = hn::Load(kShort, kNameEnds);
#if HWY_ARCH_X86
    const __m128i one = _mm_cmpeq_epi8(_mm_shuffle_epi8(table.raw, bytes.raw), bytes.raw); // 0 from 0x80 on
    const __m128i other = _mm_cmpeq_epi8(bytes.raw, end.raw);
    const unsigned ends = static_cast<unsigned>(_mm_movemask_epi8(_mm_or_si128(one, other)));
#else
    const auto one = hn::Eq(LookUpBytes(table, hn::And(bytes, hn::Set(kShort, 15))), bytes);
    const unsigned ends = static_cast<unsigned>(MaskBits(kShort, hn::Or(one, hn::Eq(bytes, end))));
#endif
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2
    return _tzcnt_u32(ends & ~1u); // 32 if there is no end
#else
    return pmi_bits_lowest((ends & ~1u) | 1u << (PM_KNOWN_LENGTH + 1));
#endif
}

// The first bytes of a name, zeros behind its end.
HWY_INLINE uint64_t FirstBytes(const unsigned char *name, unsigned length) {
    uint64_t bytes;
    std::memcpy(&bytes, name, sizeof bytes);
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2
    return _bzhi_u64(bytes, 8 * length);
#else
    return length < sizeof bytes ? bytes & ((uint64_t{1} << 8 * length) - 1) : bytes;
#endif
}

// The bytes of a name that are others than those of the tag's.
HWY_INLINE unsigned OtherBytes(ShortName bytes, unsigned length, const pmi_known_tag &tag) {
    const auto known = hn::LoadU(kShort, reinterpret_cast<const uint8_t *>(tag.name));
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
    return _bzhi_u32(_cvtmask16_u32(_mm_cmpneq_epi8_mask(bytes.raw, known.raw)), length);
#elif HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2
    return _bzhi_u32(~static_cast<unsigned>(_mm_movemask_epi8(_mm_cmpeq_epi8(bytes.raw, known.raw))), length);
#else
    return ~static_cast<unsigned>(MaskBits(kShort, hn::Eq(bytes, known))) & ((1u << length) - 1);
#endif
}

// Sees to it that a value is stored alone: compilers would collect it and the next one in a vector, which takes longer.
HWY_INLINE void Store(uint64_t &value) {
#if defined(__GNUC__)
    __asm__("" : "+m"(value));
#else
    (void)value;
#endif
}

// Returns the innermost open that is left when a tag with a known name has ended those that may be left open, after
// which it does what simple tags do; null if it ends none of them, or more than `most`.
HWY_NOINLINE pmi_open *WithoutEnded(const pmi_known_tag *tag, pmi_open *top, size_t most) {
    pmi_open *left = top;
    const auto ended = [tag, &left] { // is it ended, if not what is closed?
        return tag->closes ? left->kind != tag->open.kind && tag->closed != 0 : (tag->ends & left->chain) != 0;
    };
    for (; ended(); left--)
        if (most-- == 0 || (tag->closes && left->implied == PM_NONE))
            return nullptr;
    return left < top ? left : nullptr;
}

// Does the tag close something else than the innermost open, which may not be left open, and is that only counted?
HWY_INLINE bool IsCounted(const pmi_tags_taken *taken, const pmi_known_tag *tag, const pmi_open *top) {
    return taken->bottom && tag->closed != 0 && top->kind != tag->open.kind && top->implied == PM_NONE;
}

// Returns the innermost open behind such a close.
HWY_NOINLINE pmi_open *CountBadClose(pmi_tags_taken *taken, pmi_open *top) {
    const bool none = top == taken->bottom;
    taken->unmatched += none;
    taken->mismatched += !none;
    taken->count += none ? 1 : 2; // TakeTags() takes what is closed off
    return none ? top : top - 1;
}

// At most so many opens may be ended besides: with tokens, for which there is room, one; else as many as are looked at.
template <bool kNotes> constexpr size_t kMostEnded = kNotes ? 1 : PM_OPENS_SEEN;

constexpr size_t kLooked = 16; // tags that are looked up at once, at most
constexpr size_t kLookedFirst = 1;

// The entries of some tags' names, and where they are of another name: not 0. Tag k's are at k % kLooked.
struct Looked {
    const pmi_known_tag *tags[kLooked];
    uint32_t others[kLooked];
};

// Bytes of a piece of a name that end it.
HWY_INLINE unsigned NameEnds(ShortName bytes, ShortName end) {
    const auto table = hn::Load(kShort, kNameEnds);
    const auto one = hn::Eq(LookUpBytes(table, hn::And(bytes, hn::Set(kShort, 15))), bytes);
    return static_cast<unsigned>(MaskBits(kShort, hn::Or(one, hn::Eq(bytes, end))));
}

// Looks up a name that is longer than PM_KNOWN_LENGTH.
HWY_NOINLINE const pmi_known_tag *LookUpLong(const pmi_known_tag *known, const pmi_known_rest *rests,
                                             const unsigned char *at, ShortName end, uint64_t factor,
                                             uint32_t *others) {
    const auto second = hn::LoadU(kShort, at + 16), third = hn::LoadU(kShort, at + 32);
    const unsigned ends = NameEnds(second, end) | NameEnds(third, end) << 16;
    const unsigned rest = ends ? pmi_bits_lowest(ends) : PM_KNOWN_REST, length = 16 + rest;
    uint64_t first, last;
    std::memcpy(&first, at, sizeof first);
    std::memcpy(&last, at + length - sizeof last, sizeof last);
    const size_t place = pmi_known_long_name_place(first, last, length, factor);
    const uint8_t *const kept = rests[place / 2].bytes;
    const unsigned same = static_cast<unsigned>(MaskBits(kShort, hn::Eq(second, hn::LoadU(kShort, kept)))) |
                          static_cast<unsigned>(MaskBits(kShort, hn::Eq(third, hn::LoadU(kShort, kept + 16)))) << 16;
    const bool other = std::memcmp(known[place].name, at, 16) != 0 ||
                       known[place].open.length != length + PM_KNOWN_LONG || ends == 0 ||
                       (~same & (ends - 1) & ~ends) != 0;
    *others = other;
    return known + place;
}

// Looks up the names of tags from k on, and returns where it stopped. It starts with few: an unknown name ends a run of
// tags, and what was looked up behind it is looked up again.
template <bool kWide>
HWY_INLINE size_t LookUp(const pmi_known_tag *known, const pmi_known_rest *rests, const unsigned char *text,
                         const uint64_t *begins, size_t k, size_t count, ShortName end, uint64_t factor,
                         Looked &looked) {
    const size_t some = k == 0 ? kLookedFirst : HWY_MIN(k, kLooked), stop = HWY_MIN(k + some, count);
    for (; k < stop; k++) {
        const unsigned char *const at = text + begins[k] + 1;
        const auto bytes = hn::LoadU(kShort, at);
        const unsigned length = NameLength(bytes, end);
        if (kWide && length > PM_KNOWN_LENGTH) {
            looked.tags[k % kLooked] = LookUpLong(known, rests, at, end, factor, &looked.others[k % kLooked]);
            continue;
        }
        const pmi_known_tag *const tag = known + pmi_known_name_place(FirstBytes(at, length), length, factor);
        looked.tags[k % kLooked] = tag;
        looked.others[k % kLooked] = (tag->open.length ^ length) | OtherBytes(bytes, length, *tag);
    }
    return stop;
}

// There is no branch that depends on what a tag does. Names are looked up some tags ahead: a CPU would wait for each
// with all that depends on it. In the wide way, names may be long, and a tag may end what may be left open, or close
// something else than what is open. Of records the last tag is noted with which one begins, before which nothing is
// open.
template <bool kStacks, bool kNotes, bool kRecords, bool kWide>
HWY_INLINE size_t TakeTags(pmi_tags_taken *taken, const pmi_known_tag *known, const pmi_known_rest *rests,
                           const unsigned char *text, const uint64_t *begins, const uint64_t *ends, size_t first,
                           size_t count, unsigned char end) {
    pmi_open *top = taken->top, *deepest = taken->deepest, *flat_deepest = taken->flat_deepest;
    const uint8_t *const firsts = kRecords ? taken->firsts + first : nullptr;
    size_t flat = SIZE_MAX, flat_closed = 0;
    pmi_token *const tokens = taken->tokens + (kNotes ? taken->count : 0);
    const ShortName name_end = hn::Set(kShort, end);
    const uint64_t factor = kStacks ? PM_KNOWN_FACTOR : taken->factor;
    size_t closed = 0, noted = 0, k = 0, looked_up = 0;
    Looked looked;
    for (; k < count; k++) {
        if (k == looked_up)
            looked_up = LookUp<kWide>(known, rests, text, begins, k, count, name_end, factor, looked);
        const uint64_t begin = begins[k], last = ends[k];
        const pmi_known_tag *const tag = looked.tags[k % kLooked];
        const ptrdiff_t step = tag->steps[text[last - 1] == '/'];
        uint64_t unfit = looked.others[k % kLooked];
        if (kStacks) {
            const uint32_t other_kind = (tag->open.kind ^ top->kind) & static_cast<uint32_t>(tag->closed);
            unfit |= uint64_t{other_kind} | (tag->ends & top->chain);
            if (kRecords)
                unfit |= uint64_t{firsts[k]} & static_cast<uint64_t>(top != taken->floor);
        } else {
            unfit |= step == PM_KNOWN_EMPTY;
        }
        if (HWY_UNLIKELY(unfit != 0)) {
            if (kRecords && firsts[k] && top != taken->floor)
                break;
            if (kWide && kStacks && !kNotes && looked.others[k % kLooked] == 0 && IsCounted(taken, tag, top)) {
                top = CountBadClose(taken, top);
                continue;
            }
            pmi_open *const left = kWide && kStacks && looked.others[k % kLooked] == 0
                                       ? WithoutEnded(tag, top, kMostEnded<kNotes>)
                                       : nullptr;
            if (!left)
                break;
            if (kNotes)
                tokens[noted++] = pmi_token{static_cast<size_t>(begin), static_cast<size_t>(begin), top->kind, false};
            closed += static_cast<size_t>(top - left);
            top = left;
        }
        if (kRecords) {
            flat = firsts[k] ? k : flat;
            flat_closed = firsts[k] ? closed : flat_closed;
            flat_deepest = firsts[k] ? deepest : flat_deepest;
        }
        if (kStacks) {
            const uint64_t chain = tag->open.chain | (top->chain & static_cast<uint64_t>(int64_t{tag->keeps}));
            top[1] = tag->open;
            top[1].begin = begin;
            Store(top[1].begin);
            top[1].chain = chain;
            top[1].length = static_cast<uint32_t>(last + 1 - begin);
            top += step;
            deepest = top > deepest ? top : deepest;
        }
        if (kNotes) {
            tokens[noted] =
                pmi_token{static_cast<size_t>(begin), static_cast<size_t>(last) + 1, tag->open.kind, step > 0};
            noted += step != 0;
        }
        closed += tag->closes;
    }
    if (kRecords && flat != SIZE_MAX) {
        taken->flat = first + flat;
        taken->flat_count = taken->count + 2 * flat_closed + static_cast<size_t>(taken->floor - taken->top);
        taken->flat_deepest = flat_deepest;
    }
    taken->count += kNotes ? noted : 2 * closed + static_cast<size_t>(top - taken->top);
    taken->top = top;
    taken->deepest = deepest;
    return k;
}

template <bool kStacks, bool kNotes, bool kRecords>
HWY_NOINLINE size_t TakeFast(pmi_tags_taken *taken, const pmi_known_tag *known, const unsigned char *text,
                             const uint64_t *begins, const uint64_t *ends, size_t first, size_t count,
                             unsigned char end) {
    return TakeTags<kStacks, kNotes, kRecords, false>(taken, known, nullptr, text, begins + first, ends + first, first,
                                                      count - first, end);
}

constexpr size_t kWideTags = 8;
constexpr size_t kWideMost = 256;

// Is the wide way worth a try for a tag whose name, or slash, is at `at`?
template <bool kStacks, bool kNotes>
HWY_INLINE bool IsForWide(const pmi_tags_taken *taken, const pmi_known_tag *known, const unsigned char *at,
                          unsigned char end) {
    const auto bytes = hn::LoadU(kShort, at);
    const unsigned length = NameLength(bytes, hn::Set(kShort, end));
    if (length > PM_KNOWN_LENGTH)
        return true;
    const pmi_known_tag *const tag = known + pmi_known_name_place(FirstBytes(at, length), length, PM_KNOWN_FACTOR);
    return kStacks && ((tag->open.length ^ length) | OtherBytes(bytes, length, *tag)) == 0 &&
           (WithoutEnded(tag, taken->top, kMostEnded<kNotes>) || IsCounted(taken, tag, taken->top));
}

template <bool kStacks, bool kNotes, bool kRecords>
HWY_NOINLINE size_t TakeWide(pmi_tags_taken *taken, const pmi_known_tag *known, const pmi_known_rest *rests,
                             const unsigned char *text, const uint64_t *begins, const uint64_t *ends, size_t first,
                             size_t count, unsigned char end) {
    return TakeTags<kStacks, kNotes, kRecords, true>(taken, known, rests, text, begins + first, ends + first, first,
                                                     count - first, end);
}

// Takes most tags in the fast way, which knows short names alone and ends nothing besides; where it stops, some in the
// wide way, more each time that the fast way takes none.
template <bool kStacks, bool kNotes, bool kRecords>
HWY_INLINE size_t TakeAll(pmi_tags_taken *taken, const pmi_known_tag *known, const pmi_known_rest *rests,
                          const unsigned char *text, const uint64_t *begins, const uint64_t *ends, size_t count,
                          unsigned char end) {
    size_t k = 0, wide_tags = kWideTags;
    taken->count = 0;
    for (;;) {
        const size_t fast = TakeFast<kStacks, kNotes, kRecords>(taken, known, text, begins, ends, k, count, end);
        k += fast;
        if (k == count || !IsForWide<kStacks, kNotes>(taken, known, text + begins[k] + 1, end))
            return k;
        wide_tags = fast > 0 ? kWideTags : HWY_MIN(2 * wide_tags, kWideMost);
        const size_t some = HWY_MIN(count - k, wide_tags);
        const size_t wide =
            TakeWide<kStacks, kNotes, kRecords>(taken, known, rests, text, begins, ends, k, k + some, end);
        k += wide;
        if (wide < some || k == count)
            return k;
    }
}

size_t Take(pmi_tags_taken *taken, const pmi_known_tag *known, const pmi_known_rest *rests, const unsigned char *text,
            const uint64_t *begins, const uint64_t *ends, size_t count, unsigned char end, bool stacks, bool notes) {
    if (!notes)
        return taken->firsts ? TakeAll<true, false, true>(taken, known, rests, text, begins, ends, count, end)
                             : TakeAll<true, false, false>(taken, known, rests, text, begins, ends, count, end);
    return stacks ? TakeAll<true, true, false>(taken, known, rests, text, begins, ends, count, end)
                  : TakeAll<false, true, false>(taken, known, rests, text, begins, ends, count, end);
}

} // namespace HWY_NAMESPACE
} // namespace
HWY_AFTER_NAMESPACE();

#endif

#if HWY_ONCE

#define PMI_TAG_KERNEL(target)                                                                                         \
    {                                                                                                                  \
        {target::Find<PM_BRACES_NOTHING>, target::Find<PM_BRACES_TWICE>, target::Find<PM_BRACES_EXPRESSIONS>},         \
            target::Match, target::Take                                                                                \
    }

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
