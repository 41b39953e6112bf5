/* SPDX-License-Identifier: Apache-2.0 */
/* Plans the dispatches of a stage for a sequence whose length is on the device: an invocation a dispatch. */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shaders/shared/buffers.glsl"
#include "shaders/shared/layout.h"
#include "shaders/match/plan.h"

layout(local_size_x = PM_LANES) in;
readonly PM_BUFFER(pm_words, uint, 4);
writeonly PM_BUFFER(pmi_plans, pmi_plan, 4);
layout(push_constant, std430) uniform pmi_planner_parameters {
    PM_PLANNER_PARAMETERS(PM_ADDRESS, PM_UINT)
    pmi_plan_task task;
};

void main() {
    const uint elements = min(length.at[0], n);
    const uint dispatches = task.dispatches + task.dispatches_last;
    for (uint k = gl_LocalInvocationIndex; k < dispatches; k += PM_LANES)
        plans.at[k] = pmi_plan_make(task, elements, k);
}
