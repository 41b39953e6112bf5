#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# parenmatch check with delimiters of any length: languages, files of rules, diagnostics, exit codes.
. "$(dirname "$0")/expect.sh"

# ---- Languages
expect 'balanced' 0 '' on '<a b="</c>">\n<d/>\n</a>\n' "$program" check --lang xml -
expect 'a close names its open' 1 "<stdin>:2:4: error: '</i>' closes '<b class=\"x\">'
    2 | éx</i>
      |   ^
<stdin>:1:1: note: '<b class=\"x\">' is here
    1 | <b class=\"x\">
      | ^" on '<b class="x">\n\303\251x</i>\n' "$program" check --lang xml -
expect 'unmatched' 1 "<stdin>:1:1: error: unmatched '</a>'
    1 | </a><b>
      | ^
<stdin>:1:5: error: '<b>' is never closed
    1 | </a><b>
      |     ^" on '</a><b>' "$program" check --lang xml -
expect 'cut off' 1 "<stdin>:1:1: error: '<!--' is never ended
    1 | <!-- <a>
      | ^" on '<!-- <a>' "$program" check --lang xml -
expect 'a long token is shown in part' 1 "<stdin>:1:1: error: '<a b=\"0123456789012345678901234567890123...' is never closed" \
    sh -c "printf '<a b=\"01234567890123456789012345678901234567890123456789\">' | \"$program\" check --lang xml - | head -n 1; exit 1"
expect 'html' 0 '' on '<!doctype html><P><br><DIV><script>"</div>"</script></div>' "$program" check --lang html -
expect 'latex' 1 '' on '\\begin{a}\\end{b}' "$program" check -q --lang tex -
expect 'sql' 0 '' on "begin select case 'end' when 1 then 2 end; end -- end" "$program" check --lang sql -
expect 'pascal' 0 '' on 'begin { end } repeat until x; end.' "$program" check --lang pascal -
expect 'jinja' 1 '' on '{%% if a %%}{%% endfor %%}' "$program" check -q --lang jinja -
expect 'listed' 0 6 sh -c "\"$program\" languages | grep -c -E '^(xml|html|latex|sql|pascal|jinja) '"
expect 'the last of --lang and --pairs counts' 0 '' on '(</a>' "$program" check --lang xml --lang json -

# ---- Files of rules
cat >rules <<'END'
# What opens and closes
ignore-case
word if fi
pair << >>
skip /* */
line //
string " \
END
expect 'rules' 0 '' on 'IF << "fi\\"" >> /* fi */ fi // fi' "$program" check --pairs rules -
expect 'their faults' 1 "<stdin>:1:4: error: '>>' closes 'if'
    1 | if >>
      |    ^
<stdin>:1:1: note: 'if' is here
    1 | if >>
      | ^" on 'if >>' "$program" check --pairs rules -
expect 'json' 1 '{"file":"<stdin>","line":1,"column":4,"offset":3,"text":">>","fault":"kind-mismatch","message":"'"'>>' closes 'if'"'","partner":{"line":1,"column":1,"offset":0,"text":"if"}}' \
    on 'if >>' "$program" check --json --pairs rules -
{ printf '\357\273\277'; cat rules; } >marked
expect 'rules behind a byte order mark' 1 '' on 'if >>' "$program" check -q --pairs marked -
printf 'pair a b\npear c d\n' >wrong
expect 'wrong rules' 2 '' on '' "$program" check --pairs wrong -
expect_error 'wrong rules' '^wrong:2:1: error: no such directive$'
expect_error 'wrong rules' '^    2 | pear c d$'
expect 'no rules there' 2 '' "$program" check --pairs missing -
expect_error 'no rules there' 'missing: No such file or directory'
expect 'rules too long' 2 '' sh -c "head -c 70000 /dev/zero | \"$program\" check --pairs - wrong"
expect 'brackets beside rules' 2 '' "$program" check --pairs rules --brackets '()' wrong
expect_error 'brackets beside rules' 'brackets'

# ---- Files
printf '<a>' >bad.xml
printf '<a></a>\n' >good.xml
expect 'one bad of several' 1 "bad.xml:1:1: error: '<a>' is never closed
    1 | <a>
      | ^" "$program" check --lang xml good.xml bad.xml good.xml
expect 'the language is told from the name' 1 "bad.xml:1:1: error: '<a>' is never closed
    1 | <a>
      | ^" "$program" check bad.xml good.xml
expect 'but not against a choice' 0 '' "$program" check --lang text bad.xml
expect 'nor where brackets are chosen' 0 '' "$program" check --brackets '()' bad.xml
mkdir tree
cp bad.xml tree/a.svg
printf '<p>{%% if a %%}' >tree/b.j2
printf '<br>' >tree/c.html
printf '<a>' >tree/d
printf '(' >tree/e.c
expect 'recursive' 1 "tree/a.svg:1:1: error: '<a>' is never closed
tree/b.j2:1:4: error: '{% if a %}' is never closed
tree/e.c:1:1: error: '(' is never closed" sh -c "\"$program\" check -r tree | grep error; exit 1"
expect 'no such file: the others are checked' 2 '' "$program" check -q --lang xml missing bad.xml
many() { on '</a></b></c>' "$program" check --lang xml --max-errors 1 - | grep -v '|'; }
expect 'at most --max-errors' 0 "<stdin>:1:1: error: unmatched '</a>'
<stdin>: note: 2 more not shown (--max-errors)" many
expect 'stats' 0 '' "$program" check --stats --lang xml good.xml
expect_error 'stats' '^1 files, 0.0 MB in .* 2 brackets, depth 1, 0 errors in 0 files$'
expect 'an empty file' 0 '' "$program" check --lang xml /dev/null
# More than is kept in memory: what the first line says is still at hand at the end.
long() {
    printf '<a>\n'
    head -c 150000000 /dev/zero | tr '\0' ' '
    printf '</b>'
}
limited() { (ulimit -d 131072 && "$@"); }
if limited "$program" check --lang xml good.xml >/dev/null 2>&1; then
    long_check() { long | limited "$program" check --lang xml --json -; }
    expect 'a long pipe' 1 '{"file":"<stdin>","line":2,"column":150000001,"offset":150000004,"text":"</b>","fault":"kind-mismatch","message":"'"'</b>' closes '<a>'"'","partner":{"line":1,"column":1,"offset":0,"text":"<a>"}}' long_check
    no_room() { long | TMPDIR=$PWD/nowhere "$program" check --lang xml -; }
    expect 'no room for it' 2 '' no_room
    expect_error 'no room for it' 'nowhere: No such file or directory'
fi

# ---- Names that tell
for ending in gpx kml rdf wsdl; do
    printf '<a>(</a>' >named.$ending
    expect "a file named .$ending" 0 '' "$program" check named.$ending
done

# ---- By a device
expect 'no such backend' 2 '' "$program" check --backend gpus --lang xml good.xml
expect_error 'no such backend' "no such backend: 'gpus'"
expect 'a device of the CPU' 2 '' "$program" check --device 0 good.xml
expect_error 'a device of the CPU' 'device works with --backend gpu, not with auto'
expect 'threads of the CPU' 2 '' "$program" check --threads 2 good.xml
expect_error 'threads of the CPU' 'threads works with --backend gpu, not with auto'
expect 'several devices' 2 '' "$program" check --backend gpu --device 0,1 good.xml
expect_error 'several devices' "not several: '0,1'"
expect 'no such device' 2 '' env PARENMATCH_ALLOW_CPU_DEVICE=1 "$program" check --backend gpu --device 999 good.xml
expect_error 'no such device' '^parenmatch: --device 999: no usable device'
expect 'the last one counts' 0 '' "$program" check --backend gpu --backend auto --lang html tree/c.html
expect 'rules that no device can follow' 2 '' "$program" check --backend gpu tree/c.html
expect_error 'rules that no device can follow' "^parenmatch: tree/c.html: its rules are too complex .*(the CPU can check it: omit --backend gpu)$"
expect 'brackets' 2 '' "$program" check --backend gpu tree/e.c
expect_error 'brackets' "^parenmatch: tree/e.c: .* not brackets (the CPU can check it: omit --backend gpu)$"
expect 'an empty file by a device' 0 '' "$program" check --backend gpu --lang xml /dev/null
# On a software renderer, if there is one.
PARENMATCH_ALLOW_CPU_DEVICE=1
export PARENMATCH_ALLOW_CPU_DEVICE
if "$program" check --backend gpu good.xml 2>errors; then
    printf '<a>\n</b>\n</c>\n<d e="/>"><f/><!-- x' >faults.xml
    printf '[{"a": ["]"]}, {}]' >good.json
    printf 'pair [ ]\npair { }\nstring " \\\n' >json
    printf 'begin select $a$ end $a$; end' >body.sql
    for options in 'faults.xml' '--max-errors 1 faults.xml' '--json faults.xml good.xml' '--quiet faults.xml' '--pairs json good.json'; do
        # shellcheck disable=SC2086 # options are several words
        "$program" check $options >onhost
        code=$?
        # shellcheck disable=SC2086
        expect "by a device, $options" $code "$(cat onhost)" "$program" check --backend gpu $options
    done
    if [ "$("$program" devices | wc -l)" = 1 ]; then # so that it is the one
        expect 'the device by its index' 0 '' "$program" check --backend gpu --device 0 good.xml
    fi
    expect 'one thread that copies' 0 '' "$program" check --backend gpu --threads 1 good.xml
    stats() { "$program" check --stats --quiet "$@" 2>&1 | sed 's/MB in .*s),//'; }
    for options in '--pairs json good.json' 'faults.xml'; do
        # shellcheck disable=SC2086
        expect "stats of a device, $options" 0 "$(stats $options)" stats --backend gpu $options
    done
    expect 'a text that no device can follow' 2 '' "$program" check --backend gpu body.sql
    expect_error 'a text that no device can follow' "body.sql: by these rules .*(the CPU can check it: omit --backend gpu)$"
else
    expect_error 'no gpu' 'no usable device'
fi

binary() { head -c 100000 /dev/urandom | "$program" check -q --lang html -; [ $? -le 1 ]; }
expect 'binary' 0 '' binary
finish
