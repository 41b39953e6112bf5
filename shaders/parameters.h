/* SPDX-License-Identifier: Apache-2.0 */
/* The shaders' parameters as C structures. */
#ifndef PM_SHADERS_PARAMETERS_H
#define PM_SHADERS_PARAMETERS_H

#include <stdint.h>

#include "parenmatch/monoid/layout.h"
#include "shaders/boxes_layout.h"
#include "shaders/layout.h"
#include "shaders/nodes_layout.h"
#include "shaders/pfac.h"
#include "shaders/plan.h"
#include "shaders/structure.h"

#define PM_ADDRESS(type, name) uint64_t name;
#define PM_UINT(name) uint32_t name;

typedef struct pm_wide_parameters {
    PM_WIDE_PARAMETERS(PM_ADDRESS, PM_UINT, PM_UINT)
} pm_wide_parameters;

typedef struct pm_planner_parameters {
    PM_PLANNER_PARAMETERS(PM_ADDRESS, PM_UINT)
    pm_plan_task task;
} pm_planner_parameters;

typedef struct pm_partition_parameters {
    PM_PARTITION_PARAMETERS(PM_ADDRESS, PM_UINT)
} pm_partition_parameters;

typedef struct pm_lookback_parameters {
    PM_LOOKBACK_PARAMETERS(PM_ADDRESS, PM_UINT)
} pm_lookback_parameters;

#define PM_PART(type, name) uint32_t name##_part;

typedef struct pm_boxes_parameters {
    PM_BOXES_PARAMETERS(PM_ADDRESS, PM_PART, PM_UINT)
} pm_boxes_parameters;

typedef struct pm_boxes_order_parameters {
    PM_BOXES_ORDER_PARAMETERS(PM_ADDRESS, PM_PART, PM_UINT)
} pm_boxes_order_parameters;

typedef struct pm_boxes_slices_parameters {
    PM_BOXES_SLICES_PARAMETERS(PM_ADDRESS, PM_PART, PM_UINT)
} pm_boxes_slices_parameters;

typedef struct pm_boxes_floor_parameters {
    PM_BOXES_FLOOR_PARAMETERS(PM_ADDRESS, PM_UINT)
} pm_boxes_floor_parameters;

typedef struct pm_pfac_parameters {
    PM_PFAC_PARAMETERS(PM_ADDRESS, PM_UINT)
} pm_pfac_parameters;

typedef struct pm_nodes_parameters {
    PM_NODES_PARAMETERS(PM_ADDRESS, PM_UINT)
} pm_nodes_parameters;

typedef struct pm_monoid_parameters {
    PM_MONOID_PARAMETERS(PM_ADDRESS, PM_UINT)
} pm_monoid_parameters;

typedef struct pm_structure_parameters {
    PM_STRUCTURE_PARAMETERS(PM_ADDRESS, PM_UINT)
} pm_structure_parameters;

typedef struct pm_structure_letters_parameters {
    PM_STRUCTURE_LETTERS_PARAMETERS(PM_ADDRESS, PM_UINT)
} pm_structure_letters_parameters;

typedef struct pm_structure_names_parameters {
    PM_STRUCTURE_NAMES_PARAMETERS(PM_ADDRESS, PM_UINT)
} pm_structure_names_parameters;

typedef struct pm_verify_parameters {
    PM_VERIFY_PARAMETERS(PM_ADDRESS, PM_UINT)
} pm_verify_parameters;

typedef struct pm_floor_parameters {
    PM_FLOOR_PARAMETERS(PM_ADDRESS, PM_UINT)
} pm_floor_parameters;

typedef struct pm_floor_read_parameters {
    PM_FLOOR_READ_PARAMETERS(PM_ADDRESS, PM_UINT)
} pm_floor_read_parameters;

#undef PM_ADDRESS
#undef PM_PART
#undef PM_UINT

#endif
