#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Draws what the benchmarks printed, with gnuplot, and prints tables in Markdown. Files may be compressed. Of equal cases
# the last one counts.
#   plot.sh match PREFIX FILE.jsonl...      pm_bench --suite match (and, if there, memset and copy of the suite floor)
#     PREFIX-ns.svg        ns per element against n for each backend, with the floor; a panel for each family
#     PREFIX-share.svg     the floor's time / the backend's, by family, at the largest n
#   plot.sh crossover PREFIX FILE.jsonl...  pm_bench --suite crossover
#     PREFIX-host.svg      ns per element against n for each backend, with the floor, data in host memory; a panel for
#                          each family; circles around what pm_match_auto() took
#     PREFIX-device.svg    ns per element of pipelines, data on the device; circles around those that are chosen
#   plot.sh bp FILE.jsonl...                pm_bench --suite bp: the tables of docs/results/queries.md, nanoseconds a
#                                           query by the sequence's length, the smallest median of the runs
#   plot.sh gpu PREFIX FILE.tsv...          pm_bench_gpu --suite match
#     PREFIX-pipelines.svg microseconds against n, family bits: each pipeline, all passes, and the floor
#     PREFIX-passes.svg    the passes of `levels` by family, stacked, for 2^28 elements: time / the floor's time
#   plot.sh devices PREFIX FILE.tsv...      pm_bench_gpu --suite resident, family bits: the cost model of
#                                           docs/results/matching.md, "Several GPUs", and its tables
#     PREFIX-devices.svg   speedup over one device, measured (points) and by the model (lines)
#   plot.sh mpi PREFIX FILE.jsonl...        pm_bench_mpi: the cost model of docs/results/mpi.md, and its tables
#     PREFIX-scaling.svg   efficiency as measured, and times for 10^13 elements as predicted
#                          The assumed network: $LATENCY seconds a message (2e-6), $BANDWIDTH bytes a second (12.5e9).
#                          With $RUN=last times are of the last run alone; any run with two sizes shows how traffic
#                          grows with a slice. Fitted to at most $RANKS ranks (as many as have a core each).
# shellcheck disable=SC2016 # programs of awk
set -eu

# ---- What all drawings share ----

# The fields of a line of JSON; lists without repetition, item[LIST, 1 ... count[LIST]]; medians; commands for gnuplot.
shared='
function text(field) {
    return match($0, "\"" field "\":\"[^\"]*\"") ? substr($0, RSTART + length(field) + 4, RLENGTH - length(field) - 5) : ""
}
function number(field) {
    return match($0, "\"" field "\":[-+.e0-9]+") ? substr($0, RSTART + length(field) + 3, RLENGTH - length(field) - 3) + 0 : 0
}
function log2(x) { return log(x) / log(2) }
function less_of(a, b) { return a == "" || b < a ? b : a }
function more_of(a, b) { return a > b ? a : b }
function remember(list, what,    i) {
    for (i = 1; i <= count[list]; i++) if (item[list, i] == what) return
    item[list, ++count[list]] = what
}
function sort_list(list,    i, j, t) { # by insertion; numbers stay as they were written
    for (i = 2; i <= count[list]; i++)
        for (j = i; j > 1 && item[list, j] + 0 < item[list, j - 1] + 0; j--) {
            t = item[list, j]; item[list, j] = item[list, j - 1]; item[list, j - 1] = t
        }
}
function add(list, value) { item[list, ++count[list]] = value }
function median(list,    c) { # 0 of an empty list, which it leaves
    c = count[list]
    sort_list(list)
    count[list] = 0
    return c ? (item[list, int((c + 1) / 2)] + item[list, int(c / 2) + 1]) / 2 : 0
}
function g(line) { print line > commands }
function svg_begin(name, width, height) {
    g("reset; set terminal svg size " width "," height " dynamic background \"white\"")
    g("set output \"" prefix "-" name ".svg\"")
}
# A data block of gnuplot, row by row, or table[before, n] for each n of a list; and its curve.
function block_begin(name) { g("$" name " << END"); rows = 0 }
function row(x, y) { g(x " " y); rows++ }
function block_end() { if (!rows) g("NaN NaN"); g("END") }
function block(name, list, table, before,    i) {
    block_begin(name)
    for (i = 1; i <= count[list]; i++)
        if ((before, item[list, i]) in table) row(item[list, i], table[before, item[list, i]])
    block_end()
}
function curve(name, title, style) {
    return "$" name " using 1:2 with " style " title \"" title "\" noenhanced"
}
function join(plot, more) { return plot (plot ? ", " : "") more }
# ns per element against n: panels side by side, and one more for the key.
function panels_begin(name, panels,    columns, lines) {
    columns = panels < 3 ? panels + 1 : 4
    lines = int((panels + columns) / columns)
    svg_begin(name, 320 * columns, 280 * lines)
    g("set multiplot layout " lines "," columns)
    g("set logscale x 2; set logscale y; set xtics 1, 16; set mytics 1; set format x \"2^{%L}\"; set grid; unset key")
    g("set xlabel \"n\"; set ylabel \"ns per element\"; set offsets graph 0.05, graph 0.05")
}
function panel(title, plot) { g("set title \"" title "\" noenhanced"); g("plot " plot) }
# The key: a panel of the curves of `plot`, without a point.
function panels_end(plot) {
    g("unset border; unset tics; unset xlabel; unset ylabel; unset title; unset grid; set key center")
    gsub(/\$[a-z][0-9]+ using 1:2/, "NaN", plot)
    g("plot " plot)
    g("unset multiplot")
}
function fail(message) { print "plot.sh: " message > "/dev/stderr"; exit 1 }
# A row of Markdown, and the rule below a head.
function cells(line) { print "| " line " |" }
function head(line,    columns) {
    cells(line)
    columns = gsub(/ \| /, "", line) + 1
    for (line = "|"; columns > 0; columns--) line = line "---|"
    print line
}
'

# ---- pm_bench ----

match='
# The backend, with its instruction set and threads where they distinguish it.
function series_of_line(    name) {
    name = text("backend")
    if (text("simd") != "none") name = name " " text("simd")
    if (number("threads") > 1) name = name " x" number("threads")
    return name
}
text("suite") == "floor" && text("backend") ~ /^(memset|copy)$/ {
    remember("floor", series_of_line())
    floor_threads[series_of_line()] = number("threads")
    plain[series_of_line(), number("n")] = number("ns_per_element")
    remember("size", number("n"))
}
text("suite") == "match" {
    remember("kind", text("kind"))
    remember("size", number("n"))
    remember("series", series_of_line())
    key = text("kind") SUBSEP series_of_line() SUBSEP number("n")
    ns[key] = number("ns_per_element")
    share[key] = number("share")
    matched_with[number("threads")] = 1
    store = "store" (number("threads") > 1 ? " x" number("threads") : "")
    remember("store", store)
    store_ns[text("kind"), store, number("n")] = number("floor_ns")
    largest = more_of(largest, number("n"))
}
function draw_ns(    k, b, f, kind, name, plot) {
    panels_begin("ns", count["kind"])
    g("set yrange [0.01:20]")
    for (k = 1; k <= count["kind"]; k++) {
        kind = item["kind", k]
        plot = ""
        for (b = 1; b <= count["series"]; b++) {
            name = item["series", b]
            block("b" b, "size", ns, kind SUBSEP name)
            plot = join(plot, curve("b" b, name, "linespoints pt " b + 3 " lc " b))
        }
        for (f = 1; f <= count["store"]; f++) {
            name = item["store", f]
            block("s" f, "size", store_ns, kind SUBSEP name)
            plot = join(plot, curve("s" f, "floor: " name, "lines lw 2 dt " f " lc rgb \"black\""))
        }
        for (f = 1; f <= count["floor"]; f++) {
            name = item["floor", f]
            if (!(floor_threads[name] in matched_with)) continue
            block("f" f, "size", plain, name)
            plot = join(plot, curve("f" f, name, "lines dt " f + 1 " lc rgb \"gray40\""))
        }
        panel(kind, plot)
    }
    panels_end(plot)
}
function draw_share(    b, k, bars, key, line, plot, number_of) {
    svg_begin("share", 900, 420)
    for (b = 1; b <= count["series"]; b++) # those that were measured at this n
        for (k = 1; k <= count["kind"]; k++)
            if ((item["kind", k], item["series", b], largest) in share) remember("bar", b)
    bars = count["bar"]
    g("$share << END")
    for (k = 1; k <= count["kind"]; k++) {
        line = "\"" item["kind", k] "\""
        for (b = 1; b <= bars; b++) {
            key = item["kind", k] SUBSEP item["series", item["bar", b]] SUBSEP largest
            line = line " " (key in share ? share[key] : "NaN")
        }
        g(line)
    }
    g("END")
    g("set style data histogram; set style histogram clustered gap 1; set style fill solid 0.8")
    g("set grid y; set yrange [0:*]; set xtics rotate by -30 noenhanced; set key top right outside")
    g("set ylabel \"floor / backend\"; set title \"share of the floor, n = " sprintf("%d", largest) "\"")
    for (b = 1; b <= bars; b++) {
        number_of = item["bar", b]
        plot = join(plot, "$share using " b + 1 (b == 1 ? ":xtic(1)" : "") " title \"" item["series", number_of] "\" noenhanced lc " number_of)
    }
    g("plot " plot)
}
END {
    if (!count["kind"]) fail("no lines of the suite match")
    sort_list("size")
    draw_ns()
    draw_share()
}
'

crossover='
function with_threads(name) {
    return name (number("threads") > 1 ? " x" number("threads") : "")
}
# A point of a series at a place: host or device.
function point(place, name, value) {
    places[place] = 1
    remember(place "kind", text("kind"))
    remember(place "size", number("n"))
    remember(place "name", name)
    ns[place, text("kind"), name, number("n")] = value
}
text("suite") == "crossover" && text("backend") != "choosing" && number("n") > 0 {
    backend = text("backend")
    place = sub(/^device\//, "", backend) ? "device" : "host"
    if (place == "device") point(place, "floor: write", number("floor_ns"))
    if (backend == "auto") point(place, with_threads("floor: store"), number("floor_ns")) # with as many threads
    else point(place, with_threads(backend), number("ns_per_element"))
}
text("suite") == "regret" && number("n") > 0 {
    point(text("place"), with_threads("chosen"), number("chosen_ns") / number("n"))
}
function style(name) {
    if (name ~ /^floor/) return "lines lw 2 dt " (name ~ /x/ ? 2 : 1) " lc rgb \"black\""
    if (name ~ /^chosen/) return "points pt 6 ps 1.2 lw 1.2 lc rgb \"red\""
    if (!(name in colors)) colors[name] = ++colored
    return "linespoints ps .6 pt " 4 + colors[name] " lc " colors[name]
}
function draw(place,    i, k, kind, name, plot) {
    sort_list(place "size")
    panels_begin(place, count[place "kind"])
    for (k = 1; k <= count[place "kind"]; k++) {
        kind = item[place "kind", k]
        plot = ""
        for (i = 1; i <= count[place "name"]; i++) {
            name = item[place "name", i]
            block("p" i, place "size", ns, place SUBSEP kind SUBSEP name)
            plot = join(plot, curve("p" i, name, style(name)))
        }
        panel(kind, plot)
    }
    g("set xrange [1:2]; set yrange [1:2]")
    panels_end(plot)
}
END {
    if (!("host" in places)) fail("no lines of the suite crossover")
    draw("host")
    if ("device" in places) draw("device")
}
'

# A backend is QUERY/INDEX or QUERY/INDEX/WAY.
bp='
BEGIN {
    lengths = split("10 16 20 24 28", log_of_length, " ")
    for (i = 1; i <= lengths; i++) {
        length_at[2 ^ log_of_length[i]] = i
        columns = columns " | 2^" log_of_length[i]
    }
    # The order of rows: by index and way, then by instruction set.
    answerers = split("bp/ bp/many view/ pioneers/ sada/", answerer, " ")
    split("`pm_bp_...` `pm_bp_..._many` `bp_view.h` pioneers sdsl-lite", called, " ")
    simds = split("avx512-vbmi avx2 sse4 ssse3 neon portable native", simd, " ")
}
/^{"suite":"bp"/ && /"verified":true/ {
    parts = split(text("backend"), part, "/")
    twist = text("kind")
    sub(/twist:/, "", twist)
    way = parts == 3 ? part[3] : ""
    query = part[1] (way == "chain" ? " in a chain" : "")
    who = part[2] "/" (way == "chain" ? "" : way) "/" text("simd")
    cell = query SUBSEP twist SUBSEP who
    least[cell, length_at[number("length")]] = less_of(least[cell, length_at[number("length")]], number("median"))
    known[cell] = 1
}
function rows_of(query, first, twist,    a, s, i, cell, line) {
    for (a = 1; a <= answerers; a++)
        for (s = 1; s <= simds; s++) {
            cell = query SUBSEP twist SUBSEP answerer[a] "/" simd[s]
            if (!(cell in known)) continue
            line = "| " first " | " called[a] (simd[s] == "native" ? "" : ", " simd[s]) " |"
            for (i = 1; i <= lengths; i++)
                line = line ((cell, i) in least ? sprintf(" %.3g |", least[cell, i]) : " |")
            print line
            first = ""
        }
}
function by_twist(query,    twists, twist, t) {
    head(query ", twist | by" columns)
    twists = split("1 .75 .5 .25", twist, " ")
    for (t = 1; t <= twists; t++) rows_of(query, twist[t], twist[t])
    print ""
}
END {
    by_twist("find_close")
    by_twist("find_close in a chain")
    head("others, twist 1 | by" columns)
    queries = split("find_open enclose rank select excess", other, " ")
    for (q = 1; q <= queries; q++) rows_of(other[q], other[q], "1")
}
'

# ---- pm_bench_gpu ----

gpu='
$NF != "verified" { next }
$2 == "bits" {
    remember("pipeline", $1)
    remember("size", $3)
    all[$1, $3] = $7
    all["floor", $3] = $8
}
($1 == "levels" || $1 == "wide") && $3 == 2 ^ 28 {
    remember("family", $2)
    part[1, $2] = $4 / $8; part[2, $2] = $5 / $8; part[3, $2] = $6 / $8
}
END {
    sort_list("size")
    svg_begin("pipelines", 760, 440)
    g("set grid; set key outside right; set logscale x 2; set logscale y; set xtics 1, 4; set format x \"2^{%L}\"")
    g("set xlabel \"n\"; set ylabel \"microseconds, data on the device\"")
    block("floor", "size", all, "floor")
    plot = curve("floor", "floor: writing the match", "lines lw 2 lc rgb \"black\"")
    for (p = 1; p <= count["pipeline"]; p++) {
        name = item["pipeline", p]
        block("p" p, "size", all, name)
        plot = join(plot, curve("p" p, name, "linespoints ps .6"))
    }
    g("plot " plot)

    svg_begin("passes", 760, 440)
    g("set grid; set key outside right; set yrange [0:*]; set ylabel \"time / that of writing the match\"")
    g("set xtics rotate by -40 1; set style data histograms; set style histogram rowstacked")
    g("set style fill solid .8; set boxwidth .7")
    g("$passes << END")
    for (f = 1; f <= count["family"]; f++) {
        name = item["family", f]
        g(name " " part[1, name] " " part[2, name] " " part[3, name])
    }
    g("END")
    g("plot $passes using 2:xtic(1) title \"reduce\", $passes using 3 title \"scan\", $passes using 4 title \"match\", 1 title \"floor\" lw 2 lc rgb \"black\"")
}
'

# The time of one device gives the constant of a call and the time of an element, by the shortest and the longest
# sequence. What several take beyond their part of it, the median over lengths, is fitted over the number of devices.
devices='
function model(d, n) { return constant + each * n / d + (d > 1 ? submit * (d - 1) + again : 0) }
$NF != "verified" || $2 != "bits" || $1 !~ /^[0-9]+$/ { next }
{
    least[$1, $3] = less_of(least[$1, $3], $5 + 0)
    remember("device", $1)
    remember("size", $3)
}
END {
    sort_list("device")
    sort_list("size")
    devices = count["device"]
    sizes = count["size"]
    for (s = 1; s <= sizes; s++)
        if ((1, item["size", s]) in least) { last = item["size", s]; if (!first) first = last }
    if (first == last) fail("no lines of one device and two sizes")
    each = (least[1, last] - least[1, first]) / (last - first)
    constant = least[1, first] - each * first
    for (k = 1; k <= devices; k++) {
        d = item["device", k]
        if (d == 1) continue
        for (s = 1; s <= sizes; s++)
            if ((d, item["size", s]) in least)
                add("longer", least[d, item["size", s]] - constant - each * item["size", s] / d)
        points++; y = median("longer"); x = d - 1
        sum_x += x; sum_y += y; sum_xx += x * x; sum_xy += x * y
    }
    if (points > 1) submit = (points * sum_xy - sum_x * sum_y) / (points * sum_xx - sum_x * sum_x)
    if (points) again = (sum_y - submit * sum_x) / points

    print "| figure | |\n|---|---|"
    printf "| a call, µs | %.0f |\n| an element, ps | %.3f |\n", constant, each * 1e6
    printf "| each further device, µs | %.0f |\n| the exchange, and matching again, µs | %.0f |\n\n", submit, again
    line = "devices"
    for (s = 1; s <= sizes; s++) line = line sprintf(" | 2^%.0f, µs | model | times one", log2(item["size", s]))
    head(line)
    for (k = 1; k <= devices; k++) {
        d = item["device", k]
        line = "| " d " |"
        for (s = 1; s <= sizes; s++) {
            n = item["size", s]
            line = line ((d, n) in least ? sprintf(" %.0f | %.0f | %.2f |", least[d, n], model(d, n), least[1, n] / least[d, n]) : " | | |")
        }
        print line
    }
    print ""

    svg_begin("devices", 640, 400)
    g("set grid; set key top left; set logscale x 2; set format x \"2^{%L}\"; set xtics 4; set yrange [0:*]")
    g("set xlabel \"n\"; set ylabel \"times as fast as one device\"; set samples 200")
    g(sprintf("one(n) = %.9g + %.9g * n", constant, each))
    for (k = 1; k <= devices; k++) {
        d = item["device", k]
        if (d == 1) continue
        for (s = 1; s <= sizes; s++)
            if ((d, item["size", s]) in least) speedup[d, item["size", s]] = least[1, item["size", s]] / least[d, item["size", s]]
        block("p" d, "size", speedup, d)
        plot = join(plot, sprintf("one(x) / (%.9g + %.9g * x) lc %d title \"%d devices\"", constant + submit * (d - 1) + again, each / d, k, d))
        plot = join(plot, "$p" d " with points pt 7 lc " k " notitle")
    }
    g("plot [2**24:2**34] " plot)
}
'

# ---- pm_bench_mpi ----

mpi='
# Do its times count?
function timed(c) { return last != "last" || run_of[c] == run }

text("suite") == "run" {
    run++; cores = number("cores"); cpu = text("cpu"); load = number("load")
    if (last == "last") { split("", message); longest = most_ranks = 0 }
}
text("suite") != "mpi" { next }
text("backend") == "message" {
    message[number("bytes")] = less_of(message[number("bytes")], number("seconds"))
    longest = more_of(longest, number("bytes"))
}
text("backend") == "match" {
    c = ++cases
    kind[c] = text("kind"); ranks[c] = number("ranks"); n[c] = number("n"); each[c] = n[c] / ranks[c]
    seconds[c] = number("seconds"); least[c] = number("min"); floor_least[c] = number("floor_min")
    reduce[c] = number("reduce_seconds"); exchange[c] = number("exchange_seconds"); match_time[c] = number("match_seconds")
    received[c] = number("most_received")
    remember("kind", kind[c])
    most_ranks = more_of(most_ranks, ranks[c])
    run_of[c] = run; at[run, kind[c], ranks[c], n[c]] = c
}

# Bytes that the busiest rank receives, with that many elements a rank.
function far_bytes(k, elements) { return far_scale[k] * elements ^ far_power[k] }

# The model: seconds for that many elements a rank on r ranks.
function predicted(k, elements, r, alpha, beta,    bytes, time) {
    time = elements * (rho + mu[k])
    if (r < 2) return time
    bytes = far_bytes(k, elements)
    time += 2 * alpha * log2(r) + 24 * r / beta
    if (bytes > 0)
        time += (far_power[k] ? elements * rho : 0) + bytes * (gamma + 1 / beta) + alpha * (int(bytes / 65536) + 1)
    return time
}

# The first run with slices of two sizes shows how the traffic grows. Without any, a hundredth of a slice grows with it.
function fit_traffic(k,    u, c, large, small) {
    for (u = 1; u <= run; u++) {
        large = small = 0
        for (c = 1; c <= cases; c++) {
            if (run_of[c] != u || kind[c] != item["kind", k] || ranks[c] < 2) continue
            if (!large || each[c] > each[large]) large = c
            if (!small || each[c] < each[small]) small = c
        }
        if (large && each[large] > each[small]) break
    }
    far_power[k] = large && received[large] >= each[large] / 100
    if (large && received[large] > 0 && received[small] > 0 && each[large] > each[small]) {
        far_power[k] = log(received[large] / received[small]) / log(each[large] / each[small])
        if (far_power[k] < 0.25) far_power[k] = 0
        else if (far_power[k] < 0.75) far_power[k] = 0.5
        else far_power[k] = received[large] < each[large] / 100 ? 0.5 : 1 # so little is no part of the slice
    }
    far_scale[k] = 0
    for (c = 1; c <= cases; c++)
        if (kind[c] == item["kind", k] && timed(c) && ranks[c] > 1 && ranks[c] <= busy)
            far_scale[k] = more_of(far_scale[k], received[c] / each[c] ^ far_power[k])
}

# `busy` ranks are the most with a core each: the largest such number that was measured.
function fit(    c, k, b, full, weak, large_each) {
    full = most_ranks < cores ? most_ranks : cores
    if (fitted && fitted < full) full = fitted
    for (c = 1; c <= cases; c++) if (timed(c) && ranks[c] <= full) busy = more_of(busy, ranks[c])
    alpha = 1; for (b in message) if (message[b] < alpha) alpha = message[b]
    beta = longest && message[longest] > alpha ? longest / (message[longest] - alpha) : bandwidth
    if (!longest) alpha = latency

    for (c = 1; c <= cases; c++) if (timed(c) && ranks[c] <= busy) add("reduce", reduce[c] / each[c])
    rho = median("reduce")
    for (c = 1; c <= cases; c++) # the sizes of slices that were measured alone, too
        if (timed(c) && ranks[c] == busy && (run_of[c], kind[c], 1, each[c]) in at) weak[each[c]] = 1
    for (k = 1; k <= kinds; k++) {
        for (c = 1; c <= cases; c++)
            if (kind[c] == item["kind", k] && timed(c) && ranks[c] == busy && each[c] in weak && each[c] >= large_each[k]) {
                mu[k] = less_of(each[c] > large_each[k] ? "" : mu[k], match_time[c] / each[c])
                large_each[k] = each[c]
            }
        fit_traffic(k)
    }
    for (c = 1; c <= cases; c++)
        if (timed(c) && ranks[c] > 1 && ranks[c] <= busy && received[c] > 65536)
            add("exchange", more_of(0, (exchange[c] - each[c] * rho) / received[c] - 1 / beta))
    gamma = median("exchange")
}

function tables(    c, k, alone, one, many) {
    printf "%s, %d cores, load %s when it began. %d ranks at most; figures are of %d.\n\n", cpu, cores, load, most_ranks, busy
    print "| figure | |\n|---|---|"
    printf "| reduce, ns an element | %.4f |\n", rho * 1e9
    printf "| opens received, ns a byte, without the network | %.3f |\n", gamma * 1e9
    printf "| message, µs | %.2f |\n| bandwidth, GB/s | %.2f |\n\n", alpha * 1e6, beta / 1e9
    head("family | match, ns an element | bytes to the busiest rank, of n elements a rank")
    for (k = 1; k <= kinds; k++)
        cells(item["kind", k] " | " sprintf("%.3f | ", mu[k] * 1e9) (far_power[k] == 0 ? sprintf("%d", far_scale[k]) : sprintf("%.3f n%s", far_scale[k], far_power[k] == 1 ? "" : "^.5")))
    print ""
    head("family | ranks | elements a rank | ms, median | least | predicted | efficiency | of the store")
    for (c = 1; c <= cases; c++) {
        if (!timed(c) || !((run_of[c], kind[c], 1, each[c]) in at)) continue
        alone = at[run_of[c], kind[c], 1, each[c]]
        efficiency[c] = least[alone] / least[c]; floor_efficiency[c] = floor_least[alone] / floor_least[c]
        for (k = 1; item["kind", k] != kind[c]; k++) continue
        if (ranks[c] >= busy && ranks[c] <= cores || ranks[c] > 1 && fitted)
            cells(sprintf("%s | %d | %d | %.2f | %.2f | %.2f | %.2f | %.2f", kind[c], ranks[c], each[c], seconds[c] * 1e3, least[c] * 1e3, predicted(k, each[c], ranks[c], alpha, beta) * 1e3, efficiency[c], floor_efficiency[c]))
    }
    printf "\nPredicted for 10^13 elements, a network of %.1f µs and %.1f GB/s, every machine as busy as this one:\n\n", latency * 1e6, bandwidth / 1e9
    head("family | 1 rank, s | 1000 ranks, s | of it network and opens | efficiency | GB received by the busiest")
    for (k = 1; k <= kinds; k++) {
        one = predicted(k, 1e13, 1, latency, bandwidth); many = predicted(k, 1e10, 1000, latency, bandwidth)
        cells(sprintf("%s | %.0f | %.2f | %.3f | %.3f | %.4f", item["kind", k], one, many, many - 1e10 * (rho + mu[k]), one / 1000 / many, far_bytes(k, 1e10) / 1e9))
    }
    print ""
}

# A data block of one family, at the largest slices that all ranks had.
function family_block(name, which, table,    c) {
    block_begin(name)
    for (c = 1; c <= cases; c++)
        if (kind[c] == which && each[c] == plot_each && c in efficiency && run_of[c] == run) row(ranks[c], table[c])
    block_end()
    return rows
}

function draw(    c, k, r, plot) {
    for (c = 1; c <= cases; c++) if (timed(c) && ranks[c] == most_ranks && c in efficiency) plot_each = more_of(plot_each, each[c])
    svg_begin("scaling", 1000, 420)
    g("set multiplot layout 1,2\nset grid; set key bottom left\nset logscale x 2; set yrange [0:1.2]; set xlabel \"ranks\"")
    g("set ylabel \"efficiency\"; set title \"weak scaling, measured; cores: " cores "\"")
    for (k = 1; k <= kinds; k++)
        if (family_block("m" k, item["kind", k], efficiency))
            plot = join(plot, "$m" k " with linespoints lc " k " title \"" item["kind", k] "\" noenhanced")
    family_block("floor", item["kind", 1], floor_efficiency)
    g("plot " plot ", $floor with lines lw 2 dt 2 lc rgb \"black\" title \"the store\"")
    g("set logscale x 10; set logscale y; set yrange [*:*]; set key top right")
    g("set ylabel \"seconds\"; set title \"10^{13} elements, predicted\"")
    plot = ""
    for (k = 1; k <= kinds; k++) {
        block_begin("p" k)
        for (r = 1; r <= 10000; r *= 10 ^ .25) row(r, predicted(k, 1e13 / r, r, latency, bandwidth))
        block_end()
        plot = join(plot, "$p" k " with lines lc " k " title \"" item["kind", k] "\" noenhanced")
    }
    g("plot " plot "\nunset multiplot")
}

END {
    if (!cases) fail("no lines of pm_bench_mpi")
    kinds = count["kind"]
    fit()
    tables()
    draw()
}
'

# ---- The command line ----

[ $# -ge 2 ] || { sed -n 's/^# \{0,1\}//; 3,25p' "$0" >&2; exit 2; }
command=$1
shift
case $command in
match) program=$match ;;
crossover) program=$crossover ;;
bp) program=$bp ;;
gpu) program=$gpu ;;
devices) program=$devices ;;
mpi) program=$mpi ;;
*) echo "plot.sh: no command '$command'" >&2 && exit 2 ;;
esac
prefix=
[ "$command" = bp ] || { prefix=$1 && shift; }
commands=$(mktemp)
trap 'rm -f "$commands"' EXIT
zcat -f "$@" | LC_ALL=C awk -F '\t' -v prefix="$prefix" -v commands="$commands" -v latency="${LATENCY:-2e-6}" \
    -v bandwidth="${BANDWIDTH:-12.5e9}" -v last="${RUN:-}" -v fitted="${RANKS:-0}" "$shared$program"
if [ -s "$commands" ]; then
    gnuplot "$commands"
    # Without empty groups and without what is SVG's default, files are a third smaller.
    sed -n 's/^set output "\(.*\)"$/\1/p' "$commands" | while read -r drawn; do
        sed -i ':all; N; $!b all; s/<g [^>]*>\n<\/g>\n//g; s/ stroke-linecap="butt" stroke-linejoin="miter"//g' "$drawn"
        echo "$drawn"
    done
fi
