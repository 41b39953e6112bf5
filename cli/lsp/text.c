/* SPDX-License-Identifier: Apache-2.0 */
/* The bytes of an open text, its faults and their repairs. */
#include "cli/lsp/text.h"

#include <stdlib.h>
#include <string.h>

enum {
    EXPLAINED_BYTES_MAX = 256 << 10 /* of a text whose mistakes are looked for at each change; more take over 0.15 s */
};

uint64_t lsp_text_length(const lsp_text *text) {
    return text->document ? pm_document_length(text->document) : text->length;
}

void lsp_text_read(const lsp_text *text, uint64_t at, size_t n, char *to) {
    if (text->document)
        (void)pm_document_read(text->document, at, n, to);
    else
        memcpy(to, text->bytes + at, n);
}

static void read_for_lines(void *user, uint64_t at, size_t n, char *to) {
    const lsp_text *const text = user;
    lsp_text_read(text, at, n, to);
}

/* Makes room for `wanted` bytes, at least one. */
static bool reserve_bytes(lsp_text *text, size_t wanted) {
    if (wanted < text->room)
        return true;
    char *const bytes = realloc(text->bytes, wanted + wanted / 2 + 1);
    if (!bytes)
        return false;
    text->bytes = bytes;
    text->room = wanted + wanted / 2 + 1;
    return true;
}

static pm_status replace_bytes(lsp_text *text, uint64_t at, uint64_t removed, const char *bytes, size_t inserted) {
    const size_t behind = text->length - (size_t)(at + removed);
    if (!reserve_bytes(text, text->length - (size_t)removed + inserted))
        return PM_OUT_OF_MEMORY;
    memmove(text->bytes + at + inserted, text->bytes + at + removed, behind);
    if (inserted > 0)
        memcpy(text->bytes + at, bytes, inserted);
    text->length = text->length - (size_t)removed + inserted;
    return PM_OK;
}

static void begin_edition(lsp_text *text) {
    static uint64_t editions;
    text->edition = ++editions;
    text->unpublished = true;
    text->repaired = false;
    lsp_scan_forget(&text->scan);
}

pm_status lsp_text_replace(lsp_text *text, uint64_t at, uint64_t removed, const char *bytes, size_t inserted) {
    if (!line_index_reserve(&text->lines, inserted))
        return PM_OUT_OF_MEMORY;
    const pm_status status = text->document ? pm_document_replace(text->document, at, removed, bytes, inserted)
                                            : replace_bytes(text, at, removed, bytes, inserted);
    if (status != PM_OK)
        return status;
    line_index_replace(&text->lines, at, removed, inserted);
    begin_edition(text);
    return PM_OK;
}

static pm_status fill(lsp_text *text, const char *uri, position_encoding encoding, const char *bytes, size_t n) {
    line_index_create(&text->lines, encoding, (line_source){read_for_lines, text});
    text->uri = malloc(strlen(uri) + 1);
    if (!text->uri)
        return PM_OUT_OF_MEMORY;
    strcpy(text->uri, uri);
    if (!pm_language_alphabet(text->language))
        return reserve_bytes(text, n) ? lsp_text_replace(text, 0, 0, bytes, n) : PM_OUT_OF_MEMORY;
    const pm_status status = pm_document_create(NULL, text->language, bytes, n, &text->document);
    if (status != PM_OK)
        return status;
    if (!line_index_reserve(&text->lines, n))
        return PM_OUT_OF_MEMORY;
    line_index_replace(&text->lines, 0, 0, n);
    begin_edition(text);
    return PM_OK;
}

pm_status lsp_text_create(const char *uri, const pm_language *language, position_encoding encoding, const char *bytes,
                          size_t n, lsp_text **made) {
    *made = NULL;
    lsp_text *const text = calloc(1, sizeof *text);
    if (!text)
        return PM_OUT_OF_MEMORY;
    text->language = language;
    const pm_status status = fill(text, uri, encoding, bytes, n);
    if (status != PM_OK)
        lsp_text_destroy(text);
    else
        *made = text;
    return status;
}

void lsp_text_destroy(lsp_text *text) {
    if (!text)
        return;
    pm_document_destroy(text->document);
    lsp_scan_forget(&text->scan);
    line_index_destroy(&text->lines);
    free(text->bytes);
    free(text->uri);
    free(text);
}

/* ---- Faults and repairs ---- */

static pm_status check_bytes(const lsp_text *text, const char *bytes, size_t n, pm_check_report report, void *user) {
    pm_check *check;
    pm_status status = pm_check_create(NULL, text->language, NULL, report, user, &check);
    if (status == PM_OK)
        status = pm_check_set_repairs(check, true);
    if (status == PM_OK)
        status = pm_check_text(check, bytes, n, NULL);
    pm_check_destroy(check);
    return status;
}

/* A copy of a document's bytes, to be freed. */
static char *copy_bytes(const lsp_text *text, size_t n) {
    char *const bytes = malloc(n + 1);
    if (bytes)
        lsp_text_read(text, 0, n, bytes);
    return bytes;
}

pm_status lsp_text_faults(lsp_text *text, pm_check_report report, void *user) {
    if (!text->document)
        return check_bytes(text, text->bytes, text->length, report, user);
    const uint64_t n = lsp_text_length(text);
    if (n > EXPLAINED_BYTES_MAX || pm_document_fault_count(text->document) == 0)
        return pm_document_faults(text->document, 0, report, user);
    char *const bytes = copy_bytes(text, (size_t)n);
    const pm_status status = bytes ? check_bytes(text, bytes, (size_t)n, report, user) : PM_OUT_OF_MEMORY;
    free(bytes);
    return status;
}

static pm_status find_repairs(lsp_text *text, size_t n) {
    char *const bytes = copy_bytes(text, n);
    if (!bytes)
        return PM_OUT_OF_MEMORY;
    const pm_status status =
        pm_text_repair(NULL, text->language, NULL, bytes, n, PM_REPAIRS_MAX, text->repairs, &text->repair_count);
    free(bytes);
    return status;
}

pm_status lsp_text_repairs(lsp_text *text, size_t bytes_max) {
    if (text->repaired)
        return PM_OK;
    text->repair_count = 0;
    if (text->document && lsp_text_length(text) <= bytes_max && pm_document_fault_count(text->document) > 0) {
        const pm_status status = find_repairs(text, (size_t)lsp_text_length(text));
        if (status != PM_OK)
            return status;
    }
    text->repaired = true;
    return PM_OK;
}
