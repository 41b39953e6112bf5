/* SPDX-License-Identifier: Apache-2.0 */
/* Looking at a monoid's SPIR-V before a driver does. */
#ifndef PM_GPU_TREES_MONOID_CODE_H
#define PM_GPU_TREES_MONOID_CODE_H

#include "parenmatch.h"

/* Is it SPIR-V that was made with this edition of parenmatch/monoid.glsl, and has an array of values of this size? What
 * else it does is not looked at. */
bool pmi_monoid_code_is_fine(const pm_gpu_monoid *monoid);

#endif
