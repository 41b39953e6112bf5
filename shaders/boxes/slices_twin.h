/* SPDX-License-Identifier: Apache-2.0 */
/* The stages of short scenes in C, one element after the other: addresses are the host's. For tests. */
#ifndef PM_SHADERS_BOXES_SLICES_TWIN_H
#define PM_SHADERS_BOXES_SLICES_TWIN_H

#include "shaders/shared/parameters.h"

/* Of all slices, of so many elements each. */
void pmi_boxes_slices_reduce_twin(const pmi_boxes_slices_parameters *parameters, uint32_t slice);
void pmi_boxes_slices_match_twin(const pmi_boxes_slices_parameters *parameters, uint32_t slice);
void pmi_boxes_slices_fix_twin(const pmi_boxes_slices_parameters *parameters, uint32_t slice);

#endif
