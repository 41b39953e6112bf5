/* SPDX-License-Identifier: Apache-2.0 */
/* The account of teams. */
#include "core/choose/thread_backoff.h"

/* The thread itself may have been held up: one call does not make it so much slower, or faster, than predicted. */
#define SHARE_LEAST .25
#define SHARE_MOST 4.

static double share_of(const pmi_thread_backoff *pace) {
    return pace->thread_share > 0 ? pace->thread_share : 1;
}

void pmi_thread_backoff_team_took(pmi_thread_backoff *pace, double ns, double thread_ns) {
    const double gained = thread_ns * share_of(pace) - ns;
    pmi_thread_backoff_earn(pace, gained + ns * PM_PACE_PART);
    if (!pmi_thread_backoff_allows_team(pace))
        pace->pauses += pace->pauses < PM_PACE_PAUSES;
    else if (gained > 0 && pace->credit_ns >= PM_PACE_CREDIT)
        pace->pauses = 0;
}

void pmi_thread_backoff_thread_took(pmi_thread_backoff *pace, double ns, double thread_ns) {
    const double share = ns / thread_ns;
    const double bounded = share < SHARE_LEAST ? SHARE_LEAST : share < SHARE_MOST ? share : SHARE_MOST;
    pace->thread_share = (share_of(pace) + bounded) / 2;
    pmi_thread_backoff_thread_worked(pace, ns);
}
