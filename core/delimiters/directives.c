/* SPDX-License-Identifier: Apache-2.0 */
/* What the lines of rules say: docs/guide/delimiters.md has all of them. */
#include "core/delimiters/read_rules.h"

/* ---- Patterns ---- */

/* Returns the rule of a word; NULL if it has none yet. */
static pmi_rule *find_rule(const struct pm_delimiters *pairs, uint32_t word) {
    for (uint32_t i = 0; i < pairs->rule_count; i++)
        if (pmi_pairs_same_words(pairs, pairs->rules[i].word_at, word))
            return &pairs->rules[i];
    return NULL;
}

/* Blanks between other bytes; where a pattern begins or ends with one it is a byte like others. */
static bool is_of_several_words(const struct pm_delimiters *pairs, pmi_pairs_word word) {
    const unsigned char *const bytes = pairs->bytes + word.begin;
    return bytes[0] != ' ' && bytes[word.length - 1] != ' ' && memchr(bytes, ' ', word.length) != NULL;
}

static bool add_rule(pmi_rule_reader *reader, uint32_t word, pmi_rule rule) {
    struct pm_delimiters *const pairs = reader->pairs;
    if (find_rule(pairs, word))
        return pmi_rules_fail(reader, word, "this pattern has a meaning already");
    if (pairs->rule_count == PM_PAIRS_PATTERNS_MAX)
        return pmi_rules_fail(reader, word, "more than 1024 patterns");
    rule.spaced = rule.word && is_of_several_words(pairs, pairs->words[word]);
    rule.word_at = word;
    rule.bodyless = rule.shorter = PM_NONE;
    pairs->rules[pairs->rule_count++] = rule;
    return true;
}

static bool add_region(pmi_rule_reader *reader, uint32_t word, pmi_pairs_region region) {
    struct pm_delimiters *const pairs = reader->pairs;
    const pmi_rule rule = {.role = PM_RULE_REGION, .index = pairs->region_count};
    pairs->regions[pairs->region_count++] = region;
    return add_rule(reader, word, rule);
}

/* Adds one side of a pair. If an earlier pair has the same side, the pair gets its kind; else *kind stays PM_NONE. */
static bool join_side(pmi_rule_reader *reader, uint32_t word, pmi_rule_role role, bool whole_word, uint32_t *kind) {
    const pmi_rule *const known = find_rule(reader->pairs, word);
    if (!known)
        return true;
    if (known->role != role || known->word != whole_word)
        return pmi_rules_fail(reader, word, "this pattern has another meaning already");
    struct pm_delimiters *const pairs = reader->pairs;
    const uint32_t old = known->index;
    if (*kind == PM_NONE || *kind == old) {
        *kind = old;
        return true;
    }
    for (uint32_t i = 0; i < pairs->rule_count; i++) { /* what were two kinds is one; the last one takes its place */
        pmi_rule *const rule = &pairs->rules[i];
        if (rule->role != PM_RULE_OPEN && rule->role != PM_RULE_CLOSE)
            continue;
        if (rule->index == old)
            rule->index = *kind;
        if (rule->index == pairs->kinds - 1)
            rule->index = old;
    }
    if (*kind == pairs->kinds - 1)
        *kind = old;
    pairs->kinds--;
    return true;
}

static bool add_pair(pmi_rule_reader *reader, pmi_pairs_words given, bool whole_word) {
    struct pm_delimiters *const pairs = reader->pairs;
    const uint32_t open = given.first, close = open + 1;
    if (pmi_pairs_same_words(pairs, open, close))
        return pmi_rules_fail(reader, close, "open and close are the same");
    uint32_t kind = PM_NONE;
    if (!join_side(reader, open, PM_RULE_OPEN, whole_word, &kind) ||
        !join_side(reader, close, PM_RULE_CLOSE, whole_word, &kind))
        return false;
    if (kind == PM_NONE)
        kind = pairs->kinds++;
    const pmi_rule_role roles[] = {PM_RULE_OPEN, PM_RULE_CLOSE};
    for (uint32_t side = 0; side < 2; side++)
        if (!find_rule(pairs, open + side) &&
            !add_rule(reader, open + side, (pmi_rule){.role = roles[side], .word = whole_word, .index = kind}))
            return false;
    return true;
}

/* ---- Directives: each is given the words behind its own ---- */

static bool read_ignore_case(pmi_rule_reader *reader, pmi_pairs_words given) {
    if (reader->pairs->rule_count > 0)
        return pmi_rules_fail(reader, given.first - 1, "ignore-case comes before all patterns");
    reader->pairs->ignore_case = true;
    return true;
}

static bool read_pair(pmi_rule_reader *reader, pmi_pairs_words given) {
    return add_pair(reader, given, false);
}

static bool read_word_pair(pmi_rule_reader *reader, pmi_pairs_words given) {
    return add_pair(reader, given, true);
}

static bool read_nothing(pmi_rule_reader *reader, pmi_pairs_words given) {
    for (uint32_t i = 0; i < given.count; i++)
        if (!add_rule(reader, given.first + i, (pmi_rule){.role = PM_RULE_NOTHING, .word = true}))
            return false;
    return true;
}

static bool read_line(pmi_rule_reader *reader, pmi_pairs_words given) {
    for (uint32_t i = 0; i < given.count; i++)
        if (!add_region(reader, given.first + i, (pmi_pairs_region){.flags = PM_SKIP_LINE, .escape = -1}))
            return false;
    return true;
}

static bool read_delimited(pmi_rule_reader *reader, pmi_pairs_words given) {
    for (uint32_t i = 0; i < given.count; i++)
        if (!add_region(reader, given.first + i, (pmi_pairs_region){.flags = PM_SKIP_DELIMITED, .escape = -1}))
            return false;
    return true;
}

static bool skip_with(pmi_rule_reader *reader, pmi_pairs_words given, unsigned flags) {
    const pmi_pairs_words ends = {given.first + 1, given.count - 1};
    return add_region(reader, given.first, (pmi_pairs_region){.flags = flags, .escape = -1, .ends = ends});
}

static bool read_skip(pmi_rule_reader *reader, pmi_pairs_words given) {
    return skip_with(reader, given, 0);
}

static bool read_skip_quoted(pmi_rule_reader *reader, pmi_pairs_words given) {
    return skip_with(reader, given, PM_SKIP_QUOTATIONS);
}

static bool read_string(pmi_rule_reader *reader, pmi_pairs_words given) {
    const struct pm_delimiters *const pairs = reader->pairs;
    pmi_pairs_region region = {.escape = -1, .ends = {given.first, 1}};
    if (given.count == 2) {
        const pmi_pairs_word escape = pairs->words[given.first + 1];
        if (escape.length != 1)
            return pmi_rules_fail(reader, given.first + 1, "an escape is one byte");
        region.escape = pairs->bytes[escape.begin];
    }
    return add_region(reader, given.first, region);
}

/* "escaped BEGIN END ESCAPE": no word may go on into BEGIN. */
static bool read_escaped(pmi_rule_reader *reader, pmi_pairs_words given) {
    struct pm_delimiters *const pairs = reader->pairs;
    const pmi_pairs_word escape = pairs->words[given.first + 2];
    if (escape.length != 1)
        return pmi_rules_fail(reader, given.first + 2, "an escape is one byte");
    const pmi_pairs_region region = {.escape = pairs->bytes[escape.begin], .ends = {given.first + 1, 1}};
    if (!add_region(reader, given.first, region))
        return false;
    find_rule(pairs, given.first)->word = true;
    return true;
}

static bool read_tagged(pmi_rule_reader *reader, pmi_pairs_words given) {
    return add_region(reader, given.first, (pmi_pairs_region){.flags = PM_SKIP_TAGGED, .escape = -1});
}

/* ---- What a word opens, or not ---- */

/* Returns the rule of an open that has been described; complains and returns NULL if there is no such rule. */
static pmi_rule *open_described(pmi_rule_reader *reader, uint32_t word) {
    pmi_rule *const rule = find_rule(reader->pairs, word);
    if (rule && rule->role == PM_RULE_OPEN)
        return rule;
    pmi_rules_fail(reader, word, "this pattern opens nothing so far");
    return NULL;
}

/* "nothing-in OPEN IN..." */
static bool read_nothing_in(pmi_rule_reader *reader, pmi_pairs_words given) {
    pmi_rule *const rule = open_described(reader, given.first);
    if (!rule)
        return false;
    rule->plain_in = (pmi_pairs_words){given.first + 1, given.count - 1};
    reader->pairs->tracks = true;
    return true;
}

/* "bodyless END OPEN..." */
static bool read_bodyless(pmi_rule_reader *reader, pmi_pairs_words given) {
    for (uint32_t i = 1; i < given.count; i++) {
        pmi_rule *const rule = open_described(reader, given.first + i);
        if (!rule)
            return false;
        rule->bodyless = given.first;
    }
    return true;
}

static bool read_unclosed(pmi_rule_reader *reader, pmi_pairs_words given) {
    for (uint32_t i = 0; i < given.count; i++) {
        pmi_rule *const rule = open_described(reader, given.first + i);
        if (!rule)
            return false;
        rule->unclosed = true;
    }
    reader->pairs->tracks = true;
    return true;
}

/* ---- Tags ---- */

static bool add_tag(pmi_rule_reader *reader, uint32_t word, bool close) {
    const uint32_t family = reader->pairs->family_count - 1;
    return add_rule(reader, word, (pmi_rule){.role = PM_RULE_TAG, .close_tag = close, .index = family});
}

static bool read_element(pmi_rule_reader *reader, pmi_pairs_words given) {
    struct pm_delimiters *const pairs = reader->pairs;
    const pmi_pairs_word *const words = pairs->words + given.first;
    pairs->families[pairs->family_count++] =
        (pmi_tag_family){.open = words[0],
                         .close = words[1],
                         .end = words[2],
                         .empty = given.count > 3 ? words[3] : (pmi_pairs_word){0}};
    return add_tag(reader, given.first, false) && add_tag(reader, given.first + 1, true);
}

static bool read_statement(pmi_rule_reader *reader, pmi_pairs_words given) {
    struct pm_delimiters *const pairs = reader->pairs;
    const pmi_pairs_word *const words = pairs->words + given.first;
    pmi_tag_family family = {.statement = true, .open = words[0], .end = words[1]};
    if (given.count > 2) {
        family.close = words[2];
        family.names = (pmi_pairs_words){given.first + 3, given.count - 3};
    }
    pairs->families[pairs->family_count++] = family;
    return add_tag(reader, given.first, false);
}

/* The family that was described last; NULL: none yet. */
static pmi_tag_family *last_family(const pmi_rule_reader *reader) {
    const struct pm_delimiters *const pairs = reader->pairs;
    return pairs->family_count > 0 ? &pairs->families[pairs->family_count - 1] : NULL;
}

static bool set_names(pmi_rule_reader *reader, pmi_pairs_words given, pmi_pairs_words *names) {
    if (!names)
        return pmi_rules_fail(reader, given.first - 1, "comes behind element or statement");
    if (names->count > 0)
        return pmi_rules_fail(reader, given.first - 1, "has been said already");
    *names = given;
    return true;
}

static bool read_assigned(pmi_rule_reader *reader, pmi_pairs_words given) {
    pmi_tag_family *const family = last_family(reader);
    return set_names(reader, given, family ? &family->assigned_names : NULL);
}

/* "implied NAME BEFORE..." */
static bool read_implied(pmi_rule_reader *reader, pmi_pairs_words given) {
    struct pm_delimiters *const pairs = reader->pairs;
    pmi_tag_family *const family = last_family(reader);
    if (!family)
        return pmi_rules_fail(reader, given.first - 1, "comes behind element or statement");
    if (family->implied.count == PM_PAIRS_IMPLIED_MAX)
        return pmi_rules_fail(reader, given.first, "more than 64 names");
    if (family->implied.count == 0)
        family->implied.first = pairs->implied_count;
    family->implied.count++;
    pairs->implied[pairs->implied_count++] = (pmi_implied_close){given.first, {given.first + 1, given.count - 1}};
    pairs->tracks = true;
    return true;
}

static bool read_void(pmi_rule_reader *reader, pmi_pairs_words given) {
    pmi_tag_family *const family = last_family(reader);
    return set_names(reader, given, family ? &family->empty_names : NULL);
}

static bool read_raw(pmi_rule_reader *reader, pmi_pairs_words given) {
    pmi_tag_family *const family = last_family(reader);
    return set_names(reader, given, family ? &family->raw_names : NULL);
}

static bool read_optional(pmi_rule_reader *reader, pmi_pairs_words given) {
    pmi_tag_family *const family = last_family(reader);
    return set_names(reader, given, family ? &family->optional_names : NULL);
}

static const struct directive {
    const char *name;
    uint32_t min, max; /* words behind it */
    bool (*read)(pmi_rule_reader *reader, pmi_pairs_words given);
} directives[] = {
    {"assigned", 1, UINT32_MAX, read_assigned},
    {"bodyless", 2, UINT32_MAX, read_bodyless},
    {"delimited", 1, UINT32_MAX, read_delimited},
    {"element", 3, 4, read_element},
    {"escaped", 3, 3, read_escaped},
    {"ignore-case", 0, 0, read_ignore_case},
    {"implied", 1, UINT32_MAX, read_implied},
    {"line", 1, UINT32_MAX, read_line},
    {"nothing", 1, UINT32_MAX, read_nothing},
    {"nothing-in", 2, UINT32_MAX, read_nothing_in},
    {"optional", 1, UINT32_MAX, read_optional},
    {"pair", 2, 2, read_pair},
    {"raw", 1, UINT32_MAX, read_raw},
    {"skip", 2, UINT32_MAX, read_skip},
    {"skip-quoted", 2, UINT32_MAX, read_skip_quoted},
    {"statement", 2, UINT32_MAX, read_statement},
    {"string", 1, 2, read_string},
    {"tagged", 1, 1, read_tagged},
    {"unclosed", 1, UINT32_MAX, read_unclosed},
    {"void", 1, UINT32_MAX, read_void},
    {"word", 2, 2, read_word_pair},
};

bool pmi_rules_apply_directive(pmi_rule_reader *reader, pmi_pairs_words line) {
    const pmi_pairs_word name = reader->pairs->words[line.first];
    const pmi_pairs_words given = {line.first + 1, line.count - 1};
    for (size_t d = 0; d < sizeof directives / sizeof *directives; d++) {
        const struct directive *const directive = &directives[d];
        if (strlen(directive->name) != name.length ||
            memcmp(directive->name, reader->pairs->bytes + name.begin, name.length) != 0)
            continue;
        if (given.count < directive->min)
            return pmi_rules_fail(reader, line.first, "too few words follow");
        if (given.count > directive->max)
            return pmi_rules_fail(reader, given.first + directive->max, "one word too many");
        return directive->read(reader, given);
    }
    return pmi_rules_fail(reader, line.first, "no such directive");
}

/* ---- What the dictionary finds ---- */

/* The first word of a pattern of several is a pattern, too, if only so that it is found. */
static bool add_first_word(pmi_rule_reader *reader, uint32_t spaced) {
    struct pm_delimiters *const pairs = reader->pairs;
    const pmi_pairs_word whole = pairs->words[spaced];
    const unsigned char *const bytes = pairs->bytes + whole.begin;
    const unsigned char *const blank = memchr(bytes + 1, ' ', whole.length - 1);
    const uint32_t first = pairs->word_count++;
    pairs->words[first] = (pmi_pairs_word){whole.begin, (uint32_t)(blank - bytes)};
    reader->word_offset[first] = reader->word_offset[spaced];
    return find_rule(pairs, first) || add_rule(reader, first, (pmi_rule){.role = PM_RULE_NOTHING, .word = true});
}

bool pmi_rules_finish(pmi_rule_reader *reader) {
    struct pm_delimiters *const pairs = reader->pairs;
    for (uint32_t i = 0, described = pairs->rule_count; i < described; i++)
        if (pairs->rules[i].spaced && !add_first_word(reader, pairs->rules[i].word_at))
            return false;
    for (uint32_t i = 0; i < pairs->rule_count; i++) {
        const pmi_rule rule = pairs->rules[i];
        if (rule.spaced)
            continue;
        pairs->rules[i] = pairs->rules[pairs->pattern_count];
        pairs->rules[pairs->pattern_count++] = rule;
    }
    return true;
}
