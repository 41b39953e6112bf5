#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The Rust declarations are written by hand, so their structs must have the fields of the C ones, in the same order.
#   check_rust.sh REPOSITORY
set -eu
awk '
FNR == NR && /^typedef struct [a-z_]+ \{/ {
    fields = ""
    name = $3
    sub(/^[^{]*\{ /, "")
    sub(/ \}[^}]*$/, "")
    for (f = split($0, part, /; ?/); f > 0; f--)
        if (match(part[f], /[a-z0-9_]+(\[[^;]*)?$/)) {
            field = substr(part[f], RSTART, RLENGTH)
            sub(/\[.*/, "", field)
            fields = field " " fields
        }
    of_c[name] = fields
}
FNR == NR { next }
/^pub struct pm_[a-z_]+ \{/ { name = $3; fields = "" }
name != "" && /^    pub [a-z0-9_]+:/ { sub(/:/, "", $2); fields = fields $2 " " }
/^}/ && name != "" {
    checked++
    if (fields != of_c[name]) {
        print "check_rust: " name " has the fields " fields "; in C they are " of_c[name]
        failed = 1
    }
    name = ""
}
END {
    if (checked == 0) print "check_rust: no struct was found"
    exit failed || checked == 0
}' "$1/cmake/interface.txt" "$1/rust/parenmatch-sys/src/lib.rs"
