/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The bytes that complete a text. In most languages they follow from the string or comment that the text ends in, and
 * from the stack of opens. Where strings nest code, or directives choose branches, the check itself reads each of them,
 * and says what is open then; afterwards it goes back.
 */
#include <string.h>

#include "base/sizes.h"
#include "core/check/parts.h"
#include "core/text/lexer_parts.h"

typedef struct output {
    char *bytes;
    size_t capacity, length;
} output;

static void emit(output *to, const unsigned char *bytes, size_t n) {
    const size_t stored = (size_t)pmi_min(to->length, to->capacity);
    if (to->bytes)
        memcpy(to->bytes + stored, bytes, (size_t)pmi_min(n, to->capacity - stored));
    to->length += n;
}

/* ---- Without reading ---- */

/* Does a close always count in code? */
static bool closes_count(const pm_check *check) {
    if (check->reader.lexer.language->code & PM_CODE_SHELL) /* not in a pattern of `case` */
        return false;
    for (unsigned kind = 0; kind < PM_OPEN_KINDS; kind++) {
        const unsigned char byte = (unsigned char)check->close_byte[kind];
        if (check->open_byte[kind] && (!byte || check->reader.lexer.class_of[byte] >> PM_LEXER_ENDS_CODE & 1))
            return false;
    }
    return true;
}

static uint64_t closes_at_fault(const pm_check *check) {
    return check->progress.found.mismatched + check->progress.found.unmatched.close;
}

/* Is the suffix of nested literals that of the opens, with a byte behind those that end a literal's code? Then every
 * literal's code has begun with an open bracket. */
static bool literals_are_simple(const pm_check *check) {
    const pmi_lexer_template *const innermost = pmi_stack_top(&check->reader.lexer.templates);
    if (!innermost)
        return true;
    if (innermost->simple == 0 || check->reader.lexer.mixed || closes_at_fault(check) > 0)
        return false;
    for (unsigned kind = 0; kind < PM_OPEN_KINDS; kind++)
        if (check->open_byte[kind] == '{')
            return check->close_byte[kind] == '}';
    return false;
}

/* Does the text end in what a known number of bytes ends? */
static bool region_is_simple(const pmi_lexer *lexer) {
    const unsigned simple = PM_REGION_COMMENT | PM_REGION_ESCAPES | PM_REGION_LINE | PM_REGION_CONTINUED |
                            PM_REGION_FIRST | PM_REGION_WORD | PM_REGION_FREE;
    return !(lexer->region->flags & ~simple) || pmi_region_is_simple_template(lexer->region);
}

/* Can the suffix be made without reading it? */
static bool is_simple(const pm_check *check) {
    const pmi_lexer *const lexer = &check->reader.lexer;
    return pmi_readings_empty(&check->readings) && !check->readings.skipped && literals_are_simple(check) &&
           lexer->heredoc_count == 0 && /* which the newline behind a comment begins */
           (lexer->state == PM_LEXER_CODE || (lexer->state == PM_LEXER_REGION && region_is_simple(lexer))) &&
           closes_count(check);
}

typedef struct simple_suffix {
    const pm_check *check;
    output *to;
    pmi_stack_walk literals;           /* those around */
    const pmi_lexer_template *literal; /* whose code the next open is in; NULL: it is in none */
} simple_suffix;

static void emit_literal(simple_suffix *suffix) {
    emit(suffix->to, (const unsigned char *)suffix->literal->region->close, 1);
    suffix->literal = pmi_stack_walk_down(&suffix->literals);
}

static bool emit_close(unsigned kind, uint64_t offset, void *user) {
    simple_suffix *const suffix = user;
    while (suffix->literal && offset < suffix->literal->start)
        emit_literal(suffix);
    emit(suffix->to, (const unsigned char *)&suffix->check->close_byte[kind], 1);
    return suffix->to->length < suffix->to->capacity;
}

/* Leads out of a region: the byte that the lexer asks for first, and what it would ask for then. */
static void close_region(const pmi_lexer *lexer, bool brackets_follow, output *to) {
    const bool line_comment = lexer->region->flags & PM_REGION_COMMENT && lexer->region->flags & PM_REGION_LINE;
    unsigned char bytes[PM_LEXER_CLOSING];
    const unsigned first = pmi_lexer_closing(lexer, brackets_follow, bytes);
    emit(to, bytes, first);
    if (!line_comment) {
        const bool protects = lexer->escape == PM_LEXER_ESCAPE;
        for (uint64_t k = protects ? 0 : lexer->matched + 1; pmi_lexer_region_closer(lexer, k) != 0; k++)
            emit(to, &(unsigned char){pmi_lexer_region_closer(lexer, k)}, 1);
    } else if (first > 0 && lexer->escape != PM_LEXER_UNESCAPED) {
        emit(to, (const unsigned char *)"\n", 1); /* behind the byte that was protected */
    }
}

static void simple_make(const pm_check *check, output *to) {
    const pmi_lexer *const lexer = &check->reader.lexer;
    if (lexer->state == PM_LEXER_REGION)
        close_region(lexer, check->progress.depth > 0, to);
    const size_t before = to->length;
    simple_suffix suffix = {check, to, pmi_stack_walk_begin(&lexer->templates), NULL};
    const pmi_lexer_template *const innermost = suffix.literal = pmi_stack_walk_down(&suffix.literals);
    pmi_check_visit_kinds(check, emit_close, &suffix);
    while (suffix.literal && to->length < to->capacity)
        emit_literal(&suffix);
    to->length = before + (size_t)(check->progress.depth + (innermost ? innermost->simple : 0));
}

/* ---- By reading ---- */

#define STEPS_MAX 64u  /* that close nothing, in addition to those that a region's length asks for */
#define STALLED_MAX 4u /* closes in a row that do not count */

/* A check that has failed takes no more. */
static void push(pm_check *check, output *to, const char *bytes, size_t n) {
    emit(to, (const unsigned char *)bytes, n);
    (void)pm_check_push(check, bytes, n);
}

/* Are all opens of the code around it, rather than of the code in the innermost string? */
static bool code_is_closed(const pm_check *check, bool open, uint64_t offset) {
    const pmi_lexer_template *const innermost = pmi_stack_top(&check->reader.lexer.templates);
    return innermost && (!open || offset < innermost->start);
}

/* Closes the innermost open. Some constructs take a close for another purpose; a blank or newline may end them. */
static bool close_innermost(pm_check *check, output *to, unsigned kind, unsigned *stalled) {
    const uint64_t depth = pmi_check_depth(check);
    if (!check->close_byte[kind])
        return false;
    if (*stalled == 2 || *stalled == 3)
        push(check, to, *stalled == 2 ? " " : "\n", 1);
    push(check, to, &check->close_byte[kind], 1);
    *stalled = pmi_check_depth(check) < depth ? 0 : *stalled + 1;
    return *stalled <= STALLED_MAX;
}

/* Pushes the suffix; from where the rest needs no reading on, that is only made (*made). Returns false if there is no
 * suffix, or no memory. */
static bool push_suffix(pm_check *check, output *to, bool *made) {
    pmi_lexer *const lexer = &check->reader.lexer;
    const uint64_t faults = closes_at_fault(check);
    uint64_t steps = STEPS_MAX + lexer->depth + lexer->raw_length; /* what is around code has neither */
    unsigned stalled = 0;
    while (check->failure == PM_OK && closes_at_fault(check) == faults) {
        char bytes[PM_LEXER_CLOSING];
        unsigned kind;
        uint64_t offset;
        if (is_simple(check)) {
            simple_make(check, to);
            *made = true;
            return true;
        }
        const bool open = pmi_check_innermost(check, &kind, &offset);
        const unsigned length = pmi_lexer_closing(
            lexer, open || check->readings.skipped || pmi_stack_top(&lexer->templates), (unsigned char *)bytes);
        if (steps-- == 0)
            return false;
        if (length > 0) {
            push(check, to, bytes, length);
        } else if (check->readings.skipped) {
            push(check, to, "\n#endif\n", 8);
        } else if (code_is_closed(check, open, offset)) {
            const pmi_lexer_template *const innermost = pmi_stack_top(&lexer->templates);
            push(check, to, (const char *)&innermost->code_close, 1);
            steps = STEPS_MAX;
        } else if (open) {
            if (!close_innermost(check, to, kind, &stalled))
                return false;
            steps = stalled > 0 ? steps : STEPS_MAX;
        } else {
            return true;
        }
    }
    return false;
}

/* Does the text end with no more faults than it has? Other readings than the first may still hold opens. */
static bool is_complete(pm_check *check) {
    uint64_t offset;
    char byte;
    return !pmi_lexer_inside(&check->reader.lexer, &offset, &byte) &&
           (pmi_readings_empty(&check->readings) || !pmi_readings_finish(&check->readings));
}

static pm_status reading_make(pm_check *check, output *to) {
    pm_check_state *state;
    pm_status status = pmi_check_save_alone(check, &state);
    if (status != PM_OK)
        return status;
    const bool had_lost = check->readings.lost != NULL;
    check->progress.muted = true;
    bool made = false;
    if (!push_suffix(check, to, &made) || (!had_lost && !made && !is_complete(check)))
        status = check->failure != PM_OK ? check->failure : PM_UNSUPPORTED;
    pmi_check_return(check, state);
    pm_check_state_destroy(state);
    return status;
}

pm_status pm_check_suffix(pm_check *check, char *suffix, size_t capacity, size_t *length) {
    if (!check || !length || (capacity > 0 && !suffix))
        return PM_INVALID_ARGUMENT;
    *length = 0;
    if (check->failure != PM_OK)
        return check->failure;
    if (check->delimiters.pairs)
        return pmi_delimiters_check_suffix(&check->delimiters, suffix, capacity, length);
    output to = {suffix, capacity, 0};
    if (is_simple(check)) {
        simple_make(check, &to);
    } else {
        const pm_status status = reading_make(check, &to);
        if (status != PM_OK)
            return status;
    }
    *length = to.length;
    return PM_OK;
}
