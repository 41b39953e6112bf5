# SPDX-License-Identifier: Apache-2.0
# What each stage of the pipeline wide reads and writes.

function x_of(stage) { return 268 + 150 * stage }
function y_of(row) { return 62 + 30 * row }

# uses: of each stage, "r" reads, "w" writes, "." neither.
function datum(row, name, bytes, uses, colour,    stage, from, use) {
    svg_text(16, y_of(row) + 4, "start", ink, name)
    svg_text(196, y_of(row) + 4, "end", grey, bytes)
    from = index(uses, "w") - 1
    if (from < 0)
        svg_line(206, y_of(row), x_of(2), y_of(row), colour, 2)
    else
        svg_line(x_of(from), y_of(row), from == 2 ? 640 : x_of(match(uses, /r[^r]*$/) - 1), y_of(row), colour, 2)
    for (stage = 0; stage < 3; stage++) {
        use = substr(uses, stage + 1, 1)
        if (use != ".")
            svg_dot(x_of(stage), y_of(row), 7, colour)
        if (use == "r")
            svg_dot(x_of(stage), y_of(row), 4.5, "#ffffff")
    }
}

function stage_draw(stage, name, does, fill) {
    svg_box(x_of(stage) - 56, 12, 112, y_of(last_row) + 14, fill, "none")
    svg_bold(x_of(stage), 30, "middle", ink, name)
    svg_text(x_of(stage), y_of(last_row) + 44, "middle", grey, does)
}

BEGIN {
    last_row = 6
    svg_begin(656, y_of(last_row) + 82, "What each stage of the pipeline wide reads and writes")
    svg_text(196, 30, "end", grey, "bytes a superblock")
    stage_draw(0, "reduce", "8 lanes a tile", pale_red)
    stage_draw(1, "scan", "one workgroup", pale_violet)
    stage_draw(2, "match", "32 lanes a tile", pale_green)
    datum(0, "sequence", 32768 / 8, "r.r", ink)
    datum(1, "survivors", 32768 / 8, "w.r", red)
    datum(2, "tiles' records", 32 * 8, "w.r", red)
    datum(3, "superblocks' sums", 8, "wr.", red)
    datum(4, "their starts' levels", 4, ".wr", violet)
    datum(5, "tree of least levels", "4.13", ".wr", violet)
    datum(6, "match", 32768 * 4, "..w", green)
    svg_head(642, y_of(6), "right", green)
    svg_dot(22, y_of(last_row) + 66, 7, grey)
    svg_text(36, y_of(last_row) + 70, "start", grey, "writes")
    svg_dot(92, y_of(last_row) + 66, 7, grey)
    svg_dot(92, y_of(last_row) + 66, 4.5, "#ffffff")
    svg_text(106, y_of(last_row) + 70, "start", grey, "reads")
    svg_end()
}
