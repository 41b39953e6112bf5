#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The programs that time a device can do the sizes that they have without options: on a device that is not there, the
# device is what they complain of. Other sizes are told before anything is opened.
#   test_bench_sizes.sh PROGRAM...
set -eu

# complains WORDS COMMAND...: ends with status 1, and says these words.
complains() {
    words=$1
    shift
    status=0
    said=$("$@" 2>&1 >/dev/null) || status=$?
    case $status$said in
    1*"$words"*) ;;
    *) echo "$*: status $status: $said" && exit 1 ;;
    esac
}

for program; do
    complains 'no usable device' "$program" device=99
    complains 'sizes: from 2^' "$program" from=32 to=32
done
