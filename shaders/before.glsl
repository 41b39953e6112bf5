/* SPDX-License-Identifier: Apache-2.0 */
/* An implicit tree of bicyclic elements (closes, opens) over partitions before a workgroup's own, for what its elements
 * did not find in their own: a leaf is `chunk` consecutive partitions, the last one ends at the last of them. */

layout(constant_id = PM_CONSTANT_BEFORE) const uint BEFORE_LEAVES = 1; /* a power of two, or 1: none is wanted */
shared uvec2 before[2 * BEFORE_LEAVES];

/* Makes the tree over `count` > 0 partitions from the first one on; returns `chunk`. */
uint before_make(uint count, out uint leaves) {
    const uint chunk = (count + BEFORE_LEAVES - 1) / BEFORE_LEAVES;
    leaves = 1;
    while (leaves * chunk < count)
        leaves *= 2;
    for (uint leaf = gl_LocalInvocationIndex; leaf < leaves; leaf += INVOCATIONS) {
        uvec2 bic = uvec2(0);
        for (uint p = leaf * chunk; p < min((leaf + 1) * chunk, count); p++)
            bic = bic_join(bic, bic_unpack(pm_constant_words(bics).at[p]));
        before[leaves + leaf] = bic;
    }
    barrier();
    for (uint nodes = leaves / 2; nodes > 0; nodes /= 2) {
        for (uint node = nodes + gl_LocalInvocationIndex; node < 2 * nodes; node += INVOCATIONS)
            before[node] = bic_join(before[2 * node], before[2 * node + 1]);
        barrier();
    }
    return chunk;
}

/* The open that is under `pops` others on the stack after those partitions. */
uint before_match(uint count, uint chunk, uint leaves, uint pops) {
    if (before[1].y <= pops)
        return PM_NO_ELEMENT;
    uint node = 1;
    while (node < leaves) {
        const uvec2 right = before[2 * node + 1];
        node = 2 * node + (right.y > pops ? 1 : 0);
        pops = node % 2 == 1 ? pops : pops - right.y + right.x;
    }
    uint p = min((node - leaves + 1) * chunk, count) - 1;
    for (; chunk > 1; p--) {
        const uint bic = pm_constant_words(bics).at[p];
        if (bic_open(bic) > pops)
            break;
        pops = pops_under(bic, pops);
    }
    return pm_constant_words(slices).at[p * PARTITION + pops];
}
