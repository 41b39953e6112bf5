# SPDX-License-Identifier: Apache-2.0
# The level of a sequence, and every element's look to the left for its match.

function x_of(position) { return 64 + 22 * position }
function y_of(l) { return 52 + 26 * (highest - l) }

BEGIN {
    n = 32
    tile = 8
    sequence_make(n, 52, 101)
    sequence_match(n)
    highest = lowest = 0
    for (i = 0; i <= n; i++) {
        highest = level[i] > highest ? level[i] : highest
        lowest = level[i] < lowest ? level[i] : lowest
    }
    bottom = y_of(lowest) + 28
    svg_begin(x_of(n) + 20, bottom + 78, "The level of a sequence; each element finds its match straight to the left")

    for (t = 0; t * tile < n; t++) {
        svg_box(x_of(t * tile), 28, 22 * tile, bottom - 20, t % 2 ? "#ffffff" : pale, "none")
        svg_text(x_of(t * tile) + 11 * tile, 20, "middle", grey, "tile " t)
    }
    for (l = lowest; l <= highest; l++) {
        svg_line(x_of(0), y_of(l), x_of(n), y_of(l), rule, 0.5)
        svg_text(x_of(0) - 30, y_of(l) + 4, "end", grey, l)
    }
    for (t = 0; t * tile < n; t++) {
        least = level_least(t * tile, (t + 1) * tile)
        svg_line(x_of(t * tile) + 2, y_of(least) + 4, x_of((t + 1) * tile) - 2, y_of(least) + 4, red, 3)
    }

    # An open is a rising step; those who find it are on one line, which begins in its middle.
    for (j = -1; j < n; j++) {
        for (i = n - 1; i > j && match_of[i] != j; i--)
            continue
        if (j >= 0 && i > j)
            svg_line(x_of(j) + 11, y_of(level[j]) - 13, x_of(i), y_of(level[j]) - 13, blue, 1)
    }
    for (i = 0; i < n; i++) {
        y = y_of(level[i]) + 13
        if (match_of[i] < 0)
            svg_line(x_of(0) - 16, y, x_of(i), y, grey, 1)
        svg_line(x_of(i), y_of(level[i]), x_of(i), y, match_of[i] < 0 ? grey : blue, 1)
        if (match_of[i] < 0)
            svg_head(x_of(0) - 20, y, "left", grey)
        else
            svg_head(x_of(match_of[i]) + 11, y, "left", blue)
    }
    steps = x_of(0) " " y_of(level[0])
    for (i = 1; i <= n; i++)
        steps = steps " " x_of(i) " " y_of(level[i])
    svg_path(steps, "none", ink, 2)
    for (i = 0; i < n; i++)
        svg_dot(x_of(i), y_of(level[i]), 3, match_of[i] < 0 ? grey : blue)

    svg_text(x_of(0) - 6, bottom + 26, "end", grey, "i")
    svg_text(x_of(0) - 6, bottom + 44, "end", grey, "element")
    svg_text(x_of(0) - 6, bottom + 64, "end", blue, "match")
    for (i = 0; i < n; i++) {
        svg_text(x_of(i) + 11, bottom + 26, "middle", grey, i)
        svg_code(x_of(i) + 11, bottom + 44, "middle", ink, open[i] ? "(" : ")")
        svg_text(x_of(i) + 11, bottom + 64, "middle", match_of[i] < 0 ? grey : blue, match_of[i] < 0 ? "-" : match_of[i])
    }
    svg_end()
}
