/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The bytes that complete a text. In most languages they follow from the string or comment that the text ends in, and
 * from the stack of opens. Where strings nest code, or directives choose branches, the check itself reads each of them,
 * and says what is open then; afterwards it goes back.
 */
#include <string.h>

#include "core/check/parts.h"
#include "core/text/lexer_parts.h"

typedef struct output {
    char *bytes;
    size_t capacity, length;
} output;

static void emit(output *to, const unsigned char *bytes, size_t n) {
    if (to->length < to->capacity) {
        const size_t room = to->capacity - to->length;
        memcpy(to->bytes + to->length, bytes, n < room ? n : room);
    }
    to->length += n;
}

/* ---- Without reading ---- */

/* Does a close always count in code? */
static bool closes_count(const pm_check *check) {
    for (unsigned kind = 0; kind < PM_OPEN_KINDS; kind++) {
        const unsigned char byte = (unsigned char)check->close_byte[kind];
        const uint8_t class = check->reader.lexer.class_of[byte];
        if (check->open_byte[kind] && (!byte || !(class >> PM_LEXER_BRACKET & 1) || class >> PM_LEXER_ENDS_CODE & 1))
            return false;
    }
    return true;
}

/* Can the suffix be made without reading it? */
static bool is_simple(const pm_check *check) {
    const unsigned simple = PM_REGION_COMMENT | PM_REGION_ESCAPES | PM_REGION_LINE | PM_REGION_CONTINUED |
                            PM_REGION_FIRST | PM_REGION_WORD | PM_REGION_FREE;
    const pmi_lexer *const lexer = &check->reader.lexer;
    return pmi_readings_empty(&check->readings) && !check->readings.skipped && !pmi_stack_top(&lexer->templates) &&
           lexer->heredoc_count == 0 && /* which the newline behind a comment begins */
           (lexer->state == PM_LEXER_CODE || (lexer->state == PM_LEXER_REGION && !(lexer->region->flags & ~simple))) &&
           closes_count(check);
}

typedef struct simple_suffix {
    const pm_check *check;
    output *to;
} simple_suffix;

static bool emit_close(unsigned kind, void *user) {
    const simple_suffix *const suffix = user;
    emit(suffix->to, (const unsigned char *)&suffix->check->close_byte[kind], 1);
    return suffix->to->length < suffix->to->capacity;
}

static void simple_make(const pm_check *check, output *to) {
    const pmi_lexer *const lexer = &check->reader.lexer;
    unsigned char bytes[PM_LEXER_CLOSING];
    if (lexer->state == PM_LEXER_REGION) {
        const bool escaped = lexer->escape != PM_LEXER_UNESCAPED;
        const unsigned first = pmi_lexer_closing(lexer, check->progress.depth > 0, bytes);
        emit(to, bytes, first);
        if (first > 0 && escaped && bytes[0] != '\n' && (lexer->region->flags & PM_REGION_COMMENT))
            emit(to, (const unsigned char *)"\n", 1);
        else if (first > 0 && !(lexer->region->flags & PM_REGION_COMMENT && lexer->region->flags & PM_REGION_LINE)) {
            const bool protects = lexer->escape == PM_LEXER_ESCAPE;
            for (uint64_t k = protects ? 0 : lexer->matched + 1; pmi_lexer_region_closer(lexer, k) != 0; k++)
                emit(to, &(unsigned char){pmi_lexer_region_closer(lexer, k)}, 1);
        }
    }
    const size_t before = to->length;
    if (before < to->capacity)
        pmi_check_visit_kinds(check, emit_close, &(simple_suffix){check, to});
    to->length = before + (size_t)check->progress.depth;
}

/* ---- By reading ---- */

#define STEPS_MAX 64u  /* that close nothing, in addition to those that a region's length asks for */
#define STALLED_MAX 4u /* closes in a row that do not count */

static bool push(pm_check *check, output *to, const unsigned char *bytes, size_t n) {
    emit(to, bytes, n);
    return pm_check_push(check, (const char *)bytes, n) == PM_OK;
}

/* Are all opens of the code around it, rather than of the code in the innermost string? */
static bool code_is_closed(const pm_check *check, bool open, uint64_t offset) {
    const pmi_lexer_template *const innermost = pmi_stack_top(&check->reader.lexer.templates);
    return innermost && (!open || offset < innermost->start);
}

/* Closes the innermost open. Some constructs take a close for another purpose; a blank or newline may end them. */
static bool close_innermost(pm_check *check, output *to, unsigned kind, unsigned *stalled) {
    const uint64_t depth = pmi_check_depth(check);
    if (*stalled == 2 && !push(check, to, (const unsigned char *)" ", 1))
        return false;
    if (*stalled == 3 && !push(check, to, (const unsigned char *)"\n", 1))
        return false;
    if (!check->close_byte[kind] || !push(check, to, (const unsigned char *)&check->close_byte[kind], 1))
        return false;
    *stalled = pmi_check_depth(check) < depth ? 0 : *stalled + 1;
    return *stalled <= STALLED_MAX;
}

/* Pushes the suffix; from where the rest needs no reading on, that is only made. Returns false if there is no suffix,
 * or no memory. */
static bool push_suffix(pm_check *check, output *to) {
    pmi_lexer *const lexer = &check->reader.lexer;
    const uint64_t faults = check->progress.found.mismatched + check->progress.found.unmatched.close;
    uint64_t steps = 0, allowed = 0;
    unsigned stalled = 0;
    for (;;) {
        unsigned char bytes[PM_LEXER_CLOSING];
        unsigned kind;
        uint64_t offset;
        if (is_simple(check)) {
            simple_make(check, to);
            check->reader.lexer.state = PM_LEXER_CODE; /* as if the rest had been read */
            return check->progress.found.mismatched + check->progress.found.unmatched.close == faults;
        }
        const bool open = pmi_check_innermost(check, &kind, &offset);
        const unsigned length =
            pmi_lexer_closing(lexer, open || check->readings.skipped || pmi_stack_top(&lexer->templates), bytes);
        if (steps++ == 0)
            allowed = STEPS_MAX + 4 * lexer->depth + 2 * lexer->raw_length;
        if (steps > allowed || check->progress.found.mismatched + check->progress.found.unmatched.close > faults)
            return false;
        if (length > 0) {
            if (!push(check, to, bytes, length))
                return false;
        } else if (check->readings.skipped) {
            if (!push(check, to, (const unsigned char *)"\n#endif\n", 8))
                return false;
        } else if (code_is_closed(check, open, offset)) {
            const pmi_lexer_template *const innermost = pmi_stack_top(&lexer->templates);
            if (!push(check, to, &(unsigned char){innermost->code_close}, 1))
                return false;
            steps = 0;
        } else if (open) {
            if (!close_innermost(check, to, kind, &stalled))
                return false;
            steps = stalled > 0 ? steps : 0;
        } else {
            return true;
        }
    }
}

/* Would the text end with more faults than it has? */
static bool is_complete(pm_check *check) {
    uint64_t offset;
    char byte;
    return !pmi_lexer_inside(&check->reader.lexer, &offset, &byte) && !check->readings.lost;
}

static pm_status reading_make(pm_check *check, output *to) {
    pm_check_state *state;
    pm_status status = pm_check_save(check, &state);
    if (status != PM_OK)
        return status;
    const bool had_lost = check->readings.lost != NULL;
    check->progress.muted = true;
    if (!push_suffix(check, to) || (!had_lost && !is_complete(check)))
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
