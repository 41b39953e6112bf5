/* SPDX-License-Identifier: Apache-2.0 */
/* Stands for svg.c and xml_tree.c in programs built without expat. */
#include "cli/cli.h"
#include "cli/scene/scene.h"

bool scene_read_svg(const char *name, const char *text, size_t length, scene *s) {
    (void)text, (void)length, (void)s;
    return complain("%s: cannot read SVG: this program was built without expat", name), false;
}

bool xml_tree_read(const char *name, const char *text, size_t length, xml_tree *tree) {
    (void)text, (void)length;
    *tree = (xml_tree){0};
    return complain("%s: cannot read XML: this program was built without expat", name), false;
}
