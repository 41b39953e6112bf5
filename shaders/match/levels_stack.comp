/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a slice leaves on the stack: entries first ... first + count - 1 from the top, to `match` and what follows; below its
 * own survivors what is left of the stack that came in, and PM_NO_ELEMENT below that. After reduce and scan. A workgroup of
 * one team fetches per_group times as many entries as its memory holds, from the top down, so that each search goes on
 * where the one before it ended.
 */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shaders/shared/lanes.glsl"
#define PM_WORDS_ACCESS
#include "shaders/shared/algebra.glsl"
#include "shaders/match/levels.glsl"
#include "shaders/match/levels_fetch.glsl"

void entries_write(uint begin, uint fetched, uint opens) {
    const uint own = min(fetched, max(opens, begin) - begin); /* further down is what came in, if anything */
    if (own > 0)
        stack_fetch(superblocks * PM_SUPERBLOCK_TILES, opens - begin - (own - 1), own);
    lanes_barrier();
    pm_words to = words_after(match, begin - first);
    for (uint e = lane; e < fetched; e += PM_LANES)
        to.at[e] = e < own ? stack[(opens - begin - e) % STACK] : incoming_with(opens - begin - e);
    lanes_barrier();
}

void main() {
    parameters_take();
    const uint most = PM_STACK * per_group, done = gl_WorkGroupID.x * most, mine = min(most, count - done);
    /* The top's key is the level at the end: the opens of all elements, for the first level is the number of closes. */
    const uint opens = n - superblock_level(0);
    superblock = PM_NO_TILE;
    for (uint fetched = 0; fetched < mine; fetched += PM_STACK)
        entries_write(first + done + fetched, min(PM_STACK, mine - fetched), opens);
}
