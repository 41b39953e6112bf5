/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Do several threads keep what is predicted of them? Where others have the processors, threads wait for each other as
 * long as the system lets others run, a thousand times what a call takes; nothing tells so beforehand. So there is an
 * account of what teams have gained and lost beside one thread: they may lose what they have gained, and a 32nd of the
 * time that all calls take. Who has lost more is paused. One loss may be chance, on a machine that has all its
 * processors to give; so the first pause is as long as what was lost, and each further one twice as long for as much,
 * up to the 32nd, until teams have gained enough to be trusted again.
 */
#ifndef PM_CORE_PACE_H
#define PM_CORE_PACE_H

#include <stdbool.h>

/* All zeros to begin with. */
typedef struct pm_pace {
    double thread_share; /* what one thread took lately / what was predicted; 0: not known, then as predicted */
    double credit_ns;
    unsigned pauses; /* since teams were trusted */
} pm_pace;

#define PM_PACE_PAUSES 6 /* after so many they become no longer */
#define PM_PACE_PART (2. / (1 << PM_PACE_PAUSES))
#define PM_PACE_DEBT 2e6    /* ns: that is allowed all the same, for the first team's threads must be made */
#define PM_PACE_CREDIT 20e6 /* ns: that is kept at most, for what was gained long ago does not count */

static inline bool pm_pace_allows_team(const pm_pace *pace) {
    return pace->credit_ns >= -PM_PACE_DEBT;
}

static inline void pm_pace_earn(pm_pace *pace, double ns) {
    const double credit = pace->credit_ns + ns;
    pace->credit_ns = credit < PM_PACE_CREDIT ? credit : PM_PACE_CREDIT;
}

/* How much of a pause makes up for what was lost: all of the first one, half of the next, ... */
static inline double pm_pace_pause_part(const pm_pace *pace) {
    return pace->pauses > 0 ? 2. / (1 << pace->pauses) : 1;
}

/* One thread has worked for so long. */
static inline void pm_pace_thread_worked(pm_pace *pace, double ns) {
    pm_pace_earn(pace, ns * (pm_pace_allows_team(pace) ? PM_PACE_PART : pm_pace_pause_part(pace)));
}

/* A team has taken so long for what one thread was predicted to take thread_ns for. */
void pm_pace_team_took(pm_pace *pace, double ns, double thread_ns);

/* The same of one thread. */
void pm_pace_thread_took(pm_pace *pace, double ns, double thread_ns);

#endif
