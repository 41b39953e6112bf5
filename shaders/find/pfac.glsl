/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Searching a text for many patterns at once, without failure links: every place has a lane, which goes down the trie
 * from there until no edge goes on (Lin, Liu, Chien, Chang, "Accelerating pattern matching using a novel parallel
 * algorithm on GPUs").
 */
#include "shaders/shared/buffers.glsl"
#include "shaders/find/pfac.h"

layout(local_size_x = PM_PFAC_LANES) in;
#define lane gl_LocalInvocationIndex
#define WORKGROUP_LANES PM_PFAC_LANES
#define PM_PFAC_NONE 0xffffffffu

PM_BUFFER(pm_words, uint, 4);
readonly PM_BUFFER(pmi_input, uint, 4);
readonly PM_BUFFER(pm_text_fours, uvec4, 16);
readonly PM_BUFFER(pm_delimiters, uvec2, 8);
writeonly PM_BUFFER(pmi_fours, uvec4, 16);
PM_PUSHED(PM_PFAC_PARAMETERS);

shared uint classes[PM_PFAC_CLASS_WORDS];

/* Needs a barrier afterwards. */
void classes_load() {
    if (lane < PM_PFAC_CLASS_WORDS)
        classes[lane] = filters.at[PM_PFAC_LONG_WORDS + PM_PFAC_SHORT_WORDS + lane];
}

/* The longest pattern that begins at a place and how many hits that makes; PM_PFAC_NONE and 0: none does. Goes down the
 * trie until no edge goes on. The loop has one way out: with another by break, Mesa's software renderer (22.3) has been
 * seen to lose rows. */
uvec2 walk(uint place) {
    uint node = 0, base = nodes.at[0].x, i = place, word = text.at[place / 4] >> 8 * (place % 4);
    bool on = i < n;
    while (on) {
        const uint byte = word & 255;
        const uint child = (base & ~PM_PFAC_PATTERN_ENDS) + (classes[byte / 4] >> 8 * (byte % 4) & 255);
        const uvec2 next = nodes.at[child];
        on = next.y == node;
        if (on) {
            node = child;
            base = next.x;
            i++;
            word = i % 4 == 0 ? text.at[i / 4] : word >> 8;
            on = i < n;
        }
    }
    return (base & PM_PFAC_PATTERN_ENDS) != 0 ? nodes.at[ends + node] : uvec2(PM_PFAC_NONE, 0);
}
