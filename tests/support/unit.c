/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/unit.h"

#include <time.h>

#include "base/clock.h"

enum {
    TESTS_MAX = 64
};

static struct CMUnitTest tests[TESTS_MAX + 1]; /* the last one stays empty */
static int lines[TESTS_MAX];
static size_t count;

void tests_add(const struct CMUnitTest *test, int line) {
    if (count == TESTS_MAX)
        abort();
    size_t k = count++;
    for (; k > 0 && lines[k - 1] > line; k--) {
        tests[k] = tests[k - 1];
        lines[k] = lines[k - 1];
    }
    tests[k] = *test;
    lines[k] = line;
}

int tests_run_between(CMFixtureFunction set_up, CMFixtureFunction tear_down) {
    if (count == 0)
        abort();
    return _cmocka_run_group_tests("tests", tests, count, set_up, tear_down);
}

int tests_run(void) {
    return tests_run_between(NULL, NULL);
}

/* Windows' clock() counts milliseconds, and goes on while others have the processor: many calls are timed there. */
#ifdef _WIN32
#define TIMED_SECONDS 0.1

static double seconds_now(void) {
    return pmi_clock_ns() * 1e-9;
}
#else
#define TIMED_SECONDS 0

static double seconds_now(void) {
    return (double)clock() / CLOCKS_PER_SEC;
}
#endif

double least_seconds(void (*work)(size_t n, void *user), size_t n, void *user) {
    double least = 0, all = 0;
    for (unsigned call = 0; call < 3 || all < TIMED_SECONDS; call++) {
        const double begin = seconds_now();
        work(n, user);
        const double seconds = seconds_now() - begin;
        least = call == 0 || seconds < least ? seconds : least;
        all += seconds;
    }
    return least;
}
