# SPDX-License-Identifier: Apache-2.0
# What a tile needs of the stack before it, and which tiles that comes from.

function x_of(position) { return 52 + 4 * position }
function y_of(l) { return 40 + 14 * (highest - l) }
function colour_of(t) { return t % 3 == 0 ? violet : t % 3 == 1 ? green : red }
function pale_of(t) { return t % 3 == 0 ? pale_violet : t % 3 == 1 ? pale_green : pale_red }

BEGIN {
    tile = 16
    tiles = 10
    n = tile * tiles
    sequence_make(n - tile, 55, 1389)
    for (i = n - tile; i < n; i++) # the tile at hand closes much
        open[i] = i % 8 == 3
    sequence_match(n)
    highest = level_least(0, 0)
    for (i = 0; i <= n; i++)
        highest = level[i] > highest ? level[i] : highest
    bottom = level_least(0, n)
    last = tiles - 1
    start = level[last * tile]
    least = level_least(last * tile, n)
    floor_y = y_of(bottom) + 24

    svg_begin(x_of(n) + 200, floor_y + 22, "The entries that a tile needs, and the tiles that own them")
    for (t = 0; t < tiles; t++) {
        svg_box(x_of(t * tile), 28, 4 * tile, floor_y - 28, t == last ? pale_blue : t % 2 ? "#ffffff" : pale, "none")
        svg_text(x_of(t * tile) + 2 * tile, 20, "middle", t == last ? blue : grey, "tile " t)
    }
    # Key k is owned by the last tile that holds a level below k.
    for (k = least; k <= start; k++) {
        for (t = last - 1; t >= 0 && level_least(t * tile, (t + 1) * tile) >= k; t--)
            continue
        owner[k] = t
        for (i = (t + 1) * tile - 1; t >= 0 && !(open[i] && level[i + 1] == k); i--)
            continue
        element[k] = i
        y = y_of(k) + 7
        svg_box(x_of(n) + 24, y - 6.5, 60, 13, t < 0 ? "#ffffff" : pale_of(t), t < 0 ? rule : "#ffffff")
        svg_text(x_of(n) + 54, y + 4, "middle", t < 0 ? grey : colour_of(t), t < 0 ? "none" : i)
        svg_text(x_of(n) + 94, y + 4, "start", grey, "key " k)
        svg_line(t < 0 ? x_of(0) : x_of(i) + 2, y, x_of(last * tile), y, t < 0 ? rule : colour_of(t), 1)
    }
    svg_text(x_of(n) + 54, 20, "middle", blue, "stack")
    steps = x_of(0) " " y_of(level[0])
    for (i = 1; i <= n; i++)
        steps = steps " " x_of(i) " " y_of(level[i])
    svg_path(steps, "none", ink, 1.5)
    for (t = 0; t < tiles; t++) {
        y = y_of(level_least(t * tile, (t + 1) * tile)) + 3
        svg_line(x_of(t * tile) + 2, y, x_of((t + 1) * tile) - 2, y, t == last ? blue : colour_of(t), 3)
    }
    for (k = least; k <= start; k++)
        if (owner[k] >= 0)
            svg_dot(x_of(element[k]) + 2, y_of(k) + 7, 3, colour_of(owner[k]))
    svg_end()
}
