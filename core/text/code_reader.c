/* SPDX-License-Identifier: Apache-2.0 */
/* Words of code by masks and, where those are not enough, by the lexer. */
#include "core/text/code_reader.h"
#include "core/lexer/parts.h"
#include "core/text/bracket_masks.h"

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
    reader->regions[PM_INSIDE_RAW] = reader->holders[PM_HOLDER_BACKTICKS] = region;
    return true;
}

/* Strings of C# that hold code. */
static void add_interpolated(pmi_code_reader *reader, const pmi_region *region) {
    static const struct {
        const char *open;
        unsigned flags;
    } sorts[] = {[PM_HOLDER_DOLLAR] = {"$\"", PM_REGION_ESCAPES | PM_REGION_LINE | PM_REGION_TEMPLATE},
                 [PM_HOLDER_DOLLAR_AT] = {"$@\"", PM_REGION_DOUBLED | PM_REGION_TEMPLATE},
                 [PM_HOLDER_AT_DOLLAR] = {"@$\"", PM_REGION_DOUBLED | PM_REGION_TEMPLATE}};
    for (unsigned sort = PM_HOLDER_DOLLAR; sort <= PM_HOLDER_AT_DOLLAR; sort++)
        if (has_delimiters(region, sorts[sort].open, "\"") && region->flags == sorts[sort].flags &&
            strcmp(region->code, " {") == 0)
            reader->holders[sort] = region;
    reader->rules.interpolated = reader->holders[PM_HOLDER_DOLLAR] && reader->holders[PM_HOLDER_DOLLAR_AT] &&
                                 reader->holders[PM_HOLDER_AT_DOLLAR];
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
            reader->holders[PM_HOLDER_ELEMENT] = region;
            reader->code_classes.all.of['<'] |= 1u << PM_MASK_OTHER;
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
        if (region->open[0] == '#')
            rules->bang = strcmp(region->open, "#!") == 0 && !(reader->code_classes.all.of['#'] & 1u << PM_MASK_OTHER);
        reader->code_classes.all.of[(unsigned char)region->open[0]] |= 1u << PM_MASK_OTHER;
        if (has_delimiters(region, "@\"", "\"") && region->flags == PM_REGION_DOUBLED) {
            rules->verbatim = true;
            reader->longs[PM_LONG_VERBATIM] = region;
        }
        add_interpolated(reader, region);
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
    rules->returns = (line | string | character) & PM_REGION_CONTINUED;
    if (rules->directives)
        reader->code_classes.all.of['#'] |= 1u << PM_MASK_OTHER;
}

bool pmi_code_reader_asks_around(const pmi_code_reader *reader) {
    const pmi_code_rules *const rules = &reader->rules;
    return rules->templates || rules->interpolated || rules->expressions || rules->elements;
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
        reader->code_classes.all.of[bytes[b].byte] |= (uint8_t)(1u << bytes[b].mask);
    memcpy(reader->lexer_classes.of, lexer->class_of, sizeof reader->lexer_classes.of);
    for (unsigned byte = 0; byte < 256; byte++) {
        const bool bracket = lexer->class_of[byte] >> PM_LEXER_BRACKET & 1;
        const bool name = pmi_byte_in_name((unsigned char)byte), blank = pmi_byte_is_space((unsigned char)byte);
        if (bracket && ((reader->rules.lifetimes && name) || (reader->rules.elements && (name || blank))))
            return false; /* which in a lifetime, or before it is seen what a < begins, does not count */
        reader->code_classes.all.of[byte] |= (uint8_t)(bracket << PM_MASK_BRACKET);
        const bool holds = reader->rules.templates || reader->rules.interpolated;
        if (!bracket &&
            ((holds && (byte == '{' || byte == '}')) || (reader->rules.expressions && (byte == '[' || byte == ']')) ||
             (reader->rules.raw_after == 'R' && byte == ')')))
            reader->code_classes.all.of[byte] |= 1u << PM_MASK_OTHER;
    }
    pmi_byte_classes_finish(&reader->lexer_classes);
    pmi_code_classes_finish(&reader->code_classes);
    return true;
}

/* ---- Words that the lexer reads ---- */

/* Words that the lexer reads at once, where masks fail again and again. */
#define RUN_WORDS 8

/* Words that masks may read at once behind a record whose end they do not see, or hashes that they do not know; twice
 * as many each time it goes well. */
#define AHEAD_LEAST 16

/* Has the lexer read the next words, in which no record ends. */
static void lexer_scan_run(pmi_lexer *lexer, const pmi_lexer_masks *piece, pmi_code_chunk *chunk) {
    uint64_t *const brackets = chunk->found.brackets + chunk->words;
    const size_t words = piece->n / PM_WORD_BITS;
    uint64_t outside[RUN_WORDS] = {0};
    pmi_lexer_scan_range(lexer, chunk->text + chunk->words * PM_WORD_BITS, piece, 0, piece->n, outside);
    for (size_t w = 0; w < words; w++)
        brackets[w] =
            outside[w] & (pmi_lexer_mask_of(piece, w, PM_LEXER_BRACKET) | (lexer->lines ? lexer->lines[w] : 0));
}

/* Has the lexer read the next word, in which records may end. */
static void lexer_scan_word(pmi_lexer *lexer, const pmi_lexer_masks *piece, pmi_code_chunk *chunk) {
    const size_t base = chunk->words * PM_WORD_BITS;
    const unsigned char *const text = chunk->text + base;
    uint64_t outside = 0, start;
    size_t from = 0;
    char byte;
    for (; pmi_code_record_ends(chunk, chunk->record, base + PM_WORD_BITS); chunk->record++) {
        pmi_lexer_scan_last(lexer, text, piece, from, chunk->records.ends[chunk->record] - base, &outside);
        if (chunk->cut > chunk->record && pmi_lexer_inside(lexer, &start, &byte))
            chunk->cut = chunk->record;
        if (lexer->out_of_memory)
            return;
        lexer->position += chunk->records.skipped;
        pmi_lexer_restart(lexer);
        from = pmi_text_records_next(&chunk->records, chunk->record) - base;
    }
    pmi_lexer_scan_range(lexer, text, piece, from, PM_WORD_BITS, &outside);
    chunk->found.brackets[chunk->words] =
        outside & (piece->masks[PM_LEXER_BRACKET] | (lexer->lines ? lexer->lines[0] : 0));
}

/* Has the lexer read the next words, at most RUN_WORDS; of records one. */
static pm_status lexer_read_words(const pmi_code_reader *reader, const pmi_classifier *classifier, pmi_lexer *lexer,
                                  pmi_code_chunk *chunk, size_t words) {
    uint64_t masks[RUN_WORDS * PM_PIECE_CLASSES];
    const unsigned char *const text = chunk->text + chunk->words * PM_WORD_BITS;
    const pmi_lexer_masks piece = {masks, lexer->classes, PM_WORD_BITS * words};
    classifier->classify(&reader->lexer_classes, lexer->classes, text, words, masks);
    lexer->lines = chunk->lines ? chunk->lines + chunk->words : NULL;
    if (words == 1)
        lexer_scan_word(lexer, &piece, chunk);
    else
        lexer_scan_run(lexer, &piece, chunk);
    lexer->lines = NULL;
    chunk->lexed = chunk->words += words;
    return lexer->out_of_memory ? PM_OUT_OF_MEMORY : PM_OK;
}

/* Does a record end in code, behind a byte that means nothing together with the next? */
static bool ends_clearly(const pmi_code_reader *reader, const pmi_code_chunk *chunk, size_t last) {
    const unsigned char byte = chunk->text[last];
    const unsigned clear = 1u << PM_MASK_NEWLINE | (chunk->records.skipped ? 0 : 1u << PM_MASK_BRACKET);
    const bool in_number = byte == '.' && reader->rules.separators; /* as 1. is before an apostrophe */
    return !(reader->code_classes.all.of[byte] & ~clear) && !pmi_byte_in_name(byte) && byte != '#' && !in_number &&
           !pmi_code_bit_at(chunk->found.comments, last) && !pmi_code_bit_at(chunk->found.quoted, last);
}

/* Of the words that masks have read as one text, from the `at`-th on: how many are what records of their own are? */
static size_t words_as_records(const pmi_code_reader *reader, const pmi_code_chunk *chunk, size_t at, size_t words) {
    for (size_t r = chunk->record; pmi_code_record_ends(chunk, r, (at + words) * PM_WORD_BITS); r++) {
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
static pmi_code_branches branches_from(const pmi_code_rules *rules, const pmi_lexer *lexer,
                                       const pmi_code_chunk *chunk) {
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
    if (pmi_code_in_quoted(lexer))
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
                         pmi_code_chunk *chunk, size_t words, pmi_code_state *state, bool *failed) {
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
    const pmi_code_found found = {chunk->found.brackets + at,
                                  chunk->found.comments + at,
                                  chunk->found.quoted + at,
                                  branches_from(&reader->rules, lexer, chunk),
                                  chunk->records.count == 0 ? chunk->around : NULL,
                                  chunk->found.closer,
                                  at > 0 && chunk->records.count == 0,
                                  chunk->lines != NULL};
    *failed = false;
    if (!pmi_code_state_take(reader, lexer, chunk, state))
        return 0;
    if (chunk->around && (chunk->level > 0 || chunk->around->outer))
        state->inside |= PM_INSIDE_NESTED;
    if (found.branches.what == PM_BRANCHES_NOTED)
        state->branches = lexer->directives->count;
    const size_t read = classifier->code(&reader->rules, chunk->classes, state, text, words - at, &found);
    state->inside &= ~PM_INSIDE_NESTED;
    const size_t right =
        pmi_code_hashes_known(reader, lexer, chunk, at * PM_WORD_BITS, words_as_records(reader, chunk, at, read));
    *failed = read == 0 || (right == 0 && chunk->records.count == 0);
    if (right == read)
        return read;
    pmi_code_state_take(reader, lexer, chunk, state); /* which must be that behind them */
    return classifier->code(&reader->rules, chunk->classes, state, text, right, &found);
}

static pm_status read_chunk(const pmi_code_reader *reader, const pmi_classifier *classifier, pmi_lexer *lexer,
                            size_t words, pmi_code_chunk *chunk) {
    const bool records = chunk->records.count > 0;
    const size_t longest = records ? 1 : RUN_WORDS;
    size_t run = 1;       /* words that the lexer reads, the more the oftener masks read none */
    size_t ahead = words; /* words for masks: few where they read on in vain */
    pmi_code_state state;
    pm_status status = PM_OK;
    bool failed;
    while (chunk->words < words && status == PM_OK) {
        const size_t end = ahead < words - chunk->words ? chunk->words + ahead : words;
        const size_t read = masks_read(reader, classifier, lexer, chunk, end, &state, &failed);
        chunk->words += read;
        if (read > 0)
            run = 1;
        else if (failed && run < longest)
            run *= 2;
        const bool noted = lexer->directives && state.branches > lexer->directives->count;
        if (noted)
            lexer->directives->count = state.branches;
        pmi_code_lexer_follow(reader, lexer, chunk, &state);
        lexer->mixed |= noted && pmi_stack_top(&lexer->templates) != NULL; /* perhaps in a string's code */
        if (lexer->out_of_memory)
            return PM_OUT_OF_MEMORY;
        const size_t rest = words - chunk->words;
        ahead = chunk->words == end ? 2 * ahead : records || (failed && chunk->hashes) ? AHEAD_LEAST : ahead;
        if (rest > 0 && chunk->words < end)
            status = lexer_read_words(reader, classifier, lexer, chunk, run < rest ? run : rest);
    }
    return status;
}

bool pmi_code_asks_no_further(const pmi_code_reader *reader, const pmi_lexer *lexer) {
    return !reader->rules.directives && !reader->rules.expressions && !reader->rules.elements &&
           !(lexer->region_flags & (PM_REGION_START | PM_REGION_WORD | PM_REGION_NOT));
}

/* What a chunk is read into beside its brackets. */
typedef struct chunk_room {
    uint64_t comments[PM_CODE_WORDS], quoted[PM_CODE_WORDS];
    pmi_code_templates around;
    pmi_code_closer closer;
} chunk_room;

static pmi_code_chunk chunk_of(const pmi_code_reader *reader, const pmi_lexer *lexer, const unsigned char *text,
                               uint64_t *brackets, chunk_room *room) {
    return (pmi_code_chunk){
        .text = text,
        .found = {.brackets = brackets, .comments = room->comments, .quoted = room->quoted, .closer = &room->closer},
        .backticks = reader->rules.backticks,
        .hashes = reader->rules.hashes,
        .around = reader->rules.templates || reader->rules.interpolated ? &room->around : NULL,
        .classes = &reader->code_classes,
        .separators = reader->rules.separators,
        .lifetimes = reader->rules.lifetimes,
        .near = pmi_code_asks_no_further(reader, lexer)};
}

pm_status pmi_code_reader_words(const pmi_code_reader *reader, const pmi_classifier *classifier, pmi_lexer *lexer,
                                const unsigned char *text, size_t words, uint64_t *brackets) {
    chunk_room room; /* not initialised: most of it is not used most of the time */
    pmi_code_chunk chunk = chunk_of(reader, lexer, text, brackets, &room);
    return read_chunk(reader, classifier, lexer, words, &chunk);
}

pm_status pmi_code_reader_records(const pmi_code_reader *reader, const pmi_classifier *classifier, pmi_lexer *lexer,
                                  const unsigned char *text, const pmi_text_records *records, uint64_t *brackets,
                                  size_t *cut) {
    chunk_room room;
    pmi_code_chunk chunk = chunk_of(reader, lexer, text, brackets, &room);
    chunk.records = *records;
    chunk.cut = records->count;
    const uint64_t position = lexer->position;
    const size_t n = records->count > 0 ? pmi_text_records_next(records, records->count - 1) : 0;
    const pm_status status = read_chunk(reader, classifier, lexer, pmi_bits_words(n), &chunk);
    lexer->position = position + n;
    if (status == PM_OK)
        pmi_lexer_restart(lexer);
    *cut = chunk.cut;
    return status;
}

static void know_lines(pmi_code_reader *reader) {
    if (reader->knows_lines)
        return;
    reader->line_classes = reader->code_classes;
    reader->line_classes.all.of['\n'] |= 1u << PM_MASK_BRACKET;
    pmi_code_classes_finish(&reader->line_classes);
    reader->knows_lines = true;
}

pm_status pmi_code_reader_lines(pmi_code_reader *reader, const pmi_classifier *classifier, pmi_lexer *lexer,
                                const unsigned char *text, const pmi_text_records *records, uint64_t *brackets,
                                size_t *apart) {
    const uint64_t position = lexer->position;
    const size_t n = pmi_text_records_next(records, records->count - 1), words = pmi_bits_words(n);
    uint64_t lines[PM_PIECE_WORDS];
    chunk_room room;
    know_lines(reader);
    classifier->find('\n', text, words, lines, NULL);
    pmi_code_chunk chunk = chunk_of(reader, lexer, text, brackets, &room);
    chunk.classes = &reader->line_classes;
    chunk.lines = lines;
    const pm_status status = read_chunk(reader, classifier, lexer, words, &chunk);
    if (status != PM_OK)
        return status;
    *apart = pmi_lexer_count_apart(lexer, text, records, brackets);
    for (size_t w = 0; w < words; w++)
        brackets[w] &= ~lines[w];
    lexer->position = *apart == records->count ? position + n : position;
    pmi_lexer_restart(lexer);
    return PM_OK;
}
