/* SPDX-License-Identifier: Apache-2.0 */
/* The stacks of all readings of a text, as one graph whose entries count their users. */
#include "core/text/readings.h"

#include <string.h>

typedef pmi_reading_group branches;

void pmi_readings_init(pmi_readings *readings, const pm_allocator *allocator) {
    memset(readings, 0, sizeof *readings);
    pmi_stack_init(&readings->entries, allocator, sizeof(pmi_reading));
    pmi_stack_init(&readings->groups, allocator, sizeof(branches));
    readings->now.count = 1;
}

void pmi_readings_unsave(pmi_readings *readings) {
    if (!readings->saved)
        return;
    pmi_saved_readings_release(readings->saved);
    readings->saved = NULL;
}

void pmi_readings_clear(pmi_readings *readings) {
    pmi_readings_unsave(readings);
    pmi_stack_clear(&readings->entries);
    pmi_stack_clear(&readings->groups);
    readings->now = (pmi_tops){.count = 1};
    readings->free = readings->lost = NULL;
    readings->skipped = false;
}

/* ---- Entries ---- */

static uint64_t hash_of(const pmi_reading *entry) {
    return entry ? entry->hash : 0;
}

static uint64_t depth_of(const pmi_reading *entry) {
    return entry ? entry->depth : 0;
}

static uint64_t mix(uint64_t hash, unsigned kind) {
    hash = (hash ^ kind) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

static pmi_reading *retain(pmi_reading *entry) {
    if (entry)
        entry->users++;
    return entry;
}

static pmi_reading *drop_user(pmi_reading *entry, pmi_reading *list) {
    if (!entry || --entry->users > 0)
        return list;
    entry->next = list;
    return entry;
}

/* Gives up a pointer to an entry. Opens that nothing points to any more, and that were never closed, are lost; not if
 * they are forgiven, because an equal reading stays or not all can be kept. */
static void release(pmi_readings *readings, pmi_reading *entry, bool forgive) {
    pmi_reading *unused = drop_user(entry, NULL);
    while (unused) {
        pmi_reading *const freed = unused;
        unused = drop_user(freed->below, drop_user(freed->also, freed->next));
        pmi_reading **const list = freed->fork || freed->closed || forgive ? &readings->free : &readings->lost;
        freed->next = *list;
        *list = freed;
    }
}

/* A zeroed entry with one user; NULL if there is no memory. */
static pmi_reading *entry_new(pmi_readings *readings) {
    pmi_reading *entry = readings->free;
    if (entry)
        readings->free = entry->next;
    else
        entry = pmi_stack_push(&readings->entries);
    if (entry)
        *entry = (pmi_reading){.users = 1};
    return entry;
}

/* ---- Sets of tops ---- */

/* Adds a stack to a set, and takes its user over. */
static void tops_add(pmi_readings *readings, pmi_tops *tops, pmi_reading *top) {
    size_t deepest = 0;
    for (size_t k = 0; k < tops->count; k++) {
        if (hash_of(tops->top[k]) == hash_of(top) && depth_of(tops->top[k]) == depth_of(top)) {
            release(readings, top, true);
            return;
        }
        if (depth_of(tops->top[k]) > depth_of(tops->top[deepest]))
            deepest = k;
    }
    if (tops->count < PM_READINGS) {
        tops->top[tops->count++] = top;
    } else if (depth_of(tops->top[deepest]) > depth_of(top)) {
        release(readings, tops->top[deepest], true);
        tops->top[deepest] = top;
    } else {
        release(readings, top, true);
    }
}

static void tops_add_all(pmi_readings *readings, pmi_tops *tops, const pmi_tops *added) {
    for (size_t k = 0; k < added->count; k++)
        tops_add(readings, tops, added->top[k]);
}

static void tops_release(pmi_readings *readings, const pmi_tops *tops) {
    for (size_t k = 0; k < tops->count; k++)
        release(readings, tops->top[k], false);
}

static pmi_tops tops_copy(const pmi_tops *tops) {
    for (size_t k = 0; k < tops->count; k++)
        retain(tops->top[k]);
    return *tops;
}

/* Adds the stacks below an entry. */
static void tops_add_below(pmi_readings *readings, pmi_tops *tops, const pmi_reading *entry) {
    pmi_reading *below = entry->below;
    if (!below || !below->fork) {
        tops_add(readings, tops, retain(below));
        return;
    }
    for (; below; below = below->also)
        tops_add(readings, tops, retain(below->below));
}

/* ---- Brackets ---- */

#define STEPS_MAX 16u /* between alternatives */

/* Does the way down from one open come to another one? Not where that takes many steps. */
static bool leads_to(const pmi_reading *open, const pmi_reading *other) {
    for (unsigned k = 0; k < STEPS_MAX && open && open != other; k++)
        open = pmi_reading_below(open);
    return open == other;
}

static unsigned width_of(const pmi_reading *entry) {
    return entry ? entry->width : 1;
}

/* The width of a fork of these stacks: others lie on the way of the first, and are given up at the next close, unless
 * it is of their kind. */
static unsigned width_of_all(const pmi_tops *tops) {
    const pmi_reading *const first = tops->top[0];
    unsigned width = width_of(first);
    for (size_t k = 1; k < tops->count; k++) {
        if (!leads_to(first, tops->top[k]))
            return 0;
        if (tops->top[k] && tops->top[k]->kind == first->kind)
            width += width_of(first);
    }
    return width <= PM_READINGS ? width : 0;
}

bool pmi_readings_even(const pmi_tops *before, const pmi_tops *after) {
    for (size_t k = 0, j; k < after->count; k++) {
        for (j = 0; j < before->count && !leads_to(before->top[j], after->top[k]);)
            j++;
        if (j == before->count)
            return false;
    }
    return true;
}

bool pmi_readings_close_by_first(const pmi_tops *tops) {
    return width_of_all(tops) > 0;
}

/* The stacks of all readings as one entry, which takes their users over. */
static bool fork_of(pmi_readings *readings, pmi_reading **below) {
    const pmi_tops *const now = &readings->now;
    *below = now->top[0];
    if (now->count == 1)
        return true;
    pmi_reading *fork = NULL;
    for (size_t k = now->count; k-- > 0;) {
        pmi_reading *const alternative = entry_new(readings);
        if (!alternative)
            return false;
        const uint64_t depth = depth_of(now->top[k]);
        alternative->below = now->top[k];
        alternative->also = fork;
        alternative->fork = true;
        alternative->depth = fork && fork->depth < depth ? fork->depth : depth;
        alternative->width = (uint8_t)(k == 0 ? width_of_all(now) : 0);
        alternative->first = now->top[k] ? now->top[k]->first : 0;
        alternative->hash = mix(hash_of(fork), 0) + mix(hash_of(now->top[k]), 7);
        fork = alternative;
    }
    *below = fork;
    return true;
}

bool pmi_readings_push(pmi_readings *readings, pm_place at, unsigned kind) {
    pmi_readings_unsave(readings);
    pmi_reading *below, *const open = entry_new(readings);
    if (!open || !fork_of(readings, &below))
        return false;
    open->below = below;
    open->hash = mix(hash_of(below), kind);
    open->depth = depth_of(below) + 1;
    open->first = below ? below->first + 1 : 1;
    open->width = (uint8_t)width_of(below);
    open->at = at;
    open->kind = (uint8_t)kind;
    readings->now = (pmi_tops){1, {open}};
    return true;
}

bool pmi_readings_close(pmi_readings *readings, unsigned kind, const pmi_reading **open) {
    pmi_tops after = {0};
    const pmi_tops before = readings->now;
    pmi_readings_unsave(readings);
    for (size_t k = 0; k < before.count; k++) {
        pmi_reading *const top = before.top[k];
        if (top && top->kind == kind) {
            top->closed = true;
            tops_add_below(readings, &after, top);
        }
    }
    const bool fits = after.count > 0;
    if (!fits) {
        *open = before.top[0];
        if (!before.top[0])
            return false;
        before.top[0]->closed = true;
        tops_add_below(readings, &after, before.top[0]);
    }
    tops_release(readings, &before);
    readings->now = after;
    return fits;
}

/* ---- Directives ---- */

static bool tops_same(const pmi_tops *a, const pmi_tops *b) {
    size_t k = 0;
    while (k < a->count && a->count == b->count && a->top[k] == b->top[k])
        k++;
    return k == a->count && k == b->count;
}

/* Has nothing come behind the #if that would tell it from one here? */
static bool is_untouched(const pmi_readings *readings, const branches *group) {
    return group->after.count == 0 && !group->has_else && group->skipped == readings->skipped &&
           tops_same(&group->before, &readings->now);
}

static bool group_begin(pmi_readings *readings, bool zero) {
    branches *const around = pmi_stack_top(&readings->groups);
    if (around && is_untouched(readings, around)) {
        around->around++;
        around->nested += readings->skipped;
    } else {
        const uint32_t nested =
            readings->skipped ? around->nested : 0; /* before the push, which *around does not outlive */
        const bool uneven = around && around->uneven;
        branches *const group = pmi_stack_push(&readings->groups);
        if (!group)
            return false;
        *group = (branches){
            .before = tops_copy(&readings->now), .skipped = readings->skipped, .uneven = uneven, .nested = nested + 1};
    }
    readings->skipped |= zero;
    return true;
}

/* The innermost #if, made different from those around it; NULL: there is no memory. */
static branches *group_alone(pmi_readings *readings, branches *group) {
    if (group->around == 0)
        return group;
    const branches all = *group; /* which does not outlive the push */
    group->around--;
    group->nested -= group->skipped;
    branches *const alone = pmi_stack_push(&readings->groups);
    if (!alone) {
        *group = all;
        return NULL;
    }
    *alone = (branches){
        .before = tops_copy(&all.before), .skipped = all.skipped, .uneven = all.uneven, .nested = all.nested};
    return alone;
}

static void branch_end(pmi_readings *readings, branches *group) {
    if (readings->skipped)
        tops_release(readings, &readings->now);
    else
        tops_add_all(readings, &group->after, &readings->now);
    readings->skipped = group->skipped;
}

/* Ends the #if, and those that are like it: behind the first of them, the others' ends change nothing. */
static void group_end(pmi_readings *readings, branches *group) {
    branch_end(readings, group);
    if (group->has_else && group->after.count > 0)
        tops_release(readings, &group->before);
    else
        tops_add_all(readings, &group->after, &group->before);
    readings->now = group->after;
    pmi_stack_pop(&readings->groups);
}

bool pmi_readings_direct(pmi_readings *readings, pmi_directive directive) {
    pmi_readings_unsave(readings);
    if (directive <= PM_DIRECTIVE_IF_ZERO)
        return group_begin(readings, directive == PM_DIRECTIVE_IF_ZERO);
    branches *group = pmi_stack_top(&readings->groups);
    if (!group)
        return true; /* of no #if */
    group = group_alone(readings, group);
    if (!group)
        return false;
    if (directive == PM_DIRECTIVE_END) {
        group_end(readings, group);
    } else {
        branch_end(readings, group);
        group->uneven = group->uneven || !pmi_readings_even(&group->before, &group->after);
        readings->now = tops_copy(&group->before);
        group->has_else |= directive == PM_DIRECTIVE_ELSE;
    }
    return true;
}

/* Adds stacks as tops_add_all(), and does not take their users over. False: there are too many. */
static bool tops_join(pmi_tops *tops, const pmi_tops *added) {
    for (size_t k = 0, j; k < added->count; k++) {
        for (j = 0; j < tops->count; j++)
            if (hash_of(tops->top[j]) == hash_of(added->top[k]) && depth_of(tops->top[j]) == depth_of(added->top[k]))
                break;
        if (j == PM_READINGS)
            return false;
        if (j == tops->count)
            tops->top[tops->count++] = added->top[k];
    }
    return true;
}

bool pmi_readings_behind_end(const pmi_readings *readings, pmi_tops *tops) {
    const branches *const group = pmi_stack_top(&readings->groups);
    if (!group || readings->skipped)
        return false;
    *tops = group->after;
    return tops_join(tops, &readings->now) && (group->has_else || tops_join(tops, &group->before));
}

/* ---- The end ---- */

/* Merges two lists in the order of their places. */
static pmi_reading *merge(pmi_reading *a, pmi_reading *b) {
    pmi_reading *first, **last = &first;
    while (a && b) {
        pmi_reading **const lower = a->at.offset < b->at.offset ? &a : &b;
        *last = *lower;
        last = &(*lower)->next;
        *lower = (*lower)->next;
    }
    *last = a ? a : b;
    return first;
}

/* Sorts a list: runs of 2^k entries wait in their slot until there are two. */
static pmi_reading *sort(pmi_reading *list) {
    pmi_reading *runs[64] = {NULL}, *sorted = NULL;
    while (list) {
        pmi_reading *run = list;
        list = list->next;
        run->next = NULL;
        size_t k = 0;
        for (; runs[k]; k++) {
            run = merge(runs[k], run);
            runs[k] = NULL;
        }
        runs[k] = run;
    }
    for (size_t k = 0; k < 64; k++)
        sorted = merge(runs[k], sorted);
    return sorted;
}

/* The alternative with the fewest opens. */
static pmi_reading *shallowest(pmi_reading *entry) {
    if (!entry || !entry->fork)
        return entry;
    pmi_reading *best = entry->below;
    for (entry = entry->also; entry; entry = entry->also)
        if (depth_of(entry->below) < depth_of(best))
            best = entry->below;
    return best;
}

const pmi_reading *pmi_readings_finish(pmi_readings *readings) {
    pmi_readings_unsave(readings);
    while (pmi_stack_top(&readings->groups))
        group_end(readings, pmi_stack_top(&readings->groups));
    const pmi_tops now = readings->now;
    pmi_reading *open = now.top[0], *found = NULL;
    for (size_t k = 1; k < now.count; k++)
        if (depth_of(now.top[k]) < depth_of(open))
            open = now.top[k];
    for (; open; open = shallowest(open->below)) {
        retain(open)->next = found;
        found = open;
    }
    tops_release(readings, &now);
    readings->now = (pmi_tops){.count = 1};
    return merge(sort(found), sort(readings->lost));
}
