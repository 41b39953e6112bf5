#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Compiles every shader to SPIR-V, and writes the compiler's version next to the binaries; cmake/spirv.cmake makes C of
# them. After a change of a shader: shaders/compile.sh shaders/spv, and commit the binaries.
#   compile.sh FOLDER
set -eu
here=$(cd "$(dirname "$0")" && pwd)
binaries=$1
for folder in boxes delimiters find json match trees; do
    mkdir -p "$binaries/$folder"
done

# compile FOLDER/NAME SOURCE [FLAG]...
compile() {
    name=$1 source=$2
    shift 2
    glslc -O --target-env=vulkan1.2 -I "$here/.." -I "$here/../include" "$@" "$here/$source" -o "$binaries/$name.spv"
}

for stage in reduce scan match far stack; do
    compile "match/levels_${stage}_subgroup" "match/levels_$stage.comp" -DPM_TEAM_IS_SUBGROUP
    compile "match/levels_${stage}_workgroup" "match/levels_$stage.comp"
done
compile match/levels_match_short_subgroup match/levels_match.comp -DPM_SHORT -DPM_TEAM_IS_SUBGROUP
compile match/levels_match_short_workgroup match/levels_match.comp -DPM_SHORT
compile match/levels_match_far_subgroup match/levels_match.comp -DPM_FAR -DPM_TEAM_IS_SUBGROUP
compile match/levels_match_far_workgroup match/levels_match.comp -DPM_FAR
compile match/levels_match_batch_subgroup match/levels_match.comp -DPM_BATCH -DPM_TEAM_IS_SUBGROUP
compile match/levels_match_batch_workgroup match/levels_match.comp -DPM_BATCH
compile match/levels_totals match/levels_totals.comp
for stage in reduce sum levels order links scan match match_sparse unions fix; do
    compile "boxes/${stage}_subgroup" "boxes/$stage.comp" -DPM_TEAM_IS_SUBGROUP
    compile "boxes/${stage}_workgroup" "boxes/$stage.comp"
done
compile boxes/fix_short_subgroup boxes/fix.comp -DPM_SHORT -DPM_TEAM_IS_SUBGROUP
compile boxes/fix_short_workgroup boxes/fix.comp -DPM_SHORT
for stage in reduce match fix blends_reduce blends_match; do
    compile "boxes/slices_${stage}_subgroup" "boxes/slices/$stage.comp" -DPM_TEAM_IS_SUBGROUP
    compile "boxes/slices_${stage}_workgroup" "boxes/slices/$stage.comp"
done
compile boxes/slices_direct_subgroup boxes/slices/match.comp -DPM_DIRECT -DPM_TEAM_IS_SUBGROUP
compile boxes/slices_direct_workgroup boxes/slices/match.comp -DPM_DIRECT
for stage in floor top jump unions_top; do
    compile "boxes/$stage" "boxes/$stage.comp"
done
compile match/plan match/plan.comp
compile match/partition_reduce match/partition_reduce.comp
compile match/partition_match match/partition_match.comp
compile match/lookback_clear match/lookback_clear.comp
compile match/lookback_match match/lookback_match.comp
for stage in search scan write; do
    compile "find/pfac_$stage" "find/pfac_$stage.comp"
done
for stage in reduce scan mark; do
    compile "delimiters/${stage}_few" "delimiters/$stage.comp"
    compile "delimiters/${stage}_many" "delimiters/$stage.comp" -DPM_MANY
done
compile delimiters/mark_late delimiters/mark.comp -DPM_MANY -DPM_LATE
compile delimiters/write_late delimiters/write.comp -DPM_LATE
for stage in letters count clear write check tell name enter first kind; do
    compile "delimiters/$stage" "delimiters/$stage.comp"
done
compile delimiters/rank delimiters/count.comp -DPM_NAMES
compile delimiters/number delimiters/first.comp -DPM_NUMBER
for stage in reduce scan mark count clear write gaps check tell; do
    compile "json/$stage" "json/$stage.comp"
done
for stage in count scan rank link; do
    compile "trees/nodes_$stage" "trees/nodes_$stage.comp"
done
for monoid in affine box_intersection box_union max_f64 max_i64 sum_u64; do
    compile "trees/monoid_$monoid" "trees/monoid_$monoid.comp"
done
compile match/verify match/verify.comp
compile match/floor match/floor.comp
compile match/floor_copy match/floor.comp -DPM_COPY
compile match/floor_expand match/floor.comp -DPM_EXPAND
compile match/floor_read match/floor_read.comp
glslc --version | sed -n '1,3p' >"$binaries/compiler.txt"
