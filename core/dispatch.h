/* SPDX-License-Identifier: Apache-2.0 */
/* What the context asks of the one file that knows the backends, and what that asks of core/match_auto.c. */
#ifndef PM_CORE_DISPATCH_H
#define PM_CORE_DISPATCH_H

#include "parenmatch.h"

struct pm_engine;

/* The engine that pm_options.simd names; NULL for NULL. PM_INVALID_ARGUMENT for an unknown name, PM_UNSUPPORTED for one
 * that this CPU lacks. */
pm_status pm_engine_choose(const char *name, const struct pm_engine **engine);

/* The number of the pipeline that pm_options.pipeline names; their count, for a choice by n, for NULL.
 * PM_INVALID_ARGUMENT for an unknown name. */
pm_status pm_pipeline_choose(const char *name, unsigned *pipeline);

/* The engine that a context uses. */
const struct pm_engine *pm_engine_of(const pm_context *context);

/* As pm_match_auto(): by the function that is predicted to be the fastest. */
pm_status pm_match_chosen(pm_context *context, const uint64_t *parens, size_t n, uint32_t *match, pm_bic *total);

/* Threads that pm_match_omp() would use for n elements. */
unsigned pm_threads_of(const pm_context *context, size_t n);

/* Opens the context's device, if no call has done so yet; as pm_match_gpu(). */
pm_status pm_context_gpu_open(pm_context *context);

/* Of the device that is open its UUID and its driver's version, and its kind; "" if none is. */
const char *pm_context_gpu_key(const pm_context *context);
const char *pm_context_gpu_kind(const pm_context *context);

/* Matches as pm_match_gpu() does, with 0 < n < 2^32, but leaves the match on the device; parens NULL: what the last
 * call has brought there, of as many elements. For measuring. */
pm_status pm_context_gpu_match_there(pm_context *context, const uint64_t *parens, size_t n);

/* Closes the device that the context has opened, if it has. */
void pm_context_gpu_close(pm_context *context);

#endif
