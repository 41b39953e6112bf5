/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Other programs and libraries that find many patterns, as far as they were present at build time. They only count.
 *
 *   hyperscan   Hyperscan or vectorscan
 *   re2         RE2: one expression, the patterns being its alternatives
 *   std::regex  such an expression in C++'s own library
 *   grep, rg    grep -F -o -b and ripgrep's rg -F -o -b, which print what they find: a process is started for each
 *               search, on files of the text and the patterns, and what it prints is read
 */
#ifndef PM_BENCH_PEERS_FIND_PEERS_H
#define PM_BENCH_PEERS_FIND_PEERS_H

#include "bench/suites/find_inputs.h"
#include "parenmatch.h"

#ifdef __cplusplus
extern "C" {
#endif

struct find_peer {
    const char *name;
    pm_find_kind kind;                                         /* what it counts */
    size_t patterns, bytes;                                    /* at most, because it takes too long beyond; 0: any */
    void *(*create)(const struct find_input *input, size_t n); /* for the first n bytes; NULL if it cannot */
    uint64_t (*count)(void *made, const char *text, size_t n);
    void (*destroy)(void *made); /* NULL is fine */
};

extern const struct find_peer find_hyperscan, find_re2, find_std_regex, find_grep, find_ripgrep;

#ifdef __cplusplus
}
#endif

#endif
