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

#endif
