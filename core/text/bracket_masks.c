/* SPDX-License-Identifier: Apache-2.0 */
/* Masks of brackets: of all brackets, of those outside quotations, or of those that the lexer finds. */
#include "core/text/bracket_masks.h"

#include <string.h>

/* Columns of pmi_quoted_masks. */
#define CLASS_BRACKET 0u
#define CLASS_QUOTE 1u
#define CLASS_BACKSLASH 2u
#define QUOTED_CLASSES 3u

/* Fills the classes of bytes for one pass, given those for masks. Returns false if some kind has too many bits, or a
 * bracket is a quote, backslash or newline, too. */
static bool init_packed_classes(pmi_bracket_reader *reader, const pm_alphabet *alphabet) {
    uint8_t *const of = reader->packed_classes.of;
    bool fits = true;
    reader->many_kinds = false;
    for (unsigned byte = 0; byte < 256; byte++) {
        const uint8_t class = reader->classes.of[byte], role = alphabet->role[byte];
        of[byte] = (uint8_t)((class & 1u << CLASS_QUOTE ? PM_UNQUOTED_QUOTE : 0) |
                             (class & 1u << CLASS_BACKSLASH ? PM_UNQUOTED_BACKSLASH : 0));
        if (!(class & 1u << CLASS_BRACKET))
            continue;
        of[byte] |= (uint8_t)(role | PM_UNQUOTED_BRACKET);
        fits &= role <= PM_UNQUOTED_ROLE && class == 1u << CLASS_BRACKET && byte != '\n';
        reader->many_kinds |= pmi_role_kind(role) > 1;
    }
    of['\n'] |= PM_UNQUOTED_NEWLINE;
    pmi_byte_classes_finish(&reader->packed_classes);
    return fits;
}

void pmi_bracket_reader_init(pmi_bracket_reader *reader, const pmi_classifier *classifier, const pm_language *language,
                             const pm_alphabet *alphabet, const pm_allocator *allocator) {
    unsigned char quote;
    pmi_lexer_init(&reader->lexer, language, alphabet, allocator);
    reader->classifier = classifier;
    reader->lexer.bits = classifier->bits;
    memcpy(reader->classes.of, reader->lexer.class_of, sizeof reader->classes.of);
    if (language->region_count == 0 && language->code == 0) {
        reader->where = PM_BRACKETS_EVERYWHERE;
    } else if (pmi_lexer_quotes(&reader->lexer, &quote)) {
        reader->where = PM_BRACKETS_UNQUOTED;
        for (unsigned byte = 0; byte < 256; byte++)
            reader->classes.of[byte] &= 1u << CLASS_BRACKET;
        reader->classes.of[quote] |= 1u << CLASS_QUOTE;
        reader->classes.of['\\'] |= 1u << CLASS_BACKSLASH;
    } else if (pmi_code_reader_init(&reader->code, &reader->lexer)) {
        reader->where = PM_BRACKETS_IN_CODE;
    } else {
        reader->where = PM_BRACKETS_LEXED;
        pmi_lexer_words_init(&reader->lexer);
    }
    reader->rests = 0;
    reader->lines_apart = (reader->where == PM_BRACKETS_LEXED ||
                           (reader->where == PM_BRACKETS_IN_CODE && pmi_code_reader_asks_around(&reader->code))) &&
                          pmi_lexer_lines_are_apart(&reader->lexer);
    reader->cuts = false;
    pmi_byte_classes_finish(&reader->classes);
    reader->separator = -1;
    reader->packs =
        reader->where == PM_BRACKETS_UNQUOTED && classifier->unquoted && init_packed_classes(reader, alphabet);
}

bool pmi_bracket_reader_mark(pmi_bracket_reader *reader, unsigned char byte, bool marked) {
    const uint8_t plain = 0, bracket = 1u << CLASS_BRACKET;
    if ((reader->where != PM_BRACKETS_EVERYWHERE && reader->where != PM_BRACKETS_UNQUOTED) ||
        reader->classes.of[byte] != (marked ? plain : bracket))
        return false;
    reader->classes.of[byte] = marked ? bracket : plain;
    pmi_byte_classes_finish(&reader->classes);
    reader->separator = marked ? byte : -1;
    return true;
}

static void read_everywhere(pmi_bracket_reader *reader, const unsigned char *text, size_t words, uint64_t *brackets) {
    reader->classifier->classify(&reader->classes, 1, text, words, brackets);
    reader->lexer.position += words * PM_WORD_BITS;
}

/* Where the quotation began that goes on behind the last word; if that was before the first one, `before`. */
static uint64_t quotation_start(const uint64_t *inside, size_t words, uint64_t position, uint64_t before) {
    while (words > 0 && inside[words - 1] == UINT64_MAX)
        words--;
    return words > 0 ? position + words * PM_WORD_BITS - (63 - pmi_bits_highest(~inside[words - 1])) : before;
}

static pmi_quotation quotation_of(const pmi_lexer *lexer) {
    const bool goes_on = lexer->state == PM_LEXER_REGION;
    return (pmi_quotation){.inside = goes_on, .escaped = goes_on && lexer->escape == PM_LEXER_ESCAPE};
}

/* Returns the state of the quotation behind the words. */
static pmi_quotation read_quoted(pmi_bracket_reader *reader, const unsigned char *text, size_t words,
                                 uint64_t *brackets, uint64_t *inside) {
    pmi_quotation state = quotation_of(&reader->lexer);
    pmi_quoted_masks masks[PM_CHUNK_WORDS];
    reader->classifier->classify(&reader->classes, QUOTED_CLASSES, text, words, (uint64_t *)masks);
    reader->classifier->quoted(&state, masks, words, brackets, inside);
    return state;
}

/* The lexer goes on behind words that ended in a state. */
static void go_on(pmi_lexer *lexer, pmi_quotation state, const uint64_t *inside, size_t words) {
    const uint64_t before = lexer->state == PM_LEXER_REGION ? lexer->start : lexer->position;
    const uint64_t start = state.inside ? quotation_start(inside, words, lexer->position, before) : 0;
    pmi_lexer_quoted(lexer, words * PM_WORD_BITS, state.inside, state.escaped, start);
}

static void read_unquoted(pmi_bracket_reader *reader, const unsigned char *text, size_t words, uint64_t *brackets) {
    uint64_t inside[PM_CHUNK_WORDS];
    const pmi_quotation state = read_quoted(reader, text, words, brackets, inside);
    go_on(&reader->lexer, state, inside, words);
}

/* ---- Less than a word ---- */

#define FEW_BYTES 8u /* so few that the lexer takes less time */

/* Does a backslash protect what follows n > 0 bytes that end in a quotation? */
static bool ends_escaped(pmi_quotation before, const unsigned char *text, size_t n) {
    size_t begin = n;
    while (begin > 0 && text[begin - 1] == '\\')
        begin--;
    return ((n - begin) & 1) ^ (begin == 0 && before.inside && before.escaped);
}

/* Reads n < 64 bytes, with zeros behind them. */
static void read_unquoted_piece(pmi_bracket_reader *reader, const unsigned char *text, size_t n, uint64_t *brackets) {
    const pmi_quotation before = quotation_of(&reader->lexer);
    unsigned char word[PM_WORD_BITS] = {0};
    uint64_t inside;
    memcpy(word, text, n);
    read_quoted(reader, word, 1, brackets, &inside);
    *brackets &= pmi_bits_low((unsigned)n);
    inside |= ~pmi_bits_low((unsigned)n);
    const bool goes_on = inside >> (n - 1) & 1;
    const uint64_t outermost = before.inside ? reader->lexer.start : reader->lexer.position;
    pmi_lexer_quoted(&reader->lexer, n, goes_on, goes_on && ends_escaped(before, text, n),
                     goes_on ? quotation_start(&inside, 1, reader->lexer.position, outermost) : 0);
}

pm_status pmi_bracket_reader_piece(pmi_bracket_reader *reader, const unsigned char *text, size_t n,
                                   uint64_t *brackets) {
    if (reader->where != PM_BRACKETS_UNQUOTED || reader->separator >= 0 || n < FEW_BYTES || n >= PM_WORD_BITS)
        return pmi_lexer_scan(&reader->lexer, text, n, brackets);
    read_unquoted_piece(reader, text, n, brackets);
    return PM_OK;
}

size_t pmi_bracket_reader_pack(pmi_bracket_reader *reader, const unsigned char *text, size_t *words, size_t room,
                               pmi_unquoted_found *found) {
    uint64_t inside[PM_PACK_WORDS];
    pmi_quotation state = quotation_of(&reader->lexer);
    found->inside = inside;
    const size_t count =
        reader->separator < 0
            ? reader->classifier->unquoted(&reader->packed_classes, reader->many_kinds, &state, text, words, room,
                                           found)
            : reader->classifier->unquoted_records(&reader->packed_classes, (unsigned char)reader->separator, &state,
                                                   text, words, room, found);
    found->inside = NULL;
    go_on(&reader->lexer, state, inside, *words);
    return count;
}

static pm_status read_lexed(pmi_bracket_reader *reader, const unsigned char *text, size_t words, uint64_t *brackets) {
    pmi_lexer *lexer = &reader->lexer;
    uint64_t masks[PM_CHUNK_WORDS * PM_PIECE_CLASSES];
    const pmi_lexer_masks piece = {masks, lexer->classes, words * PM_WORD_BITS};
    reader->classifier->classify(&reader->classes, lexer->classes, text, words, masks);
    return pmi_lexer_scan_piece(lexer, text, &piece, brackets);
}

pm_status pmi_bracket_reader_words(pmi_bracket_reader *reader, const unsigned char *text, size_t words,
                                   uint64_t *brackets) {
    switch (reader->where) {
    case PM_BRACKETS_EVERYWHERE:
        read_everywhere(reader, text, words, brackets);
        return PM_OK;
    case PM_BRACKETS_UNQUOTED:
        read_unquoted(reader, text, words, brackets);
        return PM_OK;
    case PM_BRACKETS_IN_CODE:
        return pmi_code_reader_words(&reader->code, reader->classifier, &reader->lexer, text, words, brackets);
    default:
        return read_lexed(reader, text, words, brackets);
    }
}

/* ---- Records ---- */

#define RESTS 3u /* chunks that are not read as one text behind one whose first line is not apart */

/* Are records that are lines to be read as one text, as far as that is the same? */
static bool tries_lines(pmi_bracket_reader *reader, const pmi_text_records *records) {
    if (!reader->lines_apart || records->count == 0)
        return false;
    const bool rests = reader->rests > 0;
    reader->rests -= rests;
    return !rests;
}

/* Are the first `apart` records, which were read in that way, all that is needed? If not, the directives noted in them
 * may be wrong ones. */
static bool takes_lines(pmi_bracket_reader *reader, const pmi_text_records *records, size_t apart) {
    if (apart == records->count || (apart > 0 && reader->cuts))
        return true;
    reader->rests = RESTS;
    if (reader->lexer.directives)
        reader->lexer.directives->count = 0;
    return false;
}

/* By the lexer: lines as one text, or record by record. */
static pm_status scan_records(pmi_bracket_reader *reader, const unsigned char *text, const pmi_lexer_masks *piece,
                              const pmi_text_records *records, uint64_t *brackets, size_t *cut) {
    if (tries_lines(reader, records)) {
        uint64_t lines[PM_PIECE_WORDS];
        reader->classifier->find('\n', text, pmi_bits_words(piece->n), lines, NULL);
        const pm_status status = pmi_lexer_scan_lines(&reader->lexer, text, piece, records, lines, brackets, cut);
        if (status != PM_OK || takes_lines(reader, records, *cut))
            return status;
    }
    return pmi_lexer_scan_records(&reader->lexer, text, piece, records, brackets, cut);
}

/* The same by masks of code. */
static pm_status read_code_records(pmi_bracket_reader *reader, const unsigned char *text,
                                   const pmi_text_records *records, uint64_t *brackets, size_t *cut) {
    if (tries_lines(reader, records)) {
        const pm_status status =
            pmi_code_reader_lines(&reader->code, reader->classifier, &reader->lexer, text, records, brackets, cut);
        if (status != PM_OK || takes_lines(reader, records, *cut))
            return status;
    }
    return pmi_code_reader_records(&reader->code, reader->classifier, &reader->lexer, text, records, brackets, cut);
}

/* Has the lexer read every record, whatever masks could. */
static pm_status lex_records(pmi_bracket_reader *reader, const unsigned char *text, const pmi_text_records *records,
                             size_t words, uint64_t *brackets, size_t *cut) {
    pmi_lexer *const lexer = &reader->lexer;
    pmi_byte_classes classes;
    uint64_t masks[PM_CHUNK_WORDS * PM_PIECE_CLASSES];
    const pmi_lexer_masks piece = {masks, lexer->classes, words * PM_WORD_BITS};
    const bool own = reader->where == PM_BRACKETS_LEXED;
    if (!own) {
        memcpy(classes.of, lexer->class_of, sizeof classes.of);
        pmi_byte_classes_finish(&classes);
    }
    reader->classifier->classify(own ? &reader->classes : &classes, lexer->classes, text, words, masks);
    return scan_records(reader, text, &piece, records, brackets, cut);
}

/* Reads the records as one text. Returns false, with the lexer as it was, if a quotation reaches beyond its record. */
static bool read_unquoted_records(pmi_bracket_reader *reader, const unsigned char *text,
                                  const pmi_text_records *records, size_t words, uint64_t *brackets) {
    uint64_t inside[PM_CHUNK_WORDS];
    read_quoted(reader, text, words, brackets, inside);
    for (size_t r = 0; r < records->count; r++) {
        const size_t next = pmi_text_records_next(records, r), last = next - 1;
        if (next > 0 && inside[last / PM_WORD_BITS] >> last % PM_WORD_BITS & 1)
            return false;
    }
    return true;
}

/* Does every skipped byte mean nothing to the reader's masks? */
static bool skips_neutral_bytes(const pmi_bracket_reader *reader, const unsigned char *text,
                                const pmi_text_records *records) {
    return records->skipped == 0 || reader->classes.of[text[records->ends[0]]] == 0;
}

/* As pmi_bracket_reader_records(), but zeros behind the records may be brackets. */
static pm_status read_records(pmi_bracket_reader *reader, const unsigned char *text, const pmi_text_records *records,
                              size_t n, uint64_t *brackets, size_t *cut) {
    const size_t words = pmi_bits_words(n);
    const bool neutral = records->count > 0 && skips_neutral_bytes(reader, text, records);
    *cut = records->count;
    if (reader->where == PM_BRACKETS_IN_CODE)
        return read_code_records(reader, text, records, brackets, cut);
    if (reader->where == PM_BRACKETS_EVERYWHERE && neutral)
        reader->classifier->classify(&reader->classes, 1, text, words, brackets);
    else if (reader->where != PM_BRACKETS_UNQUOTED || !neutral ||
             !read_unquoted_records(reader, text, records, words, brackets))
        return lex_records(reader, text, records, words, brackets, cut);
    reader->lexer.position += n;
    pmi_lexer_restart(&reader->lexer);
    return PM_OK;
}

pm_status pmi_bracket_reader_records(pmi_bracket_reader *reader, const unsigned char *text,
                                     const pmi_text_records *records, uint64_t *brackets, size_t *cut) {
    const size_t n = records->count > 0 ? pmi_text_records_next(records, records->count - 1) : 0;
    const pm_status status = read_records(reader, text, records, n, brackets, cut);
    if (n % PM_WORD_BITS > 0)
        brackets[n / PM_WORD_BITS] &= pmi_bits_low(n % PM_WORD_BITS);
    return status;
}
