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
    add_risen(effect, (pmi_effect_event){.what = PM_EFFECT_SETTLE});
}

void pmi_effect_open(pmi_check_effect *effect, pm_place at, unsigned kind) {
    add(effect, (pmi_effect_event){.what = PM_EFFECT_OPEN, .at = at, .kind = (uint8_t)kind});
}

void pmi_effect_direct(pmi_check_effect *effect, pmi_directive directive) {
    add(effect, (pmi_effect_event){.what = PM_EFFECT_DIRECTIVE, .kind = (uint8_t)directive});
}
