#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Compiles every shader, as the words of a C array and as a binary, into a folder, and validates it.
# After a change of a shader: shaders/compile.sh shaders/spv, and commit what it says. `words` alone are kept there.
#   compile.sh FOLDER [BINARY-FOLDER]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
words=$1 binaries=${2:-}
mkdir -p "$words" ${binaries:+"$binaries"}

# compile NAME SOURCE [FLAG]...
compile() {
    name=$1 source=$2
    shift 2
    set -- -O --target-env=vulkan1.2 -I "$here/.." "$@" "$here/$source"
    glslc -mfmt=num -o "$words/$name.inc" "$@"
    [ -z "$binaries" ] || glslc -o "$binaries/$name.spv" "$@"
}

for stage in reduce scan match; do
    compile "wide_${stage}_subgroup" "wide_$stage.comp" -DPM_TEAM_IS_SUBGROUP
    compile "wide_${stage}_workgroup" "wide_$stage.comp"
done
compile verify verify.comp
compile floor floor.comp
glslc --version | sed -n '1,3p' >"$words/compiler.txt"
