#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# parenmatch tune: where the profile is kept, that match goes by it, and that one that is not good is noticed.
. "$(dirname "$0")/expect.sh"

XDG_CACHE_HOME=$scratch/cache
export XDG_CACHE_HOME
profile=$XDG_CACHE_HOME/parenmatch/profile
head -c 20000 /dev/zero | tr '\0' '(' >opens.txt

# explained NAME PATTERN: match says why it chose.
explained() {
    "$program" match --raw --explain opens.txt >matched 2>errors
    expect_error "$1" "$2"
}
by_profile="predicted from this machine's profile"

explained 'no profile' '20000 brackets: broadword, .*too short'
expect 'tuned' 0 "$profile" "$program" tune --seconds 0
expect 'nothing beside it' 0 profile ls "$XDG_CACHE_HOME/parenmatch"
expect 'first line' 0 'parenmatch profile 4' head -n 1 "$profile"
expect 'its library' 0 "library $("$program" --version | awk '{ print $NF; exit }')" sed -n 2p "$profile"

# By a profile that says that the plain stack is the fastest, it is chosen; the rest of the profile is this machine's.
sed 's/^seq-element .*/seq-element 1/' "$profile" >edited && cp edited "$profile"
explained 'by the profile' "20000 brackets: seq, .*$by_profile\$"
for edit in 's/^library .*/library 0.0.0/' 's/^cpu .*/cpu Abacus/' 's/^seq-element .*/seq-element nan/' \
    's/profile 4/profile 3/' '$d'; do
    sed "$edit" edited >"$profile"
    explained "edited by $edit" '20000 brackets: broadword, .*the profile is damaged or made for another machine$'
done
expect 'tuned again' 0 "$profile" "$program" tune --seconds 0

# What several threads take is measured where there are several alone.
team() { OMP_NUM_THREADS=2 "$program" tune --seconds 0 "$@" >printed && grep '^omp-' "$profile"; }
shipped=$(OMP_NUM_THREADS=1 "$program" tune --seconds 0 >printed && grep '^omp-' "$profile")
expect 'one thread' 0 "$shipped" team --threads 1
expect 'too many threads' 2 '' "$program" tune --seconds 0 --threads 1025
expect_error 'too many threads' 'threads is at most 1024'

expect 'below HOME' 0 "$scratch/home/.cache/parenmatch/profile" \
    env -u XDG_CACHE_HOME HOME="$scratch/home" "$program" tune --seconds 0
expect 'a relative XDG_CACHE_HOME does not count' 0 "$scratch/home/.cache/parenmatch/profile" \
    env XDG_CACHE_HOME=here HOME="$scratch/home" "$program" tune --seconds 0
expect 'nowhere' 2 '' env -u XDG_CACHE_HOME -u HOME "$program" tune --seconds 0
expect_error 'nowhere' 'where to keep the profile'
: >file
expect 'no folder' 2 '' env XDG_CACHE_HOME="$scratch/file" "$program" tune --seconds 0
expect_error 'no folder' 'Not a directory'
expect 'too long' 2 '' "$program" tune --seconds 30
expect 'no number' 2 '' "$program" tune --seconds soon
expect 'no such device' 2 '' env PARENMATCH_ALLOW_CPU_DEVICE=1 "$program" tune --seconds 0 --device 999
expect_error 'no such device' '^parenmatch: --device 999: no usable device'
expect 'a file' 2 '' "$program" tune opens.txt

finish
