/* SPDX-License-Identifier: Apache-2.0 */
/* From masks of brackets to arrays. */
#include "core/tokens/bracket_output.h"

#include <string.h>

void pmi_bracket_output_init(pmi_bracket_output *output, const pm_alphabet *alphabet) {
    output->alphabet = alphabet;
    output->count = 0;
    for (unsigned byte = 0; byte < 256; byte++)
        output->opens.of[byte] = pmi_role_is_open(alphabet->role[byte]);
    pmi_byte_classes_finish(&output->opens);
}

/* Appends n <= 64 bits to packed ones, of which there are `count`. */
static void bits_append(uint64_t *words, size_t count, uint64_t bits, size_t n) {
    const unsigned shift = count % PM_WORD_BITS;
    uint64_t *word = &words[count / PM_WORD_BITS];
    bits &= pmi_bits_low((unsigned)n);
    *word = (shift == 0 ? 0 : *word) | bits << shift;
    if (shift + n > PM_WORD_BITS)
        word[1] = bits >> (PM_WORD_BITS - shift);
}

static void bracket_store(pmi_bracket_output *output, size_t position, unsigned char byte) {
    const size_t k = output->count++;
    if (k >= output->capacity)
        return;
    const uint8_t role = output->alphabet->role[byte];
    if (output->parens)
        bits_append(output->parens, k, pmi_role_is_open(role), 1);
    if (output->positions)
        output->positions[k] = position;
    if (output->kinds)
        output->kinds[k] = (uint8_t)pmi_role_kind(role);
}

/* The brackets of a word of text, or less. */
static void word_store(pmi_bracket_output *output, size_t position, const unsigned char *text, uint64_t brackets) {
    for (; brackets; brackets &= brackets - 1) {
        const unsigned i = pmi_bits_lowest(brackets);
        bracket_store(output, position + i, text[i]);
    }
}

/* The brackets of a chunk, all of which there is room for. */
static void chunk_store(pmi_bracket_output *output, size_t position, const unsigned char *text, size_t words,
                        const uint64_t *brackets) {
    if (output->positions)
        output->classifier->positions(brackets, words, position, output->positions + output->count);
    if (!output->parens && !output->kinds) {
        output->count += output->classifier->count(brackets, words);
        return;
    }
    unsigned char picked[PM_CHUNK_BYTES + PM_PICK_SLACK];
    uint16_t before[PM_CHUNK_WORDS];
    const size_t count = output->classifier->pick(text, brackets, words, picked, before);
    if (output->kinds)
        for (size_t k = 0; k < count; k++)
            output->kinds[output->count + k] = (uint8_t)pmi_role_kind(output->alphabet->role[picked[k]]);
    if (output->parens) {
        uint64_t opens[PM_CHUNK_WORDS];
        memset(picked + count, 0, PM_PICK_SLACK);
        output->classifier->classify(&output->opens, 1, picked, pmi_bits_words(count), opens);
        for (size_t k = 0; k < count; k += PM_WORD_BITS)
            bits_append(output->parens, output->count + k, opens[k / PM_WORD_BITS],
                        count - k < PM_WORD_BITS ? count - k : PM_WORD_BITS);
    }
    output->count += count;
}

void pmi_bracket_output_words(pmi_bracket_output *output, size_t position, const unsigned char *text, size_t words,
                              const uint64_t *brackets) {
    if (output->count < output->capacity && output->capacity - output->count >= words * PM_WORD_BITS) {
        chunk_store(output, position, text, words, brackets);
        return;
    }
    const size_t count = output->classifier->count(brackets, words);
    if (output->count >= output->capacity)
        output->count += count;
    else if (output->capacity - output->count >= count)
        chunk_store(output, position, text, words, brackets);
    else
        for (size_t k = 0; k < words; k++)
            word_store(output, position + k * PM_WORD_BITS, text + k * PM_WORD_BITS, brackets[k]);
}

pm_status pmi_bracket_output_read(pmi_bracket_output *output, pmi_bracket_reader *reader, size_t position,
                                  const unsigned char *text, size_t n) {
    const size_t whole = n / PM_WORD_BITS;
    uint64_t brackets[PM_CHUNK_WORDS];
    pm_status status = PM_OK;
    for (size_t w = 0; w < whole && status == PM_OK; w += PM_CHUNK_WORDS) {
        const size_t words = whole - w < PM_CHUNK_WORDS ? whole - w : PM_CHUNK_WORDS, at = w * PM_WORD_BITS;
        status = pmi_bracket_reader_words(reader, text + at, words, brackets);
        if (status == PM_OK)
            pmi_bracket_output_words(output, position + at, text + at, words, brackets);
    }
    if (status == PM_OK) {
        const size_t at = whole * PM_WORD_BITS;
        status = pmi_lexer_scan(&reader->lexer, text + at, n - at, brackets);
        word_store(output, position + at, text + at, *brackets);
    }
    return status;
}
