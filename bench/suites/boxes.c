/* SPDX-License-Identifier: Apache-2.0 */
/* Suite boxes: the boxes of scenes. The floor is copying 16 bytes an element and reading one: input and output. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/floors.h"
#include "bench/machine.h"
#include "bench/report.h"
#include "bench/suites/suite.h"
#include "inputs/scenes.h"

struct scene {
    size_t n;
    uint8_t *kinds;
    pm_box *boxes, *out, *proved;
    uint32_t *above;          /* the innermost node open before each element */
    uint64_t *opens, *closes; /* bits */
};

struct scene_job {
    const struct scene *scene;
    pm_status (*function)(pm_context *, const uint8_t *, const pm_box *, size_t, pm_box *);
    pm_context *context;
    bool right;
};

static void scene_destroy(struct scene *scene) {
    free(scene->kinds);
    free(scene->boxes);
    free(scene->out);
    free(scene->proved);
    free(scene->above);
    free(scene->opens);
    free(scene->closes);
}

static bool scene_create(struct scene *scene, size_t n) {
    *scene = (struct scene){.n = n,
                            .kinds = buffer_create(n),
                            .boxes = buffer_create(n * sizeof(pm_box)),
                            .out = buffer_create(n * sizeof(pm_box)),
                            .proved = malloc(n * sizeof(pm_box) + 1),
                            .above = malloc(n * sizeof(uint32_t) + 1),
                            .opens = calloc(n / 64 + 1, sizeof(uint64_t)),
                            .closes = calloc(n / 64 + 1, sizeof(uint64_t))};
    if (scene->kinds && scene->boxes && scene->out && scene->proved && scene->above && scene->opens && scene->closes)
        return true;
    fprintf(stderr, "pm_bench: no memory for a scene of %zu elements\n", n);
    scene_destroy(scene);
    return false;
}

/* ---- The proof: every element's box from those of the nodes above and below, without a stack ---- */

static bool scene_find_above(struct scene *scene) {
    for (size_t w = 0; w < scene->n / 64 + 1; w++)
        scene->opens[w] = scene->closes[w] = 0;
    for (size_t i = 0; i < scene->n; i++) {
        const bool node = scene->kinds[i] == PM_CLIP || scene->kinds[i] == PM_BLEND;
        scene->opens[i / 64] |= (uint64_t)node << i % 64;
        scene->closes[i / 64] |= (uint64_t)(scene->kinds[i] == PM_END) << i % 64;
    }
    return pm_match_masks(NULL, scene->opens, scene->closes, scene->n, scene->above, NULL) == PM_OK;
}

static pm_box box_form(pm_box box) {
    return box.x0 < box.x1 && box.y0 < box.y1 ? box : (pm_box){0, 0, 0, 0};
}

/* Down: each box intersected with its context; for a blend, `proved` holds the context until the way up. */
static void prove_clipped(const struct scene *scene) {
    for (size_t i = 0; i < scene->n; i++) {
        const uint32_t above = scene->above[i];
        const pm_box everything = {-INFINITY, -INFINITY, INFINITY, INFINITY};
        const pm_box context = above == PM_NONE ? everything : scene->proved[above], own = scene->boxes[i];
        const pm_box both = {fmaxf(context.x0, own.x0), fmaxf(context.y0, own.y0), fminf(context.x1, own.x1),
                             fminf(context.y1, own.y1)};
        scene->proved[i] = scene->kinds[i] == PM_BLEND ? context : box_form(both);
    }
}

/* Up, from the last to the first: `out` collects what is below each node. */
static void prove_united(const struct scene *scene) {
    const pm_box nothing = {INFINITY, INFINITY, -INFINITY, -INFINITY};
    for (size_t i = 0; i < scene->n; i++)
        scene->out[i] = nothing;
    for (size_t i = scene->n; i-- > 0;) {
        const uint32_t above = scene->above[i];
        const bool leaf = scene->kinds[i] == PM_LEAF, drawn = leaf && scene->proved[i].x0 < scene->proved[i].x1;
        const pm_box below = leaf ? (drawn ? scene->proved[i] : nothing) : scene->out[i];
        if (above != PM_NONE) {
            pm_box *const all = &scene->out[above];
            *all = (pm_box){fminf(all->x0, below.x0), fminf(all->y0, below.y0), fmaxf(all->x1, below.x1),
                            fmaxf(all->y1, below.y1)};
        }
        if (scene->kinds[i] == PM_BLEND)
            scene->proved[i] = box_form(below);
    }
    for (size_t i = 0; i < scene->n; i++)
        if (scene->kinds[i] == PM_END)
            scene->proved[i] = scene->above[i] == PM_NONE ? (pm_box){0, 0, 0, 0} : scene->proved[scene->above[i]];
}

static bool scene_fill_and_prove(struct scene *scene, const char *family, uint64_t seed) {
    if (!scene_fill(family, seed, scene->n, scene->kinds, scene->boxes) || !scene_find_above(scene)) {
        fprintf(stderr, "pm_bench: '%s' is not a scene\n", family);
        return false;
    }
    prove_clipped(scene);
    prove_united(scene);
    return true;
}

/* ---- Timing ---- */

static void job_run(void *user, size_t calls) {
    struct scene_job *job = user;
    for (size_t c = 0; c < calls; c++)
        if (job->function(job->context, job->scene->kinds, job->scene->boxes, job->scene->n, job->scene->out) != PM_OK)
            job->right = false;
}

static void job_check(void *user) {
    struct scene_job *job = user;
    const struct scene *const scene = job->scene;
    job->right = job->right && memcmp(scene->out, scene->proved, scene->n * sizeof *scene->out) == 0;
}

/* What is timed, each with one context for all scenes; a device only if it is named. */
static struct way {
    const char *backend;
    pm_status (*function)(pm_context *, const uint8_t *, const pm_box *, size_t, pm_box *);
    bool sequential, device;
    pm_context *context; /* NULL: not wanted */
} ways[] = {{"seq", pm_box_seq, true, false, NULL},
            {"omp", pm_box_omp, false, false, NULL},
            {"gpu", pm_box_gpu, false, true, NULL},
            {"auto", pm_box_auto, false, false, NULL}};

#define WAYS (sizeof ways / sizeof *ways)

static enum outcome time_way(const char *suite, const struct scene *scene, const char *family,
                             const struct settings *settings, const struct way *way) {
    const unsigned threads = way->sequential ? 1 : settings->threads;
    struct scene_job job = {.scene = scene, .function = way->function, .context = way->context, .right = true};
    struct moving moving =
        moving_make(scene->out, scene->boxes, scene->n * sizeof *scene->boxes, scene->kinds, scene->n, threads);
    struct result result = {
        .times = timing_pairs(settings->sampling, moving_action(&moving), (struct action){job_run, &job}, job_check),
        .suite = suite,
        .backend = way->backend,
        .simd = "none",
        .kind = family,
        .floor = moving.copy.floor->name,
        .n = scene->n,
        .threads = threads};
    result.verified = job.right;
    return report_result(&result);
}

static enum outcome time_scene(const struct suite *suite, const struct settings *settings, const char *family,
                               size_t n) {
    struct scene scene;
    if (!scene_create(&scene, n))
        return OUTCOME_FAILED;
    enum outcome worst = OUTCOME_FAILED;
    if (scene_fill_and_prove(&scene, family, settings->seed)) {
        worst = OUTCOME_VERIFIED;
        for (size_t w = 0; w < WAYS; w++)
            if (ways[w].context)
                worst = outcome_worse(worst, time_way(suite->name, &scene, family, settings, &ways[w]));
    }
    scene_destroy(&scene);
    return worst;
}

static bool way_open(struct way *way, const struct settings *settings) {
    const pm_options options = {.struct_size = sizeof options,
                                .threads = way->sequential ? 1 : settings->threads,
                                .profile = settings->profile};
    if ((way->device && settings->backends.count == 0) || !name_list_wants(&settings->backends, way->backend))
        return true;
    if (pm_context_create(&options, &way->context) != PM_OK)
        return false;
    const uint8_t leaf = PM_LEAF;
    pm_box box = {0, 0, 1, 1};
    if (way->function == pm_box_auto && settings->profile)
        (void)pm_box_gpu(way->context, &leaf, &box, 1,
                         &box); /* else it opens the device only after calls that it would have sped up */
    return true;
}

static enum outcome run(const struct suite *suite, const struct settings *settings) {
    bool opened = true;
    for (size_t w = 0; w < WAYS; w++)
        opened = way_open(&ways[w], settings) && opened;
    const enum outcome outcome = opened ? suite_run_cases(suite, settings, time_scene) : OUTCOME_FAILED;
    for (size_t w = 0; w < WAYS; w++) {
        pm_context_destroy(ways[w].context);
        ways[w].context = NULL;
    }
    return outcome;
}

const struct suite suite_boxes = {
    .name = "boxes",
    .description = "the boxes of scenes; the floor is copying and reading as much",
    .families = {10,
                 {"mixed:0:random", "mixed:33:random", "mixed:90:random", "wide", "cards", "mixed:50:deep",
                  "clips:0:random", "blends:0:random", "mixed:0:saw:64", "mixed:0:saw:70000"}},
    .sizes = {2, {1u << 16, 1u << 22}},
    .run = run};
