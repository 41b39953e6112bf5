/* SPDX-License-Identifier: Apache-2.0 */
/* What a workgroup puts together of its lanes' parts, by compose(before, behind), where EXCHANGED is their type and
 * NOTHING stands for no part. All lanes must come. */
shared EXCHANGED exchanged[2 * PM_INDEX_LANES];

/* That of all lanes before this one, and that of all. */
EXCHANGED workgroup_before(EXCHANGED own, out EXCHANGED all) {
    uint half_of = 0;
    barrier();
    exchanged[lane] = own;
    barrier();
    for (uint by = 1; by < PM_INDEX_LANES; by *= 2) {
        if (lane >= by)
            own = compose(exchanged[half_of + lane - by], own);
        half_of ^= PM_INDEX_LANES;
        exchanged[half_of + lane] = own;
        barrier();
    }
    all = exchanged[half_of + PM_INDEX_LANES - 1];
    if (lane == 0)
        return NOTHING;
    return exchanged[half_of + lane - 1];
}

/* That of all lanes. */
EXCHANGED workgroup_all(EXCHANGED own) {
    barrier();
    exchanged[lane] = own;
    barrier();
    for (uint by = 1; by < PM_INDEX_LANES; by *= 2) {
        if (lane % (2 * by) == 0) {
            own = compose(own, exchanged[lane + by]);
            exchanged[lane] = own;
        }
        barrier();
    }
    return exchanged[0];
}
