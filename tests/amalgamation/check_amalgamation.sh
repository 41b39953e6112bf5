#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The library in one file: made twice the same, compiled without a warning in a foreign folder by one line of each compiler
# that is there, its header by C++ too; it has the functions that its header declares and answers as a plain stack does.
# Files that name different things alike are refused.
#   check_amalgamation.sh SOURCE SCRATCH-FOLDER CC NM VERSION [SANITIZER]
set -eu
source=$1 scratch=$2 cc=$3 nm=$4 version=$5 sanitize=${6:+-fsanitize=$6 -fno-sanitize-recover=all}
rm -rf "$scratch"
mkdir -p "$scratch/clash"
sh "$source/cmake/amalgamate.sh" "$scratch/again"
"$source/cmake/amalgamate.sh" "$scratch" # as `./dev amalgamate` calls it
cmp "$scratch/parenmatch.c" "$scratch/again/parenmatch.c"
cmp "$scratch/parenmatch.h" "$scratch/again/parenmatch.h"

echo 'static int find_close(int i) {' >"$scratch/clash/clash.c"
if sh "$source/cmake/amalgamate.sh" "$scratch/clash" "$scratch/clash/clash.c" 2>"$scratch/clash/said"; then
    echo "two files with one name are accepted"
    exit 1
fi
grep -q 'find_close is in' "$scratch/clash/said"

cd "$scratch"
for compiler in gcc clang "$cc"; do
    if command -v "$compiler" >/dev/null; then
        "$compiler" -c -std=c11 -Wall -Wextra -pedantic -Werror parenmatch.c
    fi
done
for compiler in g++ clang++; do
    if command -v "$compiler" >/dev/null; then
        echo '#include "parenmatch.h"' | "$compiler" -std=c++11 -Wall -Wextra -pedantic -Werror -fsyntax-only -I . -x c++ -
    fi
done

# shellcheck disable=SC2086 # a list of flags
"$cc" -std=c11 -O1 -Wall -Wextra -pedantic -Werror $sanitize -I . "$source/tests/amalgamation/program.c" parenmatch.c -o program
[ "$(./program)" = "$version" ] || { echo "its version is $(./program), not $version" && exit 1; }
"$cc" -std=c11 -fPIC -fvisibility=hidden -shared parenmatch.c -o libparenmatch.so
"$cc" -std=c11 -c parenmatch.c
ar rcs libparenmatch.a parenmatch.o
CPPFLAGS=-DPARENMATCH_BP_VIEW_H sh "$source/tests/rules/check_symbols.sh" "$cc" "$nm" libparenmatch.so libparenmatch.a "$scratch/parenmatch.h"
