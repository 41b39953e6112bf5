/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Do several threads keep what is predicted of them? Where others have the processors, threads wait for each other as
 * long as the system lets others run, a thousand times what a call takes; nothing tells so beforehand. So what teams
 * lose is remembered, and before the next one is called, one thread works for so long that the loss does not count.
 */
#ifndef PM_CORE_PACE_H
#define PM_CORE_PACE_H

#include <stdbool.h>

/* All zeros to begin with. */
typedef struct pm_pace {
    double thread_share; /* what one thread took lately / what was predicted; 0: not known, then as predicted */
    double penance_ns;   /* that one thread is to work before the next team */
} pm_pace;

/* A loss is made up for when work of so many times its length has been done. */
#define PM_PACE_PENANCE 20.

static inline bool pm_pace_allows_team(const pm_pace *pace) {
    return pace->penance_ns <= 0;
}

/* One thread has worked for so long. */
static inline void pm_pace_thread_worked(pm_pace *pace, double ns) {
    pace->penance_ns -= ns;
}

/* A team has taken so long for what one thread was predicted to take thread_ns for. */
void pm_pace_team_took(pm_pace *pace, double ns, double thread_ns);

/* The same of one thread. */
void pm_pace_thread_took(pm_pace *pace, double ns, double thread_ns);

#endif
