/* SPDX-License-Identifier: Apache-2.0 */
/* The model: for each backend a fixed time, and one for every element. */
#include "core/select.h"

/* One thread with vectors. Results that leave the cache take the time of memory, the first ones do not. */
static double thread_time(const pm_figures *figures, double n) {
    const double cached = n < figures->cached_elements ? n : figures->cached_elements;
    return cached * figures->cached_element + (n - cached) * figures->memory_element;
}

/* Each thread writes to its own cache; beyond that they share what memory takes. */
static double team_time(const pm_figures *figures, double n, double threads) {
    return figures->team_call + threads * figures->team_thread + thread_time(figures, n / threads) +
           n * figures->shared_element;
}

pm_selection pm_backend_select(const pm_figures *figures, size_t n, unsigned threads, bool gpu) {
    const double elements = (double)n;
    pm_selection selection = {.backend = PM_BACKEND_SEQ};
    selection.ns[PM_BACKEND_SEQ] = elements * figures->seq_element;
    selection.ns[PM_BACKEND_BROADWORD] = figures->call + thread_time(figures, elements);
    if (threads > 1)
        selection.ns[PM_BACKEND_OMP] = figures->call + team_time(figures, elements, threads);
    if (gpu && n >= PM_SELECT_GPU_LEAST && figures->gpu_element > 0)
        selection.ns[PM_BACKEND_GPU] = figures->gpu_call + elements * figures->gpu_element;
    for (int b = PM_BACKEND_BROADWORD; b < PM_BACKEND_COUNT; b++)
        if (selection.ns[b] > 0 && selection.ns[b] < selection.ns[selection.backend])
            selection.backend = (pm_backend)b;
    return selection;
}
