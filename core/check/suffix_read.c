/* SPDX-License-Identifier: Apache-2.0 */
/* The bytes that complete a text, where they do not follow from what is open: the check itself reads each of them, and
 * says what is open then; afterwards it goes back. */
#include "base/checksum.h"
#include "core/check/suffix.h"
#include "core/lexer/parts.h"

#define STEPS_MAX 64u  /* that close nothing, in addition to those that a region's length asks for */
#define STALLED_MAX 4u /* closes in a row that do not count */

/* A check that has failed takes no more. */
static void push(pm_check *check, pmi_suffix *to, const char *bytes, size_t n) {
    pmi_suffix_add(to, (const unsigned char *)bytes, n);
    pmi_rests_add(&check->rests, bytes, n);
    (void)pm_check_push(check, bytes, n);
}

/* Are all opens of the code around it, rather than of the code in the innermost string? */
static bool code_is_closed(const pm_check *check, bool open, uint64_t offset) {
    const pmi_lexer_template *const innermost = pmi_stack_top(&check->reader.lexer.templates);
    return innermost && (!open || offset < innermost->start);
}

/* Is an #endif to come next, because what a branch has left open can be closed only behind it? Opens of this branch
 * that the other one does not have are closed before it. */
static bool needs_end(const pm_check *check) {
    const pmi_reading_group *const group = pmi_stack_top(&check->readings.groups);
    if (!group || !group->uneven || pmi_stack_top(&check->reader.lexer.templates))
        return false;
    return group->after.count == 0 || pmi_check_depth(check) <= pmi_readings_first(&check->readings, &group->after);
}

/* Closes the innermost open. Some constructs take a close for another purpose; a blank or newline may end them. */
static bool close_innermost(pm_check *check, pmi_suffix *to, unsigned kind, unsigned *stalled) {
    const uint64_t depth = pmi_check_depth(check);
    if (!check->close_byte[kind])
        return false;
    if (*stalled == 2 || *stalled == 3)
        push(check, to, *stalled == 2 ? " " : "\n", 1);
    push(check, to, &check->close_byte[kind], 1);
    *stalled = pmi_check_depth(check) < depth ? 0 : *stalled + 1;
    return *stalled <= STALLED_MAX;
}

/* Has a close of the suffix given up an open that no later one can close? *strays: of the readings, when last asked. */
static bool loses_stray(const pm_check *check, uint64_t *strays) {
    const bool strayed = check->readings.strays != *strays;
    *strays = check->readings.strays;
    return strayed && pmi_readings_stray_is_lost(&check->readings);
}

/* Ends the innermost #if, and returns whether it is ended. */
static bool end_if(pm_check *check, pmi_suffix *to) {
    const pmi_reading_group *const group = pmi_stack_top(&check->readings.groups);
    const uint64_t around = group ? group->around : 0;
    push(check, to, "\n#endif\n", 8);
    const pmi_reading_group *const now = pmi_stack_top(&check->readings.groups);
    return now != group || (now && now->around != around);
}

#define SETTLED 4u /* bytes of a suffix of which no earlier ones matter to the lexer */

/* What of the innermost string's code is not the same whenever code begins in that string. */
static uint64_t hash_of_literal(const pmi_lexer_template *literal) {
    const uint64_t bytes = (uint64_t)literal->opener << 24 | (uint64_t)literal->closer << 16 |
                           (uint64_t)literal->code_close << 8 | (uint64_t)literal->counted << 1 | literal->in_class;
    return pmi_hash_add(pmi_hash_add(pmi_hash_add(pmi_hash_add(1, literal->depth), literal->raw_length), bytes),
                        literal->braces);
}

static uint64_t hash_of_case(const pmi_shell_case *of, unsigned ordinal) {
    return pmi_hash_add(pmi_hash_add(pmi_hash_add(1 + ordinal, of->parens), of->arithmetic),
                        (uint64_t)of->part << 1 | of->unclosed);
}

/* What code depends on, except for what is open and the strings around. */
static uint64_t hash_of_code(const pmi_lexer *lexer) {
    const pmi_lexer_template *const literal = pmi_stack_top(&lexer->templates);
    uint64_t hash =
        pmi_hash_add(literal ? hash_of_literal(literal) : 1, lexer->remembers ? lexer->history.newer & UINT32_MAX : 0);
    hash = pmi_hash_add(pmi_hash_add(hash, lexer->braces), lexer->raw_length);
    hash = pmi_hash_add(hash, lexer->state == PM_LEXER_CLOSED ? UINT64_C(1) << 32 | lexer->region->flags : 0);
    hash = pmi_hash_add(hash, (uint64_t)lexer->mixed << 16 | (uint64_t)lexer->previous << 8 | lexer->case_count);
    for (unsigned k = 0; k < lexer->heredoc_count; k++)
        hash = pmi_hash_add(pmi_hash_add(hash, lexer->heredocs[k].hash), lexer->heredocs[k].indented);
    for (unsigned k = 0; k < lexer->case_count; k++) /* a sum, whose terms do not wait for each other */
        hash += hash_of_case(&lexer->cases[k], k);
    return hash;
}

/* Is the suffix, of that length, in code where what follows depends on nothing else? Code begins behind a closer that
 * might be doubled, too, as no suffix doubles one. */
static bool is_at_place(const pm_check *check, size_t length, pmi_rest_code *code) {
    const pmi_lexer *const lexer = &check->reader.lexer;
    const pmi_lexer_template *const literal = pmi_stack_top(&lexer->templates);
    if (length < SETTLED || (lexer->state != PM_LEXER_CODE && lexer->state != PM_LEXER_CLOSED))
        return false;
    *code = (pmi_rest_code){PM_REST_NOWHERE, literal ? literal->start : PM_REST_NOWHERE, hash_of_code(lexer)};
    unsigned kind;
    if (check->progress.depth > 0)
        (void)pmi_check_innermost(check, &kind, &code->open);
    return true;
}

/* Appends what is known to follow in that code, and stores how the whole ends. False: nothing is. */
static bool add_rest_at(pm_check *check, const pmi_rest_code *code, bool lost, pmi_suffix *to, pm_status *status) {
    const pmi_rest *const rest = pmi_rests_find(&check->rests, &check->readings, code, lost, to->length);
    if (!rest || (rest->stored < rest->length && to->length + rest->stored < to->capacity))
        return false;
    pmi_suffix_add(to, (const unsigned char *)rest->bytes, rest->stored);
    to->length += rest->length - rest->stored;
    pmi_rests_add(&check->rests, rest->bytes, rest->stored);
    *status = rest->status;
    return true;
}

static bool add_rest(pm_check *check, bool lost, pmi_suffix *to, pm_status *status) {
    pmi_rest_code code;
    return is_at_place(check, to->length, &code) && add_rest_at(check, &code, lost, to, status);
}

/* Is the text in code in which its closes follow, one after another, as far as the lexer does not say otherwise? */
static bool is_before_closes(const pm_check *check) {
    const pmi_lexer *const lexer = &check->reader.lexer;
    return lexer->state == PM_LEXER_CODE && !pmi_stack_top(&lexer->templates) && check->readings.lost == 0 &&
           pmi_readings_empty(&check->readings) && !pmi_stack_top(&check->readings.groups) &&
           !pmi_check_has_records(check);
}

#define CLOSES_MAX (2 * SETTLED) /* before a rest that is known */

bool pmi_check_suffix_known(pm_check *check, pmi_suffix *to, pm_status *status) {
    unsigned char closes[CLOSES_MAX + 1];
    uint64_t offsets[CLOSES_MAX + 1], brackets;
    const size_t before = to->length;
    pmi_lexer_trial trial;
    if (!is_before_closes(check))
        return false;
    const unsigned count = pmi_check_inner_closes(check, CLOSES_MAX + 1, closes, offsets);
    bool known = false;
    pmi_rests_begin(&check->rests, &check->readings, pmi_check_text_length(check));
    pmi_lexer_trial_begin(&trial, check);
    for (unsigned k = 0, n = SETTLED; k + n < count && !known; k += n, n = 1) {
        if (!pmi_lexer_trial_read(&trial, closes + k, n, &brackets) || brackets != (1u << n) - 1 ||
            check->reader.lexer.state != PM_LEXER_CODE)
            break;
        pmi_suffix_add(to, closes + k, n);
        pmi_rests_add(&check->rests, (const char *)closes + k, n);
        const pmi_rest_code code = {offsets[k + n], PM_REST_NOWHERE, hash_of_code(&check->reader.lexer)};
        known = add_rest_at(check, &code, false, to, status);
    }
    pmi_lexer_trial_end(&trial);
    if (known) /* also behind fewer closes, now */
        pmi_rests_end(&check->rests, &check->allocator, &check->readings, *status, to->length);
    else
        to->length = before;
    return known;
}

/* Derives the rest, once more as far as rests are kept where that is not what was asked for. */
static bool derive(pm_check *check, bool lost, pmi_suffix *to) {
    char bytes[PM_SUFFIX_KEPT];
    pmi_suffix kept = {bytes, sizeof bytes, 0};
    if (!pmi_check_suffix_derive(check, lost, to))
        return false;
    if (check->rests.noted_count > 0 && pmi_check_suffix_derive(check, lost, &kept))
        pmi_rests_add(&check->rests, bytes, (size_t)pmi_min(kept.length, sizeof bytes));
    return true;
}

/* Pushes the suffix. PM_UNSUPPORTED: there is none; also if there is no memory. With `derives`, from where the rest is
 * known or follows from what is open, that is only made (*made). Opens that a suffix has lost are unmatched at the end,
 * whatever follows. */
static pm_status push_suffix(pm_check *check, bool derives, bool lost, pmi_suffix *to, bool *made) {
    pmi_lexer *const lexer = &check->reader.lexer;
    const uint64_t faults = pmi_check_faults_of_closes(check);
    uint64_t steps = STEPS_MAX + lexer->depth + lexer->raw_length; /* what is around code has neither */
    uint64_t strays = check->readings.strays;
    unsigned stalled = 0;
    pm_status status = PM_UNSUPPORTED;
    while (check->failure == PM_OK && pmi_check_faults_of_closes(check) == faults &&
           (lost || (check->readings.lost == 0 && !loses_stray(check, &strays)))) {
        char bytes[PM_LEXER_CLOSING];
        unsigned kind;
        uint64_t offset;
        *made = derives && derive(check, lost, to);
        if (*made)
            return PM_OK;
        *made = derives && stalled == 0 && steps + SETTLED >= STEPS_MAX && add_rest(check, lost, to, &status);
        if (*made)
            return status;
        const bool open = pmi_check_innermost(check, &kind, &offset);
        const unsigned length = pmi_lexer_closing(
            lexer, open || check->readings.skipped || pmi_stack_top(&lexer->templates), (unsigned char *)bytes);
        if (steps-- == 0)
            return PM_UNSUPPORTED;
        if (length > 0) {
            push(check, to, bytes, length);
        } else if (check->readings.skipped || needs_end(check)) {
            const bool ended = end_if(check, to);
            steps = ended ? STEPS_MAX : steps;
        } else if (code_is_closed(check, open, offset)) {
            const pmi_lexer_template *const innermost = pmi_stack_top(&lexer->templates);
            push(check, to, (const char *)&innermost->code_close, 1);
            steps = pmi_stack_top(&lexer->templates) == innermost ? steps : STEPS_MAX;
        } else if (open) {
            if (!close_innermost(check, to, kind, &stalled))
                return PM_UNSUPPORTED;
            steps = stalled > 0 ? steps : STEPS_MAX;
        } else {
            return PM_OK;
        }
    }
    return PM_UNSUPPORTED;
}

/* Does the text end with no more faults than it has? Other readings than the first may still hold opens, and so may
 * branches of an #if around. */
static bool is_complete(pm_check *check) {
    uint64_t offset;
    char byte;
    if (pmi_lexer_inside(&check->reader.lexer, &offset, &byte))
        return false;
    if (pmi_readings_empty(&check->readings) && !pmi_stack_top(&check->readings.groups))
        return true;
    const bool match = pmi_readings_match(&check->readings);
    check->failure = check->readings.failed ? PM_OUT_OF_MEMORY : check->failure;
    return match;
}

pm_status pmi_check_suffix_read(pm_check *check, bool derives, pmi_suffix *to) {
    pm_check_state *state;
    pm_status status;
    if (derives && pmi_check_suffix_known(check, to, &status))
        return status;
    status = pm_check_save(check, &state);
    if (status != PM_OK)
        return status;
    const bool had_lost = check->readings.lost > 0;
    check->progress.muted = true;
    bool made = false;
    pmi_rests_begin(&check->rests, &check->readings, pmi_check_text_length(check));
    check->readings.trial = !had_lost;
    status = push_suffix(check, derives, had_lost, to, &made);
    if (status == PM_OK && !had_lost && !made && !is_complete(check))
        status = PM_UNSUPPORTED;
    status = check->failure != PM_OK ? check->failure : status;
    check->readings.trial = false;
    (void)pmi_check_return(check, state); /* which takes no memory, as no stack was cleared */
    pm_check_state_destroy(state);
    pmi_rests_end(&check->rests, &check->allocator, &check->readings, status, to->length);
    return status;
}
