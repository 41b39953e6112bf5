/* SPDX-License-Identifier: Apache-2.0 */
/* Dictionaries as the shaders of shaders/pfac.h want them, kept in a device's memory. */
#ifndef PM_GPU_PFAC_DICT_H
#define PM_GPU_PFAC_DICT_H

#include "core/dict.h"
#include "gpu/slots.h"

typedef struct pm_pfac_dict {
    uint64_t serial; /* of the dictionary; 0: none */
    pm_buffer buffer;
    uint64_t nodes, filters, patterns, chains; /* addresses */
    uint32_t fold, shorts, ends;               /* parameters of the shaders */
    uint32_t longest;                          /* bytes of a pattern */
    uint32_t nested;                           /* most hits of a place */
} pm_pfac_dict;

#define PM_PFAC_DICTS 4u

/* The dictionaries that were wanted last. All zeros: none. */
typedef struct pm_pfac_dicts {
    pm_pfac_dict dict[PM_PFAC_DICTS]; /* the one that was wanted last comes first */
} pm_pfac_dicts;

/* The dictionary, which has a pattern at least, on the device; it is brought there, by way of a slot, unless it is one
 * of the last ones. The device must be idle, and no slot in flight. Valid until the next call. */
pm_status pm_pfac_dicts_get(const pm_device *device, pm_slots *slots, pm_pfac_dicts *dicts,
                            const struct pm_dict *wanted, const pm_pfac_dict **dict);

/* The device must be idle. */
void pm_pfac_dicts_clear(const pm_device *device, pm_pfac_dicts *dicts);

#endif
