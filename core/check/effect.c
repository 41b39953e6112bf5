/* SPDX-License-Identifier: Apache-2.0 */
/* Noting the effect of a slice. */
#include "core/check/effect.h"

static void add(pmi_check_effect *effect, pmi_effect_event event) {
    effect->full |= effect->count == PM_EFFECT_EVENTS;
    if (!effect->full)
        effect->events[effect->count++] = event;
}

/* Adds an event that begins another count of the rise. */
static void add_risen(pmi_check_effect *effect, pmi_effect_event event) {
    event.rise = effect->rise;
    effect->rise = 0;
    add(effect, event);
}

static uint64_t most_of(uint64_t a, uint64_t b) {
    return a > b ? a : b;
}

static pmi_effect_event *last_settle(pmi_check_effect *effect) {
    pmi_effect_event *const last = effect->count > 0 ? &effect->events[effect->count - 1] : NULL;
    return last && last->what == PM_EFFECT_SETTLE ? last : NULL;
}

/* Notes how many settled opens there were at most, which have been taken back. */
static void note_over(pmi_check_effect *effect, uint64_t over) {
    if (over > 0 && !last_settle(effect))
        add(effect, (pmi_effect_event){.what = PM_EFFECT_SETTLE});
    pmi_effect_event *const settle = last_settle(effect);
    if (settle && over > settle->over)
        settle->over = over;
}

/* Takes back the last open, given its close, if no directive is left in between: it does to all readings the same. */
static bool take_back_open(pmi_check_effect *effect, unsigned kind) {
    uint64_t most = effect->rise;
    const pmi_effect_event *event;
    size_t k = effect->full ? 0 : effect->count;
    for (; k > 0 && (event = &effect->events[k - 1])->what == PM_EFFECT_SETTLE; k--)
        most = most_of(most, most_of(event->rise, event->over));
    if (k == 0 || event->what != PM_EFFECT_OPEN || event->kind != kind)
        return false;
    effect->count = k - 1;
    effect->rise = 0;
    note_over(effect, most + 1);
    return true;
}

void pmi_effect_close(pmi_check_effect *effect, pm_place at, unsigned kind, char byte) {
    if (!take_back_open(effect, kind))
        add_risen(effect, (pmi_effect_event){.what = PM_EFFECT_CLOSE, .at = at, .kind = (uint8_t)kind, .byte = byte});
}

void pmi_effect_mismatch(pmi_check_effect *effect, pm_place at, char byte, pm_place open, unsigned open_kind) {
    add(effect, (pmi_effect_event){.what = PM_EFFECT_PARTNER, .at = open, .kind = (uint8_t)open_kind});
    add(effect, (pmi_effect_event){.what = PM_EFFECT_MISMATCH, .at = at, .byte = byte});
}

void pmi_effect_settle(pmi_check_effect *effect) {
    if (effect->settled && effect->rise == 0)
        return; /* nothing can be unsettled but what follows */
    effect->settled = true;
    add_risen(effect, (pmi_effect_event){.what = PM_EFFECT_SETTLE});
}

void pmi_effect_open(pmi_check_effect *effect, pm_place at, unsigned kind) {
    add(effect, (pmi_effect_event){.what = PM_EFFECT_OPEN, .at = at, .kind = (uint8_t)kind});
}

/* Takes back the last #if, given its #endif, if there were no brackets since: whichever branch is taken, what is open
 * stays the same. An #endif that was left there is of no #if, or of one that was not taken back. */
static bool take_back_if(pmi_check_effect *effect) {
    uint64_t most = effect->rise, over = 0;
    for (size_t k = effect->full ? 0 : effect->count; k-- > 0;) {
        const pmi_effect_event *const event = &effect->events[k];
        if (event->what == PM_EFFECT_SETTLE) {
            most = most_of(most, event->rise);
            over = most_of(over, event->over);
        }
        if (event->what == PM_EFFECT_DIRECTIVE && event->kind == PM_DIRECTIVE_IF) {
            effect->count = k;
            effect->rise = most;
            note_over(effect, over);
            return true;
        }
        if (event->what != PM_EFFECT_SETTLE && (event->what != PM_EFFECT_DIRECTIVE ||
                                                event->kind == PM_DIRECTIVE_IF_ZERO || event->kind == PM_DIRECTIVE_END))
            return false;
    }
    return false;
}

void pmi_effect_direct(pmi_check_effect *effect, pmi_directive directive) {
    if (directive == PM_DIRECTIVE_END && take_back_if(effect))
        return;
    add(effect, (pmi_effect_event){.what = PM_EFFECT_DIRECTIVE, .kind = (uint8_t)directive});
}
