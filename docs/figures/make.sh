#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Draws the figures of the pages, each from a script of its name; what they show is computed there.
# After a change: docs/figures/make.sh docs/figures, and commit what it says.
#   make.sh FOLDER
set -eu
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"

# draw NAME [FILE]...: from what the files, plain or compressed, have.
draw() {
    name=$1
    shift
    { [ $# -eq 0 ] || zcat -f "$@"; } |
        LC_ALL=C awk -f "$here/svg.awk" -f "$here/sequence.awk" -f "$here/$name.awk" >"$folder/$name.svg"
}

folder=$1
for figure in "$here"/gpu_*.awk; do
    draw "$(basename "$figure" .awk)"
done
results=$here/../../bench/results/intel-xeon-16-cores
draw speed "$results/2026-11-20-crossover.jsonl.gz" "$results/2026-11-20-match.jsonl.gz"
draw check "$here/check.txt"
