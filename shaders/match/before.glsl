/* SPDX-License-Identifier: Apache-2.0 */
/* An implicit tree of bicyclic elements (closes, opens) over partitions before a workgroup's own, for what its elements
 * did not find in their own. */

layout(constant_id = PM_CONSTANT_BEFORE) const uint BEFORE_LEAVES = 1; /* most leaves: a power of two */
shared uvec2 before[2 * BEFORE_LEAVES];

/* A level of `nodes` nodes over one that is there; the leaves, a power of two, lie in before[leaves] and after it. */
void before_join(uint nodes) {
    for (uint node = nodes + gl_LocalInvocationIndex; node < 2 * nodes; node += INVOCATIONS)
        before[node] = bic_join(before[2 * node], before[2 * node + 1]);
}

/* The leaf with the open that is under `pops` others on the stack, before[1].y being more; `pops` becomes the number of
 * those in the leaf. */
uint before_find(uint leaves, inout uint pops) {
    uint node = 1;
    while (node < leaves) {
        const uvec2 right = before[2 * node + 1];
        node = 2 * node + (right.y > pops ? 1 : 0);
        pops = node % 2 == 1 ? pops : pops - right.y + right.x;
    }
    return node - leaves;
}
