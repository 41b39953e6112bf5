#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Draws the figures of docs/*.md, each from a file of its name; what they show is computed there.
# After a change: docs/figures/make.sh docs/figures, and commit what it says.
#   make.sh FOLDER
set -eu
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
for figure in "$here"/gpu_*.awk; do
    name=$(basename "$figure" .awk)
    LC_ALL=C awk -f "$here/svg.awk" -f "$here/sequence.awk" -f "$figure" </dev/null >"$1/$name.svg"
done
