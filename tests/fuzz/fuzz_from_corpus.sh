#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A short run of a fuzzer, from its kept corpus; what it finds goes into a scratch folder. It repeats what it did before,
# up to where the time ends on a slow machine.
#   fuzz_from_corpus.sh FUZZER CORPUS SCRATCH-FOLDER
set -eu
rm -rf "$3"
mkdir -p "$3/found"
exec "$1" -seed=1 -runs=500 -max_total_time=30 -artifact_prefix="$3/" "$3/found" "$2"
