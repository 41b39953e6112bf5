/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a slice leaves on the stack: entries first ... first + count - 1 from the top, to `match` and what follows; below its own
 * survivors what is left of the stack that came in, and PM_NO_ELEMENT below that. After reduce and scan. A workgroup of
 * one team fetches as many entries as its memory holds.
 */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shaders/lanes.glsl"
#define PM_WORDS_ACCESS
#include "shaders/algebra.glsl"
#include "shaders/wide.glsl"
#include "shaders/wide_fetch.glsl"

void main() {
    parameters_take();
    const uint begin = first + gl_WorkGroupID.x * PM_STACK, fetched = min(PM_STACK, first + count - begin);
    /* The top's key is the level at the end: the opens of all elements, for the first level is the number of closes. */
    const uint opens = n - superblock_level(0);
    superblock = PM_NO_TILE;
    const uint own = min(fetched, max(opens, begin) - begin); /* further down is what came in, if anything */
    if (own > 0)
        stack_fetch(superblocks * PM_SUPERBLOCK_TILES, opens - begin - (own - 1), own);
    lanes_barrier();
    pm_words to = words_after(match, begin - first);
    for (uint e = lane; e < fetched; e += PM_LANES)
        to.at[e] = e < own ? stack[(opens - begin - e) % STACK] : incoming_with(opens - begin - e);
}
