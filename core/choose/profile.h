/* SPDX-License-Identifier: Apache-2.0 */
/* The figures of a machine by which the choice between backends is made, measured or shipped. */
#ifndef PM_CORE_CHOOSE_PROFILE_H
#define PM_CORE_CHOOSE_PROFILE_H

#include <stdbool.h>
#include <stddef.h>

#include "parenmatch.h"

/*
 * The figures of the CPU: X(field, name in a profile, greatest plausible value). Calls and threads are in ns, elements
 * in ns an element, each a mean over inputs of many families; cached_elements counts elements. All are positive.
 *   seq_element      an element with the plain stack
 *   call             a call with vectors on one thread, without its elements
 *   cached_element   an element with vectors on one thread, while the results fit the core's own cache
 *   memory_element   an element beyond that
 *   cached_elements  how many results fit
 *   team_call        starting and ending the teams of a match
 *   team_thread      each thread of a team
 *   shared_element   the part of an element that threads do not divide, as they share the memory bandwidth
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
 * The figures of a device, in the same form.
 *   open              opening it and making its kernels
 *   call              a call with few elements, from host memory to host memory
 *   upload_element    an element's upload, of many
 *   download_element  the download of its match, with all threads, as far as matching does not hide it
 *   copy_element      the extra time with one thread, which threads divide
 *   launch            a call with few elements in device memory: submitting the work and waiting for it
 *   match_element     matching an element in device memory, of many
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
 * The figures of boxes, measured only if there is a device; n is large enough that the calls of teams do not count.
 *   thread_element   an element on one thread, if every kind is predicted
 *   guess_element    the extra time of a mispredicted kind (core/boxes/boxes.c)
 *   shared_element   the part of an element that threads do not divide
 *   kernels          making the device's kernels
 *   call             a call with few elements, from host memory to host memory
 *   device_element   an element of many on a device: the part that the host's threads do not divide,
 *   copy_element     and the part that they do
 */
#define PM_BOX_FIGURE_MAP(X)                                                                                           \
    X(thread_element, "box-thread-element", 1e4)                                                                       \
    X(guess_element, "box-guess-element", 1e4)                                                                         \
    X(shared_element, "box-omp-shared-element", 1e4)                                                                   \
    X(kernels, "gpu-box-kernels", 1e12)                                                                                \
    X(call, "gpu-box-call", 1e9)                                                                                       \
    X(device_element, "gpu-box-element", 1e4)                                                                          \
    X(copy_element, "gpu-box-copy-element", 1e4)

#define PM_FIGURE_FIELD(field, name, max) double field;

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

/* All figures of a machine. */
typedef struct pmi_profile {
    pmi_figures cpu;
    char device[PM_DEVICE_KEY_SIZE]; /* that `gpu` and `box` are of; "": none */
    pmi_gpu_figures gpu;
    pmi_box_figures box;
} pmi_profile;

/* Returns the shipped figures for vector instructions by their name; for an unknown name those of the portable engine.
 */
const pmi_figures *pmi_figures_shipped(const char *simd);

/* Returns the shipped figures for a kind of devices, a name of pmi_gpu_kind(); NULL if there are none. */
const pmi_gpu_figures *pmi_gpu_figures_shipped(const char *kind);

/* ---- Profiles as files: the figures of one machine, and what machine that is ---- */

/* Longest profile that is read, in bytes. */
#define PM_PROFILE_SIZE ((size_t)4096)

/*
 * Writes the profile's text and returns its length, without the NUL at its end. It is valid for this version of the
 * library, this CPU and these vector instructions, and for the device and its driver. Figures are rounded, and limited
 * to plausible values.
 */
size_t pmi_profile_format(const char *simd, const pmi_profile *profile, char text[PM_PROFILE_SIZE]);

/* Reads a profile from a text of n bytes and a NUL. Returns false unless pmi_profile_format() could have written
 * exactly this text here, for these instructions. */
bool pmi_profile_parse(const char *simd, const char *text, size_t n, pmi_profile *profile);

/* Replaces the file atomically. PM_IO, PM_OUT_OF_MEMORY. */
pm_status pmi_profile_write(const pm_allocator *allocator, const char *path, const char *simd,
                            const pmi_profile *profile);

/* Reads a profile. PM_IO if there is no such file; PM_CORRUPT if it is damaged or made for another machine. */
pm_status pmi_profile_read(const char *path, const char *simd, pmi_profile *profile);

#endif
