/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The way to walk where kinds cannot be guessed: four elements at a time. Each is a leaf, a node that begins, or an
 * end, so there are 81 cases, each with code of its own, and the processor guesses once for four elements. Whether a
 * node is a clip or a blend is not asked (walker.h).
 */
#ifndef PM_CPU_BOXES_FOURS_H
#define PM_CPU_BOXES_FOURS_H

#include "cpu/boxes/leaves.h"
#include "cpu/boxes/walker.h"

/* The case: a number of four digits, of which the first element's is the highest: 0 for a leaf, 1 for a node that
 * begins, 2 for an end. The product's highest byte has the sum of the digits, each times its power of 3. */
static inline unsigned pmi_four_case(uint32_t four) {
    const uint32_t digits = four - (four >> 1 & 0x01010101u); /* of the kinds 0, 1, 2, 3 */
    return digits * (27u << 24 | 9u << 16 | 3u << 8 | 1u) >> 24;
}

/* Goes on to `stop` or past it, as far as w->end; false for a kind that is none. */
static inline __attribute__((always_inline)) bool
pmi_walk_fours(pmi_walker *w, size_t stop, pmi_leaves_in_fours *leaves_in_fours, pmi_closes_outside *closes) {
    const uint8_t *const kinds = w->scene->kinds;
    const pm_box *const boxes = w->scene->boxes;
    pm_box *const out = w->scene->out;
    const uint32_t *const bottom = w->bottom;
    uint32_t *top = w->top;
    pmi_extent context = w->context, covered = w->covered;
    size_t i = w->i;

/* The element k after i. */
#define LEAF(k) covered = pmi_leaf(context, &boxes[i + k], covered, &out[i + k]);
#define BEGIN(k)                                                                                                       \
    pmi_node_begin(kinds[i + k], &boxes[i + k], &context, &covered, &out[i + k]);                                      \
    *top++ = (uint32_t)(i + k);
#define END(k)                                                                                                         \
    if (__builtin_expect(top == bottom, 0)) {                                                                          \
        i += k;                                                                                                        \
        goto outside;                                                                                                  \
    }                                                                                                                  \
    top--;                                                                                                             \
    pmi_node_end(kinds[*top], &context, &covered, &out[*top], &out[i + k]);

/* Four elements, and all cases of those that are not given yet. Four leaves begin a row of them, mostly. */
#define FOUR(number, first, second, third, fourth)                                                                     \
    case number:                                                                                                       \
        if (number == 0 && leaves_in_fours) {                                                                          \
            i = leaves_in_fours(w->scene, i, w->end, context, &covered);                                               \
            continue;                                                                                                  \
        }                                                                                                              \
        first(0) second(1) third(2) fourth(3) break;
#define FOURTH(number, first, second, third)                                                                           \
    FOUR(number, first, second, third, LEAF)                                                                           \
    FOUR(number + 1, first, second, third, BEGIN)                                                                      \
    FOUR(number + 2, first, second, third, END)
#define THIRD(number, first, second)                                                                                   \
    FOURTH(number, first, second, LEAF) FOURTH(number + 3, first, second, BEGIN) FOURTH(number + 6, first, second, END)
#define SECOND(number, first) THIRD(number, first, LEAF) THIRD(number + 9, first, BEGIN) THIRD(number + 18, first, END)

    while (i < stop) {
        if (w->end - i < 4) {
            const uint8_t kind = kinds[i];
            if (kind == PM_LEAF) {
                LEAF(0)
            } else if (kind < PM_END) {
                BEGIN(0)
            } else if (kind == PM_END) {
                END(0)
            } else {
                return false;
            }
            i++;
            continue;
        }
        pmi_scene_ahead(boxes, out, i);
        const uint32_t four = pmi_four_kinds(kinds + i);
        if (four & 0xfcfcfcfcu)
            return false;
        switch (pmi_four_case(four)) { SECOND(0, LEAF) SECOND(27, BEGIN) SECOND(54, END) }
        i += 4;
        continue;
    outside:
        w->covered = covered;
        i = closes(w->scene, w->outside, i, w->end, &w->covered);
        covered = w->covered;
        context = pmi_extent_of(&w->outside->context);
    }
    w->i = i;
    w->top = top;
    w->context = context, w->covered = covered;
    return true;
#undef SECOND
#undef THIRD
#undef FOURTH
#undef FOUR
#undef END
#undef BEGIN
#undef LEAF
}

#endif
