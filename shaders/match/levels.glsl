/* SPDX-License-Identifier: Apache-2.0 */
/* The parameters of the pipeline `levels`, and its input as words of 32 elements. */
#include "shaders/shared/buffers.glsl"
#include "shaders/match/plan.h"

PM_WORDS_ACCESS PM_BUFFER(pm_words, uint, 4);
PM_BUFFER(pm_delimiters, ivec2, 8);
PM_BUFFER(pmi_fours, uvec4, 16);
readonly PM_BUFFER(pm_constant_words, uint, 4);
readonly PM_BUFFER(pm_constant_fours, uvec4, 16);
readonly PM_BUFFER(pmi_plans, pmi_plan, 4);

layout(push_constant, std430) uniform pmi_levels_parameters {
#define PM_PLANNED(name) uint given_##name;
    PM_LEVELS_PARAMETERS(PM_ADDRESS, PM_UINT, PM_PLANNED)
};

layout(constant_id = PM_CONSTANT_PLANNED) const bool is_planned = false;
uint n, superblocks, first, count, per_group;

layout(constant_id = PM_CONSTANT_PART) const uint PART = PM_PART_WHOLE;

/* The index of an element in the whole sequence. */
uint index_of(uint element) {
    return PART == PM_PART_WHOLE ? element : origin + element;
}

/* Comes first in main. */
void parameters_take() {
    if (is_planned) {
        n = plan.at[0].n;
        superblocks = plan.at[0].superblocks;
        first = plan.at[0].first;
        count = plan.at[0].count;
        per_group = plan.at[0].per_group;
    } else {
        n = given_n;
        superblocks = given_superblocks;
        first = given_first;
        count = given_count;
        per_group = given_per_group;
    }
}

/* The words from index `offset` on; without 64-bit integers, which some devices lack. */
pm_words words_after(pm_words words, uint offset) {
    const uvec2 address = uvec2(words);
    uint carry;
    const uint low = uaddCarry(address.x, offset << 2, carry);
    return pm_words(uvec2(low, address.y + (offset >> 30) + carry));
}

/* Word `index` of the input. Elements past n count as opens, so they make no level less; none is read. */
uint parens_word(uint index) {
    const uint whole = n / 32, rest = n % 32;
    if (index < whole)
        return pm_constant_words(parens).at[index];
    if (index > whole || rest == 0)
        return 0xffffffffu;
    return pm_constant_words(parens).at[index] | 0xffffffffu << rest;
}

/* Words 4 * index to 4 * index + 3. */
uvec4 parens_four_words(uint index) {
    if (index < n / 128)
        return pm_constant_fours(parens).at[index];
    return uvec4(parens_word(4 * index), parens_word(4 * index + 1), parens_word(4 * index + 2),
                 parens_word(4 * index + 3));
}

/* The closes of all superblocks, whose elements change the level by twice `half_change`; past n there are only opens. */
uint superblocks_closes(int half_change) {
    return superblocks * (PM_SUPERBLOCK / 2) - uint(half_change);
}

/* The bicyclic element of the whole sequence. */
void summary_write(uint closes, uint least_level) {
    summary.at[0] = closes - least_level;
    summary.at[1] = n - closes - least_level;
}
