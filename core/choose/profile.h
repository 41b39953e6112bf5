/* SPDX-License-Identifier: Apache-2.0 */
/* What a machine takes for matching: the figures that the choice between backends is made by, measured or shipped. */
#ifndef PM_CORE_CHOOSE_PROFILE_H
#define PM_CORE_CHOOSE_PROFILE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * The figures: X(field, name in a profile, greatest value that makes sense). Those of a call or a thread are in ns,
 * those of an element in ns an element, each a mean over inputs of many families; cached_elements counts elements. All
 * are positive.
 *   seq_element      the plain stack
 *   call             of one thread with vectors: what it takes whatever n is
 *   cached_element   the same, while its results fit the core's own cache
 *   memory_element   the same, for what goes beyond
 *   cached_elements  how many fit
 *   team_call        to call and dismiss the teams of a match
 *   team_thread      for each of their threads
 *   shared_element   what threads do not divide among them: they share the way to memory
 */
#define PM_FIGURE_MAP(X)                                                                                               \
    X(seq_element, "seq-element", 1e4)                                                                                 \
    X(call, "broadword-call", 1e9)                                                                                     \
    X(cached_element, "broadword-cached-element", 1e4)                                                                 \
    X(memory_element, "broadword-memory-element", 1e4)                                                                 \
    X(cached_elements, "cached-elements", 1e9)                                                                         \
    X(team_call, "omp-call", 1e9)                                                                                      \
    X(team_thread, "omp-thread", 1e9)                                                                                  \
    X(shared_element, "omp-shared-element", 1e4)

/*
 * The same of a device.
 *   open              to open it and to make its kernels
 *   call              a call with few elements, from host memory to host memory
 *   upload_element    of many elements: their way to the device
 *   download_element  their match to the host, as far as matching does not hide it, by all threads
 *   copy_element      what it takes longer with one thread; threads divide that among them
 *   launch            few elements that are on the device and stay there: to hand on the work, and to wait for it
 *   match_element     many elements there: matching them
 */
#define PM_GPU_FIGURE_MAP(X)                                                                                           \
    X(open, "gpu-open", 1e12)                                                                                          \
    X(call, "gpu-call", 1e9)                                                                                           \
    X(upload_element, "gpu-upload-element", 1e4)                                                                       \
    X(download_element, "gpu-download-element", 1e4)                                                                   \
    X(copy_element, "gpu-copy-element", 1e4)                                                                           \
    X(launch, "gpu-launch", 1e9)                                                                                       \
    X(match_element, "gpu-match-element", 1e4)

/*
 * What boxes take, where there is a device to choose; the CPU's, too, of so many elements that calling teams does not
 * count:
 *   thread_element   one thread, if it can guess every kind
 *   guess_element    what a kind takes longer that it guesses wrongly (core/boxes/guesses.h)
 *   shared_element   what several do not divide among them
 *   kernels          to make the device's kernels
 *   call             a call with few elements, from host memory to host memory
 *   device_element   many elements, likewise: what the host's threads do not divide,
 *   copy_element     and what they do
 */
#define PM_BOX_FIGURE_MAP(X)                                                                                           \
    X(thread_element, "box-thread-element", 1e4)                                                                       \
    X(guess_element, "box-guess-element", 1e4)                                                                         \
    X(shared_element, "box-omp-shared-element", 1e4)                                                                   \
    X(kernels, "gpu-box-kernels", 1e12)                                                                                \
    X(call, "gpu-box-call", 1e9)                                                                                       \
    X(device_element, "gpu-box-element", 1e4)                                                                          \
    X(copy_element, "gpu-box-copy-element", 1e4)

#define PM_FIGURE_FIELD(field, name, most) double field;

typedef struct pmi_figures {
    PM_FIGURE_MAP(PM_FIGURE_FIELD)
} pmi_figures;

typedef struct pmi_gpu_figures {
    PM_GPU_FIGURE_MAP(PM_FIGURE_FIELD)
} pmi_gpu_figures;

typedef struct pmi_box_figures {
    PM_BOX_FIGURE_MAP(PM_FIGURE_FIELD)
} pmi_box_figures;

#undef PM_FIGURE_FIELD

/* A device's UUID and its driver's version, both in hexadecimal digits, with a hyphen between them. */
#define PM_DEVICE_KEY_SIZE 48

/* All that is known of a machine. */
typedef struct pmi_profile {
    pmi_figures cpu;
    char device[PM_DEVICE_KEY_SIZE]; /* that `gpu` and `box` are of; "": none */
    pmi_gpu_figures gpu;
    pmi_box_figures box;
} pmi_profile;

/* The shipped figures of a CPU that matches with these vector instructions, a name of pm_simd_name(); of an unknown
 * name, those of the portable engine. */
const pmi_figures *pmi_figures_shipped(const char *simd);

/* The shipped figures of a kind of devices, a name of pmi_gpu_kind(); NULL where none are known. */
const pmi_gpu_figures *pmi_gpu_figures_shipped(const char *kind);

#endif
