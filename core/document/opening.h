/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A long text is opened by several threads. It is cut into slices, and each is read, by a document of its thread, from
 * the state that its lexer probably begins in. Their trees are joined, and what began in another state is read again,
 * as after an edit.
 */
#ifndef PM_CORE_DOCUMENT_OPENING_H
#define PM_CORE_DOCUMENT_OPENING_H

#include "core/document/document.h"

/* Returns how many threads open a text of n bytes, at most `most` (0: as many as OpenMP gives). 1 if memory is the
 * caller's: other threads may not ask for it. */
unsigned pmi_document_opening_threads(const pm_document *document, uint64_t n, unsigned most);

/* Makes document->root the tree of a text that begins in a state, and is copied or borrowed. Returns PM_OUT_OF_MEMORY
 * with a root that is NULL, or whose text is not settled. */
pm_status pmi_document_open(pm_document *document, const unsigned char *text, uint64_t n,
                            const pmi_document_state *entry, unsigned threads, bool borrows);

#endif
