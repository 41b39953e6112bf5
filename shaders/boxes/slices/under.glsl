/* SPDX-License-Identifier: Apache-2.0 */
/* What an element of a short scene lies under, and unions inside its word. */

/* The node that the element lies under, or closes. */
bool is_under_word; /* it is in the word: */
uint under_lane;
bool is_under_slice; /* else in another word of the slice, which has this place in the tables: */
uint under_word, under_place;
int under_height; /* of it, or, if it is in the word, of the highest on the stack before the word that is left */

void under_find() {
    uint same = nodes_word & (1u << lane) - 1u; /* nodes one below: the last of them; heights are -32 ... 31 */
    [[unroll]] for (uint k = 0; k < 6; k++) {
        const uint ones = lanes_ballot((before >> k & 1) != 0);
        same &= (before - 1 >> k & 1) != 0 ? ones : ~ones;
    }
    is_under_word = same != 0;
    under_lane = is_under_word ? findMSB(same) : lane;
    int least = min(before, 0); /* of the word up to here */
    [[unroll]] for (uint by = 1; by < PM_LANES; by *= 2) {
        const int below = int(lanes_shuffle_up(uint(least), by));
        least = lane >= by ? min(least, below) : least;
    }
    under_height = word_start + least - 1;
}

/* In the tables: of the words before, the last that has a node at under_height. */
void under_place_find(int floors) {
    under_word = 0;
    [[unroll]] for (uint step = PM_LANES / 2; step > 0; step /= 2)
        under_word += int(lanes_shuffle(uint(floors), under_word + step)) <= under_height ? step : 0;
    is_under_slice = int(lanes_shuffle(uint(floors), under_word)) <= under_height;
    under_place = under_word * PM_LANES + uint(under_height - int(lanes_shuffle(uint(lows), under_word)));
}

/* The union of leaves of the word: of `count` of them up to `last`. `all`: of all up to this one. */
ivec4 word_unite(inout ivec4 all, uint last, uint count) {
    ivec4 reach = NOWHERE;
    [[dont_unroll]] for (uint by = 1; by < PM_LANES; by *= 2) { /* all: of `by` of them up to this one */
        const ivec4 some = lanes_shuffle(all, last & PM_LANES - 1);
        const ivec4 below = lanes_shuffle(all, lane - by & PM_LANES - 1);
        reach = (count & by) != 0 ? max(reach, some) : reach;
        last -= count & by;
        all = lane >= by ? max(all, below) : all;
    }
    return reach;
}
