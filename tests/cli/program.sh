#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The program itself: version, help, commands that are none.
. "$(dirname "$0")/expect.sh"
version=$2

expect 'version' 0 "parenmatch $version" "$program" --version
expect 'help' 0 'Usage: parenmatch COMMAND [OPTION]... [FILE]...' sh -c "\"$program\" --help | head -n 1"
for command in boxes check crosscheck match languages pipelines simd; do
    expect "$command --help" 0 "Usage: parenmatch $command" \
        sh -c "\"$program\" $command --help | head -n 1 | cut -d' ' -f1-3"
done
expect 'no command' 2 'Usage: parenmatch COMMAND [OPTION]... [FILE]...' sh -c "\"$program\" | head -n 1; exit 2"
expect 'no such command' 2 '' "$program" abacus
expect_error 'no such command' "no such command: 'abacus'"
expect 'languages' 0 'text' sh -c "\"$program\" languages | head -n 1 | cut -d' ' -f1"
expect 'simd: what works everywhere comes last' 0 'portable yes' sh -c "\"$program\" simd | awk 'END { print \$1, \$2 }'"
expect 'pipelines: the default comes first' 0 'wide' sh -c "\"$program\" pipelines | head -n 1 | cut -d' ' -f1"
expect 'pipelines take nothing' 2 '' "$program" pipelines all
expect 'languages take nothing' 2 '' "$program" languages all
finish
