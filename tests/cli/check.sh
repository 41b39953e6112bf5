#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# parenmatch check: diagnostics, exit codes, and every sort of file.
. "$(dirname "$0")/expect.sh"

# ---- What is balanced, and what is not
expect 'balanced' 0 '' on '([{}])\n' "$program" check -
expect 'empty' 0 '' "$program" check /dev/null
expect 'unmatched close' 1 "<stdin>:2:3: error: unmatched ')'
    2 | b ) c
      |   ^" on 'a\nb ) c\n' "$program" check -
expect 'unmatched open' 1 "<stdin>:1:1: error: '(' is never closed
    1 | ( [ ]
      | ^" on '( [ ]' "$program" check -
expect 'mismatch, with a note at the open' 1 "<stdin>:2:2: error: ']' closes '('
    2 | 	]
      | 	^
<stdin>:1:1: note: '(' is here
    1 | (
      | ^" on '(\n\t]\n' "$program" check -
expect 'strings and comments are skipped' 0 '' on '{"a]": "\\\\\\"["}' "$program" check --lang json -
expect 'unterminated' 1 "<stdin>:1:1: error: '[' is never closed
    1 | [\"a]
      | ^
<stdin>:1:2: error: unterminated string or comment
    1 | [\"a]
      |  ^" on '["a]' "$program" check --lang json -
expect 'brackets of choice' 1 "<stdin>:1:4: error: unmatched '>'
    1 | <a>>
      |    ^" on '<a>>' "$program" check --brackets '<>' -

# ---- The mistake behind the faults
forgotten='int f(int a) {\n    if (a) {\n        g(a);\n    return h(a);\n}\nint k(int a) {\n    return a;\n}\n'
error="2:12: error: '{' is never closed
    2 |     if (a) {
      |            ^"
note="4:1: note: by its indentation '}' is missing before line 4
    4 |     return h(a);
      | ^"
expect 'the mistake' 1 "<stdin>:$error
<stdin>:$note" on "$forgotten" "$program" check --lang c -
on "$forgotten" cat >forgotten.c
expect 'the mistake in a file' 1 "forgotten.c:$error
forgotten.c:$note" "$program" check forgotten.c
expect 'all faults' 1 "forgotten.c:1:14: error: '{' is never closed
    1 | int f(int a) {
      |              ^" "$program" check --all forgotten.c
deep=$(printf '%1001s' '' | tr ' ' '(')$(printf '%1001s' '' | tr ' ' ')')
{ on "$forgotten" cat && echo "int i = $deep;"; } >deep.c
expect 'not in deep texts, which take long' 1 "deep.c:1:14: error: '{' is never closed
    1 | int f(int a) {
      |              ^" "$program" check deep.c
expect 'not beside records' 1 "<stdin>:3:1: error: record 3: '{' is never closed" \
    on '{}\n{}\n{\n' "$program" check --records --lang json -
expect 'the mistake, for GitHub' 1 \
    "::error file=forgotten.c,line=2,col=12::'{' is never closed; by its indentation '}' is missing before line 4" \
    "$program" check --format github forgotten.c
expect 'nothing is printed' 1 '' "$program" check --quiet forgotten.c
expect 'the mistake as JSON' 1 '{"file":"<stdin>","line":1,"column":2,"offset":1,"byte":"]","fault":"unmatched-close","message":"unmatched '"']'"'","repair":{"kind":"insert","line":1,"column":2,"offset":1,"byte":"[","new_line":false,"certain":false,"message":"'"'['"' is probably missing in line 1"}}' on '(])' "$program" check --json -
expect 'one too many elsewhere' 1 "<stdin>:2:1: error: unmatched ')'
    2 | )
      | ^" on '()\n)\n' "$program" check -
expect 'what follows is counted' 1 "<stdin>:2:6: error: '(' is never closed
    2 |     g(h(a);
      |      ^
<stdin>: note: 1 more that probably follows from these (--all)" on 'int f(int a) {\n    g(h(a);\n}\n' "$program" check -l c -
expect 'more mistakes than may be printed' 1 "<stdin>:2:6: error: '(' is never closed
    2 |     g(h(a);
      |      ^
<stdin>: note: 1 more not shown (--max-errors)
<stdin>: note: 2 more that probably follow from these (--all)" \
    on 'int f(int a) {\n    g(h(a);\n}\nint i(int a) {\n    g(h(a);\n}\n' "$program" check -m 1 -l c -

# ---- Completed texts
expect 'completed' 0 '{"a": [1, "b\\"]}' on '{"a": [1, "b\\\\' "$program" check --complete --lang json -
expect 'completed, XML' 0 '<a><b c="d"></b></a>' on '<a><b c="d' "$program" check --complete --lang xml -
expect 'completed, and wrong' 1 '(])()' on '(])(' "$program" check --complete -
expect 'not completed' 2 '(
__END__' on '(\n__END__\n' "$program" check --complete --lang perl -
expect_error 'nothing completes it' 'nothing completes it'
expect 'complete and recursive' 2 '' "$program" check --complete --recursive .

# ---- Records
lines='{}\n{]}\r\n"[\n\n[1]'
expect 'records' 1 "<stdin>:2:2: error: record 2: ']' closes '{'
<stdin>:3:1: error: record 3: unterminated string or comment
5 records, 2 bad" on "$lines" "$program" check --lang json --records --summary -
expect 'records, quiet' 1 '5 records, 2 bad' on "$lines" "$program" check -q -l json --records=newline --summary -
expect 'records, at most one line' 1 "<stdin>:2:2: error: record 2: ']' closes '{'
<stdin>: note: 1 more not shown (--max-errors)" on "$lines" "$program" check -m 1 --lang json --records -
expect 'records as JSON' 1 '{"file":"<stdin>","record":2,"line":1,"column":4,"offset":3,"byte":"]","fault":"unmatched-close","message":"unmatched '"']'"'"}
{"records":2,"bad":1}' on '[]\0]' "$program" check --json --records=nul --summary -
expect 'one record' 0 '1 record, 0 bad' on '[1]\n' "$program" check --lang json --records --summary -
expect 'RFC 7464' 0 '2 records, 0 bad' on '\036[1]\n\036\036{}\n' "$program" check --records=rs --summary -
expect 'records of XML' 1 "<stdin>:2:1: error: record 2: '<b>' is never closed
3 records, 1 bad" on '<a/>\n<b>\n<c></c>\n' "$program" check --lang xml --records --summary -
expect 'another separator' 2 '' "$program" check --records=comma -
expect 'summary of no records' 2 '' "$program" check --summary -
expect 'records and complete' 2 '' "$program" check --records --complete -

# ---- How lines are shown
expect 'CRLF' 1 "<stdin>:1:2: error: unmatched ')'
    1 | a)
      |  ^" on 'a)\r\nb\r\n' "$program" check -
expect 'UTF-8: a character takes one column of the caret line' 1 "<stdin>:1:5: error: unmatched ')'
    1 | éé)
      |   ^" on '\303\251\303\251)' "$program" check -
expect 'invalid UTF-8 and controls' 1 "<stdin>:1:4: error: unmatched ')'
    1 | �??)
      |    ^" on '\377\001\002)' "$program" check -
long_line() { awk 'BEGIN { for (i = 0; i < 1000; i++) printf "x"; printf ")"; for (i = 0; i < 1000; i++) printf "y"; print "" }'; }
long() { long_line | "$program" check - | awk 'NR == 1 { print } NR > 1 { print length($0) }'; }
expect 'a long line is shown in part' 0 "<stdin>:1:1001: error: unmatched ')'
334
172" long

# ---- Options
many() { on ')))))' "$program" check --max-errors 2 - | grep -v '|'; }
expect 'at most --max-errors' 0 "<stdin>:1:1: error: unmatched ')'
<stdin>:1:2: error: unmatched ')'
<stdin>: note: 3 more not shown (--max-errors)" many
count() { awk 'BEGIN { for (i = 0; i < 50; i++) printf ")" }' | "$program" check "$@" - | grep -c error:; }
expect '20 by default' 0 20 count
expect '0: all' 0 50 count --max-errors 0
expect 'quiet' 1 '' on ')' "$program" check --quiet -
expect 'json' 1 '{"file":"<stdin>","line":1,"column":2,"offset":1,"byte":"]","fault":"kind-mismatch","message":"'"']' closes '('"'","partner":{"line":1,"column":1,"offset":0,"byte":"("}}
{"file":"<stdin>","line":1,"column":3,"offset":2,"byte":")","fault":"unmatched-close","message":"unmatched '"')'"'"}' on '(])' "$program" check --json --all -
expect 'stats' 0 '' on '(())\n' "$program" check --stats -
expect_error 'stats' '^1 files, 0.0 MB in .* 4 brackets, depth 2, 0 errors in 0 files$'
expect 'help' 0 'Usage: parenmatch check [OPTION]... FILE...' sh -c "\"$program\" check --help | head -n 1"
expect 'no file' 2 '' "$program" check
expect_error 'no file' 'no file given'
expect 'no such option' 2 '' "$program" check --nonsense
expect 'no such language' 2 '' "$program" check --lang klingon -
expect_error 'no such language' 'klingon'
expect 'too many kinds' 2 '' "$program" check --brackets '()[]{}<>ab' /dev/null
expect 'not a number' 2 '' "$program" check --max-errors -1 /dev/null
expect 'a byte order mark takes no room' 1 "$(printf "<stdin>:1:5: error: unmatched ')'\n    1 | \357\273\277a)\n      |  ^")" \
    on '\357\273\277a)' "$program" check -

# ---- Files
printf '{"a": ["]"]}' >good.json
printf 'int main(void) { return ")"[0]; }' >good.c
printf '(' >bad.txt
mkdir -p tree/sub
cp good.c tree/a.c
printf 'f(' >tree/sub/b.py
printf '(((' >tree/sub/notes
expect 'the language is told from the name' 0 '' "$program" check good.json good.c
expect 'one bad of several' 1 "bad.txt:1:1: error: '(' is never closed
    1 | (
      | ^" "$program" check good.json bad.txt good.c
expect 'no such file: the others are checked' 2 "bad.txt:1:1: error: '(' is never closed
    1 | (
      | ^" "$program" check missing bad.txt
expect_error 'no such file' 'missing: No such file or directory'
expect 'an empty name' 2 '' "$program" check ''
expect_error 'an empty name' 'a file name is empty'
expect 'a directory' 2 '' "$program" check tree
expect_error 'a directory' 'tree: is a directory'
expect 'recursive: only names that tell a language' 1 "tree/sub/b.py:1:2: error: '(' is never closed
    1 | f(
      |  ^" "$program" check --recursive tree
expect 'recursive, a file by name' 1 '' "$program" check -q --recursive bad.txt
expect 'recursive, nothing there' 2 '' "$program" check --recursive missing
ln -s missing dangling && ln -s circle circle
expect 'recursive, a link that leads nowhere' 2 '' "$program" check --recursive dangling
expect_error 'a link that leads nowhere' 'dangling: No such file'
expect 'recursive, a link to itself' 2 '' "$program" check --recursive circle
expect_error 'a link to itself' 'circle: '
expect 'a file of /proc, which says it is empty' 0 '' "$program" check /proc/self/limits
unreadable() { chmod 0 bad.txt; "$program" check bad.txt; }
[ "$(id -u)" = 0 ] || expect 'unreadable' 2 '' unreadable
binary() { head -c 100000 /dev/urandom | "$program" check -q -; [ $? -le 1 ]; }
expect 'binary' 0 '' binary
closed() { "$program" check - <&-; }
expect 'closed standard input' 2 '' closed
# A file that is opened must not be taken for standard input, or be printed to.
closed_after() { "$program" check fine.txt - <&-; }
printf '()' >fine.txt
expect 'closed standard input, after a file' 2 '' closed_after
expect_error 'closed standard input, after a file' '<stdin>: Bad file descriptor'
closed_all() { "$program" check -q fine.txt <&- >&- 2>&-; }
expect 'nothing is open' 0 '' closed_all
expect 'an unknown option' 2 '' "$program" check --abacus fine.txt
expect_error 'an unknown option' '^parenmatch check: .*--abacus'
expect 'five kinds of brackets' 2 '' "$program" check --brackets '()[]{}<>ab' fine.txt
expect_error 'five kinds of brackets' 'at most 4 pairs'
endless_faults() { yes ')' | timeout 60 "$program" check --max-errors 0 - >/dev/full; }
[ ! -c /dev/full ] || expect 'a full disk ends it' 2 '' endless_faults
name=$(printf 'a\nb "\377.txt')
printf ')' >"$name"
expect 'a strange name in JSON' 1 '"a\u000ab \"�.txt"' sh -c "\"$program\" check --json \"\$0\" | cut -d, -f1 | cut -d: -f2-; exit 1" "$name"

# ---- Pipes: the places of opens long gone are still right, and memory does not grow with what is closed again
far() { { printf '(\n  {'; yes '()' | head -n 2000000; printf '))'; } | "$program" check -; }
expect 'places from far back' 1 "<stdin>:2000002:1: error: ')' closes '{'
2000002 | ))
      | ^
<stdin>:2:3: note: '{' is here" far
limited() { ulimit -v "$1" && yes "$2" | head -c "$3" | "$program" check -q -; }
case ${PM_SANITIZE:-} in
'') expect 'a pipe of brackets in 64 MB' 0 '' limited 65536 '([{}])' 300000000
    expect 'a deep pipe, repeating, in 64 MB' 1 '' limited 65536 '(((((((((((((((' 300000000 ;;
esac
finish
