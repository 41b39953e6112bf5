/* SPDX-License-Identifier: Apache-2.0 */
/* Words of code by masks and, where those are not enough, by the lexer. */
#include "core/text/code_reader.h"

#include "core/text/bracket_masks.h"
#include "core/text/lexer_parts.h"

/* ---- Which languages ---- */

#define LINE_FLAGS (PM_REGION_COMMENT | PM_REGION_LINE)
#define QUOTE_FLAGS (PM_REGION_ESCAPES | PM_REGION_LINE | PM_REGION_CONTINUED | PM_REGION_LIFETIME)

#define EXPRESSION_FLAGS (PM_REGION_ESCAPES | PM_REGION_LINE | PM_REGION_REGEX)

static bool has_delimiters(const pmi_region *region, const char *open, const char *close) {
    return strcmp(region->open, open) == 0 && region->close && strcmp(region->close, close) == 0 && !region->prefix;
}

static bool flags_between(const pmi_region *region, unsigned least, unsigned most) {
    return (region->flags & least) == least && !(region->flags & ~most);
}

/* The sort of region that it is for masks; PM_INSIDE_CODE if it is another. */
static pmi_code_inside sort_of(const pmi_region *region) {
    if (!region->open)
        return PM_INSIDE_CODE;
    if (has_delimiters(region, "//", "\n") && flags_between(region, LINE_FLAGS, LINE_FLAGS | PM_REGION_CONTINUED))
        return PM_INSIDE_LINE;
    if (has_delimiters(region, "/*", "*/") &&
        flags_between(region, PM_REGION_COMMENT, PM_REGION_COMMENT | PM_REGION_NESTS))
        return PM_INSIDE_BLOCK;
    if (has_delimiters(region, "\"", "\"") && flags_between(region, PM_REGION_ESCAPES, QUOTE_FLAGS))
        return PM_INSIDE_STRING;
    if (has_delimiters(region, "'", "'") && flags_between(region, PM_REGION_ESCAPES | PM_REGION_LINE, QUOTE_FLAGS))
        return PM_INSIDE_CHARACTER;
    return PM_INSIDE_CODE;
}

/* Strings between backticks. */
static bool add_backticks(pmi_code_reader *reader, const pmi_region *region) {
    if (!region->close || strcmp(region->close, "`") != 0 || region->prefix || region->open[1] != 0)
        return true; /* something else, which the lexer reads */
    const bool templates = region->flags == (PM_REGION_ESCAPES | PM_REGION_TEMPLATE) && strcmp(region->code, "${") == 0;
    if (!templates && region->flags != 0)
        return true;
    reader->rules.backticks = true;
    reader->rules.templates = templates;
    reader->regions[PM_INSIDE_RAW] = region;
    return true;
}

/* Notes what else a region may begin with. Returns false if masks would not see it. */
static bool add_other(pmi_code_reader *reader, const pmi_region *region) {
    pmi_code_rules *const rules = &reader->rules;
    if (!region->open) {
        if (region->flags & (PM_REGION_DELIMITED | PM_REGION_HASHED)) {
            rules->raw_after = region->flags & PM_REGION_HASHED ? 'r' : 'R';
            rules->raw_prefixes = region->prefix;
            reader->longs[PM_LONG_RAW] = region;
        }
        rules->hashes |= (region->flags & PM_REGION_HASHED) != 0;
        if (region->flags & PM_REGION_JSX) {
            rules->elements = true;
            reader->code_classes.of['<'] |= 1u << PM_MASK_OTHER;
        }
        return region->flags & (PM_REGION_DELIMITED | PM_REGION_HASHED | PM_REGION_FREE | PM_REGION_JSX);
    }
    switch (region->open[0]) {
    case '"':
        rules->triple = true;
        if (has_delimiters(region, "\"\"\"", "\"\"\"") && flags_between(region, 0, PM_REGION_ESCAPES)) {
            rules->triple_known = true;
            rules->triple_escapes = region->flags & PM_REGION_ESCAPES;
            reader->longs[PM_LONG_TRIPLE] = region;
        }
        return strcmp(region->open, "\"\"\"") == 0 && !region->prefix;
    case '/':
        rules->expressions = true;
        reader->regions[PM_INSIDE_EXPRESSION] = region;
        return has_delimiters(region, "/", "/") && region->flags == EXPRESSION_FLAGS;
    case '\'':
    case '*':
    case '\\':
    case '\n':
        return false;
    default:
        reader->code_classes.of[(unsigned char)region->open[0]] |= 1u << PM_MASK_OTHER;
        if (has_delimiters(region, "@\"", "\"") && region->flags == PM_REGION_DOUBLED) {
            rules->verbatim = true;
            reader->longs[PM_LONG_VERBATIM] = region;
        }
        return region->open[0] != '`' || add_backticks(reader, region);
    }
}

static void set_rules(pmi_code_reader *reader, unsigned code) {
    pmi_code_rules *const rules = &reader->rules;
    const unsigned line = reader->regions[PM_INSIDE_LINE]->flags, block = reader->regions[PM_INSIDE_BLOCK]->flags;
    const unsigned string = reader->regions[PM_INSIDE_STRING]->flags;
    const unsigned character = reader->regions[PM_INSIDE_CHARACTER]->flags;
    rules->directives = code & PM_CODE_DIRECTIVES;
    rules->lines_continue = line & PM_REGION_CONTINUED;
    rules->strings_end = string & PM_REGION_LINE;
    rules->strings_continue = string & character & PM_REGION_CONTINUED;
    rules->strings_cut = !((string | character) & PM_REGION_CONTINUED);
    rules->comments_nest = block & PM_REGION_NESTS;
    rules->separators = code & PM_CODE_SEPARATORS;
    rules->lifetimes = character & PM_REGION_LIFETIME;
    if ((line | string | character) & PM_REGION_CONTINUED) /* a backslash, a return and a newline */
        reader->code_classes.of['\r'] |= 1u << PM_MASK_OTHER;
    if (rules->directives || rules->hashes)
        reader->code_classes.of['#'] |= 1u << PM_MASK_OTHER;
}

bool pmi_code_reader_init(pmi_code_reader *reader, const pmi_lexer *lexer) {
    static const struct {
        unsigned char byte;
        unsigned mask;
    } bytes[] = {{'"', PM_MASK_STRING}, {'\'', PM_MASK_CHARACTER}, {'/', PM_MASK_SLASH},
                 {'*', PM_MASK_STAR},   {'\\', PM_MASK_BACKSLASH}, {'\n', PM_MASK_NEWLINE}};
    const pm_language *const language = lexer->language;
    *reader = (pmi_code_reader){.rules.raw_after = 0};
    if (language->code & ~(PM_CODE_DIRECTIVES | PM_CODE_SEPARATORS))
        return false;
    for (size_t r = 0; r < language->region_count; r++) {
        const pmi_region *const region = &language->regions[r];
        const pmi_code_inside sort = sort_of(region);
        if (sort != PM_INSIDE_CODE && !reader->regions[sort])
            reader->regions[sort] = region;
        else if (!add_other(reader, region))
            return false;
    }
    for (unsigned sort = PM_INSIDE_BLOCK; sort <= PM_INSIDE_CHARACTER; sort++)
        if (!reader->regions[sort])
            return false;
    set_rules(reader, language->code);
    for (size_t b = 0; b < sizeof bytes / sizeof *bytes; b++)
        reader->code_classes.of[bytes[b].byte] |= (uint8_t)(1u << bytes[b].mask);
    memcpy(reader->lexer_classes.of, lexer->class_of, sizeof reader->lexer_classes.of);
    for (unsigned byte = 0; byte < 256; byte++) {
        const bool bracket = lexer->class_of[byte] >> PM_LEXER_BRACKET & 1;
        if (bracket && reader->rules.lifetimes && pmi_byte_in_name((unsigned char)byte))
            return false; /* which in a lifetime does not count */
        reader->code_classes.of[byte] |= (uint8_t)(bracket << PM_MASK_BRACKET);
        if (!bracket && ((reader->rules.templates && (byte == '{' || byte == '}')) ||
                         (reader->rules.expressions && (byte == '[' || byte == ']')) ||
                         (reader->rules.raw_after == 'R' && byte == ')')))
            reader->code_classes.of[byte] |= 1u << PM_MASK_OTHER;
    }
    pmi_byte_classes_finish(&reader->lexer_classes);
    pmi_byte_classes_finish(&reader->code_classes);
    return true;
}

/* ---- Between masks and the lexer ---- */

/* A chunk, of which the lexer has read the first `lexed` words, and masks those up to the `words`-th. A record ends in
 * the word of the last byte before the next one. */
typedef struct code_chunk {
    const unsigned char *text;
    pmi_code_found found;
    bool backticks; /* as in pmi_code_rules; the same: */
    bool separators, lifetimes;
    bool near;   /* of what is before a blank, the lexer asks nothing */
    bool quoted; /* the lexer is in a string or the like behind the words that it has read */
    size_t lexed, words;
    unsigned level;             /* of `around` when masks began */
    pmi_code_templates *around; /* NULL: the language has none */
    bool hashes;                /* as in pmi_code_rules */
    pmi_text_records records;   /* count 0: the chunk is a part of one text */
    size_t record;              /* that the lexer is in */
    size_t cut;                 /* the first that ends inside a string or comment; or as many as there are */
} code_chunk;

static bool record_ends(const code_chunk *chunk, size_t record, size_t end) {
    return record < chunk->records.count && pmi_text_records_next(&chunk->records, record) <= end;
}

/* Of the strings around the code, masks are told the innermost ones. */
#define TEMPLATES_TAKEN (PM_CODE_TEMPLATES / 2)

typedef struct templates_taking {
    const pmi_lexer *lexer;
    const pmi_region *region;
    pmi_code_templates *around;
} templates_taking;

static bool template_take(const void *entry, void *user) {
    const pmi_lexer_template *const template = entry;
    const templates_taking *const taking = user;
    pmi_code_templates *const around = taking->around;
    around->outer = template->region != taking->region || around->level == TEMPLATES_TAKEN;
    if (around->outer)
        return false;
    around->around[around->level].start = template->start - taking->lexer->position;
    around->around[around->level++].braces = template->braces;
    return true;
}

/* Takes over the strings around, of which the lexer's stack has the innermost one on top. */
static void templates_take(const pmi_code_reader *reader, const pmi_lexer *lexer, pmi_code_templates *around) {
    *around = (pmi_code_templates){.start = lexer->start - lexer->position, .braces = lexer->braces};
    if (!pmi_stack_top(&lexer->templates))
        return;
    pmi_stack_visit_down(&lexer->templates, template_take,
                         &(templates_taking){lexer, reader->regions[PM_INSIDE_RAW], around});
    for (unsigned k = 0; k < around->level / 2; k++) {
        const unsigned other = around->level - 1 - k;
        const uint64_t start = around->around[k].start, braces = around->around[k].braces;
        around->around[k] = around->around[other];
        around->around[other].start = start;
        around->around[other].braces = braces;
    }
    around->least = around->level;
}

/* Gives the lexer, which was at `position` when masks began, the strings that are around the code now. */
static void templates_follow(const pmi_code_reader *reader, pmi_lexer *lexer, const code_chunk *chunk,
                             uint64_t position) {
    const pmi_code_templates *const around = chunk->around;
    for (unsigned k = around->least; k < chunk->level; k++)
        pmi_stack_pop(&lexer->templates);
    for (unsigned k = around->least; k < around->level; k++) {
        lexer->start = position + around->around[k].start;
        lexer->first = '`';
        lexer->braces = around->around[k].braces;
        pmi_lexer_region_enter(lexer, reader->regions[PM_INSIDE_RAW]);
        if (!pmi_lexer_template_push(lexer, '{', true))
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

/* Takes over where the lexer is, if there nothing is pending that masks do not know. */
static bool state_take(const pmi_code_reader *reader, const pmi_lexer *lexer, code_chunk *chunk,
                       pmi_code_state *state) {
    *state = (pmi_code_state){.previous = pmi_lexer_history_byte(&lexer->history, 0)};
    if (chunk->around) {
        templates_take(reader, lexer, chunk->around);
        chunk->level = chunk->around->level;
    }
    if (pmi_stack_top(&lexer->templates) && (!chunk->around || chunk->records.count > 0))
        return false;
    if (lexer->state == PM_LEXER_RAW_HASHES && lexer->raw_length <= PM_CODE_DELIMITER && chunk->words > 0 &&
        chunk->records.count == 0) { /* masks see the hashes before the word */
        state->previous = reader->rules.raw_after;
        return true;
    }
    if (lexer->state == PM_LEXER_CODE)
        return true;
    if (lexer->state != PM_LEXER_REGION || !pmi_lexer_region_idle(lexer) || lexer->depth > 0)
        return false;
    for (pmi_code_inside sort = PM_INSIDE_BLOCK; sort <= PM_INSIDE_EXPRESSION; sort++)
        if (lexer->region == reader->regions[sort]) {
            state->inside = sort;
            state->in_class = lexer->in_class;
            return true;
        }
    if (!long_take(reader, lexer, chunk->found.closer))
        return false;
    state->inside = PM_INSIDE_LONG;
    return true;
}

static bool bit_at(const uint64_t *words, size_t i) {
    return words[i / PM_WORD_BITS] >> i % PM_WORD_BITS & 1;
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

/* The same of a comment; `goes_on`: a block comment began before `first`. Behind one comment another may begin without
 * a byte of code between them. */
static size_t comment_start(const code_chunk *chunk, size_t first, size_t end, bool goes_on, bool touching) {
    const unsigned char *const text = chunk->text;
    size_t start = region_start(chunk->found.comments, first, end);
    if (!touching && !touch_between_words(text, start, end))
        return start;
    const bool begun = start == first && goes_on;
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

/* The bytes of word w in [first, end) that are in no comment, nor in a string or character before its end. */
static uint64_t code_of_word(const code_chunk *chunk, size_t w, size_t first, size_t end) {
    const size_t base = w * PM_WORD_BITS;
    uint64_t code = ~(chunk->found.comments[w] | chunk->found.quoted[w]);
    if (base < first)
        code &= ~pmi_bits_low((unsigned)(first - base));
    if (end - base < PM_WORD_BITS)
        code &= pmi_bits_low((unsigned)(end - base));
    return code;
}

/* Where the code in [first, end) begins that fills the history, or `first`. */
static size_t history_start(const code_chunk *chunk, size_t first, size_t end) {
    unsigned bytes = 0;
    for (size_t w = (end + PM_WORD_BITS - 1) / PM_WORD_BITS; w-- > first / PM_WORD_BITS;)
        for (uint64_t code = code_of_word(chunk, w, first, end); code != 0;) {
            const unsigned bit = pmi_bits_highest(code);
            code ^= UINT64_C(1) << bit;
            const size_t i = w * PM_WORD_BITS + bit;
            const bool blank = pmi_byte_is_space(chunk->text[i]);
            if (blank && chunk->near)
                return i;
            bytes += !blank || (i > first && bit_at(chunk->found.quoted, i - 1)); /* behind a string of the line */
            if (bytes > PM_HISTORY_BYTES)
                return w * PM_WORD_BITS + bit;
        }
    return first;
}

#define RECENT_BYTES (2 * PM_HISTORY_BYTES)

/* The same as below where the last bytes are plain code that fills the history: then in one step. */
static bool history_take_recent(const code_chunk *chunk, pmi_lexer_history *history, size_t first, size_t end) {
    const unsigned char *const recent = chunk->text + end - RECENT_BYTES;
    if (end % PM_WORD_BITS != 0 || end - first < PM_WORD_BITS)
        return false;
    const size_t w = end / PM_WORD_BITS - 1;
    const uint64_t skipped = chunk->found.comments[w] | chunk->found.quoted[w];
    if (skipped >> (PM_WORD_BITS - RECENT_BYTES - 1) || memchr(recent, '\'', RECENT_BYTES) ||
        memchr(recent, '`', RECENT_BYTES))
        return false;
    size_t filled = RECENT_BYTES;
    while (filled > PM_HISTORY_BYTES && pmi_byte_is_space(recent[filled - 1]))
        filled--;
    if (pmi_byte_is_space(recent[filled - 1]))
        return false;
    pmi_lexer_history_extend(history, recent, RECENT_BYTES);
    return true;
}

/* Is the lexer in a string or the like? */
static bool in_quoted(const pmi_lexer *lexer) {
    return lexer->state == PM_LEXER_REGION && !(lexer->region->flags & PM_REGION_COMMENT);
}

/* Does that byte of code end a string, a character or a regular expression, as its closer or as the newline behind it?
 * `first`: masks began at this byte. */
static bool ends_operand(const code_chunk *chunk, size_t i, unsigned char byte, bool first) {
    if ((byte == '\'' && !chunk->separators) || (byte == '`' && chunk->backticks))
        return true;
    if (byte != '\'' && byte != '/' && byte != '\n' && !(byte == '#' && chunk->hashes))
        return false;
    return first ? chunk->quoted : i > 0 && bit_at(chunk->found.quoted, i - 1);
}

/* Does the apostrophe of code begin the name of a lifetime? The two are one operand. */
static bool begins_lifetime(const code_chunk *chunk, size_t i, size_t first) {
    return chunk->lifetimes && !(i == first ? chunk->quoted : i > 0 && bit_at(chunk->found.quoted, i - 1));
}

/* Does that byte begin code in a string? The lexer remembers it twice. */
static bool begins_code(const code_chunk *chunk, size_t i, unsigned char byte, size_t first) {
    return byte == '{' && chunk->around && i > first && bit_at(chunk->found.quoted, i - 1);
}

/* Gives the history a byte of code, the i-th of the chunk. */
static inline void history_push_code(const code_chunk *chunk, pmi_lexer_history *history, size_t i, size_t first) {
    const unsigned char byte = chunk->text[i];
    switch (byte) {
    case '\'':
    case '`':
    case '/':
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

/* The name of a lifetime has ended, if there was one. */
static void history_end_lifetime(pmi_lexer_history *history, bool *lifetime) {
    if (*lifetime)
        pmi_lexer_history_push(history, PM_LEXER_OPERAND);
    *lifetime = false;
}

/* Gives the history the code in [first, end). Of strings and characters, which begin and end there, the closing quote
 * stands for all; of comments a blank. Returns whether the code ends in the name of a lifetime, or behind its
 * apostrophe; the history lacks it then. */
static bool history_append(const code_chunk *chunk, pmi_lexer_history *history, size_t first, size_t end) {
    if (history_take_recent(chunk, history, first, end))
        return false;
    const size_t start = history_start(chunk, first, end);
    bool lifetime = false;
    for (size_t w = start / PM_WORD_BITS; w * PM_WORD_BITS < end; w++) {
        const size_t base = w * PM_WORD_BITS;
        uint64_t before =
            base < start ? pmi_bits_low((unsigned)(start - base)) : 0; /* bytes of the word that were seen */
        for (uint64_t code = code_of_word(chunk, w, start, end); code != 0; code &= code - 1) {
            const unsigned bit = pmi_bits_lowest(code);
            const unsigned char byte = chunk->text[base + bit];
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
static size_t lexer_begin_record(pmi_lexer *lexer, code_chunk *chunk, size_t first, size_t end) {
    const uint64_t position = lexer->position - first; /* of the chunk */
    size_t begin = first;
    if (!record_ends(chunk, chunk->record, end))
        return begin;
    for (; record_ends(chunk, chunk->record, end); chunk->record++)
        begin = pmi_text_records_next(&chunk->records, chunk->record);
    lexer->position = position + begin;
    pmi_lexer_restart(lexer);
    return begin;
}

/* The same where the text ends in the hashes of what may become a raw string. Masks do not read such hashes where too
 * few bytes are before them. */
static void hashes_follow(const pmi_code_reader *reader, pmi_lexer *lexer, const code_chunk *chunk, size_t end) {
    size_t first = end;
    bool raw;
    while (reader->rules.hashes && first > 0 && chunk->text[first - 1] == '#')
        first--;
    if (first == end || first < (size_t)PM_CODE_RAW_BACK)
        return;
    const pmi_code_state state = {.previous = chunk->text[first - 1]};
    const pmi_code_text last = {.bytes = chunk->text + first, .w = 1};
    if (pmi_code_raw_before(&reader->rules, &state, &last, &chunk->found, 0, &raw) == PM_CODE_UNKNOWN || !raw)
        return;
    lexer->state = PM_LEXER_RAW_HASHES;
    lexer->raw_length = end - first;
}

/* Puts the lexer behind the words that masks have read. */
static void lexer_follow(const pmi_code_reader *reader, pmi_lexer *lexer, code_chunk *chunk,
                         const pmi_code_state *state) {
    const size_t end = chunk->words * PM_WORD_BITS;
    if (chunk->lexed == chunk->words)
        return;
    const size_t first = lexer_begin_record(lexer, chunk, chunk->lexed * PM_WORD_BITS, end);
    chunk->lexed = chunk->words;
    if (first == end)
        return;
    const bool quoted = state->inside >= PM_INSIDE_STRING;
    const bool pending = state->slash || state->star || state->dollar || (quoted && state->escaped) ||
                         (state->inside == PM_INSIDE_LINE && reader->rules.lines_continue && state->backslash);
    const uint64_t position = lexer->position - first; /* of the chunk */
    size_t code_end = end - pending;
    bool entered = false;
    if (state->inside != PM_INSIDE_CODE) {
        const bool goes_on = lexer->state == PM_LEXER_REGION && lexer->region == reader->regions[PM_INSIDE_BLOCK];
        code_end = quoted ? region_start(chunk->found.quoted, first, end)
                          : comment_start(chunk, first, end, goes_on, state->touching);
        entered = code_end > first || lexer->state != PM_LEXER_REGION;
    }
    chunk->quoted = in_quoted(lexer);
    bool lifetime = false;
    if (lexer->remembers && (state->inside == PM_INSIDE_CODE || entered))
        lifetime = history_append(chunk, &lexer->history, first, code_end);
    if (lifetime && code_end < end)
        history_end_lifetime(&lexer->history, &lifetime);
    if (chunk->around && (chunk->level > 0 || chunk->around->level > 0 || chunk->around->outer))
        templates_follow(reader, lexer, chunk, position + first);
    if (state->inside == PM_INSIDE_CODE) {
        lexer->state = !lifetime ? PM_LEXER_CODE : chunk->text[end - 1] == '\'' ? PM_LEXER_QUOTE : PM_LEXER_QUOTE_WORD;
        hashes_follow(reader, lexer, chunk, end);
    } else if (entered) {
        if (state->inside == PM_INSIDE_RAW && chunk->around) { /* perhaps behind code in it */
            lexer->start = position + first + chunk->around->start;
            lexer->first = '`';
        } else {
            lexer->start = position + code_end;
            lexer->first = chunk->text[code_end];
        }
        if (state->inside != PM_INSIDE_LONG)
            pmi_lexer_region_enter(lexer, reader->regions[state->inside]);
    }
    if (state->inside == PM_INSIDE_LONG)
        long_follow(reader, lexer, chunk->found.closer, entered);
    lexer->in_class = state->inside == PM_INSIDE_EXPRESSION && state->in_class;
    if (pending)
        pmi_lexer_read_byte(lexer, chunk->text[end - 1], position + end - 1);
    lexer->position = position + end;
}

/* Words that the lexer reads at once, where masks fail again and again. */
#define RUN_WORDS 8

/* Has the lexer read the next words, in which no record ends. */
static void lexer_scan_run(pmi_lexer *lexer, const pmi_lexer_masks *piece, code_chunk *chunk) {
    uint64_t *const brackets = chunk->found.brackets + chunk->words;
    const size_t words = piece->n / PM_WORD_BITS;
    uint64_t outside[RUN_WORDS] = {0};
    pmi_lexer_scan_range(lexer, chunk->text + chunk->words * PM_WORD_BITS, piece, 0, piece->n, outside);
    for (size_t w = 0; w < words; w++)
        brackets[w] = outside[w] & pmi_lexer_mask_of(piece, w, PM_LEXER_BRACKET);
}

/* Has the lexer read the next word, in which records may end. */
static void lexer_scan_word(pmi_lexer *lexer, const pmi_lexer_masks *piece, code_chunk *chunk) {
    const size_t base = chunk->words * PM_WORD_BITS;
    const unsigned char *const text = chunk->text + base;
    uint64_t outside = 0, start;
    size_t from = 0;
    char byte;
    for (; record_ends(chunk, chunk->record, base + PM_WORD_BITS); chunk->record++) {
        pmi_lexer_scan_range(lexer, text, piece, from, chunk->records.ends[chunk->record] - base, &outside);
        if (chunk->cut > chunk->record && pmi_lexer_inside(lexer, &start, &byte))
            chunk->cut = chunk->record;
        if (lexer->out_of_memory)
            return;
        lexer->position += chunk->records.skipped;
        pmi_lexer_restart(lexer);
        from = pmi_text_records_next(&chunk->records, chunk->record) - base;
    }
    pmi_lexer_scan_range(lexer, text, piece, from, PM_WORD_BITS, &outside);
    chunk->found.brackets[chunk->words] = outside & piece->masks[PM_LEXER_BRACKET];
}

/* Has the lexer read the next words, at most RUN_WORDS; of records one. */
static pm_status lexer_read_words(const pmi_code_reader *reader, const pmi_classifier *classifier, pmi_lexer *lexer,
                                  code_chunk *chunk, size_t words) {
    uint64_t masks[RUN_WORDS * PM_PIECE_CLASSES];
    const unsigned char *const text = chunk->text + chunk->words * PM_WORD_BITS;
    const pmi_lexer_masks piece = {masks, lexer->classes, PM_WORD_BITS * words};
    classifier->classify(&reader->lexer_classes, lexer->classes, text, words, masks);
    if (words == 1)
        lexer_scan_word(lexer, &piece, chunk);
    else
        lexer_scan_run(lexer, &piece, chunk);
    chunk->lexed = chunk->words += words;
    return lexer->out_of_memory ? PM_OUT_OF_MEMORY : PM_OK;
}

/* Does a record end in code, behind a byte that means nothing together with the next? */
static bool ends_clearly(const pmi_code_reader *reader, const code_chunk *chunk, size_t last) {
    const unsigned char byte = chunk->text[last];
    const unsigned clear = 1u << PM_MASK_NEWLINE | (chunk->records.skipped ? 0 : 1u << PM_MASK_BRACKET);
    return !(reader->code_classes.of[byte] & ~clear) && !pmi_byte_in_name(byte) &&
           !bit_at(chunk->found.comments, last) && !bit_at(chunk->found.quoted, last);
}

/* Of the words that masks have read as one text, from the `at`-th on: how many are what records of their own are? */
static size_t words_as_records(const pmi_code_reader *reader, const code_chunk *chunk, size_t at, size_t words) {
    for (size_t r = chunk->record; record_ends(chunk, r, (at + words) * PM_WORD_BITS); r++) {
        const size_t next = pmi_text_records_next(&chunk->records, r);
        if (next > at * PM_WORD_BITS && !ends_clearly(reader, chunk, next - 1))
            return (next - 1) / PM_WORD_BITS - at;
    }
    return words;
}

_Static_assert((int)PM_CODE_IF == PM_DIRECTIVE_IF && (int)PM_CODE_IF_ZERO == PM_DIRECTIVE_IF_ZERO &&
                   (int)PM_CODE_ELSE_IF == PM_DIRECTIVE_ELSE_IF && (int)PM_CODE_ELSE == PM_DIRECTIVE_ELSE &&
                   (int)PM_CODE_ENDIF == PM_DIRECTIVE_END,
               "masks note directives as the lexer does");

/* Where masks note the directives from the next word on; the lexer has read all words before it. */
static pmi_code_branches branches_from(const pmi_code_rules *rules, const pmi_lexer *lexer, const code_chunk *chunk) {
    if (chunk->records.count > 0)
        return (pmi_code_branches){.what = PM_BRANCHES_READ};
    pmi_code_branches branches = {.what = PM_BRANCHES_IGNORED};
    if (lexer->directives) {
        branches.what = PM_BRANCHES_NOTED;
        branches.list = lexer->directives->list;
        branches.base = (size_t)(lexer->position - lexer->directives->base);
    }
    const unsigned wanted = rules->expressions || rules->elements ? PM_CODE_BEFORE : rules->directives ? 2 : 0;
    if (wanted == 0)
        return branches;
    pmi_lexer_history history = lexer->history;
    if (in_quoted(lexer))
        pmi_lexer_history_push(&history, PM_LEXER_OPERAND); /* which may end with its line */
    for (unsigned k = 0; k < wanted; k++)
        branches.before[k] = pmi_lexer_history_byte(&history, k);
    return branches;
}

_Static_assert(PM_LEXER_OPERAND == '"' && PM_CODE_BEFORE <= PM_HISTORY_BYTES && PM_CODE_SEPARATED == PM_HISTORY_BYTES,
               "masks are told what the lexer remembers");

/* Reads the next words by masks as far as those understand them, and returns their number. *failed: they tried, and
 * read none. */
static size_t masks_read(const pmi_code_reader *reader, const pmi_classifier *classifier, pmi_lexer *lexer,
                         code_chunk *chunk, const uint64_t *masks, size_t words, pmi_code_state *state, bool *failed) {
    const size_t at = chunk->words;
    const unsigned char *const text = chunk->text + at * PM_WORD_BITS;
    if (lexer->state == PM_LEXER_OPENING_REGION)
        pmi_lexer_opening_settle(lexer, text[0]);
    if (lexer->state == PM_LEXER_QUOTE_WORD && text[0] != '\'' && !pmi_byte_in_name(text[0])) {
        lexer->state = PM_LEXER_CODE; /* behind a lifetime */
        pmi_lexer_history_push(&lexer->history, PM_LEXER_OPERAND);
    }
    if (lexer->state == PM_LEXER_CLOSED && !lexer->region->close[1] &&
        text[0] != (unsigned char)lexer->region->close[0])
        pmi_lexer_closed_byte(lexer, text[0]); /* which leaves the region */
    const uint64_t *const of_text = masks + at * PM_MASK_COUNT;
    const pmi_code_found found = {chunk->found.brackets + at,
                                  chunk->found.comments + at,
                                  chunk->found.quoted + at,
                                  branches_from(&reader->rules, lexer, chunk),
                                  chunk->records.count == 0 ? chunk->around : NULL,
                                  chunk->found.closer,
                                  at > 0 && chunk->records.count == 0};
    *failed = false;
    if (!state_take(reader, lexer, chunk, state))
        return 0;
    if (chunk->around && (chunk->level > 0 || chunk->around->outer))
        state->inside |= PM_INSIDE_NESTED;
    if (found.branches.what == PM_BRANCHES_NOTED)
        state->branches = lexer->directives->count;
    const size_t read =
        classifier->code(&reader->rules, &reader->code_classes, state, text, of_text, words - at, &found);
    state->inside &= ~PM_INSIDE_NESTED;
    *failed = read == 0;
    const size_t right = words_as_records(reader, chunk, at, read);
    if (right == read)
        return read;
    state_take(reader, lexer, chunk, state); /* which must be that behind them */
    return classifier->code(&reader->rules, &reader->code_classes, state, text, of_text, right, &found);
}

static pm_status read_chunk(const pmi_code_reader *reader, const pmi_classifier *classifier, pmi_lexer *lexer,
                            size_t words, code_chunk *chunk) {
    uint64_t masks[PM_CHUNK_WORDS * PM_MASK_COUNT];
    const size_t longest = chunk->records.count > 0 ? 1 : RUN_WORDS;
    size_t run = 1; /* words that the lexer reads, the more the oftener masks read none */
    pmi_code_state state;
    pm_status status = PM_OK;
    bool failed;
    if (!classifier->makes_masks)
        classifier->classify(&reader->code_classes, PM_MASK_COUNT, chunk->text, words, masks);
    while (chunk->words < words && status == PM_OK) {
        const size_t read = masks_read(reader, classifier, lexer, chunk, masks, words, &state, &failed);
        chunk->words += read;
        if (read > 0)
            run = 1;
        else if (failed && run < longest)
            run *= 2;
        if (lexer->directives && state.branches > lexer->directives->count)
            lexer->directives->count = state.branches;
        lexer_follow(reader, lexer, chunk, &state);
        if (lexer->out_of_memory)
            return PM_OUT_OF_MEMORY;
        const size_t rest = words - chunk->words;
        if (rest > 0)
            status = lexer_read_words(reader, classifier, lexer, chunk, run < rest ? run : rest);
    }
    return status;
}

static bool asks_no_further(const pmi_code_reader *reader, const pmi_lexer *lexer) {
    return !reader->rules.directives && !reader->rules.expressions && !reader->rules.elements &&
           !(lexer->region_flags & (PM_REGION_START | PM_REGION_WORD | PM_REGION_NOT));
}

pm_status pmi_code_reader_words(const pmi_code_reader *reader, const pmi_classifier *classifier, pmi_lexer *lexer,
                                const unsigned char *text, size_t words, uint64_t *brackets) {
    uint64_t comments[PM_CHUNK_WORDS], quoted[PM_CHUNK_WORDS];
    pmi_code_templates around;
    pmi_code_closer closer;
    code_chunk chunk = {.text = text,
                        .found = {.brackets = brackets, .comments = comments, .quoted = quoted, .closer = &closer},
                        .backticks = reader->rules.backticks,
                        .hashes = reader->rules.hashes,
                        .around = reader->rules.templates ? &around : NULL,
                        .separators = reader->rules.separators,
                        .lifetimes = reader->rules.lifetimes,
                        .near = asks_no_further(reader, lexer)};
    return read_chunk(reader, classifier, lexer, words, &chunk);
}

pm_status pmi_code_reader_records(const pmi_code_reader *reader, const pmi_classifier *classifier, pmi_lexer *lexer,
                                  const unsigned char *text, const pmi_text_records *records, uint64_t *brackets,
                                  size_t *cut) {
    uint64_t comments[PM_CHUNK_WORDS], quoted[PM_CHUNK_WORDS];
    pmi_code_templates around;
    pmi_code_closer closer;
    code_chunk chunk = {.text = text,
                        .found = {.brackets = brackets, .comments = comments, .quoted = quoted, .closer = &closer},
                        .backticks = reader->rules.backticks,
                        .hashes = reader->rules.hashes,
                        .around = reader->rules.templates ? &around : NULL,
                        .separators = reader->rules.separators,
                        .lifetimes = reader->rules.lifetimes,
                        .near = asks_no_further(reader, lexer),
                        .records = *records,
                        .cut = records->count};
    const uint64_t position = lexer->position;
    const size_t n = records->count > 0 ? pmi_text_records_next(records, records->count - 1) : 0;
    const pm_status status = read_chunk(reader, classifier, lexer, pmi_bits_words(n), &chunk);
    lexer->position = position + n;
    if (status == PM_OK)
        pmi_lexer_restart(lexer);
    *cut = chunk.cut;
    return status;
}
