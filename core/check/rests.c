/* SPDX-License-Identifier: Apache-2.0 */
/* What follows the closes and #endifs of suffixes that were read: a table in which a place has one slot. */
#include "core/check/rests.h"

#include <string.h>

#include "base/sizes.h"

#define SLOTS_PER_REST 2u
#define ALL_NOTED 64u /* places, from the inside; then as many each time that their number doubles */

/* ---- What was before the check went back ---- */

void pmi_rests_go_back(pmi_rests *rests, uint64_t then, uint64_t length) {
    pmi_rests_past *const past = &rests->past;
    for (unsigned k = 0; k < past->count; k++)
        if (past->cuts[k].time > then) {
            length = pmi_min(length, past->cuts[k].kept);
            break;
        }
    while (past->count > 0 && past->cuts[past->count - 1].kept >= length)
        past->count--;
    if (past->count == PM_RESTS_CUTS) { /* the first two become one, when the second was */
        past->count--;
        past->cuts[0].time = past->cuts[1].time;
        memmove(past->cuts + 1, past->cuts + 2, (past->count - 1) * sizeof *past->cuts);
    }
    past->cuts[past->count].time = ++past->now;
    past->cuts[past->count++].kept = length;
}

/* Has the text kept what a rest was noted for? */
static bool is_kept(const pmi_rests *rests, const pmi_rest *rest) {
    const pmi_rests_past *const past = &rests->past;
    for (unsigned k = 0; rest->time < past->now && k < past->count; k++)
        if (past->cuts[k].time > rest->time)
            return rest->needed <= past->cuts[k].kept;
    return true;
}

/* ---- Places ---- */

/* Is the next place one that is noted? Further out they are noted the less often the more are before them: whoever ends
 * all #ifs before such a place reads on from it to the next one, and notes those between. */
static bool is_wanted(uint64_t passed) {
    uint64_t step = 1;
    while (passed / step >= 2 * ALL_NOTED)
        step *= 2;
    return passed % step == 0;
}

/* False: no rest depends on where this is alone. Opens that the suffix has closed, and which readings hold still, are
 * not unmatched later; those that it has given up may be. */
static bool place_of(const pmi_rests *rests, const pmi_readings *readings, const pmi_rest_code *code, bool lost,
                     pmi_rest_place *place) {
    const pmi_reading_group *const group = pmi_stack_top(&readings->groups);
    if (readings->closings != rests->closings || readings->strays != rests->strays)
        return false;
    memset(place, 0, sizeof *place);
    place->code = *code;
    place->stamp = group ? group->stamp : 0;
    place->around = group ? group->around : 0;
    place->count = readings->now.count;
    place->skipped = readings->skipped;
    place->lost = lost;
    for (uint32_t k = 0; k < readings->now.count; k++) {
        const pmi_reading_id top = readings->now.top[k];
        place->offsets[k] = top > 0 ? pmi_readings_at(readings, top)->at.offset : PM_REST_NOWHERE;
    }
    return true;
}

/* How much of the text has made the place what it is. What an #if holds may since have been closed in some reading. */
static uint64_t needed_by(const pmi_rests *rests, const pmi_readings *readings, const pmi_rest_code *code) {
    const uint64_t open = code->open + 1, literal = code->literal + 1; /* 0: there is none */
    if (pmi_stack_top(&readings->groups) || !pmi_readings_empty(readings))
        return rests->length;
    return open > literal ? open : literal;
}

static pmi_rest *slot_of(const pmi_rests *rests, const pmi_rest_place *place) {
    uint64_t hash =
        (place->code.open + 3 * place->code.literal + 5 * place->stamp + 7 * place->around) ^ place->code.hash;
    for (size_t k = 0; k < place->count; k++)
        hash = (hash ^ place->offsets[k]) * UINT64_C(0x9e3779b97f4a7c15);
    return &rests->slots[(hash ^ hash >> 32) & (rests->slot_count - 1)];
}

/* ---- While a suffix is read ---- */

void pmi_rests_begin(pmi_rests *rests, const pmi_readings *readings, uint64_t length) {
    rests->noted_count = 0;
    rests->passed = 0;
    rests->closings = readings->closings;
    rests->strays = readings->strays;
    rests->length = length;
}

static bool make_room(pmi_rests *rests, const pm_allocator *allocator) {
    if (rests->noted_count < rests->room)
        return true;
    const size_t room = rests->room > 0 ? 2 * rests->room : 4;
    pmi_rest *const noted = pmi_memory_allocate(allocator, room, sizeof *noted);
    if (!noted)
        return false;
    if (rests->noted_count > 0)
        memcpy(noted, rests->noted, rests->noted_count * sizeof *noted);
    pmi_memory_free(allocator, rests->noted);
    rests->noted = noted;
    rests->room = room;
    return true;
}

const pmi_rest *pmi_rests_find(pmi_rests *rests, const pmi_readings *readings, const pmi_rest_code *code, bool lost,
                               uint64_t at) {
    const pm_allocator *const allocator = &readings->entries.allocator;
    pmi_rest_place place;
    const bool wanted = is_wanted(rests->passed++);
    if ((!wanted && rests->slot_count == 0) || !place_of(rests, readings, code, lost, &place))
        return NULL;
    if (rests->slot_count > 0) {
        const pmi_rest *const found = slot_of(rests, &place);
        if (found->time > 0 && memcmp(&found->place, &place, sizeof place) == 0 && is_kept(rests, found) &&
            (found->status == PM_OK || found->closings == readings->closings))
            return found;
    }
    if (wanted && make_room(rests, allocator)) {
        pmi_rest *const rest = &rests->noted[rests->noted_count++];
        rest->place = place;
        rest->time = rests->past.now;
        rest->needed = needed_by(rests, readings, code);
        rest->at = at;
        rest->stored = 0;
    }
    return NULL;
}

static void append(pmi_rest *rest, const char *bytes, size_t n) {
    const size_t added = (size_t)pmi_min(n, PM_SUFFIX_KEPT - rest->stored);
    memcpy(rest->bytes + rest->stored, bytes, added);
    rest->stored += (unsigned)added;
}

void pmi_rests_add(pmi_rests *rests, const char *bytes, size_t n) {
    if (rests->noted_count > 0)
        append(&rests->noted[rests->noted_count - 1], bytes, n);
}

/* ---- Behind it ---- */

/* Rests that do not fit any more are forgotten. */
static bool grow(pmi_rests *rests, const pm_allocator *allocator) {
    size_t count = rests->slot_count > 0 ? rests->slot_count : SLOTS_PER_REST;
    while (count < SLOTS_PER_REST * rests->noted_count)
        count *= 2;
    if (count == rests->slot_count)
        return true;
    pmi_rest *const slots = pmi_memory_allocate(allocator, count, sizeof *slots);
    if (!slots)
        return false;
    for (size_t k = 0; k < count; k++)
        slots[k].time = 0;
    pmi_memory_free(allocator, rests->slots);
    rests->slots = slots;
    rests->slot_count = count;
    return true;
}

void pmi_rests_end(pmi_rests *rests, const pm_allocator *allocator, const pmi_readings *readings, pm_status status,
                   uint64_t length) {
    if (rests->noted_count == 0 || (status != PM_OK && status != PM_UNSUPPORTED) || !grow(rests, allocator))
        return;
    for (size_t k = rests->noted_count; k-- > 0;) {
        pmi_rest *const rest = &rests->noted[k];
        if (k + 1 < rests->noted_count)
            append(rest, rest[1].bytes, rest[1].stored);
        rest->length = (size_t)(length - rest->at);
        rest->status = status;
        rest->closings = readings->closings;
        *slot_of(rests, &rest->place) = *rest;
    }
}

void pmi_rests_clear(pmi_rests *rests, const pm_allocator *allocator) {
    pmi_memory_free(allocator, rests->slots);
    pmi_memory_free(allocator, rests->noted);
    rests->slots = rests->noted = NULL;
    rests->slot_count = rests->noted_count = rests->room = 0;
    pmi_rests_go_back(rests, rests->past.now, 0);
}
