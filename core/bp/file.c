/* SPDX-License-Identifier: Apache-2.0 */
/* Saving an index, and loading one from saved bytes, all of which are checked before they are used. */

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/checksum.h"
#include "core/bp/bp.h"

static_assert(sizeof(pmi_bp_file_header) == sizeof(pm_bp_line), "lines begin with cache lines");

/* ---- Sums ---- */

/* Without what the last word has past n. */
static uint64_t sum_of_sequence(const uint64_t *parens, uint64_t n) {
    pmi_checksum s = pmi_checksum_empty;
    pmi_checksum_words(&s, parens, n / PM_WORD_BITS);
    if (n % PM_WORD_BITS != 0) {
        const uint64_t last = parens[n / PM_WORD_BITS] & pmi_bits_low(n % PM_WORD_BITS);
        pmi_checksum_words(&s, &last, 1);
    }
    return pmi_checksum_end(&s);
}

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

/* The arrays in their order, the last one zeros; each part goes to put(). */
static bool put_arrays(const struct pm_bp *bp, pmi_bp_put *put, void *user) {
    static const uint64_t zeros[PM_BP_SLACK / sizeof(uint64_t) + 1] = {0};
    return put(bp->view.lines, pmi_bp_arrays_size(bp), user) && put(bp->hints, pmi_bp_hints_size(bp), user) &&
           put(zeros, padding(bp), user);
}

/* Sums parts whose ends need not be words' ends. */
typedef struct byte_sum {
    pmi_checksum of_words;
    uint64_t word;
    size_t filled;
} byte_sum;

static bool put_into_sum(const void *bytes, size_t size, void *user) {
    byte_sum *const s = user;
    const unsigned char *from = bytes;
    for (size_t part; size > 0; size -= part, from += part) {
        if (s->filled == 0 && size >= sizeof s->word) {
            part = size - size % sizeof s->word;
            pmi_checksum_words(&s->of_words, from, part / sizeof s->word);
            continue;
        }
        const size_t room = sizeof s->word - s->filled;
        part = size < room ? size : room;
        memcpy((unsigned char *)&s->word + s->filled, from, part);
        s->filled = (s->filled + part) % sizeof s->word;
        if (s->filled == 0)
            pmi_checksum_words(&s->of_words, &s->word, 1);
    }
    return true;
}

pm_status pmi_bp_write(const struct pm_bp *bp, pmi_bp_put *put, void *user) {
    byte_sum arrays = {pmi_checksum_empty, 0, 0};
    put_arrays(bp, put_into_sum, &arrays);
    pmi_bp_file_header header = {
        .version = PM_BP_FILE_VERSION,
        .byte_order = PM_BP_FILE_BYTE_ORDER,
        .n = bp->view.n,
        .opens = bp->opens,
        .size = arrays_size(bp) + padding(bp),
        .arrays_sum = pmi_checksum_end(&arrays.of_words),
        .sequence_sum = sum_of_sequence(bp->view.parens, bp->view.n),
    };
    memcpy(header.magic, PM_BP_MAGIC, sizeof header.magic);
    header.header_sum = sum_of_header(&header);
    return put(&header, sizeof header, user) && put_arrays(bp, put, user) ? PM_OK : PM_IO;
}

static bool put_into_file(const void *bytes, size_t size, void *user) {
    return fwrite(bytes, 1, size, user) == size;
}

pm_status pm_bp_save(const pm_bp *bp, const char *path) {
    if (!bp || !path)
        return PM_INVALID_ARGUMENT;
    FILE *const file = fopen(path, "wb");
    if (!file)
        return PM_IO;
    const pm_status status = pmi_bp_write(bp, put_into_file, file);
    return fclose(file) == 0 ? status : PM_IO;
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
    return header->n == n && header->opens <= n ? PM_OK : PM_CORRUPT;
}

/* Sets up an index, whose sequence is known, on saved bytes. */
static pm_status use_bytes(struct pm_bp *bp, const void *bytes, size_t size, bool trusted) {
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
    if (!trusted && (pmi_checksum_of(arrays, header.size / sizeof(uint64_t)) != header.arrays_sum ||
                     sum_of_sequence(bp->view.parens, bp->view.n) != header.sequence_sum))
        return PM_CORRUPT;
    pmi_bp_place_arrays(bp, arrays);
    bp->hints = arrays + pmi_bp_arrays_size(bp);
    return PM_OK;
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
        status = use_bytes(*bp, bytes, size, (flags & PM_BP_TRUSTED) != 0);
    return finish(context, status, bp);
}

/* Reads a file that must be just so long as its header says, with room for a header that says too much. */
static pm_status load_file(struct pm_bp *bp, FILE *file) {
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
    return ended && got == header.size ? use_bytes(bp, memory, size, false) : PM_CORRUPT;
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
    status = file ? load_file(*bp, file) : PM_IO;
    if (file)
        fclose(file);
    return finish(context, status, bp);
}
