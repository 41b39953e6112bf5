// SPDX-License-Identifier: Apache-2.0
// JSON by masks of 64 bytes, several at a time: strings, tokens, brackets, UTF-8. Compiled for each instruction set by
// who includes it, with what makes masks of bytes there.
//
// Strings and the beginnings of tokens are found as by Langdale and Lemire, "Parsing gigabytes of JSON per second",
// sections 3.1.1 and 3.1.2. UTF-8 is that of table 3-7 of the Unicode Standard.
#if defined(PM_BROADWORD_JSON_READ_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PM_BROADWORD_JSON_READ_INL_H
#undef PM_BROADWORD_JSON_READ_INL_H
#else
#define PM_BROADWORD_JSON_READ_INL_H
#endif

#include <string.h>

#include "broadword/json/block-inl.h"
#include "broadword/json/grammar-inl.h"
#include "broadword/json/pairs-inl.h"
#include "broadword/json/words-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace pm::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

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

// Of a word of text: which bytes are ...
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
        const W bit0 = hn::Load(kWords, block.bytes.bits[0] + w), bit1 = hn::Load(kWords, block.bytes.bits[1] + w);
        const W bit2 = hn::Load(kWords, block.bytes.bits[2] + w), bit3 = hn::Load(kWords, block.bytes.bits[3] + w);
        const W backslashes = hn::AndNot(bit0, hn::And(bit1, bit3)), controls = hn::AndNot(bit1, bit3);
        const W quotes = hn::AndNot(hn::Or(hn::Or(bit1, bit2), bit3), bit0);
        W before;
        const W inside = Parity(hn::AndNot(JsonProtected(backslashes, escaped), quotes), inside_before, before);
        const W borders = hn::Xor(inside, hn::Sub(hn::Add(inside, inside), before)); // of strings
        const W strings = hn::And(borders, inside), not_outside = hn::Or(inside, borders);
        const W brackets = hn::AndNot(not_outside, bit2);
        const W operators = hn::AndNot(not_outside, hn::Or(bit2, hn::AndNot(bit3, bit1)));
        const W no_scalars = hn::Or(hn::Or(not_outside, operators), hn::And(bit0, bit3));
        const W scalars = hn::Xor(no_scalars, hn::Set(kWords, ~uint64_t{0}));
        const W starts = hn::AndNot(Behind(scalars, scalar), scalars);
        hn::Store(inside, kWords, block.inside + w);
        hn::StoreU(hn::Or(operators, hn::Or(strings, starts)), kWords, found.tokens + w);
        hn::StoreU(brackets, kWords, found.brackets + w);
        wrong = hn::Or(wrong, hn::Or(hn::AndNot(inside, backslashes), hn::And(controls, inside)));
    }
    state.inside = inside_before;
    state.escaped = escaped;
    state.scalar = scalar;
    return wrong;
}

// Four at a time, whether or not there are as many: a loop that ends after the last one would be mispredicted often.
constexpr unsigned kAtATime = 4;

// The lowest bit of a mask; anything for none.
HWY_INLINE unsigned JsonLowest(uint64_t mask) {
#if PM_JSON_PEXT
    return static_cast<unsigned>(_tzcnt_u64(mask));
#else
    return pmi_bits_lowest(mask | UINT64_C(1) << 63);
#endif
}

// Adds where the brackets of word w are, and up to three more.
HWY_INLINE void JsonAddPlaces(JsonBlock &block, size_t w, uint64_t brackets, unsigned before) {
    uint16_t *to = block.where + 1 + before;
    do {
        HWY_UNROLL(4)
        for (unsigned k = 0; k < kAtATime; k++) {
            to[k] = static_cast<uint16_t>(static_cast<unsigned>(PM_WORD_BITS * w) + JsonLowest(brackets));
            __asm__("" : "+m"(to[k])); // or compilers put four together to store them at once, which takes longer
            brackets &= brackets - 1;
        }
        to += kAtATime;
    } while (brackets != 0);
}

// Rows of tokens and brackets: the letters of the one, the places of the other. All letters come first: both at once
// need more registers than there are.
class JsonPackedRows {
  public:
    HWY_INLINE JsonPackedRows(JsonBlock &block, const pmi_json_found &found) : block_(block) {
        JsonPacker<JsonLetters> letters(block.letters);
        for (size_t w = 0; w < block.words; w++)
            letters.Add({{block.bytes.bits[0][w], block.bytes.bits[1][w], block.bytes.bits[2][w]}}, found.tokens[w]);
        letters.End();
    }

    // `tokens_before`, `brackets_before`: in earlier words.
    HWY_INLINE void Add(size_t w, uint64_t, uint64_t brackets, unsigned, unsigned brackets_before) {
        JsonAddPlaces(block_, w, brackets, brackets_before);
    }

    template <class R> HWY_INLINE void End(const R &, unsigned) {}

  private:
    JsonBlock &block_;
};

// The same where bits cannot be moved fast: first the bytes that begin tokens, then 64 of them at a time.
class JsonListedRows {
  public:
    HWY_INLINE JsonListedRows(JsonBlock &block, const pmi_json_found &) : block_(block) {}

    HWY_INLINE void Add(size_t w, uint64_t tokens, uint64_t brackets, unsigned tokens_before,
                        unsigned brackets_before) {
        const unsigned char *const text = block_.text + PM_WORD_BITS * w;
        for (unsigned char *to = block_.firsts + tokens_before; tokens != 0; to += kAtATime) {
            HWY_UNROLL(4)
            for (unsigned k = 0; k < kAtATime; k++) {
                to[k] = text[pmi_bits_lowest(tokens | UINT64_C(1) << 63)];
                tokens &= tokens - 1;
            }
        }
        JsonAddPlaces(block_, w, brackets, brackets_before);
    }

    template <class R> HWY_INLINE void End(const R &reader, unsigned count) {
        const size_t groups = (count + PM_WORD_BITS - 1) / PM_WORD_BITS;
        JsonBytes masks;
        memset(block_.firsts + count, 0, groups * PM_WORD_BITS - count);
        reader.Masks(block_.firsts, groups, masks);
        for (size_t group = 0; group < groups; group++)
            for (size_t p = 0; p < JsonLetters::kPlanes; p++)
                block_.letters.of[p][group] = masks.bits[p][group];
    }

  private:
    JsonBlock &block_;
};

// Puts tokens and brackets in rows, and counts them. Returns the count of brackets. Meanwhile the next text is asked
// for: where masks are made of text, as many words at once would wait for each other.
template <class Rows, class R>
HWY_INLINE size_t JsonRows(const R &reader, pmi_json_state &state, JsonBlock &block, const pmi_json_found &found) {
    Rows rows(block, found);
    const uint32_t before = state.brackets;
    unsigned tokens = 0, brackets = 0;
    for (size_t w = 0; w < block.words; w++) {
        const uint64_t tokens_here = found.tokens[w], brackets_here = found.brackets[w];
        PM_TEXT_EXPECT(block.text + PM_WORD_BITS * w);
        found.before[w] = before + brackets;
        rows.Add(w, tokens_here, brackets_here, tokens, brackets);
        tokens += static_cast<unsigned>(__builtin_popcountll(tokens_here));
        brackets += static_cast<unsigned>(__builtin_popcountll(brackets_here));
    }
    rows.End(reader, tokens);
    block.tokens = tokens;
    state.tokens += tokens;
    return brackets;
}

// The commas of a block that are in no container. Rarely looked for.
inline uint64_t JsonOutermostCommas(size_t depth, const JsonBlock &block, const uint64_t *tokens) {
    uint64_t found = 0;
    for (size_t w = 0; w < block.words; w++) {
        const uint64_t bit0 = block.bytes.bits[0][w], bit1 = block.bytes.bits[1][w], bit2 = block.bytes.bits[2][w];
        for (uint64_t left = tokens[w] & ((bit1 & ~bit0) | bit2); left != 0; left &= left - 1) {
            const uint64_t bit = left & (~left + 1);
            if (!(bit2 & bit))
                found |= depth == 0 ? bit : 0;
            else if (bit0 & bit)
                depth--;
            else
                depth++;
        }
    }
    return found;
}

// The bytes below 0x20 of eight, a bit each.
inline uint64_t JsonControlsOf(const unsigned char *eight) {
    const uint64_t highest = UINT64_C(0x8080808080808080), others = ~highest;
    uint64_t bytes;
    memcpy(&bytes, eight, sizeof bytes);
    const uint64_t below = ~(((bytes & others) + UINT64_C(0x6060606060606060)) | bytes) & highest;
    return (below >> 7) * UINT64_C(0x0102040810204080) >> 56;
}

// The control characters in the strings of a block. Rarely looked for.
inline uint64_t JsonControls(const JsonBlock &block) {
    uint64_t found = 0;
    for (size_t w = 0; w < block.words; w++)
        for (unsigned i = 0; i < PM_WORD_BITS; i += 8)
            found |= JsonControlsOf(block.text + PM_WORD_BITS * w + i) << i & block.inside[w];
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

// Reads at most PM_JSON_WORDS words in steps. R has Masks() of words of text; PutInRows(), which is JsonRows(); and
// Utf8() of a word, which also returns whether it has a byte of 0x80 or above.
template <class R>
HWY_INLINE bool JsonRead(pmi_json_state *state, const unsigned char *text, size_t words, const pmi_json_found *found) {
    const R reader;
    JsonBlock block;
    block.text = text;
    block.words = words;
    const JsonSeen seen = reader.Masks(text, words, block.bytes);
    W wrong = JsonTokens(*state, block, *found);
    const size_t brackets = reader.PutInRows(*state, block, *found);
    wrong = hn::Or(wrong, JsonGrammar(*state, block));
    block.wrong = 0;
    const size_t depth = static_cast<size_t>(state->top - state->bottom);
    bool outermost;
    if (!JsonMatch(*state, block, brackets, outermost))
        return false;
    state->brackets += static_cast<uint32_t>(brackets);
    block.wrong |= JsonStrangers(block.last_member, block.last_element, state->top->kind & 1);
    HWY_ALIGN uint64_t of[kWordLanes];
    hn::Store(wrong, kWords, of);
    for (size_t lane = 0; lane < kWordLanes; lane++)
        block.wrong |= of[lane];
    if (outermost)
        block.wrong |= JsonOutermostCommas(depth, block, found->tokens);
    if (seen.high || state->continuations)
        block.wrong |= JsonCharacters(reader, *state, block);
    if (seen.controls)
        block.wrong |= JsonControls(block);
    state->at += static_cast<uint32_t>(PM_WORD_BITS * words);
    return block.wrong == 0;
}

} // namespace pm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
