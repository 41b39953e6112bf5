/* SPDX-License-Identifier: Apache-2.0 */
/* A child of a process that has used several threads matches and checks as well, on one: theirs are the parent's alone.
 */
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "inputs/families.h"
#include "parenmatch.h"
#include "tests/support/unit.h"

enum {
    N = 1 << 23,
    THREADS = 4,
    SECONDS = 120
};

typedef pm_status match_function(pm_context *, const uint64_t *, size_t, uint32_t *, pm_bic *);

/* Is work(user) true in a child? A hang ends with the alarm. */
static bool holds_in_child(bool (*work)(const void *user), const void *user) {
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        alarm(SECONDS);
        _exit(!work(user));
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

typedef struct match_job {
    pm_context *context;
    match_function *match;
    const uint64_t *parens;
    const uint32_t *expected;
} match_job;

static bool matches(const void *user) {
    const match_job *const job = user;
    uint32_t *const found = malloc(N * sizeof *found);
    const bool right = found && job->match(job->context, job->parens, N, found, NULL) == PM_OK &&
                       memcmp(found, job->expected, N * sizeof *found) == 0;
    free(found);
    return right;
}

TEST(test_forked_children) {
    static match_function *const functions[] = {pm_match_auto, pm_match_omp};
    uint64_t *const parens = allocate(N / 64, sizeof *parens);
    uint32_t *const expected = allocate(N, sizeof *expected);
    const pm_options options = {.struct_size = sizeof options, .threads = THREADS};
    pm_context *context = context_of(&options);
    assert_true(family_fill("random", 1, N, parens));
    assert_ok(pm_match_omp(context, parens, N, expected, NULL));
    for (size_t m = 0; m < COUNT_OF(functions); m++) {
        assert_true(holds_in_child(matches, &(match_job){context, functions[m], parens, expected}));
        assert_ok(functions[m](context, parens, N, expected, NULL)); /* the parent goes on */
    }
    pm_context_destroy(context);
    free(expected);
    free(parens);
}

typedef struct check_job {
    pm_check *check;
    const char *text;
    const pm_check_summary *expected;
} check_job;

static bool checks(const void *user) {
    const check_job *const job = user;
    pm_check_summary found = {0};
    return pm_check_text(job->check, job->text, N, &found) == PM_OK && memcmp(&found, job->expected, sizeof found) == 0;
}

TEST(test_forked_checks) {
    char *const text = allocate(N, 1);
    const pm_options options = {.struct_size = sizeof options, .threads = THREADS};
    pm_context *context = context_of(&options);
    pm_check_summary expected = {0};
    pm_check *check;
    for (size_t i = 0; i < N; i++)
        text[i] = "{\"a(\": [1, 2],\n \"b\": {}}\n"[i % 25];
    assert_ok(pm_check_create(context, pm_language_by_name("json"), NULL, NULL, NULL, &check));
    assert_ok(pm_check_text(check, text, N, &expected));
    const check_job job = {check, text, &expected};
    assert_true(holds_in_child(checks, &job));
    assert_true(checks(&job)); /* the parent goes on */
    pm_check_destroy(check);
    pm_context_destroy(context);
    free(text);
}
