/* SPDX-License-Identifier: Apache-2.0 */
/* The pipeline `wide` with other shaders than the library's, for comparing kernels in one run. */
#ifndef PM_BENCH_GPU_VARIANT_H
#define PM_BENCH_GPU_VARIANT_H

#include "gpu/pipeline.h"

/* `wide` with the shaders that lie in the folder, named as shaders/compile.sh names its binaries, and its own in place
 * of those that do not. Stops the program if there are none, or one is not possible. For pm_pipeline_destroy(). */
void gpu_variant_create(const pm_device *device, const char *folder, pm_pipeline *pipeline);

#endif
