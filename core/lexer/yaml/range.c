/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The lexer in YAML's text, by masks: runs of bytes that change no state of yaml.c, lines without flow
 * collections, and what stands in these. The result is what the functions of the states find byte by byte.
 */
#include "core/lexer/yaml/yaml.h"

/* ---- Runs of bytes that change no state ---- */

/* Classes of bytes, in place of those of other languages. */
enum {
    NEWLINE = PM_LEXER_BRACKET + 1,
    BLANK,  /* a newline too */
    SIGN,   /* what together with a blank behind it ends a plain scalar */
    HASH,   /* what does so behind a blank */
    FLOW,   /* what ends one inside a flow collection */
    DOUBLE, /* matters inside "" */
    SINGLE,
    CLASSES
};

static void class_set(pmi_lexer *lexer, const char *bytes, size_t count, unsigned class) {
    for (size_t k = 0; k < count; k++)
        lexer->class_of[(unsigned char)bytes[k]] |= (uint8_t)(1u << class);
}

void pmi_lexer_yaml_classes(pmi_lexer *lexer) {
    class_set(lexer, "\n", 1, NEWLINE);
    class_set(lexer, " \t\r\n\0", 5, BLANK);
    class_set(lexer, ":-.?", 4, SIGN);
    class_set(lexer, "#", 1, HASH);
    class_set(lexer, "[]{},", 5, FLOW);
    class_set(lexer, "\"\\", 2, DOUBLE);
    class_set(lexer, "'", 1, SINGLE);
    lexer->classes = CLASSES;
}

/* Are the caller's brackets those that begin and end flow collections, and not the comma? */
static bool has_own_brackets(const pmi_lexer *lexer) {
    const uint8_t *const of = lexer->class_of;
    return of['['] & of[']'] & of['{'] & of['}'] & ~of[','] & 1u << PM_LEXER_BRACKET;
}

/* What came before byte `from` masks do not show. */
static void piece_fill(pmi_yaml_piece *piece, const pmi_lexer_masks *masks) {
    const size_t first = piece->from / PM_WORD_BITS, words = pmi_bits_words(piece->to);
    uint64_t sign = 0, blank = 0; /* the last byte of the word before was one */
    for (size_t w = first; w < words; w++) {
        const uint64_t *const of = masks->masks + CLASSES * w;
        piece->begins[w] = ~of[BLANK] | of[NEWLINE];
        piece->plain_ends[w] =
            of[NEWLINE] | (of[HASH] & (of[BLANK] << 1 | blank)) | (of[BLANK] & (of[SIGN] << 1 | sign));
        piece->newlines[w] = of[NEWLINE];
        piece->quotes[0][w] = of[DOUBLE];
        piece->quotes[1][w] = of[SINGLE];
        piece->flow[w] = of[FLOW];
        sign = of[SIGN] >> (PM_WORD_BITS - 1);
        blank = of[BLANK] >> (PM_WORD_BITS - 1);
    }
    piece->begins[words] = piece->plain_ends[words] = piece->newlines[words] = UINT64_MAX;
    piece->quotes[0][words] = piece->quotes[1][words] = piece->flow[words] = UINT64_MAX;
}

/* Returns the first byte from i < end on of those classes; all bytes, if a class is missing. */
static size_t next_of(const pmi_lexer_masks *masks, unsigned a, unsigned b, size_t i, size_t end) {
    size_t w = i / PM_WORD_BITS;
    const uint64_t *of = masks->masks + CLASSES * w;
    uint64_t rest = (of[a] | of[b]) & ~pmi_bits_low(i % PM_WORD_BITS);
    while (rest == 0) {
        if (++w * PM_WORD_BITS >= end)
            return end;
        of += CLASSES;
        rest = of[a] | of[b];
    }
    const size_t found = w * PM_WORD_BITS + pmi_bits_lowest(rest);
    return found < end ? found : end;
}

/* Inside a flow collection, and a plain scalar there: returns the first byte from i < piece->to on that may end it. */
static inline size_t flow_plain_end(const pmi_yaml_piece *piece, const pmi_lexer_masks *masks, size_t i) {
    const size_t end = pmi_yaml_next_bit(piece->plain_ends, i, piece->to);
    return end > i ? next_of(masks, FLOW, FLOW, i, end) : end;
}

/* Returns the first byte from i < piece->to on that may change the state. */
static size_t run_end(const pmi_yaml *yaml, const pmi_yaml_piece *piece, const pmi_lexer_masks *masks, size_t i) {
    const bool flow = yaml->flow > 0;
    switch (yaml->state) {
    case PM_YAML_LINE:
    case PM_YAML_VALUE:
    case PM_YAML_BLOCK_BLANK:
        return pmi_yaml_next_bit(piece->begins, i, piece->to);
    case PM_YAML_PLAIN:
        return flow ? flow_plain_end(piece, masks, i) : pmi_yaml_next_bit(piece->plain_ends, i, piece->to);
    case PM_YAML_PROPERTY:
        return next_of(masks, BLANK, flow ? FLOW : BLANK, i, piece->to);
    case PM_YAML_DOUBLE:
        return next_of(masks, DOUBLE, NEWLINE, i, piece->to);
    case PM_YAML_SINGLE:
        return next_of(masks, SINGLE, NEWLINE, i, piece->to);
    case PM_YAML_COMMENT:
    case PM_YAML_HEADER:
    case PM_YAML_BLOCK:
        return pmi_yaml_next_bit(piece->newlines, i, piece->to);
    default:
        return i;
    }
}

/* May byte `at` certainly not be behind a line's --- or ..., nor in it? */
static inline bool no_marker_at(const unsigned char *text, size_t at, uint64_t line) {
    const uint64_t column = at - line; /* from 0 */
    return column >= PM_YAML_MARKER_COLUMN || (column > 0 && text[at - 1] != '-' && text[at - 1] != '.');
}

/*
 * Inside a flow collection each bracket and comma before a quote, a # and the line's end counts, and what follows it
 * does not depend on what came before: from byte `at` on reads those of a word together, up to the end of the
 * collection. Returns the byte behind the last of them, or `at`.
 */
static size_t flow_word(const pmi_yaml_piece *piece, const pmi_lexer_masks *masks, size_t at, uint64_t *flow,
                        uint64_t *outside) {
    const size_t w = at / PM_WORD_BITS, base = w * PM_WORD_BITS;
    const uint64_t *const of = masks->masks + CLASSES * w;
    const unsigned char *const word = piece->text + base;
    const uint64_t unread = pmi_bits_low(at % PM_WORD_BITS);
    const uint64_t others = (of[NEWLINE] | of[HASH] | of[DOUBLE] | of[SINGLE]) & ~unread;
    uint64_t signs = of[FLOW] & ~unread & ((others & (0 - others)) - 1);
    if (piece->to - base < PM_WORD_BITS)
        signs &= pmi_bits_low((unsigned)(piece->to - base));
    uint64_t depth = *flow;
    for (uint64_t rest = signs & of[PM_LEXER_BRACKET]; rest != 0; rest &= rest - 1) {
        const unsigned bit = pmi_bits_lowest(rest);
        depth += (uint64_t)(word[bit] & 2) - 1; /* an open has that bit, a close has not */
        if (depth == 0) {
            signs &= UINT64_MAX >> (PM_WORD_BITS - 1 - bit);
            break;
        }
    }
    *flow = depth;
    outside[w] |= signs & of[PM_LEXER_BRACKET];
    return signs == 0 ? at : base + pmi_bits_highest(signs) + 1;
}

/* Returns the byte behind the scalar in quotes that begins at byte `at`; 0: it does not end in this line and piece. */
static size_t flow_quoted_end(const pmi_yaml_piece *piece, const pmi_lexer_masks *masks, size_t at) {
    const unsigned char *const text = piece->text, quote = text[at];
    const unsigned class = quote == '"' ? DOUBLE : SINGLE;
    for (at++; at < piece->to; at += 2) {
        at = next_of(masks, class, NEWLINE, at, piece->to);
        if (at + 1 >= piece->to || text[at] == '\n')
            return 0;
        if (text[at] == quote && (quote == '"' || text[at + 1] != quote))
            return at + 1;
    }
    return 0;
}

/* At the newline at `at`: may a document begin in the line that began at `line`, or is the state not one of these? */
static inline bool flow_line_ends(pmi_yaml *yaml, const unsigned char *text, size_t at, uint64_t line,
                                  unsigned *state) {
    const unsigned char sign = text[at - 1];
    if (*state == PM_YAML_PLAIN && at - line + 1 == PM_YAML_MARKER_COLUMN && (sign == '-' || sign == '.'))
        return false;
    yaml->continues = *state == PM_YAML_PLAIN && sign != ':';
    *state = *state == PM_YAML_AFTER ? PM_YAML_AFTER : PM_YAML_VALUE;
    return true;
}

/*
 * Reads brackets, commas, keys, scalars and newlines inside a flow collection, as the functions of the states do byte
 * by byte. Returns the byte from i > piece->from on at which something else begins, or the collection has ended. *line:
 * where the line began, and where that of the result did.
 */
static size_t flow_read(pmi_lexer *lexer, const pmi_yaml_piece *piece, const pmi_lexer_masks *masks, size_t i,
                        uint64_t *line, uint64_t *outside) {
    pmi_yaml *const yaml = &lexer->yaml;
    const unsigned char *const text = piece->text;
    unsigned state = yaml->state;
    uint64_t flow = yaml->flow, key = yaml->key;
    size_t at = i;
    for (; at < piece->to && flow > 0; at++) {
        if (piece->own_brackets && key > 0 && no_marker_at(text, at, *line) &&
            (state == PM_YAML_VALUE || state == PM_YAML_AFTER)) {
            const size_t next = flow_word(piece, masks, at, &flow, outside);
            if (next > at)
                state = text[next - 1] == ',' || text[next - 1] & 2 ? PM_YAML_VALUE : PM_YAML_AFTER;
            at = next;
            if (at == piece->to || flow == 0)
                break;
        }
        const bool value = state == PM_YAML_VALUE, plain = state == PM_YAML_PLAIN;
        if (value || plain)
            at = value ? pmi_yaml_next_bit(piece->begins, at, piece->to) : flow_plain_end(piece, masks, at);
        if (at == piece->to || !(value || plain || state == PM_YAML_AFTER))
            break;
        const unsigned char byte = text[at];
        const bool bracket = pmi_yaml_is_bracket(byte);
        const bool quoted = value && (byte == '"' || byte == '\'');
        const bool hash = byte == '#', comment = hash && pmi_yaml_is_blank(text[at - 1]);
        const bool begins =
            value && byte != ',' && byte != '\n' && (bracket || (hash && !comment) || !pmi_yaml_begins_no_plain[byte]);
        const size_t end = quoted ? flow_quoted_end(piece, masks, at) : 0;
        if ((begins || end > 0) && key == 0)
            key = at + 1 - *line;
        if (bracket) {
            const bool open = byte == '[' || byte == '{';
            flow += open ? 1 : UINT64_MAX;
            state = open ? PM_YAML_VALUE : PM_YAML_AFTER;
            pmi_lexer_mark(outside, at);
        } else if (begins) {
            state = PM_YAML_PLAIN;
        } else if (end > 0) {
            lexer->start = piece->position + at;
            lexer->first = byte;
            state = PM_YAML_AFTER;
            at = end - 1;
        } else if (byte == '\n') {
            if (!flow_line_ends(yaml, text, at, *line, &state))
                break;
            key = 0;
            *line = at + 1;
        } else if (comment) {
            const size_t newline = pmi_yaml_next_bit(piece->newlines, at, piece->to);
            if (newline == piece->to)
                break;
            yaml->continues = false;
            state = PM_YAML_VALUE;
            key = 0;
            at = newline;
            *line = at + 1;
        } else if (byte == ',' || (byte == ':' && !value) ||
                   (plain && text[at - 1] == ':' && pmi_yaml_is_blank(byte))) {
            state = PM_YAML_VALUE;
        } else if (value || plain || byte != ' ') {
            break;
        }
    }
    yaml->state = state;
    yaml->flow = flow;
    yaml->key = key;
    return at;
}

/* A reader of lines that begin where no flow collection is open. */
typedef struct line_reader {
    pmi_lexer *lexer;
    pmi_yaml *yaml; /* whose column and last bytes are stored by reader_stop() */
    const pmi_yaml_piece *piece;
    const pmi_lexer_masks *masks;
    uint64_t *outside;
    size_t at;
    uint64_t line; /* where it began, modulo 2^64 */
} line_reader;

static uint64_t column_of(const line_reader *reader) {
    return reader->at + 1 - reader->line;
}

/* Goes to the next bit that is set; returns false if no byte of the piece is left. */
static bool go_to(line_reader *reader, const uint64_t *words) {
    reader->at = pmi_yaml_next_bit(words, reader->at, reader->piece->to);
    return reader->at < reader->piece->to;
}

static bool pass_newline(line_reader *reader) {
    reader->yaml->key = 0;
    reader->line = ++reader->at;
    return true;
}

static void reader_stop(const line_reader *reader) {
    const pmi_yaml_piece *const piece = reader->piece;
    reader->yaml->column = column_of(reader);
    reader->yaml->newest = piece->text[reader->at - 1];
    reader->yaml->repeats = pmi_yaml_repeats_of(piece->newest, piece->repeats, piece->text + piece->from,
                                                reader->at - piece->from, reader->yaml->column);
}

/* Reads the rest of lines that are blank. */
static void pass_blank_lines(line_reader *reader) {
    size_t i = reader->at;
    while (i < reader->piece->to && reader->piece->text[i] == '\n')
        i++;
    reader->line = reader->at = i;
}

static bool is_sign(unsigned char byte) {
    return byte == ':' || byte == '-' || byte == '.' || byte == '?';
}

/* From each of some bits of a word on, `count` < 64 bits. */
static inline uint64_t bits_spread(uint64_t bits, unsigned count) {
    unsigned done = 1;
    for (; 2 * done <= count; done *= 2)
        bits |= bits << done;
    return bits | bits << (count - done);
}

/* Passes over whole lines of a block scalar, as far as none may end it: those whose first bytes up to the indentation
 * are blank. In the scalar of a document there is one byte that is no sign. */
static void pass_block_lines(line_reader *reader) {
    const pmi_yaml_piece *const piece = reader->piece;
    const uint64_t indent = reader->yaml->indent;
    const unsigned columns = indent > 0 ? (unsigned)indent : 1;
    size_t line = reader->at, w = line / PM_WORD_BITS;
    uint64_t unread = pmi_bits_low(line % PM_WORD_BITS);
    unsigned covered = (unsigned)(line % PM_WORD_BITS) + columns; /* bits of the word up to the last such column */
    if (indent >= PM_WORD_BITS)
        return;
    for (; w * PM_WORD_BITS < piece->to; w++, unread = 0) {
        const uint64_t newlines = piece->newlines[w] & ~unread;
        const uint64_t matter =
            (indent > 0 ? piece->begins[w] & ~newlines : reader->masks->masks[CLASSES * w + SIGN]) & ~unread;
        const uint64_t near =
            bits_spread(newlines << 1, columns) | (covered < PM_WORD_BITS ? pmi_bits_low(covered) : UINT64_MAX);
        const uint64_t found = matter & near, passed = found ? newlines & ((found & (0 - found)) - 1) : newlines;
        if (passed)
            line = w * PM_WORD_BITS + pmi_bits_highest(passed) + 1;
        if (found)
            break;
        if (newlines)
            covered = pmi_bits_highest(newlines) + 1 + columns;
        covered = covered > PM_WORD_BITS ? covered - PM_WORD_BITS : 0;
    }
    reader->line = reader->at = line < piece->to ? line : piece->to;
}

/* Each of these reads what its state is about, and returns false if the bytes end or begin something else. */

static bool read_line(line_reader *reader) {
    pmi_yaml *const yaml = reader->yaml;
    if (reader->at == reader->line)
        reader->line = reader->at = pmi_yaml_short_lines(reader->lexer, reader->piece, reader->at, reader->outside);
    if (yaml->state != PM_YAML_LINE)
        return true;
    if (reader->at == reader->piece->to || !go_to(reader, reader->piece->begins))
        return false;
    const unsigned char byte = reader->piece->text[reader->at];
    if (byte == '\n') {
        pass_newline(reader);
        pass_blank_lines(reader);
        return true;
    }
    const bool continues = yaml->continues && column_of(reader) > yaml->indent && byte != '#';
    yaml->continues = false;
    if (!continues && pmi_yaml_begins_no_plain[byte]) {
        yaml->state = PM_YAML_VALUE;
        return true;
    }
    if (!continues)
        yaml->key = column_of(reader);
    yaml->state = PM_YAML_PLAIN;
    reader->at++;
    return true;
}

/* What a byte begins that begins no plain scalar; PM_YAML_VALUE: something else. */
static unsigned begun_by(unsigned char byte) {
    switch (byte) {
    case '"':
        return PM_YAML_DOUBLE;
    case '\'':
        return PM_YAML_SINGLE;
    case '#':
        return PM_YAML_COMMENT;
    case '|':
    case '>':
        return PM_YAML_HEADER;
    case '&':
    case '*':
    case '!':
        return PM_YAML_PROPERTY;
    default:
        return PM_YAML_VALUE;
    }
}

/* A flow collection, as far as it is simple. */
static bool read_flow(line_reader *reader) {
    pmi_yaml *const yaml = reader->yaml;
    if (yaml->key == 0)
        yaml->key = column_of(reader);
    yaml->flow = 1;
    yaml->state = PM_YAML_VALUE;
    pmi_lexer_mark(reader->outside, reader->at);
    reader->at = flow_read(reader->lexer, reader->piece, reader->masks, reader->at + 1, &reader->line, reader->outside);
    return yaml->flow == 0;
}

/* A bracket that closes nothing. */
static bool pass_close(line_reader *reader) {
    reader->yaml->state = PM_YAML_AFTER;
    pmi_lexer_mark(reader->outside, reader->at++);
    return true;
}

static bool read_value(line_reader *reader) {
    pmi_yaml *const yaml = reader->yaml;
    const unsigned char *const text = reader->piece->text;
    if (!go_to(reader, reader->piece->begins))
        return false;
    const unsigned char byte = text[reader->at];
    if (byte == '\n') {
        yaml->continues = false;
        yaml->state = PM_YAML_LINE;
        return pass_newline(reader);
    }
    const unsigned begun = pmi_yaml_begins_no_plain[byte] ? begun_by(byte) : PM_YAML_PLAIN;
    if (begun == PM_YAML_VALUE && (byte == '[' || byte == '{'))
        return read_flow(reader);
    const bool closes = byte == ']' || byte == '}';
    if (!closes && (begun == PM_YAML_VALUE || (begun == PM_YAML_COMMENT && !pmi_yaml_is_blank(text[reader->at - 1]))))
        return false;
    if (yaml->key == 0)
        yaml->key = column_of(reader);
    if (closes)
        return pass_close(reader);
    if (begun == PM_YAML_DOUBLE || begun == PM_YAML_SINGLE) {
        reader->lexer->start = reader->piece->position + reader->at;
        reader->lexer->first = byte;
    }
    yaml->state = begun;
    reader->at++;
    return true;
}

static bool read_double(line_reader *reader) {
    const size_t to = reader->piece->to;
    const unsigned char *const text = reader->piece->text;
    while (reader->at < to) {
        reader->at = next_of(reader->masks, DOUBLE, NEWLINE, reader->at, to);
        if (reader->at == to || (text[reader->at] == '\\' && reader->at + 1 == to))
            return false;
        const unsigned char byte = text[reader->at];
        reader->at += byte == '\\';
        if (text[reader->at] == '\n')
            pass_newline(reader);
        else
            reader->at++;
        if (byte == '"') {
            reader->yaml->state = PM_YAML_AFTER;
            return true;
        }
    }
    return false;
}

static bool read_single(line_reader *reader) {
    const size_t to = reader->piece->to;
    const unsigned char *const text = reader->piece->text;
    while (reader->at < to) {
        reader->at = next_of(reader->masks, SINGLE, NEWLINE, reader->at, to);
        if (reader->at == to || (text[reader->at] == '\'' && reader->at + 1 == to))
            return false;
        if (text[reader->at] == '\n') {
            pass_newline(reader);
        } else if (text[reader->at + 1] == '\'') {
            reader->at += 2;
        } else {
            reader->at++;
            reader->yaml->state = PM_YAML_AFTER;
            return true;
        }
    }
    return false;
}

/* Behind a quoted scalar or a flow collection. */
static bool read_after(line_reader *reader) {
    pmi_yaml *const yaml = reader->yaml;
    const unsigned char byte = reader->piece->text[reader->at], before = reader->piece->text[reader->at - 1];
    if (byte == ']' || byte == '}')
        return pass_close(reader);
    if (pmi_yaml_is_blank(byte) && before == ':') {
        yaml->indent = yaml->key > 0 ? yaml->key : yaml->indent;
        yaml->state = PM_YAML_VALUE;
    }
    if (byte == '\n') {
        yaml->continues = false;
        yaml->state = PM_YAML_LINE;
        return pass_newline(reader);
    }
    if (byte == '#' && pmi_yaml_is_blank(before))
        yaml->state = PM_YAML_COMMENT;
    else if (!pmi_yaml_is_blank(byte) && byte != ':')
        yaml->state = PM_YAML_PLAIN;
    reader->at++;
    return true;
}

static bool read_comment(line_reader *reader) {
    if (!go_to(reader, reader->piece->newlines))
        return false;
    reader->yaml->continues = false;
    reader->yaml->state = PM_YAML_LINE;
    return pass_newline(reader);
}

/* An anchor, alias or tag. */
static bool read_property(line_reader *reader) {
    reader->at = next_of(reader->masks, BLANK, BLANK, reader->at, reader->piece->to);
    if (reader->at == reader->piece->to)
        return false;
    reader->yaml->state = PM_YAML_VALUE;
    return true;
}

/* What stands behind | or >. */
static bool read_header(line_reader *reader) {
    if (!go_to(reader, reader->piece->newlines))
        return false;
    reader->yaml->state = PM_YAML_BLOCK_BLANK;
    return pass_newline(reader);
}

static bool read_plain(line_reader *reader) {
    pmi_yaml *const yaml = reader->yaml;
    if (!go_to(reader, reader->piece->plain_ends))
        return false;
    if (reader->piece->text[reader->at] == '#') {
        yaml->state = PM_YAML_COMMENT;
        reader->at++;
        return true;
    }
    if (is_sign(reader->piece->text[reader->at - 1])) {
        reader_stop(reader);
        pmi_yaml_sign_end(yaml);
    }
    if (reader->piece->text[reader->at] == '\n') {
        yaml->continues = yaml->state == PM_YAML_PLAIN;
        yaml->state = PM_YAML_LINE;
        return pass_newline(reader);
    }
    reader->at++;
    return true;
}

static bool read_block(line_reader *reader) {
    pmi_yaml *const yaml = reader->yaml;
    if (reader->at == reader->line)
        pass_block_lines(reader);
    if (reader->at == reader->piece->to || !go_to(reader, reader->piece->begins))
        return false;
    if (reader->piece->text[reader->at] != '\n') {
        if (column_of(reader) <= yaml->indent) {
            yaml->continues = false;
            yaml->state = PM_YAML_LINE;
            return true;
        }
        if (column_of(reader) == 1)
            return false;
        yaml->state = PM_YAML_BLOCK;
        if (!go_to(reader, reader->piece->newlines))
            return false;
        yaml->state = PM_YAML_BLOCK_BLANK;
    }
    return pass_newline(reader);
}

static bool read_state(line_reader *reader) {
    switch (reader->yaml->state) {
    case PM_YAML_LINE:
        return read_line(reader);
    case PM_YAML_VALUE:
        return read_value(reader);
    case PM_YAML_PLAIN:
        return read_plain(reader);
    case PM_YAML_BLOCK_BLANK:
        return read_block(reader);
    case PM_YAML_DOUBLE:
        return read_double(reader);
    case PM_YAML_SINGLE:
        return read_single(reader);
    case PM_YAML_AFTER:
        return read_after(reader);
    case PM_YAML_COMMENT:
        return read_comment(reader);
    case PM_YAML_PROPERTY:
        return read_property(reader);
    case PM_YAML_HEADER:
        return read_header(reader);
    default:
        return false;
    }
}

/*
 * Reads what there is outside flow collections, as the functions of the states do byte by byte. Returns the byte behind
 * i - 1 >= piece->from at which something else begins, or piece->to.
 */
static size_t lines_read(pmi_lexer *lexer, const pmi_yaml_piece *piece, const pmi_lexer_masks *masks, size_t i,
                         uint64_t *outside) {
    line_reader reader = {lexer, &lexer->yaml, piece, masks, outside, i, i + 1 - lexer->yaml.column};
    while (reader.at < piece->to && read_state(&reader))
        continue;
    reader_stop(&reader);
    return reader.at;
}

/* Passes over a run, behind which that column is. */
static void pass_over(pmi_yaml *yaml, const unsigned char *run, size_t length, uint64_t column) {
    yaml->column = column;
    yaml->repeats = pmi_yaml_repeats_of(yaml->newest, yaml->repeats, run, length, yaml->column);
    yaml->newest = run[length - 1];
}

/* Reads on in a flow collection that was open before byte i. */
static size_t flow_goes_on(pmi_lexer *lexer, const pmi_yaml_piece *piece, const pmi_lexer_masks *masks, size_t i,
                           uint64_t *outside) {
    pmi_yaml *const yaml = &lexer->yaml;
    uint64_t line = i + 1 - yaml->column;
    const size_t end = flow_read(lexer, piece, masks, i, &line, outside);
    if (end > i)
        pass_over(yaml, piece->text + i, end - i, end + 1 - line);
    return end;
}

/* Takes a piece of text whose first byte is at the lexer's position less `from`. */
static void piece_take(pmi_yaml_piece *piece, const pmi_lexer *lexer, const unsigned char *text,
                       const pmi_lexer_masks *masks, size_t from, size_t to) {
    piece->text = text;
    piece->from = from;
    piece->to = to;
    piece->position = lexer->position - from;
    piece->own_brackets = has_own_brackets(lexer);
    piece_fill(piece, masks);
}

/* Reads the piece from piece->from on. The first byte is read by its state, whatever it is. */
static void piece_read(pmi_lexer *lexer, pmi_yaml_piece *piece, const pmi_lexer_masks *masks, uint64_t *outside) {
    pmi_yaml *const yaml = &lexer->yaml;
    const unsigned char *const text = piece->text;
    const size_t from = piece->from, to = piece->to;
    piece->newest = yaml->newest;
    piece->repeats = yaml->repeats;
    for (size_t i = from, end = from; i < to; i++) {
        if (i > from)
            i = yaml->flow == 0 ? lines_read(lexer, piece, masks, i, outside)
                                : flow_goes_on(lexer, piece, masks, i, outside);
        if (i == to)
            break;
        end = i > from ? run_end(yaml, piece, masks, i) : i;
        if (end > i)
            pass_over(yaml, text + i, end - i, yaml->column + end - i);
        i = end;
        if (i == to)
            break;
        pmi_lexer_yaml_byte(lexer, text[i], piece->position + i);
        if (lexer->verdict == PM_LEXER_COUNTED)
            outside[i / PM_WORD_BITS] |= UINT64_C(1) << i % PM_WORD_BITS;
        lexer->verdict = PM_LEXER_AS_READ;
    }
}

static void range_read(pmi_lexer *lexer, const unsigned char *text, const pmi_lexer_masks *masks, size_t from,
                       size_t to, uint64_t *outside) {
    pmi_yaml_piece piece;
    piece_take(&piece, lexer, text, masks, from, to);
    piece_read(lexer, &piece, masks, outside);
    lexer->position = piece.position + to;
}

PM_LEXER_FOR_BITS static void range_read_by_bits(pmi_lexer *lexer, const unsigned char *text,
                                                 const pmi_lexer_masks *masks, size_t from, size_t to,
                                                 uint64_t *outside) {
    range_read(lexer, text, masks, from, to, outside);
}

void pmi_lexer_yaml_range(pmi_lexer *lexer, const unsigned char *text, const pmi_lexer_masks *masks, size_t from,
                          size_t to, uint64_t *outside) {
    if (pmi_lexer_has_bits(lexer))
        range_read_by_bits(lexer, text, masks, from, to, outside);
    else
        range_read(lexer, text, masks, from, to, outside);
}

/* A record is read with the newline that stands in for its separator: a scalar that goes on there has not ended before
 * it. */
static void records_read(pmi_lexer *lexer, const unsigned char *text, const pmi_lexer_masks *masks,
                         const pmi_text_records *records, uint64_t *outside, size_t *cut) {
    pmi_yaml_piece piece;
    piece_take(&piece, lexer, text, masks, 0, masks->n);
    for (size_t r = 0, begin = 0; r < records->count; r++, begin = piece.to) {
        piece.to = pmi_text_records_next(records, r);
        piece.from = pmi_yaml_short_lines(lexer, &piece, begin, outside);
        if (piece.from > begin)
            pass_over(&lexer->yaml, text + begin, piece.from - begin, 1);
        piece_read(lexer, &piece, masks, outside);
        if (*cut > r && pmi_lexer_yaml_inside(&lexer->yaml, false))
            *cut = r;
        lexer->yaml = (pmi_yaml){.column = 1}; /* a text changes nothing else that matters to the next */
    }
    lexer->position = piece.position + pmi_text_records_next(records, records->count - 1);
    pmi_lexer_restart(lexer);
}

PM_LEXER_FOR_BITS static void records_read_by_bits(pmi_lexer *lexer, const unsigned char *text,
                                                   const pmi_lexer_masks *masks, const pmi_text_records *records,
                                                   uint64_t *outside, size_t *cut) {
    records_read(lexer, text, masks, records, outside, cut);
}

void pmi_lexer_yaml_records(pmi_lexer *lexer, const unsigned char *text, const pmi_lexer_masks *masks,
                            const pmi_text_records *records, uint64_t *outside, size_t *cut) {
    if (pmi_lexer_has_bits(lexer))
        records_read_by_bits(lexer, text, masks, records, outside, cut);
    else
        records_read(lexer, text, masks, records, outside, cut);
}
