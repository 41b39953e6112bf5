# SPDX-License-Identifier: Apache-2.0
# Matching speed by length: what pm_bench printed for the family bits. Of several runs the fastest median counts. Reads the
# suite crossover of a machine, and its suite match for AVX2.

function field(name,    value) {
    if (!match($0, "\"" name "\":(\"[^\"]*\"|[^,}]*)"))
        return ""
    value = substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 3)
    gsub(/"/, "", value)
    return value
}
function log2(v) { return log(v) / log(2) }
function half(v) { return int(2 * v + 0.5) / 2 }
function x_of(n) { return half(60 + (log2(n) - 6) * 24) }
function y_of(speed) { return half(350 - (log(speed) / log(10) + 2) * 62) }

function keep(line, n, ns) {
    if (ns > 0 && n >= 64 && (!((line, log2(n)) in ns_of) || ns < ns_of[line, log2(n)]))
        ns_of[line, log2(n)] = ns
}

function draw(line, colour, dash, label, dy,    e, points, last) {
    for (e = 6; e <= 30; e++)
        if ((line, e) in ns_of && 1 / ns_of[line, e] >= 0.01) {
            points = points (points == "" ? "" : " ") x_of(2 ^ e) " " y_of(1 / ns_of[line, e])
            last = e
        }
    printf "<path d=\"M%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"%s\"%s/>\n", points, colour, dash ? 1 : 2,
        dash ? " stroke-dasharray=\"4 3\"" : ""
    if (label != "")
        svg_text(x_of(2 ^ 30) + 6, y_of(1 / ns_of[line, last]) + dy, "start", colour, label)
}

/"suite":"run"/ { threads = match(field("command"), /--threads [0-9]+/) ? substr(field("command"), RSTART + 10, RLENGTH - 10) : 1 }
/"kind":"bits"/ {
    n = field("n") + 0
    backend = field("backend")
    if (log2(n) != int(log2(n)))
        next
    if (field("suite") == "match") {
        if (backend == "broadword" && field("simd") == "avx2")
            keep("avx2", n, field("median") + 0)
        next
    }
    if (backend == "seq" || backend == "broadword")
        keep(backend, n, field("median") + 0)
    if (backend == "broadword" && threads == 1)
        keep("store", n, field("floor_ns") + 0)
    if (backend == "omp" && field("threads") == 16) {
        keep("omp", n, field("median") + 0)
        keep("store16", n, field("floor_ns") + 0)
    }
    if (backend == "device/wide" || backend == "device/levels") {
        keep("gpu", n, field("median") + 0)
        keep("write", n, field("floor_ns") + 0)
    }
}

END {
    svg_begin(800, 400, "Matching speed by length, in G elements/s: sixteen Xeon cores and an NVIDIA H200")
    for (e = -2; e <= 3; e++) {
        svg_line(x_of(64), y_of(10 ^ e), x_of(2 ^ 30), y_of(10 ^ e), rule, 0.5)
        svg_text(x_of(64) - 6, y_of(10 ^ e) + 4, "end", grey, 10 ^ e)
    }
    for (e = 6; e <= 30; e += 2)
        svg_text(x_of(2 ^ e), 368, "middle", grey, "2^" e)
    svg_text(x_of(64), 24, "start", grey, "G elements/s")
    svg_text(x_of(2 ^ 18), 388, "middle", grey, "elements (dashed: only storing the result)")
    draw("write", violet, 1)
    draw("store16", green, 1)
    draw("store", blue, 1)
    draw("gpu", violet, 0, "H200, data there", 8)
    draw("omp", green, 0, "16 threads", 4)
    draw("broadword", blue, 0, "AVX-512", 4)
    draw("avx2", red, 0, "AVX2", 8)
    draw("seq", mid, 0, "plain stack", 4)
    svg_end()
}
