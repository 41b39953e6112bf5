#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Makes texts and patterns for `pm_bench --suite find --family files:TEXT:LINES` out of Debian's packages, which are
# downloaded into the folder and unpacked there, not installed: 30 MB, from which 90 MB are made.
#   bench/corpora.sh FOLDER
#     text        dictionary articles of a century ago            (dict-gcide)
#     markup      HTML of Python's manual, in the order of names  (python3.11-doc)
#     names       ten names of Homer's
#     words-K     100, 1000 and 10000 words, evenly from a list   (wamerican)
#     tags        ten pieces of tags
set -eu
export LC_ALL=C
[ $# = 1 ] || { echo "usage: bench/corpora.sh FOLDER" >&2; exit 2; }
mkdir -p "$1"
cd "$1"
mkdir -p packages unpacked
(cd packages && apt-get download dict-gcide python3.11-doc wamerican)
for package in packages/*.deb; do
    dpkg-deb -x "$package" unpacked
done
gzip -dc <unpacked/usr/share/dictd/gcide.dict.dz >text
find unpacked/usr/share/doc/python3.11/html -name '*.html' -type f | sort | xargs cat >markup
printf '%s\n' Helen Achilles Ulysses Hector Andromache Patroclus Ajax Priam Agamemnon Cassandra >names
printf '%s\n' '<p>' '</p>' '<div' '</div>' '<span' '</span>' '<a ' '</a>' '<code' '</code>' >tags
grep -E '^[a-z]{3,}$' unpacked/usr/share/dict/american-english >words
for count in 100 1000 10000; do
    awk -v all="$(wc -l <words)" -v count="$count" 'int(NR * count / all) != int((NR - 1) * count / all)' words \
        >"words-$count"
done
rm -r packages unpacked
ls -l
