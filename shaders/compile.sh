#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Compiles every shader: into a folder as words for a C array, and if wanted into another one as binaries.
# After a change of a shader: shaders/compile.sh shaders/spv, and commit what it says.
#   compile.sh WORDS-FOLDER [BINARIES-FOLDER]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
words=$1
scratch=$(mktemp -d)
trap 'rm -r "$scratch"' EXIT
binaries=${2:-$scratch}
mkdir -p "$words" "$binaries"

# compile NAME SOURCE [FLAG]...
compile() {
    name=$1 source=$2
    shift 2
    glslc -O --target-env=vulkan1.2 -I "$here/.." -I "$here/../include" "$@" "$here/$source" -o "$binaries/$name.spv"
    od -A n -v -t x4 "$binaries/$name.spv" | sed 's/ *\([0-9a-f]\{8\}\)/0x\1,/g' >"$words/$name.inc"
}

for stage in reduce scan match far stack; do
    compile "wide_${stage}_subgroup" "wide_$stage.comp" -DPM_TEAM_IS_SUBGROUP
    compile "wide_${stage}_workgroup" "wide_$stage.comp"
done
compile wide_match_short_subgroup wide_match.comp -DPM_SHORT -DPM_TEAM_IS_SUBGROUP
compile wide_match_short_workgroup wide_match.comp -DPM_SHORT
compile wide_match_far_subgroup wide_match.comp -DPM_FAR -DPM_TEAM_IS_SUBGROUP
compile wide_match_far_workgroup wide_match.comp -DPM_FAR
for stage in reduce sum levels order links scan match match_sparse unions fix; do
    compile "boxes_${stage}_subgroup" "boxes_$stage.comp" -DPM_TEAM_IS_SUBGROUP
    compile "boxes_${stage}_workgroup" "boxes_$stage.comp"
done
compile boxes_fix_short_subgroup boxes_fix.comp -DPM_SHORT -DPM_TEAM_IS_SUBGROUP
compile boxes_fix_short_workgroup boxes_fix.comp -DPM_SHORT
for stage in reduce match fix; do
    compile "boxes_slices_${stage}_subgroup" "boxes_slices_$stage.comp" -DPM_TEAM_IS_SUBGROUP
    compile "boxes_slices_${stage}_workgroup" "boxes_slices_$stage.comp"
done
for stage in floor top jump unions_top; do
    compile "boxes_$stage" "boxes_$stage.comp"
done
compile plan plan.comp
compile partition_reduce partition_reduce.comp
compile partition_match partition_match.comp
compile lookback_clear lookback_clear.comp
compile lookback_match lookback_match.comp
for stage in search scan write; do
    compile "pfac_$stage" "pfac_$stage.comp"
done
for stage in reduce scan mark; do
    compile "structure_${stage}_few" "structure_$stage.comp"
    compile "structure_${stage}_many" "structure_$stage.comp" -DPM_MANY
done
compile structure_mark_late structure_mark.comp -DPM_MANY -DPM_LATE
compile structure_write_late structure_write.comp -DPM_LATE
for stage in letters count clear write check tell name enter first kind; do
    compile "structure_$stage" "structure_$stage.comp"
done
compile structure_rank structure_count.comp -DPM_NAMES
compile structure_number structure_first.comp -DPM_NUMBER
for stage in count scan rank link; do
    compile "nodes_$stage" "nodes_$stage.comp"
done
for monoid in affine box_intersection box_union max_f64 max_i64 sum_u64; do
    compile "monoid_$monoid" "monoid_$monoid.comp"
done
compile verify verify.comp
compile floor floor.comp
compile floor_copy floor.comp -DPM_COPY
compile floor_expand floor.comp -DPM_EXPAND
compile floor_read floor_read.comp
glslc --version | sed -n '1,3p' >"$words/compiler.txt"
