#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# plots_gpu.sh PREFIX FILE.tsv...: draws what pm_bench_gpu printed, with gnuplot. Of equal cases the last one counts.
#   PREFIX-pipelines.svg  microseconds against n, family bits: each pipeline, all passes, and the floor
#   PREFIX-passes.svg     the passes of `levels` by family, stacked, for 2^28 elements: time over that of the floor
. "$(dirname "$0")/plot_begin.sh"

zcat -f "$@" | awk -F '\t' -v prefix="$prefix" "$fields"'
    $NF != "verified" { next }
    $2 == "bits" {
        pipelines = remember(pipeline, pipelines, $1)
        sizes = remember(size, sizes, $3)
        all[$1, $3] = $7
        floor[$3] = $8
    }
    ($1 == "levels" || $1 == "wide") && $3 == 2 ^ 28 {
        families = remember(family, families, $2)
        reduce[$2] = $4 / $8; scan[$2] = $5 / $8; match_[$2] = $6 / $8
    }
    END {
        sort_numbers(size, sizes)
        print "set terminal svg size 760,440 dynamic background \"white\"; set grid; set key outside right"
        print "set output \"" prefix "-pipelines.svg\"; set logscale x 2; set logscale y; set xtics 1, 4; set format x \"2^{%L}\""
        print "set xlabel \"n\"; set ylabel \"microseconds, data on the device\""
        plot = "plot \"-\" title \"floor: writing the match\" with lines lw 2 lc rgb \"black\""
        for (s = 1; s <= sizes; s++) data = data size[s] " " floor[size[s]] "\n"
        data = data "e\n"
        for (p = 1; p <= pipelines; p++) {
            plot = plot ", \"-\" title \"" pipeline[p] "\" with linespoints ps .6"
            for (s = 1; s <= sizes; s++)
                if ((pipeline[p], size[s]) in all) data = data size[s] " " all[pipeline[p], size[s]] "\n"
            data = data "e\n"
        }
        printf "%s\n%s", plot, data
        print "unset logscale; set output \"" prefix "-passes.svg\"; set format x \"%g\"; set xlabel \"\"; set yrange [0:*]"
        print "set ylabel \"time / that of writing the match\"; set xtics rotate by -40 1; set style data histograms"
        print "set style histogram rowstacked; set style fill solid .8; set boxwidth .7"
        print "plot \"-\" using 2:xtic(1) title \"reduce\", \"-\" using 2 title \"scan\", \"-\" using 2 title \"match\", 1 title \"floor\" lw 2 lc rgb \"black\""
        for (f = 1; f <= families; f++) print family[f], reduce[family[f]]
        print "e"
        for (f = 1; f <= families; f++) print family[f], scan[family[f]]
        print "e"
        for (f = 1; f <= families; f++) print family[f], match_[family[f]]
        print "e"
    }' >"$commands"
gnuplot "$commands"
echo "$prefix-pipelines.svg"
echo "$prefix-passes.svg"
