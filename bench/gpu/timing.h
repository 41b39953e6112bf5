/* SPDX-License-Identifier: Apache-2.0 */
/* A device, commands on it that are waited for, and its own clock. Whatever fails ends the program. */
#ifndef PM_BENCH_GPU_TIMING_H
#define PM_BENCH_GPU_TIMING_H

#include "bench/gpu/options.h"
#include "bench/stop.h"
#include "gpu/device/memory.h"

enum {
    REPETITIONS_MOST = 100,
    WARM_UP = 3,            /* repetitions */
    TIMED_STAGES_MOST = 10, /* of a repetition */
    CLOCK_READINGS = (TIMED_STAGES_MOST + 1) * (REPETITIONS_MOST + WARM_UP),
    STAGING_BYTES = 1 << 26
};

typedef struct gpu_timing {
    pmi_device device;
    VkCommandPool pool;
    VkCommandBuffer commands;
    VkFence fence;
    VkQueryPool clock;
    pmi_buffer staging; /* STAGING_BYTES that both see */
    double idle_since;  /* milliseconds */
} gpu_timing;

/* Records what is timed: stage `stage`. */
typedef void gpu_timed(unsigned stage, const void *of);

/* PM_NO_DEVICE: there is none, or its queue has no clock. PM_OUT_OF_MEMORY: it does not open. */
pm_status gpu_timing_try(const pmi_gpu_settings *settings, gpu_timing *timing);
void gpu_timing_open(const pmi_gpu_settings *settings, gpu_timing *timing);
void gpu_timing_close(gpu_timing *timing);

/* Commands are recorded between the two; the second waits until they have ended. */
void gpu_timing_begin(const gpu_timing *timing);
void gpu_timing_run(const gpu_timing *timing);

/* A barrier between shaders. */
void gpu_timing_barrier(const gpu_timing *timing);

/* Microseconds of all stages together, with a barrier after each: sorted, repetitions of them. Repeated until the
 * device is at the clock it keeps: until that gets no faster. Returns the least median that was seen. */
double gpu_timing_settled_us(gpu_timing *timing, unsigned reps, gpu_timed *record, unsigned stages, const void *of,
                             double *us);

/* That median alone. */
double gpu_timing_all_us(gpu_timing *timing, unsigned reps, gpu_timed *record, unsigned stages, const void *of);

/* us[k]: the median of stage k. */
void gpu_timing_stages_us(const gpu_timing *timing, unsigned reps, gpu_timed *record, unsigned stages, const void *of,
                          double *us);

/* Copies from the host to the device, and back. */
void gpu_timing_upload(const gpu_timing *timing, const void *from, uint64_t bytes, const pmi_buffer *to);
void gpu_timing_download(const gpu_timing *timing, const pmi_buffer *from, uint64_t bytes, void *to);

#endif
