/* SPDX-License-Identifier: Apache-2.0 */
/* As plainly as can be: stacks. A scene of one slice has only match. */
#include "shaders/twins.h"

#include <stdlib.h>
#include <string.h>

#include "shaders/boxes/extent_twin.h"

/* A node on a stack, what all clips up to it leave, and what it has covered of the slice. */
typedef struct open_node {
    uint32_t node;
    bool is_blend;
    reach context, covered;
} open_node;

static void *part(const pmi_boxes_slices_parameters *p, uint32_t fours) {
    return at(p->scratch + (uint64_t)fours * 16);
}

static int kind(const pmi_boxes_slices_parameters *p, uint32_t i) {
    return ((const uint8_t *)at(p->kinds))[i] & 3;
}

static reach box_read(const pmi_boxes_slices_parameters *p, uint32_t i) {
    return reach_of_box((const int32_t *)at(p->boxes) + (size_t)i * 4);
}

static int32_t *result(const pmi_boxes_slices_parameters *p, uint32_t i) {
    return (int32_t *)at(p->results) + (size_t)i * 4;
}

static pair *record_of(const pmi_boxes_slices_parameters *p, uint32_t s) {
    return (pair *)part(p, p->slice_record_part) + s;
}

static uint32_t end_of(const pmi_boxes_slices_parameters *p, uint32_t slice, uint32_t s) {
    return p->n - s * slice < slice ? p->n : (s + 1) * slice;
}

static bool has_blends(const pmi_boxes_slices_parameters *p) {
    bool has = false;
    for (uint32_t i = 0; i < p->n; i++)
        has |= kind(p, i) == BLEND;
    return has;
}

/* ---- reduce */

void pmi_boxes_slices_reduce_twin(const pmi_boxes_slices_parameters *p, uint32_t slice) {
    for (uint32_t s = 0; s < p->slices && p->slices > 1; s++) {
        uint32_t *const survivors = (uint32_t *)part(p, p->slice_survivors_part) + (size_t)s * slice;
        reach *const clipped = (reach *)part(p, p->slice_clipped_part) + (size_t)s * slice;
        uint32_t stack[1024];
        const uint32_t depth =
            nodes_left(at(p->kinds), (uint64_t)s * slice, end_of(p, slice, s), stack, record_of(p, s));
        reach all = everywhere;
        for (uint32_t d = 0; d < depth; d++) {
            const uint32_t node = s * slice + stack[d];
            const bool is_clip = kind(p, node) == CLIP;
            all = is_clip ? intersect(all, box_read(p, node)) : all;
            survivors[d] = node | (is_clip ? PM_BOXES_SLICE_CLIP : 0);
            clipped[d] = all;
        }
    }
}

/* ---- match */

/* The context of what is on top of a stack, or of nothing. */
static reach context_of(const open_node *stack, uint32_t depth) {
    return depth > 0 ? stack[depth - 1].context : everywhere;
}

/* The stack before a slice, without what it covers: from that before the slice before. */
static uint32_t stack_go_on(const pmi_boxes_slices_parameters *p, uint32_t slice, uint32_t s, open_node *stack,
                            uint32_t depth) {
    const pair record = *record_of(p, s);
    const uint32_t closes = (uint32_t)-PM_BOXES_LEAST(record.y), left = (uint32_t)record.x + closes;
    const uint32_t *const survivors = (const uint32_t *)part(p, p->slice_survivors_part) + (size_t)s * slice;
    depth -= closes < depth ? closes : depth;
    const reach below = context_of(stack, depth);
    for (uint32_t k = 0; k < left; k++) {
        const reach clipped = ((const reach *)part(p, p->slice_clipped_part))[(size_t)s * slice + k];
        stack[depth++] = (open_node){.node = survivors[k] & ~PM_BOXES_SLICE_CLIP,
                                     .is_blend = !(survivors[k] & PM_BOXES_SLICE_CLIP),
                                     .context = intersect(below, clipped)};
    }
    return depth;
}

/* How many of the `left` nodes that a slice leaves open nobody closes. */
static uint32_t never_closed(const pmi_boxes_slices_parameters *p, uint32_t s, uint32_t left) {
    int32_t height = 0, least = 0; /* relative to the end of the slice */
    for (uint32_t later = s + 1; later < p->slices; later++) {
        const pair record = *record_of(p, later);
        least = height + PM_BOXES_LEAST(record.y) < least ? height + PM_BOXES_LEAST(record.y) : least;
        height += record.x;
    }
    return (uint32_t)-least < left ? left + (uint32_t)least : 0;
}

static void slice_match(const pmi_boxes_slices_parameters *p, uint32_t slice, uint32_t s, const open_node *outer,
                        uint32_t outer_depth, bool blends) {
    static open_node stack[1025];
    uint32_t depth = 0;
    uint32_t *const closed = part(p, p->blend_closed_part);
    stack[0] = (open_node){.context = context_of(outer, outer_depth), .covered = nowhere};
    for (uint32_t i = s * slice; i < end_of(p, slice, s); i++) {
        open_node *const top = &stack[depth];
        reach all;
        if (blends)
            closed[i] = PM_NO_LINK;
        switch (kind(p, i)) {
        case LEAF:
            all = reach_of_area(intersect(top->context, box_read(p, i)));
            box_of_reach(all, result(p, i));
            top->covered = unite(top->covered, all);
            break;
        case CLIP:
            all = intersect(top->context, box_read(p, i));
            box_of_reach(all, result(p, i));
            stack[++depth] = (open_node){i, false, all, nowhere};
            break;
        case BLEND:
            stack[++depth] = (open_node){i, true, top->context, nowhere};
            break;
        default:
            if (depth > 0) {
                box_of_reach(top->is_blend ? top->covered : top->context, result(p, i));
                if (top->is_blend)
                    box_of_reach(top->covered, result(p, top->node));
                stack[depth - 1].covered = unite(stack[depth - 1].covered, top->covered);
                depth--;
            } else if (outer_depth > 0) {
                const open_node *const node = &outer[--outer_depth];
                box_of_reach(node->is_blend ? top->covered : node->context, result(p, i));
                if (node->is_blend)
                    closed[i] = node->node;
                top->context = context_of(outer, outer_depth);
            } else {
                box_of_reach(nowhere, result(p, i));
            }
        }
    }
    const uint32_t never = never_closed(p, s, depth);
    for (; depth > 0; depth--) {
        if (stack[depth].is_blend) {
            box_of_reach(stack[depth].covered, result(p, stack[depth].node));
            if (depth <= never)
                closed[stack[depth].node] = PM_BOXES_OPEN;
        }
        stack[depth - 1].covered = unite(stack[depth - 1].covered, stack[depth].covered);
    }
    if (blends)
        ((reach *)part(p, p->slice_covered_part))[s] = stack[0].covered;
}

static void match_reduced(const pmi_boxes_slices_parameters *p, uint32_t slice) {
    static open_node outer[PM_BOXES_SLICE_N_MAX];
    uint32_t depth = 0;
    const bool blends = has_blends(p);
    for (uint32_t s = 0; s < p->slices; s++) {
        slice_match(p, slice, s, outer, depth, blends);
        if (s + 1 < p->slices)
            depth = stack_go_on(p, slice, s, outer, depth);
    }
}

/* The fewest slices nobody has reduced; fix wants their records. */
static void match_directly(const pmi_boxes_slices_parameters *p, uint32_t slice) {
    pmi_boxes_slices_parameters own = *p;
    char *const scratch = calloc((size_t)p->slice_covered_part + p->slices, 16);
    own.scratch = (uint64_t)(uintptr_t)scratch;
    for (uint32_t s = 0; s < p->slices; s++) {
        uint32_t stack[1024];
        nodes_left(at(p->kinds), (uint64_t)s * slice, end_of(p, slice, s), stack, record_of(&own, s));
    }
    pmi_boxes_slices_reduce_twin(&own, slice);
    match_reduced(&own, slice);
    memcpy(record_of(p, 0), record_of(&own, 0), p->slices * sizeof(pair));
    if (has_blends(p)) {
        memcpy(part(p, p->blend_closed_part), part(&own, p->blend_closed_part), (size_t)p->n * 4);
        memcpy(part(p, p->slice_covered_part), part(&own, p->slice_covered_part), (size_t)p->slices * 16);
    }
    free(scratch);
}

void pmi_boxes_slices_match_twin(const pmi_boxes_slices_parameters *p, uint32_t slice) {
    if (p->slices <= PM_BOXES_SLICES_DIRECT)
        match_directly(p, slice);
    else
        match_reduced(p, slice);
}

/* ---- fix */

void pmi_boxes_slices_fix_twin(const pmi_boxes_slices_parameters *p, uint32_t slice) {
    const reach *const covered = part(p, p->slice_covered_part);
    const bool blends = has_blends(p);
    for (uint32_t i = 0; i < p->n && p->slices > 1 && blends; i++) {
        const uint32_t closed = ((const uint32_t *)part(p, p->blend_closed_part))[i];
        if (closed == PM_NO_LINK)
            continue;
        const uint32_t blend = closed == PM_BOXES_OPEN ? i : closed;
        reach all = unite(reach_of_box(result(p, blend)), reach_of_box(result(p, i)));
        const uint32_t until = closed == PM_BOXES_OPEN ? p->slices : i / slice;
        for (uint32_t s = blend / slice + 1; s < until; s++)
            all = unite(all, covered[s]);
        box_of_reach(all, result(p, blend));
        box_of_reach(all, result(p, i));
    }
}

/* ---- without clips */

/* Of each slice, besides its record and survivors: what its leaves cover, all and those after each survivor. */
void pmi_boxes_slices_blends_reduce_twin(const pmi_boxes_slices_parameters *p, uint32_t slice) {
    for (uint32_t s = 0; s < p->slices && p->slices > 1; s++) {
        const uint32_t begin = s * slice, end = end_of(p, slice, s);
        uint32_t *const survivors = (uint32_t *)part(p, p->slice_survivors_part) + begin;
        reach *const rest = (reach *)part(p, p->slice_clipped_part) + begin, all = nowhere;
        uint32_t stack[1024];
        uint32_t depth = nodes_left(at(p->kinds), begin, end, stack, record_of(p, s));
        for (uint32_t i = end; i-- > begin;) {
            if (kind(p, i) == LEAF)
                all = unite(all, reach_of_area(box_read(p, i)));
            if (depth > 0 && stack[depth - 1] == i - begin) {
                survivors[--depth] = i;
                rest[depth] = all;
            }
        }
        ((reach *)part(p, p->slice_covered_part))[s] = all;
    }
}

/* One stack for all slices; what is left on it is open to the end. */
void pmi_boxes_slices_blends_match_twin(const pmi_boxes_slices_parameters *p, uint32_t slice) {
    static open_node stack[PM_BOXES_SLICE_N_MAX + 1];
    uint32_t depth = 0;
    (void)slice;
    stack[0].covered = nowhere;
    for (uint32_t i = 0; i < p->n || depth > 0; i++) {
        open_node *const top = &stack[depth];
        const bool is_end = i >= p->n || kind(p, i) == END;
        if (is_end && depth == 0) {
            box_of_reach(nowhere, result(p, i));
        } else if (is_end) {
            box_of_reach(top->covered, result(p, top->node));
            if (i < p->n)
                box_of_reach(top->covered, result(p, i));
            depth--;
            stack[depth].covered = unite(stack[depth].covered, top->covered);
        } else if (kind(p, i) == LEAF) {
            const reach of_leaf = reach_of_area(box_read(p, i));
            box_of_reach(of_leaf, result(p, i));
            top->covered = unite(top->covered, of_leaf);
        } else {
            stack[++depth] = (open_node){.node = i, .covered = nowhere};
        }
    }
}
