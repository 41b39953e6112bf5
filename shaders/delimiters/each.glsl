/* SPDX-License-Identifier: Apache-2.0 */
/* A stage that does something to each token. */
void token_do(uint token);

void main() {
    const pmi_plan own = plan.at[0];
    const uint begin = gl_WorkGroupID.x * own.per_group, end = min(begin + own.per_group, own.count);
    for (uint unit = begin; unit < end; unit++)
        for (uint k = 0; k < PM_TILE; k += PM_STRUCTURE_LANES) {
            const uint token = (own.first + unit) * PM_TILE + k + lane;
            if (token < own.n)
                token_do(token);
        }
}
