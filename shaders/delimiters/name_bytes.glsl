/* SPDX-License-Identifier: Apache-2.0 */
/* The bytes of names, four at a time. */

/* Those from a place of the text on; what is behind the text is anything. */
uint bytes_at(uint place) {
    const uint word = place / 4, shift = 8 * (place % 4);
    const uint own = text.at[word] >> shift;
    return shift != 0 && word < (n - 1) / 4 ? own | text.at[word + 1] << 32 - shift : own;
}

/* As names are compared. */
uint folded(uint byte) {
    return fold != 0 && byte - 65 < 26 ? byte | 32 : byte;
}

/* Where the token's name begins; the token begins a tag. */
uint name_at(uint place) {
    const uint letter = bitfieldExtract(letters.at[place / 4], int(8 * (place % 4)), 8);
    return place + PM_STRUCTURE_OWN_LENGTH(tables.at[2 * letter + 1]);
}

bool begins_tag(uint place) {
    const uint letter = bitfieldExtract(letters.at[place / 4], int(8 * (place % 4)), 8);
    return (tables.at[2 * letter] & PM_STRUCTURE_TAG) != 0;
}
