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
    for header in include/parenmatch.h base/slice.h core/lexer/lexer.h cpu/match/seq.h broadword/word.h gpu/gpu.h \
        shaders/shared/layout.h inputs/families.h tests/support/definition.h cli/cli.h mpi/plan.h; do
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
plant base/a.c '#include "parenmatch.h"'
plant cpu/match/a.c '#include "base/slice.h"'
plant cpu/match/b.c '#include "seq.h"'
plant cpu/match/c.c '// #include "core/lexer/lexer.h"'
plant gpu/match/a.c '#include "shaders/shared/layout.h"'
plant core/text/a.c '#include "core/lexer/lexer.h"'
plant core/text/b.c '#include <stdlib.h>'
plant core/match/a.c '#include "cpu/match/seq.h"'
plant core/match/b.c '#include "broadword/word.h"'
plant core/match/c.c '#include "gpu/gpu.h"'
plant mpi/a.c '#include "base/slice.h"'
plant cli/a.c '#include <parenmatch.h>'
plant cli/b.c '#include "inputs/families.h"'
plant tests/match/a.c '#include "core/lexer/lexer.h"'
plant bench/suites/a.c '#include "inputs/families.h"'
plant bench/suites/b.c '#include "broadword/word.h"'
plant build/a.c '#include "core/lexer/lexer.h"'
plant docs/a.md '#include "core/lexer/lexer.h"'
plant base/memory.h 'allocator->alloc(bytes, allocator->user);'
plant bench/a.c 'allocator->alloc(bytes, allocator->user);'
run_check
[ "$code" = 0 ] || fail "exit code $code where all is right"
[ ! -s "$scratch/said" ] || fail "should be accepted: $(cat "$scratch/said")"

tree wrong
plant base/a.c '#include "core/lexer/lexer.h"'
plant base/b.c '#include "cpu/match/seq.h"'
plant core/match/a.c '#include "mpi/plan.h"'
plant core/match/b.c '#include "inputs/families.h"'
plant cpu/match/a.c '#include "core/lexer/lexer.h"'
plant cpu/match/b.c '#include <core/lexer/lexer.h>'
plant cpu/match/c.c '  #  include "core/lexer/lexer.h" /* why not */'
plant cpu/match/d.c '#include "broadword/word.h"'
plant cpu/match/e.c '#include "../../base/slice.h"'
plant cpu/match/f.c '#include "base/./slice.h"'
plant cpu/match/g.c '#include "base//slice.h"'
plant cpu/match/h.c '#include "mpi/plan.h"'
plant broadword/a.cc '#include "cpu/match/seq.h"'
plant gpu/a.h '#include "cpu/match/seq.h"'
plant shaders/a.comp '#include "base/slice.h"'
plant mpi/a.c '#include "core/lexer/lexer.h"'
plant mpi/b.c '#include "cpu/match/seq.h"'
plant inputs/a.c '#include "base/slice.h"'
plant cli/a.c '#include "base/slice.h"'
plant cli/b.c '#include "tests/support/definition.h"'
plant bench/a.c '#include "tests/support/definition.h"'
plant bench/b.c '#include "core/lexer/lexer.h"'
plant examples/a.c '#include "base/slice.h"'
plant include/a.h '#include "base/slice.h"'
plant attic/a.c '#include "parenmatch.h"'
plant gpu/b.c 'own->allocator.free(block, own->allocator.user);'
put attic/own.h ''
plant attic/b.c '#include "own.h"'
for k in $(seq 40); do
    put full/$(printf %02d "$k").txt ''
done
plant full/41.txt '#include'
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
