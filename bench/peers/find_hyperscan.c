/* SPDX-License-Identifier: Apache-2.0 */
/* Hyperscan, or vectorscan, whose interface is equal: literals, every occurrence reported. */
#include <hs/hs.h>
#include <limits.h>
#include <stdlib.h>

#include "bench/peers/find_peers.h"

struct made {
    hs_database_t *database;
    hs_scratch_t *scratch;
};

static void destroy(void *user) {
    struct made *const made = user;
    if (made) {
        hs_free_scratch(made->scratch);
        hs_free_database(made->database);
    }
    free(made);
}

static void *create(const struct find_input *input, size_t n) {
    struct made *const made = calloc(1, sizeof *made);
    unsigned *const flags = calloc(input->count + 1, sizeof *flags), *const ids = calloc(input->count + 1, sizeof *ids);
    hs_compile_error_t *error = NULL;
    bool done = made && flags && ids;
    (void)n; /* it need not know */
    for (unsigned i = 0; done && i < input->count; i++)
        ids[i] = i;
    if (done)
        done = hs_compile_lit_multi(input->patterns, flags, ids, input->lengths, (unsigned)input->count, HS_MODE_BLOCK,
                                    NULL, &made->database, &error) == HS_SUCCESS &&
               hs_alloc_scratch(made->database, &made->scratch) == HS_SUCCESS;
    hs_free_compile_error(error);
    free(flags);
    free(ids);
    if (done)
        return made;
    destroy(made);
    return NULL;
}

static int count_one(unsigned id, unsigned long long from, unsigned long long to, unsigned flags, void *user) {
    (void)id;
    (void)from;
    (void)to;
    (void)flags;
    ++*(uint64_t *)user;
    return 0;
}

static uint64_t count(void *user, const char *text, size_t n) {
    const struct made *const made = user;
    uint64_t found = 0;
    if (n > UINT_MAX || hs_scan(made->database, text, (unsigned)n, 0, made->scratch, count_one, &found) != HS_SUCCESS)
        return UINT64_MAX;
    return found;
}

const struct find_peer find_hyperscan = {"hyperscan", PM_FIND_ALL, 0, 0, create, count, destroy};
