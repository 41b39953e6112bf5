/* SPDX-License-Identifier: Apache-2.0 */
/* What contexts and choices ask of the files that know the backends, and what these ask of choices. */
#ifndef PM_CORE_MATCH_MATCH_H
#define PM_CORE_MATCH_MATCH_H

#include <stdbool.h>

#include "parenmatch.h"

struct pmi_engine;

/* The engine that pm_options.simd names; NULL for NULL. PM_INVALID_ARGUMENT for an unknown name, PM_UNSUPPORTED for one
 * that this CPU lacks. */
pm_status pmi_engine_choose(const char *name, const struct pmi_engine **engine);

/* The number of the pipeline that pm_options.pipeline names; their count, for a choice by n, for NULL.
 * PM_INVALID_ARGUMENT for an unknown name. */
pm_status pmi_pipeline_choose(const char *name, unsigned *pipeline);

/* The engine that a context uses. */
const struct pmi_engine *pmi_engine_of(const pm_context *context);

/* As pm_match_auto(): by the function that is predicted to be the fastest. */
pm_status pmi_match_chosen(pm_context *context, const uint64_t *parens, size_t n, uint32_t *match, pm_bic *total);

/* Threads that pm_match_omp() would use for n elements. */
unsigned pmi_threads_of(const pm_context *context, size_t n);

/* Opens the context's device, if no call has done so yet; as pm_match_gpu(). */
pm_status pmi_context_gpu_open(pm_context *context);

/* Of the device that is open its UUID and its driver's version, and its kind; "" if none is. */
const char *pmi_context_gpu_key(const pm_context *context);
const char *pmi_context_gpu_kind(const pm_context *context);

/* Matches as pm_match_gpu() does, with 0 < n < 2^32, but leaves the match on the device; parens NULL: what the last
 * call has brought there, of as many elements. For measuring. */
pm_status pmi_context_gpu_match_on_device(pm_context *context, const uint64_t *parens, size_t n);

/* As pm_box_auto(), arguments checked, n >= PM_SELECT_GPU_LEAST and a context: by a device where that is predicted to
 * be the fastest, else as pm_box_omp(). */
pm_status pmi_boxes_chosen(pm_context *context, const uint8_t *kinds, const pm_box *boxes, size_t n, pm_box *out);

/* Threads that pm_box_omp() would use for n elements. */
unsigned pmi_box_threads_of(const pm_context *context, size_t n);

/* Is a device open which has the kernels of pm_box_gpu()? */
bool pmi_context_gpu_has_boxes(const pm_context *context);

/* Closes the device that the context has opened, if it has. */
void pmi_context_gpu_close(pm_context *context);

#endif
