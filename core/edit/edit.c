/* SPDX-License-Identifier: Apache-2.0 */
/* The public functions on a sequence that changes. */
#include "core/edit/edit.h"

static pm_status create(pm_context *context, unsigned kind_bits, const pmi_edit_source *source, uint64_t n,
                        pm_edit **edit) {
    const pmi_edit_kernel *const kernel = pmi_simd_of(context)->edit;
    const pm_allocator allocator = pm_context_allocator(context);
    pm_edit *const created = pmi_memory_allocate(&allocator, 1, sizeof *created);
    if (!created)
        return PM_OUT_OF_MEMORY;
    *created = (pm_edit){kernel->queries, NULL, 1, 1 + kind_bits, kernel, allocator};
    created->root = pmi_edit_empty_tree(&allocator, created->planes);
    if (!created->root || (n > 0 && !pmi_edit_rebuild(created, 0, 0, source, n, 0, 0))) {
        pm_edit_destroy(created);
        return PM_OUT_OF_MEMORY;
    }
    *edit = created;
    return PM_OK;
}

/* Settings of another size are those of another version. */
static pm_status check_options(const pm_edit_options *options) {
    if (options->struct_size != 0 && options->struct_size != sizeof *options)
        return options->struct_size > sizeof *options ? PM_UNSUPPORTED : PM_INVALID_ARGUMENT;
    return options->kind_bits <= PM_EDIT_KIND_BITS_MAX ? PM_OK : PM_INVALID_ARGUMENT;
}

pm_status pm_edit_create_with(pm_context *context, const pm_edit_options *options, const uint64_t *parens,
                              const uint8_t *kinds, uint64_t n, pm_edit **edit) {
    if (!edit)
        return PM_INVALID_ARGUMENT;
    *edit = NULL;
    if (n > PM_EDIT_N_MAX)
        return PM_TOO_LARGE;
    const pm_status status = options ? check_options(options) : PM_OK;
    const unsigned kind_bits = options ? options->kind_bits : 0;
    if (status != PM_OK || (n > 0 && !parens) || (kinds && kind_bits == 0))
        return status != PM_OK ? status : PM_INVALID_ARGUMENT;
    return create(context, kind_bits, &(pmi_edit_source){parens, kinds}, n, edit);
}

pm_status pm_edit_create(pm_context *context, const uint64_t *parens, uint64_t n, pm_edit **edit) {
    return pm_edit_create_with(context, NULL, parens, NULL, n, edit);
}

pm_status pm_edit_snapshot(const pm_edit *edit, pm_edit **snapshot) {
    if (!snapshot)
        return PM_INVALID_ARGUMENT;
    *snapshot = NULL;
    if (!edit)
        return PM_INVALID_ARGUMENT;
    pm_edit *const taken = pmi_memory_allocate(&edit->allocator, 1, sizeof *taken);
    if (!taken)
        return PM_OUT_OF_MEMORY;
    *taken = *edit;
    pmi_edit_refer(taken->root);
    *snapshot = taken;
    return PM_OK;
}

void pm_edit_destroy(pm_edit *edit) {
    if (!edit)
        return;
    const pm_allocator allocator = edit->allocator; /* outlives the block it frees */
    if (edit->root)
        pmi_edit_release(&allocator, edit->root, edit->height);
    pmi_memory_free(&allocator, edit);
}

uint64_t pm_edit_length(const pm_edit *edit) {
    return (uint64_t)edit->root->length;
}

static size_t size_of(const pmi_edit_node *node, unsigned height, size_t leaf_size) {
    size_t size = PM_EDIT_NODE_SIZE + (height == 1 ? node->count * leaf_size : 0);
    for (unsigned c = 0; height > 1 && c < node->count; c++)
        size += size_of(node->child[c], height - 1, leaf_size);
    return size;
}

size_t pm_edit_size_in_bytes(const pm_edit *edit) {
    return size_of(edit->root, edit->height, pmi_edit_leaf_size(edit->planes));
}

pm_status pm_edit_replace_with(pm_edit *edit, uint64_t at, uint64_t removed, const uint64_t *parens,
                               const uint8_t *kinds, uint64_t inserted) {
    if (!edit || (inserted > 0 && !parens) || (kinds && edit->planes == 1))
        return PM_INVALID_ARGUMENT;
    const uint64_t length = pm_edit_length(edit);
    if (at > length || removed > length - at)
        return PM_INVALID_ARGUMENT;
    if (inserted > PM_EDIT_N_MAX - (length - removed))
        return PM_TOO_LARGE;
    if (removed == 0 && inserted == 0)
        return PM_OK;
    const pmi_edit_source source = {parens, kinds};
    uint64_t first, last;
    if (edit->kernel->replace_in_leaf(edit, at, removed, &source, inserted, &first, &last) ||
        pmi_edit_rebuild(edit, at, removed, &source, inserted, first, last))
        return PM_OK;
    return PM_OUT_OF_MEMORY;
}

pm_status pm_edit_replace(pm_edit *edit, uint64_t at, uint64_t removed, const uint64_t *parens, uint64_t inserted) {
    return pm_edit_replace_with(edit, at, removed, parens, NULL, inserted);
}

static pm_status check_read(const pm_edit *edit, uint64_t at, uint64_t n, const void *to) {
    if (!edit || (n > 0 && !to) || at > pm_edit_length(edit) || n > pm_edit_length(edit) - at)
        return PM_INVALID_ARGUMENT;
    return PM_OK;
}

pm_status pm_edit_read(const pm_edit *edit, uint64_t at, uint64_t n, uint64_t *parens) {
    const pm_status status = check_read(edit, at, n, parens);
    if (status == PM_OK)
        pmi_edit_copy(edit, 0, at, n, parens, 0);
    return status;
}

pm_status pm_edit_read_kinds(const pm_edit *edit, uint64_t at, uint64_t n, uint8_t *kinds) {
    const pm_status status = check_read(edit, at, n, kinds);
    if (status != PM_OK)
        return status;
    for (uint64_t done = 0; done < n; done += PM_WORD_BITS) {
        const unsigned here = n - done < PM_WORD_BITS ? (unsigned)(n - done) : PM_WORD_BITS;
        uint64_t bits[PM_EDIT_KIND_BITS_MAX] = {0};
        for (unsigned plane = 1; plane < edit->planes; plane++)
            pmi_edit_copy(edit, plane, at + done, here, &bits[plane - 1], 0);
        for (unsigned i = 0; i < here; i++)
            kinds[done + i] = (uint8_t)((bits[0] >> i & 1) | (bits[1] >> i & 1) << 1 | (bits[2] >> i & 1) << 2 |
                                        (bits[3] >> i & 1) << 3);
    }
    return PM_OK;
}
