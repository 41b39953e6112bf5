/* SPDX-License-Identifier: Apache-2.0 */
/* Which pipeline is the fastest for n elements, by the kind of device. */
#ifndef PM_GPU_PIPELINE_CHOICE_H
#define PM_GPU_PIPELINE_CHOICE_H

#include <stddef.h>

#include "gpu/pipeline_list.h"
#include "gpu/vulkan.h"

pm_pipeline_id pm_pipeline_fastest(VkPhysicalDeviceType type, size_t n);

#endif
