# SPDX-License-Identifier: Apache-2.0
# SVG, one element a line. Coordinates are pixels; numbers are whole or halves, so that every awk writes the same.

BEGIN {
    ink = "#222222"; grey = "#767676"; mid = "#8a9097"; pale = "#f0f2f4"; rule = "#c8ccd0"
    blue = "#0b63a5"; red = "#c2410c"; green = "#0a7d5a"; violet = "#7a3e9d"
    pale_blue = "#d6e6f4"; pale_red = "#fbe0d2"; pale_green = "#d3eee4"; pale_violet = "#eadcf2"
}

function svg_escape(s) {
    gsub(/&/, "\\&amp;", s)
    gsub(/</, "\\&lt;", s)
    gsub(/>/, "\\&gt;", s)
    return s
}

function svg_begin(width, height, title) {
    printf "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %s %s\" width=\"%s\" height=\"%s\" " \
           "font-family=\"sans-serif\" font-size=\"12\" fill=\"%s\">\n", width, height, width, height, ink
    printf "<title>%s</title>\n", svg_escape(title)
    svg_box(0, 0, width, height, "#ffffff", "none")
}

function svg_end() {
    print "</svg>"
}

function svg_box(x, y, width, height, fill, stroke) {
    printf "<rect x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\" fill=\"%s\" stroke=\"%s\"/>\n", x, y, width, height, fill, stroke
}

function svg_line(x1, y1, x2, y2, stroke, width) {
    printf "<path d=\"M%s %sL%s %s\" stroke=\"%s\" stroke-width=\"%s\"/>\n", x1, y1, x2, y2, stroke, width
}

# points: "x y x y ..."
function svg_path(points, fill, stroke, width) {
    printf "<path d=\"M%s\" fill=\"%s\" stroke=\"%s\" stroke-width=\"%s\" stroke-linejoin=\"round\"/>\n", points, fill, stroke, width
}

function svg_dot(x, y, radius, fill) {
    printf "<circle cx=\"%s\" cy=\"%s\" r=\"%s\" fill=\"%s\"/>\n", x, y, radius, fill
}

# anchor: start, middle, end
function svg_text(x, y, anchor, fill, s) {
    printf "<text x=\"%s\" y=\"%s\" text-anchor=\"%s\" fill=\"%s\">%s</text>\n", x, y, anchor, fill, svg_escape(s)
}

function svg_bold(x, y, anchor, fill, s) {
    printf "<text x=\"%s\" y=\"%s\" text-anchor=\"%s\" fill=\"%s\" font-weight=\"bold\">%s</text>\n", x, y, anchor, fill, svg_escape(s)
}

function svg_code(x, y, anchor, fill, s) {
    printf "<text x=\"%s\" y=\"%s\" text-anchor=\"%s\" fill=\"%s\" font-family=\"monospace\">%s</text>\n", x, y, anchor, fill, svg_escape(s)
}

# A head that points left, right or up at (x, y).
function svg_head(x, y, way, fill) {
    if (way == "left")
        svg_path(x " " y " " x + 7 " " y - 4 " " x + 7 " " y + 4 "Z", fill, "none", 0)
    else if (way == "right")
        svg_path(x " " y " " x - 7 " " y - 4 " " x - 7 " " y + 4 "Z", fill, "none", 0)
    else
        svg_path(x " " y " " x - 4 " " y + 7 " " x + 4 " " y + 7 "Z", fill, "none", 0)
}
