/* SPDX-License-Identifier: Apache-2.0 */
/* Boxes of SVG's shapes. Numbers are double until they go into a scene; strokes have no width. */
#ifndef PM_CLI_SCENE_SVG_GEOMETRY_H
#define PM_CLI_SCENE_SVG_GEOMETRY_H

#include <stdbool.h>

#include "parenmatch.h"

/* x' = a x + c y + e, y' = b x + d y + f: SVG's matrix(a b c d e f). */
typedef struct svg_matrix {
    double a, b, c, d, e, f;
} svg_matrix;

/* A box that grows by points; to begin with svg_no_points. */
typedef struct svg_extent {
    double x0, y0, x1, y1;
} svg_extent;

extern const svg_matrix svg_identity;
extern const svg_extent svg_no_points;

/* First inner, then outer. */
svg_matrix svg_compose(svg_matrix outer, svg_matrix inner);

/* The value of an attribute transform="..."; what cannot be read ends it. */
svg_matrix svg_parse_transform(const char *text);

/* Reads the next number of a list and moves *text behind it; false if the list is at its end. Commas and spaces are
 * skipped. */
bool svg_next_number(const char **text, double *number);

/* The box grows by a point, given before the matrix. */
void svg_add_point(svg_extent *extent, const svg_matrix *matrix, double x, double y);

/* By an ellipse with its axes along x and y. */
void svg_add_ellipse(svg_extent *extent, const svg_matrix *matrix, double cx, double cy, double rx, double ry);

/* By the points of <polygon> and <polyline>. */
void svg_add_points(svg_extent *extent, const svg_matrix *matrix, const char *points);

/* By the data of a <path>: ends and control points of its curves, and its arcs as they are. What cannot be read ends
 * it.
 */
void svg_add_path(svg_extent *extent, const svg_matrix *matrix, const char *data);

/* As a box of a scene: rounded outwards; empty if it has no points. A line's box is given a width that can be seen. */
pm_box svg_box(const svg_extent *extent);

#endif
