/* SPDX-License-Identifier: Apache-2.0 */
/* Reading and writing structs of any size. */
#include "base/arguments.h"

#include <string.h>

/* A larger size exceeds the known one by at most this much. One that claims more is not a size, and nothing is read. */
#define STRUCT_MORE_MAX 4096u

pm_status pmi_options_read(const void *from, void *to, size_t known, size_t min) {
    size_t size;
    memcpy(&size, from, sizeof size);
    if (size == 0)
        size = known;
    if (size < min || size > known + STRUCT_MORE_MAX)
        return PM_INVALID_ARGUMENT;
    for (size_t i = known; i < size; i++)
        if (((const unsigned char *)from)[i] != 0)
            return PM_UNSUPPORTED;
    memset(to, 0, known);
    memcpy(to, from, size < known ? size : known);
    return PM_OK;
}

pm_status pmi_options_write(const void *from, void *to, size_t known, size_t min) {
    size_t size;
    memcpy(&size, to, sizeof size);
    if (size > 0 && size < min)
        return PM_INVALID_ARGUMENT;
    const size_t end = size > 0 && size < known ? size : known;
    memcpy((unsigned char *)to + sizeof size, (const unsigned char *)from + sizeof size, end - sizeof size);
    return PM_OK;
}
