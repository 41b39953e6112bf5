/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The walk. Two things are known at every element: the context, which is the result of the innermost open clip, and
 * what has been covered since the innermost open blend began. Clips and blends have a stack each, of indices alone: an
 * open clip's result is in `out` already, and an open blend's place in `out` holds what it had covered when a blend
 * inside it began, as it was: putting it into form and back takes longer than all else about a short blend. The
 * innermost open node is the later of the two tops.
 *
 * What the processor guesses wrongly takes longest. So a node that holds nothing but few leaves, as most do in scenes
 * that are drawn, is done at once, without the stacks and with one guess of how many leaves; where such nodes are few,
 * to look for them costs more than it brings, so a stretch of kinds is looked at first. All is compiled twice, for any
 * processor and for AVX2, which has the same operations with fewer copies between registers, and vectors of two boxes.
 */
#include "cpu/box_walk.h"

#include "cpu/box_leaves.h"
#include "cpu/box_outside.h"

/* On the stacks, elements are named by their index plus 1, and this is none of them. */
#define NOBODY 0u

/* Elements at a time for which it is decided how to go on. */
#define STRETCH ((size_t)1024)

typedef size_t closes_outside(const pm_scene *scene, pm_outside *outside, size_t i, size_t end, pm_reach *covered);

static __attribute__((noinline)) size_t close_outside_plain(const pm_scene *scene, pm_outside *outside, size_t i,
                                                            size_t end, pm_reach *covered) {
    return pm_outside_close(scene, outside, i, end, covered, NULL);
}

/* Where an open blend, or what lies outside, keeps what it has covered so far, and takes it up again. */
static inline void keep(pm_reach covered, pm_box *place) {
    memcpy(place, &covered, sizeof covered);
}

static inline pm_reach unite_kept(pm_reach covered, const pm_box *place) {
    pm_reach kept;
    memcpy(&kept, place, sizeof kept);
    return pm_reach_greatest(covered, kept);
}

/* How far the walk has come. */
typedef struct walker {
    const pm_scene *scene;
    pm_outside *outside;
    size_t i, end;
    uint32_t *clips, *blends; /* the stacks, growing towards each other, */
    uint32_t clip, blend;     /* and the innermost */
    pm_reach context, covered;
    pm_box outermost; /* the place for what is in no blend of the slice */
} walker;

/* Goes on to `stop`, or to the end of leaves there; false for a kind that is none. Where the scene is leafy, nodes that
 * hold nothing but few leaves are done at once. */
static inline __attribute__((always_inline)) bool walk_to(walker *w, size_t stop, bool leafy, pm_leaves_few *leaves_few,
                                                          pm_leaves_in_fours *leaves_in_fours, closes_outside *closes) {
    const uint8_t *const kinds = w->scene->kinds;
    const pm_box *const boxes = w->scene->boxes;
    pm_box *const out = w->scene->out;
    uint32_t *clips = w->clips, *blends = w->blends;
    uint32_t clip = w->clip, blend = w->blend;
    pm_reach context = w->context, covered = w->covered;
    const pm_box *const outside_context = &w->outside->context;
    pm_box *const outermost = &w->outermost;
    size_t i = w->i, alone;
    while (i < stop) {
        switch (kinds[i]) {
        case PM_LEAF: /* which seldom comes alone: a loop of its own is a quarter faster */
            if (leafy && leaves_in_fours && pm_four_are_leaves(kinds, i, w->end)) {
                i = leaves_in_fours(w->scene, i, w->end, context, &covered);
                if (i >= stop)
                    break;
            }
            for (; i < stop && kinds[i] == PM_LEAF; i++)
                covered = pm_leaf(context, &boxes[i], covered, &out[i]);
            break;
        case PM_CLIP:
            if (leafy && (alone = pm_leaves_alone(kinds + i + 1)) > 0) {
                pm_scene_ahead(boxes, out, i);
                const pm_reach inner = pm_reach_context(pm_reach_intersect(context, pm_reach_of(&boxes[i])));
                pm_box result;
                pm_reach_store_context(inner, &result);
                out[i] = result;
                covered = leaves_few(inner, boxes + i + 1, alone, covered, out + i + 1);
                i += alone + 1;
                out[i++] = result;
                break;
            }
            context = pm_reach_context(pm_reach_intersect(context, pm_reach_of(&boxes[i])));
            pm_reach_store_context(context, &out[i]);
            *clips++ = clip;
            clip = (uint32_t)++i;
            break;
        case PM_BLEND:
            if (leafy && (alone = pm_leaves_alone(kinds + i + 1)) > 0) {
                pm_scene_ahead(boxes, out, i);
                const pm_reach inside = leaves_few(context, boxes + i + 1, alone, pm_reach_nowhere, out + i + 1);
                const pm_box result = pm_reach_box(inside);
                covered = pm_reach_greatest(inside, covered);
                out[i] = result;
                i += alone + 1;
                out[i++] = result;
                break;
            }
            keep(covered, blend != NOBODY ? &out[blend - 1] : outermost);
            covered = pm_reach_nowhere;
            *--blends = blend;
            blend = (uint32_t)++i;
            break;
        case PM_END:
            if (clip > blend) {
                out[i++] = out[clip - 1];
                clip = *--clips;
                context = pm_reach_of(clip != NOBODY ? &out[clip - 1] : outside_context);
            } else if (blend != NOBODY) {
                const pm_box result = pm_reach_box(covered);
                out[blend - 1] = result;
                out[i++] = result;
                blend = *blends++;
                covered = unite_kept(covered, blend != NOBODY ? &out[blend - 1] : outermost);
            } else {
                w->covered = covered;
                i = closes(w->scene, w->outside, i, w->end, &w->covered);
                covered = w->covered;
                context = pm_reach_of(outside_context);
            }
            break;
        default:
            return false;
        }
    }
    w->i = i;
    w->clips = clips, w->blends = blends;
    w->clip = clip, w->blend = blend;
    w->context = context, w->covered = covered;
    return true;
}

typedef bool walk_on(walker *w, size_t stop);

/* Compiled once for nodes and once for leaves, each with registers of its own. */
static bool walk_nodes(walker *w, size_t stop) {
    return walk_to(w, stop, false, pm_leaves_few_plain, NULL, close_outside_plain);
}

static bool walk_leafy(walker *w, size_t stop) {
    return walk_to(w, stop, true, pm_leaves_few_plain, NULL, close_outside_plain);
}

/* In stretches, each as suits it. */
static bool walk(const pm_scene *scene, size_t begin, size_t end, uint32_t *stack, pm_outside *outside, walk_on *nodes,
                 walk_on *leafy) {
    walker w = {.scene = scene,
                .outside = outside,
                .i = begin,
                .end = end,
                .clips = stack,
                .blends = stack + (end - begin),
                .clip = NOBODY,
                .blend = NOBODY,
                .context = pm_reach_of(&outside->context),
                .covered = pm_reach_nowhere};
    keep(w.covered, &w.outermost);
    while (w.i < end) {
        const bool has_room = end - w.i >= STRETCH + PM_KINDS_TOGETHER; /* to look ahead of its last element, too */
        const size_t stretch = has_room ? STRETCH : end - w.i;
        const bool is_leafy = has_room && pm_is_leafy(scene->kinds + w.i, STRETCH);
        if (!(is_leafy ? leafy : nodes)(&w, w.i + stretch))
            return false;
    }
    pm_box *const out = scene->out;
    while (w.blend != NOBODY) { /* they go on past the slice, or end at n */
        pm_reach_store(w.covered, &out[w.blend - 1]);
        w.blend = *w.blends++;
        w.covered = unite_kept(w.covered, w.blend != NOBODY ? &out[w.blend - 1] : &w.outermost);
    }
    pm_reach_store(w.covered, &outside->covered);
    return true;
}

void pm_outside_look(pm_outside *outside) {
    pm_outside_look_here(outside);
    pm_outside_keep_context(outside);
}

bool pm_box_walk_plain(const pm_scene *scene, size_t begin, size_t end, uint32_t *stack, pm_outside *outside) {
    return walk(scene, begin, end, stack, outside, walk_nodes, walk_leafy);
}

#ifdef __x86_64__
PM_TARGET_AVX2 static __attribute__((noinline)) size_t close_outside_avx2(const pm_scene *scene, pm_outside *outside,
                                                                          size_t i, size_t end, pm_reach *covered) {
    return pm_outside_close(scene, outside, i, end, covered, pm_closing_several_avx2);
}

PM_TARGET_AVX2 static bool walk_nodes_avx2(walker *w, size_t stop) {
    return walk_to(w, stop, false, pm_leaves_few_plain, NULL, close_outside_avx2);
}

PM_TARGET_AVX2 static bool walk_leafy_avx2(walker *w, size_t stop) {
    return walk_to(w, stop, true, pm_leaves_few_avx2, pm_leaves_in_fours_avx2, close_outside_avx2);
}

bool pm_box_walk(const pm_scene *scene, size_t begin, size_t end, uint32_t *stack, pm_outside *outside) {
    if (__builtin_cpu_supports("avx2"))
        return walk(scene, begin, end, stack, outside, walk_nodes_avx2, walk_leafy_avx2);
    return pm_box_walk_plain(scene, begin, end, stack, outside);
}
#else
bool pm_box_walk(const pm_scene *scene, size_t begin, size_t end, uint32_t *stack, pm_outside *outside) {
    return pm_box_walk_plain(scene, begin, end, stack, outside);
}
#endif
