#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The tree can be configured with any one of its options off and the others on.
#   check_options.sh CMAKE GENERATOR C-COMPILER CXX-COMPILER SOURCE SCRATCH
set -eu
cmake=$1 generator=$2 cc=$3 cxx=$4 source=$5 scratch=$6
options='PM_BUILD_CLI PM_BUILD_BENCH PM_BUILD_EXAMPLES PM_BUILD_TESTS PM_GPU PM_MPI PM_OPENMP PM_EXPAT PM_JSON_C'
rm -rf "$scratch"
# One folder for all: what the compilers can do is found out once.
for without in $options; do
    settings=
    for option in $options; do
        [ "$option" = "$without" ] && on=OFF || on=ON
        settings="$settings -D$option=$on"
    done
    # Settings are split into words on purpose.
    if ! "$cmake" -S "$source" -B "$scratch" -G "$generator" -DCMAKE_C_COMPILER="$cc" -DCMAKE_CXX_COMPILER="$cxx" \
        $settings >"$scratch.log" 2>&1; then
        cat "$scratch.log"
        echo "cannot be configured without $without"
        exit 1
    fi
done
