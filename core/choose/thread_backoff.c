/* SPDX-License-Identifier: Apache-2.0 */
/* Accounting for the times of teams and of one thread. */
#include "core/choose/thread_backoff.h"

/* The thread itself may have been held up: one call does not make it so much slower, or faster, than predicted. */
#define SHARE_MIN .25
#define SHARE_MAX 4.

static double share_of(const pmi_thread_backoff *backoff) {
    return backoff->thread_share > 0 ? backoff->thread_share : 1;
}

void pmi_thread_backoff_team_took(pmi_thread_backoff *backoff, double ns, double thread_ns) {
    const double gained = thread_ns * share_of(backoff) - ns;
    pmi_thread_backoff_earn(backoff, gained + ns * PM_BACKOFF_PART);
    if (!pmi_thread_backoff_allows_team(backoff))
        backoff->pauses += backoff->pauses < PM_BACKOFF_PAUSES;
    else if (gained > 0 && backoff->credit_ns >= PM_BACKOFF_CREDIT)
        backoff->pauses = 0;
}

void pmi_thread_backoff_thread_took(pmi_thread_backoff *backoff, double ns, double thread_ns) {
    const double share = ns / thread_ns;
    const double bounded = share < SHARE_MIN ? SHARE_MIN : share < SHARE_MAX ? share : SHARE_MAX;
    backoff->thread_share = (share_of(backoff) + bounded) / 2;
    pmi_thread_backoff_thread_worked(backoff, ns);
}
