/* SPDX-License-Identifier: Apache-2.0 */
/* Conditionals that have changed nothing yet. */
#include "core/check/pending.h"

#include <string.h>

#include "core/check/parts.h"

#define ROOM_LEAST 32u

static bool make_room(pm_check *check) {
    pmi_pending *const pending = &check->pending;
    if (pending->count < pending->room)
        return true;
    const size_t room = pending->room > 0 ? 2 * pending->room : ROOM_LEAST;
    pmi_pending_if *const ifs = pmi_memory_allocate(&check->allocator, room, sizeof *ifs);
    if (!ifs)
        return false;
    if (pending->count > 0)
        memcpy(ifs, pending->ifs, pending->count * sizeof *ifs);
    pmi_memory_free(&check->allocator, pending->ifs);
    pending->ifs = ifs;
    pending->room = room;
    return true;
}

/* Sets the number of those that are pending, the outermost ones. */
static void keep_pending(pmi_pending *pending, size_t count) {
    pending->count = count;
    pending->depth = count > 0 ? pending->ifs[count - 1].depth : 0;
}

void pmi_check_clear_pending(pm_check *check) {
    pmi_memory_free(&check->allocator, check->pending.ifs);
    check->pending = (pmi_pending){.ifs = NULL};
}

static bool push_pending(pm_check *check) {
    pmi_pending *const pending = &check->pending;
    if (!make_room(check))
        return false;
    pending->ifs[pending->count] = (pmi_pending_if){.depth = check->progress.depth};
    keep_pending(pending, pending->count + 1);
    return true;
}

static bool add_pending(pm_check *check) {
    const pmi_pending *const pending = &check->pending;
    if (pending->count == 0 || pending->depth != check->progress.depth)
        return push_pending(check);
    pmi_pending_if *const innermost = &pending->ifs[pending->count - 1];
    if (innermost->branched || innermost->around == UINT32_MAX)
        return push_pending(check);
    innermost->around++;
    return true;
}

/* Another branch of the innermost one begins, or it ends. */
static bool go_on(pm_check *check, pmi_directive directive) {
    pmi_pending *const pending = &check->pending;
    pmi_pending_if *innermost = &pending->ifs[pending->count - 1];
    if (directive == PM_DIRECTIVE_END) {
        if (innermost->around > 0)
            innermost->around--;
        else
            keep_pending(pending, pending->count - 1);
        return true;
    }
    if (innermost->around > 0) {
        innermost->around--;
        if (!push_pending(check))
            return false;
        innermost = &pending->ifs[pending->count - 1];
    }
    innermost->branched = true;
    innermost->has_else |= directive == PM_DIRECTIVE_ELSE;
    return true;
}

bool pmi_check_direct_lazily(pm_check *check, pmi_directive directive) {
    pmi_pending *const pending = &check->pending;
    if (directive == PM_DIRECTIVE_IF && !check->readings.skipped)
        return add_pending(check);
    if (directive > PM_DIRECTIVE_IF_ZERO && pending->count > 0 && pending->depth == check->progress.depth)
        return go_on(check, directive);
    check->kinds_known = false; /* nothing is open above the directive */
    return pmi_check_unfold(check) && pmi_check_direct(check, directive);
}

/* ---- Giving them to the readings ---- */

typedef struct unfolding {
    pm_check *check;
    uint64_t depth;         /* opens before the innermost #if, which go to the readings, */
    uint64_t passed;        /* and how many of them have gone */
    size_t next;            /* the outermost #if that they do not know */
    pmi_bracket_stack rest; /* the opens behind the innermost one */
    bool fine;
} unfolding;

/* Gives them the #ifs that come before the next open. */
static void unfold_ifs(unfolding *unfold) {
    const pmi_pending *const pending = &unfold->check->pending;
    for (; unfold->fine && unfold->next < pending->count; unfold->next++) {
        const pmi_pending_if *const what = &pending->ifs[unfold->next];
        if (what->depth > unfold->passed)
            break;
        for (uint64_t k = 0; k <= what->around && unfold->fine; k++)
            unfold->fine = pmi_check_direct_settled(unfold->check, PM_DIRECTIVE_IF);
        if (unfold->fine && what->branched) /* several branches that change nothing are as one */
            unfold->fine =
                pmi_check_direct_settled(unfold->check, what->has_else ? PM_DIRECTIVE_ELSE : PM_DIRECTIVE_ELSE_IF);
    }
}

/* Takes from the word those of its opens that go to them. */
static void unfold_opens(unfolding *unfold, pmi_text_word *word) {
    for (; word->opens != 0 && unfold->passed < unfold->depth && unfold->fine; word->opens &= word->opens - 1) {
        const unsigned bit = pmi_bits_lowest(word->opens);
        unfold_ifs(unfold);
        unfold->fine = unfold->fine && pmi_check_settle_open(unfold->check, pmi_text_word_place(word, bit),
                                                             pmi_text_word_kind(word, bit));
        unfold->passed++;
    }
}

static bool unfold_run(const void *entry, void *user) {
    const pmi_text_word *const run = entry;
    unfolding *const unfold = user;
    for (uint64_t step = 0; step < run->run && run->opens != 0 && unfold->fine; step++) {
        pmi_text_word word = pmi_text_word_after(run, step);
        unfold_opens(unfold, &word);
        unfold->fine = unfold->fine && pmi_bracket_stack_push(&unfold->rest, &word);
    }
    return unfold->fine;
}

/* Leaves only these opens on the stack. If there are none it keeps its memory, as the next ones will want it. */
static void take_rest(pm_check *check, const pmi_bracket_stack *rest) {
    if (rest->uncovered.opens == 0) {
        while (check->opens.uncovered.opens != 0 || pmi_stack_top(&check->opens.far))
            pmi_bracket_stack_innermost(&check->opens)->opens = 0;
        return;
    }
    pmi_bracket_stack_clear(&check->opens);
    check->opens = *rest;
}

bool pmi_check_unfold(pm_check *check) {
    if (check->pending.count == 0)
        return true;
    unfolding unfold = {.check = check, .depth = check->pending.depth, .fine = true};
    if (unfold.depth > 0) {
        pmi_bracket_stack_init(&unfold.rest, &check->allocator);
        pmi_bracket_stack_visit(&check->opens, unfold_run, &unfold);
        unfold_opens(&unfold, &check->progress.current);
        take_rest(check, &unfold.rest);
        check->progress.depth -= unfold.depth;
        check->kinds_known = false;
    }
    unfold_ifs(&unfold);
    keep_pending(&check->pending, 0);
    return unfold.fine && !check->readings.failed;
}

/* ---- At the end of a text ---- */

static void drop_innermost(pm_check *check, uint64_t count) {
    uint64_t *const opens = &check->progress.current.opens;
    check->progress.depth -= count;
    check->kinds_known = false;
    for (; count > 0 && *opens != 0; count--)
        *opens ^= UINT64_C(1) << pmi_bits_highest(*opens);
    pmi_bracket_stack_pop(&check->opens, count);
}

/* If these #ifs ended here, each depth at which one stands would be that of a stack, besides what is open now. The
 * readings would keep the shallowest, and forgive what only deeper ones hold: of many nested #ifs nearly all. */
static void drop_forgiven(pm_check *check) {
    pmi_pending *const pending = &check->pending;
    uint64_t last = UINT64_MAX;
    unsigned stacks = 0;
    for (size_t k = 0; k < pending->count && stacks < PM_READINGS; k++) {
        stacks += pending->ifs[k].depth != last;
        last = pending->ifs[k].depth;
    }
    if (stacks == PM_READINGS)
        drop_innermost(check, check->progress.depth - last);
}

bool pmi_check_end_pending(pm_check *check) {
    if (check->pending.count == 0)
        return true;
    if (!pmi_readings_empty(&check->readings) || pmi_stack_top(&check->readings.groups))
        return pmi_check_unfold(check); /* in which order they are kept depends on all */
    drop_forgiven(check);
    keep_pending(&check->pending, 0); /* what is left is open in some reading, and closed in none */
    return true;
}
