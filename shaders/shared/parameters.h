/* SPDX-License-Identifier: Apache-2.0 */
/* The shaders' parameters as C structures. */
#ifndef PM_SHADERS_SHARED_PARAMETERS_H
#define PM_SHADERS_SHARED_PARAMETERS_H

#include <stdint.h>

#include "parenmatch/monoid/layout.h"
#include "shaders/boxes/layout.h"
#include "shaders/delimiters/tokenizer.h"
#include "shaders/find/pfac.h"
#include "shaders/json/layout.h"
#include "shaders/match/plan.h"
#include "shaders/shared/layout.h"
#include "shaders/trees/nodes_layout.h"

#define PM_ADDRESS(type, name) uint64_t name;
#define PM_UINT(name) uint32_t name;

typedef struct pmi_levels_parameters {
    PM_LEVELS_PARAMETERS(PM_ADDRESS, PM_UINT, PM_UINT)
} pmi_levels_parameters;

typedef struct pmi_planner_parameters {
    PM_PLANNER_PARAMETERS(PM_ADDRESS, PM_UINT)
    pmi_plan_task task;
} pmi_planner_parameters;

typedef struct pmi_partition_parameters {
    PM_PARTITION_PARAMETERS(PM_ADDRESS, PM_UINT)
} pmi_partition_parameters;

typedef struct pmi_lookback_parameters {
    PM_LOOKBACK_PARAMETERS(PM_ADDRESS, PM_UINT)
} pmi_lookback_parameters;

#define PM_PART(type, name) uint32_t name##_part;

typedef struct pmi_boxes_parameters {
    PM_BOXES_PARAMETERS(PM_ADDRESS, PM_PART, PM_UINT)
} pmi_boxes_parameters;

typedef struct pmi_boxes_order_parameters {
    PM_BOXES_ORDER_PARAMETERS(PM_ADDRESS, PM_PART, PM_UINT)
} pmi_boxes_order_parameters;

typedef struct pmi_boxes_slices_parameters {
    PM_BOXES_SLICES_PARAMETERS(PM_ADDRESS, PM_PART, PM_UINT)
} pmi_boxes_slices_parameters;

typedef struct pmi_boxes_floor_parameters {
    PM_BOXES_FLOOR_PARAMETERS(PM_ADDRESS, PM_UINT)
} pmi_boxes_floor_parameters;

typedef struct pmi_pfac_parameters {
    PM_PFAC_PARAMETERS(PM_ADDRESS, PM_UINT)
} pmi_pfac_parameters;

typedef struct pmi_nodes_parameters {
    PM_NODES_PARAMETERS(PM_ADDRESS, PM_UINT)
} pmi_nodes_parameters;

typedef struct pmi_monoid_parameters {
    PM_MONOID_PARAMETERS(PM_ADDRESS, PM_UINT)
} pmi_monoid_parameters;

typedef struct pmi_structure_parameters {
    PM_STRUCTURE_PARAMETERS(PM_ADDRESS, PM_UINT)
} pmi_structure_parameters;

typedef struct pmi_structure_letters_parameters {
    PM_STRUCTURE_LETTERS_PARAMETERS(PM_ADDRESS, PM_UINT)
} pmi_structure_letters_parameters;

typedef struct pmi_structure_names_parameters {
    PM_STRUCTURE_NAMES_PARAMETERS(PM_ADDRESS, PM_UINT)
} pmi_structure_names_parameters;

typedef struct pmi_index_parameters {
    PM_INDEX_PARAMETERS(PM_ADDRESS, PM_UINT)
} pmi_index_parameters;

typedef struct pmi_verify_parameters {
    PM_VERIFY_PARAMETERS(PM_ADDRESS, PM_UINT)
} pmi_verify_parameters;

typedef struct pmi_floor_parameters {
    PM_FLOOR_PARAMETERS(PM_ADDRESS, PM_UINT)
} pmi_floor_parameters;

typedef struct pmi_floor_read_parameters {
    PM_FLOOR_READ_PARAMETERS(PM_ADDRESS, PM_UINT)
} pmi_floor_read_parameters;

#undef PM_ADDRESS
#undef PM_PART
#undef PM_UINT

#endif
