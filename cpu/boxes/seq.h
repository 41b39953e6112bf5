/* SPDX-License-Identifier: Apache-2.0 */
/* The boxes of a scene on one thread. Arguments are the public functions', already checked; n > 0. */
#ifndef PM_CPU_BOXES_SEQ_H
#define PM_CPU_BOXES_SEQ_H

#include "cpu/boxes/walk.h"

/* PM_INVALID_ARGUMENT for a kind that is none. PM_OUT_OF_MEMORY is possible. */
pm_status pmi_seq_boxes(const pm_allocator *allocator, const pmi_scene *scene);

#endif
