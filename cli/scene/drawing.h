/* SPDX-License-Identifier: Apache-2.0 */
/* A scene's boxes, drawn. */
#ifndef PM_CLI_SCENE_DRAWING_H
#define PM_CLI_SCENE_DRAWING_H

#include "cli/scene/scene.h"

/*
 * Writes an SVG: what each leaf is in grey, and over it the boxes that are not empty, leaves' in blue, clips' in red,
 * blends' in green.
 */
void scene_draw(const scene *s, const pm_box *out, FILE *file);

/* The same as a PNG, without shades, its longer side of 1024 pixels. False where there is no memory. */
bool scene_paint(const scene *s, const pm_box *out, FILE *file);

/* Is there anything of the box that can be seen? */
bool scene_is_drawable(pm_box box);

/* What the leaves cover before they are clipped, and a margin. */
pm_box scene_page(const scene *s);

#endif
