/* SPDX-License-Identifier: Apache-2.0 */
/* A sequence, and queries at random places of it with the right answers, from the match of the whole. */
#ifndef PM_BENCH_SUITES_BP_QUERIES_H
#define PM_BENCH_SUITES_BP_QUERIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench/peers/bp_peers.h"

struct bp_queries {
    uint64_t *parens;
    size_t n, count;                                        /* elements; queries of each kind */
    uint64_t *arguments[BP_QUERIES], *expected[BP_QUERIES]; /* in random order */
    uint64_t *answers;                                      /* room for them */
};

/* False, after a line on standard error, when there is no memory or no such family, or nothing to ask. */
bool bp_queries_create(struct bp_queries *queries, const char *family, uint64_t seed, size_t n, size_t count);
void bp_queries_destroy(struct bp_queries *queries);

/* Does the index answer all queries of the kind, one at a time and, if it can, together? */
bool bp_queries_verify(const struct bp_queries *queries, const struct bp_peer *peer, const void *index,
                       enum bp_query kind);

#endif
