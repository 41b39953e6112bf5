/* SPDX-License-Identifier: Apache-2.0 */
/* The inputs of a crosscheck: a given one, or random ones for some time. */
#include "cli/crosscheck/crosscheck.h"

#include <stdlib.h>

#include "cli/progress.h"
#include "cli/sequence.h"
#include "inputs/families.h"

/* Lengths around which mistakes are likely: words, tiles and blocks, the engines' window, the limits of pipelines. */
static const size_t edges[] = {0, 32, 64, 128, 512, 1024, 2048, 4096, 1 << 15, 1 << 16, 1 << 18};
enum {
    LOG_LENGTH_MAX = 20 /* of lengths by chance, all magnitudes alike */
};

static size_t length_next(uint64_t *state) {
    if (random_below(state, 2)) {
        const size_t edge = edges[random_below(state, sizeof edges / sizeof *edges)];
        const size_t length = edge + random_below(state, 3);
        return length > 0 ? length - 1 : 0;
    }
    const uint64_t log_length = random_below(state, LOG_LENGTH_MAX);
    return (UINT64_C(1) << log_length) + random_below(state, UINT64_C(1) << log_length);
}

static const char *family_next(uint64_t *state) {
    size_t count = 0;
    while (family_names[count])
        count++;
    return family_names[random_below(state, count)];
}

bool crosscheck_is_family(const char *name) {
    uint64_t word;
    return family_fill(name, 0, 1, &word);
}

/* Ways that have differed are not asked again. */
static pm_status compare_all(crosscheck_ways *all, crosscheck_input *input) {
    uint32_t *const expected = malloc((input->n + 1) * sizeof *expected);
    if (!expected)
        return PM_OUT_OF_MEMORY;
    pm_status status = pm_match_seq(NULL, input->parens, input->n, expected, &input->expected_total);
    input->expected = expected;
    for (size_t i = 0; i < all->count && status == PM_OK; i++)
        if (all->ways[i].presence == PM_OK && !all->ways[i].difference) {
            const double begin = progress_clock();
            status = crosscheck_compare(&all->ways[i], input);
            if (all->ways[i].difference)
                all->shrinking += progress_clock() - begin;
        }
    input->expected = NULL;
    free(expected);
    return status;
}

pm_status crosscheck_family(crosscheck_ways *all, const char *family, size_t n, uint64_t seed) {
    uint64_t *const parens = sequence_create(n);
    if (!parens)
        return PM_OUT_OF_MEMORY;
    crosscheck_input input = {.parens = parens, .n = n, .seed = seed, .family = family};
    const pm_status status = family_fill(family, seed, n, parens) ? compare_all(all, &input) : PM_INVALID_ARGUMENT;
    free(parens);
    return status;
}

pm_status crosscheck_string(crosscheck_ways *all, const char *spelling, uint64_t seed) {
    size_t n;
    uint64_t *const parens = sequence_read(spelling, &n);
    if (!parens)
        return PM_INVALID_ARGUMENT;
    crosscheck_input input = {.parens = parens, .n = n, .seed = seed};
    const pm_status status = compare_all(all, &input);
    free(parens);
    return status;
}

pm_status crosscheck_seconds(crosscheck_ways *all, uint64_t seconds, uint64_t seed) {
    const double end = progress_clock() + (double)seconds;
    uint64_t state = seed;
    pm_status status;
    do {
        const char *const family = family_next(&state);
        const size_t n = length_next(&state);
        status = crosscheck_family(all, family, n, random_next(&state) >> 32); /* short seeds, to be typed again */
    } while (status == PM_OK && progress_clock() - all->shrinking < end);
    return status;
}
