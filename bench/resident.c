/* SPDX-License-Identifier: Apache-2.0 */
/* On the bed of the GPU's own benchmark. */
#include "bench/resident.h"

#include <stdlib.h>
#include <string.h>

#include "bench/gpu/match_fixture.h"
#include "gpu/match/pipeline_choice.h"

static bool cpu_device_will_do(void) {
    const char *const value = getenv("PARENMATCH_ALLOW_CPU_DEVICE");
    return value && strcmp(value, "1") == 0;
}

size_t resident_open(size_t n) {
    const pmi_gpu_settings settings = {.allow_cpu_device = cpu_device_will_do()};
    const uint32_t most = n < UINT32_MAX ? (uint32_t)n : UINT32_MAX;
    return gpu_bed_open(&settings, NULL, most) == PM_OK ? most : 0;
}

void resident_close(void) {
    gpu_bed_close();
}

void resident_load(const uint64_t *parens, size_t n) {
    gpu_bed_load(parens, (uint32_t)n);
}

size_t resident_chosen(size_t n) {
    const pmi_pipeline_id id = pmi_pipeline_fastest(gpu_bed_device()->can.type, n);
    return resident_takes(id, n) ? id : PM_PIPELINE_LEVELS;
}

static const pmi_pipeline *pipeline_of(size_t pipeline, size_t n) {
    return pipeline == RESIDENT_FLOOR ? NULL : gpu_bed_pipeline((pmi_pipeline_id)pipeline, (uint32_t)n);
}

bool resident_takes(size_t pipeline, size_t n) {
    return pipeline_of(pipeline, n) != NULL;
}

bool resident_is_right(size_t pipeline, size_t n) {
    return gpu_bed_wrong(pipeline_of(pipeline, n), (uint32_t)n) == 0;
}

/* How many repetitions the seconds allow, if one takes so many microseconds. */
static unsigned repetitions_in(struct sampling sampling, double us) {
    const double fitting = sampling.repetitions ? sampling.repetitions : sampling.seconds * 1e6 / us;
    return fitting < 3 ? 3 : fitting < GPU_BED_REPETITIONS ? (unsigned)fitting : GPU_BED_REPETITIONS;
}

struct distribution resident_time(size_t pipeline, size_t n, struct sampling sampling, unsigned *repetitions) {
    double times[GPU_BED_REPETITIONS];
    gpu_bed_time(pipeline_of(pipeline, n), (uint32_t)n, 1, times);
    *repetitions = repetitions_in(sampling, times[0]);
    gpu_bed_time(pipeline_of(pipeline, n), (uint32_t)n, *repetitions, times);
    for (unsigned r = 0; r < *repetitions; r++)
        times[r] *= 1e3;
    return distribution_of(times, *repetitions);
}
