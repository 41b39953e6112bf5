#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Draws the figures of the pages, each from a script of its name; what they show is computed there.
# After a change: docs/figures/make.sh docs/figures, and commit what it says.
#   make.sh FOLDER
set -eu
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"

# draw NAME [FILE]...: from what the files have.
draw() {
    name=$1
    shift
    LC_ALL=C awk -f "$here/svg.awk" -f "$here/sequence.awk" -f "$here/$name.awk" "$@" </dev/null >"$folder/$name.svg"
}

folder=$1
for figure in "$here"/gpu_*.awk; do
    draw "$(basename "$figure" .awk)"
done
results=$here/../../bench/results/intel-xeon-16-cores
draw speed "$results/2026-11-20-crossover.jsonl" "$results/2026-11-20-match.jsonl"
draw check "$here/check.txt"
