/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The shaders of `wide` in C, for tests: each does what the shader of that name does to the same buffers, whose
 * addresses are the host's. Where a stage of the device is wrong, its buffers differ from its twin's.
 */
#ifndef PM_SHADERS_WIDE_TWIN_H
#define PM_SHADERS_WIDE_TWIN_H

#include "shaders/parameters.h"

/* For superblocks first ... first + count - 1. */
void pm_wide_reduce_twin(const pm_wide_parameters *parameters);
void pm_wide_scan_twin(const pm_wide_parameters *parameters);
/* For tiles first ... first + count - 1. */
void pm_wide_match_twin(const pm_wide_parameters *parameters);
/* For entries first ... first + count - 1. */
void pm_wide_stack_twin(const pm_wide_parameters *parameters);

#endif
