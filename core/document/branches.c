/* SPDX-License-Identifier: Apache-2.0 */
/* The readings of a text with branches. */
#include "core/document/branches.h"

#include <string.h>

#include "core/document/residue.h"
#include "core/text/readings.h"

/* All readings of what was taken so far. An open is pushed at once, where pm_check keeps those since the last directive
 * to itself, which makes no difference. */
typedef struct following {
    pmi_readings readings;
    uint64_t since; /* opens since the last directive, or the last close of one before that */
    pm_check_summary found;
    uint64_t hidden; /* faults in gaps, which are counted and not visited */
    uint64_t deep;   /* opens that may come yet while there are many since the last directive; 0: a check is faster */
    pmi_document_visit visit;
    void *user;
    bool stopped; /* no more faults are wanted */
    bool failed;  /* there was no memory */
} following;

/* ---- Faults ---- */

static void visit(following *all, pm_fault fault, uint64_t at, uint64_t partner) {
    if (!all->stopped)
        all->stopped = !all->visit(&(pmi_document_fault){fault, at, partner}, all->user);
}

/* A close at an offset, of no open in any reading, or of one of another kind. */
static void find_fault(following *all, uint64_t at, const pmi_reading *open) {
    all->found.mismatched += open != NULL;
    all->found.unmatched.close += open == NULL;
    visit(all, open ? PM_FAULT_KIND_MISMATCH : PM_FAULT_UNMATCHED_CLOSE, at, open ? open->at.offset : PM_BP_NONE);
}

/* What no reading closes. */
static void end(following *all) {
    const pmi_readings *const readings = &all->readings;
    const pmi_reading *open;
    for (pmi_reading_id id = pmi_readings_finish(&all->readings); id > 0; id = open->next) {
        open = pmi_readings_at(readings, id);
        all->found.unmatched.open++;
        visit(all, PM_FAULT_UNMATCHED_OPEN, open->at.offset, PM_BP_NONE);
    }
    all->failed |= readings->failed;
}

/* ---- Depth ---- */

/* Of the readings the shallowest one counts, as for pm_check. */
static void note_depth(following *all, uint64_t rise) {
    const uint64_t depth = pmi_readings_least(&all->readings) + rise;
    if (depth > all->found.max_depth)
        all->found.max_depth = depth;
}

static void follow_gap(following *all, const pmi_residue_gap *gap) {
    if (all->readings.skipped)
        return;
    all->found.mismatched += gap->mismatched;
    all->hidden += gap->mismatched;
    note_depth(all, gap->rise);
}

/* ---- Items ---- */

static void follow_open(following *all, uint64_t at, unsigned kind) {
    all->since++;
    all->deep -= all->since > PM_DOCUMENT_DEEP;
    all->failed |= !pmi_readings_push(&all->readings, (pm_place){.offset = at}, kind);
    note_depth(all, 0);
}

static void follow_close(following *all, uint64_t at, unsigned kind) {
    const pmi_reading *open;
    const bool matched = pmi_readings_close(&all->readings, kind, &open);
    all->failed |= all->readings.failed;
    if (!matched && !all->failed)
        find_fault(all, at, open);
    all->since -= all->since > 0;
}

static bool follow(const pmi_residue_item *item, uint64_t at, void *user) {
    following *const all = user;
    follow_gap(all, &item->before);
    if (item->what == PM_RESIDUE_DIRECTIVE) {
        all->since = 0;
        all->failed = !pmi_readings_direct(&all->readings, (pmi_directive)item->kind);
    } else if (!all->readings.skipped) {
        if (item->what == PM_RESIDUE_OPEN)
            follow_open(all, at, item->kind);
        else if (item->what == PM_RESIDUE_CLOSE)
            follow_close(all, at, item->kind);
    }
    return !all->failed && !all->stopped && all->deep > 0;
}

/* Follows the text. The walk says which mismatches are visited. False: there is no memory, or a check is faster. */
static bool follow_text(following *all, pmi_residue_walk *walk) {
    pm_document *const document = walk->document;
    walk->take = follow;
    walk->user = all;
    pmi_readings_init(&all->readings, &document->allocator);
    pmi_residue_take(walk, document->root, 0);
    walk->failed |= all->failed;
    if (!all->stopped && !walk->failed && all->deep > 0)
        end(all);
    pmi_readings_clear(&all->readings);
    return !walk->failed && all->deep > 0;
}

/* ---- Faults that are kept ---- */

/* Keeps a fault; a pmi_document_visit of the document. False: there is no memory, and the faults are not listed. */
static bool keep_fault(const pmi_document_fault *fault, void *user) {
    pm_document *const document = user;
    if (document->fault_count == document->fault_room) {
        const size_t room = 2 * document->fault_room + 16;
        pmi_document_fault *const faults = pmi_memory_allocate(&document->allocator, room, sizeof *faults);
        document->listed = faults != NULL;
        if (!faults)
            return false;
        if (document->fault_count > 0)
            memcpy(faults, document->faults, document->fault_count * sizeof *faults);
        pmi_memory_free(&document->allocator, document->faults);
        document->faults = faults;
        document->fault_room = room;
    }
    document->faults[document->fault_count++] = *fault;
    return true;
}

/* Keeps a fault unless there are too many, or one is missing already. */
static bool keep_few(const pmi_document_fault *fault, void *user) {
    pm_document *const document = user;
    document->listed = document->listed && document->fault_count < PM_DOCUMENT_FAULTS;
    if (document->listed)
        (void)keep_fault(fault, document);
    return true;
}

/* ---- A check ---- */

#define CHECKS 16u /* questions before residues are tried again */

bool pmi_document_visit_found(const pm_diagnostic *found, void *document) {
    const bool mismatch = found->fault == PM_FAULT_KIND_MISMATCH;
    const pmi_document_fault fault = {found->fault, found->at.offset, mismatch ? found->partner.offset : PM_BP_NONE};
    return found->fault == PM_FAULT_UNTERMINATED || keep_fault(&fault, document);
}

/* Pushes the leaves below a node. */
static pm_status push(pm_check *check, const pmi_document_node *node) {
    if (node->height == 1)
        return pm_check_push(check, (const char *)pmi_document_leaf_text(node), node->bytes);
    const pm_status status = push(check, node->child[0]);
    return status == PM_OK ? push(check, node->child[1]) : status;
}

/* Keeps all faults, too. False: there is no memory. */
static bool check_text(pm_document *document, pm_check_summary *found) {
    const pm_status pushed = push(document->check, document->root);
    const pm_status finished = pm_check_finish(document->check, found);
    return pushed == PM_OK && finished == PM_OK;
}

/* ---- Answers ---- */

static bool sum_up_by_check(pm_document *document) {
    document->fault_count = 0;
    document->listed = true;
    return check_text(document, &document->found) && document->listed;
}

/* Sums up from residue to residue, or by a check if this is faster. False: there is no memory. */
static bool sum_up_anew(pm_document *document) {
    document->checks -= document->checks > 0;
    if (document->checks > 0)
        return sum_up_by_check(document);
    following all = {.deep = PM_DOCUMENT_DEEP + document->root->bytes / 128, .visit = keep_few, .user = document};
    pmi_residue_walk walk = {.document = document, .to = UINT64_MAX, .mismatched = PM_DOCUMENT_SHOWN};
    document->fault_count = 0;
    document->listed = true;
    const bool followed = follow_text(&all, &walk);
    document->checks = all.deep == 0 ? CHECKS : 0;
    if (all.deep == 0)
        return sum_up_by_check(document);
    document->found = all.found;
    document->listed = document->listed && all.hidden == 0;
    return followed;
}

/* Moves the faults by the edit. False: one of them was there. */
static bool move_faults(pm_document *document) {
    bool moved = true;
    for (size_t k = 0; k < document->fault_count; k++) {
        pmi_document_fault *const fault = &document->faults[k];
        moved = moved && pmi_residue_move(&document->edit, &fault->at);
        if (fault->fault == PM_FAULT_KIND_MISMATCH)
            moved = moved && pmi_residue_move(&document->edit, &fault->partner);
    }
    return moved;
}

/* Is what was found before the text changed still true? Then faults are listed if they were, and none is elsewhere than
 * where the edit moves it. */
static bool is_same(pm_document *document) {
    pmi_residue_walk walk = {.document = document, .edit = document->edits == 1 ? &document->edit : NULL};
    if (document->checks > 0 || !pmi_residue_is_same(&walk, document->root, 0))
        return false;
    document->listed = document->listed && (document->fault_count == 0 || (!walk.moved && move_faults(document)));
    return true;
}

bool pmi_document_sum_up_branches(pm_document *document) {
    if (document->summed_up && !document->changed)
        return true;
    document->summed_up = (document->summed_up && is_same(document)) || sum_up_anew(document);
    document->changed = false;
    document->edits = 0;
    return document->summed_up;
}

static uint64_t faults_of(const pm_check_summary *found) {
    return found->mismatched + found->unmatched.close + found->unmatched.open;
}

/* Visits the faults at some offsets, and others. False: there is no memory. */
static bool follow_faults(pm_document *document, uint64_t from, uint64_t to, pmi_document_visit visit_fault,
                          void *user) {
    following all = {.deep = UINT64_MAX, .visit = visit_fault, .user = user};
    pmi_residue_walk walk = {.document = document, .from = from, .to = to, .mismatched = UINT64_MAX};
    return follow_text(&all, &walk);
}

bool pmi_document_visit_faults(pm_document *document, uint64_t from, uint64_t to, pmi_document_visit visit_fault,
                               void *user) {
    if (!pmi_document_sum_up_branches(document))
        return false;
    if (!document->listed && faults_of(&document->found) <= PM_DOCUMENT_FEW_FAULTS) {
        document->fault_count = 0;
        document->listed = true;
        if (!follow_faults(document, 0, UINT64_MAX, keep_few, document))
            document->listed = false;
        if (!document->listed)
            return false;
    }
    if (!document->listed)
        return follow_faults(document, from, to, visit_fault, user);
    for (size_t k = 0; k < document->fault_count && visit_fault(&document->faults[k], user);)
        k++;
    return true;
}
