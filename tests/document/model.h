/* SPDX-License-Identifier: Apache-2.0 */
/* A plain text that is edited as a document is, and all that a document must say of it: by pm_check, and by a stack. */
#ifndef PM_TESTS_DOCUMENT_MODEL_H
#define PM_TESTS_DOCUMENT_MODEL_H

#include "parenmatch.h"

typedef struct document_model {
    const pm_language *language;
    char *text;
    size_t n, room;
} document_model;

/* Replaces bytes of the model alone. */
void document_model_replace(document_model *model, size_t at, size_t removed, const char *text, size_t inserted);

/* Appends about n bytes of pieces of languages: brackets, quotes, ends of comments. */
void document_model_append_pieces(document_model *model, size_t n, uint64_t *seed);

/* Returns one of those pieces. */
const char *document_model_piece(uint64_t *seed);

/* Compares everything; queries of single offsets at every `step`-th one. Returns what is wrong; NULL: nothing. */
const char *document_model_compare(const document_model *model, pm_document *document, size_t step);

void document_model_destroy(document_model *model);

#endif
