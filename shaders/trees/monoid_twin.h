/* SPDX-License-Identifier: Apache-2.0 */
/* The stages of parenmatch/monoid.glsl in C, one node after the other: addresses are the host's. For tests. */
#ifndef PM_SHADERS_TREES_MONOID_TWIN_H
#define PM_SHADERS_TREES_MONOID_TWIN_H

#include "parenmatch.h"
#include "shaders/shared/parameters.h"

/* A stage, PM_MONOID_..., of all tiles of so many nodes each. */
void pmi_monoid_twin(const pmi_monoid_parameters *parameters, const pm_monoid *monoid, uint32_t tile_nodes,
                     uint32_t stage);

#endif
