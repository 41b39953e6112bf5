/* SPDX-License-Identifier: Apache-2.0 */
/* SVG geometry: transforms, and the boxes of points and ellipses. */
#include "cli/scene/svg_geometry.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const svg_matrix svg_identity = {1, 0, 0, 1, 0, 0};
const svg_extent svg_no_points = {HUGE_VAL, HUGE_VAL, -HUGE_VAL, -HUGE_VAL};

svg_matrix svg_compose(svg_matrix outer, svg_matrix inner) {
    return (svg_matrix){
        outer.a * inner.a + outer.c * inner.b,           outer.b * inner.a + outer.d * inner.b,
        outer.a * inner.c + outer.c * inner.d,           outer.b * inner.c + outer.d * inner.d,
        outer.a * inner.e + outer.c * inner.f + outer.e, outer.b * inner.e + outer.d * inner.f + outer.f};
}

bool svg_next_number(const char **text, double *number) {
    const char *at = *text + strspn(*text, " ,\t\r\n");
    const char *digit = at + (*at == '+' || *at == '-');
    digit += *digit == '.';
    if (*digit < '0' || *digit > '9') /* so that strtod finds no names */
        return false;
    if (*digit == '0' && (digit[1] == 'x' || digit[1] == 'X')) { /* nor hexadecimal numbers: SVG has none */
        *number = 0;
        *text = digit + 1;
        return true;
    }
    char *end;
    *number = strtod(at, &end);
    *text = end;
    return fabs(*number) <= DBL_MAX; /* isfinite() of MinGW does not compile without a warning */
}

/* ---- Transforms */

static const double degree = 3.14159265358979323846 / 180;

/* A function of a transform, and its number of arguments. */
static svg_matrix make_transform(const char *name, size_t length, const double *v, unsigned count) {
    const bool is_matrix = length == 6 && strncmp(name, "matrix", length) == 0;
    if (is_matrix && count == 6)
        return (svg_matrix){v[0], v[1], v[2], v[3], v[4], v[5]};
    if (length == 9 && strncmp(name, "translate", length) == 0 && count >= 1)
        return (svg_matrix){1, 0, 0, 1, v[0], count > 1 ? v[1] : 0};
    if (length == 5 && strncmp(name, "scale", length) == 0 && count >= 1)
        return (svg_matrix){v[0], 0, 0, count > 1 ? v[1] : v[0], 0, 0};
    if (length == 5 && strncmp(name, "skewX", length) == 0 && count == 1)
        return (svg_matrix){1, 0, tan(v[0] * degree), 1, 0, 0};
    if (length == 5 && strncmp(name, "skewY", length) == 0 && count == 1)
        return (svg_matrix){1, tan(v[0] * degree), 0, 1, 0, 0};
    if (length == 6 && strncmp(name, "rotate", length) == 0 && count >= 1) {
        const double s = sin(v[0] * degree), c = cos(v[0] * degree), x = count == 3 ? v[1] : 0,
                     y = count == 3 ? v[2] : 0;
        return (svg_matrix){c, s, -s, c, x - c * x + s * y, y - s * x - c * y};
    }
    return svg_identity;
}

svg_matrix svg_parse_transform(const char *text) {
    svg_matrix all = svg_identity;
    for (;;) {
        const char *const name = text + strspn(text, " ,\t\r\n");
        const size_t length = strcspn(name, " (\t\r\n");
        text = name + length + strspn(name + length, " \t\r\n");
        if (*text++ != '(')
            return all;
        double values[6] = {0};
        unsigned count = 0;
        while (count < 6 && svg_next_number(&text, &values[count]))
            count++;
        text += strspn(text, " \t\r\n");
        if (*text++ != ')')
            return all;
        all = svg_compose(all, make_transform(name, length, values, count));
    }
}

/* ---- Extents */

void svg_add_point(svg_extent *extent, const svg_matrix *matrix, double x, double y) {
    const double px = matrix->a * x + matrix->c * y + matrix->e, py = matrix->b * x + matrix->d * y + matrix->f;
    *extent = (svg_extent){fmin(extent->x0, px), fmin(extent->y0, py), fmax(extent->x1, px), fmax(extent->y1, py)};
}

/* The farthest that (a cos t + c sin t) gets is hypot(a, c). */
void svg_add_ellipse(svg_extent *extent, const svg_matrix *matrix, double cx, double cy, double rx, double ry) {
    const double width = hypot(matrix->a * rx, matrix->c * ry), height = hypot(matrix->b * rx, matrix->d * ry);
    const double x = matrix->a * cx + matrix->c * cy + matrix->e, y = matrix->b * cx + matrix->d * cy + matrix->f;
    svg_add_point(extent, &svg_identity, x - width, y - height);
    svg_add_point(extent, &svg_identity, x + width, y + height);
}

void svg_add_points(svg_extent *extent, const svg_matrix *matrix, const char *points) {
    double x, y;
    while (svg_next_number(&points, &x) && svg_next_number(&points, &y))
        svg_add_point(extent, matrix, x, y);
}

/* The least float above a number, and the greatest below. */
static float round_down(double x) {
    const float near = (float)x;
    return (double)near > x ? nextafterf(near, -INFINITY) : near;
}

static float round_up(double x) {
    const float near = (float)x;
    return (double)near < x ? nextafterf(near, INFINITY) : near;
}

pm_box svg_box(const svg_extent *extent) {
    if (!(extent->x0 <= extent->x1 && extent->y0 <= extent->y1))
        return (pm_box){0, 0, 0, 0};
    pm_box box = {round_down(extent->x0), round_down(extent->y0), round_up(extent->x1), round_up(extent->y1)};
    if (box.x0 == box.x1)
        box.x1 = nextafterf(box.x1, INFINITY);
    if (box.y0 == box.y1)
        box.y1 = nextafterf(box.y1, INFINITY);
    return box;
}
