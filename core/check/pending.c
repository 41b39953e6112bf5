/* SPDX-License-Identifier: Apache-2.0 */
/* Conditionals that have changed nothing yet. */
#include "core/check/pending.h"

#include "core/check/parts.h"

/* While the readings are given what is pending. */
typedef struct unfolding {
    pm_check *check;
    unsigned next;          /* the first #if that they do not know */
    uint64_t passed;        /* opens that they know */
    pmi_bracket_stack rest; /* opens behind the last #if, which stay above the readings */
    bool fine;
} unfolding;

/* Gives them the #ifs that come before the next open. */
static void unfold_ifs(unfolding *unfold) {
    const pmi_pending *const pending = &unfold->check->pending;
    for (; unfold->fine && unfold->next < pending->count; unfold->next++) {
        const pmi_pending_if *const what = &pending->ifs[unfold->next];
        if (what->depth > unfold->passed)
            break;
        unfold->fine = pmi_check_direct_settled(unfold->check, PM_DIRECTIVE_IF);
        if (unfold->fine && what->branched) /* several branches that change nothing are as one */
            unfold->fine =
                pmi_check_direct_settled(unfold->check, what->has_else ? PM_DIRECTIVE_ELSE : PM_DIRECTIVE_ELSE_IF);
    }
}

static bool unfold_run(const void *entry, void *user) {
    const pmi_text_word *const run = entry;
    unfolding *const unfold = user;
    for (uint64_t step = 0; step < run->run && run->opens != 0 && unfold->fine; step++) {
        pmi_text_word word = pmi_text_word_after(run, step);
        for (; unfold->fine && word.opens != 0 && unfold->next < unfold->check->pending.count;
             word.opens &= word.opens - 1) {
            unfold_ifs(unfold);
            if (unfold->next == unfold->check->pending.count)
                break;
            const unsigned bit = pmi_bits_lowest(word.opens);
            unfold->fine = unfold->fine && pmi_check_settle_open(unfold->check, pmi_text_word_place(&word, bit),
                                                                 pmi_text_word_kind(&word, bit));
            unfold->passed++;
        }
        unfold->fine = unfold->fine && pmi_bracket_stack_push(&unfold->rest, &word);
    }
    return unfold->fine;
}

bool pmi_check_unfold(pm_check *check) {
    if (check->pending.count == 0)
        return true;
    unfolding unfold = {.check = check, .fine = true};
    const uint64_t depth = pmi_pending_depth(&check->pending);
    if (depth > 0) {
        pmi_bracket_stack_init(&unfold.rest, &check->allocator);
        pmi_bracket_stack_visit(&check->opens, unfold_run, &unfold);
        pmi_bracket_stack_clear(&check->opens);
        check->opens = unfold.rest;
        check->progress.depth -= depth;
        check->kinds_known = false;
    }
    unfold_ifs(&unfold);
    check->pending.count = 0;
    return unfold.fine;
}

bool pmi_check_direct_bulk(pm_check *check, pmi_directive directive) {
    pmi_pending *const pending = &check->pending;
    pmi_pending_if *const innermost = pending->count > 0 ? &pending->ifs[pending->count - 1] : NULL;
    if (directive == PM_DIRECTIVE_IF && !check->readings.skipped) {
        if (pending->count == PM_PENDING_IFS && !pmi_check_unfold(check))
            return false;
        pending->ifs[pending->count++] = (pmi_pending_if){.depth = check->progress.depth};
        return true;
    }
    if (directive > PM_DIRECTIVE_IF_ZERO && innermost && innermost->depth == check->progress.depth) {
        pending->count -= directive == PM_DIRECTIVE_END;
        innermost->branched = true;
        innermost->has_else |= directive == PM_DIRECTIVE_ELSE;
        return true;
    }
    check->kinds_known = false; /* nothing is open above the directive */
    return pmi_check_unfold(check) && pmi_check_direct(check, directive);
}
