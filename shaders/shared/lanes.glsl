/* SPDX-License-Identifier: Apache-2.0 */
/*
 * 32 lanes that work together (a team), in two ways with the same names:
 *   PM_TEAM_IS_SUBGROUP  a subgroup of exactly 32 invocations; a workgroup has one or more teams. Asks the device for a
 *                        subgroup size of 32 and full subgroups.
 *   otherwise            a workgroup of 32 invocations, which meet at barriers and exchange values in its memory. Asks
 *                        for nothing, and is right for subgroups of every size.
 * All 32 lanes must come to each of these functions together.
 *   PM_TEAMS_TOGETHER    a workgroup has this many invocations in either way, and all of them come to each function together.
 */
#include "shaders/shared/layout.h"

#ifdef PM_TEAM_IS_SUBGROUP

#extension GL_EXT_control_flow_attributes : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_shuffle_relative : require

layout(local_size_x_id = PM_CONSTANT_WORKGROUP) in;
#define lane gl_SubgroupInvocationID
#define team gl_SubgroupID
#define teams gl_NumSubgroups
#define PM_TEAMS_MAX 32

/* Every lane has come here, and what they wrote to the workgroup's memory is seen by all. */
void lanes_barrier() {
    controlBarrier(gl_ScopeSubgroup, gl_ScopeSubgroup, gl_StorageSemanticsShared, gl_SemanticsAcquireRelease);
}

uint lanes_shuffle(uint x, uint from) {
    return subgroupShuffle(x, from);
}

uint lanes_shuffle_up(uint x, uint by) {
    return subgroupShuffleUp(x, by);
}

/* Step by step: compilers make subgroupInclusiveAdd right for every set of active lanes, which takes several times as
 * long. */
uint lanes_inclusive_add(uint x) {
    [[unroll]] for (uint by = 1; by < PM_LANES; by *= 2) {
        const uint below = subgroupShuffleUp(x, by);
        x += lane >= by ? below : 0;
    }
    return x;
}

uint lanes_add(uint x) {
    return subgroupAdd(x);
}

uint lanes_min(uint x) {
    return subgroupMin(x);
}

int lanes_min(int x) {
    return subgroupMin(x);
}

int lanes_max(int x) {
    return subgroupMax(x);
}

uint lanes_ballot(bool x) {
    return subgroupBallot(x).x;
}

/* The least x of the lanes above; 2^32 - 1 in the highest. */
uint lanes_min_above(uint x) {
    uint least = subgroupShuffleDown(x, 1);
    least = lane == PM_LANES - 1 ? 0xffffffffu : least;
    for (uint by = 1; by < PM_LANES; by *= 2) {
        const uint above = subgroupShuffleDown(least, by);
        least = lane + by < PM_LANES ? min(least, above) : least;
    }
    return least;
}

#else

#ifdef PM_TEAMS_TOGETHER
layout(local_size_x_id = PM_CONSTANT_WORKGROUP) in;
#define lane (gl_LocalInvocationIndex % PM_LANES)
#define team (gl_LocalInvocationIndex / PM_LANES)
#define teams (PM_TEAMS_TOGETHER / PM_LANES)
#define PM_TEAMS_MAX 32
#define EXCHANGED PM_TEAMS_TOGETHER
#define EXCHANGE_OF_TEAM (exchange_turn + team * PM_LANES)
#else
layout(local_size_x = PM_LANES) in;
#define lane gl_LocalInvocationIndex
#define team 0u
#define teams 1u
#define PM_TEAMS_MAX 1
#define EXCHANGED PM_LANES
#define EXCHANGE_OF_TEAM exchange_turn
#endif

/* Two exchanges take turns: nobody writes to one before all have read it, for the other's barrier lies between. */
shared uint exchange[2 * EXCHANGED];
uint exchange_turn = 0;

void lanes_barrier() {
    barrier();
}

/* Shows x to all lanes: lane k's is exchange[returned + k]. */
uint lanes_publish(uint x) {
    exchange_turn = EXCHANGED - exchange_turn;
    exchange[EXCHANGE_OF_TEAM + lane] = x;
    barrier();
    return EXCHANGE_OF_TEAM;
}

uint lanes_shuffle(uint x, uint from) {
    return exchange[lanes_publish(x) + from % PM_LANES];
}

uint lanes_shuffle_up(uint x, uint by) {
    return lanes_shuffle(x, lane - by);
}

uint lanes_inclusive_add(uint x) {
    const uint all = lanes_publish(x);
    uint sum = 0;
    for (uint k = 0; k <= lane; k++)
        sum += exchange[all + k];
    return sum;
}

uint lanes_add(uint x) {
    const uint all = lanes_publish(x);
    uint sum = 0;
    for (uint k = 0; k < PM_LANES; k++)
        sum += exchange[all + k];
    return sum;
}

uint lanes_min(uint x) {
    const uint all = lanes_publish(x);
    uint least = x;
    for (uint k = 0; k < PM_LANES; k++)
        least = min(least, exchange[all + k]);
    return least;
}

int lanes_min(int x) {
    const uint all = lanes_publish(uint(x));
    int least = x;
    for (uint k = 0; k < PM_LANES; k++)
        least = min(least, int(exchange[all + k]));
    return least;
}

int lanes_max(int x) {
    const uint all = lanes_publish(uint(x));
    int most = x;
    for (uint k = 0; k < PM_LANES; k++)
        most = max(most, int(exchange[all + k]));
    return most;
}

uint lanes_ballot(bool x) {
    const uint all = lanes_publish(x ? 1 : 0);
    uint ballot = 0;
    for (uint k = 0; k < PM_LANES; k++)
        ballot |= exchange[all + k] << k;
    return ballot;
}

uint lanes_min_above(uint x) {
    const uint all = lanes_publish(x);
    uint least = 0xffffffffu;
    for (uint k = lane + 1; k < PM_LANES; k++)
        least = min(least, exchange[all + k]);
    return least;
}

#endif
