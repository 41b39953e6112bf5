/* SPDX-License-Identifier: Apache-2.0 */
/* The library's index, for those of the peers that use it. */
#ifndef PM_BENCH_PEERS_BP_LIBRARY_H
#define PM_BENCH_PEERS_BP_LIBRARY_H

#include "bench/peers/bp_peers.h"
#include "parenmatch.h"
#include "parenmatch/bp_view.h"

struct library_index {
    pm_context *context;
    pm_bp *bp;
    pm_bp_view view;
};

/*
 * Defines what struct bp_peer has of a query: PEER_QUERY, an answer; PEER_QUERY_apart and PEER_QUERY_chained, loops.
 * `local` declares a variable of the index for the macro ask(query, argument).
 */
#define BP_ANSWERS(peer, query, local, ask)                                                                            \
    static uint64_t peer##_##query(const void *index, uint64_t argument) {                                             \
        local;                                                                                                         \
        return (uint64_t)ask(query, argument);                                                                         \
    }                                                                                                                  \
    static uint64_t peer##_##query##_apart(const void *index, const uint64_t *arguments, size_t count) {               \
        local;                                                                                                         \
        uint64_t sum = 0;                                                                                              \
        for (size_t q = 0; q < count; q++)                                                                             \
            sum += (uint64_t)ask(query, arguments[q]);                                                                 \
        return sum;                                                                                                    \
    }                                                                                                                  \
    static uint64_t peer##_##query##_chained(const void *index, const uint64_t *arguments, size_t count) {             \
        local;                                                                                                         \
        uint64_t sum = 0, answer = 0;                                                                                  \
        for (size_t q = 0; q < count; q++)                                                                             \
            sum += answer = (uint64_t)ask(query, arguments[q] ^ BP_NOTHING_OF(answer));                                \
        return sum;                                                                                                    \
    }

/* Functions of struct bp_peer. */
void *library_create(const uint64_t *parens, uint64_t n, const char *simd);
void library_destroy(void *index);
size_t library_size(const void *index);

#endif
