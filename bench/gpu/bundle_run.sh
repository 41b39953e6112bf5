#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs what bundle.sh has put here, or parts of it: the tests both ways, then measurements, whose tables go to a folder.
#   run.sh [RESULTS-FOLDER [PART]...]
# PART: tests; passes (pm_bench_gpu); boxes (their tests, and pm_bench_gpu_boxes); find (test_find_gpu, pm_bench_gpu_find);
# structure (its tests, and pm_bench_gpu_structure); scan (tests of scans of trees, and pm_bench_gpu_scan); devices (tests of
# slices that stay on several, and pm_bench_devices); crossover (pm_bench --suite crossover, with 1, 2 and all threads); tests and passes
# if none is named.
# VK_DRIVER_FILES may name another driver; NVIDIA_ROOT, where NVIDIA's is (/usr/local/nvidia).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
results=${1:-results}
[ $# = 0 ] || shift
[ $# -gt 0 ] || set -- tests passes
mkdir -p "$results"
nvidia=${NVIDIA_ROOT:-/usr/local/nvidia}
if [ -z "${VK_DRIVER_FILES:-}" ] && [ -f "$nvidia/share/vulkan/icd.d/nvidia_icd.json" ]; then
    export VK_DRIVER_FILES="$nvidia/share/vulkan/icd.d/nvidia_icd.json"
fi
export LD_LIBRARY_PATH="$nvidia/lib64:$nvidia/lib:$here/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"

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

passes() {
    bench="$here/bin/pm_bench_gpu cpu=${CPU_DEVICE:-0}"
    step compute $bench from="${FROM:-12}" to="${TO:-28}" step=4
    step small $bench from=10 to=24 step=2 family=bits
    step graphics $bench from="${TO:-28}" to="${TO:-28}" queue=graphics
    step workgroup $bench from="${TO:-28}" to="${TO:-28}" teams=workgroup family=bits
}

boxes() {
    step boxes_test_subgroup "$here/bin/test_gpu_boxes" subgroup '*'
    step boxes_vulkan "$here/bin/test_vulkan_boxes" subgroup '*'
    step boxes_test_workgroup "$here/bin/test_gpu_boxes" workgroup '*'
    bench="$here/bin/pm_bench_gpu_boxes cpu=${CPU_DEVICE:-0}"
    step boxes $bench from=10 to="${BOXES_TO:-26}" step=4
    step boxes_small $bench from=12 to=24 step=4
    step boxes_graphics $bench from="${BOXES_TO:-26}" to="${BOXES_TO:-26}" queue=graphics family=mixed:0:random
}

find() {
    step test_find "$here/bin/test_find_gpu" any '*'
    step find "$here/bin/pm_bench_gpu_find" cpu="${CPU_DEVICE:-0}" mib="${MIB:-256}"
}

structure() {
    step test_structure "$here/bin/test_structure_gpu" any '*'
    step test_structure_stages "$here/bin/test_structure_stages" any '*'
    step test_structure_vulkan "$here/bin/test_vulkan_structure" subgroup '*'
    step structure "$here/bin/pm_bench_gpu_structure" cpu="${CPU_DEVICE:-0}" from=22 to="${STRUCTURE_TO:-26}" step=4
}

devices() {
    step resident_subgroup "$here/bin/test_resident" subgroup
    step resident_workgroup "$here/bin/test_resident" workgroup
    step slices "$here/bin/test_vulkan_slices" subgroup '*'
    step devices "$here/bin/pm_bench_devices" cpu="${CPU_DEVICE:-0}" device="${DEVICES:-0}" from=26 to="${TO:-28}" step=2
}

scan() {
    step scan_stages "$here/bin/test_scan_stages" any '*'
    step scan_test "$here/bin/test_gpu_scan" any '*'
    step scan_vulkan "$here/bin/test_vulkan_scan" subgroup '*'
    bench="$here/bin/pm_bench_gpu_scan cpu=${CPU_DEVICE:-0}"
    step scan $bench from="${SCAN_TO:-26}" to="${SCAN_TO:-26}"
    step scan_small $bench from=12 to=24 step=4 family=random
}

# With several threads on the CPU alone; with one, beside the device. The longest sequences of one family only.
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
    boxes | tests | passes | find | scan | structure | devices | crossover) "$part" ;;
    *) echo "run.sh: no part '$part'" >&2 && exit 2 ;;
    esac
done
exit $failed
