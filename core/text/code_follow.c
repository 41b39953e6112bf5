/* SPDX-License-Identifier: Apache-2.0 */
/* Between masks and the lexer: masks take over where the lexer is, and it is put where they have read to. */
#include <string.h>

#include "core/lexer/parts.h"
#include "core/text/code_reader.h"

/* Of the strings around the code, masks are told the innermost ones. */
#define TEMPLATES_TAKEN (PM_CODE_TEMPLATES / 2)

typedef struct templates_taking {
    const pmi_code_reader *reader;
    const pmi_lexer *lexer;
    pmi_code_templates *around;
} templates_taking;

/* The sort of string that the region is, of those that may hold code; PM_HOLDER_SORTS if it is another. */
static unsigned holder_of(const pmi_code_reader *reader, const pmi_region *region) {
    unsigned sort = 0;
    while (sort < PM_HOLDER_SORTS && reader->holders[sort] != region)
        sort++;
    return sort;
}

static bool template_take(const void *entry, void *user) {
    const pmi_lexer_template *const template = entry;
    const templates_taking *const taking = user;
    pmi_code_templates *const around = taking->around;
    const unsigned sort = holder_of(taking->reader, template->region);
    around->outer = sort == PM_HOLDER_SORTS || around->level == TEMPLATES_TAKEN ||
                    (sort == PM_HOLDER_ELEMENT && template->raw_length > PM_ELEMENT_TYPES_MAX);
    if (around->outer)
        return false;
    if (sort == PM_HOLDER_ELEMENT)
        around->around[around->level].element = (pmi_code_element){
            .depth = template->depth, .types = (uint16_t) template->raw_length, .step = template->opener};
    around->sorts[around->level] = (unsigned char)sort;
    around->around[around->level].start = template->start - taking->lexer->position;
    around->around[around->level++].braces = template->braces;
    return true;
}

/* Takes over the strings around, of which the lexer's stack has the innermost one on top. */
static void templates_take(const pmi_code_reader *reader, const pmi_lexer *lexer, pmi_code_templates *around) {
    around->start = lexer->start - lexer->position;
    around->braces = lexer->braces;
    around->level = around->least = around->sort = 0;
    around->outer = false;
    around->element = (pmi_code_element){.depth = 0};
    if (!pmi_stack_top(&lexer->templates))
        return;
    pmi_stack_visit_down(&lexer->templates, template_take, &(templates_taking){reader, lexer, around});
    for (unsigned k = 0; k < around->level / 2; k++) {
        const unsigned other = around->level - 1 - k;
        const uint64_t start = around->around[k].start, braces = around->around[k].braces;
        const pmi_code_element element = around->around[k].element;
        const unsigned char sort = around->sorts[k];
        around->around[k] = around->around[other];
        around->sorts[k] = around->sorts[other];
        around->around[other].start = start;
        around->around[other].braces = braces;
        around->around[other].element = element;
        around->sorts[other] = sort;
    }
    around->least = around->level;
}

/* Puts the lexer into an element, or another string that may hold code that begins at `start`. */
static void holder_enter(const pmi_code_reader *reader, pmi_lexer *lexer, unsigned sort, uint64_t start) {
    const pmi_region *const region = reader->holders[sort];
    lexer->start = start;
    lexer->first = sort == PM_HOLDER_ELEMENT ? '<' : (unsigned char)region->open[0];
    pmi_lexer_region_enter(lexer, region);
}

static void element_follow(pmi_lexer *lexer, const pmi_code_element *element) {
    lexer->depth = element->depth;
    lexer->opener = element->step;
    lexer->previous = element->previous;
    lexer->raw_length = element->types;
}

/* Gives the lexer, which was at `position` when masks began, the strings that are around the code now. */
static void templates_follow(const pmi_code_reader *reader, pmi_lexer *lexer, const pmi_code_chunk *chunk,
                             uint64_t position) {
    const pmi_code_templates *const around = chunk->around;
    for (unsigned k = around->least; k < chunk->level; k++)
        pmi_stack_pop(&lexer->templates);
    for (unsigned k = around->least; k < around->level; k++) {
        holder_enter(reader, lexer, around->sorts[k], position + around->around[k].start);
        if (around->sorts[k] == PM_HOLDER_ELEMENT)
            element_follow(lexer, &around->around[k].element);
        lexer->braces = around->around[k].braces;
        if (!pmi_lexer_template_push(lexer, '{', !reader->rules.interpolated))
            return;
    }
    lexer->braces = around->braces;
}

/* Takes over what ends the long string that the lexer is in. Returns false if it is in another. */
static bool long_take(const pmi_code_reader *reader, const pmi_lexer *lexer, pmi_code_closer *closer) {
    unsigned sort = 0;
    while (sort < PM_LONG_SORTS && reader->longs[sort] != lexer->region)
        sort++;
    if (sort == PM_LONG_SORTS || lexer->raw_length > PM_CODE_DELIMITER)
        return false;
    *closer = (pmi_code_closer){.sort = (unsigned char)sort,
                                .escapes = lexer->region->flags & PM_REGION_ESCAPES,
                                .doubled = lexer->region->flags & PM_REGION_DOUBLED};
    unsigned char byte;
    while ((byte = pmi_lexer_region_closer(lexer, closer->length)) != 0)
        closer->bytes[closer->length++] = byte;
    return true;
}

/* Puts the lexer into the long string that the text is in; `entered`: it was not in it. */
static void long_follow(const pmi_code_reader *reader, pmi_lexer *lexer, const pmi_code_closer *closer, bool entered) {
    if (entered) {
        pmi_lexer_region_enter(lexer, reader->longs[closer->sort]);
        lexer->raw_length = 0;
        if (lexer->region->flags & PM_REGION_HASHED)
            lexer->raw_length = closer->length - 1u;
        if (lexer->region->flags & PM_REGION_DELIMITED) {
            lexer->raw_length = closer->length - 2u;
            memcpy(lexer->raw_delimiter, closer->bytes + 1, (size_t)lexer->raw_length);
        }
    }
    lexer->matched = closer->matched;
}

/* Takes over where the lexer is in an element. Returns false if masks do not read what it is in there. */
static bool element_take(const pmi_lexer *lexer, pmi_code_element *element) {
    *element = (pmi_code_element){lexer->depth, (uint16_t)lexer->raw_length, lexer->opener, lexer->previous};
    switch (lexer->opener) {
    case PM_ELEMENT_TEXT:
    case PM_ELEMENT_LESS:
    case PM_ELEMENT_TAG:
    case PM_ELEMENT_DOUBLE:
    case PM_ELEMENT_SINGLE:
    case PM_ELEMENT_CLOSING:
        return lexer->raw_length <= PM_ELEMENT_TYPES_MAX;
    default:
        return false;
    }
}

bool pmi_code_state_take(const pmi_code_reader *reader, const pmi_lexer *lexer, pmi_code_chunk *chunk,
                         pmi_code_state *state) {
    *state = (pmi_code_state){.previous = pmi_lexer_history_byte(&lexer->history, 0)};
    if (chunk->around) {
        templates_take(reader, lexer, chunk->around);
        chunk->level = chunk->around->level;
    }
    const bool holds = chunk->around && chunk->records.count == 0; /* masks of records do not read what holds code */
    if (pmi_stack_top(&lexer->templates) && !holds)
        return false;
    if (lexer->state == PM_LEXER_RAW_HASHES && lexer->raw_length <= PM_CODE_DELIMITER && chunk->words > 0 &&
        chunk->records.count == 0) { /* masks see the hashes before the word */
        state->previous = reader->rules.raw_after;
        return true;
    }
    if (lexer->state == PM_LEXER_CODE)
        return true;
    if (lexer->state == PM_LEXER_REGION && lexer->region->flags & PM_REGION_JSX && holds) {
        state->inside = PM_INSIDE_RAW;
        chunk->around->sort = PM_HOLDER_ELEMENT;
        return element_take(lexer, &chunk->around->element);
    }
    if (lexer->state != PM_LEXER_REGION || !pmi_lexer_region_idle(lexer) || lexer->depth > 0)
        return false;
    for (pmi_code_inside sort = PM_INSIDE_BLOCK; sort <= PM_INSIDE_EXPRESSION; sort++)
        if (lexer->region == reader->regions[sort]) {
            state->inside = sort;
            state->in_class = lexer->in_class;
            return true;
        }
    const unsigned sort = holder_of(reader, lexer->region);
    if (sort < PM_HOLDER_SORTS && holds) {
        chunk->around->sort = (unsigned char)sort;
        state->inside = PM_INSIDE_RAW;
        return true;
    }
    if (!long_take(reader, lexer, chunk->found.closer))
        return false;
    state->inside = PM_INSIDE_LONG;
    return true;
}

/* The first byte of the region that byte end - 1 is in, or `first` if it began before that. */
static size_t region_start(const uint64_t *inside, size_t first, size_t end) {
    size_t i = end;
    while (i > first) {
        const size_t w = (i - 1) / PM_WORD_BITS;
        const unsigned in_word = (unsigned)((i - 1) % PM_WORD_BITS) + 1;
        const uint64_t outside = ~inside[w] & (in_word == PM_WORD_BITS ? UINT64_MAX : pmi_bits_low(in_word));
        if (outside != 0)
            return w * PM_WORD_BITS + pmi_bits_highest(outside) + 1;
        i = w * PM_WORD_BITS;
    }
    return first;
}

/* The byte behind the block comment whose rest begins at `from`, or `end`. */
static size_t block_end(const unsigned char *text, size_t from, size_t end) {
    for (size_t i = from; i < end; i++) {
        const unsigned char *const slash = memchr(text + i, '/', end - i);
        if (!slash)
            break;
        i = (size_t)(slash - text);
        if (i > from && text[i - 1] == '*')
            return i + 1;
    }
    return end;
}

/* Does a block comment end where another comment begins, at the border of two words? */
static bool touch_between_words(const unsigned char *text, size_t start, size_t end) {
    for (size_t i = start / PM_WORD_BITS * PM_WORD_BITS + PM_WORD_BITS; i < end; i += PM_WORD_BITS)
        if (i - start >= 2 && text[i - 2] == '*' && text[i - 1] == '/')
            return true;
    return false;
}

/* The same of a comment; `before`: the one that began before `first`. Behind one comment another may begin without a
 * byte of code between them. */
static size_t comment_start(const pmi_code_chunk *chunk, size_t first, size_t end, pmi_code_inside before,
                            bool touching) {
    const unsigned char *const text = chunk->text;
    size_t start = region_start(chunk->found.comments, first, end);
    if ((!touching && !touch_between_words(text, start, end)) || (start == first && before == PM_INSIDE_LINE))
        return start;
    const bool begun = start == first && before == PM_INSIDE_BLOCK;
    size_t from = begun ? start : start + 2;
    for (bool block = begun || (end - start > 1 && text[start + 1] == '*'); block;) {
        const size_t next = block_end(text, from, end);
        if (end - next < 2)
            break;
        start = next;
        from = next + 2;
        block = text[next + 1] == '*';
    }
    return start;
}

/* The comment that the lexer is in, or code. */
static pmi_code_inside comment_before(const pmi_code_reader *reader, const pmi_lexer *lexer) {
    for (pmi_code_inside sort = PM_INSIDE_BLOCK; sort <= PM_INSIDE_LINE && lexer->state == PM_LEXER_REGION; sort++)
        if (lexer->region == reader->regions[sort])
            return sort;
    return PM_INSIDE_CODE;
}

/* The bytes of word w in [first, end) that are in no comment, nor in a string or character before its end. */
static uint64_t code_of_word(const pmi_code_chunk *chunk, size_t w, size_t first, size_t end) {
    const size_t base = w * PM_WORD_BITS;
    uint64_t code = ~(chunk->found.comments[w] | chunk->found.quoted[w]);
    if (base < first)
        code &= ~pmi_bits_low((unsigned)(first - base));
    if (end - base < PM_WORD_BITS)
        code &= pmi_bits_low((unsigned)(end - base));
    return code;
}

_Static_assert((int)PM_ELEMENT_TEXT == PM_JSX_TEXT && (int)PM_ELEMENT_LESS == PM_JSX_LESS &&
                   (int)PM_ELEMENT_TAG == PM_JSX_TAG && (int)PM_ELEMENT_DOUBLE == PM_JSX_DOUBLE &&
                   (int)PM_ELEMENT_SINGLE == PM_JSX_SINGLE && (int)PM_ELEMENT_CLOSING == PM_JSX_CLOSING,
               "masks name the steps of an element as the lexer does");

/* Is word w, all of which is in [first, end), nothing but blanks, and code behind code? */
static bool word_is_blank(const pmi_code_chunk *chunk, size_t w, size_t first, size_t end) {
    const size_t base = w * PM_WORD_BITS;
    if (base <= first || end - base < PM_WORD_BITS || !pmi_byte_is_space(chunk->text[base]) ||
        (chunk->found.comments[w] | chunk->found.quoted[w]) != 0 || pmi_code_bit_at(chunk->found.quoted, base - 1))
        return false;
    unsigned at = 1;
    while (at < PM_WORD_BITS && pmi_byte_is_space(chunk->text[base + at]))
        at++;
    return at == PM_WORD_BITS;
}

/* Where the code in [first, end) begins that fills the history, or `first`. */
static size_t history_start(const pmi_code_chunk *chunk, size_t first, size_t end) {
    unsigned bytes = 0;
    for (size_t w = (end + PM_WORD_BITS - 1) / PM_WORD_BITS; w-- > first / PM_WORD_BITS;) {
        if (!chunk->near && word_is_blank(chunk, w, first, end))
            continue;
        for (uint64_t code = code_of_word(chunk, w, first, end); code != 0;) {
            const unsigned bit = pmi_bits_highest(code);
            code ^= UINT64_C(1) << bit;
            const size_t i = w * PM_WORD_BITS + bit;
            const bool blank = pmi_byte_is_space(chunk->text[i]);
            if (blank && chunk->near)
                return i;
            bytes +=
                !blank || (i > first && pmi_code_bit_at(chunk->found.quoted, i - 1)); /* behind a string of the line */
            if (bytes > PM_HISTORY_BYTES)
                return w * PM_WORD_BITS + bit;
        }
    }
    return first;
}

/* The last 64 bytes of some text, a bit each. */
typedef struct last_bytes {
    const unsigned char *text;
    uint64_t code, comments, quoted;
    uint64_t dark; /* not blanks, nor control characters */
    uint64_t strings, apostrophes;
} last_bytes;

/* Bits of the 64 bytes before byte `end`, of a mask of each word. */
static uint64_t bits_before(const uint64_t *masks, size_t end) {
    const size_t w = end / PM_WORD_BITS;
    const unsigned shift = end % PM_WORD_BITS;
    return shift == 0 ? masks[w - 1] : masks[w] << (PM_WORD_BITS - shift) | masks[w - 1] >> shift;
}

/* The top bit of each of eight bytes, as eight bits. */
static uint64_t top_bits(uint64_t eight) {
    return (eight >> 7 & UINT64_C(0x0101010101010101)) * UINT64_C(0x0102040810204080) >> 56;
}

/* The top bits of those of eight bytes that are `byte`. */
static uint64_t eight_equal(uint64_t eight, unsigned char byte) {
    const uint64_t low = UINT64_C(0x7f7f7f7f7f7f7f7f), differ = eight ^ UINT64_C(0x0101010101010101) * byte;
    return ~(((differ & low) + low) | differ);
}

static void last_bytes_look(const pmi_code_chunk *chunk, size_t end, last_bytes *last) {
    last->text = chunk->text + end - PM_WORD_BITS;
    last->comments = bits_before(chunk->found.comments, end);
    last->quoted = bits_before(chunk->found.quoted, end);
    last->code = ~(last->comments | last->quoted);
    last->dark = last->strings = last->apostrophes = 0;
    for (unsigned k = 0; k < PM_WORD_BITS; k += 8) {
        uint64_t eight;
        memcpy(&eight, last->text + k, sizeof eight);
        const uint64_t low = UINT64_C(0x7f7f7f7f7f7f7f7f);
        last->dark |= top_bits(((eight & low) + low - UINT64_C(0x2020202020202020)) | eight) << k;
        last->strings |= top_bits(eight_equal(eight, '"')) << k;
        last->apostrophes |= top_bits(eight_equal(eight, '\'')) << k;
    }
}

/* Gives the history code from one bit to another, and the blanks before it apart, as those may follow others. */
static void history_push_piece(const last_bytes *last, pmi_lexer_history *history, unsigned from, unsigned to) {
    const uint64_t dark = last->dark & ~pmi_bits_low(from);
    const unsigned first = dark != 0 && pmi_bits_lowest(dark) < to ? pmi_bits_lowest(dark) : to;
    if (first > from)
        pmi_lexer_history_extend(history, last->text + from, first - from);
    if (to > first)
        pmi_lexer_history_extend(history, last->text + first, to - first);
}

/* The same as below where the last bytes have enough code for the history, in which nothing but the closing quote of a
 * string stands for another byte: then a piece of code at a time. */
static bool history_take_recent(const pmi_code_chunk *chunk, pmi_lexer_history *history, size_t first, size_t end) {
    last_bytes last;
    if (end < first + PM_WORD_BITS)
        return false;
    last_bytes_look(chunk, end, &last);
    uint64_t taken = 0, rest = last.code & ~UINT64_C(1); /* what is before the first byte is not known */
    while (rest != 0 && pmi_bits_count(last.dark & taken) <= PM_HISTORY_BYTES) {
        const uint64_t other = ~rest & pmi_bits_low(pmi_bits_highest(rest));
        const uint64_t piece = other != 0 ? rest & ~pmi_bits_low(pmi_bits_highest(other)) : rest;
        taken |= piece;
        rest &= ~piece;
    }
    if (pmi_bits_count(last.dark & taken) <= PM_HISTORY_BYTES || (taken & last.quoted << 1 & ~last.strings) != 0 ||
        (chunk->lifetimes && (taken & last.apostrophes) != 0))
        return false;
    while (taken != 0) {
        const unsigned from = pmi_bits_lowest(taken);
        const uint64_t behind = ~taken & ~pmi_bits_low(from);
        const unsigned to = behind != 0 ? pmi_bits_lowest(behind) : PM_WORD_BITS;
        history_push_piece(&last, history, from, to);
        if (to == PM_WORD_BITS)
            break;
        taken &= ~pmi_bits_low(to);
        const uint64_t next = taken != 0 ? pmi_bits_low(pmi_bits_lowest(taken)) : UINT64_MAX;
        if (last.comments & next & ~pmi_bits_low(to))
            pmi_lexer_history_push_blank(history, false);
    }
    return true;
}

/* Does that byte of code end a string, a character, a regular expression or an element, as its closer or as the newline
 * behind it? `first`: masks began at this byte. */
static bool ends_operand(const pmi_code_chunk *chunk, size_t i, unsigned char byte, bool first) {
    if ((byte == '\'' && !chunk->separators) || (byte == '`' && chunk->backticks))
        return true;
    if (byte != '\'' && byte != '/' && byte != '>' && byte != '\n' && !(byte == '#' && chunk->hashes))
        return false;
    return first ? chunk->quoted : i > 0 && pmi_code_bit_at(chunk->found.quoted, i - 1);
}

/* Does the apostrophe of code begin the name of a lifetime? The two are one operand. */
static bool begins_lifetime(const pmi_code_chunk *chunk, size_t i, size_t first) {
    return chunk->lifetimes && !(i == first ? chunk->quoted : i > 0 && pmi_code_bit_at(chunk->found.quoted, i - 1));
}

/* Does that byte begin code in a string? The lexer remembers it twice. */
static bool begins_code(const pmi_code_chunk *chunk, size_t i, unsigned char byte, size_t first) {
    return byte == '{' && chunk->around && chunk->backticks && i > first && pmi_code_bit_at(chunk->found.quoted, i - 1);
}

/* Gives the history a byte of code, the i-th of the chunk. */
static inline void history_push_code(const pmi_code_chunk *chunk, pmi_lexer_history *history, size_t i, size_t first) {
    const unsigned char byte = chunk->text[i];
    switch (byte) {
    case '\'':
    case '`':
    case '/':
    case '>':
    case '#':
        pmi_lexer_history_push(history, ends_operand(chunk, i, byte, i == first) ? PM_LEXER_OPERAND : byte);
        break;
    case '\n':
        if (ends_operand(chunk, i, byte, i == first))
            pmi_lexer_history_push(history, PM_LEXER_OPERAND);
        pmi_lexer_history_push_blank(history, true);
        break;
    case '{':
        if (begins_code(chunk, i, byte, first))
            pmi_lexer_history_push(history, byte);
        pmi_lexer_history_push(history, byte);
        break;
    default:
        if (pmi_byte_is_space(byte))
            pmi_lexer_history_push_blank(history, false);
        else
            pmi_lexer_history_push(history, byte);
    }
}

/* Gives the history a word of blanks: as many bytes of it as could matter. */
static void history_push_blanks(pmi_lexer_history *history, const unsigned char *word) {
    const unsigned char *newline = memchr(word, '\n', PM_WORD_BITS);
    pmi_lexer_history_push_blank(history, newline != NULL);
    if (newline && memchr(newline + 1, '\n', (size_t)(word + PM_WORD_BITS - newline - 1)))
        pmi_lexer_history_push_blank(history, true);
}

/* The name of a lifetime has ended, if there was one. */
static void history_end_lifetime(pmi_lexer_history *history, bool *lifetime) {
    if (*lifetime)
        pmi_lexer_history_push(history, PM_LEXER_OPERAND);
    *lifetime = false;
}

/* Gives the history the code in [first, end). Of strings and characters, which begin and end there, the closing quote
 * stands for all; of comments a blank. Returns whether the code ends in the name of a lifetime, or behind its
 * apostrophe; the history lacks it then. */
static bool history_append(const pmi_code_chunk *chunk, pmi_lexer_history *history, size_t first, size_t end) {
    if (history_take_recent(chunk, history, first, end))
        return false;
    const size_t start = history_start(chunk, first, end);
    bool lifetime = false;
    for (size_t w = start / PM_WORD_BITS; w * PM_WORD_BITS < end; w++) {
        const size_t base = w * PM_WORD_BITS;
        if (!lifetime && word_is_blank(chunk, w, start, end)) {
            history_push_blanks(history, chunk->text + base);
            continue;
        }
        uint64_t before =
            base < start ? pmi_bits_low((unsigned)(start - base)) : 0; /* bytes of the word that were seen */
        for (uint64_t code = code_of_word(chunk, w, start, end); code != 0; code &= code - 1) {
            const unsigned bit = pmi_bits_lowest(code);
            const unsigned char byte = chunk->text[base + bit];
            if (byte == '\n' && bit > 0 && !lifetime && pmi_lexer_history_byte(history, 0) == byte &&
                pmi_lexer_history_byte(history, 1) != '\\' && !(chunk->found.quoted[w] >> (bit - 1) & 1)) {
                before = pmi_bits_low(bit); /* behind another one, or comments */
                continue;
            }
            const bool comment = chunk->found.comments[w] & pmi_bits_low(bit) & ~before;
            before = pmi_bits_low(bit);
            if (lifetime && !comment && pmi_byte_in_name(byte))
                continue;
            if (lifetime)
                history_end_lifetime(history, &lifetime);
            if (comment)
                pmi_lexer_history_push_blank(history, false);
            lifetime = byte == '\'' && begins_lifetime(chunk, base + bit, first);
            if (!lifetime)
                history_push_code(chunk, history, base + bit, first);
        }
        const uint64_t last = end - base < PM_WORD_BITS ? pmi_bits_low((unsigned)(end - base)) : UINT64_MAX;
        if (chunk->found.comments[w] & last & ~before) {
            history_end_lifetime(history, &lifetime);
            pmi_lexer_history_push_blank(history, false);
        }
    }
    return lifetime;
}

/* Has the lexer begin the last record that begins in [first, end], and returns where that is, or `first`. */
static size_t lexer_begin_record(pmi_lexer *lexer, pmi_code_chunk *chunk, size_t first, size_t end) {
    const uint64_t position = lexer->position - first; /* of the chunk */
    size_t begin = first;
    if (!pmi_code_record_ends(chunk, chunk->record, end))
        return begin;
    for (; pmi_code_record_ends(chunk, chunk->record, end); chunk->record++)
        begin = pmi_text_records_next(&chunk->records, chunk->record);
    lexer->position = position + begin;
    pmi_lexer_restart(lexer);
    return begin;
}

/* Would a # behind what the lexer has read be of a raw string? */
static bool begins_raw(const pmi_code_reader *reader, const pmi_lexer *lexer) {
    unsigned char word[PM_HISTORY_BYTES];
    const unsigned length = pmi_lexer_word_length(&lexer->history, 0);
    if (lexer->state == PM_LEXER_RAW_HASHES)
        return true;
    if (lexer->state != PM_LEXER_CODE || length >= PM_HISTORY_BYTES)
        return false;
    for (unsigned k = 0; k < length; k++)
        word[k] = pmi_lexer_history_byte(&lexer->history, length - 1 - k);
    return pmi_code_word_is_listed(word, length, reader->rules.raw_prefixes);
}

/* Hashes that stand before a byte. */
typedef struct hash_run {
    size_t first;
    uint64_t length; /* with those that the lexer has read */
    bool known, raw; /* does a quote behind them open a raw string? */
} hash_run;

/* Those before byte `end`; the lexer has read what is before byte `begin`. */
static hash_run hashes_before(const pmi_code_reader *reader, const pmi_lexer *lexer, const pmi_code_chunk *chunk,
                              size_t begin, size_t end) {
    hash_run run = {.first = end, .known = true};
    while (reader->rules.hashes && run.first > begin && chunk->text[run.first - 1] == '#')
        run.first--;
    run.length = end - run.first;
    if (run.length == 0)
        return run;
    if (run.first == begin && chunk->records.count == 0) {
        run.raw = begins_raw(reader, lexer);
        run.length += lexer->state == PM_LEXER_RAW_HASHES ? lexer->raw_length : 0;
        return run;
    }
    run.known = run.first >= (size_t)PM_CODE_RAW_BACK;
    if (!run.known)
        return run;
    const pmi_code_state state = {.previous = chunk->text[run.first - 1]};
    const pmi_code_text last = {.bytes = chunk->text + run.first, .w = 1};
    run.known = pmi_code_raw_before(&reader->rules, &state, &last, &chunk->found, 0, &run.raw) != PM_CODE_UNKNOWN;
    return run;
}

size_t pmi_code_hashes_known(const pmi_code_reader *reader, const pmi_lexer *lexer, const pmi_code_chunk *chunk,
                             size_t begin, size_t words) {
    while (words > 0) {
        const hash_run run = hashes_before(reader, lexer, chunk, begin, begin + words * PM_WORD_BITS);
        if (run.known)
            break;
        words = run.first > begin ? (run.first - begin) / PM_WORD_BITS : 0;
    }
    return words;
}

/* Where the # stands whose directive's name the text may end in, or blanks before it, so that a $ would be part of it;
 * `end` if it does not. Masks have read the names that do something. */
static size_t named_hash(const pmi_code_reader *reader, const pmi_lexer *lexer, const pmi_code_chunk *chunk,
                         size_t first, size_t end) {
    const pmi_directives *const noted = lexer->directives;
    size_t hash = end;
    if (!reader->rules.directives || !reader->rules.interpolated)
        return end;
    while (hash > first && pmi_byte_in_name(chunk->text[hash - 1]))
        hash--;
    while (hash > first && (chunk->text[hash - 1] == ' ' || chunk->text[hash - 1] == '\t'))
        hash--;
    if (hash == first || chunk->text[hash - 1] != '#')
        return end;
    hash--;
    const uint64_t at = lexer->position + hash - first;
    return noted && noted->count > 0 && noted->base + (noted->list[noted->count - 1] >> 3) > at ? end : hash;
}

void pmi_code_lexer_follow(const pmi_code_reader *reader, pmi_lexer *lexer, pmi_code_chunk *chunk,
                           const pmi_code_state *behind) {
    const size_t end = chunk->words * PM_WORD_BITS;
    if (chunk->lexed == chunk->words)
        return;
    const size_t first = lexer_begin_record(lexer, chunk, chunk->lexed * PM_WORD_BITS, end);
    chunk->lexed = chunk->words;
    if (first == end)
        return;
    const hash_run hashes = hashes_before(reader, lexer, chunk, first, end);
    pmi_code_state now = *behind;
    if (now.opened > 0)
        now.inside = PM_INSIDE_CODE; /* the lexer reads again what opens something */
    const pmi_code_state *const state = &now;
    const bool quoted = state->inside >= PM_INSIDE_STRING;
    const bool pends = state->slash || state->star || state->dollar || (quoted && state->escaped) ||
                       (state->inside == PM_INSIDE_LINE && reader->rules.lines_continue && state->backslash);
    const size_t pending = state->opened > 0 ? state->opening : pends;
    const uint64_t position = lexer->position - first; /* of the chunk */
    const size_t again = state->inside == PM_INSIDE_CODE && pending == 0
                             ? named_hash(reader, lexer, chunk, first, end)
                             : end - pending; /* bytes that the lexer reads */
    size_t code_end = again;
    bool entered = false;
    if (state->inside != PM_INSIDE_CODE) {
        code_end = quoted ? region_start(chunk->found.quoted, first, end)
                          : comment_start(chunk, first, end, comment_before(reader, lexer), state->touching);
        entered = code_end > first || lexer->state != PM_LEXER_REGION;
    }
    chunk->quoted = pmi_code_in_quoted(lexer);
    bool lifetime = false;
    if (lexer->remembers && (state->inside == PM_INSIDE_CODE || entered))
        lifetime = history_append(chunk, &lexer->history, first, code_end);
    if (lifetime && code_end < end)
        history_end_lifetime(&lexer->history, &lifetime);
    if (chunk->around && (chunk->level > 0 || chunk->around->level > 0 || chunk->around->outer))
        templates_follow(reader, lexer, chunk, position + first);
    if (state->inside == PM_INSIDE_CODE) {
        lexer->state = !lifetime ? PM_LEXER_CODE : chunk->text[end - 1] == '\'' ? PM_LEXER_QUOTE : PM_LEXER_QUOTE_WORD;
        if (hashes.raw) {
            lexer->state = PM_LEXER_RAW_HASHES;
            lexer->raw_length = hashes.length;
        }
    } else if (entered) {
        if (state->inside == PM_INSIDE_RAW && chunk->around) { /* perhaps behind code in it */
            holder_enter(reader, lexer, chunk->around->sort, position + first + chunk->around->start);
        } else {
            lexer->start = position + code_end;
            lexer->first = chunk->text[code_end];
        }
        if (state->inside != PM_INSIDE_LONG && !(state->inside == PM_INSIDE_RAW && chunk->around))
            pmi_lexer_region_enter(lexer, reader->regions[state->inside]);
    }
    if (state->inside == PM_INSIDE_RAW && chunk->around && chunk->around->sort == PM_HOLDER_ELEMENT)
        element_follow(lexer, &chunk->around->element);
    if (state->inside == PM_INSIDE_LONG)
        long_follow(reader, lexer, chunk->found.closer, entered);
    lexer->in_class = state->inside == PM_INSIDE_EXPRESSION && state->in_class;
    for (size_t i = again; i < end; i++)
        pmi_lexer_read_byte(lexer, chunk->text[i], position + i);
    lexer->position = position + end;
}
