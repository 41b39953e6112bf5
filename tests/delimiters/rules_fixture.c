/* SPDX-License-Identifier: Apache-2.0 */
/* Rules in tests. */
#include "tests/delimiters/rules_fixture.h"

#include <stdio.h>
#include <string.h>

#include "tests/support/unit.h"

enum {
    TOKENS = 64
};

pm_language *pairs_of(const char *rules) {
    pm_language *pairs;
    pm_language_error error;
    const pm_status status = pm_language_create_rules(NULL, rules, strlen(rules), &pairs, &error);
    if (status != PM_OK)
        print_error("%s:%u: %s\n", rules, (unsigned)error.at.line, error.what ? error.what : "?");
    assert_ok(status);
    return pairs;
}

void assert_tokens(const pm_language *pairs, const char *text, const char *expected) {
    char shown[1024] = "";
    uint64_t parens[(TOKENS + 63) / 64], positions[TOKENS];
    uint32_t lengths[TOKENS], kinds[TOKENS];
    size_t count;
    assert_ok(scan_tokens(NULL, pairs, text, strlen(text), TOKENS, parens, positions, lengths, kinds, &count));
    assert_true(count <= TOKENS);
    for (size_t k = 0, used = 0; k < count; k++)
        used += (size_t)snprintf(shown + used, sizeof shown - used, "%s%u%c%.*s", k ? " " : "", kinds[k],
                                 parens[k / 64] >> k % 64 & 1 ? '(' : ')', (int)lengths[k], text + positions[k]);
    assert_string_equal(shown, expected);
}

pm_status scan_tokens(pm_context *context, const pm_language *language, const char *text, size_t n, size_t capacity,
                      uint64_t *parens, uint64_t *positions, uint32_t *lengths, uint32_t *kinds, size_t *count) {
    const pm_text_arrays arrays = {.struct_size = sizeof arrays,
                                   .capacity = capacity,
                                   .parens = parens,
                                   .positions = positions,
                                   .lengths = lengths,
                                   .kinds = kinds};
    return pm_text_scan(context, language, text, n, &arrays, count);
}

pm_status check_text_in(pm_context *context, const pm_language *language, const char *text, size_t n,
                        pm_check_report report, void *user, pm_check_summary *summary) {
    pm_check *check;
    pm_status status = pm_check_create(context, language, NULL, report, user, &check);
    if (status == PM_OK)
        status = pm_check_text(check, text, n, summary);
    pm_check_destroy(check);
    return status;
}
