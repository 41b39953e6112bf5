/* SPDX-License-Identifier: Apache-2.0 */
/* Reading the rules that describe a language's delimiters: docs/guide/delimiters.md says what each line means. */
#include <string.h>

#include "core/context/context.h"
#include "core/delimiters/delimiters.h"
#include "core/text/place.h"

typedef struct rule_reader {
    struct pmi_delimiters *pairs;
    const unsigned char *text;
    size_t n, at;             /* of the text; bytes read */
    size_t byte_count;        /* of words */
    uint32_t *word_offset;    /* where in the text each word begins */
    unsigned option;          /* of the directive that is read */
    uint32_t loose_word;      /* the open that is loose; PM_NONE: none */
    pm_language_error *error; /* never NULL */
} rule_reader;

/* Notes what is wrong at an offset of the text, or with a word; both return false. */
static bool fail_at(rule_reader *reader, size_t offset, const char *what) {
    *reader->error = (pm_language_error){pmi_place_of((const char *)reader->text, offset), what};
    return false;
}

static bool fail(rule_reader *reader, uint32_t word, const char *what) {
    return fail_at(reader, reader->word_offset[word], what);
}

/* Where the rules begin: behind a byte order mark, which editors put there. */
static size_t behind_mark(const char *rules, size_t n) {
    static const char mark[] = {'\xef', '\xbb', '\xbf'};
    return n >= sizeof mark && memcmp(rules, mark, sizeof mark) == 0 ? sizeof mark : 0;
}

/* ---- Words ---- */

static bool is_blank(unsigned char byte) {
    return byte == ' ' || byte == '\t' || byte == '\r';
}

static bool is_blank_or_newline(unsigned char byte) {
    return is_blank(byte) || byte == '\n';
}

static int hexadecimal(unsigned char byte) {
    const unsigned char lower = pmi_fold_case(byte, true);
    return byte >= '0' && byte <= '9' ? byte - '0' : lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

/* The byte at hand, or -1 where the line ends. */
static int peek(const rule_reader *reader) {
    return reader->at < reader->n && reader->text[reader->at] != '\n' ? reader->text[reader->at] : -1;
}

static void append(rule_reader *reader, int byte) {
    reader->pairs->bytes[reader->byte_count++] = (unsigned char)byte;
}

/* What follows a backslash. */
static bool read_escape(rule_reader *reader) {
    const size_t begin = reader->at - 1;
    const int byte = peek(reader);
    reader->at++;
    switch (byte) {
    case 'n':
        append(reader, '\n');
        return true;
    case 't':
        append(reader, '\t');
        return true;
    case '"':
    case '\\':
        append(reader, byte);
        return true;
    case 'x': {
        int value = 0;
        for (unsigned digit = 0; digit < 2; digit++, reader->at++) {
            const int next = peek(reader), read = next < 0 ? -1 : hexadecimal((unsigned char)next);
            if (read < 0)
                return fail_at(reader, begin, "two hexadecimal digits must follow \\x");
            value = value * 16 + read;
        }
        append(reader, value);
        return true;
    }
    default:
        return fail_at(reader, begin, "in quotes a backslash is followed by one of n t \" \\ x");
    }
}

static bool read_quoted(rule_reader *reader, size_t begin) {
    for (int byte; (byte = peek(reader)) >= 0;) {
        reader->at++;
        if (byte == '"') {
            if (reader->at < reader->n && !is_blank_or_newline(reader->text[reader->at]))
                return fail_at(reader, reader->at, "a blank must follow the quote");
            return true;
        }
        if (byte != '\\')
            append(reader, byte);
        else if (!read_escape(reader))
            return false;
    }
    return fail_at(reader, begin, "the quote is not closed on this line");
}

/* A word as it stands, or a quoted one; a quote all alone is a word. */
static bool read_word(rule_reader *reader) {
    struct pmi_delimiters *const pairs = reader->pairs;
    const size_t begin = reader->at, bytes = reader->byte_count;
    const bool alone = begin + 1 == reader->n || is_blank_or_newline(reader->text[begin + 1]);
    reader->word_offset[pairs->word_count] = (uint32_t)begin;
    if (reader->text[begin] == '"' && !alone) {
        reader->at++;
        if (!read_quoted(reader, begin))
            return false;
    } else {
        for (int byte; (byte = peek(reader)) >= 0 && !is_blank((unsigned char)byte); reader->at++)
            append(reader, byte);
    }
    if (reader->byte_count == bytes)
        return fail_at(reader, begin, "an empty word");
    pairs->words[pairs->word_count++] = (pmi_rule_word){(uint32_t)bytes, (uint32_t)(reader->byte_count - bytes)};
    return true;
}

/* ---- Patterns ---- */

/* Returns the rule of a word; NULL if it has none yet. */
static pmi_rule *find_rule(const struct pmi_delimiters *pairs, uint32_t word) {
    for (uint32_t i = 0; i < pairs->rule_count; i++)
        if (pmi_rule_words_equal(pairs, pairs->rules[i].word_at, word))
            return &pairs->rules[i];
    return NULL;
}

/* Blanks between other bytes; where a pattern begins or ends with one it is a byte like others. */
static bool is_of_several_words(const struct pmi_delimiters *pairs, pmi_rule_word word) {
    const unsigned char *const bytes = pairs->bytes + word.begin;
    return bytes[0] != ' ' && bytes[word.length - 1] != ' ' && memchr(bytes, ' ', word.length) != NULL;
}

static bool add_rule(rule_reader *reader, uint32_t word, pmi_rule rule) {
    struct pmi_delimiters *const pairs = reader->pairs;
    if (find_rule(pairs, word))
        return fail(reader, word, "this pattern has a meaning already");
    if (pairs->rule_count == PM_RULES_PATTERNS_MAX)
        return fail(reader, word, "more than 1024 patterns");
    rule.spaced = rule.word && is_of_several_words(pairs, pairs->words[word]);
    rule.word_at = word;
    rule.bodyless = rule.shorter = PM_NONE;
    pairs->rules[pairs->rule_count++] = rule;
    return true;
}

static bool add_region(rule_reader *reader, uint32_t word, pmi_rule_region region) {
    struct pmi_delimiters *const pairs = reader->pairs;
    const pmi_rule rule = {.role = PM_RULE_REGION, .index = pairs->region_count};
    pairs->regions[pairs->region_count++] = region;
    return add_rule(reader, word, rule);
}

/* Adds one side of a pair. If an earlier pair has the same side, the pair gets its kind; else *kind stays PM_NONE. */
static bool join_side(rule_reader *reader, uint32_t word, pmi_rule_role role, bool whole_word, uint32_t *kind) {
    const pmi_rule *const known = find_rule(reader->pairs, word);
    if (!known)
        return true;
    if (known->role != role || known->word != whole_word)
        return fail(reader, word, "this pattern has another meaning already");
    struct pmi_delimiters *const pairs = reader->pairs;
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

static bool read_pair(rule_reader *reader, pmi_rule_words given) {
    const bool whole_word = reader->option != 0;
    struct pmi_delimiters *const pairs = reader->pairs;
    const uint32_t open = given.first, close = open + 1;
    if (pmi_rule_words_equal(pairs, open, close))
        return fail(reader, close, "open and close are the same");
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

static bool read_ignore_case(rule_reader *reader, pmi_rule_words given) {
    if (reader->pairs->rule_count > 0)
        return fail(reader, given.first - 1, "ignore-case comes before all patterns");
    reader->pairs->ignore_case = true;
    return true;
}

static bool read_nothing(rule_reader *reader, pmi_rule_words given) {
    for (uint32_t i = 0; i < given.count; i++)
        if (!add_rule(reader, given.first + i, (pmi_rule){.role = PM_RULE_NOTHING, .word = true}))
            return false;
    return true;
}

/* Patterns that each begin a region without an end of its own. */
static bool read_regions(rule_reader *reader, pmi_rule_words given) {
    for (uint32_t i = 0; i < given.count; i++)
        if (!add_region(reader, given.first + i, (pmi_rule_region){.flags = reader->option, .escape = -1}))
            return false;
    return true;
}

static bool read_skip(rule_reader *reader, pmi_rule_words given) {
    const pmi_rule_words ends = {given.first + 1, given.count - 1};
    return add_region(reader, given.first, (pmi_rule_region){.flags = reader->option, .escape = -1, .ends = ends});
}

/* "branch BEGIN OPEN END..." */
static bool read_branch(rule_reader *reader, pmi_rule_words given) {
    const pmi_rule_words ends = {given.first + 2, given.count - 2};
    for (uint32_t e = 0; e < ends.count; e++)
        if (pmi_rule_words_equal(reader->pairs, given.first + 1, ends.first + e))
            return fail(reader, ends.first + e, "open and close are the same");
    return add_region(reader, given.first, (pmi_rule_region){.flags = PM_SKIP_BRANCH, .escape = -1, .ends = ends});
}

/* "sigil BYTE..." */
static bool read_sigil(rule_reader *reader, pmi_rule_words given) {
    struct pmi_delimiters *const pairs = reader->pairs;
    for (uint32_t i = 0; i < given.count; i++) {
        const pmi_rule_word word = pairs->words[given.first + i];
        if (word.length != 1)
            return fail(reader, given.first + i, "a sigil is one byte");
        pairs->sigils[pairs->bytes[word.begin] / 64] |= UINT64_C(1) << pairs->bytes[word.begin] % 64;
    }
    pairs->has_sigils = true;
    return true;
}

/* "may-nest BEGIN..." */
static bool read_may_nest(rule_reader *reader, pmi_rule_words given) {
    struct pmi_delimiters *const pairs = reader->pairs;
    for (uint32_t i = 0; i < given.count; i++) {
        const pmi_rule *const rule = find_rule(pairs, given.first + i);
        pmi_rule_region *const region = rule && rule->role == PM_RULE_REGION ? &pairs->regions[rule->index] : NULL;
        if (!region || region->flags != 0 || region->escape >= 0 || region->ends.first != rule->word_at + 1)
            return fail(reader, given.first + i, "no 'skip BEGIN END' above begins with this pattern");
        region->flags |= PM_SKIP_MAY_NEST;
    }
    pairs->may_nest = true;
    return true;
}

/* "nested OPEN CLOSE" */
static bool read_nested(rule_reader *reader, pmi_rule_words given) {
    struct pmi_delimiters *const pairs = reader->pairs;
    const pmi_rule_word *const words = pairs->words + given.first;
    for (uint32_t side = 0; side < 2; side++)
        if (words[side].length != 1 || pairs->bytes[words[side].begin] == 0)
            return fail(reader, given.first + side, "a delimiter of an expression is one byte");
    if (pmi_rule_words_equal(pairs, given.first, given.first + 1))
        return fail(reader, given.first + 1, "open and close are the same");
    if (pairs->nested_open)
        return fail(reader, given.first - 1, "has been said already");
    pairs->nested_open = pairs->bytes[words[0].begin];
    pairs->nested_close = pairs->bytes[words[1].begin];
    return add_region(reader, given.first, (pmi_rule_region){.flags = PM_SKIP_NESTED, .escape = -1});
}

/* Adds a region with one end and the escape that is word `escape`. */
static bool add_escaped(rule_reader *reader, uint32_t begin, uint32_t end, uint32_t escape) {
    const struct pmi_delimiters *const pairs = reader->pairs;
    const pmi_rule_word word = pairs->words[escape];
    if (word.length != 1)
        return fail(reader, escape, "an escape is one byte");
    return add_region(reader, begin, (pmi_rule_region){.escape = pairs->bytes[word.begin], .ends = {end, 1}});
}

static bool read_string(rule_reader *reader, pmi_rule_words given) {
    if (given.count == 2)
        return add_escaped(reader, given.first, given.first, given.first + 1);
    return add_region(reader, given.first, (pmi_rule_region){.escape = -1, .ends = {given.first, 1}});
}

/* "escaped BEGIN END ESCAPE": no word may go on into BEGIN. */
static bool read_escaped(rule_reader *reader, pmi_rule_words given) {
    if (!add_escaped(reader, given.first, given.first + 1, given.first + 2))
        return false;
    find_rule(reader->pairs, given.first)->word = true;
    return true;
}

/* ---- What a word opens, or not ---- */

/* Returns the rule of an open that has been described; complains and returns NULL if there is no such rule. */
static pmi_rule *open_described(rule_reader *reader, uint32_t word) {
    pmi_rule *const rule = find_rule(reader->pairs, word);
    if (rule && rule->role == PM_RULE_OPEN)
        return rule;
    fail(reader, word, "no statement above makes this pattern an open");
    return NULL;
}

/* "nothing-in OPEN IN..." */
static bool read_nothing_in(rule_reader *reader, pmi_rule_words given) {
    pmi_rule *const rule = open_described(reader, given.first);
    if (!rule)
        return false;
    rule->plain_in = (pmi_rule_words){given.first + 1, given.count - 1};
    reader->pairs->tracks = true;
    return true;
}

/* "bodyless END OPEN..." */
static bool read_bodyless(rule_reader *reader, pmi_rule_words given) {
    for (uint32_t i = 1; i < given.count; i++) {
        pmi_rule *const rule = open_described(reader, given.first + i);
        if (!rule)
            return false;
        rule->bodyless = given.first;
    }
    return true;
}

/* Returns the rule of a close that has been described; complains and returns NULL if there is no such rule. */
static pmi_rule *close_described(rule_reader *reader, uint32_t word) {
    pmi_rule *const rule = find_rule(reader->pairs, word);
    if (rule && rule->role == PM_RULE_CLOSE)
        return rule;
    fail(reader, word, "no statement above makes this pattern a close");
    return NULL;
}

/* "lone CLOSE AFTER..." */
static bool read_lone(rule_reader *reader, pmi_rule_words given) {
    struct pmi_delimiters *const pairs = reader->pairs;
    if (!close_described(reader, given.first))
        return false;
    if (pairs->lone != PM_NONE)
        return fail(reader, given.first - 1, "has been said already");
    pairs->lone = given.first;
    for (uint32_t i = 1; i < given.count; i++) {
        pmi_rule *const rule = find_rule(pairs, given.first + i);
        if (!rule || rule->role != PM_RULE_NOTHING)
            return fail(reader, given.first + i, "no 'nothing' statement above has this pattern");
        rule->lets = true;
    }
    return true;
}

/* "stray CLOSE" */
static bool read_stray(rule_reader *reader, pmi_rule_words given) {
    if (reader->pairs->stray != PM_NONE)
        return fail(reader, given.first - 1, "has been said already");
    reader->pairs->stray = given.first;
    return true;
}

/* "spare CLOSE BEFORE..." */
static bool read_spare(rule_reader *reader, pmi_rule_words given) {
    struct pmi_delimiters *const pairs = reader->pairs;
    if (!close_described(reader, given.first))
        return false;
    if (pairs->spare != PM_NONE)
        return fail(reader, given.first - 1, "has been said already");
    pairs->spare = given.first;
    pairs->spare_before = (pmi_rule_words){given.first + 1, given.count - 1};
    return true;
}

static bool read_unclosed(rule_reader *reader, pmi_rule_words given) {
    for (uint32_t i = 0; i < given.count; i++) {
        pmi_rule *const rule = open_described(reader, given.first + i);
        if (!rule)
            return false;
        rule->unclosed = true;
    }
    reader->pairs->tracks = true;
    return true;
}

/* "loose OPEN" */
static bool read_loose(rule_reader *reader, pmi_rule_words given) {
    if (!open_described(reader, given.first))
        return false;
    if (reader->loose_word != PM_NONE)
        return fail(reader, given.first - 1, "has been said already");
    reader->loose_word = given.first;
    reader->pairs->tracks = true;
    return true;
}

/* ---- Tags ---- */

static bool add_tag(rule_reader *reader, uint32_t word, bool close) {
    const uint32_t family = reader->pairs->family_count - 1;
    return add_rule(reader, word, (pmi_rule){.role = PM_RULE_TAG, .close_tag = close, .index = family});
}

static bool read_element(rule_reader *reader, pmi_rule_words given) {
    struct pmi_delimiters *const pairs = reader->pairs;
    const pmi_rule_word *const words = pairs->words + given.first;
    pairs->families[pairs->family_count++] = (pmi_tag_family){
        .open = words[0], .close = words[1], .end = words[2], .empty = given.count > 3 ? words[3] : (pmi_rule_word){0}};
    return add_tag(reader, given.first, false) && add_tag(reader, given.first + 1, true);
}

static bool read_statement(rule_reader *reader, pmi_rule_words given) {
    struct pmi_delimiters *const pairs = reader->pairs;
    const pmi_rule_word *const words = pairs->words + given.first;
    pmi_tag_family family = {.statement = true, .open = words[0], .end = words[1]};
    if (given.count > 2) {
        family.close = words[2];
        family.names = (pmi_rule_words){given.first + 3, given.count - 3};
    }
    pairs->families[pairs->family_count++] = family;
    return add_tag(reader, given.first, false);
}

/* The family that was described last; NULL: none yet. */
static pmi_tag_family *last_family(const rule_reader *reader) {
    const struct pmi_delimiters *const pairs = reader->pairs;
    return pairs->family_count > 0 ? &pairs->families[pairs->family_count - 1] : NULL;
}

/* Names of the last family. */
static bool read_names(rule_reader *reader, pmi_rule_words given) {
    pmi_tag_family *const family = last_family(reader);
    if (!family)
        return fail(reader, given.first - 1, "comes behind element or statement");
    pmi_rule_words *const names = (pmi_rule_words *)(void *)((unsigned char *)family + reader->option);
    if (names->count > 0)
        return fail(reader, given.first - 1, "has been said already");
    *names = given;
    return true;
}

/* "implied NAME BEFORE..." */
static bool read_implied(rule_reader *reader, pmi_rule_words given) {
    struct pmi_delimiters *const pairs = reader->pairs;
    pmi_tag_family *const family = last_family(reader);
    if (!family)
        return fail(reader, given.first - 1, "comes behind element or statement");
    if (family->implied.count == PM_RULES_IMPLIED_MAX)
        return fail(reader, given.first, "more than 64 names");
    if (family->implied.count == 0)
        family->implied.first = pairs->implied_count;
    family->implied.count++;
    pairs->implied[pairs->implied_count++] = (pmi_implied_close){given.first, {given.first + 1, given.count - 1}};
    pairs->tracks = true;
    return true;
}

#define ANY_NUMBER UINT32_MAX

static const struct directive {
    const char *name;
    uint32_t min, max; /* words behind it */
    bool (*read)(rule_reader *reader, pmi_rule_words given);
    unsigned option; /* is it of whole words; or the flags of its region; or where its names are in a family */
} directives[] = {
    {"assigned", 1, ANY_NUMBER, read_names, offsetof(pmi_tag_family, assigned_names)},
    {"bodyless", 2, ANY_NUMBER, read_bodyless, 0},
    {"branch", 3, ANY_NUMBER, read_branch, 0},
    {"delimited", 1, ANY_NUMBER, read_regions, PM_SKIP_DELIMITED},
    {"element", 3, 4, read_element, 0},
    {"escaped", 3, 3, read_escaped, 0},
    {"ignore-case", 0, 0, read_ignore_case, 0},
    {"implied", 1, ANY_NUMBER, read_implied, 0},
    {"line", 1, ANY_NUMBER, read_regions, PM_SKIP_LINE},
    {"lone", 2, ANY_NUMBER, read_lone, 0},
    {"loose", 1, 1, read_loose, 0},
    {"may-nest", 1, ANY_NUMBER, read_may_nest, 0},
    {"name-end", 1, ANY_NUMBER, read_names, offsetof(pmi_tag_family, name_ends)},
    {"nested", 2, 2, read_nested, 0},
    {"nothing", 1, ANY_NUMBER, read_nothing, 0},
    {"nothing-in", 2, ANY_NUMBER, read_nothing_in, 0},
    {"optional", 1, ANY_NUMBER, read_names, offsetof(pmi_tag_family, optional_names)},
    {"pair", 2, 2, read_pair, false},
    {"quoted", 1, ANY_NUMBER, read_names, offsetof(pmi_tag_family, quoted_names)},
    {"raw", 1, ANY_NUMBER, read_names, offsetof(pmi_tag_family, raw_names)},
    {"renames", 1, ANY_NUMBER, read_regions, PM_SKIP_NAMES},
    {"sigil", 1, ANY_NUMBER, read_sigil, 0},
    {"skip", 2, ANY_NUMBER, read_skip, 0},
    {"skip-quoted", 2, ANY_NUMBER, read_skip, PM_SKIP_QUOTATIONS},
    {"spare", 2, ANY_NUMBER, read_spare, 0},
    {"statement", 2, ANY_NUMBER, read_statement, 0},
    {"stray", 1, 1, read_stray, 0},
    {"string", 1, 2, read_string, 0},
    {"tagged", 1, 1, read_regions, PM_SKIP_TAGGED},
    {"unclosed", 1, ANY_NUMBER, read_unclosed, 0},
    {"void", 1, ANY_NUMBER, read_names, offsetof(pmi_tag_family, empty_names)},
    {"word", 2, 2, read_pair, true},
};

static bool apply_directive(rule_reader *reader, pmi_rule_words line) {
    const pmi_rule_word name = reader->pairs->words[line.first];
    const pmi_rule_words given = {line.first + 1, line.count - 1};
    for (size_t d = 0; d < sizeof directives / sizeof *directives; d++) {
        const struct directive *const directive = &directives[d];
        if (strlen(directive->name) != name.length ||
            memcmp(directive->name, reader->pairs->bytes + name.begin, name.length) != 0)
            continue;
        if (given.count < directive->min)
            return fail(reader, line.first, "too few words follow");
        if (given.count > directive->max)
            return fail(reader, given.first + directive->max, "one word too many");
        reader->option = directive->option;
        return directive->read(reader, given);
    }
    return fail(reader, line.first, "no such directive");
}

/* ---- What the dictionary finds ---- */

/* The first word of a pattern of several is a pattern, too, if only so that it is found. */
static bool add_first_word(rule_reader *reader, uint32_t spaced) {
    struct pmi_delimiters *const pairs = reader->pairs;
    const pmi_rule_word whole = pairs->words[spaced];
    const unsigned char *const bytes = pairs->bytes + whole.begin;
    const unsigned char *const blank = memchr(bytes + 1, ' ', whole.length - 1);
    const uint32_t first = pairs->word_count++;
    pairs->words[first] = (pmi_rule_word){whole.begin, (uint32_t)(blank - bytes)};
    reader->word_offset[first] = reader->word_offset[spaced];
    return find_rule(pairs, first) || add_rule(reader, first, (pmi_rule){.role = PM_RULE_NOTHING, .word = true});
}

static bool finish(rule_reader *reader) {
    struct pmi_delimiters *const pairs = reader->pairs;
    pairs->loose = reader->loose_word == PM_NONE ? PM_NONE : find_rule(pairs, reader->loose_word)->index;
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

/* ---- Lines ---- */

/* Reads a line, its newline too. */
static bool read_rule(rule_reader *reader) {
    const uint32_t first = reader->pairs->word_count;
    for (int byte; (byte = peek(reader)) >= 0;) {
        if (is_blank((unsigned char)byte)) {
            reader->at++;
        } else if (byte == '#' && reader->pairs->word_count == first) {
            while (peek(reader) >= 0)
                reader->at++;
        } else if (!read_word(reader)) {
            return false;
        }
    }
    const uint32_t count = reader->pairs->word_count - first;
    if (count > 0 && !apply_directive(reader, (pmi_rule_words){first, count}))
        return false;
    reader->at++;
    return true;
}

/* No fewer than there are words, patterns, regions and families. */
static size_t count_words(const char *rules, size_t n) {
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        count += !is_blank_or_newline((unsigned char)rules[i]) &&
                 (i == 0 || is_blank_or_newline((unsigned char)rules[i - 1]));
    return count;
}

/* Sets the roles of bytes in tags, for both cases if case is ignored. */
static void set_roles(const struct pmi_delimiters *pairs, pmi_tag_family *family) {
    for (unsigned byte = 0; byte < 256; byte++) {
        const unsigned char folded = pmi_fold_case((unsigned char)byte, pairs->ignore_case);
        const pmi_rule_word ends[] = {family->end, family->empty};
        bool begins_end = false;
        for (unsigned e = 0; e < 2; e++)
            begins_end |=
                ends[e].length > 0 && folded == pmi_fold_case(pairs->bytes[ends[e].begin], pairs->ignore_case);
        bool ends_name = begins_end || pmi_byte_is_space((unsigned char)byte);
        for (uint32_t e = 0; e < family->name_ends.count; e++)
            ends_name |= pairs->bytes[pairs->words[family->name_ends.first + e].begin] == byte;
        family->roles[byte] = (uint8_t)(ends_name ? PM_TAG_NAME_ENDS : 0);
        if (begins_end || byte == '"' || byte == '\'' || (byte == pairs->nested_open && byte))
            family->roles[byte] |= PM_TAG_MATTERS;
    }
}

pm_status pmi_rules_read(struct pmi_delimiters *pairs, const char *rules, size_t n, pm_language_error *error) {
    const pm_allocator *const allocator = &pairs->allocator;
    const size_t room = 2 * count_words(rules, n); /* those of several words may add their first ones */
    pm_language_error unheard;
    rule_reader reader = {
        .pairs = pairs, .text = (const unsigned char *)rules, .n = n, .error = error, .loose_word = PM_NONE};
    reader.at = behind_mark(rules, n);
    if (!error)
        reader.error = &unheard;
    pairs->bytes = pmi_memory_allocate(allocator, n, 1);
    pairs->words = pmi_memory_allocate(allocator, room, sizeof *pairs->words);
    pairs->rules = pmi_memory_allocate(allocator, room, sizeof *pairs->rules);
    pairs->regions = pmi_memory_allocate(allocator, room, sizeof *pairs->regions);
    pairs->families = pmi_memory_allocate(allocator, room, sizeof *pairs->families);
    pairs->implied = pmi_memory_allocate(allocator, room, sizeof *pairs->implied);
    reader.word_offset = pmi_memory_allocate(allocator, room, sizeof *reader.word_offset);
    const bool given = pairs->bytes && pairs->words && pairs->rules && pairs->regions && pairs->families &&
                       pairs->implied && reader.word_offset;
    bool good = given;
    while (good && reader.at < n)
        good = read_rule(&reader);
    good = good && finish(&reader);
    for (uint32_t f = 0; good && f < pairs->family_count; f++)
        set_roles(pairs, &pairs->families[f]);
    pmi_memory_free(allocator, reader.word_offset);
    return good ? PM_OK : given ? PM_CORRUPT : PM_OUT_OF_MEMORY;
}
