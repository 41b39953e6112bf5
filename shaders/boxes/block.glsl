/* SPDX-License-Identifier: Apache-2.0 */
/* The teams of a workgroup together: a block of tiles, one for each invocation. */

#define BLOCK gl_WorkGroupSize.x /* a power of two */
#define mine (team * PM_LANES + lane) /* my tile in the block */

shared ivec2 team_sums[PM_TEAMS_MAX];

/* The sums of .x and of .y of all invocations. */
ivec2 block_add(ivec2 given) {
    const ivec2 of_mine = ivec2(lanes_add(uint(given.x)), lanes_add(uint(given.y)));
    if (lane == 0)
        team_sums[team] = of_mine;
    barrier();
    const ivec2 of_team = lane < teams ? team_sums[lane % PM_TEAMS_MAX] : ivec2(0);
    const ivec2 all = ivec2(lanes_add(uint(of_team.x)), lanes_add(uint(of_team.y)));
    barrier();
    return all;
}

/* The sum of .x, and all bits of .y, of all invocations; before: the sum of .x of those before this one. */
ivec2 block_sum(ivec2 given, out int before) {
    const int up_to = int(lanes_inclusive_add(uint(given.x)));
    const int has = (lanes_ballot((given.y & 1) != 0) != 0 ? 1 : 0) | (lanes_ballot((given.y & 2) != 0) != 0 ? 2 : 0);
    if (lane == PM_LANES - 1)
        team_sums[team] = ivec2(up_to, has);
    barrier();
    const ivec2 of_team = lane < teams ? team_sums[lane % PM_TEAMS_MAX] : ivec2(0);
    before = int(lanes_add(lane < team ? uint(of_team.x) : 0)) + up_to - given.x;
    const int all_has = (lanes_ballot((of_team.y & 1) != 0) != 0 ? 1 : 0) |
                        (lanes_ballot((of_team.y & 2) != 0) != 0 ? 2 : 0);
    const int all = int(lanes_add(uint(of_team.x)));
    barrier();
    return ivec2(all, all_has);
}
