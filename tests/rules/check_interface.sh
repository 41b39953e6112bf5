#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Everything in a header's list, cmake/interface*.txt, is still declared, with the same arguments, fields and values, and
# the shared library exports it under its version. New declarations are to be added to the list.
#   check_interface.sh CC NM SHARED-LIBRARY ROOT SCRATCH-FOLDER [HEADER [FLAG]...]
set -eu
cc=$1 nm=$2 shared=$3 root=$4 scratch=$5
shift 5
subject=${1:-}
subject=${subject#parenmatch}
list=cmake/interface${subject%.h}.txt
mkdir -p "$scratch"
sh "$root/cmake/interface.sh" "$cc" "$@" >"$scratch/now.txt"
LC_ALL=C comm -23 "$root/$list" "$scratch/now.txt" >"$scratch/gone.txt"
LC_ALL=C comm -13 "$root/$list" "$scratch/now.txt" >"$scratch/new.txt"
if [ -s "$scratch/gone.txt" ] || [ -s "$scratch/new.txt" ]; then
    sed 's/^/gone or changed: /' "$scratch/gone.txt"
    sed 's/^/new: /' "$scratch/new.txt"
    echo "if this is meant: cmake/interface.sh cc $* > $list, and see CONTRIBUTING.md"
    exit 1
fi
"$nm" -D --defined-only "$shared" | awk '{ print $NF }' | sed -n 's/@@PARENMATCH_[0-9]*$//p' | LC_ALL=C sort >"$scratch/exported.txt"
sed -n 's/^[^({]*[ *]\(pm_[a-z0-9_]*\)(.*/\1/p' "$root/$list" | LC_ALL=C sort -u >"$scratch/kept.txt"
missing=$(LC_ALL=C comm -23 "$scratch/kept.txt" "$scratch/exported.txt")
[ -z "$missing" ] || { echo "not exported under a version:" $missing && exit 1; }
echo "$(wc -l <"$scratch/kept.txt") functions, as kept"
