#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs what bundle.sh has put here: the tests both ways, then the measurements, whose tables go to a folder.
#   run.sh [RESULTS-FOLDER [match|boxes]]   match, boxes: that part alone
# VK_DRIVER_FILES may name another driver; NVIDIA_ROOT, where NVIDIA's is (/usr/local/nvidia).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
results=${1:-results}
part=${2:-all}
mkdir -p "$results"
nvidia=${NVIDIA_ROOT:-/usr/local/nvidia}
if [ -z "${VK_DRIVER_FILES:-}" ] && [ -f "$nvidia/share/vulkan/icd.d/nvidia_icd.json" ]; then
    export VK_DRIVER_FILES="$nvidia/share/vulkan/icd.d/nvidia_icd.json"
fi
export LD_LIBRARY_PATH="$nvidia/lib64:$nvidia/lib:$here/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"

failed=0
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

if [ "$part" != boxes ]; then
    step test_subgroup "$here/bin/test_gpu" subgroup '*'
    step test_workgroup "$here/bin/test_gpu" workgroup '*'
    step test_pipelines "$here/bin/test_pipelines" any '*'
    step vulkan_subgroup "$here/bin/test_vulkan" subgroup '*'
    step vulkan_subgroup_graphics "$here/bin/test_vulkan" subgroup-graphics '*'
    step vulkan_calls "$here/bin/test_vulkan_calls" subgroup '*'
    step vulkan_workgroup "$here/bin/test_vulkan" workgroup '*'
    bench="$here/bin/pm_bench_gpu cpu=${CPU_DEVICE:-0}"
    step compute $bench from="${FROM:-12}" to="${TO:-28}" step=4
    step small $bench from=10 to=24 step=2 family=bits
    step graphics $bench from="${TO:-28}" to="${TO:-28}" queue=graphics
    step workgroup $bench from="${TO:-28}" to="${TO:-28}" teams=workgroup family=bits
fi
if [ "$part" != match ]; then
    step boxes_test_subgroup "$here/bin/test_gpu_boxes" subgroup '*'
    step boxes_vulkan "$here/bin/test_vulkan_boxes" subgroup '*'
    step boxes_test_workgroup "$here/bin/test_gpu_boxes" workgroup '*'
    bench="$here/bin/pm_bench_gpu_boxes cpu=${CPU_DEVICE:-0}"
    step boxes $bench from=10 to="${BOXES_TO:-26}" step=4
    step boxes_small $bench from=12 to=24 step=4
    step boxes_graphics $bench from="${BOXES_TO:-26}" to="${BOXES_TO:-26}" queue=graphics family=mixed:0:random
fi
exit $failed
