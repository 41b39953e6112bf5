/* SPDX-License-Identifier: Apache-2.0 */
/* From masks of brackets to arrays. */
#include "core/tokens/bracket_output.h"

#include <string.h>

#define BRACKETS_MAX PM_CHUNK_BYTES /* stored at once */

_Static_assert(BRACKETS_MAX >= PM_UNQUOTED_ROOM, "brackets of a few words");

void pmi_bracket_output_init(pmi_bracket_output *output, const pm_alphabet *alphabet) {
    output->alphabet = alphabet;
    output->count = 0;
    memcpy(output->roles.of, alphabet->role, sizeof output->roles.of);
    pmi_byte_classes_finish(&output->roles);
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

/* Appends n bits of words. */
static void bits_append_all(uint64_t *words, size_t count, const uint64_t *bits, size_t n) {
    for (size_t k = 0; k < n; k += PM_WORD_BITS)
        bits_append(words, count + k, bits[k / PM_WORD_BITS], n - k < PM_WORD_BITS ? n - k : PM_WORD_BITS);
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

/* Brackets of a few words of text: which of them are opens, a bit each, and their kinds. */
typedef struct described_brackets {
    uint64_t opens[BRACKETS_MAX / PM_WORD_BITS + 1];
    uint8_t kinds[BRACKETS_MAX + PM_PICK_SLACK];
} described_brackets;

/* Stores `count` brackets, all of which there is room for. */
static void all_store(pmi_bracket_output *output, size_t position, const uint64_t *brackets, size_t words,
                      const described_brackets *described, size_t count) {
    if (output->positions)
        output->classifier->positions(brackets, words, position, output->positions + output->count);
    if (output->kinds && count > 0)
        memcpy(output->kinds + output->count, described->kinds, count);
    if (output->parens)
        bits_append_all(output->parens, output->count, described->opens, count);
    output->count += count;
}

/* The brackets of a chunk, all of which there is room for. */
static void chunk_store(pmi_bracket_output *output, size_t position, const unsigned char *text, size_t words,
                        const uint64_t *brackets) {
    described_brackets described; /* not initialised: most of it is not used most of the time */
    size_t count;
    if (output->parens || output->kinds) {
        unsigned char picked[PM_CHUNK_BYTES + PM_PICK_SLACK];
        uint16_t before[PM_CHUNK_WORDS];
        count = output->classifier->pick(text, brackets, words, picked, before);
        memset(picked + count, 0, PM_PICK_SLACK);
        output->classifier->roles(&output->roles, picked, pmi_bits_words(count), described.opens, described.kinds);
    } else {
        count = output->classifier->count(brackets, words);
    }
    all_store(output, position, brackets, words, &described, count);
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

/* ---- Brackets that are packed ---- */

/* What is packed of some words. */
typedef struct packed_words {
    size_t words, count;
    uint64_t brackets[PM_PACK_WORDS], newlines[PM_PACK_WORDS];
    uint16_t before[PM_PACK_WORDS], lines_before[PM_PACK_WORDS + 1];
    unsigned char packed[BRACKETS_MAX + PM_PICK_SLACK];
} packed_words;

static void packed_read(packed_words *some, pmi_bracket_reader *reader, const unsigned char *text, size_t words) {
    pmi_unquoted_found found = {.brackets = some->brackets,
                                .newlines = some->newlines,
                                .before = some->before,
                                .lines_before = some->lines_before,
                                .packed = some->packed};
    some->words = words < PM_PACK_WORDS ? words : PM_PACK_WORDS;
    some->count = pmi_bracket_reader_pack(reader, text, &some->words, BRACKETS_MAX, &found);
}

/* Stores brackets, all of which there is room for. */
static void packed_store(pmi_bracket_output *output, size_t position, const packed_words *some) {
    described_brackets described;
    if (output->parens || output->kinds)
        output->classifier->unpack(some->packed, some->count, described.opens, described.kinds);
    all_store(output, position, some->brackets, some->words, &described, some->count);
}

static void packed_words_store(pmi_bracket_output *output, size_t position, const unsigned char *text,
                               const packed_words *some) {
    if (output->count >= output->capacity) {
        output->count += some->count;
        return;
    }
    if (output->capacity - output->count >= some->count) {
        packed_store(output, position, some);
        return;
    }
    for (size_t w = 0; w < some->words; w++)
        word_store(output, position + w * PM_WORD_BITS, text + w * PM_WORD_BITS, some->brackets[w]);
}

/* ---- Reading ---- */

/* Reads whole words in bulk. */
static pm_status read_words(pmi_bracket_output *output, pmi_bracket_reader *reader, size_t position,
                            const unsigned char *text, size_t words) {
    uint64_t brackets[PM_CHUNK_WORDS];
    for (size_t w = 0; w < words; w += PM_CHUNK_WORDS) {
        const size_t now = words - w < PM_CHUNK_WORDS ? words - w : PM_CHUNK_WORDS, at = w * PM_WORD_BITS;
        const pm_status status = pmi_bracket_reader_words(reader, text + at, now, brackets);
        if (status != PM_OK)
            return status;
        pmi_bracket_output_words(output, position + at, text + at, now, brackets);
    }
    return PM_OK;
}

/* The same where the reader packs. */
static void read_packed(pmi_bracket_output *output, pmi_bracket_reader *reader, size_t position,
                        const unsigned char *text, size_t words) {
    packed_words some; /* not initialised: most of it is not used most of the time */
    for (size_t w = 0; w < words; w += some.words) {
        const size_t at = w * PM_WORD_BITS;
        packed_read(&some, reader, text + at, words - w);
        packed_words_store(output, position + at, text + at, &some);
    }
}

pm_status pmi_bracket_output_read(pmi_bracket_output *output, pmi_bracket_reader *reader, size_t position,
                                  const unsigned char *text, size_t n) {
    const size_t at = n / PM_WORD_BITS * PM_WORD_BITS;
    uint64_t brackets;
    pm_status status = PM_OK;
    if (reader->packs)
        read_packed(output, reader, position, text, n / PM_WORD_BITS);
    else
        status = read_words(output, reader, position, text, n / PM_WORD_BITS);
    if (status == PM_OK) {
        status = pmi_bracket_reader_piece(reader, text + at, n - at, &brackets);
        word_store(output, position + at, text + at, brackets);
    }
    return status;
}
