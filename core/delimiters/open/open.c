/* SPDX-License-Identifier: Apache-2.0 */
/* What a text with delimiters leaves open, and what completes it: each suffix is tried behind the text, and the first
 * that leaves nothing open and brings no other fault is taken. */
#include <string.h>

#include "core/delimiters/check.h"
#include "core/delimiters/open/closes.h"
#include "core/delimiters/tags/name_facts.h"

static const unsigned char *text_of(const pmi_delimiters_check *check) {
    return check->kept ? check->kept->bytes : (const unsigned char *)"";
}

static pm_status read_text(pmi_delimiters_check *check) {
    return pmi_open_text_read(&check->open_text, check->context, check->pairs, text_of(check), check->length);
}

/* The innermost open, without what the end of the text closes because it may be left open. */
static const pmi_open_entry *innermost(const pmi_open_text_end *end) {
    return end->top ? end->top->needed : NULL;
}

static uint64_t depth_of(const pmi_open_entry *open) {
    return open ? open->depth : 0;
}

pm_status pmi_delimiters_check_open(pmi_delimiters_check *check, pm_open_bracket *opens, size_t capacity,
                                    uint64_t *count, pm_open_end *end) {
    const pm_status status = read_text(check);
    if (status != PM_OK)
        return status;
    const pmi_open_text_end *const found = &check->open_text->end;
    const pmi_open_entry *open = innermost(found);
    if (count)
        *count = depth_of(open);
    for (size_t k = 0; k < capacity && open; k++, open = open->below)
        opens[k] = (pm_open_bracket){.at = open->at,
                                     .length = open->open.length,
                                     .kind = open->open.kind,
                                     .byte = (char)text_of(check)[open->at.offset]};
    const bool inside = found->cut != PM_CUT_NONE;
    if (end)
        *end = (pm_open_end){check->length, inside ? PM_IN_REGION : PM_IN_CODE, inside ? found->cut : 0};
    return PM_OK;
}

/* ---- A text that grows: the suffixes that are tried stand behind it, in the memory that it has ---- */

typedef struct growing {
    pmi_delimiters_check *check;
    size_t length; /* of the text, with what is tried */
    size_t room;   /* behind the text */
    pm_status status;
} growing;

static unsigned char *bytes_of(const growing *text) {
    return text->check->kept->bytes;
}

/* Makes room for n bytes behind the text, and keeps those that are there. */
static bool make_room(growing *text, size_t n) {
    pmi_delimiters_check *const check = text->check;
    const size_t length = check->length;
    check->length = text->length;
    const bool held = pmi_delimiters_check_make_room(check, n - (text->length - length));
    check->length = length;
    text->room = held ? check->kept->room - length : 0;
    return held;
}

/* Sees to it that n more bytes can be appended without a move of the text. */
static bool reserve(growing *text, size_t n) {
    const size_t behind = text->length - text->check->length;
    if (text->status == PM_OK && n > text->room - behind && !make_room(text, behind + n))
        text->status = PM_OUT_OF_MEMORY;
    return text->status == PM_OK;
}

static void grow(growing *text, const unsigned char *bytes, size_t n) {
    if (!reserve(text, n))
        return;
    if (n > 0)
        memcpy(bytes_of(text) + text->length, bytes, n);
    text->length += n;
}

static void grow_string(growing *text, const char *string) {
    grow(text, (const unsigned char *)string, strlen(string));
}

static void grow_word(growing *text, pmi_rule_word word) {
    grow(text, text->check->pairs->bytes + word.begin, word.length);
}

/* Appends bytes of the text. */
static void grow_copy(growing *text, size_t begin, size_t n) {
    if (reserve(text, n))
        grow(text, bytes_of(text) + begin, n);
}

static bool read_grown(growing *text, pmi_open_text_end *found) {
    if (text->status == PM_OK)
        text->status = pmi_open_text_try(text->check->open_text, bytes_of(text), text->length, found);
    return text->status == PM_OK;
}

/* ---- Closes ---- */

/* As pmi_close_of() of an element, whose name may be long, and may go on behind the text. */
static void close_of_element(const pmi_delimiters_check *check, const pmi_open_entry *open,
                             const pmi_tag_family *family, pmi_close *close) {
    const struct pmi_delimiters *const pairs = check->pairs;
    const pmi_rule_word before = family->close, behind = family->end;
    *close = (pmi_close){.count = 3, .sort = open->close};
    close->length = (size_t)(open->suffix - (open->below ? open->below->suffix : 0));
    close->pieces[0].bytes = pairs->bytes + before.begin;
    close->pieces[0].length = before.length;
    close->pieces[1].bytes = text_of(check) + open->open.begin + family->open.length;
    close->pieces[1].length = close->length - before.length - behind.length;
    close->pieces[2].bytes = pairs->bytes + behind.begin;
    close->pieces[2].length = behind.length;
}

static void close_of(const pmi_delimiters_check *check, const pmi_open_entry *open, pmi_close *close) {
    const uint32_t family = open->close - PM_CLOSE_KINDS;
    if (family < PM_CLOSE_FAMILIES && !check->pairs->families[family].statement) {
        close_of_element(check, open, &check->pairs->families[family], close);
        return;
    }
    pmi_close_of(check->pairs, text_of(check), open->open.kind, (size_t)open->open.begin,
                 (size_t)open->open.begin + open->open.length, close);
}

/* Appends what closes an open; false: nothing does. */
static bool grow_close(growing *text, const pmi_open_entry *open) {
    pmi_close close;
    if (open->length > 0) {
        grow(text, open->bytes, open->length);
        return text->status == PM_OK;
    }
    close_of(text->check, open, &close);
    if (close.length > text->room - (text->length - text->check->length)) {
        if (!reserve(text, close.length))
            return false;
        close_of(text->check, open, &close); /* where the text is now */
    }
    for (unsigned k = 0; k < close.count; k++)
        grow(text, close.pieces[k].bytes, close.pieces[k].length);
    return close.length > 0;
}

/* ---- Out of a region or tag ---- */

/* Before what ends a region: nothing, the end of a string in it, what a backslash protects, blanks, the ends of up to
 * two expressions that are nested. */
static const char *const fillers[] = {"", "\"", "'", " ", "\n", "\\", "\\\"", "\\'", "}", "}}"};

/* Does a filler close other than all braces that are open? Before what is cut off nothing may depend on it, either. */
static bool misses_braces(const growing *text, const pmi_open_text_end *found, const char *filler) {
    size_t closed = 0;
    while (filler[closed] == '}')
        closed++;
    return found->braces > 0 && found->braces != closed && found->cut == text->check->open_text->now.at &&
           text->check->pairs->nested_close == '}';
}

/* Tries an end of what is cut off at `cut`; if that does not end it, the text is as before. */
static bool try_end(growing *text, pmi_rule_word end, size_t tagged, pmi_open_text_end *found) {
    const size_t before = text->length, cut = found->cut;
    for (size_t k = 0; k < sizeof fillers / sizeof *fillers && text->status == PM_OK; k++) {
        pmi_open_text_end after;
        if (found->string && k < 3 && fillers[k][0] != (char)found->string) /* an end would be one of the string */
            continue;
        if (misses_braces(text, found, fillers[k]))
            continue;
        grow_string(text, fillers[k]);
        if (tagged > 0)
            grow_copy(text, cut, tagged);
        else
            grow_word(text, end);
        if (read_grown(text, &after) && after.cut != cut) {
            *found = after;
            return true;
        }
        text->length = before;
    }
    return false;
}

/* A close stands behind the text from `before` on. If what is cut off may become it, goes on so; else the text is as
 * before. */
static bool becomes(growing *text, pmi_open_text_end *found, size_t before) {
    unsigned char *const bytes = bytes_of(text);
    const size_t cut = found->cut, begun = before - cut;
    if (text->length - before > begun &&
        pmi_bytes_equal(bytes + before, bytes + cut, begun, text->check->pairs->ignore_case)) {
        pmi_open_text_end after;
        memmove(bytes + before, bytes + before + begun, text->length - before - begun);
        text->length -= begun;
        if (read_grown(text, &after) && after.cut != cut) {
            *found = after;
            return true;
        }
    }
    text->length = before;
    return false;
}

/* Does a word of the language begin with as much of what is cut off as there is of both? */
static bool may_become(const growing *text, const pmi_open_text_end *found, pmi_rule_word word) {
    const struct pmi_delimiters *const pairs = text->check->pairs;
    const size_t begun = text->length - found->cut, length = begun < word.length ? begun : word.length;
    return length > 0 &&
           pmi_bytes_equal(pairs->bytes + word.begin, bytes_of(text) + found->cut, length, pairs->ignore_case);
}

/* May what is cut off become any close at all? */
static bool may_become_close(const growing *text, const pmi_open_text_end *found) {
    const struct pmi_delimiters *const pairs = text->check->pairs;
    for (uint32_t r = 0; r < pairs->rule_count; r++)
        if (pairs->rules[r].role == PM_RULE_CLOSE && may_become(text, found, pairs->words[pairs->rules[r].word_at]))
            return true;
    for (uint32_t f = 0; f < pairs->family_count; f++) {
        const pmi_tag_family *const family = &pairs->families[f];
        if (family->close.length > 0 && may_become(text, found, family->statement ? family->open : family->close))
            return true;
    }
    return false;
}

/* Goes on with what is cut off as with the close of an open that it may become: the tag </u in an element ul; or with a
 * close that is optional. The close of what is below an open that needs its own would be a fault. */
static bool try_close(growing *text, pmi_open_text_end *found) {
    const struct pmi_delimiters *const pairs = text->check->pairs;
    const size_t before = text->length;
    uint32_t tried = PM_NONE;
    if (!may_become_close(text, found))
        return false;
    const pmi_open_entry *open = found->top;
    for (size_t seen = 0; open && seen < PM_OPENS_SEEN && text->status == PM_OK; seen++) {
        if (open->open.kind != tried && grow_close(text, open) && becomes(text, found, before))
            return true;
        tried = open->open.kind;
        text->length = before;
        open = open->open.implied == PM_NONE ? NULL : open->below;
    }
    for (uint32_t f = 0; f < pairs->family_count; f++) {
        const pmi_tag_family *const family = &pairs->families[f];
        for (uint32_t k = 0; k < family->optional_names.count && text->status == PM_OK; k++) {
            grow_word(text, family->close);
            grow_word(text, pairs->words[family->optional_names.first + k]);
            grow_word(text, family->end);
            if (text->status == PM_OK && becomes(text, found, before))
                return true;
        }
    }
    return false;
}

/* Ends the branches inside the one that is cut off. */
static void end_inner_branches(growing *text, const pmi_rule_region *region, const pmi_open_text_end *found) {
    const struct pmi_delimiters *const pairs = text->check->pairs;
    pmi_scan_growth growth = text->check->open_text->growth;
    const pmi_token_scan scan = {.pairs = pairs, .text = bytes_of(text), .n = text->length, .growth = &growth};
    size_t depth;
    growth.search = text->check->open_text->now.search;
    if (pmi_token_scan_branch_end(&scan, region, found->cut_end, &depth) > scan.n)
        for (; depth > 1 && text->status == PM_OK; depth--)
            grow_word(text, pairs->words[region->ends.first]);
}

/* Ends what is cut off by the ends of its rule's region or tag. */
static bool end_cut(growing *text, pmi_open_text_end *found) {
    const struct pmi_delimiters *const pairs = text->check->pairs;
    for (uint32_t r = 0; r < pairs->rule_count && text->status == PM_OK; r++) {
        const pmi_rule *const rule = &pairs->rules[r];
        const pmi_rule_word word = pairs->words[rule->word_at];
        if ((rule->role != PM_RULE_REGION && rule->role != PM_RULE_TAG) || word.length > found->cut_end - found->cut ||
            !pmi_bytes_equal(pairs->bytes + word.begin, bytes_of(text) + found->cut, word.length, pairs->ignore_case))
            continue;
        if (rule->role == PM_RULE_TAG) {
            if (try_end(text, pairs->families[rule->index].end, 0, found))
                return true;
            continue;
        }
        const pmi_rule_region *const region = &pairs->regions[rule->index];
        if (region->flags & PM_SKIP_TAGGED) {
            if (try_end(text, word, found->cut_end - found->cut, found))
                return true;
            continue;
        }
        if (region->flags & PM_SKIP_BRANCH)
            end_inner_branches(text, region, found);
        for (uint32_t e = 0; e < region->ends.count; e++)
            if (try_end(text, pairs->words[region->ends.first + e], 0, found))
                return true;
    }
    return pairs->nested_open && try_end(text, (pmi_rule_word){0}, 0, found);
}

/* ---- Out of a tag, without a trial ---- */

static bool is_plain(const pmi_open_text *reader, uint32_t family) {
    return family < PM_CLOSE_FAMILIES && reader->plain_tags[family];
}

/* Is what is cut off what the text was read up to, and begun by this word? */
static bool is_cut_behind(const growing *text, const pmi_open_text_end *found, pmi_rule_word word) {
    const struct pmi_delimiters *const pairs = text->check->pairs;
    return text->length == text->check->length && found->cut == text->check->open_text->now.at &&
           found->cut_end - found->cut == word.length &&
           pmi_bytes_equal(pairs->bytes + word.begin, bytes_of(text) + found->cut, word.length, pairs->ignore_case);
}

/* Goes on with what is cut off as with the close of the innermost open. */
static bool finish_close_tag(growing *text, pmi_open_text_end *found) {
    const pmi_open_entry *const top = found->top;
    const uint32_t family = top ? top->close - PM_CLOSE_KINDS : PM_NONE;
    const size_t begun = text->length - found->cut;
    if (!is_plain(text->check->open_text, family) || top->length <= begun ||
        !is_cut_behind(text, found, text->check->pairs->families[family].close) ||
        !pmi_bytes_equal(top->bytes, bytes_of(text) + found->cut, begun, text->check->pairs->ignore_case))
        return false;
    grow(text, top->bytes + begun, top->length - begun);
    *found = (pmi_open_text_end){.top = top->below, .faults = found->faults, .cut = PM_CUT_NONE};
    return true;
}

/* May the text's last bytes be the first of a tag's end that opens nothing? */
static bool has_begun_empty(const struct pmi_delimiters *pairs, const pmi_tag_family *family, const unsigned char *end,
                            size_t n) {
    const pmi_rule_word empty = family->empty;
    for (size_t k = 1; k < empty.length && k <= n; k++)
        if (end[-(ptrdiff_t)k] == pairs->bytes[empty.begin])
            return true;
    return false;
}

/* Ends the tag that opens what its name says, outside of strings in it. */
static bool end_open_tag(growing *text, uint32_t family_at, pmi_open_text_end *found) {
    const pmi_tag_family *const family = &text->check->pairs->families[family_at];
    const unsigned char *const bytes = bytes_of(text);
    const size_t n = text->length;
    pmi_tag tag = {.begin = found->cut, .end = n, .name = found->cut_end, .name_end = found->cut_end};
    if (found->string || (text->check->pairs->nested_open && !found->certain) ||
        has_begun_empty(text->check->pairs, family, bytes + n, n))
        return false;
    while (tag.name_end < n && !(family->roles[bytes[tag.name_end]] & PM_TAG_NAME_ENDS))
        tag.name_end++;
    grow_word(text, family->end);
    if (text->status == PM_OK &&
        pmi_open_text_end_tag(text->check->open_text, bytes_of(text), n, family_at, tag, found, &text->status))
        return true;
    text->length = n;
    *found = text->check->open_text->end;
    return false;
}

static bool end_tag(growing *text, pmi_open_text_end *found) {
    const struct pmi_delimiters *const pairs = text->check->pairs;
    if (finish_close_tag(text, found))
        return true;
    for (uint32_t f = 0; f < pairs->family_count; f++)
        if (is_plain(text->check->open_text, f) && is_cut_behind(text, found, pairs->families[f].open))
            return end_open_tag(text, f, found);
    return false;
}

/* ---- The whole ---- */

/* Appends the closes of opens down to `last`, the outermost one that is not to be closed, with a separator before each.
 * False: that does not close them. The text is as before. */
static bool close_some(growing *text, const pmi_open_text_end *found, const pmi_open_entry *last,
                       const char *separator) {
    const size_t before = text->length;
    pmi_open_text_end after;
    bool closed = true;
    for (const pmi_open_entry *open = innermost(found); open != last && closed; open = open->below) {
        grow_string(text, separator);
        closed = grow_close(text, open);
    }
    closed = closed && read_grown(text, &after) && after.cut == PM_CUT_NONE && after.faults == found->faults &&
             depth_of(last ? after.top : innermost(&after)) == depth_of(last);
    text->length = before;
    return closed;
}

/* Does what follows this byte begin no word? */
static bool goes_on(const struct pmi_delimiters *pairs, unsigned char byte) {
    return pmi_byte_is_word(byte) || pairs->sigils[byte / 64] >> byte % 64 & 1;
}

#define SEEN 4u /* opens that the end of the text closes */

/* Does the close of the innermost open also close what the end of the text closes? At least where that is little. */
static bool closes_through(const pmi_open_text_end *found) {
    const pmi_open_entry *const first = innermost(found), *open = found->top;
    for (unsigned k = 0; k < SEEN && open != first && open->open.kind != first->open.kind; k++)
        open = open->below;
    return open == first;
}

/* The first separator with which all opens close, if that is known without a try: where nothing that was read depends
 * on what follows the text, or it is in a comment that a newline ends. */
static bool separator_known(const growing *text, const pmi_open_text_end *found, unsigned *separator) {
    const pmi_open_entry *const first = innermost(found);
    const struct pmi_delimiters *const pairs = text->check->pairs;
    if (first->separator == PM_CLOSE_SEPARATORS || found->unsettled == PM_UNSETTLED_OTHER || !closes_through(found))
        return false;
    *separator = first->separator;
    if (found->unsettled == PM_UNSETTLED_LINE)
        *separator = PM_CLOSE_SEPARATORS - 1;
    else if (first->whole && *separator == 0 && text->length > 0)
        *separator = goes_on(pairs, bytes_of(text)[text->length - 1]);
    return true;
}

#define TRIED                                                                                                          \
    4u /* innermost opens whose closes are tried, where it is known what closes may stand next to each other */

/* How many of them need a trial? Behind the first close, which the text's last bytes may change, others are read as
 * alone, except inside of loose pairs and expressions, and where more than its name says what a tag is. */
static unsigned closes_to_try(const pmi_delimiters_check *check) {
    const struct pmi_delimiters *const pairs = check->pairs;
    bool plain = !pairs->nested_open && pairs->loose == PM_NONE;
    for (uint32_t f = 0; f < pairs->family_count; f++)
        plain &= is_plain(check->open_text, f);
    return plain ? 1 : TRIED;
}

/* Do all opens close with this separator? */
static bool close_all(growing *text, const pmi_open_text_end *found, unsigned separator) {
    const pmi_open_entry *const first = innermost(found), *last = first;
    if (first->separator > separator && first->separator < PM_CLOSE_SEPARATORS)
        return false;
    for (unsigned k = closes_to_try(text->check); k > 0 && last; k--)
        last = last->below;
    return close_some(text, found, first->separator < PM_CLOSE_SEPARATORS ? last : NULL,
                      pmi_close_separators[separator]);
}

/* Completes the text up to the closes of what is open, for which the separator is found. False: nothing does. */
static bool complete(growing *text, pmi_open_text_end *found, unsigned *separator) {
    const uint64_t faults = found->faults;
    while (found->cut != PM_CUT_NONE)
        if (!end_tag(text, found) && !try_close(text, found) && !end_cut(text, found))
            return false;
    if (found->faults > faults)
        return false;
    if (innermost(found) && separator_known(text, found, separator))
        return true;
    for (*separator = 0; *separator < PM_CLOSE_SEPARATORS && text->status == PM_OK; ++*separator)
        if (!innermost(found) || close_all(text, found, *separator))
            return true;
    return false;
}

/* A suffix that is stored as far as there is room. */
typedef struct output {
    char *bytes;
    size_t capacity, length;
} output;

#define SHORT_MAX 16u /* bytes */

/* As memcpy(), without a call. */
static inline void copy_short(char *to, const unsigned char *from, size_t n) {
    if (n >= 8) {
        memcpy(to, from, 8);
        memcpy(to + n - 8, from + n - 8, 8);
    } else if (n >= 4) {
        memcpy(to, from, 4);
        memcpy(to + n - 4, from + n - 4, 4);
    } else if (n > 0) {
        to[0] = (char)from[0];
        to[n / 2] = (char)from[n / 2];
        to[n - 1] = (char)from[n - 1];
    }
}

static inline void emit(output *to, const unsigned char *bytes, size_t n) {
    const size_t room = to->length < to->capacity ? to->capacity - to->length : 0;
    if (room > 0 && n <= SHORT_MAX && n <= room)
        copy_short(to->bytes + to->length, bytes, n);
    else if (room > 0)
        memcpy(to->bytes + to->length, bytes, n < room ? n : room);
    to->length += n;
}

static void emit_close(output *to, const pmi_delimiters_check *check, const pmi_open_entry *open) {
    pmi_close close;
    if (open->length > 0) {
        emit(to, open->bytes, open->length);
        return;
    }
    close_of(check, open, &close);
    for (unsigned k = 0; k < close.count; k++)
        emit(to, close.pieces[k].bytes, close.pieces[k].length);
}

static void emit_closes(output *to, const pmi_delimiters_check *check, const pmi_open_entry *open, unsigned separator) {
    const size_t between = pmi_close_separators[separator][0] != '\0',
                 length = to->length + (open ? (size_t)(open->suffix + open->depth * between) : 0);
    for (; open && to->length < to->capacity; open = open->below) {
        emit(to, (const unsigned char *)pmi_close_separators[separator], between);
        emit_close(to, check, open);
    }
    to->length = length;
}

/* How what is cut off is completed as more comes of it. */
typedef struct alike {
    bool quotes; /* it is a tag, of which strings change nothing but that they end first */
    bool naming; /* it is a tag whose name may go on, as that of `open` */
} alike;

/* Does the text end in a tag's name, which rules say nothing of, and which the innermost open has? A further trial may
 * have made another entry of that open. */
static bool is_naming(const growing *text, const pmi_open_text_end *cut, uint32_t family, const pmi_open_entry *open) {
    return pmi_stack_top(&text->check->open_text->entries) == open && is_plain(text->check->open_text, family) &&
           open && open->open.begin == cut->cut &&
           !pmi_name_facts_find(text->check->pairs, family, bytes_of(text) + cut->cut_end,
                                text->check->length - cut->cut_end);
}

/* May what is cut off become a close as more of it comes? Not if it already differs from the only one that it might. */
static bool may_yet_become_close(const growing *text, const pmi_open_text_end *cut) {
    const struct pmi_delimiters *const pairs = text->check->pairs;
    const pmi_open_entry *const top = cut->top;
    const size_t begun = text->length - cut->cut;
    bool others = top && (top->open.implied != PM_NONE || top->length == 0);
    for (uint32_t f = 0; f < pairs->family_count; f++)
        others |= pairs->families[f].optional_names.count > 0;
    return may_become_close(text, cut) &&
           (others || (top && top->length > begun &&
                       pmi_bytes_equal(top->bytes, bytes_of(text) + cut->cut, begun, pairs->ignore_case)));
}

/* Does a statement that is cut off end in the same way whatever bytes come in it? Not before its name has ended, nor
 * before a = that may change what it opens; and in a string a blank before its end may. */
static bool statement_ends_alike(const growing *text, const pmi_open_text_end *cut, uint32_t family_at, alike *how) {
    const struct pmi_delimiters *const pairs = text->check->pairs;
    const pmi_tag_family *const family = &pairs->families[family_at];
    const unsigned char *const bytes = bytes_of(text);
    const size_t name = pmi_statement_name(bytes, cut->cut_end, text->length);
    size_t end = name;
    while (end < text->length && pmi_byte_is_word(bytes[end]))
        end++;
    const pmi_name_fact *const fact = pmi_name_facts_find(pairs, family_at, bytes + name, end - name);
    how->quotes = !fact || !(fact->lists & PM_NAMED_QUOTED);
    if ((!how->quotes && cut->string) ||
        (fact && fact->lists & PM_NAMED_ASSIGNED && !memchr(bytes + end, '=', text->length - end)))
        return false;
    return end < text->length || family->names.count + family->raw_names.count == 0;
}

/* The same of a tag or region that a rule begins. */
static bool rule_ends_alike(const growing *text, const pmi_open_text_end *cut, const pmi_rule *rule,
                            const pmi_open_entry *open, alike *how) {
    const struct pmi_delimiters *const pairs = text->check->pairs;
    const unsigned flags = PM_SKIP_LINE | PM_SKIP_QUOTATIONS | PM_SKIP_MAY_NEST | PM_SKIP_NESTED;
    const unsigned char *const bytes = bytes_of(text);
    if (rule->role != PM_RULE_TAG)
        return rule->role == PM_RULE_REGION && !(pairs->regions[rule->index].flags & ~flags);
    const pmi_tag_family *const family = &pairs->families[rule->index];
    if (family->statement)
        return statement_ends_alike(text, cut, rule->index, how);
    size_t name_end = cut->cut_end;
    while (name_end < text->length && !(family->roles[bytes[name_end]] & PM_TAG_NAME_ENDS))
        name_end++;
    if ((cut->string && family->quoted_names.count > 0) ||
        (family->assigned_names.count > 0 && !memchr(bytes + name_end, '=', text->length - name_end)))
        return false;
    how->quotes = family->assigned_names.count + family->quoted_names.count == 0;
    if (name_end < text->length)
        return true;
    how->naming = is_naming(text, cut, rule->index, open);
    return how->naming;
}

/* Does a tag or a region end in the same way whatever bytes come in it? Not if these may make a close of it, or change
 * how deep it is nested, or what a tag's name means. */
static bool ends_alike(const growing *text, const pmi_open_text_end *cut, const pmi_open_entry *open, alike *how) {
    const struct pmi_delimiters *const pairs = text->check->pairs;
    bool same = (!pairs->nested_open || cut->certain) && !may_yet_become_close(text, cut);
    for (uint32_t r = 0; r < pairs->rule_count && same; r++) {
        const pmi_rule_word word = pairs->words[pairs->rules[r].word_at];
        if (word.length == cut->cut_end - cut->cut &&
            pmi_bytes_equal(pairs->bytes + word.begin, bytes_of(text) + cut->cut, word.length, pairs->ignore_case))
            same = rule_ends_alike(text, cut, &pairs->rules[r], open, how);
    }
    return same;
}

/* May the text's last bytes be the first of what ends it, or protect the byte behind them? */
static bool has_begun(const pmi_delimiters_check *check) {
    const struct pmi_delimiters *const pairs = check->pairs;
    const unsigned char *const end = text_of(check) + check->length; /* which is cut off, so that there is text */
    for (uint32_t f = 0; f < pairs->family_count; f++)
        if (has_begun_empty(pairs, &pairs->families[f], end, check->length))
            return true;
    return pmi_open_text_ends(check->open_text)[end[-1]];
}

/* Is the last byte of an end, doubled perhaps, only there? */
static bool is_end_at_last(const unsigned char *end, size_t length) {
    const unsigned char last = end[length - 1];
    while (length > 0 && end[length - 1] == last)
        length--;
    return !memchr(end, last, length);
}

/* Does an end begin with the quote that ends the string which is cut off, and with none if that is no string? Whether
 * it is one may not be known. */
static bool fits_string(unsigned char end, unsigned char string) {
    return string != 0 ? end == string : end != '"' && end != '\'';
}

/* Notes how the text was completed, if it will be so as long as it waits: its last byte is where the end is. */
static void note_completion(const growing *text, const pmi_open_text_end *cut, const pmi_open_text_end *found,
                            unsigned separator) {
    pmi_open_text *const reader = text->check->open_text;
    const unsigned char *const end = bytes_of(text) + text->check->length;
    const size_t length = text->length - text->check->length;
    alike how = {false, false};
    if (!reader->waits || has_begun(text->check) || cut->cut == PM_CUT_NONE || length == 0 ||
        length > sizeof reader->completion.end || !is_end_at_last(end, length) ||
        !ends_alike(&(growing){text->check, text->check->length, 0, PM_OK}, cut, innermost(found), &how))
        return;
    reader->completion = (pmi_completion){.known = true,
                                          .length = length,
                                          .open = innermost(found),
                                          .separator = separator,
                                          .cut = cut->cut,
                                          .string = cut->string,
                                          .quotes = how.quotes && fits_string(end[0], cut->string),
                                          .naming = how.naming};
    memcpy(reader->completion.end, end, length);
}

/* Notes how a text with that tail was completed, if that is all there is to say of it. */
static void keep_end(const growing *text, const pmi_tail *tail, const pmi_open_text_end *found, unsigned separator) {
    const pmi_open_text *const reader = text->check->open_text;
    const pmi_open_entry *const top = reader->end.top;
    const size_t length = text->length - text->check->length;
    pmi_tail_end end = {.separator = (uint8_t)separator};
    if (found->top == top && length <= PM_TAIL_END) {
        end.length = (uint8_t)length;
        memcpy(end.bytes, bytes_of(text) + text->check->length, length);
    } else if (tail->closing && found->top == top->below && length == (size_t)(top->length - tail->length)) {
        end.closes = true;
    } else {
        return;
    }
    pmi_tail_keep(reader->closes, tail, &end);
}

/* Appends how a text with that tail is completed. */
static void emit_end(output *to, const pmi_delimiters_check *check, const pmi_tail *tail, const pmi_tail_end *end) {
    const pmi_open_entry *open = check->open_text->end.top;
    if (end->closes) {
        emit(to, open->bytes + tail->length, open->length - tail->length);
        open = open->below;
    } else {
        emit(to, end->bytes, end->length);
    }
    emit_closes(to, check, open ? open->needed : NULL, end->separator);
}

/* Tries how the text is completed. */
static pm_status try_suffix(pmi_delimiters_check *check, const pmi_tail *tail, output *to) {
    growing text = {.check = check, .length = check->length, .status = PM_OK};
    pmi_open_text_end found = check->open_text->end;
    unsigned separator;
    if (!make_room(&text, 1))
        return PM_OUT_OF_MEMORY;
    const bool completed = complete(&text, &found, &separator);
    if (text.status != PM_OK || !completed)
        return text.status != PM_OK ? text.status : PM_UNSUPPORTED;
    emit(to, bytes_of(&text) + check->length, text.length - check->length);
    emit_closes(to, check, innermost(&found), separator);
    note_completion(&text, &check->open_text->end, &found, separator);
    if (tail && !check->open_text->completion.known)
        keep_end(&text, tail, &found, separator);
    return PM_OK;
}

pm_status pmi_delimiters_check_suffix(pmi_delimiters_check *check, char *suffix, size_t capacity, size_t *length) {
    output to = {suffix, capacity, 0};
    pmi_tail tail;
    pm_status status = read_text(check);
    if (status != PM_OK)
        return status;
    const pmi_completion *const known = &check->open_text->completion;
    if (known->known) {
        emit(&to, known->end, known->length);
        emit_closes(&to, check, known->open, known->separator);
        *length = to.length;
        return PM_OK;
    }
    const bool has_tail = pmi_tail_of(check->open_text, text_of(check), closes_to_try(check), &tail);
    const pmi_tail_end *const end = has_tail ? pmi_tail_find(check->open_text->closes, &tail) : NULL;
    if (end)
        emit_end(&to, check, &tail, end);
    else
        status = try_suffix(check, has_tail ? &tail : NULL, &to);
    if (status == PM_OK)
        *length = to.length;
    return status;
}
