#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Does check_includes.sh notice what it is there for? Plants includes in two small trees, one all right and one all wrong.
#   check_includes_test.sh CHECK-INCLUDES SCRATCH-FOLDER
set -eu
check=$1 scratch=$2
failures=0

# tree NAME: a fresh tree to plant in.
tree() {
    tree=$scratch/$1 planted=0
    rm -rf "$tree"
    mkdir -p "$tree"
    for header in include/parenmatch.h core/slice.h core/stack.h cpu/match_seq.h broadword/match.h broadword/word.h gpu/run.h \
        shaders/layout.h tests/families.h tests/definition.h cli/main.h mpi/plan.h; do
        put "$header" ''
    done
}

# put FILE TEXT
put() {
    [ -d "$tree/${1%/*}" ] || mkdir -p "$tree/${1%/*}"
    [ ! -e "$tree/$1" ] || fail "planted twice: $1"
    printf '%s\n' "$2" >"$tree/$1"
}

# plant FILE LINE: one #include in a file of its own.
plant() {
    put "$1" "/* planted */
$2"
    planted=$((planted + 1))
}

# What the check says of the tree, one complaint a line, and its exit code.
run_check() {
    code=0
    sh "$check" "$tree" >"$scratch/said" || code=$?
}

fail() {
    echo "$1"
    failures=$((failures + 1))
}

tree right
plant core/a.c '#include "parenmatch.h"'
plant core/b.c '#include "core/stack.h"'
plant core/c.c '#include <stdlib.h>'
plant core/dispatch.c '#include "cpu/match_seq.h"'
plant core/vulkan_dispatch.c '#include "gpu/run.h"'
plant core/word.c '#include "broadword/word.h"'
plant cpu/a.c '#include "core/slice.h"'
plant cpu/b.c '#include "match_seq.h"'
plant cpu/c.c '// #include "core/stack.h"'
plant gpu/a.c '#include "shaders/layout.h"'
plant mpi/a.c '#include "core/slice.h"'
plant cli/a.c '#include <parenmatch.h>'
plant cli/crosscheck_run.c '#include "tests/families.h"'
plant tests/deep/a.c '#include "core/stack.h"'
plant bench/a.c '#include "tests/families.h"'
plant bench/b.c '#include "broadword/word.h"'
plant build/a.c '#include "core/stack.h"'
plant docs/a.md '#include "core/stack.h"'
run_check
[ "$code" = 0 ] || fail "exit code $code where all is right"
[ ! -s "$scratch/said" ] || fail "should be accepted: $(cat "$scratch/said")"

tree wrong
plant core/a.c '#include "cpu/match_seq.h"'
plant core/b.c '#include "broadword/word.h"'
plant core/vulkan_dispatch.c '#include "cpu/match_seq.h"'
plant core/word.c '#include "cpu/match_seq.h"'
plant cpu/a.c '#include "core/stack.h"'
plant cpu/b.c '#include <core/stack.h>'
plant cpu/c.c '  #  include "core/stack.h" /* why not */'
plant cpu/d.c '#include "broadword/word.h"'
plant cpu/e.c '#include "../core/stack.h"'
plant cpu/f.c '#include "core/./stack.h"'
plant cpu/g.c '#include "core//stack.h"'
plant broadword/a.cc '#include "cpu/match_seq.h"'
plant gpu/a.h '#include "cpu/match_seq.h"'
plant shaders/a.comp '#include "core/slice.h"'
plant mpi/a.c '#include "core/stack.h"'
plant mpi/b.c '#include "cpu/match_seq.h"'
plant cpu/g2.c '#include "mpi/plan.h"'
plant cli/a.c '#include "core/slice.h"'
plant cli/b.c '#include "tests/families.h"'
plant bench/a.c '#include "tests/definition.h"'
plant bench/b.c '#include "broadword/match.h"'
plant examples/a.c '#include "core/slice.h"'
plant include/a.h '#include "core/slice.h"'
plant attic/a.c '#include "parenmatch.h"'
put attic/own.h ''
plant attic/b.c '#include "own.h"'
run_check
[ "$code" = 1 ] || fail "exit code $code where all is wrong"
complaints=0
while IFS=: read -r file _; do
    complaints=$((complaints + 1))
    rm -f "$tree/$file" # so what is left was not complained of
done <"$scratch/said"
[ "$complaints" = "$planted" ] || fail "$complaints complaints about $planted wrong files"
for left in $(cd "$tree" && grep -rl planted . || true); do
    fail "should be refused: $(grep include "$tree/$left") in $left"
done

rm -rf "$scratch"
exit "$failures"
