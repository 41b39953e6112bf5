#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# parenmatch json: values by JSON Pointers, and what is wrong with files and pointers.
. "$(dirname "$0")/expect.sh"

printf '%s\n' '{"a": [1, {"b)": "x\"y"}], "c/d~": { }, "": null}' >text.json
expect 'the whole' 0 '{"a": [1, {"b)": "x\"y"}], "c/d~": { }, "": null}' "$program" json text.json ''
expect 'an element' 0 '1' "$program" json text.json /a/0
expect 'a string' 0 '"x\"y"' "$program" json text.json '/a/1/b)'
expect 'an escaped key' 0 '{ }' "$program" json text.json /c~1d~0
expect 'an empty key' 0 'null' "$program" json text.json /
expect 'from a pipe' 0 '{"b)": "x\"y"}' "$program" json - /a/1 <text.json

expect 'no member' 1 '' "$program" json text.json /b
expect_error 'no member: message' "text.json: has no value '/b'"
expect 'no element' 1 '' "$program" json text.json /a/2
expect 'not a pointer' 2 '' "$program" json text.json a
expect_error 'not a pointer: message' 'is not a JSON Pointer'
expect 'a bad escape' 2 '' "$program" json text.json /~2

printf '[1,\n 2,]\n' >bad.json
expect 'not JSON' 2 '' "$program" json bad.json /0
expect_error 'not JSON: place' '^bad.json:2:4: error: '
printf '' >empty.json
expect 'an empty file' 2 '' "$program" json empty.json ''
expect_error 'an empty file: place' '^empty.json:1:1: error: '
expect 'no file' 2 '' "$program" json missing.json ''
expect_error 'no file: message' 'missing.json: '
expect 'a directory' 2 '' "$program" json . ''
expect 'no pointer' 2 '' "$program" json text.json
expect_error 'no pointer: message' 'a file and a JSON Pointer are needed'
expect 'an unknown option' 2 '' "$program" json --what text.json ''
finish
