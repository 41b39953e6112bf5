/* SPDX-License-Identifier: Apache-2.0 */
/* The stages of boxes in C, one element after the other: addresses are the host's. For tests. */
#ifndef PM_SHADERS_BOXES_TWIN_H
#define PM_SHADERS_BOXES_TWIN_H

#include "shaders/shared/parameters.h"

/* Of all tiles, with the parameters of each stage. */
void pmi_boxes_reduce_twin(const pmi_boxes_parameters *parameters);
void pmi_boxes_scan_twin(const pmi_boxes_parameters *parameters);        /* base_from receives the bases */
void pmi_boxes_order_twin(const pmi_boxes_order_parameters *parameters); /* after the scan's, of several blocks */
void pmi_boxes_match_twin(const pmi_boxes_parameters *parameters);
void pmi_boxes_fix_twin(const pmi_boxes_parameters *parameters);

#endif
