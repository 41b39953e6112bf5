/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The bytes that complete a text. They follow from the string or comment that the text ends in, and from the stacks:
 * what is open, and the strings around the code. Where the lexer is at something that what follows decides, it alone
 * reads the next bytes.
 */
#include "core/check/suffix.h"
#include "core/check/walk.h"
#include "core/lexer/parts.h"

/* ---- Do the closes follow from the stacks? ---- */

/* Does a close always count in code? */
static bool closes_count(const pm_check *check) {
    for (unsigned kind = 0; kind < PM_OPEN_KINDS; kind++) {
        const unsigned char byte = (unsigned char)check->close_byte[kind];
        if (check->open_byte[kind] && (!byte || check->reader.lexer.class_of[byte] >> PM_LEXER_ENDS_CODE & 1))
            return false;
    }
    return true;
}

static bool has_pair(const pm_check *check, char open, char close) {
    for (unsigned kind = 0; kind < PM_OPEN_KINDS; kind++)
        if (check->open_byte[kind] == open)
            return check->close_byte[kind] == close;
    return false;
}

/* Are the brackets that are open in the code of strings those that the lexer counts? Then each string's code has begun
 * with an open bracket, if that is counted. */
static bool literals_agree(const pm_check *check) {
    const pmi_lexer *const lexer = &check->reader.lexer;
    const pmi_lexer_template *const innermost = pmi_stack_top(&lexer->templates);
    if (!innermost)
        return true;
    const pmi_lexer_template *const outermost = pmi_stack_bottom(&lexer->templates);
    if (innermost->exit == 0 || lexer->mixed || outermost->start < check->progress.faulty)
        return false;
    return has_pair(check, '{', '}') && (innermost->code_close == '}' || has_pair(check, '(', ')'));
}

/* In a pattern of `case` a close may be no bracket. */
static bool is_in_pattern(const pmi_lexer *lexer) {
    for (unsigned k = 0; k < lexer->case_count; k++)
        if (pmi_lexer_shell_in_pattern(&lexer->cases[k]))
            return true;
    return false;
}

/* The readings behind the #if 0 that the text is in, if it is; NULL: they do not follow. A backslash would make the
 * #endif a part of another line, and brackets that the lexer reads there are not open. */
static const pmi_tops *tops_behind(const pm_check *check) {
    const pmi_lexer *const lexer = &check->reader.lexer;
    if (!check->readings.skipped)
        return &check->readings.now;
    const pmi_reading_group *const group = pmi_stack_top(&check->readings.groups);
    return group->after.count > 0 || pmi_stack_top(&lexer->templates) ||
                   pmi_lexer_history_byte(&lexer->history, 0) == '\\' ||
                   pmi_lexer_history_byte(&lexer->history, 1) == '\\'
               ? NULL
               : &group->before;
}

static bool closes_follow(const pm_check *check, const pmi_tops *tops) {
    const pmi_lexer *const lexer = &check->reader.lexer;
    const bool counts = lexer->region_flags & PM_REGION_YAML    ? lexer->yaml.flow == check->progress.depth
                        : lexer->language->code & PM_CODE_SHELL ? true
                                                                : closes_count(check);
    return counts && literals_agree(check) && pmi_readings_close_by_first(&check->readings, tops);
}

/* ---- Closes ---- */

typedef struct closes {
    const pm_check *check;
    pmi_suffix *to;
    pmi_stack_walk literals;           /* those around */
    const pmi_lexer_template *literal; /* whose code the next open is in; NULL: it is in none */
    bool passes;                       /* the next open is closed already */
} closes;

static void add_repeated(pmi_suffix *to, const unsigned char *bytes, size_t n, uint64_t times) {
    for (; times > 0 && to->length < to->capacity; times--)
        pmi_suffix_add(to, bytes, n);
    to->length += (size_t)times * n;
}

static void add_exit(pmi_suffix *to, const pmi_region_exit *exit) {
    for (unsigned k = 0; k < exit->count; k++)
        add_repeated(to, exit->pieces[k].bytes, exit->pieces[k].length, exit->pieces[k].times);
}

/* Ends the code of a literal, and that. */
static void close_literal(closes *open) {
    const pmi_lexer_template *const literal = open->literal;
    if (!literal->counted)
        pmi_suffix_add_byte(open->to, literal->code_close);
    if (literal->region->flags & (PM_REGION_JSX | PM_REGION_PAIRED | PM_REGION_REGEX)) {
        pmi_region_exit exit;
        pmi_lexer_literal_exit(literal, &exit);
        add_exit(open->to, &exit);
    } else {
        for (const char *close = literal->region->close; *close; close++)
            pmi_suffix_add_byte(open->to, (unsigned char)*close);
    }
    open->literal = pmi_stack_walk_down(&open->literals);
}

static bool close_open(const pmi_text_word *word, unsigned bit, void *user) {
    closes *const open = user;
    while (open->literal && open->to->length < open->to->capacity &&
           pmi_text_word_offset(word) + bit < open->literal->start)
        close_literal(open);
    if (!open->passes)
        pmi_suffix_add_byte(open->to, (unsigned char)open->check->close_byte[pmi_text_word_kind(word, bit)]);
    open->passes = false;
    return open->to->length < open->to->capacity;
}

static bool close_run(const void *run, void *user) {
    return pmi_walk_run(run, close_open, user);
}

/* Appends the closes of all that is open in code, but for the innermost open if it is passed over. */
static void close_all(const pm_check *check, bool passes, pmi_suffix *to) {
    const pmi_lexer *const lexer = &check->reader.lexer;
    const size_t before = to->length;
    closes open = {check, to, pmi_stack_walk_begin(&lexer->templates), NULL, passes};
    const pmi_lexer_template *const innermost = open.literal = pmi_stack_walk_down(&open.literals);
    if (to->length < to->capacity && close_run(&check->progress.current, &open) &&
        close_run(&check->opens.uncovered, &open))
        pmi_stack_visit_down(&check->opens.far, close_run, &open);
    while (open.literal && to->length < to->capacity)
        close_literal(&open);
    to->length = before + (size_t)(check->progress.depth - passes + (innermost ? innermost->exit : 0));
}

/* The same of what was open before the last directive. */
static void close_readings(const pm_check *check, const pmi_tops *tops, pmi_suffix *to) {
    const size_t length = to->length + (size_t)pmi_readings_first(&check->readings, tops);
    pmi_readings_walk walk = pmi_readings_walk_begin(&check->readings, tops->top[0]);
    const pmi_reading *open;
    while (to->length < to->capacity && (open = pmi_readings_walk_down(&walk)) != NULL)
        pmi_suffix_add_byte(to, (unsigned char)check->close_byte[open->kind]);
    to->length = length;
}

/* ---- Out of the region ---- */

/* Does a bracket close the region, and with it the innermost open? *fits: it is that bracket's close. */
static bool closes_open(const pm_check *check, const pmi_region_exit *exit, bool *fits) {
    unsigned kind;
    uint64_t offset;
    *fits = true;
    if (!exit->bracket || !pmi_check_innermost(check, &kind, &offset) || offset < check->reader.lexer.start)
        return false;
    const unsigned last = exit->count - 1;
    *fits = (char)exit->pieces[last].bytes[exit->pieces[last].length - 1] == check->close_byte[kind];
    return true;
}

/* Does what leads out of the region, if anything, end no line that heredocs follow, and no pattern? */
static bool leads_to_code(const pmi_lexer *lexer, const pmi_region_exit *exit) {
    return !(lexer->heredoc_count > 0 && exit->newline) && !is_in_pattern(lexer);
}

static bool find_exit(const pmi_lexer *lexer, bool follow, pmi_region_exit *exit) {
    return (lexer->state == PM_LEXER_REGION && pmi_lexer_region_exit(lexer, follow, exit)) ||
           (lexer->state == PM_LEXER_OPENING_REGION && pmi_lexer_opening_exit(lexer, follow, exit));
}

/* Appends what leads out of a region. *passes: that closes the innermost open. False: it does not follow. */
static bool leave_region(const pm_check *check, bool follow, pmi_suffix *to, bool *passes) {
    pmi_region_exit exit;
    bool fits;
    if (!find_exit(&check->reader.lexer, follow, &exit) || !leads_to_code(&check->reader.lexer, &exit))
        return false;
    *passes = closes_open(check, &exit, &fits);
    if (fits)
        add_exit(to, &exit);
    return fits;
}

/* ---- A trial ---- */

#define TRIED 8u /* steps */

void pmi_lexer_trial_begin(pmi_lexer_trial *trial, pm_check *check) {
    pmi_lexer *const lexer = &check->reader.lexer;
    trial->check = check;
    trial->noted = lexer->directives;
    trial->literals = lexer->templates;
    memcpy(trial->changed, (unsigned char *)lexer + PM_LEXER_FIXED, pmi_lexer_changing_bytes(lexer));
    pmi_stack_init(&lexer->templates, &check->allocator, sizeof(pmi_lexer_template));
    trial->directives.count = 0;
    trial->directives.base = lexer->position;
    lexer->directives = &trial->directives;
}

void pmi_lexer_trial_end(pmi_lexer_trial *trial) {
    pmi_lexer *const lexer = &trial->check->reader.lexer;
    pmi_stack_clear(&lexer->templates);
    memcpy((unsigned char *)lexer + PM_LEXER_FIXED, trial->changed, pmi_lexer_changing_bytes(lexer));
    lexer->templates = trial->literals;
    lexer->directives = trial->noted;
}

bool pmi_lexer_trial_read(pmi_lexer_trial *trial, const unsigned char *bytes, size_t n, uint64_t *brackets) {
    pmi_lexer *const lexer = &trial->check->reader.lexer;
    *brackets = 0;
    return pmi_lexer_scan(lexer, bytes, n, brackets) == PM_OK && !pmi_stack_top(&lexer->templates);
}

/* The bracket that is to follow: of the innermost open, or of the innermost literal's code. */
static unsigned char next_close(const pm_check *check, const pmi_lexer_template *innermost) {
    unsigned kind;
    uint64_t offset;
    const bool open = pmi_check_innermost(check, &kind, &offset);
    if (innermost && (!open || offset < innermost->start))
        return innermost->code_close;
    return open ? (unsigned char)check->close_byte[kind] : 0;
}

/* Closes what is nested in a part of Perl's s{}{}, at once. */
static void leave_nested(pmi_lexer *lexer, pmi_suffix *to) {
    const unsigned paired = PM_REGION_PAIRED, protects = PM_REGION_ESCAPES;
    if (lexer->state != PM_LEXER_REGION || !(lexer->region->flags & paired) || lexer->escape != PM_LEXER_UNESCAPED ||
        (lexer->closer == '\\' && lexer->region->flags & protects))
        return;
    add_repeated(to, &lexer->closer, 1, lexer->depth);
    lexer->depth = 0;
}

/* Appends what leads to where closes count; in a skipped branch, to where a directive may follow. *passes as of
 * leave_region(). */
static bool trial_lead_out(pmi_lexer_trial *trial, bool follow, pmi_suffix *to, bool *passes) {
    pm_check *const check = trial->check;
    pmi_lexer *const lexer = &check->reader.lexer;
    const bool skipped = check->readings.skipped;
    const unsigned char close = skipped ? '\n' : next_close(check, pmi_stack_top(&trial->literals));
    *passes = false;
    for (unsigned k = 0; k < TRIED; k++) {
        unsigned char bytes[PM_LEXER_CLOSING];
        uint64_t brackets;
        uint64_t offset;
        char byte;
        if (leave_region(check, follow, to, passes))
            return true;
        leave_nested(lexer, to);
        unsigned length = pmi_lexer_closing(lexer, follow, bytes);
        const bool closed = length == 0;
        if (closed && !follow)
            return !pmi_lexer_inside(lexer, &offset, &byte);
        if (closed)
            bytes[length++] = close;
        if (!pmi_lexer_trial_read(trial, bytes, length, &brackets) || (brackets && !closed))
            return false;
        if (closed && skipped)
            return lexer->state == PM_LEXER_CODE;
        if (brackets)
            return lexer->state == PM_LEXER_CODE && !is_in_pattern(lexer);
        pmi_suffix_add(to, bytes, length);
    }
    return false;
}

#define NO_DIRECTIVE (PM_DIRECTIVE_END + 1)

/* *directive: the one that was read, or NO_DIRECTIVE. */
static bool lead_out_by_trial(pm_check *check, bool follow, pmi_suffix *to, bool *passes, unsigned *directive) {
    pmi_lexer_trial trial;
    pmi_lexer_trial_begin(&trial, check);
    const bool led = trial_lead_out(&trial, follow, to, passes) && trial.directives.count <= 1;
    if (led && trial.directives.count == 1)
        *directive = trial.directives.list[0] & 7;
    pmi_lexer_trial_end(&trial);
    return led;
}

/* ---- Branches ---- */

/* What closes behind where the text leads out. */
typedef struct branches {
    pmi_tops tops;   /* the readings then */
    uint64_t nested; /* #endifs before that, of skipped branches */
    bool elsewhere;  /* what was opened since the last directive belongs to another branch */
} branches;

/* Takes a directive that the text ends in into account. False: what is open then does not follow. */
static bool direct(const pm_check *check, unsigned directive, branches *behind) {
    const pmi_reading_group *const group = pmi_stack_top(&check->readings.groups);
    const bool begins = directive == PM_DIRECTIVE_IF || directive == PM_DIRECTIVE_IF_ZERO;
    if (directive == NO_DIRECTIVE || (directive == PM_DIRECTIVE_IF && behind->nested == 0))
        return true;
    if (pmi_stack_top(&check->reader.lexer.templates) || (behind->nested == 1 && !begins))
        return false;
    if (begins || behind->nested > 0) {
        behind->nested += begins;
        behind->nested -= directive == PM_DIRECTIVE_END;
        return true;
    }
    if (!group)
        return true;
    if (directive == PM_DIRECTIVE_END)
        return check->progress.depth == 0 && pmi_readings_behind_end(&check->readings, &behind->tops);
    behind->tops = group->before;
    behind->elsewhere = true;
    return check->progress.depth == 0 && pmi_readings_even(&check->readings, &group->before, &check->readings.now);
}

/* ---- The whole ---- */

static void end_skipped(uint64_t nested, pmi_suffix *to) {
    static const char end[] = "\n#endif\n";
    add_repeated(to, (const unsigned char *)end, sizeof end - 1, nested);
}

/* Behind a closer that might be doubled is code, too: no bracket does so. */
static bool is_in_code(const pmi_lexer *lexer) {
    return (lexer->state == PM_LEXER_CODE || lexer->state == PM_LEXER_CLOSED) && !is_in_pattern(lexer);
}

bool pmi_check_suffix_derive(pm_check *check, bool lost, pmi_suffix *to) {
    const pmi_lexer *const lexer = &check->reader.lexer;
    const size_t before = to->length;
    bool passes = false;
    const pmi_tops *const tops = tops_behind(check);
    if (!tops || !closes_follow(check, tops) || (check->readings.lost && !lost) ||
        pmi_readings_strayed(&check->readings))
        return false;
    const pmi_reading_group *const around = pmi_stack_top(&check->readings.groups);
    const pmi_reading_group *const group = check->readings.skipped ? around : NULL;
    if (around && around->uneven)
        return false;
    const bool follow = group || pmi_check_depth(check) > 0 || pmi_stack_top(&lexer->templates);
    branches behind = {*tops, group ? group->nested : 0, false};
    unsigned directive = NO_DIRECTIVE;
    if (is_in_code(lexer) || leave_region(check, follow, to, &passes) ||
        (lead_out_by_trial(check, follow, to, &passes, &directive) && direct(check, directive, &behind) &&
         pmi_readings_close_by_first(&check->readings, &behind.tops))) {
        end_skipped(behind.nested, to);
        if (!behind.elsewhere)
            close_all(check, passes, to);
        close_readings(check, &behind.tops, to);
        return true;
    }
    to->length = before;
    return false;
}

/* ---- What is kept of a suffix that was read ---- */

/* May a newline be appended? A backslash would take it, also one before a comment, which the history has. */
static bool ends_plainly(const pmi_lexer *lexer) {
    return (lexer->state != PM_LEXER_REGION || lexer->escape == PM_LEXER_UNESCAPED) &&
           pmi_lexer_history_byte(&lexer->history, 0) != '\\' && pmi_lexer_history_byte(&lexer->history, 1) != '\\';
}

/* Is the text in code where any suffix goes on as at every other such place with the same opens and branches? */
static bool is_in_plain_code(const pm_check *check) {
    const pmi_lexer *const lexer = &check->reader.lexer;
    return is_in_code(lexer) && !pmi_stack_top(&lexer->templates) && ends_plainly(lexer);
}

static void keep_suffix(pm_check *check, pm_status status, const pmi_suffix *to) {
    pmi_kept_suffix *const kept = &check->suffix;
    if ((status != PM_OK && status != PM_UNSUPPORTED) || !is_in_plain_code(check))
        return;
    *kept = (pmi_kept_suffix){.known = true, .status = status, .length = to->length};
    kept->stored = (size_t)pmi_min(pmi_min(to->length, to->capacity), PM_SUFFIX_KEPT);
    if (kept->stored > 0)
        memcpy(kept->bytes, to->bytes, kept->stored);
}

/* Appends the suffix that is kept, behind what leads to code, and what would make no directive of the line. False: it
 * is not known, or too little of it. */
static bool add_kept(pm_check *check, pmi_suffix *to) {
    const pmi_kept_suffix *const kept = &check->suffix;
    const pmi_lexer *const lexer = &check->reader.lexer;
    bool passes = false;
    if (!kept->known || pmi_stack_top(&lexer->templates) || !ends_plainly(lexer))
        return false;
    const bool follow = check->readings.skipped || pmi_check_depth(check) > 0;
    if (!is_in_code(lexer) && !leave_region(check, follow, to, &passes)) {
        unsigned directive = NO_DIRECTIVE;
        if (!follow || check->readings.skipped || !lead_out_by_trial(check, follow, to, &passes, &directive) ||
            directive != NO_DIRECTIVE)
            return false;
    }
    if (passes)
        return false;
    if (kept->stored < kept->length && to->length + kept->stored < to->capacity)
        return false;
    pmi_suffix_add(to, (const unsigned char *)kept->bytes, kept->stored);
    to->length += kept->length - kept->stored;
    return true;
}

/* Makes a suffix that does not follow from what is open. */
static pm_status read_suffix(pm_check *check, pmi_suffix *to) {
    if (add_kept(check, to))
        return check->suffix.status;
    to->length = 0;
    const pm_status status = pmi_check_suffix_read(check, true, to);
    keep_suffix(check, status, to);
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
    pmi_suffix to = {suffix, capacity, 0};
    pm_status status = PM_OK;
    const bool known = is_in_pattern(&check->reader.lexer) && pmi_check_suffix_known(check, &to, &status);
    if (!known && !pmi_check_suffix_derive(check, true, &to))
        status = read_suffix(check, &to);
    if (status == PM_OK)
        *length = to.length;
    return status;
}
