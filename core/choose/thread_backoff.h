/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Do several threads keep what is predicted of them? Where others have the processors, threads wait for each other as
 * long as the system lets others run, a thousand times what a call takes; nothing tells so beforehand. So there is an
 * account of what teams have gained and lost beside one thread: they may lose what they have gained, and a 32nd of the
 * time that all calls take. Who has lost more is paused. One loss may be chance, on a machine that has all its
 * processors to give; so the first pause is as long as what was lost, and each further one twice as long for as much,
 * up to the 32nd, until teams have gained enough to be trusted again.
 */
#ifndef PM_CORE_CHOOSE_THREAD_BACKOFF_H
#define PM_CORE_CHOOSE_THREAD_BACKOFF_H

#include <stdbool.h>

/* All zeros to begin with. */
typedef struct pmi_thread_backoff {
    double thread_share; /* what one thread took lately / what was predicted; 0: not known, then as predicted */
    double credit_ns;
    unsigned pauses; /* since teams were trusted */
} pmi_thread_backoff;

#define PM_BACKOFF_PAUSES 6 /* after so many they become no longer */
#define PM_BACKOFF_PART (2. / (1 << PM_BACKOFF_PAUSES))
#define PM_BACKOFF_DEBT 2e6    /* ns: that is allowed all the same, for the first team's threads must be made */
#define PM_BACKOFF_CREDIT 20e6 /* ns: that is kept at most, for what was gained long ago does not count */

static inline bool pmi_thread_backoff_allows_team(const pmi_thread_backoff *backoff) {
    return backoff->credit_ns >= -PM_BACKOFF_DEBT;
}

static inline void pmi_thread_backoff_earn(pmi_thread_backoff *backoff, double ns) {
    const double credit = backoff->credit_ns + ns;
    backoff->credit_ns = credit < PM_BACKOFF_CREDIT ? credit : PM_BACKOFF_CREDIT;
}

/* How much of a pause makes up for what was lost: all of the first one, half of the next, ... */
static inline double pmi_thread_backoff_pause_part(const pmi_thread_backoff *backoff) {
    return backoff->pauses > 0 ? 2. / (1 << backoff->pauses) : 1;
}

/* One thread has worked for so long. */
static inline void pmi_thread_backoff_thread_worked(pmi_thread_backoff *backoff, double ns) {
    pmi_thread_backoff_earn(
        backoff,
        ns * (pmi_thread_backoff_allows_team(backoff) ? PM_BACKOFF_PART : pmi_thread_backoff_pause_part(backoff)));
}

/* A team has taken so long for what one thread was predicted to take thread_ns for. */
void pmi_thread_backoff_team_took(pmi_thread_backoff *backoff, double ns, double thread_ns);

/* The same of one thread. */
void pmi_thread_backoff_thread_took(pmi_thread_backoff *backoff, double ns, double thread_ns);

#endif
