/* SPDX-License-Identifier: Apache-2.0 */
/* Products of clips, four side by side. */
#include "cpu/box_open.h"

/* The product of so many survivors, from the last of them, as in the scene. */
static pm_reach multiply(const pm_scene *scene, const uint32_t *survivors, size_t count) {
    enum {
        SIDE_BY_SIDE = 4
    };
    const pm_reach everything = pm_reach_of(&pm_box_everything);
    pm_reach product[SIDE_BY_SIDE] = {everything, everything, everything, everything};
#pragma GCC unroll 4
    for (size_t k = 0; k < count; k++) {
        const uint32_t node = survivors[count - 1 - k];
        const pm_reach factor = pm_reach_greatest(pm_reach_of(&scene->boxes[node]), pm_open_least(scene->kinds[node]));
        product[k % SIDE_BY_SIDE] = pm_reach_least(product[k % SIDE_BY_SIDE], factor);
    }
    return pm_reach_least(pm_reach_least(product[0], product[1]), pm_reach_least(product[2], product[3]));
}

void pm_open_find_steps(const pm_scene *scene, const pm_slice_effect *effect, pm_open_slice *slice) {
    pm_reach product = pm_reach_of(&pm_box_everything);
    for (size_t below = 0; slice->clips && below < effect->open; below += PM_OPEN_BLOCK) {
        const size_t left = effect->open - below, count = left < PM_OPEN_BLOCK ? left : PM_OPEN_BLOCK;
        pm_reach_store(product, &slice->steps[below / PM_OPEN_BLOCK]);
        product = pm_reach_least(product, multiply(scene, effect->survivors + left - count, count));
    }
    pm_reach_store(product, &slice->all);
}

pm_box pm_open_product(const pm_open *open, pm_portion lowest) {
    const pm_slice_effect *const effect = &open->effect[lowest.slice];
    const pm_open_slice *const slice = &open->slice[lowest.slice];
    if (lowest.count == 0 || !slice->clips)
        return pm_box_everything;
    if (lowest.count == effect->open)
        return slice->all;
    const size_t below = lowest.count / PM_OPEN_BLOCK * PM_OPEN_BLOCK;
    const pm_reach others =
        multiply(open->scene, effect->survivors + effect->open - lowest.count, lowest.count - below);
    return pm_reach_box(pm_reach_least(pm_reach_of(&slice->steps[below / PM_OPEN_BLOCK]), others));
}
