/* SPDX-License-Identifier: Apache-2.0 */
/* Parameters and the scratch of what finds boxes. PM_PARAMETERS are the shader's, the scratch among them. */
#include "shaders/boxes/layout.h"
#include "shaders/boxes/extent.glsl"
#include "shaders/shared/buffers.glsl"

PM_SCRATCH_ACCESS PM_BUFFER(pm_words, uint, 4);
PM_SCRATCH_ACCESS PM_BUFFER(pmi_numbers, int, 4);
PM_SCRATCH_ACCESS PM_BUFFER(pm_delimiters, ivec2, 8);
PM_SCRATCH_ACCESS PM_BUFFER(pmi_extents, ivec4, 16);
#define pmi_address uvec2

#define PM_PART(type, name) uint name##_part;
#define PM_PARAMETERS_IN_PARTS(ADDRESS, UINT) PM_PARAMETERS(ADDRESS, PM_PART, UINT)
PM_PUSHED(PM_PARAMETERS_IN_PARTS);

/* Where a part of the scratch begins; without 64-bit integers, which some devices lack. */
uvec2 part_address(uint fours) {
    uint carry;
    const uint low = uaddCarry(scratch.x, fours << 4, carry);
    return uvec2(low, scratch.y + (fours >> 28) + carry);
}
