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

/* What struct bp_peer says of them. */
void *library_create(const uint64_t *parens, uint64_t n, const char *simd);
void library_destroy(void *index);
size_t library_size(const void *index);

#endif
