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

/* Takes back the last open, given its close, if no directive is left in between: it does to all readings the same. */
static bool take_back_open(pmi_check_effect *effect, unsigned kind) {
    if (effect->full || effect->count == 0)
        return false;
    const pmi_effect_event *const last = &effect->events[effect->count - 1];
    if (last->what != PM_EFFECT_OPEN || last->kind != kind)
        return false;
    effect->count--;
    effect->rise++; /* the open was one of them */
    pmi_effect_rise(effect, last->rise);
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

void pmi_effect_open(pmi_check_effect *effect, pm_place at, unsigned kind) {
    add_risen(effect, (pmi_effect_event){.what = PM_EFFECT_OPEN, .at = at, .kind = (uint8_t)kind});
}

/* Takes back the last #if, given its #endif, if there were no brackets since: whichever branch is taken, what is open
 * stays the same. An #endif that was left there is of no #if, or of one that was not taken back. */
static bool take_back_if(pmi_check_effect *effect) {
    uint64_t most = effect->rise;
    for (size_t k = effect->full ? 0 : effect->count; k-- > 0;) {
        const pmi_effect_event *const event = &effect->events[k];
        if (event->what != PM_EFFECT_DIRECTIVE || event->kind == PM_DIRECTIVE_IF_ZERO ||
            event->kind == PM_DIRECTIVE_END)
            return false;
        most = event->rise > most ? event->rise : most;
        if (event->kind != PM_DIRECTIVE_IF)
            continue;
        effect->count = k;
        effect->rise = most;
        return true;
    }
    return false;
}

void pmi_effect_direct(pmi_check_effect *effect, pmi_directive directive) {
    if (directive == PM_DIRECTIVE_END && take_back_if(effect))
        return;
    add_risen(effect, (pmi_effect_event){.what = PM_EFFECT_DIRECTIVE, .kind = (uint8_t)directive});
}
