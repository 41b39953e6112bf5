#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# parenmatch fix: the diff, what is written, and what is left alone.
. "$(dirname "$0")/expect.sh"

# Several functions, so that there are habits.
bad() {
    for name in f g h i j k; do
        printf 'int %s(int a) {\n    if (a) {\n        %s(a);\n    }\n    return %s(a);\n}\n\n' $name $name $name
    done | sed '4s/}//'
}
bad | sed '4s/$/}/' >good.c
bad >bad.c
chmod 750 bad.c
expect 'all is well' 0 '' "$program" fix good.c
expect 'a diff' 1 '--- bad.c
+++ bad.c
@@ -1,7 +1,7 @@
 int f(int a) {
     if (a) {
         f(a);
-    
+    }
     return f(a);
 }
 ' "$program" fix bad.c
expect 'nothing was written' 0 '' sh -c 'grep -q "^    $" bad.c'
patched() { "$program" fix bad.c | patch -s -o patched.c bad.c && cmp patched.c good.c; }
if command -v patch >/dev/null; then expect 'patch reads it' 0 '' patched; fi
written() { "$program" fix --write bad.c >/dev/null && cmp bad.c good.c && stat -c %a bad.c; }
expect 'written, with its permissions' 0 750 written
# A line longer than any buffer.
long() { printf 'int f(int x) {\n    return x;\n}\nint a[] = {'; yes 'f(1), ' | head -n 1000 | tr -d '\n'; printf '%s\n' "$1"; }
long 'f(2), 3};' >good.c
long 'f((2), 3};' >long.c
patched() { "$program" fix long.c | patch -s -o patched.c long.c && cmp patched.c good.c; }
if command -v patch >/dev/null; then expect 'a long line' 0 '' patched; fi
expect 'left alone' 1 '' on ')(' "$program" fix -
expect_error 'left alone' '<stdin>:1:'
expect 'a string to be ended first' 1 '' on 'x = (1]\ny = """)\n' "$program" fix -l python -
expect_error 'a string to be ended first' '<stdin>:2:5: note: the string or comment that begins here is to be ended first'
expect 'the string alone' 1 '' on 'x = """\n' "$program" fix -l python -
expect 'standard input cannot be written' 2 '' "$program" fix --write -
expect 'no file' 2 '' "$program" fix
expect 'no such file' 2 '' "$program" fix missing.c
expect 'no such option' 2 '' "$program" fix --nonsense bad.c
finish
