/* SPDX-License-Identifier: Apache-2.0 */
/* Pipelines with other shaders than the library's, for comparing kernels in one run. */
#ifndef PM_BENCH_GPU_VARIANT_H
#define PM_BENCH_GPU_VARIANT_H

#include "gpu/match/pipeline.h"

/* The words of the shader NAME_subgroup.spv, or NAME_workgroup.spv, as the device's teams are, of a folder of
 * shaders/compile.sh's binaries, for free(). NULL if it is not there; stops the program if it cannot be read. */
uint32_t *gpu_variant_read(const pmi_device *device, const char *folder, const char *name, size_t *bytes);

/* `levels` with the shaders that lie in the folder, named as shaders/compile.sh names its binaries, and its own in
 * place of those that do not. Stops the program if there are none, or one is not possible. For pmi_pipeline_destroy().
 */
void gpu_variant_create(const pmi_device *device, const char *folder, pmi_pipeline *pipeline);

#endif
