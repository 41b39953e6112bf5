#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# parenmatch find: what it prints, as grep would, and what it says of bad patterns and files.
. "$(dirname "$0")/expect.sh"

printf 'he and she\nnothing\nHers, ushers\n\nlast one here' >text
printf 'he\nshe\nhers\nhe\n' >words
printf 'she\n' >other

expect 'a pattern' 0 'he and she
Hers, ushers
last one here' "$program" find he text
expect 'a file of patterns' 0 'he and she
Hers, ushers
last one here' "$program" find -f words text
expect 'patterns' 0 'nothing
Hers, ushers' "$program" find -e thing -e Hers text
expect 'line numbers and offsets' 0 '1:0:he and she
3:19:Hers, ushers
5:33:last one here' "$program" find -nb -f words text
expect 'what was found' 0 '0:he
7:she
26:she
42:he' "$program" find -ob -f words text
expect 'the longest' 0 '0:he
7:she
8:he
26:she
27:hers
42:he' "$program" find -ob --kind longest -f words text
expect 'all' 0 '0:he
7:she
8:he
26:she
27:he
27:hers
42:he' "$program" find -ob --kind all -f words text
expect 'the first' 0 '0:he
7:she
26:she
42:he' "$program" find -ob --kind leftmost-first -f words text
expect 'without case' 0 '0:he
7:she
19:Hers
26:she
42:he' "$program" find -iob -f words text
expect 'counted' 0 '3' "$program" find -c -f words text
expect 'none counted' 1 '0' "$program" find -c -e zzz text
expect 'several files' 0 'text:1:he and she
text:3:Hers, ushers
other:1:she' "$program" find -n -e she text other
expect 'no names' 0 'he and she
Hers, ushers
she' "$program" find -h -e she text other
expect 'a name' 0 'other:she' "$program" find -H she other
expect 'counted, several' 0 'text:2
other:1' "$program" find -c -e she text other
expect 'names alone' 0 'text' "$program" find -l -e Hers text other
expect 'quiet' 0 '' "$program" find -q she text
expect 'quiet, none' 1 '' "$program" find -q zzz text
expect 'none' 1 '' "$program" find zzz text
expect 'standard input' 0 '2:she' on 'he\nshe\n' "$program" find -n she -
expect 'standard input, patterns' 0 'he and she' on 'and\n' "$program" find -f - text
expect 'json' 0 '{"file":"text","offset":7,"line":1,"column":8,"length":3,"pattern":"she"}
{"file":"text","offset":26,"line":3,"column":8,"length":3,"pattern":"she"}' "$program" find --json she text
expect 'json, a quote' 0 '{"file":"<stdin>","offset":1,"line":1,"column":2,"length":2,"pattern":"\"\\"}' \
    on 'a"\\\\b\n' "$program" find --json '"\' -
: >empty
expect 'an empty file' 1 '' "$program" find a empty
expect 'no patterns' 1 '' "$program" find -f empty text

# Every engine with all vector instructions, but where it is said that they do not go together.
everything=$("$program" find -ob --kind all -f words text)
for engine in bytes prefixes gathered interleaved automaton trie; do
    for simd in $("$program" simd | awk '$2 == "yes" { print $1 }'); do
        if "$program" find --engine "$engine" --simd "$simd" -q -f words text 2>errors; then
            expect "$engine, $simd" 0 "$everything" \
                "$program" find --engine "$engine" --simd "$simd" -ob --kind all -f words text
        else
            expect_error "$engine, $simd" 'does not support these patterns, or this CPU'
        fi
    done
done
expect 'bytes' 0 '5:d' "$program" find --engine bytes -ob d text

expect 'no such file' 2 '' "$program" find a nowhere
expect_error 'no such file' 'nowhere: No such file'
expect 'found, and no such file' 2 'she' "$program" find -h she nowhere other
expect 'no file' 2 '' "$program" find she
expect_error 'no file' 'no pattern or no file given'
expect 'no file, patterns' 2 '' "$program" find -e she
expect_error 'no file, patterns' 'no file given'
expect 'an empty pattern' 2 '' "$program" find '' text
expect_error 'an empty pattern' 'empty pattern'
printf 'a\n\nb\n' >gap
expect 'an empty line' 2 '' "$program" find -f gap text
expect_error 'an empty line' 'gap:2: empty pattern'
expect 'no such kind' 2 '' "$program" find --kind best she text
expect_error 'no such kind' "no such kind: 'best'"
expect 'no such backend' 2 '' "$program" find --backend gpus she text
expect_error 'no such backend' "no such backend: 'gpus'"
expect 'an engine of the gpu' 2 '' "$program" find --backend gpu --engine trie she text
expect_error 'an engine of the gpu' 'engine works with --backend auto, not with gpu'
expect 'instructions of the gpu' 2 '' "$program" find --backend gpu --simd portable she text
expect_error 'instructions of the gpu' 'simd works with --backend auto, not with gpu'
expect 'a device of the CPU' 2 '' "$program" find --device 0 she text
expect_error 'a device of the CPU' 'device works with --backend gpu, not with auto'
expect 'several devices' 2 '' "$program" find --backend gpu --device 0,1 she text
expect_error 'several devices' "not several: '0,1'"
expect 'no such device' 2 '' env PARENMATCH_ALLOW_CPU_DEVICE=1 "$program" find --backend gpu --device 999 she text
expect_error 'no such device' '^parenmatch: --device 999: no usable device'
expect 'too many threads' 2 '' "$program" find --threads 1025 she text
expect_error 'too many threads' 'threads is at most 1024'
expect 'counted names' 2 '' "$program" find -cl she text
expect_error 'counted names' '--count and --files-with-matches exclude each other'
for options in '-o --only-matching' '-c --count' '-l --files-with-matches'; do
    expect "json, ${options% *}" 2 '' "$program" find --json "${options% *}" she text
    expect_error "json, ${options% *}" "--json and ${options#* } exclude each other"
done
expect 'quiet, after trouble' 0 '' "$program" find -q she nowhere text
expect 'quiet, nothing after trouble' 2 '' "$program" find -q heron nowhere text
expect 'quiet goes before all' 0 '' "$program" find -q -l -c --json she text
expect 'no such engine' 2 '' "$program" find --engine steam she text
expect_error 'no such engine' "no such engine: 'steam'"
expect 'not for these' 2 '' "$program" find --engine bytes she text
expect_error 'not for these' "--engine bytes: does not support these patterns"
expect 'no such instructions' 2 '' "$program" find --simd abacus she text
expect_error 'no such instructions' 'abacus'
expect 'no such option' 2 '' "$program" find --elephant she text

# As grep says it, on a text of some size.
if command -v grep >/dev/null && echo x | grep -qF x 2>/dev/null; then
    i=0
    while [ $i -lt 3000 ]; do
        echo "line $i: $((i * i)) $((i * 7919 % 1000)) ab$((i % 13))cd"
        i=$((i + 1))
    done >long
    printf '%s\n' 99 cd12 '1 ab' 7919 'line 1' >numbers
    for options in -n -c -o; do
        expect "as grep, $options" 0 "$(LC_ALL=C grep -F $options -f numbers long)" \
            "$program" find $options -f numbers long
    done
    # On a software renderer, if there is one.
    for options in -n -c -ob '-ob --kind all' '--json --kind longest' '-n --kind leftmost-first'; do
        # shellcheck disable=SC2086 # options are several words
        "$program" find --backend auto $options -f numbers long >onhost
        # shellcheck disable=SC2086
        if PARENMATCH_ALLOW_CPU_DEVICE=1 "$program" find --backend gpu $options -f numbers long >found 2>errors; then
            expect "backend gpu, $options" 0 '' cmp onhost found
        else
            expect_error "no gpu, $options" 'no usable device'
        fi
    done
fi
finish
