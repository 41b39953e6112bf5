# SPDX-License-Identifier: Apache-2.0
# What bp_table.sh prints. A line's backend is QUERY/INDEX or QUERY/INDEX/WAY.
BEGIN {
    lengths = split("10 16 20 24 28", log_of_length)
    for (i = 1; i <= lengths; i++)
        length_at[2 ^ log_of_length[i]] = i
    # Who answers, in the tables' order: index and way; and by which instructions.
    answerers = split("bp/ bp/many view/ pioneers/ sada/", answerer)
    split("`pm_bp_...` `pm_bp_..._many` `bp_view.h` pioneers sdsl-lite", called)
    simds = split("avx512-vbmi avx2 sse4 ssse3 neon portable native", simd)
}
match($0, /^{"suite":"bp"/) && /"verified":true/ {
    parts = split(text("backend"), part, "/")
    twist = text("kind")
    sub(/twist:/, "", twist)
    way = parts == 3 ? part[3] : ""
    query = part[1] (way == "chain" ? " in a chain" : "")
    keep(query, twist, part[2] "/" (way == "chain" ? "" : way) "/" text("simd"), length_at[number("length")], number("median"))
}
function keep(query, twist, who, column, time,    cell) {
    cell = query SUBSEP twist SUBSEP who SUBSEP column
    if (!(cell in least) || time < least[cell])
        least[cell] = time
    known[query, twist, who] = 1
}
function row(first, name, query, twist, who,    line, i, cell) {
    line = "| " first " | " name " |"
    for (i = 1; i <= lengths; i++) {
        cell = query SUBSEP twist SUBSEP who SUBSEP i
        line = line (cell in least ? sprintf(" %.3g |", least[cell]) : " |")
    }
    print line
}
function rows(query, first, twist,    a, i, who) {
    for (a = 1; a <= answerers; a++)
        for (i = 1; i <= simds; i++) {
            who = answerer[a] "/" simd[i]
            if (!((query, twist, who) in known))
                continue
            row(first, called[a] (simd[i] == "native" ? "" : ", " simd[i]), query, twist, who)
            first = ""
        }
}
function head(first,    line, rule, i) {
    line = "| " first " | by |"
    rule = "|---|---|"
    for (i = 1; i <= lengths; i++) {
        line = line " 2^" log_of_length[i] " |"
        rule = rule "---|"
    }
    print line "\n" rule
}
function by_twist(query,    twists, twist, t) {
    head(query ", twist")
    twists = split("1 .75 .5 .25", twist, " ")
    for (t = 1; t <= twists; t++)
        rows(query, twist[t], twist[t])
    print ""
}
END {
    by_twist("find_close")
    by_twist("find_close in a chain")
    head("others, twist 1")
    queries = split("find_open enclose rank select excess", other, " ")
    for (q = 1; q <= queries; q++)
        rows(other[q], other[q], "1")
}
