/* SPDX-License-Identifier: Apache-2.0 */
/* The check of a text with branches. */
#include "core/document/branches.h"

#include <string.h>

bool pmi_document_note_fault(const pm_diagnostic *diagnostic, void *user) {
    pm_document *const document = user;
    if (document->fault_count == document->fault_room) {
        const size_t room = 2 * document->fault_room + 16;
        pm_diagnostic *const faults = pmi_memory_allocate(&document->allocator, room, sizeof *faults);
        if (!faults) {
            document->check_failed = true;
            return false;
        }
        if (document->fault_count > 0)
            memcpy(faults, document->faults, document->fault_count * sizeof *faults);
        pmi_memory_free(&document->allocator, document->faults);
        document->faults = faults;
        document->fault_room = room;
    }
    document->faults[document->fault_count++] = *diagnostic;
    return true;
}

/* Pushes the leaves below a node. */
static pm_status push(pm_document *document, const pmi_document_node *node) {
    if (node->height == 1)
        return pm_check_push(document->check, (const char *)pmi_document_leaf_text(node), node->bytes);
    const pm_status status = push(document, node->child[0]);
    return status == PM_OK ? push(document, node->child[1]) : status;
}

pm_status pmi_document_check(pm_document *document) {
    if (document->checked)
        return PM_OK;
    document->fault_count = 0;
    document->check_failed = false;
    pm_status status = push(document, document->root);
    const pm_status finished = pm_check_finish(document->check, &document->found);
    status = status != PM_OK ? status : finished;
    if (status == PM_OK && document->check_failed)
        status = PM_OUT_OF_MEMORY;
    document->checked = status == PM_OK;
    return status;
}
