/* SPDX-License-Identifier: Apache-2.0 */
/* The structure of a text as arrays: packed bits, positions, lengths, kinds. */
#include "core/delimiters/structure.h"

#include "base/slice.h"

/* Where tokens go: as many of them as there is room for. */
typedef struct token_output {
    size_t capacity, count;
    uint64_t *parens, *positions;
    uint32_t *lengths, *kinds;
} token_output;

static bool store(const pmi_token *token, void *user) {
    token_output *const output = user;
    const size_t k = output->count++;
    if (k >= output->capacity)
        return true;
    if (output->parens) {
        uint64_t *const word = &output->parens[k / PM_WORD_BITS];
        const unsigned bit = k % PM_WORD_BITS;
        *word = (bit == 0 ? 0 : *word) | (uint64_t)token->open << bit;
    }
    if (output->positions)
        output->positions[k] = token->begin;
    if (output->lengths)
        output->lengths[k] = pmi_token_length(token);
    if (output->kinds)
        output->kinds[k] = token->kind;
    return true;
}

pm_status pm_delimiters_scan(pm_context *context, const pm_delimiters *pairs, const char *text, size_t n,
                             size_t capacity, uint64_t *parens, uint64_t *positions, uint32_t *lengths, uint32_t *kinds,
                             size_t *count) {
    if (!pairs || !count || (n > 0 && !text))
        return PM_INVALID_ARGUMENT;
    token_output output = {
        .capacity = capacity, .parens = parens, .positions = positions, .lengths = lengths, .kinds = kinds};
    pmi_structure_scan scan = {
        .pairs = pairs, .text = (const unsigned char *)text, .n = n, .take = store, .user = &output};
    const pm_status status = pmi_structure_run(context, &scan);
    if (status == PM_OK)
        *count = output.count;
    return status;
}
