#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Each suite of pm_bench_gpu can do the sizes that it has without options: on a device that does not exist, the device
# is what it complains about. It reports other sizes, and options that make no sense, before it opens anything.
#   test_bench_gpu_options.sh PM_BENCH_GPU
set -eu
program=$1

# complains WORDS OPTION...: ends with status 2, and says these words.
complains() {
    words=$1
    shift
    status=0
    said=$("$program" "$@" 2>&1 >/dev/null) || status=$?
    case $status$said in
    2*"$words"*) ;;
    *) echo "$*: status $status: $said" && exit 1 ;;
    esac
}

for suite in match boxes scan find structure batch; do
    complains 'no usable device' --suite "$suite" --device 99
done
for suite in boxes scan find structure batch; do
    complains 'sizes: from 2^' --suite "$suite" --from 32 --to 32
done
complains 'sizes: from 2^' --from 9 --to 8
complains '--queue' --queue none
complains '--repetitions' --repetitions 101
complains 'no such suite' --suite none
complains 'unexpected argument' from=20
complains '' --none
"$program" --help | grep -q '^usage: pm_bench_gpu \[option\]'
[ "$("$program" --list | grep -c '^  [a-z]')" = 9 ]
