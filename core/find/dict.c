/* SPDX-License-Identifier: Apache-2.0 */
/* Dictionaries: creating them from patterns, and reading these back. */
#include "base/dict.h"

#include <stdatomic.h>
#include <string.h>

#include "base/ascii.h"
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

struct pm_dict *pmi_dict_allocate(const pm_allocator *allocator, unsigned flags) {
    static atomic_uint_least64_t serials;
    struct pm_dict *const dict = pmi_memory_allocate(allocator, 1, sizeof *dict);
    if (dict)
        *dict = (struct pm_dict){
            .allocator = *allocator, .flags = flags, .serial = atomic_fetch_add(&serials, (uint_least64_t)1) + 1};
    return dict;
}

static pm_status note_lengths(struct pm_dict *dict) {
    uint32_t begin = 0;
    for (uint32_t i = 0; i < dict->count; i++) {
        pmi_dict_pattern *const pattern = &dict->patterns[i];
        if (pattern->length == 0)
            return PM_INVALID_ARGUMENT;
        pattern->begin = begin;
        begin += pattern->length;
        if (i == 0 || pattern->length < dict->shortest)
            dict->shortest = pattern->length;
        if (pattern->length > dict->longest)
            dict->longest = pattern->length;
    }
    return PM_OK;
}

pm_status pmi_dict_compile(struct pm_dict *dict) {
    const pm_status status = note_lengths(dict);
    if (status != PM_OK)
        return status;
    make_classes(dict);
    pmi_dict_make_prefixes(dict);
    pmi_dict_make_keys(dict);
    return pmi_dict_make_machines(dict);
}

/* Copies the patterns, whose lengths may be those of strings. */
static pm_status copy_patterns(struct pm_dict *dict, const char *const *patterns, const size_t *lengths) {
    size_t bytes = 0;
    for (uint32_t i = 0; i < dict->count; i++) {
        if (!patterns[i])
            return PM_INVALID_ARGUMENT;
        const size_t length = lengths ? lengths[i] : strlen(patterns[i]);
        if (length > PM_DICT_BYTES_MAX - bytes)
            return PM_TOO_LARGE;
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

pm_status pm_dict_create(pm_context *context, const char *const *patterns, const size_t *lengths, size_t count,
                         unsigned flags, pm_dict **dict) {
    if (!dict)
        return PM_INVALID_ARGUMENT;
    *dict = NULL;
    if ((count > 0 && !patterns) || (flags & ~PM_DICT_IGNORE_CASE) != 0)
        return PM_INVALID_ARGUMENT;
    if (count > PM_DICT_BYTES_MAX)
        return PM_TOO_LARGE; /* patterns are not empty */
    const pm_allocator allocator = pm_context_allocator(context);
    struct pm_dict *const made = pmi_dict_allocate(&allocator, flags);
    if (!made)
        return PM_OUT_OF_MEMORY;
    made->count = (uint32_t)count;
    made->patterns = pmi_memory_allocate(&allocator, count, sizeof *made->patterns);
    pm_status status = made->patterns ? copy_patterns(made, patterns, lengths) : PM_OUT_OF_MEMORY;
    if (status == PM_OK)
        status = pmi_dict_compile(made);
    if (status == PM_OK)
        *dict = made;
    else
        pm_dict_destroy(made);
    return status;
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
