/* SPDX-License-Identifier: Apache-2.0 */
/* Sums over a workgroup, of WORKGROUP_LANES invocations. */

shared uint sums[WORKGROUP_LANES];

/* The sum up to this lane, its own included; sums[] has those of all until the next call. All lanes must come. */
uint workgroup_inclusive_add(uint x) {
    barrier();
    sums[lane] = x;
    barrier();
    for (uint by = 1; by < WORKGROUP_LANES; by *= 2) {
        const uint below = lane >= by ? sums[lane - by] : 0;
        barrier();
        x += below;
        sums[lane] = x;
        barrier();
    }
    return x;
}
