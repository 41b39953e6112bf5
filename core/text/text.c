/* SPDX-License-Identifier: Apache-2.0 */
/* Alphabets, and pm_text_brackets(): from the bytes of a text to a parenthesis sequence. */
#include "core/context/context.h"
#include "core/text/language.h"
#include "core/tokens/bracket_output.h"

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
    pmi_bracket_output output = {.classifier = reader.classifier,
                                 .capacity = capacity,
                                 .parens = parens,
                                 .positions = positions,
                                 .kinds = kinds};
    pmi_bracket_output_init(&output, alphabet);
    const pm_status status = pmi_bracket_output_read(&output, &reader, 0, (const unsigned char *)text, n);
    pmi_lexer_clear(&reader.lexer);
    if (status == PM_OK)
        *count = output.count;
    return status;
}
