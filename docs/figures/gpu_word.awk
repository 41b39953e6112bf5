# SPDX-License-Identifier: Apache-2.0
# A word: its opens sorted by key, and what one lane does with that.

function x_of(b) { return 112 + 20 * b }
function row_y(v) { return 84 + 14 * (v < 8 ? 7 - v : 23 - v) } # the greatest keys on top
function keys_of(v, between) { return 2 * v - (v > 7 ? 32 : 0) between 2 * v + 1 - (v > 7 ? 32 : 0) }
function floor_of(x) { return x >= 0 ? int(x) : -int(-x) - (x != int(x)) }

# Bits 1 to 4 of a key.
function value_of(k) { return floor_of(k / 2) - 16 * floor_of(floor_of(k / 2) / 16) }

# The nearest open at or before bit b in the mask that its key asks for, or -1; of every parity if that is wanted.
function nearest(b, every,    j) {
    for (j = b; j >= 0; j--)
        if (open[j] && value_of(key[j]) == value_of(key[b]) && (every || j % 2 == b % 2))
            return j
    return -1
}

function say(down, s) { svg_text(x_of(0), bottom + 14 + down, "start", ink, s) }

BEGIN {
    sequence_make(32, 52, 101)
    # Bit b is the element before position b; key[b] is the level at that position.
    for (b = 0; b < 32; b++)
        key[b] = (b > 0 ? key[b - 1] : 0) + (open[b] ? 1 : -1)
    # A lane that would go wrong without the parity, as far from its match as can be.
    lane = -1
    for (b = 0; b < 32; b++)
        if (nearest(b, 0) >= 0 && nearest(b, 0) < nearest(b, 1) && (lane < 0 || b - nearest(b, 0) >= lane - nearest(lane, 0)))
            lane = b
    found = nearest(lane, 0)
    value = value_of(key[lane])

    bottom = row_y(8) + 14
    svg_begin(x_of(32) + 16, bottom + 92, "A word's opens in 16 masks by key, and one lane's lookup")
    svg_box(x_of(lane), 8, 20, 62, pale_blue, "none")
    svg_text(x_of(0) - 10, 24, "end", grey, "lane, bit")
    svg_text(x_of(0) - 10, 46, "end", grey, "element before")
    svg_text(x_of(0) - 10, 68, "end", grey, "key, modulo 32")
    for (b = 0; b < 32; b++) {
        svg_text(x_of(b) + 10, 24, "middle", grey, b)
        svg_code(x_of(b) + 10, 46, "middle", ink, open[b] ? "(" : ")")
        svg_text(x_of(b) + 10, 68, "middle", b == lane || b == found ? blue : ink, key[b])
    }
    svg_box(x_of(0), row_y(7), 640, 224, pale, "none")
    svg_box(x_of(0), row_y(value), 640, 14, pale_blue, "none")
    svg_box(x_of(lane), 70, 20, bottom - 70, pale_blue, "none")
    for (b = 1; b < 32; b++)
        svg_line(x_of(b), row_y(7), x_of(b), bottom, "#ffffff", 2)
    for (v = 0; v < 16; v++)
        svg_line(x_of(0), row_y(v), x_of(32), row_y(v), "#ffffff", 2)
    for (v = 0; v < 16; v++) {
        svg_text(x_of(0) - 10, row_y(v) + 11, "end", v == value ? blue : grey, keys_of(v, ", "))
        for (b = 0; b < 32; b++) {
            mine = v == value && b <= lane && b % 2 == lane % 2
            if (mine || open[b] && value_of(key[b]) == v)
                svg_box(x_of(b) + 1, row_y(v) + 1, 18, 12, !open[b] || value_of(key[b]) != v ? "none" : mine ? blue : mid, mine ? blue : "none")
        }
    }
    y = bottom + 14
    svg_line(x_of(lane) + 10, bottom, x_of(lane) + 10, y, blue, 1)
    svg_line(x_of(lane) + 10, y, x_of(found) + 10, y, blue, 1)
    svg_line(x_of(found) + 10, y, x_of(found) + 10, row_y(value) + 16, blue, 1)
    svg_head(x_of(found) + 10, row_y(value) + 14, "up", blue)
    say(24, "Lane " lane " has key " key[lane] ": it loads the mask of " keys_of(value, " and ") ", and keeps the bits at and below its own that")
    say(42, "have its parity (framed). The highest of them that is set, bit " found ", is its match. Bit " nearest(lane, 1) " is nearer,")
    say(60, "but its key is " key[nearest(lane, 1)] ": a position's parity tells the two keys of a mask apart.")
    svg_end()
}
