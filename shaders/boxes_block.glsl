/* SPDX-License-Identifier: Apache-2.0 */
/* What the workgroup of a block adds up: sums of its invocations' numbers. */

layout(local_size_x_id = PM_CONSTANT_WORKGROUP) in;
#define INVOCATIONS gl_WorkGroupSize.x /* as many as tiles of a block */
#define invocation gl_LocalInvocationIndex

shared ivec2 sums[INVOCATIONS];

/* The sum of .x, and all bits of .y, of all invocations. */
ivec2 block_sum(ivec2 mine) {
    barrier();
    sums[invocation] = mine;
    for (uint most = INVOCATIONS / 2; most > 0; most /= 2) {
        barrier();
        if (invocation < most)
            sums[invocation] = ivec2(sums[invocation].x + sums[invocation + most].x,
                                     sums[invocation].y | sums[invocation + most].y);
    }
    barrier();
    return sums[0];
}

/* The sum of those up to and with this invocation. */
int block_inclusive_add(int mine) {
    barrier();
    sums[invocation].x = mine;
    for (uint by = 1; by < INVOCATIONS; by *= 2) {
        barrier();
        const int below = invocation >= by ? sums[invocation - by].x : 0;
        barrier();
        mine += below;
        sums[invocation].x = mine;
    }
    return mine;
}
