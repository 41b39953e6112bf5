#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Puts the page into one file that needs no server: build/page/parenmatch.html. Needs Debian's esbuild, and the module in
# ../package.
set -eu
cd "$(dirname "$0")"
to=../../build/page
mkdir -p $to
bundle='esbuild --bundle --minify --format=iife --target=chrome100 --loader:.wasm=binary --loader:.txt=text --log-level=error --external:node:fs/promises'
$bundle src/worker.js >$to/worker.txt
$bundle src/main.js >$to/page.js
awk '
function put(file) { while ((getline line <file) > 0) print line }
/\/\* page.css \*\// { print "<style>"; put("page.css"); print "</style>"; next }
/\/\* page.js \*\// { print "<script>"; put("../../build/page/page.js"); print "</script>"; next }
{ print }' index.html >$to/parenmatch.html
