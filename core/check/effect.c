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

void pmi_effect_close(pmi_check_effect *effect, pm_place at, unsigned kind, char byte) {
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
    uint64_t most = effect->rise;
    for (size_t k = effect->full ? 0 : effect->count; k-- > 0;) {
        const pmi_effect_event *const event = &effect->events[k];
        if (event->what == PM_EFFECT_SETTLE && event->rise > most)
            most = event->rise;
        if (event->what == PM_EFFECT_DIRECTIVE && event->kind == PM_DIRECTIVE_IF) {
            effect->count = k;
            effect->rise = most;
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
