#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Makes a scene for `pm_bench --suite boxes --family file:FOLDER/icons` (and pm_bench_gpu --suite boxes) out of the SVG files of
# icon themes of Debian's, one after the other. The packages are downloaded into the folder and unpacked there, not
# installed.
#   bench/scenes.sh PARENMATCH FOLDER
set -eu
export LC_ALL=C
[ $# = 2 ] || { echo "usage: bench/scenes.sh PARENMATCH FOLDER" >&2; exit 2; }
program=$(realpath "$1")
mkdir -p "$2"
cd "$2"
mkdir -p packages unpacked
(cd packages && apt-get download adwaita-icon-theme breeze-icon-theme tango-icon-theme)
for package in packages/*.deb; do
    dpkg-deb -x "$package" unpacked
done
# What is no SVG after all, or none that can be read, is left out.
find unpacked -name '*.svg' -type f | sort | while read -r file; do
    "$program" boxes --scene "$file" 2>/dev/null || true
done >icons.txt
"$program" boxes --binary icons.txt >icons
rm -r packages unpacked
echo "$(grep -c . icons.txt) elements:" $(cut -d ' ' -f 1 icons.txt | sort | uniq -c)
