// SPDX-License-Identifier: Apache-2.0
// JSON by masks of 64 bytes, several at a time: strings, tokens, brackets, grammar, UTF-8. Compiled for each
// instruction set by who includes it, with what makes masks of bytes there.
//
// Strings and the beginnings of tokens are found as by Langdale and Lemire, "Parsing gigabytes of JSON per second",
// sections 3.1.1 and 3.1.2. UTF-8 is that of table 3-7 of the Unicode Standard.
#if defined(PM_BROADWORD_JSON_READ_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PM_BROADWORD_JSON_READ_INL_H
#undef PM_BROADWORD_JSON_READ_INL_H
#else
#define PM_BROADWORD_JSON_READ_INL_H
#endif

#include "broadword/json/json.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace pm::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Masks are worked on by vectors of words: 8, 4, 2 or 1.
const HWY_FULL(uint64_t) kWords;
using W = hn::Vec<decltype(kWords)>;
constexpr size_t kWordLanes = HWY_LANES(uint64_t);
static_assert(PM_JSON_STEP % kWordLanes == 0, "a step is whole vectors");

// Bit 63 of each word.
HWY_INLINE unsigned LastBits(W words) {
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
    return _cvtmask8_u32(_mm512_movepi64_mask(words.raw));
#elif HWY_ARCH_X86 && HWY_TARGET == HWY_AVX2
    return static_cast<unsigned>(_mm256_movemask_pd(_mm256_castsi256_pd(words.raw)));
#else
    HWY_ALIGN uint64_t of[kWordLanes];
    hn::Store(words, kWords, of);
    unsigned bits = 0;
    for (unsigned lane = 0; lane < kWordLanes; lane++)
        bits |= static_cast<unsigned>(of[lane] >> (PM_WORD_BITS - 1)) << lane;
    return bits;
#endif
}

// The words that are 0.
HWY_INLINE unsigned ZeroWords(W words) {
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
    return _cvtmask8_u32(_mm512_testn_epi64_mask(words.raw, words.raw));
#elif HWY_ARCH_X86 && HWY_TARGET == HWY_AVX2
    const __m256i zero = _mm256_cmpeq_epi64(words.raw, _mm256_setzero_si256());
    return static_cast<unsigned>(_mm256_movemask_pd(_mm256_castsi256_pd(zero)));
#else
    HWY_ALIGN uint64_t of[kWordLanes];
    hn::Store(words, kWords, of);
    unsigned bits = 0;
    for (unsigned lane = 0; lane < kWordLanes; lane++)
        bits |= static_cast<unsigned>(of[lane] == 0) << lane;
    return bits;
#endif
}

// All ones in the words with a bit in `lanes`, whose other bits do not matter.
HWY_INLINE W WordsOf(unsigned lanes) {
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
    return W{_mm512_movm_epi64(static_cast<__mmask8>(lanes))};
#elif HWY_ARCH_X86 && HWY_TARGET == HWY_AVX2
    const __m256i bits = _mm256_setr_epi64x(1, 2, 4, 8);
    return W{_mm256_cmpeq_epi64(_mm256_and_si256(_mm256_set1_epi64x(lanes), bits), bits)};
#else
    HWY_ALIGN static constexpr uint64_t ones[4][2] = {
        {0, 0}, {UINT64_MAX, 0}, {0, UINT64_MAX}, {UINT64_MAX, UINT64_MAX}};
    return hn::LoadU(kWords, ones[lanes & ((1u << kWordLanes) - 1)]);
#endif
}

// Of each bit, the parity of the bits up to and with it in its word: by carry-less multiplication where every CPU with
// the target's other instructions has that.
HWY_INLINE W ParityInWords(W words) {
#if HWY_ARCH_X86 && HWY_TARGET != HWY_SCALAR
    const W ones = hn::Set(kWords, ~uint64_t{0});
    return hn::InterleaveLower(kWords, hn::CLMulLower(words, ones), hn::CLMulUpper(words, ones));
#else
    words = hn::Xor(words, hn::ShiftLeft<1>(words));
    words = hn::Xor(words, hn::ShiftLeft<2>(words));
    words = hn::Xor(words, hn::ShiftLeft<4>(words));
    words = hn::Xor(words, hn::ShiftLeft<8>(words));
    words = hn::Xor(words, hn::ShiftLeft<16>(words));
    return hn::Xor(words, hn::ShiftLeft<32>(words));
#endif
}

// The same over all words; `before` receives the bit before each word, for all bits of it. Goes on with `carry`.
HWY_INLINE W Parity(W words, unsigned &carry, W &before) {
    const W parity = ParityInWords(words);
    unsigned odd = LastBits(parity);
    for (unsigned shift = 1; shift < kWordLanes; shift *= 2)
        odd ^= odd << shift;
    odd = odd << 1 ^ (~carry + 1);
    carry = odd >> kWordLanes & 1;
    before = WordsOf(odd);
    return hn::Xor(parity, before);
}

// A bit further on. The first bit of a word is added by taking away all ones, that is -1.
HWY_INLINE W Behind(W of, unsigned &carry) {
    const unsigned last = LastBits(of) << 1 | carry;
    carry = last >> kWordLanes;
    return hn::Sub(hn::Add(of, of), WordsOf(last));
}

// The tokens of some words, and which token is the next one.
struct JsonOrder {
    W tokens, others;
    unsigned none; // words without a token

    HWY_INLINE explicit JsonOrder(W all)
        : tokens(all), others(hn::Xor(all, hn::Set(kWords, ~uint64_t{0}))), none(ZeroWords(all)) {}

    // The tokens whose previous token is in `of`. A sum carries each bit of `of` through the bytes up to the next
    // token. It leaves a word whose last token is in `of`, and goes through words without a token.
    HWY_INLINE W Followers(W of, unsigned &carry) const {
        const W sum = hn::Add(others, hn::Add(of, of));
        const W leaves = hn::Or(of, hn::AndNot(sum, others));
        const unsigned into = (LastBits(leaves) << 1 | carry) + none;
        carry = into >> kWordLanes & 1;
        return hn::And(tokens, hn::Sub(sum, WordsOf(into ^ none)));
    }
};

// The brackets of some words, and what stands in the gap before each.
struct JsonGaps {
    W brackets, others;

    HWY_INLINE explicit JsonGaps(W all) : brackets(all), others(hn::Xor(all, hn::Set(kWords, ~uint64_t{0}))) {}

    // The brackets that are in `of`, or have a byte in `of` in the gap before them. A sum carries such bytes through
    // the gap to the bracket that ends it. `carry`: is there such a byte behind the last bracket?
    HWY_INLINE W Reached(W of, unsigned &carry) const {
        const W inside = hn::And(of, others), sum = hn::Add(others, inside);
        const unsigned passed = ZeroWords(hn::Or(of, brackets));
        const unsigned into = (LastBits(hn::Or(inside, hn::AndNot(sum, others))) << 1 | carry) + passed;
        carry = into >> kWordLanes & 1;
        return hn::And(brackets, hn::Or(of, hn::Sub(sum, WordsOf(into ^ passed))));
    }
};

// ... and for UTF-8.
struct Utf8Masks {
    uint64_t high;                      // 0x80 and above
    uint64_t from_c0, from_e0, from_f0; // that byte and those above it
    uint64_t never;                     // c0, c1, and f5 and above
    uint64_t e0, ed, f0, f4;            // that byte alone
    uint64_t below_90, below_a0;
};

// `of`, a byte further on.
HWY_INLINE uint64_t JsonBehind(uint64_t of, uint64_t &carry) {
    const uint64_t behind = of << 1 | carry;
    carry = of >> (PM_WORD_BITS - 1);
    return behind;
}

// The bytes that are wrong.
HWY_INLINE uint64_t JsonUtf8(pmi_json_state &state, const Utf8Masks &masks) {
    const uint64_t expected = masks.from_c0 << 1 | masks.from_e0 << 2 | masks.from_f0 << 3 | state.continuations;
    state.continuations = masks.from_c0 >> 63 | masks.from_e0 >> 62 | masks.from_f0 >> 61;
    uint64_t wrong = masks.never | (expected ^ (masks.high & ~masks.from_c0));
    wrong |= JsonBehind(masks.e0, state.after_e0) & masks.below_a0;
    wrong |= JsonBehind(masks.ed, state.after_ed) & ~masks.below_a0;
    wrong |= JsonBehind(masks.f0, state.after_f0) & masks.below_90;
    wrong |= JsonBehind(masks.f4, state.after_f4) & ~masks.below_90;
    return wrong;
}

// A few thousand bytes, which stay in the L1 cache from one step to the next. An entry of a mask is a word of text.
struct JsonBlock {
    using Mask = uint64_t[PM_JSON_WORDS];
    const unsigned char *text;
    size_t words;
    alignas(64) Mask quotes, backslashes, white, controls; // bytes, wherever they stand
    alignas(64) Mask opens, closes, commas, colons;        // ... at first, and then those outside strings
    alignas(64) Mask strings, starts;                      // quotes that begin strings; first bytes of scalars
    alignas(64) Mask members, elements; // brackets with a colon, or an element of an array, in the gap before them
    unsigned last_member, last_element; // the same behind the last bracket, 0 or 1

    // The list of brackets: where they are in the block. Entry 0 is not used.
    uint16_t where[(PM_JSON_WORDS + 1) * PM_WORD_BITS + 1];
    uint64_t objects[PM_JSON_WORDS + 2]; // a bit a bracket: the innermost container before it is an object
    // Where some were taken out of it, so that those that are left have other numbers: the numbers they had, above
    // where they are; and their bytes.
    alignas(64) uint32_t entries[(PM_JSON_WORDS + 1) * PM_WORD_BITS];
    alignas(64) uint8_t letters[(PM_JSON_WORDS + 1) * PM_WORD_BITS];
};

// The bytes that a backslash protects; after Langdale and Lemire as pmi_quoted_escapes(), for several words. Seldom
// does a run of backslashes end a word: then the words are gone through.
HWY_INLINE W JsonProtected(W backslashes, unsigned &escaped) {
    const W odd = hn::Set(kWords, UINT64_C(0xaaaaaaaaaaaaaaaa));
    const W escapes = hn::Xor(hn::Sub(hn::Or(hn::Add(backslashes, backslashes), odd), backslashes), odd);
    if (HWY_LIKELY((LastBits(hn::And(escapes, backslashes)) | escaped) == 0))
        return hn::Xor(escapes, backslashes);
    HWY_ALIGN uint64_t of[kWordLanes];
    hn::Store(backslashes, kWords, of);
    for (size_t lane = 0; lane < kWordLanes; lane++) {
        const pmi_quotation before = {true, escaped != 0};
        const uint64_t word = of[lane], lane_escapes = pmi_quoted_escapes(&before, word);
        of[lane] = lane_escapes ^ (word | uint64_t{escaped});
        escaped = static_cast<unsigned>((lane_escapes & word) >> (PM_WORD_BITS - 1));
    }
    return hn::Load(kWords, of);
}

// Goes through strings, and finds the tokens and brackets outside them. Returns what is wrong.
HWY_INLINE W JsonTokens(pmi_json_state &state, JsonBlock &block, const pmi_json_found &found) {
    W wrong = hn::Zero(kWords);
    unsigned inside_before = state.inside, escaped = state.escaped, scalar = state.scalar;
    for (size_t w = 0; w < block.words; w += kWordLanes) {
        const W backslashes = hn::Load(kWords, block.backslashes + w);
        const W quotes = hn::AndNot(JsonProtected(backslashes, escaped), hn::Load(kWords, block.quotes + w));
        W before;
        const W inside = Parity(quotes, inside_before, before);
        const W borders = hn::Xor(inside, hn::Sub(hn::Add(inside, inside), before)); // of strings
        const W strings = hn::And(borders, inside), not_outside = hn::Or(inside, borders);
        const W opens = hn::AndNot(not_outside, hn::Load(kWords, block.opens + w));
        const W closes = hn::AndNot(not_outside, hn::Load(kWords, block.closes + w));
        const W commas = hn::AndNot(not_outside, hn::Load(kWords, block.commas + w));
        const W colons = hn::AndNot(not_outside, hn::Load(kWords, block.colons + w));
        const W brackets = hn::Or(opens, closes), operators = hn::Or(brackets, hn::Or(commas, colons));
        const W no_scalars = hn::Or(hn::Or(not_outside, operators), hn::Load(kWords, block.white + w));
        const W scalars = hn::Xor(no_scalars, hn::Set(kWords, ~uint64_t{0}));
        const W starts = hn::AndNot(Behind(scalars, scalar), scalars);
        const W tokens = hn::Or(operators, hn::Or(strings, starts));
        hn::Store(opens, kWords, block.opens + w);
        hn::Store(closes, kWords, block.closes + w);
        hn::Store(commas, kWords, block.commas + w);
        hn::Store(colons, kWords, block.colons + w);
        hn::Store(strings, kWords, block.strings + w);
        hn::Store(starts, kWords, block.starts + w);
        hn::StoreU(tokens, kWords, found.tokens + w);
        hn::StoreU(brackets, kWords, found.brackets + w);
        wrong = hn::Or(wrong,
                       hn::Or(hn::AndNot(inside, backslashes), hn::And(hn::Load(kWords, block.controls + w), inside)));
    }
    state.inside = inside_before;
    state.escaped = escaped;
    state.scalar = scalar;
    return wrong;
}

// Which tokens may not stand where they do, given what is before them, whatever the containers are. What distinguishes
// an object from an array is noted: an object's first tokens and those behind its commas are strings with a colon
// behind them.
HWY_INLINE W JsonGrammar(pmi_json_state &state, JsonBlock &block, const pmi_json_found &found) {
    W wrong = hn::Zero(kWords);
    unsigned begin = state.after_begin, separator = state.after_separator, key = state.after_key;
    unsigned member = 0, element = 0;
    for (size_t w = 0; w < block.words; w += kWordLanes) {
        const JsonOrder order(hn::LoadU(kWords, found.tokens + w));
        const JsonGaps gaps(hn::LoadU(kWords, found.brackets + w));
        const W opens = hn::Load(kWords, block.opens + w), closes = hn::Load(kWords, block.closes + w);
        const W commas = hn::Load(kWords, block.commas + w), colons = hn::Load(kWords, block.colons + w);
        const W strings = hn::Load(kWords, block.strings + w), starts = hn::Load(kWords, block.starts + w);
        const W separators = hn::Or(commas, colons), others = hn::Or(starts, opens);
        const W first = order.Followers(hn::Or(commas, opens), begin); // of a member or element
        const W separated = order.Followers(separators, separator), expected = hn::Or(first, separated);
        const W behind_string = order.Followers(hn::And(strings, first), key);
        const W unexpected = hn::AndNot(expected, hn::Or(strings, others)); // behind a value
        const W too_early = hn::And(separators, expected);                  // not behind a value
        const W unfinished = hn::And(closes, separated), no_key = hn::AndNot(behind_string, colons);
        const W elements = hn::Or(hn::And(first, others), hn::AndNot(colons, behind_string));
        wrong = hn::Or(wrong, hn::Or(hn::Or(unexpected, too_early), hn::Or(unfinished, no_key)));
        hn::Store(gaps.Reached(colons, member), kWords, block.members + w);
        hn::Store(gaps.Reached(elements, element), kWords, block.elements + w);
    }
    state.after_begin = begin;
    state.after_separator = separator;
    state.after_key = key;
    block.last_member = member;
    block.last_element = element;
    return wrong;
}

// Lists the brackets, and counts them and the tokens. Returns the count of brackets.
template <class R>
HWY_INLINE size_t JsonList(const R &reader, pmi_json_state &state, JsonBlock &block, const pmi_json_found &found) {
    uint64_t tokens = 0;
    uint32_t brackets = 0;
    for (size_t w = 0; w < block.words; w++) {
        found.before[w] = state.brackets + brackets;
        tokens += static_cast<unsigned>(__builtin_popcountll(found.tokens[w]));
        reader.List(found.brackets[w], w, block, brackets);
        brackets += static_cast<unsigned>(__builtin_popcountll(found.brackets[w]));
    }
    state.tokens += tokens;
    return brackets;
}

// A bracket of the list.
struct JsonBracket {
    unsigned in_block, number, byte;
};

// Goes through the list without a branch: each bracket is written above the top of the stack, where an open belongs and
// a close does no harm, and then meets an entry: an open itself, a close the top. The bits of their bytes say which
// they are. Returns whether each close meets an open of its kind. Sets `bottom_met` if something is in no container.
template <class R>
HWY_INLINE bool JsonNest(const R &reader, pmi_json_state &state, JsonBlock &block, size_t count, bool &bottom_met) {
    pmi_json_open *top = state.top, *const bottom = state.bottom;
    uint32_t *const partners = state.partners;
    const uint32_t first_at = state.at, first_number = state.brackets + 1;
    bottom_met = top == bottom;
    for (size_t begin = 0; begin < count; begin += PM_WORD_BITS) {
        const size_t most = count - begin < PM_WORD_BITS ? count - begin : PM_WORD_BITS;
        uint32_t mismatched = 0;
        uint64_t objects = 0;
        for (size_t k = 0; k < most; k++) {
            const JsonBracket bracket = reader.Bracket(block, begin + k);
            const unsigned open = bracket.byte >> 1 & 1, kind = bracket.byte >> 5 & 1; // "[]{}" are 5b 5d 7b 7d
            const uint32_t at = first_at + bracket.in_block, number = first_number + bracket.number;
            objects |= uint64_t{top->kind & 1} << k;
            top[1] = pmi_json_open{at, number, kind};
            const pmi_json_open *const met = top + open;
            partners[number] = met->at;
            partners[met->number] = at;
            mismatched |= met->kind ^ kind;
            top += 2 * static_cast<ptrdiff_t>(open) - 1;
            bottom_met |= top == bottom;
        }
        if (mismatched != 0)
            return false;
        block.objects[begin / PM_WORD_BITS] = objects;
    }
    state.top = top;
    return true;
}

// What is wrong with a gap, if its container is an object or an array.
HWY_INLINE uint64_t JsonStrangers(uint64_t members, uint64_t elements, uint64_t objects) {
    return (members & ~objects) | (elements & objects);
}

// Puts the bits of a word where another has its bits, lowest first.
HWY_INLINE uint64_t Deposit(uint64_t bits, uint64_t where) {
#if HWY_ARCH_X86_64 && HWY_TARGET <= HWY_AVX2 && HWY_TARGET != HWY_SCALAR
    return _pdep_u64(bits, where);
#else
    uint64_t deposited = 0;
    for (; where != 0; where &= where - 1, bits >>= 1)
        deposited |= (where & (~where + 1)) & (~(bits & 1) + 1);
    return deposited;
#endif
}

// A list that keeps all brackets.
struct JsonWholeList {
    static HWY_INLINE bool Pair(const pmi_json_state &, JsonBlock &, size_t &) {
        return true;
    }

    static HWY_INLINE JsonBracket Bracket(const JsonBlock &block, size_t k) {
        const unsigned in_block = block.where[1 + k];
        return {in_block, static_cast<unsigned>(k), block.text[in_block]};
    }

    static HWY_INLINE uint64_t Strangers(const JsonBlock &block, const uint64_t *brackets_of, size_t) {
        uint64_t found = 0;
        size_t k = 0;
        for (size_t w = 0; w < block.words; w++) {
            const uint64_t *const objects = block.objects + k / PM_WORD_BITS;
            const unsigned shift = k % PM_WORD_BITS;
            const uint64_t bits = objects[0] >> shift | objects[1] << 1 << (PM_WORD_BITS - 1 - shift);
            found |= JsonStrangers(block.members[w], block.elements[w], Deposit(bits, brackets_of[w]));
            k += static_cast<unsigned>(__builtin_popcountll(brackets_of[w]));
        }
        return found;
    }
};

// The commas of a block that are in no container. Rarely looked for.
inline uint64_t JsonOutermostCommas(size_t depth, const JsonBlock &block) {
    uint64_t found = 0;
    for (size_t w = 0; w < block.words; w++)
        for (uint64_t left = block.opens[w] | block.closes[w] | block.commas[w]; left != 0; left &= left - 1) {
            const uint64_t bit = left & (~left + 1);
            if (block.opens[w] & bit)
                depth++;
            else if (block.closes[w] & bit)
                depth--;
            else if (depth == 0)
                found |= bit;
        }
    return found;
}

template <class R> HWY_INLINE uint64_t JsonCharacters(const R &reader, pmi_json_state &state, const JsonBlock &block) {
    uint64_t wrong = 0;
    for (size_t w = 0; w < block.words; w++) {
        Utf8Masks masks;
        if (reader.Utf8(block.text + PM_WORD_BITS * w, masks) || state.continuations)
            wrong |= JsonUtf8(state, masks);
    }
    return wrong;
}

// Reads at most PM_JSON_WORDS words in steps. R has Masks() and Utf8() of a word of text, which also return whether it
// has a byte of 0x80 or above; List(), which adds a word's brackets to the list, and up to a word of junk behind them;
// Pair(), which may match some of the list's brackets and take them out, or return false if something is wrong; then
// Bracket(), one of the list, and Strangers(), members and elements that are not in a container of theirs.
template <class R>
HWY_INLINE bool JsonRead(pmi_json_state *state, const unsigned char *text, size_t words, const pmi_json_found *found) {
    const R reader;
    JsonBlock block;
    block.text = text;
    block.words = words;
    const bool high = reader.Masks(text, words, block) || state->continuations;
    W wrong = JsonTokens(*state, block, *found);
    wrong = hn::Or(wrong, JsonGrammar(*state, block, *found));
    const size_t brackets = JsonList(reader, *state, block, *found);
    const size_t depth = static_cast<size_t>(state->top - state->bottom);
    size_t left = brackets;
    bool outermost;
    if (!reader.Pair(*state, block, left) || !JsonNest(reader, *state, block, left, outermost))
        return false;
    const unsigned in_object = state->top->kind & 1;
    state->brackets += static_cast<uint32_t>(brackets);
    HWY_ALIGN uint64_t of[kWordLanes];
    hn::Store(wrong, kWords, of);
    uint64_t any = reader.Strangers(block, found->brackets, left) |
                   JsonStrangers(block.last_member, block.last_element, in_object);
    for (size_t lane = 0; lane < kWordLanes; lane++)
        any |= of[lane];
    if (outermost)
        any |= JsonOutermostCommas(depth, block);
    if (high)
        any |= JsonCharacters(reader, *state, block);
    state->at += static_cast<uint32_t>(PM_WORD_BITS * words);
    return any == 0;
}

} // namespace pm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
