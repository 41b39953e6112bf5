/* SPDX-License-Identifier: Apache-2.0 */
/* Reading a lane's part of a tile: its function, from the rows of its letters. */
shared uint rows[PM_STRUCTURE_LETTERS];

/* Needs a barrier afterwards. */
void rows_load() {
    rows[lane] = tables.at[lane];
}

/* The row of byte k of a word. */
uint row_of(uint word, uint k) {
    return rows[bitfieldExtract(word, int(8 * k), 8)];
}

uint row_at(uint place) {
    return row_of(text.at[place / 16][place / 4 % 4], place % 4);
}

/* Of the places from `place` on, of which there are `left` in the text. */
uint lane_function(uint place, uint left) {
    uint to[PM_STRUCTURE_STATES];
    [[unroll]] for (uint s = 0; s < PM_STRUCTURE_STATES; s++)
        to[s] = FIELD * s;
    if (left >= PM_STRUCTURE_LANE_BYTES) {
        for (uint i = 0; i < PM_STRUCTURE_LANE_BYTES / 16; i++) {
            const uvec4 own = text.at[place / 16 + i];
            [[unroll]] for (uint k = 0; k < 16; k++) {
                const uint row = row_of(own[k / 4], k % 4);
                [[unroll]] for (uint s = 0; s < PM_STRUCTURE_STATES; s++)
                    if (s < states)
                        to[s] = row >> (to[s] & FIELD_MASK);
            }
        }
    } else {
        for (uint k = 0; k < left; k++) {
            const uint row = row_at(place + k);
            [[unroll]] for (uint s = 0; s < PM_STRUCTURE_STATES; s++)
                if (s < states)
                    to[s] = row >> (to[s] & FIELD_MASK);
        }
    }
    uint function = 0;
    [[unroll]] for (uint s = 0; s < PM_STRUCTURE_STATES; s++)
        function |= s < states ? (to[s] & FIELD_MASK) << FIELD * s : 0;
    return function;
}

/* Places of the text from `place` on. */
uint places_left(uint place) {
    return n > place ? n - place : 0;
}
