// SPDX-License-Identifier: Apache-2.0
// The grammar of JSON, by the letters of tokens in a row, 64 at a time: what precedes a token is a bit below it.
// Compiled for each instruction set by who includes it.
#if defined(PM_BROADWORD_JSON_GRAMMAR_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PM_BROADWORD_JSON_GRAMMAR_INL_H
#undef PM_BROADWORD_JSON_GRAMMAR_INL_H
#else
#define PM_BROADWORD_JSON_GRAMMAR_INL_H
#endif

#include "broadword/json/block-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pm::HWY_NAMESPACE {

// The brackets that are in `of`, or have a token in `of` in the gap before them. A sum carries such tokens through the
// gap to the bracket that ends it. `carry`: is there such a token behind the last bracket?
HWY_INLINE uint64_t BracketsReached(uint64_t brackets, uint64_t of, uint64_t &carry) {
    of |= carry; // as if it were the first of these
    const uint64_t gaps = ~brackets, sum = gaps + (of & gaps);
    carry = sum < gaps;
    return brackets & (of | sum);
}

// What is known of the tokens before those that come next, each 0 or 1.
struct JsonBefore {
    uint64_t begin, separator, key; // is the last one an open or a comma; a comma or a colon; a key?
    uint64_t member, element;       // is there a colon, or an element, behind the last bracket?
};

// Of up to 64 tokens: which may not stand where they do, given what is before them, whatever the containers are. Packs
// the brackets, with what distinguishes an object from an array: an object's first tokens and those behind its commas
// are strings with a colon behind them. `last`: the number of the last token.
HWY_INLINE uint64_t JsonGrammarOf(const JsonLetters &letters, unsigned last, JsonBefore &before,
                                  JsonPacker<JsonBrackets> &packer) {
    const uint64_t all = pmi_bits_low(last + 1);
    const auto behind = [last](uint64_t of, uint64_t &carry) HWY_ATTR {
        const uint64_t shifted = of << 1 | carry;
        carry = of >> last & 1;
        return shifted;
    };
    const uint64_t odd = letters.of[0], upper = letters.of[1];
    const uint64_t brackets = letters.of[2] & all, opens = brackets & ~odd, closes = brackets & odd;
    const uint64_t separators = all & upper & ~letters.of[2], colons = separators & odd, commas = separators & ~odd;
    const uint64_t values = all & ~(upper | letters.of[2]), strings = values & odd, scalars = values & ~odd;
    const uint64_t behind_begin = behind(commas | opens, before.begin);
    const uint64_t behind_separator = behind(separators, before.separator);
    const uint64_t behind_key = behind(strings & behind_begin, before.key);
    const uint64_t expected = behind_begin | behind_separator; // a value
    const uint64_t elements = (behind_begin & (scalars | opens)) | (behind_key & all & ~colons);
    packer.Add({{opens, upper, BracketsReached(brackets, colons, before.member),
                 BracketsReached(brackets, elements, before.element)}},
               brackets);
    return ((values | opens) & ~expected) | (separators & expected) | (closes & behind_separator) |
           (colons & ~behind_key);
}

// Goes through the tokens of a block. Returns what is wrong. Not inlined: it needs all registers.
HWY_NOINLINE inline uint64_t JsonGrammar(pmi_json_state &state, JsonBlock &block) {
    JsonBefore before = {state.after_begin, state.after_separator, state.after_key, 0, 0};
    JsonPacker<JsonBrackets> packer(block.brackets);
    const JsonLetters *letters = block.letters;
    uint64_t wrong = 0;
    for (size_t groups = block.tokens / PM_WORD_BITS; groups > 0; groups--)
        wrong |= JsonGrammarOf(*letters++, PM_WORD_BITS - 1, before, packer);
    const unsigned rest = block.tokens % PM_WORD_BITS;
    if (rest > 0)
        wrong |= JsonGrammarOf(*letters, rest - 1, before, packer);
    packer.End();
    state.after_begin = static_cast<unsigned>(before.begin);
    state.after_separator = static_cast<unsigned>(before.separator);
    state.after_key = static_cast<unsigned>(before.key);
    block.last_member = static_cast<unsigned>(before.member);
    block.last_element = static_cast<unsigned>(before.element);
    return wrong;
}

} // namespace pm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
