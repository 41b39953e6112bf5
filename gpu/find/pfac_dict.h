/* SPDX-License-Identifier: Apache-2.0 */
/* Dictionaries as the shaders of shaders/find/pfac.h want them, kept in a device's memory. */
#ifndef PM_GPU_FIND_PFAC_DICT_H
#define PM_GPU_FIND_PFAC_DICT_H

#include "base/dict.h"
#include "gpu/device/staging_ring.h"

typedef struct pmi_pfac_dict {
    uint64_t serial; /* of the dictionary; 0: none */
    pmi_buffer buffer;
    uint64_t nodes, filters, patterns, chains; /* addresses */
    uint32_t fold, shorts, ends;               /* parameters of the shaders */
    uint32_t longest;                          /* bytes of a pattern */
    uint32_t nested;                           /* most hits of a place */
} pmi_pfac_dict;

#define PM_PFAC_DICTS 4u

/* The dictionaries that were wanted last. All zeros: none. */
typedef struct pmi_pfac_dicts {
    pmi_pfac_dict dict[PM_PFAC_DICTS]; /* the one that was wanted last comes first */
} pmi_pfac_dicts;

/* The dictionary, which has a pattern at least, on the device; it is brought there, by way of a slot, unless it is one
 * of the last ones. The device must be idle, and no slot in flight. Valid until the next call. */
pm_status pmi_pfac_dicts_get(const pmi_device *device, pmi_staging_ring *slots, pmi_pfac_dicts *dicts,
                             const struct pm_dict *wanted, const pmi_pfac_dict **dict);

/* The device must be idle. */
void pmi_pfac_dicts_clear(const pmi_device *device, pmi_pfac_dicts *dicts);

#endif
