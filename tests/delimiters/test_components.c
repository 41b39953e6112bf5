/* SPDX-License-Identifier: Apache-2.0 */
/* Components of Vue and Svelte (components.txt): nothing is wrong with them, and without any of their tags something
 * is. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inputs/families.h"
#include "tests/delimiters/rules_fixture.h"
#include "tests/support/unit.h"

enum {
    TEXT_MAX = 32768,
    TOKENS_MAX = 256
};

static char components[TEXT_MAX];

static uint64_t faults_of(const pm_language *language, const char *text, size_t n) {
    pm_check_summary found;
    assert_ok(check_text_in(NULL, language, text, n, NULL, NULL, &found));
    return found.unmatched.open + found.unmatched.close + found.mismatched + found.unterminated;
}

/* May the close be left out, as in HTML? */
static bool is_optional(const pm_language *language, const char *token) {
    static const char *const closes[] = {"</p>", "</li>", "</option>", "</td>", "</tr>", "</caption>"};
    bool optional = false;
    for (size_t k = 0; k < COUNT_OF(closes); k++)
        optional |= strncmp(token, closes[k], strlen(closes[k])) == 0;
    return optional && language == pm_language_by_name("svelte");
}

static void try_component(const pm_language *language, const char *text, size_t n) {
    uint64_t parens[TOKENS_MAX / 64], positions[TOKENS_MAX];
    uint32_t lengths[TOKENS_MAX], kinds[TOKENS_MAX];
    size_t count;
    char *const without = allocate(n, 1);
    if (faults_of(language, text, n) > 0)
        fail_msg("a fault in %.*s", (int)n, text);
    assert_ok(scan_tokens(NULL, language, text, n, TOKENS_MAX, parens, positions, lengths, kinds, &count));
    assert_true(count >= 2 && count <= TOKENS_MAX);
    for (size_t k = 0; k < count; k++) {
        const size_t at = positions[k], behind = at + lengths[k];
        if (lengths[k] == 0 || is_optional(language, text + at))
            continue;
        memcpy(without, text, at);
        memcpy(without + at, text + behind, n - behind);
        if (faults_of(language, without, n - lengths[k]) == 0)
            fail_msg("nothing is found without %.*s in %.*s", (int)lengths[k], text + at, (int)n, text);
    }
    free(without);
}

TEST(test_components) {
    static const char head[] = "=== ";
    FILE *const file = fopen(PM_COMPONENTS, "rb");
    assert_non_null(file);
    const size_t length = fread(components, 1, sizeof components - 1, file);
    fclose(file);
    components[length] = '\0';
    unsigned vue = 0, svelte = 0;
    for (const char *at = components, *next; at && strncmp(at, head, sizeof head - 1) == 0; at = next) {
        const char *const text = strchr(at, '\n') + 1, *const found = strstr(text, "\n=== ");
        const bool is_vue = strncmp(at + sizeof head - 1, "vue\n", 4) == 0;
        next = found ? found + 1 : NULL;
        try_component(pm_language_by_name(is_vue ? "vue" : "svelte"), text,
                      next ? (size_t)(next - text) : strlen(text));
        vue += is_vue;
        svelte += !is_vue;
    }
    assert_int_equal(vue, 10);
    assert_int_equal(svelte, 10);
}

/* ---- Long expressions ---- */

/* Stores an expression, of which n bytes or fewer are random and the others close what is open, and tags behind it.
 * Returns the length. */
static size_t make_expression(uint64_t *seed, char *text, size_t n) {
    size_t depth = 1, at = 1;
    text[0] = '{';
    for (; at < n && depth > 0; at++) {
        static const char bytes[] = {'{', '{', '}', 'a', 'b', '(', '\n'};
        text[at] = bytes[random_below(seed, sizeof bytes)];
        depth += text[at] == '{';
        depth -= text[at] == '}';
    }
    for (; depth > 0; depth--)
        text[at++] = '}';
    memcpy(text + at, "<p>}</p>", 8);
    return at + 8;
}

TEST(test_long_expressions) {
    const pm_language *const svelte = pm_language_by_name("svelte");
    static char text[4096];
    uint64_t seed = 5;
    for (size_t round = 0; round < 4000; round++) {
        const size_t n = make_expression(&seed, text, 1 + random_below(&seed, 700)), last = strlen("}<p>}</p>");
        pm_check_summary found;
        assert_ok(check_text_in(NULL, svelte, text, n, NULL, NULL, &found));
        assert_int_equal(found.brackets, 2);
        assert_int_equal(found.unterminated + found.mismatched + found.unmatched.open + found.unmatched.close, 0);
        text[n - last] = ' '; /* the brace behind the first tag closes instead */
        assert_int_equal(faults_of(svelte, text, n), 1);
    }
}

/* ---- Quotes in an expression that nothing closes are not looked for from each of them ---- */

static void check_repeated(size_t n, void *user) {
    const char *const piece = user;
    const size_t length = strlen(piece);
    char *const text = malloc(n);
    assert_true(text != NULL);
    for (size_t k = 0; k < n; k++)
        text[k] = piece[k % length];
    assert_ok(check_text_in(NULL, pm_language_by_name("svelte"), text, n, NULL, NULL, NULL));
    free(text);
}

TEST(test_time_grows_with_length) {
    static char odd[][8] = {"{\\`x\n", "{\\\"", "{\\'a"};
    enum {
        N = 1 << 17
    };
    for (size_t k = 0; k < COUNT_OF(odd); k++)
        assert_true(
            takes_at_most(9, (timed_work){check_repeated, N, odd[k]}, (timed_work){check_repeated, N / 4, odd[k]}));
}
