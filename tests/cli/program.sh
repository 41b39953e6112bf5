#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The program itself: version, help, unknown commands.
. "$(dirname "$0")/expect.sh"
version=$2

expect 'version' 0 "parenmatch $version" "$program" --version
expect 'help' 0 'Usage: parenmatch COMMAND [OPTION]... [FILE]...' sh -c "\"$program\" --help | head -n 1"
for command in boxes check crosscheck devices find languages match pipelines simd tree tune; do
    expect "$command --help" 0 "Usage: parenmatch $command" \
        sh -c "\"$program\" $command --help | head -n 1 | cut -d' ' -f1-3"
done
expect 'no command' 2 'Usage: parenmatch COMMAND [OPTION]... [FILE]...' sh -c "\"$program\" | head -n 1; exit 2"
expect 'no command, an exit code' 2 "$("$program" --help)" "$program"
expect 'no such command' 2 '' "$program" abacus
expect_error 'no such command' "no such command: 'abacus'"
expect 'languages' 0 'text' sh -c "\"$program\" languages | head -n 1 | cut -d' ' -f1"
expect 'languages: their endings' 0 '(.c .h .idl)' sh -c "\"$program\" languages | sed -n 's/^c  .* (/(/p'"
expect 'languages: endings of rules' 0 '(.html .htm)' sh -c "\"$program\" languages | sed -n 's/^html  .* (/(/p'"
expect 'simd: what works everywhere comes last' 0 'portable yes' sh -c "\"$program\" simd | awk 'END { print \$1, \$2 }'"
expect 'pipelines: the default comes first' 0 'levels' sh -c "\"$program\" pipelines | head -n 1 | cut -d' ' -f1"
expect 'devices take no file' 2 '' "$program" devices all
expect 'devices take no such option' 2 '' "$program" devices --abacus
PARENMATCH_ALLOW_CPU_DEVICE=1 "$program" devices >listed 2>errors
case $? in
0)
    uuid=$(cut -f4 listed | head -n 1)
    expect 'devices: an index, a UUID of 32 digits, a use' 0 '0 32 6' \
        awk -F '\t' 'NR == 1 { print $1, length($4), NF }' listed
    [ "$(cut -f6 listed | head -n 1)" != yes ] ||
        expect 'devices: the UUID is taken' 0 '0	0	(	-
1	1	)	0' sh -c 'printf "()" | PARENMATCH_ALLOW_CPU_DEVICE=1 "$0" match --backend gpu --device "$1" -' "$program" "$uuid"
    expect 'devices in JSON' 0 "{\"index\":0,\"kind\":" sh -c '"$0" devices --json | head -n 1 | cut -c1-18' "$program"
    expect 'no such device' 2 '' sh -c 'printf "()" | PARENMATCH_ALLOW_CPU_DEVICE=1 "$0" match --backend gpu --device 999 -' "$program"
    expect_error 'no such device' '^parenmatch: --device 999: no usable device'
    ;;
*) expect_error 'no devices' 'no Vulkan device' ;;
esac
for list in languages pipelines simd; do
    expect "$list take no file" 2 '' "$program" $list all
    expect_error "$list take no file" 'takes no file'
    expect "$list take no such option" 2 '' "$program" $list --abacus
    expect_error "$list take no such option" "^parenmatch $list: .*--abacus"
    expect_error "$list take no such option, and help" "^Try 'parenmatch $list --help'"
done
finish
