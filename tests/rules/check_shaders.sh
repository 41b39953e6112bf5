#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The SPIR-V that is kept is what its source compiles to, and is valid. Exits 77 (skipped) without the compiler it was
# made with.
#   check_shaders.sh SHADERS SCRATCH-FOLDER
set -eu
shaders=$1 scratch=$2
for tool in glslc spirv-val; do
    command -v $tool >/dev/null || { echo "skipped: no $tool here" && exit 77; }
done
rm -rf "$scratch"
sh "$shaders/compile.sh" "$scratch"
if ! diff "$shaders/spv/compiler.txt" "$scratch/compiler.txt"; then
    echo "skipped: another compiler"
    exit 77
fi
diff -r "$shaders/spv" "$scratch"
for binary in "$scratch"/*/*.spv; do
    spirv-val --target-env vulkan1.2 "$binary"
done
