/* SPDX-License-Identifier: Apache-2.0 */
/* The pipelines by name. Known in builds without Vulkan, too. */
#ifndef PM_GPU_MATCH_PIPELINE_LIST_H
#define PM_GPU_MATCH_PIPELINE_LIST_H

#include <stdbool.h>

/* X(ID, name, description); first the one that any length and device will do for. */
#define PM_PIPELINE_LIST(X)                                                                                            \
    X(LEVELS, "levels", "any length: tiles of 1024, a tree of least levels, the stack by level")                       \
    X(DIRECT, "direct", "65536 elements or less at once: every workgroup reduces the whole sequence itself")           \
    X(SIMPLE, "simple", "one element an invocation, two dispatches (Levien's section 6)")                              \
    X(WORK_EFFICIENT, "work-efficient", "several elements an invocation, two dispatches (Levien's section 7)")         \
    X(LOOKBACK, "lookback", "one pass, looking back over partitions (Levien's stack monoid revisited)")

typedef enum pmi_pipeline_id {
#define PM_PIPELINE_ENUM(id, name, description) PM_PIPELINE_##id,
    PM_PIPELINE_LIST(PM_PIPELINE_ENUM)
#undef PM_PIPELINE_ENUM
    PM_PIPELINES
} pmi_pipeline_id;

/* False for a name that is none. */
bool pmi_pipeline_by_name(const char *name, pmi_pipeline_id *id);

#endif
