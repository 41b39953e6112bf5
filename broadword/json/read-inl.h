// SPDX-License-Identifier: Apache-2.0
// A word of JSON by masks: strings, tokens, brackets, grammar, UTF-8. Compiled for each instruction set by who includes
// it, with what makes masks of bytes there.
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

// Of a word of text: which bytes are what, wherever they stand.
struct JsonMasks {
    pmi_quoted_masks quoted;
    uint64_t opens, closes, commas, colons, white;
    uint64_t curly;    // of a bracket: it is one of an object
    uint64_t controls; // below 0x20
    uint64_t high;     // 0x80 and above
};

// ... and for UTF-8.
struct Utf8Masks {
    uint64_t from_c0, from_e0, from_f0; // that byte and those above it
    uint64_t never;                     // c0, c1, and f5 and above
    uint64_t e0, ed, f0, f4;            // that byte alone
    uint64_t below_90, below_a0;
};

// The tokens whose previous token is in `of`. A sum carries each bit of `of` through the bytes up to the next token.
HWY_INLINE uint64_t JsonFollowers(uint64_t tokens, uint64_t of, uint64_t &carry) {
    uint64_t sum;
    const bool over = __builtin_add_overflow(~tokens, of << 1 | carry, &sum);
    carry = of >> (PM_WORD_BITS - 1) | uint64_t{over};
    return sum & tokens;
}

// `of`, a byte further on.
HWY_INLINE uint64_t JsonBehind(uint64_t of, uint64_t &carry) {
    const uint64_t behind = of << 1 | carry;
    carry = of >> (PM_WORD_BITS - 1);
    return behind;
}

// The bytes that are wrong.
HWY_INLINE uint64_t JsonUtf8(pmi_json_state &state, const Utf8Masks &masks, uint64_t high) {
    const uint64_t expected = masks.from_c0 << 1 | masks.from_e0 << 2 | masks.from_f0 << 3 | state.continuations;
    state.continuations = masks.from_c0 >> 63 | masks.from_e0 >> 62 | masks.from_f0 >> 61;
    uint64_t wrong = masks.never | (expected ^ (high & ~masks.from_c0));
    wrong |= JsonBehind(masks.e0, state.after_e0) & masks.below_a0;
    wrong |= JsonBehind(masks.ed, state.after_ed) & ~masks.below_a0;
    wrong |= JsonBehind(masks.f0, state.after_f0) & masks.below_90;
    wrong |= JsonBehind(masks.f4, state.after_f4) & ~masks.below_90;
    return wrong;
}

// What is found in a word, at first by its bytes alone, then outside strings.
struct JsonWord {
    JsonMasks masks;
    uint64_t inside, strings, starts, opens, closes, commas, colons;
    uint64_t
        toggles; // brackets behind which the innermost container is an object and before which it is not, or not now
};

// A few thousand bytes, which stay in the L1 cache from one step to the next.
struct JsonBlock {
    const unsigned char *text;
    size_t words;
    JsonWord word[PM_JSON_WORDS];
    uint16_t brackets[(PM_JSON_WORDS + 1) * PM_WORD_BITS]; // where in the block
};

// Goes through strings, and finds the tokens and brackets outside them. Returns what is wrong.
template <class R>
HWY_INLINE uint64_t JsonTokens(const R &reader, pmi_json_state &state, JsonBlock &block, const pmi_json_found &found) {
    pmi_quotation quotation = state.quotation;
    uint64_t wrong = 0, scalar = state.scalar, count = 0;
    uint32_t brackets_before = state.brackets;
    for (size_t w = 0; w < block.words; w++) {
        JsonWord &word = block.word[w];
        const JsonMasks &masks = word.masks;
        const uint64_t inside_before = quotation.inside;
        const uint64_t inside =
            pmi_quoted_inside(&quotation, &masks.quoted, reader.Parity(pmi_quoted_quotes(&quotation, &masks.quoted)));
        const uint64_t quotes = inside ^ (inside << 1 | inside_before); // those that begin and end strings
        const uint64_t outside = ~(inside | quotes);
        word.inside = inside;
        word.strings = quotes & inside;
        word.opens = masks.opens & outside;
        word.closes = masks.closes & outside;
        word.commas = masks.commas & outside;
        word.colons = masks.colons & outside;
        word.toggles = 0;
        const uint64_t brackets = word.opens | word.closes, operators = brackets | word.commas | word.colons;
        const uint64_t scalars = outside & ~(masks.white | operators);
        word.starts = scalars & ~JsonBehind(scalars, scalar);
        const uint64_t tokens = operators | word.strings | word.starts;
        found.tokens[w] = tokens;
        found.brackets[w] = brackets;
        found.before[w] = brackets_before;
        brackets_before += static_cast<unsigned>(__builtin_popcountll(brackets));
        count += static_cast<unsigned>(__builtin_popcountll(tokens));
        wrong |= (masks.quoted.backslashes & ~inside) | (masks.controls & inside);
    }
    state.quotation = quotation;
    state.scalar = scalar;
    state.tokens += count;
    return wrong;
}

// Goes through brackets without a branch: each is written above the top of the stack, where an open belongs and a close
// does no harm, and then meets an entry: an open itself, a close the top. The bits of their bytes say which they are.
// Returns whether each close meets an open of its kind. Sets `bottom` if something is in no container.
HWY_INLINE bool JsonNest(pmi_json_state &state, JsonBlock &block, size_t count, bool &bottom_met) {
    pmi_json_open *top = state.top, *const bottom = state.bottom;
    uint32_t *const partners = state.partners;
    uint32_t number = state.brackets, in_object = top->kind & 1;
    bottom_met = top == bottom;
    for (size_t begin = 0; begin < count; begin += PM_WORD_BITS) {
        const size_t end = begin + PM_WORD_BITS < count ? begin + PM_WORD_BITS : count;
        uint32_t mismatched = 0;
        for (size_t k = begin; k < end; k++) {
            const unsigned in_block = block.brackets[k], byte = block.text[in_block];
            const unsigned open = byte >> 1 & 1, kind = byte >> 5 & 1; // "[]{}" are 5b 5d 7b 7d
            const uint32_t at = state.at + in_block;
            number++;
            top[1] = pmi_json_open{at, number, kind};
            const pmi_json_open *const met = top + open;
            partners[number] = met->at;
            partners[met->number] = at;
            mismatched |= met->kind ^ kind;
            top += 2 * static_cast<ptrdiff_t>(open) - 1;
            bottom_met |= top == bottom;
            const uint32_t now = top->kind & 1;
            block.word[in_block / PM_WORD_BITS].toggles |= uint64_t{now ^ in_object} << in_block % PM_WORD_BITS;
            in_object = now;
        }
        if (mismatched != 0)
            return false;
    }
    state.top = top;
    state.brackets = number;
    return true;
}

// Which tokens may not stand where they do, given what is before them.
template <class R>
HWY_INLINE uint64_t JsonGrammar(const R &reader, pmi_json_state &state, const JsonBlock &block,
                                const uint64_t *tokens_of) {
    uint64_t wrong = 0;
    uint64_t in_object = state.in_object, comma = state.after_comma, colon = state.after_colon, open = state.after_open,
             key = state.after_key;
    for (size_t w = 0; w < block.words; w++) {
        const JsonWord &word = block.word[w];
        const uint64_t tokens = tokens_of[w];
        const uint64_t behind = reader.Parity(word.toggles) ^ (~in_object + 1);
        const uint64_t objects = behind << 1 | in_object; // a bracket is in the container around its own
        in_object = behind >> (PM_WORD_BITS - 1);
        const uint64_t after_colon = JsonFollowers(tokens, word.colons, colon);
        const uint64_t after_comma = JsonFollowers(tokens, word.commas, comma);
        const uint64_t first = after_comma | JsonFollowers(tokens, word.opens, open); // of a member or element
        const uint64_t after_key = JsonFollowers(tokens, word.strings & objects & first, key);
        const uint64_t others = word.starts | word.opens;
        wrong |= (word.strings | others) & ~(first | after_colon);    // behind a value
        wrong |= (word.commas | word.colons) & (first | after_colon); // not behind a value
        wrong |= word.closes & (after_comma | after_colon);
        wrong |= others & objects & first; // not a key
        wrong |= after_key ^ word.colons;
    }
    state.in_object = in_object;
    state.after_comma = comma;
    state.after_colon = colon;
    state.after_open = open;
    state.after_key = key;
    return wrong;
}

// The commas of a block that are in no container. Rarely looked for.
inline uint64_t JsonOutermostCommas(size_t depth, const JsonBlock &block) {
    uint64_t found = 0;
    for (size_t w = 0; w < block.words; w++) {
        const JsonWord &word = block.word[w];
        for (uint64_t left = word.opens | word.closes | word.commas; left != 0; left &= left - 1) {
            const uint64_t bit = left & (~left + 1);
            if (word.opens & bit)
                depth++;
            else if (word.closes & bit)
                depth--;
            else if (depth == 0)
                found |= bit;
        }
    }
    return found;
}

template <class R> HWY_INLINE uint64_t JsonCharacters(const R &reader, pmi_json_state &state, const JsonBlock &block) {
    uint64_t wrong = 0;
    for (size_t w = 0; w < block.words; w++)
        if (block.word[w].masks.high | state.continuations) {
            Utf8Masks masks;
            reader.Utf8(block.text + PM_WORD_BITS * w, masks);
            wrong |= JsonUtf8(state, masks, block.word[w].masks.high);
        }
    return wrong;
}

// Reads at most PM_JSON_WORDS words in steps. R has Masks() and Utf8() of a word of text; Parity(), of each bit that of
// the bits up to it; and List(), which writes the numbers of a mask's bits, and up to a word of junk behind them.
template <class R>
HWY_INLINE bool JsonRead(pmi_json_state *state, const unsigned char *text, size_t words, const pmi_json_found *found) {
    const R reader;
    JsonBlock block;
    block.text = text;
    block.words = words;
    uint64_t high = state->continuations;
    for (size_t w = 0; w < words; w++) {
        reader.Masks(text + PM_WORD_BITS * w, block.word[w].masks);
        high |= block.word[w].masks.high;
    }
    uint64_t wrong = JsonTokens(reader, *state, block, *found);
    size_t brackets = 0;
    for (size_t w = 0; w < words; w++) {
        reader.List(found->brackets[w], static_cast<unsigned>(PM_WORD_BITS * w), block.brackets + brackets);
        brackets += static_cast<unsigned>(__builtin_popcountll(found->brackets[w]));
    }
    const size_t depth = static_cast<size_t>(state->top - state->bottom);
    bool outermost;
    if (!JsonNest(*state, block, brackets, outermost))
        return false;
    wrong |= JsonGrammar(reader, *state, block, found->tokens);
    if (outermost)
        wrong |= JsonOutermostCommas(depth, block);
    if (high)
        wrong |= JsonCharacters(reader, *state, block);
    state->at += static_cast<uint32_t>(PM_WORD_BITS * words);
    return wrong == 0;
}

} // namespace pm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
