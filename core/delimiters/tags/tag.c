/* SPDX-License-Identifier: Apache-2.0 */
/* Tags: the numbers of their names, their ends, and what they open and close. */
#define _DEFAULT_SOURCE /* getentropy */
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#ifdef _WIN32
#include "base/windows/system.h"
#endif
#include "core/delimiters/tags/name_facts.h"
#include "core/delimiters/token_scan.h"

/* ---- A hash table of names with linear probing ---- */

#define ROOM_MIN ((size_t)64)
#define NAMES_MAX ((uint32_t)1 << 31)

#define PIECE sizeof(uint64_t) /* bytes of a name that are read at once */

/* Capitals as small letters, in all eight bytes (after Lamport's "Multiple byte processing with full-word
 * instructions"): bit 7 of a byte becomes that it is a letter from A on, and none behind Z. */
static uint64_t fold_capitals(uint64_t bytes) {
    const uint64_t ones = UINT64_C(0x0101010101010101), high = ones * 0x80, low = bytes & ~high;
    const uint64_t from_a = low + ones * (0x80 - 'A'), behind_z = low + ones * (0x7f - 'Z');
    return bytes | (((from_a ^ behind_z) & ~bytes & high) >> 2);
}

/* Up to eight bytes of the text, zeros behind them, as they are compared. */
static uint64_t piece_at(const pmi_tag_numbers *names, size_t at, size_t length) {
    static const unsigned char kept[2 * PIECE] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
    const size_t wanted = length < PIECE ? length : PIECE;
    uint64_t bytes = 0, mask;
    if (names->n - at >= PIECE) {
        memcpy(&bytes, names->text + at, PIECE);
        memcpy(&mask, kept + PIECE - wanted, PIECE);
        bytes &= mask;
    } else {
        memcpy(&bytes, names->text + at, wanted);
    }
    return names->ignore_case ? fold_capitals(bytes) : bytes;
}

static uint32_t hash_of(const pmi_tag_numbers *names, uint32_t family, size_t begin, size_t length, uint64_t first) {
    uint64_t hash = pmi_tag_numbers_mix(names->key, family, first);
    for (size_t i = PIECE; i < length; i += PIECE)
        hash = pmi_tag_numbers_mix(names->key, hash, piece_at(names, begin + i, length - i));
    return (uint32_t)hash;
}

/*
 * Replaces the hash's key by one that nobody can foresee, so that a text cannot have been made of names whose hashes
 * are equal: a table of these would take quadratic time.
 */
static void change_key(uint64_t key[2]) {
    if (getentropy(key, 2 * sizeof *key) != 0) {
        key[0] += (uint64_t)pmi_clock_ns();
        key[1] += (uintptr_t)key;
    }
}

/* The slot of the name with that hash, which begins with the piece `first`, or the one where it belongs. */
static pmi_name *slot_of(const pmi_tag_numbers *names, uint32_t hash, uint32_t family, size_t begin, size_t length,
                         uint64_t first) {
    const unsigned char *const text = names->text;
    size_t i = hash & (names->room - 1);
    for (; names->table[i].length > 0; i = (i + 1) & (names->room - 1)) {
        const pmi_name *const other = &names->table[i];
        if (other->bytes == first && other->length == length && other->family == family &&
            (length <= PIECE ||
             pmi_bytes_equal(text + other->begin + PIECE, text + begin + PIECE, length - PIECE, names->ignore_case)))
            break;
    }
    return &names->table[i];
}

static bool grow(pmi_tag_numbers *names) {
    const pmi_tag_numbers old = *names;
    const size_t room = old.room ? 2 * old.room : ROOM_MIN;
    pmi_name *const table = pmi_memory_allocate(&names->allocator, room, sizeof *table);
    if (!table)
        return false;
    memset(table, 0, room * sizeof *table);
    names->table = table;
    names->room = room;
    change_key(names->key);
    for (size_t i = 0; i < old.room; i++) {
        pmi_name *const name = &old.table[i];
        if (name->length == 0)
            continue;
        name->hash = hash_of(names, name->family, name->begin, name->length, name->bytes);
        *slot_of(names, name->hash, name->family, name->begin, name->length, name->bytes) = *name;
    }
    pmi_memory_free(&names->allocator, old.table);
    for (pmi_name_change *change = names->last; change; change = change->below)
        change->hash = hash_of(names, change->family, change->begin, change->length,
                               piece_at(names, change->begin, change->length));
    return true;
}

/* Notes that a name has come, or got a number. False: there is no memory. */
static bool note(pmi_tag_numbers *names, const pmi_name *name, uint32_t number) {
    pmi_name_change *const change = names->changes ? pmi_stack_push(names->changes) : NULL;
    if (!change)
        return !names->changes;
    *change = (pmi_name_change){.below = names->last,
                                .depth = names->last ? names->last->depth + 1 : 1,
                                .begin = name->begin,
                                .length = name->length,
                                .family = name->family,
                                .hash = name->hash,
                                .number = number};
    names->last = change;
    names->noted++;
    return true;
}

/* Remembers where a name is that is about to come, so that the table of a short text is soon cleared. */
static void note_first(pmi_tag_numbers *names, const pmi_name *slot) {
    if (names->count < PM_FIRST_NAMES)
        names->first[names->count] = (uint8_t)((size_t)(slot - names->table) % ROOM_MIN);
}

/* Clears a small table. Names move where changes are noted. */
static void clear_entries(pmi_tag_numbers *names) {
    if (names->changes || names->count > PM_FIRST_NAMES)
        memset(names->table, 0, names->room * sizeof *names->table);
    else
        for (uint32_t k = 0; k < names->count; k++)
            names->table[names->first[k]].length = 0;
}

pmi_name *pmi_tag_numbers_find(pmi_tag_numbers *names, uint32_t family, size_t begin, size_t length) {
    if (names->count >= names->room / 2 && (names->count == NAMES_MAX || !grow(names)))
        return NULL;
    const uint64_t first = piece_at(names, begin, length);
    const uint32_t hash = hash_of(names, family, begin, length, first);
    pmi_name *const slot = slot_of(names, hash, family, begin, length, first);
    if (slot->length == 0) {
        const pmi_name name = {.begin = begin,
                               .length = length,
                               .bytes = first,
                               .family = family,
                               .number = PM_NONE,
                               .implied = PM_NONE,
                               .hash = hash};
        if (!note(names, &name, PM_NONE))
            return NULL;
        *slot = name;
        note_first(names, slot);
        names->count++;
    }
    return slot;
}

uint32_t pmi_tag_numbers_number(pmi_tag_numbers *names, pmi_name *name) {
    if (name->number == PM_NONE && note(names, name, names->numbered))
        name->number = names->numbered++;
    return name->number;
}

/* Takes a name out: those behind it that would not be found then move up. */
static void remove_name(pmi_tag_numbers *names, size_t at) {
    const size_t last = names->room - 1;
    names->count--;
    for (size_t i = (at + 1) & last; names->table[i].length > 0; i = (i + 1) & last) {
        const size_t home = names->table[i].hash & last;
        if (((i - home) & last) < ((i - at) & last))
            continue;
        names->table[at] = names->table[i];
        at = i;
    }
    names->table[at] = (pmi_name){0};
}

/* Undoes the last change, without the text. */
static void undo(pmi_tag_numbers *names) {
    const pmi_name_change *const change = names->last;
    const size_t last = names->room - 1;
    size_t at = change->hash & last;
    while (names->table[at].begin != change->begin || names->table[at].length != change->length ||
           names->table[at].family != change->family)
        at = (at + 1) & last;
    if (change->number == PM_NONE) {
        remove_name(names, at);
    } else {
        names->table[at].number = PM_NONE;
        names->numbered = change->number;
    }
    names->last = change->below;
}

/* Makes a change again. False: there is no memory. */
static bool redo(pmi_tag_numbers *names, pmi_name_change *change) {
    pmi_stack *const changes = names->changes;
    names->changes = NULL; /* it is noted */
    pmi_name *const name = pmi_tag_numbers_find(names, change->family, change->begin, change->length);
    names->changes = changes;
    if (!name)
        return false;
    change->hash = name->hash;
    if (change->number != PM_NONE) {
        name->number = change->number;
        names->numbered = change->number + 1;
    }
    names->last = change;
    return true;
}

bool pmi_tag_numbers_go(pmi_tag_numbers *names, pmi_name_change *to) {
    pmi_name_change *above = NULL;
    while (to != names->last)
        if (to && (!names->last || to->depth > names->last->depth)) {
            to->above = above;
            above = to;
            to = to->below;
        } else {
            undo(names);
        }
    for (; above; above = above->above)
        if (!redo(names, above))
            return false;
    return true;
}

void pmi_tag_numbers_drop(pmi_tag_numbers *names, uint64_t noted) {
    for (; names->noted > noted; names->noted--)
        pmi_stack_pop(names->changes);
}

void pmi_tag_numbers_empty(pmi_tag_numbers *names) {
    if (names->room > ROOM_MIN)
        pmi_tag_numbers_clear(names);
    else if (names->count > 0)
        clear_entries(names);
    names->count = names->numbered = 0;
    names->last = NULL;
    names->noted = 0;
    if (names->changes)
        pmi_stack_clear(names->changes);
}

void pmi_tag_numbers_clear(pmi_tag_numbers *names) {
    pmi_memory_free(&names->allocator, names->table);
    *names =
        (pmi_tag_numbers){.allocator = names->allocator, .ignore_case = names->ignore_case, .changes = names->changes};
}

/* ---- Heads ---- */

/* A tag as read up to its name. */
typedef struct tag_head {
    size_t name, name_end; /* in the text; equal: it has none */
    bool closes;
} tag_head;

/* Do tags of that family open something by a name? */
static bool name_opens(const pmi_token_scan *scan, const pmi_tag_family *family, size_t begin, size_t end) {
    const uint32_t index = (uint32_t)(family - scan->pairs->families);
    const pmi_name_fact *const fact = pmi_name_facts_find(scan->pairs, index, scan->text + begin, end - begin);
    return fact && fact->lists & (PM_NAMED_OPENS | PM_NAMED_RAW);
}

/* As it is found in the text, case ignored where it is. */
static unsigned char first_byte(const pmi_token_scan *scan, pmi_rule_word word) {
    return pmi_fold_case(scan->pairs->bytes[word.begin], scan->pairs->ignore_case);
}

static tag_head read_element_head(const pmi_token_scan *scan, const pmi_tag_family *family, size_t at) {
    const unsigned char *const text = scan->text;
    tag_head head = {.name = at, .name_end = at};
    if (at == scan->n)
        pmi_token_scan_doubt(scan);
    if (at == scan->n || !pmi_byte_begins_name(text[at]))
        return head;
    if (scan->growth && scan->growth->name.begin == at && scan->growth->name.family == family)
        head.name_end = scan->growth->name.end;
    while (head.name_end < scan->n && !(family->roles[text[head.name_end]] & PM_TAG_NAME_ENDS))
        head.name_end++;
    if (scan->growth)
        scan->growth->name = (pmi_known_name){family, head.name, head.name_end};
    return head;
}

/* A statement's name follows a sign, perhaps, and blanks. */
static tag_head read_statement_head(const pmi_token_scan *scan, const pmi_tag_family *family, size_t at) {
    const unsigned char *const text = scan->text;
    at = pmi_statement_name(text, at, scan->n);
    tag_head head = {.name = at, .name_end = at};
    while (head.name_end < scan->n && pmi_byte_is_word(text[head.name_end]))
        head.name_end++;
    const size_t prefix = family->close.length;
    if (prefix == 0 || head.name_end - at <= prefix || !pmi_token_scan_at(scan, family->close, at))
        return head;
    head.closes = name_opens(scan, family, at + prefix, head.name_end);
    if (head.closes)
        head.name += prefix;
    return head;
}

/* ---- Ends ---- */

bool pmi_tag_quote_is_value(const unsigned char *text, size_t begin, size_t at) {
    while (at > begin && pmi_byte_is_space(text[at - 1]))
        at--;
    return at > begin && text[at - 1] == '=';
}

/* Behind the quoted string that begins at `at`; n + 1 if it does not end, and then *behind is where to go on.
 * Statements have escapes in theirs. */
static size_t quotation_end(const pmi_token_scan *scan, size_t at, bool escapes, size_t *behind) {
    const unsigned char *const text = scan->text;
    *behind = scan->n;
    if (!escapes) {
        const unsigned char *const end = pmi_token_scan_closing_quote(scan, at);
        return end ? (size_t)(end - text) + 1 : scan->n + 1;
    }
    for (size_t i = pmi_token_scan_behind_quote(scan, at); i < scan->n; i++) {
        if (text[i] == text[at])
            return i + 1;
        if (text[i] == '\\' && ++i == scan->n)
            *behind = scan->n - 1;
    }
    return scan->n + 1;
}

/* Does the word stand at `at`, where its first byte does? */
static bool goes_on(const pmi_token_scan *scan, pmi_rule_word word, size_t at) {
    return word.length == 1 || pmi_token_scan_at(scan, word, at);
}

/* As pmi_token_scan_nested_end(), but the search for the tag's end stays. *decided: whatever follows the text. */
static size_t nested_end(const pmi_token_scan *scan, size_t at, bool *decided) {
    pmi_scan_growth *const growth = scan->growth;
    *decided = true;
    if (!growth)
        return pmi_token_scan_nested_end(scan, at);
    const bool undecided = growth->undecided;
    const pmi_end_search search = growth->search;
    const pmi_expression expression = growth->expression;
    growth->undecided = false;
    growth->expression = growth->inner;
    const size_t end = pmi_token_scan_nested_end(scan, at);
    growth->inner = growth->expression;
    growth->search = search;
    growth->expression = expression;
    *decided = !growth->undecided;
    growth->undecided |= undecided;
    return end;
}

size_t pmi_tag_end(const pmi_token_scan *scan, const pmi_tag_family *family, size_t from, bool *empty) {
    const unsigned char *const text = scan->text;
    const unsigned char end = first_byte(scan, family->end);
    const unsigned char empty_end = family->empty.length > 0 ? first_byte(scan, family->empty) : end;
    const size_t longest = family->end.length > family->empty.length ? family->end.length : family->empty.length;
    size_t clear = scan->n, string = scan->n; /* before `clear` nothing depends on what follows the text */
    size_t behind = scan->n;
    *empty = false;
    for (size_t i = pmi_token_scan_resume(scan, from, NULL), begin; i < scan->n;) {
        if (!(family->roles[text[i]] & PM_TAG_MATTERS)) {
            i++;
            continue;
        }
        begin = i;
        if (scan->n - i < longest && i < clear)
            clear = i;
        const unsigned char byte = pmi_fold_case(text[i], scan->pairs->ignore_case);
        if (byte == '"' || byte == '\'') {
            if (family->statement || pmi_tag_quote_is_value(text, from, i)) {
                i = quotation_end(scan, i, family->statement, &behind);
                if (i > scan->n)
                    string = begin;
                clear = string < clear ? string : clear;
                continue;
            }
        }
        if (byte == scan->pairs->nested_open) {
            bool decided;
            i = nested_end(scan, i, &decided);
            clear = !decided && begin < clear ? begin : clear;
            continue;
        }
        if (byte == empty_end && family->empty.length > 0 && goes_on(scan, family->empty, i)) {
            *empty = true;
            return i + family->empty.length;
        }
        if (byte == end && goes_on(scan, family->end, i))
            return i + family->end.length;
        i++;
    }
    pmi_token_scan_pause(scan, from, clear, 0);
    pmi_token_scan_pause_in_string(scan, string, behind);
    return scan->n + 1;
}

/* ---- Raw contents ---- */

/* Is the tag whose name, perhaps, is at `at` one that closes what `open` opens? */
static bool closes_raw(const pmi_token_scan *scan, const pmi_tag_family *family, size_t at, tag_head open) {
    const size_t length = open.name_end - open.name;
    tag_head head = {at, at + length, true};
    if (family->statement)
        head = read_statement_head(scan, family, at);
    else if (length >= scan->n - at)
        pmi_token_scan_doubt(scan);
    if (scan->growth && family->statement && head.name_end == scan->n)
        pmi_token_scan_doubt(scan);
    if (!family->statement &&
        (length > scan->n - at ||
         (head.name_end < scan->n && !(family->roles[scan->text[head.name_end]] & PM_TAG_NAME_ENDS))))
        return false;
    return head.closes && head.name_end - head.name == length &&
           pmi_bytes_equal(scan->text + head.name, scan->text + open.name, length, scan->pairs->ignore_case);
}

/* Returns where the tag begins that closes the raw contents from `from` on; n if there is no such tag. */
static size_t raw_end(const pmi_token_scan *scan, const pmi_tag_family *family, size_t from, tag_head open) {
    const pmi_rule_word begin = family->statement ? family->open : family->close;
    const bool undecided = scan->growth && scan->growth->undecided;
    size_t at = pmi_token_scan_resume(scan, from, NULL), clear = scan->n; /* as above */
    for (; (at = pmi_token_scan_find(scan, begin, at)) < scan->n; at++) {
        if (scan->growth)
            scan->growth->undecided = false;
        const bool closes = closes_raw(scan, family, at + begin.length, open);
        if (scan->growth && scan->growth->undecided && at < clear)
            clear = at;
        if (closes)
            break;
    }
    const size_t left = scan->n - from, last = scan->n - (left < begin.length ? left : begin.length);
    if (at == scan->n && last < clear)
        clear = last;
    if (clear < scan->n || at == scan->n)
        pmi_token_scan_pause(scan, from, clear, 0);
    if (undecided)
        pmi_token_scan_doubt(scan);
    return at;
}

size_t pmi_token_scan_raw_end(const pmi_token_scan *scan, const pmi_raw_contents *raw, size_t from) {
    return raw_end(scan, &scan->pairs->families[raw->family], from, (tag_head){raw->name, raw->name_end, false});
}

/* ---- Tags ---- */

/* Does a string stand behind a blank there? */
static bool has_string(const pmi_token_scan *scan, size_t begin, size_t end) {
    for (size_t i = begin; i + 1 < end; i++)
        if (pmi_byte_is_space(scan->text[i]) && (scan->text[i + 1] == '"' || scan->text[i + 1] == '\''))
            return true;
    return false;
}

bool pmi_tag_opens_nothing(const pmi_token_scan *scan, bool assigned, bool quoted, size_t from, size_t end) {
    return (assigned && memchr(scan->text + from, '=', end - from)) || (quoted && has_string(scan, from, end));
}

/* Notes what its family says of a name. */
static void describe(const struct pmi_delimiters *pairs, const unsigned char *bytes, pmi_name *name) {
    const pmi_name_fact *const fact = pmi_name_facts_find(pairs, name->family, bytes, name->length);
    const unsigned lists = fact ? fact->lists : 0;
    const bool opens = !pairs->families[name->family].statement || lists & PM_NAMED_OPENS;
    name->sort = lists & PM_NAMED_RAW                 ? PM_NAME_RAW
                 : lists & PM_NAMED_NOTHING || !opens ? PM_NAME_IGNORED
                                                      : PM_NAME_MATCHED;
    if (!fact)
        return;
    name->assigned = lists & PM_NAMED_ASSIGNED;
    name->quoted = lists & PM_NAMED_QUOTED;
    name->implied = fact->implied;
    name->ends = fact->ends;
}

bool pmi_tag_read(pmi_token_scan *scan, const pmi_rule *rule, size_t begin, size_t end, pmi_tag *tag) {
    const pmi_tag_family *const family = &scan->pairs->families[rule->index];
    tag_head head;
    pmi_token_scan_begin_cut(scan);
    if (family->statement) {
        head = read_statement_head(scan, family, end);
    } else {
        head = read_element_head(scan, family, end);
        head.closes = rule->close_tag;
        if (head.name == head.name_end)
            return false;
    }
    *tag = (pmi_tag){.begin = begin, .name = head.name, .name_end = head.name_end, .closes = head.closes};
    tag->end = pmi_tag_end(scan, family, head.name_end, &tag->empty);
    if (tag->end > scan->n)
        pmi_token_scan_cut(scan, begin, end);
    else
        scan->next = tag->end;
    return true;
}

bool pmi_token_scan_tag(pmi_token_scan *scan, const pmi_rule *rule, size_t begin, size_t end) {
    pmi_tag tag;
    if (!pmi_tag_read(scan, rule, begin, end, &tag))
        return false;
    if (tag.end <= scan->n && tag.name < tag.name_end)
        pmi_token_scan_take_tag(scan, rule->index, &tag);
    return true;
}

pmi_name *pmi_token_scan_name(pmi_token_scan *scan, uint32_t family, const pmi_tag *tag) {
    pmi_name *const name = pmi_tag_numbers_find(&scan->names, family, tag->name, tag->name_end - tag->name);
    if (!name)
        scan->out_of_memory = true;
    else if (name->sort == PM_NAME_NEW)
        describe(scan->pairs, scan->text + tag->name, name);
    return name;
}

void pmi_token_scan_take_named(pmi_token_scan *scan, const pmi_tag *tag, pmi_name *name) {
    const pmi_tag_family *const family = &scan->pairs->families[name->family];
    const bool opens_nothing = tag->empty && !tag->closes;
    scan->next = tag->end;
    if (!tag->closes && name->ends != 0)
        pmi_opens_end_before(scan, name->ends, tag->begin);
    if (opens_nothing || name->sort == PM_NAME_IGNORED)
        return;
    if (!tag->closes && pmi_tag_opens_nothing(scan, name->assigned, name->quoted, tag->name_end, tag->end))
        return;
    const uint32_t number = pmi_tag_numbers_number(&scan->names, name), kind = scan->pairs->kinds + number;
    if (number == PM_NONE) {
        scan->out_of_memory = true;
        return;
    }
    pmi_token_scan_emit(scan, &(pmi_token){tag->begin, tag->end, kind, !tag->closes}, PM_NONE, name->implied);
    if (name->sort != PM_NAME_RAW || tag->closes)
        return;
    if (scan->growth)
        scan->growth->raw = (pmi_raw_contents){name->family, tag->name, tag->name_end};
    else
        scan->next = raw_end(scan, family, tag->end, (tag_head){tag->name, tag->name_end, false});
}

void pmi_token_scan_take_tag(pmi_token_scan *scan, uint32_t family, const pmi_tag *tag) {
    scan->next = tag->end;
    if (tag->empty && !tag->closes && scan->pairs->families[family].implied.count == 0)
        return;
    pmi_name *const name = pmi_token_scan_name(scan, family, tag);
    if (name)
        pmi_token_scan_take_named(scan, tag, name);
}
