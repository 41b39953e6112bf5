/* SPDX-License-Identifier: Apache-2.0 */
/* Saving an index, and loading one from saved bytes. They are used only if they are those of this sequence's index, so
 * that bytes made to deceive lead no query astray. */

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/checksum.h"
#include "core/bp/bp.h"

static_assert(sizeof(pmi_bp_file_header) == sizeof(pm_bp_line), "lines begin with cache lines");

static uint64_t sum_of_header(const pmi_bp_file_header *header) {
    return pmi_checksum_of(header, offsetof(pmi_bp_file_header, header_sum) / sizeof(uint64_t));
}

/* ---- Writing ---- */

/* Bytes of what is saved: no pioneers. */
static size_t arrays_size(const struct pm_bp *bp) {
    return pmi_bp_arrays_size(bp) + pmi_bp_hints_size(bp);
}

/* What lies between the hints' end and the next word, and behind it. */
static size_t padding(const struct pm_bp *bp) {
    return PM_BP_SLACK + (sizeof(uint64_t) - arrays_size(bp) % sizeof(uint64_t)) % sizeof(uint64_t);
}

void pmi_bp_pieces(const struct pm_bp *bp, pmi_bp_file_header *header, pmi_kept_piece pieces[PM_BP_PIECES]) {
    static const uint64_t zeros[PM_BP_SLACK / sizeof(uint64_t) + 1] = {0};
    *header = (pmi_bp_file_header){
        .version = PM_BP_FILE_VERSION,
        .byte_order = PM_BP_FILE_BYTE_ORDER,
        .n = bp->view.n,
        .opens = bp->opens,
        .size = arrays_size(bp) + padding(bp),
    };
    memcpy(header->magic, PM_BP_MAGIC, sizeof header->magic);
    header->header_sum = sum_of_header(header);
    pieces[0] = (pmi_kept_piece){header, sizeof *header};
    pieces[1] = (pmi_kept_piece){bp->view.lines, pmi_bp_arrays_size(bp)};
    pieces[2] = (pmi_kept_piece){bp->hints, pmi_bp_hints_size(bp)};
    pieces[3] = (pmi_kept_piece){zeros, padding(bp)};
}

pm_status pm_bp_save(const pm_bp *bp, const char *path) {
    if (!bp || !path)
        return PM_INVALID_ARGUMENT;
    if (bp->batch)
        return PM_UNSUPPORTED;
    pmi_bp_file_header header;
    pmi_kept_piece pieces[PM_BP_PIECES];
    pmi_bp_pieces(bp, &header, pieces);
    return pmi_atomic_file_replace(&bp->allocator, path, NULL, pieces, PM_BP_PIECES);
}

/* ---- Reading ---- */

static pm_status check_header(const pmi_bp_file_header *header, uint64_t n) {
    const uint32_t swapped = __builtin_bswap32(PM_BP_FILE_BYTE_ORDER);
    if (memcmp(header->magic, PM_BP_MAGIC, sizeof header->magic) != 0)
        return PM_CORRUPT;
    if (header->byte_order == swapped)
        return PM_UNSUPPORTED;
    if (header->byte_order != PM_BP_FILE_BYTE_ORDER || header->header_sum != sum_of_header(header))
        return PM_CORRUPT;
    if (header->version != PM_BP_FILE_VERSION)
        return PM_UNSUPPORTED;
    return header->n == n && header->opens <= n && (header->zeros[0] | header->zeros[1]) == 0 ? PM_OK : PM_CORRUPT;
}

static bool all_zero(const unsigned char *bytes, size_t size) {
    size_t zeros = 0;
    while (zeros < size && bytes[zeros] == 0)
        zeros++;
    return zeros == size;
}

/* Sets up an index, whose sequence is known, on saved bytes. */
static pm_status use_bytes(const pm_context *context, struct pm_bp *bp, const void *bytes, size_t size, bool trusted) {
    pmi_bp_file_header header;
    if (size < sizeof header)
        return PM_CORRUPT;
    memcpy(&header, bytes, sizeof header);
    const pm_status status = check_header(&header, bp->view.n);
    if (status != PM_OK)
        return status;
    bp->opens = header.opens;
    bp->size = arrays_size(bp);
    const unsigned char *const arrays = (const unsigned char *)bytes + sizeof header;
    if (header.size != bp->size + padding(bp) || size - sizeof header != header.size)
        return PM_CORRUPT;
    pmi_bp_place_arrays(bp, arrays);
    bp->hints = arrays + pmi_bp_arrays_size(bp);
    return trusted || (all_zero(arrays + bp->size, padding(bp)) && pmi_bp_agrees(context, bp)) ? PM_OK : PM_CORRUPT;
}

/* An index without arrays. */
static pm_status create_empty(pm_context *context, const uint64_t *parens, uint64_t n, pm_bp **bp) {
    if (n > PM_BP_N_MAX)
        return PM_TOO_LARGE;
    if (n > 0 && !parens)
        return PM_INVALID_ARGUMENT;
    const pm_allocator allocator = pm_context_allocator(context);
    *bp = pmi_bp_allocate_empty(&allocator, parens, n, n > PM_BP_NARROW_MAX);
    return *bp ? PM_OK : PM_OUT_OF_MEMORY;
}

/* Keeps the index if all went well: how it is queried depends on its arrays. */
static pm_status finish(pm_context *context, pm_status status, pm_bp **bp) {
    if (status == PM_OK && !pmi_bp_set_queries(*bp, context))
        status = PM_OUT_OF_MEMORY;
    if (status != PM_OK) {
        pm_bp_destroy(*bp);
        *bp = NULL;
    }
    return status;
}

pm_status pm_bp_map(pm_context *context, const void *bytes, size_t size, const uint64_t *parens, uint64_t n,
                    unsigned flags, pm_bp **bp) {
    if (!bp)
        return PM_INVALID_ARGUMENT;
    *bp = NULL;
    if (!bytes || (uintptr_t)bytes % sizeof(uint64_t) != 0 || (flags & ~PM_BP_TRUSTED) != 0)
        return PM_INVALID_ARGUMENT;
    pm_status status = create_empty(context, parens, n, bp);
    if (status == PM_OK)
        status = use_bytes(context, *bp, bytes, size, (flags & PM_BP_TRUSTED) != 0);
    return finish(context, status, bp);
}

/* Reads a file that must be just so long as its header says, with room for a header that says too much. */
static pm_status load_file(const pm_context *context, struct pm_bp *bp, FILE *file) {
    pmi_bp_file_header header;
    if (fread(&header, 1, sizeof header, file) != sizeof header)
        return ferror(file) ? PM_IO : PM_CORRUPT;
    const pm_status status = check_header(&header, bp->view.n);
    if (status != PM_OK)
        return status;
    bp->opens = header.opens;
    bp->size = arrays_size(bp);
    if (header.size != bp->size + padding(bp))
        return PM_CORRUPT;
    const size_t size = sizeof header + header.size, line = sizeof(pm_bp_line);
    unsigned char *memory = bp->blocks[0] = pmi_memory_allocate(&bp->allocator, 1, size + line);
    if (!memory)
        return PM_OUT_OF_MEMORY;
    memory += -(uintptr_t)memory % line;
    memcpy(memory, &header, sizeof header);
    const size_t got = fread(memory + sizeof header, 1, header.size, file);
    const bool ended = getc(file) == EOF;
    if (ferror(file))
        return PM_IO;
    return ended && got == header.size ? use_bytes(context, bp, memory, size, false) : PM_CORRUPT;
}

pm_status pm_bp_load(pm_context *context, const char *path, const uint64_t *parens, uint64_t n, pm_bp **bp) {
    if (!bp)
        return PM_INVALID_ARGUMENT;
    *bp = NULL;
    if (!path)
        return PM_INVALID_ARGUMENT;
    pm_status status = create_empty(context, parens, n, bp);
    if (status != PM_OK)
        return status;
    FILE *const file = fopen(path, "rb");
    status = file ? load_file(context, *bp, file) : PM_IO;
    if (file)
        fclose(file);
    return finish(context, status, bp);
}
