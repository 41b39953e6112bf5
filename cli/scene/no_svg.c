/* SPDX-License-Identifier: Apache-2.0 */
/* Instead of scene_svg.c, where there is no expat. */
#include "cli/cli.h"
#include "cli/scene/scene.h"

bool scene_read_svg(const char *name, const char *text, size_t length, scene *s) {
    (void)text, (void)length, (void)s;
    return complain("%s: SVG is not read by this program, which was built without expat", name), false;
}
