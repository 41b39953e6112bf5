/* SPDX-License-Identifier: Apache-2.0 */
/* Texts with branches (#if) that bracket pairs cross. What is open behind a branch depends on the branches before,
 * which no sum over parts says. So all readings of such a text are followed (core/text/readings.h), but from residue to
 * residue (residue.h) instead of bracket by bracket, once after each edit and only if somebody asks. Where residues are
 * long, as of brackets without partners alone, the text is checked instead, which takes little memory. */
#ifndef PM_CORE_DOCUMENT_BRANCHES_H
#define PM_CORE_DOCUMENT_BRANCHES_H

#include "core/document/document.h"

/* Does the text, which is settled, choose branches that make a difference? */
static inline bool pmi_document_has_branches(const pm_document *document) {
    return document->check && document->root->crosses;
}

/* Makes document->found what pm_check finds in the text's brackets: depth, mismatches and unmatched brackets. False:
 * there is no memory. */
bool pmi_document_sum_up_branches(pm_document *document);

/* Calls visit for each fault of the text's brackets in the order of pm_check, until it returns false; but faults
 * without a bracket at offsets from, ..., to - 1 may be left out. False: there is no memory. */
typedef bool (*pmi_document_visit)(const pmi_document_fault *fault, void *user);
bool pmi_document_visit_faults(pm_document *document, uint64_t from, uint64_t to, pmi_document_visit visit, void *user);

/* The pm_check_report of document->check. */
bool pmi_document_visit_found(const pm_diagnostic *diagnostic, void *document);

#endif
