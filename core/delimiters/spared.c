/* SPDX-License-Identifier: Apache-2.0 */
/* Closes that are no fault. */
#include "core/delimiters/token_scan.h"

/* Is a token this word? */
static inline bool token_is(const pmi_spared *spared, const pmi_token *token, uint32_t word) {
    if (word == PM_NONE)
        return false;
    const pmi_rule_word wanted = spared->pairs->words[word];
    return token->end - token->begin == wanted.length &&
           pmi_bytes_equal(spared->text + token->begin, spared->pairs->bytes + wanted.begin, wanted.length,
                           spared->pairs->ignore_case);
}

/* Does one of the words stand there, behind any blanks? */
static bool one_follows(pmi_spared *spared, pmi_rule_words words, size_t at) {
    const struct pmi_delimiters *const pairs = spared->pairs;
    while (at < spared->n && pmi_byte_is_space(spared->text[at]))
        at++;
    for (uint32_t k = 0; k < words.count; k++) {
        const pmi_rule_word word = pairs->words[words.first + k];
        spared->cut |= word.length > spared->n - at;
        if (word.length <= spared->n - at &&
            pmi_bytes_equal(spared->text + at, pairs->bytes + word.begin, word.length, pairs->ignore_case))
            return true;
    }
    return false;
}

bool pmi_spared_take(pmi_spared *spared, const pmi_token *close, size_t depth) {
    const struct pmi_delimiters *const pairs = spared->pairs;
    if (close->kind == PM_KIND_MARK) {
        spared->let = true;
        return true;
    }
    if (token_is(spared, close, pairs->spare) && one_follows(spared, pairs->spare_before, close->end))
        return true;
    if (depth == 0 && token_is(spared, close, pairs->stray))
        return true;
    if (depth > 0 || !spared->let || !token_is(spared, close, pairs->lone))
        return false;
    spared->let = false;
    return true;
}
