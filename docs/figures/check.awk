# SPDX-License-Identifier: Apache-2.0
# What the program prints, as a terminal shows it: check.txt, its command in the first line.

{ line[NR] = $0 }

END {
    svg_begin(620, 24 + 18 * NR, "parenmatch check reports brackets that do not match")
    svg_box(0, 0, 620, 24 + 18 * NR, ink, "none")
    for (i = 1; i <= NR; i++) {
        colour = line[i] ~ /^\$/ ? "#ffffff" : line[i] ~ /error:/ ? "#ff9d80" : line[i] ~ /note:/ ? "#8fc7ff" : line[i] ~ /\^$/ ? "#7ddba3" : rule
        printf "<text xml:space=\"preserve\" x=\"14\" y=\"%d\" fill=\"%s\" font-family=\"monospace\">%s</text>\n", 7 + 18 * i, colour,
            svg_escape(line[i])
    }
    svg_end()
}
