/* SPDX-License-Identifier: Apache-2.0 */
/* As plainly as can be: stacks, and loops over all tiles. */
#include "shaders/boxes/twin.h"

#include <string.h>

#include "shaders/boxes/extent_twin.h"

static void *part(const pmi_boxes_parameters *p, uint32_t fours) {
    return at(p->scratch + (uint64_t)fours * 16);
}

/* ---- Elements */

static int kind(const pmi_boxes_parameters *p, uint64_t i) {
    return i < p->n ? ((const uint8_t *)at(p->kinds))[i] & 3 : LEAF;
}

static reach box_read(const pmi_boxes_parameters *p, uint32_t i) {
    return reach_of_box((const int32_t *)at(p->boxes) + (size_t)i * 4);
}

static int32_t *result(const pmi_boxes_parameters *p, uint32_t i) {
    return (int32_t *)at(p->results) + (size_t)i * 4;
}

static bool survives(const pmi_boxes_parameters *p, uint32_t tile, uint32_t k) {
    const uint32_t *const words = (const uint32_t *)part(p, p->tile_survivors_part) + tile * PM_BOXES_TILE_WORDS;
    return words[k / 32] >> k % 32 & 1;
}

/* ---- reduce */

static void tile_reduce(const pmi_boxes_parameters *p, uint32_t tile) {
    uint32_t stack[PM_BOXES_TILE], words[PM_BOXES_TILE_WORDS] = {0}, clips[PM_BOXES_TILE_WORDS] = {0};
    const uint64_t begin = (uint64_t)tile * PM_BOXES_TILE, end = begin + PM_BOXES_TILE;
    const uint32_t depth =
        nodes_left(at(p->kinds), begin, end < p->n ? end : p->n, stack, (pair *)part(p, p->tile_record_part) + tile);
    uint32_t marks = 0;
    for (uint64_t i = begin; i < end; i++)
        marks += kind(p, i) != LEAF;
    if (marks > 0 && marks <= PM_BOXES_MARKS)
        ((pair *)part(p, p->tile_record_part))[tile].y |= PM_BOXES_SPARSE;
    reach *const clipped = (reach *)part(p, p->word_clipped_part) + (size_t)tile * PM_BOXES_TILE_WORDS;
    for (uint32_t w = 0; w < PM_BOXES_TILE_WORDS; w++)
        clipped[w] = everywhere;
    for (uint32_t d = 0; d < depth; d++) {
        words[stack[d] / 32] |= UINT32_C(1) << stack[d] % 32;
        if (kind(p, begin + stack[d]) == CLIP) {
            clips[stack[d] / 32] |= UINT32_C(1) << stack[d] % 32;
            for (uint32_t w = stack[d] / 32; w < PM_BOXES_TILE_WORDS; w++)
                clipped[w] = intersect(clipped[w], box_read(p, tile * PM_BOXES_TILE + stack[d]));
        }
    }
    memcpy((uint32_t *)part(p, p->tile_survivors_part) + tile * PM_BOXES_TILE_WORDS, words, sizeof words);
    memcpy((uint32_t *)part(p, p->tile_clips_part) + tile * PM_BOXES_TILE_WORDS, clips, sizeof clips);
}

void pmi_boxes_reduce_twin(const pmi_boxes_parameters *p) {
    for (uint32_t tile = 0; tile < p->tiles; tile++)
        tile_reduce(p, tile);
}

/* ---- scan */

/* The last tile before `tile` with a least height of at most this; PM_NO_LINK if all are higher. */
static uint32_t tile_find(const pmi_boxes_parameters *p, uint32_t tile, int32_t height) {
    const int32_t *const least = (const int32_t *)part(p, p->tree_least_part) + p->leaves;
    while (tile-- > 0)
        if (least[tile] <= height)
            return tile;
    return PM_NO_LINK;
}

/* The node at a height among survivors of a tile that holds one. */
static uint32_t node_at(const pmi_boxes_parameters *p, uint32_t tile, int32_t height) {
    const int32_t *const least = (const int32_t *)part(p, p->tree_least_part) + p->leaves;
    int32_t below = height - least[tile];
    uint32_t k = 0;
    while (!survives(p, tile, k) || below-- > 0)
        k++;
    return tile * PM_BOXES_TILE + k;
}

/* The base of a tile, that of all before it being there. */
static reach base_of(const pmi_boxes_parameters *p, uint32_t tile) {
    const int32_t *const least = (const int32_t *)part(p, p->tree_least_part) + p->leaves;
    const uint32_t below = tile_find(p, tile, least[tile] - 1);
    if (below == PM_NO_LINK)
        return everywhere;
    reach base = ((const reach *)part(p, p->base_from_part))[below];
    for (int32_t height = least[below]; height < least[tile]; height++) {
        const uint32_t node = node_at(p, below, height);
        if (kind(p, node) == CLIP)
            base = intersect(base, box_read(p, node));
    }
    return reach_of_area(base);
}

void pmi_boxes_scan_twin(const pmi_boxes_parameters *p) {
    const pair *const record = part(p, p->tile_record_part);
    pair *const block = part(p, p->block_record_part);
    int32_t *const start = part(p, p->tile_start_part), *const least = part(p, p->tree_least_part);
    int32_t height = 0, has = 0;
    for (uint32_t b = 0; b < p->blocks && p->blocks > 1; b++)
        block[b] = (pair){0, 0};
    for (uint32_t tile = 0; tile < p->leaves; tile++) {
        least[p->leaves + tile] = INT32_MAX;
        if (tile >= p->tiles)
            continue;
        start[tile] = height;
        least[p->leaves + tile] = height + PM_BOXES_LEAST(record[tile].y);
        height += record[tile].x;
        has |= PM_BOXES_HAS(record[tile].y);
        if (p->blocks > 1) {
            pair *const of = &block[tile / (p->leaves / p->blocks)];
            of->x += record[tile].x;
            of->y = (of->y | PM_BOXES_HAS(record[tile].y)) + PM_BOXES_BLOCK_PACK(PM_BOXES_IS_SPARSE(record[tile].y), 0);
        }
    }
    for (uint32_t node = p->leaves; --node > 0;)
        least[node] = least[2 * node] < least[2 * node + 1] ? least[2 * node] : least[2 * node + 1];
    *(int32_t *)part(p, p->scene_has_part) = has;
    for (uint32_t tile = 0; tile < p->tiles; tile++)
        ((reach *)part(p, p->base_from_part))[tile] = base_of(p, tile);
}

void pmi_boxes_order_twin(const pmi_boxes_order_parameters *p) {
    const pair *const record = at(p->scratch + (uint64_t)p->tile_record_part * 16);
    uint32_t *const order = at(p->scratch + (uint64_t)p->tile_order_part * 16), *const dispatches = at(p->dispatches);
    uint32_t others = 0, end = p->tiles;
    for (uint32_t tile = 0; tile < p->tiles; tile++)
        if (PM_BOXES_IS_SPARSE(record[tile].y))
            order[--end] = tile;
        else
            order[others++] = tile;
    const uint32_t sparse = p->tiles - others, pieces = (p->tiles + p->piece - 1) / p->piece;
    const bool alike = (uint64_t)sparse * PM_BOXES_SPARSE_SHARE < p->tiles;
    const uint32_t of_sort[PM_BOXES_SORTS] = {alike ? p->tiles : 0, alike ? 0 : others, alike ? 0 : sparse};
    for (uint32_t k = 0; k < PM_BOXES_SORTS * pieces; k++) {
        const uint32_t begin = k % pieces * p->piece, all = of_sort[k / pieces], left = all > begin ? all - begin : 0;
        dispatches[3 * k] = left < p->piece ? left : p->piece;
        dispatches[3 * k + 1] = dispatches[3 * k + 2] = 1;
    }
}

/* ---- match */

/* A node on the stack, and what all clips up to it leave. */
typedef struct open_node {
    uint32_t node;
    bool is_blend;
    reach context, covered; /* covered: by leaves of the tile since it began, or since the tile began */
} open_node;

/* What the clips up to the outer node at a height leave; those before the tile are walked from its base on. */
static reach outer_context(const pmi_boxes_parameters *p, uint32_t tile, int32_t height) {
    const int32_t *const least = (const int32_t *)part(p, p->tree_least_part) + p->leaves;
    reach context = ((const reach *)part(p, p->base_from_part))[tile];
    for (int32_t h = least[tile]; h <= height; h++) {
        const uint32_t source = tile_find(p, tile, h);
        const uint32_t node = source == PM_NO_LINK ? 0 : node_at(p, source, h);
        if (source != PM_NO_LINK && kind(p, node) == CLIP)
            context = intersect(context, box_read(p, node));
    }
    return context;
}

/* An end of the tile that closes the node at a height before it: what the result is as far as it is known. */
static reach close_outer(const pmi_boxes_parameters *p, uint32_t tile, uint32_t end, int32_t height, reach covered) {
    uint32_t *const closers = (uint32_t *)part(p, p->tile_closers_part) + tile * PM_BOXES_TILE_WORDS;
    const uint32_t source = tile_find(p, tile, height);
    if (source == PM_NO_LINK)
        return nowhere;
    const uint32_t node = node_at(p, source, height);
    if (kind(p, node) == CLIP)
        return outer_context(p, tile, height);
    closers[end % PM_BOXES_TILE / 32] |= UINT32_C(1) << end % 32;
    ((uint32_t *)part(p, p->blend_closed_part))[end] = node;
    return covered;
}

static void tile_match(const pmi_boxes_parameters *p, uint32_t tile, bool blends) {
    open_node stack[PM_BOXES_TILE + 1];
    int32_t height = ((const int32_t *)part(p, p->tile_start_part))[tile];
    uint32_t depth = 0;
    stack[0] = (open_node){.context = outer_context(p, tile, height - 1), .covered = nowhere};
    memset((uint32_t *)part(p, p->tile_closers_part) + tile * PM_BOXES_TILE_WORDS, 0, PM_BOXES_TILE_WORDS * 4);
    for (uint32_t k = 0; k < PM_BOXES_TILE && tile * PM_BOXES_TILE + k < p->n; k++) {
        const uint32_t i = tile * PM_BOXES_TILE + k;
        open_node *const top = &stack[depth];
        switch (kind(p, i)) {
        case LEAF: {
            const reach clipped = reach_of_area(intersect(top->context, box_read(p, i)));
            box_of_reach(clipped, result(p, i));
            top->covered = unite(top->covered, clipped);
            break;
        }
        case CLIP: {
            const reach context = intersect(top->context, box_read(p, i));
            box_of_reach(context, result(p, i));
            stack[++depth] = (open_node){i, false, context, nowhere};
            height++;
            break;
        }
        case BLEND:
            stack[++depth] = (open_node){i, true, top->context, nowhere};
            height++;
            break;
        default:
            height--;
            if (depth > 0) {
                box_of_reach(top->is_blend ? top->covered : top->context, result(p, i));
                if (top->is_blend)
                    box_of_reach(top->covered, result(p, top->node));
                stack[depth - 1].covered = unite(stack[depth - 1].covered, top->covered);
                depth--;
            } else {
                box_of_reach(close_outer(p, tile, i, height, top->covered), result(p, i));
                top->context = outer_context(p, tile, height - 1);
            }
        }
    }
    for (; depth > 0; depth--) {
        if (stack[depth].is_blend)
            box_of_reach(stack[depth].covered, result(p, stack[depth].node));
        stack[depth - 1].covered = unite(stack[depth - 1].covered, stack[depth].covered);
    }
    if (blends)
        ((reach *)part(p, p->tree_covered_part))[p->leaves + tile] = stack[0].covered;
}

static bool has_blends(const pmi_boxes_parameters *p) {
    return *(const int32_t *)part(p, p->scene_has_part) & PM_BOXES_HAS_BLENDS;
}

void pmi_boxes_match_twin(const pmi_boxes_parameters *p) {
    for (uint32_t tile = 0; tile < p->tiles; tile++)
        tile_match(p, tile, has_blends(p));
}

/* ---- fix */

static reach covered_between(const pmi_boxes_parameters *p, uint32_t begin, uint32_t end) {
    const reach *const covered = (const reach *)part(p, p->tree_covered_part) + p->leaves;
    reach all = nowhere;
    for (uint32_t tile = begin; tile < end; tile++)
        all = unite(all, covered[tile]);
    return all;
}

static void unite_with(const pmi_boxes_parameters *p, uint32_t blend, reach more) {
    box_of_reach(unite(reach_of_box(result(p, blend)), more), result(p, blend));
}

static void tile_fix(const pmi_boxes_parameters *p, uint32_t tile) {
    const uint32_t *const closers = (const uint32_t *)part(p, p->tile_closers_part) + tile * PM_BOXES_TILE_WORDS;
    const int32_t *const least = (const int32_t *)part(p, p->tree_least_part) + p->leaves;
    for (uint32_t k = 0; k < PM_BOXES_TILE; k++) {
        if (!(closers[k / 32] >> k % 32 & 1))
            continue;
        const uint32_t end = tile * PM_BOXES_TILE + k;
        const uint32_t blend = ((const uint32_t *)part(p, p->blend_closed_part))[end];
        unite_with(p, blend, covered_between(p, blend / PM_BOXES_TILE + 1, tile));
        unite_with(p, blend, reach_of_box(result(p, end)));
        memcpy(result(p, end), result(p, blend), 16);
    }
    int32_t least_after = INT32_MAX;
    for (uint32_t later = tile + 1; later < p->tiles; later++)
        least_after = least[later] < least_after ? least[later] : least_after;
    int32_t height = least[tile];
    for (uint32_t k = 0; k < PM_BOXES_TILE && height < least_after; k++) {
        if (!survives(p, tile, k))
            continue;
        if (kind(p, tile * PM_BOXES_TILE + k) == BLEND)
            unite_with(p, tile * PM_BOXES_TILE + k, covered_between(p, tile + 1, p->tiles));
        height++;
    }
}

void pmi_boxes_fix_twin(const pmi_boxes_parameters *p) {
    if (!has_blends(p))
        return;
    reach *const covered = part(p, p->tree_covered_part);
    for (uint32_t tile = p->tiles; tile < p->leaves; tile++)
        covered[p->leaves + tile] = nowhere;
    for (uint32_t node = p->leaves; --node > 0;)
        covered[node] = unite(covered[2 * node], covered[2 * node + 1]);
    for (uint32_t tile = 0; tile < p->tiles; tile++)
        tile_fix(p, tile);
}
