/* SPDX-License-Identifier: Apache-2.0 */
/* States of a lexer as strings of bytes. */
#include "core/lexer/state.h"

#include <string.h>

#include "core/lexer/history.h"

#define BEGINS_TEXT 1u    /* nothing was read yet */
#define OPENS_AT_START 2u /* what may become a region began with the text */

/* ---- Bytes and numbers ---- */

typedef struct writer {
    unsigned char *bytes;
    size_t room, length;
} writer;

static void put_byte(writer *to, unsigned char byte) {
    if (to->length < to->room)
        to->bytes[to->length] = byte;
    to->length++;
}

/* Seven bits a byte, the lowest first. */
static void put(writer *to, uint64_t number) {
    for (; number >= 0x80; number >>= 7)
        put_byte(to, (unsigned char)(number | 0x80));
    put_byte(to, (unsigned char)number);
}

static void put_word(writer *to, uint64_t word) {
    for (unsigned k = 0; k < 8; k++)
        put_byte(to, (unsigned char)(word >> 8 * k));
}

static unsigned char get_byte(const unsigned char **from) {
    return *(*from)++;
}

static uint64_t get(const unsigned char **from) {
    uint64_t number = 0;
    for (unsigned shift = 0;; shift += 7) {
        const unsigned char byte = get_byte(from);
        number |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80)
            return number;
    }
}

static uint64_t get_word(const unsigned char **from) {
    uint64_t word = 0;
    for (unsigned k = 0; k < 8; k++)
        word |= (uint64_t)get_byte(from) << 8 * k;
    return word;
}

/* ---- Regions ---- */

static uint64_t index_of(const pmi_lexer *lexer, const pmi_region *region) {
    return region ? (uint64_t)(region - lexer->language->regions) + 1 : 0;
}

static const pmi_region *region_at(const pmi_lexer *lexer, uint64_t index) {
    return index > 0 ? &lexer->language->regions[index - 1] : NULL;
}

/* A shell's string holds what the code around it counts. */
static bool has_raw_length(const pmi_region *region) {
    return region && (region->flags & (PM_REGION_HASHED | PM_REGION_DELIMITED | PM_REGION_LONG | PM_REGION_JSX) ||
                      (region->flags & PM_REGION_TEMPLATE && strcmp(region->code, "$({") == 0));
}

static bool has_opener(const pmi_region *region) {
    return region && region->flags & (PM_REGION_PAIRED | PM_REGION_JSX);
}

/* ---- Template literals ---- */

/* Without where it began, and what its region does not use. */
pmi_lexer_template pmi_lexer_template_plain(const pmi_lexer_template *entry) {
    pmi_lexer_template plain;
    memset(&plain, 0, sizeof plain); /* padding too: it is compared */
    plain.braces = entry->braces;
    plain.region = entry->region;
    plain.depth = entry->depth;
    plain.raw_length = has_raw_length(entry->region) ? entry->raw_length : 0;
    plain.opener = has_opener(entry->region) ? entry->opener : 0;
    plain.closer = entry->region->flags & PM_REGION_PAIRED ? entry->closer : 0;
    plain.code_close = entry->code_close;
    plain.counted = entry->counted;
    plain.in_class = entry->in_class;
    return plain;
}

/* Thousands of literals may be open, and are looked at at every save. */
bool pmi_lexer_template_is_plain_of(const pmi_lexer_template *plain, const pmi_lexer_template *entry) {
    const pmi_region *const region = entry->region;
    return plain->region == region && plain->braces == entry->braces && plain->depth == entry->depth &&
           plain->code_close == entry->code_close && plain->counted == entry->counted &&
           plain->in_class == entry->in_class && (plain->raw_length == entry->raw_length || !has_raw_length(region)) &&
           (plain->opener == entry->opener || !has_opener(region)) &&
           (plain->closer == entry->closer || !(region->flags & PM_REGION_PAIRED));
}

/* Equal literals in a row are written once. */
typedef struct template_run {
    const pmi_lexer *lexer;
    writer *to;
    pmi_lexer_template entry;
    uint64_t count;
} template_run;

static void put_run(const template_run *run) {
    put(run->to, run->count);
    if (run->count == 0)
        return;
    put(run->to, run->entry.braces);
    put(run->to, index_of(run->lexer, run->entry.region));
    put(run->to, run->entry.depth);
    put(run->to, run->entry.raw_length);
    put_byte(run->to, run->entry.opener);
    put_byte(run->to, run->entry.closer);
    put_byte(run->to, run->entry.code_close);
    put_byte(run->to, run->entry.counted);
    put_byte(run->to, run->entry.in_class);
}

static bool visit_template(const void *entry, void *user) {
    template_run *const run = user;
    if (run->count > 0 && pmi_lexer_template_is_plain_of(&run->entry, entry)) {
        run->count++;
        return true;
    }
    if (run->count > 0)
        put_run(run);
    run->entry = pmi_lexer_template_plain(entry);
    run->count = 1;
    return true;
}

static void put_templates(writer *to, const pmi_lexer *lexer) {
    template_run run = {.lexer = lexer, .to = to};
    pmi_stack_visit(&lexer->templates, visit_template, &run);
    if (run.count > 0)
        put_run(&run);
    put(to, 0);
}

bool pmi_lexer_push_plain(pmi_lexer *lexer, const pmi_lexer_template *plain, uint64_t count) {
    pmi_lexer_template entry = *plain;
    entry.start = 1;
    entry.loaded = true;
    for (size_t some; count > 0; count -= some) {
        some = count < SIZE_MAX ? (size_t)count : SIZE_MAX;
        pmi_lexer_template *const pushed = pmi_stack_push_some(&lexer->templates, &some);
        if (!pushed)
            return false;
        for (size_t k = 0; k < some; k++)
            pushed[k] = entry;
    }
    return true;
}

static bool get_templates(const unsigned char **from, pmi_lexer *lexer) {
    for (uint64_t count; (count = get(from)) > 0;) {
        pmi_lexer_template entry = {.braces = get(from)};
        entry.region = region_at(lexer, get(from));
        entry.depth = get(from);
        entry.raw_length = get(from);
        entry.opener = get_byte(from);
        entry.closer = get_byte(from);
        entry.code_close = get_byte(from);
        entry.counted = get_byte(from);
        entry.in_class = get_byte(from);
        if (!pmi_lexer_push_plain(lexer, &entry, count))
            return false;
    }
    return true;
}

/* ---- YAML ---- */

static void put_yaml(writer *to, const pmi_yaml *yaml) {
    put(to, yaml->state);
    put(to, yaml->flow);
    put(to, yaml->column);
    put(to, yaml->indent);
    put(to, yaml->key);
    put_byte(to, yaml->newest);
    put_byte(to, yaml->repeats);
    put_byte(to, yaml->continues);
}

static void get_yaml(const unsigned char **from, pmi_yaml *yaml) {
    const uint64_t state = get(from);
    memset(yaml, 0, sizeof *yaml);
    memcpy(&yaml->state, &(unsigned){(unsigned)state}, sizeof yaml->state);
    yaml->flow = get(from);
    yaml->column = get(from);
    yaml->indent = get(from);
    yaml->key = get(from);
    yaml->newest = get_byte(from);
    yaml->repeats = get_byte(from);
    yaml->continues = get_byte(from);
}

/* ---- What is not plain code ---- */

static void put_region_state(writer *to, const pmi_lexer *lexer) {
    const bool in_region = lexer->state == PM_LEXER_REGION || lexer->state == PM_LEXER_CLOSED;
    const pmi_region *const region =
        in_region || lexer->state == PM_LEXER_LONG || lexer->parts > 0 ? lexer->region : NULL;
    const bool raw = !in_region || has_raw_length(region) || lexer->language->code & PM_CODE_SHELL;
    const bool delimiter = lexer->state == PM_LEXER_RAW_DELIMITER || (region && region->flags & PM_REGION_DELIMITED);
    put(to, index_of(lexer, region));
    put(to, in_region ? 0 : lexer->opening_length);
    for (unsigned k = 0; k < PM_LEXER_OPENING; k++)
        put_byte(to, in_region ? 0 : lexer->opening[k]);
    put(to, in_region ? lexer->escape : 0);
    put_byte(to, in_region ? lexer->previous : 0);
    put(to, in_region ? lexer->matched : 0);
    put(to, in_region ? lexer->depth : 0);
    put_byte(to, in_region && lexer->in_class);
    put_byte(to, has_opener(region) ? lexer->opener : 0);
    put_byte(to, region && region->flags & PM_REGION_PAIRED ? lexer->closer : 0);
    put(to, raw ? lexer->raw_length : 0);
    for (uint64_t k = 0; delimiter && k < lexer->raw_length; k++)
        put_byte(to, lexer->raw_delimiter[k]);
    put(to, lexer->parts);
    if (lexer->region_flags & PM_REGION_YAML)
        put_yaml(to, &lexer->yaml);
    const bool begins = lexer->state == PM_LEXER_HEREDOC;
    put(to, begins || (in_region && region->flags & PM_REGION_HEREDOC) ? lexer->heredoc_hash : 0);
    put_byte(to, begins ? lexer->heredoc_quote : 0);
    put(to, begins ? lexer->heredoc_step : 0);
    put_byte(to, begins && lexer->heredoc_count < PM_HEREDOCS_MAX && lexer->heredocs[lexer->heredoc_count].indented);
}

static void get_region_state(const unsigned char **from, pmi_lexer *lexer) {
    lexer->region = region_at(lexer, get(from));
    lexer->opening_length = (unsigned)get(from);
    for (unsigned k = 0; k < PM_LEXER_OPENING; k++)
        lexer->opening[k] = get_byte(from);
    lexer->escape = (pmi_lexer_escape)get(from);
    lexer->previous = get_byte(from);
    lexer->matched = get(from);
    lexer->depth = get(from);
    lexer->in_class = get_byte(from);
    lexer->opener = get_byte(from);
    lexer->closer = get_byte(from);
    lexer->raw_length = get(from);
    if (lexer->state == PM_LEXER_RAW_DELIMITER || (lexer->region && lexer->region->flags & PM_REGION_DELIMITED))
        for (uint64_t k = 0; k < lexer->raw_length; k++)
            lexer->raw_delimiter[k] = get_byte(from);
    lexer->parts = (unsigned)get(from);
    if (lexer->region_flags & PM_REGION_YAML)
        get_yaml(from, &lexer->yaml);
    lexer->heredoc_hash = get(from);
    lexer->heredoc_quote = get_byte(from);
    lexer->heredoc_step = (unsigned)get(from);
    const bool indented = get_byte(from);
    if (lexer->heredoc_count < PM_HEREDOCS_MAX)
        lexer->heredocs[lexer->heredoc_count].indented = indented;
}

/* ---- The whole state ---- */

static void put_innermost(writer *to, const pmi_lexer *lexer, bool with_history) {
    const bool opens_at_start = lexer->state == PM_LEXER_OPENING_REGION && lexer->start == 0;
    put_byte(to, (unsigned char)((lexer->position == 0 ? BEGINS_TEXT : 0) | (opens_at_start ? OPENS_AT_START : 0)));
    put(to, lexer->state);
    if (lexer->remembers && with_history) {
        put_word(to, lexer->history.newer);
        put_word(to, lexer->history.older);
    }
    put(to, lexer->braces);
    put(to, lexer->heredoc_count);
    for (unsigned k = 0; k < lexer->heredoc_count; k++) {
        put(to, lexer->heredocs[k].hash);
        put_byte(to, lexer->heredocs[k].indented);
    }
    put(to, lexer->case_count);
    for (unsigned k = 0; k < lexer->case_count; k++) {
        put(to, lexer->cases[k].part);
        put(to, lexer->cases[k].parens);
        put(to, lexer->cases[k].arithmetic);
        put_byte(to, lexer->cases[k].unclosed);
    }
    if (lexer->state != PM_LEXER_CODE)
        put_region_state(to, lexer);
    else if (lexer->language->code & PM_CODE_SHELL)
        put(to, pmi_stack_top(&lexer->templates) ? lexer->raw_length : 0);
}

size_t pmi_lexer_save_innermost(const pmi_lexer *lexer, unsigned char *bytes, size_t room) {
    writer to = {bytes, room, 0};
    put_innermost(&to, lexer, true);
    return to.length;
}

static size_t save(const pmi_lexer *lexer, bool with_history, unsigned char *bytes, size_t room) {
    writer to = {bytes, room, 0};
    put_innermost(&to, lexer, with_history);
    put_templates(&to, lexer);
    return to.length;
}

size_t pmi_lexer_save(const pmi_lexer *lexer, unsigned char *bytes, size_t room) {
    return save(lexer, true, bytes, room);
}

size_t pmi_lexer_save_apart(const pmi_lexer *lexer, unsigned char *bytes, size_t room) {
    return save(lexer, false, bytes, room);
}

/* Returns the byte before `*back`, or a run of blanks as one, and goes on to what is before that. */
static unsigned char history_step(const pmi_lexer_history *history, unsigned *back) {
    const unsigned char newest = pmi_lexer_history_byte(history, (*back)++);
    unsigned newlines = newest == '\n';
    if (!pmi_byte_is_space(newest))
        return newest;
    for (; pmi_byte_is_space(pmi_lexer_history_byte(history, *back)); (*back)++)
        newlines += pmi_lexer_history_byte(history, *back) == '\n';
    if (newlines > 1 && pmi_lexer_history_byte(history, *back) == '\\')
        return '\v'; /* a line that goes on ends */
    return newlines > 0 ? '\n' : ' ';
}

bool pmi_lexer_histories_agree(const pmi_lexer_history *a, const pmi_lexer_history *b, bool near) {
    unsigned back_a = 0, back_b = 0;
    while (back_a < PM_HISTORY_BYTES && back_b < PM_HISTORY_BYTES) {
        const unsigned char of_a = history_step(a, &back_a), of_b = history_step(b, &back_b);
        const bool blanks = pmi_byte_is_space(of_a) && pmi_byte_is_space(of_b);
        const bool cut = back_a >= PM_HISTORY_BYTES || back_b >= PM_HISTORY_BYTES; /* there may have been a newline */
        if (of_a != of_b && !(blanks && cut))
            return false;
        if (blanks && near)
            return true;
    }
    return true;
}

static void get_innermost(const unsigned char **from, pmi_lexer *lexer) {
    pmi_lexer_clear(lexer);
    const unsigned where = get_byte(from);
    lexer->position = where & BEGINS_TEXT ? 0 : PM_LEXER_ELSEWHERE;
    lexer->start = where & (BEGINS_TEXT | OPENS_AT_START) ? 0 : 1;
    lexer->state = (pmi_lexer_state)get(from);
    if (lexer->remembers) {
        lexer->history.newer = get_word(from);
        lexer->history.older = get_word(from);
    }
    lexer->braces = get(from);
    lexer->heredoc_count = (unsigned)get(from);
    for (unsigned k = 0; k < lexer->heredoc_count; k++) {
        lexer->heredocs[k].hash = get(from);
        lexer->heredocs[k].indented = get_byte(from);
        lexer->heredocs[k].length = 0; /* the word is not known */
    }
    lexer->case_count = (unsigned)get(from);
    for (unsigned k = 0; k < lexer->case_count; k++) {
        lexer->cases[k].part = (pmi_shell_part)get(from);
        lexer->cases[k].parens = get(from);
        lexer->cases[k].arithmetic = get(from);
        lexer->cases[k].unclosed = get_byte(from);
    }
    if (lexer->state != PM_LEXER_CODE)
        get_region_state(from, lexer);
    else if (lexer->language->code & PM_CODE_SHELL)
        lexer->raw_length = get(from);
}

void pmi_lexer_load_innermost(pmi_lexer *lexer, const unsigned char *bytes) {
    get_innermost(&bytes, lexer);
}

bool pmi_lexer_load(pmi_lexer *lexer, const unsigned char *bytes) {
    const unsigned char *from = bytes;
    get_innermost(&from, lexer);
    if (get_templates(&from, lexer))
        return true;
    pmi_lexer_clear(lexer);
    return false;
}

bool pmi_lexer_begun(const pmi_lexer *lexer, uint64_t *position) {
    const pmi_lexer_template *const outermost = pmi_stack_bottom(&lexer->templates);
    if (!outermost && lexer->state == PM_LEXER_CODE)
        return false;
    *position = outermost ? outermost->start : lexer->start;
    return true;
}
