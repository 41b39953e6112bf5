#!/bin/bash -eu
# SPDX-License-Identifier: Apache-2.0
# What OSS-Fuzz runs: builds every fuzzer with the compilers, flags and engine of its environment into $OUT, each with its
# kept corpus. It asks for $CC, $CXX, $CFLAGS, $CXXFLAGS, $LIB_FUZZING_ENGINE, $OUT and $WORK; HIGHWAY names a folder with
# hwy/highway.h where the system has none.
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
[ -e "$root/CMakeLists.txt" ] || root=$SRC/parenmatch

cmake -S "$root" -B "$WORK/parenmatch" -DCMAKE_BUILD_TYPE=None ${HIGHWAY:+-DPM_HIGHWAY_INCLUDE_DIR="$HIGHWAY"} \
    -DPM_FUZZING_ENGINE="$LIB_FUZZING_ENGINE" -DPM_GPU=OFF -DPM_MPI=OFF -DPM_OPENMP=OFF -DPM_BUILD_TESTS=OFF \
    -DPM_BUILD_BENCH=OFF -DPM_BUILD_CLI=OFF -DPM_BUILD_EXAMPLES=OFF -DPM_INSTALL=OFF
cmake --build "$WORK/parenmatch" --parallel "$(nproc)" --target fuzzers

for fuzzer in "$WORK"/parenmatch/tests/fuzz/fuzz_*; do
    name=${fuzzer##*/fuzz_}
    cp "$fuzzer" "$OUT"
    zip -q -j "$OUT/fuzz_${name}_seed_corpus.zip" "$root/tests/corpus/$name"/*
done
