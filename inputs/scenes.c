/* SPDX-License-Identifier: Apache-2.0 */
/* The generators behind scenes.h. */
#include "inputs/scenes.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inputs/families.h"

const char *const scene_names[] = {"mixed:0:random",
                                   "mixed:33:random",
                                   "mixed:90:random",
                                   "mixed:50:zigzag",
                                   "clips:50:zigzag",
                                   "blends:50:zigzag",
                                   "clips:0:random",
                                   "blends:0:random",
                                   "mixed:0:deep",
                                   "mixed:50:deep",
                                   "clips:20:deep",
                                   "blends:20:deep",
                                   "mixed:10:opens",
                                   "mixed:10:closes",
                                   "mixed:0:saw:64",
                                   "mixed:30:saw:1000",
                                   "clips:0:saw:100",
                                   "blends:0:saw:100",
                                   "mixed:25:drift",
                                   "mixed:20:bits",
                                   "mixed:40:comb:2",
                                   "blends:20:sparse:40",
                                   "mixed:60:twist:.5",
                                   "wide",
                                   "cards",
                                   "kinds",
                                   NULL};

/* ---- Boxes */

static float random_float(uint64_t *state, float least, float width) {
    return least + width * (float)(random_next(state) >> 40) * 0x1p-24f;
}

/* A leaf is up to a tenth of the plane wide; a clip at least half of it, or nothing would be left in deep scenes. */
static pm_box random_box(uint64_t *state, uint8_t kind) {
    const float side = 1000;
    if (kind == PM_CLIP)
        return (pm_box){random_float(state, 0, side / 4), random_float(state, 0, side / 4),
                        random_float(state, side * 3 / 4, side / 4), random_float(state, side * 3 / 4, side / 4)};
    const float x = random_float(state, 0, side), y = random_float(state, 0, side);
    return (pm_box){x, y, x + random_float(state, 0, side / 10), y + random_float(state, 0, side / 10)};
}

pm_box scene_odd_box(uint64_t *state) {
    static const float odd[] = {NAN, -INFINITY, INFINITY, -0.0f, 0, -2, -1, 1, 2, 3, 7, 0x1p-149f};
    float chosen[4];
    for (unsigned k = 0; k < 4; k++) {
        const uint64_t likely = random_below(state, 4) > 0 ? 3 : 0; /* NaNs and infinities less often than others */
        chosen[k] = odd[likely + random_below(state, sizeof odd / sizeof *odd - likely)];
    }
    return (pm_box){chosen[0], chosen[1], chosen[2], chosen[3]};
}

/* ---- Kinds */

/* How opens become nodes. */
typedef uint8_t node_chooser(uint64_t *state);

static uint8_t choose_clip(uint64_t *state) {
    (void)state;
    return PM_CLIP;
}

static uint8_t choose_blend(uint64_t *state) {
    (void)state;
    return PM_BLEND;
}

static uint8_t choose_either(uint64_t *state) {
    return random_below(state, 2) ? PM_CLIP : PM_BLEND;
}

static const struct {
    const char *name; /* with the colon after it */
    node_chooser *choose;
} choosers[] = {{"clips:", choose_clip}, {"blends:", choose_blend}, {"mixed:", choose_either}};

/* Leaves with a chance of `leaves` per cent; the family's elements in between. */
static bool fill_from_family(node_chooser *choose, unsigned leaves, const char *family, uint64_t seed, size_t n,
                             uint8_t *kinds) {
    size_t others = 0;
    for (size_t i = 0; i < n; i++) {
        kinds[i] = random_below(&seed, 100) < leaves ? PM_LEAF : PM_END;
        others += kinds[i] == PM_END;
    }
    uint64_t *const parens = malloc((others / 64 + 1) * sizeof *parens);
    const bool filled = parens && family_fill(family, seed, others, parens);
    for (size_t i = 0, k = 0; filled && i < n; i++) {
        if (kinds[i] == PM_LEAF)
            continue;
        if (parens[k / 64] >> k % 64 & 1)
            kinds[i] = choose(&seed);
        k++;
    }
    free(parens);
    return filled;
}

static bool fill_named(const char *name, uint64_t seed, size_t n, uint8_t *kinds) {
    for (size_t c = 0; c < sizeof choosers / sizeof *choosers; c++) {
        const size_t length = strlen(choosers[c].name);
        if (strncmp(name, choosers[c].name, length) != 0)
            continue;
        char *end;
        const unsigned long leaves = strtoul(name + length, &end, 10);
        return end > name + length && *end == ':' && leaves <= 100 &&
               fill_from_family(choosers[c].choose, (unsigned)leaves, end + 1, seed, n, kinds);
    }
    return false;
}

static void fill_periodic(const uint8_t *period, size_t length, size_t n, uint8_t *kinds) {
    for (size_t i = 0; i < n; i++)
        kinds[i] = period[i % length];
}

static bool fill_kinds(const char *name, uint64_t seed, size_t n, uint8_t *kinds) {
    static const uint8_t leaf[] = {PM_LEAF}, card[] = {PM_CLIP, PM_LEAF, PM_LEAF, PM_END};
    if (strcmp(name, "wide") == 0) {
        fill_periodic(leaf, sizeof leaf, n, kinds);
        if (n >= 2)
            kinds[0] = PM_BLEND, kinds[n - 1] = PM_END;
    } else if (strcmp(name, "cards") == 0) {
        fill_periodic(card, sizeof card, n, kinds);
    } else if (strcmp(name, "kinds") == 0) {
        for (size_t i = 0; i < n; i++)
            kinds[i] = (uint8_t)random_below(&seed, 4);
    } else {
        return fill_named(name, seed, n, kinds);
    }
    return true;
}

/* ---- Files */

static uint64_t little_endian(const uint8_t *bytes, unsigned count) {
    uint64_t number = 0;
    for (unsigned k = 0; k < count; k++)
        number |= (uint64_t)bytes[k] << 8 * k;
    return number;
}

static pm_box read_box(const uint8_t *bytes) {
    float numbers[4];
    for (unsigned k = 0; k < 4; k++) {
        const uint32_t bits = (uint32_t)little_endian(bytes + 4 * k, 4);
        memcpy(&numbers[k], &bits, sizeof bits);
    }
    return (pm_box){numbers[0], numbers[1], numbers[2], numbers[3]};
}

/* As many elements of a scene as there is room for; returns how many, 0 if it is not a scene. The format is that of
 * docs/guide/boxes.md. */
static size_t read_scene(FILE *file, size_t n, uint8_t *kinds, pm_box *boxes) {
    uint8_t head[16], box[16];
    if (fread(head, 1, sizeof head, file) != sizeof head || memcmp(head, "pmscene1", 8) != 0)
        return 0;
    const uint64_t there = little_endian(head + 8, 8), boxes_begin = sizeof head + (there + 7) / 8 * 8;
    const size_t count = there < n ? (size_t)there : n;
    if (boxes_begin > LONG_MAX || fread(kinds, 1, count, file) != count ||
        fseek(file, (long)boxes_begin, SEEK_SET) != 0)
        return 0;
    for (size_t i = 0; i < count; i++) {
        if (kinds[i] > PM_END || fread(box, 1, sizeof box, file) != sizeof box)
            return 0;
        boxes[i] = read_box(box);
    }
    return count;
}

static bool fill_from_file(const char *path, size_t n, uint8_t *kinds, pm_box *boxes) {
    FILE *const file = fopen(path, "rb");
    if (!file)
        return false;
    const size_t count = read_scene(file, n, kinds, boxes);
    fclose(file);
    for (size_t i = count; count > 0 && i < n; i++) {
        kinds[i] = kinds[i - count];
        boxes[i] = boxes[i - count];
    }
    return count > 0 || n == 0;
}

bool scene_fill(const char *name, uint64_t seed, size_t n, uint8_t *kinds, pm_box *boxes) {
    if (strncmp(name, "file:", 5) == 0)
        return fill_from_file(name + 5, n, kinds, boxes);
    if (!fill_kinds(name, seed, n, kinds))
        return false;
    uint64_t state = seed + 1;
    for (size_t i = 0; i < n; i++)
        boxes[i] = random_box(&state, kinds[i]);
    return true;
}
