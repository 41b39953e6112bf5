/* SPDX-License-Identifier: Apache-2.0 */
/* The places of a text where something begins that the rules name, some hundred bytes at a time. */
#ifndef PM_CORE_DELIMITERS_WINDOWS_STARTS_H
#define PM_CORE_DELIMITERS_WINDOWS_STARTS_H

#include <stddef.h>
#include <string.h>

#include "base/slice.h"
#include "broadword/simd.h"
#include "core/delimiters/token_scan.h"

#define PM_STARTS_WORDS ((size_t)16) /* that are read at a time: few, because a region may end far behind them */

/* A window of a text. What is zero at first comes before `masks`; the rest need not be set: clearing it would take
 * longer than to read a short text. */
typedef struct pmi_starts {
    const pmi_simd_target *simd;
    const struct pmi_delimiters *pairs;
    const unsigned char *text;
    size_t n;
    size_t mark; /* bytes at the text's beginning that are of no word */
    bool checks; /* tokens are only checked: which regions stand between them does not matter */
    bool flat;   /* comments do not nest */

    unsigned rests; /* crowded windows in which regions are not looked for */

    size_t begin, end; /* of the window; end is n at most */
    size_t count;      /* of its events, whose offsets are from `begin`, and patterns perhaps with PM_PATTERN_* */
    bool crowded;      /* of a check: something begins at most places: events are not found yet, but `masks` are, where
                          patterns may begin in it; */
    bool dense; /* most of its bytes are tokens by themselves; the text goes on behind it as far as patterns do */
    uint64_t masks[PM_STARTS_WORDS];
    pmi_event events[PM_STARTS_WORDS * PM_WORD_BITS];
} pmi_starts;

/* Makes the window of a text of which a scan is. */
static inline void pmi_starts_begin(pmi_starts *starts, const pmi_token_scan *scan) {
    memset(starts, 0, offsetof(pmi_starts, masks));
    starts->simd = scan->simd;
    starts->pairs = scan->pairs;
    starts->text = scan->text;
    starts->n = scan->n;
    starts->mark = scan->mark;
}

/* Goes to the window that byte `from` < n is in, where code is read, and finds the longest pattern of each place in it,
 * unless it is crowded. Where that counts only as a whole word, some that are not are left out. So are, of a check,
 * some that are in regions behind `from`. */
void pmi_starts_read(pmi_starts *starts, size_t from);

/* Finds that of one place in a crowded window, if a pattern begins there. */
void pmi_starts_at(pmi_starts *starts, size_t at);

/* Returns the pattern at a place of the window, as events have it; PM_NONE if no pattern begins there. */
uint32_t pmi_starts_pattern(const pmi_starts *starts, uint32_t place);

#endif
