# SPDX-License-Identifier: Apache-2.0
# A shared library against what abidw wrote of the last version's (cmake/abi.sh keep): nothing is taken away or changed.
# Types are compared where the build has debug information, symbols everywhere.
#   check_abi.sh SOURCE LIBRARY KEPT.abi.xz SCRATCH FUNCTION
# FUNCTION is one of the library's; if it had another name in what is kept, that one would be missing.
set -eu
source=$1 library=$2 kept=$3 scratch=$4 function=$5
command -v abidiff >/dev/null || { echo "abidiff is not installed (package abigail-tools)"; exit 77; }
mkdir -p "$scratch"

compare() {
    abidiff --suppressions "$source/cmake/abi.ini" --leaf-changes-only --no-added-syms "$1" "$library"
}

# differs SED-COMMAND: abidiff notices what that changes in the kept interface.
differs() {
    sed "$1" "$scratch/kept.abi" >"$scratch/changed.abi"
    if compare "$scratch/changed.abi" >"$scratch/changed.txt"; then
        echo "abidiff does not notice a change: $1"
        cat "$scratch/changed.txt"
        return 1
    fi
}

xz -dc "$kept" >"$scratch/kept.abi"
compare "$scratch/kept.abi"
differs "s/\\b$function\\b/${function}_of_old/g"
grep -q ' 1 Removed' "$scratch/changed.txt"
if grep -q debug_info "$library"; then
    differs "s/name='pm_bic' size-in-bits='128'/name='pm_bic' size-in-bits='192'/"
fi
