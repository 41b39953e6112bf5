/* SPDX-License-Identifier: Apache-2.0 */
/* What JavaScript calls: a text that changes. */
#include <parenmatch.h>

#include <stdlib.h>

#include "wasm/export.h"
#include "wasm/faults.h"

typedef struct document {
    pm_document *document;
    faults faults;
    summary summary;
} document;

/* Doubles alone, as struct fault. */
typedef struct bracket {
    double offset, depth, kind, open, faulty;
} bracket;

PMI_JS_EXPORT(void, document_destroy, document *document) {
    if (!document)
        return;
    pm_document_destroy(document->document);
    free(document->faults.list);
    free(document);
}

PMI_JS_EXPORT(pm_status, document_create, const pm_language *language, const char *text, size_t n, document **created) {
    *created = calloc(1, sizeof **created);
    if (!*created)
        return PM_OUT_OF_MEMORY;
    const pm_status status = pm_document_create(NULL, language, text, n, &(*created)->document);
    if (status != PM_OK) {
        free(*created);
        *created = NULL;
    }
    return status;
}

PMI_JS_EXPORT(pm_status, document_replace, document *document, size_t at, size_t removed, const char *text,
              size_t inserted) {
    return pm_document_replace(document->document, at, removed, text, inserted);
}

PMI_JS_EXPORT(size_t, document_length, const document *document) {
    return (size_t)pm_document_length(document->document);
}

PMI_JS_EXPORT(size_t, document_size_in_bytes, const document *document) {
    return pm_document_size_in_bytes(document->document);
}

PMI_JS_EXPORT(pm_status, document_read, const document *document, size_t at, size_t n, char *text) {
    return pm_document_read(document->document, at, n, text);
}

PMI_JS_EXPORT(double, document_line, const document *document, size_t offset) {
    return (double)pm_document_place(document->document, offset).line;
}

PMI_JS_EXPORT(double, document_line_offset, const document *document, double line) {
    const uint64_t offset =
        line >= 1 && line < 0x1p53 ? pm_document_line_offset(document->document, (uint64_t)line) : PM_BP_NONE;
    return offset == PM_BP_NONE ? -1 : (double)offset;
}

PMI_JS_EXPORT(pm_status, document_settle, document *document, double bytes) {
    return pm_document_settle(document->document, bytes < 0x1p53 ? (uint64_t)bytes : UINT64_MAX);
}

PMI_JS_EXPORT(size_t, document_settled, const document *document) {
    return (size_t)pm_document_settled(document->document);
}

PMI_JS_EXPORT(pm_status, document_summary, document *document, summary **totals) {
    pm_check_summary found;
    const pm_status status = pm_document_summary(document->document, &found);
    if (status == PM_OK)
        document->summary = pmi_js_summary(&found);
    *totals = &document->summary;
    return status;
}

/* Lists at most `limit` faults, those at offset `from` and behind it. */
PMI_JS_EXPORT(pm_status, document_faults, document *document, size_t from, size_t limit, fault **list, size_t *count) {
    document->faults.count = 0;
    document->faults.limit = limit;
    document->faults.failed = false;
    const pm_status status = pm_document_faults(document->document, from, pmi_js_report, &document->faults);
    *list = document->faults.list;
    *count = document->faults.count;
    return status == PM_OK && document->faults.failed ? PM_OUT_OF_MEMORY : status;
}

PMI_JS_EXPORT(double, document_partner, document *document, size_t offset) {
    const uint64_t partner = pm_document_partner(document->document, offset);
    return partner == PM_BP_NONE ? -1 : (double)partner;
}

/* ---- Brackets ---- */

typedef pm_status (*list_brackets)(const document *document, size_t at, size_t n, size_t capacity,
                                   pm_document_bracket *brackets, size_t *count);

static pm_status list_range(const document *document, size_t at, size_t n, size_t capacity,
                            pm_document_bracket *brackets, size_t *count) {
    return pm_document_brackets(document->document, at, n, capacity, brackets, count);
}

static pm_status list_path(const document *document, size_t at, size_t n, size_t capacity,
                           pm_document_bracket *brackets, size_t *count) {
    (void)n;
    return pm_document_path(document->document, at, capacity, brackets, count);
}

/* Lists at most `capacity` brackets as numbers; *count is that of all. The caller frees *brackets. */
static pm_status list_as_numbers(list_brackets list, const document *document, size_t at, size_t n, size_t capacity,
                                 bracket **brackets, size_t *count) {
    pm_document_bracket *const found = malloc(capacity * sizeof *found + 1);
    *brackets = malloc(capacity * sizeof **brackets + 1);
    const pm_status status = found && *brackets ? list(document, at, n, capacity, found, count) : PM_OUT_OF_MEMORY;
    for (size_t k = 0; status == PM_OK && k < *count && k < capacity; k++)
        (*brackets)[k] = (bracket){.offset = (double)found[k].offset,
                                   .depth = (double)found[k].depth,
                                   .kind = found[k].kind,
                                   .open = found[k].open,
                                   .faulty = found[k].faulty};
    free(found);
    return status;
}

PMI_JS_EXPORT(pm_status, document_brackets, document *document, size_t at, size_t n, size_t capacity,
              bracket **brackets, size_t *count) {
    return list_as_numbers(list_range, document, at, n, capacity, brackets, count);
}

PMI_JS_EXPORT(pm_status, document_path, document *document, size_t offset, size_t capacity, bracket **opens,
              size_t *count) {
    return list_as_numbers(list_path, document, offset, 0, capacity, opens, count);
}

/* Stores the largest depth in a range, -1 without brackets; a pair is one deeper than what is around it. */
PMI_JS_EXPORT(pm_status, document_max_depth, document *document, size_t at, size_t n, double *depth) {
    enum {
        ROOM = 4096 /* brackets and bytes at a time, so that all brackets of a part have room */
    };
    static pm_document_bracket brackets[ROOM];
    *depth = -1;
    for (size_t read = 0; read < n;) {
        const size_t part = n - read < ROOM ? n - read : ROOM;
        size_t count;
        const pm_status status = pm_document_brackets(document->document, at + read, part, ROOM, brackets, &count);
        if (status != PM_OK)
            return status;
        for (size_t k = 0; k < count; k++)
            if ((double)brackets[k].depth > *depth)
                *depth = (double)brackets[k].depth;
        read += part;
    }
    return PM_OK;
}
