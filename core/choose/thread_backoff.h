/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Back-off from several threads on a busy machine. There threads wait for each other while the system runs other
 * processes, a thousand times as long as a call takes, and nothing predicts it. So an account is kept of what teams
 * have gained and lost compared with one thread. They may lose what they have gained, and a 32nd of the time of all
 * calls. After that they pause. One loss may be chance, on an idle machine; so the first pause is as long as the loss,
 * and each further pause twice as long for the same loss, up to the 32nd, until teams have gained enough again.
 */
#ifndef PM_CORE_CHOOSE_THREAD_BACKOFF_H
#define PM_CORE_CHOOSE_THREAD_BACKOFF_H

#include <stdbool.h>

/* All zeros to begin with. */
typedef struct pmi_thread_backoff {
    double thread_share; /* time of one thread lately / its prediction; 0: unknown, taken as 1 */
    double credit_ns;
    unsigned pauses; /* since teams last had enough credit */
} pmi_thread_backoff;

#define PM_BACKOFF_PAUSES 6 /* after this many they do not grow */
#define PM_BACKOFF_PART (2. / (1 << PM_BACKOFF_PAUSES))
#define PM_BACKOFF_DEBT 2e6    /* ns: allowed in any case, as the first team must create its threads */
#define PM_BACKOFF_CREDIT 20e6 /* ns: at most, as old gains do not count */

static inline bool pmi_thread_backoff_allows_team(const pmi_thread_backoff *backoff) {
    return backoff->credit_ns >= -PM_BACKOFF_DEBT;
}

static inline void pmi_thread_backoff_earn(pmi_thread_backoff *backoff, double ns) {
    const double credit = backoff->credit_ns + ns;
    backoff->credit_ns = credit < PM_BACKOFF_CREDIT ? credit : PM_BACKOFF_CREDIT;
}

/* Returns the part of a pause that makes up for a loss: all of the first pause, half of the next, ... */
static inline double pmi_thread_backoff_pause_part(const pmi_thread_backoff *backoff) {
    return backoff->pauses > 0 ? 2. / (1 << backoff->pauses) : 1;
}

/* Accounts for work of one thread. */
static inline void pmi_thread_backoff_thread_worked(pmi_thread_backoff *backoff, double ns) {
    pmi_thread_backoff_earn(
        backoff,
        ns * (pmi_thread_backoff_allows_team(backoff) ? PM_BACKOFF_PART : pmi_thread_backoff_pause_part(backoff)));
}

/* Accounts for a team's work, for which one thread was predicted to take thread_ns. */
void pmi_thread_backoff_team_took(pmi_thread_backoff *backoff, double ns, double thread_ns);

/* Accounts for measured work of one thread, for which thread_ns was predicted. */
void pmi_thread_backoff_thread_took(pmi_thread_backoff *backoff, double ns, double thread_ns);

#endif
