/* SPDX-License-Identifier: Apache-2.0 */
/* From patterns to the two machines that find them: what the files that do it have in common. */
#ifndef PM_CORE_FIND_DICT_COMPILE_H
#define PM_CORE_FIND_DICT_COMPILE_H

#include "base/dict.h"

/* Makes `prefixes` and `keys`. */
void pmi_dict_make_prefixes(struct pm_dict *dict);

/* Makes `nodes` and which patterns are in which, then `rows`. PM_INVALID_ARGUMENT: two patterns are equal,
 * PM_TOO_LARGE; *fault says so. */
pm_status pmi_dict_make_machines(struct pm_dict *dict, pm_dict_fault *fault);

/* ---- A saved dictionary: its patterns. Loading builds the automaton again, so nothing in a file has to be trusted. */

#define PM_DICT_FILE_VERSION 1u
#define PM_DICT_FILE_MAGIC "PMDICT1\n"
#define PM_DICT_FILE_BYTE_ORDER UINT32_C(0x01020304)

/* Followed by the length of each pattern in 32 bits, the bytes of all, and zeros up to a multiple of 8 bytes. */
typedef struct pmi_dict_file_header {
    char magic[8];
    uint32_t version;
    uint32_t byte_order; /* PM_DICT_FILE_BYTE_ORDER on a machine of the same order */
    uint32_t flags, count;
    uint64_t bytes_size;
    uint64_t body_sum;   /* of what follows the header */
    uint64_t header_sum; /* of all before it */
} pmi_dict_file_header;

/* The file of a dictionary in memory, in a block of the dictionary's allocator; NULL if there is no memory. */
unsigned char *pmi_dict_pack(const struct pm_dict *dict, size_t *size);

/* Makes a dictionary of such. PM_CORRUPT, PM_UNSUPPORTED (byte order, version), PM_OUT_OF_MEMORY are possible. */
pm_status pmi_dict_unpack(const pm_allocator *allocator, const unsigned char *file, size_t size, struct pm_dict **dict);

#endif
