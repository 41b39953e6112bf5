/* SPDX-License-Identifier: Apache-2.0 */
/* What a slice of a scene does to the stack, from its kinds alone. */
#ifndef PM_CPU_BOXES_REDUCE_H
#define PM_CPU_BOXES_REDUCE_H

#include "cpu/slice_stack.h"

/*
 * Fills in close, open and survivors for the elements begin ... end - 1; false for a kind that is none. `survivors` has
 * room for end - begin indices.
 */
bool pmi_box_reduce(const uint8_t *kinds, size_t begin, size_t end, uint32_t *survivors, pmi_slice_effect *effect);

#endif
