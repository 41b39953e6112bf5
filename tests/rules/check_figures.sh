#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The figures that are kept are what their scripts draw, and each is shown somewhere; the one of the program's output has
# what the program prints. Exits 77 (skipped) without awk.
#   check_figures.sh DOCS SCRATCH-FOLDER [PROGRAM]
set -eu
docs=$1 scratch=$2
command -v awk >/dev/null || { echo "skipped: no awk here" && exit 77; }
rm -rf "$scratch"
sh "$docs/figures/make.sh" "$scratch/drawn"
mkdir "$scratch/kept"
cp "$docs"/figures/*.svg "$scratch/kept"
diff -r "$scratch/kept" "$scratch/drawn"
for figure in "$scratch"/drawn/*.svg; do
    grep -rqF --include='*.md' "figures/$(basename "$figure"))" "$docs" "$docs/../README.md" || { echo "$figure is shown nowhere" && exit 1; }
done

if [ $# -gt 2 ]; then
    cat >"$scratch/find.c" <<'END'
int find(const int *a, int n, int x) {
    for (int i = 0; i < n; i++) {
        if (a[i] == x) {
            return i;
    }
    return -1;
}
END
    { head -n 1 "$docs/figures/check.txt" && cd "$scratch" && { "$3" check find.c || :; }; } >"$scratch/check.txt"
    diff "$docs/figures/check.txt" "$scratch/check.txt"
fi
