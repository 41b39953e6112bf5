/* SPDX-License-Identifier: Apache-2.0 */
/* A device, commands on it that the host waits for, and times by the device's own clock. Any failure ends the program.
 */
#ifndef PM_BENCH_GPU_TIMING_H
#define PM_BENCH_GPU_TIMING_H

#include "bench/machine.h"
#include "gpu/device/memory.h"

enum {
    GPU_REPETITIONS_MOST = 100,
    WARM_UP = 3,            /* repetitions */
    TIMED_STAGES_MOST = 11, /* of a repetition */
    CLOCK_READINGS = (TIMED_STAGES_MOST + 1) * (GPU_REPETITIONS_MOST + WARM_UP),
    STAGING_BYTES = 1 << 26
};

typedef struct gpu_timing {
    pmi_device device;
    VkCommandPool pool;
    VkCommandBuffer commands;
    VkFence fence;
    VkQueryPool clock;
    pmi_buffer staging; /* STAGING_BYTES that host and device see */
    double idle_since;  /* milliseconds */
} gpu_timing;

/* What a row of a table says. host_us = 0: the table has no times from host to host. */
typedef struct gpu_times {
    unsigned stages;
    double stage_us[TIMED_STAGES_MOST]; /* medians; NaN: not timed */
    double all_us, floor_us, host_us;
} gpu_times;

/* Records stage `stage` of what is timed. */
typedef void gpu_timed(unsigned stage, const void *of);

/* Opens a device. gpu_timing_try() returns PM_NO_DEVICE if no device has a clock, PM_OUT_OF_MEMORY if it cannot be
 * opened; gpu_timing_open() ends the program then. */
pm_status gpu_timing_try(const pmi_gpu_settings *settings, gpu_timing *timing);
void gpu_timing_open(const pmi_gpu_settings *settings, gpu_timing *timing);
void gpu_timing_close(gpu_timing *timing);

/* Commands are recorded between the two; the second waits until they have ended. */
void gpu_timing_begin(const gpu_timing *timing);
void gpu_timing_run(const gpu_timing *timing);

/* Records all stages once, and waits for them. */
void gpu_timing_once(const gpu_timing *timing, gpu_timed *record, unsigned stages, const void *of);

/* Records a barrier between shaders. */
void gpu_timing_barrier(const gpu_timing *timing);

/* Microseconds of all stages together, with a barrier after each: sorted, repetitions of them. Repeats them until the
 * device has reached its lasting clock rate, that is, until they get no faster. Returns the smallest median seen. */
double gpu_timing_settled_us(gpu_timing *timing, unsigned reps, gpu_timed *record, unsigned stages, const void *of,
                             double *us);

/* Returns the same median, without the times. */
double gpu_timing_all_us(gpu_timing *timing, unsigned reps, gpu_timed *record, unsigned stages, const void *of);

/* Writes the median of stage k to us[k]. */
void gpu_timing_stages_us(const gpu_timing *timing, unsigned reps, gpu_timed *record, unsigned stages, const void *of,
                          double *us);

/* The last two together: fills in all but the floor and the host. */
gpu_times gpu_timing_take(gpu_timing *timing, unsigned reps, gpu_timed *record, unsigned stages, const void *of);

/* Returns the median of reading that many bytes, the floor of what tokenizes or searches a text. `to` has 16 bytes. */
double gpu_timing_read_us(gpu_timing *timing, unsigned reps, const pmi_buffer *from, uint32_t bytes,
                          const pmi_buffer *to);

/* Makes room on the device: at least `bytes`. */
void gpu_timing_reserve(const gpu_timing *timing, uint64_t bytes, pmi_buffer *buffer);

/* Copies from the host to the device, and back. */
void gpu_timing_upload(const gpu_timing *timing, const void *from, uint64_t bytes, const pmi_buffer *to);
void gpu_timing_download(const gpu_timing *timing, const pmi_buffer *from, uint64_t bytes, void *to);

/* Does the buffer begin with these bytes? */
bool gpu_timing_holds(const gpu_timing *timing, const pmi_buffer *buffer, const void *wanted, uint64_t bytes);

#endif
