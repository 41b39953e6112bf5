/* SPDX-License-Identifier: Apache-2.0 */
/* The drawing in pixels: what leaves are is filled, boxes have edges, and what comes later lies above. */
#include <math.h>
#include <stdlib.h>

#include "cli/scene/drawing.h"
#include "cli/scene/png.h"

enum {
    SIDE = 1024, /* pixels of the longer side */
    EDGE = 2     /* of a box's edge, inside it */
};

/* Colours of the paper, of what leaves are, and of edges, by pm_node. */
enum {
    PAPER,
    DRAWN,
    EDGES,
    COLORS = EDGES + 3
};
static const png_color palette[COLORS] = {[PAPER] = {255, 255, 255},
                                          [DRAWN] = {221, 221, 221},
                                          [EDGES + PM_LEAF] = {51, 102, 204},
                                          [EDGES + PM_CLIP] = {204, 51, 51},
                                          [EDGES + PM_BLEND] = {34, 153, 51}};

typedef struct painting {
    pm_box page;
    double scale; /* pixels of a unit */
    uint32_t width, height;
    uint8_t *pixels;
} painting;

/* Pixels begin ... end - 1. */
typedef struct span {
    uint32_t begin, end;
} span;

/* Where a number of the scene is, on a side of so many pixels. */
static uint32_t pixel_of(const painting *p, float from, float number, uint32_t side) {
    const double pixel = ((double)number - (double)from) * p->scale;
    return !(pixel > 0) ? 0 : pixel >= side ? side : (uint32_t)pixel; /* what is not a number is at the edge */
}

/* Of whatever is not empty there is a pixel at least. */
static span span_of(const painting *p, float page, float begin, float end, uint32_t side) {
    span s = {pixel_of(p, page, begin, side), pixel_of(p, page, end, side)};
    s.begin -= s.begin == side;
    s.end += s.end == s.begin;
    return s;
}

static void fill(painting *p, span x, span y, uint8_t color) {
    for (uint32_t row = y.begin; row < y.end; row++)
        for (uint32_t column = x.begin; column < x.end; column++)
            p->pixels[(size_t)row * p->width + column] = color;
}

/* The first and the last few pixels of a span. */
static span span_first(span s) {
    return (span){s.begin, s.end - s.begin < EDGE ? s.end : s.begin + EDGE};
}

static span span_last(span s) {
    return (span){s.end - s.begin < EDGE ? s.begin : s.end - EDGE, s.end};
}

static void paint(painting *p, pm_box box, bool filled, uint8_t color) {
    if (!scene_is_drawable(box))
        return;
    const span x = span_of(p, p->page.x0, box.x0, box.x1, p->width);
    const span y = span_of(p, p->page.y0, box.y0, box.y1, p->height);
    if (filled) {
        fill(p, x, y, color);
        return;
    }
    fill(p, x, span_first(y), color);
    fill(p, x, span_last(y), color);
    fill(p, span_first(x), y, color);
    fill(p, span_last(x), y, color);
}

static uint32_t side_of(double length, double scale) {
    const double pixels = ceil(length * scale);
    return !(pixels >= 1) ? 1 : pixels > SIDE ? SIDE : (uint32_t)pixels;
}

bool scene_paint(const scene *s, const pm_box *out, FILE *file) {
    painting p = {.page = scene_page(s)};
    const double width = (double)p.page.x1 - (double)p.page.x0, height = (double)p.page.y1 - (double)p.page.y0;
    p.scale = SIDE / fmax(width, height);
    p.width = side_of(width, p.scale);
    p.height = side_of(height, p.scale);
    p.pixels = calloc((size_t)p.width * p.height, 1); /* PAPER */
    if (!p.pixels)
        return false;
    for (size_t i = 0; i < s->n; i++)
        if (s->kinds[i] == PM_LEAF)
            paint(&p, s->boxes[i], true, DRAWN);
    for (size_t i = 0; i < s->n; i++)
        if (s->kinds[i] != PM_END)
            paint(&p, out[i], false, (uint8_t)(EDGES + s->kinds[i]));
    png_write(&(png_picture){p.width, p.height, p.pixels, palette, COLORS}, file);
    free(p.pixels);
    return true;
}
