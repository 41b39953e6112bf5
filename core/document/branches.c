/* SPDX-License-Identifier: Apache-2.0 */
/* The readings of a text with branches. */
#include "core/document/branches.h"

#include <string.h>

#include "core/document/residue.h"
#include "core/text/readings.h"

/* All readings of what was taken so far. An open is pushed at once, where pm_check keeps those since the last directive
 * to itself, which makes no difference but to the depth. */
typedef struct following {
    pm_document *document;
    pmi_readings readings;
    uint64_t since; /* opens since the last directive, or the last close of one before that */
    uint64_t lift;  /* by how much they are deeper in the first reading than in the shallowest one */
    bool lists;     /* faults */
    bool failed;    /* there was no memory */
} following;

/* ---- Faults ---- */

static void list_fault(following *all, const pm_diagnostic *fault) {
    pm_document *const document = all->document;
    if (document->fault_count == document->fault_room) {
        const size_t room = 2 * document->fault_room + 16;
        pm_diagnostic *const faults = pmi_memory_allocate(&document->allocator, room, sizeof *faults);
        all->failed |= !faults;
        if (!faults)
            return;
        if (document->fault_count > 0)
            memcpy(faults, document->faults, document->fault_count * sizeof *faults);
        pmi_memory_free(&document->allocator, document->faults);
        document->faults = faults;
        document->fault_room = room;
    }
    document->faults[document->fault_count++] = *fault;
}

static char byte_at(const pm_document *document, uint64_t offset) {
    uint64_t base;
    const pmi_document_node *const leaf = pmi_document_leaf_at(document->root, offset, &base);
    return (char)pmi_document_leaf_text(leaf)[offset - base];
}

/* A close at an offset, of no open in any reading, or of one of another kind. */
static void find_fault(following *all, uint64_t at, const pmi_reading *open) {
    pm_document *const document = all->document;
    document->found.mismatched += open != NULL;
    document->found.unmatched.close += open == NULL;
    if (!all->lists)
        return;
    pm_diagnostic fault = {
        .fault = PM_FAULT_UNMATCHED_CLOSE, .at.offset = at, .length = 1, .byte = byte_at(document, at)};
    if (open) {
        fault.fault = PM_FAULT_KIND_MISMATCH;
        fault.partner.offset = open->at.offset;
        fault.partner_length = 1;
        fault.partner_byte = document->open_byte[open->kind];
    }
    list_fault(all, &fault);
}

/* What no reading closes. */
static void end(following *all) {
    pm_document *const document = all->document;
    const pmi_readings *const readings = &all->readings;
    const pmi_reading *open;
    for (pmi_reading_id id = pmi_readings_finish(&all->readings); id > 0; id = open->next) {
        open = pmi_readings_at(readings, id);
        document->found.unmatched.open++;
        if (all->lists)
            list_fault(all, &(pm_diagnostic){.fault = PM_FAULT_UNMATCHED_OPEN,
                                             .at.offset = open->at.offset,
                                             .length = 1,
                                             .byte = document->open_byte[open->kind]});
    }
    all->failed |= readings->failed;
}

/* ---- Depth ---- */

/* The opens of the shallowest reading. */
static uint64_t least_depth(const pmi_readings *readings) {
    uint64_t least = UINT64_MAX;
    for (size_t k = 0; k < readings->now.count; k++) {
        const uint64_t depth = pmi_readings_at(readings, readings->now.top[k])->depth;
        least = depth < least ? depth : least;
    }
    return least;
}

static void note_depth(following *all, uint64_t depth, uint64_t rise) {
    uint64_t *const most = &all->document->found.max_depth;
    if (rise > 0 && depth + rise > *most)
        *most = depth + rise;
}

static void pass_directive(following *all) {
    all->since = all->lift = 0;
}

static void follow_gap(following *all, const pmi_residue_gap *gap) {
    if (all->readings.skipped)
        return;
    all->document->found.mismatched += gap->mismatched;
    note_depth(all, pmi_readings_depth(&all->readings) + all->lift, gap->rise[PM_RISE_BEFORE]);
    if (!gap->parted)
        return;
    pass_directive(all);
    note_depth(all, least_depth(&all->readings), gap->rise[PM_RISE_ABOVE]);
    note_depth(all, pmi_readings_depth(&all->readings), gap->rise[PM_RISE_BEHIND]);
}

/* ---- Items ---- */

static void follow_open(following *all, uint64_t at, unsigned kind) {
    if (all->since++ == 0)
        all->lift = pmi_readings_depth(&all->readings) - least_depth(&all->readings);
    all->failed |= !pmi_readings_push(&all->readings, (pm_place){.offset = at}, kind);
    note_depth(all, pmi_readings_depth(&all->readings) + all->lift - 1, 1);
}

static void follow_close(following *all, uint64_t at, unsigned kind) {
    const pmi_reading *open;
    const bool matched = pmi_readings_close(&all->readings, kind, &open);
    all->failed |= all->readings.failed;
    if (!matched && !all->failed)
        find_fault(all, at, open);
    all->since -= all->since > 0;
    if (all->since == 0)
        all->lift = 0;
}

static void follow(const pmi_residue_item *item, uint64_t at, void *user) {
    following *const all = user;
    if (all->failed)
        return;
    follow_gap(all, &item->before);
    if (item->what == PM_RESIDUE_DIRECTIVE) {
        pass_directive(all);
        all->failed = !pmi_readings_direct(&all->readings, (pmi_directive)item->kind);
    } else if (!all->readings.skipped) {
        if (item->what == PM_RESIDUE_OPEN)
            follow_open(all, at, item->kind);
        else if (item->what == PM_RESIDUE_CLOSE)
            follow_close(all, at, item->kind);
    }
}

/* False: there is no memory. */
static bool follow_all(pm_document *document, bool lists) {
    following all = {.document = document, .lists = lists};
    pmi_residue_walk walk = {.document = document, .to = lists ? UINT64_MAX : 0, .take = follow, .user = &all};
    pmi_readings_init(&all.readings, &document->allocator);
    document->found = (pm_check_summary){0};
    document->fault_count = 0;
    pmi_residue_take(&walk, document->root, 0);
    end(&all);
    pmi_readings_clear(&all.readings);
    document->summed_up = !all.failed && !walk.failed;
    document->listed = document->summed_up && lists;
    return document->summed_up;
}

bool pmi_document_sum_up_branches(pm_document *document) {
    return document->summed_up || follow_all(document, false);
}

static bool is_fine(const pm_check_summary *found) {
    return found->mismatched == 0 && found->unmatched.close == 0 && found->unmatched.open == 0;
}

bool pmi_document_list_faults(pm_document *document) {
    if (!pmi_document_sum_up_branches(document))
        return false;
    if (document->listed)
        return true;
    if (!is_fine(&document->found))
        return follow_all(document, true);
    document->fault_count = 0;
    document->listed = true;
    return true;
}
