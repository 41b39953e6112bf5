/* SPDX-License-Identifier: Apache-2.0 */
/* From bytes to tokens. Two lexers read the text: one finds its brackets, the other one all bytes of code. */
#include "core/repair/tokens.h"

#include "base/memory.h"
#include "core/lexer/lexer.h"
#include "core/repair/prior.h"

#include <string.h>

enum {
    TAB = 8, /* columns */
    FORM_WORDS = 60,
    PREFIX_MAX = 2 /* bytes */
};

uint32_t pmi_code_token_name(const char *bytes, size_t n) {
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < n; i++)
        hash = (hash ^ (unsigned char)bytes[i]) * 16777619u;
    return hash;
}

static bool is_digit(unsigned char byte) {
    return byte >= '0' && byte <= '9';
}

static bool is_word(unsigned char byte) {
    return byte >= 0x80 || byte == '_' || byte == '$' || is_digit(byte) ||
           ((byte | 0x20) >= 'a' && (byte | 0x20) <= 'z');
}

static bool is_blank(unsigned char byte) {
    return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r' || byte == '\f' || byte == '\v';
}

uint8_t pmi_code_token_sort(unsigned char byte) {
    return is_digit(byte) ? PM_SORT_NUMBER : is_word(byte) ? PM_SORT_WORD : byte;
}

/* ---- What is code, what is a bracket ---- */

typedef struct marks {
    uint64_t *code, *brackets; /* a bit a byte */
    pmi_directives directives; /* of the piece that was read last */
} marks;

static bool code_at(const marks *marked, size_t i) {
    return pmi_bits_get(marked->code, i);
}

typedef struct token_reader {
    const unsigned char *text;
    size_t n;
    const pm_alphabet *alphabet;
    bool has_directives, has_statements, has_paren_words;
    bool has_prefixes;        /* of strings */
    bool has_line_statements; /* the end of a line ends a statement, unless an operator stands there, as in Go */
    bool has_colon_blocks;    /* a line that ends with a colon begins a block, as in Python */
    marks marked;
    pmi_code_tokens *tokens;
    size_t room;
    bool too_many; /* tokens */
    const pm_allocator *allocator;

    uint32_t indent;
    pmi_spacing spacing;
    uint32_t form_names[FORM_WORDS];
    pmi_prior_words known_words;
    size_t line_first; /* token that begins the line */
    bool directive_line;
} token_reader;

/* Sets bit i of mask for each byte of the alphabet that the lexer finds. */
static pm_status mark(const token_reader *reader, const pm_language *language, const pm_alphabet *alphabet,
                      uint64_t *mask) {
    pmi_lexer lexer;
    pmi_lexer_init(&lexer, language, alphabet, reader->allocator);
    pm_status status = PM_OK;
    for (size_t i = 0; i < reader->n && status == PM_OK; i += PM_WORD_BITS) {
        const size_t piece = reader->n - i < PM_WORD_BITS ? reader->n - i : PM_WORD_BITS;
        status = pmi_lexer_scan(&lexer, reader->text + i, piece, &mask[i / PM_WORD_BITS]);
    }
    pmi_lexer_clear(&lexer);
    return status;
}

static pm_status mark_all(const token_reader *reader, const pm_language *language) {
    pm_alphabet every;
    memset(every.role, PM_ROLE(PM_ROLE_OPEN, 0), sizeof every.role);
    const pm_status status = mark(reader, language, reader->alphabet, reader->marked.brackets);
    return status == PM_OK ? mark(reader, language, &every, reader->marked.code) : status;
}

/* ---- Tokens ---- */

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

static bool append(token_reader *reader, pmi_code_token token) {
    pmi_code_tokens *const tokens = reader->tokens;
    if (tokens->count == PM_TOKENS_MAX) {
        reader->too_many = true;
        return false;
    }
    if (tokens->count == reader->room) {
        const size_t room = least(2 * reader->room, PM_TOKENS_MAX);
        pmi_code_token *const list = pmi_memory_allocate(reader->allocator, room, sizeof *list);
        if (!list)
            return false;
        memcpy(list, tokens->list, tokens->count * sizeof *list);
        pmi_memory_free(reader->allocator, tokens->list);
        tokens->list = list;
        reader->room = room;
    }
    tokens->list[tokens->count++] = token;
    return true;
}

static bool is_one_of(const char *const *words, size_t count, uint32_t name) {
    for (size_t w = 0; w < count; w++)
        if (name == pmi_code_token_name(words[w], strlen(words[w])))
            return true;
    return false;
}

static bool is_among(const pm_language *language, const char *const *names, size_t count) {
    for (size_t k = 0; k < count; k++)
        if (strcmp(names[k], language->name) == 0)
            return true;
    return false;
}

/* Languages in which a statement does not stand in parentheses; in the first of them its condition does. */
static const char *const statement_names[] = {"c",          "c++", "java", "csharp", "javascript",
                                              "typescript", "go",  "rust", "python"};
enum {
    STATEMENT_NAMES = sizeof statement_names / sizeof *statement_names,
    PAREN_NAMES = 6
};

/* Languages whose strings have no prefixes. */
static const char *const plain_string_names[] = {"java", "javascript", "typescript", "go", "json"};
enum {
    PLAIN_STRING_NAMES = sizeof plain_string_names / sizeof *plain_string_names
};

/* Does a parenthesis have to follow a word that a token is put behind? */
static bool wants_paren(const token_reader *reader, uint32_t name) {
    static const char *const words[] = {"if", "for", "while", "switch"};
    const pmi_code_token *const before = &reader->tokens->list[reader->tokens->count - 1];
    return reader->has_paren_words && !reader->directive_line && before->sort != '.' &&
           is_one_of(words, sizeof words / sizeof *words, name);
}

/* Does the end of a line behind a token end a statement? */
static bool line_ends_statement(const token_reader *reader, const pmi_code_token *last) {
    return reader->has_line_statements &&
           (last->sort == PM_SORT_WORD || last->sort == PM_SORT_NUMBER || last->sort == PM_SORT_STRING ||
            (last->role != PM_ROLE_NEUTRAL && !pmi_role_is_open(last->role)));
}

/* Does the token before the end of a line end a statement there, or begin or end a block? */
static bool ends_statement(const token_reader *reader, const pmi_code_token *last) {
    return last->sort == ';' || last->sort == '{' || last->sort == '}' || line_ends_statement(reader, last);
}

/* Does a statement begin with a word that begins a line? */
static bool begins_statement(const token_reader *reader, uint32_t name) {
    static const char *const words[] = {"return", "break",   "continue", "while",  "throw", "raise", "def",
                                        "class",  "import",  "elif",     "except", "try",   "pass",  "switch",
                                        "public", "private", "export",   "let",    "var",   "const"};
    const size_t count = sizeof words / sizeof *words;
    return reader->has_statements && is_one_of(words, reader->has_directives ? count - 1 : count, name);
}

/* A line has ended: was it a label? */
static void finish_line(token_reader *reader) {
    pmi_code_tokens *const tokens = reader->tokens;
    static const char *const words[] = {"case", "default", "public", "private", "protected"};
    if (reader->line_first == tokens->count)
        return;
    bool label = tokens->list[tokens->count - 1].sort == ':';
    label |= is_one_of(words, sizeof words / sizeof *words, tokens->list[reader->line_first].name);
    for (size_t t = reader->line_first; t < tokens->count; t++)
        tokens->list[t].label_line = label;
    reader->line_first = tokens->count;
}

/* Words that are no operands, and what they are instead. */
static const struct {
    const char *word;
    uint8_t form;
} forms[FORM_WORDS] = {
    {"for", PM_FORM_FOR},         {"if", PM_FORM_CONTROL},       {"while", PM_FORM_CONTROL},
    {"switch", PM_FORM_CONTROL},  {"catch", PM_FORM_CONTROL},    {"elif", PM_FORM_CONTROL},
    {"match", PM_FORM_CONTROL},   {"return", PM_FORM_FLOW},      {"throw", PM_FORM_FLOW},
    {"raise", PM_FORM_FLOW},      {"yield", PM_FORM_FLOW},       {"await", PM_FORM_FLOW},
    {"case", PM_FORM_FLOW},       {"in", PM_FORM_FLOW},          {"not", PM_FORM_FLOW},
    {"and", PM_FORM_FLOW},        {"or", PM_FORM_FLOW},          {"is", PM_FORM_FLOW},
    {"typeof", PM_FORM_FLOW},     {"delete", PM_FORM_FLOW},      {"else", PM_FORM_FLOW},
    {"do", PM_FORM_FLOW},         {"new", PM_FORM_FLOW},         {"assert", PM_FORM_FLOW},
    {"lambda", PM_FORM_FLOW},     {"of", PM_FORM_FLOW},          {"goto", PM_FORM_FLOW},
    {"try", PM_FORM_FLOW},        {"finally", PM_FORM_FLOW},     {"default", PM_FORM_FLOW},
    {"int", PM_FORM_DECLARE},     {"char", PM_FORM_DECLARE},     {"void", PM_FORM_DECLARE},
    {"const", PM_FORM_DECLARE},   {"unsigned", PM_FORM_DECLARE}, {"long", PM_FORM_DECLARE},
    {"short", PM_FORM_DECLARE},   {"double", PM_FORM_DECLARE},   {"float", PM_FORM_DECLARE},
    {"struct", PM_FORM_DECLARE},  {"static", PM_FORM_DECLARE},   {"extern", PM_FORM_DECLARE},
    {"enum", PM_FORM_DECLARE},    {"union", PM_FORM_DECLARE},    {"signed", PM_FORM_DECLARE},
    {"var", PM_FORM_DECLARE},     {"let", PM_FORM_DECLARE},      {"mut", PM_FORM_DECLARE},
    {"def", PM_FORM_DECLARE},     {"class", PM_FORM_DECLARE},    {"function", PM_FORM_DECLARE},
    {"func", PM_FORM_DECLARE},    {"fn", PM_FORM_DECLARE},       {"public", PM_FORM_DECLARE},
    {"private", PM_FORM_DECLARE}, {"final", PM_FORM_DECLARE},    {"import", PM_FORM_DECLARE},
    {"from", PM_FORM_DECLARE},    {"inline", PM_FORM_DECLARE},   {"typedef", PM_FORM_DECLARE},
};

static void name_forms(token_reader *reader) {
    for (size_t k = 0; k < FORM_WORDS; k++)
        reader->form_names[k] = pmi_code_token_name(forms[k].word, strlen(forms[k].word));
}

static uint8_t form_of_word(const token_reader *reader, uint32_t name) {
    for (size_t k = 0; k < FORM_WORDS; k++)
        if (reader->form_names[k] == name)
            return forms[k].form;
    return PM_SORT_WORD;
}

/* Does a token that begins a line begin a statement, and nothing else? */
static bool is_statement(const token_reader *reader, uint8_t sort, uint32_t name) {
    const pmi_code_token *const before = &reader->tokens->list[reader->tokens->count - 1];
    return (sort == PM_SORT_WORD && begins_statement(reader, name)) ||
           (reader->has_colon_blocks && before->sort == ':' && reader->indent > before->indent);
}

static bool add_token(token_reader *reader, size_t begin, size_t end, uint8_t sort) {
    const unsigned char byte = reader->text[begin];
    const bool bracket = pmi_bits_get(reader->marked.brackets, begin);
    if (reader->spacing == PM_SPACE_LINE) {
        finish_line(reader);
        const bool goes_on = reader->directive_line && reader->tokens->list[reader->tokens->count - 1].sort == '\\';
        reader->directive_line = (byte == '#' && reader->has_directives) || goes_on;
    }
    const bool begins_line = reader->spacing == PM_SPACE_LINE;
    pmi_code_token token = {
        .begin = (uint32_t)begin,
        .end = (uint32_t)end,
        .name = sort == PM_SORT_WORD ? pmi_code_token_name((const char *)reader->text + begin, end - begin) : sort,
        .indent = reader->indent,
        .sort = sort,
        .role = bracket ? reader->alphabet->role[byte] : PM_ROLE_NEUTRAL,
        .spacing = (uint8_t)reader->spacing,
        .directive_line = reader->directive_line};
    token.form = sort == PM_SORT_WORD ? form_of_word(reader, token.name) : sort;
    token.class = pmi_prior_class(&reader->known_words, (const char *)reader->text, &token);
    token.statement = begins_line && is_statement(reader, sort, token.name);
    const pmi_code_token *const last = &reader->tokens->list[reader->tokens->count - 1];
    token.behind_statement = begins_line && ends_statement(reader, last);
    token.line_statements = reader->has_line_statements;
    token.behind_line = begins_line && line_ends_statement(reader, last);
    token.wants_paren = token.form != PM_SORT_WORD && sort == PM_SORT_WORD && wants_paren(reader, token.name);
    reader->spacing = PM_SPACE_NONE;
    return append(reader, token);
}

/* Goes over a blank. */
static void read_blank(token_reader *reader, size_t i) {
    if (reader->text[i] == '\n') {
        reader->spacing = PM_SPACE_LINE;
        reader->indent = 0;
        return;
    }
    if (reader->spacing == PM_SPACE_LINE)
        reader->indent = reader->text[i] == '\t' ? reader->indent / TAB * TAB + TAB : reader->indent + 1;
    else
        reader->spacing = PM_SPACE_BLANK;
}

/* Is what begins at i, and is not code, a string? If not it is a comment, or an operator that could have begun one. */
static bool is_string(const token_reader *reader, size_t i, size_t end) {
    const unsigned char byte = reader->text[i], next = i + 1 < end ? reader->text[i + 1] : 0;
    return byte == '"' || byte == '\'' || byte == '`' || (byte == '/' && next != 0 && next != '/' && next != '*');
}

/* Is the token before the prefix of a string, as in r'' or L""? It ends where the string begins. */
static bool is_prefix(const token_reader *reader, const pmi_code_token *t, size_t begin) {
    if (t->sort != PM_SORT_WORD || t->end != begin || t->end - t->begin > PREFIX_MAX || !reader->has_prefixes)
        return false;
    for (uint32_t i = t->begin; i < t->end; i++)
        if (!strchr("bBcCfFlLrRuU8", reader->text[i]))
            return false;
    return true;
}

static bool add_string(token_reader *reader, size_t begin, size_t end) {
    pmi_code_token *const last = &reader->tokens->list[reader->tokens->count - 1];
    if (!is_prefix(reader, last, begin))
        return add_token(reader, begin, end, PM_SORT_STRING);
    last->end = (uint32_t)end;
    last->name = last->sort = last->form = last->class = PM_SORT_STRING;
    return true;
}

/* Reads what is not code. Returns its end. */
static size_t read_region(token_reader *reader, size_t i, bool *stored) {
    size_t end = i + 1;
    while (end < reader->n && !code_at(&reader->marked, end) && !pmi_bits_get(reader->marked.brackets, end))
        end++;
    if (is_string(reader, i, end)) {
        *stored = add_string(reader, i, end);
        return end;
    }
    if (end - i <= 2 && reader->text[i] != '#') {
        *stored = add_token(reader, i, i + 1, reader->text[i]);
        return i + 1;
    }
    if (reader->text[i] == '#' && end == i + 1) {
        *stored = add_token(reader, i, end, '#');
        return end;
    }
    for (; i < end; i++) /* a comment */
        read_blank(reader, i);
    return end;
}

static size_t read_word(const token_reader *reader, size_t i) {
    while (i < reader->n && is_word(reader->text[i]) && code_at(&reader->marked, i) &&
           !pmi_bits_get(reader->marked.brackets, i))
        i++;
    return i;
}

static bool read_tokens(token_reader *reader) {
    bool stored = true;
    for (size_t i = 0; i < reader->n && stored;) {
        const unsigned char byte = reader->text[i];
        const bool code = code_at(&reader->marked, i);
        if (pmi_bits_get(reader->marked.brackets, i)) {
            stored = add_token(reader, i, i + 1, byte);
            i++;
        } else if (is_blank(byte)) {
            read_blank(reader, i++);
        } else if (!code) {
            i = read_region(reader, i, &stored);
        } else if (is_word(byte)) {
            const size_t end = read_word(reader, i);
            stored = add_token(reader, i, end, pmi_code_token_sort(byte));
            i = end;
        } else {
            stored = add_token(reader, i, i + 1, byte);
            i++;
        }
    }
    return stored;
}

/* ---- Directives ---- */

/* Marks the tokens that are names of directives; `from` is where to begin looking, and moves. */
static void take_directives(pmi_code_tokens *tokens, const pmi_directives *directives, size_t *from) {
    for (size_t k = 0; k < directives->count; k++) {
        const uint64_t behind = directives->base + (directives->list[k] >> 3);
        while (*from + 1 < tokens->count && tokens->list[*from + 1].begin < behind)
            ++*from;
        tokens->list[*from].directive = (uint8_t)(1 + (directives->list[k] & 7));
    }
}

static pm_status read_directives(token_reader *reader, const pm_language *language) {
    pmi_directives *const directives = &reader->marked.directives;
    pmi_lexer lexer;
    pmi_lexer_init(&lexer, language, reader->alphabet, reader->allocator);
    lexer.directives = directives;
    size_t from = 0;
    pm_status status = PM_OK;
    for (size_t i = 0; i < reader->n && status == PM_OK; i += PM_WORD_BITS) {
        const size_t piece = reader->n - i < PM_WORD_BITS ? reader->n - i : PM_WORD_BITS;
        uint64_t brackets;
        directives->base = i;
        directives->count = 0;
        status = pmi_lexer_scan(&lexer, reader->text + i, piece, &brackets);
        take_directives(reader->tokens, directives, &from);
    }
    pmi_lexer_clear(&lexer);
    return status;
}

static bool add_edges(token_reader *reader, size_t at) {
    for (unsigned k = 0; k < PM_TOKEN_EDGE; k++)
        if (!append(reader, (pmi_code_token){.begin = (uint32_t)at, .end = (uint32_t)at, .spacing = PM_SPACE_LINE}))
            return false;
    return true;
}

static pm_status read_all(token_reader *reader, const pm_language *language) {
    const pm_status marked = mark_all(reader, language);
    if (marked != PM_OK)
        return marked;
    if (!add_edges(reader, 0))
        return PM_OUT_OF_MEMORY;
    reader->line_first = reader->tokens->count;
    const bool read = read_tokens(reader);
    if (read)
        finish_line(reader);
    if (!read || !add_edges(reader, reader->n))
        return reader->too_many ? PM_TOO_LARGE : PM_OUT_OF_MEMORY;
    return reader->has_directives ? read_directives(reader, language) : PM_OK;
}

pm_status pmi_code_tokens_read(const pm_allocator *allocator, const pm_language *language, const pm_alphabet *alphabet,
                               const char *text, size_t n, pmi_code_tokens *tokens) {
    const size_t words = pmi_bits_words(n) + 1;
    *tokens = (pmi_code_tokens){0};
    token_reader reader = {.text = (const unsigned char *)text,
                           .n = n,
                           .alphabet = alphabet,
                           .has_directives = (language->code & PM_CODE_DIRECTIVES) != 0,
                           .has_statements = is_among(language, statement_names, STATEMENT_NAMES),
                           .has_paren_words = is_among(language, statement_names, PAREN_NAMES),
                           .has_prefixes = !is_among(language, plain_string_names, PLAIN_STRING_NAMES),
                           .has_line_statements = strcmp(language->name, "go") == 0,
                           .has_colon_blocks = strcmp(language->name, "python") == 0,
                           .tokens = tokens,
                           .room = least(n / 3 + 64, PM_TOKENS_MAX),
                           .allocator = allocator,
                           .spacing = PM_SPACE_LINE};
    name_forms(&reader);
    const pmi_prior *const prior = pmi_prior_of(language);
    pmi_prior_words_init(&reader.known_words, prior ? prior->words : "");
    reader.marked.code = pmi_memory_allocate(allocator, 2 * words, sizeof *reader.marked.code);
    tokens->list = pmi_memory_allocate(allocator, reader.room, sizeof *tokens->list);
    pm_status status = PM_OUT_OF_MEMORY;
    if (reader.marked.code && tokens->list) {
        memset(reader.marked.code, 0, 2 * words * sizeof *reader.marked.code);
        reader.marked.brackets = reader.marked.code + words;
        status = read_all(&reader, language);
    }
    pmi_memory_free(allocator, reader.marked.code);
    if (status != PM_OK) {
        pmi_memory_free(allocator, tokens->list);
        *tokens = (pmi_code_tokens){0};
    }
    return status;
}
