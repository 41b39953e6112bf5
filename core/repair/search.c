/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The search. Between two tokens that matter, the likeliest places for each bracket are collected; at such a token each
 * state may have one of them put there. Then the token is read: an open is pushed, a close closes an open of its kind,
 * or else has to be removed or replaced.
 */
#include "core/repair/search.h"

#include <string.h>

#include "core/repair/beam.h"
#include "core/repair/charges.h"
#include "core/repair/places.h"

#define COST_CHANGE 17.0
#define COST_REPLACE 22.0
#define COST_END 20.0        /* of an open that the end of the text closes */
#define COST_BRANCH 12.0     /* two branches leave different brackets open */
#define COST_BLOCK 4.0       /* to remove what begins or ends indented lines */
#define COST_SINGLE 14.0     /* to remove a bracket that is not one of two equal ones in a row */
#define GAIN_DOUBLED 2.5     /* to remove one that is */
#define HABITS_REMOVAL 0.4   /* of what habits say of a bracket that a prior knows */
#define PRIOR_REMOVAL 0.7    /* ... of what the prior says */
#define TOO_DEAR 45.0        /* above the cheapest state: not tried */
#define OPEN_FRAMES_MAX 5.0  /* frames make an open at most cheaper by this: three tokens */
#define CLOSE_FRAMES_MAX 9.0 /* ... a close: three tokens and the number of arguments */
#define COST_SCALE 0.53      /* by which costs are logarithms of likelihoods, where a prior is known */
#define EQUAL_KNOWN 4u       /* states with equal stacks, where one is */
#define EQUAL_OTHERS 2u      /* ... elsewhere */
#define COMMON_WORD 3u

typedef struct repair_search {
    const pmi_repair_text *text;
    pmi_beam beam;
    pmi_places places;
    const pmi_code_token *next; /* the token that is being read */
    unsigned skipped;           /* #if 0, and those inside it */
} repair_search;

/* ---- Changes ---- */

static bool change(pmi_state *state, pmi_change made) {
    if (state->count == PM_CHANGES_MAX)
        return false;
    state->changes[state->count++] = made;
    return true;
}

/* Takes the top of a state's stack away. */
static void pop(pmi_state *state, uint32_t at) {
    const pmi_open *const open = state->top;
    if (open->change > 0)
        state->changes[open->change - 1].partner = at;
    state->indent = open->indent;
    state->commas = open->commas;
    state->top = open->below;
}

static void offer_close(repair_search *search, const pmi_state *from, const pmi_place *place, unsigned kind) {
    const pmi_open *const open = from->top;
    if (!open || open->kind != kind || open->at >= place->at ||
        !pmi_beam_wants(&search->beam, from->cost + COST_CHANGE - place->gain - CLOSE_FRAMES_MAX))
        return;
    pmi_state state = *from;
    const bool own = place->sort == PM_CHANGE_INSERT_LINE;
    pmi_charge_place(search->text, &state, place);
    state.closed = 1 + open->frame;
    state.close = place->byte;
    state.condition = open->condition;
    pmi_charge_closed(search->text, &state, place->next, place->behind.form, place->rest);
    state.fresh = place->next == search->next;
    state.cost += COST_CHANGE - place->gain;
    if (!own)
        state.cost += pmi_cost_of_close(search->text, open, place->begins_line, place->column,
                                        pmi_in_line(search->text, open, place->at));
    const pmi_change made = {
        .at = place->at, .partner = open->at, .indent = open->indent, .byte = place->byte, .sort = place->sort};
    if (!change(&state, made))
        return;
    state.cost += pmi_cost_of_arguments(search->text, &state, &place->before);
    pop(&state, place->at);
    pmi_beam_offer(&search->beam, &state);
}

/* Does a bracket between two tokens hold declarations, as in `import (` of Go? */
static bool declares(const pmi_code_token *before, const pmi_code_token *first) {
    return before->form == PM_FORM_DECLARE && before->line_statements && first->spacing == PM_SPACE_LINE;
}

static void offer_open(repair_search *search, const pmi_state *from, const pmi_place *place, unsigned kind) {
    if (!pmi_beam_wants(&search->beam, from->cost + COST_CHANGE - place->gain - OPEN_FRAMES_MAX))
        return;
    pmi_state state = *from;
    pmi_charge_place(search->text, &state, place);
    const uint8_t frame = (uint8_t)pmi_habits_frame(kind, &place->before);
    state.cost +=
        pmi_cost_in_frame(pmi_habits_inside(search->text->habits, frame, place->byte, place->behind.form, place->rest));
    state.fresh = place->next == search->next;
    state.cost += COST_CHANGE - place->gain;
    if (place->begins_line && place->sort == PM_CHANGE_INSERT)
        state.indent = place->column;
    const pmi_change made = {
        .at = place->at, .partner = UINT32_MAX, .indent = state.indent, .byte = place->byte, .sort = place->sort};
    if (search->beam.free_count == 0 || !pmi_beam_wants(&search->beam, state.cost) || !change(&state, made))
        return;
    state.top = pmi_beam_open(&search->beam, state.top,
                              (pmi_open){.at = place->at,
                                         .indent = state.indent,
                                         .kind = (uint8_t)kind,
                                         .surrounding = (uint8_t)pmi_habits_surrounding(kind, &place->before),
                                         .name = place->before.name,
                                         .commas = state.commas,
                                         .frame = frame,
                                         .change = state.count,
                                         .condition = place->before.wants_paren,
                                         .declares = place->ends_line && declares(&place->before, place->next),
                                         .ends_line = place->ends_line,
                                         .directive = place->before.directive_line && !place->begins_line});
    state.commas = 0;
    pmi_beam_offer(&search->beam, &state);
}

static void offer_place(repair_search *search, const pmi_state *from, const pmi_place *place) {
    const uint8_t role = search->text->alphabet->role[place->byte];
    if (from->count == PM_CHANGES_MAX || from->cost + COST_CHANGE - place->gain > search->beam.best + TOO_DEAR)
        return;
    if (pmi_role_is_open(role))
        offer_open(search, from, place, pmi_role_kind(role));
    else
        offer_close(search, from, place, pmi_role_kind(role));
}

/* Offers the states as they are, and with a bracket at each of the places collected. */
static void offer_places(repair_search *search) {
    pmi_beam *const beam = &search->beam;
    pmi_places *const places = &search->places;
    if (places->count == 0)
        return;
    for (size_t s = 0; s < beam->count; s++)
        pmi_beam_offer(beam, &beam->now[s]);
    for (size_t s = 0; s < beam->count; s++)
        for (size_t p = 0; p < places->count; p++)
            offer_place(search, &beam->now[s], &places->list[p]);
    pmi_beam_step(beam);
    places->count = 0;
}

/* ---- Brackets of the text ---- */

/* Does an indented line follow an open, or precede a close? */
static bool holds_block(const pmi_code_token *t) {
    if (pmi_role_is_open(t->role))
        return t[1].spacing == PM_SPACE_LINE && t[1].indent > t->indent;
    return t->spacing == PM_SPACE_LINE && t[-1].indent > t->indent;
}

/* The gain of removing a bracket that the prior knows. A close is rarely one too many: rather its open is missing, of
 * which the prior says more (GAIN_OPEN in places.c). */
static double gain_of_known(const repair_search *search, const pmi_code_token *t, double habits) {
    static const struct {
        const char *brackets;
        double gain;
    } kinds[] = {{"(", 1.6}, {")", -7.2}, {"[{", 1.4}, {"]}", -5.1}};
    const unsigned spacing = t[1].spacing > t->spacing ? t[1].spacing : t->spacing;
    const pmi_prior_place place = pmi_prior_place_between(t - 1, t + 1, spacing);
    const pmi_prior_gains seen = pmi_prior_gains_at(search->text->prior, &place);
    double gain = HABITS_REMOVAL * habits - PRIOR_REMOVAL * pmi_prior_gain(&seen, t->sort);
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        if (strchr(kinds[k].brackets, t->sort))
            gain += kinds[k].gain;
    return gain;
}

static double gain_of_removal(const repair_search *search, const pmi_code_token *t) {
    const bool doubled = (t[1].role == t->role && t[1].sort == t->sort && t[1].spacing == PM_SPACE_NONE);
    const double habits = pmi_habits_remove(search->text->habits, t);
    double gain = habits < -PM_GAIN_MAX ? -PM_GAIN_MAX : habits > PM_GAIN_MAX ? PM_GAIN_MAX : habits;
    if (pmi_prior_knows(search->text->prior, t->sort))
        gain = gain_of_known(search, t, gain);
    return doubled ? gain + GAIN_DOUBLED : gain - COST_SINGLE - (holds_block(t) ? COST_BLOCK : 0);
}

/* Of several equal brackets in a row only the first is removed. */
static void offer_removal(repair_search *search, const pmi_state *from, const pmi_code_token *t, double gain) {
    if (t->spacing == PM_SPACE_NONE && t[-1].role == t->role && t[-1].sort == t->sort)
        return;
    pmi_state state = *from;
    state.cost += COST_CHANGE - gain + pmi_cost_without_paren(&t[-1], &t[1]);
    if (change(&state, (pmi_change){.at = t->begin, .partner = UINT32_MAX, .byte = t->sort, .sort = PM_CHANGE_REMOVE}))
        pmi_beam_offer(&search->beam, &state);
}

/* The token that stands before an open in a state: not one of two equal opens that the state has taken away. */
static const pmi_code_token *before_open(const pmi_state *state, const pmi_code_token *t) {
    const pmi_change *const last = &state->changes[state->count > 0 ? state->count - 1 : 0];
    const bool removed = state->count > 0 && last->sort == PM_CHANGE_REMOVE && last->at + 1 == t->begin;
    return removed && t[-1].sort == t->sort ? t - 2 : t - 1;
}

static void read_open(repair_search *search, const pmi_code_token *t) {
    pmi_beam *const beam = &search->beam;
    const unsigned kind = pmi_role_kind(t->role);
    for (size_t s = 0; s < beam->count; s++) {
        pmi_state state = beam->now[s];
        const pmi_code_token *const before = before_open(&state, t);
        pmi_open *shared = NULL;
        for (size_t k = 0; k < s && !shared; k++)
            if (beam->now[k].top == state.top && beam->now[k].indent == state.indent &&
                beam->now[k].commas == state.commas)
                for (size_t j = 0; j < beam->next_count && !shared; j++)
                    if (beam->next[j].top && beam->next[j].top->below == state.top &&
                        beam->next[j].top->at == t->begin && beam->next[j].top->name == before->name)
                        shared = beam->next[j].top;
        state.top = shared ? shared
                           : pmi_beam_open(beam, state.top,
                                           (pmi_open){.at = t->begin,
                                                      .indent = state.indent,
                                                      .kind = (uint8_t)kind,
                                                      .surrounding = (uint8_t)pmi_habits_surrounding(kind, before),
                                                      .name = before->name,
                                                      .commas = state.commas,
                                                      .frame = (uint8_t)pmi_habits_frame(kind, before),
                                                      .condition = before->wants_paren,
                                                      .declares = declares(before, &t[1]),
                                                      .ends_line = t[1].spacing == PM_SPACE_LINE,
                                                      .directive = t->directive_line});
        state.commas = 0;
        pmi_beam_offer(beam, &state);
    }
}

static void read_close(repair_search *search, const pmi_code_token *t) {
    pmi_beam *const beam = &search->beam;
    const unsigned kind = pmi_role_kind(t->role);
    for (size_t s = 0; s < beam->count; s++) {
        pmi_state state = beam->now[s];
        if (!state.top)
            continue;
        const bool fits = state.top->kind == kind;
        state.cost += pmi_cost_of_close(search->text, state.top, t->spacing == PM_SPACE_LINE && !t->directive_line,
                                        t->indent, pmi_in_line(search->text, state.top, t->begin));
        if (!fits) {
            const pmi_change made = {.at = t->begin,
                                     .partner = state.top->at,
                                     .byte = search->places.close_byte[state.top->kind],
                                     .sort = PM_CHANGE_REPLACE};
            state.cost += COST_REPLACE;
            if (!change(&state, made))
                continue;
        }
        state.closed = 1 + state.top->frame;
        state.close = t->sort;
        state.condition = state.top->condition;
        if (fits)
            state.cost += pmi_cost_of_arguments(search->text, &state, t - 1);
        pop(&state, t->begin);
        pmi_beam_offer(beam, &state);
    }
}

static void read_bracket(repair_search *search, const pmi_code_token *t) {
    pmi_beam *const beam = &search->beam;
    if (pmi_role_is_open(t->role))
        read_open(search, t);
    else
        read_close(search, t);
    const double gain = gain_of_removal(search, t);
    for (size_t s = 0; s < beam->count; s++)
        offer_removal(search, &beam->now[s], t, gain);
    pmi_beam_step(beam);
}

/* ---- Conditional branches ---- */

static uint64_t kinds_of(const pmi_open *top) {
    return top ? top->kinds : 1;
}

static void put_group(repair_search *search, pmi_state *state, pmi_open *below, pmi_open *start, pmi_open *end,
                      bool ended, uint32_t at) {
    state->group =
        pmi_beam_open(&search->beam, below,
                      (pmi_open){.start = start, .end = end, .ended = ended, .at = at, .commas = state->commas});
}

static void end_branch(repair_search *search, pmi_state *state, uint32_t at, bool counted) {
    pmi_open *const group = state->group;
    pmi_open *const end = group->ended || !counted ? group->end : state->top;
    if (group->ended && counted && kinds_of(group->end) != kinds_of(state->top))
        state->cost += COST_BRANCH;
    state->top = group->start;
    state->commas = group->commas;
    put_group(search, state, group->below, group->start, end, group->ended || counted, at);
}

static void end_group(pmi_state *state, bool counted) {
    const pmi_open *const group = state->group;
    if (group->ended) {
        if (counted && kinds_of(group->end) != kinds_of(state->top))
            state->cost += COST_BRANCH;
        state->top = group->end;
    }
    state->group = group->below;
}

static void direct(repair_search *search, pmi_directive directive, uint32_t at) {
    pmi_beam *const beam = &search->beam;
    bool counted = true; /* the branch that ends here */
    if (search->skipped > 0) {
        if (directive == PM_DIRECTIVE_IF || directive == PM_DIRECTIVE_IF_ZERO)
            search->skipped++;
        else if (directive == PM_DIRECTIVE_END || search->skipped == 1)
            search->skipped--;
        if (search->skipped > 0)
            return;
        counted = false;
    } else if (directive == PM_DIRECTIVE_IF_ZERO) {
        search->skipped = 1;
    }
    for (size_t s = 0; s < beam->count; s++) {
        pmi_state *const state = &beam->now[s];
        if (directive == PM_DIRECTIVE_IF || directive == PM_DIRECTIVE_IF_ZERO)
            put_group(search, state, state->group, state->top, NULL, false, at);
        else if (state->group && directive == PM_DIRECTIVE_END)
            end_group(state, counted);
        else if (state->group)
            end_branch(search, state, at, counted);
    }
}

/* ---- The walk ---- */

/* Does a token say anything of the brackets around it? */
static bool tells(const repair_search *search, const pmi_code_token *t) {
    if (t->sort == PM_SORT_WORD)
        return pmi_habits_word(search->text->habits, t->name) >= COMMON_WORD;
    return t->sort != '.' && t->sort != PM_SORT_NUMBER && t->sort != PM_SORT_STRING;
}

/* Begins the line of a token, perhaps with a bracket before it; then the token is not charged for where it stands. */
static void read_line(repair_search *search, const pmi_code_token *t) {
    pmi_beam *const beam = &search->beam;
    pmi_places *const places = &search->places;
    pmi_state before[PM_BEAM];
    const size_t count = beam->count;
    memcpy(before, beam->now, count * sizeof *before);
    pmi_charge_line(search->text, &search->beam, t);
    for (size_t s = 0; s < count; s++)
        pmi_beam_offer(beam, &beam->now[s]);
    for (size_t s = 0; s < count; s++)
        for (size_t p = 0; p < places->front_count; p++)
            offer_place(search,
                        pmi_role_is_open(search->text->alphabet->role[places->front[p].byte]) ? &beam->now[s]
                                                                                              : &before[s],
                        &places->front[p]);
    pmi_beam_step(beam);
    places->front_count = 0;
}

static void read_token(repair_search *search, const pmi_code_token *t) {
    pmi_places *const places = &search->places;
    if (search->skipped > 0)
        return;
    pmi_places_collect(places, search->text, t);
    search->next = t;
    if (t->spacing == PM_SPACE_LINE || t->role != PM_ROLE_NEUTRAL || t->directive > 0 || t[-1].wants_paren ||
        t[-1].role != PM_ROLE_NEUTRAL || tells(search, t)) {
        offer_places(search);
        if (t->spacing == PM_SPACE_LINE)
            read_line(search, t);
        pmi_charge_frames(search->text, &search->beam, t);
        if (t->role != PM_ROLE_NEUTRAL)
            read_bracket(search, t);
        else
            pmi_charge_token(search->text, &search->beam, t);
    }
    pmi_places_collect_inside(places, search->text, t);
}

/* Closes at the end of the text what is open. */
static void close_all(repair_search *search) {
    pmi_beam *const beam = &search->beam;
    const uint32_t end = (uint32_t)search->text->n;
    for (size_t s = 0; s < beam->count; s++) {
        pmi_state state = beam->now[s];
        bool possible = true;
        while (state.top && possible) {
            state.cost += COST_END;
            possible = change(&state, (pmi_change){.at = end,
                                                   .partner = state.top->at,
                                                   .byte = search->places.close_byte[state.top->kind],
                                                   .sort = PM_CHANGE_INSERT});
            pop(&state, end);
        }
        if (possible)
            pmi_beam_offer(beam, &state);
    }
    pmi_beam_step(beam);
}

/* e^x of x <= 0. */
static double exponential(double x) {
    double power = x < -500 ? 0 : 1 + x / 1024;
    for (unsigned k = 0; k < 10; k++)
        power *= power;
    return power;
}

/* By how much the best repair is likelier than all others together, or, if costs are no likelihoods, than the second.
 */
static double margin_over(const repair_search *search, const pmi_state *best, const pmi_state *second) {
    const pmi_beam *const beam = &search->beam;
    if (!search->text->prior->prior)
        return second->cost - best->cost;
    double others = 0;
    for (size_t s = 0; s < beam->count; s++)
        if (beam->now[s].count > 0 && &beam->now[s] != best)
            others += exponential(COST_SCALE * (best->cost - beam->now[s].cost));
    return others > 0 ? -pmi_logarithm(others) / COST_SCALE : PM_MARGIN_FAR;
}

static void choose(const repair_search *search, pmi_repair_found *found) {
    const pmi_beam *const beam = &search->beam;
    const pmi_state *best = NULL, *second = NULL;
    for (size_t s = 0; s < beam->count; s++) {
        const pmi_state *const state = &beam->now[s];
        if (state->count == 0) /* the brackets do not match, though branches may hide that */
            continue;
        if (!best || state->cost < best->cost) {
            second = best;
            best = state;
        } else if (!second || state->cost < second->cost) {
            second = state;
        }
    }
    *found = (pmi_repair_found){.count = PM_CHANGES_MAX + 1};
    if (!best)
        return;
    found->count = best->count;
    memcpy(found->changes, best->changes, best->count * sizeof *best->changes);
    if (second)
        found->rival = second->changes[0];
    found->margin = second ? margin_over(search, best, second) : PM_MARGIN_NONE;
}

pm_status pmi_repair_search(const pm_allocator *allocator, const pmi_repair_text *text, pmi_repair_found *found) {
    repair_search search = {.text = text};
    pm_status status = pmi_beam_create(&search.beam, allocator, text->prior->prior ? EQUAL_KNOWN : EQUAL_OTHERS);
    pmi_places_init(&search.places, text->alphabet);
    const pmi_code_tokens *const tokens = text->tokens;
    for (size_t i = PM_TOKEN_EDGE; i + 1 < tokens->count && status == PM_OK; i++) {
        const pmi_code_token *const t = &tokens->list[i];
        status = pmi_beam_prepare(&search.beam);
        if (status != PM_OK)
            break;
        read_token(&search, t);
        if (t->directive > 0)
            direct(&search, (pmi_directive)(t->directive - 1), t->begin);
    }
    if (status == PM_OK) {
        close_all(&search);
        choose(&search, found);
    }
    pmi_beam_destroy(&search.beam);
    return status;
}
