/* SPDX-License-Identifier: Apache-2.0 */
/* Plans the dispatches of a stage for a sequence whose length is on the device: an invocation a dispatch. */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shaders/buffers.glsl"
#include "shaders/layout.h"
#include "shaders/plan.h"

layout(local_size_x = PM_LANES) in;
readonly PM_BUFFER(pm_words, uint, 4);
writeonly PM_BUFFER(pm_plans, pm_plan, 4);
layout(push_constant, std430) uniform pm_planner_parameters {
    PM_PLANNER_PARAMETERS(PM_ADDRESS, PM_UINT)
    pm_plan_task task;
};

void main() {
    const uint elements = min(length.at[0], n);
    const uint dispatches = task.dispatches + task.dispatches_last;
    for (uint k = gl_LocalInvocationIndex; k < dispatches; k += PM_LANES)
        plans.at[k] = pm_plan_make(task, elements, k);
}
