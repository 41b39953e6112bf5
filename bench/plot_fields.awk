# SPDX-License-Identifier: Apache-2.0
# What scripts that draw results share: the fields of a line of JSON, and lists without repetition.
function text(field) {
    return match($0, "\"" field "\":\"[^\"]*\"") ? substr($0, RSTART + length(field) + 4, RLENGTH - length(field) - 5) : ""
}
function number(field) {
    return match($0, "\"" field "\":[-+.e0-9]+") ? substr($0, RSTART + length(field) + 3, RLENGTH - length(field) - 3) + 0 : 0
}
function remember(list, count, item,    i) {
    for (i = 1; i <= count; i++) if (list[i] == item) return count
    list[count + 1] = item
    return count + 1
}
function sort_numbers(list, count,    i, j, t) { # by insertion
    for (i = 2; i <= count; i++)
        for (j = i; j > 1 && list[j] < list[j - 1]; j--) { t = list[j]; list[j] = list[j - 1]; list[j - 1] = t }
}
