/* SPDX-License-Identifier: Apache-2.0 */
/* pm_text_scan() and pm_text_scan_gpu(): the tokens of a text in any language, and their match. */
#include <string.h>

#include "base/arguments.h"
#include "base/dfa.h"
#include "base/slice.h"
#include "core/context/context.h"
#include "core/tokens/scan.h"
#include "gpu/gpu.h"

static size_t smaller(size_t a, size_t b) {
    return a < b ? a : b;
}

/* ---- Delimiters ---- */

/* One bit a token: its word is written as a whole each time, and complete with its last token. */
static void store_parens(uint64_t *parens, size_t at, const pmi_token *tokens, size_t count) {
    uint64_t word = at % PM_WORD_BITS ? parens[at / PM_WORD_BITS] : 0;
    for (size_t k = 0; k < count; k++, at++) {
        const unsigned bit = at % PM_WORD_BITS;
        word = (bit == 0 ? 0 : word) | (uint64_t)tokens[k].open << bit;
        parens[at / PM_WORD_BITS] = word;
    }
}

bool pmi_token_output_store(const pmi_token *tokens, size_t count, void *user) {
    pmi_token_output *const output = user;
    const pm_text_arrays *const arrays = output->arrays;
    const size_t at = output->count, left = at < arrays->capacity ? arrays->capacity - at : 0;
    const size_t stored = smaller(count, left);
    output->count += count;
    if (arrays->parens && stored > 0) /* `at` may be behind them */
        store_parens(arrays->parens, at, tokens, stored);
    for (size_t k = 0; arrays->positions && k < stored; k++)
        arrays->positions[at + k] = output->base + tokens[k].begin;
    for (size_t k = 0; arrays->lengths && k < stored; k++)
        arrays->lengths[at + k] = pmi_token_length(&tokens[k]);
    for (size_t k = 0; arrays->kinds && k < stored; k++)
        arrays->kinds[at + k] = tokens[k].kind;
    return true;
}

static pm_status scan_delimiters(pm_context *context, const pm_language *language, const char *text, size_t n,
                                 const pm_text_arrays *arrays, size_t *count) {
    const struct pmi_delimiters *pairs;
    struct pmi_delimiters *made;
    pm_status status = pmi_delimiters_of(context, language, &pairs, &made);
    if (status != PM_OK)
        return status;
    pmi_token_output output = {.arrays = arrays};
    pmi_token_scan scan = {
        .pairs = pairs, .text = (const unsigned char *)text, .n = n, .take = pmi_token_output_store, .user = &output};
    status = pmi_token_scan_run(context, &scan);
    pmi_delimiters_destroy(made);
    *count = output.count;
    return status;
}

/* ---- Brackets ---- */

/* Kinds of a byte become kinds of four in their place, the last first. */
static void widen_kinds(uint32_t *kinds, size_t count) {
    const uint8_t *const bytes = (const uint8_t *)kinds;
    for (size_t k = count; k-- > 0;)
        kinds[k] = bytes[k];
}

void pmi_text_arrays_widen(const pm_text_arrays *arrays, size_t stored) {
    if (arrays->kinds)
        widen_kinds(arrays->kinds, stored);
    for (size_t k = 0; arrays->lengths && k < stored; k++)
        arrays->lengths[k] = 1;
}

static pm_status scan_brackets(pm_context *context, const pm_language *language, const char *text, size_t n,
                               const pm_text_arrays *arrays, size_t *count) {
    const pm_status status = pm_text_brackets(context, language, NULL, text, n, arrays->capacity, arrays->parens,
                                              arrays->positions, (uint8_t *)arrays->kinds, count);
    if (status != PM_OK)
        return status;
    pmi_text_arrays_widen(arrays, smaller(*count, arrays->capacity));
    return PM_OK;
}

/* ---- Both ---- */

static pm_status scan(pm_context *context, const pm_language *language, const char *text, size_t n,
                      const pm_text_arrays *arrays, size_t *count) {
    const pm_status status = (pmi_language_has_delimiters(language) ? scan_delimiters : scan_brackets)(
        context, language, text, n, arrays, count);
    if (status != PM_OK || !arrays->match)
        return status;
    return pm_match_auto(context, arrays->parens, smaller(*count, arrays->capacity), arrays->match, NULL);
}

/* A text has no more tokens than bytes, and one that a text omits for each of the others. */
pm_status pmi_text_arrays_add_parens(const pm_allocator *allocator, size_t n, pm_text_arrays *arrays) {
    const size_t most = n < SIZE_MAX / 2 ? 2 * n : SIZE_MAX;
    arrays->capacity = smaller(arrays->capacity, most);
    arrays->parens = pmi_memory_allocate(allocator, pmi_bits_words(arrays->capacity) + 1, sizeof *arrays->parens);
    return arrays->parens ? PM_OK : PM_OUT_OF_MEMORY;
}

/* As scan(), with the match but without parens, which the match needs. */
static pm_status scan_match_alone(pm_context *context, const pm_language *language, const char *text, size_t n,
                                  pm_text_arrays *arrays, size_t *count) {
    const pm_allocator allocator = pm_context_allocator(context);
    pm_status status = pmi_text_arrays_add_parens(&allocator, n, arrays);
    if (status == PM_OK)
        status = scan(context, language, text, n, arrays, count);
    pmi_memory_free(&allocator, arrays->parens);
    return status;
}

pm_status pmi_text_arrays_read(const pm_text_arrays *arrays, pm_text_arrays *known) {
    *known = (pm_text_arrays){.struct_size = sizeof *known};
    return arrays ? pmi_options_read(arrays, known, sizeof *known, sizeof *known) : PM_OK;
}

pm_status pm_text_scan(pm_context *context, const pm_language *language, const char *text, size_t n,
                       const pm_text_arrays *arrays, size_t *count) {
    if (!language || !count || (n > 0 && !text))
        return PM_INVALID_ARGUMENT;
    pm_text_arrays known;
    size_t found = 0;
    pm_status status = pmi_text_arrays_read(arrays, &known);
    if (status == PM_OK)
        status = (known.match && !known.parens ? scan_match_alone(context, language, text, n, &known, &found)
                                               : scan(context, language, text, n, &known, &found));
    if (status == PM_OK)
        *count = found;
    return status;
}

/* ---- On a device ---- */

/* Positions of four bytes become positions of eight in their place, the last first. */
static void widen_positions(uint64_t *positions, size_t count) {
    for (size_t k = count; k-- > 0;) {
        uint32_t position;
        memcpy(&position, (const char *)positions + k * sizeof position, sizeof position);
        positions[k] = position;
    }
}

static pm_status scan_on_device(pm_context *context, const pm_language *language, const char *text, uint32_t n,
                                const pm_text_arrays *arrays, pm_text_summary *found) {
    pmi_dfa *machine;
    pm_status status = pmi_dfa_create(&context->allocator, language, &machine);
    if (status != PM_OK)
        return status;
    const pmi_gpu_tokens tokens = {.capacity = arrays->capacity,
                                   .parens = arrays->parens,
                                   .positions = arrays->positions,
                                   .lengths = arrays->lengths,
                                   .kinds = arrays->kinds,
                                   .match = arrays->match};
    if (n > 0) {
        status = pmi_context_gpu_open(context);
        if (status == PM_OK)
            status = pmi_gpu_delimiters(context->gpu, machine, text, n, &tokens, found);
        if (status == PM_OK && arrays->positions)
            widen_positions(arrays->positions, smaller((size_t)found->tokens, arrays->capacity));
    }
    pmi_dfa_destroy(&context->allocator, machine);
    return status;
}

pm_status pm_text_scan_gpu(pm_context *context, const pm_language *language, const char *text, size_t n,
                           const pm_text_arrays *arrays, pm_text_summary *summary) {
    if (!context || !language || (n > 0 && !text))
        return PM_INVALID_ARGUMENT;
    if (n > UINT32_MAX)
        return PM_TOO_LARGE;
    pm_text_arrays known;
    pm_text_summary found = {.tokens = 0};
    pm_status status = pmi_text_arrays_read(arrays, &known);
    if (status == PM_OK)
        status = scan_on_device(context, language, text, (uint32_t)n, &known, &found);
    if (status == PM_OK && summary)
        *summary = found;
    return status;
}
