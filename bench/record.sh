#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# record.sh PM_BENCH [OPTION]...: runs pm_bench with the options and keeps what it prints (see results/README.md):
# each suite's lines go to the end of results/MACHINE/DATE-SUITE.jsonl.gz, behind the line that describes the run.
# MACHINE is $PM_BENCH_MACHINE, or made of the processor's name. Prints the names of the files.
set -eu
results=$(cd "$(dirname "$0")" && pwd)/results
run=$(mktemp)
trap 'rm -f "$run"' EXIT

if ! "$@" >"$run"; then
    grep '"verified":false' "$run" >&2 || true
    echo "record.sh: not kept, because pm_bench failed" >&2
    exit 1
fi

# "Intel(R) Xeon(R) Processor" with 2 cores is intel-xeon-2-cores.
machine_of_run() {
    head -n 1 "$run" | sed 's/.*"cpu":"\([^"]*\)","cores":\([0-9]*\).*/\1 \2 cores/' | tr '[:upper:]' '[:lower:]' |
        sed 's/(r)//g; s/(tm)//g; s/@.*ghz//; s/ cpu / /; s/ processor / /; s/[^a-z0-9]\{1,\}/-/g; s/-*$//'
}

machine=${PM_BENCH_MACHINE:-$(machine_of_run)}
date=$(head -n 1 "$run" | sed 's/.*"date":"\([0-9-]*\)T.*/\1/')
mkdir -p "$results/$machine"
awk -v prefix="$results/$machine/$date-" '
    NR == 1 { run = $0; next }
    match($0, /^{"suite":"[a-z]*"/) {
        suite = substr($0, 11, RLENGTH - 11)
        file = prefix suite ".jsonl.gz"
        keep = "gzip -9n >>" file
        if (!(suite in begun)) {
            print run | keep
            print file
        }
        begun[suite] = 1
        print | keep
    }' "$run"
