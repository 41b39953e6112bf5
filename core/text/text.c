/* SPDX-License-Identifier: Apache-2.0 */
/* Alphabets, and pm_text_brackets(): from the bytes of a text to a parenthesis sequence. */
#include <string.h>

#include "base/slice.h"
#include "core/context/context.h"
#include "core/text/bracket_masks.h"
#include "core/text/language.h"

pm_status pm_alphabet_from_pairs(const char *pairs, size_t length, pm_alphabet *alphabet) {
    if (!alphabet || (length > 0 && !pairs) || length % 2 != 0)
        return PM_INVALID_ARGUMENT;
    if (length / 2 > PM_KINDS_MAX)
        return PM_TOO_LARGE;
    pm_alphabet made = {{PM_ROLE_NEUTRAL}};
    for (size_t i = 0; i < length; i++) {
        uint8_t *role = &made.role[(unsigned char)pairs[i]];
        if (*role != PM_ROLE_NEUTRAL)
            return PM_INVALID_ARGUMENT;
        *role = PM_ROLE(i % 2 == 0 ? PM_ROLE_OPEN : PM_ROLE_CLOSE, i / 2);
    }
    *alphabet = made;
    return PM_OK;
}

bool pmi_alphabet_valid(const pm_alphabet *alphabet) {
    for (unsigned byte = 0; byte < 256; byte++) {
        const unsigned role = alphabet->role[byte], side = role & PM_ROLE_SIDES;
        if (role != PM_ROLE_NEUTRAL && side != PM_ROLE_OPEN && side != PM_ROLE_CLOSE)
            return false;
    }
    return true;
}

/* ---- The brackets of a text ---- */

/* Where brackets go: as many of them as there is room for. */
typedef struct bracket_output {
    const pm_alphabet *alphabet;
    const pmi_classifier *classifier;
    pmi_byte_classes opens; /* class 1: opens */
    size_t capacity, count;
    uint64_t *parens, *positions;
    uint8_t *kinds;
} bracket_output;

/* Appends n <= 64 bits to packed ones, of which there are `count`. */
static void bits_append(uint64_t *words, size_t count, uint64_t bits, size_t n) {
    const unsigned shift = count % PM_WORD_BITS;
    uint64_t *word = &words[count / PM_WORD_BITS];
    bits &= pmi_bits_low((unsigned)n);
    *word = (shift == 0 ? 0 : *word) | bits << shift;
    if (shift + n > PM_WORD_BITS)
        word[1] = bits >> (PM_WORD_BITS - shift);
}

static void bracket_store(bracket_output *output, size_t position, unsigned char byte) {
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
static void word_store(bracket_output *output, size_t position, const unsigned char *text, uint64_t brackets) {
    for (; brackets; brackets &= brackets - 1) {
        const unsigned i = pmi_bits_lowest(brackets);
        bracket_store(output, position + i, text[i]);
    }
}

/* The brackets of a chunk, all of which there is room for. */
static void chunk_store(bracket_output *output, size_t position, const unsigned char *text, size_t words,
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

static pm_status read_text(bracket_output *output, pmi_bracket_reader *reader, const unsigned char *text, size_t n) {
    const size_t whole = n / PM_WORD_BITS;
    uint64_t brackets[PM_CHUNK_WORDS];
    pm_status status = PM_OK;
    for (size_t w = 0; w < whole && status == PM_OK; w += PM_CHUNK_WORDS) {
        const size_t words = whole - w < PM_CHUNK_WORDS ? whole - w : PM_CHUNK_WORDS;
        const size_t position = w * PM_WORD_BITS;
        status = pmi_bracket_reader_words(reader, text + position, words, brackets);
        if (status != PM_OK)
            break;
        if (output->count < output->capacity && output->capacity - output->count >= words * PM_WORD_BITS) {
            chunk_store(output, position, text + position, words, brackets);
            continue;
        }
        const size_t count = reader->classifier->count(brackets, words);
        if (output->count >= output->capacity)
            output->count += count;
        else if (output->capacity - output->count >= count)
            chunk_store(output, position, text + position, words, brackets);
        else
            for (size_t k = 0; k < words; k++)
                word_store(output, position + k * PM_WORD_BITS, text + position + k * PM_WORD_BITS, brackets[k]);
    }
    if (status == PM_OK) {
        const size_t position = whole * PM_WORD_BITS;
        status = pmi_lexer_scan(&reader->lexer, text + position, n - position, brackets);
        word_store(output, position, text + position, *brackets);
    }
    return status;
}

pm_status pm_text_brackets(pm_context *context, const pm_language *language, const pm_alphabet *alphabet,
                           const char *text, size_t n, size_t capacity, uint64_t *parens, uint64_t *positions,
                           uint8_t *kinds, size_t *count) {
    if (!count || (n > 0 && !text) || (!language && !alphabet) || (alphabet && !pmi_alphabet_valid(alphabet)))
        return PM_INVALID_ARGUMENT;
    if (!language)
        language = pm_language_at(0); /* "text", which skips nothing */
    if (pmi_language_has_delimiters(language))
        return PM_UNSUPPORTED;
    if (!alphabet)
        alphabet = pm_language_alphabet(language);

    const pm_allocator allocator = pm_context_allocator(context);
    pmi_bracket_reader reader;
    pmi_bracket_reader_init(&reader, pmi_simd_of(context)->classifier, language, alphabet, &allocator);
    bracket_output output = {.alphabet = alphabet,
                             .classifier = reader.classifier,
                             .capacity = capacity,
                             .parens = parens,
                             .positions = positions,
                             .kinds = kinds};
    for (unsigned byte = 0; byte < 256; byte++)
        output.opens.of[byte] = pmi_role_is_open(alphabet->role[byte]);
    pmi_byte_classes_finish(&output.opens);
    const pm_status status = read_text(&output, &reader, (const unsigned char *)text, n);
    pmi_lexer_clear(&reader.lexer);
    if (status == PM_OK)
        *count = output.count;
    return status;
}
