/* SPDX-License-Identifier: Apache-2.0 */
/* Reading the rules that describe a language's delimiters: docs/structure.md has the format. */
#include "core/context.h"
#include "core/pairs.h"

typedef struct rule_reader {
    struct pm_pairs *pairs;
    const unsigned char *text;
    size_t n, at;            /* of the text; bytes read */
    size_t line, line_start; /* the line's number, from 1, and where it begins */
    size_t byte_count;       /* of words */
    uint32_t *word_offset;   /* where in the text each word begins */
    pm_pairs_error *error;   /* never NULL */
} rule_reader;

static bool fail_at(rule_reader *reader, size_t offset, const char *what) {
    *reader->error = (pm_pairs_error){{offset, reader->line, offset - reader->line_start + 1}, what};
    return false;
}

static bool fail(rule_reader *reader, uint32_t word, const char *what) {
    return fail_at(reader, reader->word_offset[word], what);
}

/* ---- Words ---- */

static bool is_blank(unsigned char byte) {
    return byte == ' ' || byte == '\t' || byte == '\r';
}

static bool is_blank_or_newline(unsigned char byte) {
    return is_blank(byte) || byte == '\n';
}

static int hexadecimal(unsigned char byte) {
    const unsigned char lower = pm_fold_case(byte, true);
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
                return fail_at(reader, begin, "\\x wants two hexadecimal digits");
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
    struct pm_pairs *const pairs = reader->pairs;
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
    pairs->words[pairs->word_count++] = (pm_pairs_word){(uint32_t)bytes, (uint32_t)(reader->byte_count - bytes)};
    return true;
}

static bool same_words(const struct pm_pairs *pairs, uint32_t a, uint32_t b) {
    const pm_pairs_word one = pairs->words[a], other = pairs->words[b];
    return one.length == other.length &&
           pm_bytes_equal(pairs->bytes + one.begin, pairs->bytes + other.begin, one.length, pairs->ignore_case);
}

/* ---- Patterns ---- */

/* The rule of that word; NULL: none yet. */
static pm_rule *find_rule(const struct pm_pairs *pairs, uint32_t word) {
    for (uint32_t i = 0; i < pairs->rule_count; i++)
        if (same_words(pairs, pairs->rules[i].word_at, word))
            return &pairs->rules[i];
    return NULL;
}

static bool add_rule(rule_reader *reader, uint32_t word, pm_rule rule) {
    struct pm_pairs *const pairs = reader->pairs;
    if (find_rule(pairs, word))
        return fail(reader, word, "this pattern has a meaning already");
    if (pairs->rule_count == PM_PAIRS_PATTERNS_MAX)
        return fail(reader, word, "more than 1024 patterns");
    rule.word_at = word;
    pairs->rules[pairs->rule_count++] = rule;
    return true;
}

static bool add_region(rule_reader *reader, uint32_t word, pm_pairs_region region) {
    struct pm_pairs *const pairs = reader->pairs;
    const pm_rule rule = {.role = PM_RULE_REGION, .index = pairs->region_count};
    pairs->regions[pairs->region_count++] = region;
    return add_rule(reader, word, rule);
}

/* One side of a pair: may be that of a pair of before, of that kind then; *kind is PM_NONE as long as there is none. */
static bool join_side(rule_reader *reader, uint32_t word, pm_rule_role role, bool whole_word, uint32_t *kind) {
    const pm_rule *const known = find_rule(reader->pairs, word);
    if (!known)
        return true;
    if (known->role != role || known->word != whole_word)
        return fail(reader, word, "this pattern has another meaning already");
    struct pm_pairs *const pairs = reader->pairs;
    const uint32_t old = known->index;
    if (*kind == PM_NONE || *kind == old) {
        *kind = old;
        return true;
    }
    for (uint32_t i = 0; i < pairs->rule_count; i++) { /* what were two kinds is one; the last one takes its place */
        pm_rule *const rule = &pairs->rules[i];
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

static bool add_pair(rule_reader *reader, pm_pairs_words given, bool whole_word) {
    struct pm_pairs *const pairs = reader->pairs;
    const uint32_t open = given.first, close = open + 1;
    if (same_words(pairs, open, close))
        return fail(reader, close, "open and close are the same");
    uint32_t kind = PM_NONE;
    if (!join_side(reader, open, PM_RULE_OPEN, whole_word, &kind) ||
        !join_side(reader, close, PM_RULE_CLOSE, whole_word, &kind))
        return false;
    if (kind == PM_NONE)
        kind = pairs->kinds++;
    const pm_rule_role roles[] = {PM_RULE_OPEN, PM_RULE_CLOSE};
    for (uint32_t side = 0; side < 2; side++)
        if (!find_rule(pairs, open + side) &&
            !add_rule(reader, open + side, (pm_rule){.role = roles[side], .word = whole_word, .index = kind}))
            return false;
    return true;
}

/* ---- Directives: each is given the words behind its own ---- */

static bool read_ignore_case(rule_reader *reader, pm_pairs_words given) {
    if (reader->pairs->rule_count > 0)
        return fail(reader, given.first - 1, "ignore-case comes before all patterns");
    reader->pairs->ignore_case = true;
    return true;
}

static bool read_pair(rule_reader *reader, pm_pairs_words given) {
    return add_pair(reader, given, false);
}

static bool read_word_pair(rule_reader *reader, pm_pairs_words given) {
    return add_pair(reader, given, true);
}

static bool read_nothing(rule_reader *reader, pm_pairs_words given) {
    for (uint32_t i = 0; i < given.count; i++)
        if (!add_rule(reader, given.first + i, (pm_rule){.role = PM_RULE_NOTHING, .word = true}))
            return false;
    return true;
}

static bool read_line(rule_reader *reader, pm_pairs_words given) {
    for (uint32_t i = 0; i < given.count; i++)
        if (!add_region(reader, given.first + i, (pm_pairs_region){.flags = PM_SKIP_LINE, .escape = -1}))
            return false;
    return true;
}

static bool read_delimited(rule_reader *reader, pm_pairs_words given) {
    for (uint32_t i = 0; i < given.count; i++)
        if (!add_region(reader, given.first + i, (pm_pairs_region){.flags = PM_SKIP_DELIMITED, .escape = -1}))
            return false;
    return true;
}

static bool skip_with(rule_reader *reader, pm_pairs_words given, unsigned flags) {
    const pm_pairs_words ends = {given.first + 1, given.count - 1};
    return add_region(reader, given.first, (pm_pairs_region){.flags = flags, .escape = -1, .ends = ends});
}

static bool read_skip(rule_reader *reader, pm_pairs_words given) {
    return skip_with(reader, given, 0);
}

static bool read_skip_quoted(rule_reader *reader, pm_pairs_words given) {
    return skip_with(reader, given, PM_SKIP_QUOTATIONS);
}

static bool read_string(rule_reader *reader, pm_pairs_words given) {
    const struct pm_pairs *const pairs = reader->pairs;
    pm_pairs_region region = {.escape = -1, .ends = {given.first, 1}};
    if (given.count == 2) {
        const pm_pairs_word escape = pairs->words[given.first + 1];
        if (escape.length != 1)
            return fail(reader, given.first + 1, "an escape is one byte");
        region.escape = pairs->bytes[escape.begin];
    }
    return add_region(reader, given.first, region);
}

static bool add_tag(rule_reader *reader, uint32_t word, bool close) {
    const uint32_t family = reader->pairs->family_count - 1;
    return add_rule(reader, word, (pm_rule){.role = PM_RULE_TAG, .close_tag = close, .index = family});
}

static bool read_element(rule_reader *reader, pm_pairs_words given) {
    struct pm_pairs *const pairs = reader->pairs;
    const pm_pairs_word *const words = pairs->words + given.first;
    pairs->families[pairs->family_count++] = (pm_tag_family){
        .open = words[0], .close = words[1], .end = words[2], .empty = given.count > 3 ? words[3] : (pm_pairs_word){0}};
    return add_tag(reader, given.first, false) && add_tag(reader, given.first + 1, true);
}

static bool read_statement(rule_reader *reader, pm_pairs_words given) {
    struct pm_pairs *const pairs = reader->pairs;
    const pm_pairs_word *const words = pairs->words + given.first;
    pm_tag_family family = {.statement = true, .open = words[0], .end = words[1]};
    if (given.count > 2) {
        family.close = words[2];
        family.names = (pm_pairs_words){given.first + 3, given.count - 3};
    }
    pairs->families[pairs->family_count++] = family;
    return add_tag(reader, given.first, false);
}

/* The family that was described last; NULL: none yet. */
static pm_tag_family *last_family(const rule_reader *reader) {
    const struct pm_pairs *const pairs = reader->pairs;
    return pairs->family_count > 0 ? &pairs->families[pairs->family_count - 1] : NULL;
}

static bool set_names(rule_reader *reader, pm_pairs_words given, pm_pairs_words *names) {
    if (!names)
        return fail(reader, given.first - 1, "comes behind element or statement");
    if (names->count > 0)
        return fail(reader, given.first - 1, "has been said already");
    *names = given;
    return true;
}

static bool read_void(rule_reader *reader, pm_pairs_words given) {
    pm_tag_family *const family = last_family(reader);
    return set_names(reader, given, family ? &family->empty_names : NULL);
}

static bool read_raw(rule_reader *reader, pm_pairs_words given) {
    pm_tag_family *const family = last_family(reader);
    return set_names(reader, given, family ? &family->raw_names : NULL);
}

static bool read_optional(rule_reader *reader, pm_pairs_words given) {
    pm_tag_family *const family = last_family(reader);
    return set_names(reader, given, family ? &family->optional_names : NULL);
}

static const struct directive {
    const char *name;
    uint32_t least, most; /* words behind it */
    bool (*read)(rule_reader *reader, pm_pairs_words given);
} directives[] = {
    {"delimited", 1, UINT32_MAX, read_delimited},
    {"element", 3, 4, read_element},
    {"ignore-case", 0, 0, read_ignore_case},
    {"line", 1, UINT32_MAX, read_line},
    {"nothing", 1, UINT32_MAX, read_nothing},
    {"optional", 1, UINT32_MAX, read_optional},
    {"pair", 2, 2, read_pair},
    {"raw", 1, UINT32_MAX, read_raw},
    {"skip", 2, UINT32_MAX, read_skip},
    {"skip-quoted", 2, UINT32_MAX, read_skip_quoted},
    {"statement", 2, UINT32_MAX, read_statement},
    {"string", 1, 2, read_string},
    {"void", 1, UINT32_MAX, read_void},
    {"word", 2, 2, read_word_pair},
};

static bool obey(rule_reader *reader, pm_pairs_words line) {
    const pm_pairs_word name = reader->pairs->words[line.first];
    const pm_pairs_words given = {line.first + 1, line.count - 1};
    for (size_t d = 0; d < sizeof directives / sizeof *directives; d++) {
        const struct directive *const directive = &directives[d];
        if (strlen(directive->name) != name.length ||
            memcmp(directive->name, reader->pairs->bytes + name.begin, name.length) != 0)
            continue;
        if (given.count < directive->least)
            return fail(reader, line.first, "too few words follow");
        if (given.count > directive->most)
            return fail(reader, given.first + directive->most, "one word too many");
        return directive->read(reader, given);
    }
    return fail(reader, line.first, "no such directive");
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
    if (count > 0 && !obey(reader, (pm_pairs_words){first, count}))
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

pm_status pm_pairs_read(struct pm_pairs *pairs, const char *rules, size_t n, pm_pairs_error *error) {
    const pm_allocator *const allocator = &pairs->allocator;
    const size_t room = count_words(rules, n);
    pm_pairs_error unheard;
    rule_reader reader = {.pairs = pairs, .text = (const unsigned char *)rules, .n = n, .error = error};
    if (!error)
        reader.error = &unheard;
    pairs->bytes = pm_memory_allocate(allocator, n, 1);
    pairs->words = pm_memory_allocate(allocator, room, sizeof *pairs->words);
    pairs->rules = pm_memory_allocate(allocator, room, sizeof *pairs->rules);
    pairs->regions = pm_memory_allocate(allocator, room, sizeof *pairs->regions);
    pairs->families = pm_memory_allocate(allocator, room, sizeof *pairs->families);
    reader.word_offset = pm_memory_allocate(allocator, room, sizeof *reader.word_offset);
    const bool given =
        pairs->bytes && pairs->words && pairs->rules && pairs->regions && pairs->families && reader.word_offset;
    bool good = given;
    while (good && reader.at < n) {
        reader.line++;
        reader.line_start = reader.at;
        good = read_rule(&reader);
    }
    pm_memory_free(allocator, reader.word_offset);
    return good ? PM_OK : given ? PM_CORRUPT : PM_OUT_OF_MEMORY;
}
