/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the decorations of SPIR-V: by them a file says which specialization constants it has, and how arrays are laid
 * out. Source: The Khronos Group, "SPIR-V Specification", section 2.3 and 3.20. */
#include "gpu/trees/monoid_code.h"

#include "parenmatch/monoid/layout.h"

enum {
    MAGIC = 0x07230203,
    HEADER_WORDS = 5,
    OP_DECORATE = 71,
    DECORATION_SPEC_ID = 1,
    DECORATION_ARRAY_STRIDE = 6
};

/* What has been seen. */
typedef struct decorations {
    bool stage, tile, stride;
} decorations;

static void decoration_read(uint32_t decoration, uint32_t value, size_t value_size, decorations *seen) {
    seen->stage |= decoration == DECORATION_SPEC_ID && value == PM_MONOID_STAGE;
    seen->tile |= decoration == DECORATION_SPEC_ID && value == PM_MONOID_TILE;
    seen->stride |= decoration == DECORATION_ARRAY_STRIDE && value == value_size;
}

bool pmi_monoid_code_is_fine(const pm_gpu_monoid *monoid) {
    const uint32_t *const words = monoid->words;
    if (monoid->size == 0 || monoid->size % 4 != 0 || monoid->size > PM_MONOID_VALUE_MAX || !words ||
        monoid->word_count < HEADER_WORDS || words[0] != MAGIC)
        return false;
    decorations seen = {0};
    for (size_t at = HEADER_WORDS, length; at < monoid->word_count; at += length) {
        length = words[at] >> 16;
        if (length == 0 || length > monoid->word_count - at)
            return false;
        if ((words[at] & 0xffff) == OP_DECORATE && length == 4)
            decoration_read(words[at + 2], words[at + 3], monoid->size, &seen);
    }
    return seen.stage && seen.tile && seen.stride;
}
