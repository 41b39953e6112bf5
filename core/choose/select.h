/* SPDX-License-Identifier: Apache-2.0 */
/* The choice of the fastest backend for n elements, by a model of the time that each takes, and of one thread while
 * several wait for each other. */
#ifndef PM_CORE_CHOOSE_SELECT_H
#define PM_CORE_CHOOSE_SELECT_H

#include "core/choose/profile.h"

/* Of equally fast backends the first is chosen. */
typedef enum pmi_backend {
    PM_BACKEND_SEQ,
    PM_BACKEND_BROADWORD,
    PM_BACKEND_OMP,
    PM_BACKEND_GPU,
    PM_BACKEND_COUNT
} pmi_backend;

/* Fewer elements are matched without a prediction, which would take a hundredth of the time: neither teams nor devices
 * pay. */
#define PM_SELECT_MIN ((size_t)1 << 14)

/* Fewer elements never go to a device. */
#define PM_SELECT_GPU_MIN ((size_t)1 << 20)

typedef struct pmi_selection {
    pmi_backend backend;
    double ns[PM_BACKEND_COUNT]; /* predicted times; 0: not considered */
} pmi_selection;

/* Returns predictions and the choice for n >= PM_SELECT_MIN elements in host memory.
 * gpu      the figures of a device that may be used; NULL: no device
 * threads  of a team for n elements; they also copy a device's results; 1: no team */
pmi_selection pmi_backend_select(const pmi_figures *figures, const pmi_gpu_figures *gpu, size_t n, unsigned threads);

/* Returns the fastest backend that was considered, up to `last`. */
pmi_backend pmi_selection_best(const pmi_selection *selection, pmi_backend last);

/* Returns the time that a device takes for n elements in its memory, whose match stays there. */
double pmi_device_resident_time(const pmi_gpu_figures *gpu, size_t n);

/* Return the times for boxes of n >= PM_SELECT_GPU_MIN elements in host memory: with some threads, if the share
 * `wrong` of all kinds is mispredicted; and on a device, with some threads that copy. */
double pmi_box_host_time(const pmi_box_figures *figures, size_t n, unsigned threads, double wrong);
double pmi_box_device_time(const pmi_box_figures *figures, size_t n, unsigned threads);

/* ---- Several threads or one ---- */

/*
 * Back-off from several threads on a busy machine. There threads wait for each other while the system runs other
 * processes, a thousand times as long as a call takes, and nothing predicts it. So an account is kept of what teams
 * have gained and lost compared with one thread. They may lose what they have gained, and a 32nd of the time of all
 * calls. After that they pause. One loss may be chance, on an idle machine; so the first pause is as long as the loss,
 * and each further pause twice as long for the same loss, up to the 32nd, until teams have gained enough again.
 */

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
