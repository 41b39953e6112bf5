/* SPDX-License-Identifier: Apache-2.0 */
/* Matching with the data on a device already: what suites ask of it, in builds without a GPU backend, too. */
#ifndef PM_BENCH_RESIDENT_H
#define PM_BENCH_RESIDENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench/timing.h"

#define RESIDENT_FLOOR SIZE_MAX /* instead of a pipeline: writing the match and nothing else */

/* Room on the device for n elements, or for as many as it can have, which is returned; 0: there is no device. */
size_t resident_open(size_t n);
void resident_close(void);

/* The sequence that is matched from now on. */
void resident_load(const uint64_t *parens, size_t n);

/* The index, as of pm_pipeline_at(), of the pipeline that the library chooses for n elements on the device. */
size_t resident_chosen(size_t n);

/* Does the pipeline take so many elements? */
bool resident_takes(size_t pipeline, size_t n);

/* Is its match of what is loaded right? */
bool resident_is_right(size_t pipeline, size_t n);

/* Nanoseconds, by the device's clock. */
struct distribution resident_time(size_t pipeline, size_t n, struct sampling sampling, unsigned *repetitions);

#endif
