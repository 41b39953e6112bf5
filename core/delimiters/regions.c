/* SPDX-License-Identifier: Apache-2.0 */
/* Regions, which are skipped; and looking for words, such as their ends. */
#include <string.h>

#include "core/delimiters/token_scan.h"

/* ---- Looking for words ---- */

/* The same by the word's last byte, which is not a letter. */
static size_t find_by_last(const pmi_token_scan *scan, pmi_rule_word word, size_t from) {
    const size_t before = word.length - 1;
    const unsigned char last = scan->pairs->bytes[word.begin + before];
    for (size_t i = from; before < scan->n - i; i++) {
        const unsigned char *const found = memchr(scan->text + i + before, last, scan->n - i - before);
        if (!found)
            return scan->n;
        i = (size_t)(found - scan->text) - before;
        if (pmi_token_scan_at(scan, word, i))
            return i;
    }
    return scan->n;
}

size_t pmi_token_scan_find(const pmi_token_scan *scan, pmi_rule_word word, size_t from) {
    const unsigned char first = scan->pairs->bytes[word.begin];
    const bool two_cases = scan->pairs->ignore_case && pmi_byte_is_letter(first);
    if (scan->pairs->bytes[word.begin + word.length - 1] == '>') /* of --> and ]]> the rarest byte */
        return find_by_last(scan, word, from);
    for (size_t i = from; i < scan->n; i++) {
        if (!two_cases && scan->text[i] != first) {
            const unsigned char *const found = memchr(scan->text + i, first, scan->n - i);
            if (!found)
                return scan->n;
            i = (size_t)(found - scan->text);
        }
        if (pmi_token_scan_at(scan, word, i))
            return i;
    }
    return scan->n;
}

/* ---- Regions ---- */

static size_t newline_from(const pmi_token_scan *scan, size_t from) {
    const size_t at = pmi_token_scan_resume(scan, from, NULL);
    const unsigned char *const newline = at < scan->n ? memchr(scan->text + at, '\n', scan->n - at) : NULL;
    if (!newline) {
        pmi_token_scan_pause(scan, from, scan->n, 0);
        if (scan->growth)
            scan->growth->line = !scan->growth->doubtful;
    }
    return newline ? (size_t)(newline - scan->text) : scan->n;
}

/* Does a region's end stand there? A command such as \fi ends nothing where letters follow it, as in \fill. */
static bool ends_at(const pmi_token_scan *scan, pmi_rule_word end, size_t at) {
    const size_t behind = at + end.length;
    if (!pmi_token_scan_at(scan, end, at))
        return false;
    if (!pmi_rule_word_is_command(scan->pairs, end))
        return true;
    if (behind == scan->n)
        pmi_token_scan_doubt(scan);
    return behind == scan->n || !pmi_byte_is_letter(scan->text[behind]);
}

/* The longest of some words. */
static size_t longest_of(const pmi_rule_word *words, uint32_t count) {
    size_t longest = 0;
    for (uint32_t k = 0; k < count; k++)
        longest = words[k].length > longest ? words[k].length : longest;
    return longest;
}

const unsigned char *pmi_token_scan_closing_quote(const pmi_token_scan *scan, size_t at) {
    const size_t from = pmi_token_scan_behind_quote(scan, at);
    return memchr(scan->text + from, scan->text[at], scan->n - from);
}

static void note_byte(unsigned char byte, uint64_t bits[4]) {
    bits[byte / 64] |= UINT64_C(1) << byte % 64;
}

/* The bytes that words begin with, a bit each. */
static void first_bytes(const struct pmi_delimiters *pairs, const pmi_rule_word *words, uint32_t count,
                        uint64_t bits[4]) {
    for (uint32_t k = 0; k < count; k++) {
        const unsigned char byte = pairs->bytes[words[k].begin];
        const unsigned char other = pairs->ignore_case && pmi_byte_is_letter(byte) ? byte ^ ('a' ^ 'A') : byte;
        note_byte(byte, bits);
        note_byte(other, bits);
    }
}

/* The end of a region that has an escape, quoted strings in it or several ends, byte after byte; n + 1: none. */
static size_t end_byte_by_byte(const pmi_token_scan *scan, const pmi_rule_region *region, size_t from) {
    const pmi_rule_word *const ends = scan->pairs->words + region->ends.first;
    const size_t longest = scan->growth ? longest_of(ends, region->ends.count) : 0;
    size_t clear = scan->n, string = scan->n; /* before `clear` nothing depends on what follows the text */
    uint64_t matter[4] = {0};
    first_bytes(scan->pairs, ends, region->ends.count, matter);
    if (region->escape >= 0)
        note_byte((unsigned char)region->escape, matter);
    if (region->flags & PM_SKIP_QUOTATIONS) {
        note_byte('"', matter);
        note_byte('\'', matter);
    }
    for (size_t i = pmi_token_scan_resume(scan, from, NULL); i < scan->n; i++) {
        const unsigned char byte = scan->text[i];
        if (!(matter[byte / 64] >> byte % 64 & 1) && !scan->growth)
            continue;
        clear = scan->n - i <= longest && i < clear ? i : clear;
        if (byte == region->escape) {
            i++;
            continue;
        }
        for (uint32_t e = 0; e < region->ends.count; e++)
            if (ends_at(scan, ends[e], i))
                return i + ends[e].length;
        if ((region->flags & PM_SKIP_QUOTATIONS) && (byte == '"' || byte == '\'')) {
            const unsigned char *const quote = pmi_token_scan_closing_quote(scan, i);
            if (!quote) {
                clear = i < clear ? i : clear;
                string = i;
                break;
            }
            i = (size_t)(quote - scan->text);
        }
    }
    pmi_token_scan_pause(scan, from, clear, 0);
    pmi_token_scan_pause_in_string(scan, string, scan->n);
    return scan->n + 1;
}

/* Do the words begin with the same byte, which is not a letter? */
static bool begin_alike(const struct pmi_delimiters *pairs, const pmi_rule_word *words, uint32_t count) {
    const unsigned char byte = pairs->bytes[words[0].begin];
    bool alike = !pmi_byte_is_letter(byte);
    for (uint32_t k = 1; k < count; k++)
        alike &= pairs->bytes[words[k].begin] == byte;
    return alike;
}

/* Does what a region's end is paired with stand there? Of names that begin with \if, \iff is a sign, and LaTeX's
 * \ifthenelse a command. */
#define BRANCH_OTHERS_MAX 9u /* bytes of what makes it another, and one behind it */
static bool branch_opens_at(const pmi_token_scan *scan, pmi_rule_word open, size_t at) {
    static const char *const others[] = {"f", "thenelse"};
    if (!pmi_token_scan_at(scan, open, at))
        return false;
    const unsigned char *const rest = scan->text + at + open.length;
    const size_t left = scan->n - at - open.length;
    for (size_t k = 0; k < 2 && pmi_rule_word_is_command(scan->pairs, open); k++) {
        const size_t length = strlen(others[k]);
        if (left <= length)
            pmi_token_scan_doubt(scan);
        if (length <= left && memcmp(rest, others[k], length) == 0 &&
            (length == left || !pmi_byte_is_letter(rest[length])))
            return false;
    }
    return true;
}

size_t pmi_token_scan_branch_end(const pmi_token_scan *scan, const pmi_rule_region *region, size_t from,
                                 size_t *depth) {
    const pmi_rule_word *const ends = scan->pairs->words + region->ends.first, open = ends[-1];
    uint64_t first[4] = {0};
    first_bytes(scan->pairs, ends - 1, region->ends.count + 1, first);
    const bool one_byte = begin_alike(scan->pairs, ends - 1, region->ends.count + 1);
    const size_t longest = scan->growth ? longest_of(ends - 1, region->ends.count + 1) + BRANCH_OTHERS_MAX : 0;
    size_t clear = scan->n, clear_depth = 0; /* before it nothing depends on what follows the text */
    *depth = 1;
    for (size_t i = pmi_token_scan_resume(scan, from, depth), next; i < scan->n; i = next) {
        if (one_byte) {
            const unsigned char *const found = memchr(scan->text + i, scan->pairs->bytes[open.begin], scan->n - i);
            if (!found)
                break;
            i = (size_t)(found - scan->text);
        }
        next = i + 1;
        if (!(first[scan->text[i] / 64] >> scan->text[i] % 64 & 1))
            continue;
        if (clear == scan->n && scan->n - i <= longest) {
            clear = i;
            clear_depth = *depth;
        }
        uint32_t e = 0;
        while (e < region->ends.count && !ends_at(scan, ends[e], i))
            e++;
        if (e < region->ends.count) {
            next = i + ends[e].length;
            if (--*depth == 0)
                return next;
        } else if (branch_opens_at(scan, open, i)) {
            next = i + open.length;
            ++*depth;
        }
    }
    pmi_token_scan_pause(scan, from, clear, clear < scan->n ? clear_depth : *depth);
    return scan->n + 1;
}

/* Returns the first place of a word that begins in from ... end - 1; `end` if there is no such place. */
static size_t find_before(const pmi_token_scan *scan, pmi_rule_word word, size_t from, size_t end) {
    const size_t rest = word.length - 1, left = scan->n - end; /* (*) begins a comment that a close seems to end */
    const pmi_token_scan before = {.pairs = scan->pairs, .text = scan->text, .n = end + (rest < left ? rest : left)};
    const size_t found = pmi_token_scan_find(&before, word, from);
    return found < end ? found : end;
}

/* Returns where a comment ends that others of its kind may stand in; n + 1 if it does not. */
static size_t nesting_end(const pmi_token_scan *scan, const pmi_rule_region *region, size_t from) {
    const pmi_rule_word *const end = scan->pairs->words + region->ends.first, begin = end[-1];
    const size_t first = pmi_token_scan_find(scan, *end, from);
    if (first < scan->n && find_before(scan, begin, from, first) == first)
        return first + end->length;
    return pmi_token_scan_branch_end(scan, region, from, &(size_t){0});
}

/* Notes whether others of its kind begin in a comment; `end`: of its text. */
static void note_nested(pmi_token_scan *scan, const pmi_rule_region *region, size_t from, size_t end) {
    const pmi_rule_word begin = scan->pairs->words[region->ends.first - 1];
    if (scan->holds_nested || scan->growth || from == end)
        return;
    if (begin.length == 1)
        scan->holds_nested = memchr(scan->text + from, scan->pairs->bytes[begin.begin], end - from) != NULL;
    else
        scan->holds_nested = find_before(scan, begin, from, end) < end;
}

size_t pmi_token_scan_region_end(pmi_token_scan *scan, const pmi_rule_region *region, size_t from) {
    const bool nests = scan->nested && region->flags & PM_SKIP_MAY_NEST;
    const unsigned flags = region->flags & ~PM_SKIP_MAY_NEST;
    if (region->flags & PM_SKIP_LINE)
        return newline_from(scan, from);
    if (region->flags & PM_SKIP_NESTED)
        return pmi_token_scan_nested_end(scan, from - 1);
    if (nests)
        return nesting_end(scan, region, from);
    if (region->flags & PM_SKIP_BRANCH)
        return pmi_token_scan_branch_end(scan, region, from, &(size_t){0});
    if (region->escape >= 0 || flags != 0 || region->ends.count > 1) {
        scan->holds_nested |= (region->flags & PM_SKIP_MAY_NEST) != 0; /* perhaps */
        return end_byte_by_byte(scan, region, from);
    }
    const pmi_rule_word end = scan->pairs->words[region->ends.first];
    const unsigned char last = scan->pairs->bytes[end.begin];
    if (end.length == 1 && !pmi_byte_is_letter(last)) {
        const size_t on = pmi_token_scan_resume(scan, from, NULL);
        const unsigned char *const at = on < scan->n ? memchr(scan->text + on, last, scan->n - on) : NULL;
        if (!at)
            pmi_token_scan_pause(scan, from, scan->n, 0);
        if (at && region->flags & PM_SKIP_MAY_NEST)
            note_nested(scan, region, from, (size_t)(at - scan->text));
        return at ? (size_t)(at - scan->text) + 1 : scan->n + 1;
    }
    size_t found = pmi_token_scan_find(scan, end, pmi_token_scan_resume(scan, from, NULL));
    while (found < scan->n && !ends_at(scan, end, found))
        found = pmi_token_scan_find(scan, end, found + 1);
    if (found == scan->n)
        pmi_token_scan_pause(scan, from, scan->n - (scan->n - from < end.length ? scan->n - from : end.length), 0);
    if (found < scan->n && region->flags & PM_SKIP_MAY_NEST)
        note_nested(scan, region, from, found);
    return found < scan->n ? found + end.length : scan->n + 1;
}

/* $tag$...$tag$: no word goes on into it, and the tag is a word that begins with no digit, or none. */
static bool skip_tagged(pmi_token_scan *scan, size_t begin, size_t end) {
    const unsigned char *const text = scan->text;
    size_t tag_end = end;
    if (end == scan->n)
        pmi_token_scan_doubt(scan);
    if ((begin > 0 && pmi_byte_is_word(text[begin - 1])) || (end < scan->n && text[end] >= '0' && text[end] <= '9'))
        return false;
    while (tag_end < scan->n && pmi_byte_is_word(text[tag_end]))
        tag_end++;
    const size_t pattern = end - begin, length = tag_end - begin + pattern, from = begin + length;
    if (pattern > scan->n - tag_end)
        pmi_token_scan_doubt(scan);
    if (pattern > scan->n - tag_end || text[tag_end] != text[begin] || /* mostly, without a call */
        memcmp(text + tag_end, text + begin, pattern) != 0)
        return false;
    for (size_t i = pmi_token_scan_resume(scan, from, NULL); length <= scan->n - i; i++) {
        const unsigned char *const found = memchr(text + i, text[begin], scan->n - i);
        if (!found)
            break;
        i = (size_t)(found - text);
        if (length <= scan->n - i && memcmp(found, text + begin, length) == 0) {
            scan->next = i + length;
            return true;
        }
    }
    pmi_token_scan_pause(scan, from, scan->n - (scan->n - from < length ? scan->n - from : length), 0);
    pmi_token_scan_cut(scan, begin, from);
    return true;
}

/* \verb|...|: not before a letter or a blank; where the line has no second delimiter it is ended by the line. */
static bool skip_delimited(pmi_token_scan *scan, size_t end) {
    const unsigned char *const text = scan->text;
    if (end == scan->n)
        pmi_token_scan_doubt(scan);
    if (end == scan->n || pmi_byte_is_letter(text[end]) || pmi_byte_is_space(text[end]))
        return false;
    size_t closing = pmi_token_scan_resume(scan, end + 1, NULL);
    while (closing < scan->n && text[closing] != text[end] && text[closing] != '\n')
        closing++;
    if (closing == scan->n)
        pmi_token_scan_pause(scan, end + 1, closing, 0);
    scan->next = closing < scan->n && text[closing] == text[end] ? closing + 1 : closing;
    return true;
}

/* Behind a backslash and letters or @, or and one other byte; `at` if no name begins there. */
static size_t behind_name(const pmi_token_scan *scan, size_t at) {
    size_t end = at + 1;
    if (at == scan->n || scan->text[at] != '\\')
        return at;
    while (end < scan->n && (pmi_byte_is_letter(scan->text[end]) || scan->text[end] == '@'))
        end++;
    if (end == scan->n)
        pmi_token_scan_doubt(scan);
    return end > at + 1 || end == scan->n ? end : end + 1;
}

/* \let\a\b, \let\a=\b: what the second name means elsewhere it does not mean there. */
static bool skip_names(pmi_token_scan *scan, size_t end) {
    if (end == scan->n)
        pmi_token_scan_doubt(scan);
    if (end < scan->n && pmi_byte_is_letter(scan->text[end]))
        return false;
    scan->next = behind_name(scan, pmi_behind_blanks(scan, end));
    const size_t second = pmi_behind_blanks(scan, scan->next);
    const bool equals = second < scan->n && scan->text[second] == '=';
    scan->next = behind_name(scan, equals ? pmi_behind_blanks(scan, second + 1) : second);
    return true;
}

bool pmi_token_scan_region(pmi_token_scan *scan, const pmi_rule_region *region, size_t begin, size_t end) {
    pmi_token_scan_begin_cut(scan);
    if (region->flags & PM_SKIP_DELIMITED)
        return skip_delimited(scan, end);
    if (region->flags & PM_SKIP_NAMES)
        return skip_names(scan, end);
    if (region->flags & PM_SKIP_TAGGED)
        return skip_tagged(scan, begin, end);
    const size_t next = pmi_token_scan_region_end(scan, region, end);
    if (next > scan->n)
        pmi_token_scan_cut(scan, begin, end);
    else
        scan->next = next;
    return true;
}
