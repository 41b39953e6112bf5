#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The pages (*.md) are true to the tree: every relative link leads somewhere, to its heading too; every `folder/file` and every public
# name that a page mentions exists; every kept plot is shown by some page, and every kept table begins with the command that made it or
# is named by a page; the program of README.md is examples/match.c. They stay short: README.md has at most 120 lines, all pages
# together have at most 26,000 words. Figures are written as 0.88, not .88. Scripts outside tests/, which pages and `dev` call by
# their names, can be executed.
#   check_pages.sh [ROOT]
set -eu
cd "${1:-.}"
complaints=$(mktemp)
trap 'rm -f "$complaints"' EXIT

pages=$(find . \( -path ./build -o -path './.*' \) -prune -o -name '*.md' -print | sort)

# PAGE TAB link|path|heading TAB TEXT, for all that pages link to, name, and are divided by.
said() {
    # shellcheck disable=SC2086 # a list of pages
    awk '
    FNR == 1 { fenced = 0 }
    /^```/ { fenced = !fenced }
    fenced { next }
    /^#+ / { # as it is linked to: small letters, no signs, hyphens for blanks
        heading = tolower($0)
        sub(/^#+ /, "", heading)
        gsub(/[^a-z0-9_ -]/, "", heading)
        gsub(/ /, "-", heading)
        print FILENAME "\theading\t" heading
    }
    {
        rest = $0
        while (match(rest, /\]\([^) ]+\)/)) {
            print FILENAME "\tlink\t" substr(rest, RSTART + 2, RLENGTH - 3)
            rest = substr(rest, RSTART + RLENGTH)
        }
        rest = $0
        while (match(rest, /`(base|bench|broadword|cli|cmake|core|cpu|docs|examples|gpu|include|inputs|mpi|python|shaders|tests)\/[A-Za-z0-9_.\/-]+`/)) {
            print FILENAME "\tpath\t" substr(rest, RSTART + 1, RLENGTH - 2)
            rest = substr(rest, RSTART + RLENGTH)
        }
    }' $pages
}

said | awk -F'\t' -v OFS='\t' '
    { page[NR] = $1; kind[NR] = $2; text[NR] = $3 }
    $2 == "heading" { exists[$1 "#" $3] }
    END {
        for (i = 1; i <= NR; i++) {
            if (kind[i] == "path")
                print page[i], text[i], text[i]
            if (kind[i] != "link" || text[i] ~ /^[a-z]+:/)
                continue
            file = anchor = text[i]
            sub(/#.*/, "", file)
            if (!sub(/^[^#]*#/, "", anchor))
                anchor = ""
            folder = page[i]
            sub(/[^\/]*$/, "", folder)
            file = file == "" ? page[i] : folder file
            while (sub(/[^\/]+\/\.\.\//, "", file))
                ;
            print page[i], text[i], file
            if (anchor != "" && !((file "#" anchor) in exists))
                print page[i], text[i], file "#" anchor # no such file
        }
    }' | while IFS="$(printf '\t')" read -r page text file; do
    [ -e "$file" ] || echo "$page: $text leads nowhere"
done >"$complaints"

for kept in bench/results/*/*; do
    case $kept in
    *.svg) # shellcheck disable=SC2086
        grep -qF "${kept#bench/}" $pages || echo "$kept: no page shows it" ;;
    *.tsv) # shellcheck disable=SC2086
        head -n 1 "$kept" | grep -q '^# .*pm_bench' || grep -qF "${kept##*/}" $pages || echo "$kept: no command says where it is from" ;;
    esac
done >>"$complaints"

# Names of the renamed section of CHANGELOG.md, of options of CMake (-DPM_...) and of programs (pm_bench...) are no names of today's headers.
grep -rhoE '\b(pm|PM)_[A-Za-z0-9_]+' include | sort -u >"$complaints.names"
# shellcheck disable=SC2086
awk -v names="$complaints.names" '
BEGIN {
    while ((getline name < names) > 0)
        exists[name] = 1
    for (name in exists) # what pm_bp_* stands for
        for (k = 4; k <= length(name); k++)
            begins[substr(name, 1, k)] = 1
}
FNR == 1 { renamed = fenced = 0 }
/^## / { renamed = /Renamed/ }
/^```/ { fenced = !fenced }
!fenced && /(^|[ (|*~-])\.[0-9]/ { print FILENAME ": write 0.88, not .88: " $0 }
renamed || FILENAME ~ /bench\/results|CONTRIBUTING/ { next } # these name what is inside, too
{
    rest = $0
    while (match(rest, /(^|[^A-Za-z0-9_])(pm|PM)_[A-Za-z0-9_]*\*?/)) {
        name = substr(rest, RSTART, RLENGTH)
        rest = substr(rest, RSTART + RLENGTH)
        sub(/^[^pP]/, "", name)
        if (name ~ /^(pm_bench|PM_BENCH)/ || name == "pm_" || name == "PM_")
            continue
        known = name ~ /\*$/ || name ~ /_$/ ? substr(name, 1, length(name) - (name ~ /\*$/)) in begins : name in exists
        if (!known)
            print FILENAME ": " name " is not in include/"
    }
}' $pages >>"$complaints"
rm -f "$complaints.names"

lines=$(wc -l <README.md)
[ "$lines" -le 120 ] || echo "README.md: $lines lines, at most 120" >>"$complaints"
# shellcheck disable=SC2086
words=$(cat $pages | wc -w)
[ "$words" -le 26000 ] || echo "all pages: $words words, at most 26000" >>"$complaints"

find bench cmake debian docs python shaders wasm -name '*.sh' -exec grep -lE '^#!/' {} + | while read -r script; do
    [ -x "$script" ] || echo "$script: is not executable" >>"$complaints"
done

awk '/^```c$/ { inside = 1; next } /^```/ { inside = 0 } inside' README.md >"$complaints.c"
sed '1,2d' examples/match.c | cmp -s - "$complaints.c" || echo "README.md: its program is not examples/match.c" >>"$complaints"
rm -f "$complaints.c"

cat "$complaints"
[ ! -s "$complaints" ]
