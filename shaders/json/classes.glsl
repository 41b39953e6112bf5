/* SPDX-License-Identifier: Apache-2.0 */
/* A lane's 64 bytes as eight masks, one for each bit of a byte; and from these the masks of classes of bytes. */
uvec2 planes[8];

void planes_exchange(inout uint a, inout uint b, uint by, uint mask) {
    const uint changed = (a >> by ^ b) & mask;
    b ^= changed;
    a ^= changed << by;
}

/* Transposes 4 x 4 bytes. */
void bytes_transpose(inout uint a, inout uint b, inout uint c, inout uint d) {
    planes_exchange(a, c, 16, 0x0000ffff);
    planes_exchange(b, d, 16, 0x0000ffff);
    planes_exchange(a, b, 8, 0x00ff00ff);
    planes_exchange(c, d, 8, 0x00ff00ff);
}

/* Of 32 bytes, two units of 16. First word i gets bytes i, 8 + i, 16 + i, 24 + i; then bit k of word i goes to bit i of
 * word k. */
void planes_make(uvec4 a, uvec4 b, uint part) {
    uint w[8] = {a.x, a.z, b.x, b.z, a.y, a.w, b.y, b.w};
    bytes_transpose(w[0], w[1], w[2], w[3]);
    bytes_transpose(w[4], w[5], w[6], w[7]);
    [[unroll]] for (uint k = 0; k < 4; k++)
        planes_exchange(w[k], w[k + 4], 4, 0x0f0f0f0f);
    [[unroll]] for (uint k = 0; k < 8; k++)
        if ((k & 2) == 0)
            planes_exchange(w[k], w[k + 2], 2, 0x33333333);
    [[unroll]] for (uint k = 0; k < 8; k += 2)
        planes_exchange(w[k], w[k + 1], 1, 0x55555555);
    [[unroll]] for (uint k = 0; k < 8; k++)
        planes[k][part] = w[k];
}

/* Of the bytes from `place` on. What is behind the text is blank. */
void planes_load(uint place) {
    const uint left = n > place ? n - place : 0;
    uvec4 units[4];
    [[unroll]] for (uint k = 0; k < 4; k++) {
        units[k] = uvec4(0x20202020);
        if (16 * k < left)
            units[k] = text.at[place / 16 + k];
    }
    planes_make(units[0], units[1], 0);
    planes_make(units[2], units[3], 1);
    if (left >= PM_INDEX_LANE_BYTES)
        return;
    const uvec2 of_text = mask_low(left);
    [[unroll]] for (uint k = 0; k < 8; k++)
        planes[k] &= of_text;
    planes[5] |= ~of_text;
}

/* The bytes whose bits are `byte`, except for those in `any`. */
uvec2 bytes_like(uint byte, uint any) {
    uvec2 mask = uvec2(~0u);
    [[unroll]] for (uint k = 0; k < 8; k++)
        if ((any >> k & 1) == 0)
            mask &= (byte >> k & 1) != 0 ? planes[k] : ~planes[k];
    return mask;
}

#define QUOTES bytes_like(0x22, 0)
#define BACKSLASHES bytes_like(0x5c, 0)
#define OPENS bytes_like(0x5b, 0x20) /* [ and { */
#define CLOSES bytes_like(0x5d, 0x20)
#define COMMAS bytes_like(0x2c, 0)
#define COLONS bytes_like(0x3a, 0)
#define CONTROLS bytes_like(0x00, 0x1f)

uvec2 white_bytes() {
    return bytes_like(0x20, 0) | bytes_like(0x09, 0) | bytes_like(0x0a, 0) | bytes_like(0x0d, 0);
}

/* The bytes that a backslash protects, and `is_protected` for the byte behind them; before them it says whether one
 * protects the first. After Langdale and Lemire, section 3.1.1. */
uvec2 bytes_protected(uvec2 backslashes, inout uint is_protected) {
    const uvec2 odd = uvec2(0xaaaaaaaa), first = uvec2(is_protected, 0);
    is_protected = 0;
    if (!mask_any(backslashes))
        return first;
    const uvec2 may_protect = backslashes & ~first;
    const uvec2 both = mask_subtract(mask_behind(may_protect, 0) | odd, may_protect) ^ odd;
    is_protected = (both.y & backslashes.y) >> 31;
    return both ^ (backslashes | first);
}

/* The quoting of the lane's bytes. */
uint lane_quoting() {
    const uvec2 quotes = QUOTES, backslashes = BACKSLASHES;
    uint quoting = 0;
    [[unroll]] for (uint k = 0; k < 2; k++) {
        uint is_protected = k;
        const uvec2 guarded = bytes_protected(backslashes, is_protected);
        quoting |= (is_protected | (mask_count(quotes & ~guarded) & 1) << 1) << 2 * k;
    }
    return quoting;
}
