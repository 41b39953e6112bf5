/* SPDX-License-Identifier: Apache-2.0 */
/* A child of a process that has used several threads matches as well, on one: theirs are the parent's alone. */
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

/* In a child: false where it fails; a hang ends with the alarm. */
static bool child_matches(pm_context *context, match_function *match, const uint64_t *parens,
                          const uint32_t *expected) {
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        alarm(SECONDS);
        uint32_t *const found = malloc(N * sizeof *found);
        const bool right =
            found && match(context, parens, N, found, NULL) == PM_OK && memcmp(found, expected, N * sizeof *found) == 0;
        free(found);
        _exit(!right);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TEST(test_forked_children) {
    static match_function *const matches[] = {pm_match_auto, pm_match_omp};
    uint64_t *const parens = allocate(N / 64, sizeof *parens);
    uint32_t *const expected = allocate(N, sizeof *expected);
    const pm_options options = {.struct_size = sizeof options, .threads = THREADS};
    pm_context *context = context_of(&options);
    assert_true(family_fill("random", 1, N, parens));
    assert_ok(pm_match_omp(context, parens, N, expected, NULL));
    for (size_t m = 0; m < COUNT_OF(matches); m++) {
        assert_true(child_matches(context, matches[m], parens, expected));
        assert_ok(matches[m](context, parens, N, expected, NULL)); /* the parent goes on */
    }
    pm_context_destroy(context);
    free(expected);
    free(parens);
}
