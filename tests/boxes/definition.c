/* SPDX-License-Identifier: Apache-2.0 */
/* The definition, read aloud: of every element the nodes above it, of every node the leaves below it. */
#include "tests/boxes/definition.h"

#include <math.h>
#include <stdlib.h>

#include "tests/support/definition.h"

enum {
    ELEMENTS = 64
};

static bool is_empty(pm_box box) {
    return isnan(box.x0) || isnan(box.y0) || isnan(box.x1) || isnan(box.y1) || box.x0 >= box.x1 || box.y0 >= box.y1;
}

static float without_sign_of_zero(float x) {
    return x == 0 ? 0 : x;
}

static pm_box in_one_form(pm_box box) {
    if (is_empty(box))
        return (pm_box){0, 0, 0, 0};
    return (pm_box){without_sign_of_zero(box.x0), without_sign_of_zero(box.y0), without_sign_of_zero(box.x1),
                    without_sign_of_zero(box.y1)};
}

/* The element's own box, and of the clips above it what all have in common. */
static pm_box clipped(const uint8_t *kinds, const pm_box *boxes, const uint32_t *above, size_t i) {
    pm_box box = boxes[i];
    bool empty = is_empty(box);
    for (uint32_t node = above[i]; node != PM_NONE; node = above[node]) {
        if (kinds[node] != PM_CLIP)
            continue;
        empty = empty || is_empty(boxes[node]);
        box = (pm_box){fmaxf(box.x0, boxes[node].x0), fmaxf(box.y0, boxes[node].y0), fminf(box.x1, boxes[node].x1),
                       fminf(box.y1, boxes[node].y1)};
    }
    return empty ? (pm_box){0, 0, 0, 0} : in_one_form(box);
}

static bool is_above(const uint32_t *above, size_t node, size_t i) {
    uint32_t ancestor = above[i];
    while (ancestor != PM_NONE && ancestor != node)
        ancestor = above[ancestor];
    return ancestor == node;
}

/* The hull of all leaves below that have something left. */
static pm_box united(const uint8_t *kinds, const uint32_t *above, size_t n, size_t blend, const pm_box *out) {
    pm_box box = {INFINITY, INFINITY, -INFINITY, -INFINITY};
    for (size_t i = blend + 1; i < n; i++)
        if (kinds[i] == PM_LEAF && is_above(above, blend, i) && !is_empty(out[i]))
            box = (pm_box){fminf(box.x0, out[i].x0), fminf(box.y0, out[i].y0), fmaxf(box.x1, out[i].x1),
                           fmaxf(box.y1, out[i].y1)};
    return in_one_form(box);
}

void definition_boxes(const uint8_t *kinds, const pm_box *boxes, size_t n, pm_box *out) {
    uint64_t opens = 0, closes = 0;
    uint32_t above[ELEMENTS];
    for (size_t i = 0; i < n; i++) {
        opens |= (uint64_t)(kinds[i] == PM_CLIP || kinds[i] == PM_BLEND) << i;
        closes |= (uint64_t)(kinds[i] == PM_END) << i;
    }
    definition_match(&opens, &closes, n, above);
    for (size_t i = 0; i < n; i++)
        if (kinds[i] == PM_LEAF || kinds[i] == PM_CLIP)
            out[i] = clipped(kinds, boxes, above, i);
    for (size_t i = 0; i < n; i++)
        if (kinds[i] == PM_BLEND)
            out[i] = united(kinds, above, n, i, out);
    for (size_t i = 0; i < n; i++)
        if (kinds[i] == PM_END)
            out[i] = above[i] == PM_NONE ? (pm_box){0, 0, 0, 0} : out[above[i]];
}

/* ---- Of any length: one stack, and nothing clever */

static pm_box intersection(pm_box a, pm_box b) {
    if (is_empty(a) || is_empty(b))
        return (pm_box){0, 0, 0, 0};
    return in_one_form((pm_box){fmaxf(a.x0, b.x0), fmaxf(a.y0, b.y0), fminf(a.x1, b.x1), fminf(a.y1, b.y1)});
}

static pm_box hull(pm_box a, pm_box b) {
    if (is_empty(a) || is_empty(b))
        return is_empty(a) ? b : a;
    return (pm_box){fminf(a.x0, b.x0), fminf(a.y0, b.y0), fmaxf(a.x1, b.x1), fmaxf(a.y1, b.y1)};
}

typedef struct open_node {
    size_t node;
    pm_box context; /* inside it */
    pm_box covered; /* by leaves in it */
} open_node;

/* Closes the innermost; `stack` has something below it. */
static void close_innermost(const uint8_t *kinds, open_node *innermost, pm_box *out) {
    out[innermost->node] = kinds[innermost->node] == PM_CLIP ? innermost->context : innermost->covered;
    innermost[-1].covered = hull(innermost[-1].covered, innermost->covered);
}

void definition_boxes_long(const uint8_t *kinds, const pm_box *boxes, size_t n, pm_box *out) {
    open_node *const stack = malloc((n + 1) * sizeof *stack), *top = stack;
    if (!stack)
        abort();
    *top = (open_node){.context = {-INFINITY, -INFINITY, INFINITY, INFINITY}};
    for (size_t i = 0; i < n; i++)
        if (kinds[i] == PM_LEAF) {
            out[i] = intersection(top->context, boxes[i]);
            top->covered = hull(top->covered, out[i]);
        } else if (kinds[i] == PM_END) {
            out[i] = (pm_box){0, 0, 0, 0};
            if (top > stack) {
                close_innermost(kinds, top, out);
                out[i] = out[top->node];
                top--;
            }
        } else {
            const pm_box context = kinds[i] == PM_CLIP ? intersection(top->context, boxes[i]) : top->context;
            *++top = (open_node){.node = i, .context = context};
        }
    for (; top > stack; top--)
        close_innermost(kinds, top, out);
    free(stack);
}
