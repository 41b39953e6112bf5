/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every way to match a sequence, against the definition.
 *
 * Input: how many bits at the end are junk (below 64), how many words of its block lie before the sequence (below
 * 8), the seed of the cuts into chunks, and then the packed sequence, byte by byte.
 */
#include <string.h>

#include "inputs/families.h"
#include "parenmatch.h"
#include "tests/fuzz/fuzz.h"
#include "tests/support/backends.h"
#include "tests/support/definition.h"

enum {
    HEADER = 3,
    N_MAX = 4096
}; /* the definition is quadratic */

typedef struct sequence {
    const uint64_t *parens;
    size_t n;
    uint32_t *match; /* by definition */
    pm_bic total;
} sequence;

static bool same_total(pm_bic a, pm_bic b) {
    return a.close == b.close && a.open == b.open;
}

static void try_backends(const sequence *input) {
    for (size_t b = 0; b < backend_count; b++) {
        uint32_t *match = fuzz_allocate(input->n, sizeof *match);
        pm_bic total;
        fuzz_require(backends[b].match(NULL, input->parens, input->n, match, &total) == PM_OK, backends[b].name);
        fuzz_require(memcmp(match, input->match, input->n * sizeof *match) == 0, backends[b].name);
        fuzz_require(same_total(total, input->total), backends[b].name);
        free(match);
    }
}

static void try_masks(const sequence *input) {
    const size_t words = (input->n + 63) / 64;
    uint64_t *closes = fuzz_allocate(words, sizeof *closes);
    uint32_t *match = fuzz_allocate(input->n, sizeof *match);
    pm_bic total;
    for (size_t w = 0; w < words; w++)
        closes[w] = ~input->parens[w];
    fuzz_require(pm_match_masks(NULL, input->parens, closes, input->n, match, &total) == PM_OK, "masks");
    fuzz_require(memcmp(match, input->match, input->n * sizeof *match) == 0, "masks");
    fuzz_require(same_total(total, input->total), "masks");
    free(match);
    free(closes);
}

static void try_verify(const sequence *input, uint64_t *seed) {
    size_t wrong;
    fuzz_require(pm_match_verify(NULL, input->parens, input->n, input->match, NULL) == PM_OK, "verify: right");
    if (input->n == 0)
        return;
    const size_t i = random_below(seed, input->n);
    const uint32_t right = input->match[i];
    input->match[i] = (uint32_t)random_next(seed) % (uint32_t)(input->n + 1) - 1; /* any index, or none */
    const pm_status expected = input->match[i] == right ? PM_OK : PM_CORRUPT;
    fuzz_require(pm_match_verify(NULL, input->parens, input->n, input->match, &wrong) == expected, "verify: wrong");
    fuzz_require(expected == PM_OK || wrong == i, "verify: which");
    input->match[i] = right;
}

/* Elements begin ... begin + n - 1, pushed from bit 0 of their own words, for results of 32 bits or of 64. */
static void try_chunk(pm_stream *stream, const sequence *input, size_t begin, size_t n, bool narrow) {
    uint64_t *words = fuzz_allocate((n + 63) / 64, sizeof *words), *match = fuzz_allocate(n, sizeof *match);
    uint32_t *match_32 = fuzz_allocate(n, sizeof *match_32);
    memset(words, 0x99, (n + 63) / 64 * sizeof *words);
    for (size_t i = 0; i < n; i++) {
        const uint64_t bit = UINT64_C(1) << i % 64;
        const bool open = input->parens[(begin + i) / 64] >> (begin + i) % 64 & 1;
        words[i / 64] = open ? words[i / 64] | bit : words[i / 64] & ~bit;
    }
    const pm_status status =
        narrow ? pm_stream_push_u32(stream, words, n, match_32) : pm_stream_push(stream, words, n, match);
    fuzz_require(status == PM_OK, "stream");
    for (size_t i = 0; i < n; i++) {
        const uint32_t expected = input->match[begin + i];
        const bool right = narrow ? match_32[i] == expected : match[i] == (expected == PM_NONE ? PM_BP_NONE : expected);
        fuzz_require(right, "stream");
    }
    free(match_32);
    free(match);
    free(words);
}

static void try_stream(const sequence *input, uint64_t *seed) {
    pm_stream *stream;
    fuzz_require(pm_stream_create(NULL, &stream) == PM_OK, "stream");
    const size_t longest = 1 + random_below(seed, 1000);
    for (size_t begin = 0, n; begin < input->n; begin += n) {
        n = random_below(seed, longest + 1);
        if (n > input->n - begin)
            n = input->n - begin;
        try_chunk(stream, input, begin, n, random_below(seed, 2));
    }
    pm_bic total;
    fuzz_require(pm_stream_finish(stream, &total) == PM_OK, "stream");
    fuzz_require(same_total(total, input->total), "stream");
    pm_stream_destroy(stream);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    if (size < HEADER || size > HEADER + N_MAX / 8)
        return 0;
    const size_t bits = 8 * (size - HEADER), junk = bytes[0] % 64, offset = bytes[1] % 8;
    uint64_t seed = bytes[2];

    sequence input = {.n = bits > junk ? bits - junk : 0};
    const size_t words = (input.n + 63) / 64;
    uint64_t *block = fuzz_allocate(offset + words, sizeof *block);
    for (size_t i = 0; i < size - HEADER && i / 8 < words;
         i++) { /* least significant byte first, whatever the machine's order */
        uint64_t *const word = &block[offset + i / 8];
        *word = (i % 8 == 0 ? 0 : *word) | (uint64_t)bytes[HEADER + i] << 8 * (i % 8);
    }
    input.parens = block + offset;
    input.match = fuzz_allocate(input.n, sizeof *input.match);
    input.total = definition_match(input.parens, NULL, input.n, input.match);

    try_backends(&input);
    try_masks(&input);
    try_verify(&input, &seed);
    try_stream(&input, &seed);

    free(input.match);
    free(block);
    return 0;
}
