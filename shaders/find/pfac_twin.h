/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The shaders of PFAC in C, for tests: each does what the shader of that name does to the same buffers, whose addresses
 * are the host's. Where a stage of the device is wrong, its buffers differ from its twin's.
 */
#ifndef PM_SHADERS_FIND_PFAC_TWIN_H
#define PM_SHADERS_FIND_PFAC_TWIN_H

#include "shaders/shared/parameters.h"

/* For all groups. Bits of tiles without hits are not written. */
void pmi_pfac_search_twin(const pmi_pfac_parameters *parameters);
void pmi_pfac_scan_twin(const pmi_pfac_parameters *parameters);
void pmi_pfac_write_twin(const pmi_pfac_parameters *parameters);

#endif
