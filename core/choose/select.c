/* SPDX-License-Identifier: Apache-2.0 */
/* The model of time: for each backend a fixed time, and a time for every element. */
#include "core/choose/select.h"

/* One thread with vectors. Results that leave the cache take the time of memory, the first ones do not. */
static double thread_time(const pmi_figures *figures, double n) {
    const double cached = n < figures->cached_elements ? n : figures->cached_elements;
    return cached * figures->cached_element + (n - cached) * figures->memory_element;
}

/* Each thread writes to its own cache; beyond that they share what memory takes. */
static double team_time(const pmi_figures *figures, double n, double threads) {
    return figures->team_call + threads * figures->team_thread + thread_time(figures, n / threads) +
           n * figures->shared_element;
}

/* From the host's memory and back to it, where threads copy the match from where the device leaves it. */
static double device_time(const pmi_gpu_figures *gpu, double n, double threads) {
    const double down = gpu->download_element + gpu->copy_element / threads;
    return gpu->call + n * (gpu->upload_element + gpu->match_element + down);
}

double pmi_device_resident_time(const pmi_gpu_figures *gpu, size_t n) {
    return gpu->launch + (double)n * gpu->match_element;
}

pmi_backend pmi_selection_best(const pmi_selection *selection, pmi_backend last) {
    pmi_backend best = PM_BACKEND_SEQ;
    for (int b = PM_BACKEND_BROADWORD; b <= (int)last; b++)
        if (selection->ns[b] > 0 && selection->ns[b] < selection->ns[best])
            best = (pmi_backend)b;
    return best;
}

pmi_selection pmi_backend_select(const pmi_figures *figures, const pmi_gpu_figures *gpu, size_t n, unsigned threads) {
    const double elements = (double)n;
    pmi_selection selection = {.backend = PM_BACKEND_SEQ};
    selection.ns[PM_BACKEND_SEQ] = elements * figures->seq_element;
    selection.ns[PM_BACKEND_BROADWORD] = figures->call + thread_time(figures, elements);
    if (threads > 1)
        selection.ns[PM_BACKEND_OMP] = figures->call + team_time(figures, elements, threads);
    if (gpu && n >= PM_SELECT_GPU_MIN)
        selection.ns[PM_BACKEND_GPU] = device_time(gpu, elements, threads);
    selection.backend = pmi_selection_best(&selection, PM_BACKEND_GPU);
    return selection;
}

double pmi_box_host_time(const pmi_box_figures *figures, size_t n, unsigned threads, double wrong) {
    const double alone = figures->thread_element + wrong * figures->guess_element;
    return (double)n * (alone / threads + (threads > 1 ? figures->shared_element : 0));
}

double pmi_box_device_time(const pmi_box_figures *figures, size_t n, unsigned threads) {
    return figures->call + (double)n * (figures->device_element + figures->copy_element / threads);
}

/* ---- Several threads or one ---- */

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
