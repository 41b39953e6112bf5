/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The shaders of `levels` in C, for tests: each does what the shader of that name does to the same buffers, whose
 * addresses are the host's. Where a stage of the device is wrong, its buffers differ from its twin's.
 */
#ifndef PM_SHADERS_MATCH_LEVELS_TWIN_H
#define PM_SHADERS_MATCH_LEVELS_TWIN_H

#include "shaders/shared/parameters.h"

/* For superblocks first ... first + count - 1. */
void pmi_levels_reduce_twin(const pmi_levels_parameters *parameters);
void pmi_levels_scan_twin(const pmi_levels_parameters *parameters);
/* For tiles first ... first + count - 1. */
void pmi_levels_match_twin(const pmi_levels_parameters *parameters);
/* For entries first ... first + count - 1. */
void pmi_levels_stack_twin(const pmi_levels_parameters *parameters);

#endif
