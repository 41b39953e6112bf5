/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SVG as a scene, read with expat: groups are blends, shapes leaves; what has a clip path lies inside a clip. Two
 * passes, because a clip path may be defined after its use: the first collects the boxes of clip paths, the second
 * makes the scene. What is defined to be used elsewhere and what is not displayed is skipped with all inside; so is
 * what would have to be drawn to know its box, such as text, but not silently.
 */
#include <expat.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/scene/scene.h"
#include "cli/scene/svg_geometry.h"

/* What an element that is open needs at its end, and its children need from it. */
typedef struct level {
    svg_matrix matrix; /* from its coordinates to the scene's, or in the first pass to its clip path's */
    unsigned ends;     /* nodes of the scene that end with it */
} level;

typedef struct clip_path {
    char *id;
    size_t ordinal; /* in the document: of several with one id the first counts */
    svg_extent extent;
} clip_path;

/* Elements that draw something and are not read. */
static const char *const unread[] = {"use", "text", "foreignObject", NULL};
enum {
    UNREAD = sizeof unread / sizeof *unread - 1
};

typedef struct reader {
    const char *name;
    XML_Parser parser;
    scene *scene; /* NULL: the first pass */
    level *levels;
    size_t depth, room;
    size_t skipped;    /* elements open since one that is skipped, that one included */
    size_t clip_depth; /* the first pass: the depth of the clip path that is open; 0: none */
    clip_path *clips;
    size_t clip_count;
    size_t unread_count[UNREAD], unit_count; /* lengths in units other than the user's */
    bool failed;
} reader;

static void fail(reader *r) {
    r->failed = true;
    XML_StopParser(r->parser, XML_FALSE);
}

/* ---- Attributes */

static const char *attribute(const char **attributes, const char *name) {
    for (; attributes[0]; attributes += 2)
        if (strcmp(attributes[0], name) == 0)
            return attributes[1];
    return NULL;
}

/* A property, which may stand in the attribute of its name or in style="name:value;...". */
static const char *property(const char **attributes, const char *name) {
    const char *const style = attribute(attributes, "style");
    const size_t length = strlen(name);
    for (const char *at = style; at && *at; at = strchr(at, ';')) {
        at += strspn(at, "; \t\r\n");
        if (strncmp(at, name, length) != 0)
            continue;
        const char *const colon = at + length + strspn(at + length, " \t\r\n");
        if (*colon == ':')
            return colon + 1 + strspn(colon + 1, " \t\r\n");
    }
    return attribute(attributes, name);
}

static double number(const char **attributes, const char *name) {
    const char *text = attribute(attributes, name);
    double value;
    return text && svg_next_number(&text, &value) ? value : 0;
}

/* The element's name without the prefix of its namespace. */
static const char *local_name(const char *name) {
    const char *const colon = strrchr(name, ':');
    return colon ? colon + 1 : name;
}

static bool is_any(const char *name, const char *const *names) {
    while (*names && strcmp(*names, name) != 0)
        names++;
    return *names != NULL;
}

static bool is_displayed(const char **attributes) {
    const char *const display = property(attributes, "display");
    return !display || strncmp(display, "none", 4) != 0;
}

/* ---- Shapes */

/* False for an element that is no shape. */
static bool add_shape(const char *name, const char **attributes, const svg_matrix *matrix, svg_extent *extent) {
    if (strcmp(name, "path") == 0) {
        const char *const data = attribute(attributes, "d");
        svg_add_path(extent, matrix, data ? data : "");
    } else if (strcmp(name, "rect") == 0 || strcmp(name, "image") == 0) {
        const double x = number(attributes, "x"), y = number(attributes, "y");
        const double width = number(attributes, "width"), height = number(attributes, "height");
        for (int k = 0; k < 4 && width > 0 && height > 0; k++)
            svg_add_point(extent, matrix, k % 2 ? x + width : x, k / 2 ? y + height : y);
    } else if (strcmp(name, "circle") == 0 || strcmp(name, "ellipse") == 0) {
        const bool circle = *name == 'c';
        const double rx = number(attributes, circle ? "r" : "rx"), ry = number(attributes, circle ? "r" : "ry");
        if (rx > 0 && ry > 0)
            svg_add_ellipse(extent, matrix, number(attributes, "cx"), number(attributes, "cy"), rx, ry);
    } else if (strcmp(name, "line") == 0) {
        svg_add_point(extent, matrix, number(attributes, "x1"), number(attributes, "y1"));
        svg_add_point(extent, matrix, number(attributes, "x2"), number(attributes, "y2"));
    } else if (strcmp(name, "polygon") == 0 || strcmp(name, "polyline") == 0) {
        const char *const points = attribute(attributes, "points");
        svg_add_points(extent, matrix, points ? points : "");
    } else {
        return false;
    }
    return true;
}

/* ---- Clip paths */

static void clip_begin(reader *r, const char **attributes) {
    const char *const id = attribute(attributes, "id"), *const units = attribute(attributes, "clipPathUnits");
    if (!id || (units && strcmp(units, "userSpaceOnUse") != 0))
        return; /* of the clipped shape's own size: nothing that a box could be taken from here */
    const bool full = (r->clip_count & (r->clip_count - 1)) == 0; /* the room doubles */
    clip_path *const clips = full ? realloc(r->clips, (2 * r->clip_count + 1) * sizeof *clips) : r->clips;
    r->clips = clips ? clips : r->clips;
    char *const copy = clips ? malloc(strlen(id) + 1) : NULL;
    if (!copy) {
        complain("%s: out of memory for its clip paths", r->name);
        fail(r);
        return;
    }
    clips[r->clip_count] = (clip_path){strcpy(copy, id), r->clip_count, svg_no_points};
    r->clip_count++;
    r->clip_depth = r->depth;
}

static int by_id(const void *left, const void *right) {
    const clip_path *const a = left, *const b = right;
    const int order = strcmp(a->id, b->id);
    return order != 0 ? order : (a->ordinal > b->ordinal) - (a->ordinal < b->ordinal);
}

/* The clip path that an element refers to as url(#id); NULL if it refers to none that is known. They are sorted. */
static const clip_path *clip_of(const reader *r, const char **attributes) {
    const char *const reference = property(attributes, "clip-path");
    const char *const id = reference ? strchr(reference, '#') : NULL;
    if (!id)
        return NULL;
    const size_t length = strcspn(id + 1, ")\"'");
    size_t low = 0, high = r->clip_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (strncmp(r->clips[middle].id, id + 1, length) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    const clip_path *const found = low < r->clip_count ? &r->clips[low] : NULL;
    return found && strncmp(found->id, id + 1, length) == 0 && found->id[length] == '\0' ? found : NULL;
}

/* ---- Elements */

static const char *const groups[] = {"svg", "g", "a", "switch", NULL};

static void append(reader *r, pm_node kind, pm_box box) {
    if (!r->failed && !scene_append(r->scene, kind, box))
        fail(r);
}

/* A clip around the element, if it has a clip path; returns how many nodes that is. */
static unsigned append_clip(reader *r, const char **attributes, const svg_matrix *matrix) {
    const clip_path *const clip = clip_of(r, attributes);
    if (!clip)
        return 0;
    svg_extent extent = svg_no_points;
    for (int k = 0; k < 4 && clip->extent.x0 <= clip->extent.x1; k++)
        svg_add_point(&extent, matrix, k % 2 ? clip->extent.x1 : clip->extent.x0,
                      k / 2 ? clip->extent.y1 : clip->extent.y0);
    append(r, PM_CLIP, svg_box(&extent));
    return 1;
}

static void count_unread(reader *r, const char *name) {
    for (size_t k = 0; k < UNREAD; k++)
        r->unread_count[k] += strcmp(name, unread[k]) == 0;
}

static void report_unread(const reader *r) {
    for (size_t k = 0; k < UNREAD; k++)
        if (r->unread_count[k] > 0)
            complain("%s: skipped <%s>, whose boxes are unknown: %zu", r->name, unread[k], r->unread_count[k]);
    if (r->unit_count > 0)
        complain("%s: ignored units of lengths, such as %%: %zu", r->name, r->unit_count);
}

/* Of a shape that is drawn, or clips. */
static void count_units(reader *r, const char **attributes) {
    static const char *const lengths[] = {"x",  "y",  "width", "height", "r",  "rx", "ry",
                                          "cx", "cy", "x1",    "y1",     "x2", "y2", NULL};
    for (const char **at = attributes; at[0]; at += 2) {
        const char *text = at[1];
        double value;
        if (is_any(at[0], lengths) && svg_next_number(&text, &value))
            r->unit_count += strcspn(text, " \t\r\n") > 0 && strncmp(text, "px", 2) != 0;
    }
}

/* The second pass. Returns false for what is skipped. */
static bool scene_element(reader *r, const char *name, const char **attributes, level *opened) {
    const pm_box none = {0, 0, 0, 0};
    svg_extent extent = svg_no_points;
    const bool group = is_any(name, groups), shape = !group && add_shape(name, attributes, &opened->matrix, &extent);
    if (!is_displayed(attributes))
        return false;
    if (!group && !shape) {
        count_unread(r, name);
        return false;
    }
    if (shape)
        count_units(r, attributes);
    opened->ends = append_clip(r, attributes, &opened->matrix);
    append(r, group ? PM_BLEND : PM_LEAF, shape ? svg_box(&extent) : none);
    opened->ends += group;
    return true;
}

/* The first pass, which looks into everything. */
static void clip_element(reader *r, const char *name, const char **attributes, const level *opened) {
    if (strcmp(name, "clipPath") == 0 && r->clip_depth == 0)
        clip_begin(r, attributes);
    else if (r->clip_depth > 0 && is_displayed(attributes) &&
             add_shape(name, attributes, &opened->matrix, &r->clips[r->clip_count - 1].extent))
        count_units(r, attributes);
}

static bool make_room(reader *r) {
    if (r->depth < r->room)
        return true;
    const size_t room = r->room > 0 ? 2 * r->room : 64;
    level *const levels = realloc(r->levels, room * sizeof *levels);
    if (!levels)
        return complain("%s: out of memory for its groups", r->name), false;
    r->levels = levels;
    r->room = room;
    return true;
}

static void XMLCALL element_begins(void *user, const char *qualified, const char **attributes) {
    reader *const r = user;
    if (r->failed)
        return; /* expat may still tell of an element or two */
    if (r->skipped > 0) {
        r->skipped++;
        return;
    }
    if (!make_room(r)) {
        fail(r);
        return;
    }
    const char *const name = local_name(qualified), *const transform = attribute(attributes, "transform");
    const bool fresh = r->depth == 0 || (!r->scene && strcmp(name, "clipPath") == 0);
    level opened = {.matrix = fresh ? svg_identity : r->levels[r->depth - 1].matrix};
    if (transform)
        opened.matrix = svg_compose(opened.matrix, svg_parse_transform(transform));
    r->depth++;
    if (!r->scene)
        clip_element(r, name, attributes, &opened);
    else if (!scene_element(r, name, attributes, &opened))
        r->skipped = 1;
    r->levels[r->depth - 1] = opened;
}

static void XMLCALL element_ends(void *user, const char *qualified) {
    reader *const r = user;
    (void)qualified;
    if (r->failed)
        return;
    if (r->skipped > 1) {
        r->skipped--;
        return;
    }
    r->skipped = 0;
    if (r->clip_depth == r->depth)
        r->clip_depth = 0;
    r->depth--;
    for (unsigned k = 0; k < r->levels[r->depth].ends; k++)
        append(r, PM_END, (pm_box){0, 0, 0, 0});
}

/* ---- Passes */

static bool pass(reader *r, const char *text, size_t length) {
    enum {
        PIECE = 1 << 20 /* expat takes an int */
    };
    r->parser = XML_ParserCreate(NULL);
    if (!r->parser)
        return complain("%s: out of memory", r->name), false;
    XML_SetUserData(r->parser, r);
    XML_SetElementHandler(r->parser, element_begins, element_ends);
    enum XML_Status status = XML_STATUS_OK;
    size_t at = 0;
    do {
        const size_t size = length - at < PIECE ? length - at : PIECE;
        status = XML_Parse(r->parser, text + at, (int)size, at + size == length);
        at += size;
    } while (status == XML_STATUS_OK && at < length);
    if (status != XML_STATUS_OK && !r->failed)
        complain("%s:%lu: %s", r->name, (unsigned long)XML_GetCurrentLineNumber(r->parser),
                 XML_ErrorString(XML_GetErrorCode(r->parser)));
    XML_ParserFree(r->parser);
    return status == XML_STATUS_OK;
}

bool scene_read_svg(const char *name, const char *text, size_t length, scene *s) {
    reader r = {.name = name};
    bool read = pass(&r, text, length);
    if (read) {
        if (r.clip_count > 0)
            qsort(r.clips, r.clip_count, sizeof *r.clips, by_id);
        r.scene = s;
        read = pass(&r, text, length);
    }
    if (read)
        report_unread(&r);
    for (size_t c = 0; c < r.clip_count; c++)
        free(r.clips[c].id);
    free(r.clips);
    free(r.levels);
    return read;
}
