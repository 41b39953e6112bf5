#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A monoid's GLSL compiles against the installed include by every compiler that is here, is valid, and right on a
# device. Exits 77 (skipped) without compiler or device.
#   check_monoid.sh INCLUDE-FOLDER MATRICES SCRATCH-FOLDER TEST-GPU-SCAN
set -eu
include=$1 source=$2 scratch=$3 test=$4
rm -rf "$scratch"
mkdir -p "$scratch"
compiled=0

# compiled BINARY: it has been made.
compiled() {
    compiled=$((compiled + 1))
    ! command -v spirv-val >/dev/null || spirv-val --target-env vulkan1.2 "$1"
    "$test" any "*monoids*" "$1" >"$scratch/said" 2>&1 || { code=$?; cat "$scratch/said"; exit $code; }
}

if command -v glslangValidator >/dev/null; then
    glslangValidator -V --target-env vulkan1.2 -I"$include" "$source" -o "$scratch/glslang.spv"
    compiled "$scratch/glslang.spv"
fi
if command -v glslc >/dev/null; then
    glslc -O --target-env=vulkan1.2 -I "$include" "$source" -o "$scratch/glslc.spv"
    compiled "$scratch/glslc.spv"
fi
[ "$compiled" != 0 ] || { echo "skipped: no compiler of GLSL here"; exit 77; }
