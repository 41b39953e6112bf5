/* SPDX-License-Identifier: Apache-2.0 */
/* Copies of readings. An entry in use has no use for `next`, which holds its copy meanwhile. */
#include "core/text/readings.h"

static bool copy_entry(const void *entry, void *user) {
    pmi_reading *const original = (pmi_reading *)(uintptr_t)entry;
    pmi_readings *const copy = user;
    if (original->users == 0)
        return true;
    pmi_reading *const copied = pmi_stack_push(&copy->entries);
    original->next = copied;
    if (!copied)
        return false;
    *copied = *original;
    copied->next = NULL;
    return true;
}

static pmi_reading *copy_of(const pmi_reading *entry) {
    return entry ? entry->next : NULL;
}

static bool link_entry(const void *entry, void *user) {
    const pmi_reading *const original = entry;
    (void)user;
    if (original->users > 0) {
        original->next->below = copy_of(original->below);
        original->next->also = copy_of(original->also);
    }
    return true;
}

static pmi_tops copy_tops(const pmi_tops *tops) {
    pmi_tops copy = {.count = tops->count};
    for (size_t k = 0; k < tops->count; k++)
        copy.top[k] = copy_of(tops->top[k]);
    return copy;
}

typedef struct groups_copy {
    pmi_readings *copy;
    bool complete;
} groups_copy;

static bool copy_group(const void *entry, void *user) {
    const pmi_reading_group *const group = entry;
    groups_copy *const groups = user;
    pmi_reading_group *const copied = pmi_stack_push(&groups->copy->groups);
    groups->complete = copied != NULL;
    if (!copied)
        return false;
    *copied = *group;
    copied->before = copy_tops(&group->before);
    copied->after = copy_tops(&group->after);
    return true;
}

static bool count_entry(const void *entry, void *user) {
    *(size_t *)user += ((const pmi_reading *)entry)->users > 0;
    return true;
}

/* Copies the list of the lost ones, whose links to others have ended. */
static bool copy_lost(const pmi_readings *readings, pmi_readings *copy) {
    for (const pmi_reading *lost = readings->lost; lost; lost = lost->next) {
        pmi_reading *const copied = pmi_stack_push(&copy->entries);
        if (!copied)
            return false;
        *copied = *lost;
        copied->below = copied->also = NULL;
        copied->next = copy->lost;
        copy->lost = copied;
    }
    return true;
}

bool pmi_readings_copy(const pmi_readings *readings, pmi_readings *copy) {
    if (pmi_readings_empty(readings) && !pmi_stack_top(&readings->groups)) /* as for every text without branches */
        return true;
    size_t count = 0, copied = 0;
    groups_copy groups = {copy, true};
    pmi_stack_visit(&readings->entries, count_entry, &count);
    pmi_stack_visit(&readings->entries, copy_entry, copy);
    pmi_stack_visit(&copy->entries, count_entry, &copied);
    if (copied == count) {
        pmi_stack_visit(&readings->entries, link_entry, NULL);
        copy->now = copy_tops(&readings->now);
        copy->skipped = readings->skipped;
        pmi_stack_visit(&readings->groups, copy_group, &groups);
    }
    if (copied == count && groups.complete && copy_lost(readings, copy))
        return true;
    pmi_readings_clear(copy);
    return false;
}

/* ---- Copies that states share ---- */

pmi_saved_readings *pmi_readings_save(pmi_readings *readings) {
    const pm_allocator *const allocator = &readings->entries.allocator;
    if (!readings->saved) {
        pmi_saved_readings *const made = pmi_memory_allocate(allocator, 1, sizeof *made);
        if (!made)
            return NULL;
        made->users = 1; /* the readings themselves */
        pmi_readings_init(&made->readings, allocator);
        if (!pmi_readings_copy(readings, &made->readings)) {
            pmi_saved_readings_release(made);
            return NULL;
        }
        readings->saved = made;
    }
    readings->saved->users++;
    return readings->saved;
}

bool pmi_readings_restore(pmi_readings *readings, pmi_saved_readings *saved) {
    pmi_readings copy;
    if (readings->saved == saved)
        return true;
    pmi_readings_init(&copy, &readings->entries.allocator);
    if (!pmi_readings_copy(&saved->readings, &copy))
        return false;
    pmi_readings_clear(readings);
    *readings = copy;
    readings->saved = saved;
    saved->users++;
    return true;
}

void pmi_saved_readings_release(pmi_saved_readings *saved) {
    if (!saved || --saved->users > 0)
        return;
    const pm_allocator allocator = saved->readings.entries.allocator; /* outlives what it frees */
    pmi_readings_clear(&saved->readings);
    pmi_memory_free(&allocator, saved);
}
