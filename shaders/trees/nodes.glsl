/* SPDX-License-Identifier: Apache-2.0 */
/* The parameters of the stages that number nodes, and their input as words of 32 elements. */
#include "shaders/shared/buffers.glsl"
#include "shaders/shared/layout.h"
#include "shaders/trees/nodes_layout.h"

layout(local_size_x = PM_NODES_WORKGROUP) in;
#define me gl_LocalInvocationIndex

PM_BUFFER(pm_words, uint, 4);

PM_PUSHED(PM_NODES_PARAMETERS);

/* Word `index` of the sequence, in which no element past n is an open. */
uint parens_word(uint index) {
    if (index < n / 32)
        return parens.at[index];
    return index == n / 32 && n % 32 != 0 ? parens.at[index] & (1u << n % 32) - 1u : 0;
}

shared uint block_sums[PM_NODES_WORKGROUP];

/* The sum of what the workgroup's invocations up to this one give. */
uint block_sum_up_to(uint given) {
    uint sum = given;
    for (uint by = 1; by < PM_NODES_WORKGROUP; by *= 2) {
        block_sums[me] = sum;
        barrier();
        sum += me >= by ? block_sums[me - by] : 0;
        barrier();
    }
    return sum;
}
