/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The walk, of which walker.h says what is known at every element.
 *
 * What the processor guesses wrongly takes longest. So a node that holds nothing but few leaves, as most do in scenes
 * that are drawn, is done at once, without the stack and with one guess of how many leaves. Where such nodes are few,
 * to look for them costs more than it brings: a stretch of kinds is looked at first, and elsewhere four elements are
 * done with one guess (walker.h). All is compiled twice, for any processor and for AVX2, which has the same
 * operations with fewer copies between registers, and vectors of two boxes.
 */
#include "cpu/boxes/walk.h"

#include "cpu/boxes/leaves.h"
#include "cpu/boxes/outside.h"
#include "cpu/boxes/walker.h"

/* Elements at a time for which it is decided how to go on. */
#define STRETCH ((size_t)1024)

static __attribute__((noinline)) size_t close_outside_plain(const pmi_scene *scene, pmi_outside *outside, size_t i,
                                                            size_t end, pmi_extent *covered) {
    return pmi_outside_close(scene, outside, i, end, covered, NULL);
}

/* Goes on to `stop`, or past it to the end of leaves or ends there; false for an invalid kind. The kind of a node
 * that is not done at once is guessed: most are of one kind here. */
static inline __attribute__((always_inline)) bool walk_leafy(pmi_walker *w, size_t stop, pmi_leaves_few *leaves_few,
                                                             pmi_leaves_in_fours *leaves_in_fours,
                                                             pmi_closes_outside *closes) {
    const uint8_t *const kinds = w->scene->kinds;
    const pm_box *const boxes = w->scene->boxes;
    pm_box *const out = w->scene->out;
    uint32_t *top = w->top;
    pmi_extent context = w->context, covered = w->covered;
    size_t i = w->i, alone;
    while (i < stop) {
        switch (kinds[i]) {
        case PM_LEAF: /* which seldom comes alone: a loop of its own is a quarter faster */
            if (leaves_in_fours && pmi_four_are_leaves(kinds, i, w->end)) {
                i = leaves_in_fours(w->scene, i, w->end, context, &covered);
                if (i >= stop)
                    break;
            }
            for (; i < stop && kinds[i] == PM_LEAF; i++)
                covered = pmi_leaf(context, &boxes[i], covered, &out[i]);
            break;
        case PM_CLIP:
            if ((alone = pmi_leaves_alone(kinds + i + 1)) > 0) {
                pmi_scene_ahead(boxes, out, i);
                const pmi_extent inner = pmi_extent_min(context, pmi_extent_sane(&boxes[i]));
                const pm_box result = pmi_extent_box(inner);
                out[i] = result;
                covered = leaves_few(inner, boxes + i + 1, alone, covered, out + i + 1);
                i += alone + 1;
                out[i++] = result;
                break;
            }
            pmi_node_begin(PM_CLIP, &boxes[i], &context, &covered, &out[i]);
            *top++ = (uint32_t)i++;
            break;
        case PM_BLEND:
            if ((alone = pmi_leaves_alone(kinds + i + 1)) > 0) {
                pmi_scene_ahead(boxes, out, i);
                const pmi_extent inside = leaves_few(context, boxes + i + 1, alone, pmi_extent_nowhere, out + i + 1);
                const pm_box result = pmi_extent_box(inside);
                covered = pmi_extent_greatest(inside, covered);
                out[i] = result;
                i += alone + 1;
                out[i++] = result;
                break;
            }
            pmi_node_begin(PM_BLEND, &boxes[i], &context, &covered, &out[i]);
            *top++ = (uint32_t)i++;
            break;
        case PM_END:
            if (top == w->bottom) {
                w->covered = covered;
                i = closes(w->scene, w->outside, i, w->end, &w->covered);
                covered = w->covered;
                context = pmi_extent_of(&w->outside->context);
                break;
            }
            top--;
            if (kinds[*top] == PM_CLIP)
                pmi_node_end(PM_CLIP, &context, &covered, &out[*top], &out[i]);
            else
                pmi_node_end(PM_BLEND, &context, &covered, &out[*top], &out[i]);
            i++;
            break;
        default:
            return false;
        }
    }
    w->i = i;
    w->top = top;
    w->context = context, w->covered = covered;
    return true;
}

typedef bool walk_on(pmi_walker *w, size_t stop);

/* Each way is compiled by itself, with registers of its own. */
static bool walk_fours_plain(pmi_walker *w, size_t stop) {
    return pmi_walk_fours(w, stop, NULL, close_outside_plain);
}

static bool walk_leafy_plain(pmi_walker *w, size_t stop) {
    return walk_leafy(w, stop, pmi_leaves_few_plain, NULL, close_outside_plain);
}

/* The results of what is still open, which goes on past the slice or ends at n. */
static void leave_open(pmi_walker *w) {
    const uint8_t *const kinds = w->scene->kinds;
    pm_box *const out = w->scene->out;
    const uint32_t *const bottom = w->bottom, *top = w->top;
    pmi_extent context = w->context, covered = w->covered;
    while (top > bottom) {
        const uint32_t node = *--top;
        pmi_node_end(kinds[node], &context, &covered, &out[node], &out[node]);
    }
    pmi_extent_store(covered, &w->outside->covered);
}

/* In stretches, each as suits it. */
static bool walk(const pmi_scene *scene, size_t begin, size_t end, uint32_t *stack, pmi_outside *outside,
                 walk_on *fours, walk_on *leafy) {
    pmi_walker w = {.scene = scene,
                    .outside = outside,
                    .i = begin,
                    .end = end,
                    .bottom = stack,
                    .top = stack,
                    .context = pmi_extent_of(&outside->context),
                    .covered = pmi_extent_nowhere};
    while (w.i < end) {
        const bool has_room = end - w.i >= STRETCH + PM_KINDS_TOGETHER; /* to look ahead of its last element, too */
        const size_t stretch = has_room ? STRETCH : end - w.i;
        const bool is_leafy = has_room && pmi_is_leafy(scene->kinds + w.i, STRETCH);
        if (!(is_leafy ? leafy : fours)(&w, w.i + stretch))
            return false;
    }
    leave_open(&w);
    return true;
}

void pmi_outside_look(pmi_outside *outside) {
    pmi_outside_look_here(outside);
    pmi_outside_keep_context(outside);
}

bool pmi_box_walk_plain(const pmi_scene *scene, size_t begin, size_t end, uint32_t *stack, pmi_outside *outside) {
    return walk(scene, begin, end, stack, outside, walk_fours_plain, walk_leafy_plain);
}

#ifdef __x86_64__
PM_TARGET_AVX2 static __attribute__((noinline)) size_t close_outside_avx2(const pmi_scene *scene, pmi_outside *outside,
                                                                          size_t i, size_t end, pmi_extent *covered) {
    return pmi_outside_close(scene, outside, i, end, covered, pmi_closing_several_avx2);
}

PM_TARGET_AVX2 static bool walk_fours_avx2(pmi_walker *w, size_t stop) {
    return pmi_walk_fours(w, stop, pmi_leaves_in_fours_avx2, close_outside_avx2);
}

PM_TARGET_AVX2 static bool walk_leafy_avx2(pmi_walker *w, size_t stop) {
    return walk_leafy(w, stop, pmi_leaves_few_avx2, pmi_leaves_in_fours_avx2, close_outside_avx2);
}

bool pmi_box_walk(const pmi_scene *scene, size_t begin, size_t end, uint32_t *stack, pmi_outside *outside) {
    if (__builtin_cpu_supports("avx2"))
        return walk(scene, begin, end, stack, outside, walk_fours_avx2, walk_leafy_avx2);
    return pmi_box_walk_plain(scene, begin, end, stack, outside);
}
#else
bool pmi_box_walk(const pmi_scene *scene, size_t begin, size_t end, uint32_t *stack, pmi_outside *outside) {
    return pmi_box_walk_plain(scene, begin, end, stack, outside);
}
#endif
