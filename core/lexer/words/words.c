/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The lexer in code with comments and strings as most languages have them, 64 bytes at a time. A table goes from one
 * byte that may matter to the next: it asks what the byte is, together with the one behind it, before it knows the
 * state, so that nothing waits for a branch. What the table does not know is left to range.c, byte by byte. What
 * came before a byte of code is noted in masks, from which the history is made when something asks for it.
 */
#include "core/lexer/words/ahead.h"
#include "core/lexer/words/code.h"
#include "core/lexer/words/quick.h"
#include "core/lexer/words/quotes.h"

/* ---- A word ---- */

/* Is it the first < of a shift, whose blank no heredoc's word follows? */
PM_WORDS_INLINED bool is_shift(const pmi_words_reader *reader, size_t w, unsigned bit) {
    const unsigned char *const bytes = reader->text + w * PM_WORD_BITS + bit;
    return bit < PM_WORD_BITS - 1 && bytes[2] == ' ';
}

/* Reads what more than a table is needed for. Returns false if it is to be read in another way. */
PM_WORDS_INLINED bool action_read(pmi_words_reader *reader, pmi_word_read *read, unsigned entry, size_t w, unsigned bit,
                                  uint64_t *stops, bool by_parity) {
    switch (entry >> PM_ENTRY_ACTION) {
    case PM_ENTRY_HEREDOC:
        return is_shift(reader, w, bit) || pmi_words_heredoc_read(reader, read, w, bit, stops);
    case PM_ENTRY_LINES:
        return !reader->heredocs || pmi_words_lines_read(reader, read, w, bit, stops);
    case PM_ENTRY_AHEAD:
        return pmi_words_ahead_read(reader, read, w, bit, stops);
    case PM_ENTRY_OPEN_ONE:
    case PM_ENTRY_LINE_ONE:
        return pmi_words_open_read(reader, read, entry & PM_ENTRY_STATE, 1, w, bit, stops);
    case PM_ENTRY_OPEN_TWO:
    case PM_ENTRY_LINE_TWO:
    case PM_ENTRY_BLOCK_TWO:
        return pmi_words_open_read(reader, read, entry & PM_ENTRY_STATE, 2, w, bit, stops);
    case PM_ENTRY_OPEN_SEVERAL:
    case PM_ENTRY_LINE_UNLESS:
        return pmi_words_longest_read(reader, read, w, bit, stops);
    case PM_ENTRY_OPEN_WORD:
        return pmi_words_at_word_read(reader, read, entry & PM_ENTRY_STATE, w, bit, stops);
    case PM_ENTRY_OPEN_UNNAMED:
        return by_parity && !pmi_words_behind_name(reader, read, w, bit) &&
               pmi_words_open_read(reader, read, entry & PM_ENTRY_STATE, 1, w, bit, stops);
    case PM_ENTRY_OPEN_BEHIND:
        return by_parity && pmi_words_behind_read(reader, read, w, bit, stops);
    case PM_ENTRY_PROTECT:
        read->counted |= UINT64_C(1) << bit;
        return pmi_words_literal_read(reader, read, w, bit, w * PM_WORD_BITS + bit + 2, stops);
    case PM_ENTRY_OPEN_LONG:
        return pmi_words_long_read(reader, read, w, bit, stops);
    case PM_ENTRY_OPEN_CHARACTER:
        return pmi_words_character_read(reader, read, w, bit, stops);
    case PM_ENTRY_OPEN_TICK:
        return pmi_words_tick_read(reader, read, w, bit, stops) ||
               pmi_words_character_open(reader, read, w, bit, stops);
    case PM_ENTRY_NEST:
        pmi_words_passed_to(reader, bit + 2);
        *stops &= ~pmi_words_bits_between(bit, bit + 2);
        reader->depth++;
        return true;
    case PM_ENTRY_CLOSE_LINE:
        reader->state = PM_WORDS_CODE;
        read->code |= UINT64_MAX << bit;
        *stops = pmi_words_stops_from(reader, read, w, bit + !reader->heredocs);
        return true;
    case PM_ENTRY_CLOSE_CUT:
        return pmi_words_cut_read(reader, read, w, bit, stops);
    case PM_ENTRY_CLOSE_ONE:
        return pmi_words_close_read(reader, read, 1, w, bit, stops);
    case PM_ENTRY_CLOSE_TWO:
        pmi_words_passed_to(reader, bit + 2);
        *stops &= ~pmi_words_bits_between(bit, bit + 2);
        if (reader->depth > 0) {
            reader->depth--;
            return true;
        }
        return pmi_words_close_read(reader, read, 2, w, bit, stops);
    case PM_ENTRY_ESCAPE:
        return pmi_words_escape_read(reader, w, bit, stops);
    case PM_ENTRY_BEGIN_CODE:
        return pmi_words_code_begin(reader, read, w, bit, stops);
    case PM_ENTRY_BRACE:
        return pmi_words_brace_read(reader, read, w, bit, stops);
    default:
        return false;
    }
}

/* Goes through the stops of word w. Returns the bit of one that is to be read in another way, or the number of bits. */
PM_WORDS_INLINED unsigned stops_read(pmi_words_reader *reader, uint64_t done, size_t w, bool by_parity,
                                     pmi_word_read *read) {
    const pmi_lexer_words_table *const table = &reader->lexer->words;
    const unsigned char *const word = reader->text + w * PM_WORD_BITS;
    unsigned state = reader->state;
    size_t start = reader->start;
    pmi_word_read of = *read;
    unsigned bit = PM_WORD_BITS;
    uint64_t stops = pmi_words_stops_from(reader, &of, w, 0) & ~done;
    while (stops != 0) {
        bit = pmi_bits_lowest(stops);
        const unsigned symbol = table->symbol_of[table->class_of[word[bit]]][table->class_of[word[bit + 1]]];
        const unsigned entry = table->next[state][symbol];
        stops &= stops - 1;
        if (entry >> PM_ENTRY_ACTION) {
            if (entry >> PM_ENTRY_ACTION >= PM_ENTRY_QUICK &&
                pmi_words_quick_read(reader, &of, entry >> PM_ENTRY_ACTION, state, w, bit, &stops))
                continue;
            *read = of;
            reader->state = state;
            reader->start = start;
            reader->actions += entry >> PM_ENTRY_ACTION < PM_ENTRY_BEGIN_CODE; /* others are short here, too */
            if (!action_read(reader, read, entry, w, bit, &stops, by_parity)) {
                read->code &= pmi_bits_low(bit);
                return bit;
            }
            of = *read;
            state = reader->state;
            start = reader->start;
            continue;
        }
        const uint64_t toggled = (UINT64_MAX << bit) << (entry / PM_ENTRY_BEHIND & 1);
        of.code ^= (0 - (uint64_t)(entry / PM_ENTRY_TOGGLES & 1)) & toggled;
        of.operands |= (uint64_t)(entry / PM_ENTRY_OPERAND & 1) << bit;
        start = state == PM_WORDS_CODE ? w * PM_WORD_BITS + bit : start;
        state = entry & PM_ENTRY_STATE;
    }
    reader->state = state;
    reader->start = start;
    *read = of;
    return PM_WORD_BITS;
}

/* Is the word, with those masks, one of a comment that does not end there? */
PM_WORDS_INLINED bool is_passed(const pmi_words_reader *reader, const uint64_t *of) {
    const pmi_lexer *const lexer = reader->lexer;
    return reader->state != PM_WORDS_CODE && of[lexer->region_class[reader->state - 1]] == 0;
}

/* The bytes of a word, with those masks, that may matter in code and in strings. `ends`: those that may end a run of
 * code.
 */
PM_WORDS_INLINED uint64_t strings_of(const pmi_words_reader *reader, const uint64_t *of, uint64_t ends) {
    ends |= reader->in_string || reader->heredocs ? of[PM_LEXER_ENDS_TEMPLATE_CODE] : 0;
    for (unsigned classes = reader->lexer->words.string_classes; classes != 0; classes &= classes - 1)
        ends |= of[pmi_bits_lowest(classes)];
    return ends;
}

/* Notes what was read of the words behind word w together with it. Returns how many bytes that are. */
PM_WORDS_INLINED unsigned over_take(pmi_words_reader *reader, size_t w, uint64_t *outside) {
    pmi_lexer_noted *const noted = reader->noted;
    const unsigned over = reader->over;
    if (over == 0)
        return 0;
    const size_t last = w + pmi_bits_words(over);
    for (size_t next = w + 1; next <= last; next++)
        noted->code[next] = noted->operands[next] = noted->blanks[next] = 0;
    noted->operands[last] = reader->over_operands;
    noted->blanks[last] = reader->over_blanks;
    outside[last] |= reader->over_counted;
    reader->over = 0;
    return over;
}

/* ---- Pieces ---- */

#define MOST_ACTIONS 12u /* in a word: where there are more of them, crowd.c is faster */

/* As pmi_lexer_words_range(); by_parity: as in the table, and known to the compiler. */
PM_WORDS_INLINED size_t words_read(pmi_lexer *lexer, const unsigned char *text, const pmi_lexer_masks *piece,
                                   size_t from, size_t to, uint64_t position, const uint64_t *ends, size_t apart,
                                   bool by_parity, uint64_t *outside) {
    pmi_lexer_noted noted;
    pmi_words_reader reader;
    reader.noted = &noted;
    reader.lexer = lexer;
    reader.text = text;
    reader.piece = piece;
    reader.from = from;
    reader.to = to;
    reader.position = position;
    if (!pmi_words_state_take(lexer, &reader))
        return from;
    size_t i = from, w = from / PM_WORD_BITS;
    uint64_t done = pmi_bits_low(from % PM_WORD_BITS); /* bytes of the word that are read */
    pmi_words_passed_to(&reader, 0);
    noted.operands[w] = noted.blanks[w] = 0;
    for (; (w + 1) * PM_WORD_BITS < to; w++) {
        const uint64_t *const of = piece->masks + piece->classes * w;
        if (done == 0 && is_passed(&reader, of)) {
            noted.code[w] = noted.operands[w] = noted.blanks[w] = 0;
            i = (w + 1) * PM_WORD_BITS;
            continue;
        }
        pmi_word_read read = {.code = 0};
        if (done != 0) {
            read.operands = noted.operands[w];
            read.blanks = noted.blanks[w];
        } else if (by_parity && !reader.in_string && !reader.heredocs && pmi_words_in_code_or_string(&reader)) {
            done = pmi_words_quotes_read(&reader, ends[apart * w], w, outside);
            if (done == UINT64_MAX) {
                i = (w + 1) * PM_WORD_BITS;
                done = 0;
                continue;
            }
            read.code = noted.code[w];
            read.operands = noted.operands[w];
        }
        read.code |= reader.state == PM_WORDS_CODE ? ~done : 0;
        read.strings = strings_of(&reader, of, ends[apart * w]);
        reader.actions = 0;
        const unsigned end = stops_read(&reader, done, w, by_parity, &read);
        if (reader.in_string)
            pmi_words_hide_lines(&reader, &read, w, read.in_string_from, end);
        noted.code[w] = read.code;
        noted.operands[w] = read.operands;
        noted.blanks[w] = read.blanks;
        outside[w] |= (read.code & ~read.uncounted) | read.counted;
        i = w * PM_WORD_BITS + end;
        if (end < PM_WORD_BITS)
            break;
        const unsigned over = over_take(&reader, w, outside);
        done = pmi_bits_low(over % PM_WORD_BITS);
        w += over / PM_WORD_BITS;
        i += over;
        const bool steps = w <= from / PM_WORD_BITS || lexer->lines; /* as the first word is read, perhaps */
        if (!steps && reader.actions > MOST_ACTIONS) {
            lexer->crowded = true;
            break;
        }
    }
    pmi_words_history_make(&reader, i);
    pmi_words_state_give(&reader);
    return i;
}

/* As pmi_lexer_words_range(). */
static size_t range_read(pmi_lexer *lexer, const unsigned char *text, const pmi_lexer_masks *piece, size_t from,
                         size_t to, uint64_t position, const uint64_t *ends, size_t apart, uint64_t *outside) {
    return lexer->words.by_parity ? words_read(lexer, text, piece, from, to, position, ends, apart, true, outside)
                                  : words_read(lexer, text, piece, from, to, position, ends, apart, false, outside);
}

PM_LEXER_FOR_BITS static size_t range_read_by_bits(pmi_lexer *lexer, const unsigned char *text,
                                                   const pmi_lexer_masks *piece, size_t from, size_t to,
                                                   uint64_t position, const uint64_t *ends, size_t apart,
                                                   uint64_t *outside) {
    return range_read(lexer, text, piece, from, to, position, ends, apart, outside);
}

size_t pmi_lexer_words_range(pmi_lexer *lexer, const unsigned char *text, const pmi_lexer_masks *piece, size_t from,
                             size_t to, uint64_t position, const uint64_t *ends, size_t apart, uint64_t *outside) {
    return pmi_lexer_has_bits(lexer) ? range_read_by_bits(lexer, text, piece, from, to, position, ends, apart, outside)
                                     : range_read(lexer, text, piece, from, to, position, ends, apart, outside);
}
