/* SPDX-License-Identifier: Apache-2.0 */
/* The box of an SVG path, whose commands are letters followed by groups of numbers. */
#include <math.h>
#include <string.h>

#include "cli/scene/svg_geometry.h"

typedef struct pen {
    svg_extent *extent;
    const svg_matrix *matrix;
    double x, y;                 /* where it is */
    double start_x, start_y;     /* where the subpath began */
    double control_x, control_y; /* the last curve's last control point */
    char curve;                  /* 'C' or 'Q' if a curve of that degree was just drawn */
} pen;

static const double pi = 3.14159265358979323846;

/* How many numbers each command takes at a time. */
static const struct {
    char letter;
    unsigned count;
} commands[] = {{'M', 2}, {'L', 2}, {'H', 1}, {'V', 1}, {'C', 6}, {'S', 4}, {'Q', 4}, {'T', 2}, {'A', 7}};

static void pen_add(const pen *p, double x, double y) {
    svg_add_point(p->extent, p->matrix, x, y);
}

static void pen_move(pen *p, double x, double y) {
    p->x = x;
    p->y = y;
    pen_add(p, x, y);
}

/* Is an angle on the way from `from` by `sweep`, whatever turns lie between? Not so close to its ends that rounding
 * would decide: the ends are known exactly. */
static bool is_swept(double angle, double from, double sweep) {
    const double turn = 2 * pi;
    double along = fmod(sweep >= 0 ? angle - from : from - angle, turn);
    if (along < 0)
        along += turn;
    return along > 1e-9 && along < fabs(sweep) - 1e-9;
}

/* An arc's ellipse as a matrix of the unit circle, the angles where it begins and how far it goes, as SVG's notes on
 * implementation derive them from its ends; then of the four points that are farthest, those on the arc. */
static void pen_add_arc(const pen *p, const double *v, double x, double y) {
    double rx = fabs(v[0]), ry = fabs(v[1]);
    if (rx == 0 || ry == 0 || (x == p->x && y == p->y))
        return; /* a line, or nothing */
    const double phi = v[2] * pi / 180, c = cos(phi), s = sin(phi);
    const double dx = (p->x - x) / 2, dy = (p->y - y) / 2;
    const double u = c * dx + s * dy, w = c * dy - s * dx;
    const double grow = u * u / (rx * rx) + w * w / (ry * ry);
    if (grow > 1) {
        rx *= sqrt(grow);
        ry *= sqrt(grow);
    }
    const double factor = (v[3] != v[4] ? 1 : -1) * sqrt(grow < 1 ? 1 / grow - 1 : 0);
    const double cu = factor * rx * w / ry, cw = -factor * ry * u / rx;
    const double cx = c * cu - s * cw + (p->x + x) / 2, cy = s * cu + c * cw + (p->y + y) / 2;
    const double from = atan2((w - cw) / ry, (u - cu) / rx), to = atan2((-w - cw) / ry, (-u - cu) / rx);
    double sweep = to - from;
    if (v[4] != 0 && sweep < 0)
        sweep += 2 * pi;
    if (v[4] == 0 && sweep > 0)
        sweep -= 2 * pi;
    const svg_matrix circle = {c * rx, s * rx, -s * ry, c * ry, cx, cy}, all = svg_compose(*p->matrix, circle);
    const double farthest[2] = {atan2(all.c, all.a), atan2(all.d, all.b)};
    for (int k = 0; k < 4; k++) {
        const double angle = farthest[k % 2] + (k / 2) * pi;
        if (is_swept(angle, from, sweep))
            svg_add_point(p->extent, &all, cos(angle), sin(angle));
    }
}

static void pen_control(pen *p, double x, double y) {
    pen_add(p, x, y);
    p->control_x = x;
    p->control_y = y;
}

/* The first control point of S and T: the last of the curve before, as in a mirror, or where the pen is. */
static void pen_reflect(pen *p, char curve) {
    const bool smooth = p->curve == curve;
    pen_control(p, smooth ? 2 * p->x - p->control_x : p->x, smooth ? 2 * p->y - p->control_y : p->y);
}

/* One command; `x`, `y` are what its coordinates are relative to. */
static void pen_draw(pen *p, char letter, const double *v, unsigned count, double x, double y) {
    const char curve = letter == 'C' || letter == 'S' ? 'C' : letter == 'Q' || letter == 'T' ? 'Q' : '\0';
    if (letter == 'S' || letter == 'T')
        pen_reflect(p, curve);
    for (unsigned k = 0; curve != '\0' && k + 2 < count; k += 2)
        pen_control(p, v[k] + x, v[k + 1] + y);
    p->curve = curve;
    if (letter == 'H') {
        pen_move(p, v[0] + x, p->y);
    } else if (letter == 'V') {
        pen_move(p, p->x, v[0] + y);
    } else {
        if (letter == 'A')
            pen_add_arc(p, v, v[count - 2] + x, v[count - 1] + y);
        pen_move(p, v[count - 2] + x, v[count - 1] + y);
    }
}

/* A flag of an arc is one digit, which the next number may follow at once. */
static bool next_flag(const char **data, double *flag) {
    const char *const at = *data + strspn(*data, " ,\t\r\n");
    if (*at != '0' && *at != '1')
        return false;
    *flag = *at == '1';
    *data = at + 1;
    return true;
}

static bool next_numbers(const char **data, char letter, unsigned count, double *numbers) {
    for (unsigned k = 0; k < count; k++) {
        const bool flag = letter == 'A' && (k == 3 || k == 4);
        if (!(flag ? next_flag : svg_next_number)(data, &numbers[k]))
            return false;
    }
    return true;
}

/* All groups of numbers that follow a letter; false if there is no group, or one is cut off. */
static bool draw_groups(pen *p, const char **data, char letter, bool relative, unsigned count) {
    double numbers[7];
    bool some = false;
    for (const char *at = *data; next_numbers(&at, letter, count, numbers); *data = at) {
        pen_draw(p, letter, numbers, count, relative ? p->x : 0, relative ? p->y : 0);
        if (letter == 'M' && !some) {
            p->start_x = p->x;
            p->start_y = p->y;
        }
        some = true;
    }
    return some;
}

void svg_add_path(svg_extent *extent, const svg_matrix *matrix, const char *data) {
    pen p = {.extent = extent, .matrix = matrix};
    for (bool readable = true; readable;) {
        data += strspn(data, " ,\t\r\n");
        const bool relative = *data >= 'a' && *data <= 'z';
        const char letter = (char)(relative ? *data - 'a' + 'A' : *data);
        readable = letter == 'Z';
        if (readable) {
            p.x = p.start_x;
            p.y = p.start_y;
            p.curve = '\0';
            data++;
        }
        for (unsigned c = 0; c < sizeof commands / sizeof *commands; c++)
            if (commands[c].letter == letter && !readable) {
                data++;
                readable = draw_groups(&p, &data, letter, relative, commands[c].count);
            }
    }
}
