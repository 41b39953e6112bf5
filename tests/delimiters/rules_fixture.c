/* SPDX-License-Identifier: Apache-2.0 */
/* Rules in tests. */
#include "tests/delimiters/rules_fixture.h"

#include <stdio.h>
#include <string.h>

#include "tests/support/unit.h"

enum {
    TOKENS = 64
};

pm_delimiters *pairs_of(const char *rules) {
    pm_delimiters *pairs;
    pm_delimiters_error error;
    const pm_status status = pm_delimiters_create(NULL, rules, strlen(rules), &pairs, &error);
    if (status != PM_OK)
        print_error("%s:%u: %s\n", rules, (unsigned)error.at.line, error.what ? error.what : "?");
    assert_ok(status);
    return pairs;
}

void assert_tokens(const pm_delimiters *pairs, const char *text, const char *expected) {
    char shown[1024] = "";
    uint64_t parens[(TOKENS + 63) / 64], positions[TOKENS];
    uint32_t lengths[TOKENS], kinds[TOKENS];
    size_t count;
    assert_ok(pm_delimiters_scan(NULL, pairs, text, strlen(text), TOKENS, parens, positions, lengths, kinds, &count));
    assert_true(count <= TOKENS);
    for (size_t k = 0, used = 0; k < count; k++)
        used += (size_t)snprintf(shown + used, sizeof shown - used, "%s%u%c%.*s", k ? " " : "", kinds[k],
                                 parens[k / 64] >> k % 64 & 1 ? '(' : ')', (int)lengths[k], text + positions[k]);
    assert_string_equal(shown, expected);
}
