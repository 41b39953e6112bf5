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
    cat >"$scratch/count.c" <<'END'
static int count(const char *text) {
    int lines = 0;
    for (; *text; text++) {
        if (*text == '\n') {
            lines++;
    }
    return lines;
}
END
    { head -n 1 "$docs/figures/check.txt" && cd "$scratch" && { "$3" check count.c || :; }; } >"$scratch/check.txt"
    diff "$docs/figures/check.txt" "$scratch/check.txt"
fi
