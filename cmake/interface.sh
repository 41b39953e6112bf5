#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Prints the interface of the library, a declaration a line: functions, types with all their fields, and macros, as the
# compiler sees them. Of the version only the names.
#   cmake/interface.sh CC > cmake/interface.txt
set -eu
cd "$(dirname "$0")/../include"
{
    "$1" -E -x c -I . -include parenmatch/bp_view.h parenmatch.h | awk '
        /^# [0-9]+ "/ { ours = $3 ~ /parenmatch/; next }
        !ours || /^#/ { next }
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
    "$1" -E -dM -x c -I . parenmatch.h | grep '^#define PM_' | grep -v '^#define PM_\(VERSION\|API\)'
} | LC_ALL=C sort -u
