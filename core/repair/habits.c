/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Counts of tokens in a row. The probability of a token behind two others is a mixture: of that token behind the one
 * before it, and of its sort behind both, behind the one, and behind the sort of the one. What is counted often
 * outweighs what is counted seldom (additive smoothing towards the coarser level).
 */
#include "core/repair/habits.h"

#include <string.h>

#include "base/memory.h"

#define WEIGHT_TOKEN 4.0 /* counts that the next coarser level stands for */
#define WEIGHT_SORT 4.0
#define WEIGHT_COARSE 8.0
#define WEIGHT_AROUND 8.0
#define WEIGHT_FRAME 6.0
#define FRAMES_MAX 1024u
#define ROOM_MIN ((size_t)1024)
#define UNKNOWN 0.2 /* count of a word that does not occur */

struct pmi_habit {
    uint64_t key; /* 0: free */
    uint32_t count;
};

/* What is counted. */
enum {
    COUNT_WORD = 1,     /* a token */
    COUNT_BEFORE,       /* a token that another one follows; its name */
    COUNT_TOKEN,        /* a token, behind a token */
    COUNT_SORT,         /* a sort, behind a token */
    COUNT_BEFORE_TWO,   /* the sort of one, and a token behind it */
    COUNT_SORT_TWO,     /* a sort, behind those */
    COUNT_AROUND,       /* a token in surroundings */
    COUNT_FORM,         /* a form that another one follows */
    COUNT_FORM_AFTER,   /* a form, behind a form */
    COUNT_INSIDE,       /* a form in a frame that another one follows */
    COUNT_INSIDE_AFTER, /* a form, behind a form in a frame */
    COUNT_CLOSED,       /* a close whose open had made a frame */
    COUNT_CLOSED_AFTER, /* a form, behind that */
    COUNTS_A_TOKEN = 16
};

/* The natural logarithm of x > 0, to 1e-4; the library does without the mathematical one. */
static double logarithm(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    const int exponent = (int)(bits >> 52 & 0x7ff) - 1023;
    bits = (bits & (UINT64_MAX >> 12)) | UINT64_C(0x3ff) << 52;
    double mantissa; /* 1 ... 2 */
    memcpy(&mantissa, &bits, sizeof mantissa);
    const double z = (mantissa - 1.4142135623730951) / (mantissa + 1.4142135623730951), square = z * z;
    return 2 * z * (1 + square * (1.0 / 3 + square * (1.0 / 5 + square / 7))) + (exponent + 0.5) * 0.6931471805599453;
}

static uint64_t key_of(unsigned what, uint32_t a, uint32_t b, uint32_t c) {
    uint64_t key = (uint64_t)what * UINT64_C(0x9e3779b97f4a7c15) ^ a;
    key = (key ^ key >> 29) * UINT64_C(0xbf58476d1ce4e5b9) + b;
    key = (key ^ key >> 32) * UINT64_C(0x94d049bb133111eb) + c;
    key = (key ^ key >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
    return (key ^ key >> 32) | 1;
}

static struct pmi_habit *find(const pmi_habits *habits, uint64_t key) {
    size_t k = key >> 1 & habits->mask;
    while (habits->table[k].key != 0 && habits->table[k].key != key)
        k = (k + 1) & habits->mask;
    return &habits->table[k];
}

/* Has room for the counts of one more token: the table is at most two thirds full. */
static bool make_room(pmi_habits *habits, const pm_allocator *allocator) {
    const size_t room = habits->table ? habits->mask + 1 : 0;
    if (3 * (habits->used + COUNTS_A_TOKEN) <= 2 * room)
        return true;
    pmi_habits larger = {.mask = (room > 0 ? 2 * room : ROOM_MIN) - 1};
    larger.table = pmi_memory_allocate(allocator, larger.mask + 1, sizeof *larger.table);
    if (!larger.table)
        return false;
    memset(larger.table, 0, (larger.mask + 1) * sizeof *larger.table);
    for (size_t k = 0; k < room; k++)
        if (habits->table[k].key != 0)
            *find(&larger, habits->table[k].key) = habits->table[k];
    pmi_memory_free(allocator, habits->table);
    habits->table = larger.table;
    habits->mask = larger.mask;
    return true;
}

static void add(pmi_habits *habits, uint64_t key) {
    struct pmi_habit *const habit = find(habits, key);
    habits->used += habit->key == 0;
    habit->key = key;
    habit->count++;
}

static double count_of(const pmi_habits *habits, uint64_t key, unsigned less) {
    const uint32_t count = find(habits, key)->count;
    return count > less ? count - less : 0;
}

static unsigned form_after(unsigned form, unsigned spacing) {
    return form * PM_SPACINGS + spacing;
}

static unsigned after_of(const pmi_token *t) {
    return t->sort * PM_SPACINGS + t->spacing;
}

/* ---- Learning ---- */

unsigned pmi_habits_surrounding(unsigned kind, const pmi_token *before) {
    return 2 * (kind & 3) + (before->name == pmi_token_name("for", 3));
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

unsigned pmi_habits_frame(unsigned kind, const pmi_token *before) {
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

/* Counts which tokens stand in which brackets. A close that does not fit closes what it can. */
static bool learn_surroundings(pmi_habits *habits, const pm_allocator *allocator, const pmi_tokens *tokens,
                               uint8_t *stack) {
    size_t depth = 0;
    for (size_t i = PM_TOKEN_EDGE; i + PM_TOKEN_EDGE < tokens->count; i++) {
        const pmi_token *const t = &tokens->list[i];
        if (pmi_role_is_open(t->role)) {
            stack[depth++] = (uint8_t)pmi_habits_surrounding(pmi_role_kind(t->role), t - 1);
        } else if (t->role != PM_ROLE_NEUTRAL) {
            const unsigned kind = pmi_role_kind(t->role);
            size_t fits = depth;
            while (fits > 0 && depth - fits < 3 && (unsigned)stack[fits - 1] / 2 != kind)
                fits--;
            if (fits > 0 && (unsigned)stack[fits - 1] / 2 == kind)
                depth = fits - 1;
        } else {
            if (!make_room(habits, allocator))
                return false;
            const unsigned around = depth > 0 ? stack[depth - 1] : PM_SURROUNDING_NONE;
            habits->surrounding[around]++;
            add(habits, key_of(COUNT_AROUND, t->name, around, 0));
        }
    }
    return true;
}

/* The frames around a token, as far as a text with faults tells. */
typedef struct frame_stack {
    size_t depth;
    bool closed; /* the token before closed `last` */
    uint8_t last, frame[FRAMES_MAX];
    uint32_t line;               /* indentation of the line, or of what was closed in it */
    uint32_t inside[FRAMES_MAX]; /* the least indentation of a line inside it */
    uint32_t indent[FRAMES_MAX];
} frame_stack;

/* A line that is indented less than the one of an open, or not more if that is not a brace, is not inside it. */
static void begin_line(frame_stack *stack, const pmi_token *t) {
    const bool close = t->role != PM_ROLE_NEUTRAL && !pmi_role_is_open(t->role);
    stack->line = t->indent;
    if (t->directive_line || t->label_line || close)
        return;
    while (stack->depth > 0 && t->indent < stack->inside[stack->depth - 1])
        stack->depth--;
}

static void read_frame(frame_stack *stack, const pmi_token *t) {
    const unsigned kind = pmi_role_kind(t->role);
    stack->closed = false;
    if (t->role == PM_ROLE_NEUTRAL)
        return;
    if (pmi_role_is_open(t->role)) {
        if (stack->depth == FRAMES_MAX)
            stack->depth = 0;
        stack->indent[stack->depth] = stack->line;
        stack->inside[stack->depth] = stack->line + (t->sort != '{');
        stack->frame[stack->depth++] = (uint8_t)pmi_habits_frame(kind, t - 1);
        return;
    }
    for (size_t fits = stack->depth; fits > 0 && stack->depth - fits < 3; fits--)
        if (stack->frame[fits - 1] / PM_FRAME_CLASSES == kind) {
            stack->closed = true;
            stack->last = stack->frame[fits - 1];
            stack->depth = fits - 1;
            stack->line = stack->indent[fits - 1];
            return;
        }
}

static void learn_frame(pmi_habits *habits, const frame_stack *stack, const pmi_token *t) {
    const unsigned before = t[-1].form, after = form_after(t->form, t->spacing);
    const unsigned frame = stack->depth > 0 ? stack->frame[stack->depth - 1] : PM_FRAME_NONE;
    add(habits, key_of(COUNT_FORM, before, 0, 0));
    add(habits, key_of(COUNT_FORM_AFTER, before, after, 0));
    add(habits, key_of(COUNT_INSIDE, before, frame, 0));
    add(habits, key_of(COUNT_INSIDE_AFTER, before, after, frame));
    if (!stack->closed)
        return;
    add(habits, key_of(COUNT_CLOSED, before, stack->last, 0));
    add(habits, key_of(COUNT_CLOSED_AFTER, before, after, stack->last));
}

static bool learn_frames(pmi_habits *habits, const pm_allocator *allocator, const pmi_tokens *tokens) {
    frame_stack stack = {0};
    for (size_t i = PM_TOKEN_EDGE; i + PM_TOKEN_EDGE < tokens->count; i++) {
        const pmi_token *const t = &tokens->list[i];
        if (!make_room(habits, allocator))
            return false;
        if (t->spacing == PM_SPACE_LINE)
            begin_line(&stack, t);
        learn_frame(habits, &stack, t);
        read_frame(&stack, t);
    }
    return true;
}

static void learn_sorts(pmi_habits *habits, const pmi_token *t) {
    const unsigned before = t[-1].sort, sort = after_of(t);
    habits->rows++;
    habits->before[before]++;
    habits->after[sort]++;
    habits->pairs[before][sort]++;
}

static void learn_row(pmi_habits *habits, const pmi_token *t) {
    const pmi_token *const x = t - 1, *const w = t - 2;
    const unsigned sort = after_of(t);
    learn_sorts(habits, t);
    habits->tokens++;
    add(habits, key_of(COUNT_WORD, t->name, 0, 0));
    add(habits, key_of(COUNT_BEFORE, x->name, 0, 0));
    add(habits, key_of(COUNT_TOKEN, x->name, t->name, t->spacing));
    add(habits, key_of(COUNT_SORT, x->name, sort, 0));
    add(habits, key_of(COUNT_BEFORE_TWO, w->sort, x->name, 0));
    add(habits, key_of(COUNT_SORT_TWO, w->sort, x->name, sort));
}

static bool learn_rows(pmi_habits *habits, const pm_allocator *allocator, const pmi_tokens *tokens) {
    for (size_t i = PM_TOKEN_EDGE; i < tokens->count; i++) {
        if (!make_room(habits, allocator))
            return false;
        learn_row(habits, &tokens->list[i]);
    }
    return true;
}

/* Of a text shorter than the sample the sample says more. */
static bool learn_sample(pmi_habits *habits, const pm_allocator *allocator, const pmi_tokens *sample, bool all,
                         uint8_t *stack) {
    if (!learn_frames(habits, allocator, sample))
        return false;
    if (all)
        return learn_rows(habits, allocator, sample) && learn_surroundings(habits, allocator, sample, stack);
    for (size_t i = PM_TOKEN_EDGE; i < sample->count; i++)
        learn_sorts(habits, &sample->list[i]);
    return true;
}

pm_status pmi_habits_learn(pmi_habits *habits, const pm_allocator *allocator, const pmi_tokens *tokens,
                           const pmi_tokens *sample) {
    *habits = (pmi_habits){.pairs = pmi_memory_allocate(allocator, PM_SORTS, sizeof *habits->pairs)};
    uint8_t *const stack =
        pmi_memory_allocate(allocator, tokens->count > sample->count ? tokens->count : sample->count, 1);
    if (habits->pairs)
        memset(habits->pairs, 0, PM_SORTS * sizeof *habits->pairs);
    const bool learnt = habits->pairs && stack && learn_rows(habits, allocator, tokens) &&
                        learn_sample(habits, allocator, sample, sample->count > tokens->count, stack) &&
                        learn_surroundings(habits, allocator, tokens, stack) && learn_frames(habits, allocator, tokens);
    pmi_memory_free(allocator, stack);
    if (!learnt)
        pmi_habits_clear(habits, allocator);
    return learnt ? PM_OK : PM_OUT_OF_MEMORY;
}

void pmi_habits_clear(pmi_habits *habits, const pm_allocator *allocator) {
    pmi_memory_free(allocator, habits->table);
    pmi_memory_free(allocator, habits->pairs);
    *habits = (pmi_habits){0};
}

/* ---- Asking ---- */

uint32_t pmi_habits_word(const pmi_habits *habits, uint32_t name) {
    return find(habits, key_of(COUNT_WORD, name, 0, 0))->count;
}

static double less(uint32_t count, unsigned by) {
    return count > by ? count - by : 0;
}

/* The logarithm of the probability of t behind w and x; by: the text has this row
 * itself, and is not to count it. */
static double likely(const pmi_habits *habits, const pmi_token *w, const pmi_token *x, const pmi_token *t,
                     unsigned by) {
    const unsigned sort = after_of(t);
    const double any = (less(habits->after[sort], by) + 0.05) / (habits->rows + 40.0);
    const double coarse = (less(habits->pairs[x->sort][sort], by) + WEIGHT_COARSE * any) /
                          (less(habits->before[x->sort], by) + WEIGHT_COARSE);
    const double before = count_of(habits, key_of(COUNT_BEFORE, x->name, 0, 0), by);
    const double one =
        (count_of(habits, key_of(COUNT_SORT, x->name, sort, 0), by) + WEIGHT_SORT * coarse) / (before + WEIGHT_SORT);
    const double two = (count_of(habits, key_of(COUNT_SORT_TWO, w->sort, x->name, sort), by) + WEIGHT_SORT * one) /
                       (count_of(habits, key_of(COUNT_BEFORE_TWO, w->sort, x->name, 0), by) + WEIGHT_SORT);
    if (t->sort != PM_SORT_WORD)
        return logarithm(two);
    double words = 0;
    for (unsigned s = 0; s < PM_SPACINGS; s++)
        words += habits->after[PM_SORT_WORD * PM_SPACINGS + s];
    const double known = count_of(habits, key_of(COUNT_WORD, t->name, 0, 0), by);
    const double word = (known > 0 ? known : UNKNOWN) / (words + 1);
    return logarithm(
        (count_of(habits, key_of(COUNT_TOKEN, x->name, t->name, t->spacing), by) + WEIGHT_TOKEN * two * word) /
        (before + WEIGHT_TOKEN));
}

double pmi_habits_insert(const pmi_habits *habits, const pmi_token *t, pmi_token added, pmi_spacing rest) {
    pmi_token moved = *t;
    moved.spacing = (uint8_t)rest;
    return likely(habits, t - 2, t - 1, &added, 0) + likely(habits, t - 1, &added, &moved, 0) +
           likely(habits, &added, t, t + 1, 1) - likely(habits, t - 2, t - 1, t, 1) -
           likely(habits, t - 1, t, t + 1, 1);
}

double pmi_habits_remove(const pmi_habits *habits, const pmi_token *t) {
    pmi_token moved = t[1];
    moved.spacing = t->spacing > moved.spacing ? t->spacing : moved.spacing;
    return likely(habits, t - 2, t - 1, &moved, 0) + likely(habits, t - 1, t + 1, t + 2, 1) -
           likely(habits, t - 2, t - 1, t, 1) - likely(habits, t - 1, t, t + 1, 1) - likely(habits, t, t + 1, t + 2, 1);
}

double pmi_habits_split(const pmi_habits *habits, const pmi_token *t, pmi_token left, pmi_token added,
                        pmi_token right) {
    return likely(habits, t - 2, t - 1, &left, 0) + likely(habits, t - 1, &left, &added, 0) +
           likely(habits, &left, &added, &right, 0) + likely(habits, &added, &right, t + 1, 0) -
           likely(habits, t - 2, t - 1, t, 1) - likely(habits, t - 1, t, t + 1, 1);
}

static double form_behind(const pmi_habits *habits, unsigned before, unsigned after) {
    return (count_of(habits, key_of(COUNT_FORM_AFTER, before, after, 0), 1) + 0.2) /
           (count_of(habits, key_of(COUNT_FORM, before, 0, 0), 1) + 4);
}

static double form_in_frame(const pmi_habits *habits, unsigned what, unsigned what_after, unsigned frame,
                            unsigned before, unsigned after) {
    const double anywhere = form_behind(habits, before, after);
    const double here = (count_of(habits, key_of(what_after, before, after, frame), 1) + WEIGHT_FRAME * anywhere) /
                        (count_of(habits, key_of(what, before, frame, 0), 1) + WEIGHT_FRAME);
    return logarithm(here / anywhere);
}

double pmi_habits_inside(const pmi_habits *habits, unsigned frame, unsigned before, unsigned form, unsigned spacing) {
    return form_in_frame(habits, COUNT_INSIDE, COUNT_INSIDE_AFTER, frame, before, form_after(form, spacing));
}

double pmi_habits_closed(const pmi_habits *habits, unsigned frame, unsigned close, unsigned form, unsigned spacing) {
    return form_in_frame(habits, COUNT_CLOSED, COUNT_CLOSED_AFTER, frame, close, form_after(form, spacing));
}

double pmi_habits_fits(const pmi_habits *habits, unsigned surrounding, const pmi_token *t) {
    const double everywhere = (pmi_habits_word(habits, t->name) + 0.5) / (habits->tokens + 1.0);
    const double here =
        (count_of(habits, key_of(COUNT_AROUND, t->name, surrounding, 0), 1) + WEIGHT_AROUND * everywhere) /
        (habits->surrounding[surrounding] + WEIGHT_AROUND);
    const double ratio = logarithm(here / everywhere);
    return ratio < 0 ? ratio : 0;
}
