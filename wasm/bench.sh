#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The speed of the npm package's module next to the library with SSE4, interleaved; the best of 3 runs each, and the
# speed of the module by that of the library. Needs build/release and the modules of ./dev test wasm-node.
#   wasm/bench.sh [SIMD]
set -eu
cd "$(dirname "$0")/.."
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
${CC:-cc} -std=c11 -D_POSIX_C_SOURCE=199309L -O2 -Iinclude wasm/bench.c -o "$folder/native" \
    -Lbuild/release -lparenmatch -Wl,-rpath,"$PWD/build/release"
for run in 1 2 3; do
    node wasm/package/bench.js | sed 's/^/wasm: /'
    "$folder/native" "${1:-sse4}" | sed 's/^/native: /'
done | awk -F': ' '
{
    split($3, value, " ")
    known = ($1, $2) in best
    if (!known || ($2 ~ /match/ ? value[1] < best[$1, $2] : value[1] > best[$1, $2]))
        best[$1, $2] = value[1]
    if (!($2 in unit)) {
        name[++count] = $2
        unit[$2] = $2 ~ /match/ ? "ns an element" : "MB/s"
    }
}
END {
    for (k = 1; k <= count; k++) {
        module = best["wasm", name[k]]
        library = best["native", name[k]]
        ratio = name[k] ~ /match/ ? library / module : module / library
        printf "%s: %s and %s %s, %.2f\n", name[k], module, library, unit[name[k]], ratio
    }
}'
