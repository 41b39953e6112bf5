#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# pm_bench_gpu times other shaders beside its own, and notices when they are wrong. Its tables begin with the command.
# Exits 77 (skipped) without a device or the compiler.
#   test_bench_gpu.sh PM_BENCH_GPU SHADERS SCRATCH-FOLDER
set -eu
program=$1 shaders=$2 scratch=$3
command -v glslc >/dev/null || { echo "skipped: no glslc here" && exit 77; }
rm -rf "$scratch"
mkdir -p "$scratch/same" "$scratch/wrong" "$scratch/none"

# compile SOURCE FOLDER: as the first stage
compile() {
    glslc -O --target-env=vulkan1.2 -I "$shaders/.." "$shaders/$1" -o "$scratch/$2/levels_reduce_workgroup.spv"
}
compile match/levels_reduce.comp same
compile match/levels_scan.comp wrong

# bench FOLDER STATUS: runs with the shaders of a folder, which must give this status.
bench() {
    status=0
    "$program" cpu=1 teams=workgroup from=10 to=10 reps=1 family=closes,bits pipeline=levels spirv="$scratch/$1" \
        >"$scratch/$1.txt" 2>&1 || status=$?
    cat "$scratch/$1.txt"
    if grep -q 'no usable device' "$scratch/$1.txt"; then
        echo "skipped: no device" && exit 77
    fi
    [ $status = "$2" ]
}
bench same 0
grep -q "^# pm_bench_gpu cpu=1 teams=workgroup from=10 " "$scratch/same.txt" # a table says what made it
[ "$(grep -c "^$scratch/same.*verified$" "$scratch/same.txt")" = 2 ]
bench wrong 1
grep -q "^$scratch/wrong.*WRONG$" "$scratch/wrong.txt"
[ "$(grep -c '^levels.*verified$' "$scratch/wrong.txt")" = 2 ]
bench none 1
grep -q 'no shaders' "$scratch/none.txt"
