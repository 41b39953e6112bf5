/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An entry of a stream's far stack: 64 consecutive elements that have opens on it.
 *
 * Opens leave the stack from the top only, so those left of a group are its lowest unmatched ones, and the group's
 * parentheses and a count tell them; that is what an engine asks for. Who goes element by element prefers a mask of
 * them. A group is kept in either form, in 16 bytes: as a mask it has as many bits as opens on the stack, and so it has
 * as parentheses only when all opens are unmatched and left, which makes them the mask, too.
 */
#ifndef PM_CORE_MATCH_STREAM_ENTRY_H
#define PM_CORE_MATCH_STREAM_ENTRY_H

#include "base/slice.h"

typedef struct pmi_stream_entry {
    uint64_t place; /* index of its first element, a multiple of 64, plus its opens on the stack minus 1 */
    uint64_t bits;  /* its parentheses, or the mask of those opens */
} pmi_stream_entry;

/* A group of count > 0 opens on the stack. */
static inline pmi_stream_entry pmi_stream_entry_make(uint64_t base, unsigned count, uint64_t bits) {
    return (pmi_stream_entry){base + (count - 1), bits};
}

static inline uint64_t pmi_stream_entry_base(pmi_stream_entry group) {
    return group.place - group.place % PM_WORD_BITS;
}

static inline unsigned pmi_stream_entry_count(pmi_stream_entry group) {
    return (unsigned)(group.place % PM_WORD_BITS) + 1;
}

static inline bool pmi_stream_entry_is_mask(pmi_stream_entry group) {
    return pmi_bits_count(group.bits) == pmi_stream_entry_count(group);
}

/*
 * Parentheses whose lowest unmatched opens are the group's; a mask's are made up. What lies between two unmatched opens
 * is balanced, so it has even length, and ()()() will do. There, element i is an open exactly if i, the place of the
 * lowest open and the number of opens up to i have an even sum: that holds for the element after the lowest open, for
 * every second one from there on, and does not change at another open, which adds one to the place and one to the
 * number.
 */
static inline uint64_t pmi_stream_entry_parens(pmi_stream_entry group) {
    if (!pmi_stream_entry_is_mask(group))
        return group.bits;
    const unsigned lowest = pmi_bits_lowest(group.bits);
    uint64_t passed = group.bits; /* bit i: parity of the opens up to i */
    for (unsigned shift = 1; shift < PM_WORD_BITS; shift *= 2)
        passed ^= passed << shift;
    const uint64_t odd_place = UINT64_C(0xaaaaaaaaaaaaaaaa);
    const uint64_t odd_sum = passed ^ odd_place ^ (lowest % 2 != 0 ? UINT64_MAX : 0);
    return group.bits | ~(odd_sum | pmi_bits_low(lowest));
}

#endif
