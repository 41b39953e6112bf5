#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Does check_includes.sh notice what it is there for? Plants includes in a small tree of its own.
#   check_includes_test.sh CHECK-INCLUDES SCRATCH-FOLDER
set -eu
check=$1 tree=$2
failures=0

# plant FILE LINE: a fresh tree with one #include in it.
plant() {
    rm -rf "$tree"
    for header in include/parenmatch.h core/slice.h core/stack.h cpu/match_seq.h broadword/word.h gpu/run.h \
        tests/families.h tests/definition.h cli/main.h; do
        mkdir -p "$tree/${header%/*}"
        : >"$tree/$header"
    done
    mkdir -p "$tree/${1%/*}"
    printf '/* planted */\n%s\n' "$2" >"$tree/$1"
}

accepted() {
    plant "$1" "$2"
    sh "$check" "$tree" >"$tree.said" && [ ! -s "$tree.said" ] && return
    echo "should be accepted in $1: $2" && failures=$((failures + 1))
}

refused() {
    plant "$1" "$2"
    sh "$check" "$tree" >"$tree.said" || { grep -q "^$1: " "$tree.said" && return; }
    echo "should be refused in $1: $2" && failures=$((failures + 1))
}

accepted core/a.c '#include "parenmatch.h"'
accepted core/a.c '#include "core/stack.h"'
accepted core/a.c '#include <stdlib.h>'
accepted core/dispatch.c '#include "cpu/match_seq.h"'
accepted cpu/a.c '#include "core/slice.h"'
accepted cpu/a.c '#include "match_seq.h"'
accepted cli/a.c '#include <parenmatch.h>'
accepted tests/deep/a.c '#include "core/stack.h"'
accepted bench/a.c '#include "tests/families.h"'

refused core/a.c '#include "cpu/match_seq.h"'
refused cpu/a.c '#include "core/stack.h"'
refused cpu/a.c '#include <core/stack.h>'
refused cpu/a.c '  #  include "core/stack.h" /* why not */'
refused cpu/a.c '#include "broadword/word.h"'
refused broadword/a.cc '#include "cpu/match_seq.h"'
refused gpu/a.h '#include "cpu/match_seq.h"'
refused cpu/a.c '#include "../core/stack.h"'
refused cli/a.c '#include "core/slice.h"'
refused bench/a.c '#include "tests/definition.h"'
refused examples/a.c '#include "core/slice.h"'
refused include/a.h '#include "core/slice.h"'
refused attic/a.c '#include "parenmatch.h"'

rm -rf "$tree" "$tree.said"
exit "$failures"
