/* SPDX-License-Identifier: Apache-2.0 */
/* The account of teams: how long they are paused for what they lose. */
#include "core/choose/select.h"
#include "tests/support/unit.h"

/* What teams lose is made up for by a part of all work, and no more than that. */
TEST(test_thread_backoff) {
    pmi_thread_backoff backoff = {0};
    pmi_thread_backoff_team_took(&backoff, PM_BACKOFF_DEBT, 0);
    assert_true(pmi_thread_backoff_allows_team(&backoff));
    pmi_thread_backoff_team_took(&backoff, 1e6, 0);
    const double lost = -PM_BACKOFF_DEBT - backoff.credit_ns;
    assert_true(lost > 0 && lost < 1e6);
    assert_false(pmi_thread_backoff_allows_team(&backoff));
    pmi_thread_backoff_thread_took(&backoff, .5 * lost, .5 * lost);
    pmi_thread_backoff_thread_worked(&backoff, .49 * lost);
    assert_false(pmi_thread_backoff_allows_team(&backoff));
    pmi_thread_backoff_thread_worked(&backoff, .02 * lost);
    assert_true(pmi_thread_backoff_allows_team(&backoff));
}

/* How long one thread works until teams are tried again, when a team has just lost so much. */
static double pause_after(pmi_thread_backoff *backoff, double lost) {
    double paused = 0;
    backoff->credit_ns = -PM_BACKOFF_DEBT;
    pmi_thread_backoff_team_took(backoff, lost / (1 - PM_BACKOFF_PART), 0);
    for (; !pmi_thread_backoff_allows_team(backoff); paused += lost / 64)
        pmi_thread_backoff_thread_worked(backoff, lost / 64);
    return paused;
}

/* Pauses become longer from time to time, until teams have gained as much as is kept. */
TEST(test_pauses) {
    const double lost = 1e7;
    pmi_thread_backoff backoff = {0};
    double expected = lost;
    for (int pause = 1; pause < 10; pause++) {
        assert_float_equal(pause_after(&backoff, lost), expected, lost / 32);
        if (expected * PM_BACKOFF_PART < lost)
            expected *= 2;
    }
    while (backoff.credit_ns < PM_BACKOFF_CREDIT)
        pmi_thread_backoff_team_took(&backoff, 1e5, 1e6);
    assert_float_equal(pause_after(&backoff, lost), lost, lost / 32);
}

/* Pauses become shorter again only where a team has gained something, and credit is full. */
TEST(test_what_ends_long_pauses) {
    static const struct {
        double credit, ns, thread_ns;
        unsigned pauses;
    } cases[] = {{PM_BACKOFF_CREDIT, 1e6, 1.5e6, 0},
                 {PM_BACKOFF_CREDIT, 1e6, 1e6, 3},
                 {PM_BACKOFF_CREDIT, 1e6, .99e6, 3},
                 {0, 1e6, 1.5e6, 3},
                 {0, 1e6, 1e6, 3}};
    for (size_t k = 0; k < COUNT_OF(cases); k++) {
        pmi_thread_backoff backoff = {.credit_ns = cases[k].credit, .pauses = 3};
        pmi_thread_backoff_team_took(&backoff, cases[k].ns, cases[k].thread_ns);
        assert_int_equal(backoff.pauses, cases[k].pauses);
    }
}

/* Teams that have gained much are not paused for a smaller loss, only for one that exceeds what is kept. */
TEST(test_thread_backoff_of_good_teams) {
    pmi_thread_backoff backoff = {0};
    for (int call = 0; call < 1000; call++)
        pmi_thread_backoff_team_took(&backoff, 1e5, 2e5);
    pmi_thread_backoff_team_took(&backoff, .9 * PM_BACKOFF_CREDIT, 0);
    assert_true(pmi_thread_backoff_allows_team(&backoff));
    for (int call = 0; call < 1000; call++)
        pmi_thread_backoff_team_took(&backoff, 1e5, 2e5);
    pmi_thread_backoff_team_took(&backoff, 2 * PM_BACKOFF_CREDIT, 0);
    assert_false(pmi_thread_backoff_allows_team(&backoff));
}

/* Predictions that are wrong by a factor, for teams and one thread alike, do not keep teams away for long; and a call
 * that was held up for ages says next to nothing of one thread. */
TEST(test_thread_backoff_learns) {
    pmi_thread_backoff backoff = {0};
    unsigned teams = 0;
    for (int round = 0; round < 1000; round++)
        if (pmi_thread_backoff_allows_team(&backoff)) {
            pmi_thread_backoff_team_took(&backoff, 1.8e6, 1e6);
            teams++;
        } else
            pmi_thread_backoff_thread_took(&backoff, 3e6, 1e6);
    assert_true(teams > 950);
    for (int round = 0; round < 20; round++)
        pmi_thread_backoff_thread_took(&backoff, 1e6, 1e6);
    pmi_thread_backoff_thread_took(&backoff, 1e12, 1e6);
    backoff.credit_ns = -PM_BACKOFF_DEBT;
    pmi_thread_backoff_team_took(&backoff, 5e6, 1e6);
    assert_false(pmi_thread_backoff_allows_team(&backoff));
}
