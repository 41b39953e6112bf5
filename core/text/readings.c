/* SPDX-License-Identifier: Apache-2.0 */
/* The stacks of all readings of a text, as one graph whose entries count their users. */
#include "core/text/readings.h"

#include <string.h>

#include "base/checksum.h"

typedef pmi_reading_group branches;

_Static_assert(offsetof(pmi_reading, below) == offsetof(pmi_reading, alternatives),
               "a fork's first way down is as others");
_Static_assert(sizeof(pmi_reading) == 64, "a fork takes no more than an open");

void pmi_readings_init(pmi_readings *readings, const pm_allocator *allocator) {
    memset(readings, 0, sizeof *readings);
    pmi_shared_array_init(&readings->entries, allocator, sizeof(pmi_reading));
    pmi_stack_init(&readings->groups, allocator, sizeof(branches));
    readings->now.count = 1;
}

void pmi_readings_clear(pmi_readings *readings) {
    pmi_shared_array_clear(&readings->entries);
    pmi_stack_clear(&readings->groups);
    readings->now = (pmi_tops){.count = 1};
    readings->free = readings->lost = 0;
    readings->skipped = readings->failed = false;
}

/* ---- Saved readings ---- */

/* Takes over what is neither entries nor groups. */
static void take_plain(pmi_readings *readings, const pmi_readings *from) {
    readings->now = from->now;
    readings->free = from->free;
    readings->closings = from->closings;
    readings->strays = from->strays;
    readings->lost = from->lost;
    readings->skipped = from->skipped;
    readings->failed = from->failed;
}

bool pmi_readings_save(pmi_readings *readings, pmi_readings *saved) {
    pmi_readings_init(saved, &readings->entries.allocator);
    if (!pmi_stack_save(&readings->groups, &saved->groups))
        return false;
    pmi_shared_array_save(&readings->entries, &saved->entries);
    take_plain(saved, readings);
    return true;
}

bool pmi_readings_reserve_for(pmi_readings *readings, const pmi_readings *saved) {
    return pmi_stack_reserve_for(&readings->groups, &saved->groups);
}

void pmi_readings_restore(pmi_readings *readings, const pmi_readings *saved) {
    pmi_shared_array_restore(&readings->entries, &saved->entries);
    pmi_stack_restore(&readings->groups, &saved->groups);
    take_plain(readings, saved);
}

/* ---- Entries ---- */

/* An entry to be changed, until the readings are next saved. If they have failed, what is read there means nothing. */
static pmi_reading *change(pmi_readings *readings, pmi_reading_id id) {
    pmi_reading *const entry = pmi_shared_array_change(&readings->entries, id - 1);
    readings->failed |= !entry;
    return entry ? entry : &readings->nowhere;
}

static uint32_t depth_of(const pmi_readings *readings, pmi_reading_id id) {
    return pmi_readings_at(readings, id)->depth;
}

uint64_t pmi_readings_least(const pmi_readings *readings) {
    uint32_t least = depth_of(readings, readings->now.top[0]);
    for (uint32_t k = 1; k < readings->now.count; k++) {
        const uint32_t depth = depth_of(readings, readings->now.top[k]);
        least = depth < least ? depth : least;
    }
    return least;
}

static bool are_equal(const pmi_reading *a, const pmi_reading *b) {
    return a->hash == b->hash && a->depth == b->depth;
}

static pmi_reading_id retain(pmi_readings *readings, pmi_reading_id id) {
    if (id > 0)
        change(readings, id)->users++;
    return id;
}

static pmi_reading_id drop_user(pmi_readings *readings, pmi_reading_id id, pmi_reading_id list) {
    pmi_reading *const entry = id > 0 ? change(readings, id) : NULL;
    if (!entry || --entry->users > 0)
        return list;
    entry->next = list;
    return id;
}

/* Gives up a name of an entry. Opens that nothing names any more, and that were never closed, are lost; not if they
 * are forgiven, because an equal reading stays or not all can be kept. */
static void release(pmi_readings *readings, pmi_reading_id id, bool forgive) {
    pmi_reading_id unused = drop_user(readings, id, 0);
    while (unused > 0 && !readings->failed && !(readings->trial && readings->lost > 0)) {
        const pmi_reading_id freed = unused;
        pmi_reading *const entry = change(readings, freed);
        unused = entry->next;
        for (uint32_t k = entry->fork ? entry->count : 1; k-- > 0;)
            unused = drop_user(readings, pmi_readings_at(readings, freed)->alternatives[k], unused);
        pmi_reading_id *const list = entry->fork || entry->closed || forgive ? &readings->free : &readings->lost;
        entry->next = *list;
        *list = freed;
    }
}

/* An entry that was not in use, to be set; without memory one that will not be read. */
static pmi_reading *entry_new(pmi_readings *readings, pmi_reading_id *id) {
    pmi_reading *entry;
    *id = readings->free;
    if (*id > 0) {
        entry = change(readings, *id);
        readings->free = entry->next;
        return entry;
    }
    entry = readings->entries.count < UINT32_MAX ? pmi_shared_array_push(&readings->entries) : NULL;
    readings->failed |= !entry;
    *id = (pmi_reading_id)readings->entries.count;
    return entry ? entry : &readings->nowhere;
}

/* ---- Sets of tops ---- */

/* Do the first `count` stacks of a set hold a stack, or an equal one? Mostly it is the same one, which is found without
 * a look at it. */
static bool first_hold(const pmi_readings *readings, const pmi_tops *tops, uint32_t count, pmi_reading_id top) {
    for (uint32_t k = 0; k < count; k++)
        if (tops->top[k] == top)
            return true;
    const pmi_reading *const sought = pmi_readings_at(readings, top);
    for (uint32_t k = 0; k < count; k++)
        if (are_equal(pmi_readings_at(readings, tops->top[k]), sought))
            return true;
    return false;
}

static bool tops_hold(const pmi_readings *readings, const pmi_tops *tops, pmi_reading_id top) {
    return first_hold(readings, tops, tops->count, top);
}

/* Adds a stack to a set, in which only the first `count` may equal it, and takes its user over. */
static void tops_add_to(pmi_readings *readings, pmi_tops *tops, uint32_t count, pmi_reading_id top) {
    if (first_hold(readings, tops, count, top)) {
        release(readings, top, true);
        return;
    }
    if (tops->count < PM_READINGS) {
        tops->top[tops->count++] = top;
        return;
    }
    uint32_t deepest = 0, most = depth_of(readings, tops->top[0]);
    for (uint32_t k = 1; k < PM_READINGS; k++) {
        const uint32_t depth = depth_of(readings, tops->top[k]);
        deepest = depth > most ? k : deepest;
        most = depth > most ? depth : most;
    }
    if (most > depth_of(readings, top)) {
        release(readings, tops->top[deepest], true);
        tops->top[deepest] = top;
    } else {
        release(readings, top, true);
    }
}

static void tops_add(pmi_readings *readings, pmi_tops *tops, pmi_reading_id top) {
    tops_add_to(readings, tops, tops->count, top);
}

/* Adds all stacks of a set, and takes their users over. */
static void tops_add_all(pmi_readings *readings, pmi_tops *tops, const pmi_tops *added) {
    if (tops->count == 0) {
        *tops = *added;
        return;
    }
    const uint32_t before = tops->count; /* the added ones differ from each other */
    for (uint32_t k = 0; k < added->count; k++)
        tops_add_to(readings, tops, before, added->top[k]);
}

static void tops_release(pmi_readings *readings, const pmi_tops *tops) {
    for (uint32_t k = 0; k < tops->count; k++)
        release(readings, tops->top[k], false);
}

static pmi_tops tops_copy(pmi_readings *readings, const pmi_tops *tops) {
    for (uint32_t k = 0; k < tops->count; k++)
        retain(readings, tops->top[k]);
    return *tops;
}

static pmi_tops alternatives_of(const pmi_readings *readings, pmi_reading_id fork) {
    const pmi_reading *const entry = pmi_readings_at(readings, fork);
    pmi_tops all;
    all.count = entry->count;
    memcpy(all.top, entry->alternatives, sizeof all.top);
    return all;
}

/* Adds the stacks below an entry. */
static void tops_add_below(pmi_readings *readings, pmi_tops *tops, pmi_reading_id id) {
    const pmi_reading_id below = pmi_readings_at(readings, id)->below;
    if (!pmi_readings_at(readings, below)->fork) {
        tops_add(readings, tops, retain(readings, below));
        return;
    }
    const pmi_tops all = alternatives_of(readings, below);
    const bool differ = tops->count == 0; /* as alternatives do */
    for (uint32_t k = 0; k < all.count; k++)
        if (differ)
            tops->top[tops->count++] = retain(readings, all.top[k]);
        else
            tops_add(readings, tops, retain(readings, all.top[k]));
}

/* ---- Brackets ---- */

#define STEPS_MAX 16u /* between alternatives */
#define SPENT_MAX 4u  /* opens of another stack above those that it shares */

/* Does the way down from one open come to another one? Not where that takes many steps. How many says `first`, so that
 * mostly none are taken. */
static bool leads_to(const pmi_readings *readings, pmi_reading_id from, pmi_reading_id to) {
    if (to == 0 || from == to)
        return true;
    const pmi_reading *const other = pmi_readings_at(readings, to);
    const uint32_t most = pmi_readings_at(readings, from)->first;
    if (other->fork || other->first > most || most - other->first > STEPS_MAX)
        return false;
    pmi_readings_walk walk = pmi_readings_walk_begin(readings, from);
    const pmi_reading *open = pmi_readings_walk_down(&walk);
    for (unsigned k = 0; k < STEPS_MAX && open && open != other; k++)
        open = pmi_readings_walk_down(&walk);
    return open == other;
}

/* Have the opens of a stack been closed in some reading, down to one that the way from another stack comes to? Then
 * none of them is unmatched if those on that way are closed. */
static bool is_spent(const pmi_readings *readings, pmi_reading_id stack, pmi_reading_id from) {
    for (unsigned k = 0; k < SPENT_MAX && !leads_to(readings, from, stack); k++) {
        const pmi_reading *const open = pmi_readings_at(readings, stack);
        if ((!open->fork && !open->closed) || open->width == 0)
            return false;
        stack = open->below;
    }
    return leads_to(readings, from, stack);
}

static unsigned wider(unsigned a, unsigned b) {
    return a > b ? a : b;
}

/* The width of a fork of these stacks: what others hold that is not closed yet lies on the way of the first, and they
 * are given up at the next close, unless it is of their kind. */
static unsigned width_of_all(const pmi_readings *readings, const pmi_tops *tops) {
    const pmi_reading *const first = pmi_readings_at(readings, tops->top[0]);
    unsigned width = first->width;
    for (uint32_t k = 1; k < tops->count && first->width > 0; k++) {
        const pmi_reading *const other = pmi_readings_at(readings, tops->top[k]);
        if (!is_spent(readings, tops->top[k], tops->top[0]))
            return 0;
        if (tops->top[0] > 0 && tops->top[k] > 0 && other->kind == first->kind)
            width += wider(first->width, other->width);
    }
    return width <= PM_READINGS && first->width > 0 ? width : 0;
}

bool pmi_readings_even(const pmi_readings *readings, const pmi_tops *before, const pmi_tops *after) {
    for (uint32_t k = 0, j; k < after->count; k++) {
        for (j = 0; j < before->count && !leads_to(readings, before->top[j], after->top[k]);)
            j++;
        if (j == before->count)
            return false;
    }
    return true;
}

bool pmi_readings_close_by_first(const pmi_readings *readings, const pmi_tops *tops) {
    return width_of_all(readings, tops) > 0;
}

/* The stacks of all readings as one entry, which takes their users over. */
static pmi_reading_id fork_of(pmi_readings *readings) {
    const pmi_tops *const now = &readings->now;
    pmi_reading_id id;
    if (now->count == 1)
        return now->top[0];
    pmi_reading fork = {.users = 1,
                        .depth = UINT32_MAX,
                        .first = (uint32_t)pmi_readings_first(readings, now),
                        .count = (uint8_t)now->count,
                        .width = (uint8_t)width_of_all(readings, now),
                        .fork = true};
    for (uint32_t k = now->count; k-- > 0;) {
        const pmi_reading *const top = pmi_readings_at(readings, now->top[k]);
        fork.alternatives[k] = now->top[k];
        fork.hash = pmi_hash_add(fork.hash, 0) + pmi_hash_add(top->hash, 7);
        fork.depth = top->depth < fork.depth ? top->depth : fork.depth;
    }
    *entry_new(readings, &id) = fork;
    return id;
}

bool pmi_readings_push(pmi_readings *readings, pm_place at, unsigned kind) {
    pmi_reading_id open;
    const pmi_reading_id below = fork_of(readings);
    pmi_reading *const entry = entry_new(readings, &open);
    if (readings->failed)
        return false;
    const pmi_reading *const next = pmi_readings_at(readings, below);
    *entry = (pmi_reading){.hash = pmi_hash_add(next->hash, kind),
                           .users = 1,
                           .at = at,
                           .below = below,
                           .depth = next->depth + 1,
                           .first = next->first + 1,
                           .kind = (uint8_t)kind,
                           .width = next->width};
    readings->now = (pmi_tops){1, {open}};
    return true;
}

static void close_top(pmi_readings *readings, pmi_reading_id top, pmi_tops *after) {
    pmi_reading *const entry = change(readings, top);
    readings->closings += !entry->closed && entry->users > 1;
    entry->closed = true;
    tops_add_below(readings, after, top);
}

/* Closes the only top, if nothing else names it and there is one stack below it, as pmi_readings_close() would. */
static bool close_only(pmi_readings *readings, unsigned kind) {
    const pmi_reading_id top = readings->now.top[0];
    const pmi_reading *const open = pmi_readings_at(readings, top);
    if (top == 0 || open->kind != kind || open->users > 1 || pmi_readings_at(readings, open->below)->fork)
        return false;
    pmi_reading *const freed = change(readings, top);
    readings->now.top[0] = freed->below;
    freed->next = readings->free;
    readings->free = top;
    return true;
}

/* Notes in the innermost #if that a close gives up opens of these readings, if it does. */
static void note_strayed(pmi_readings *readings, unsigned kind, const pmi_tops *before, const pmi_tops *after) {
    branches *const group = pmi_stack_top(&readings->groups);
    bool strayed = false;
    for (uint32_t k = 0; group && !strayed && k < before->count; k++) {
        readings->stray = before->top[k];
        strayed = pmi_readings_at(readings, before->top[k])->kind != kind &&
                  !is_spent(readings, before->top[k], after->top[0]);
    }
    if (!strayed)
        return;
    group->strayed = true;
    readings->strays++;
}

/* How often a set names a stack, whose user it is each time. *others: an equal one is in it, too. */
static uint64_t names_of(const pmi_readings *readings, const pmi_tops *tops, pmi_reading_id top, bool *others) {
    const pmi_reading *const sought = pmi_readings_at(readings, top);
    uint64_t names = 0;
    for (uint32_t k = 0; k < tops->count; k++) {
        names += tops->top[k] == top;
        *others |= tops->top[k] != top && are_equal(pmi_readings_at(readings, tops->top[k]), sought);
    }
    return names;
}

bool pmi_readings_stray_is_lost(const pmi_readings *readings) {
    const pmi_reading *const stray = pmi_readings_at(readings, readings->stray);
    const branches *group = pmi_stack_top(&readings->groups);
    bool equal = false;
    if (!group || group->uneven || readings->skipped || readings->stray == 0 || stray->closed ||
        names_of(readings, &readings->now, readings->stray, &equal) > 0)
        return false;
    pmi_stack_walk walk = pmi_stack_walk_begin(&readings->groups);
    uint64_t names = 0, stacks = readings->now.count;
    while (!equal && stacks <= PM_READINGS && (group = pmi_stack_walk_down(&walk)) != NULL) {
        names += names_of(readings, &group->before, readings->stray, &equal);
        names += names_of(readings, &group->after, readings->stray, &equal);
        stacks += group->before.count + group->after.count;
    }
    return !equal && stacks <= PM_READINGS && names == stray->users;
}

bool pmi_readings_strayed(const pmi_readings *readings) {
    const branches *const group = pmi_stack_top(&readings->groups);
    return group && group->strayed && !readings->lost;
}

bool pmi_readings_close(pmi_readings *readings, unsigned kind, const pmi_reading **open) {
    pmi_tops after = {0};
    const pmi_tops before = readings->now;
    if (before.count == 1 && close_only(readings, kind))
        return true;
    for (uint32_t k = 0; k < before.count; k++)
        if (before.top[k] > 0 && pmi_readings_at(readings, before.top[k])->kind == kind)
            close_top(readings, before.top[k], &after);
    const bool fits = after.count > 0;
    if (!fits) {
        *open = before.top[0] > 0 ? pmi_readings_at(readings, before.top[0]) : NULL;
        if (!*open)
            return false;
        close_top(readings, before.top[0], &after);
    }
    if (before.count > 1)
        note_strayed(readings, kind, &before, &after);
    tops_release(readings, &before);
    readings->now = after;
    return fits;
}

/* ---- Directives ---- */

static bool tops_same(const pmi_tops *a, const pmi_tops *b) {
    uint32_t k = 0;
    while (k < a->count && a->count == b->count && a->top[k] == b->top[k])
        k++;
    return k == a->count && k == b->count;
}

/* Has nothing come behind the #if that would tell it from one here? */
static bool is_untouched(const pmi_readings *readings, const branches *group) {
    return group->after.count == 0 && !group->has_else && group->skipped == readings->skipped &&
           tops_same(&group->before, &readings->now);
}

/* Field by field: the rest of both sets is not cleared, which takes long. */
static void group_init(pmi_readings *readings, branches *group, const pmi_tops *before, bool skipped, bool uneven,
                       bool strayed, uint32_t nested) {
    group->stamp = ++readings->stamps;
    group->around = 0;
    group->before = tops_copy(readings, before);
    group->after.count = 0;
    group->has_else = false;
    group->skipped = skipped;
    group->uneven = uneven;
    group->strayed = strayed;
    group->nested = nested;
}

static bool group_begin(pmi_readings *readings, bool zero) {
    branches *const around = pmi_stack_top(&readings->groups);
    if (around && is_untouched(readings, around)) {
        around->around++;
        around->nested += readings->skipped;
    } else {
        const uint32_t nested =
            readings->skipped ? around->nested : 0; /* before the push, which *around does not outlive */
        const bool uneven = around && around->uneven, strayed = around && around->strayed;
        branches *const group = pmi_stack_push(&readings->groups);
        if (!group)
            return false;
        group_init(readings, group, &readings->now, readings->skipped, uneven, strayed, nested + 1);
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
    group_init(readings, alone, &all.before, all.skipped, all.uneven, all.strayed, all.nested);
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
    const bool strayed = group->strayed && group->has_else; /* else what was open before is again */
    pmi_stack_pop(&readings->groups);
    branches *const around = pmi_stack_top(&readings->groups);
    if (around && strayed)
        around->strayed = true;
}

bool pmi_readings_direct(pmi_readings *readings, pmi_directive directive) {
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
        group->uneven = group->uneven || !pmi_readings_even(readings, &group->before, &group->after);
        readings->now = tops_copy(readings, &group->before);
        group->has_else |= directive == PM_DIRECTIVE_ELSE;
        group->stamp = ++readings->stamps;
    }
    return true;
}

/* Adds stacks as tops_add_all(), and does not take their users over. False: there are too many. */
static bool tops_join(const pmi_readings *readings, pmi_tops *tops, const pmi_tops *added) {
    for (uint32_t k = 0; k < added->count; k++) {
        if (tops_hold(readings, tops, added->top[k]))
            continue;
        if (tops->count == PM_READINGS)
            return false;
        tops->top[tops->count++] = added->top[k];
    }
    return true;
}

bool pmi_readings_behind_end(const pmi_readings *readings, pmi_tops *tops) {
    const branches *const group = pmi_stack_top(&readings->groups);
    if (!group || readings->skipped)
        return false;
    *tops = group->after;
    return tops_join(readings, tops, &readings->now) && (group->has_else || tops_join(readings, tops, &group->before));
}

/* ---- The end ---- */

/* Merges two lists in the order of their places. */
static pmi_reading_id merge(pmi_readings *readings, pmi_reading_id a, pmi_reading_id b) {
    pmi_reading_id first, *last = &first;
    while (a > 0 && b > 0 && !readings->failed) {
        const bool lower = pmi_readings_at(readings, a)->at.offset < pmi_readings_at(readings, b)->at.offset;
        pmi_reading_id *const taken = lower ? &a : &b;
        *last = *taken;
        last = &change(readings, *taken)->next;
        *taken = *last;
    }
    *last = a > 0 ? a : b;
    return first;
}

/* Takes entries off a list as long as each comes before or behind all taken ones, and returns them in order: opens that
 * were given up one after another are together. */
static pmi_reading_id take_run(pmi_readings *readings, pmi_reading_id *list) {
    pmi_reading_id first = *list, last = first, next = pmi_readings_at(readings, first)->next;
    change(readings, first)->next = 0;
    while (next > 0 && !readings->failed) {
        const pmi_reading_id taken = next;
        const pmi_reading *const entry = pmi_readings_at(readings, taken);
        const bool behind = entry->at.offset > pmi_readings_at(readings, last)->at.offset;
        if (!behind && entry->at.offset > pmi_readings_at(readings, first)->at.offset)
            break;
        next = entry->next;
        change(readings, taken)->next = behind ? 0 : first;
        if (behind)
            change(readings, last)->next = taken;
        *(behind ? &last : &first) = taken;
    }
    *list = next;
    return first;
}

/* Sorts a list: 2^k runs, as one, wait in their slot until there are two. */
static pmi_reading_id sort(pmi_readings *readings, pmi_reading_id list) {
    pmi_reading_id runs[64] = {0}, sorted = 0;
    while (list > 0 && !readings->failed) {
        pmi_reading_id run = take_run(readings, &list);
        size_t k = 0;
        for (; runs[k] > 0; k++) {
            run = merge(readings, runs[k], run);
            runs[k] = 0;
        }
        runs[k] = run;
    }
    for (size_t k = 0; k < 64; k++)
        sorted = merge(readings, runs[k], sorted);
    return sorted;
}

static pmi_reading_id shallowest_of(const pmi_readings *readings, const pmi_tops *tops) {
    pmi_reading_id best = tops->top[0];
    for (uint32_t k = 1; k < tops->count; k++)
        if (depth_of(readings, tops->top[k]) < depth_of(readings, best))
            best = tops->top[k];
    return best;
}

/* The alternative with the fewest opens. */
static pmi_reading_id shallowest_below(const pmi_readings *readings, pmi_reading_id id) {
    const pmi_reading_id below = pmi_readings_at(readings, id)->below;
    if (!pmi_readings_at(readings, below)->fork)
        return below;
    const pmi_tops all = alternatives_of(readings, below);
    return shallowest_of(readings, &all);
}

pmi_reading_id pmi_readings_finish(pmi_readings *readings) {
    pmi_reading_id found = 0;
    while (pmi_stack_top(&readings->groups))
        group_end(readings, pmi_stack_top(&readings->groups));
    const pmi_tops now = readings->now;
    for (pmi_reading_id open = shallowest_of(readings, &now); open > 0 && !readings->failed;
         open = shallowest_below(readings, open)) {
        change(readings, retain(readings, open))->next = found;
        found = open;
    }
    tops_release(readings, &now);
    readings->now = (pmi_tops){.count = 1};
    found = merge(readings, sort(readings, found), sort(readings, readings->lost));
    return readings->failed ? 0 : found;
}

bool pmi_readings_match(pmi_readings *readings) {
    while (pmi_stack_top(&readings->groups) && readings->lost == 0)
        group_end(readings, pmi_stack_top(&readings->groups));
    const pmi_tops now = readings->now;
    if (readings->lost > 0 || shallowest_of(readings, &now) > 0)
        return false;
    for (uint32_t k = 0; k < now.count; k++) {
        const pmi_reading *const open = pmi_readings_at(readings, now.top[k]);
        if (now.top[k] > 0 && !open->closed && open->users == 1) /* all that is below need not be given up */
            return false;
    }
    tops_release(readings, &now);
    return readings->lost == 0 && !readings->failed;
}
