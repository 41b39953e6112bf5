/* SPDX-License-Identifier: Apache-2.0 */
/* The table of choices, as measured; docs/results/choosing.md has the times behind it. */
#include "gpu/match/pipeline_choice.h"

#include <stdint.h>

/* Up to so many elements, of those that are left; past all bounds it is the default. */
typedef struct bound {
    size_t most;
    pmi_pipeline_id pipeline;
} bound;

/* A launch takes some microseconds and a barrier nearly as much: one dispatch, as long as one can do it; one workgroup
 * for as many elements as it can hold. */
static const bound of_gpus[] = {{1u << 12, PM_PIPELINE_WORK_EFFICIENT}, {1u << 16, PM_PIPELINE_DIRECT}, {0}};

/* One core after another does all work, so the least work is the fastest: the sequence read once. Its scratch is 4
 * bytes an element, of the host's memory, and so goes no further than 64 MiB. */
static const bound of_cpus[] = {{1u << 11, PM_PIPELINE_WORK_EFFICIENT}, {1u << 24, PM_PIPELINE_LOOKBACK}, {0}};

static const bound *bounds_of(VkPhysicalDeviceType type) {
    return type == VK_PHYSICAL_DEVICE_TYPE_CPU ? of_cpus : of_gpus;
}

pmi_pipeline_id pmi_pipeline_fastest(VkPhysicalDeviceType type, size_t n) {
    for (const bound *b = bounds_of(type); b->most > 0; b++)
        if (n <= b->most)
            return b->pipeline;
    return PM_PIPELINE_LEVELS;
}
