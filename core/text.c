/* SPDX-License-Identifier: Apache-2.0 */
/* From bytes to a parenthesis sequence: alphabets, and the brackets of a text. */
#include <string.h>

#include "core/alphabet.h"
#include "core/lexer.h"
#include "core/slice.h"

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

bool pm_alphabet_valid(const pm_alphabet *alphabet) {
    for (unsigned byte = 0; byte < 256; byte++) {
        const unsigned role = alphabet->role[byte], side = role & PM_ROLE_SIDES;
        if (role != PM_ROLE_NEUTRAL && side != PM_ROLE_OPEN && side != PM_ROLE_CLOSE)
            return false;
    }
    return true;
}

/* Where brackets go: as many of them as there is room for. */
typedef struct bracket_output {
    const pm_alphabet *alphabet;
    size_t capacity, count;
    uint64_t *parens, *positions;
    uint8_t *kinds;
} bracket_output;

static void bracket_store(bracket_output *output, size_t position, unsigned char byte) {
    const size_t k = output->count++;
    if (k >= output->capacity)
        return;
    const uint8_t role = output->alphabet->role[byte];
    if (output->parens) {
        uint64_t *word = &output->parens[k / PM_WORD_BITS];
        if (k % PM_WORD_BITS == 0)
            *word = 0;
        *word |= (uint64_t)(pm_role_is_open(role)) << k % PM_WORD_BITS;
    }
    if (output->positions)
        output->positions[k] = position;
    if (output->kinds)
        output->kinds[k] = (uint8_t)pm_role_kind(role);
}

pm_status pm_text_brackets(pm_context *context, const pm_language *language, const pm_alphabet *alphabet,
                           const char *text, size_t n, size_t capacity, uint64_t *parens, uint64_t *positions,
                           uint8_t *kinds, size_t *count) {
    if (!count || (n > 0 && !text) || (!language && !alphabet) || (alphabet && !pm_alphabet_valid(alphabet)))
        return PM_INVALID_ARGUMENT;
    if (!language)
        language = pm_language_at(0); /* "text", which skips nothing */
    if (!alphabet)
        alphabet = pm_language_alphabet(language);

    const pm_allocator allocator = pm_context_allocator(context);
    const unsigned char *bytes = (const unsigned char *)text;
    bracket_output output = {alphabet, capacity, 0, parens, positions, kinds};
    pm_status status = PM_OK;
    pm_lexer lexer;
    pm_lexer_init(&lexer, language, alphabet, &allocator);
    for (size_t i = 0; i < n && status == PM_OK; i += PM_LEXER_PIECE) {
        uint64_t brackets;
        status = pm_lexer_scan(&lexer, bytes + i, n - i < PM_LEXER_PIECE ? n - i : PM_LEXER_PIECE, &brackets);
        for (; brackets; brackets &= brackets - 1) {
            const size_t at = i + pm_bits_lowest(brackets);
            bracket_store(&output, at, bytes[at]);
        }
    }
    pm_lexer_clear(&lexer);
    if (status == PM_OK)
        *count = output.count;
    return status;
}
