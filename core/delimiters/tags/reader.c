/* SPDX-License-Identifier: Apache-2.0 */
/* Tags in batches: by words of 64 bytes, and byte by byte where that does not do. */
#include "core/delimiters/tags/reader.h"

#include <string.h>

#include "core/delimiters/tags/name_facts.h"

/* Bytes that are read byte by byte after words were read in vain: twice as many each time, up to a limit. */
#define STRETCH_MIN ((size_t)256)
#define STRETCH_MAX ((size_t)65536)

/* Where a word has this many regions, the text behind it is read byte by byte for a while. */
#define REGIONS_MANY 3u
#define REGIONS_STRETCH ((size_t)2048)

/* Longer regions are read when the tags before them are known to be right. */
#define REGION_SHORT ((size_t)2048)

/* Words that are read at once after others were read in vain, and where scripts are skipped at first and behind each;
 * twice as many each time, up to PM_TAG_WORDS. */
#define WORDS_MIN ((size_t)2)

#define NOWHERE SIZE_MAX

#define WORD PM_WORD_BITS

void pmi_tag_reader_begin(pmi_tag_reader *reader, pmi_token_scan *scan, const pmi_simd_target *simd) {
    reader->scan = scan;
    reader->kernel = simd->tags;
    reader->classifier = simd->classifier;
    reader->state = (pmi_tag_state){0};
    reader->at = reader->counted = 0;
    reader->region = NOWHERE;
    reader->words = scan->pairs->families[0].raw_names.count > 0 ? WORDS_MIN : PM_TAG_WORDS;
    reader->stop = scan->n;
    reader->region_first = reader->kept_first = NOWHERE;
    reader->region_behind = reader->kept_behind = 0;
    reader->bounds = NULL;
    reader->crossing = NOWHERE;
    reader->exact = reader->blanks_in_blocks = false;
    reader->stretch = STRETCH_MIN;
    reader->exact_until = reader->kernel ? 0 : scan->n;
    reader->places = (pmi_tag_places){.begins = reader->begins, .ends = reader->ends};
}

void pmi_tag_reader_begin_at(pmi_tag_reader *reader, size_t at, size_t stop) {
    reader->at = reader->counted = at;
    reader->stop = stop;
}

/* ---- Newlines ---- */

static uint64_t newlines_between(const pmi_tag_reader *reader, size_t begin, size_t end) {
    const unsigned char *const text = reader->scan->text;
    uint64_t masks[PM_TAG_WORDS], count = 0;
    while (end - begin >= WORD) {
        const size_t whole = (end - begin) / WORD, words = whole < PM_TAG_WORDS ? whole : PM_TAG_WORDS;
        count += reader->classifier->find('\n', text + begin, words, masks, NULL);
        begin += words * WORD;
    }
    for (; begin < end; begin++)
        count += text[begin] == '\n';
    return count;
}

static void count_up_to(pmi_tag_reader *reader, size_t end) {
    if (end <= reader->counted)
        return;
    reader->state.newlines += newlines_between(reader, reader->counted, end);
    reader->counted = end;
}

uint64_t pmi_tag_reader_newlines(const pmi_tag_reader *reader, size_t end) {
    const uint64_t counted = reader->state.newlines;
    return end < reader->counted ? counted - newlines_between(reader, end, reader->counted)
                                 : counted + newlines_between(reader, reader->counted, end);
}

/* ---- Byte by byte ---- */

static void append_tag(pmi_tag_reader *reader, const pmi_tag *tag) {
    reader->begins[reader->places.begin_count++] = tag->begin;
    reader->ends[reader->places.end_count++] = tag->end - 1;
}

#define NEAR ((size_t)32) /* bytes in which a region's end is looked for at first */

/* The offset behind the end of a region whose text begins at `from`, if it is near; else 0. */
static inline size_t near_end(const pmi_token_scan *scan, const pmi_tag_region *region, size_t from) {
    const unsigned char *const text = scan->text;
    const size_t count = region->end_count, stop = scan->n - from < NEAR ? scan->n : from + NEAR;
    if (region->plain) {
        for (size_t i = from + count - 1; i < stop; i++) {
            size_t same = 0;
            while (same < count && text[i - same] == region->ends[count - 1 - same])
                same++;
            if (same == count)
                return i + 1;
        }
    } else if (region->quoted) {
        for (size_t i = from; i < stop; i++) {
            const unsigned char byte = text[i];
            for (size_t e = 0; e < count; e++)
                if (byte == region->ends[e])
                    return i + 1;
            if (byte == '"' || byte == '\'')
                do
                    i++;
                while (i < stop && text[i] != byte);
        }
    }
    return 0;
}

static size_t read_region_at(pmi_tag_reader *reader, size_t at) {
    pmi_token_scan *const scan = reader->scan;
    const struct pmi_delimiters *const pairs = scan->pairs;
    uint64_t bytes = 0;
    if (scan->n - at >= sizeof bytes)
        memcpy(&bytes, scan->text + at, sizeof bytes);
    else
        memcpy(&bytes, scan->text + at, scan->n - at);
    for (uint32_t k = 0; k < pairs->tags.region_count; k++) {
        const pmi_tag_region *const region = &pairs->tags.regions[k];
        const pmi_rule *const rule = &pairs->rules[region->rule];
        if ((bytes & region->mask) != region->bytes || region->length > scan->n - at)
            continue;
        if (!region->whole && !pmi_token_scan_at(scan, pairs->words[rule->word_at], at))
            continue;
        const size_t behind = at + region->length, end = near_end(scan, region, behind);
        if (end > 0)
            return end;
        if (pmi_token_scan_region(scan, &pairs->regions[rule->index], at, behind))
            break;
    }
    return scan->next;
}

/* As pmi_tag_read() of an element whose name begins at `name`; most end right behind it. Returns the offset behind it.
 */
static inline size_t behind_element(pmi_token_scan *scan, size_t at, size_t name) {
    const pmi_tag_family *const family = &scan->pairs->families[0];
    const unsigned char *const text = scan->text;
    size_t name_end = name + 1;
    bool empty;
    while (name_end < scan->n && !(family->roles[text[name_end]] & PM_TAG_NAME_ENDS))
        name_end++;
    const bool ends = name_end < scan->n && text[name_end] == '>';
    const size_t end = ends ? name_end + 1 : pmi_tag_end(scan, family, name_end, &empty);
    if (end > scan->n)
        pmi_token_scan_cut(scan, at, name);
    else
        scan->next = end;
    return end;
}

/* `rule`: of what begins the tag, before its name. */
static size_t read_tag_at(pmi_tag_reader *reader, size_t at, size_t name, uint32_t rule) {
    pmi_token_scan *const scan = reader->scan;
    pmi_tag tag = {.begin = at};
    if (name >= scan->n || !pmi_byte_begins_name(scan->text[name]))
        return at + 1;
    if (scan->pairs->rules[rule].index == 0)
        tag.end = behind_element(scan, at, name);
    else
        pmi_tag_read(scan, &scan->pairs->rules[rule], at, name, &tag);
    if (tag.end <= scan->n)
        append_tag(reader, &tag);
    return scan->next;
}

/* Does a name end there as those of elements do, not with its tag? */
static bool ends_as_element(const pmi_tag_reader *reader, size_t name) {
    const pmi_token_scan *const scan = reader->scan;
    while (name < scan->n && !(scan->pairs->families[0].roles[scan->text[name]] & PM_TAG_NAME_ENDS) &&
           scan->text[name] != '}')
        name++;
    return name < scan->n && scan->text[name] != '}';
}

/* Reads what the < or brace at `at` begins, if it begins something. Returns the offset behind it, or behind that byte.
 */
static size_t read_at(pmi_tag_reader *reader, size_t at) {
    const pmi_token_scan *const scan = reader->scan;
    const pmi_tag_language *const tags = &scan->pairs->tags;
    const unsigned char next = at + 1 < scan->n ? scan->text[at + 1] : 0;
    const bool block = scan->text[at] == '{', closes = next == '/';
    const bool region = block ? scan->pairs->family_count == 1 || !(closes || next == '#') : next == '!' || next == '?';
    reader->scan->next = at + 1;
    if (!region) {
        const size_t name = at + (closes || block ? 2 : 1);
        const size_t behind = read_tag_at(reader, at, name, closes ? tags->close[block] : tags->open[block]);
        reader->blanks_in_blocks |= block && closes && ends_as_element(reader, at + 2);
        if (!block || behind > at + 1)
            return behind;
    }
    return read_region_at(reader, at);
}

/* The first < from `at` on; `end` if no < comes. */
static inline size_t next_tag(const unsigned char *text, size_t at, size_t end) {
    const size_t near = end - at < 16 ? end : at + 16;
    for (; at < near; at++)
        if (text[at] == '<')
            return at;
    const unsigned char *const found = at < end ? memchr(text + at, '<', end - at) : NULL;
    return found ? (size_t)(found - text) : end;
}

/* The same of a brace, too, where braces begin something. */
static inline size_t next_begin(const pmi_token_scan *scan, size_t at, size_t end) {
    if (scan->pairs->tags.braces == PM_BRACES_NOTHING)
        return next_tag(scan->text, at, end);
    while (at < end && scan->text[at] != '<' && scan->text[at] != '{')
        at++;
    return at;
}

/* Has one of the bytes from `begin` to before `end` a bit? */
static bool has_bit(const uint64_t *bits, size_t begin, size_t end) {
    const size_t last = (end - 1) / PM_WORD_BITS;
    size_t w = begin / PM_WORD_BITS;
    uint64_t rest = bits[w] & ~pmi_bits_low(begin % PM_WORD_BITS);
    while (w < last && rest == 0)
        rest = bits[++w];
    const size_t base = w * PM_WORD_BITS;
    return rest != 0 && base + pmi_bits_lowest(rest) < end;
}

static void note_region(pmi_tag_reader *reader, size_t begin, size_t behind) {
    if (begin >= reader->stop)
        return;
    if (reader->bounds && begin < reader->crossing && has_bit(reader->bounds, begin, behind))
        reader->crossing = begin;
    reader->region_behind = behind;
    if (reader->region_first == NOWHERE)
        reader->region_first = begin;
}

/* The bytes that are read at once now. */
static size_t bytes_at_once(pmi_tag_reader *reader) {
    const size_t bytes = reader->words * WORD;
    if (reader->words < PM_TAG_WORDS)
        reader->words *= 2;
    return bytes;
}

static void read_bytes(pmi_tag_reader *reader) {
    const pmi_token_scan *const scan = reader->scan;
    const size_t left = reader->exact_until - reader->at, most = bytes_at_once(reader);
    const size_t end = reader->at + (left < most ? left : most);
    reader->exact = true;
    while (reader->at < end && reader->places.end_count < PM_TAG_ROOM) {
        const size_t at = next_begin(scan, reader->at, end), tags = reader->places.end_count;
        if (at >= reader->stop && at < end) {
            reader->at = at;
            return;
        }
        reader->at = at < end ? read_at(reader, at) : end;
        if (reader->places.end_count == tags && at < end && reader->at > at + 1)
            note_region(reader, at, reader->at);
    }
    if (reader->at >= end)
        count_up_to(reader, reader->at);
}

/* ---- By words ---- */

/* Lets the scan end soon behind `at`. */
static void limit(pmi_token_scan *scan, size_t at) {
    scan->limited = scan->n - at > REGION_SHORT;
    scan->n = scan->limited ? at + REGION_SHORT : scan->n;
}

static void end_limit(pmi_token_scan *scan, size_t n) {
    scan->limited = false;
    scan->n = n;
    scan->cut = PM_CUT_NONE;
}

/* As read_at(), of a region or a tag of the second family. Returns NOWHERE if it may be long. */
static size_t read_short(pmi_tag_reader *reader, size_t at) {
    pmi_token_scan *const scan = reader->scan;
    const size_t n = scan->n, tags = reader->places.end_count;
    limit(scan, at);
    const size_t behind = read_at(reader, at);
    const bool is_long = behind >= scan->n;
    end_limit(scan, n);
    if (is_long)
        reader->places.begin_count = reader->places.end_count = tags;
    else if (behind > at + 1 && reader->places.end_count == tags)
        note_region(reader, at, behind);
    return is_long ? NOWHERE : behind;
}

/* The offset behind an expression in a tag; NOWHERE if it may be long. */
static size_t behind_expression(const pmi_tag_reader *reader, size_t at) {
    pmi_token_scan *const scan = reader->scan;
    const size_t n = scan->n;
    limit(scan, at);
    const size_t behind = pmi_token_scan_nested_end(scan, at);
    const bool is_long = behind >= scan->n;
    end_limit(scan, n);
    return is_long ? NOWHERE : behind;
}

/* In no tag, region or expression. */
static void leave(pmi_tag_state *state) {
    state->in_tag = state->quoted = state->behind_equal = state->in_braces = 0;
}

/* Goes back to the tag that has no end yet, to read it byte by byte. Returns where it begins. */
static size_t read_last_again(pmi_tag_reader *reader) {
    const size_t begin = (size_t)reader->begins[--reader->places.begin_count];
    leave(&reader->state);
    reader->exact_until = reader->counted > begin ? reader->counted : begin + 1;
    return begin;
}

/* The offset behind what the brace at `at` begins; NOWHERE if that may be long. */
static size_t behind_brace(pmi_tag_reader *reader, size_t at) {
    if (!reader->state.in_tag)
        return read_short(reader, at);
    return reader->scan->pairs->tags.braces == PM_BRACES_EXPRESSIONS ? behind_expression(reader, at) : at + 1;
}

/* A word that is read byte by byte. Its functions are inlined, so that it is in registers. */
typedef struct odd_word {
    uint64_t events; /* bytes that may matter */
    size_t base, end;
    unsigned regions;
} odd_word;

#define INLINED static inline __attribute__((always_inline))

/* Goes behind what was read at `at`, which is in the word or before it. False: that may be long. */
INLINED bool pass(pmi_tag_reader *reader, odd_word *word, size_t at, size_t behind) {
    if (behind == NOWHERE) {
        if (reader->state.in_tag)
            at = read_last_again(reader);
        else
            reader->region = at;
        word->end = at;
        return false;
    }
    word->end = behind > word->end ? behind : word->end;
    word->events &= behind < word->base + WORD ? ~pmi_bits_low((unsigned)(behind - word->base)) : 0;
    return true;
}

/* Reads one of the word's bytes. False: what begins there may be long. */
INLINED bool read_event(pmi_tag_reader *reader, odd_word *word, size_t at) {
    pmi_tag_state *const state = &reader->state;
    pmi_tag_places *const places = &reader->places;
    const unsigned char *const text = reader->scan->text, byte = text[at];
    if (state->quoted) {
        if (byte == (state->apostrophes ? '\'' : '"'))
            state->quoted = 0;
    } else if (byte == '{') {
        return pass(reader, word, at, behind_brace(reader, at));
    } else if (state->in_tag) {
        if (byte == '>') {
            places->ends[places->end_count++] = at;
            state->in_tag = 0;
        } else if (byte != '<' && pmi_tag_quote_is_value(text, places->begins[places->begin_count - 1] + 1, at)) {
            state->quoted = UINT64_MAX;
            state->apostrophes = byte == '\'' ? UINT64_MAX : 0;
        }
    } else if (byte == '<' && (text[at + 1] == '!' || text[at + 1] == '?')) {
        word->regions++;
        return pass(reader, word, at, read_short(reader, at));
    } else if (byte == '<') {
        places->begins[places->begin_count++] = at;
        state->in_tag = UINT64_MAX;
    }
    return true;
}

/* Goes through a word's <, >, quotes and braces one by one; and through regions that begin in it. */
static void read_odd_word(pmi_tag_reader *reader, uint64_t events) {
    pmi_tag_state *const state = &reader->state;
    odd_word word = {.events = events, .base = reader->at, .end = reader->at + WORD};
    bool more = true;
    if (state->in_braces) {
        state->in_braces = 0;
        more = pass(reader, &word, (size_t)state->braces, behind_brace(reader, (size_t)state->braces));
    }
    while (more && word.events != 0) {
        const size_t at = word.base + pmi_bits_lowest(word.events);
        word.events &= word.events - 1;
        more = read_event(reader, &word, at);
    }
    state->behind_equal = word.end > 0 && reader->scan->text[word.end - 1] == '=' ? UINT64_MAX : 0;
    reader->at = word.end;
    count_up_to(reader, word.end);
    if (word.regions >= REGIONS_MANY && !state->in_tag)
        reader->exact_until =
            reader->scan->n - word.end < REGIONS_STRETCH ? reader->scan->n : word.end + REGIONS_STRETCH;
}

/* Words are read up to here: behind them there are as many bytes as the kernel reads in vain. */
static size_t words_end(const pmi_token_scan *scan) {
    return scan->n > WORD + PM_TAGS_AHEAD ? scan->n - WORD - PM_TAGS_AHEAD : 0;
}

/* Is what comes next in a script, perhaps, or the like? */
static bool is_raw(const pmi_tag_reader *reader) {
    const pmi_token_scan *const scan = reader->scan;
    if (reader->places.end_count == 0 || reader->state.in_tag)
        return false;
    const size_t name = (size_t)reader->begins[reader->places.end_count - 1] + 1;
    size_t end = name;
    while (!(scan->pairs->families[0].roles[scan->text[end]] & PM_TAG_NAME_ENDS))
        end++;
    const pmi_name_fact *const fact =
        end > name ? pmi_name_facts_find(scan->pairs, 0, scan->text + name, end - name) : NULL;
    return fact && fact->lists & PM_NAMED_RAW;
}

/* Odd words of scripts are not read: their tags are taken first, and these are skipped then. */
static void read_words(pmi_tag_reader *reader) {
    const size_t last = words_end(reader->scan);
    size_t left = bytes_at_once(reader);
    reader->exact = false;
    while (left >= WORD && reader->at < last && reader->at >= reader->exact_until && reader->region == NOWHERE) {
        const size_t needed = (last - reader->at + WORD - 1) / WORD,
                     words = needed < left / WORD ? needed : left / WORD;
        uint64_t events;
        const size_t done = reader->kernel->find[reader->scan->pairs->tags.braces](
            &reader->state, reader->scan->text, reader->at, words, &reader->places, &events);
        reader->at += done * WORD;
        reader->counted = reader->at;
        left -= done * WORD;
        if (done < words) {
            if (is_raw(reader))
                return;
            read_odd_word(reader, events);
            left -= WORD;
        }
    }
}

/* ---- Both ---- */

/* The tags found are forgotten. */
static void go_to(pmi_tag_reader *reader, size_t at) {
    reader->at = at;
    reader->region = NOWHERE;
    reader->scan->cut = PM_CUT_NONE;
    leave(&reader->state);
    reader->places.begin_count = reader->places.end_count = 0;
}

void pmi_tag_reader_skip(pmi_tag_reader *reader, size_t at) {
    go_to(reader, at);
    if (at < reader->counted) {
        reader->state.newlines -= newlines_between(reader, at, reader->counted);
        reader->counted = at;
    }
    reader->words = WORDS_MIN;
    count_up_to(reader, at);
}

void pmi_tag_reader_again(pmi_tag_reader *reader, size_t at) {
    const size_t n = reader->scan->n;
    const size_t end = reader->stretch < n - at ? at + reader->stretch : n;
    go_to(reader, at);
    if (reader->region_first >= at) /* one before that remains */
        reader->region_first = reader->kept_first;
    reader->region_behind = reader->kept_behind;
    reader->exact_until = end > reader->counted ? end : reader->counted; /* words count newlines themselves */
    if (reader->stretch < STRETCH_MAX)
        reader->stretch *= 2;
}

/* Does a name follow the < there? */
static bool begins_name(const pmi_tag_reader *reader, size_t begin) {
    const unsigned char *const text = reader->scan->text;
    return pmi_byte_begins_name(text[begin + 1 + (text[begin + 1] == '/')]);
}

/* The tags that are used are forgotten; one that has no end yet remains, if it is one. */
static void keep_last(pmi_tag_reader *reader) {
    pmi_tag_places *const places = &reader->places;
    const bool goes_on = places->begin_count > places->end_count;
    if (places->end_count > 0 && !reader->exact)
        reader->stretch = STRETCH_MIN;
    if (goes_on)
        places->begins[0] = places->begins[places->end_count];
    places->begin_count = goes_on;
    places->end_count = 0;
    reader->blanks_in_blocks = false;
    if (goes_on && !begins_name(reader, places->begins[0]))
        pmi_tag_reader_again(reader, places->begins[0]);
}

/* Does what comes next begin behind the part of the text that is of interest? */
static bool is_behind_stop(const pmi_tag_reader *reader) {
    const size_t next = reader->places.begin_count > 0 ? (size_t)reader->begins[0]
                        : reader->region != NOWHERE    ? reader->region
                                                       : reader->at;
    return reader->stop < reader->scan->n && next >= reader->stop;
}

bool pmi_tag_reader_next(pmi_tag_reader *reader) {
    reader->kept_first = reader->region_first;
    reader->kept_behind = reader->region_behind;
    keep_last(reader);
    while (reader->places.end_count == 0 && !is_behind_stop(reader) &&
           (reader->at < reader->scan->n || reader->places.begin_count > 0)) {
        if (reader->region != NOWHERE) {
            reader->at = read_at(reader, reader->region);
            if (reader->at > reader->region + 1)
                note_region(reader, reader->region, reader->at);
            reader->region = NOWHERE;
            count_up_to(reader, reader->at);
        } else if (reader->at < reader->exact_until) {
            read_bytes(reader);
        } else if (reader->at < words_end(reader->scan)) {
            read_words(reader);
        } else {
            if (reader->places.begin_count > 0)
                go_to(reader, (size_t)reader->places.begins[0]);
            else if (reader->state.in_braces)
                go_to(reader, (size_t)reader->state.braces);
            reader->exact_until = reader->scan->n;
        }
    }
    return reader->places.end_count > 0;
}

bool pmi_tag_reader_tag(const pmi_tag_reader *reader, size_t k, pmi_tag *tag) {
    const uint32_t family = pmi_tag_reader_family(reader, k);
    const uint8_t *const roles = reader->scan->pairs->families[family].roles;
    const unsigned char *const text = reader->scan->text;
    const bool certain = reader->exact || family > 0;
    *tag = (pmi_tag){.begin = reader->begins[k], .end = reader->ends[k] + 1};
    tag->closes = text[tag->begin + 1] == '/';
    tag->name = tag->name_end = tag->begin + (tag->closes || family > 0 ? 2 : 1);
    if (!pmi_byte_begins_name(text[tag->name]))
        return false;
    for (; !(roles[text[tag->name_end]] & PM_TAG_NAME_ENDS); tag->name_end++)
        if (!certain && pmi_tag_name_is_odd(reader->scan->pairs, text[tag->name_end]))
            return false;
    return true;
}
