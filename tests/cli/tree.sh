#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# parenmatch tree: paths, subtrees, children, and the index beside the file.
. "$(dirname "$0")/expect.sh"

printf '%s' '{"a": [1, {"b)": []}], "c": {}}' >text.json
#            0     6   10      16 19  22   28
root='0	0	0	30	{	5'
a='1	1	6	20	[	3'
b='2	2	10	19	{	2'
bracket='3	3	17	18	[	1'
c='4	1	28	29	{	1'
expect 'roots' 0 "$root" "$program" tree text.json
expect 'from a pipe' 0 "$root" "$program" tree --lang json - <text.json
expect 'children' 0 "$a
$c" "$program" tree --children 0 text.json
expect 'no children' 0 '' "$program" tree --children 3 text.json
expect 'subtree' 0 "$a
$b
$bracket" "$program" tree --subtree 1 text.json
expect 'path of a byte' 0 "$root
$a
$b" "$program" tree --at 13 text.json
expect 'path of an open' 0 "$root
$a
$b
$bracket" "$program" tree --at 17 text.json
expect 'path of a close' 0 "$root
$a
$b" "$program" tree --at 19 text.json
expect 'path behind a close' 0 "$root" "$program" tree --at 21 text.json
expect 'path of the first byte' 0 "$root" "$program" tree --at 0 text.json
expect 'json' 0 '{"node":4,"depth":1,"begin":28,"end":29,"character":"{","size":1}' "$program" tree --json -s 4 text.json

expect 'unbalanced' 0 '0	0	1	2	(	1
1	0	4	-	(	2' on ')())((' "$program" tree -
expect 'outside' 0 '' on 'a()b' "$program" tree --at 3 -
expect 'between roots' 0 '' on '()a()' "$program" tree --at 2 -
expect 'behind an unmatched close' 0 '' on '()))a' "$program" tree --at 4 -
expect 'an unmatched close' 0 '' on ')(' "$program" tree --at 0 -
expect 'behind the last close' 0 '0	0	0	-	(	2' on '(()a' "$program" tree --at 3 -
expect 'brackets of choice' 0 '0	0	0	2	<	1' on '<(>' "$program" tree -b '<>' -
expect 'no brackets' 0 '' on 'none' "$program" tree -

expect 'an index is written' 0 "$root" "$program" tree --cache text.json
expect 'there it is' 0 'text.json.bp' ls text.json.bp
cp text.json.bp kept
cp kept kept.too
expect 'it is used' 0 "$c" "$program" tree --cache -s 4 text.json
expect 'and left alone' 0 '' cmp text.json.bp kept
printf x >>text.json.bp
expect 'a damaged one is not used' 0 "$c" "$program" tree --cache -s 4 text.json
expect 'but written again' 0 '' cmp text.json.bp kept
head -c 20 kept >text.json.bp
expect 'one cut short is written again' 0 "$c" "$program" tree --cache -s 4 text.json
expect 'as it was' 0 '' cmp text.json.bp kept
printf '[[]]' >text.json
expect 'nor one of another text' 0 '0	0	0	3	[	2' "$program" tree --cache text.json
for foreign in 'PMBPIDY' 'my only copy of a poem' 'P' ''; do
    printf '%s' "$foreign" >text.json.bp
    expect 'another file of that name: answered' 0 '0	0	0	3	[	2' "$program" tree --cache text.json
    expect_error 'another file of that name' 'text.json.bp: not an index; left unchanged'
    expect 'another file of that name: kept' 0 "$foreign" cat text.json.bp
done
rm text.json.bp
for target in nowhere kept; do
    ln -s $target text.json.bp
    expect "a link to $target: answered" 0 '0	0	0	3	[	2' "$program" tree --cache text.json
    expect_error "a link to $target" 'text.json.bp: not an index; left unchanged'
    rm text.json.bp
done
expect 'a link: nothing written through it' 2 '' ls nowhere
expect 'a link: its target kept' 0 '' cmp kept kept.too
mkdir text.json.bp
expect 'a directory of that name' 0 '0	0	0	3	[	2' "$program" tree --cache text.json
expect_error 'a directory of that name' 'text.json.bp: not an index'
rmdir text.json.bp
if mkfifo text.json.bp 2>/dev/null && command -v timeout >/dev/null; then
    expect 'a pipe of that name, which has no other end' 0 '0	0	0	3	[	2' timeout 60 "$program" tree --cache text.json
    expect_error 'a pipe of that name' 'text.json.bp: not an index'
fi
rm -f text.json.bp

long=$(printf '%0250d' 0) # its index's name is within the system's limit, that of the temporary file is not
cp text.json "$long"
expect 'an index that cannot be written: answered' 0 '0	0	0	3	[	2' "$program" tree --cache "$long"
expect_error 'an index that cannot be written' '0.bp: cannot write the index: [A-Z]'
rm "$long"
rm -f text.json.bp

# XML, in programs that read it.
printf '<p>(' >text.html
expect 'a file of other delimiters' 2 '' "$program" tree text.html
expect_error 'a file of other delimiters' '^parenmatch tree: text.html: its delimiters are not xml'
expect 'its brackets' 0 "$(printf '0\t0\t3\t-\t(\t1')" "$program" tree --lang text text.html
expect 'its brackets, by name' 0 "$(printf '0\t0\t0\t2\t<\t1\n1\t0\t3\t-\t(\t1')" "$program" tree --brackets '()<>' text.html
if on '<a/>' "$program" tree --lang xml - >/dev/null 2>&1; then
    printf '%s' '<?xml version="1.0"?><!--<no>--><a x=">"><b-c/>text<d:e>&#60;<f></f ></d:e><![CDATA[<g>]]></a>' >text.xml
    #            0                    21        32       41    47  51   56   61 64   69    75            90
    a='0	0	32	93	a	4'
    b='1	1	41	46	b-c	1'
    d='2	1	51	74	d:e	2'
    f='3	2	61	68	f	1'
    expect 'xml: roots' 0 "$a" "$program" tree text.xml
    expect 'xml: children' 0 "$b
$d" "$program" tree --children 0 text.xml
    expect 'xml: path in a start tag' 0 "$a" "$program" tree --at 38 text.xml
    expect 'xml: path of an element in one tag' 0 "$a
$b" "$program" tree --at 46 text.xml
    expect 'xml: path behind it' 0 "$a" "$program" tree --at 47 text.xml
    expect 'xml: path in an end tag' 0 "$a
$d
$f" "$program" tree --at 66 text.xml
    expect 'xml: subtree' 0 "$d
$f" "$program" tree --subtree 2 text.xml
    expect 'xml: json' 0 '{"node":3,"depth":2,"begin":61,"end":68,"name":"f","size":1}' "$program" tree --json -s 3 text.xml
    for ending in gpx KML rng; do
        cp text.xml text.$ending
        expect "xml: by its name, $ending" 0 "$d
$f" "$program" tree --subtree 2 text.$ending
    done
    expect 'xml: by another name of the language' 0 "$d
$f" on "$(cat text.xml)" "$program" tree --lang svg --subtree 2 -
    expect 'xml: before the root' 0 '' "$program" tree --at 3 text.xml
    expect 'xml: an index is written' 0 "$d
$f" "$program" tree --cache -s 2 text.xml
    expect 'xml: and used' 0 "$d
$f" "$program" tree --cache -s 2 text.xml
    expect 'xml: brackets of choice' 0 '0	0	77	88	[	2' "$program" tree -b '[]' text.xml
    expect 'xml: elements of entities' 0 '0	0	40	53	a	2
1	1	43	46	b	1' on '<!DOCTYPE a [<!ENTITY e "<i><j/></i>">]><a><b/>&e;</a>' "$program" tree -l xml -s 0 -
    expect 'xml: not well-formed' 2 '' on '<a>\n<b></a>' "$program" tree --lang xml -
    expect_error 'xml: not well-formed' ':2: '
    expect 'xml: UTF-16' 2 '' on '\377\376<\000a\000/\000>\000' "$program" tree --lang xml -
    expect_error 'xml: UTF-16' 'UTF-16'
    expect 'xml: nothing' 2 '' on '' "$program" tree --lang xml -
    awk 'BEGIN { for (i = 0; i < 200000; i++) printf "<n%d>", i; for (i = 200000; i-- > 0;) printf "</n%d>", i }' >deep.xml
    expect 'xml: deep' 0 '199999	199999	1688881	1688899	n199999	1' "$program" tree --subtree 199999 deep.xml
else
    echo 'built without expat: no XML'
fi

expect 'no such node' 1 '' "$program" tree --subtree 9 text.json
expect_error 'no such node' 'no node 9'
expect 'no such byte' 2 '' "$program" tree --at 99 text.json
expect_error 'no such byte' 'no byte 99'
expect 'no such node of standard input' 1 '' on '()' "$program" tree --subtree 9 -
expect_error 'no such node of standard input' '^parenmatch: <stdin>: has no node 9'
expect 'no such byte of standard input' 2 '' on '()' "$program" tree --at 99 -
expect_error 'no such byte of standard input' '^parenmatch: <stdin>: has 2 bytes'
expect 'no number' 2 '' "$program" tree --at x text.json
expect 'two questions' 2 '' "$program" tree --at 1 --children 0 text.json
expect_error 'two questions' '--at and --children exclude each other'
expect 'brackets of xml' 2 '' "$program" tree --lang xml -b '()' text.json
expect_error 'brackets of xml' '--brackets and xml exclude each other'
expect 'no such language' 2 '' "$program" tree --lang abacus text.json
expect_error 'no such language' "no such language: 'abacus'"
expect 'a language of delimiters' 2 '' "$program" tree --lang html text.json
expect_error 'a language of delimiters' "'html' has delimiters"
expect 'no file' 2 '' "$program" tree
expect 'no such file' 2 '' "$program" tree missing
expect 'an index of standard input' 2 '' "$program" tree --cache -
finish
