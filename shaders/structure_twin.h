/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The shaders of a text's structure in C, for tests: each does what the shader of that name does to the same buffers,
 * whose addresses are the host's. Where a stage of the device is wrong, its buffers differ from its twin's.
 */
#ifndef PM_SHADERS_STRUCTURE_TWIN_H
#define PM_SHADERS_STRUCTURE_TWIN_H

#include "shaders/parameters.h"

/* For all tiles. */
void pm_structure_letters_twin(const pm_structure_letters_parameters *parameters);
/* For all groups; `states` is what the kernels are made for. */
void pm_structure_reduce_twin(const pm_structure_parameters *parameters, uint32_t states);
void pm_structure_scan_twin(const pm_structure_parameters *parameters, uint32_t states);
void pm_structure_mark_twin(const pm_structure_parameters *parameters, uint32_t states);
void pm_structure_count_twin(const pm_structure_parameters *parameters);
void pm_structure_clear_twin(const pm_structure_parameters *parameters);
void pm_structure_write_twin(const pm_structure_parameters *parameters);
/* For all tokens that there is room for. */
void pm_structure_check_twin(const pm_structure_parameters *parameters);
void pm_structure_tell_twin(const pm_structure_parameters *parameters);

#endif
