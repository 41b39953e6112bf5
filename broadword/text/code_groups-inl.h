// SPDX-License-Identifier: Apache-2.0
// What of a text is code, eight words of 64 bytes at a time: see broadword/text/code_masks.h, whose arithmetic this is.
// A vector holds one mask of each word, and the eight words are computed as though they were one of 512 bits. Nothing
// depends on what the words contain, so no branch is mispredicted. Where the sorts interfere, the words before that one
// are right all the same, because no mask depends on what follows it.
#if defined(PM_BROADWORD_TEXT_CODE_GROUPS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PM_BROADWORD_TEXT_CODE_GROUPS_INL_H
#undef PM_BROADWORD_TEXT_CODE_GROUPS_INL_H
#else
#define PM_BROADWORD_TEXT_CODE_GROUPS_INL_H
#endif

#include "broadword/simd.h"
#include "broadword/text/byte_lookup-inl.h"
#include "broadword/text/code_masks.h"
#include "broadword/text/code_signs-inl.h"

#if HWY_TARGET == HWY_AVX3_DL

HWY_BEFORE_NAMESPACE();
namespace pm::HWY_NAMESPACE {

constexpr unsigned kGroup = 8; // words

// One mask of each word of a group.
using Group = __m512i;

HWY_INLINE Group GroupAll(bool bits) {
    return _mm512_set1_epi64(bits ? -1 : 0);
}

// a | b, a & b, and a & ~b; of three: at once.
HWY_INLINE Group Or(Group a, Group b) {
    return _mm512_or_si512(a, b);
}

HWY_INLINE Group Or3(Group a, Group b, Group c) {
    return _mm512_ternarylogic_epi64(a, b, c, 0xfe);
}

HWY_INLINE Group And(Group a, Group b) {
    return _mm512_and_si512(a, b);
}

HWY_INLINE Group Without(Group a, Group b) {
    return _mm512_andnot_si512(b, a);
}

// a | (b & c).
HWY_INLINE Group OrAnd(Group a, Group b, Group c) {
    return _mm512_ternarylogic_epi64(a, b, c, 0xf8);
}

// a | (b & ~c).
HWY_INLINE Group OrWithout(Group a, Group b, Group c) {
    return _mm512_ternarylogic_epi64(a, b, c, 0xf4);
}

// a & ~(b | c).
HWY_INLINE Group WithoutBoth(Group a, Group b, Group c) {
    return _mm512_ternarylogic_epi64(a, b, c, 0x10);
}

// Each bit in the place of the next one, across words. The first bit is `in`.
HWY_INLINE Group Behind(Group masks, bool in) {
    const Group before = _mm512_set1_epi64(static_cast<int64_t>(static_cast<uint64_t>(in) << 63));
    return _mm512_shldi_epi64(masks, _mm512_alignr_epi64(masks, before, 7), 1);
}

HWY_INLINE Group Behind(Group masks) {
    return _mm512_shldi_epi64(masks, _mm512_alignr_epi64(masks, _mm512_setzero_si512(), 7), 1);
}

// Each bit in the place of the one before it.
HWY_INLINE Group Ahead(Group masks) {
    return _mm512_shrdi_epi64(masks, _mm512_alignr_epi64(_mm512_setzero_si512(), masks, 1), 1);
}

// The last bit of each word, and whether any bit of it is set, as 8 bits.
HWY_INLINE unsigned LastBits(Group masks) {
    return _cvtmask8_u32(_mm512_movepi64_mask(masks));
}

HWY_INLINE unsigned AnyBits(Group masks) {
    return _cvtmask8_u32(_mm512_test_epi64_mask(masks, masks));
}

// As pmi_code_spans(). Bit i of *open: is one open before word i, for i up to 8.
HWY_INLINE Group Spans(Group begin, Group end, bool in, unsigned *open) {
    const Group ones = GroupAll(true), not_end = _mm512_xor_si512(end, ones);
    const Group sum = _mm512_add_epi64(not_end, begin);
    const unsigned carries = _cvtmask8_u32(_mm512_cmplt_epu64_mask(sum, not_end));
    const unsigned passes = _cvtmask8_u32(_mm512_cmpeq_epi64_mask(sum, ones));
    *open = ((carries << 1 | static_cast<unsigned>(in)) + passes) ^ passes;
    const Group carried = _mm512_mask_sub_epi64(sum, static_cast<__mmask8>(*open), sum, ones);
    return _mm512_ternarylogic_epi64(carried, not_end, begin, 0xbe); // (carried ^ not_end) | begin
}

// Of each bit the parity of the bits up to and with it, where those before the first word have the parity `in`.
HWY_INLINE Group Parity(Group masks, bool in) {
    const Group ones = GroupAll(true);
    const Group even = _mm512_clmulepi64_epi128(masks, ones, 0x00), odd = _mm512_clmulepi64_epi128(masks, ones, 0x01);
    const Group parity = _mm512_unpacklo_epi64(even, odd);
    unsigned before = LastBits(parity);
    before ^= before << 1;
    before ^= before << 2;
    before ^= before << 4;
    before = before << 1 ^ (in ? 0xff : 0);
    return _mm512_mask_xor_epi64(parity, static_cast<__mmask8>(before), parity, ones);
}

// The masks of a word. kAscii: no other byte has a class.
template <bool kAscii> HWY_INLINE __m512i MasksOf(const Classes &classes, const unsigned char *word) {
    V found[kVectors];
    PM_TEXT_EXPECT(word);
    classes.LookUp<kAscii>(word, found);
    return Planes(found[0]);
}

// The masks of words, by mask instead of by word.
HWY_INLINE void Transpose(const Group (&row)[kGroup], Group (&group)[PM_MASK_COUNT]) {
    Group pair[8], four[8];
    HWY_UNROLL(4)
    for (int i = 0; i < 8; i += 2) {
        pair[i] = _mm512_unpacklo_epi64(row[i], row[i + 1]);     // of words i, i + 1: masks 0, 2, 4, 6
        pair[i + 1] = _mm512_unpackhi_epi64(row[i], row[i + 1]); // masks 1, 3, 5, 7
    }
    HWY_UNROLL(2)
    for (int i = 0; i < 2; i++)
        HWY_UNROLL(2)
    for (int k = 0; k < 8; k += 4) {
        four[k + i] = _mm512_shuffle_i64x2(pair[k + i], pair[k + 2 + i], 0x88);     // masks i, i + 4
        four[k + 2 + i] = _mm512_shuffle_i64x2(pair[k + i], pair[k + 2 + i], 0xdd); // masks i + 2, i + 6
    }
    HWY_UNROLL(4)
    for (int i = 0; i < 4; i++) {
        group[i] = _mm512_shuffle_i64x2(four[i], four[4 + i], 0x88);
        group[i + 4] = _mm512_shuffle_i64x2(four[i], four[4 + i], 0xdd);
    }
}

// Does nothing begin in these words, if they are code?
HWY_INLINE bool GroupIsPlain(const Group (&row)[kGroup]) {
    constexpr unsigned kBeginning =
        1u << PM_MASK_STRING | 1u << PM_MASK_CHARACTER | 1u << PM_MASK_SLASH | 1u << PM_MASK_OTHER;
    const Group first = Or3(row[0], row[1], row[2]), second = Or3(row[3], row[4], row[5]);
    return (AnyBits(Or3(first, second, Or(row[6], row[7]))) & kBeginning) == 0;
}

HWY_INLINE void PutPlainGroup(const Group (&row)[kGroup], const pmi_code_found *found, size_t w) {
    static_assert(PM_MASK_BRACKET == 0, "brackets are the first lane");
    HWY_UNROLL(8)
    for (unsigned i = 0; i < kGroup; i++)
        found->brackets[w + i] = static_cast<uint64_t>(_mm_cvtsi128_si64(_mm512_castsi512_si128(row[i])));
    _mm512_storeu_si512(found->comments + w, GroupAll(false));
    _mm512_storeu_si512(found->quoted + w, GroupAll(false));
}

// Bytes that a backslash protects; *out: where the last byte of a word protects the next. `in`: the first byte is.
HWY_INLINE Group Escaped(Group backslashes, bool in, Group *out) {
    const Group odd_bits = _mm512_set1_epi64(static_cast<int64_t>(UINT64_C(0xaaaaaaaaaaaaaaaa)));
    const Group first = _mm512_maskz_set1_epi64(1, in);
    Group before = first, codes;
    for (;;) {
        const Group starts = Without(backslashes, before), twice = Or(_mm512_slli_epi64(starts, 1), odd_bits);
        codes = _mm512_xor_si512(_mm512_sub_epi64(twice, starts), odd_bits);
        *out = And(codes, backslashes);
        const Group next = Or(first, _mm512_srli_epi64(_mm512_alignr_epi64(*out, _mm512_setzero_si512(), 7), 63));
        if (AnyBits(_mm512_xor_si512(next, before)) == 0)
            break;
        before = next;
    }
    return _mm512_xor_si512(codes, Or(backslashes, before));
}

// ---- Comments ----

// As pmi_code_comments, of a group. Bit i of in_block and in_line: is the text inside one before word i, for i up to 8.
struct GroupComments {
    Group all, firsts, openers; // openers: their first bytes
    Group block_firsts, odd;
    unsigned in_block, in_line;
};

HWY_INLINE GroupComments FindComments(const pmi_code_rules &rules, const pmi_code_state &state,
                                      const Group (&of)[PM_MASK_COUNT], Group after_backslash) {
    const bool was_block = state.inside == PM_INSIDE_BLOCK, was_line = state.inside == PM_INSIDE_LINE;
    const Group slash = of[PM_MASK_SLASH], star = of[PM_MASK_STAR];
    const Group after_slash = Behind(slash, state.slash);
    const Group begin = And(star, after_slash), lines = And(slash, after_slash);
    const Group end = And(slash, Behind(star, state.star));
    GroupComments found;
    if (rules.expressions && AnyBits(Or(begin, lines)) == 0 && !was_block && !was_line) {
        const Group none = GroupAll(false); // as in minified JavaScript: elsewhere this is hard to predict
        return {none, none, none, none, none, 0, 0};
    }
    const Group blocks = Spans(begin, end, was_block, &found.in_block);
    const Group line_begin = Without(lines, blocks);
    const Group line_end = Without(of[PM_MASK_NEWLINE], And(after_backslash, GroupAll(rules.lines_continue)));
    const Group line = Spans(line_begin, line_end, was_line, &found.in_line); // with its newline, which is code
    found.block_firsts = Without(begin, Behind(blocks, was_block));
    found.firsts = OrWithout(found.block_firsts, line_begin, Behind(line, was_line));
    found.openers = Ahead(found.firsts);
    found.all = OrWithout(blocks, line, line_end);
    found.odd = And(end, Behind(begin));
    found.odd = OrAnd(found.odd, Or(begin, lines), Behind(end));
    found.odd = OrAnd(found.odd, begin, Behind(lines));
    found.odd = OrAnd(found.odd, found.block_firsts, line);
    if (rules.comments_nest)
        found.odd = OrWithout(found.odd, begin, found.block_firsts);
    return found;
}

// ---- Quotations ----

// As pmi_code_quotes, of a group.
struct GroupQuotes {
    Group strings, characters;
    Group opening_strings, opening_characters;
    Group odd, protecting; // protecting: see Escaped()
    unsigned odd_words;
};

// Removes the apostrophes of names; `inside`: the first one ends a character. Returns the words in which it is not
// known what one is.
HWY_INLINE unsigned RemoveLifetimes(const unsigned char *text, size_t length, bool inside, Group *apostrophes) {
    alignas(64) uint64_t kept[kGroup];
    unsigned odd_words = 0;
    _mm512_store_si512(kept, *apostrophes);
    for (unsigned rest = AnyBits(*apostrophes); rest != 0; rest &= rest - 1) {
        const unsigned k = pmi_bits_lowest(rest);
        if (!pmi_code_remove_lifetimes(text + PM_WORD_BITS * k, length - PM_WORD_BITS * k, inside, &kept[k]))
            odd_words |= 1u << k;
        inside ^= pmi_bits_count(kept[k]) & 1;
    }
    *apostrophes = _mm512_load_si512(kept);
    return odd_words;
}

// The words whose end three quotes in a row may cross.
HWY_INLINE unsigned TriplesCross(const unsigned char *text, size_t length, Group quotes) {
    unsigned last = LastBits(quotes);
    if (last == 0)
        return 0;
    alignas(64) uint64_t of_words[kGroup];
    _mm512_store_si512(of_words, quotes);
    for (unsigned rest = last; rest != 0; rest &= rest - 1) {
        const unsigned k = pmi_bits_lowest(rest);
        if (!pmi_code_triple_crosses(text + PM_WORD_BITS * k, length - PM_WORD_BITS * k, of_words[k]))
            last ^= 1u << k;
    }
    return last;
}

HWY_INLINE GroupQuotes FindQuotes(const pmi_code_rules &rules, const pmi_code_state &state, const unsigned char *text,
                                  size_t length, const Group (&of)[PM_MASK_COUNT], Group comments) {
    const bool was_string = state.inside == PM_INSIDE_STRING, was_character = state.inside == PM_INSIDE_CHARACTER;
    const Group none = GroupAll(false);
    GroupQuotes found;
    Group escaped = none;
    found.protecting = found.odd = none;
    found.odd_words = 0;
    if (AnyBits(of[PM_MASK_BACKSLASH]) != 0 || state.escaped)
        escaped = Escaped(of[PM_MASK_BACKSLASH], state.escaped, &found.protecting);
    const Group quotes = Without(of[PM_MASK_STRING], comments);
    found.strings = Parity(Without(quotes, escaped), was_string);
    Group apostrophes = WithoutBoth(of[PM_MASK_CHARACTER], comments, found.strings);
    if (rules.lifetimes) {
        found.odd = And(apostrophes, escaped);
        apostrophes = Without(apostrophes, escaped);
        found.odd_words = RemoveLifetimes(text, length, was_character, &apostrophes);
    }
    const Group lasting = Without(apostrophes, escaped);
    found.characters = AnyBits(lasting) != 0 || was_character ? Parity(lasting, was_character) : none;
    found.odd = OrAnd(found.odd, quotes, Or(found.characters, Without(escaped, found.strings)));
    found.odd = OrAnd(found.odd, apostrophes, Without(escaped, found.characters));
    const Group lined = Or(found.characters, And(found.strings, GroupAll(rules.strings_end)));
    const Group goes_on = And(escaped, GroupAll(rules.strings_continue));
    found.odd = OrAnd(found.odd, Without(of[PM_MASK_NEWLINE], goes_on), lined);
    if (rules.triple) {
        const Group pairs = And(quotes, Behind(quotes));
        found.odd = OrAnd(found.odd, pairs, Behind(pairs));
        found.odd_words |= TriplesCross(text, length, quotes);
    }
    found.opening_strings = Without(And(quotes, found.strings), escaped);
    found.opening_characters = And(lasting, found.characters);
    return found;
}

HWY_INLINE uint64_t BytesEqual(const unsigned char *word, char byte) {
    return _cvtmask64_u64(_mm512_cmpeq_epi8_mask(_mm512_loadu_si512(word), _mm512_set1_epi8(byte)));
}

// ---- Strings between backticks ----

// Of a group: those strings, and the backticks that open or close them. Where a string of another
// sort seems to begin inside one of them, none does; a word in which such a string hides a backtick is odd.
struct GroupLiterals {
    Group all, backticks;
    unsigned odd_words;
};

// `others`: bytes outside comments that may be backticks; `quoted`: what seems to be in strings of other sorts, and
// characters.
HWY_INLINE GroupLiterals FindLiterals(const pmi_code_state &state, const unsigned char *text, Group others,
                                      Group quoted) {
    const bool was_literal = state.inside == PM_INSIDE_RAW;
    alignas(64) uint64_t of_words[kGroup];
    _mm512_store_si512(of_words, others);
    for (unsigned rest = AnyBits(others); rest != 0; rest &= rest - 1) {
        const unsigned k = pmi_bits_lowest(rest);
        of_words[k] &= BytesEqual(text + PM_WORD_BITS * k, '`');
    }
    const Group backticks = _mm512_load_si512(of_words);
    GroupLiterals found = {GroupAll(was_literal), Without(backticks, quoted), 0};
    if (AnyBits(backticks) == 0 && !was_literal)
        return found;
    found.all = Parity(found.backticks, was_literal);
    found.odd_words = AnyBits(And(And(backticks, quoted), found.all));
    return found;
}

// ---- Other bytes of code ----

// Of the words with backslashes, those in which a return is behind one.
HWY_NOINLINE unsigned ReturnsBehind(const unsigned char *text, unsigned words, Group after_backslash) {
    alignas(64) uint64_t of_words[kGroup];
    unsigned found = 0;
    _mm512_store_si512(of_words, after_backslash);
    for (; words != 0; words &= words - 1) {
        const unsigned k = pmi_bits_lowest(words);
        const __m512i bytes = _mm512_loadu_si512(text + PM_WORD_BITS * k);
        const uint64_t returns = _cvtmask64_u64(_mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8('\r')));
        found |= static_cast<unsigned>((returns & of_words[k]) != 0) << k;
    }
    return found;
}

// A mask of each word, where the text itself must be looked at: with each such byte something else may begin.
struct GroupAsked {
    uint64_t strings[PM_CODE_LOOK_WORDS], others[PM_CODE_LOOK_WORDS], slashes[PM_CODE_LOOK_WORDS];
    uint64_t words; // with any
};

// Reads what may begin something else in the w-th word, the k-th of those that are asked. Returns false if the word is
// odd.
HWY_INLINE bool AskWord(const pmi_code_rules &rules, unsigned char previous, const unsigned char *word, size_t length,
                        const pmi_code_found *found, size_t w, bool clear, const GroupAsked &asked, size_t k,
                        size_t *directives) {
    const pmi_code_state state = {PM_INSIDE_CODE, false, false, false, false, false, previous, false, false, 0, 0, 0};
    if (!pmi_code_strings_plain(&rules, &state, word, asked.strings[k]))
        return false;
    if ((asked.others[k] | asked.slashes[k]) == 0)
        return true;
    const uint64_t code = ~(found->comments[w] | found->quoted[w]);
    pmi_code_text text = {word, length, w, code, found->quoted[w], clear};
    uint64_t others = asked.others[k];
    if (!pmi_code_read_slashes(&text, found, asked.slashes[k], &others) ||
        !pmi_code_others_plain(&rules, &text, found, others, directives))
        return false;
    found->brackets[w] &= ~text.quoted;
    found->quoted[w] = text.quoted;
    return true;
}

// How many of the words from the w-th on, of `words`, have no apostrophe that is perhaps in a number? Asked at once:
// there are few.
HWY_INLINE unsigned CharactersPlain(unsigned char previous, const unsigned char *text, unsigned words,
                                    const pmi_code_found *found, size_t w, Group opening) {
    alignas(64) uint64_t of_words[kGroup];
    _mm512_store_si512(of_words, opening);
    for (unsigned k = 0; k < words; k++) {
        const unsigned char before = k > 0 ? text[PM_WORD_BITS * k - 1] : previous;
        const pmi_code_state state = {PM_INSIDE_CODE, false, false, false, false, false, before, false, false, 0};
        if (!pmi_code_characters_plain(&state, text + PM_WORD_BITS * k, found, w + k, of_words[k]))
            return k;
    }
    return words;
}

// Asks about the words that groups have read, the w-th and those behind it, where the text was in a state before.
// Returns how many of them are right, and goes on counting directives to there. No word is asked about again.
HWY_INLINE size_t AskWords(const pmi_code_rules &rules, pmi_code_state *before, const unsigned char *text,
                           size_t length, size_t words, const pmi_code_found *found, size_t w, bool clear,
                           GroupAsked *asked) {
    uint64_t rest = asked->words;
    asked->words = 0;
    for (; rest != 0; rest &= rest - 1) {
        const unsigned k = pmi_bits_lowest(rest);
        const unsigned char *const word = text + PM_WORD_BITS * k;
        size_t directives = before->branches;
        if (!AskWord(rules, k > 0 ? word[-1] : before->previous, word, length - PM_WORD_BITS * k, found, w + k,
                     k > 0 || clear, *asked, k, &directives))
            return k;
        before->branches = directives;
    }
    return words;
}

// ---- Groups ----

// Goes behind `read` > 0 words of a group.
HWY_INLINE void StepState(pmi_code_state *state, const unsigned char *text, unsigned read,
                          const Group (&of)[PM_MASK_COUNT], const GroupComments &comments, const GroupQuotes &quotes,
                          Group literals, Group quoted) {
    const unsigned last = read - 1;
    const Group slash = WithoutBoth(of[PM_MASK_SLASH], comments.all, quoted);
    state->inside = comments.in_block >> read & 1             ? PM_INSIDE_BLOCK
                    : comments.in_line >> read & 1            ? PM_INSIDE_LINE
                    : LastBits(literals) >> last & 1          ? PM_INSIDE_RAW
                    : LastBits(quotes.strings) >> last & 1    ? PM_INSIDE_STRING
                    : LastBits(quotes.characters) >> last & 1 ? PM_INSIDE_CHARACTER
                                                              : PM_INSIDE_CODE;
    state->slash = LastBits(slash) >> last & 1;
    state->star =
        state->inside == PM_INSIDE_BLOCK && (LastBits(Without(of[PM_MASK_STAR], comments.block_firsts)) >> last & 1);
    state->backslash = LastBits(of[PM_MASK_BACKSLASH]) >> last & 1;
    state->escaped = LastBits(Without(And(quotes.protecting, quoted), literals)) >> last & 1;
    state->previous = text[PM_WORD_BITS * read - 1];
}

// May a raw string begin in some of the words, where hashes may stand between: is such a byte right before a quote? In
// Rust few are, and words with strings need not be asked about then.
HWY_INLINE bool PerhapsRaw(const pmi_code_rules &rules, unsigned char previous, const unsigned char *text,
                           unsigned words) {
    const __m512i quote = _mm512_set1_epi8('"'), raw = _mm512_set1_epi8(static_cast<char>(rules.raw_after)),
                  hash = _mm512_set1_epi8('#');
    uint64_t found = pmi_code_perhaps_raw(&rules, previous);
    for (unsigned k = 0; k < words; k++) {
        const unsigned char *const word = text + PM_WORD_BITS * k;
        const __m512i bytes = _mm512_loadu_si512(word);
        const __mmask64 here = k + 1 < words ? ~UINT64_C(0) : ~UINT64_C(0) >> 1; // the next group has its `previous`
        const __mmask64 before = _mm512_cmpeq_epi8_mask(_mm512_maskz_loadu_epi8(here, word + 1), quote);
        found |= _mm512_mask_cmpeq_epi8_mask(before, bytes, raw) | _mm512_mask_cmpeq_epi8_mask(before, bytes, hash);
    }
    return found != 0;
}

// Reads `count` words, at most a group, and returns how many were read. The others change nothing but their place in
// `found`. `from` is the state before them. `asked` has those that must be asked about, from the k-th on. kAsks: that
// is done here. kLiterals: between backticks are strings that hold no code, and in which a backslash protects nothing.
template <bool kAscii, bool kAsks, bool kLiterals>
HWY_INLINE unsigned ReadGroup(const pmi_code_rules &rules, const Classes &classes, const pmi_code_state &from,
                              pmi_code_state *state, const unsigned char *text, size_t length, unsigned count,
                              const pmi_code_found *found, size_t w, GroupAsked *asked, size_t k) {
    Group row[kGroup], of[PM_MASK_COUNT];
    HWY_UNROLL(8)
    for (unsigned i = 0; i < kGroup; i++)
        row[i] = i < count ? MasksOf<kAscii>(classes, text + PM_WORD_BITS * i) : GroupAll(false);
    if (count == kGroup && from.inside == PM_INSIDE_CODE && !from.slash && GroupIsPlain(row)) {
        PutPlainGroup(row, found, w);
        state->star = state->backslash = state->escaped = false;
        state->previous = text[PM_WORD_BITS * kGroup - 1];
        return kGroup;
    }
    Transpose(row, of);
    const Group after_backslash = Behind(of[PM_MASK_BACKSLASH], from.backslash);
    const GroupComments comments = FindComments(rules, from, of, after_backslash);
    const GroupQuotes quotes = FindQuotes(rules, from, text, length, of, comments.all);
    const Group quotations = Or(quotes.strings, quotes.characters);
    GroupLiterals literals = {GroupAll(false), GroupAll(false), 0};
    if (kLiterals)
        literals = FindLiterals(from, text, Without(of[PM_MASK_OTHER], comments.all), quotations);
    const Group quoted = Or(quotations, literals.all);
    const Group outside = WithoutBoth(GroupAll(true), comments.all, quoted);
    const Group odd =
        OrAnd(OrAnd(Or(comments.odd, quotes.odd), comments.firsts, quoted), of[PM_MASK_OTHER], after_backslash);
    unsigned odd_words = AnyBits(odd) | quotes.odd_words | literals.odd_words;
    const unsigned backslashes = AnyBits(after_backslash) & ((1u << count) - 1);
    if (HWY_UNLIKELY(backslashes != 0 && rules.returns))
        odd_words |= ReturnsBehind(text, backslashes, after_backslash);
    if (rules.comments_nest)
        odd_words |= LastBits(of[PM_MASK_SLASH]) & comments.in_block >> 1;
    unsigned read = pmi_bits_lowest(odd_words | 1u << count);

    const __mmask8 words = static_cast<__mmask8>((1u << count) - 1);
    _mm512_mask_storeu_epi64(found->brackets + w, words, And(of[PM_MASK_BRACKET], outside));
    _mm512_mask_storeu_epi64(found->comments + w, words, Or(comments.all, comments.openers));
    _mm512_mask_storeu_epi64(found->quoted + w, words, quoted);

    const Group others = Without(And(of[PM_MASK_OTHER], outside), literals.backticks);
    const Group slashes =
        rules.expressions ? Without(And(of[PM_MASK_SLASH], outside), comments.openers) : GroupAll(false);
    const bool raw = rules.raw_after && (!rules.hashes || PerhapsRaw(rules, state->previous, text, count));
    const Group strings = raw ? quotes.opening_strings : GroupAll(false);
    if (rules.separators && AnyBits(quotes.opening_characters) != 0)
        read = CharactersPlain(state->previous, text, read, found, w, quotes.opening_characters);
    const unsigned rest = AnyBits(Or3(others, slashes, strings)) & ((1u << read) - 1);
    const bool goes_on = _mm_cvtsi128_si32(_mm512_castsi512_si128(comments.firsts)) & 1;
    if (w > 0 && goes_on)
        found->comments[w - 1] |= UINT64_C(1) << 63;
    if (!kAsks || rest != 0) {
        _mm512_storeu_si512(asked->strings + k, strings);
        _mm512_storeu_si512(asked->others + k, others);
        _mm512_storeu_si512(asked->slashes + k, slashes);
        asked->words |= static_cast<uint64_t>(rest) << k;
    }
    if (kAsks && rest != 0)
        read = static_cast<unsigned>(AskWords(rules, state, text, length, read, found, w, w > 0 || !goes_on, asked));
    if (read == 0)
        return 0;
    if (read < count && !(LastBits(comments.all) >> (read - 1) & 1)) // whether a comment begins there is not known
        found->comments[w + read - 1] &= ~(UINT64_C(1) << 63);
    if (HWY_LIKELY(read == kGroup)) // does not wait for what is odd
        StepState(state, text, kGroup, of, comments, quotes, literals.all, quoted);
    else
        StepState(state, text, read, of, comments, quotes, literals.all, quoted);
    return read;
}

// What is found in the first 128 bytes of a table, and for bytes beyond ASCII `other`.
HWY_INLINE __m512i LookUpAscii(const uint8_t *table, __m512i bytes, uint8_t other) {
    const __m512i found =
        _mm512_permutex2var_epi8(_mm512_loadu_si512(table), bytes, _mm512_loadu_si512(table + PM_WORD_BITS));
    return _mm512_mask_mov_epi8(found, _mm512_movepi8_mask(bytes), _mm512_set1_epi8(static_cast<char>(other)));
}

HWY_INLINE uint64_t BytesWith(__m512i bytes, unsigned bit) {
    return _cvtmask64_u64(_mm512_test_epi8_mask(bytes, _mm512_set1_epi8(static_cast<char>(1u << bit))));
}

// See pmi_code_look_all. Masks are stored one by one: those stored together are there to be read much later.
template <bool kAscii>
HWY_INLINE void LookAtAll(const void *classes, const unsigned char *word, uint64_t *masks, pmi_code_signs *signs,
                          unsigned char *symbols) {
    const __m512i bytes = _mm512_loadu_si512(word), of = LookUpAscii(pmi_code_sign_bits, bytes, 1u << PM_SIGN_NAME);
    const __m512i first = LookUpAscii(pmi_code_bytes, bytes, 0);
    const __m512i second = LookUpAscii(pmi_code_bytes, _mm512_loadu_si512(word + 1), pmi_code_bytes[128]);
    const __m512i both = _mm512_ternarylogic_epi64(_mm512_set1_epi8(15), first, second, 0xca);
    _mm512_storeu_si512(symbols, _mm512_permutexvar_epi8(both, _mm512_loadu_si512(pmi_code_symbols)));
    V found[kVectors];
    PM_TEXT_EXPECT(word);
    static_cast<const Classes *>(classes)->LookUp<kAscii>(word, found);
    HWY_UNROLL(8)
    for (unsigned p = 0; p < PM_MASK_COUNT; p++)
        masks[p] = BytesWith(found[0].raw, p);
    *signs = {BytesWith(of, PM_SIGN_BLANK), BytesWith(of, PM_SIGN_NAME), BytesWith(of, PM_SIGN_LESS),
              BytesWith(of, PM_SIGN_GREATER), BytesWith(of, PM_SIGN_BRACE)};
}

// As pmi_code_nested_words().
template <bool kAscii>
HWY_NOINLINE size_t NestedWords(const pmi_code_rules *rules, const Classes &classes, pmi_code_state *state,
                                const unsigned char *text, size_t length, const pmi_code_found *found, size_t w) {
    return pmi_code_nested_words(rules, state, text, length, length / PM_WORD_BITS, found, w, LookAtAll<kAscii>, true,
                                 &classes);
}

// Reads a word in another way: by steps, or by masks of its own. These know of nested comments, and first read a word
// in which nothing but comments begins, perhaps one right behind the other. Returns false if the lexer must.
template <bool kAscii>
HWY_NOINLINE bool OddWord(const pmi_code_rules *rules, const Classes &classes, pmi_code_state *state,
                          const unsigned char *text, size_t length, const pmi_code_found *found, size_t w) {
    alignas(64) uint64_t masks[PM_MASK_COUNT];
    _mm512_store_si512(masks, MasksOf<kAscii>(classes, text));
    const bool comments = (masks[PM_MASK_STRING] | masks[PM_MASK_CHARACTER] | masks[PM_MASK_OTHER]) == 0;
    for (unsigned turn = 0; turn < 2; turn++) {
        const bool by_masks = comments == (turn == 0);
        if (by_masks ? pmi_code_word(rules, state, text, length, masks, found, w, PrefixParity)
                     : pmi_code_by_steps(rules, state, text, length, masks, found, w, LookForSigns))
            return true;
    }
    return false;
}

// Fewer words than a group.
template <bool kAscii, bool kAsks, bool kLiterals>
HWY_NOINLINE unsigned ReadRest(const pmi_code_rules *rules, const Classes &classes, pmi_code_state *state,
                               const unsigned char *text, size_t length, unsigned count, const pmi_code_found *found,
                               size_t w, GroupAsked *asked, size_t k) {
    return ReadGroup<kAscii, kAsks, kLiterals>(*rules, classes, pmi_code_state(*state), state, text, length, count,
                                               found, w, asked, k);
}

// As ReadGroup(). Most groups begin in code: where the CPU predicts that, it goes on before it has seen how the last
// one ends.
template <bool kAscii, bool kAsks, bool kLiterals>
HWY_INLINE unsigned ReadNext(const pmi_code_rules *rules, const Classes &classes, pmi_code_state *state,
                             const unsigned char *text, size_t length, const pmi_code_found *found, size_t w,
                             GroupAsked *asked, size_t k) {
    const pmi_code_state code = {PM_INSIDE_CODE, false, false, false, false, false, 0, false, false, 0, 0, 0};
    if (state->inside == PM_INSIDE_CODE && !(state->slash | state->star | state->backslash | state->escaped))
        return ReadGroup<kAscii, kAsks, kLiterals>(*rules, classes, code, state, text, length, kGroup, found, w, asked,
                                                   k);
    return ReadGroup<kAscii, kAsks, kLiterals>(*rules, classes, pmi_code_state(*state), state, text, length, kGroup,
                                               found, w, asked, k);
}

// Reads words up to the `end`-th by groups, from the `first` on, until one ends early. Returns the word behind the last
// one. Where groups do not ask, there are at most PM_CODE_LOOK_WORDS.
template <bool kAscii, bool kAsks, bool kLiterals>
HWY_INLINE size_t ReadWhole(const pmi_code_rules *rules, const Classes &classes, pmi_code_state *state,
                            const unsigned char *text, size_t first, size_t end, size_t words,
                            const pmi_code_found *found, GroupAsked *asked) {
    asked->words = 0;
    for (size_t w = first; w < end;) {
        const unsigned char *const group = text + w * PM_WORD_BITS;
        const size_t length = (words - w) * PM_WORD_BITS, k = kAsks ? 0 : w - first;
        const unsigned count = end - w < kGroup ? static_cast<unsigned>(end - w) : kGroup;
        const unsigned read =
            count == kGroup
                ? ReadNext<kAscii, kAsks, kLiterals>(rules, classes, state, group, length, found, w, asked, k)
                : ReadRest<kAscii, kAsks, kLiterals>(rules, classes, state, group, length, count, found, w, asked, k);
        w += read;
        if (read < count)
            return w;
    }
    return end;
}

// The same, and only then asks about all of these words: groups that go on meanwhile need not wait for that.
template <bool kAscii>
HWY_INLINE size_t ReadThenAsk(const pmi_code_rules *rules, const Classes &classes, pmi_code_state *state,
                              const unsigned char *text, size_t first, size_t end, size_t words,
                              const pmi_code_found *found, GroupAsked *asked) {
    const unsigned char *const from = text + first * PM_WORD_BITS;
    const size_t length = (words - first) * PM_WORD_BITS;
    const bool clear = first > 0 || !state->slash || (*from != '/' && *from != '*');
    for (;;) {
        pmi_code_state now = *state, before = *state;
        const size_t read =
            ReadWhole<kAscii, false, false>(rules, classes, &now, text, first, end, words, found, asked) - first;
        const size_t right = AskWords(*rules, &before, from, length, read, found, first, clear, asked);
        if (right == read) {
            now.branches = before.branches;
            *state = now;
            return first + read;
        }
        end = first + right; // again, to have the state there
    }
}

// Reads words of code in a string or the like, in which it cannot end for the braces that are open. Returns how many.
template <bool kAscii, bool kLiterals>
HWY_NOINLINE unsigned ReadNested(const pmi_code_rules *rules, const Classes &classes, pmi_code_state *state,
                                 const unsigned char *text, size_t length, const pmi_code_found *found, size_t w,
                                 GroupAsked *asked) {
    uint64_t closes = 0;
    unsigned count = 0;
    while (count < kGroup && count < length / PM_WORD_BITS) {
        closes += pmi_bits_count(BytesEqual(text + PM_WORD_BITS * count, '}'));
        if (closes >= found->templates->braces)
            break;
        count++;
    }
    if (count < kGroup / 2)
        return 0; // which steps read as fast
    asked->words = 0;
    state->inside &= ~PM_INSIDE_NESTED;
    const unsigned read =
        ReadRest<kAscii, true, kLiterals>(rules, classes, state, text, length, count, found, w, asked, 0);
    state->inside |= PM_INSIDE_NESTED;
    for (unsigned k = 0; k < read; k++) {
        const unsigned char *const word = text + PM_WORD_BITS * k;
        pmi_code_count_braces(found, w + k, BytesEqual(word, '{'), BytesEqual(word, '}'));
    }
    return read;
}

// As pmi_code_words(). Aligned as Code() is, whose loop this has.
template <bool kAscii, bool kLiterals>
HWY_NOINLINE __attribute__((aligned(128))) size_t ReadGroups(const pmi_code_rules *rules, const Classes &classes,
                                                             pmi_code_state *state, const unsigned char *text,
                                                             size_t words, const pmi_code_found *found) {
    const bool later = kAscii && !kLiterals && rules->directives &&
                       !rules->interpolated; // there most of what is asked about is nothing else
    GroupAsked asked;
    size_t w = 0, ahead = PM_CODE_LOOK_WORDS; // words that are read before they are asked about: few behind odd ones
    unsigned alone = 0, next_alone = 1;       // words that are read alone, because groups before them ended early
    while (w < words) {
        if (alone == 0 && state->inside & PM_INSIDE_NESTED && (state->inside & ~PM_INSIDE_NESTED) < PM_INSIDE_RAW) {
            w += ReadNested<kAscii, kLiterals>(rules, classes, state, text + w * PM_WORD_BITS,
                                               (words - w) * PM_WORD_BITS, found, w, &asked);
            if (w == words)
                break;
        } else if (alone == 0 && state->inside < PM_INSIDE_RAW + kLiterals) {
            const size_t first = w, end = later && words - w > ahead ? w + ahead : words;
            w = later ? ReadThenAsk<kAscii>(rules, classes, state, text, w, end, words, found, &asked)
                      : ReadWhole<kAscii, true, kLiterals>(rules, classes, state, text, w, end, words, found, &asked);
            ahead = w < end ? kGroup : ahead < PM_CODE_LOOK_WORDS ? 2 * ahead : ahead;
            if (w == end)
                continue;
            const unsigned read = (w - first) % kGroup; // of the last group
            next_alone = w - first >= kGroup ? 1 : next_alone;
            next_alone = read > 1 ? 1 : next_alone < 2 * kGroup ? 2 * next_alone : next_alone;
            alone = next_alone;
        }
        const unsigned char *const odd = text + w * PM_WORD_BITS;
        const size_t length = (words - w) * PM_WORD_BITS;
        const bool begins = rules->elements && state->inside == PM_INSIDE_CODE && BytesEqual(odd, '<') != 0;
        const size_t nested =
            begins || pmi_code_is_nested(state) ? NestedWords<kAscii>(rules, classes, state, odd, length, found, w) : 0;
        if (nested > 0) {
            w += nested;
            alone -= nested < alone ? static_cast<unsigned>(nested) : alone;
            continue;
        }
        alone -= alone > 0;
        if (!OddWord<kAscii>(rules, classes, state, odd, length, found, w))
            break;
        w++; // does not wait for what was read
    }
    return w;
}

} // namespace pm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

#endif
