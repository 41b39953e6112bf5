/* SPDX-License-Identifier: Apache-2.0 */
/* Random scenes and values, and comparing the results of backends on them, element by element. */
#include "cli/crosscheck/crosscheck.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/sequence.h"
#include "inputs/families.h"

enum {
    UNWRITTEN_BYTE = 0xab, /* what results hold before */
    FENCE = 16             /* results behind the last, to stay as they are */
};

/* Results as they should be and as they are, both with room for the fence. */
typedef struct results {
    unsigned char *expected, *got;
    size_t count, size; /* results, and bytes of each */
} results;

static bool results_create(results *r, size_t count, size_t size) {
    *r = (results){malloc((count + FENCE) * size), malloc((count + FENCE) * size), count, size};
    if (r->got)
        memset(r->got, UNWRITTEN_BYTE, (count + FENCE) * size);
    if (r->expected)
        memset(r->expected, UNWRITTEN_BYTE, (count + FENCE) * size);
    return r->expected && r->got;
}

static void results_destroy(results *r) {
    free(r->expected);
    free(r->got);
}

/* To the bit; of floats, zeros are equal whatever their sign. */
static bool is_equal(const unsigned char *a, const unsigned char *b, size_t size, bool floats) {
    for (size_t at = 0; floats && at < size; at += sizeof(float)) {
        float x, y;
        memcpy(&x, a + at, sizeof x);
        memcpy(&y, b + at, sizeof y);
        if (x != y)
            return false;
    }
    return floats || memcmp(a, b, size) == 0;
}

static bool results_differ(const results *r, bool floats, const char *what, pm_status status, char *difference) {
    if (status != PM_OK) {
        snprintf(difference, CROSSCHECK_WORDS, "%s: %s, of %zu results", what, pm_status_string(status), r->count);
        return true;
    }
    for (size_t k = 0; k < r->count + FENCE; k++)
        if (!is_equal(r->expected + k * r->size, r->got + k * r->size, r->size, floats && k < r->count)) {
            snprintf(difference, CROSSCHECK_WORDS, "%s: result %zu of %zu %s", what, k, r->count,
                     k < r->count ? "is another" : "was written");
            return true;
        }
    return false;
}

/* ---- Boxes ---- */

typedef pm_status box_function(pm_context *, const uint8_t *, const pm_box *, size_t, pm_box *);

/* Most boxes are small and overlap others; a few have infinities and the like. */
static pm_box box_make(uint64_t *state) {
    static const float odd[] = {NAN, INFINITY, -INFINITY, -0.F, 1e-42F};
    float numbers[4];
    for (int k = 0; k < 4; k++) {
        const float drawn = (float)random_below(state, 16);
        numbers[k] = random_below(state, 64) == 0 ? odd[random_below(state, 5)] : k < 2 ? drawn : drawn + 8;
    }
    return (pm_box){numbers[0], numbers[1], numbers[2], numbers[3]};
}

/*
 * A box of a scene that lies along a line: leaves are each further on than the one before and of any height, and clips
 * are wider than all. So a union goes on growing with its last leaf, however many there are before; of boxes that lie
 * where others do, it has seen all after a few dozen, and what a later part of the scene adds could be left out.
 */
static pm_box box_move_along(pm_box box, pm_node kind, size_t i, uint64_t *state) {
    const float wide = 0x1p22F, high = (float)random_below(state, 1 << 20);
    if (kind == PM_CLIP)
        return (pm_box){box.x0, box.y0, box.x1 + wide, box.y1 + wide};
    return (pm_box){box.x0 + (float)i, box.y0, box.x1 + (float)i, box.y1 + high};
}

/* Opens are clips or blends, closes ends; some of either are leaves. */
static void scene_make(const crosscheck_tree *tree, uint8_t *kinds, pm_box *boxes) {
    uint64_t state = tree->seed;
    const bool along = random_below(&state, 2);
    for (size_t i = 0; i < tree->n; i++) {
        const uint64_t drawn = random_below(&state, 8);
        const pm_node node = drawn < 4 ? PM_CLIP : PM_BLEND;
        kinds[i] = (uint8_t)(drawn % 4 == 0 ? PM_LEAF : sequence_is_open(tree->parens, i) ? node : PM_END);
        boxes[i] = box_make(&state);
        if (along)
            boxes[i] = box_move_along(boxes[i], kinds[i], i, &state);
    }
}

static bool boxes_differ(box_function *find, pm_context *context, const crosscheck_tree *tree, char *difference,
                         pm_status *status) {
    uint8_t *const kinds = malloc(tree->n + 1);
    pm_box *const boxes = malloc((tree->n + 1) * sizeof *boxes);
    results r;
    bool differs = false;
    *status = PM_OUT_OF_MEMORY;
    if (results_create(&r, tree->n, sizeof(pm_box)) && kinds && boxes) {
        scene_make(tree, kinds, boxes);
        *status = pm_box_seq(NULL, kinds, boxes, tree->n, (pm_box *)(void *)r.expected);
        if (*status == PM_OK) {
            *status = find(context, kinds, boxes, tree->n, (pm_box *)(void *)r.got);
            differs = results_differ(&r, false, "boxes", *status, difference);
        }
    }
    results_destroy(&r);
    free(kinds);
    free(boxes);
    return differs;
}

bool crosscheck_boxes_omp(pm_context *context, const crosscheck_tree *tree, char *difference, pm_status *status) {
    return boxes_differ(pm_box_omp, context, tree, difference, status);
}

bool crosscheck_boxes_gpu(pm_context *context, const crosscheck_tree *tree, char *difference, pm_status *status) {
    return boxes_differ(pm_box_gpu, context, tree, difference, status);
}

/* ---- Scans ---- */

/* A monoid, the same on a GPU, and which way. */
typedef struct subject {
    const char *name;
    const pm_monoid *(*monoid)(void);
    const pm_gpu_monoid *(*gpu)(void);
    bool up;
    pm_scan_mode scan; /* unless up */
} subject;

static const subject subjects[] = {
    {"sums down", pm_monoid_sum_u64, pm_gpu_monoid_sum_u64, false, PM_SCAN_INCLUSIVE},
    {"transforms down", pm_monoid_affine, pm_gpu_monoid_affine, false, PM_SCAN_INCLUSIVE},
    {"transforms down to parents", pm_monoid_affine, pm_gpu_monoid_affine, false, PM_SCAN_EXCLUSIVE},
    {"transforms up", pm_monoid_affine, pm_gpu_monoid_affine, true, PM_SCAN_INCLUSIVE},
};

/* Numbers; or quarter turns about two axes, which do not commute, and on which nothing is rounded. */
static void values_make(const subject *s, const crosscheck_tree *tree, size_t nodes, unsigned char *values) {
    static const pm_affine turns[2] = {{{{0, -1, 0, 0}, {1, 0, 0, 0}, {0, 0, 1, 0}}},
                                       {{{1, 0, 0, 0}, {0, 0, -1, 0}, {0, 1, 0, 0}}}};
    const size_t size = s->monoid()->size;
    uint64_t state = tree->seed;
    for (size_t k = 0; k < nodes; k++) {
        const uint64_t drawn = random_next(&state);
        memcpy(values + k * size, size == sizeof drawn ? (const void *)&drawn : (const void *)&turns[drawn % 2], size);
    }
}

typedef pm_status scan_function(const subject *s, pm_context *context, const crosscheck_tree *tree, const void *values,
                                void *out);

static pm_status scan_seq(const subject *s, pm_context *context, const crosscheck_tree *tree, const void *values,
                          void *out) {
    return s->up ? pm_tree_reduce_up_seq(context, tree->parens, tree->n, s->monoid(), values, out)
                 : pm_tree_scan_down_seq(context, tree->parens, tree->n, s->monoid(), s->scan, values, out);
}

static pm_status scan_omp(const subject *s, pm_context *context, const crosscheck_tree *tree, const void *values,
                          void *out) {
    return s->up ? pm_tree_reduce_up_omp(context, tree->parens, tree->n, s->monoid(), values, out)
                 : pm_tree_scan_down_omp(context, tree->parens, tree->n, s->monoid(), s->scan, values, out);
}

static pm_status scan_gpu(const subject *s, pm_context *context, const crosscheck_tree *tree, const void *values,
                          void *out) {
    return s->up ? pm_tree_reduce_up_gpu(context, tree->parens, tree->n, s->gpu(), values, out)
                 : pm_tree_scan_down_gpu(context, tree->parens, tree->n, s->gpu(), s->scan, values, out);
}

static bool scan_differs(const subject *s, scan_function *scan, pm_context *context, const crosscheck_tree *tree,
                         char *difference, pm_status *status) {
    const size_t nodes = pm_forest_count(tree->parens, tree->n), size = s->monoid()->size;
    unsigned char *const values = malloc((nodes + 1) * size);
    results r;
    bool differs = false;
    *status = PM_OUT_OF_MEMORY;
    if (results_create(&r, nodes, size) && values) {
        values_make(s, tree, nodes, values);
        *status = scan_seq(s, NULL, tree, values, r.expected);
        if (*status == PM_OK) {
            *status = scan(s, context, tree, values, r.got);
            differs = results_differ(&r, s->monoid == pm_monoid_affine, s->name, *status, difference);
        }
    }
    results_destroy(&r);
    free(values);
    return differs;
}

static bool scans_differ(scan_function *scan, pm_context *context, const crosscheck_tree *tree, char *difference,
                         pm_status *status) {
    *status = PM_OK;
    for (size_t s = 0; s < sizeof subjects / sizeof *subjects && *status == PM_OK; s++)
        if (scan_differs(&subjects[s], scan, context, tree, difference, status))
            return true;
    return false;
}

bool crosscheck_scans_omp(pm_context *context, const crosscheck_tree *tree, char *difference, pm_status *status) {
    return scans_differ(scan_omp, context, tree, difference, status);
}

bool crosscheck_scans_gpu(pm_context *context, const crosscheck_tree *tree, char *difference, pm_status *status) {
    return scans_differ(scan_gpu, context, tree, difference, status);
}
