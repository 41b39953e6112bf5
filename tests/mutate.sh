#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Changes one operator or constant of a C file at a time and says which changes no test notices. Run by hand:
#   ./dev mutate core/match/stream.c test_stream           all changes, about 2 s each
#   STEP=7 ./dev mutate core/match/stream.c test_stream    every seventh
#   ONLY='s/a < b/a <= b/' ./dev mutate FILE TEST...       this one (sed)
# The test programs must be built in build/release; the changed file is linked in front of the library. A survivor
# either shows a test that is missing, or the change has no effect.
set -eu
cd "$(dirname "$0")/.."
file=$1
shift
build=build/release
scratch=$(mktemp -d)
export CMOCKA_TEST_ABORT=1 # the first failure suffices
ulimit -c 0
trap 'rm -rf "$scratch"' EXIT

# What becomes what.
table() {
    printf '%s\t%s\n' ' < ' ' <= ' ' <= ' ' < ' ' > ' ' >= ' ' >= ' ' > ' ' == ' ' != ' ' != ' ' == ' ' && ' ' || ' \
        ' || ' ' && ' ' + ' ' - ' ' - ' ' + ' ' + 1' ' + 0' ' - 1' ' - 0' ' * ' ' + ' ' % ' ' / ' 'true;' 'false;' \
        'false;' 'true;' ' = 0;' ' = 1;' '++' '--' '& ' '| ' '!' ''
}

# Each change of code inside functions: its line, its column, what becomes what.
changes() {
    table | awk -F'\t' -v step="${STEP:-1}" '
        NR == FNR { from[++kinds] = $1; to[kinds] = $2; next }
        !/^ / || /^ \*/ { next }
        {
            code = $0
            sub(/\/\*.*/, "", code)
            for (k = 1; k <= kinds; k++)
                for (at = 0; (found = index(substr(code, at + 1), from[k])) > 0;) {
                    at += found
                    if (count++ % step == 0)
                        print FNR "\t" at "\t" from[k] "\t" to[k]
                }
        }' - "$file"
}

# try CHANGED-FILE NAME: is the change noticed?
try() {
    cc -std=c17 -O1 -w -fopenmp -D_DEFAULT_SOURCE -D_REENTRANT -I. -Iinclude -I"$build/generated" -c "$1" -o "$scratch/changed.o" 2>/dev/null || return 2
    shift
    for test; do
        folder=$(find "$build/tests" -type d -name "$test.dir" ! -path '*/rules/*')
        link=$(sed "s| -o [^ ]*| -o $scratch/program $scratch/changed.o|" "$folder/link.txt")
        (cd "$folder/../.." && sh -c "$link") >/dev/null 2>&1 || return 2
        (cd "$scratch" && timeout "${LIMIT:-60}" ./program >/dev/null 2>&1) || return 1
    done
    return 0
}

killed=0 survived=0 invalid=0
# judge WHAT: counts what became of the change in $scratch/changed.c.
judge() {
    what=$1
    shift
    try "$scratch/changed.c" "$@" && state=0 || state=$?
    case $state in
    0) survived=$((survived + 1)) && echo "survives: $what" ;;
    1) killed=$((killed + 1)) ;;
    *) invalid=$((invalid + 1)) ;;
    esac
}

if [ -n "${ONLY:-}" ]; then
    sed "$ONLY" "$file" >"$scratch/changed.c"
    if cmp -s "$file" "$scratch/changed.c"; then echo "$ONLY changes nothing" && exit 2; fi
    judge "$ONLY" "$@"
else
    changes >"$scratch/changes"
    while IFS='	' read -r line column from to; do
        awk -v line="$line" -v column="$column" -v from="$from" -v to="$to" 'NR == line {
            $0 = substr($0, 1, column - 1) to substr($0, column + length(from)) } { print }' "$file" >"$scratch/changed.c"
        judge "$file:$line: '$from' as '$to': $(sed -n "${line}s/^ *//p" "$file")" "$@"
    done <"$scratch/changes"
fi
echo "$file: $killed killed, $survived survived, $invalid do not compile"
