#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every public declaration is documented, and doxygen understands it; each header says how stable it is. Exits 77 (skipped) where there is no doxygen.
#   check_documentation.sh HEADER SCRATCH-FOLDER
set -eu
grep -q '^ \* Stability: \(stable\|experimental\)' "$1" || { echo "$1 does not say how stable it is" && exit 1; }
if ! command -v doxygen >/dev/null; then
    echo "skipped: no doxygen here"
    exit 77
fi
# Only of a file that is documented itself does doxygen miss what is not; the filter makes it one, on its first line.
# Parameters whose name says it all, or that are another function's, need no words of their own: no WARN_IF_INCOMPLETE.
doxygen - <<END
INPUT = $1
INPUT_FILTER = "sed '1s|^|/** @file */|'"
QUIET = YES
WARN_AS_ERROR = FAIL_ON_WARNINGS
EXCLUDE_SYMBOLS = PM_STATUS_ENUM
WARN_IF_INCOMPLETE_DOC = NO
OPTIMIZE_OUTPUT_FOR_C = YES
MACRO_EXPANSION = YES
EXPAND_ONLY_PREDEF = YES
PREDEFINED = PM_API=
GENERATE_HTML = NO
GENERATE_LATEX = NO
GENERATE_XML = YES
XML_OUTPUT = $2
END
