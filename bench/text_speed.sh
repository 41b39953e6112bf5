#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Times the check of each language on real files, one thread: prints GB/s by the fastest run and by the median of them, a
# line a language, the slowest first.
#   bench/text_speed.sh PM_BENCH PARENMATCH FOLDER [LANGUAGE]...
# Files are found as bench/languages.sh finds them, which also downloads some; those in which the check finds a fault are
# left out. They are joined in a random order that is always the same, whole ones of up to $BYTES (2^25) in all, and
# repeated as often as they fit: a file that is cut has faults, and Pascal with faults is read twice. Perl's and Ruby's
# end before __END__, behind which all that is joined would be skipped.
# $OPTIONS go to pm_bench, such as "--simd avx2".
set -u
export LC_ALL=C
[ $# -ge 3 ] || { echo "usage: bench/text_speed.sh PM_BENCH PARENMATCH FOLDER [LANGUAGE]..." >&2; exit 2; }
pm_bench=$(realpath "$1") parenmatch=$(realpath "$2") folder=$(realpath "$3")
shift 3
bytes=${BYTES:-33554432}
scratch=$(mktemp -d)
trap 'rm -r "$scratch"' EXIT

# The files with these endings, each on a line.
files_of() {
    local endings=() ending
    for ending in $1; do
        endings+=(-o -iname "*$ending")
    done
    find "$folder" -type f -size -4000 ! -path '*/testsuite/*' \( -false "${endings[@]}" \) | sort |
        awk 'BEGIN { srand(7) } { print rand() "\t" $0 }' | sort -g | cut -f 2- | head -n 5000
}

# Of files on lines, those without a fault.
faultless() {
    tee "$scratch/all" | tr '\n' '\0' | xargs -0 -r "$parenmatch" check --max-errors 1 --color never 2>&1 |
        grep -a ': error: ' | cut -d : -f 1 >"$scratch/faulty"
    grep -vxFf "$scratch/faulty" "$scratch/all"
}

# Of files on lines, the first ones, as many as have up to $bytes bytes together.
first_bytes() {
    tr '\n' '\0' | xargs -0 -r stat -c '%s %n' |
        awk -v most="$bytes" '(sum += $1) > most && NR > 1 { most = 0; next } { sub(/^[0-9]+ /, ""); print }'
}

time_language() {
    local language=$1 text suite size n
    text=$scratch/text${2%% *}
    files_of "$2" | faultless | first_bytes | tr '\n' '\0' |
        xargs -0 -r sed -s '/^__\(END\|DATA\)__/,$d' >"$text" 2>/dev/null
    [ -s "$text" ] || return
    size=$(stat -c %s "$text")
    n=$((size > bytes ? size : bytes / size * size))
    for suite in text structure; do
        "$pm_bench" --suite $suite --family "file:$text" --n "$n" --pin 1 ${OPTIONS-} 2>/dev/null
    done | sed -n 's/.*"backend":"check".*"min":\([0-9.e+-]*\),"median":\([0-9.e+-]*\),.*/\1 \2/p' |
        awk -v name="$language" -v size="$size" \
            '{ printf "| `%s` | %.1f | %.2f | %.2f |\n", name, size / 1e6, 1 / $1, 1 / $2 }'
    rm "$text"
}

echo '| language | MB of files | fastest | median |'
echo '|---|---|---|---|'
"$parenmatch" languages | sed -n 's/^\([a-z+-]*\) .*(\(\.[^()]*\))$/\1 \2/p' | while read -r language endings; do
    [ $# = 0 ] || [[ " $* " = *" $language "* ]] && time_language "$language" "$endings"
done | sort -t '|' -k 4 -g
