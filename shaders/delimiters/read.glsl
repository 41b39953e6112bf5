/* SPDX-License-Identifier: Apache-2.0 */
/* Reading a lane's part of a tile: its function, from the rows of its letters. */
shared uint rows[FUNCTION_WORDS * PM_STRUCTURE_LETTERS];

/* Needs a barrier afterwards. */
void rows_load() {
    for (uint k = lane; k < FUNCTION_WORDS * PM_STRUCTURE_LETTERS; k += PM_STRUCTURE_LANES)
        rows[k] = tables.at[PM_STRUCTURE_TABLE_ROWS + k];
}

/* What selects a row; the state that follows, with bits above it that mean nothing to it; what the letter means in the
 * state before that. */
#ifdef PM_MANY

uint row_of(uint letter) {
    return letter * FUNCTION_WORDS;
}

uint row_next(uint row, uint state) {
    return rows[row + (state & STATE_MASK) / 4] >> 8 * (state % 4);
}

uint row_means(uint row, uint state, uint next) {
    return next >> PM_STRUCTURE_MANY_SHIFT & 3;
}

#else

uint row_of(uint letter) {
    return rows[letter];
}

uint row_next(uint row, uint state) {
    return row >> (state & STATE_MASK);
}

uint row_means(uint row, uint state, uint next) {
    return (state & STATE_MASK) == 0 ? row >> PM_STRUCTURE_FEW_SHIFT : 0;
}

#endif

/* That of byte k of a word. */
uint row_of_byte(uint word, uint k) {
    return row_of(bitfieldExtract(word, int(8 * k), 8));
}

void row_follow(uint row, inout uint to[STATES_MOST]) {
    [[unroll]] for (uint s = 0; s < STATES_MOST; s++)
        if (s < states)
            to[s] = row_next(row, to[s]);
}

/* Of the places from `place` on, of which there are `left` in the text. */
function lane_function(uint place, uint left) {
    uint to[STATES_MOST];
    [[unroll]] for (uint s = 0; s < STATES_MOST; s++)
        to[s] = STATE(s);
#ifndef PM_MANY
    if (left >= PM_STRUCTURE_LANE_BYTES) {
        for (uint i = 0; i < PM_STRUCTURE_LANE_BYTES / 16; i++) {
            const uvec4 own = text.at[place / 16 + i];
            [[unroll]] for (uint k = 0; k < 16; k++)
                row_follow(row_of_byte(own[k / 4], k % 4), to);
        }
        left = 0;
    }
#endif
    left = min(left, PM_STRUCTURE_LANE_BYTES);
    for (uint k = 0; k < left; k += 4) {
        const uint word = text.at[(place + k) / 16][(place + k) / 4 % 4];
        [[unroll]] for (uint b = 0; b < 4; b++)
            if (k + b < left)
                row_follow(row_of_byte(word, b), to);
    }
    function own = function_nowhere();
    [[unroll]] for (uint s = 0; s < STATES_MOST; s++)
        if (s < states)
            function_set(own, s, to[s]);
    return own;
}

/* Places of the text from `place` on. */
uint places_left(uint place) {
    return n > place ? n - place : 0;
}
