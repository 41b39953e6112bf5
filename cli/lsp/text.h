/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A text that a client has opened: its bytes, lines and brackets. Brackets of one byte are followed edit by edit
 * (pm_document); a text in a language with delimiters, such as XML, is read as a whole when something is asked.
 */
#ifndef PM_CLI_LSP_TEXT_H
#define PM_CLI_LSP_TEXT_H

#include "cli/lsp/line_index.h"
#include "parenmatch.h"

/* The delimiters of a text. */
typedef struct lsp_scan {
    bool done;
    size_t count;
    uint64_t *parens, *positions;
    uint32_t *lengths, *kinds, *match; /* match: partners */
} lsp_scan;

typedef struct lsp_text {
    char *uri;
    int64_t version;  /* as the client counts */
    uint64_t edition; /* as the server counts: no two texts of its life have the same one */
    bool unpublished; /* its diagnostics are to be sent */
    int64_t publishing_ms,
        changed_ms; /* how long it took to send the last ones; when the client last changed the text */
    const pm_language *language;
    pm_document *document; /* NULL: a language with delimiters, whose text is the next three */
    char *bytes;
    size_t length, room;
    lsp_scan scan; /* of delimiters */
    line_index lines;

    bool repaired; /* the next two are those of this edition */
    size_t repair_count;
    pm_repair repairs[PM_REPAIRS_MAX];
} lsp_text;

/* Makes a text. *text is NULL after a failure. */
pm_status lsp_text_create(const char *uri, const pm_language *language, position_encoding encoding, const char *bytes,
                          size_t n, lsp_text **text);
void lsp_text_destroy(lsp_text *text);

/* Replaces bytes at, ..., at + removed - 1, which are there. After a failure the text is as before. */
pm_status lsp_text_replace(lsp_text *text, uint64_t at, uint64_t removed, const char *bytes, size_t inserted);

uint64_t lsp_text_length(const lsp_text *text);

/* Stores bytes at, ..., at + n - 1, which are there. */
void lsp_text_read(const lsp_text *text, uint64_t at, size_t n, char *to);

/* Reports the faults as pm_check does; in a text that is not too long, with the mistakes that they follow from. */
pm_status lsp_text_faults(lsp_text *text, pm_check_report report, void *user);

/* Finds the repairs of this edition, none in languages with delimiters or for longer texts than bytes_max. */
pm_status lsp_text_repairs(lsp_text *text, size_t bytes_max);

/* ---- Brackets and delimiters ---- */

typedef struct lsp_bracket {
    uint64_t offset, length; /* in bytes */
    uint64_t depth;          /* as that of pm_document_bracket */
    size_t index;            /* of the scan */
    bool open, faulty;
} lsp_bracket;

/* Calls visit for each bracket at offsets from, ..., to - 1, in order, until it returns false. */
pm_status lsp_text_each_bracket(lsp_text *text, uint64_t from, uint64_t to,
                                bool (*visit)(const lsp_bracket *bracket, void *user), void *user);

/* Finds the bracket at a cursor: the one behind it, else the one before it. *found: whether there is one. */
pm_status lsp_text_bracket_at(lsp_text *text, uint64_t cursor, lsp_bracket *bracket, bool *found);

/* Finds the partner of a bracket. */
pm_status lsp_text_partner(lsp_text *text, const lsp_bracket *bracket, lsp_bracket *partner, bool *found);

/* Finds the opens around an offset, innermost first, at most `capacity`. */
pm_status lsp_text_path(lsp_text *text, uint64_t offset, size_t capacity, lsp_bracket *opens, size_t *count);

/* ---- For these: a text with delimiters ---- */

/* Scans the text unless that was done. */
pm_status lsp_scan_read(lsp_text *text);
void lsp_scan_forget(lsp_scan *scan);

#endif
