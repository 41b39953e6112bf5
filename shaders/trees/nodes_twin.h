/* SPDX-License-Identifier: Apache-2.0 */
/* The stages that number nodes in C, one element after the other: addresses are the host's. For tests. */
#ifndef PM_SHADERS_TREES_NODES_TWIN_H
#define PM_SHADERS_TREES_NODES_TWIN_H

#include "shaders/shared/parameters.h"

/* Of all blocks; match begins with the first element's. */
void pmi_nodes_count_twin(const pmi_nodes_parameters *parameters);
void pmi_nodes_scan_twin(const pmi_nodes_parameters *parameters);
void pmi_nodes_rank_twin(const pmi_nodes_parameters *parameters);
void pmi_nodes_link_twin(const pmi_nodes_parameters *parameters);

#endif
