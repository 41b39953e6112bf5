#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Writes FOLDER/parenmatch.c and FOLDER/parenmatch.h: the part of the library that is plain C, on one thread, in one file
# for other projects: matching, one word, and the queries of pm_bp. The header has only the functions that are there.
# Names of functions and types that two files give to different things are an error; the macros of a file end with it.
#   cmake/amalgamate.sh FOLDER [MORE-FILE...]
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$1"
folder=$(cd "$1" && pwd)
shift
files="base/status.c base/arguments.c cpu/match/seq.c core/match/seq.c core/match/verify.c core/match/word.c
    core/bp/batch.c core/bp/bp.c core/bp/build.c core/bp/pioneers.c core/bp/stretches.c core/bp/tree.c
    core/single/queries.c core/single/single.c $*"
cd "$root"
# shellcheck disable=SC2086 # a list of words
awk -v target="$folder" '
function fail(what) {
    print "amalgamate: " what >"/dev/stderr"
    failed = 1
    exit 1
}

function is_header_of_users(name) {
    return name ~ /^parenmatch/
}

# The file that stands for an included one; contexts are simpler here.
function path_of(name, from) {
    sub(/[^\/]*$/, "", from)
    if (name == "core/context/context.h")
        return "core/single/context.h"
    if (is_header_of_users(name))
        return "include/" name
    return (getline line < (from name)) >= 0 && !close(from name) ? from name : name
}

function put(line) {
    if (line == "" && last_line == "")
        return
    last_line = line
    print line >output
}

# Notes what a line at file scope names; the same name in two files would be two things.
function note(line, file,    name) {
    name = ""
    if (line ~ /^static / && match(line, /[a-z0-9_]+\(/) && substr(line, RSTART, 2) != "__")
        name = substr(line, RSTART, RLENGTH - 1)
    else if (line ~ /^static / && match(line, /[a-zA-Z0-9_]+(\[[^=]*)? = /)) {
        name = substr(line, RSTART, RLENGTH)
        sub(/[\[ ].*/, "", name)
    } else if (line ~ /^} [a-z0-9_]+;$/)
        name = substr(line, 3, length(line) - 3)
    else if (line ~ /^#define /) {
        name = substr(line, 9)
        sub(/[^A-Za-z0-9_].*/, "", name)
        if (file ~ /\.c$/)
            macros[++macro_count] = name
    }
    if (name == "")
        return
    if ((name in named_in) && named_in[name] != file)
        fail(name " is in " named_in[name] " and in " file)
    named_in[name] = file
    if (line ~ /^#define / && file ~ /\.c$/)
        delete named_in[name] # it ends with the file
}

# The functions that a file defines.
function find_definitions(file,    line, name) {
    while ((getline line < file) > 0) {
        if (line ~ /^[a-z].*[ *]pm_[a-z0-9_]+\(/ && line !~ /^static / && line !~ /;$/) {
            match(line, /[ *]pm_[a-z0-9_]+\(/)
            defined[substr(line, RSTART + 1, RLENGTH - 2)]
        }
        if (match(line, /^[a-z].*[ *]QUERY\([a-z_]+\)\(/)) {
            match(line, /QUERY\([a-z_]+\)/)
            defined["pm_bp_" substr(line, RSTART + 6, RLENGTH - 7)]
        }
    }
    close(file)
}

# A line of a public header: a declaration, with the comment before it, is left out if the function is not there.
function put_of_header(line) {
    if (line ~ /^\/\*\*/ && !in_declaration) {
        comment = line
        in_comment = line !~ /\*\/$/
        return
    }
    if (in_comment) {
        comment = comment "\n" line
        in_comment = line !~ /\*\/$/
        return
    }
    if (line ~ /^PM_API/ || in_declaration) {
        declaration = declaration (declaration == "" ? "" : "\n") line
        in_declaration = line !~ /;$/
        if (in_declaration)
            return
        match(declaration, /pm_[a-z0-9_]+\(/)
        if (substr(declaration, RSTART, RLENGTH - 1) in defined)
            put((comment == "" ? "" : comment "\n") declaration)
        comment = declaration = ""
        return
    }
    if (comment != "")
        put(comment)
    comment = ""
    put(line)
}

function put_file(file,    line, name, count) {
    if (file in done)
        return
    done[file]
    count = 0
    if (!of_users)
        put("\n/* ======== " file " ======== */")
    while ((getline line < file) > 0) {
        count++
        if (line ~ /SPDX-License-Identifier/)
            continue
        name = line
        if (sub(/^[ \t]*#[ \t]*include[ \t]*"/, "", name)) {
            sub(/".*/, "", name)
            if (of_users ? name != "parenmatch.h" : !is_header_of_users(name))
                put_file(path_of(name, file))
            continue
        }
        note(line, file)
        if (of_users)
            put_of_header(line)
        else
            put(line)
    }
    close(file)
    if (!count)
        fail(file " cannot be read")
}

BEGIN {
    licence = "/* SPDX-License-Identifier: Apache-2.0 */"
    for (f = 1; f < ARGC; f++)
        find_definitions(ARGV[f])
    find_definitions("core/bp/queries.h")

    output = target "/parenmatch.h"
    of_users = 1
    put(licence)
    put("/* The interface of parenmatch.c, one file for other projects: matching, one word, and queries on a long sequence.")
    put(" * Made by `./dev amalgamate`. What it says of other backends, devices and files is true of the whole library. */")
    put("#ifndef PARENMATCH_H\n#define PARENMATCH_H\n")
    put_file("include/parenmatch/base.h")
    put_file("include/parenmatch/match.h")
    put_file("include/parenmatch/bp.h")
    put_file("include/parenmatch/bp_view.h")
    put("\n#endif /* PARENMATCH_H */")
    close(output)

    output = target "/parenmatch.c"
    of_users = 0
    put(licence)
    put("/* parenmatch in one file, for gcc and clang: cc -c parenmatch.c. Made by `./dev amalgamate` of the files named below.")
    put(" * It needs C11, one thread and malloc(). Internal names begin with pmi_. */")
    put("#pragma GCC diagnostic ignored \"-Wunused-function\" /* not all of the small inline ones have users here */")
    put("#include \"parenmatch.h\"")
    for (f = 1; f < ARGC; f++) {
        put_file(ARGV[f])
        for (m = 1; m <= macro_count; m++)
            put((m == 1 ? "\n" : "") "#undef " macros[m])
        macro_count = 0
    }
    close(output)
    exit failed
}' $files
