/* SPDX-License-Identifier: Apache-2.0 */
/* Drawing boxes as SVG, in the scene's own units; lines are a fixed part of its size. */
#include "cli/scene/scene.h"

#include <float.h>
#include <math.h>

/* Is there anything of the box to be seen? */
static bool is_drawable(pm_box box) {
    return box.x0 < box.x1 && box.y0 < box.y1 && isfinite(box.x0) && isfinite(box.y0) && isfinite(box.x1) &&
           isfinite(box.y1);
}

static float nearest_finite(double number) {
    return (float)fmin(fmax(number, (double)-FLT_MAX), (double)FLT_MAX);
}

/* Returns what the leaves cover before they are clipped, and a margin. */
static pm_box page_of(const scene *s) {
    pm_box page = {INFINITY, INFINITY, -INFINITY, -INFINITY};
    for (size_t i = 0; i < s->n; i++)
        if (s->kinds[i] == PM_LEAF && is_drawable(s->boxes[i]))
            page = (pm_box){fminf(page.x0, s->boxes[i].x0), fminf(page.y0, s->boxes[i].y0),
                            fmaxf(page.x1, s->boxes[i].x1), fmaxf(page.y1, s->boxes[i].y1)};
    if (!is_drawable(page))
        return (pm_box){0, 0, 1, 1};
    const double width = (double)page.x1 - (double)page.x0, height = (double)page.y1 - (double)page.y0;
    const double margin = fmax(width, height) / 50;
    return (pm_box){nearest_finite((double)page.x0 - margin), nearest_finite((double)page.y0 - margin),
                    nearest_finite((double)page.x1 + margin), nearest_finite((double)page.y1 + margin)};
}

static void draw_rectangle(pm_box box, const char *class, FILE *file) {
    if (is_drawable(box))
        fprintf(file, "<rect class=\"%s\" x=\"%.9g\" y=\"%.9g\" width=\"%.9g\" height=\"%.9g\"/>\n", class,
                (double)box.x0, (double)box.y0, (double)box.x1 - (double)box.x0, (double)box.y1 - (double)box.y0);
}

void scene_draw(const scene *s, const pm_box *out, FILE *file) {
    const pm_box page = page_of(s);
    const double width = (double)page.x1 - (double)page.x0, height = (double)page.y1 - (double)page.y0;
    fprintf(file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"%.9g %.9g %.9g %.9g\">\n"
            "<style>rect { fill: none; stroke-width: %.9g } .drawn { fill: #ccc; fill-opacity: .5 } "
            ".leaf { stroke: #36c } .clip { stroke: #c33 } .blend { stroke: #293 }</style>\n",
            (double)page.x0, (double)page.y0, width, height, fmax(width, height) / 300);
    for (size_t i = 0; i < s->n; i++)
        if (s->kinds[i] == PM_LEAF)
            draw_rectangle(s->boxes[i], "drawn", file);
    for (size_t i = 0; i < s->n; i++)
        if (s->kinds[i] != PM_END)
            draw_rectangle(out[i], scene_kind_names[s->kinds[i]], file);
    fputs("</svg>\n", file);
}
