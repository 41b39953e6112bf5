/* SPDX-License-Identifier: Apache-2.0 */
/* A saved index: a header and the arrays as they lie in memory, so that a mapped file is used as it is. */
#ifndef PM_CORE_BP_FILE_H
#define PM_CORE_BP_FILE_H

#include "base/bp_index.h"

#define PM_BP_FILE_VERSION 2u

typedef struct pmi_bp_file_header {
    char magic[8]; /* PM_BP_MAGIC */
    uint32_t version;
    uint32_t byte_order; /* PM_BP_FILE_BYTE_ORDER on a machine of the same order */
    uint64_t n, opens;
    uint64_t size; /* bytes that follow: lines, levels, rows, hints, and PM_BP_SLACK zeros */
    uint64_t arrays_sum, sequence_sum;
    uint64_t header_sum; /* of all before it */
} pmi_bp_file_header;

#define PM_BP_FILE_BYTE_ORDER UINT32_C(0x01020304)

/* Writes bytes that follow those written before; false ends it. */
typedef bool pmi_bp_put(const void *bytes, size_t size, void *user);

/* Writes the index. PM_IO if put() fails. */
pm_status pmi_bp_write(const struct pm_bp *bp, pmi_bp_put *put, void *user);

#endif
