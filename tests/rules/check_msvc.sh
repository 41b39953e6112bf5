#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The public headers have nothing that Microsoft's compiler would refuse: clang reads them as it does, in C and in C++,
# and behind its preprocessor no extension of GNU's is left, whatever instructions the program is compiled for. Exits 77
# (skipped) without clang.
#   check_msvc.sh INCLUDE-FOLDER HEADER...
set -eu
include=$1
shift
command -v clang >/dev/null || { echo "skipped: no clang here" && exit 77; }

# as_microsoft FLAG...: the headers on standard input, or what comes of them.
as_microsoft() {
    clang --target=x86_64-pc-windows-msvc -fms-compatibility -fms-extensions -ffreestanding -I "$include" \
        -idirafter /usr/include "$@" - # Vulkan's headers
}

for header; do
    line="#include \"$header\""
    for language in 'c -std=c11' 'c -std=c17' 'c++ -std=c++14' 'c++ -std=c++17'; do
        # shellcheck disable=SC2086 # a language and its standard
        echo "$line" | as_microsoft -x $language -fsyntax-only -Wall -Wextra -Wvla -Wgnu -Werror
    done
    for cpu in x86-64 haswell icelake-server; do
        left=$(echo "$line" | as_microsoft -x c -std=c11 -march=$cpu -E |
            awk '/^# [0-9]+ "/ { ours = $3 ~ /parenmatch/ } ours && !/^#/' |
            grep -nE '__attribute|__builtin|__extension__|__typeof|__asm|_Pragma' || true)
        [ -z "$left" ] || { printf '%s, compiled for %s, has extensions of GNU:\n%s\n' "$header" $cpu "$left" && exit 1; }
    done
    echo "$header: fine"
done
