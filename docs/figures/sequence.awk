# SPDX-License-Identifier: Apache-2.0
# Sequences to draw, and what is to be said of them. Elements are 0 ... n - 1, open[i] is 1 for an open.

# n elements that open `percent` times in a hundred; every awk draws the same lots.
function sequence_make(n, percent, seed,    i) {
    for (i = 0; i < n; i++) {
        seed = seed * 75 % 65537
        open[i] = seed % 100 < percent
    }
}

# The definition: level[i] of position i, which is before element i; match[i] is the last position before i whose level
# is less, or -1.
function sequence_match(n,    i, j) {
    level[0] = 0
    for (i = 0; i < n; i++)
        level[i + 1] = level[i] + (open[i] ? 1 : -1)
    for (i = 0; i < n; i++) {
        for (j = i - 1; j >= 0 && level[j] >= level[i]; j--)
            continue
        match_of[i] = j
    }
}

# The least level of positions begin ... end.
function level_least(begin, end,    i, least) {
    least = level[begin]
    for (i = begin + 1; i <= end; i++)
        least = level[i] < least ? level[i] : least
    return least
}
