/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/unit.h"

#include <time.h>

#include "base/clock.h"

enum {
    TESTS_MAX = 64,
    TIMED_CALLS_LEAST = 3, /* of each work that is timed */
    TIMED_SECONDS_MOST = 10
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

/* Windows' clock() counts milliseconds. */
static double seconds_now(void) {
#ifdef _WIN32
    return pmi_clock_ns() * 1e-9;
#else
    return (double)clock() / CLOCKS_PER_SEC;
#endif
}

static double lesser(double a, double b) {
    return a < b ? a : b;
}

static double seconds_of(const timed_work *timed) {
    const double begin = seconds_now();
    timed->work(timed->n, timed->user);
    return seconds_now() - begin;
}

bool takes_at_most(double times, timed_work longer, timed_work shorter) {
    double longer_least = seconds_of(&longer), shorter_least = seconds_of(&shorter), all = longer_least + shorter_least;
    for (unsigned call = 1; call < TIMED_CALLS_LEAST || longer_least > times * shorter_least; call++) {
        if (call >= TIMED_CALLS_LEAST && all > TIMED_SECONDS_MOST)
            return false;
        const double longer_seconds = seconds_of(&longer), shorter_seconds = seconds_of(&shorter);
        longer_least = lesser(longer_least, longer_seconds);
        shorter_least = lesser(shorter_least, shorter_seconds);
        all += longer_seconds + shorter_seconds;
    }
    return true;
}
