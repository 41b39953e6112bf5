/* SPDX-License-Identifier: Apache-2.0 */
/* What a machine takes for matching: the figures that the choice between backends is made by, measured or shipped. */
#ifndef PM_CORE_PROFILE_H
#define PM_CORE_PROFILE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * The figures: X(field, name in a profile, greatest value that makes sense). Those of a call or a thread are in ns,
 * those of an element in ns an element, each a mean over inputs of many families; cached_elements counts elements. All
 * are positive, but that the device's two are 0 where it was not measured.
 *   seq_element      the plain stack
 *   call             of one thread with vectors: what it takes whatever n is
 *   cached_element   the same, while its results fit the core's own cache
 *   memory_element   the same, for what goes beyond
 *   cached_elements  how many fit
 *   team_call        to call and dismiss the teams of a match
 *   team_thread      for each of their threads
 *   shared_element   what threads do not divide among them: they share the way to memory
 *   gpu_call         the device: launches and the beginning of transfers
 *   gpu_element      the same: transfers both ways, and matching, where that is not hidden behind them
 */
#define PM_FIGURE_MAP(X)                                                                                               \
    PM_MEASURED_FIGURE_MAP(X)                                                                                          \
    X(gpu_call, "gpu-call", 1e9)                                                                                       \
    X(gpu_element, "gpu-element", 1e4)

/* Those that pm_profile_measure() finds, and keeps in a file. */
#define PM_MEASURED_FIGURE_MAP(X)                                                                                      \
    X(seq_element, "seq-element", 1e4)                                                                                 \
    X(call, "broadword-call", 1e9)                                                                                     \
    X(cached_element, "broadword-cached-element", 1e4)                                                                 \
    X(memory_element, "broadword-memory-element", 1e4)                                                                 \
    X(cached_elements, "cached-elements", 1e9)                                                                         \
    X(team_call, "omp-call", 1e9)                                                                                      \
    X(team_thread, "omp-thread", 1e9)                                                                                  \
    X(shared_element, "omp-shared-element", 1e4)

typedef struct pm_figures {
#define PM_FIGURE_FIELD(field, name, most) double field;
    PM_FIGURE_MAP(PM_FIGURE_FIELD)
#undef PM_FIGURE_FIELD
} pm_figures;

/* The shipped figures of a CPU that matches with these vector instructions, a name of pm_simd_name(); of an unknown
 * name, those of the portable engine. Without those of a device. */
const pm_figures *pm_figures_shipped(const char *simd);

#endif
