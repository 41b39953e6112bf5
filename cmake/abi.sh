#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Builds the shared libraries of a revision and of this tree, and lets abidiff say what has changed between them. Added
# functions are fine; whatever else it reports is a failure. Without a revision: the last tag, or in a tree without tags
# the commit that set the version.
# With `keep` it writes the interface of this tree to cmake/abi/, with which tests/rules/check_abi.sh compares every
# build: after a new version, or what a new version allows.
#   cmake/abi.sh FOLDER [REVISION | keep]
set -eu
folder=$1
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"
kept="$root/cmake/abi"
revision=${2:-$(git describe --tags --abbrev=0 2>/dev/null ||
    git log -1 --format=%h -G'define PM_VERSION_STRING' -- include/parenmatch/base.h)}
[ -n "$revision" ] || { echo "abi: no revision to compare with: name one" && exit 2; }

# build SOURCES BUILD: with debug information, from which abidiff reads types; the C++ has no part in the interface.
build() {
    cmake -S "$1" -B "$2" -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG='-O0 -g' -DCMAKE_CXX_FLAGS_DEBUG='-O0 -g0' \
        -DPM_BUILD_TESTS=OFF -DPM_BUILD_BENCH=OFF -DPM_BUILD_CLI=OFF -DPM_BUILD_EXAMPLES=OFF >"$2.log"
    cmake --build "$2" --parallel "$(nproc)" >>"$2.log" 2>&1 || { tail -n 20 "$2.log" && exit 2; }
}

# What callers see of a library, in XML.
write() {
    abidw --headers-dir "$root/include" --drop-private-types --exported-interfaces-only --drop-undefined-syms \
        --no-show-locs --no-corpus-path --no-comp-dir-path --no-parameter-names --no-elf-needed \
        --suppressions cmake/abi.ini "$1" | xz -9e >"$2"
}

if [ "$revision" = keep ]; then
    mkdir -p "$folder"
    build "$root" "$folder/new"
    write "$folder/new/libparenmatch.so" "$kept/parenmatch.abi.xz"
    write "$folder/new/mpi/libparenmatch_mpi.so" "$kept/parenmatch_mpi.abi.xz"
    exit
fi
rm -rf "$folder/old-source"
mkdir -p "$folder/old-source"
folder=$(cd "$folder" && pwd)
git archive "$revision" | tar -x -C "$folder/old-source"
build "$folder/old-source" "$folder/old"
build "$root" "$folder/new"
code=0
for library in libparenmatch.so mpi/libparenmatch_mpi.so; do
    if [ ! -e "$folder/old/$library" ] || [ ! -e "$folder/new/$library" ]; then
        echo "abi: $library is not compared: there is no MPI here"
        continue
    fi
    echo "abi: ${library##*/} against $revision"
    abidiff --suppressions cmake/abi.ini --leaf-changes-only --no-added-syms "$folder/old/$library" "$folder/new/$library" ||
        code=1
done
[ $code = 0 ] && echo "abi: nothing taken away or changed"
exit $code
