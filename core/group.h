/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An entry of a stream's far stack: 64 consecutive elements that have opens on it.
 *
 * Opens leave the stack from the top only, so those left of a group are its lowest unmatched ones, and the group's
 * parentheses and a count tell them; that is what an engine asks for. Who goes element by element prefers a mask of
 * them. A group is kept in either form, in 16 bytes: as a mask it has as many bits as opens on the stack, and so it has
 * as parentheses only when all opens are unmatched and left, which makes them the mask, too.
 */
#ifndef PM_CORE_GROUP_H
#define PM_CORE_GROUP_H

#include "core/slice.h"

typedef struct pm_group {
    uint64_t place; /* index of its first element, a multiple of 64, plus its opens on the stack minus 1 */
    uint64_t bits;  /* its parentheses, or the mask of those opens */
} pm_group;

/* A group of count > 0 opens on the stack. */
static inline pm_group pm_group_make(uint64_t base, unsigned count, uint64_t bits) {
    return (pm_group){base + (count - 1), bits};
}

static inline uint64_t pm_group_base(pm_group group) {
    return group.place - group.place % PM_WORD_BITS;
}

static inline unsigned pm_group_count(pm_group group) {
    return (unsigned)(group.place % PM_WORD_BITS) + 1;
}

static inline bool pm_group_is_mask(pm_group group) {
    return pm_bits_count(group.bits) == pm_group_count(group);
}

/*
 * Parentheses whose lowest unmatched opens are the group's; a mask's are made up. What lies between two unmatched opens
 * is balanced, so it has even length, and ()()() will do. There, element i is an open exactly if i, the place of the
 * lowest open and the number of opens up to i have an even sum: that holds for the element after the lowest open, for
 * every second one from there on, and does not change at another open, which adds one to the place and one to the
 * number.
 */
static inline uint64_t pm_group_parens(pm_group group) {
    if (!pm_group_is_mask(group))
        return group.bits;
    const unsigned lowest = pm_bits_lowest(group.bits);
    uint64_t passed = group.bits; /* bit i: parity of the opens up to i */
    for (unsigned shift = 1; shift < PM_WORD_BITS; shift *= 2)
        passed ^= passed << shift;
    const uint64_t odd_place = UINT64_C(0xaaaaaaaaaaaaaaaa);
    const uint64_t odd_sum = passed ^ odd_place ^ (lowest % 2 != 0 ? UINT64_MAX : 0);
    return group.bits | ~(odd_sum | pm_bits_low(lowest));
}

#endif
