#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# parenmatch crosscheck: all ways agree, and one input alone, as a reproduction gives it.
. "$(dirname "$0")/expect.sh"

"$program" crosscheck --seconds 1 >lines 2>errors
expect 'all agree' 0 '0' echo $?
expect 'no way without inputs' 1 '' grep ' 0 inputs' lines
expect 'the oracle comes first' 0 'seq' sh -c "head -n 1 lines | cut -d' ' -f1"
expect 'every way has a line' 0 'auto boxes-gpu boxes-omp broadword gpu omp scans-gpu scans-omp seq stream ' \
    sh -c "cut -d' ' -f1 lines | tr -d , | sort -u | tr '\n' ' '"

# A command as it is printed for a difference, read back; of vector instructions that work everywhere.
expect 'a string' 0 'broadword portable                1 inputs            4 elements, all agree' \
    "$program" crosscheck --backend broadword --simd portable --string '((()'
expect 'a string of runs' 0 'omp portable, 3 threads           1 inputs       300004 elements, all agree' \
    "$program" crosscheck --backend omp --simd portable --threads 3 --string '(300000()))'
expect 'no elements' 0 'auto                              1 inputs            0 elements, all agree' \
    "$program" crosscheck --backend auto --string ''
expect 'a family' 0 'stream portable                   1 inputs       100000 elements, all agree' \
    "$program" crosscheck --backend stream --simd portable --family twist:.5 --n 100000 --seed 7
expect 'boxes' 0 'boxes-omp, 3 threads              1 inputs       100000 elements, all agree' \
    "$program" crosscheck --backend boxes-omp --threads 3 --family random --n 100000 --seed 7
expect 'scans' 0 'scans-omp, 3 threads              1 inputs       100000 elements, all agree' \
    "$program" crosscheck --backend scans-omp --threads 3 --family random --n 100000 --seed 7
expect 'as many threads as there are' 0 'omp portable, all threads         1 inputs       300004 elements, all agree
boxes-omp, all threads            1 inputs       300004 elements, all agree
scans-omp, all threads            1 inputs       300004 elements, all agree' \
    sh -c '"$0" crosscheck --threads 0 --string "(300000()))" | grep -v -e "^omp [^p]"' "$program"
expect 'json' 0 '{"backend":"stream","simd":"portable","pipeline":null,"threads":null,"status":"PM_OK","inputs":1,"elements":7,"too_large":0,"difference":null,"reproduction":null}' \
    "$program" crosscheck --backend stream --simd portable --string '(5()' --json

# refused OPTION... PATTERN: wrong usage, and what is said of it.
refused() {
    pattern=$1
    shift
    expect "refused: $*" 2 '' "$program" crosscheck "$@"
    expect_error "refused: $*" "$pattern"
}
refused "no such backend: 'abacus'" --backend abacus
refused "no such vector instructions: 'abacus'" --simd abacus
refused "no such pipeline: 'narrow'" --pipeline narrow
refused 'no backend takes all' --backend seq --simd portable
refused 'no backend takes all' --backend seq --threads 0
refused "invalid parentheses '(x'" --string '(x'
refused "no such family: 'tree'" --family tree --n 5
refused 'need each other' --n 5
refused 'need each other' --family bits
refused 'seconds has no effect' --family bits --n 5 --seconds 1
refused 'seconds has no effect' --string '()' --seconds 1
refused '--string and --family exclude each other' --string '(' --family bits
refused 'at most 1024' --threads 9999
refused 'no backend takes all' --backend boxes-omp --device 0
expect 'no such device' 2 '' env PARENMATCH_ALLOW_CPU_DEVICE=1 "$program" crosscheck --device 999
expect_error 'no such device' '^parenmatch: --device 999: no usable device'
refused "invalid number 'soon'" --seconds soon
refused 'no file' file
refused "Try 'parenmatch crosscheck --help'" --colour
finish
