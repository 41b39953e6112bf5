#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# pm_bench_gpu verifies what each suite times; it times other shaders next to its own, and notices when they are wrong.
# Its tables begin with the command. Exits 77 (skipped) without a device; shaders are left out without the compiler.
#   test_bench_gpu.sh PM_BENCH_GPU SHADERS SCRATCH-FOLDER
set -eu
program=$1 shaders=$2 scratch=$3
rm -rf "$scratch"
mkdir -p "$scratch/same" "$scratch/wrong" "$scratch/none"

# bench NAME STATUS OPTION...: runs a small size, which must give this status; its output goes to NAME.txt.
bench() {
    output=$scratch/$1.txt expected=$2
    shift 2
    status=0
    "$program" --cpu --repetitions 1 "$@" >"$output" 2>&1 || status=$?
    cat "$output"
    if grep -q 'no usable device' "$output"; then
        echo "skipped: no device" && exit 77
    fi
    [ $status = "$expected" ]
}

# rows SUITE COUNT OPTION...: below its head, the suite's table has this many rows that are verified; none is wrong.
rows() {
    suite=$1 count=$2
    shift 2
    bench "$suite" 0 --suite "$suite" --from 10 --to 10 "$@"
    [ "$(sed '1,/	verified$/d' "$scratch/$suite.txt" | grep -c '	verified$')" = "$count" ]
}
rows match 15 --family bits --family deep --family drift
rows resident 1 --family deep
rows boxes 3 --family wide --family mixed:33:random
rows scan 6 --family random
rows find 4
rows structure 6
rows json 4
rows batch 2 --family each:64 --family below:100
rows worst 2 --family wells:51:9 --family mixture
bench host 0 --suite match --host --from 8 --to 10 --step 2 --family bits --family deep
[ "$(grep -c '^host-to-host.*	verified$' "$scratch/host.txt")" = 4 ]

command -v glslc >/dev/null || { echo "no glslc here: no other shaders" && exit 0; }

# compile SOURCE FOLDER: as the first stage
compile() {
    glslc -O --target-env=vulkan1.2 -I "$shaders/.." "$shaders/$1" -o "$scratch/$2/levels_reduce_workgroup.spv"
}
compile match/levels_reduce.comp same
compile match/levels_scan.comp wrong

# variant FOLDER STATUS: runs with the shaders of a folder, which must give this status.
variant() {
    bench "$1" "$2" --suite match --teams workgroup --from 10 --to 10 --family closes --family bits --pipeline levels \
        --spirv "$scratch/$1"
}
variant same 0
grep -q "^# pm_bench_gpu --cpu --repetitions 1 --suite match " "$scratch/same.txt" # a table says what made it
[ "$(grep -c "^$scratch/same.*verified$" "$scratch/same.txt")" = 2 ]
variant wrong 1
grep -q "^$scratch/wrong.*WRONG$" "$scratch/wrong.txt"
[ "$(grep -c '^levels.*verified$' "$scratch/wrong.txt")" = 2 ]
variant none 2
grep -q 'no shaders' "$scratch/none.txt"
