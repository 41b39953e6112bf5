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
core/box_dispatch.c   include core cpu gpu
core/bp_dispatch.c    include core broadword cpu
core/bp_pioneers.c    include core broadword
core/bracket_masks.c  include core broadword
core/bracket_masks.h  include core broadword/classify.h
core/dispatch.c       include core cpu broadword gpu
core/find_dispatch.c  include core cpu broadword gpu
core/resident_dispatch.c include core gpu
core/scan_dispatch.c  include core cpu gpu
core/structure_dispatch.c include core gpu
core/vulkan_dispatch.c include core gpu
core/word.c           include core broadword
cpu                   include cpu       core/slice.h core/sizes.h core/engine.h core/reach.h core/dict.h core/find_engine.h core/hit_sink.h
broadword             include broadword core/slice.h core/engine.h core/bp_index.h core/dict.h core/find_engine.h
gpu                   include gpu       core/slice.h core/slice_layers.h core/sizes.h core/dict.h core/machine.h core/kept_file.h shaders
shaders               include shaders
mpi                   include mpi       core/slice.h core/slice_layers.h
cli                   include cli
cli/crosscheck_compare.c include cli tests/families.h
cli/crosscheck_run.c  include cli tests/families.h
cli/crosscheck_trees.c include cli tests/families.h
bench                 include bench tests/families.h tests/scenes.h broadword/word.h broadword/word_vigna.h
bench/devices.c       include bench tests/families.h
bench/gpu_bed.c       include bench gpu shaders
bench/gpu_bed.h       gpu/device.h gpu/pipeline.h
bench/gpu_boxes.c     include bench tests/scenes.h gpu shaders
bench/gpu_find_bed.c  include bench gpu shaders
bench/gpu_find_bed.h  gpu/settings.h
bench/gpu_options.c   include bench gpu/pipeline_list.h shaders/layout.h
bench/gpu_options.h   include gpu/settings.h
bench/gpu_passes.c    include bench tests/families.h
bench/gpu_scan.c      include bench gpu shaders tests/families.h
bench/gpu_structure.c include bench gpu shaders
bench/gpu_table.c     include bench gpu
bench/gpu_table.h     gpu/device.h
bench/gpu_timing.c    include bench gpu
bench/gpu_timing.h    include bench gpu
bench/gpu_variant.c   include bench gpu
bench/gpu_variant.h   gpu/pipeline.h
bench/resident.c      include bench gpu/pipeline_choice.h
tests                 include core cpu broadword gpu shaders cli mpi tests
examples              include examples
docs                  include examples
'
export table

find . \( -path ./build -o -path './.*' \) -prune -o -type f -print | sort | awk '
function complain(file, what) {
    print file ": " what
    complaints++
}

# What the table allows a file to include, between blanks.
function allowed_to(file) {
    return file in allowed ? allowed[file] : allowed[room_of(file)] # "" for a room that is not in the table
}

function room_of(file) {
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
    may = allowed_to(file)
    if (included != "" && !index(may, " " room_of(included) " ") && !index(may, " " included " "))
        complain(file, "includes " included "; allowed:" (may ? may : " nothing, this room is not in the table"))
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
    if (/\.([ch]|cc|cpp|hpp|comp|glsl)$/)
        source[++sources] = $0
}

END {
    for (s = 1; s <= sources; s++) {
        while ((got = (getline line < source[s])) > 0)
            if (sub(/^[ \t]*#[ \t]*include[ \t]*["<]/, "", line)) {
                sub(/[">].*/, "", line)
                check(source[s], line)
            }
        if (got < 0)
            complain(source[s], "cannot be read")
        close(source[s])
    }
    exit (complaints > 0)
}'
