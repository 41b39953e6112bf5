# SPDX-License-Identifier: Apache-2.0
# What scripts that draw results share: the fields of a line of JSON, lists without repetition, and panels.
function text(field) {
    return match($0, "\"" field "\":\"[^\"]*\"") ? substr($0, RSTART + length(field) + 4, RLENGTH - length(field) - 5) : ""
}
function number(field) {
    return match($0, "\"" field "\":[-+.e0-9]+") ? substr($0, RSTART + length(field) + 3, RLENGTH - length(field) - 3) + 0 : 0
}
function remember(list, count, item,    i) {
    for (i = 1; i <= count; i++) if (list[i] == item) return count
    list[count + 1] = item
    return count + 1
}
function sort_numbers(list, count,    i, j, t) { # by insertion
    for (i = 2; i <= count; i++)
        for (j = i; j > 1 && list[j] < list[j - 1]; j--) { t = list[j]; list[j] = list[j - 1]; list[j - 1] = t }
}
# Begins a drawing of ns per element against n: so many panels side by side, and one more for the key.
function panels_begin(output, panels,    columns, rows) {
    columns = panels < 3 ? panels + 1 : 4
    rows = int((panels + columns) / columns)
    print "reset; set terminal svg size " 320 * columns "," 280 * rows " dynamic background \"white\""
    print "set output \"" output "\""
    print "set multiplot layout " rows "," columns
    print "set logscale x 2; set logscale y; set xtics 1, 16; set mytics 1; set format x \"2^{%L}\"; set grid; unset key"
    print "set xlabel \"n\"; set ylabel \"ns per element\"; set offsets graph 0.05, graph 0.05"
}
# Ends it with the key: a panel of the last one's curves, which are of data blocks $NAME, without a point.
function panels_end(plot) {
    print "unset border; unset tics; unset xlabel; unset ylabel; unset title; unset grid; set key center"
    gsub(/\$[a-z][0-9]+ using 1:2/, "NaN", plot)
    print "plot " plot
    print "unset multiplot"
}
