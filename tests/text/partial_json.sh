#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# partial_json.sh PROGRAM INPUT: another parser reads every document that examples/partial_json.c prints.
command -v python3 >/dev/null || exit 77
"$1" <"$2" | python3 -c '
import json, sys
document = None
for line in sys.stdin:
    document = json.loads(line)
sys.exit(document != json.load(open(sys.argv[1], encoding="utf-8")))' "$2"
