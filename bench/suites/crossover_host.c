/* SPDX-License-Identifier: Apache-2.0 */
/* Data in host memory: backends with the best vector instructions; a device, its transfers included; and auto. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/floors.h"
#include "bench/report.h"
#include "bench/suites/crossover.h"
#include "bench/suites/match_case.h"

#define HOPELESS 8.0                     /* times as slow as the best: not run at larger lengths, */
#define HOPELESS_LEAST ((size_t)1 << 16) /* from this one on */

static struct way {
    struct backend backend;
    pm_context *context;
    unsigned threads;
} ways[CONTESTANTS_MOST], chooser; /* chooser: pm_match_auto() */
static size_t count;

static bool way_open(const struct backend *backend, const struct settings *settings, struct way *way) {
    way->backend = *backend;
    way->threads = backend_threads(backend, settings->threads);
    return backend_context_create(backend, way->threads, settings, &way->context) == PM_OK &&
           backend_try(backend, way->context) == PM_OK;
}

static bool is_among_ways(const char *name) {
    for (size_t c = 0; c < count; c++)
        if (strcmp(ways[c].backend.name, name) == 0)
            return true;
    return false;
}

/* With the best of its instructions, which come first; omp only with several threads. */
static bool is_contestant(const struct backend *backend, const struct settings *settings) {
    const bool chooses = strcmp(backend->simd, "none") != 0;
    return name_list_wants(&settings->backends, backend->name) &&
           (!chooses || !settings->simd || strcmp(backend->simd, settings->simd) == 0) &&
           (backend->threads_most == 1 || backend->device || settings->threads > 1) && !is_among_ways(backend->name);
}

static pm_match_choice choice_for(pm_context *context, size_t n) {
    pm_match_choice choice = {.struct_size = sizeof choice};
    pm_match_explain(context, n, &choice);
    return choice;
}

static size_t chosen(size_t n) {
    const char *const backend = choice_for(chooser.context, n).backend;
    for (size_t c = 0; c < count; c++)
        if (strcmp(ways[c].backend.name, backend) == 0)
            return c;
    return 0;
}

static struct place place = {.name = "host", .chosen = chosen};

static bool hopeless[NAMES_MOST][CONTESTANTS_MOST]; /* for each of the settings' families */

static size_t family_index(const char *family) {
    size_t f = 0;
    while (f + 1 < place.settings->families.count && strcmp(place.settings->families.names[f], family) != 0)
        f++;
    return f;
}

/* Not omp where it would use one thread; its own context, which has no history of slow calls, is asked. */
static bool runs(size_t way, const struct contest *contest) {
    if (strcmp(ways[way].backend.name, "omp") == 0 && choice_for(ways[way].context, contest->n).omp_ns <= 0)
        return false;
    return !hopeless[family_index(contest->family)][way];
}

static void give_up_hopeless(const struct contest *contest) {
    for (size_t c = 0; c < count && contest->n >= HOPELESS_LEAST; c++)
        if (contest->ran[c] && contest->time[c].min > HOPELESS * contest->chosen_time.min)
            hopeless[family_index(contest->family)][c] = true;
}

static void report_way(const struct way *way, const struct contest *contest, struct distribution time,
                       struct distribution floor, unsigned repetitions, bool verified) {
    const struct result result = {
        .suite = "crossover",
        .backend = way->backend.name,
        .simd = way->backend.simd,
        .kind = contest->family,
        .floor = floor_at(0)->name,
        .n = contest->n,
        .threads = way->threads,
        .times = {.floor = floor, .subject = time, .share_spread = (double)NAN, .repetitions = repetitions},
        .verified = verified};
    report_result(&result);
}

/* Interleaves the floor, the backends that run, and auto. */
static void measure_case(struct match_case *inputs, struct contest *contest) {
    struct floor_job store = {
        .floor = floor_at(0),
        .block = {.to = inputs->match, .size = inputs->n * sizeof *inputs->match, .threads = place.settings->threads}};
    struct match_job jobs[CONTESTANTS_MOST + 1];
    const struct way *way_of[CONTESTANTS_MOST + 1];
    struct turn turns[CONTESTANTS_MOST + 2] = {{.action = floor_action(&store)}};
    unsigned running = 0;
    for (size_t c = 0; c <= count; c++) {
        if (c < count && !(contest->ran[c] = runs(c, contest)))
            continue;
        way_of[running] = c < count ? &ways[c] : &chooser;
        jobs[running] = match_job_make(inputs, &way_of[running]->backend, way_of[running]->context);
        match_job_prove(&jobs[running]);
        turns[1 + running] = (struct turn){.action = match_job_action(&jobs[running]), .check = match_job_check};
        running++;
    }
    const unsigned repetitions = timing_turns(place.settings->sampling, turns, 1 + running);
    contest->verified = true;
    for (unsigned r = 0; r < running; r++) {
        match_job_action(&jobs[r]).run(&jobs[r], 1); /* so that the last output is its own */
        const bool verified = match_job_is_right(&jobs[r]);
        const struct distribution time = turns[1 + r].time;
        report_way(way_of[r], contest, time, turns[0].time, repetitions, verified);
        contest->verified = contest->verified && verified;
        *(way_of[r] == &chooser ? &contest->chosen_time : &contest->time[way_of[r] - ways]) = time;
    }
    contest->chosen = chosen(contest->n);
    give_up_hopeless(contest);
}

static bool measure(struct contest *contest) {
    struct match_case inputs;
    if (!match_case_create(&inputs, contest->n))
        return false;
    const bool filled = match_case_fill(&inputs, contest->family, place.settings->seed);
    if (filled)
        measure_case(&inputs, contest);
    match_case_destroy(&inputs);
    return filled;
}

static double compare(const char *family, size_t n, size_t a, size_t b) {
    struct match_case inputs;
    if (!match_case_create(&inputs, n))
        return -1;
    if (!match_case_fill(&inputs, family, place.settings->seed)) {
        match_case_destroy(&inputs);
        return -1;
    }
    struct match_job first = match_job_make(&inputs, &ways[a].backend, ways[a].context);
    struct match_job second = match_job_make(&inputs, &ways[b].backend, ways[b].context);
    struct turn turns[] = {{.action = match_job_action(&first)}, {.action = match_job_action(&second)}};
    timing_turns(place.settings->sampling, turns, 2);
    match_case_destroy(&inputs);
    return turns[0].time.median / turns[1].time.median;
}

struct place *crossover_host_open(const struct settings *settings) {
    struct backend backend;
    bool choosing = false;
    count = 0;
    for (size_t b = 0; backend_at(b, &backend); b++) {
        if (strcmp(backend.name, "auto") == 0)
            choosing = way_open(&backend, settings, &chooser);
        else if (is_contestant(&backend, settings) && count < CONTESTANTS_MOST) {
            if (way_open(&backend, settings, &ways[count]))
                count++;
            else
                pm_context_destroy(ways[count].context);
        }
    }
    place.settings = settings;
    place.threads = settings->threads;
    place.measure = measure;
    place.compare = compare;
    for (size_t c = 0; c < count; c++)
        place.names[c] = ways[c].backend.name;
    return choosing && count > 0 ? &place : NULL;
}

void crossover_host_close(void) {
    for (size_t c = 0; c < count; c++)
        pm_context_destroy(ways[c].context);
    pm_context_destroy(chooser.context);
}
