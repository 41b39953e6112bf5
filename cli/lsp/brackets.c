/* SPDX-License-Identifier: Apache-2.0 */
/* The brackets of an open text: those of a document are asked for, delimiters are looked up in a scan. */
#include <stdlib.h>

#include "cli/lsp/text.h"

/* ---- The scan of a text with delimiters ---- */

void lsp_scan_forget(lsp_scan *scan) {
    free(scan->parens);
    free(scan->positions);
    free(scan->lengths);
    free(scan->kinds);
    free(scan->match);
    *scan = (lsp_scan){0};
}

/* A close's match is its open already. */
static void match_opens(lsp_scan *scan) {
    for (size_t i = 0; i < scan->count; i++)
        if (scan->parens[i / 64] >> i % 64 & 1)
            scan->match[i] = PM_NONE;
        else if (scan->match[i] != PM_NONE)
            scan->match[scan->match[i]] = (uint32_t)i;
}

pm_status lsp_scan_read(lsp_text *text) {
    lsp_scan *const scan = &text->scan;
    if (scan->done)
        return PM_OK;
    pm_status status = pm_text_scan(NULL, text->language, text->bytes, text->length, NULL, &scan->count);
    if (status != PM_OK)
        return status;
    const size_t n = scan->count;
    scan->parens = calloc(n / 64 + 1, sizeof *scan->parens);
    scan->positions = calloc(n + 1, sizeof *scan->positions);
    scan->lengths = calloc(n + 1, sizeof *scan->lengths);
    scan->kinds = calloc(n + 1, sizeof *scan->kinds);
    scan->match = calloc(n + 1, sizeof *scan->match);
    status = PM_OUT_OF_MEMORY;
    if (scan->parens && scan->positions && scan->lengths && scan->kinds && scan->match) {
        const pm_text_arrays arrays = {sizeof arrays, n,           scan->parens, scan->positions,
                                       scan->lengths, scan->kinds, scan->match};
        status = pm_text_scan(NULL, text->language, text->bytes, text->length, &arrays, &scan->count);
    }
    if (status != PM_OK) {
        lsp_scan_forget(scan);
        return status;
    }
    match_opens(scan);
    scan->done = true;
    return PM_OK;
}

/* The depth is left 0. */
static lsp_bracket scanned(const lsp_scan *scan, size_t i) {
    const uint32_t match = scan->match[i];
    return (lsp_bracket){.offset = scan->positions[i],
                         .length = scan->lengths[i],
                         .index = i,
                         .open = scan->parens[i / 64] >> i % 64 & 1,
                         .faulty = match == PM_NONE || scan->kinds[match] != scan->kinds[i]};
}

/* Every close pops the innermost open, so those that are open are as many as the depth. */
static void each_scanned(const lsp_scan *scan, uint64_t from, uint64_t to,
                         bool (*visit)(const lsp_bracket *bracket, void *user), void *user) {
    uint64_t depth = 0;
    for (size_t i = 0; i < scan->count && scan->positions[i] < to; i++) {
        lsp_bracket bracket = scanned(scan, i);
        depth -= !bracket.open && scan->match[i] != PM_NONE;
        bracket.depth = depth;
        depth += bracket.open;
        if (bracket.offset >= from && !visit(&bracket, user))
            return;
    }
}

/* The first token that ends behind an offset. */
static size_t scanned_behind(const lsp_scan *scan, uint64_t offset) {
    size_t i = 0;
    while (i < scan->count && scan->positions[i] + scan->lengths[i] <= offset)
        i++;
    return i;
}

static bool bracket_in_scan(const lsp_scan *scan, uint64_t cursor, lsp_bracket *bracket) {
    const size_t i = scanned_behind(scan, cursor);
    if (i < scan->count && scan->positions[i] <= cursor) {
        *bracket = scanned(scan, i);
        return true;
    }
    if (i == 0 || scan->positions[i - 1] + scan->lengths[i - 1] != cursor)
        return false;
    *bracket = scanned(scan, i - 1);
    return true;
}

/* Goes back from the offset, over pairs that are closed before it. */
static size_t path_in_scan(const lsp_scan *scan, uint64_t offset, size_t capacity, lsp_bracket *opens) {
    size_t count = 0;
    for (size_t i = scanned_behind(scan, offset); i-- > 0 && count < capacity;) {
        const lsp_bracket bracket = scanned(scan, i);
        if (bracket.open)
            opens[count++] = bracket;
        else if (scan->match[i] != PM_NONE)
            i = scan->match[i];
    }
    return count;
}

/* ---- Documents ---- */

enum {
    LISTED_BYTES = 1 << 14 /* of text at once; each may be a bracket */
};

static lsp_bracket of_document(const pm_document_bracket *bracket) {
    return (lsp_bracket){.offset = bracket->offset,
                         .length = 1,
                         .depth = bracket->depth,
                         .open = bracket->open,
                         .faulty = bracket->faulty};
}

static pm_status each_of_document(pm_document *document, uint64_t from, uint64_t to, pm_document_bracket *room,
                                  bool (*visit)(const lsp_bracket *bracket, void *user), void *user) {
    for (uint64_t at = from; at < to; at += LISTED_BYTES) {
        size_t count;
        const uint64_t n = to - at < LISTED_BYTES ? to - at : LISTED_BYTES;
        const pm_status status = pm_document_brackets(document, at, n, LISTED_BYTES, room, &count);
        if (status != PM_OK)
            return status;
        for (size_t k = 0; k < count; k++) {
            const lsp_bracket bracket = of_document(&room[k]);
            if (!visit(&bracket, user))
                return PM_OK;
        }
    }
    return PM_OK;
}

static pm_status bracket_in_document(pm_document *document, uint64_t cursor, lsp_bracket *bracket, bool *found) {
    const uint64_t length = pm_document_length(document);
    const uint64_t from = cursor > 0 ? cursor - 1 : 0, to = cursor < length ? cursor + 1 : length;
    pm_document_bracket near[2];
    size_t count;
    const pm_status status = pm_document_brackets(document, from, to - from, 2, near, &count);
    *found = status == PM_OK && count > 0;
    if (*found)
        *bracket = of_document(&near[count - 1]);
    return status;
}

static pm_status path_in_document(pm_document *document, uint64_t offset, size_t capacity, lsp_bracket *opens,
                                  size_t *count) {
    pm_document_bracket *const room = malloc((capacity + 1) * sizeof *room);
    if (!room)
        return PM_OUT_OF_MEMORY;
    const pm_status status = pm_document_path(document, offset, capacity, room, count);
    *count = *count < capacity ? *count : capacity;
    for (size_t k = 0; status == PM_OK && k < *count; k++)
        opens[k] = of_document(&room[k]);
    free(room);
    return status;
}

/* ---- Either of them ---- */

pm_status lsp_text_each_bracket(lsp_text *text, uint64_t from, uint64_t to,
                                bool (*visit)(const lsp_bracket *bracket, void *user), void *user) {
    if (text->document) {
        pm_document_bracket *const room = malloc(LISTED_BYTES * sizeof *room);
        const pm_status status =
            room ? each_of_document(text->document, from, to, room, visit, user) : PM_OUT_OF_MEMORY;
        free(room);
        return status;
    }
    const pm_status status = lsp_scan_read(text);
    if (status == PM_OK)
        each_scanned(&text->scan, from, to, visit, user);
    return status;
}

pm_status lsp_text_bracket_at(lsp_text *text, uint64_t cursor, lsp_bracket *bracket, bool *found) {
    if (text->document)
        return bracket_in_document(text->document, cursor, bracket, found);
    const pm_status status = lsp_scan_read(text);
    *found = status == PM_OK && bracket_in_scan(&text->scan, cursor, bracket);
    return status;
}

pm_status lsp_text_partner(lsp_text *text, const lsp_bracket *bracket, lsp_bracket *partner, bool *found) {
    if (text->document) {
        const uint64_t offset = pm_document_partner(text->document, bracket->offset);
        *found = offset != PM_BP_NONE;
        *partner = (lsp_bracket){.offset = offset, .length = 1, .open = !bracket->open};
        return PM_OK;
    }
    const pm_status status = lsp_scan_read(text);
    *found = status == PM_OK && text->scan.match[bracket->index] != PM_NONE;
    if (*found)
        *partner = scanned(&text->scan, text->scan.match[bracket->index]);
    return status;
}

pm_status lsp_text_path(lsp_text *text, uint64_t offset, size_t capacity, lsp_bracket *opens, size_t *count) {
    *count = 0;
    if (text->document)
        return path_in_document(text->document, offset, capacity, opens, count);
    const pm_status status = lsp_scan_read(text);
    if (status == PM_OK)
        *count = path_in_scan(&text->scan, offset, capacity, opens);
    return status;
}
