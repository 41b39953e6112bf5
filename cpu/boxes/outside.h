/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ends that find no node of their slice open, and the leaves between them. Nobody can guess which is which, nor which
 * ends close a blend, so all are done by the same operations, and results are chosen; with AVX2 two elements at a time.
 */
#ifndef PM_CPU_BOXES_OUTSIDE_H
#define PM_CPU_BOXES_OUTSIDE_H

#include "cpu/boxes/leaves.h"

static inline __attribute__((always_inline)) void pmi_outside_look_here(pmi_outside *outside) {
    outside->rank = outside->stack.count > 0 ? pmi_open_look(outside->open, outside->stack, outside->block) : 0;
}

/* Below the block that was looked at. */
static inline __attribute__((always_inline)) void pmi_outside_look_below(pmi_outside *outside) {
    const pmi_portion stack = outside->stack;
    const uint32_t below = (stack.count - 1) / PM_OPEN_BLOCK * PM_OPEN_BLOCK;
    outside->stack = below > 0 ? (pmi_portion){stack.slice, below} : outside->open->effect[stack.slice].rest;
    pmi_outside_look_here(outside);
}

static inline void pmi_outside_keep_context(pmi_outside *outside) {
    outside->context = pmi_box_everything;
    if (outside->rank > 0)
        pmi_extent_store(outside->block->context[outside->rank], &outside->context);
}

/* How far it has come. */
typedef struct pmi_closing {
    size_t i;
    uint32_t rank;      /* of the topmost node */
    pmi_cut_blend *cut; /* the place for the next */
    pmi_extent covered;
} pmi_closing;

/* The next element closes the topmost node, or is a leaf in it. */
static inline void pmi_closing_go_on(const pmi_open_block *block, uint8_t kind, pmi_closing *closing) {
    const uint32_t is_end = kind & 1, is_blend = (uint32_t)(block->clip[closing->rank][0] + 1);
    *closing->cut = (pmi_cut_blend){*(block->above - closing->rank), (uint32_t)closing->i++};
    closing->cut += is_end & is_blend;
    closing->rank -= is_end;
}

static inline void pmi_closing_one(const pmi_scene *scene, const pmi_open_block *block, pmi_closing *closing) {
    const uint8_t kind = scene->kinds[closing->i];
    const int32_t is_end = -(int32_t)(kind & 1);
    const pmi_lanes end = {is_end, is_end, is_end, is_end};
    const pmi_extent context = block->context[closing->rank];
    const pmi_extent leaf = pmi_extent_intersect(context, pmi_extent_of(&scene->boxes[closing->i]));
    const pmi_extent node = pmi_extent_select(block->clip[closing->rank], context, closing->covered);
    pmi_extent_store(pmi_extent_select(end, node, leaf), &scene->out[closing->i]);
    const pmi_lanes drawn = (pmi_lanes)leaf | pmi_extent_is_empty(leaf) | end; /* or NaNs, which are not greater */
    closing->covered = pmi_extent_greatest((pmi_extent)drawn, closing->covered);
    pmi_closing_go_on(block, kind, closing);
}

/* Goes on by several elements at a time, as far as that goes. */
typedef void pmi_closes_several(const pmi_scene *scene, const pmi_open_block *block, size_t end, pmi_closing *closing);

#ifdef __x86_64__
/* All ones in all lanes of a box that is empty, as in pmi_extent_is_empty(). */
PM_TARGET_AVX2 static inline __m256 pmi_two_are_empty(__m256 two) {
    const __m256 opposite = _mm256_xor_ps(_mm256_permute_ps(two, 0x4e), _mm256_set1_ps(-0.0f));
    const __m256 one_direction = _mm256_cmp_ps(two, opposite, _CMP_NGT_UQ);
    return _mm256_or_ps(one_direction, _mm256_permute_ps(one_direction, 0xb1));
}

PM_TARGET_AVX2 static inline __attribute__((always_inline)) void
pmi_closing_two(const pmi_scene *scene, const pmi_open_block *block, uint8_t one, uint8_t other, pmi_closing *closing) {
    static const int32_t ends[4][8] = {
        {0}, {-1, -1, -1, -1}, {0, 0, 0, 0, -1, -1, -1, -1}, {-1, -1, -1, -1, -1, -1, -1, -1}};
    const __m256 signs = _mm256_setr_ps(-0.0f, -0.0f, 0, 0, -0.0f, -0.0f, 0, 0), nothing = _mm256_setzero_ps();
    const size_t i = closing->i;
    const uint32_t rank = closing->rank, next = rank - (one & 1);
    const __m256 are_ends = _mm256_loadu_ps((const float *)(const void *)ends[(one & 1) | (other & 2)]);
    const __m256 are_clips = _mm256_set_m128((__m128)block->clip[next], (__m128)block->clip[rank]);
    const __m256 contexts = _mm256_set_m128(block->context[next], block->context[rank]);
    const __m256 leaves = _mm256_min_ps(contexts, _mm256_xor_ps(_mm256_loadu_ps(&scene->boxes[i].x0), signs));
    const __m256 drawn = _mm256_or_ps(_mm256_or_ps(leaves, pmi_two_are_empty(leaves)), are_ends);
    const __m128 covered = _mm_max_ps(_mm256_castps256_ps128(drawn), closing->covered);
    const __m256 nodes = _mm256_blendv_ps(_mm256_set_m128(covered, closing->covered), contexts, are_clips);
    const __m256 results = _mm256_blendv_ps(leaves, nodes, are_ends), numbers = _mm256_xor_ps(results, signs);
    const __m256 zero = _mm256_or_ps(pmi_two_are_empty(results), _mm256_cmp_ps(numbers, nothing, _CMP_EQ_OQ));
    _mm256_storeu_ps(&scene->out[i].x0, _mm256_andnot_ps(zero, numbers));
    closing->covered = _mm_max_ps(_mm256_extractf128_ps(drawn, 1), covered);
    pmi_closing_go_on(block, one, closing);
    pmi_closing_go_on(block, other, closing);
}

/* Leaves by fours where eight come together, so that few guesses are wrong, all else by twos. */
PM_TARGET_AVX2 static inline __attribute__((always_inline)) void
pmi_closing_several_avx2(const pmi_scene *scene, const pmi_open_block *block, size_t end, pmi_closing *closing) {
    const uint8_t *const kinds = scene->kinds;
    pmi_closing here = *closing;
    while (here.rank >= 2 && end - here.i >= PM_KINDS_TOGETHER) {
        const uint64_t eight = pmi_eight_kinds(kinds + here.i);
        if (eight == 0) {
            here.i = pmi_leaves_in_fours_avx2(scene, here.i, end, block->context[here.rank], &here.covered);
            continue;
        }
        if ((eight ^ eight >> 1) & 0x0101) /* a node begins */
            break;
        pmi_scene_ahead(scene->boxes, scene->out, here.i);
        pmi_closing_two(scene, block, (uint8_t)eight, (uint8_t)(eight >> 8), &here);
    }
    *closing = here;
}
#endif

/*
 * From an end at element i over the leaves and ends after it, until a node begins, the last node outside is closed, or
 * until `end`; returns the index after them.
 */
static inline __attribute__((always_inline)) size_t pmi_outside_close(const pmi_scene *scene, pmi_outside *outside,
                                                                      size_t i, size_t end, pmi_extent *covered,
                                                                      pmi_closes_several *closes_several) {
    if (outside->rank == 0) {
        scene->out[i] = pmi_box_empty;
        return i + 1;
    }
    pmi_closing closing = {i, outside->rank, outside->cut + outside->cut_count, *covered};
    do {
        if (closes_several)
            closes_several(scene, outside->block, end, &closing);
        if (closing.rank > 0) {
            if (closing.i == end || (scene->kinds[closing.i] != PM_LEAF && scene->kinds[closing.i] != PM_END))
                break;
            pmi_closing_one(scene, outside->block, &closing);
        }
        if (closing.rank == 0) {
            pmi_outside_look_below(outside);
            closing.rank = outside->rank;
        }
    } while (closing.rank > 0);
    *covered = closing.covered;
    outside->rank = closing.rank;
    outside->cut_count = (size_t)(closing.cut - outside->cut);
    pmi_outside_keep_context(outside);
    return closing.i;
}

#endif
