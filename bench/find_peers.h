/* SPDX-License-Identifier: Apache-2.0 */
/* Other libraries that find many patterns, where they were there when this was built. */
#ifndef PM_BENCH_FIND_PEERS_H
#define PM_BENCH_FIND_PEERS_H

#include "bench/find_inputs.h"

struct find_peer {
    const char *name;
    void *(*create)(const struct find_input *input); /* NULL if it cannot */
    uint64_t (*count)(void *made, const char *text, size_t n);
    void (*destroy)(void *made);
};

extern const struct find_peer find_hyperscan;

#endif
