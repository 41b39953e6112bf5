#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# parenmatch check --recursive: which files below a folder are checked, by how many threads, and what becomes of files
# that are not text.
. "$(dirname "$0")/expect.sh"

# checked OPTION...: the names of the files that are checked, all of which have a fault.
checked() { "$program" check --json "$@" | sed 's/{"file":"\([^"]*\)".*/\1/'; }

# ---- What is skipped by its name
mkdir -p tree/.git tree/.hidden tree/build tree/dist tree/node_modules/m tree/sub/target tree/sub/__pycache__ tree/sub/own
for folder in .git .hidden build dist node_modules/m sub/target sub/__pycache__ sub/own .; do printf '(' >tree/$folder/a.c; done
cp tree/a.c tree/.hidden.c
expect 'folders skipped by name' 0 'tree/.hidden.c
tree/a.c
tree/sub/own/a.c' checked -r tree
expect 'no-ignore, which leaves .git alone' 0 'tree/.hidden/a.c
tree/.hidden.c
tree/a.c
tree/build/a.c
tree/dist/a.c
tree/node_modules/m/a.c
tree/sub/__pycache__/a.c
tree/sub/own/a.c
tree/sub/target/a.c' checked -r --no-ignore tree
expect 'a folder that is named' 0 'tree/build/a.c' checked -r tree/build
"$program" check -q -r --stats tree 2>errors
expect_error 'stats of folders skipped' '^skipped: 7 folders and 0 binary files$'

# ---- What is skipped by patterns
mkdir -p ignored/a/b ignored/keep/build ignored/c
for file in a/x a/b/x a/b/y keep/x keep/build/x c/x 'c/x ' z; do printf '(' >"ignored/$file.c"; done
printf '\357\273\277# comment\r\n/z.c\r\nc/x.c\n!build/\n' >ignored/.gitignore
printf '*.c\n!x.c\n' >ignored/a/.gitignore
expect 'files of .gitignore' 0 'ignored/a/b/x.c
ignored/a/x.c
ignored/c/x .c
ignored/keep/build/x.c
ignored/keep/x.c' checked -r ignored
expect 'exclude' 0 'ignored/a/x.c
ignored/keep/x.c' checked -r --exclude 'b*/' --exclude='/c' ignored
expect 'exclude counts first' 0 'ignored/a/b/x.c
ignored/a/b/y.c
ignored/a/x.c
ignored/keep/build/x.c' checked -r --exclude '*.c' --exclude '!a/**/*.c' --exclude '!build/x.c' --exclude '!/keep/build/*' ignored/
expect 'exclude and no-ignore' 0 'ignored/c/x .c
ignored/c/x.c
ignored/z.c' checked -r --no-ignore --exclude a --exclude keep ignored
expect 'without a repository outer rules do not count' 0 'ignored/c/x .c
ignored/c/x.c' checked -r ignored/c
mkdir ignored/.git
expect 'in a repository they do' 0 'ignored/c/x .c' checked -r ignored/c
expect 'from inside' 0 './x .c' sh -c 'cd ignored/c && "$0" check --json -r . | sed "s/{\"file\":\"\([^\"]*\)\".*/\1/"' "$program"
mkfifo ignored/c/.gitignore 2>/dev/null
expect 'a pipe does not hold rules' 0 'ignored/c/x .c' checked -r ignored/c
expect 'exclude alone' 2 '' "$program" check --exclude a tree/a.c
expect_error 'exclude alone' '^parenmatch check: --exclude has no effect without --recursive$'
expect 'no-ignore alone' 2 '' "$program" check --no-ignore tree/a.c
expect_error 'no-ignore alone' '--no-ignore has no effect without --recursive'

# Random rules, as git reads them.
random_rules() {
    awk -v seed="$1" 'BEGIN {
        srand(seed)
        n = split("a a b b ab x .c * * ** **/ /** / / ? [ab] [!a] [a-c] [^b] [[:alpha:]] [a ] \\a \\ ! # [[:x] [!] - BLANK", piece, " ")
        for (lines = 1 + int(rand() * 4); lines > 0; lines--) {
            line = rand() < 0.3 ? "!" : ""
            for (k = 1 + int(rand() * 6); k > 0; k--)
                line = line piece[1 + int(rand() * n)]
            gsub(/BLANK/, " ", line)
            print line
        }
    }'
}
as_git() {
    for seed in $1; do
        for folder in . a b a/b; do random_rules "$seed$(printf %s $folder | wc -c)" >repository/$folder/.gitignore; done
        (cd repository && git -c core.excludesFile= ls-files --others --exclude-per-directory=.gitignore | grep '\.c$' | LC_ALL=C sort) >git_says
        (cd repository && "$program" check --json -r . | sed 's/{"file":"\.\/\([^"]*\)".*/\1/' | LC_ALL=C sort) >program_says
        cmp -s git_says program_says || { echo "seed $seed"; head -n 9 repository/.gitignore repository/*/.gitignore repository/*/*/.gitignore; diff git_says program_says; }
    done
}
for one in a b ab x; do
    for two in a b ab x; do
        mkdir -p "repository/$one/$two"
        for file in a b ab x; do printf '(' >"repository/$one/$two/$file.c"; done
        printf '(' >"repository/$one/$two.c"
    done
    printf '(' >"repository/$one.c"
done
if command -v git >/dev/null && git init -q repository 2>/dev/null; then
    expect 'as git ignores' 0 '' as_git "${PM_SEEDS:-$(seq 1 12)}"
else
    echo 'skipped: no git here'
fi

# ---- Nothing to check
mkdir empty
printf '(' >empty/notes
expect 'nothing known there' 0 '' "$program" check -r empty
expect_error 'nothing known there' '^parenmatch: empty: no file whose name indicates a language'
expect 'a folder without --recursive' 2 '' "$program" check tree
expect_error 'a folder without --recursive' '^parenmatch: tree: is a directory (use --recursive)$'

# ---- What is no text
mkdir forms
{ printf '(\0'; } >forms/binary.c
{ head -c 9000 /dev/zero | tr '\0' ' '; printf '\0)'; } >forms/late.c
expect 'a binary file is skipped' 0 'forms/late.c' checked -r forms
"$program" check -q -r --stats forms 2>errors
expect_error 'a binary file is counted' '^skipped: 0 folders and 1 binary files$'
expect 'a binary file that is named' 0 '' "$program" check forms/binary.c
expect_error 'a binary file that is named' '^parenmatch: forms/binary.c: binary, skipped (a NUL'
expect 'a binary file with a language' 1 '' "$program" check -q --lang c forms/binary.c
expect 'a binary file from a pipe' 0 '' on '\0(' "$program" check -
expect_error 'a binary file from a pipe' '<stdin>: binary, skipped'
rm forms/*
# "é(\n𝄞)]" and a lone surrogate, in both orders.
printf '\377\376\351\0(\0\n\0\064\330\036\335)\0]\0\0\330\n\0' >forms/little.c
printf '\376\377\0\351\0(\0\n\330\064\335\036\0)\0]\330\0\0\n' >forms/big.c
for order in little big; do
    expect "UTF-16, $order-endian" 1 "$(printf "forms/$order.c:2:6: error: unmatched ']'\n    2 | \360\235\204\236)]\357\277\275\n      |   ^")" "$program" check forms/$order.c
done
expect 'UTF-16 from a pipe' 1 '' sh -c '"$0" check -q - <forms/big.c' "$program"
expect 'half a unit at the end' 1 '' on '\376\377\0(\0' "$program" check -q -
{ printf '\377\376'; yes "$(printf 'a\001')" | tr -d '\n' | head -c 3000000; printf '(\0'; } >forms/long.c
expect 'a long one' 1 '' "$program" check -q forms/long.c
printf '\377\376\0\0(\0\0\0' >forms/wide.c
expect 'UTF-32' 2 '' "$program" check forms/wide.c
expect_error 'UTF-32' 'forms/wide.c: UTF-32'

# ---- Several threads: what one prints, in the same order
mkdir -p many/odd many/even
awk 'BEGIN {
    for (i = 0; i < 700; i++) {
        name = sprintf("many/%s/%03d.%s", i % 2 ? "odd" : "even", i, i % 3 ? "c" : "html")
        for (k = i % 5 == 0 ? (i * 7919) % 1000 : 0; k >= 0; k--)
            printf "%s\n", i % 3 ? "f(a[1]};" : "<p><b></i>" > name
        close(name)
    }
}'
rm many/odd/001.c && ln -s nowhere many/odd/001.c
for format in gcc json sarif github; do
    "$program" check -j 1 --format $format -m 3 many/odd/001.c many/even/*0.c missing many/odd/*7.c - forms/wide.c many/even/*4.c many/odd/*1.html <many/odd/005.c >alone 2>alone_errors
    expect "several threads, $format" 2 "$(cat alone)" sh -c '"$@" <many/odd/005.c' sh "$program" check -j 7 --format $format -m 3 many/odd/001.c many/even/*0.c missing many/odd/*7.c - forms/wide.c many/even/*4.c many/odd/*1.html
    cp errors their_errors
    expect "several threads, $format: messages" 0 '' cmp their_errors alone_errors
    "$program" check -j 1 -r --format $format many >alone 2>&1
    expect "several threads, a folder, $format" 1 "$(cat alone)" "$program" check -r --jobs 5 --format $format many
done
stats() { "$program" check -q -r --stats "$@" many 2>&1 | sed 's/ in .*s),/,/'; }
expect 'several threads, statistics' 0 "$(stats -j 1)" stats -j 6
# More output than is kept of a file.
yes ')' | head -n 40000 >many/0.c
"$program" check -j 1 -m 0 many/0.c many/0.c many/even/002.c >alone
long() { "$program" check -j 3 -m 0 many/0.c many/0.c many/even/002.c | cmp - alone; }
expect 'several threads, long output' 0 '' long
expect 'statistics follow diagnostics' 0 '1 files' sh -c '"$0" check --stats many/even/002.c 2>&1 | tail -n 1 | cut -c1-7' "$program"
expect 'threads of no number' 2 '' "$program" check -j x many/0.c
expect_error 'threads of no number' "invalid number 'x' for --jobs"
expect 'jobs of a device' 2 '' "$program" check --backend gpu -j 2 many/0.c
expect_error 'jobs of a device' '--jobs works with --backend auto'
endless() { timeout 60 "$program" check -j 2 -m 0 many/0.c many/0.c >/dev/full; }
[ ! -c /dev/full ] || expect 'several threads, a full disk' 2 '' endless

# ---- A file is cut once the program has begun to print what is in it, and cannot go on before it is.
cut_while_read() {
    yes ')' | head -c 3000000 >cut.c
    { "$program" check -m 0 -j "$1" cut.c many/even/002.c 2>cut_errors; echo $? >code; } | { head -c 1 >/dev/null; : >cut.c; cat >rest; }
    grep -v 'parenmatch: cut.c: the file was cut short while it was read' cut_errors
    grep -c cut.c cut_errors
    grep -c '^many/even/002.c:.*error' rest
    return "$(cat code)"
}
[ -n "${PM_SANITIZE:-}" ] || { # sanitizers have a handler of their own
    for threads in 1 2; do
        expect "a file cut short, $threads threads" 2 '1
1' cut_while_read $threads
    done
}
finish
