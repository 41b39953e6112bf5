/* SPDX-License-Identifier: Apache-2.0 */
/* The account of teams: how long they are paused for what they lose. */
#include "core/choose/thread_backoff.h"
#include "tests/support/cmocka_all.h"

/* What teams lose is made up for by a part of all work, and no more than that. */
static void test_pace(void **state) {
    (void)state;
    pmi_thread_backoff pace = {0};
    pmi_thread_backoff_team_took(&pace, PM_PACE_DEBT, 0);
    assert_true(pmi_thread_backoff_allows_team(&pace));
    pmi_thread_backoff_team_took(&pace, 1e6, 0);
    const double lost = -PM_PACE_DEBT - pace.credit_ns;
    assert_true(lost > 0 && lost < 1e6);
    assert_false(pmi_thread_backoff_allows_team(&pace));
    pmi_thread_backoff_thread_took(&pace, .5 * lost, .5 * lost);
    pmi_thread_backoff_thread_worked(&pace, .49 * lost);
    assert_false(pmi_thread_backoff_allows_team(&pace));
    pmi_thread_backoff_thread_worked(&pace, .02 * lost);
    assert_true(pmi_thread_backoff_allows_team(&pace));
}

/* How long one thread works until teams are tried again, when a team has just lost so much. */
static double pause_after(pmi_thread_backoff *pace, double lost) {
    double paused = 0;
    pace->credit_ns = -PM_PACE_DEBT;
    pmi_thread_backoff_team_took(pace, lost / (1 - PM_PACE_PART), 0);
    for (; !pmi_thread_backoff_allows_team(pace); paused += lost / 64)
        pmi_thread_backoff_thread_worked(pace, lost / 64);
    return paused;
}

/* Pauses become longer from time to time, until teams have gained as much as is kept. */
static void test_pauses(void **state) {
    (void)state;
    const double lost = 1e7;
    pmi_thread_backoff pace = {0};
    double expected = lost;
    for (int pause = 1; pause < 10; pause++) {
        assert_float_equal(pause_after(&pace, lost), expected, lost / 32);
        if (expected * PM_PACE_PART < lost)
            expected *= 2;
    }
    while (pace.credit_ns < PM_PACE_CREDIT)
        pmi_thread_backoff_team_took(&pace, 1e5, 1e6);
    assert_float_equal(pause_after(&pace, lost), lost, lost / 32);
}

/* Teams that have gained much are not paused for a loss that is less, but for one that is more than is kept. */
static void test_pace_of_good_teams(void **state) {
    (void)state;
    pmi_thread_backoff pace = {0};
    for (int call = 0; call < 1000; call++)
        pmi_thread_backoff_team_took(&pace, 1e5, 2e5);
    pmi_thread_backoff_team_took(&pace, .9 * PM_PACE_CREDIT, 0);
    assert_true(pmi_thread_backoff_allows_team(&pace));
    for (int call = 0; call < 1000; call++)
        pmi_thread_backoff_team_took(&pace, 1e5, 2e5);
    pmi_thread_backoff_team_took(&pace, 2 * PM_PACE_CREDIT, 0);
    assert_false(pmi_thread_backoff_allows_team(&pace));
}

/* Predictions that are wrong by a factor, for teams and one thread alike, do not keep teams away for long; and a call
 * that was held up for ages says next to nothing of one thread. */
static void test_pace_learns(void **state) {
    (void)state;
    pmi_thread_backoff pace = {0};
    unsigned teams = 0;
    for (int round = 0; round < 1000; round++)
        if (pmi_thread_backoff_allows_team(&pace)) {
            pmi_thread_backoff_team_took(&pace, 1.8e6, 1e6);
            teams++;
        } else
            pmi_thread_backoff_thread_took(&pace, 3e6, 1e6);
    assert_true(teams > 950);
    for (int round = 0; round < 20; round++)
        pmi_thread_backoff_thread_took(&pace, 1e6, 1e6);
    pmi_thread_backoff_thread_took(&pace, 1e12, 1e6);
    pace.credit_ns = -PM_PACE_DEBT;
    pmi_thread_backoff_team_took(&pace, 5e6, 1e6);
    assert_false(pmi_thread_backoff_allows_team(&pace));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pace),
        cmocka_unit_test(test_pauses),
        cmocka_unit_test(test_pace_of_good_teams),
        cmocka_unit_test(test_pace_learns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
