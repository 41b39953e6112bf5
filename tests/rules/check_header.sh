#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A public header compiles on its own, and twice, without a warning. Exits 77 (skipped) where there is no such compiler.
#   check_header.sh HEADER COMPILER FLAG...
set -eu
header=$1 compiler=$2
shift 2
if ! command -v "$compiler" >/dev/null; then
    echo "skipped: no $compiler here"
    exit 77
fi
printf '#include "%s"\n' "$header" "$header" | "$compiler" "$@" -pedantic -Wall -Wextra -Werror -fsyntax-only -
