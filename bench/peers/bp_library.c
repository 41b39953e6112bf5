/* SPDX-License-Identifier: Apache-2.0 */
/* The library's index as one of the peers. */
#include "bench/peers/bp_library.h"

#include <stdlib.h>

void library_destroy(void *index) {
    struct library_index *const library = index;
    pm_bp_destroy(library->bp);
    pm_context_destroy(library->context);
    free(library);
}

static void *create_with(pm_bp_structure structure, const uint64_t *parens, uint64_t n, const char *simd) {
    const pm_bp_options settings = {.structure = structure};
    struct library_index *const library = calloc(1, sizeof *library);
    const pm_options options = {.struct_size = sizeof options, .simd = simd, .threads = 1};
    if (!library)
        return NULL;
    if (pm_context_create(&options, &library->context) == PM_OK &&
        pm_bp_create_with(library->context, &settings, parens, n, &library->bp) == PM_OK &&
        pm_bp_view_of(library->bp, &library->view) == PM_OK)
        return library;
    library_destroy(library);
    return NULL;
}

void *library_create(const uint64_t *parens, uint64_t n, const char *simd) {
    return create_with(PM_BP_LEVELS, parens, n, simd);
}

static void *pioneers_create(const uint64_t *parens, uint64_t n, const char *simd) {
    return create_with(PM_BP_PIONEERS, parens, n, simd);
}

size_t library_size(const void *index) {
    return pm_bp_size_in_bytes(((const struct library_index *)index)->bp);
}

#define ASK(query, argument) pm_bp_##query(bp, argument)
#define LIBRARY_ANSWER(query)                                                                                          \
    BP_ANSWERS(library, query, const pm_bp *const bp = ((const struct library_index *)index)->bp, ASK)
LIBRARY_ANSWER(find_close)
LIBRARY_ANSWER(find_open)
LIBRARY_ANSWER(enclose)
LIBRARY_ANSWER(rank_open)
LIBRARY_ANSWER(select_open)
LIBRARY_ANSWER(excess)

#define LIBRARY_ANSWER_MANY(query)                                                                                     \
    static void library_##query##_many(const void *index, const uint64_t *arguments, size_t count,                     \
                                       uint64_t *answers) {                                                            \
        pm_bp_##query##_many(((const struct library_index *)index)->bp, arguments, count, answers);                    \
    }
LIBRARY_ANSWER_MANY(find_close)
LIBRARY_ANSWER_MANY(find_open)
LIBRARY_ANSWER_MANY(enclose)

const struct bp_peer bp_peer_library = {
    .name = "bp",
    .create = library_create,
    .destroy = library_destroy,
    .size = library_size,
    .answer = {library_find_close, library_find_open, library_enclose, library_rank_open, library_select_open,
               library_excess},
    .apart = {library_find_close_apart, library_find_open_apart, library_enclose_apart, library_rank_open_apart,
              library_select_open_apart, library_excess_apart},
    .chained = {library_find_close_chained, library_find_open_chained, library_enclose_chained,
                library_rank_open_chained, library_select_open_chained, library_excess_chained},
    .answer_many = {library_find_close_many, library_find_open_many, library_enclose_many},
};

const struct bp_peer bp_peer_pioneers = {
    .name = "pioneers",
    .create = pioneers_create,
    .destroy = library_destroy,
    .size = library_size,
    .answer = {library_find_close, library_find_open},
    .apart = {library_find_close_apart, library_find_open_apart},
    .chained = {library_find_close_chained, library_find_open_chained},
};
