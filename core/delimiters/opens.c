/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is open where the scan stands, for languages in which that matters: closes that a text leaves out are tokens
 * without bytes. Like whoever gets the tokens, it takes a close for that of the innermost open, whatever their kinds.
 */
#include "core/context/context.h"
#include "core/delimiters/structure.h"

/* Opens that are looked at from the top down, at most, so that a deep text does not take longer than a flat one. */
#define DEPTH_SEEN ((size_t)64)

static size_t depth_seen(const pmi_opens *opens) {
    return opens->depth > DEPTH_SEEN ? opens->depth - DEPTH_SEEN : 0;
}

static bool push(pmi_structure_scan *scan, pmi_open open) {
    pmi_opens *const opens = &scan->opens;
    if (opens->depth == opens->room) {
        const size_t room = opens->room ? 2 * opens->room : 64;
        pmi_open *const wider = pmi_memory_allocate(&scan->names.allocator, room, sizeof *wider);
        if (!wider)
            return false;
        if (opens->depth > 0)
            memcpy(wider, opens->entries, opens->depth * sizeof *wider);
        pmi_memory_free(&scan->names.allocator, opens->entries);
        opens->entries = wider;
        opens->room = room;
    }
    opens->entries[opens->depth++] = open;
    return true;
}

/* Closes opens, at a place, until `depth` of them are left. */
static void close_down_to(pmi_structure_scan *scan, size_t depth, size_t at) {
    while (scan->opens.depth > depth && !scan->out_of_memory) {
        const pmi_open top = scan->opens.entries[--scan->opens.depth];
        scan->out_of_memory = !scan->take(&(pmi_token){at, at, top.kind, false}, scan->user);
    }
}

void pmi_opens_end_before(pmi_structure_scan *scan, uint64_t ended, size_t at) {
    const pmi_opens *const opens = &scan->opens;
    const size_t bottom = depth_seen(opens);
    size_t outermost = opens->depth;
    for (size_t d = opens->depth; d > bottom && opens->entries[d - 1].implied < PM_PAIRS_IMPLIED_MAX; d--)
        if (ended >> opens->entries[d - 1].implied & 1)
            outermost = d - 1;
    close_down_to(scan, outermost, at);
}

/* How many opens there are when all those at the top that may be left open are closed, up to one of a kind. */
static size_t depth_without_implied(const pmi_opens *opens, uint32_t kind) {
    const size_t bottom = depth_seen(opens);
    size_t depth = opens->depth;
    while (depth > bottom && opens->entries[depth - 1].kind != kind && opens->entries[depth - 1].implied != PM_NONE)
        depth--;
    return depth;
}

void pmi_opens_take(pmi_structure_scan *scan, const pmi_token *token, uint32_t rule, uint32_t implied) {
    pmi_opens *const opens = &scan->opens;
    if (!token->open) {
        const size_t depth = depth_without_implied(opens, token->kind);
        if (depth > 0 && opens->entries[depth - 1].kind == token->kind)
            close_down_to(scan, depth, token->begin);
        opens->depth -= opens->depth > 0;
    } else if (!push(scan, (pmi_open){token->kind, rule, implied})) {
        scan->out_of_memory = true;
    }
}

void pmi_opens_finish(pmi_structure_scan *scan) {
    size_t depth = scan->opens.depth;
    while (depth > 0 && scan->opens.entries[depth - 1].implied != PM_NONE)
        depth--;
    close_down_to(scan, depth, scan->n);
}

bool pmi_opens_innermost_is(const pmi_structure_scan *scan, uint32_t kind, pmi_pairs_words words) {
    const struct pm_delimiters *const pairs = scan->pairs;
    const size_t bottom = depth_seen(&scan->opens);
    size_t depth = scan->opens.depth;
    while (depth > bottom && scan->opens.entries[depth - 1].kind != kind)
        depth--;
    if (depth == bottom || scan->opens.entries[depth - 1].rule == PM_NONE)
        return false;
    const uint32_t word = pairs->rules[scan->opens.entries[depth - 1].rule].word_at;
    for (uint32_t k = 0; k < words.count; k++)
        if (pmi_pairs_same_words(pairs, word, words.first + k))
            return true;
    return false;
}

void pmi_opens_clear(pmi_structure_scan *scan) {
    pmi_memory_free(&scan->names.allocator, scan->opens.entries);
    scan->opens = (pmi_opens){NULL, 0, 0};
}
