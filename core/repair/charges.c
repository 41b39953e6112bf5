/* SPDX-License-Identifier: Apache-2.0 */
/* The costs of indentation, of tokens in brackets, and of the number of arguments. */
#include "core/repair/charges.h"

#include <string.h>

#define COST_LINES 3.0       /* a line not indented more than that of the open around it */
#define COST_LINES_MAX 10.0  /* ... all of them */
#define COST_DEEPER 6.0      /* a line behind a statement that is indented more than that */
#define COST_DEEPER_MAX 18.0 /* ... all of C outside brackets: some indent the types of functions */
#define COST_BODY 6.0        /* the first such line in the body of a function or the like in C */
#define COST_BODY_MAX 20.0
#define COST_DIRECTIVE 6.0 /* a line behind a directive that leaves a bracket open */
#define COST_PARENS 4.0    /* the same of an open that is not a brace */
#define COST_PARENS_MAX 16.0
#define COST_LINE_ENDED 12.0 /* the end of a line ends a statement in parentheses */
#define COST_SEMICOLON 8.0   /* a semicolon does, not in those of a `for` */
#define COST_DECLARED 8.0    /* the close of declarations does not begin a line */
#define COST_STATEMENT 8.0   /* a statement begins in parentheses */
#define COST_OUTSIDE 4.0     /* a comma or colon of data outside all brackets */
#define COST_OUTSIDE_MAX 12.0
#define COST_OPEN_INSIDE 2.0  /* a brace that begins a line closes one that does not end a line */
#define COST_FITS 5.0         /* maximum for tokens that do not fit their surroundings */
#define COST_CLOSE_INDENT 4.0 /* a brace that begins a line is not indented as that of its open */
#define COST_CLOSE_LEFT 2.0   /* another close that begins a line is indented less */
#define COST_CLOSE_RIGHT 0.3  /* ... more */
#define COST_CLOSE_INSIDE 2.0 /* a brace closes a block, but does not begin a line */
#define FRAME_WEIGHT 0.4      /* of what frames say: neighbouring tokens say some of it, too */
#define FRAME_MAX 4.0         /* of one token, before the weight */
#define FRAME_SUM_MAX 5.0     /* of all tokens right inside a bracket, with the weight */
#define ARGUMENTS_WEIGHT 0.7  /* of what the number of arguments says */
#define ARGUMENTS_GAIN 5.0    /* ... at most, before the weight */
#define HANGING_WEIGHT 1.0
#define COST_AFTER_CONDITION 14.0 /* an operator behind the condition of an `if` or the like */
#define COST_NO_PAREN 12.0        /* the condition of an `if` or the like without a parenthesis */
#define NO_GAIN 1.0               /* gains in surroundings are at most 0 */

static bool is_brace(const pmi_repair_text *text, unsigned kind) {
    const uint8_t role = text->alphabet->role['{'];
    return role == PM_ROLE(PM_ROLE_OPEN, kind);
}

/* JSON and the like: without parentheses. */
static bool has_only_data(const pmi_repair_text *text) {
    return text->alphabet->role['('] == PM_ROLE_NEUTRAL;
}

/* ---- What lines and tokens say of the open around them ---- */

/* Adds to a cost of an open, at most up to `most`; once a token, whichever state asks. */
static double charge(pmi_open *open, uint32_t token, double *sum, double cost, double most) {
    if (open->token != token) {
        const double before = *sum, room = most > before ? most - before : 0;
        open->token = token;
        open->added = cost < room ? cost : room;
        *sum = before + open->added;
    }
    return open->added;
}

/* Charges a line that is not indented more than that of the open around it: braces rarely hold one, other brackets
 * hardly ever several. */
static double charge_left(const pmi_repair_text *text, pmi_open *open, uint32_t id) {
    if (open->directive)
        return charge(open, id, &open->by_lines, COST_DIRECTIVE, COST_DIRECTIVE);
    if (!is_brace(text, open->kind))
        return charge(open, id, &open->by_lines, open->by_lines > 0 ? COST_PARENS / 2 : COST_PARENS, COST_PARENS_MAX);
    if (text->has_directives && pmi_habits_frame_is_body(open->frame))
        return charge(open, id, &open->by_lines, open->by_lines > 0 ? COST_BODY / 2 : COST_BODY, COST_BODY_MAX);
    return charge(open, id, &open->by_lines, open->by_lines > 0 ? COST_LINES / 3 : COST_LINES, COST_LINES_MAX);
}

/* Is a line indented more than the statement or block that ended before it, or than an open that no longer is one? */
static bool is_deeper(const pmi_repair_text *text, const pmi_state *state, const pmi_code_token *t) {
    const pmi_open *const top = state->top;
    return t->behind_statement && t->indent > state->indent &&
           (!top || (is_brace(text, top->kind) && top->at < t[-1].begin)) && !t[-1].directive_line &&
           !has_only_data(text);
}

static void charge_deeper(const pmi_repair_text *text, pmi_state *state) {
    const bool outside = text->has_directives && !state->top;
    if (outside && state->outside >= COST_DEEPER_MAX)
        return;
    state->cost += COST_DEEPER;
    state->outside += outside ? COST_DEEPER : 0;
}

void pmi_charge_line(const pmi_repair_text *text, pmi_beam *beam, const pmi_code_token *t) {
    const uint32_t id = 2 * (uint32_t)(t - text->tokens->list) + 1;
    for (size_t s = 0; s < beam->count; s++) {
        pmi_state *const state = &beam->now[s];
        if (t->directive_line)
            continue;
        if (is_deeper(text, state, t))
            charge_deeper(text, state);
        state->indent = t->indent;
        if (!state->top || (t->role != PM_ROLE_NEUTRAL && !pmi_role_is_open(t->role)))
            continue;
        if (t->behind_line && !is_brace(text, state->top->kind) && !state->top->declares) {
            state->cost += charge(state->top, id, &state->top->by_lines, COST_LINE_ENDED, COST_PARENS_MAX);
            continue;
        }
        const bool left = state->top->directive || t->indent < state->top->indent ||
                          (t->indent == state->top->indent && !t->label_line);
        if (t->statement && !state->top->directive && !is_brace(text, state->top->kind))
            state->cost += charge(state->top, id, &state->top->by_lines, COST_STATEMENT, COST_PARENS_MAX);
        else if (left)
            state->cost += charge_left(text, state->top, id);
    }
}

/* Data have nothing beside their outermost brackets. */
static void charge_outside(const pmi_repair_text *text, pmi_state *state, const pmi_code_token *t) {
    if (!has_only_data(text) || (t->sort != ',' && t->sort != ':') || state->outside >= COST_OUTSIDE_MAX)
        return;
    state->cost += COST_OUTSIDE;
    state->outside += COST_OUTSIDE;
}

/* What it costs that a token stands in surroundings. `asked` keeps it for other states. */
static double cost_in_surrounding(const pmi_repair_text *text, double *asked, unsigned surrounding,
                                  const pmi_code_token *t) {
    if (asked[surrounding] > 0)
        asked[surrounding] = pmi_habits_fits(text->habits, surrounding, t);
    return -asked[surrounding];
}

void pmi_charge_token(const pmi_repair_text *text, pmi_beam *beam, const pmi_code_token *t) {
    const uint32_t id = 2 * (uint32_t)(t - text->tokens->list) + 2;
    double asked[PM_SURROUNDINGS];
    for (unsigned k = 0; k < PM_SURROUNDINGS; k++)
        asked[k] = NO_GAIN;
    for (size_t s = 0; s < beam->count; s++) {
        pmi_state *const state = &beam->now[s];
        state->commas += t->sort == ',';
        if (!state->top) {
            charge_outside(text, state, t);
            continue;
        }
        double cost = 0;
        if (state->top->token != id)
            cost = cost_in_surrounding(text, asked, state->top->surrounding, t);
        const bool semicolon = t->sort == ';' && !is_brace(text, state->top->kind) && state->top->surrounding % 2 == 0;
        state->cost += charge(state->top, id, &state->top->by_fits, cost + (semicolon ? COST_SEMICOLON : 0),
                              semicolon ? COST_SEMICOLON : COST_FITS);
    }
}

/* What it costs that the close of a bracket over several lines begins its line, or does not. */
static double cost_of_hanging(const pmi_repair_text *text, const pmi_open *open, bool begins_line) {
    const double cost = -pmi_habits_hanging(text->habits, open->kind, open->ends_line, begins_line);
    return HANGING_WEIGHT * cost;
}

double pmi_cost_of_close(const pmi_repair_text *text, const pmi_open *open, bool begins_line, uint32_t indent,
                         bool same_line) {
    const double hanging = same_line || is_brace(text, open->kind) ? 0 : cost_of_hanging(text, open, begins_line);
    if (open->declares)
        return begins_line ? 0 : COST_DECLARED;
    if (!begins_line)
        return hanging + (open->ends_line && !same_line && is_brace(text, open->kind) ? COST_CLOSE_INSIDE : 0);
    if (is_brace(text, open->kind))
        return (indent == open->indent ? 0 : COST_CLOSE_INDENT) + (open->ends_line || same_line ? 0 : COST_OPEN_INSIDE);
    if (indent == open->indent)
        return hanging;
    return hanging + (indent < open->indent ? COST_CLOSE_LEFT : COST_CLOSE_RIGHT);
}

bool pmi_in_line(const pmi_repair_text *text, const pmi_open *open, uint32_t at) {
    return !memchr(text->text + open->at, '\n', at - open->at);
}

/* ---- What stands in and behind brackets ---- */

static unsigned frame_of(const pmi_open *open) {
    return open ? open->frame : PM_FRAME_NONE;
}

double pmi_cost_in_frame(double gain) {
    return -FRAME_WEIGHT * (gain > FRAME_MAX ? FRAME_MAX : gain < -FRAME_MAX ? -FRAME_MAX : gain);
}

/* Is a token an operator that takes what stands before it? Of `&&` and `!=` both bytes are looked at. */
static bool is_binary(const pmi_code_token *t) {
    const bool twice = t[1].sort == t->sort && t[1].spacing == PM_SPACE_NONE;
    switch (t->sort) {
    case '&':
        return twice;
    case '!':
        return t[1].sort == '=' && t[1].spacing == PM_SPACE_NONE;
    case '|':
    case '=':
    case '<':
    case '>':
    case '?':
    case '/':
    case '%':
    case '^':
        return true;
    default:
        return false;
    }
}

void pmi_charge_closed(const pmi_repair_text *text, pmi_state *state, const pmi_code_token *next, unsigned form,
                       unsigned spacing) {
    if (state->closed == 0)
        return;
    if (state->condition && next && is_binary(next))
        state->cost += COST_AFTER_CONDITION;
    state->condition = false;
    state->cost += pmi_cost_in_frame(pmi_habits_closed(text->habits, state->closed - 1u, state->close, form, spacing));
    state->closed = 0;
}

void pmi_charge_place(const pmi_repair_text *text, pmi_state *state, const pmi_place *place) {
    pmi_charge_closed(text, state, NULL, place->byte, place->spacing);
    state->cost += pmi_cost_in_frame(
        pmi_habits_inside(text->habits, frame_of(state->top), place->before.form, place->byte, place->spacing));
}

/* Adds a cost to a sum that stays between -FRAME_SUM_MAX and FRAME_SUM_MAX; returns what was added. */
static float add_within(float *sum, double cost) {
    const double after = (double)*sum + cost;
    const float before = *sum;
    *sum = (float)(after > FRAME_SUM_MAX ? FRAME_SUM_MAX : after < -FRAME_SUM_MAX ? -FRAME_SUM_MAX : after);
    return *sum - before;
}

/* What a token costs by the frame around it; once a token, whichever state asks. */
static double cost_inside(const pmi_repair_text *text, pmi_state *state, const pmi_code_token *t) {
    pmi_open *const top = state->top;
    const uint32_t id = (uint32_t)(t - text->tokens->list);
    if (top && top->frame_token == id)
        return (double)top->frame_added;
    const double cost =
        pmi_cost_in_frame(pmi_habits_inside(text->habits, frame_of(top), t[-1].form, t->form, t->spacing));
    if (!top)
        return (double)add_within(&state->by_frame, cost);
    top->frame_token = id;
    top->frame_added = add_within(&top->by_frame, cost);
    return (double)top->frame_added;
}

double pmi_cost_without_paren(const pmi_code_token *word, const pmi_code_token *next) {
    return word->wants_paren && next->sort != '(' && next->form != PM_FORM_FLOW && next->sort != '{' ? COST_NO_PAREN
                                                                                                     : 0;
}

void pmi_charge_frames(const pmi_repair_text *text, pmi_beam *beam, const pmi_code_token *t) {
    for (size_t s = 0; s < beam->count; s++) {
        pmi_state *const state = &beam->now[s];
        pmi_charge_closed(text, state, t, t->form, t->spacing);
        if (!state->fresh)
            state->cost += cost_inside(text, state, t) + pmi_cost_without_paren(&t[-1], t);
        state->fresh = false;
    }
}

double pmi_cost_of_arguments(const pmi_repair_text *text, const pmi_state *state, const pmi_code_token *last) {
    const pmi_open *const open = state->top;
    if (text->alphabet->role['('] != PM_ROLE(PM_ROLE_OPEN, open->kind))
        return 0;
    const unsigned count = pmi_habits_argument_count(state->commas, open->at >= last->begin, last);
    const double gain = pmi_habits_arguments(text->habits, open->frame, open->name, count);
    return -ARGUMENTS_WEIGHT * (gain > ARGUMENTS_GAIN    ? ARGUMENTS_GAIN
                                : gain < -ARGUMENTS_GAIN ? -ARGUMENTS_GAIN
                                                         : gain);
}
