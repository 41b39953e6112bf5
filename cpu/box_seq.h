/* SPDX-License-Identifier: Apache-2.0 */
/* The boxes of a scene on one thread. Arguments are the public functions', already checked; n > 0. */
#ifndef PM_CPU_BOX_SEQ_H
#define PM_CPU_BOX_SEQ_H

#include "cpu/box_walk.h"

/* PM_INVALID_ARGUMENT for a kind that is none. PM_OUT_OF_MEMORY is possible. */
pm_status pm_box_sequential(const pm_allocator *allocator, const pm_scene *scene);

#endif
