#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Prints the interface of the library, a declaration a line: functions, types with all their fields, and macros, as the
# compiler sees them. Of the version only the names. Of another header, what it adds.
#   cmake/interface.sh CC > cmake/interface.txt
#   cmake/interface.sh CC parenmatch_mpi.h [FLAG]... > cmake/interface_mpi.txt
#   cmake/interface.sh CC parenmatch_vulkan.h [FLAG]... > cmake/interface_vulkan.txt
set -eu
cd "$(dirname "$0")/../include"
cc=$1
header=${2:-parenmatch.h}
shift "$(($# < 2 ? $# : 2))"
if [ "$header" = parenmatch.h ]; then
    ours='"([.]/)?parenmatch([.]h|/)'
else
    ours="\"([.]/)?$header\""
fi

# declarations FLAG...
declarations() {
    "$cc" "$@" -E -x c -I . -include parenmatch/bp_view.h "$header" | awk -v ours="$ours" '
        /^# [0-9]+ "/ { inside = $3 ~ ours; next }
        !inside || /^#/ { next }
        {
            line = $0
            gsub(/__attribute__\(\(visibility\("default"\)\)\) */, "", line)
            all = all " " line
            depth += gsub(/\{/, "{", line) - gsub(/\}/, "}", line)
            if (depth == 0 && (line ~ /;[ \t]*$/ || line ~ /^\}/)) {
                gsub(/[ \t]+/, " ", all)
                sub(/^ /, "", all)
                if (all !~ /^static inline/)
                    print all
                all = ""
            }
        }'
}

# The macros that the header itself defines, as the compiler keeps them.
macros() {
    if [ "$header" = parenmatch.h ]; then
        defined='PM_[A-Z0-9_]*'
    else
        defined=$(sed -n 's/^#define \(PM_[A-Z0-9_]*\).*/\1/p' "$header" | paste -s -d '|' -)
    fi
    "$cc" "$@" -E -dM -x c -I . "$header" | grep -E "^#define (${defined:-none})\>" | grep -v '^#define PM_\(VERSION\|API\)'
}

{
    declarations "$@"
    macros "$@" || true
} | LC_ALL=C sort -u
