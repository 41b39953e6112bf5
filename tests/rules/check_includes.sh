#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Dependencies go one way: every #include of a file of this project is one that the table below allows. And memory comes
# one way: in the folders of the library only base/memory.h calls an allocator. No folder holds more than 40 files itself.
#   check_includes.sh [ROOT]
set -eu
cd "${1:-.}"

# FOLDER  the folders that its files may include. There are no rows for single files.
table='
include    include
base       include base
cpu        include base cpu
broadword  include base broadword
shaders    include shaders
gpu        include base shaders gpu
core       include base cpu broadword gpu core
mpi        include base mpi
inputs     include inputs
cli        include inputs cli
bench      include inputs base cpu broadword gpu shaders bench
tests      include inputs base cpu broadword gpu shaders core mpi cli bench tests
examples   include examples
wasm       include wasm
'
export table

find . \( -path ./build -o -path './.*' \) -prune -o -type f -print | sort | awk '
function complain(file, what) {
    print file ": " what
    complaints++
}

function folder_of(file) {
    return substr(file, 1, index(file, "/") - 1)
}

# The file of this project that a name stands for, looked up as the compiler does; "" for one of somebody else.
function included_as(file, name,    folder) {
    folder = file
    sub(/[^\/]*$/, "", folder)
    if (folder name in exists)
        return folder name
    if (name in exists)
        return name
    return "include/" name in exists ? "include/" name : ""
}

function check(file, name,    included, may) {
    if (name ~ /(^|\/)\.?\.?\//) {
        complain(file, "includes " name "; name files from the root")
        return
    }
    included = included_as(file, name)
    may = allowed[folder_of(file)] # "" for a folder that is not in the table
    if (included != "" && !index(may, " " folder_of(included) " "))
        complain(file, "includes " included "; allowed:" (may ? may : " nothing, this folder is not in the table"))
}

function is_of_library(file) {
    return file ~ /^(base|cpu|broadword|core|gpu|mpi)\//
}

BEGIN {
    rows = split(ENVIRON["table"], row, "\n")
    for (r = 1; r <= rows; r++) {
        gsub(/ +/, " ", row[r])
        who = row[r]
        sub(/ .*/, "", who)
        if (who)
            allowed[who] = substr(row[r], length(who) + 1) " "
    }
}

{
    sub(/^\.\//, "") # as find says it
    exists[$0]
    folder = $0
    sub(/[^\/]*$/, "", folder)
    if (++files[folder] == 41)
        complain($0, "is file 41 of its folder; a reader looks through 40")
    if (/\.([ch]|cc|cpp|hpp|comp|glsl)$/)
        source[++sources] = $0
}

END {
    for (s = 1; s <= sources; s++) {
        while ((got = (getline line < source[s])) > 0) {
            if (line ~ /(->|\.)(alloc|free)\(/ && is_of_library(source[s]) && source[s] != "base/memory.h")
                complain(source[s], "calls an allocator itself; see base/memory.h")
            if (sub(/^[ \t]*#[ \t]*include[ \t]*["<]/, "", line)) {
                sub(/[">].*/, "", line)
                check(source[s], line)
            }
        }
        if (got < 0)
            complain(source[s], "cannot be read")
        close(source[s])
    }
    exit (complaints > 0)
}'
