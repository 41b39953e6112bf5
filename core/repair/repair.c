/* SPDX-License-Identifier: Apache-2.0 */
/* pm_text_repair(): from a text to places; and pm_text_repair_apply(). */
#include <string.h>

#include "base/memory.h"
#include "core/context/context.h"
#include "core/repair/samples.h"
#include "core/repair/search.h"
#include "core/text/place.h"

#define KINDS_MAX 4u

/* By how much the best repair must be likelier than the next one, a logarithm, to be certain: then 98 of 100 are right,
 * in texts that lack a bracket or have one twice. */
#define MARGIN_CLOSE_DATA 1.0  /* ... in JSON and the like, without parentheses */
#define MARGIN_CLOSE_LONG 12.0 /* ... in a long line, where nothing does */
#define MARGIN_LINE 8.0        /* a line of its own */
#define MARGIN_SEVERAL 5.0     /* more than one change */
#define MARGIN_REPLACE 25.0    /* rather another bracket is missing */
#define MARGIN_LONG 7.0        /* a new bracket in a long line */
#define MARGIN_END 100.0       /* at the end of the text all that is open can be closed */
#define BESIDE 3u              /* bytes between two places that are alike */
#define LONG_LINE 300u         /* bytes */

/* Those that depend on the language. */
typedef struct language_margins {
    double open_paren, close_paren;   /* a parenthesis put in */
    double double_open, double_close; /* ... taken away; a close is perhaps not one too many: its open is missing */
    double other, double_other;       /* another bracket, but not a closing brace, put in or taken away */
    double close_beside, close_far;   /* a brace by indentation, if the next best place is next to it, or not */
} language_margins;

/* In Rust blocks are everywhere, so that an indentation says more. Python's parentheses around tuples, and the second
 * pairs that C's have, could be left out. */
static const language_margins margins_c = {4.5, 4.5, 5.0, 3.5, 2.5, 1.0, 2.5, 2.5};
static const language_margins margins_php = {3.0, 2.5, 1.0, 3.5, 2.5, 2.0, 3.5, 2.0};
static const language_margins margins_ruby = {2.0, 3.5, 1.0, 3.5, 2.5, 1.5, 2.5, 2.0};
static const language_margins margins_rust = {3.5, 4.0, 3.0, 3.5, 1.5, 1.5, 2.0, 2.0};
static const language_margins margins_typescript = {5.2, 2.8, 4.5, 4.6, 1.0, 1.5, 2.9, 2.5};
static const language_margins margins_cpp = {4.5, 6.0, 3.5, 3.0, 3.0, 8.0, 4.5, 2.0};
static const language_margins margins_python = {4.5, 4.5, 3.0, 4.5, 3.0, 1.5, 2.5, 2.5};
/* Without what is known of C, as in C#. */
static const language_margins margins_directives = {6.0, 6.0, 3.5, 7.0, 4.5, 2.5, 5.0, 3.0};
static const language_margins margins_others = {5.2, 4.0, 3.0, 6.6, 4.0, 4.0, 2.5, 4.0};

static bool has_directives(const pm_language *language) {
    return (language->code & PM_CODE_DIRECTIVES) != 0;
}

static const language_margins *margins_of(const pm_language *language) {
    static const struct {
        const char *language;
        const language_margins *margins;
    } known[] = {{"c", &margins_c},
                 {"c++", &margins_cpp},
                 {"php", &margins_php},
                 {"python", &margins_python},
                 {"ruby", &margins_ruby},
                 {"rust", &margins_rust},
                 {"typescript", &margins_typescript}};
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        if (strcmp(known[k].language, language->name) == 0)
            return known[k].margins;
    return has_directives(language) ? &margins_directives : &margins_others;
}

_Static_assert(PM_CHANGES_MAX == PM_REPAIRS_MAX, "all changes can be given back");

/* By places; changes at one place keep their order. */
static void sort_changes(pmi_change *changes, size_t count) {
    for (size_t k = 1; k < count; k++)
        for (size_t j = k; j > 0 && changes[j - 1].at > changes[j].at; j--) {
            const pmi_change moved = changes[j];
            changes[j] = changes[j - 1];
            changes[j - 1] = moved;
        }
}

static pm_repair repair_of(const char *text, const pmi_change *change, bool certain) {
    static const pm_repair_kind kinds[] = {[PM_CHANGE_INSERT] = PM_REPAIR_INSERT,
                                           [PM_CHANGE_INSERT_LINE] = PM_REPAIR_INSERT,
                                           [PM_CHANGE_REMOVE] = PM_REPAIR_REMOVE,
                                           [PM_CHANGE_REPLACE] = PM_REPAIR_REPLACE};
    pm_repair repair = {.kind = kinds[change->sort],
                        .at = pmi_place_of(text, change->at),
                        .byte = (char)change->byte,
                        .new_line = change->sort == PM_CHANGE_INSERT_LINE,
                        .certain = certain};
    if (change->partner != UINT32_MAX)
        repair.partner = pmi_place_of(text, change->partner);
    return repair;
}

/* Is a place in a long line? */
static bool in_long_line(const char *text, size_t n, size_t at) {
    size_t begin = at, end = at;
    while (begin > 0 && text[begin - 1] != '\n' && end - begin <= LONG_LINE)
        begin--;
    while (end < n && text[end] != '\n' && end - begin <= LONG_LINE)
        end++;
    return end - begin > LONG_LINE;
}

/* Do two changes put a bracket at almost one place? */
static bool is_beside(const pmi_change *a, const pmi_change *b) {
    const uint32_t between = a->at < b->at ? b->at - a->at : a->at - b->at;
    const bool inserts = b->sort == PM_CHANGE_INSERT || b->sort == PM_CHANGE_INSERT_LINE;
    return inserts && between <= BESIDE;
}

/* The margins that changes need. */
static double margin_of_insertion(const pmi_repair_text *text, const pmi_change *change, const pmi_change *rival,
                                  const language_margins *margins) {
    if (change->at == text->n)
        return MARGIN_END;
    if (change->byte == '(')
        return margins->open_paren;
    if (change->byte == ')')
        return margins->close_paren;
    if (change->byte != '}')
        return margins->other;
    if (in_long_line(text->text, text->n, change->at))
        return MARGIN_CLOSE_LONG;
    if (text->alphabet->role['('] == PM_ROLE_NEUTRAL)
        return MARGIN_CLOSE_DATA;
    return is_beside(change, rival) ? margins->close_beside : margins->close_far;
}

static double margin_of(const pmi_repair_text *text, const pmi_change *change, const pmi_change *rival,
                        const language_margins *margins) {
    switch (change->sort) {
    case PM_CHANGE_INSERT:
        return margin_of_insertion(text, change, rival, margins);
    case PM_CHANGE_INSERT_LINE:
        return change->at == text->n ? MARGIN_END : MARGIN_LINE;
    case PM_CHANGE_REMOVE:
        if (change->byte == '(')
            return margins->double_open;
        return change->byte == ')' ? margins->double_close : margins->double_other;
    default:
        return MARGIN_REPLACE;
    }
}

/* Are all changes so likely that they can be made unseen? */
static bool is_certain(const pmi_repair_text *text, const pmi_repair_found *found, const language_margins *margins) {
    if (text->has_directives && found->margin == PM_MARGIN_NONE)
        return false; /* others were lost where branches disagree */
    double needed = found->count > 1 ? MARGIN_SEVERAL : 0;
    for (size_t k = 0; k < found->count; k++) {
        const double margin = margin_of(text, &found->changes[k], &found->rival, margins);
        needed = margin > needed ? margin : needed;
        if (found->changes[k].sort != PM_CHANGE_REMOVE && needed < MARGIN_LONG &&
            in_long_line(text->text, text->n, found->changes[k].at))
            needed = MARGIN_LONG;
    }
    return found->margin >= needed;
}

static bool too_many_kinds(const pm_alphabet *alphabet) {
    for (unsigned byte = 0; byte < 256; byte++)
        if (pmi_role_kind(alphabet->role[byte]) >= KINDS_MAX)
            return true;
    return false;
}

/* Do the brackets match? */
static pm_status check(pm_context *context, const pm_language *language, const pm_alphabet *alphabet, const char *text,
                       size_t n, bool *match) {
    pm_check *checker;
    pm_check_summary found = {0};
    pm_status status = pm_check_create(context, language, alphabet, NULL, NULL, &checker);
    if (status != PM_OK)
        return status;
    status = pm_check_push(checker, text, n);
    const pm_status finished = pm_check_finish(checker, &found);
    pm_check_destroy(checker);
    *match = found.unmatched.close == 0 && found.unmatched.open == 0 && found.mismatched == 0;
    return status == PM_OK ? finished : status;
}

/* Do they match in the repaired text? A bracket may have changed what is a string. */
static pm_status check_repaired(pm_context *context, const pm_language *language, const pm_alphabet *alphabet,
                                const char *text, size_t n, const pm_repair *repairs, size_t count, bool *match) {
    const pm_allocator allocator = pm_context_allocator(context);
    size_t length;
    pm_status status = pm_text_repair_apply(text, n, repairs, count, 0, NULL, &length);
    char *const repaired = status == PM_OK ? pmi_memory_allocate(&allocator, length, 1) : NULL;
    if (!repaired)
        return status == PM_OK ? PM_OUT_OF_MEMORY : status;
    status = pm_text_repair_apply(text, n, repairs, count, length, repaired, &length);
    if (status == PM_OK)
        status = check(context, language, alphabet, repaired, length, match);
    pmi_memory_free(&allocator, repaired);
    return status;
}

/* Every change adds or removes one bracket or alters a kind, so it mends at most one that is unmatched. Where branches
 * give a choice nothing is said. */
static bool is_beyond_repair(const pmi_code_tokens *tokens) {
    size_t open = 0, close = 0;
    for (size_t i = 0; i < tokens->count; i++) {
        const pmi_code_token *const t = &tokens->list[i];
        if (t->directive != 0)
            return false;
        if (pmi_role_is_open(t->role))
            open++;
        else if (t->role != PM_ROLE_NEUTRAL && open > 0)
            open--;
        else
            close += t->role != PM_ROLE_NEUTRAL;
    }
    return open + close > PM_CHANGES_MAX;
}

static pm_status learn(const pm_allocator *allocator, const pm_language *language, const pmi_repair_text *text,
                       pmi_habits *habits) {
    const char *const sample = pmi_repair_sample(language);
    pmi_code_tokens tokens;
    pm_status status = pmi_code_tokens_read(allocator, language, text->alphabet, sample, strlen(sample), &tokens);
    if (status != PM_OK)
        return status;
    status = pmi_habits_learn(habits, allocator, text->tokens, &tokens, text->alphabet->role['('] == PM_ROLE_NEUTRAL);
    pmi_memory_free(allocator, tokens.list);
    return status;
}

static pm_status search_tokens(const pm_allocator *allocator, const pm_language *language, pmi_repair_text text,
                               pmi_repair_found *found) {
    pmi_habits habits;
    pm_status status = learn(allocator, language, &text, &habits);
    if (status != PM_OK)
        return status;
    text.habits = &habits;
    pmi_prior_reader prior;
    status = pmi_prior_reader_init(&prior, pmi_prior_of(language), allocator);
    text.prior = &prior;
    if (status == PM_OK)
        status = pmi_repair_search(allocator, &text, found);
    pmi_prior_reader_clear(&prior, allocator);
    pmi_habits_clear(&habits, allocator);
    return status;
}

static pm_status search(const pm_allocator *allocator, const pm_language *language, const pm_alphabet *alphabet,
                        const char *text, size_t n, pmi_repair_found *found) {
    pmi_code_tokens tokens;
    pm_status status = pmi_code_tokens_read(allocator, language, alphabet, text, n, &tokens);
    if (status != PM_OK)
        return status;
    *found = (pmi_repair_found){.count = PM_CHANGES_MAX + 1};
    if (!is_beyond_repair(&tokens))
        status = search_tokens(allocator, language,
                               (pmi_repair_text){.text = text,
                                                 .n = n,
                                                 .alphabet = alphabet,
                                                 .tokens = &tokens,
                                                 .has_directives = has_directives(language)},
                               found);
    pmi_memory_free(allocator, tokens.list);
    return status;
}

pm_status pm_text_repair(pm_context *context, const pm_language *language, const pm_alphabet *alphabet,
                         const char *text, size_t n, size_t capacity, pm_repair *repairs, size_t *count) {
    if (!count || !language || (n > 0 && !text) || (capacity > 0 && !repairs))
        return PM_INVALID_ARGUMENT;
    if (pmi_language_has_delimiters(language))
        return PM_UNSUPPORTED;
    if (!alphabet)
        alphabet = pm_language_alphabet(language);
    else if (!pmi_alphabet_valid(alphabet))
        return PM_INVALID_ARGUMENT;
    if (too_many_kinds(alphabet))
        return PM_UNSUPPORTED;
    if (n > PM_REPAIR_BYTES_MAX)
        return PM_TOO_LARGE;
    *count = 0;
    bool match;
    pm_status status = check(context, language, alphabet, text, n, &match);
    if (status != PM_OK || match)
        return status;
    const pm_allocator allocator = pm_context_allocator(context);
    pmi_repair_found found;
    pm_repair all[PM_REPAIRS_MAX];
    status = search(&allocator, language, alphabet, text, n, &found);
    if (status != PM_OK || found.count > PM_CHANGES_MAX)
        return status;
    const pmi_repair_text judged = {
        .text = text, .n = n, .alphabet = alphabet, .has_directives = has_directives(language)};
    const bool certain = is_certain(&judged, &found, margins_of(language));
    sort_changes(found.changes, found.count);
    for (size_t k = 0; k < found.count; k++)
        all[k] = repair_of(text, &found.changes[k], certain);
    status = check_repaired(context, language, alphabet, text, n, all, found.count, &match);
    if (status != PM_OK || !match)
        return status;
    for (size_t k = 0; k < found.count && k < capacity; k++)
        repairs[k] = all[k];
    *count = found.count;
    return PM_OK;
}

/* ---- The repaired text ---- */

typedef struct text_output {
    char *to;
    size_t capacity, length;
} text_output;

static void put(text_output *output, const char *bytes, size_t n) {
    for (size_t i = 0; i < n; i++, output->length++)
        if (output->length < output->capacity)
            output->to[output->length] = bytes[i];
}

/* Puts the blanks that begin the line of a place. */
static void put_indent(text_output *output, const char *text, pm_place place) {
    const char *const line = text + (place.offset - (place.column - 1));
    size_t blanks = 0;
    while (blanks < place.column - 1 && (line[blanks] == ' ' || line[blanks] == '\t'))
        blanks++;
    put(output, line, blanks);
}

/* Puts a newline as that of the line before. */
static void put_newline(text_output *output, const char *text, uint64_t at) {
    const bool two_bytes = at >= 2 && text[at - 1] == '\n' && text[at - 2] == '\r';
    put(output, two_bytes ? "\r\n" : "\n", two_bytes ? 2 : 1);
}

/* The partner may be another change, at the text's end. */
static bool is_repair(const pm_repair *repair, size_t n, size_t done) {
    const pm_place *const at = &repair->at, *const partner = &repair->partner;
    const bool inside = repair->kind == PM_REPAIR_INSERT ? at->offset <= n : at->offset < n;
    return inside && at->offset >= done &&
           (!repair->new_line || (partner->offset <= n && partner->column <= partner->offset + 1));
}

pm_status pm_text_repair_apply(const char *text, size_t n, const pm_repair *repairs, size_t count, size_t capacity,
                               char *repaired, size_t *length) {
    if (!length || (n > 0 && !text) || (count > 0 && !repairs) || (capacity > 0 && !repaired))
        return PM_INVALID_ARGUMENT;
    text_output output = {repaired, capacity, 0};
    size_t done = 0;
    for (size_t k = 0; k < count; k++) {
        const pm_repair *const repair = &repairs[k];
        if (!is_repair(repair, n, done))
            return PM_INVALID_ARGUMENT;
        put(&output, text + done, repair->at.offset - done);
        if (repair->new_line && repair->partner.column > 0)
            put_indent(&output, text, repair->partner);
        if (repair->kind != PM_REPAIR_REMOVE)
            put(&output, &repair->byte, 1);
        if (repair->new_line)
            put_newline(&output, text, repair->at.offset);
        done = repair->at.offset + (repair->kind != PM_REPAIR_INSERT);
    }
    put(&output, text + done, n - done);
    *length = output.length;
    return PM_OK;
}
