/* SPDX-License-Identifier: Apache-2.0 */
/* Dictionaries: creating them from patterns, reading these back, and files of them, all of which is checked. */
#include "base/dict.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "base/ascii.h"
#include "base/atomic_file.h"
#include "base/checksum.h"
#include "core/context/context.h"
#include "core/find/dict_compile.h"

/* ---- Classes ---- */

/* Numbers the bytes that patterns have, most frequent first. */
static void make_classes(struct pm_dict *dict) {
    uint32_t frequency[256] = {0};
    const bool folds = (dict->flags & PM_DICT_IGNORE_CASE) != 0;
    for (size_t i = 0; i < dict->bytes_size; i++)
        frequency[pmi_fold_case(dict->bytes[i], folds)]++;
    uint8_t order[256];
    unsigned used = 0;
    for (unsigned byte = 0; byte < 256; byte++) {
        if (frequency[byte] == 0)
            continue;
        unsigned k = used++;
        for (; k > 0 && frequency[order[k - 1]] < frequency[byte]; k--)
            order[k] = order[k - 1];
        order[k] = (uint8_t)byte;
    }
    const unsigned others = used < 256; /* class 0 is of the bytes that no pattern has */
    memset(dict->class_of, 0, sizeof dict->class_of);
    for (unsigned k = 0; k < used; k++)
        dict->class_of[order[k]] = (uint8_t)(k + others);
    for (unsigned byte = 'A'; folds && byte <= 'Z'; byte++)
        dict->class_of[byte] = dict->class_of[pmi_fold_case((unsigned char)byte, true)];
    dict->classes = used + others;
}

/* ---- Making ---- */

/* A dictionary without patterns, machines or bytes; NULL if there is no memory. */
static struct pm_dict *dict_allocate(const pm_allocator *allocator, unsigned flags) {
    static atomic_uint_least64_t serials;
    struct pm_dict *const dict = pmi_memory_allocate(allocator, 1, sizeof *dict);
    if (dict)
        *dict = (struct pm_dict){
            .allocator = *allocator, .flags = flags, .serial = atomic_fetch_add(&serials, (uint_least64_t)1) + 1};
    return dict;
}

static const pm_dict_fault no_fault = {NULL, SIZE_MAX, SIZE_MAX};

/* Notes the fault of one pattern, with its status. */
static pm_status blame(pm_dict_fault *fault, pm_status status, const char *reason, size_t pattern) {
    *fault = (pm_dict_fault){reason, pattern, SIZE_MAX};
    return status;
}

static pm_status note_lengths(struct pm_dict *dict, pm_dict_fault *fault) {
    uint32_t begin = 0;
    for (uint32_t i = 0; i < dict->count; i++) {
        pmi_dict_pattern *const pattern = &dict->patterns[i];
        if (pattern->length == 0)
            return blame(fault, PM_INVALID_ARGUMENT, "empty", i);
        pattern->begin = begin;
        begin += pattern->length;
        if (i == 0 || pattern->length < dict->shortest)
            dict->shortest = pattern->length;
        if (pattern->length > dict->longest)
            dict->longest = pattern->length;
    }
    return PM_OK;
}

/* Makes everything of `patterns` (lengths alone), `count`, `bytes` and `flags`, which are set. PM_INVALID_ARGUMENT: an
 * empty pattern, or two equal ones. */
static pm_status dict_compile(struct pm_dict *dict, pm_dict_fault *fault) {
    const pm_status status = note_lengths(dict, fault);
    if (status != PM_OK)
        return status;
    make_classes(dict);
    pmi_dict_make_prefixes(dict);
    return pmi_dict_make_machines(dict, fault);
}

static const char too_many_bytes[] = "more than 2147483646 bytes of patterns";
static_assert(PM_DICT_BYTES_MAX == 2147483646, "as it is called");

/* Copies the patterns, whose lengths may be those of strings. */
static pm_status copy_patterns(struct pm_dict *dict, const char *const *patterns, const size_t *lengths,
                               pm_dict_fault *fault) {
    size_t bytes = 0;
    for (uint32_t i = 0; i < dict->count; i++) {
        if (!patterns[i])
            return blame(fault, PM_INVALID_ARGUMENT, "NULL", i);
        const size_t length = lengths ? lengths[i] : strlen(patterns[i]);
        if (length > PM_DICT_BYTES_MAX - bytes)
            return blame(fault, PM_TOO_LARGE, too_many_bytes, i);
        bytes += length;
        dict->patterns[i].length = (uint32_t)length;
    }
    dict->bytes = pmi_memory_allocate(&dict->allocator, bytes, 1);
    if (!dict->bytes)
        return PM_OUT_OF_MEMORY;
    dict->bytes_size = bytes;
    for (uint32_t i = 0, begin = 0; i < dict->count; begin += dict->patterns[i++].length)
        memcpy(dict->bytes + begin, patterns[i], dict->patterns[i].length);
    return PM_OK;
}

pm_status pm_dict_create_explained(pm_context *context, const char *const *patterns, const size_t *lengths,
                                   size_t count, unsigned flags, pm_dict **dict, pm_dict_fault *fault) {
    pm_dict_fault unheard;
    fault = fault ? fault : &unheard;
    *fault = no_fault;
    if (!dict)
        return PM_INVALID_ARGUMENT;
    *dict = NULL;
    if ((count > 0 && !patterns) || (flags & ~PM_DICT_IGNORE_CASE) != 0)
        return PM_INVALID_ARGUMENT;
    if (count > PM_DICT_BYTES_MAX)
        return blame(fault, PM_TOO_LARGE, too_many_bytes, SIZE_MAX); /* patterns are not empty */
    const pm_allocator allocator = pm_context_allocator(context);
    struct pm_dict *const made = dict_allocate(&allocator, flags);
    if (!made)
        return PM_OUT_OF_MEMORY;
    made->count = (uint32_t)count;
    made->patterns = pmi_memory_allocate(&allocator, count, sizeof *made->patterns);
    pm_status status = made->patterns ? copy_patterns(made, patterns, lengths, fault) : PM_OUT_OF_MEMORY;
    if (status == PM_OK)
        status = dict_compile(made, fault);
    if (status == PM_OK)
        *dict = made;
    else
        pm_dict_destroy(made);
    return status;
}

pm_status pm_dict_create(pm_context *context, const char *const *patterns, const size_t *lengths, size_t count,
                         unsigned flags, pm_dict **dict) {
    return pm_dict_create_explained(context, patterns, lengths, count, flags, dict, NULL);
}

void pm_dict_destroy(pm_dict *dict) {
    if (!dict)
        return;
    const pm_allocator allocator = dict->allocator; /* outlives the block it frees */
    pmi_memory_free(&allocator, dict->patterns);
    pmi_memory_free(&allocator, dict->bytes);
    pmi_memory_free(&allocator, dict->nodes);
    pmi_memory_free(&allocator, dict->row_block);
    pmi_memory_free(&allocator, dict);
}

/* ---- Asking ---- */

size_t pm_dict_count(const pm_dict *dict) {
    return dict->count;
}

const char *pm_dict_pattern_at(const pm_dict *dict, size_t pattern, size_t *length) {
    if (pattern >= dict->count)
        return NULL;
    if (length)
        *length = dict->patterns[pattern].length;
    return (const char *)dict->bytes + dict->patterns[pattern].begin;
}

size_t pm_dict_longest(const pm_dict *dict) {
    return dict->longest;
}

size_t pm_dict_size_in_bytes(const pm_dict *dict) {
    return sizeof *dict + dict->count * sizeof *dict->patterns + dict->bytes_size +
           dict->node_room * sizeof *dict->nodes + dict->states * pmi_dict_row_size(dict) * sizeof *dict->row_block;
}

/* ---- Files ---- */

static_assert(sizeof(pmi_dict_file_header) % sizeof(uint64_t) == 0, "what follows it is summed by words");

static uint64_t sum_of_header(const pmi_dict_file_header *header) {
    return pmi_checksum_of(header, offsetof(pmi_dict_file_header, header_sum) / sizeof(uint64_t));
}

/* Bytes that follow the header. */
static size_t body_size(const pmi_dict_file_header *header) {
    const size_t size = header->count * sizeof(uint32_t) + (size_t)header->bytes_size;
    return size + (sizeof(uint64_t) - size % sizeof(uint64_t)) % sizeof(uint64_t);
}

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
    const pm_status status = pmi_atomic_file_replace(&dict->allocator, path, NULL, &(pmi_kept_piece){bytes, size}, 1);
    pmi_memory_free(&dict->allocator, bytes);
    return status;
}

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
    *dict = dict_allocate(allocator, header.flags);
    if (!*dict)
        return PM_OUT_OF_MEMORY;
    status = copy_body(*dict, &header, body);
    if (status == PM_OK)
        status = dict_compile(*dict, &(pm_dict_fault){.reason = NULL});
    if (status == PM_OK)
        return PM_OK;
    pm_dict_destroy(*dict);
    *dict = NULL;
    return status == PM_INVALID_ARGUMENT ? PM_CORRUPT : status;
}

/* Returns whether a file that has a length is longer or shorter than expected; goes on reading where it was. */
static bool has_other_length(FILE *file, size_t expected) {
    const long at = ftell(file);
    if (at < 0 || fseek(file, 0, SEEK_END) != 0)
        return false; /* a pipe */
    const long length = ftell(file);
    return fseek(file, at, SEEK_SET) != 0 || length < 0 || (size_t)length != expected;
}

/* Reads a file that must be just as long as its header says. */
static pm_status read_file(const pm_allocator *allocator, FILE *file, struct pm_dict **dict) {
    pmi_dict_file_header header;
    if (fread(&header, 1, sizeof header, file) != sizeof header)
        return ferror(file) ? PM_IO : PM_CORRUPT;
    pm_status status = check_header(&header);
    if (status != PM_OK)
        return status;
    const size_t body = body_size(&header);
    if (has_other_length(file, sizeof header + body))
        return PM_CORRUPT;
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
