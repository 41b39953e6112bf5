/* SPDX-License-Identifier: Apache-2.0 */
/* Places for a bracket before a token: behind the token before it, on blank lines, in a new line, before the token; and
 * inside a word that is perhaps two. */
#include "core/repair/places.h"

#include <string.h>

#define GAIN_TRACE 6.0 /* a blank that nobody would leave there, had there not been something */
#define COST_NEW_LINE 1.5
#define COST_BESIDE_EMPTY 4.5 /* of a new line where an empty one is */
#define COST_CLOSE_GLUED 4.0  /* a close with a word right behind it */
#define COST_GLUED_PAIR 3.0   /* an open and a close behind what may be two words */
#define COST_WORD_UNKNOWN 2.0 /* one of two words that were one occurs nowhere else */
#define GAIN_KNOWN 1.2        /* for each byte of a word that occurs elsewhere: chance rarely spells it */
#define GAIN_KNOWN_MAX 9.0
#define KNOWN_LEAST 3u   /* bytes of the other one */
#define GAIN_NO_SEAM 3.0 /* words meet in the midst of one */
#define WORD_MAX 48u

/* Where a prior knows a bracket. Found by logistic regression on repairs of much code, as are those of removal. */
#define HABITS_WEIGHT 0.6
#define PRIOR_WEIGHT 0.68
/* The prior tells apart the places that mend one mistake, not the mistakes: where an open is missing, it says more of
 * all places than where a close is. */
#define GAIN_OPEN (-5.0)
#define GAIN_CLOSE 1.5
#define SPLIT_WEIGHT 0.8 /* of what is known of two words that are one: the prior says much of it, too */
#define COST_SPLIT 3.5   /* words that occur once are seldom two */

void pmi_places_init(pmi_places *places, const pm_alphabet *alphabet) {
    *places = (pmi_places){0};
    for (unsigned byte = 0; byte < 256; byte++) {
        const uint8_t role = alphabet->role[byte];
        if (role == PM_ROLE_NEUTRAL || places->bracket_count == PM_BRACKETS)
            continue;
        places->bracket[places->bracket_count++] = (uint8_t)byte;
        if (!pmi_role_is_open(role))
            places->close_byte[pmi_role_kind(role) & 3] = (uint8_t)byte;
    }
}

static double limited(double gain) {
    return gain > PM_GAIN_MAX ? PM_GAIN_MAX : gain < -PM_GAIN_MAX ? -PM_GAIN_MAX : gain;
}

/* Keeps a place, if it is among the best of its bracket. */
static void keep(pmi_place *list, size_t *count, pmi_place place) {
    pmi_place *worst = NULL;
    size_t same = 0;
    for (size_t k = 0; k < *count; k++)
        if (list[k].byte == place.byte) {
            same++;
            if (!worst || list[k].gain < worst->gain)
                worst = &list[k];
        }
    if (same < PM_PLACES_EACH)
        list[(*count)++] = place;
    else if (worst->gain < place.gain)
        *worst = place;
}

/* One place for all brackets. */
typedef struct candidate {
    uint32_t at, column;
    pmi_spacing before, behind;
    double gain;
    bool new_line, front;
} candidate;

static bool is_operand(const pmi_code_token *t) {
    return t->sort == PM_SORT_WORD || t->sort == PM_SORT_NUMBER || t->sort == PM_SORT_STRING;
}

/* Is t a close, and the word before it one that occurs only here and ends with a word that occurs elsewhere? Then
 * rather an open is missing between these two than a pair behind both. */
static bool is_glued_pair(const pmi_repair_text *text, const pmi_code_token *t) {
    const pmi_code_token *const word = t - 1;
    const size_t length = word->end - word->begin;
    if (t->role == PM_ROLE_NEUTRAL || pmi_role_is_open(t->role) || t->spacing != PM_SPACE_NONE ||
        word->sort != PM_SORT_WORD || length > WORD_MAX || pmi_habits_word(text->habits, word->name) > 1)
        return false;
    const char *const bytes = text->text + word->begin;
    for (size_t k = 1; k + KNOWN_LEAST < length; k++)
        if (pmi_habits_word(text->habits, pmi_code_token_name(bytes + k, length - k)) > 0)
            return true;
    return false;
}

/* The gain of a bracket at a place, by habits and what is known of the language. */
static double gain_of(const pmi_repair_text *text, const pmi_prior_gains *seen, uint8_t byte, double habits) {
    if (!pmi_prior_knows(text->prior, byte))
        return limited(habits);
    return HABITS_WEIGHT * limited(habits) + PRIOR_WEIGHT * pmi_prior_gain(seen, byte) +
           (pmi_role_is_open(text->alphabet->role[byte]) ? GAIN_OPEN : GAIN_CLOSE);
}

static void try(pmi_places *places, const pmi_repair_text *text, const pmi_code_token *t, candidate spot) {
    const bool pair = is_glued_pair(text, t);
    for (size_t b = 0; b < places->bracket_count; b++) {
        const uint8_t byte = places->bracket[b];
        if (t->sort == byte && spot.behind == PM_SPACE_NONE)
            continue; /* behind an equal bracket gives the same text */
        const pmi_code_token added = {.name = byte, .sort = byte, .spacing = (uint8_t)spot.before};
        const bool glued =
            spot.behind == PM_SPACE_NONE && is_operand(t) && !pmi_role_is_open(text->alphabet->role[byte]);
        const pmi_place place = {.at = spot.at,
                                 .column = spot.column,
                                 .gain = spot.gain +
                                         gain_of(text, &places->seen, byte,
                                                 pmi_habits_insert(text->habits, t, &places->row, added, spot.behind)) -
                                         (glued ? COST_CLOSE_GLUED : 0) -
                                         (pair && pmi_role_is_open(text->alphabet->role[byte]) ? COST_GLUED_PAIR : 0),
                                 .byte = byte,
                                 .sort = spot.new_line ? PM_CHANGE_INSERT_LINE : PM_CHANGE_INSERT,
                                 .begins_line = spot.before == PM_SPACE_LINE,
                                 .ends_line = spot.behind == PM_SPACE_LINE,
                                 .before = t[-1],
                                 .behind = *t,
                                 .next = t,
                                 .spacing = (uint8_t)spot.before,
                                 .rest = (uint8_t)spot.behind};
        if (spot.front)
            keep(places->front, &places->front_count, place);
        else
            keep(places->list, &places->count, place);
    }
}

static bool is_blank(char byte) {
    return byte == ' ' || byte == '\t' || byte == '\r';
}

/* Does a line end at byte i? Its end may have two bytes. */
static bool line_ends_at(const pmi_repair_text *text, uint32_t i) {
    const char *const bytes = text->text + i;
    return i < text->n && (bytes[0] == '\n' || (bytes[0] == '\r' && i + 1 < text->n && bytes[1] == '\n'));
}

/* Places in the line where the token before ends, or in the text's first line. */
static void try_line_end(pmi_places *places, const pmi_repair_text *text, const pmi_code_token *t) {
    const uint32_t at = t[-1].end;
    const bool first = t[-1].sort == PM_SORT_EDGE && at == 0;
    try(places, text, t,
        (candidate){.at = at, .before = first ? PM_SPACE_LINE : PM_SPACE_NONE, .behind = PM_SPACE_LINE});
    if (first || at + 1 >= text->n || (text->text[at] != ' ' && text->text[at] != '\t'))
        return;
    const bool trace = is_blank(text->text[at + 1]) || text->text[at + 1] == '\n';
    try(places, text, t,
        (candidate){.at = at + 1, .before = PM_SPACE_BLANK, .behind = PM_SPACE_LINE, .gain = trace ? GAIN_TRACE : 0});
}

/* Places on lines of their own, between the line where the token before ends and the token's. */
static void try_lines(pmi_places *places, const pmi_repair_text *text, const pmi_code_token *t) {
    bool first = true;
    uint32_t column = 0, start = t[-1].end;
    const char *const newline = memchr(text->text + start, '\n', text->n - start);
    if (!newline)
        return;
    start = (uint32_t)(newline - text->text) + 1;
    if (start <= t->begin)
        try(places, text, t,
            (candidate){.at = start,
                        .before = PM_SPACE_LINE,
                        .behind = PM_SPACE_LINE,
                        .gain = line_ends_at(text, start) ? -COST_BESIDE_EMPTY : -COST_NEW_LINE,
                        .new_line = true});
    for (uint32_t i = start; i < t->begin; i++) {
        const char byte = text->text[i];
        if (line_ends_at(text, i)) {
            const bool empty = i == start;
            if (first || !empty)
                try(places, text, t,
                    (candidate){.at = i,
                                .column = column,
                                .before = PM_SPACE_LINE,
                                .behind = PM_SPACE_LINE,
                                .gain = empty ? 0 : GAIN_TRACE});
            first &= !empty;
            i += byte == '\r';
            start = i + 1;
            column = 0;
        } else if (is_blank(byte)) {
            column = byte == '\t' ? column / 8 * 8 + 8 : column + 1;
        } else { /* a comment */
            const char *const end = memchr(text->text + i, '\n', t->begin - i);
            if (!end)
                break;
            i = (uint32_t)(end - text->text);
            start = i + 1;
            column = 0;
        }
    }
}

/* Places before the first token of a line. */
static void try_front(pmi_places *places, const pmi_repair_text *text, const pmi_code_token *t) {
    if (t->begin == text->n)
        return;
    try(places, text, t,
        (candidate){
            .at = t->begin, .column = t->indent, .before = PM_SPACE_LINE, .behind = PM_SPACE_NONE, .front = true});
    if (t->begin > 0 && text->text[t->begin - 1] == ' ' && t->indent > 0)
        try(places, text, t,
            (candidate){.at = t->begin - 1,
                        .column = t->indent - 1,
                        .before = PM_SPACE_LINE,
                        .behind = PM_SPACE_BLANK,
                        .front = true});
}

static void try_inside_line(pmi_places *places, const pmi_repair_text *text, const pmi_code_token *t) {
    const pmi_spacing spacing = (pmi_spacing)t->spacing;
    try(places, text, t, (candidate){.at = t[-1].end, .before = PM_SPACE_NONE, .behind = spacing});
    if (spacing == PM_SPACE_NONE)
        return;
    try(places, text, t, (candidate){.at = t->begin, .before = spacing, .behind = PM_SPACE_NONE});
    if (t->begin - t[-1].end >= 2)
        try(places, text, t,
            (candidate){.at = t[-1].end + 1, .before = PM_SPACE_BLANK, .behind = PM_SPACE_BLANK, .gain = GAIN_TRACE});
}

/* Do words that are made of several meet between two bytes, as in two_words and twoWords? */
static bool is_seam(char left, char right) {
    return left == '_' || right == '_' || (right >= 'A' && right <= 'Z' && !(left >= 'A' && left <= 'Z'));
}

/* Adds the places of each bracket between two words that token t is perhaps made of. */
static void try_between(pmi_places *places, const pmi_repair_text *text, const pmi_code_token *t,
                        const pmi_code_token *left, const pmi_code_token *right, double known) {
    pmi_prior_gains seen = {{0}};
    if (text->prior->prior) {
        const pmi_prior_place place = pmi_prior_place_inside(t, left, right);
        seen = pmi_prior_gains_at(text->prior, &place);
        known = SPLIT_WEIGHT * known - COST_SPLIT;
    }
    for (size_t b = 0; b < places->bracket_count; b++) {
        const uint8_t byte = places->bracket[b];
        const pmi_code_token added = {.name = byte, .sort = byte};
        keep(places->list, &places->count,
             (pmi_place){.at = right->begin,
                         .gain = gain_of(text, &seen, byte,
                                         pmi_habits_split(text->habits, t, &places->row, *left, added, *right)) +
                                 known,
                         .byte = byte,
                         .before = *left,
                         .behind = *right,
                         .next = t + 1,
                         .spacing = PM_SPACE_NONE,
                         .rest = PM_SPACE_NONE});
    }
}

/* A word that occurs only here may be two with a bracket missing between them. */
void pmi_places_collect_inside(pmi_places *places, const pmi_repair_text *text, const pmi_code_token *t) {
    const char *const bytes = text->text + t->begin;
    const size_t length = t->end - t->begin;
    if (t->sort != PM_SORT_WORD || length < 2 || length > WORD_MAX || pmi_habits_word(text->habits, t->name) > 1)
        return;
    for (size_t k = 1; k < length; k++) {
        pmi_code_token left = *t, right = *t;
        left.end = right.begin = t->begin + (uint32_t)k;
        left.name = pmi_code_token_name(bytes, k);
        right.sort = pmi_code_token_sort((unsigned char)bytes[k]);
        right.name = right.sort == PM_SORT_WORD ? pmi_code_token_name(bytes + k, length - k) : right.sort;
        right.form = right.sort;
        right.spacing = PM_SPACE_NONE;
        const bool left_known = pmi_habits_word(text->habits, left.name) > 0;
        const bool right_known = pmi_habits_word(text->habits, right.name) > 0;
        const bool long_known = (left_known && k >= KNOWN_LEAST) || (right_known && length - k >= KNOWN_LEAST);
        if (!left_known && !right_known)
            continue;
        const double known = GAIN_KNOWN * (double)((left_known ? k : 0) + (right_known ? length - k : 0));
        const double seam = long_known && !is_seam(bytes[k - 1], bytes[k]) ? GAIN_NO_SEAM : 0;
        const double unknown =
            (left_known && right_known ? 0 : COST_WORD_UNKNOWN) - (known < GAIN_KNOWN_MAX ? known : GAIN_KNOWN_MAX);
        left.class = pmi_prior_class(&text->prior->words, text->text, &left);
        right.class = pmi_prior_class(&text->prior->words, text->text, &right);
        try_between(places, text, t, &left, &right, seam - unknown);
    }
}

void pmi_places_collect(pmi_places *places, const pmi_repair_text *text, const pmi_code_token *t) {
    if (text->prior->prior) {
        const pmi_prior_place place = pmi_prior_place_between(t - 1, t, t->spacing);
        places->seen = pmi_prior_gains_at(text->prior, &place);
    }
    places->row = pmi_habits_row_of(text->habits, t);
    if (t->spacing == PM_SPACE_LINE) {
        try_line_end(places, text, t);
        try_lines(places, text, t);
        try_front(places, text, t);
    } else {
        try_inside_line(places, text, t);
    }
}
