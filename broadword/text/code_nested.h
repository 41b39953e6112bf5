/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Words of text where strings between backticks and elements of JSX hold code, and that holds others. A table goes from
 * one byte that may matter to the next: what the byte is it asks before it knows what the text is in, so that nothing
 * waits for a branch. What is seldom, and what needs a look at other words, is left to broadword/text/code_steps.h.
 */
#ifndef PM_BROADWORD_TEXT_CODE_NESTED_H
#define PM_BROADWORD_TEXT_CODE_NESTED_H

#include "broadword/text/code_steps.h"
#include "broadword/text/code_table.h"

/* Stores all masks and signs of a word, and in symbols[i], if the target has a fast way, what pmi_code_symbol() finds
 * at byte i. Reads the byte behind the word. */
typedef void (*pmi_code_look_all)(const void *target, const unsigned char *word, uint64_t *masks, pmi_code_signs *signs,
                                  unsigned char *symbols);

/* Where a text is: what pmi_code_state and pmi_code_templates say. A copy of these is not made in memory, where reading
 * many bytes at once waits until those that were just written one by one have got there. */
typedef struct pmi_code_nested_place {
    unsigned state; /* PM_TABLE_* */
    bool slash, star, backslash, escaped, touching;
    unsigned char previous; /* of an element; the same: */
    uint64_t depth;
    uint64_t start, braces;
    unsigned level, least, sort;
} pmi_code_nested_place;

/* A word, and where the text is. */
typedef struct pmi_code_nested {
    const pmi_code_rules *rules;
    const pmi_code_found *found;
    const unsigned char *word;
    size_t length, w; /* as in pmi_code_text */
    uint64_t *masks;
    pmi_code_signs *signs;
    const unsigned char *symbols; /* NULL: they are not known */
    pmi_code_nested_place at;
    uint64_t stops;                                     /* bytes ahead that may matter */
    uint64_t code_stops, backtick_stops, element_stops; /* bytes of the word that do in code, and in what may hold it */
    uint64_t behind;                                    /* bytes for which PM_SYMBOL_BEHIND is added */
    uint64_t quoted, comments;          /* the word's, were nothing to begin or end behind what is read */
    uint64_t uncounted;                 /* as in pmi_code_steps */
    uint64_t kept;                      /* bytes that a backslash protects */
    bool busy;                          /* something of strings that hold code is in the word */
    pmi_code_templates *before;         /* the strings around as they were before the word, */
    unsigned before_from, before_level; /* from this level on, as far as others took their place, and as many */
} pmi_code_nested;

#define PM_TABLE_ELEMENT                                                                                               \
    (1u << PM_TABLE_TEXT | 1u << PM_TABLE_TAG | 1u << PM_TABLE_DOUBLE | 1u << PM_TABLE_SINGLE | 1u << PM_TABLE_CLOSING)
#define PM_TABLE_HOLDERS (PM_TABLE_ELEMENT | 1u << PM_TABLE_BACKTICKS)
#define PM_TABLE_LINED                                                                                                 \
    (1u << PM_TABLE_STRING | 1u << PM_TABLE_CHARACTER | 1u << (PM_TABLE_STRING | PM_TABLE_NESTED) |                    \
     1u << (PM_TABLE_CHARACTER | PM_TABLE_NESTED))
#define PM_TABLE_QUOTED (PM_TABLE_LINED | 1u << PM_TABLE_BACKTICKS | PM_TABLE_ELEMENT)
#define PM_TABLE_LINE_COMMENT (1u << PM_TABLE_LINE | 1u << (PM_TABLE_LINE | PM_TABLE_NESTED))
#define PM_TABLE_COMMENT (PM_TABLE_LINE_COMMENT | 1u << PM_TABLE_BLOCK | 1u << (PM_TABLE_BLOCK | PM_TABLE_NESTED))

/* Is the text in a string that may hold code, or in such code? */
static inline bool pmi_code_is_nested(const pmi_code_state *state) {
    return state->inside == PM_INSIDE_RAW ||
           (state->inside & PM_INSIDE_NESTED && (state->inside & ~PM_INSIDE_NESTED) <= PM_INSIDE_RAW);
}

/* Do the table's rules hold? */
static inline bool pmi_code_nests(const pmi_code_rules *rules, const pmi_code_found *found) {
    const bool others = rules->directives || rules->separators || rules->lines_continue || rules->strings_cut ||
                        rules->comments_nest || rules->triple || rules->verbatim || rules->lifetimes ||
                        rules->interpolated || rules->raw_after;
    return rules->templates && rules->expressions && rules->strings_end && rules->strings_continue && !others &&
           found->templates && !found->lines && found->branches.what != PM_BRANCHES_READ;
}

/* The bits from `bit` on. */
static inline uint64_t pmi_code_from(unsigned bit) {
    return UINT64_MAX << bit;
}

/* ---- Where the text is ---- */

PM_CODE_INLINE unsigned pmi_code_nested_code(const pmi_code_nested *nested) {
    return nested->at.level > 0 || nested->found->templates->outer ? PM_TABLE_CODE | PM_TABLE_NESTED : PM_TABLE_CODE;
}

/* The state in a step of an element, or PM_TABLE_STATES if the table does not know it. `next` is the next byte. */
PM_CODE_INLINE unsigned pmi_code_nested_element(unsigned step, unsigned char next) {
    switch (step) {
    case PM_ELEMENT_TEXT:
        return PM_TABLE_TEXT;
    case PM_ELEMENT_LESS:
        return next == '/' ? PM_TABLE_CLOSING : pmi_code_begins_tag(next) ? PM_TABLE_TAG : PM_TABLE_TEXT;
    case PM_ELEMENT_TAG:
        return PM_TABLE_TAG;
    case PM_ELEMENT_DOUBLE:
        return PM_TABLE_DOUBLE;
    case PM_ELEMENT_SINGLE:
        return PM_TABLE_SINGLE;
    case PM_ELEMENT_CLOSING:
        return PM_TABLE_CLOSING;
    default:
        return PM_TABLE_STATES;
    }
}

/* The state inside `inside`, a pmi_code_inside. */
PM_CODE_INLINE unsigned pmi_code_nested_state(const pmi_code_nested *nested, unsigned inside) {
    const pmi_code_templates *const templates = nested->found->templates;
    switch (inside) {
    case PM_INSIDE_CODE:
        return pmi_code_nested_code(nested);
    case PM_INSIDE_BLOCK:
        return pmi_code_nested_code(nested) | PM_TABLE_BLOCK;
    case PM_INSIDE_LINE:
        return pmi_code_nested_code(nested) | PM_TABLE_LINE;
    case PM_INSIDE_STRING:
        return pmi_code_nested_code(nested) | PM_TABLE_STRING;
    case PM_INSIDE_CHARACTER:
        return pmi_code_nested_code(nested) | PM_TABLE_CHARACTER;
    case PM_INSIDE_RAW:
        if (templates->sort == PM_HOLDER_BACKTICKS)
            return PM_TABLE_BACKTICKS;
        return templates->element.types > 0 ? PM_TABLE_STATES
                                            : pmi_code_nested_element(templates->element.step, nested->word[0]);
    default:
        return PM_TABLE_STATES;
    }
}

/* Goes to where the text is. Returns false if the table does not know that, or the first byte means something together
 * with the one before it. */
PM_CODE_INLINE bool pmi_code_nested_take(pmi_code_nested *nested, const pmi_code_state *state) {
    const pmi_code_templates *const templates = nested->found->templates;
    const unsigned inside = state->inside & ~PM_INSIDE_NESTED;
    const unsigned char next = nested->word[0];
    if ((state->slash && (next == '/' || next == '*')) || (state->dollar && next == '{'))
        return false;
    nested->at.level = templates->level;
    nested->at.least = templates->least;
    nested->at.start = templates->start;
    nested->at.braces = templates->braces;
    nested->at.sort = templates->sort;
    nested->at.depth = templates->element.depth;
    nested->at.state = pmi_code_nested_state(nested, inside);
    nested->at.slash = state->slash;
    nested->at.star = state->star;
    nested->at.backslash = state->backslash;
    nested->at.escaped = state->escaped && inside >= PM_INSIDE_STRING;
    nested->at.touching = state->touching;
    nested->at.previous = nested->at.state == PM_TABLE_TAG ? templates->element.previous : 0;
    return nested->at.state < PM_TABLE_STATES;
}

/* Puts the state where the text is, behind the word before. */
PM_CODE_INLINE void pmi_code_nested_give(const pmi_code_nested *nested, pmi_code_state *state) {
    static const unsigned char steps[PM_TABLE_STATES] = {0,
                                                         0,
                                                         0,
                                                         0,
                                                         0,
                                                         0,
                                                         PM_ELEMENT_TEXT,
                                                         PM_ELEMENT_TAG,
                                                         0,
                                                         0,
                                                         0,
                                                         0,
                                                         0,
                                                         PM_ELEMENT_DOUBLE,
                                                         PM_ELEMENT_SINGLE,
                                                         PM_ELEMENT_CLOSING};
    static const unsigned char insides[PM_TABLE_BLOCK + 1] = {PM_INSIDE_CODE, PM_INSIDE_STRING, PM_INSIDE_CHARACTER,
                                                              PM_INSIDE_LINE, PM_INSIDE_BLOCK};
    const pmi_code_nested_place *const at = &nested->at;
    pmi_code_templates *const templates = nested->found->templates;
    const bool element = PM_TABLE_ELEMENT >> at->state & 1, holds = element || at->state == PM_TABLE_BACKTICKS;
    templates->level = at->level;
    templates->least = at->least;
    templates->start = at->start;
    templates->braces = at->braces;
    templates->sort = (unsigned char)at->sort;
    templates->element.depth = at->depth;
    if (element) {
        templates->element.step = steps[at->state];
        templates->element.previous = at->state == PM_TABLE_TAG ? at->previous : 0;
        templates->element.types = 0;
    }
    state->inside = holds ? (unsigned)PM_INSIDE_RAW : insides[at->state & ~(unsigned)PM_TABLE_NESTED];
    if (pmi_code_nested_code(nested) != PM_TABLE_CODE)
        state->inside |= PM_INSIDE_NESTED;
    state->slash = at->slash;
    state->star = at->star;
    state->backslash = at->backslash;
    state->escaped = at->escaped;
    state->touching = at->touching;
    state->previous = nested->word[-1];
    state->dollar = false;
    state->opened = state->opening = 0;
}

/* ---- What the table leaves to others ---- */

PM_CODE_INLINE pmi_code_text pmi_code_nested_text(const pmi_code_nested *nested) {
    return (pmi_code_text){
        nested->word, nested->length, nested->w, ~(nested->quoted | nested->comments), nested->quoted, true};
}

/* As pmi_code_sign_before(), if the last byte that is no blank tells it; 0: it does not. */
PM_CODE_INLINE int pmi_code_nested_sign(const pmi_code_nested *nested, unsigned bit) {
    const uint64_t before = ~nested->signs->blanks & pmi_bits_low(bit);
    const unsigned last = before != 0 ? pmi_bits_highest(before) : 0;
    const unsigned char byte = nested->word[last];
    if (before == 0 || (nested->quoted | nested->comments) & pmi_code_range(last, bit))
        return 0;
    return pmi_code_in_set(byte, PM_CODE_OPENS_LOW, PM_CODE_OPENS_HIGH) -
           pmi_code_in_set(byte, PM_CODE_ENDS_LOW, PM_CODE_ENDS_HIGH);
}

/* The bytes of the word that may matter in the state. */
PM_CODE_INLINE uint64_t pmi_code_nested_stops_in(const pmi_code_nested *nested, unsigned state) {
    if (state == PM_TABLE_BACKTICKS)
        return nested->backtick_stops;
    if (PM_TABLE_ELEMENT >> state & 1)
        return nested->element_stops;
    return state & PM_TABLE_NESTED ? nested->code_stops | nested->signs->braces : nested->code_stops;
}

/* A string that may hold code begins or ends at a byte, or code in it. */
PM_CODE_INLINE void pmi_code_nested_turn(pmi_code_nested *nested, unsigned bit, unsigned state) {
    nested->quoted ^= pmi_code_from(bit);
    nested->at.state = state;
    nested->stops = pmi_code_nested_stops_in(nested, state) & pmi_code_from(bit) << 1;
    nested->busy = true;
}

PM_CODE_INLINE void pmi_code_nested_open(pmi_code_nested *nested, unsigned bit, pmi_code_holder sort, unsigned state) {
    nested->at.start = nested->w * PM_WORD_BITS + bit;
    nested->at.sort = sort;
    pmi_code_nested_turn(nested, bit, state);
}

/* What is a < at `bit`, behind which a tag may begin? */
static __attribute__((noinline, unused)) pmi_code_less pmi_code_nested_look_less(const pmi_code_text *text,
                                                                                 const pmi_code_signs *signs,
                                                                                 const pmi_code_found *found,
                                                                                 unsigned bit) {
    return pmi_code_look_less(text, signs, found, bit);
}

PM_CODE_INLINE bool pmi_code_nested_less(pmi_code_nested *nested, unsigned bit) {
    const pmi_code_text text = pmi_code_nested_text(nested);
    const pmi_code_less less = pmi_code_nested_sign(nested, bit) > 0
                                   ? pmi_code_look_tag(&text, nested->signs, (size_t)bit + 1)
                                   : pmi_code_nested_look_less(&text, nested->signs, nested->found, bit);
    if (less != PM_LESS_ELEMENT)
        return less == PM_LESS_PLAIN;
    nested->at.depth = 0;
    pmi_code_nested_open(nested, bit, PM_HOLDER_ELEMENT, PM_TABLE_TAG);
    return true;
}

/* Code begins at a brace: passes over it if it ends in the word and nothing but strings that end, too, begins in it. */
PM_CODE_INLINE bool pmi_code_nested_pass(pmi_code_nested *nested, unsigned bit) {
    uint64_t rest = (nested->code_stops | nested->signs->braces) & pmi_code_from(bit) << 1, strings = 0;
    while (rest != 0) {
        const unsigned at = pmi_bits_lowest(rest);
        const unsigned char byte = nested->word[at];
        rest &= rest - 1;
        if (byte == '}') {
            nested->quoted = (nested->quoted & ~pmi_code_range(bit, at + 1)) | strings;
            nested->stops &= ~pmi_code_range(0, at + 1);
            nested->busy = true;
            return true;
        }
        if ((byte != '"' && byte != '\'') || rest == 0 || nested->word[pmi_bits_lowest(rest)] != byte)
            break;
        strings |= pmi_code_range(at, pmi_bits_lowest(rest));
        rest &= rest - 1;
    }
    return false;
}

/* Code begins at a brace. */
PM_CODE_INLINE bool pmi_code_nested_into(pmi_code_nested *nested, unsigned bit) {
    pmi_code_templates *const templates = nested->found->templates;
    const unsigned level = nested->at.level;
    if (pmi_code_nested_pass(nested, bit))
        return true;
    if (level == PM_CODE_TEMPLATES)
        return false;
    while (nested->before_from > level)
        pmi_code_templates_copy_at(nested->before, templates, --nested->before_from);
    templates->around[level].start = nested->at.start;
    templates->around[level].braces = nested->at.braces;
    templates->around[level].element.depth = nested->at.depth;
    templates->around[level].element.types = 0;
    templates->around[level].element.step = nested->at.state == PM_TABLE_TAG ? PM_ELEMENT_TAG : PM_ELEMENT_TEXT;
    templates->around[level].element.previous = 0;
    templates->sorts[level] = (unsigned char)nested->at.sort;
    nested->at.level = level + 1;
    nested->at.braces = 1;
    pmi_code_nested_turn(nested, bit, PM_TABLE_CODE | PM_TABLE_NESTED);
    return true;
}

/* A brace of such code is closed, and the code ends with the last one. */
PM_CODE_INLINE bool pmi_code_nested_close(pmi_code_nested *nested, unsigned bit) {
    const pmi_code_templates *const templates = nested->found->templates;
    if (--nested->at.braces > 0)
        return true;
    if (nested->at.level == 0)
        return false;
    const unsigned level = --nested->at.level;
    nested->at.start = templates->around[level].start;
    nested->at.braces = templates->around[level].braces;
    nested->at.depth = templates->around[level].element.depth;
    nested->at.sort = templates->sorts[level];
    nested->at.least = nested->at.least < level ? nested->at.least : level;
    const unsigned step = templates->around[level].element.step;
    pmi_code_nested_turn(nested, bit,
                         nested->at.sort == PM_HOLDER_BACKTICKS ? PM_TABLE_BACKTICKS
                         : step == PM_ELEMENT_TAG               ? PM_TABLE_TAG
                                                                : PM_TABLE_TEXT);
    nested->quoted ^= UINT64_C(1) << bit; /* the brace is code */
    return templates->around[level].element.types == 0;
}

/* Reads a byte for which the table is not enough. Returns false if the word must be read in another way. */
PM_CODE_INLINE bool pmi_code_nested_act(pmi_code_nested *nested, unsigned action, unsigned bit) {
    const unsigned char byte = nested->word[bit];
    switch (action) {
    case 0: /* the outermost element ends; its last byte is code, but no bracket */
        nested->uncounted |= UINT64_C(1) << bit;
        pmi_code_nested_turn(nested, bit, pmi_code_nested_code(nested));
        return true;
    case PM_ACTION_ESCAPE:
        nested->kept |= UINT64_C(2) << bit;
        nested->stops &= ~nested->kept;
        nested->at.escaped = bit == PM_WORD_BITS - 1;
        return true;
    case PM_ACTION_SLASH:
        return pmi_code_nested_sign(nested, bit) < 0; /* a division; regular expressions are seldom */
    case PM_ACTION_LESS:
        return pmi_code_nested_less(nested, bit);
    case PM_ACTION_OTHER:
        return byte == '#' && pmi_code_hash_plain(nested->rules, nested->word, nested->length, bit);
    case PM_ACTION_BACKTICKS:
        pmi_code_nested_open(nested, bit, PM_HOLDER_BACKTICKS, PM_TABLE_BACKTICKS);
        return true;
    case PM_ACTION_BACKTICKS_END:
        pmi_code_nested_turn(nested, bit, pmi_code_nested_code(nested));
        return true;
    case PM_ACTION_DOLLAR:
        return bit == 0 || nested->word[bit - 1] != '$' || (nested->kept >> (bit - 1) & 1) ||
               pmi_code_nested_into(nested, bit);
    case PM_ACTION_INTO:
        return pmi_code_nested_into(nested, bit);
    case PM_ACTION_OPEN:
        nested->at.braces++;
        return true;
    case PM_ACTION_CLOSE:
        return pmi_code_nested_close(nested, bit);
    default:
        return false;
    }
}

/* ---- A word ---- */

/* The first byte behind each slash that is no blank. */
PM_CODE_INLINE uint64_t pmi_code_behind_slashes(const pmi_code_nested *nested) {
    const uint64_t blanks = nested->signs->blanks;
    const uint64_t next = nested->masks[PM_MASK_SLASH] << 1 | (uint64_t)(nested->at.previous == '/');
    return ((blanks + (next & blanks)) | next) & ~blanks;
}

/* The newlines that may end something: in their lines a string, character or comment may begin. */
PM_CODE_INLINE uint64_t pmi_code_nested_newlines(const pmi_code_nested *nested) {
    const uint64_t *const masks = nested->masks;
    const uint64_t newlines = masks[PM_MASK_NEWLINE], slash = masks[PM_MASK_SLASH];
    const uint64_t begins = masks[PM_MASK_STRING] | masks[PM_MASK_CHARACTER] | (slash & slash >> 1);
    const uint64_t goes_on = (PM_TABLE_LINED | PM_TABLE_LINE_COMMENT) >> nested->at.state & 1;
    if (newlines & (masks[PM_MASK_BACKSLASH] << 1 | (uint64_t)nested->at.escaped))
        return newlines;                              /* what begins in a line may go on in the next one */
    return newlines & (~newlines + begins + goes_on); /* the sum carries from the first of a line to its newline */
}

/* Finds what may matter in the word. Returns false if it must be read in another way. */
PM_CODE_INLINE bool pmi_code_nested_begin(pmi_code_nested *nested) {
    const uint64_t *const masks = nested->masks;
    const pmi_code_signs *const signs = nested->signs;
    const uint64_t slash = masks[PM_MASK_SLASH], star = masks[PM_MASK_STAR],
                   quotes = masks[PM_MASK_STRING] | masks[PM_MASK_CHARACTER];
    const uint64_t closers = slash & (star << 1 | (uint64_t)nested->at.star);
    const uint64_t slashes_before = slash << 2 | (uint64_t)nested->at.slash << 1;
    nested->behind = closers;
    nested->code_stops =
        quotes | slash | masks[PM_MASK_BACKSLASH] | masks[PM_MASK_OTHER] | pmi_code_nested_newlines(nested);
    nested->kept = nested->at.escaped;
    nested->backtick_stops = masks[PM_MASK_BACKSLASH] | (masks[PM_MASK_OTHER] & ~signs->less) | signs->braces;
    nested->element_stops = quotes | signs->less | signs->greater | signs->braces |
                            (slash & ((slash | star) >> 1 | UINT64_C(1) << (PM_WORD_BITS - 1)));
    if (nested->at.state >= PM_TABLE_BACKTICKS || masks[PM_MASK_OTHER] != 0) {
        const uint64_t behind_slashes = pmi_code_behind_slashes(nested);
        if ((slash | star) & behind_slashes & ~(slash << 1))
            return false; /* perhaps a comment of a tag */
        nested->behind |= signs->greater & behind_slashes;
    }
    nested->stops = pmi_code_nested_stops_in(nested, nested->at.state) & ~nested->kept;
    nested->at.escaped = false;
    nested->at.touching |= (closers << 1 & slash) != 0;
    const uint64_t after_backslash = masks[PM_MASK_BACKSLASH] << 1 | (uint64_t)nested->at.backslash;
    return !(closers & slashes_before) && !(nested->rules->returns && pmi_code_returns(nested->word, after_backslash));
}

/* Goes from one byte that may matter to the next. Returns false if the word must be read in another way. */
PM_CODE_INLINE bool pmi_code_nested_stops(pmi_code_nested *nested) {
    while (nested->stops != 0) {
        const unsigned bit = pmi_bits_lowest(nested->stops);
        const unsigned char *const at = nested->word + bit;
        const unsigned symbol = (nested->symbols ? nested->symbols[bit] : pmi_code_symbol(at)) +
                                PM_SYMBOL_BEHIND * (unsigned)(nested->behind >> bit & 1);
        const int32_t entry = pmi_code_table[nested->at.state][symbol];
        const unsigned done = (unsigned)entry, action = (done & PM_TABLE_ACTIONS) >> PM_TABLE_ACTION;
        const uint64_t toggled = pmi_code_from(bit) << (done / PM_TABLE_AFTER & 1);
        nested->stops &= nested->stops - 1;
        nested->at.state ^= done & PM_TABLE_STATE;
        nested->quoted ^= (0 - (uint64_t)(done / PM_TABLE_QUOTES & 1)) & toggled;
        nested->comments ^= (0 - (uint64_t)(done / PM_TABLE_COMMENTS & 1)) & toggled;
        nested->at.depth += (uint64_t)(int64_t)(entry >> PM_TABLE_DEPTH);
        if ((action | (done / PM_TABLE_ENDS & (unsigned)(nested->at.depth == 0))) &&
            !pmi_code_nested_act(nested, action, bit))
            return false;
    }
    return true;
}

/* Goes behind the word. Returns false if what its last bytes mean depends on the next one. */
PM_CODE_INLINE bool pmi_code_nested_end(pmi_code_nested *nested) {
    const uint64_t *const masks = nested->masks;
    const unsigned char last = nested->word[PM_WORD_BITS - 1], next = nested->word[PM_WORD_BITS];
    const unsigned sort = nested->at.state & ~(unsigned)PM_TABLE_NESTED;
    const bool comment = PM_TABLE_COMMENT >> nested->at.state & 1, block = comment && sort == PM_TABLE_BLOCK;
    const bool opens = last == '*' && nested->word[PM_WORD_BITS - 2] == '/'; /* perhaps the comment */
    if ((comment && last == '/' && (next == '/' || next == '*')) ||
        (nested->at.state == PM_TABLE_BACKTICKS && last == '$') ||
        (block && opens && nested->comments >> (PM_WORD_BITS - 3) & 1))
        return false;
    const uint64_t inside = nested->quoted | nested->comments;
    nested->at.slash = last == '/' && !(inside >> (PM_WORD_BITS - 1));
    nested->at.star = block && last == '*' && !opens;
    nested->at.backslash = masks[PM_MASK_BACKSLASH] >> (PM_WORD_BITS - 1);
    if (~nested->signs->blanks != 0) {
        const unsigned char byte = nested->word[pmi_bits_highest(~nested->signs->blanks)];
        nested->at.previous = byte == '/' || byte == '=' ? byte : 0;
    }
    const pmi_code_found *const found = nested->found;
    found->brackets[nested->w] = masks[PM_MASK_BRACKET] & ~inside & ~nested->uncounted;
    found->comments[nested->w] = nested->comments;
    found->quoted[nested->w] = nested->quoted;
    return true;
}

/* ---- Words ---- */

/* Reads the word, whose masks and signs are known. Returns false, and changes nothing, if it must be read in another
 * way. */
PM_CODE_INLINE bool pmi_code_nested_word(pmi_code_nested *nested) {
    const pmi_code_nested_place before = nested->at;
    nested->before_from = nested->before_level = before.level;
    nested->quoted = 0 - (uint64_t)(PM_TABLE_QUOTED >> before.state & 1);
    nested->comments = 0 - (uint64_t)(PM_TABLE_COMMENT >> before.state & 1);
    nested->uncounted = 0;
    nested->busy = false;
    if (pmi_code_nested_begin(nested) && pmi_code_nested_stops(nested) && pmi_code_nested_end(nested))
        return true;
    for (unsigned level = nested->before_from; level < nested->before_level; level++)
        pmi_code_templates_copy_at(nested->found->templates, nested->before, level);
    nested->at = before;
    return false;
}

/* Reads words of text, at most `words`, of `length` bytes from the first one on, while they are in a string that may
 * hold code, or in such code. Returns how many; 0: the first one must be read in another way. symbols: `look` stores
 * them. */
PM_CODE_INLINE size_t pmi_code_nested_words(const pmi_code_rules *rules, pmi_code_state *state,
                                            const unsigned char *text, size_t length, size_t words,
                                            const pmi_code_found *found, size_t w, pmi_code_look_all look, bool symbols,
                                            const void *target) {
    uint64_t masks[PM_MASK_COUNT];
    pmi_code_signs signs;
    unsigned char of_bytes[PM_WORD_BITS];
    pmi_code_templates before; /* not initialised, because it is large */
    pmi_code_nested nested;
    nested.masks = masks;
    nested.signs = &signs;
    nested.before = &before;
    nested.rules = rules;
    nested.found = found;
    nested.word = text;
    nested.length = length;
    nested.w = w;
    nested.symbols = symbols ? of_bytes : NULL;
    if (!pmi_code_nests(rules, found) || !pmi_code_nested_take(&nested, state))
        return 0;
    if (words * PM_WORD_BITS == length)
        words--; /* what follows the last word is not known */
    for (bool goes_on = true; goes_on && nested.w - w < words;) {
        look(target, nested.word, masks, &signs, of_bytes);
        if (!pmi_code_nested_word(&nested))
            break;
        goes_on = nested.at.state != PM_TABLE_CODE && (nested.busy || PM_TABLE_HOLDERS >> nested.at.state & 1);
        nested.word += PM_WORD_BITS;
        nested.length -= PM_WORD_BITS;
        nested.w++;
    }
    if (nested.w > w)
        pmi_code_nested_give(&nested, state);
    return nested.w - w;
}

#endif
