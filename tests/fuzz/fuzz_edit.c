/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Edits of a sequence against a plain array, with the library's leaves and every kind of implementation.
 *
 * Input: edits of 8 bytes each: where (2, as a share of the length), how many elements go and how many come (2 each, in
 * words if the highest bit is set), what comes (1, repeated), and the lowest bits of the last byte: take a snapshot, go
 * on with it. The array is compared after the last edit.
 */
#include <string.h>

#include "base/edit_tree.h"
#include "parenmatch.h"
#include "tests/bp/model.h"
#include "tests/fuzz/fuzz.h"

enum {
    EDIT_BYTES = 8,
    EDITS_MAX = 64,
    N_MAX = 1 << 17
};

typedef struct array {
    uint64_t n;
    uint64_t *parens, *moved;
} array;

static void array_replace(array *a, uint64_t at, uint64_t removed, const uint64_t *parens, uint64_t inserted) {
    const uint64_t tail = a->n - at - removed;
    pmi_bits_write(a->moved, 0, a->parens, at + removed, tail);
    pmi_bits_write(a->parens, at, parens, 0, inserted);
    pmi_bits_write(a->parens, at + inserted, a->moved, 0, tail);
    a->n += inserted - removed;
}

static uint64_t count_of(const uint8_t *bytes) {
    const unsigned count = bytes[0] + 256u * bytes[1];
    return count < 32768 ? count % 512 : count % 512 * UINT64_C(64);
}

static void check(const array *a, const pm_edit *edit) {
    bp_model model;
    fuzz_require(pm_edit_length(edit) == a->n, "length");
    memset(a->moved, 0, N_MAX / 8);
    fuzz_require(pm_edit_read(edit, 0, a->n, a->moved) == PM_OK, "read");
    for (uint64_t i = 0; i < a->n; i++)
        fuzz_require(pmi_bits_get(a->moved, i) == pmi_bits_get(a->parens, i), "elements");
    fuzz_require(bp_model_create(&model, a->parens, a->n), "memory");
    for (uint64_t i = 0; i < a->n; i += 1 + a->n / 512) {
        fuzz_require(pm_edit_enclose(edit, i) == model.match[i], "enclose");
        fuzz_require(pm_edit_find_close(edit, i) == model.close[i], "find_close");
        fuzz_require(pm_edit_excess(edit, i) == model.level[i + 1], "excess");
        const uint64_t rank = bp_model_rank(&model, i);
        fuzz_require(pm_edit_rank_open(edit, i) == rank, "rank_open");
        fuzz_require(!bp_model_is_open(&model, i) || pm_edit_select_open(edit, rank) == i, "select_open");
        fuzz_require(bp_model_is_open(&model, i) || pm_edit_select_close(edit, i - rank) == i, "select_close");
    }
    bp_model_destroy(&model);
}

static pm_edit *edit_once(pm_edit *edit, array *a, const uint8_t *bytes) {
    const uint64_t at = a->n * (bytes[0] + 256u * bytes[1]) / 65535;
    uint64_t removed = count_of(bytes + 2), inserted = count_of(bytes + 4), parens[512];
    removed = removed < a->n - at ? removed : a->n - at;
    inserted = a->n + inserted <= N_MAX ? inserted : 0;
    memset(parens, bytes[6], sizeof parens);
    pm_edit *other = NULL;
    if (bytes[7] & 1)
        fuzz_require(pm_edit_snapshot(edit, &other) == PM_OK, "snapshot");
    array_replace(a, at, removed, parens, inserted);
    if (other && bytes[7] & 2) { /* edit the snapshot, and give up the first */
        pm_edit *const first = edit;
        edit = other;
        other = first;
    }
    fuzz_require(pm_edit_replace(edit, at, removed, parens, inserted) == PM_OK, "replace");
    pm_edit_destroy(other);
    return edit;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    for (size_t i = 0; pm_simd_at(i); i++) {
        if (!pm_simd_at(i)->supported || strncmp(pm_simd_at(i)->name, "s", 1) == 0) /* as portable */
            continue;
        array a = {0, fuzz_allocate(N_MAX / 64 + 1, 8), fuzz_allocate(N_MAX / 64 + 1, 8)};
        memset(a.parens, 0, N_MAX / 8 + 8);
        pm_context *context;
        pm_edit *edit;
        fuzz_require(pm_context_create(&(pm_options){.simd = pm_simd_at(i)->name}, &context) == PM_OK, "context");
        fuzz_require(pm_edit_create(context, NULL, 0, &edit) == PM_OK, "create");
        for (size_t k = 0; k < EDITS_MAX && (k + 1) * EDIT_BYTES <= size; k++)
            edit = edit_once(edit, &a, bytes + k * EDIT_BYTES);
        check(&a, edit);
        pm_edit_destroy(edit);
        pm_context_destroy(context);
        free(a.parens);
        free(a.moved);
    }
    return 0;
}
