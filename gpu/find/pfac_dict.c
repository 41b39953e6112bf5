/* SPDX-License-Identifier: Apache-2.0 */
/* Makes a dictionary's tables for the shaders, uploads them, and keeps them. */
#include "gpu/find/pfac.h"

#include <stdlib.h>
#include <string.h>

#include "gpu/device/transfer.h"
#include "shaders/find/pfac.h"

/* ---- Tables in host memory ---- */

typedef struct device_node {
    uint32_t base, parent;
} device_node;

typedef struct device_end {
    uint32_t longest, hits;
} device_end;

typedef struct device_pattern {
    uint32_t chain, length;
} device_pattern;

/* Offsets of the tables, multiples of 16 bytes. */
typedef struct layout {
    uint64_t nodes, ends, filters, patterns, chains, end;
} layout;

static uint64_t after(uint64_t offset, uint64_t count, uint64_t size) {
    return (offset + count * size + 15) / 16 * 16;
}

static layout lay_out(const struct pm_dict *dict) {
    uint64_t nested = 0; /* for each pattern at most its number of bytes */
    for (uint32_t p = 0; p < dict->count; p++)
        nested += dict->patterns[p].nested;
    layout l = {.nodes = 0};
    l.ends = after(l.nodes, dict->node_room, sizeof(device_node));
    l.filters = after(l.ends, dict->node_room, sizeof(device_end));
    l.patterns = after(l.filters, PM_PFAC_LONG_WORDS + PM_PFAC_SHORT_WORDS + PM_PFAC_CLASS_WORDS, sizeof(uint32_t));
    l.chains = after(l.patterns, dict->count, sizeof(device_pattern));
    l.end = after(l.chains, nested, sizeof(uint32_t));
    return l;
}

static void nodes_write(const struct pm_dict *dict, device_node *nodes, device_end *ends) {
    for (size_t i = 0; i < dict->node_room; i++) {
        const pmi_dict_node *const of = &dict->nodes[i];
        const bool ended = of->longest != PM_NONE;
        nodes[i] = (device_node){of->base | (ended ? PM_PFAC_PATTERN_ENDS : 0), of->parent};
        ends[i] = (device_end){of->longest, ended ? dict->patterns[of->longest].nested : 0};
    }
}

/* The first four bytes of a pattern, or all; the first one is the lowest. */
static uint32_t first_bytes(const struct pm_dict *dict, const pmi_dict_pattern *pattern) {
    uint32_t bytes = 0;
    for (uint32_t k = 0; k < 4 && k < pattern->length; k++)
        bytes |= (uint32_t)dict->bytes[pattern->begin + k] << 8 * k;
    return bytes;
}

static void short_filter_add(uint32_t *filter, uint32_t bytes, uint32_t length, uint32_t fold) {
    if (length == 3) {
        filter[PM_PFAC_SHORT_WORD(bytes | fold)] |= UINT32_C(1) << PM_PFAC_SHORT_BIT(bytes | fold);
        return;
    }
    if (length == 2) {
        filter[PM_PFAC_SHORT_WORD(bytes | fold)] = UINT32_MAX;
        return;
    }
    for (uint32_t second = 0; second < 256; second++)
        filter[PM_PFAC_SHORT_WORD((bytes | second << 8) | fold)] = UINT32_MAX;
}

static void filters_write(const struct pm_dict *dict, uint32_t fold, uint32_t *filters) {
    uint32_t *const long_filter = filters, *const short_filter = long_filter + PM_PFAC_LONG_WORDS;
    memset(filters, 0, (PM_PFAC_LONG_WORDS + PM_PFAC_SHORT_WORDS) * sizeof *filters);
    memcpy(short_filter + PM_PFAC_SHORT_WORDS, dict->class_of, sizeof dict->class_of);
    for (uint32_t p = 0; p < dict->count; p++) {
        const pmi_dict_pattern *const pattern = &dict->patterns[p];
        const uint32_t bytes = first_bytes(dict, pattern), hash = PM_PFAC_LONG_HASH(bytes | fold);
        if (pattern->length < 4)
            short_filter_add(short_filter, bytes, pattern->length, fold);
        else
            long_filter[PM_PFAC_LONG_WORD(hash)] |=
                UINT32_C(1) << PM_PFAC_LONG_BIT(hash) | UINT32_C(1) << PM_PFAC_LONG_BIT_2(hash);
    }
}

static int compare(const void *a, const void *b) {
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Writes the patterns that each pattern begins with, in ascending order. They are found from the longest to the
 * shortest, which in a sorted dictionary is the descending order. */
static void patterns_write(const struct pm_dict *dict, device_pattern *patterns, uint32_t *chains) {
    uint32_t *chain = chains;
    for (uint32_t p = 0; p < dict->count; p++) {
        const uint32_t nested = dict->patterns[p].nested;
        bool sorted = true;
        patterns[p] = (device_pattern){.chain = (uint32_t)(chain - chains), .length = dict->patterns[p].length};
        for (uint32_t k = nested, of = p; k-- > 0; of = dict->patterns[of].shorter) {
            chain[k] = of;
            sorted &= k + 1 == nested || of < chain[k + 1];
        }
        if (!sorted)
            qsort(chain, nested, sizeof *chain, compare);
        chain += nested;
    }
}

static uint32_t most_nested(const struct pm_dict *dict) {
    uint32_t most = 0;
    for (uint32_t p = 0; p < dict->count; p++)
        most = dict->patterns[p].nested > most ? dict->patterns[p].nested : most;
    return most;
}

/* ---- On the device ---- */

static pm_status copy_up(const pmi_device *device, pmi_staging_ring *ring, const pmi_buffer *from,
                         const pmi_buffer *to) {
    pmi_staging_chunk *chunk;
    pm_status status = pmi_staging_chunk_begin(device, ring, 0, &chunk);
    if (status != PM_OK)
        return status;
    pmi_transfer_record_copy(device, chunk->commands, from, 0, (pmi_buffer_range){to, 0, to->size});
    status = pmi_staging_chunk_submit(device, chunk);
    const pm_status finished = pmi_staging_ring_finish(device, ring, false);
    return status == PM_OK ? finished : status;
}

static void *table_at(const pmi_buffer *buffer, uint64_t offset) {
    return (unsigned char *)buffer->mapped + offset;
}

static pm_status make(const pmi_device *device, pmi_staging_ring *ring, const struct pm_dict *from, pmi_pfac_dict *to) {
    const layout l = lay_out(from);
    const bool folds = (from->flags & PM_DICT_IGNORE_CASE) != 0;
    *to = (pmi_pfac_dict){.fold = folds ? UINT32_C(0x20202020) : 0, /* 'A' becomes 'a', and '@' only a candidate */
                          .shorts = from->shortest < 4,
                          .longest = from->longest,
                          .nested = most_nested(from)};
    pmi_buffer staging;
    pm_status status = pmi_buffer_create(device, PM_MEMORY_DOWNLOAD, l.end, &staging); /* the host also reads it */
    if (status != PM_OK)
        return status;
    nodes_write(from, table_at(&staging, l.nodes), table_at(&staging, l.ends));
    filters_write(from, to->fold, table_at(&staging, l.filters));
    patterns_write(from, table_at(&staging, l.patterns), table_at(&staging, l.chains));
    status = pmi_buffer_create(device, PM_MEMORY_DEVICE, l.end, &to->buffer);
    if (status == PM_OK)
        status = copy_up(device, ring, &staging, &to->buffer);
    pmi_buffer_destroy(device, &staging);
    if (status != PM_OK) {
        pmi_buffer_destroy(device, &to->buffer);
        return status;
    }
    to->serial = from->serial;
    to->nodes = to->buffer.address + l.nodes;
    to->ends = (uint32_t)((l.ends - l.nodes) / sizeof(device_end));
    to->filters = to->buffer.address + l.filters;
    to->patterns = to->buffer.address + l.patterns;
    to->chains = to->buffer.address + l.chains;
    return PM_OK;
}

/* ---- Dictionaries that are kept ---- */

/* Moves the first k dictionaries back by one, and puts `first` before them. */
static void bring_forward(pmi_pfac_dicts *dicts, unsigned k, pmi_pfac_dict first) {
    memmove(dicts->dict + 1, dicts->dict, k * sizeof *dicts->dict);
    dicts->dict[0] = first;
}

pm_status pmi_pfac_dicts_get(const pmi_device *device, pmi_staging_ring *ring, pmi_pfac_dicts *dicts,
                             const struct pm_dict *wanted, const pmi_pfac_dict **dict) {
    *dict = &dicts->dict[0];
    for (unsigned k = 0; k < PM_PFAC_DICTS; k++)
        if (dicts->dict[k].serial == wanted->serial) {
            bring_forward(dicts, k, dicts->dict[k]);
            return PM_OK;
        }
    pmi_pfac_dict made;
    pmi_buffer_destroy(device, &dicts->dict[PM_PFAC_DICTS - 1].buffer);
    dicts->dict[PM_PFAC_DICTS - 1] = (pmi_pfac_dict){0};
    const pm_status status = make(device, ring, wanted, &made);
    if (status == PM_OK)
        bring_forward(dicts, PM_PFAC_DICTS - 1, made);
    return status;
}

void pmi_pfac_dicts_clear(const pmi_device *device, pmi_pfac_dicts *dicts) {
    for (unsigned k = 0; k < PM_PFAC_DICTS; k++)
        pmi_buffer_destroy(device, &dicts->dict[k].buffer);
    *dicts = (pmi_pfac_dicts){0};
}
