/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions from states to states, and what a workgroup does with those of its lanes. How many states there are is
 * known when the kernel is made, so all loops over them are gone by then.
 */
layout(constant_id = PM_CONSTANT_STATES) const uint states = PM_STRUCTURE_STATES;

#define FIELD PM_STRUCTURE_FIELD
#define FIELD_MASK PM_STRUCTURE_FIELD_MASK

/* Of nothing: every state stays. */
uint function_identity() {
    uint identity = 0;
    [[unroll]] for (uint s = 0; s < PM_STRUCTURE_STATES; s++)
        identity |= s < states ? FIELD * s << FIELD * s : 0;
    return identity;
}

/* Of a stretch of text and the one behind it. */
uint function_compose(uint before, uint behind) {
    uint both = 0;
    [[unroll]] for (uint s = 0; s < PM_STRUCTURE_STATES; s++)
        if (s < states)
            both |= (behind >> (before >> FIELD * s & FIELD_MASK) & FIELD_MASK) << FIELD * s;
    return both;
}

uint function_apply(uint function, uint state) {
    return function >> state & FIELD_MASK;
}

shared uint functions_up_to[PM_STRUCTURE_LANES];

/* That of all lanes before this one, and that of all. All lanes must come. */
uint workgroup_compose_before(uint own, out uint all) {
    barrier();
    functions_up_to[lane] = own;
    barrier();
    for (uint by = 1; by < PM_STRUCTURE_LANES; by *= 2) {
        const uint before = lane >= by ? functions_up_to[lane - by] : function_identity();
        barrier();
        own = function_compose(before, own);
        functions_up_to[lane] = own;
        barrier();
    }
    all = functions_up_to[PM_STRUCTURE_LANES - 1];
    return lane > 0 ? functions_up_to[lane - 1] : function_identity();
}
