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
#include "broadword/json/words-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pm::HWY_NAMESPACE {

// The brackets that are in `of`, or have a token in `of` in the gap before them. A sum carries such tokens through the
// gap to the bracket that ends it, within a row and, all rows' carries being bits of two numbers that are added, on to
// the next ones. `carry`: is there such a token behind the last bracket?
HWY_INLINE W BracketsReached(W brackets, W of, unsigned &carry) {
    const W gaps = hn::Not(brackets), within = hn::And(of, gaps), sum = hn::Add(gaps, within);
    const unsigned over = LastBits(hn::Or(within, hn::AndNot(sum, gaps))), through = FullWords(sum);
    const unsigned carries = (over << 1 | carry) + through;
    carry = carries >> kWordLanes;
    return hn::And(brackets, hn::Or(of, hn::Sub(sum, WordsOf(carries ^ through))));
}

// What is known of the tokens before those that come next, each 0 or 1.
struct JsonBefore {
    unsigned begin, separator, key; // is the last one an open or a comma; a comma or a colon; a key?
    unsigned member, element;       // is there a colon, or an element, behind the last bracket?
};

// Which of the tokens of some rows are such, to say so of the last one of all.
struct JsonLastRows {
    W begins, separators, keys;
};

// What the packer is given, row by row.
struct JsonFoundBrackets {
    alignas(64) uint64_t all[kWordLanes], of[JsonBrackets::kPlanes][kWordLanes];
};

// Of as many rows of tokens as a vector has words: which may not stand where they do, given what is before them,
// whatever the containers are. Finds the brackets, with what distinguishes an object from an array: an object's first
// tokens and those behind its commas are strings with a colon behind them. `all`: where tokens are.
HWY_INLINE W JsonGrammarOf(const JsonPlanes<JsonLetters> &letters, size_t row, W all, JsonBefore &before,
                           JsonLastRows &last, JsonFoundBrackets &found) {
    const W odd = hn::Load(kWords, letters.of[0] + row), upper = hn::Load(kWords, letters.of[1] + row);
    const W kept = hn::Load(kWords, letters.of[2] + row), brackets = hn::And(kept, all);
    const W opens = hn::AndNot(odd, brackets), closes = hn::And(brackets, odd);
    const W separators = hn::And(hn::AndNot(kept, upper), all);
    const W colons = hn::And(separators, odd), commas = hn::AndNot(odd, separators);
    const W values = hn::AndNot(hn::Or(upper, kept), all);
    const W strings = hn::And(values, odd), scalars = hn::AndNot(odd, values);
    last.begins = hn::Or(commas, opens);
    last.separators = separators;
    const W behind_begin = Behind(last.begins, before.begin);
    const W behind_separator = Behind(last.separators, before.separator);
    last.keys = hn::And(strings, behind_begin);
    const W behind_key = Behind(last.keys, before.key);
    const W expected = hn::Or(behind_begin, behind_separator); // a value
    const W begin_values = hn::Or(values, opens);
    const W elements =
        hn::Or(hn::And(behind_begin, hn::Or(scalars, opens)), hn::AndNot(colons, hn::And(behind_key, all)));
    hn::Store(brackets, kWords, found.all);
    hn::Store(opens, kWords, found.of[kOpens]);
    hn::Store(upper, kWords, found.of[kObjects]);
    hn::Store(BracketsReached(brackets, colons, before.member), kWords, found.of[kMembers]);
    hn::Store(BracketsReached(brackets, elements, before.element), kWords, found.of[kElements]);
    return hn::Or(hn::Or(hn::AndNot(expected, begin_values), hn::And(separators, expected)),
                  hn::Or(hn::And(closes, behind_separator), hn::AndNot(behind_key, colons)));
}

// Where the tokens of some rows are, of which `left` are there.
HWY_INLINE W TokensOf(size_t left) {
    if (HWY_LIKELY(left >= kWordLanes * PM_WORD_BITS))
        return hn::Set(kWords, ~uint64_t{0});
    HWY_ALIGN uint64_t of[kWordLanes];
    for (size_t lane = 0; lane < kWordLanes; lane++, left -= pmi_bits_count(of[lane - 1]))
        of[lane] = pmi_bits_low(left < PM_WORD_BITS ? static_cast<unsigned>(left) : PM_WORD_BITS);
    return hn::Load(kWords, of);
}

// Bit k of the words.
HWY_INLINE unsigned BitOf(W words, size_t k) {
    HWY_ALIGN uint64_t of[kWordLanes];
    hn::Store(words, kWords, of);
    return of[k / PM_WORD_BITS] >> k % PM_WORD_BITS & 1;
}

// Goes through the tokens of a block. Returns what is wrong. Not inlined: it needs all registers.
HWY_NOINLINE inline W JsonGrammar(pmi_json_state &state, JsonBlock &block) {
    JsonBefore before = {state.after_begin, state.after_separator, state.after_key, 0, 0};
    JsonPacker<JsonBrackets> packer(block.brackets);
    JsonLastRows last;
    W wrong = hn::Zero(kWords);
    size_t first = 0; // of the rows' tokens
    for (; first < block.tokens; first += kWordLanes * PM_WORD_BITS) {
        JsonFoundBrackets found;
        const size_t row = first / PM_WORD_BITS, left = block.tokens - first;
        wrong = hn::Or(wrong, JsonGrammarOf(block.letters, row, TokensOf(left), before, last, found));
        for (size_t lane = 0; lane < kWordLanes && lane * PM_WORD_BITS < left; lane++)
            packer.Add({{found.of[kOpens][lane], found.of[kObjects][lane], found.of[kMembers][lane],
                         found.of[kElements][lane]}},
                       found.all[lane]);
    }
    packer.End();
    if (block.tokens > 0) {
        const size_t last_token = block.tokens - 1 - (first - kWordLanes * PM_WORD_BITS);
        state.after_begin = BitOf(last.begins, last_token);
        state.after_separator = BitOf(last.separators, last_token);
        state.after_key = BitOf(last.keys, last_token);
    }
    block.last_member = before.member;
    block.last_element = before.element;
    return wrong;
}

} // namespace pm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
