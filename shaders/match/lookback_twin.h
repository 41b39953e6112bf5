/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The shaders of `lookback` in C, for tests: each does what the shader of that name does to the same buffers, whose
 * addresses are the host's, for all partitions, which have so many elements. Nobody stalls here.
 */
#ifndef PM_SHADERS_MATCH_LOOKBACK_TWIN_H
#define PM_SHADERS_MATCH_LOOKBACK_TWIN_H

#include "shaders/shared/parameters.h"

void pmi_lookback_clear_twin(const pmi_lookback_parameters *parameters);
void pmi_lookback_match_twin(const pmi_lookback_parameters *parameters, uint32_t elements);

#endif
