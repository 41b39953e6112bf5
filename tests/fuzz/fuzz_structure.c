/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rules are right or wrong at a place in them; tokens follow each other in the text; and the check of a text finds what
 * the match of its tokens says. A text that is read by tags has the same tokens and faults by the dictionary.
 *
 * Input: 'a' for the rules of the first language, and so on, and then the text; or any other byte, rules, a NUL byte,
 * and the text.
 */
#include <string.h>

#include "core/delimiters/delimiters.h"
#include "core/text/language.h"
#include "parenmatch.h"
#include "tests/fuzz/fuzz.h"

typedef struct reports {
    size_t n;
    uint64_t of[PM_FAULT_UNTERMINATED + 1];
    uint64_t hash; /* of all, in order */
} reports;

static void mix(uint64_t *hash, uint64_t value) {
    *hash = (*hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
}

static bool count_report(const pm_diagnostic *diagnostic, void *user) {
    reports *const counted = user;
    const pm_place at = diagnostic->at, partner = diagnostic->partner;
    fuzz_require(at.offset < counted->n && diagnostic->length <= counted->n - at.offset, "a place in the text");
    fuzz_require(at.line >= 1 && at.column >= 1 && at.line + at.column <= at.offset + 2, "line and column");
    if (diagnostic->fault == PM_FAULT_KIND_MISMATCH)
        fuzz_require(partner.offset + diagnostic->partner_length <= at.offset, "the open comes before the close");
    counted->of[diagnostic->fault]++;
    const uint64_t values[] = {diagnostic->fault, at.offset,      at.line,   diagnostic->length,        partner.offset,
                               partner.line,      partner.column, at.column, diagnostic->partner_length};
    for (size_t k = 0; k < sizeof values / sizeof *values; k++)
        mix(&counted->hash, values[k]);
    return true;
}

/* In two chunks, or as a whole. */
static pm_status check(const pm_language *language, const char *text, size_t n, bool chunks, reports *counted,
                       pm_check_summary *summary) {
    pm_check *check;
    pm_status status = pm_check_create(NULL, language, NULL, count_report, counted, &check);
    if (status == PM_OK && chunks)
        status = pm_check_push(check, text, n / 3);
    const size_t done = chunks ? n / 3 : 0;
    if (status == PM_OK)
        status = pm_check_text(check, text + done, n - done, summary);
    pm_check_destroy(check);
    return status;
}

/* The text's tokens, by way of arrays, against its check. Returns a hash of all. */
static uint64_t try_text(const pm_language *pairs, const char *text, size_t n) {
    size_t count, again;
    fuzz_require(pm_text_scan(NULL, pairs, text, n, NULL, &count) == PM_OK, "status");
    fuzz_require(count <= 2 * n, "no open is empty");
    uint64_t *const parens = fuzz_allocate((count + 63) / 64, sizeof *parens);
    uint64_t *const positions = fuzz_allocate(count, sizeof *positions);
    uint32_t *const lengths = fuzz_allocate(count, sizeof *lengths), *const kinds = fuzz_allocate(count, sizeof *kinds);
    uint32_t *const match = fuzz_allocate(count, sizeof *match);
    const pm_text_arrays arrays = {.struct_size = sizeof arrays,
                                   .capacity = count,
                                   .parens = parens,
                                   .positions = positions,
                                   .lengths = lengths,
                                   .kinds = kinds};
    fuzz_require(pm_text_scan(NULL, pairs, text, n, &arrays, &again) == PM_OK, "status");
    fuzz_require(again == count, "the same number of tokens");
    for (size_t k = 0; k < count; k++) {
        fuzz_require(positions[k] <= n && lengths[k] <= n - positions[k], "a token in the text");
        fuzz_require(lengths[k] > 0 || !(parens[k / 64] >> k % 64 & 1), "an open has bytes");
        fuzz_require(k == 0 || positions[k - 1] + lengths[k - 1] <= positions[k], "tokens follow each other");
    }
    pm_bic total;
    fuzz_require(pm_match_seq(NULL, parens, count, match, &total) == PM_OK, "match");
    uint64_t mismatched = 0;
    for (size_t k = 0; k < count; k++)
        mismatched += !(parens[k / 64] >> k % 64 & 1) && match[k] != PM_NONE && kinds[match[k]] != kinds[k];

    reports counted = {.n = n};
    pm_check_summary summary;
    fuzz_require(check(pairs, text, n, n % 2 == 1, &counted, &summary) == PM_OK, "check");
    const struct pmi_delimiters *const rules = pairs->delimiters;
    fuzz_require(summary.bytes == n, "bytes");
    /* A check chooses how comments nest, and what a spare close leaves open may be closed later. */
    fuzz_require(summary.brackets == count || rules->may_nest || rules->spare != PM_NONE, "tokens");
    if (rules->lone == PM_NONE && rules->spare == PM_NONE && rules->stray == PM_NONE && !rules->may_nest) {
        fuzz_require(summary.unmatched.open == total.open && summary.unmatched.close == total.close, "unmatched");
        fuzz_require(summary.mismatched == mismatched, "mismatched");
    }
    fuzz_require(counted.of[PM_FAULT_UNMATCHED_OPEN] == summary.unmatched.open &&
                     counted.of[PM_FAULT_UNMATCHED_CLOSE] == summary.unmatched.close &&
                     counted.of[PM_FAULT_KIND_MISMATCH] == summary.mismatched &&
                     counted.of[PM_FAULT_UNTERMINATED] == summary.unterminated,
                 "all faults are told");
    uint64_t hash = counted.hash;
    for (size_t k = 0; k < count; k++) {
        mix(&hash, positions[k]);
        mix(&hash, lengths[k] + ((uint64_t)kinds[k] << 32) + (parens[k / 64] >> k % 64 & 1));
    }
    mix(&hash, summary.lines);
    mix(&hash, summary.max_depth);
    free(parens);
    free(positions);
    free(lengths);
    free(kinds);
    free(match);
    return hash;
}

static void try_both(const pm_language *pairs, const char *text, size_t n) {
    pmi_tag_language *const tags = &pairs->delimiters->tags;
    const pmi_tag_language known = *tags;
    const uint64_t hash = try_text(pairs, text, n);
    if (!known.fits)
        return;
    *tags = (pmi_tag_language){.fits = false};
    fuzz_require(try_text(pairs, text, n) == hash, "the same by tags and by the dictionary");
    *tags = known;
}

/* A block of its own, so that reading past it is noticed. */
static char *copy_of(const uint8_t *bytes, size_t n) {
    char *const copy = fuzz_allocate(n, 1);
    memcpy(copy, bytes, n);
    return copy;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    if (size == 0)
        return 0;
    const char *language = NULL; /* the rules of one of the library */
    size_t wanted = bytes[0] >= 'a' ? (size_t)(bytes[0] - 'a') : SIZE_MAX;
    for (size_t k = 0; !language && bytes[0] >= 'a' && k < pm_language_count(); k++) {
        const char *const rules = pm_language_rules(pm_language_at(k));
        if (rules && wanted-- == 0)
            language = rules;
    }
    const uint8_t *const rest = bytes + 1, *const nul = language || size == 1 ? NULL : memchr(rest, 0, size - 1);
    const size_t rules_size = nul ? (size_t)(nul - rest) : language ? 0 : size - 1;
    const size_t begin = nul ? rules_size + 1 : rules_size, n = size - 1 - begin;
    char *const own_rules = copy_of(rest, rules_size);
    const char *const rules = language ? language : own_rules;
    pm_language *pairs;
    pm_language_error error;
    const pm_status status =
        pm_language_create_rules(NULL, rules, language ? strlen(rules) : rules_size, &pairs, &error);
    fuzz_require(status == PM_OK || (!language && (status == PM_CORRUPT || status == PM_TOO_LARGE)), "rules");
    fuzz_require((status == PM_CORRUPT) == (error.what != NULL), "what is wrong");
    if (status == PM_CORRUPT)
        fuzz_require(error.at.offset <= rules_size && error.at.line >= 1 && error.at.column >= 1, "where it is");
    if (status == PM_OK) {
        char *const text = copy_of(rest + begin, n);
        try_both(pairs, text, n);
        free(text);
    }
    pm_language_destroy(pairs);
    free(own_rules);
    return 0;
}
