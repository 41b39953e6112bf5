#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The shared library exports the functions that the public headers declare, and nothing else; every other global symbol of
# the static archive is named pmi_, or is in the C++ namespace pm.
# $CPPFLAGS is for the preprocessor, as ever: -DPARENMATCH_H leaves out what a header gets from parenmatch.h.
#   check_symbols.sh CC NM SHARED-LIBRARY STATIC-ARCHIVE HEADER...
set -eu
cc=$1 nm=$2 shared=$3 archive=$4
CPPFLAGS=${CPPFLAGS:-}
shift 4

# After the preprocessor, comments are gone and PM_API is an attribute; a declaration ends with its semicolon. Functions
# declared without PM_API count as well: they would be missing from the library.
declared=$(cat "$@" | "$cc" $CPPFLAGS -E -P -I "${1%/*}" -x c - | tr '\n;' ' \n' |
    sed -n 's/__attribute__((visibility("default")))//; s/^[^(]*[ *]\(pm_[a-z0-9_]*\)(.*/\1/p' | sort)
exported=$("$nm" -D --defined-only "$shared" | awk '$2 != "A" { sub(/@.*/, "", $NF); print $NF }' | sort) # A: a version
if [ -z "$declared" ] || [ "$declared" != "$exported" ]; then
    echo "declared:" $declared
    echo "exported:" $exported
    exit 1
fi

# Lines that are twice in both lists together are in both.
strangers=$("$nm" -g --defined-only "$archive" | sed 's/ __odr_asan\./ /' | awk 'NF == 3 && $3 !~ /^(pmi_|_Z+NK?2pm[0-9])/ { print $3 }' |
    sort -u | { printf '%s\n' "$declared"; cat; } | sort | uniq -u)
if [ -n "$strangers" ]; then
    echo "global in the archive, and neither declared nor pmi_:" $strangers
    exit 1
fi
echo "$(echo "$exported" | wc -l) functions, all declared"
