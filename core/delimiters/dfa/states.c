/* SPDX-License-Identifier: Apache-2.0 */
/* The transitions of a DFA: what core/delimiters/scan.c does, one byte after another. */
#include "core/delimiters/dfa/parts.h"

bool pmi_dfa_state_same(pmi_dfa_state a, pmi_dfa_state b) {
    return a.region == b.region && a.family == b.family && a.closes == b.closes && a.part == b.part &&
           a.passing == b.passing && a.two_words == b.two_words && a.quote == b.quote && a.skip == b.skip;
}

/* ---- How far to skip ---- */

/* Could the word begin `from` bytes behind where the other one does? */
static bool could_begin_in(const struct pmi_delimiters *pairs, const unsigned char *word, uint32_t length,
                           pmi_rule_word other, uint32_t from) {
    const uint32_t common = length < other.length - from ? length : other.length - from;
    return pmi_bytes_equal(pairs->bytes + other.begin + from, word, common, pairs->ignore_case);
}

static bool one_could_begin_in(const struct pmi_delimiters *pairs, pmi_rule_words words, pmi_rule_word other,
                               uint32_t from) {
    for (uint32_t k = 0; k < words.count; k++) {
        const pmi_rule_word word = pairs->words[words.first + k];
        if (could_begin_in(pairs, pairs->bytes + word.begin, word.length, other, from))
            return true;
    }
    return false;
}

/* Could something that counts in the region, or code, begin there? */
static bool could_count(const struct pmi_delimiters *pairs, const pmi_rule_region *region, pmi_rule_word word,
                        uint32_t from) {
    const unsigned char before = pairs->bytes[word.begin + from - 1], byte = pairs->bytes[word.begin + from];
    if (!region) {
        const bool in_word = pmi_byte_is_word(before) && pmi_byte_is_word(byte);
        for (uint32_t r = 0; r < pairs->pattern_count; r++)
            if (!(in_word && pairs->rules[r].word) &&
                one_could_begin_in(pairs, (pmi_rule_words){pairs->rules[r].word_at, 1}, word, from))
                return true;
        return false;
    }
    return ((region->flags & PM_SKIP_LINE) && byte == '\n') || byte == region->escape ||
           ((region->flags & PM_SKIP_QUOTATIONS) && (byte == '"' || byte == '\'')) ||
           one_could_begin_in(pairs, region->ends, word, from);
}

/* The pmi_dfa_state behind a word's first byte, where what follows it is a region, or code: the word's other bytes
 * are passed over, as far as it makes a difference. */
static pmi_dfa_state behind(const struct pmi_delimiters *pairs, const pmi_rule_region *region, pmi_rule_word word) {
    uint32_t skip = word.length - 1;
    while (skip > 0 && !could_count(pairs, region, word, skip))
        skip--;
    return (pmi_dfa_state){.region = region, .skip = skip};
}

/* Besides blanks. */
static bool ends_name(const struct pmi_delimiters *pairs, const pmi_tag_family *family, unsigned char byte) {
    return byte == pmi_first_byte(pairs, family->end) ||
           (family->empty.length > 0 && byte == pmi_first_byte(pairs, family->empty));
}

/* The pmi_dfa_state behind the first byte of what begins a tag: no name has begun before it is passed. */
static pmi_dfa_state behind_tag_begin(const struct pmi_delimiters *pairs, const pmi_rule *rule) {
    const pmi_tag_family *const family = &pairs->families[rule->index];
    const pmi_rule_word word = pairs->words[rule->word_at];
    const unsigned char *const bytes = pairs->bytes + word.begin;
    uint32_t skip = word.length - 1;
    while (skip > 0 && !pmi_byte_is_space(bytes[skip]) && !ends_name(pairs, family, bytes[skip]))
        skip--;
    return (pmi_dfa_state){.family = family, .closes = rule->close_tag, .part = PM_TAG_NAME, .skip = skip};
}

/* ---- One place ---- */

static bool begins_with(const pmi_glyph *glyph, int byte) {
    return glyph->length > 0 && glyph->bytes[0] == byte;
}

static bool is_blank(const pmi_glyph *glyph) {
    return glyph->length > 0 && pmi_byte_is_space(glyph->bytes[0]);
}

/* Does the word begin there? */
static bool has_word(const struct pmi_delimiters *pairs, const pmi_glyph *glyph, pmi_rule_word word) {
    return word.length <= glyph->length &&
           pmi_bytes_equal(pairs->bytes + word.begin, glyph->bytes, word.length, pairs->ignore_case);
}

static pmi_dfa_state after_in_code(const struct pmi_delimiters *pairs, const pmi_glyph *glyph) {
    const pmi_rule *const rule = glyph->rule;
    if (!rule)
        return (pmi_dfa_state){.region = NULL};
    if (rule->role == PM_RULE_TAG)
        return behind_tag_begin(pairs, rule);
    if (rule->spaced)
        return (pmi_dfa_state){.passing = true,
                               .two_words = rule->role == PM_RULE_NOTHING ? NULL : rule,
                               .skip = pmi_first_word(pairs, rule).length - 1};
    if (pmi_rule_is_tagged(pairs, rule))
        return (pmi_dfa_state){.region = &pairs->regions[rule->index], .skip = 1};
    const pmi_rule_region *const region = rule->role == PM_RULE_REGION ? &pairs->regions[rule->index] : NULL;
    return behind(pairs, region, pairs->words[rule->word_at]);
}

/* What begins a region of a rule `tagged`. */
static unsigned char tagged_byte(const struct pmi_delimiters *pairs, const pmi_rule_region *region) {
    uint32_t r = 0;
    while (!pmi_rule_is_tagged(pairs, &pairs->rules[r]) || &pairs->regions[pairs->rules[r].index] != region)
        r++;
    return pmi_first_byte(pairs, pairs->words[pairs->rules[r].word_at]);
}

static pmi_dfa_state after_in_region(const struct pmi_delimiters *pairs, pmi_dfa_state before, const pmi_glyph *glyph) {
    const pmi_rule_region *const region = before.region;
    const pmi_rule_word *const ends = pairs->words + region->ends.first;
    if (region->flags & PM_SKIP_TAGGED)
        return begins_with(glyph, tagged_byte(pairs, region)) && glyph->length > 1 && glyph->bytes[1] == glyph->bytes[0]
                   ? (pmi_dfa_state){.skip = 1}
                   : before;
    if (region->flags & PM_SKIP_LINE)
        return begins_with(glyph, '\n') ? after_in_code(pairs, glyph) : before;
    if (begins_with(glyph, region->escape))
        return (pmi_dfa_state){.region = region, .skip = 1};
    for (uint32_t e = 0; e < region->ends.count; e++)
        if (has_word(pairs, glyph, ends[e]))
            return behind(pairs, NULL, ends[e]);
    if ((region->flags & PM_SKIP_QUOTATIONS) && (begins_with(glyph, '"') || begins_with(glyph, '\'')))
        return (pmi_dfa_state){.region = region, .quote = glyph->bytes[0]};
    return before;
}

/* The end of the tag that begins there: its own, or of one that is empty; length 0: none does. */
static pmi_rule_word tag_end_at(const struct pmi_delimiters *pairs, pmi_dfa_state before, const pmi_glyph *glyph) {
    const pmi_tag_family *const family = before.family;
    if (family->empty.length > 0 && has_word(pairs, glyph, family->empty))
        return family->empty;
    return has_word(pairs, glyph, family->end) ? family->end : (pmi_rule_word){0, 0};
}

static pmi_dfa_state after_in_tag(const struct pmi_delimiters *pairs, pmi_dfa_state before, const pmi_glyph *glyph) {
    const bool blank = is_blank(glyph);
    const pmi_rule_word end = tag_end_at(pairs, before, glyph);
    pmi_dfa_state next = before;
    if (end.length > 0)
        return behind(pairs, NULL, end);
    if (before.part == PM_TAG_NAME && !blank &&
        !(glyph->length > 0 && ends_name(pairs, before.family, glyph->bytes[0])))
        return before;
    next.part = begins_with(glyph, '=') || (blank && before.part == PM_TAG_VALUE) ? PM_TAG_VALUE : PM_TAG_INSIDE;
    if (before.part == PM_TAG_VALUE && (begins_with(glyph, '"') || begins_with(glyph, '\'')))
        next.quote = glyph->bytes[0];
    return next;
}

pmi_dfa_state pmi_dfa_state_after(const struct pmi_delimiters *pairs, pmi_dfa_state before, const pmi_glyph *glyph) {
    pmi_dfa_state next = before;
    if (before.skip > 0) {
        next.skip--;
        return next;
    }
    if (before.passing)
        return is_blank(glyph) ? before : (pmi_dfa_state){.region = NULL};
    if (before.quote) {
        next.quote = begins_with(glyph, before.quote) ? 0 : before.quote;
        return next;
    }
    return before.family   ? after_in_tag(pairs, before, glyph)
           : before.region ? after_in_region(pairs, before, glyph)
                           : after_in_code(pairs, glyph);
}

uint32_t pmi_dfa_state_late_length(const struct pmi_delimiters *pairs, pmi_dfa_state before, const pmi_glyph *glyph) {
    if (before.skip > 0 || before.quote)
        return 0;
    if (before.two_words && has_word(pairs, glyph, pmi_second_word(pairs, before.two_words)))
        return pmi_second_word(pairs, before.two_words).length;
    if (!before.family)
        return 0;
    const pmi_rule_word end = tag_end_at(pairs, before, glyph);
    const bool empty = before.family->empty.length > 0 && end.begin == before.family->empty.begin;
    return empty && !before.closes ? 0 : end.length;
}

bool pmi_dfa_state_is_open(pmi_dfa_state s) {
    return s.family || (s.region && !(s.region->flags & PM_SKIP_LINE));
}

bool pmi_dfa_word_is_plain(const struct pmi_delimiters *pairs, pmi_rule_word word) {
    return behind(pairs, NULL, word).skip == 0;
}
