#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# test_bench.sh PM_BENCH PM_BENCH_WRONG: every suite runs and prints what it should; wrong backends are detected; with
# gnuplot, what was printed can be drawn. Nothing here depends on how long anything takes.
set -u
bench=$1 wrong=$2 plot=$(dirname "$0")/../../bench/plot.sh results=$(dirname "$0")/../../bench/results
output=$(mktemp) || exit 1
trap 'rm -f "$output" "$output-ns.svg" "$output-share.svg" "$output-host.svg" "$output-device.svg" \
    "$output-pipelines.svg" "$output-passes.svg" "$output-devices.svg" "$output-model" "$output-less" \
    "$output-table"' EXIT
quick='--repetitions 2 --seconds 0.001'

fail() {
    echo "test_bench: $*"
    cat "$output"
    exit 1
}

# expect STATUS COMMAND...: runs it, its standard output into $output.
expect() {
    expected=$1
    shift
    "$@" >"$output"
    status=$?
    [ "$status" -eq "$expected" ] || fail "exit status $status instead of $expected: $*"
}

# Every line is a JSON object; the first describes the run, the others are results with all their fields.
lines_are_right() {
    if command -v python3 >/dev/null; then
        python3 - "$output" <<'PYTHON' || fail "lines are not as they should be"
import json, sys
lines = [json.loads(line) for line in open(sys.argv[1])]
assert lines[0]["suite"] == "run", lines[0]
assert {"command", "date", "cpu", "cores", "compiler", "version"} <= lines[0].keys(), lines[0]
assert len(lines) > 1
for line in lines[1:]:
    assert {"suite", "backend", "simd", "kind", "n", "threads", "ns_per_element", "floor_ns", "share", "verified",
            "min", "median", "repetitions", "spread"} <= line.keys(), line
    assert line["repetitions"] == 2 and line["share"] > 0 and line["ns_per_call"] > 0, line
    if line["n"] == 0:
        assert line["ns_per_element"] is None, line
    else:
        assert abs(line["ns_per_call"] / line["n"] / line["ns_per_element"] - 1) < 1e-3, line
        assert abs(line["floor_ns"] / line["ns_per_element"] / line["share"] - 1) < 1e-3, line
        assert line["min"] <= line["median"] == line["ns_per_element"], line
PYTHON
    else
        head -n 1 "$output" | grep -q '^{"suite":"run","command":".*","version":"[0-9.]*"}$' || fail "first line"
        sed 1d "$output" | grep -q . || fail "no results"
        sed 1d "$output" | grep -v '^{"suite":"[a-z]*","backend":.*"share":.*,"verified":\(true\|false\)}$' &&
            fail "lines above are not results"
    fi
}

# count NUMBER TEXT: exactly NUMBER lines of $output hold the text.
count() {
    found=$(grep -c "$2" "$output")
    [ "$found" -eq "$1" ] || fail "$found lines instead of $1 with $2"
}

# shellcheck disable=SC2086 # $quick is several words
{
    expect 0 "$bench" --suite floor --n 0 --n 1 --n 3000 $quick
    lines_are_right
    count 15 '"suite":"floor".*"verified":true'

    expect 0 "$bench" --suite call $quick
    lines_are_right
    count 0 '"verified":false'
    count 10 '"suite":"call","backend":"seq"'

    expect 0 "$bench" --suite bp --family twist:.5 --n 2^10 --backend pioneers --backend find_close/bp/many $quick
    lines_are_right
    count 5 '"backend":"[a-z_/]*/pioneers[a-z/]*".*"verified":true'
    count 1 '"backend":"[a-z_/]*/bp[a-z/]*".*"verified":true'
    "$plot" bp "$output" >"$output-table" || fail "no table"
    grep -q "many.*, [a-z0-9-]* | [0-9.e+]* | | | | |$" "$output-table" || fail "the table has no row of the line"
    expect 2 "$bench" --suite bp --backend find_close/abacus $quick

    expect 0 "$bench" --suite edit --n 2^13 --family twist:1 --backend edit --backend random/treap $quick
    lines_are_right
    count 7 '"suite":"edit","backend":".*"verified":true'
    expect 2 "$bench" --suite edit --n 100 $quick

    expect 0 "$bench" --suite match --backend seq --n 2^10 --n 3000 --family random --family saw:100 $quick
    lines_are_right
    count 4 '"suite":"match","backend":"seq".*"verified":true'
    if command -v gnuplot >/dev/null; then
        "$plot" match "$output" "$output" >/dev/null || fail "no plots"
        for drawing in ns share; do
            grep -q '</svg>' "$output-$drawing.svg" || fail "$output-$drawing.svg is no drawing"
        done
        # With a series that has no point at the largest n.
        sed -n '/"n":1024,/s/"backend":"seq"/"backend":"less"/p' "$output" >"$output-less"
        "$plot" match "$output" "$output-less" "$output" >/dev/null || fail "no plots of series of different lengths"
        grep -q less "$output-ns.svg" || fail "$output-ns.svg lacks a series"
    fi

    # The floor of a run under load is the same call without it.
    expect 0 "$bench" --suite match --backend omp --threads 2 --n 2^18 --family random --load 2 $quick
    lines_are_right
    count "$("$bench" --list | grep -c '^  omp ')" '"floor":"quiet".*"verified":true'
    count "$("$bench" --list | grep -c '^  omp ')" '"load_floor":"store","load_floor_share":[0-9]'
    expect 2 "$bench" --load 257

    # Without a device there is only one place; who is the fastest is anybody's guess.
    expect 0 "$bench" --suite crossover --n 2^10 --n 30 --family bits --family deep $quick
    count 0 '"verified":false'
    count 2 '"suite":"crossover","backend":"choosing"'
    for backend in seq broadword auto; do
        count 4 "\"suite\":\"crossover\",\"backend\":\"$backend\".*\"verified\":true"
    done
    count 4 '"suite":"regret","place":"host",.*"regret":[0-9.e+]*}$'
    if command -v gnuplot >/dev/null; then
        "$plot" crossover "$output" "$output" >/dev/null || fail "no plots of crossovers"
        grep -q '</svg>' "$output-host.svg" || fail "$output-host.svg is no drawing"
        "$plot" gpu "$output" "$results"/nvidia-h200/*-pipelines.tsv \
            "$results"/nvidia-h200/*-compute-queue.tsv >/dev/null || fail "no plots of a GPU"
        grep -q work-efficient "$output-pipelines.svg" || fail "$output-pipelines.svg lacks a pipeline"
        grep -q saw:1000 "$output-passes.svg" || fail "$output-passes.svg lacks a family"
        "$plot" devices "$output" "$results"/nvidia-h200/*-resident-c.tsv >"$output-model" ||
            fail "no model of devices"
        grep -q '^| 4 | 205 | [0-9]* | 1.96 | 476 | [0-9]* | 3.11 | 1566 | [0-9]* | 3.83 |$' "$output-model" ||
            fail "$(cat "$output-model")"
        grep -q '</svg>' "$output-devices.svg" || fail "$output-devices.svg is no drawing"
    fi
    if grep -q '"place":"device"' "$output"; then
        count 4 '"suite":"crossover","backend":"device/levels".*"verified":true'
        count 4 '"suite":"regret","place":"device"'
        count 4 '"suite":"crossover","backend":"gpu".*"verified":true'
    fi
    expect 0 "$bench" --suite crossover --most 2^6 --backend broadword --family flat $quick
    count 2 '"suite":"regret"'
    count 0 '"backend":"seq"'

    expect 0 "$bench" --suite text --n 3000 --family json --family minified --family lines --family soup --family "file:$bench" $quick
    lines_are_right
    count 5 '"suite":"text","backend":"brackets".*"verified":true'
    count 5 '"suite":"text","backend":"check".*"verified":true'
    count 5 '"suite":"text","backend":"newlines".*"verified":true'

    expect 0 "$bench" --suite find --n 3000 --family names --family words:100 --family tags $quick
    lines_are_right
    count 0 '"verified":false'
    for engine in auto auto/leftmost dict interleaved automaton trie; do
        count 3 "\"suite\":\"find\",\"backend\":\"$engine\""
    done
    expect 0 "$bench" --suite find --n 3000 --family names --backend auto --backend omp --backend trie --threads 2 $quick
    lines_are_right
    count 3 '"suite":"find","backend":".*"verified":true'
    count 1 '"backend":"omp".*"threads":2'
    expect 0 "$bench" --suite find --n 3000 --family tags --backend interleaved $quick
    lines_are_right
    count 1 '"suite":"find".*"verified":true'
    expect 2 "$bench" --suite find --backend nothing
    expect 0 "$bench" --suite structure --n 3000 $quick
    lines_are_right
    count 6 '"suite":"structure","backend":"structure".*"verified":true'
    count 6 '"suite":"structure","backend":"check".*"verified":true'
    count 0 '"backend":"[a-z]*xml[0-9]*".*"verified":false'
    expect 2 "$bench" --suite structure --n 3000 --family json $quick
    expect 2 "$bench" --suite text --n 3000 --family xml $quick

    expect 0 "$bench" --suite records --n 3000 $quick
    count 0 '"verified":false'
    count 192 '"suite":"records","backend":".*,"ns_per_record":.*"verified":true'
    expect 0 "$bench" --suite records --family html --family python:8 --backend text --backend nul --n 3000 $quick
    count 4 '"suite":"records","backend":".*"verified":true'
    expect 2 "$bench" --suite records --family nothing
    expect 2 "$bench" --suite records --family json:x

    expect 0 "$bench" --suite open_worst --family json --family "xml:<a>" --n 20 $quick
    count 0 '"verified":false'
    count 44 '"suite":"open_worst","backend":".*,"ns_most":.*"verified":true'
    count 4 '"language":"xml","kind":"<a>"'
    expect 0 "$bench" --suite open_worst --backend restore --family "c:(" --n 20 $quick
    count 1 '"suite":"open_worst","backend":"restore","language":"c","kind":"("'
    expect 0 "$bench" --suite text_worst --family json --family "xml:<a>" --n 3000 $quick
    count 0 '"verified":false'
    count 11 '"suite":"text_worst","backend":"check".*"gb_per_s":.*"verified":true'
    count 1 '"language":"xml","kind":"<a>"'
    expect 2 "$bench" --suite text_worst --family nothing

    expect 0 "$bench" --suite word --n 0 --n 100 --family bits --family soup $quick
    lines_are_right
    count 0 '"verified":false'
    for query in find_close enclose find_far_close far_close_count; do
        for mode in '' /chain; do
            count 4 "\"suite\":\"word\",\"backend\":\"$query/broadword$mode\""
            count 4 "\"suite\":\"word\",\"backend\":\"$query/loop$mode\""
        done
    done
    count 24 '"backend":"[a-z_]*/vigna' # counting is the same

    expect 0 "$bench" --suite bp --n 100 --n 3000 --family twist:1 $quick
    lines_are_right
    count 0 '"verified":false'
    for query in find_close find_open enclose rank select excess; do
        count 2 "\"suite\":\"bp\",\"backend\":\"$query/bp\""
        count 2 "\"suite\":\"bp\",\"backend\":\"$query/bp/chain\""
    done
    count 6 '"backend":"[a-z_]*/bp/many"'
    count 2 '"backend":"build/bp"'
    count 2 '"backend":"rank/view"'
    count 2 '"backend":"excess/view/chain"'

    expect 0 "$bench" --suite batch --suite keys --n 100 --n 3000 $quick
    lines_are_right
    count 40 '"suite":"batch","backend":".*"verified":true'
    count 20 '"suite":"keys","backend":"keys.*"verified":true'

    expect 0 "$bench" --suite boxes --n 0 --n 3000 --family mixed:33:random --family wide $quick
    lines_are_right
    count 4 '"suite":"boxes","backend":"seq".*"verified":true'
    count 4 '"suite":"boxes","backend":"omp".*"verified":true'
    count 4 '"suite":"boxes","backend":"auto".*"verified":true'

    expect 0 "$bench" --suite scan --backend seq --n 0 --n 3000 --family zigzag $quick
    lines_are_right
    count 2 '"suite":"scan","backend":"down-affine/seq".*"verified":true'
    count 8 '"suite":"scan".*"verified":true'

    expect 0 "$bench" --suite worst --backend seq --n 3000 $quick
    lines_are_right
    count 1 '"suite":"worst","backend":"seq".*"kind":"word:[0-9a-f]\{16\}".*"verified":true'

    # A device is not there: nothing is timed, rather than calls that fail, which would be wrong results.
    for suite in match boxes split crossover; do
        expect 2 env VK_DRIVER_FILES=/dev/null VK_ICD_FILENAMES=/dev/null PARENMATCH_ALLOW_CPU_DEVICE=0 \
            "$bench" --suite "$suite" --backend omp --backend gpu --n 256 $quick 2>"$output-less"
        grep -q '^pm_bench: --backend gpu: ' "$output-less" || fail "$(cat "$output-less")"
        count 0 .
    done

    expect 1 "$wrong" --suite match --n 256 --family random $quick
    lines_are_right
    count 1 '"backend":"right".*"verified":true'
    for backend in last_match total_open late nothing failing; do
        count 1 "\"backend\":\"$backend\".*\"verified\":false"
    done
    # With 400 samples, one of them is wrong almost certainly.
    expect 1 "$wrong" --suite match --backend seldom --n 256 --family random --repetitions 400
    count 1 '"verified":false'
}

# Floors on more threads than one; a build without OpenMP refuses the option.
"$bench" --threads 2 --list >/dev/null 2>&1
if [ $? -ne 2 ]; then
    # shellcheck disable=SC2086 # $quick is several words
    expect 0 "$bench" --suite floor --n 2^14 --threads 2 $quick
    lines_are_right
    count 5 '"threads":2.*"verified":true'
fi

# What is not there, or makes no sense, is said so.
for option in '--suite none' '--backend none' '--simd none-such' '--backend seq --simd none-such' '--family none' '--family saw:' '--n 2^32' \
    '--n 4294967296' '--n x' '--threads 0' '--repetitions 0' '--seconds -1' '--seed -1' '--none' 'argument'; do
    # shellcheck disable=SC2086 # each is several words
    expect 2 "$bench" $option 2>/dev/null
done
expect 0 "$bench" --list
count 1 '^  match '
expect 0 "$bench" --help
