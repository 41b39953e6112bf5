#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs what bundle.sh has put here, or parts of it: the tests both ways, then measurements, whose tables go to a folder.
#   run.sh [RESULTS-FOLDER [PART]...]
# PART: tests and match (by default); boxes, find, structure, scan, resident: their tests, and the suite of pm_bench_gpu;
# crossover: pm_bench --suite crossover with 1, 2 and all threads.
# VK_DRIVER_FILES may name another driver; NVIDIA_ROOT, where NVIDIA's is (/usr/local/nvidia).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
results=${1:-results}
[ $# = 0 ] || shift
[ $# -gt 0 ] || set -- tests match
mkdir -p "$results"
nvidia=${NVIDIA_ROOT:-/usr/local/nvidia}
if [ -z "${VK_DRIVER_FILES:-}" ] && [ -f "$nvidia/share/vulkan/icd.d/nvidia_icd.json" ]; then
    export VK_DRIVER_FILES="$nvidia/share/vulkan/icd.d/nvidia_icd.json"
fi
export LD_LIBRARY_PATH="$nvidia/lib64:$nvidia/lib:$here/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"

cpu=
[ "${CPU_DEVICE:-0}" = 0 ] || cpu=--cpu

failed=0
# shellcheck disable=SC2086 # options are several words
# step NAME COMMAND...: its output goes to a file and here; 77 is a test that had nothing to run on.
step() {
    name=$1
    shift
    echo "== $name"
    status=0
    "$@" >"$results/$name.txt" 2>&1 || status=$?
    tail -n "${LINES_SHOWN:-200}" "$results/$name.txt"
    [ $status = 0 ] || [ $status = 77 ] || { echo "== $name failed: $status" && failed=1; }
}

tests() {
    step test_subgroup "$here/bin/test_gpu" subgroup '*'
    step test_workgroup "$here/bin/test_gpu" workgroup '*'
    step test_pipelines "$here/bin/test_pipelines" any '*'
    step vulkan_subgroup "$here/bin/test_vulkan" subgroup '*'
    step vulkan_subgroup_graphics "$here/bin/test_vulkan" subgroup-graphics '*'
    step vulkan_calls "$here/bin/test_vulkan_calls" subgroup '*'
    step vulkan_workgroup "$here/bin/test_vulkan" workgroup '*'
}

# suite NAME SUITE OPTION...: a step of pm_bench_gpu
suite() {
    name=$1
    shift
    step "$name" "$here/bin/pm_bench_gpu" $cpu --suite "$@"
}

match() {
    suite compute match --from "${FROM:-12}" --to "${TO:-28}"
    suite small match --from 10 --to 24 --step 2 --family bits
    suite graphics match --from "${TO:-28}" --to "${TO:-28}" --queue graphics
    suite workgroup match --from "${TO:-28}" --to "${TO:-28}" --teams workgroup --family bits
}

boxes() {
    step boxes_test_subgroup "$here/bin/test_gpu_boxes" subgroup '*'
    step boxes_vulkan "$here/bin/test_vulkan_boxes" subgroup '*'
    step boxes_test_workgroup "$here/bin/test_gpu_boxes" workgroup '*'
    suite boxes boxes --from 10 --to "${BOXES_TO:-26}"
    suite boxes_small boxes --from 12 --to 24
    suite boxes_graphics boxes --from "${BOXES_TO:-26}" --to "${BOXES_TO:-26}" --queue graphics --family mixed:0:random
}

find() {
    step test_find "$here/bin/test_find_gpu" any '*'
    suite find find --from "${FIND_TO:-28}" --to "${FIND_TO:-28}"
}

structure() {
    step test_structure "$here/bin/test_structure_gpu" any '*'
    step test_structure_stages "$here/bin/test_structure_stages" any '*'
    step test_structure_vulkan "$here/bin/test_vulkan_structure" subgroup '*'
    suite structure structure --from 22 --to "${STRUCTURE_TO:-26}"
}

resident() {
    step resident_subgroup "$here/bin/test_resident" subgroup
    step resident_workgroup "$here/bin/test_resident" workgroup
    step slices "$here/bin/test_vulkan_slices" subgroup '*'
    suite resident resident --device "${DEVICES:-0}" --from 26 --to "${TO:-28}" --step 2
}

scan() {
    step scan_stages "$here/bin/test_scan_stages" any '*'
    step scan_test "$here/bin/test_gpu_scan" any '*'
    step scan_vulkan "$here/bin/test_vulkan_scan" subgroup '*'
    suite scan scan --from "${SCAN_TO:-26}" --to "${SCAN_TO:-26}"
    suite scan_small scan --from 12 --to 24 --family random
}

# With several threads on the CPU alone; with one, on the device as well. The longest sequences of one family only.
crossover() {
    all=$(nproc)
    cpu='--backend seq --backend broadword --backend omp'
    quick="--suite crossover --seconds ${SECONDS_A_CASE:-0.05}"
    long="$quick --n 2^26 --n 2^28 --n ${LONGEST:-2^30} --family bits"
    bench=$here/bin/pm_bench
    export PARENMATCH_ALLOW_CPU_DEVICE="${CPU_DEVICE:-0}"
    step crossover-1 "$bench" $quick
    step crossover-2 "$bench" $quick --threads 2 $cpu
    step crossover-all "$bench" $quick --threads "$all" $cpu
    step crossover-long-1 "$bench" $long
    step crossover-long-all "$bench" $long --threads "$all" $cpu
    step split "$bench" --suite split --backend gpu --threads "$all"
}

for part; do
    case $part in
    boxes | tests | match | find | scan | structure | resident | crossover) "$part" ;;
    *) echo "run.sh: no part '$part'" >&2 && exit 2 ;;
    esac
done
exit $failed
