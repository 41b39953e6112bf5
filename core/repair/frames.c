/* SPDX-License-Identifier: Apache-2.0 */
/* Frames: what stands in a bracket and behind it depends on what the bracket belongs to, a call, a condition or a
 * block. */
#include "core/repair/habits.h"
#include "core/repair/learn.h"

#define WEIGHT_FRAME 6.0 /* counts that the next coarser level stands for */
#define WEIGHT_ARGUMENTS 3.0
#define ARGUMENTS_MAX 6u /* more are as many */
#define FRAMES_MAX 1024u

static unsigned form_after(unsigned form, unsigned spacing) {
    return form * PM_SPACINGS + spacing;
}

enum {
    CLASS_BEGIN, /* of the text */
    CLASS_FOR,
    CLASS_CONTROL,
    CLASS_FLOW,
    CLASS_WORD,
    CLASS_CLOSE,
    CLASS_STATEMENT,
    CLASS_OPERATOR
};

unsigned pmi_habits_frame(unsigned kind, const pmi_code_token *before) {
    unsigned class = CLASS_OPERATOR;
    if (before->sort == PM_SORT_EDGE)
        class = CLASS_BEGIN;
    else if (before->form == PM_FORM_FOR)
        class = CLASS_FOR;
    else if (before->form == PM_FORM_CONTROL)
        class = CLASS_CONTROL;
    else if (before->form == PM_FORM_FLOW)
        class = CLASS_FLOW;
    else if (before->sort == PM_SORT_WORD)
        class = CLASS_WORD;
    else if (before->role != PM_ROLE_NEUTRAL && !pmi_role_is_open(before->role))
        class = CLASS_CLOSE;
    else if (before->sort == ';' || before->sort == '{')
        class = CLASS_STATEMENT;
    return (kind & 3) * PM_FRAME_CLASSES + class;
}

bool pmi_habits_frame_is_body(unsigned frame) {
    return frame % PM_FRAME_CLASSES == CLASS_CLOSE;
}

/* The frames around a token, as far as a text with faults tells. */
typedef struct frame_stack {
    size_t depth;
    bool closed; /* the token before closed `last` */
    uint8_t last, frame[FRAMES_MAX];
    unsigned arguments; /* of `last` */
    uint32_t last_name;
    uint32_t line;               /* indentation of the line, or of what was closed in it */
    uint32_t row;                /* ordinal of the line */
    uint32_t inside[FRAMES_MAX]; /* the least indentation of a line inside it */
    uint32_t indent[FRAMES_MAX];
    uint32_t name[FRAMES_MAX];   /* of the token before it */
    uint32_t commas[FRAMES_MAX]; /* in it, not deeper */
    uint32_t rows[FRAMES_MAX];   /* of its line */
    bool ends_line[FRAMES_MAX];
    bool over_lines, hanging, begins_line; /* of `last`: its open ends a line, its close begins one */
} frame_stack;

/* A line that is indented less than the one of an open, or not more if that is not a brace, is not inside it. */
static void begin_line(frame_stack *stack, const pmi_code_token *t) {
    const bool close = t->role != PM_ROLE_NEUTRAL && !pmi_role_is_open(t->role);
    stack->line = t->indent;
    stack->row++;
    if (t->directive_line || t->label_line || close)
        return;
    while (stack->depth > 0 && t->indent < stack->inside[stack->depth - 1])
        stack->depth--;
}

static void read_frame(frame_stack *stack, const pmi_code_token *t) {
    const unsigned kind = pmi_role_kind(t->role);
    stack->closed = false;
    if (t->role == PM_ROLE_NEUTRAL) {
        if (t->sort == ',' && stack->depth > 0)
            stack->commas[stack->depth - 1]++;
        return;
    }
    if (pmi_role_is_open(t->role)) {
        if (stack->depth == FRAMES_MAX)
            stack->depth = 0;
        stack->indent[stack->depth] = stack->line;
        stack->inside[stack->depth] = stack->line + (t->sort != '{');
        stack->name[stack->depth] = t[-1].name;
        stack->commas[stack->depth] = 0;
        stack->rows[stack->depth] = stack->row;
        stack->ends_line[stack->depth] = t[1].spacing == PM_SPACE_LINE;
        stack->frame[stack->depth++] = (uint8_t)pmi_habits_frame(kind, t - 1);
        return;
    }
    for (size_t fits = stack->depth; fits > 0 && stack->depth - fits < 3; fits--)
        if (stack->frame[fits - 1] / PM_FRAME_CLASSES == kind) {
            stack->closed = true;
            stack->last = stack->frame[fits - 1];
            stack->arguments = pmi_habits_argument_count(stack->commas[fits - 1], pmi_role_is_open(t[-1].role), t - 1);
            stack->last_name = stack->name[fits - 1];
            stack->over_lines = stack->rows[fits - 1] != stack->row;
            stack->hanging = stack->ends_line[fits - 1];
            stack->begins_line = t->spacing == PM_SPACE_LINE;
            stack->depth = fits - 1;
            stack->line = stack->indent[fits - 1];
            return;
        }
}

static void add_arguments(pmi_habits *habits, uint32_t name, unsigned frame, unsigned arguments) {
    pmi_counts_add(&habits->counts, pmi_count_key(PM_COUNT_CALLED, name, frame, 0));
    pmi_counts_add(&habits->counts, pmi_count_key(PM_COUNT_ARGUMENTS, name, frame, arguments));
}

unsigned pmi_habits_argument_count(uint32_t commas, bool empty, const pmi_code_token *last) {
    const uint32_t count = empty ? 0 : commas + (last->sort != ',');
    return count < ARGUMENTS_MAX ? count : ARGUMENTS_MAX;
}

static void learn_arguments(pmi_habits *habits, const frame_stack *stack) {
    add_arguments(habits, stack->last_name, 0, stack->arguments);
    add_arguments(habits, 0, 1u + stack->last, stack->arguments);
    add_arguments(habits, 0, 0, stack->arguments);
}

static void learn_hanging(pmi_habits *habits, const frame_stack *stack) {
    const unsigned kind = stack->last / PM_FRAME_CLASSES;
    if (!stack->over_lines)
        return;
    pmi_counts_add(&habits->counts, pmi_count_key(PM_COUNT_HANGING, kind, stack->hanging, 0));
    pmi_counts_add(&habits->counts, pmi_count_key(PM_COUNT_HANGING_CLOSE, kind, stack->hanging, stack->begins_line));
}

static void learn_frame(pmi_habits *habits, const frame_stack *stack, const pmi_code_token *t) {
    const unsigned before = t[-1].form, after = form_after(t->form, t->spacing);
    const unsigned frame = stack->depth > 0 ? stack->frame[stack->depth - 1] : PM_FRAME_NONE;
    pmi_counts_add(&habits->counts, pmi_count_key(PM_COUNT_FORM, before, 0, 0));
    pmi_counts_add(&habits->counts, pmi_count_key(PM_COUNT_FORM_AFTER, before, after, 0));
    pmi_counts_add(&habits->counts, pmi_count_key(PM_COUNT_INSIDE, before, frame, 0));
    pmi_counts_add(&habits->counts, pmi_count_key(PM_COUNT_INSIDE_AFTER, before, after, frame));
    if (!stack->closed)
        return;
    pmi_counts_add(&habits->counts, pmi_count_key(PM_COUNT_CLOSED, before, stack->last, 0));
    pmi_counts_add(&habits->counts, pmi_count_key(PM_COUNT_CLOSED_AFTER, before, after, stack->last));
}

bool pmi_frames_learn(pmi_habits *habits, const pm_allocator *allocator, const pmi_code_tokens *tokens) {
    frame_stack stack = {0};
    for (size_t i = PM_TOKEN_EDGE; i + PM_TOKEN_EDGE < tokens->count; i++) {
        const pmi_code_token *const t = &tokens->list[i];
        if (!pmi_counts_make_room(&habits->counts, allocator))
            return false;
        if (t->spacing == PM_SPACE_LINE)
            begin_line(&stack, t);
        learn_frame(habits, &stack, t);
        read_frame(&stack, t);
        if (stack.closed) {
            learn_arguments(habits, &stack);
            learn_hanging(habits, &stack);
        }
    }
    return true;
}

/* ---- Asking ---- */

static double form_behind(const pmi_habits *habits, unsigned before, unsigned after) {
    return (pmi_counts_get(&habits->counts, pmi_count_key(PM_COUNT_FORM_AFTER, before, after, 0), 1) + 0.2) /
           (pmi_counts_get(&habits->counts, pmi_count_key(PM_COUNT_FORM, before, 0, 0), 1) + 4);
}

static double form_in_frame(const pmi_habits *habits, unsigned what, unsigned what_after, unsigned frame,
                            unsigned before, unsigned after) {
    const double anywhere = form_behind(habits, before, after);
    const double here = (pmi_counts_get(&habits->counts, pmi_count_key(what_after, before, after, frame), 1) +
                         WEIGHT_FRAME * anywhere) /
                        (pmi_counts_get(&habits->counts, pmi_count_key(what, before, frame, 0), 1) + WEIGHT_FRAME);
    return pmi_logarithm(here / anywhere);
}

/* The same, kept for the next that asks. */
static double kept_form_in_frame(const pmi_habits *habits, unsigned what, unsigned what_after, unsigned frame,
                                 unsigned before, unsigned after) {
    const uint32_t key = ((what << 6 | frame) << 8 | before) << 10 | after;
    pmi_kept_gain *const kept = &habits->kept[(key * UINT32_C(0x9e3779b1)) / (UINT32_MAX / PM_KEPT_GAINS + 1)];
    if (kept->key != key)
        *kept = (pmi_kept_gain){key, form_in_frame(habits, what, what_after, frame, before, after)};
    return kept->gain;
}

double pmi_habits_inside(const pmi_habits *habits, unsigned frame, unsigned before, unsigned form, unsigned spacing) {
    return kept_form_in_frame(habits, PM_COUNT_INSIDE, PM_COUNT_INSIDE_AFTER, frame, before, form_after(form, spacing));
}

double pmi_habits_closed(const pmi_habits *habits, unsigned frame, unsigned close, unsigned form, unsigned spacing) {
    return kept_form_in_frame(habits, PM_COUNT_CLOSED, PM_COUNT_CLOSED_AFTER, frame, close, form_after(form, spacing));
}

/* The probability of a number of arguments behind a name, or in a frame; `wider` is that in all of them. */
static double arguments_of(const pmi_habits *habits, uint32_t name, unsigned frame, unsigned arguments, double wider) {
    return (pmi_counts_get(&habits->counts, pmi_count_key(PM_COUNT_ARGUMENTS, name, frame, arguments), 1) +
            WEIGHT_ARGUMENTS * wider) /
           (pmi_counts_get(&habits->counts, pmi_count_key(PM_COUNT_CALLED, name, frame, 0), 1) + WEIGHT_ARGUMENTS);
}

double pmi_habits_arguments(const pmi_habits *habits, unsigned frame, uint32_t name, unsigned arguments) {
    const double any = arguments_of(habits, 0, 0, arguments, 1.0 / (ARGUMENTS_MAX + 1));
    const double in_frame = arguments_of(habits, 0, 1 + frame, arguments, any);
    return pmi_logarithm(arguments_of(habits, name, 0, arguments, in_frame) / any);
}

double pmi_habits_hanging(const pmi_habits *habits, unsigned kind, bool ends_line, bool begins_line) {
    const double lines = pmi_counts_get(&habits->counts, pmi_count_key(PM_COUNT_HANGING, kind, ends_line, 0), 0);
    const double alike =
        pmi_counts_get(&habits->counts, pmi_count_key(PM_COUNT_HANGING_CLOSE, kind, ends_line, begins_line), 0);
    return pmi_logarithm((alike + 0.5) / (lines + 1));
}
