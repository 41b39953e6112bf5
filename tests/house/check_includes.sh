#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Dependencies go one way: every #include of a file of this project is one that the table below allows.
#   check_includes.sh [ROOT]
set -eu
cd "${1:-.}"

# WHO  includes what. A file's own row comes before its room's; a room stands for all of its files.
table='
include               include
core                  include core
core/dispatch.c       include core cpu broadword gpu
core/word.c           include core broadword
cpu                   include cpu       core/slice.h
broadword             include broadword core/slice.h
gpu                   include gpu       core/slice.h shaders
shaders               shaders
cli                   include cli
bench                 include bench tests/families.h
tests                 include core cpu broadword gpu shaders cli tests
examples              include
docs                  include examples
'

find . -path ./build -prune -o -path './.*' -prune -o -type f \
    \( -name '*.[ch]' -o -name '*.cc' -o -name '*.cpp' -o -name '*.hpp' -o -name '*.comp' -o -name '*.glsl' \) -print |
    sed 's|^\./||' | sort | while read -r file; do
    room=${file%%/*}
    allowed=$(echo "$table" | awk -v file="$file" '$1 == file { $1 = ""; print; exit }')
    [ -n "$allowed" ] ||
        allowed=$(echo "$table" | awk -v room="$room" '$1 == room { $1 = ""; print; exit }')
    sed -n 's/^[[:space:]]*#[[:space:]]*include[[:space:]]*["<]\([^">]*\)[">].*/\1/p' "$file" | while read -r name; do
        # A name is looked up as the compiler does; what is found nowhere here belongs to somebody else.
        included=
        for candidate in "$(dirname "$file")/$name" "$name" "include/$name"; do
            [ ! -f "$candidate" ] || { included=$candidate && break; }
        done
        [ -n "$included" ] || continue
        case $name in
        *..*) echo "$file: includes $name; name files from the root" && continue ;;
        esac
        case " $allowed " in
        *" ${included%%/*} "* | *" $included "*) ;;
        *) echo "$file: includes $included; allowed:${allowed:- nothing, this room is not in the table}" ;;
        esac
    done
done | awk '{ print } END { exit NR > 0 }'
