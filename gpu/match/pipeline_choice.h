/* SPDX-License-Identifier: Apache-2.0 */
/* Which pipeline is the fastest for n elements, by the kind of device. */
#ifndef PM_GPU_MATCH_PIPELINE_CHOICE_H
#define PM_GPU_MATCH_PIPELINE_CHOICE_H

#include <stddef.h>

#include "gpu/device/vulkan.h"
#include "gpu/match/pipeline_list.h"

pmi_pipeline_id pmi_pipeline_fastest(VkPhysicalDeviceType type, size_t n);

#endif
