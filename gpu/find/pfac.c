/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels of PFAC, and their workgroups. */
#include "gpu/find/pfac.h"

#include "base/sizes.h"
#include "shaders/spv/find.h"

/* Shared memory of the largest kernel, search, and a little for the compiler. */
#define WORKGROUP_BYTES                                                                                                \
    ((PM_PFAC_LONG_WORDS + PM_PFAC_SHORT_WORDS + PM_PFAC_CLASS_WORDS + PM_PFAC_TILE / 2 + PM_PFAC_TILE_WORDS + 8) * 4)

_Static_assert(sizeof(pmi_pfac_parameters) <= PM_PUSH_BYTES, "parameters fit");
_Static_assert(sizeof(pm_hit) == 16 && offsetof(pm_hit, length) == 8 && offsetof(pm_hit, pattern) == 12,
               "shaders write hits");

enum {
    /* Steps down the trie, at most: of a workgroup, and of a dispatch for each tile that it may have
     * (gpu/device/physical.c); and dispatches of a search. */
    GROUP_STEPS = PM_PFAC_LANES << 14,
    TILE_STEPS = 1 << 14,
    DISPATCHES = 8,
    LONGEST = 1 << 16,
    LONGEST_OF_CPUS = 1 << 10 /* Mesa's software renderer leaves a lane's loops after 65535 rounds in all */
};

pm_status pmi_pfac_create(const pmi_device *device, pmi_pfac *pfac) {
    *pfac = (pmi_pfac){.search = {VK_NULL_HANDLE}};
    if (device->can.workgroup_invocations < PM_PFAC_LANES || device->can.workgroup_bytes < WORKGROUP_BYTES)
        return PM_UNSUPPORTED;
    pm_status status = pmi_kernel_create(device, PM_SHADER(spv_find_pfac_search), 0, &pfac->search);
    if (status == PM_OK)
        status = pmi_kernel_create(device, PM_SHADER(spv_find_pfac_scan), 0, &pfac->scan);
    if (status == PM_OK)
        status = pmi_kernel_create(device, PM_SHADER(spv_find_pfac_write), 0, &pfac->write);
    if (status != PM_OK)
        pmi_pfac_destroy(device, pfac);
    return status;
}

void pmi_pfac_destroy(const pmi_device *device, pmi_pfac *pfac) {
    pmi_kernel_destroy(device, &pfac->search);
    pmi_kernel_destroy(device, &pfac->scan);
    pmi_kernel_destroy(device, &pfac->write);
}

/* ---- Sizes ---- */

/* A power of two. */
static uint32_t group_tiles(const pmi_pfac_dict *dict) {
    uint32_t tiles = PM_PFAC_GROUP_TILES;
    while (tiles > 1 && (uint64_t)tiles * PM_PFAC_TILE * dict->longest > GROUP_STEPS)
        tiles /= 2;
    return tiles;
}

static uint64_t dispatch_steps(const pmi_device *device) {
    return (uint64_t)device->can.dispatch_tiles * TILE_STEPS;
}

uint32_t pmi_pfac_longest(const pmi_device *device) {
    return device->can.type == VK_PHYSICAL_DEVICE_TYPE_CPU ? LONGEST_OF_CPUS : LONGEST;
}

uint32_t pmi_pfac_places_max(const pmi_device *device, const pmi_pfac_dict *dict) {
    const uint64_t by_hits = UINT32_MAX / dict->nested, by_time = DISPATCHES * dispatch_steps(device) / dict->longest;
    const uint64_t most = pmi_min(pmi_min(by_hits, by_time), UINT64_C(1) << 31);
    return most < PM_PFAC_TILE ? PM_PFAC_TILE : (uint32_t)(most - most % PM_PFAC_TILE);
}

/* Lays out the scratch from `address` on; returns its end. */
static uint64_t scratch_lay_out(const pmi_pfac_dict *dict, uint32_t places, uint64_t address, pmi_pfac_parameters *p) {
    const uint32_t tiles = pmi_divide_up32(places, PM_PFAC_TILE);
    p->group_tiles = group_tiles(dict);
    p->groups = pmi_divide_up32(tiles, p->group_tiles);
    p->begins = address;
    p->tile_hits = p->begins + (uint64_t)tiles * PM_PFAC_TILE_WORDS * 4;
    p->group_hits = p->tile_hits + (uint64_t)tiles * 4;
    return p->group_hits + ((uint64_t)p->groups + 1) * 4;
}

uint64_t pmi_pfac_scratch_bytes(const pmi_pfac_dict *dict, uint32_t places) {
    pmi_pfac_parameters parameters = {0};
    return scratch_lay_out(dict, places, 0, &parameters);
}

pmi_pfac_parameters pmi_pfac_parameters_make(const pmi_pfac_dict *dict, const pmi_pfac_text *text) {
    pmi_pfac_parameters p = {.text = text->text,
                             .nodes = dict->nodes,
                             .filters = dict->filters,
                             .patterns = dict->patterns,
                             .chains = dict->chains,
                             .total = text->total,
                             .hits = text->hits,
                             .n = text->n,
                             .places = text->places,
                             .fold = dict->fold,
                             .shorts = dict->shorts,
                             .ends = dict->ends,
                             .start_low = (uint32_t)text->start,
                             .start_high = (uint32_t)(text->start >> 32)};
    scratch_lay_out(dict, text->places, text->scratch, &p);
    return p;
}

/* ---- Recording ---- */

static void record_groups(const pmi_device *device, VkCommandBuffer commands, const pmi_kernel *kernel,
                          const pmi_pfac_dict *dict, pmi_pfac_parameters p) {
    const uint64_t steps = (uint64_t)p.group_tiles * PM_PFAC_TILE * dict->longest;
    pmi_kernel_dispatch_parts(device, commands, kernel, &p, sizeof p, &p.first, 0, p.groups,
                              dispatch_steps(device) / steps);
}

void pmi_pfac_record_search(const pmi_device *device, VkCommandBuffer commands, const pmi_pfac *pfac,
                            const pmi_pfac_dict *dict, pmi_pfac_parameters parameters) {
    record_groups(device, commands, &pfac->search, dict, parameters);
}

void pmi_pfac_record_scan(const pmi_device *device, VkCommandBuffer commands, const pmi_pfac *pfac,
                          pmi_pfac_parameters parameters) {
    pmi_kernel_dispatch(device, commands, &pfac->scan, &parameters, sizeof parameters, 1);
}

void pmi_pfac_record_write(const pmi_device *device, VkCommandBuffer commands, const pmi_pfac *pfac,
                           const pmi_pfac_dict *dict, pmi_pfac_parameters parameters, uint32_t first, uint32_t room) {
    parameters.hit_first = first;
    parameters.hit_room = room;
    record_groups(device, commands, &pfac->write, dict, parameters);
}
