/* SPDX-License-Identifier: Apache-2.0 */
/* The library's sequence that changes, and its index built again after every edit. */
#include <stdlib.h>
#include <string.h>

#include "base/edit_tree.h"
#include "bench/peers/edit_peers.h"
#include "parenmatch.h"

static void *edit_create(const uint64_t *parens, uint64_t n, const char *simd) {
    pm_context *context;
    pm_edit *edit = NULL;
    if (pm_context_create(&(pm_options){.simd = simd}, &context) == PM_OK)
        pm_edit_create(context, parens, n, &edit); /* NULL after a failure */
    pm_context_destroy(context);
    return edit;
}

static void edit_destroy(void *edit) {
    pm_edit_destroy(edit);
}

static bool edit_replace(void *edit, uint64_t at, uint64_t removed, const uint64_t *parens, uint64_t inserted) {
    return pm_edit_replace(edit, at, removed, parens, inserted) == PM_OK;
}

static uint64_t edit_find_close(const void *edit, uint64_t i) {
    return pm_edit_find_close(edit, i);
}

static size_t edit_size(const void *edit) {
    return pm_edit_size_in_bytes(edit);
}

const struct edit_peer edit_peer_library = {"edit",       false,        UINT64_MAX,      edit_create,
                                            edit_destroy, edit_replace, edit_find_close, edit_size};

/* ---- Built again ---- */

struct rebuilt {
    pm_context *context;
    pm_bp *bp;
    uint64_t *parens, *moved, n, capacity; /* words */
};

static void rebuilt_destroy(void *edit) {
    struct rebuilt *const r = edit;
    if (!r)
        return;
    pm_bp_destroy(r->bp);
    pm_context_destroy(r->context);
    free(r->parens);
    free(r->moved);
    free(r);
}

static void *rebuilt_create(const uint64_t *parens, uint64_t n, const char *simd) {
    struct rebuilt *const r = calloc(1, sizeof *r);
    if (!r)
        return NULL;
    r->n = n;
    r->capacity = n / 64 + (UINT64_C(1) << 15);
    r->parens = calloc(r->capacity, sizeof *r->parens);
    r->moved = calloc(r->capacity, sizeof *r->moved);
    if (r->parens && r->moved && pm_context_create(&(pm_options){.simd = simd, .threads = 1}, &r->context) == PM_OK) {
        memcpy(r->parens, parens, (n + 63) / 64 * 8);
        if (pm_bp_create(r->context, r->parens, n, &r->bp) == PM_OK)
            return r;
    }
    rebuilt_destroy(r);
    return NULL;
}

static bool rebuilt_replace(void *edit, uint64_t at, uint64_t removed, const uint64_t *parens, uint64_t inserted) {
    struct rebuilt *const r = edit;
    const uint64_t tail = r->n - at - removed, n = r->n - removed + inserted;
    if ((n + 63) / 64 > r->capacity)
        return false;
    pmi_bits_write(r->moved, 0, r->parens, at + removed, tail);
    pmi_bits_write(r->parens, at, parens, 0, inserted);
    pmi_bits_write(r->parens, at + inserted, r->moved, 0, tail);
    r->n = n;
    pm_bp_destroy(r->bp);
    return pm_bp_create(r->context, r->parens, n, &r->bp) == PM_OK;
}

static uint64_t rebuilt_find_close(const void *edit, uint64_t i) {
    return pm_bp_find_close(((const struct rebuilt *)edit)->bp, i);
}

static size_t rebuilt_size(const void *edit) {
    const struct rebuilt *const r = edit;
    return (size_t)(r->n / 8) + pm_bp_size_in_bytes(r->bp);
}

const struct edit_peer edit_peer_bp = {
    "rebuilt", true, UINT64_MAX, rebuilt_create, rebuilt_destroy, rebuilt_replace, rebuilt_find_close, rebuilt_size};
