#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# plots_crossover.sh PREFIX FILE.jsonl...: draws what pm_bench --suite crossover printed, with gnuplot. Of equal cases the
# last one counts.
#   PREFIX-host.svg    data in host memory: ns per element against n for each backend, with the floor, and circles around
#                      what pm_match_auto() took; a panel for each family
#   PREFIX-device.svg  data on the device: the same of its pipelines; circles around those that are chosen
. "$(dirname "$0")/plot_begin.sh"

zcat -f "$@" | awk -v prefix="$prefix" "$fields"'
    function with_threads(name) {
        return name (number("threads") > 1 ? " x" number("threads") : "")
    }
    # A point of a series at a place.
    function add(place, name, value) {
        places[place] = 1
        kinds[place] = remember_at(place, "kind", kinds[place], text("kind"))
        sizes[place] = remember_at(place, "size", sizes[place], number("n"))
        names[place] = remember_at(place, "name", names[place], name)
        ns[place, text("kind"), name, number("n")] = value
    }
    function remember_at(place, what, count, item,    i) {
        for (i = 1; i <= count; i++) if (list[place, what, i] == item) return count
        list[place, what, count + 1] = item
        return count + 1
    }
    text("suite") == "crossover" && text("backend") != "choosing" && number("n") > 0 {
        backend = text("backend")
        place = sub(/^device\//, "", backend) ? "device" : "host"
        if (place == "device") add(place, "floor: write", number("floor_ns"))
        if (backend == "auto") add(place, with_threads("floor: store"), number("floor_ns")) # by as many threads as it has
        if (backend != "auto") add(place, with_threads(backend), number("ns_per_element"))
    }
    text("suite") == "regret" && number("n") > 0 {
        add(text("place"), with_threads("chosen"), number("chosen_ns") / number("n"))
    }
    function style(name,    color) {
        if (name ~ /^floor/) return "lines lw 2 dt " (name ~ /x/ ? 2 : 1) " lc rgb \"black\""
        if (name ~ /^chosen/) return "points pt 6 ps 1.2 lw 1.2 lc rgb \"red\""
        if (!(name in colors)) colors[name] = ++colored
        return "linespoints ps .6 pt " 4 + colors[name] " lc " colors[name]
    }
    function draw(place,    i, k, s, size, plot, name, points) {
        for (i = 1; i <= sizes[place]; i++) size[i] = list[place, "size", i]
        sort_numbers(size, sizes[place])
        panels_begin(prefix "-" place ".svg", kinds[place])
        for (k = 1; k <= kinds[place]; k++) {
            plot = ""
            for (i = 1; i <= names[place]; i++) {
                name = list[place, "name", i]
                print "$p" i " << END"
                points = 0
                for (s = 1; s <= sizes[place]; s++)
                    if ((place, list[place, "kind", k], name, size[s]) in ns) {
                        print size[s], ns[place, list[place, "kind", k], name, size[s]]
                        points++
                    }
                if (!points) print "NaN NaN"
                print "END"
                plot = plot (plot ? ", " : "") "$p" i " using 1:2 with " style(name) " title \"" name "\" noenhanced"
            }
            print "set title \"" list[place, "kind", k] "\" noenhanced"
            print "plot " plot
        }
        print "set xrange [1:2]; set yrange [1:2]"
        panels_end(plot)
    }
    END {
        if (!("host" in places)) { print "plots_crossover.sh: no lines of the suite crossover" > "/dev/stderr"; exit 1 }
        draw("host")
        if ("device" in places) draw("device")
    }' >"$commands"
gnuplot "$commands"
grep -o '"[^"]*\.svg"' "$commands" | tr -d '"'
