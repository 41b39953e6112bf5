/* SPDX-License-Identifier: Apache-2.0 */
/* pm_match_gpu() as its callers see it: from host memory to host memory, by the host's clock. */
#ifndef PM_BENCH_GPU_HOST_H
#define PM_BENCH_GPU_HOST_H

#include "bench/gpu/options.h"

/* The median time, in microseconds, of the repetitions asked for; every match is verified. Stops the program where a
 * call fails or is wrong. The match is written before the clock starts, so that its pages are there. */
double gpu_host_us(const gpu_options *options, const uint64_t *parens, uint32_t n);

#endif
