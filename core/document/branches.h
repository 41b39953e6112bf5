/* SPDX-License-Identifier: Apache-2.0 */
/* Texts with branches (#if) that bracket pairs cross. What is open behind a branch depends on the branches before,
 * which no sum over parts says; so such a text is checked from its beginning, once after each edit and only if somebody
 * asks. */
#ifndef PM_CORE_DOCUMENT_BRANCHES_H
#define PM_CORE_DOCUMENT_BRANCHES_H

#include "core/document/document.h"

/* Keeps a fault; a pm_check_report of document->check. */
bool pmi_document_note_fault(const pm_diagnostic *diagnostic, void *document);

/* Does the text, which is settled, choose branches that make a difference? */
static inline bool pmi_document_has_branches(const pm_document *document) {
    return document->check && document->root->crosses;
}

/* Makes document->found and document->faults those of the text. */
pm_status pmi_document_check(pm_document *document);

#endif
