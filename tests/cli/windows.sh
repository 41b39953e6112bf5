#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The program on Windows, or under wine: names in UTF-8, folders, mapped and short files, pipes, several threads.
#   windows.sh EMULATOR PROGRAM
set -eu
emulator=$1 program=$2
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
cd "$folder"
failed=0

# expect CODE OUTPUT ARGUMENT...: what the program prints on standard output, without \r, and its exit code.
expect() {
    code=$1 output=$2
    shift 2
    got=$("$emulator" "$program" "$@" 2>errors) && status=0 || status=$?
    if [ "$status" != "$code" ] || [ "$got" != "$output" ]; then
        echo "parenmatch $*: code $status, not $code; printed:" "$got" "; errors:"
        cat errors
        failed=1
    fi
}

mkdir -p 'Ordner ü/unter/build'
printf 'f(a[1])\n' >'Ordner ü/grün.c'
printf '(\n' >'Ordner ü/unter/日本.c'
printf '(\n' >'Ordner ü/unter/build/left_out.c'
printf '(()' >brackets.txt
head -c 600000 /dev/zero | tr '\0' x >long.c # mapped
printf ')\n' >>long.c

expect 0 '' check 'Ordner ü/grün.c'
expect 1 'Ordner ü/unter/日本.c:1:1: error: '"'('"' is never closed
    1 | (
      | ^' check -r --jobs 2 --color never 'Ordner ü'
expect 1 '' check --quiet long.c
expect 2 '' check 'Ordner ü'
expect 2 '' check no-such-file.c
expect 0 "$(printf '0\t0\t(\t-\n1\t1\t(\t0\n2\t2\t)\t1')" match brackets.txt
expect 0 "$(printf '0\t0\t0\t-\t(\t2\n')" tree --cache brackets.txt
[ -s brackets.txt.bp ] || { echo "no index was written"; failed=1; }
expect 0 "$(printf '0\t0\t0\t-\t(\t2\n')" tree --cache brackets.txt
printf '(()' >brackets.txt
expect 0 "$(printf '0\t0\t(\t-\n1\t1\t(\t0\n2\t2\t)\t1')" match - <brackets.txt
exit $failed
