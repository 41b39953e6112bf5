#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# plots.sh PREFIX FILE.jsonl...: draws what pm_bench printed, with gnuplot, from the lines of the suite match (and, where
# they are among the files, memset and copy of the suite floor). Of equal cases the last one counts.
#   PREFIX-ns.svg     ns per element against n for each backend, with the floor; a panel for each family
#   PREFIX-share.svg  the floor's time / the backend's, by family, at the largest n
. "$(dirname "$0")/plot_begin.sh"

zcat -f "$@" | awk -v prefix="$prefix" "$fields"'
    # The backend, with its instruction set and threads where they distinguish it.
    function series_of_line(  name) {
        name = text("backend")
        if (text("simd") != "none") name = name " " text("simd")
        if (number("threads") > 1) name = name " x" number("threads")
        return name
    }
    text("suite") == "floor" && text("backend") ~ /^(memset|copy)$/ {
        floors = remember(floor, floors, series_of_line())
        floor_threads[series_of_line()] = number("threads")
        plain[series_of_line(), number("n")] = number("ns_per_element")
        sizes = remember(size, sizes, number("n"))
    }
    text("suite") == "match" {
        kinds = remember(kind, kinds, text("kind"))
        sizes = remember(size, sizes, number("n"))
        names = remember(series, names, series_of_line())
        key = text("kind") SUBSEP series_of_line() SUBSEP number("n")
        ns[key] = number("ns_per_element")
        share[key] = number("share")
        matched_with[number("threads")] = 1
        store_name = "store" (number("threads") > 1 ? " x" number("threads") : "")
        stores = remember(store, stores, store_name)
        store_ns[text("kind"), store_name, number("n")] = number("floor_ns")
        if (number("n") > largest) largest = number("n")
    }
    # A data block "n ns" of one line of a panel; the values are those of table[before, n].
    function block(name, table, before,  s, rows) {
        print "$" name " << END"
        for (s = 1; s <= sizes; s++)
            if ((before, size[s]) in table) { print size[s], table[before, size[s]]; rows++ }
        if (!rows) print "NaN NaN"
        print "END"
    }
    function curve(name, title, style) {
        return "$" name " using 1:2 with " style " title \"" title "\" noenhanced"
    }
    END {
        if (kinds == 0) { print "plots.sh: no lines of the suite match" > "/dev/stderr"; exit 1 }
        sort_numbers(size, sizes)
        panels_begin(prefix "-ns.svg", kinds)
        print "set yrange [0.01:20]"
        for (k = 1; k <= kinds; k++) {
            plot = ""
            for (b = 1; b <= names; b++) {
                block("b" b, ns, kind[k] SUBSEP series[b])
                plot = plot (plot ? ", " : "") curve("b" b, series[b], "linespoints pt " b + 3 " lc " b)
            }
            for (f = 1; f <= stores; f++) {
                block("s" f, store_ns, kind[k] SUBSEP store[f])
                plot = plot ", " curve("s" f, "floor: " store[f], "lines lw 2 dt " f " lc rgb \"black\"")
            }
            for (f = 1; f <= floors; f++) {
                if (!(floor_threads[floor[f]] in matched_with)) continue
                block("f" f, plain, floor[f])
                plot = plot ", " curve("f" f, floor[f], "lines dt " f + 1 " lc rgb \"gray40\"")
            }
            print "set title \"" kind[k] "\" noenhanced"
            print "plot " plot
        }
        panels_end(plot)

        print "reset"
        print "set terminal svg size 900,420 dynamic background \"white\""
        print "set output \"" prefix "-share.svg\""
        for (b = 1; b <= names; b++) # that were measured at this n
            for (k = 1; k <= kinds; k++)
                if ((kind[k], series[b], largest) in share) bars = remember(bar, bars, b)
        print "$share << END"
        for (k = 1; k <= kinds; k++) {
            printf "\"%s\"", kind[k]
            for (b = 1; b <= bars; b++) {
                key = kind[k] SUBSEP series[bar[b]] SUBSEP largest
                printf " %s", key in share ? share[key] : "NaN"
            }
            print ""
        }
        print "END"
        print "set style data histogram; set style histogram clustered gap 1; set style fill solid 0.8"
        print "set grid y; set yrange [0:*]; set xtics rotate by -30 noenhanced; set key top right outside"
        print "set ylabel \"floor / backend\"; set title \"share of the floor, n = " sprintf("%d", largest) "\""
        plot = ""
        for (b = 1; b <= bars; b++)
            plot = plot (plot ? ", " : "") "$share using " b + 1 (b == 1 ? ":xtic(1)" : "") " title \"" series[bar[b]] "\" noenhanced lc " bar[b]
        print "plot " plot
    }' >"$commands"
gnuplot "$commands"
echo "$prefix-ns.svg"
echo "$prefix-share.svg"
