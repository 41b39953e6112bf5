/* SPDX-License-Identifier: Apache-2.0 */
/* Reading the rules that describe a language's delimiters: docs/guide/delimiters.md has the format. */
#include "core/delimiters/read_rules.h"

#include <string.h>

#include "core/context/context.h"

bool pmi_rules_fail_at(pmi_rule_reader *reader, size_t offset, const char *what) {
    size_t line = 1, line_start = 0;
    for (size_t i = 0; i < offset; i++)
        if (reader->text[i] == '\n') {
            line++;
            line_start = i + 1;
        }
    *reader->error = (pm_delimiters_error){{offset, line, offset - line_start + 1}, what};
    return false;
}

bool pmi_rules_fail(pmi_rule_reader *reader, uint32_t word, const char *what) {
    return pmi_rules_fail_at(reader, reader->word_offset[word], what);
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
static int peek(const pmi_rule_reader *reader) {
    return reader->at < reader->n && reader->text[reader->at] != '\n' ? reader->text[reader->at] : -1;
}

static void append(pmi_rule_reader *reader, int byte) {
    reader->pairs->bytes[reader->byte_count++] = (unsigned char)byte;
}

/* What follows a backslash. */
static bool read_escape(pmi_rule_reader *reader) {
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
                return pmi_rules_fail_at(reader, begin, "two hexadecimal digits must follow \\x");
            value = value * 16 + read;
        }
        append(reader, value);
        return true;
    }
    default:
        return pmi_rules_fail_at(reader, begin, "in quotes a backslash is followed by one of n t \" \\ x");
    }
}

static bool read_quoted(pmi_rule_reader *reader, size_t begin) {
    for (int byte; (byte = peek(reader)) >= 0;) {
        reader->at++;
        if (byte == '"') {
            if (reader->at < reader->n && !is_blank_or_newline(reader->text[reader->at]))
                return pmi_rules_fail_at(reader, reader->at, "a blank must follow the quote");
            return true;
        }
        if (byte != '\\')
            append(reader, byte);
        else if (!read_escape(reader))
            return false;
    }
    return pmi_rules_fail_at(reader, begin, "the quote is not closed on this line");
}

/* A word as it stands, or a quoted one; a quote all alone is a word. */
static bool read_word(pmi_rule_reader *reader) {
    struct pm_delimiters *const pairs = reader->pairs;
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
        return pmi_rules_fail_at(reader, begin, "an empty word");
    pairs->words[pairs->word_count++] = (pmi_pairs_word){(uint32_t)bytes, (uint32_t)(reader->byte_count - bytes)};
    return true;
}

/* ---- Lines ---- */

/* Reads a line, its newline too. */
static bool read_rule(pmi_rule_reader *reader) {
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
    if (count > 0 && !pmi_rules_apply_directive(reader, (pmi_pairs_words){first, count}))
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
static void set_roles(const struct pm_delimiters *pairs, pmi_tag_family *family) {
    for (unsigned byte = 0; byte < 256; byte++) {
        const unsigned char folded = pmi_fold_case((unsigned char)byte, pairs->ignore_case);
        const pmi_pairs_word ends[] = {family->end, family->empty};
        bool begins_end = false;
        for (unsigned e = 0; e < 2; e++)
            begins_end |=
                ends[e].length > 0 && folded == pmi_fold_case(pairs->bytes[ends[e].begin], pairs->ignore_case);
        family->roles[byte] = (uint8_t)(pmi_byte_is_space((unsigned char)byte) || begins_end ? PM_TAG_NAME_ENDS : 0);
        if (begins_end || byte == '"' || byte == '\'')
            family->roles[byte] |= PM_TAG_MATTERS;
    }
}

pm_status pmi_pairs_read(struct pm_delimiters *pairs, const char *rules, size_t n, pm_delimiters_error *error) {
    const pm_allocator *const allocator = &pairs->allocator;
    const size_t room = 2 * count_words(rules, n); /* those of several words may add their first ones */
    pm_delimiters_error unheard;
    pmi_rule_reader reader = {.pairs = pairs, .text = (const unsigned char *)rules, .n = n, .error = error};
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
    good = good && pmi_rules_finish(&reader);
    for (uint32_t f = 0; good && f < pairs->family_count; f++)
        set_roles(pairs, &pairs->families[f]);
    pmi_memory_free(allocator, reader.word_offset);
    return good ? PM_OK : given ? PM_CORRUPT : PM_OUT_OF_MEMORY;
}
