/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a text is in the habit of: which token follows which, and which tokens stand in which brackets. Counts of the
 * text itself say how likely a bracket is at a place where none is, and how likely one is that is there.
 */
#ifndef PM_CORE_REPAIR_HABITS_H
#define PM_CORE_REPAIR_HABITS_H

#include "core/repair/counts.h"
#include "core/repair/tokens.h"

#define PM_SORTS 256u
#define PM_SURROUNDINGS 10u /* kinds of brackets around a token, twice: behind the word `for` or not; and none */

/* What a form says in a frame, kept because many states ask the same. */
#define PM_KEPT_GAINS 4096u

typedef struct pmi_kept_gain {
    uint32_t key; /* 0: nothing is kept here */
    double gain;
} pmi_kept_gain;

/* How likely a token is behind two others, kept because places beside each other ask the same. */
#define PM_KEPT_ROWS 8192u

typedef struct pmi_kept_row {
    uint64_t key; /* 0: nothing is kept here */
    double likely;
} pmi_kept_row;

typedef struct pmi_habits {
    pmi_counts counts;
    /* Written when they are asked, so habits belong to one thread. */
    pmi_kept_gain *kept;     /* PM_KEPT_GAINS */
    pmi_kept_row *kept_rows; /* PM_KEPT_ROWS */
    bool data;               /* of JSON and the like */
    uint32_t before[PM_SORTS], after[PM_SORTS * PM_SPACINGS];
    uint32_t tokens, rows; /* of the text; with those of the sample */
    uint32_t surrounding[PM_SURROUNDINGS];
} pmi_habits;

/* Counts. Of a sample it counts which sorts of tokens follow which, and if the text is shorter, also which tokens.
 * data: the text has no parentheses, as JSON. PM_OUT_OF_MEMORY. */
pm_status pmi_habits_learn(pmi_habits *habits, const pm_allocator *allocator, const pmi_code_tokens *tokens,
                           const pmi_code_tokens *sample, bool data);
void pmi_habits_clear(pmi_habits *habits, const pm_allocator *allocator);

/* ---- Frames: what stands in a bracket and behind it depends on what the bracket belongs to ---- */

/* The frame that an open makes: its kind, and whether a call, a condition, an operator or the like stands before it. */
#define PM_FRAME_CLASSES 8u
#define PM_FRAME_NONE (4 * PM_FRAME_CLASSES) /* outside all brackets */
unsigned pmi_habits_frame(unsigned kind, const pmi_code_token *before);

/* Does a close stand before the open, as before the body of a function of C? */
bool pmi_habits_frame_is_body(unsigned frame);

/* The logarithm of how much likelier a form, with `spacing` before it, is behind the form `before` in a frame than
 * behind it anywhere. */
double pmi_habits_inside(const pmi_habits *habits, unsigned frame, unsigned before, unsigned form, unsigned spacing);

/* The same behind a close whose open had made the frame. */
double pmi_habits_closed(const pmi_habits *habits, unsigned frame, unsigned close, unsigned form, unsigned spacing);

/* Returns the number of arguments in a bracket, by its commas; `last` is the token before its close. */
unsigned pmi_habits_argument_count(uint32_t commas, bool empty, const pmi_code_token *last);

/* The logarithm of how much likelier this number of arguments is in a bracket with frame `frame` behind a token named
 * `name` than in any one. */
double pmi_habits_arguments(const pmi_habits *habits, unsigned frame, uint32_t name, unsigned arguments);

/* The logarithm of the probability that the close of a bracket over several lines begins one, or does not; ends_line:
 * its open ends a line. */
double pmi_habits_hanging(const pmi_habits *habits, unsigned kind, bool ends_line, bool begins_line);

/* How often a word occurs. */
uint32_t pmi_habits_word(const pmi_habits *habits, uint32_t name);

/* How likely a token is where it stands, and the next one behind it, as natural logarithms. */
typedef struct pmi_habits_row {
    double token, next;
} pmi_habits_row;

pmi_habits_row pmi_habits_row_of(const pmi_habits *habits, const pmi_code_token *t);

/* The natural logarithm of how much likelier the text becomes when a token is put before token t; `spacing` is what
 * stands before the new one, `rest` what then stands before t. `row` is that of t, found once for all that is tried. */
double pmi_habits_insert(const pmi_habits *habits, const pmi_code_token *t, const pmi_habits_row *row,
                         pmi_code_token added, pmi_spacing rest);

/* The same, when token t is taken away. */
double pmi_habits_remove(const pmi_habits *habits, const pmi_code_token *t);

/* The same, when word t is taken for two words with a token between them. */
double pmi_habits_split(const pmi_habits *habits, const pmi_code_token *t, const pmi_habits_row *row,
                        pmi_code_token left, pmi_code_token added, pmi_code_token right);

/* The surroundings that an open makes; `before` is the token before it. */
unsigned pmi_habits_surrounding(unsigned kind, const pmi_code_token *before);
#define PM_SURROUNDING_NONE (PM_SURROUNDINGS - 1)

/* The logarithm of how much likelier token t is in these surroundings than anywhere, at most 0. */
double pmi_habits_fits(const pmi_habits *habits, unsigned surrounding, const pmi_code_token *t);

#endif
