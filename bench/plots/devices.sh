#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# scaling_devices.sh PREFIX FILE.tsv...: fits the cost model of docs/results/matching.md, "Several GPUs", to what
# pm_bench_devices printed of family=bits, and prints it in Markdown, least times beside the model's. Draws, with gnuplot,
#   PREFIX-devices.svg  how many times as fast as one device several are, measured (points) and by the model (lines)
# What one device takes gives the call's constant and the time of an element, by the shortest and the longest sequence; the
# median of what several take longer than their share gives what they cost, fitted over their number.
. "$(dirname "$0")/plot_begin.sh"

zcat -f "$@" | LC_ALL=C awk -F '\t' -v prefix="$prefix" -v commands="$commands" '
    function model(d, n) { return constant + each * n / d + (d > 1 ? submit * (d - 1) + again : 0) }
    function insert(list, count, x,    i) { # into a sorted list; of text, where awk is to keep all digits
        for (i = count; i > 0 && list[i] + 0 > x + 0; i--) list[i + 1] = list[i]
        list[i + 1] = x
        return count + 1
    }
    function median(list, count) { return (list[int((count + 1) / 2)] + list[int(count / 2) + 1]) / 2 }

    $NF != "verified" || $2 != "bits" || $1 !~ /^[0-9]+$/ { next }
    {
        if (!(($1, $3) in least) || $5 < least[$1, $3]) least[$1, $3] = $5 + 0
        if (!($1 in seen_devices)) { seen_devices[$1] = 1; devices = insert(device, devices, $1) }
        if (!($3 in seen_sizes)) { seen_sizes[$3] = 1; sizes = insert(size, sizes, $3) }
    }
    END {
        for (s = 1; s <= sizes; s++)
            if ((1, size[s]) in least) { last = size[s]; if (!first) first = last }
        if (first == last) { print "scaling_devices.sh: no lines of one device and two sizes" > "/dev/stderr"; exit 1 }
        each = (least[1, last] - least[1, first]) / (last - first)
        constant = least[1, first] - each * first
        for (k = 1; k <= devices; k++) {
            d = device[k]
            if (d == 1) continue
            split("", longer); count = 0
            for (s = 1; s <= sizes; s++)
                if ((d, size[s]) in least) count = insert(longer, count, least[d, size[s]] - constant - each * size[s] / d)
            points++; y = median(longer, count); x = d - 1
            sum_x += x; sum_y += y; sum_xx += x * x; sum_xy += x * y
        }
        if (points > 1) submit = (points * sum_xy - sum_x * sum_y) / (points * sum_xx - sum_x * sum_x)
        if (points) again = (sum_y - submit * sum_x) / points

        print "| figure | |\n|---|---|"
        printf "| a call, µs | %.0f |\n| an element, ps | %.3f |\n", constant, each * 1e6
        printf "| each further device, µs | %.0f |\n| the exchange, and matching again, µs | %.0f |\n\n", submit, again
        row = "| devices |"; rule = "|---|"
        for (s = 1; s <= sizes; s++) { row = row sprintf(" 2^%.0f, µs | model | times one |", log(size[s]) / log(2)); rule = rule "---|---|---|" }
        print row "\n" rule
        for (k = 1; k <= devices; k++) {
            row = "| " device[k] " |"
            for (s = 1; s <= sizes; s++) {
                t = least[device[k], size[s]]
                row = row (t ? sprintf(" %.0f | %.0f | %.2f |", t, model(device[k], size[s]), least[1, size[s]] / t) : " | | |")
            }
            print row
        }

        out = "set terminal svg size 640,400 dynamic background \"white\"; set output \"" prefix "-devices.svg\"\n"
        out = out "set grid; set key top left; set logscale x 2; set format x \"2^{%L}\"; set xtics 4; set yrange [0:*]\n"
        out = out "set xlabel \"n\"; set ylabel \"times as fast as one device\"; set samples 200\n"
        out = out sprintf("one(n) = %.9g + %.9g * n\n", constant, each)
        for (k = 1; k <= devices; k++) {
            d = device[k]
            if (d == 1) continue
            out = out "$p" d " << END\n"
            for (s = 1; s <= sizes; s++)
                if ((d, size[s]) in least) out = out size[s] " " least[1, size[s]] / least[d, size[s]] "\n"
            out = out "END\n"
            plot = plot (plot ? ", " : "plot [2**24:2**34] ") sprintf("one(x) / (%.9g + %.9g * x) lc %d title \"%d devices\"", constant + submit * (d - 1) + again, each / d, k, d)
            plot = plot ", $p" d " with points pt 7 lc " k " notitle"
        }
        printf "%s%s\n", out, plot > commands
    }'
gnuplot "$commands"
echo
echo "$prefix-devices.svg"
