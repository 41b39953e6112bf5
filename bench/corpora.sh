#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Makes texts and patterns for `pm_bench --suite find --family files:TEXT:LINES` out of Debian's packages, which are
# downloaded into the folder and unpacked there, not installed: 190 MB, and 2 GB in between. Each text has 100 MB.
#   bench/corpora.sh FOLDER
#     text        prose: a Bible, dictionary articles of a century ago, the kernel's manuals
#                 (bible-kjv and bible-kjv-text, dict-gcide, linux-source-6.1)
#     markup      HTML of Python's manual and of Boost's, in the order of names  (python3.11-doc, libboost1.81-doc)
#     json        descriptions of Amazon's services for Python, and codes of countries, languages and so on
#                 (python3-botocore, iso-codes)
#     code        C of the kernel's, as it is archived  (linux-source-6.1)
#     names       ten names of Homer's
#     words-K     5, 10, 15, 20, 30, 40, 50, 70, 100, 1000 and 10000 words, evenly from a list  (scowl)
#     tags        ten pieces of tags
#     delimiters  ten of what opens, closes and parts C
# A text that is too short is repeated from its beginning on.
set -eu
export LC_ALL=C
[ $# = 1 ] || { echo "usage: bench/corpora.sh FOLDER" >&2; exit 2; }
mkdir -p "$1"
cd "$1"
mkdir -p packages unpacked
(cd packages && apt-get download bible-kjv bible-kjv-text dict-gcide iso-codes libboost1.81-doc linux-source-6.1 \
    python3-botocore python3.11-doc scowl)
for package in packages/*.deb; do
    dpkg-deb -x "$package" unpacked
done
share=unpacked/usr/share

# Files below a folder with an ending, in the order of names, one behind the other.
joined() {
    find "$1" -name "*.$2" -type f | sort | xargs cat
}

# Standard input, as often as it takes; the last time a part of it.
cut_to_size() {
    cat >whole
    while :; do cat whole; done 2>/dev/null | head -c 100000000 >"$1"
    rm whole
}

# Files of the kernel's archive.
kernel() {
    tar -xJOf unpacked/usr/src/linux-source-6.1.tar.xz --wildcards "$@"
}

{
    unpacked/usr/bin/bible -p unpacked/usr/lib gen1:1-rev22:21
    gzip -dc <$share/dictd/gcide.dict.dz
    kernel '*/Documentation/*.rst' '*/Documentation/*.txt'
} | cut_to_size text
{
    joined $share/doc/python3.11/html html
    joined $share/doc/libboost1.81-doc html
} | cut_to_size markup
{
    joined unpacked/usr/lib/python3/dist-packages/botocore json
    joined $share/iso-codes json
} | cut_to_size json
kernel '*.[ch]' | head -c 100000000 >code

printf '%s\n' Helen Achilles Ulysses Hector Andromache Patroclus Ajax Priam Agamemnon Cassandra >names
printf '%s\n' '<p>' '</p>' '<div' '</div>' '<span' '</span>' '<a ' '</a>' '<code' '</code>' >tags
printf '%s\n' '/*' '*/' '//' '#if' '#else' '#endif' 'do {' '} while' 'case ' 'default:' >delimiters
cat $share/dict/scowl/english-words.10 $share/dict/scowl/english-words.20 $share/dict/scowl/english-words.35 |
    grep -E '^[a-z]{3,}$' | sort -u >words
for count in 5 10 15 20 30 40 50 70 100 1000 10000; do
    awk -v all="$(wc -l <words)" -v count="$count" 'int(NR * count / all) != int((NR - 1) * count / all)' words \
        >"words-$count"
done
rm -r packages unpacked
ls -l
