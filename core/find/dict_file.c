/* SPDX-License-Identifier: Apache-2.0 */
/* Saving a dictionary, and loading one from a file, all of which is checked before it is used. */

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/checksum.h"
#include "core/context/context.h"
#include "core/find/dict_compile.h"

static_assert(sizeof(pmi_dict_file_header) % sizeof(uint64_t) == 0, "what follows it is summed by words");

static uint64_t sum_of_header(const pmi_dict_file_header *header) {
    return pmi_checksum_of(header, offsetof(pmi_dict_file_header, header_sum) / sizeof(uint64_t));
}

/* Bytes that follow the header. */
static size_t body_size(const pmi_dict_file_header *header) {
    const size_t size = header->count * sizeof(uint32_t) + (size_t)header->bytes_size;
    return size + (sizeof(uint64_t) - size % sizeof(uint64_t)) % sizeof(uint64_t);
}

/* ---- Writing ---- */

unsigned char *pmi_dict_pack(const struct pm_dict *dict, size_t *size) {
    pmi_dict_file_header header = {.version = PM_DICT_FILE_VERSION,
                                   .byte_order = PM_DICT_FILE_BYTE_ORDER,
                                   .flags = dict->flags,
                                   .count = dict->count,
                                   .bytes_size = dict->bytes_size};
    memcpy(header.magic, PM_DICT_FILE_MAGIC, sizeof header.magic);
    const size_t body = body_size(&header);
    *size = sizeof header + body;
    unsigned char *const file = pmi_memory_allocate(&dict->allocator, *size, 1);
    if (!file)
        return NULL;
    unsigned char *to = file + sizeof header;
    memset(to, 0, body);
    for (uint32_t i = 0; i < dict->count; i++, to += sizeof(uint32_t))
        memcpy(to, &dict->patterns[i].length, sizeof(uint32_t));
    memcpy(to, dict->bytes, dict->bytes_size);
    header.body_sum = pmi_checksum_of(file + sizeof header, body / sizeof(uint64_t));
    header.header_sum = sum_of_header(&header);
    memcpy(file, &header, sizeof header);
    return file;
}

pm_status pm_dict_save(const pm_dict *dict, const char *path) {
    if (!dict || !path)
        return PM_INVALID_ARGUMENT;
    size_t size;
    unsigned char *const bytes = pmi_dict_pack(dict, &size);
    if (!bytes)
        return PM_OUT_OF_MEMORY;
    FILE *const file = fopen(path, "wb");
    bool written = file && fwrite(bytes, 1, size, file) == size;
    if (file)
        written &= fclose(file) == 0;
    pmi_memory_free(&dict->allocator, bytes);
    return written ? PM_OK : PM_IO;
}

/* ---- Reading ---- */

static pm_status check_header(const pmi_dict_file_header *header) {
    if (memcmp(header->magic, PM_DICT_FILE_MAGIC, sizeof header->magic) != 0)
        return PM_CORRUPT;
    if (header->byte_order == __builtin_bswap32(PM_DICT_FILE_BYTE_ORDER))
        return PM_UNSUPPORTED;
    if (header->byte_order != PM_DICT_FILE_BYTE_ORDER || header->header_sum != sum_of_header(header))
        return PM_CORRUPT;
    if (header->version != PM_DICT_FILE_VERSION)
        return PM_UNSUPPORTED;
    const bool sane = (header->flags & ~PM_DICT_IGNORE_CASE) == 0 && header->bytes_size <= PM_DICT_BYTES_MAX &&
                      header->count <= header->bytes_size;
    return sane ? PM_OK : PM_CORRUPT;
}

/* Copies what a file has; its lengths add up to its bytes. */
static pm_status copy_body(struct pm_dict *dict, const pmi_dict_file_header *header, const unsigned char *body) {
    dict->patterns = pmi_memory_allocate(&dict->allocator, header->count, sizeof *dict->patterns);
    dict->bytes = pmi_memory_allocate(&dict->allocator, header->bytes_size, 1);
    if (!dict->patterns || !dict->bytes)
        return PM_OUT_OF_MEMORY;
    dict->count = header->count;
    dict->bytes_size = header->bytes_size;
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < header->count; i++, body += sizeof(uint32_t)) {
        memcpy(&dict->patterns[i].length, body, sizeof(uint32_t));
        bytes += dict->patterns[i].length;
    }
    memcpy(dict->bytes, body, header->bytes_size);
    return bytes == header->bytes_size ? PM_OK : PM_CORRUPT;
}

pm_status pmi_dict_unpack(const pm_allocator *allocator, const unsigned char *file, size_t size,
                          struct pm_dict **dict) {
    pmi_dict_file_header header;
    if (size < sizeof header)
        return PM_CORRUPT;
    memcpy(&header, file, sizeof header);
    pm_status status = check_header(&header);
    if (status != PM_OK)
        return status;
    const unsigned char *const body = file + sizeof header;
    if (size - sizeof header != body_size(&header) || pmi_checksum_of(body, body_size(&header) / 8) != header.body_sum)
        return PM_CORRUPT;
    *dict = pmi_dict_allocate(allocator, header.flags);
    if (!*dict)
        return PM_OUT_OF_MEMORY;
    status = copy_body(*dict, &header, body);
    if (status == PM_OK)
        status = pmi_dict_compile(*dict);
    if (status == PM_OK)
        return PM_OK;
    pm_dict_destroy(*dict);
    *dict = NULL;
    return status == PM_INVALID_ARGUMENT ? PM_CORRUPT : status;
}

/* Reads a file that must be just as long as its header says, with room for a header that says too much. */
static pm_status read_file(const pm_allocator *allocator, FILE *file, struct pm_dict **dict) {
    pmi_dict_file_header header;
    if (fread(&header, 1, sizeof header, file) != sizeof header)
        return ferror(file) ? PM_IO : PM_CORRUPT;
    pm_status status = check_header(&header);
    if (status != PM_OK)
        return status;
    const size_t body = body_size(&header);
    unsigned char *const bytes = pmi_memory_allocate(allocator, sizeof header + body, 1);
    if (!bytes)
        return PM_OUT_OF_MEMORY;
    memcpy(bytes, &header, sizeof header);
    const size_t got = fread(bytes + sizeof header, 1, body, file);
    const bool ended = getc(file) == EOF;
    if (ferror(file))
        status = PM_IO;
    else
        status = ended && got == body ? pmi_dict_unpack(allocator, bytes, sizeof header + body, dict) : PM_CORRUPT;
    pmi_memory_free(allocator, bytes);
    return status;
}

pm_status pm_dict_load(pm_context *context, const char *path, pm_dict **dict) {
    if (!dict)
        return PM_INVALID_ARGUMENT;
    *dict = NULL;
    if (!path)
        return PM_INVALID_ARGUMENT;
    FILE *const file = fopen(path, "rb");
    if (!file)
        return PM_IO;
    const pm_allocator allocator = pm_context_allocator(context);
    const pm_status status = read_file(&allocator, file, dict);
    fclose(file);
    return status;
}
