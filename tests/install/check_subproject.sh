#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Builds a project that has parenmatch as a part: its programs link all kinds of the library and run, and nothing of
# parenmatch but the libraries is built, tested or installed.
#   check_subproject.sh SETTING=VALUE...
# Settings: cmake, ctest, generator, cc, cxx, mpi (ON or OFF), mpi_cc, version, parenmatch (its sources), source (the
# project's), consumer, scratch.
set -eu
for setting; do
    value=${setting#*=}
    eval "${setting%%=*}=\$value"
done

fail() {
    echo "check_subproject: $1"
    exit 1
}

rm -rf "$scratch"
# Without optimisation, and without what other tests have linked, this takes some seconds.
"$cmake" -S "$source" -B "$scratch" -G "$generator" -DCMAKE_C_COMPILER="$cc" -DCMAKE_CXX_COMPILER="$cxx" \
    -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG=-O0 -DCMAKE_CXX_FLAGS_DEBUG=-O0 -DPM_GPU=OFF \
    -DMPI_C_COMPILER="$mpi_cc" -Dparenmatch_source="$parenmatch" -Dconsumer="$consumer" -Dwith_mpi="$mpi"
"$cmake" --build "$scratch" --parallel 2
for program in "$scratch"/with_*; do
    printed=$("$program")
    [ "$printed" = "$version $version" ] || fail "$program printed \"$printed\", not \"$version $version\""
done
built=$(find "$scratch" -type f -perm -u+x ! -name '*.so*' ! -path '*/CMakeFiles/*' ! -name 'with_*')
[ -z "$built" ] || fail "built, too: $built"
"$ctest" --test-dir "$scratch" -N | grep -q '^Total Tests: 0$' || fail "there are tests"
"$cmake" --install "$scratch" --prefix "$scratch/prefix" >/dev/null
installed=$(cd "$scratch/prefix" && find . -type f ! -path './bin/with_*')
[ -z "$installed" ] || fail "installed, too: $installed"
