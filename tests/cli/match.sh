#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# parenmatch match: what it prints, from files and pipes, and what it says of bad ones.
. "$(dirname "$0")/expect.sh"

# The example of "The stack monoid revisited", with the matches worked out by hand.
levien='((()((())(()()))))'
table='0	0	(	-
1	1	(	0
2	2	(	1
3	3	)	2
4	4	(	1
5	5	(	4
6	6	(	5
7	7	)	6
8	8	)	5
9	9	(	4
10	10	(	9
11	11	)	10
12	12	(	9
13	13	)	12
14	14	)	9
15	15	)	4
16	16	)	1
17	17	)	0'
printf '%s' "$levien" >levien.txt
expect 'example, from a file' 0 "$table" "$program" match levien.txt
expect 'example, from a pipe' 0 "$table" on "$levien" "$program" match -
for backend in auto seq broadword omp; do
    expect "example, $backend, file" 0 "$table" "$program" match --backend $backend levien.txt
    expect "example, $backend, pipe" 0 "$table" on "$levien" "$program" match --backend $backend -
done

for simd in $("$program" simd | awk '$2 == "yes" { print $1 }'); do
    expect "example, $simd" 0 "$table" "$program" match --backend broadword --simd "$simd" levien.txt
done
# On a GPU; without one the program says so.
for pipeline in $("$program" pipelines | cut -d' ' -f1); do
    "$program" match --backend gpu --pipeline "$pipeline" levien.txt >matched 2>errors
    case $? in
    0) expect "example, $pipeline" 0 "$table" cat matched ;;
    *)
        expect 'no gpu' 2 '' "$program" match --backend gpu --pipeline "$pipeline" levien.txt
        expect_error 'no gpu' 'no usable device'
        ;;
    esac
done
expect 'no such pipeline' 2 '' "$program" match --pipeline narrow levien.txt
expect_error 'no such pipeline' "no such pipeline: 'narrow'"
expect 'no such vector instructions' 2 '' "$program" match --simd abacus levien.txt
expect_error 'no such vector instructions' 'abacus'

expect 'explained, from a file' 0 "$table" "$program" match --explain levien.txt
expect_error 'explained' '^parenmatch: 18 brackets: seq, instructions none, threads 1: so short'
expect_error 'predictions' '^parenmatch: predicted: seq .* us, broadword .* us$'
expect 'explained, from a pipe' 0 "$table" on "$levien" "$program" match --explain --backend auto -
expect_error 'explained, from a pipe' '^parenmatch: 18 brackets: seq'
expect 'explained, another backend' 2 '' "$program" match --explain --backend seq levien.txt
expect_error 'explained, another backend' 'not of another backend'
head -c 10000 /dev/zero | tr '\0' '(' >opens.txt
"$program" match --raw --explain opens.txt >matched 2>errors
expect_error 'explained, by figures' '^parenmatch: 10000 brackets: broadword, instructions .*, threads 1: '

expect 'other bytes are skipped' 0 '0	1	(	-
1	5	]	0' on 'a(bc\n]' "$program" match -
expect 'unmatched ones have none' 0 '0	0	)	-
1	1	(	-' on ')(' "$program" match -
expect 'no brackets' 0 '' on 'none here' "$program" match -
expect 'no text' 0 '' "$program" match /dev/null
expect 'brackets of choice' 0 '0	0	<	-
1	2	>	0' on '<(>' "$program" match --brackets '<>' -
expect 'a bracket that cannot be printed' 0 '0	0	\x01	-
1	1	\xff	0' on '\001\377' "$program" match --brackets "$(printf '\001\377')" -
expect 'two forms' 2 '' "$program" match --raw --json levien.txt
expect_error 'two forms' '^parenmatch match: --raw and --json exclude each other'
for options in '--device 0' '--pipeline levels'; do
    # shellcheck disable=SC2086 # options are several words
    expect "omp, $options" 2 '' "$program" match --backend omp $options levien.txt
    expect_error "omp, $options" "${options% *} works with --backend auto and gpu, not with omp"
done
for backend in seq broadword; do
    expect "$backend, threads" 2 '' "$program" match --backend $backend --threads 2 levien.txt
    expect_error "$backend, threads" "threads works with --backend auto, omp and gpu, not with $backend"
done
for backend in seq gpu; do
    expect "$backend, instructions" 2 '' "$program" match --backend $backend --simd portable levien.txt
    expect_error "$backend, instructions" "--simd works with --backend auto, broadword and omp, not with $backend"
done
expect 'json' 0 '{"index":0,"offset":0,"character":"(","match":null}
{"index":1,"offset":1,"character":")","match":0}' on '()' "$program" match --json -
raw() { on "$1" "$program" match --raw - | od -An -v -tx1 | tr -d ' \n'; }
expect 'raw' 0 'ffffffff00000000' raw '()'
raw_file() { "$program" match --raw levien.txt | od -An -v -tx1 | tr -d ' \n' | cut -c1-24; }
expect 'raw, from a file' 0 'ffffffff0000000001000000' raw_file

# A text of many pieces prints the same from a file and from a pipe.
awk 'BEGIN { srand(1); for (i = 0; i < 300000; i++) printf "%s", substr("()[]{} \n", 1 + int(8 * rand()), 1) }' >large.txt
same() { "$program" match large.txt >whole && "$program" match - <large.txt >pieces && cat large.txt | "$program" match - >piped &&
    "$program" match --backend broadword - <large.txt >loaded && cmp whole pieces && cmp whole piped && cmp whole loaded; }
expect 'file and pipe agree' 0 '' same

expect 'a device that is not there, by auto' 2 '' "$program" match --device 7 levien.txt
expect_error 'a device that is not there' '^parenmatch: --device 7: no usable device (see'
if [ "$("$program" devices 2>/dev/null | cut -f2)" = cpu ]; then # it alone
    for options in '--device 0' '--backend gpu'; do
        # shellcheck disable=SC2086 # an option and its value
        expect "a CPU as a device, $options" 2 '' env PARENMATCH_ALLOW_CPU_DEVICE=0 "$program" match $options levien.txt
        expect_error "a CPU as a device, $options" 'no usable device: it is a CPU; PARENMATCH_ALLOW_CPU_DEVICE=1 allows it (see'
    done
fi
expect 'no such file' 2 '' "$program" match missing
expect_error 'no such file' 'missing: No such file'
expect 'a directory' 2 '' "$program" match .
expect_error 'a directory' 'directory'
expect 'no file' 2 '' "$program" match
expect 'two files' 2 '' "$program" match levien.txt levien.txt
expect 'odd brackets' 2 '' "$program" match --brackets '(' levien.txt
expect_error 'odd brackets' 'pairs of distinct bytes'
expect 'equal brackets' 2 '' "$program" match --brackets '||' levien.txt
expect 'several threads' 0 '' sh -c "\"$program\" match --backend omp --threads 3 large.txt | cmp - whole"
# Where threads or a device are asked for, a pipe is read whole, for which there has to be room.
from_pipe() { head -c 150000000 /dev/zero | TMPDIR=$PWD/nowhere "$program" match "$@" -; }
expect 'a long pipe, in pieces' 0 '' from_pipe
expect 'a long pipe for threads' 2 '' from_pipe --threads 2
expect_error 'a long pipe for threads' 'nowhere: No such file or directory'
# Whether a team comes into question: not with one thread, else where the program has been built with OpenMP.
teams() { for threads in 1 2; do OMP_NUM_THREADS=$((3 - threads)) "$program" match --explain --threads $threads large.txt 2>&1 >/dev/null | grep -c ', omp '; done; :; }
expect 'one thread, and two' 0 "0
$(OMP_NUM_THREADS=2 "$program" match --explain large.txt 2>&1 >/dev/null | grep -c ', omp ')" teams
expect 'too many threads' 2 '' "$program" match --threads 1025 levien.txt
expect_error 'too many threads' 'threads is at most 1024'
expect 'threads of no number' 2 '' "$program" match --threads many levien.txt
expect_error 'threads of no number' "invalid number 'many' for --threads"
expect 'no such backend' 2 '' "$program" match --backend abacus levien.txt
expect_error 'no such backend' 'abacus'
full() { "$program" match large.txt >/dev/full; }
# Without memory for threads' stacks one thread does the work.
no_threads() { (ulimit -s 4000000 && ulimit -v 1000000 && "$program" match --backend omp --threads 4 large.txt | cmp - whole); }
[ -n "${PM_SANITIZE:-}" ] || expect 'no threads' 0 '' no_threads # sanitizers need more memory
# The file is cut once the program has begun to print what is in it, and cannot go on before it is.
cut_while_read() {
    yes '()' | head -c 3000000 >cut.txt
    { "$program" match cut.txt 2>cut_errors; echo $? >code; } | { head -c 1 >/dev/null; : >cut.txt; cat >/dev/null; }
    cat cut_errors >&2
    return "$(cat code)"
}
[ -n "${PM_SANITIZE:-}" ] || {
    expect 'a file that is cut short while it is read' 2 '' cut_while_read
    expect_error 'a file that is cut short' 'cut.txt: the file was cut short while it was read'
}
endless() { yes '()' | timeout 60 "$program" match - >/dev/full; }
[ ! -c /dev/full ] || expect 'a full disk' 2 '' full
[ ! -c /dev/full ] || expect 'a full disk ends an endless text' 2 '' endless
[ ! -c /dev/full ] || expect_error 'a full disk ends an endless text' 'standard output: No space left'
finish
