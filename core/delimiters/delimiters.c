/* SPDX-License-Identifier: Apache-2.0 */
/* Creating delimiters, a dictionary from rules; and the languages that have them. */
#include "core/delimiters/delimiters.h"

#include "core/context/context.h"
#include "core/delimiters/rules/keys.h"
#include "core/delimiters/tags/name_facts.h"
#include "core/find/find.h"
#include "core/text/language.h"

/* Is `word` longer than `other`, and does it begin with it? */
static bool begins_with(const struct pmi_delimiters *pairs, pmi_rule_word word, pmi_rule_word other) {
    return other.length < word.length &&
           pmi_bytes_equal(pairs->bytes + word.begin, pairs->bytes + other.begin, other.length, pairs->ignore_case);
}

static pmi_rule_word word_of(const struct pmi_delimiters *pairs, uint32_t rule) {
    return pairs->words[pairs->rules[rule].word_at];
}

/* Notes a byte that may follow a first word, in both cases if case is ignored. */
static void note_next(const struct pmi_delimiters *pairs, pmi_rule *first, unsigned char byte) {
    const unsigned char other = pairs->ignore_case && byte >= 'a' && byte <= 'z'
                                    ? (unsigned char)(byte - 'a' + 'A')
                                    : pmi_fold_case(byte, pairs->ignore_case);
    first->next[byte / 64] |= UINT64_C(1) << byte % 64;
    first->next[other / 64] |= UINT64_C(1) << other % 64;
}

/* Returns what is behind the first blanks of several words. */
static pmi_spaced spaced_of(const struct pmi_delimiters *pairs, uint32_t rule) {
    const pmi_rule_word word = word_of(pairs, rule);
    const unsigned char *const bytes = pairs->bytes + word.begin, *const end = bytes + word.length;
    const unsigned char *next = memchr(bytes, ' ', word.length);
    while (*next == ' ')
        next++;
    const bool two = next + 1 < end && next[1] != ' ';
    const unsigned first = pmi_fold_case(next[0], pairs->ignore_case);
    const unsigned second = two ? pmi_fold_case(next[1], pairs->ignore_case) : 0;
    return (pmi_spaced){rule, (uint16_t)(first | second << 8), two ? 0xffff : 0xff};
}

/* Those of several words are tried before their first one is taken alone, the longest first. */
static pm_status note_spaced(struct pmi_delimiters *pairs) {
    uint32_t count = 0;
    pairs->spaced =
        pmi_memory_allocate(&pairs->allocator, pairs->rule_count - pairs->pattern_count + 1, sizeof *pairs->spaced);
    if (!pairs->spaced)
        return PM_OUT_OF_MEMORY;
    for (uint32_t p = 0; p < pairs->pattern_count; p++) {
        const pmi_rule_word first = word_of(pairs, p);
        pairs->rules[p].first = p;
        pairs->rules[p].spaced_rules.first = count;
        for (uint32_t s = pairs->pattern_count; s < pairs->rule_count; s++) {
            const pmi_rule_word word = word_of(pairs, s);
            uint32_t *at = &pairs->rules[p].first;
            const unsigned char *const blank = memchr(pairs->bytes + word.begin, ' ', word.length);
            if (!begins_with(pairs, word, first) || blank != pairs->bytes + word.begin + first.length)
                continue;
            while (*at != p && word_of(pairs, *at).length > word.length)
                at = &pairs->rules[*at].shorter;
            pairs->rules[s].first_length = first.length;
            pairs->rules[s].shorter = *at;
            *at = s;
        }
        for (uint32_t s = pairs->rules[p].first; s != p; s = pairs->rules[s].shorter) {
            pairs->spaced[count] = spaced_of(pairs, s);
            note_next(pairs, &pairs->rules[p], (unsigned char)pairs->spaced[count++].bytes);
        }
        pairs->rules[p].spaced_rules.count = count - pairs->rules[p].spaced_rules.first;
    }
    return PM_OK;
}

/* Then the longest other pattern of the dictionary that a pattern begins with. */
static void note_shorter(struct pmi_delimiters *pairs) {
    for (uint32_t i = 0; i < pairs->pattern_count; i++) {
        uint32_t best = PM_NONE, best_length = 0;
        for (uint32_t k = 0; k < pairs->pattern_count; k++) {
            const pmi_rule_word other = word_of(pairs, k);
            if (other.length <= best_length || !begins_with(pairs, word_of(pairs, i), other))
                continue;
            best = k;
            best_length = other.length;
        }
        pairs->rules[i].shorter = best == PM_NONE ? PM_NONE : pairs->rules[best].first;
    }
}

/* ---- Languages of tags ---- */

static bool word_is(const struct pmi_delimiters *pairs, pmi_rule_word word, const char *bytes) {
    return word.length == strlen(bytes) && memcmp(pairs->bytes + word.begin, bytes, word.length) == 0;
}

/* Are they elements, and perhaps blocks in braces? */
static bool families_fit(const struct pmi_delimiters *pairs) {
    const pmi_tag_family *const element = &pairs->families[0], *const block = &pairs->families[1];
    if (pairs->family_count == 0 || element->statement || !word_is(pairs, element->open, "<") ||
        !word_is(pairs, element->close, "</") || !word_is(pairs, element->end, ">") ||
        !word_is(pairs, element->empty, "/>"))
        return false;
    return pairs->family_count == 1 ||
           (pairs->family_count == 2 && pairs->tags.braces == PM_BRACES_EXPRESSIONS && !block->statement &&
            word_is(pairs, block->open, "{#") && word_is(pairs, block->close, "{/") &&
            word_is(pairs, block->end, "}") && block->empty.length == 0);
}

/* What a region's rule says of braces. */
static pmi_tag_braces braces_of(const struct pmi_delimiters *pairs, uint32_t rule) {
    const pmi_rule_region *const region = &pairs->regions[pairs->rules[rule].index];
    if (region->flags & PM_SKIP_NESTED)
        return pairs->nested_open == '{' && pairs->nested_close == '}' ? PM_BRACES_EXPRESSIONS : PM_BRACES_NOTHING;
    return region->flags == PM_SKIP_QUOTATIONS && word_is(pairs, word_of(pairs, rule), "{{") &&
                   region->ends.count == 1 && word_is(pairs, pairs->words[region->ends.first], "}}")
               ? PM_BRACES_TWICE
               : PM_BRACES_NOTHING;
}

/* Is it what begins or ends a tag, or a region that begins with <! or <? and has no other < in its beginning? */
static bool rule_fits(const struct pmi_delimiters *pairs, uint32_t rule) {
    const unsigned char *const bytes = pairs->bytes + word_of(pairs, rule).begin;
    const size_t length = word_of(pairs, rule).length;
    if (pairs->rules[rule].role == PM_RULE_TAG)
        return true;
    return pairs->rules[rule].role == PM_RULE_REGION && !pairs->rules[rule].word && length >= 2 && bytes[0] == '<' &&
           (bytes[1] == '!' || bytes[1] == '?') && !memchr(bytes + 1, '<', length - 1);
}

/* A family without names that mean something else than others. */
static bool family_is_plain(const pmi_tag_family *family) {
    return family->empty_names.count + family->raw_names.count + family->optional_names.count +
               family->assigned_names.count + family->quoted_names.count + family->name_ends.count +
               family->implied.count ==
           0;
}

static bool is_small_letter(const struct pmi_delimiters *pairs, unsigned char byte) {
    return pairs->ignore_case && pmi_byte_is_letter(byte);
}

/* Is it a word that begins with no letter whose case is ignored, and ends with > but has no other? */
static bool ends_plainly(const struct pmi_delimiters *pairs, pmi_rule_word end) {
    const unsigned char *const bytes = pairs->bytes + end.begin;
    for (uint32_t k = 0; k < end.length; k++)
        if (is_small_letter(pairs, bytes[k]) || (bytes[k] == '>') != (k + 1 == end.length))
            return false;
    return !(end.length > 1 && bytes[0] == '\\');
}

static pmi_tag_region tag_region(const struct pmi_delimiters *pairs, uint32_t rule) {
    const pmi_rule_word word = word_of(pairs, rule);
    const pmi_rule_region *const region = &pairs->regions[pairs->rules[rule].index];
    const pmi_rule_word *const ends = pairs->words + region->ends.first;
    pmi_tag_region made = {.rule = rule, .length = word.length, .whole = word.length <= sizeof made.bytes};
    unsigned char bytes[sizeof made.bytes] = {0}, mask[sizeof made.bytes] = {0};
    for (uint32_t k = 0; k < word.length && k < sizeof made.bytes; k++) {
        bytes[k] = pairs->bytes[word.begin + k];
        mask[k] = is_small_letter(pairs, bytes[k]) ? (unsigned char)~('a' ^ 'A') : 0xff;
        bytes[k] &= mask[k];
    }
    memcpy(&made.bytes, bytes, sizeof made.bytes);
    memcpy(&made.mask, mask, sizeof made.mask);
    if (region->flags == 0 && region->escape < 0 && region->ends.count == 1 && ends[0].length <= PM_TAG_END_MAX &&
        ends_plainly(pairs, ends[0])) {
        made.plain = true;
        made.end_count = (uint8_t)ends[0].length;
        memcpy(made.ends, pairs->bytes + ends[0].begin, ends[0].length);
    } else if (region->flags == PM_SKIP_QUOTATIONS && region->escape < 0 && region->ends.count <= PM_TAG_END_MAX) {
        made.quoted = true;
        made.end_count = (uint8_t)region->ends.count;
        for (uint32_t e = 0; e < region->ends.count; e++) {
            made.ends[e] = pairs->bytes[ends[e].begin];
            made.quoted &= ends[e].length == 1 && !is_small_letter(pairs, made.ends[e]);
        }
    }
    return made;
}

static void note_region(struct pmi_delimiters *pairs, uint32_t rule) {
    pmi_tag_language *const tags = &pairs->tags;
    uint32_t at = tags->region_count++;
    for (; at > 0 && word_of(pairs, tags->regions[at - 1].rule).length < word_of(pairs, rule).length; at--)
        tags->regions[at] = tags->regions[at - 1];
    tags->regions[at] = tag_region(pairs, rule);
}

/* Notes what a rule says; false if it does not fit. */
static bool note_tag_rule(struct pmi_delimiters *pairs, uint32_t r) {
    pmi_tag_language *const tags = &pairs->tags;
    const pmi_rule *const rule = &pairs->rules[r];
    const pmi_tag_braces braces = rule->role == PM_RULE_REGION ? braces_of(pairs, r) : PM_BRACES_NOTHING;
    if (braces != PM_BRACES_NOTHING ? tags->braces != PM_BRACES_NOTHING : !rule_fits(pairs, r))
        return false;
    if (rule->role == PM_RULE_REGION)
        note_region(pairs, r);
    else
        *(rule->close_tag ? &tags->close[rule->index] : &tags->open[rule->index]) = r;
    tags->braces = braces != PM_BRACES_NOTHING ? braces : tags->braces;
    return true;
}

static void note_tags(struct pmi_delimiters *pairs) {
    pmi_tag_language *const tags = &pairs->tags;
    if (pairs->family_count == 0 || pairs->family_count > 2 ||
        pairs->rule_count > 2 * pairs->family_count + PM_TAG_REGIONS_MAX || pairs->rule_count != pairs->pattern_count ||
        pairs->loose != PM_NONE)
        return;
    for (uint32_t r = 0; r < pairs->rule_count; r++)
        if (!note_tag_rule(pairs, r))
            return;
    tags->fits = families_fit(pairs);
    tags->named = pairs->families[0].name_ends.count < 2;
    tags->plain = tags->fits && tags->braces == PM_BRACES_NOTHING && !pairs->ignore_case && !pairs->tracks &&
                  family_is_plain(&pairs->families[0]);
}

static pm_status make_dict(pm_context *context, struct pmi_delimiters *pairs) {
    const char *patterns[PM_RULES_PATTERNS_MAX];
    size_t lengths[PM_RULES_PATTERNS_MAX];
    for (uint32_t i = 0; i < pairs->pattern_count; i++) {
        const pmi_rule_word word = word_of(pairs, i);
        patterns[i] = (const char *)pairs->bytes + word.begin;
        lengths[i] = word.length;
    }
    return pm_dict_create(context, patterns, lengths, pairs->pattern_count,
                          pairs->ignore_case ? PM_DICT_IGNORE_CASE : 0, &pairs->dict);
}

/* Does what begins with the pattern count only where a word begins? */
static bool begins_word(const struct pmi_delimiters *pairs, uint32_t pattern) {
    if (!pmi_byte_is_word(pairs->bytes[word_of(pairs, pattern).begin]))
        return false;
    for (uint32_t rule = pairs->rules[pattern].first; rule != PM_NONE; rule = pairs->rules[rule].shorter)
        if (!pairs->rules[rule].word)
            return false;
    return true;
}

static void note_starts(struct pmi_delimiters *pairs) {
    bool begin_words[PM_RULES_PATTERNS_MAX];
    for (uint32_t p = 0; p < pairs->pattern_count; p++)
        begin_words[p] = begins_word(pairs, p);
    pmi_dict_make_starts(pairs->dict, begin_words, &pairs->starts);
}

/* ---- Lines ---- */

static bool ends_with(const struct pmi_delimiters *pairs, pmi_rule_word word, unsigned char byte) {
    return word.length > 0 && pairs->bytes[word.begin + word.length - 1] == byte;
}

/* May the byte be the last one of what a region or a tag skips? */
static bool may_end_skipped(const struct pmi_delimiters *pairs, unsigned char byte) {
    for (uint32_t r = 0; r < pairs->region_count; r++) {
        const pmi_rule_region *const region = &pairs->regions[r];
        if (region->flags & (PM_SKIP_DELIMITED | PM_SKIP_NAMES)) /* by any byte */
            return true;
        for (uint32_t e = 0; e < region->ends.count; e++)
            if (ends_with(pairs, pairs->words[region->ends.first + e], byte))
                return true;
    }
    for (uint32_t f = 0; f < pairs->family_count; f++)
        if (ends_with(pairs, pairs->families[f].end, byte) || ends_with(pairs, pairs->families[f].empty, byte))
            return true;
    return pairs->nested_open && pairs->nested_close == byte;
}

/* Is it a byte twice, with which no other rule begins, and no other ends? */
static bool begins_line_twice(const struct pmi_delimiters *pairs, uint32_t rule) {
    const pmi_rule_word word = word_of(pairs, rule);
    const unsigned char *const bytes = pairs->bytes;
    if (pairs->rules[rule].role != PM_RULE_REGION || word.length != 2 || pmi_byte_is_word(bytes[word.begin]) ||
        bytes[word.begin] != bytes[word.begin + 1] || !(pairs->regions[pairs->rules[rule].index].flags & PM_SKIP_LINE))
        return false;
    for (uint32_t r = 0; r < pairs->rule_count; r++)
        if (r != rule && (bytes[word_of(pairs, r).begin] == bytes[word.begin] ||
                          ends_with(pairs, word_of(pairs, r), bytes[word.begin])))
            return false;
    return !may_end_skipped(pairs, bytes[word.begin]);
}

static void note_line_byte(struct pmi_delimiters *pairs) {
    pairs->line_byte = PM_BYTE_NONE;
    for (uint32_t p = 0; p < pairs->pattern_count && pairs->line_byte == PM_BYTE_NONE; p++)
        if (begins_line_twice(pairs, p))
            pairs->line_byte = pairs->bytes[word_of(pairs, p).begin];
}

/* ---- Keys ---- */

/* Is a pattern what it is whatever stands around it, where its key finds it, and no pattern of several words? */
static bool stands_alone(const struct pmi_delimiters *pairs, uint32_t pattern) {
    const pmi_rule *const rule = &pairs->rules[pattern];
    const pmi_rule_word word = word_of(pairs, pattern);
    const unsigned char *const bytes = pairs->bytes + word.begin;
    const unsigned edges = pmi_pattern_edges(pairs, pattern);
    const bool by_edges = !rule->word || ((edges & PM_EDGE_BEFORE || !pmi_byte_is_word(bytes[0])) &&
                                          (edges & PM_EDGE_BEHIND || !pmi_byte_is_word(bytes[word.length - 1])));
    return by_edges;
}

static pmi_quick_token quick_token(const struct pmi_delimiters *pairs, uint32_t pattern) {
    const pmi_rule *const rule = &pairs->rules[pattern];
    const bool opens = rule->role == PM_RULE_OPEN && rule->plain_in.count == 0 && rule->bodyless == PM_NONE;
    const bool closes = rule->role == PM_RULE_CLOSE, nothing = rule->role == PM_RULE_NOTHING && !rule->lets;
    const uint32_t length = word_of(pairs, pattern).length;
    if (!(opens || closes || nothing) || !stands_alone(pairs, pattern))
        return (pmi_quick_token){.length = 0};
    return (pmi_quick_token){.open = {.kind = rule->index,
                                      .rule = pattern,
                                      .implied = rule->unclosed ? PM_RULES_IMPLIED_MAX : PM_NONE,
                                      .length = length},
                             .length = length,
                             .closes = closes,
                             .count = opens || closes,
                             .step = (opens - closes) * (ptrdiff_t)sizeof(pmi_open)};
}

/* Notes what other patterns begin with that of a region. */
static void note_longer(const struct pmi_delimiters *pairs, uint32_t pattern, pmi_quick_region *region) {
    const pmi_rule_word word = word_of(pairs, pattern);
    region->longer = PM_BYTE_NONE;
    region->alike = word.length <= 2;
    for (uint32_t i = 0; i < word.length; i++)
        region->alike &= !pmi_byte_is_word(pairs->bytes[word.begin + i]);
    for (uint32_t p = 0; p < pairs->pattern_count; p++) {
        if (p == pattern || !begins_with(pairs, word_of(pairs, p), word))
            continue;
        const unsigned char next = pairs->bytes[word_of(pairs, p).begin + word.length];
        region->alike &= !pmi_byte_is_word(next) && (region->longer == PM_BYTE_NONE || region->longer == next);
        region->longer = next;
    }
}

static pmi_quick_region quick_region(const struct pmi_delimiters *pairs, uint32_t pattern) {
    const pmi_rule *const rule = &pairs->rules[pattern];
    const pmi_rule_word word = word_of(pairs, pattern);
    const pmi_quick_region none = {.length = 0};
    if (rule->role != PM_RULE_REGION || rule->first != pattern || !stands_alone(pairs, pattern) ||
        word.length > UINT8_MAX)
        return none;
    const pmi_rule_region *const region = &pairs->regions[rule->index];
    if (region->flags & (PM_SKIP_DELIMITED | PM_SKIP_NAMES | PM_SKIP_TAGGED))
        return none;
    const pmi_quick_region by_rule = {.length = (uint8_t)word.length, .by_rule = true};
    pmi_quick_region made = {.length = (uint8_t)word.length, .nests = region->flags & PM_SKIP_MAY_NEST};
    note_longer(pairs, pattern, &made);
    made.ends[0] = made.ends[1] = '\n';
    if (region->flags & PM_SKIP_LINE)
        return made;
    if ((region->flags & ~PM_SKIP_MAY_NEST) || region->escape >= 0 || region->ends.count != 1)
        return by_rule;
    const pmi_rule_word end = pairs->words[region->ends.first];
    made.end_length = (uint8_t)end.length;
    made.ends[0] = pairs->bytes[end.begin];
    made.ends[1] = pairs->bytes[end.begin + end.length - 1];
    if (end.length > 2 || (made.nests && word.length > 2) || pmi_byte_is_letter(made.ends[0]) ||
        pmi_byte_is_letter(made.ends[1]))
        return by_rule;
    return made;
}

static pm_status make_keys(struct pmi_delimiters *pairs) {
    pairs->quick = pmi_memory_allocate(&pairs->allocator, pairs->pattern_count + 2, sizeof *pairs->quick);
    pairs->quick_regions =
        pmi_memory_allocate(&pairs->allocator, pairs->pattern_count + 1, sizeof *pairs->quick_regions);
    pairs->keys = pmi_memory_allocate(&pairs->allocator, 1, sizeof *pairs->keys);
    if (!pairs->quick || !pairs->quick_regions || !pairs->keys)
        return PM_OUT_OF_MEMORY;
    for (uint32_t p = 0; p < pairs->pattern_count; p++) {
        pairs->quick[p] = quick_token(pairs, p);
        pairs->quick_regions[p] = quick_region(pairs, p);
    }
    pairs->quick[pairs->pattern_count] = (pmi_quick_token){.open = {.kind = PM_NONE}, .length = 1};
    pairs->quick[pairs->pattern_count + 1] = (pmi_quick_token){.open = {.kind = PM_NONE - 1}, .closes = 1};
    pmi_pattern_keys_make(pairs, pairs->keys);
    return PM_OK;
}

static void note_newlines(struct pmi_delimiters *pairs) {
    const pmi_pattern_keys *const keys = pairs->keys;
    if (pairs->pattern_count == 0)
        return;
    pairs->newlines_apart = keys->before['\n'] == keys->before[0] && keys->behind['\n'] == keys->behind[0] &&
                            !(pairs->sigils['\n' / 64] >> '\n' % 64 & 1);
    for (uint32_t p = 0; p < pairs->pattern_count; p++) {
        const pmi_rule_word word = word_of(pairs, p);
        pairs->newlines_apart &= memchr(pairs->bytes + word.begin, '\n', word.length) == NULL;
    }
}

pm_status pmi_delimiters_create(pm_context *context, const char *rules, size_t n, struct pmi_delimiters **pairs,
                                pm_language_error *error) {
    *pairs = NULL;
    if (n > PM_RULES_TEXT_MAX)
        return PM_TOO_LARGE;
    const pm_allocator allocator = pm_context_allocator(context);
    struct pmi_delimiters *const made = pmi_memory_allocate(&allocator, 1, sizeof *made);
    if (!made)
        return PM_OUT_OF_MEMORY;
    *made = (struct pmi_delimiters){.allocator = allocator, .lone = PM_NONE, .stray = PM_NONE, .spare = PM_NONE};
    pm_status status = pmi_rules_read(made, rules, n, error);
    if (status == PM_OK)
        status = note_spaced(made);
    if (status == PM_OK) {
        note_shorter(made);
        note_tags(made);
        status = make_dict(context, made);
    }
    if (status == PM_OK) {
        note_starts(made);
        note_line_byte(made);
        status = make_keys(made);
    }
    if (status == PM_OK)
        note_newlines(made);
    if (status == PM_OK && !pmi_name_facts_make(made))
        status = PM_OUT_OF_MEMORY;
    if (status == PM_OK)
        *pairs = made;
    else
        pmi_delimiters_destroy(made);
    return status;
}

void pmi_delimiters_destroy(struct pmi_delimiters *pairs) {
    if (!pairs)
        return;
    if (__atomic_fetch_sub(&pairs->others, 1, __ATOMIC_ACQ_REL) > 0)
        return;
    const pm_allocator allocator = pairs->allocator; /* outlives the block it frees */
    pm_dict_destroy(pairs->dict);
    pmi_memory_free(&allocator, pairs->bytes);
    pmi_memory_free(&allocator, pairs->words);
    pmi_memory_free(&allocator, pairs->rules);
    pmi_memory_free(&allocator, pairs->spaced);
    pmi_memory_free(&allocator, pairs->regions);
    pmi_memory_free(&allocator, pairs->families);
    pmi_memory_free(&allocator, pairs->implied);
    pmi_memory_free(&allocator, pairs->quick);
    pmi_memory_free(&allocator, pairs->quick_regions);
    pmi_memory_free(&allocator, pairs->keys);
    pmi_memory_free(&allocator, pairs->facts);
    pmi_memory_free(&allocator, pairs);
}

/* ---- Of a language ---- */

static void destroy_kept(void *made) {
    pmi_delimiters_destroy(made);
}

/* What a context keeps has the rules as its key: they are the library's, and stay where they are. */
pm_status pmi_delimiters_of(pm_context *context, const pm_language *language, const struct pmi_delimiters **pairs,
                            struct pmi_delimiters **made) {
    *made = NULL;
    *pairs = language->delimiters;
    if (language->delimiters)
        return PM_OK;
    *made = pmi_context_kept(context, language->rules);
    if (!*made) {
        const pm_status status = pmi_delimiters_create(context, language->rules, strlen(language->rules), made, NULL);
        if (status != PM_OK)
            return status;
        if (context)
            pmi_context_keep(context, language->rules, *made, destroy_kept);
    }
    if (context)
        __atomic_fetch_add(&(*made)->others, 1, __ATOMIC_RELAXED);
    *pairs = *made;
    return PM_OK;
}

pm_status pm_language_create_rules(pm_context *context, const char *rules, size_t n, pm_language **language,
                                   pm_language_error *error) {
    if (error)
        *error = (pm_language_error){.what = NULL};
    if (!language)
        return PM_INVALID_ARGUMENT;
    *language = NULL;
    if (n > 0 && !rules)
        return PM_INVALID_ARGUMENT;
    const pm_allocator allocator = pm_context_allocator(context);
    pm_language *const created = pmi_memory_allocate(&allocator, 1, sizeof *created);
    if (!created)
        return PM_OUT_OF_MEMORY;
    *created = (pm_language){.name = "rules", .description = "delimiters by rules", .aliases = "", .endings = ""};
    const pm_status status = pmi_delimiters_create(context, rules, n, &created->delimiters, error);
    if (status == PM_OK)
        *language = created;
    else
        pmi_memory_free(&allocator, created);
    return status;
}

void pm_language_destroy(pm_language *language) {
    if (!language || !language->delimiters)
        return;
    const pm_allocator allocator = language->delimiters->allocator; /* outlives what it frees */
    pmi_delimiters_destroy(language->delimiters);
    pmi_memory_free(&allocator, language);
}
