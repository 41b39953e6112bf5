#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# pm_bench_mpi verifies what it times, and plot.sh makes tables and a drawing of it. Nothing here depends on how long
# anything takes.
#   test_bench_mpi.sh PLOT.SH COMMAND...: the command runs pm_bench_mpi on two ranks
set -eu
plot=$1
shift
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

"$@" --n 2^10 --n 2^14 --repetitions 2 --family deep --family flat >"$scratch/lines"
cat "$scratch/lines"
# Of each size and family: one rank with a slice, one with both, and two.
[ "$(grep -c '"backend":"match".*"verified":true}' "$scratch/lines")" = 12 ]
if grep -q '"verified":false' "$scratch/lines"; then
    exit 1
fi
# Half of a deep sequence of 2^15 goes from one rank to the other, 16 bytes for 64 opens.
grep -q '"kind":"deep","n":32768,"ranks":2,.*"sent_opens":16384,"sent_bytes":4096,"sent_messages":1,"most_received":4096' "$scratch/lines"
if "$@" --family nonsense >/dev/null 2>&1; then
    echo 'an unknown family was accepted'
    exit 1
fi

command -v gnuplot >/dev/null || exit 0
sh "$plot" mpi "$scratch/plot" "$scratch/lines" >"$scratch/tables"
cat "$scratch/tables"
grep -q '^| deep | [0-9.]* | 0.250 n |$' "$scratch/tables"
grep -q '</svg>' "$scratch/plot-scaling.svg"
