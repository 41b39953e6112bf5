/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The effect of a slice of a text: what a check of the slice alone cannot decide, in the order of the text. Brackets
 * that match inside the slice, with no directive between them, have no effect except on the depth.
 */
#ifndef PM_CORE_CHECK_EFFECT_H
#define PM_CORE_CHECK_EFFECT_H

#include "core/text/readings.h"

#define PM_EFFECT_EVENTS 8192u /* maximum of a slice; what has more is read again, without slices */

typedef enum pmi_effect_kind {
    PM_EFFECT_CLOSE = 0, /* closes what is open before the slice, or before the last directive */
    PM_EFFECT_PARTNER,   /* an open; the event that follows is its close, of another kind */
    PM_EFFECT_MISMATCH,
    PM_EFFECT_OPEN, /* is still open at a directive */
    PM_EFFECT_DIRECTIVE
} pmi_effect_kind;

typedef struct pmi_effect_event {
    pm_place at;   /* CLOSE, PARTNER, MISMATCH, OPEN; counted as the slice's check counts */
    uint64_t rise; /* CLOSE, OPEN, DIRECTIVE: maximum of opens at once between the last of these and this one */
    uint8_t what;  /* of pmi_effect_kind */
    uint8_t kind;  /* of the bracket; DIRECTIVE: of pmi_directive */
    char byte;
} pmi_effect_event;

typedef struct pmi_check_effect {
    size_t count;
    bool full;     /* events are missing */
    uint64_t rise; /* behind the last event */
    pmi_effect_event events[PM_EFFECT_EVENTS];
} pmi_check_effect;

/* Empties an effect. */
static inline void pmi_effect_clear(pmi_check_effect *effect) {
    effect->count = 0;
    effect->full = false;
    effect->rise = 0;
}

static inline void pmi_effect_rise(pmi_check_effect *effect, uint64_t depth) {
    if (depth > effect->rise)
        effect->rise = depth;
}

void pmi_effect_close(pmi_check_effect *effect, pm_place at, unsigned kind, char byte);
void pmi_effect_mismatch(pmi_check_effect *effect, pm_place at, char byte, pm_place open, unsigned open_kind);
void pmi_effect_open(pmi_check_effect *effect, pm_place at, unsigned kind);
void pmi_effect_direct(pmi_check_effect *effect, pmi_directive directive);

#endif
