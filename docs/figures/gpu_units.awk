# SPDX-License-Identifier: Apache-2.0
# Node, superblock, tile, word, element: 32 of each make one of the one before, and what is kept for each.

function x_of(cell) { return 128 + 15 * cell }
function y_of(row) { return 22 + 74 * row }

# A row of 32 cells; cell `zoom` is drawn large as the next row.
function row_draw(row, zoom, name, size, kept, kept_too, fill,    cell) {
    svg_bold(16, y_of(row) + 12, "start", ink, name)
    svg_text(16, y_of(row) + 28, "start", grey, size)
    for (cell = 0; cell < 32; cell++)
        svg_box(x_of(cell), y_of(row), 15, 22, cell == zoom ? fill : pale, "#ffffff")
    svg_text(x_of(32) + 16, y_of(row) + 8, "start", ink, kept)
    svg_text(x_of(32) + 16, y_of(row) + 24, "start", ink, kept_too)
    if (zoom >= 0)
        svg_path(x_of(zoom) " " y_of(row) + 22 " " x_of(0) " " y_of(row + 1) " " x_of(32) " " y_of(row + 1) " " x_of(zoom + 1) " " y_of(row) + 22 "Z", fill, "none", 0)
}

BEGIN {
    element = 6
    svg_begin(x_of(32) + 262, y_of(3) + 76, "The units of the pipeline wide, and what is kept for each")
    row_draw(0, 21, "node", "2^20 elements", "4 bytes: least level (tree, higher levels)", "", pale_violet)
    row_draw(1, 9, "superblock", "32768", "4: least level (tree, lowest level)", "4: level at its start;  8: its sum", pale_red)
    row_draw(2, 17, "tile", "1024", "8: its start's level, least level, lowest", "survivor, run flag;  128: all survivors", pale_green)
    row_draw(3, -1, "word", "32", "64 in the workgroup: 16 masks by key", "8 there: its elements, its start's level", "none")
    svg_box(x_of(element), y_of(3), 15, 36, pale_blue, "none")
    sequence_make(32, 52, 101)
    for (i = 0; i < 32; i++)
        svg_code(x_of(i) + 7.5, y_of(3) + 15, "middle", ink, open[i] ? "(" : ")")
    svg_bold(16, y_of(3) + 54, "start", ink, "element")
    svg_text(x_of(element), y_of(3) + 54, "start", ink, "1 bit is read, twice; 4 bytes are written")
    svg_end()
}
