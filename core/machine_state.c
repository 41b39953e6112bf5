/* SPDX-License-Identifier: Apache-2.0 */
/* What core/structure_scan.c does, one place after another. */
#include "core/machine_state.h"

bool pm_machine_state_same(pm_machine_state a, pm_machine_state b) {
    return a.region == b.region && a.family == b.family && a.closes == b.closes && a.part == b.part &&
           a.passing == b.passing && a.told == b.told && a.quote == b.quote && a.skip == b.skip;
}

/* ---- How far to skip ---- */

/* Could the word begin `from` bytes behind where the other one does? */
static bool could_begin_in(const struct pm_pairs *pairs, const unsigned char *word, uint32_t length,
                           pm_pairs_word other, uint32_t from) {
    const uint32_t common = length < other.length - from ? length : other.length - from;
    return pm_bytes_equal(pairs->bytes + other.begin + from, word, common, pairs->ignore_case);
}

static bool one_could_begin_in(const struct pm_pairs *pairs, pm_pairs_words words, pm_pairs_word other, uint32_t from) {
    for (uint32_t k = 0; k < words.count; k++) {
        const pm_pairs_word word = pairs->words[words.first + k];
        if (could_begin_in(pairs, pairs->bytes + word.begin, word.length, other, from))
            return true;
    }
    return false;
}

/* Could something that counts in the region, or code, begin there? */
static bool could_count(const struct pm_pairs *pairs, const pm_pairs_region *region, pm_pairs_word word,
                        uint32_t from) {
    const unsigned char before = pairs->bytes[word.begin + from - 1], byte = pairs->bytes[word.begin + from];
    if (!region) {
        const bool in_word = pm_byte_is_word(before) && pm_byte_is_word(byte);
        for (uint32_t r = 0; r < pairs->pattern_count; r++)
            if (!(in_word && pairs->rules[r].word) &&
                one_could_begin_in(pairs, (pm_pairs_words){pairs->rules[r].word_at, 1}, word, from))
                return true;
        return false;
    }
    return ((region->flags & PM_SKIP_LINE) && byte == '\n') || byte == region->escape ||
           ((region->flags & PM_SKIP_QUOTATIONS) && (byte == '"' || byte == '\'')) ||
           one_could_begin_in(pairs, region->ends, word, from);
}

/* The pm_machine_state behind a word's first byte, where what follows it is a region, or code: the word's other bytes
 * are passed over, as far as it makes a difference. */
static pm_machine_state behind(const struct pm_pairs *pairs, const pm_pairs_region *region, pm_pairs_word word) {
    uint32_t skip = word.length - 1;
    while (skip > 0 && !could_count(pairs, region, word, skip))
        skip--;
    return (pm_machine_state){.region = region, .skip = skip};
}

/* Besides blanks. */
static bool ends_name(const struct pm_pairs *pairs, const pm_tag_family *family, unsigned char byte) {
    return byte == pm_first_byte(pairs, family->end) ||
           (family->empty.length > 0 && byte == pm_first_byte(pairs, family->empty));
}

/* The pm_machine_state behind the first byte of what begins a tag, likewise: no name has begun before it is passed. */
static pm_machine_state behind_tag_begin(const struct pm_pairs *pairs, const pm_rule *rule) {
    const pm_tag_family *const family = &pairs->families[rule->index];
    const pm_pairs_word word = pairs->words[rule->word_at];
    const unsigned char *const bytes = pairs->bytes + word.begin;
    uint32_t skip = word.length - 1;
    while (skip > 0 && !pm_byte_is_space(bytes[skip]) && !ends_name(pairs, family, bytes[skip]))
        skip--;
    return (pm_machine_state){.family = family, .closes = rule->close_tag, .part = PM_TAG_NAME, .skip = skip};
}

/* ---- One place ---- */

static bool begins_with(const pm_glyph *glyph, int byte) {
    return glyph->length > 0 && glyph->bytes[0] == byte;
}

static bool is_blank(const pm_glyph *glyph) {
    return glyph->length > 0 && pm_byte_is_space(glyph->bytes[0]);
}

/* Does the word begin there? */
static bool has_word(const struct pm_pairs *pairs, const pm_glyph *glyph, pm_pairs_word word) {
    return word.length <= glyph->length &&
           pm_bytes_equal(pairs->bytes + word.begin, glyph->bytes, word.length, pairs->ignore_case);
}

static pm_machine_state after_in_code(const struct pm_pairs *pairs, const pm_glyph *glyph) {
    const pm_rule *const rule = glyph->rule;
    if (!rule)
        return (pm_machine_state){.region = NULL};
    if (rule->role == PM_RULE_TAG)
        return behind_tag_begin(pairs, rule);
    if (rule->spaced)
        return (pm_machine_state){.passing = true,
                                  .told = rule->role == PM_RULE_NOTHING ? NULL : rule,
                                  .skip = pm_first_word(pairs, rule).length - 1};
    if (pm_rule_is_tagged(pairs, rule))
        return (pm_machine_state){.region = &pairs->regions[rule->index], .skip = 1};
    const pm_pairs_region *const region = rule->role == PM_RULE_REGION ? &pairs->regions[rule->index] : NULL;
    return behind(pairs, region, pairs->words[rule->word_at]);
}

/* What begins a region of a rule `tagged`. */
static unsigned char tagged_byte(const struct pm_pairs *pairs, const pm_pairs_region *region) {
    uint32_t r = 0;
    while (!pm_rule_is_tagged(pairs, &pairs->rules[r]) || &pairs->regions[pairs->rules[r].index] != region)
        r++;
    return pm_first_byte(pairs, pairs->words[pairs->rules[r].word_at]);
}

static pm_machine_state after_in_region(const struct pm_pairs *pairs, pm_machine_state before, const pm_glyph *glyph) {
    const pm_pairs_region *const region = before.region;
    const pm_pairs_word *const ends = pairs->words + region->ends.first;
    if (region->flags & PM_SKIP_TAGGED)
        return begins_with(glyph, tagged_byte(pairs, region)) && glyph->length > 1 && glyph->bytes[1] == glyph->bytes[0]
                   ? (pm_machine_state){.skip = 1}
                   : before;
    if (region->flags & PM_SKIP_LINE)
        return begins_with(glyph, '\n') ? after_in_code(pairs, glyph) : before;
    if (begins_with(glyph, region->escape))
        return (pm_machine_state){.region = region, .skip = 1};
    for (uint32_t e = 0; e < region->ends.count; e++)
        if (has_word(pairs, glyph, ends[e]))
            return behind(pairs, NULL, ends[e]);
    if ((region->flags & PM_SKIP_QUOTATIONS) && (begins_with(glyph, '"') || begins_with(glyph, '\'')))
        return (pm_machine_state){.region = region, .quote = glyph->bytes[0]};
    return before;
}

/* The end of the tag that begins there: its own, or of one that is empty; length 0: none does. */
static pm_pairs_word tag_end_at(const struct pm_pairs *pairs, pm_machine_state before, const pm_glyph *glyph) {
    const pm_tag_family *const family = before.family;
    if (family->empty.length > 0 && has_word(pairs, glyph, family->empty))
        return family->empty;
    return has_word(pairs, glyph, family->end) ? family->end : (pm_pairs_word){0, 0};
}

static pm_machine_state after_in_tag(const struct pm_pairs *pairs, pm_machine_state before, const pm_glyph *glyph) {
    const bool blank = is_blank(glyph);
    const pm_pairs_word end = tag_end_at(pairs, before, glyph);
    pm_machine_state next = before;
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

pm_machine_state pm_machine_state_after(const struct pm_pairs *pairs, pm_machine_state before, const pm_glyph *glyph) {
    pm_machine_state next = before;
    if (before.skip > 0) {
        next.skip--;
        return next;
    }
    if (before.passing)
        return is_blank(glyph) ? before : (pm_machine_state){.region = NULL};
    if (before.quote) {
        next.quote = begins_with(glyph, before.quote) ? 0 : before.quote;
        return next;
    }
    return before.family   ? after_in_tag(pairs, before, glyph)
           : before.region ? after_in_region(pairs, before, glyph)
                           : after_in_code(pairs, glyph);
}

uint32_t pm_machine_state_late_length(const struct pm_pairs *pairs, pm_machine_state before, const pm_glyph *glyph) {
    if (before.skip > 0 || before.quote)
        return 0;
    if (before.told && has_word(pairs, glyph, pm_second_word(pairs, before.told)))
        return pm_second_word(pairs, before.told).length;
    if (!before.family)
        return 0;
    const pm_pairs_word end = tag_end_at(pairs, before, glyph);
    const bool empty = before.family->empty.length > 0 && end.begin == before.family->empty.begin;
    return empty && !before.closes ? 0 : end.length;
}

bool pm_machine_state_is_open(pm_machine_state s) {
    return s.family || (s.region && !(s.region->flags & PM_SKIP_LINE));
}

bool pm_machine_word_is_plain(const struct pm_pairs *pairs, pm_pairs_word word) {
    return behind(pairs, NULL, word).skip == 0;
}
