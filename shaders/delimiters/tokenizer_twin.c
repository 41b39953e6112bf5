/* SPDX-License-Identifier: Apache-2.0 */
/* Structure in C, one place or token after another. */
#include "shaders/twins.h"

#include <stdbool.h>
#include <stddef.h>

#define NONE PM_STRUCTURE_NONE

/* An address of the host. */
static void *at(uint64_t address) {
    return (void *)(uintptr_t)address;
}

static uint32_t pieces(uint32_t all, uint32_t piece) {
    return all / piece + (all % piece != 0);
}

static uint32_t groups_of(const pmi_structure_parameters *p) {
    return pieces(pieces(p->n, PM_STRUCTURE_TILE), p->group_tiles);
}

/* Places of a group: first ... end - 1. */
typedef struct range {
    uint64_t begin, end;
} range;

static range group_range(const pmi_structure_parameters *p, uint32_t group) {
    const uint64_t places = (uint64_t)p->group_tiles * PM_STRUCTURE_TILE, begin = group * places;
    return (range){begin, begin + places < p->n ? begin + places : p->n};
}

/* The two forms of functions and rows: words by state, or bytes by state. */
typedef struct form {
    uint32_t words, unit, bits, shift; /* of a function; of a state's number; of an entry; where a meaning is */
} form;

static form form_of(uint32_t states) {
    return states <= PM_STRUCTURE_FEW ? (form){1, PM_STRUCTURE_FIELD, PM_STRUCTURE_FIELD, PM_STRUCTURE_FEW_SHIFT}
                                      : (form){PM_STRUCTURE_MANY_WORDS, 1, 8, PM_STRUCTURE_MANY_SHIFT};
}

/* The state's entry of a function, in states' units. */
static uint32_t state_after(const uint32_t *function, form f, uint32_t state) {
    const uint32_t bit = state / f.unit * f.bits;
    return function[bit / 32] >> bit % 32 & PM_STRUCTURE_STATE_MASK;
}

static const uint32_t *row_at(const pmi_structure_parameters *p, form f, uint64_t place) {
    const uint32_t letter = ((const unsigned char *)at(p->text))[place];
    return (const uint32_t *)at(p->tables) + PM_STRUCTURE_TABLE_ROWS + f.words * letter;
}

/* ---- letters ---- */

typedef pmi_structure_letters_parameters letters_parameters;

static uint32_t folded(const letters_parameters *p, uint32_t byte) {
    return p->fold && byte >= 'A' && byte <= 'Z' ? byte - 'A' + 'a' : byte;
}

static bool is_word(uint32_t byte) {
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9') ||
           byte == '_' || byte >= 0x80;
}

static bool parts_words(const letters_parameters *p, uint64_t place) {
    const unsigned char *const text = at(p->text);
    return place == 0 || place >= p->n || !is_word(text[place - 1]) || !is_word(text[place]);
}

static bool begins_name(const letters_parameters *p, uint64_t place) {
    const unsigned char *const text = at(p->text);
    return place < p->n &&
           (text[place] == ':' || (is_word(text[place]) && !(text[place] >= '0' && text[place] <= '9')));
}

static bool is_blank(uint32_t byte) {
    return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

static uint64_t behind_blanks(const letters_parameters *p, uint64_t from) {
    const unsigned char *const text = at(p->text);
    uint64_t end = from;
    while (end < p->n && end - from <= PM_STRUCTURE_BLANKS_MOST && is_blank(text[end]))
        end++;
    return end;
}

static bool has_second(const letters_parameters *p, uint64_t from, uint32_t second) {
    const unsigned char *const text = at(p->text);
    const uint64_t begin = behind_blanks(p, from);
    const uint32_t length = PM_STRUCTURE_CHOICE_SECOND_LENGTH(second);
    if (p->n - begin < length || (begin == from && !parts_words(p, begin)))
        return false;
    for (uint32_t k = 0; k < length; k++) {
        const uint32_t word = ((const uint32_t *)at(p->tables))[PM_STRUCTURE_CHOICE_SECOND(second) + k / 4];
        if (folded(p, text[begin + k]) != (word >> 8 * (k % 4) & 255))
            return false;
    }
    return parts_words(p, begin + length);
}

static bool is_tagged(const letters_parameters *p, uint32_t place) {
    const unsigned char *const text = at(p->text);
    uint64_t end = (uint64_t)place + 1;
    if (!begins_name(p, end) || text[end] == ':')
        return false;
    while (end < p->n && end - place <= PM_STRUCTURE_BLANKS_MOST && is_word(text[end]))
        end++;
    return end < p->n && (is_word(text[end]) || text[end] == text[place]);
}

static bool is_made(const letters_parameters *p, const uint32_t *choice, uint32_t place) {
    const uint64_t behind = (uint64_t)place + PM_STRUCTURE_CHOICE_LENGTH(choice[0]);
    const bool apart = place == 0 || !is_word(((const unsigned char *)at(p->text))[place - 1]);
    switch (PM_STRUCTURE_CHOICE_CONDITION(choice[0])) {
    case PM_STRUCTURE_IF_WORD:
        return parts_words(p, place) && parts_words(p, behind);
    case PM_STRUCTURE_IF_NAME:
        return begins_name(p, behind);
    case PM_STRUCTURE_IF_FAR:
        return parts_words(p, place) && behind_blanks(p, behind) - behind > PM_STRUCTURE_BLANKS_MOST;
    case PM_STRUCTURE_IF_TWO:
        return parts_words(p, place) && has_second(p, behind, choice[1]);
    case PM_STRUCTURE_IF_APART:
        return apart;
    case PM_STRUCTURE_IF_TAGGED:
        return apart && is_tagged(p, place);
    default:
        return true;
    }
}

static uint32_t choice_at(const letters_parameters *p, uint32_t place) {
    const uint32_t *const tables = at(p->tables);
    const unsigned char *const text = at(p->text);
    uint32_t choice = 0, node = tables[p->root + text[place]];
    for (uint64_t next = (uint64_t)place + 1; node != 0; next++) {
        choice = PM_STRUCTURE_NODE_CHOICE(tables[node]);
        node = next < p->n ? PM_STRUCTURE_NODE_CHILD(tables[node + 1]) : 0;
        while (node != 0 && PM_STRUCTURE_NODE_BYTE(tables[node]) != folded(p, text[next]))
            node = PM_STRUCTURE_NODE_SIBLING(tables[node + 1]);
    }
    return choice;
}

static uint32_t letter_at(const letters_parameters *p, uint32_t place) {
    const uint32_t *const tables = at(p->tables);
    uint32_t choice = choice_at(p, place);
    if (choice == 0)
        return 0;
    while (!is_made(p, tables + choice, place))
        choice += 2;
    return PM_STRUCTURE_CHOICE_LETTER(tables[choice]);
}

void pmi_structure_letters_twin(const letters_parameters *p) {
    uint32_t *const letters = at(p->letters);
    for (uint32_t place = 0; place < p->n; place++)
        letters[place / 4] = (place % 4 == 0 ? 0 : letters[place / 4]) | letter_at(p, place) << 8 * (place % 4);
}

/* ---- reduce ---- */

static void range_function(const pmi_structure_parameters *p, range r, uint32_t states, uint32_t *function) {
    const form f = form_of(states);
    for (uint32_t w = 0; w < f.words; w++)
        function[w] = 0;
    for (uint32_t s = 0; s < states; s++) {
        uint32_t state = f.unit * s;
        for (uint64_t i = r.begin; i < r.end; i++)
            state = state_after(row_at(p, f, i), f, state);
        function[s * f.bits / 32] |= state << s * f.bits % 32;
    }
}

/* Those of the lanes of a tile stand behind those of groups. */
static void lanes_function(const pmi_structure_parameters *p, uint32_t tile, uint32_t states) {
    const uint32_t words = form_of(states).words;
    uint32_t *const functions = (uint32_t *)at(p->functions) + (uint64_t)words * groups_of(p);
    uint32_t function[PM_STRUCTURE_MANY_WORDS];
    for (uint32_t lane = 0; lane < PM_STRUCTURE_LANES; lane++) {
        const uint64_t begin = (uint64_t)tile * PM_STRUCTURE_TILE + lane * PM_STRUCTURE_LANE_BYTES;
        const uint64_t end = begin + PM_STRUCTURE_LANE_BYTES;
        range_function(p, (range){begin, end < p->n ? end : p->n}, states, function);
        for (uint32_t w = 0; w < words; w++)
            functions[((uint64_t)tile * words + w) * PM_STRUCTURE_LANES + lane] = function[w];
    }
}

void pmi_structure_reduce_twin(const pmi_structure_parameters *p, uint32_t states) {
    for (uint32_t group = 0; group < groups_of(p); group++)
        range_function(p, group_range(p, group), states, (uint32_t *)at(p->functions) + group * form_of(states).words);
    for (uint32_t tile = 0; tile < pieces(p->n, PM_STRUCTURE_TILE); tile++)
        lanes_function(p, tile, states);
}

/* ---- scan ---- */

void pmi_structure_scan_twin(const pmi_structure_parameters *p, uint32_t states) {
    uint32_t *const functions = at(p->functions), *const found = at(p->found), state = 0;
    const form f = form_of(states);
    for (uint32_t group = 0; group < groups_of(p); group++) {
        const uint32_t next = state_after(functions + group * f.words, f, state);
        functions[group * f.words] = state;
        state = next;
    }
    for (uint32_t k = 0; k < PM_STRUCTURE_FOUND_WORDS; k++)
        found[k] = 0;
    found[PM_STRUCTURE_FOUND_STATE] = state / f.unit;
    found[PM_STRUCTURE_FOUND_WRONG] = NONE;
}

/* ---- mark ---- */

/* What the letter of a row means in a state. */
static uint32_t means_in(const uint32_t *row, form f, uint32_t state) {
    if (f.words == 1)
        return state == 0 ? row[0] >> f.shift & 3 : 0;
    return row[state / 4] >> (8 * (state % 4) + f.shift) & 3;
}

/* Bits of starts stand behind all those of tokens. */
static uint32_t *starts_of(const pmi_structure_parameters *p) {
    return (uint32_t *)at(p->begins) + (uint64_t)pieces(p->n, PM_STRUCTURE_TILE) * PM_STRUCTURE_TILE_WORDS;
}

/* The last starts of groups, behind their counts. */
static uint32_t *lasts_of(const pmi_structure_parameters *p) {
    return (uint32_t *)at(p->counts) + groups_of(p) + 1;
}

/* What there is in a group. */
typedef struct group_marks {
    uint32_t tokens, last; /* start, and 1 */
    bool unknown;
} group_marks;

/* Of places past the end, too, there are bits in the last tile. `starts` may be NULL. */
static group_marks range_mark(const pmi_structure_parameters *p, range r, form f, uint32_t state, uint32_t *starts) {
    uint32_t *const begins = at(p->begins);
    group_marks marks = {0, 0, false};
    for (uint64_t i = r.begin; i < r.end; i++) {
        const uint32_t *const row = row_at(p, f, i);
        const uint32_t means = means_in(row, f, state);
        for (uint32_t w = 0; w < PM_STRUCTURE_TILE_WORDS && i % PM_STRUCTURE_TILE == 0; w++) {
            begins[i / 32 + w] = 0;
            if (starts)
                starts[i / 32 + w] = 0;
        }
        if (means & PM_STRUCTURE_TOKEN) {
            begins[i / 32] |= UINT32_C(1) << i % 32;
            marks.tokens++;
        }
        if (means & PM_STRUCTURE_START) {
            marks.last = (uint32_t)i + 1;
            if (starts)
                starts[i / 32] |= UINT32_C(1) << i % 32;
        }
        marks.unknown |= starts && (row[state / 4] >> 8 * (state % 4) & PM_STRUCTURE_UNKNOWN);
        state = state_after(row, f, state);
    }
    return marks;
}

void pmi_structure_mark_twin(const pmi_structure_parameters *p, uint32_t states, bool late) {
    const uint32_t *const functions = at(p->functions);
    uint32_t *const found = at(p->found);
    const form f = form_of(states);
    for (uint32_t group = 0; group < groups_of(p); group++) {
        const group_marks marks =
            range_mark(p, group_range(p, group), f, functions[group * f.words], late ? starts_of(p) : NULL);
        ((uint32_t *)at(p->counts))[group] = marks.tokens;
        if (late)
            lasts_of(p)[group] = marks.last;
        if (marks.unknown)
            found[PM_STRUCTURE_FOUND_UNKNOWN] = 1;
        if (marks.last != 0)
            found[PM_STRUCTURE_FOUND_START] = marks.last;
    }
}

/* ---- count ---- */

void pmi_structure_count_twin(const pmi_structure_parameters *p) {
    uint32_t *const counts = at(p->counts), before = 0;
    const uint32_t groups = groups_of(p);
    for (uint32_t group = 0; group < groups; group++) {
        const uint32_t own = counts[group];
        counts[group] = before;
        before += own;
    }
    counts[groups] = before;
    ((uint32_t *)at(p->result))[PM_STRUCTURE_RESULT_COUNT] = before;
}

/* ---- clear, write ---- */

void pmi_structure_clear_twin(const pmi_structure_parameters *p) {
    const uint32_t *const counts = at(p->counts);
    for (uint32_t group = 0; group <= groups_of(p); group++) {
        const uint32_t token = counts[group] < p->capacity ? counts[group] : p->capacity;
        if (token % 32 != 0)
            ((uint32_t *)at(p->parens))[token / 32] = 0;
    }
}

/* What the letter at a place is as a token. */
static const uint32_t *token_at(const pmi_structure_parameters *p, uint32_t place) {
    return (const uint32_t *)at(p->tables) + 2 * (uint32_t)((const unsigned char *)at(p->text))[place];
}

static bool has_bit(const uint32_t *bits, uint32_t place) {
    return bits[place / 32] >> place % 32 & 1;
}

/* A token that is told at a place; if that is late, it began at the last start before. */
static void token_write(const pmi_structure_parameters *p, uint32_t index, uint32_t place, bool late) {
    uint32_t *const word = (uint32_t *)at(p->parens) + index / 32, begin = place;
    const bool is_late = late && has_bit(starts_of(p), place);
    const uint32_t lengths = token_at(p, place)[1];
    if (is_late)
        do
            begin--;
        while (!has_bit(starts_of(p), begin));
    const uint32_t token = token_at(p, begin)[0];
    ((uint32_t *)at(p->positions))[index] = begin;
    ((uint32_t *)at(p->kinds))[index] = (token & ~PM_STRUCTURE_TAG) >> 1;
    if (p->wants_lengths)
        ((uint32_t *)at(p->lengths))[index] =
            is_late ? place - begin + PM_STRUCTURE_LATE_LENGTH(lengths) : PM_STRUCTURE_OWN_LENGTH(lengths);
    *word = (index % 32 == 0 ? 0 : *word) | (token & 1) << index % 32; /* which is right without clear, too */
}

void pmi_structure_write_twin(const pmi_structure_parameters *p, bool late) {
    const uint32_t *const begins = at(p->begins);
    uint32_t index = 0;
    for (uint32_t place = 0; place < p->n && index < p->capacity; place++)
        if (begins[place / 32] >> place % 32 & 1)
            token_write(p, index++, place, late);
}

/* ---- check, tell ---- */

void pmi_structure_check_twin(const pmi_structure_parameters *p) {
    const uint32_t *const parens = at(p->parens), *const kinds = at(p->kinds), *const match = at(p->match);
    const uint32_t tokens = *(const uint32_t *)at(p->result);
    uint32_t *const found = at(p->found);
    for (uint32_t i = 0; i < tokens && i < p->capacity; i++) {
        const bool open = parens[i / 32] >> i % 32 & 1;
        if (open && match[i] == PM_NO_ELEMENT)
            found[PM_STRUCTURE_FOUND_TOP] = i + 1;
        if (open || (match[i] != PM_NO_ELEMENT && kinds[match[i]] == kinds[i]))
            continue;
        if (found[PM_STRUCTURE_FOUND_WRONG] == NONE)
            found[PM_STRUCTURE_FOUND_WRONG] = i;
        found[PM_STRUCTURE_FOUND_MISMATCHED] += match[i] != PM_NO_ELEMENT;
    }
}

void pmi_structure_tell_twin(const pmi_structure_parameters *p) {
    const uint32_t *const found = at(p->found), *const positions = at(p->positions), *const match = at(p->match);
    const uint32_t wrong = found[PM_STRUCTURE_FOUND_WRONG], start = found[PM_STRUCTURE_FOUND_START];
    const bool cut = p->unterminated >> found[PM_STRUCTURE_FOUND_STATE] & 1;
    uint32_t *const result = at(p->result);
    uint32_t fault = NONE, token = NONE, partner = NONE;
    if (wrong != NONE) {
        fault = match[wrong] == PM_NO_ELEMENT ? PM_STRUCTURE_UNMATCHED_CLOSE : PM_STRUCTURE_KIND_MISMATCH;
        partner = match[wrong] == PM_NO_ELEMENT ? NONE : positions[match[wrong]];
        token = wrong;
    } else if (result[PM_STRUCTURE_RESULT_OPEN] != 0) {
        fault = PM_STRUCTURE_UNMATCHED_OPEN;
        token = found[PM_STRUCTURE_FOUND_TOP] - 1;
    } else if (cut) {
        fault = PM_STRUCTURE_UNTERMINATED;
    }
    result[PM_STRUCTURE_RESULT_MISMATCHED] = found[PM_STRUCTURE_FOUND_MISMATCHED];
    result[PM_STRUCTURE_RESULT_UNTERMINATED] = cut ? start - 1 : NONE;
    result[PM_STRUCTURE_RESULT_FAULT] = fault;
    result[PM_STRUCTURE_RESULT_TOKEN] = token;
    result[PM_STRUCTURE_RESULT_AT] = token != NONE ? positions[token] : fault != NONE ? start - 1 : NONE;
    result[PM_STRUCTURE_RESULT_PARTNER] = partner;
    if (found[PM_STRUCTURE_FOUND_UNKNOWN] != 0 || found[PM_STRUCTURE_FOUND_LONG] != 0) {
        result[PM_STRUCTURE_RESULT_COUNT] = NONE;
        result[PM_STRUCTURE_RESULT_FAULT] =
            found[PM_STRUCTURE_FOUND_UNKNOWN] != 0 ? PM_STRUCTURE_IS_UNKNOWN : PM_STRUCTURE_IS_LONG;
    }
}
