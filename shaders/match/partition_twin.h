/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The shaders of `simple`, `work-efficient` and `direct` in C, for tests: each does what the shader of that name does
 * to the same buffers, whose addresses are the host's, for all partitions, which have so many elements.
 */
#ifndef PM_SHADERS_MATCH_PARTITION_TWIN_H
#define PM_SHADERS_MATCH_PARTITION_TWIN_H

#include "shaders/shared/parameters.h"

void pmi_partition_reduce_twin(const pmi_partition_parameters *parameters, uint32_t elements);
void pmi_partition_match_twin(const pmi_partition_parameters *parameters, uint32_t elements);

#endif
