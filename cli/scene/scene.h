/* SPDX-License-Identifier: Apache-2.0 */
/* Scenes, read and drawn. */
#ifndef PM_CLI_SCENE_SCENE_H
#define PM_CLI_SCENE_SCENE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "parenmatch.h"

/* ---- Scenes as the program reads and writes them ---- */

typedef struct scene {
    uint8_t *kinds;
    pm_box *boxes;
    size_t n, room;
} scene;

extern const char *const scene_kind_names[4]; /* by pm_node */

/* Appends an element; complains and returns false if there is no memory. */
bool scene_append(scene *s, pm_node kind, pm_box box);

void scene_free(scene *s);

/*
 * Readers: append the elements of a text to an empty scene. They complain, with the text's name, and return false if it
 * is invalid.
 *
 * Text: an element a line, "leaf X0 Y0 X1 Y1", "clip X0 Y0 X1 Y1", "blend" or "end"; blank lines, and what follows a #,
 * are skipped, and so is a byte order mark at the beginning. Binary: the 8 bytes "pmscene1", the number of elements in
 * 8 bytes, a byte for each kind, zeros up to a multiple of 8 bytes, and of each element four 32-bit floats; all of it
 * little-endian. SVG: as docs/guide/boxes.md says.
 */
bool scene_read_text(const char *name, const char *text, size_t length, scene *s);
bool scene_read_binary(const char *name, const char *text, size_t length, scene *s);
bool scene_read_svg(const char *name, const char *text, size_t length, scene *s);

/* Does the text begin as a binary scene does? */
bool scene_is_binary(const char *text, size_t length);

void scene_write_text(const scene *s, FILE *file);
void scene_write_binary(const scene *s, FILE *file);

/* Boxes as 32-bit floats, little-endian. */
void boxes_write(const pm_box *boxes, size_t n, FILE *file);

/* ---- A scene's boxes, drawn ---- */

/*
 * Writes an SVG: what each leaf is in grey, and over it the boxes that are not empty, leaves' in blue, clips' in red,
 * blends' in green.
 */
void scene_draw(const scene *s, const pm_box *out, FILE *file);

/* ---- The elements of an XML document as a sequence of parentheses ---- */

/* An open for each element's start tag, a close for its end; and where these are: an open's offset is that of the
 * tag's '<', a close's that of the '>' that the element ends with. Arrays to be given to free(). */
typedef struct xml_tree {
    uint64_t *parens, *offsets;
    size_t count;
} xml_tree;

/* Complains and returns false for what is not well-formed, for documents in UTF-16, and for lack of memory. What
 * entities hold is no part of the text, and so no part of the tree. */
bool xml_tree_read(const char *name, const char *text, size_t length, xml_tree *tree);

#endif
