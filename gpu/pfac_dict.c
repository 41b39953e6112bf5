/* SPDX-License-Identifier: Apache-2.0 */
/* From a dictionary to the shaders' tables, and from the host to the device. */
#include "gpu/pfac_dict.h"

#include <stdlib.h>
#include <string.h>

#include "shaders/pfac.h"

/* ---- Tables, in memory of the host ---- */

typedef struct device_node {
    uint32_t base, parent, longest, hits;
} device_node;

typedef struct device_prefix {
    uint32_t classes, node, base, longest;
} device_prefix;

#define PREFIX_WORDS (sizeof(device_prefix) / sizeof(uint32_t))

typedef struct device_pattern {
    uint32_t chain, length;
} device_pattern;

/* Offsets of the tables, multiples of 16 bytes; and entries for prefixes, a power of two. */
typedef struct layout {
    uint64_t nodes, filters, patterns, chains, end, prefixes;
} layout;

_Static_assert(PM_PFAC_PREFIX_MASK == PM_PFAC_LONG_WORDS + PM_PFAC_SHORT_WORDS + PM_PFAC_CLASS_WORDS &&
                   PM_PFAC_PREFIXES == PM_PFAC_PREFIX_MASK + PREFIX_WORDS,
               "tables follow each other, and prefixes are fours");

/* At least twice as many as there can be prefixes. */
static uint64_t prefixes_size(const struct pm_dict *dict) {
    uint64_t size = 16;
    while (size < 2 * (uint64_t)dict->count)
        size *= 2;
    return size;
}

static uint64_t after(uint64_t offset, uint64_t count, uint64_t size) {
    return (offset + count * size + 15) / 16 * 16;
}

static layout lay_out(const struct pm_dict *dict) {
    uint64_t nested = 0; /* a pattern begins with no more others than it has bytes */
    for (uint32_t p = 0; p < dict->count; p++)
        nested += dict->patterns[p].nested;
    layout l = {.nodes = 0, .prefixes = prefixes_size(dict)};
    l.filters = after(l.nodes, dict->node_room, sizeof(device_node));
    l.patterns = after(l.filters, PM_PFAC_PREFIXES + l.prefixes * PREFIX_WORDS, sizeof(uint32_t));
    l.chains = after(l.patterns, dict->count, sizeof(device_pattern));
    l.end = after(l.chains, nested, sizeof(uint32_t));
    return l;
}

static void nodes_write(const struct pm_dict *dict, device_node *nodes) {
    for (size_t i = 0; i < dict->node_room; i++) {
        const pm_dict_node *const of = &dict->nodes[i];
        nodes[i] = (device_node){.base = of->base,
                                 .parent = of->parent,
                                 .longest = of->longest,
                                 .hits = of->longest == PM_NONE ? 0 : dict->patterns[of->longest].nested};
    }
}

/* A pattern's first four bytes, or all of them; the first is the lowest. */
static uint32_t first_bytes(const struct pm_dict *dict, const pm_dict_pattern *pattern) {
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
        const pm_dict_pattern *const pattern = &dict->patterns[p];
        const uint32_t bytes = first_bytes(dict, pattern), bit = PM_PFAC_LONG_BIT(bytes | fold);
        if (pattern->length < 4)
            short_filter_add(short_filter, bytes, pattern->length, fold);
        else
            long_filter[bit / 32] |= UINT32_C(1) << bit % 32;
    }
}

/* The nodes at depth 4, each entered by the first pattern that goes through it. */
static void prefixes_write(const struct pm_dict *dict, uint64_t size, uint32_t *filters) {
    device_prefix *const table = (device_prefix *)(void *)(filters + PM_PFAC_PREFIXES);
    const uint32_t mask = (uint32_t)(size - 1);
    memset(table, 0, size * sizeof *table);
    memset(filters + PM_PFAC_PREFIX_MASK, 0, sizeof *table);
    filters[PM_PFAC_PREFIX_MASK] = mask;
    for (uint32_t p = 0; p < dict->count; p++) {
        const pm_dict_pattern *const pattern = &dict->patterns[p];
        if (pattern->length < PM_PFAC_PREFIX_LENGTH)
            continue;
        uint32_t classes = 0, node = 0;
        for (uint32_t k = 0; k < PM_PFAC_PREFIX_LENGTH; k++) {
            const uint32_t class = dict->class_of[dict->bytes[pattern->begin + k]];
            classes |= class << 8 * k;
            node = dict->nodes[node].base + class;
        }
        uint32_t entry = PM_PFAC_PREFIX_HASH(classes) & mask;
        while (table[entry].node != 0 && table[entry].classes != classes)
            entry = (entry + 1) & mask;
        table[entry] = (device_prefix){classes, node, dict->nodes[node].base, dict->nodes[node].longest};
    }
}

static int compare(const void *a, const void *b) {
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* What each pattern begins with, ascending; found the longest first, which in a sorted dictionary is the last. */
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

static pm_status copy_up(const pm_device *device, pm_slots *slots, const pm_buffer *from, const pm_buffer *to) {
    const VkBufferCopy copy = {.size = to->size};
    pm_slot *slot;
    pm_status status = pm_slot_begin(device, slots, &slot);
    if (status != PM_OK)
        return status;
    device->vk->CmdCopyBuffer(slot->commands, from->handle, to->handle, 1, &copy);
    pm_device_barrier(device, slot->commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                      VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT);
    status = pm_slot_submit(device, slot);
    const pm_status landed = pm_slots_land(device, slots, false);
    return status == PM_OK ? landed : status;
}

static void *table_at(const pm_buffer *buffer, uint64_t offset) {
    return (unsigned char *)buffer->mapped + offset;
}

static pm_status make(const pm_device *device, pm_slots *slots, const struct pm_dict *from, pm_pfac_dict *to) {
    const layout l = lay_out(from);
    const bool folds = (from->flags & PM_DICT_IGNORE_CASE) != 0;
    *to = (pm_pfac_dict){.fold = folds ? UINT32_C(0x20202020) : 0, /* 'A' becomes 'a', and '@' a mere candidate */
                         .shorts = from->shortest < 4,
                         .longest = from->longest,
                         .nested = most_nested(from)};
    pm_buffer staging;
    pm_status status = pm_buffer_create(device, PM_MEMORY_DOWNLOAD, l.end, &staging); /* it is read, too */
    if (status != PM_OK)
        return status;
    nodes_write(from, table_at(&staging, l.nodes));
    filters_write(from, to->fold, table_at(&staging, l.filters));
    prefixes_write(from, l.prefixes, table_at(&staging, l.filters));
    patterns_write(from, table_at(&staging, l.patterns), table_at(&staging, l.chains));
    status = pm_buffer_create(device, PM_MEMORY_DEVICE, l.end, &to->buffer);
    if (status == PM_OK)
        status = copy_up(device, slots, &staging, &to->buffer);
    pm_buffer_destroy(device, &staging);
    if (status != PM_OK) {
        pm_buffer_destroy(device, &to->buffer);
        return status;
    }
    to->serial = from->serial;
    to->nodes = to->buffer.address + l.nodes;
    to->filters = to->buffer.address + l.filters;
    to->patterns = to->buffer.address + l.patterns;
    to->chains = to->buffer.address + l.chains;
    return PM_OK;
}

/* ---- Those that are kept ---- */

/* The first k dictionaries each give their place to the one before, and the k-th comes first. */
static void bring_forward(pm_pfac_dicts *dicts, unsigned k, pm_pfac_dict first) {
    memmove(dicts->dict + 1, dicts->dict, k * sizeof *dicts->dict);
    dicts->dict[0] = first;
}

pm_status pm_pfac_dicts_get(const pm_device *device, pm_slots *slots, pm_pfac_dicts *dicts,
                            const struct pm_dict *wanted, const pm_pfac_dict **dict) {
    *dict = &dicts->dict[0];
    for (unsigned k = 0; k < PM_PFAC_DICTS; k++)
        if (dicts->dict[k].serial == wanted->serial) {
            bring_forward(dicts, k, dicts->dict[k]);
            return PM_OK;
        }
    pm_pfac_dict made;
    pm_buffer_destroy(device, &dicts->dict[PM_PFAC_DICTS - 1].buffer);
    dicts->dict[PM_PFAC_DICTS - 1] = (pm_pfac_dict){0};
    const pm_status status = make(device, slots, wanted, &made);
    if (status == PM_OK)
        bring_forward(dicts, PM_PFAC_DICTS - 1, made);
    return status;
}

void pm_pfac_dicts_clear(const pm_device *device, pm_pfac_dicts *dicts) {
    for (unsigned k = 0; k < PM_PFAC_DICTS; k++)
        pm_buffer_destroy(device, &dicts->dict[k].buffer);
    *dicts = (pm_pfac_dicts){0};
}
