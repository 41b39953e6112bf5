/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Searching a text for many patterns at once, without failure links: every place has a lane, which goes down the trie
 * from there until no edge goes on (Lin, Liu, Chien, Chang, "Accelerating pattern matching using a novel parallel
 * algorithm on GPUs").
 */
#include "shaders/pfac.h"

layout(local_size_x = PM_PFAC_LANES) in;
#define lane gl_LocalInvocationIndex
#define WORKGROUP_LANES PM_PFAC_LANES
#define PM_PFAC_NONE 0xffffffffu

layout(buffer_reference, std430, buffer_reference_align = 4) buffer pm_words {
    uint at[];
};
layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer pm_input {
    uint at[];
};
layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer pm_nodes {
    uvec4 at[];
};
layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer pm_pairs {
    uvec2 at[];
};
layout(buffer_reference, std430, buffer_reference_align = 16) writeonly buffer pm_fours {
    uvec4 at[];
};
layout(push_constant, std430) uniform pm_pfac_parameters {
#define PM_ADDRESS(type, name) type name;
#define PM_UINT(name) uint name;
    PM_PFAC_PARAMETERS(PM_ADDRESS, PM_UINT)
};

shared uint classes[PM_PFAC_CLASS_WORDS];

/* Needs a barrier afterwards. */
void classes_load() {
    if (lane < PM_PFAC_CLASS_WORDS)
        classes[lane] = filters.at[PM_PFAC_LONG_WORDS + PM_PFAC_SHORT_WORDS + lane];
}

/* The class of the lowest byte. */
uint class_of(uint bytes) {
    const uint byte = bytes & 255;
    return classes[byte / 4] >> 8 * (byte % 4) & 255;
}

/* The four bytes from a place on, the first the lowest. */
uint bytes_at(uint place) {
    const uint word = text.at[place / 4] >> 8 * (place % 4);
    return place % 4 == 0 ? word : word | text.at[place / 4 + 1] << 32 - 8 * (place % 4);
}

/* The entry of the node at depth 4 that four bytes lead to; its node is 0: there is none. */
uvec4 prefix_find(uint bytes) {
    pm_nodes prefixes = pm_nodes(filters);
    const uint mask = filters.at[PM_PFAC_PREFIX_MASK];
    const uint wanted = class_of(bytes) | class_of(bytes >> 8) << 8 | class_of(bytes >> 16) << 16 |
                        class_of(bytes >> 24) << 24;
    uint entry = PM_PFAC_PREFIX_HASH(wanted) & mask;
    uvec4 found = prefixes.at[PM_PFAC_PREFIXES / 4 + entry];
    while (found.y != 0 && found.x != wanted) {
        entry = entry + 1 & mask;
        found = prefixes.at[PM_PFAC_PREFIXES / 4 + entry];
    }
    return found;
}

/* The node at which the way down the trie from a place ends; it is as long as the longest pattern at most. An entry for
 * a prefix tells all of its node but the hits. The loop has one way out: with another by break, Mesa's software renderer
 * (22.3) has been seen to lose rows. */
uvec4 walk(uint place) {
    const uvec4 prefix = n - place >= PM_PFAC_PREFIX_LENGTH ? prefix_find(bytes_at(place)) : uvec4(0);
    const uint begin = prefix.y;
    uvec4 row = begin != 0 ? uvec4(prefix.z, 0, prefix.w, 0) : nodes.at[0];
    uint node = begin, i = begin != 0 ? place + PM_PFAC_PREFIX_LENGTH : place, word = text.at[i / 4] >> 8 * (i % 4);
    bool on = i < n && (begin != 0 || shorts != 0);
    while (on) {
        const uint child = row.x + class_of(word);
        const uvec4 next = nodes.at[child];
        on = next.y == node;
        if (on) {
            node = child;
            row = next;
            i++;
            word = i % 4 == 0 ? text.at[i / 4] : word >> 8;
            on = i < n;
        }
    }
    return node == begin && row.z != PM_PFAC_NONE ? nodes.at[node] : row;
}
