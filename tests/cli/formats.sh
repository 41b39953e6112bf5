#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# parenmatch check: diagnostics for programs (JSON, SARIF, GitHub) and for terminals.
. "$(dirname "$0")/expect.sh"

# ---- Names that are no UTF-8
odd_name=$(printf 'a\377,:%%.c')
printf '(]' >"$odd_name"
expect 'a name that is not UTF-8, in JSON' 0 '{"file":"a�,:%.c","file_bytes":"61ff2c3a252e63","line":1' \
    sh -c '"$0" check --json "$1" | cut -d, -f1-4' "$program" "$odd_name"
expect 'in the JSON of find' 0 '{"file":"a�,:%.c","file_bytes":"61ff2c3a252e63","offset":1' \
    sh -c '"$0" find --json "]" "$1" | cut -d, -f1-4' "$program" "$odd_name"
expect 'for GitHub' 1 "$(printf "::error file=a\377%%2C%%3A%%25.c,line=1,col=2::']' closes '(' of line 1, column 1")" \
    "$program" check --format github "$odd_name"
expect 'columns for GitHub are in characters' 1 \
    "::error file=<stdin>,line=1,col=4::']' closes '(' of line 1, column 3" \
    on '\303\251\303\251(]' "$program" check --format github -

# ---- SARIF, for a reader that knows its rules
cat >valid.py <<'END'
import json, sys, urllib.parse
log = json.load(open(sys.argv[1], encoding="utf-8"))
assert log["version"] == "2.1.0" and log["$schema"].endswith("sarif-2.1.0.json") and len(log["runs"]) == 1
run = log["runs"][0]
assert set(run) == {"tool", "columnKind", "results", "invocations"} and run["columnKind"] == "unicodeCodePoints"
rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
assert run["tool"]["driver"]["name"] and len(set(rules)) == len(rules)
def place(of):
    physical = of["physicalLocation"]
    uri, region = physical["artifactLocation"]["uri"], physical["region"]
    assert all(c.isascii() and (c.isalnum() or c in "-._~/%:") for c in uri), uri
    assert region["startLine"] >= 1
    if "startColumn" in region:
        assert 1 <= region["startColumn"] <= region["endColumn"]
    path = urllib.parse.unquote_to_bytes(uri.removeprefix("file://"))
    return f'{path!r}:{region["startLine"]}:{region.get("startColumn")}-{region.get("endColumn")}'
for result in run["results"]:
    assert rules[result["ruleIndex"]] == result["ruleId"] and result["level"] == "error"
    text = result["message"]["text"].replace("{{", "{").replace("}}", "}")
    assert len(result["locations"]) == 1
    related = [place(at) + " " + at["message"]["text"] for at in result.get("relatedLocations", [])]
    print(place(result["locations"][0]), result["ruleId"], text, *related)
invocation = run["invocations"][0]
print(invocation["executionSuccessful"], invocation["exitCode"])
END
sarif() { "$program" check --format sarif "$@" >log.sarif; python3 valid.py log.sarif; }
if python3 -c 'str().removeprefix' 2>/dev/null; then
    printf '\303\251\303\251(\n\tx}"\n' >'b c.c'
    printf '<a\nb="1">\303\251<i></a>' >d.xml
    expect 'sarif' 0 "b'b c.c':2:3-4 kind-mismatch '}' closes '(' b'b c.c':1:3-4 '(' is here
b'a\\xff,:%.c':1:2-3 kind-mismatch ']' closes '(' b'a\\xff,:%.c':1:1-2 '(' is here
b'd.xml':2:11-15 kind-mismatch '</a>' closes '<i>' b'd.xml':2:8-11 '<i>' is here
b'd.xml':1:1-3 unmatched-open '<a b=\"1\">' is never closed
True 1" sarif 'b c.c' "$odd_name" d.xml
    expect 'sarif: all is well' 0 'True 0' sarif /dev/null
    expect 'sarif: trouble' 0 "b'd.xml':2:11-15 kind-mismatch '</a>' closes '<i>' b'd.xml':2:8-11 '<i>' is here
False 2" sarif -m 1 missing d.xml
    expect 'sarif: an absolute path' 0 "$(printf "b'%s/b c.c'" "$PWD")" sh -c '"$0" check --format sarif "$PWD/b c.c" >log.sarif; python3 valid.py log.sarif | head -n 1 | cut -d: -f1' "$program"
    { head -c 100000 /dev/zero | tr '\0' ' '; printf ')'; } >far.c
    expect 'sarif: a column far to the right is left out' 0 "b'far.c':1:None-None unmatched-close unmatched ')'
True 1" sarif far.c
    expect 'sarif: a byte order mark is no character' 0 "b'mark.c':1:1-2 unmatched-close unmatched ')'
True 1" sh -c 'printf "\357\273\277)" >mark.c; "$0" check --format sarif mark.c >log.sarif; python3 valid.py log.sarif' "$program"
else
    echo 'skipped: no python3 here'
fi
expect 'quiet: no log' 1 '' "$program" check -q --format sarif "$odd_name"
expect 'no such format' 2 '' "$program" check --format xml "$odd_name"
expect_error 'no such format' "^parenmatch check: invalid value 'xml' for --format"

# ---- Colours
plain="<stdin>:1:1: error: unmatched ')'
    1 | )
      | ^"
red=$(printf '\033[1m<stdin>:1:1:\033[0m \033[1;31merror:\033[0m unmatched '"')'"'\n    1 | )\n      | \033[1;31m^\033[0m')
export TERM=xterm
unset NO_COLOR
expect 'no colours for a file' 1 "$plain" on ')' "$program" check -
expect 'colours always' 1 "$red" on ')' "$program" check --color always -
expect 'colours never' 1 "$plain" on ')' "$program" check --color=never -
expect 'no such colours' 2 '' "$program" check --color red -
expect_error 'no such colours' "invalid value 'red' for --color"
# On a terminal, where a program makes one.
if [ "$(script -qec 'test -t 1 && echo yes' /dev/null </dev/null 2>/dev/null | tr -d '\r')" = yes ]; then
    printf ')' >one.c
    on_terminal() { script -qec "$* '$program' check one.c" /dev/null </dev/null | head -n 1 | tr -d '\r' | sed 's/one.c/<stdin>/'; }
    expect 'colours on a terminal' 0 "$(echo "$red" | head -n 1)" on_terminal
    for setting in NO_COLOR=1 TERM=dumb; do
        expect "no colours with $setting" 0 "$(echo "$plain" | head -n 1)" on_terminal $setting
    done
    expect 'an empty NO_COLOR counts for nothing' 0 "$(echo "$red" | head -n 1)" on_terminal NO_COLOR=
fi
finish
