/* SPDX-License-Identifier: Apache-2.0 */
/* Products of clips, four interleaved. */
#include "cpu/boxes/walk.h"

/* The product of `count` survivors, from the last of them, as in the scene. */
static pmi_extent multiply(const pmi_scene *scene, const uint32_t *survivors, size_t count) {
    enum {
        SIDE_BY_SIDE = 4
    };
    const pmi_extent everything = pmi_extent_of(&pmi_box_everything);
    pmi_extent product[SIDE_BY_SIDE] = {everything, everything, everything, everything};
#pragma GCC unroll 4
    for (size_t k = 0; k < count; k++) {
        const uint32_t node = survivors[count - 1 - k];
        const pmi_extent factor =
            pmi_extent_greatest(pmi_extent_of(&scene->boxes[node]), pmi_open_min(scene->kinds[node]));
        product[k % SIDE_BY_SIDE] = pmi_extent_min(product[k % SIDE_BY_SIDE], factor);
    }
    return pmi_extent_min(pmi_extent_min(product[0], product[1]), pmi_extent_min(product[2], product[3]));
}

void pmi_open_find_steps(const pmi_scene *scene, const pmi_slice_effect *effect, pmi_open_slice *slice) {
    pmi_extent product = pmi_extent_of(&pmi_box_everything);
    for (size_t below = 0; slice->clips && below < effect->open; below += PM_OPEN_BLOCK) {
        const size_t left = effect->open - below, count = left < PM_OPEN_BLOCK ? left : PM_OPEN_BLOCK;
        pmi_extent_store(product, &slice->steps[below / PM_OPEN_BLOCK]);
        product = pmi_extent_min(product, multiply(scene, effect->survivors + left - count, count));
    }
    pmi_extent_store(product, &slice->all);
}

pm_box pmi_open_product(const pmi_open *open, pmi_portion lowest) {
    const pmi_slice_effect *const effect = &open->effect[lowest.slice];
    const pmi_open_slice *const slice = &open->slice[lowest.slice];
    if (lowest.count == 0 || !slice->clips)
        return pmi_box_everything;
    if (lowest.count == effect->open)
        return slice->all;
    const size_t below = lowest.count / PM_OPEN_BLOCK * PM_OPEN_BLOCK;
    const pmi_extent others =
        multiply(open->scene, effect->survivors + effect->open - lowest.count, lowest.count - below);
    return pmi_extent_box(pmi_extent_min(pmi_extent_of(&slice->steps[below / PM_OPEN_BLOCK]), others));
}
