/* SPDX-License-Identifier: Apache-2.0 */
/* The public functions that search: they check their arguments, choose an engine or a device, and run it. */
#include <string.h>

#include "base/arguments.h"
#include "core/context/context.h"
#include "core/find/find.h"
#include "cpu/find/find.h"
#include "gpu/gpu.h"

/* ---- Engines ---- */

/* The first that suits and pays is chosen. */
static const pmi_find_engine *const engines[] = {
    &pmi_find_bytes, &pmi_find_prefixes, &pmi_find_gathered, &pmi_find_interleaved, &pmi_find_automaton, &pmi_find_trie,
};
#define ENGINES (sizeof engines / sizeof *engines)

const pm_find_engine_info *pm_find_engine_at(size_t index) {
    return index < ENGINES ? &engines[index]->info : NULL;
}

pm_status pmi_find_engine_choose(const struct pm_dict *dict, const struct pmi_finder *finder, const char *name,
                                 const pmi_find_engine **engine) {
    for (size_t e = 0; e < ENGINES; e++) {
        if (name && strcmp(engines[e]->info.name, name) != 0)
            continue;
        *engine = engines[e];
        if (engines[e]->suits(dict, finder) && (name || engines[e]->pays(dict, finder)))
            return PM_OK;
        if (name)
            return PM_UNSUPPORTED;
    }
    return PM_INVALID_ARGUMENT;
}

pm_status pmi_find_plan_choose(pm_context *context, const struct pm_dict *dict, const pm_find_options *options,
                               pmi_find_plan *plan) {
    const bool device = options->backend && strcmp(options->backend, "gpu") == 0;
    if ((device && (!context || options->engine)) ||
        (options->backend && !device && strcmp(options->backend, "cpu") != 0))
        return PM_INVALID_ARGUMENT;
    *plan = (pmi_find_plan){.device = device ? context : NULL};
    return pmi_find_engine_choose(dict, pmi_simd_of(context)->finder, options->engine, &plan->engine);
}

const char *pm_dict_engine(const pm_context *context, const pm_dict *dict) {
    const pmi_find_engine *engine = &pmi_find_automaton;
    pmi_find_engine_choose(dict, pmi_simd_of(context)->finder, NULL, &engine); /* one suits all */
    return engine->info.name;
}

/* ---- Searching ---- */

pmi_search pmi_search_make(const struct pm_dict *dict, const struct pmi_finder *finder, const char *text, size_t n) {
    const bool gathers = pmi_find_gathered.suits(dict, finder) && pmi_find_gathered.pays(dict, finder);
    return (pmi_search){.dict = dict,
                        .text = (const unsigned char *)text,
                        .n = n,
                        .places = n,
                        .finder = finder,
                        .dense = gathers ? pmi_find_gathered.search : pmi_find_interleaved.search,
                        .rest = pmi_find_interleaved.search};
}

pm_status pmi_find_options_read(const pm_find_options *from, pm_find_options *to) {
    *to = (pm_find_options){.struct_size = sizeof *to};
    if (!from)
        return PM_OK;
    const pm_status status =
        pmi_options_read(from, to, sizeof *to, offsetof(pm_find_options, engine) + sizeof to->engine);
    if (status != PM_OK)
        return status;
    return to->kind <= PM_FIND_LEFTMOST_FIRST ? PM_OK : PM_INVALID_ARGUMENT;
}

void pmi_find_plan_divide(pmi_find_plan *plan, const struct pm_dict *dict, size_t places, unsigned threads) {
    plan->range = pmi_find_range_size(plan->engine, dict);
    plan->threads = 1;
    if (threads != 1)
        pmi_find_plan_threads(plan, places, threads);
}

/* ---- On a device ---- */

#define DEVICE_PIECE ((size_t)64 << 20)   /* places that it searches at a time */
#define DEVICE_HITS_MIN ((size_t)1 << 16) /* for which there is room at first */

/* Room for what is found in a piece. */
typedef struct device_hits {
    pm_hit *hits;
    pmi_event *events;
    size_t room;
} device_hits;

static void device_hits_clear(const pm_allocator *allocator, device_hits *piece) {
    pmi_memory_free(allocator, piece->hits);
    pmi_memory_free(allocator, piece->events);
    *piece = (device_hits){.room = 0};
}

static pm_status device_hits_reserve(const pm_allocator *allocator, device_hits *piece, uint64_t room) {
    if (room <= piece->room)
        return PM_OK;
    device_hits_clear(allocator, piece);
    if (room > SIZE_MAX / sizeof *piece->hits)
        return PM_OUT_OF_MEMORY;
    piece->hits = pmi_memory_allocate(allocator, (size_t)room, sizeof *piece->hits);
    piece->events = pmi_memory_allocate(allocator, (size_t)room, sizeof *piece->events);
    if (!piece->hits || !piece->events)
        return PM_OUT_OF_MEMORY;
    piece->room = (size_t)room;
    return PM_OK;
}

/* Stores the longest hit of every place before `end`; the hits of a place follow each other. */
static size_t events_of(const device_hits *piece, uint64_t found, size_t end) {
    size_t count = 0;
    uint32_t longest = 0;
    for (size_t h = 0; h < found && piece->hits[h].start < end; h++) {
        const pm_hit *const hit = &piece->hits[h];
        if (h == 0 || hit[-1].start < hit->start) {
            piece->events[count++] = (pmi_event){(uint32_t)hit->start, hit->pattern};
            longest = hit->length;
        } else if (hit->length > longest) {
            piece->events[count - 1].pattern = hit->pattern;
            longest = hit->length;
        }
    }
    return count;
}

static pm_status find_on_device(const pm_allocator *allocator, pm_context *context, const pmi_search *search,
                                pmi_hit_sink *sink) {
    device_hits piece = {.room = 0};
    pm_status status = pmi_context_gpu_open(context);
    if (status == PM_OK)
        status = device_hits_reserve(allocator, &piece, DEVICE_HITS_MIN);
    for (size_t first = 0, places; status == PM_OK && first < search->places; first += places) {
        const size_t left = search->places - first, behind = search->n - first;
        places = left < DEVICE_PIECE ? left : DEVICE_PIECE;
        const size_t reach = places + search->dict->longest - 1, n = behind < reach ? behind : reach;
        const char *const text = (const char *)search->text + first;
        uint64_t found;
        status = pmi_gpu_find(context->gpu, search->dict, text, n, piece.hits, piece.room, &found);
        if (status == PM_OK && found > piece.room) {
            status = device_hits_reserve(allocator, &piece, found);
            if (status == PM_OK)
                status = pmi_gpu_find(context->gpu, search->dict, text, n, piece.hits, piece.room, &found);
        }
        if (status == PM_OK)
            pmi_hit_sink_add(sink, search->base + first, piece.events, events_of(&piece, found, places));
    }
    device_hits_clear(allocator, &piece);
    return status;
}

/* ---- On any backend ---- */

pm_status pmi_find_run(const pm_allocator *allocator, const pmi_find_plan *plan, const pmi_search *search,
                       pmi_hit_sink *sink) {
    if (plan->device)
        return find_on_device(allocator, plan->device, search, sink);
    return (plan->threads > 1 ? pmi_omp_find : pmi_seq_find)(allocator, plan, search, sink);
}

/* Does the work of the public functions with at most `threads` threads (0: as many as OpenMP gives). */
static pm_status find(pm_context *context, const pm_dict *dict, const pm_find_options *options, unsigned threads,
                      const char *text, size_t n, pm_hit *hits, size_t capacity, size_t *found) {
    const bool present = dict && found && (n == 0 || text) && (capacity == 0 || hits);
    if (!present)
        return PM_INVALID_ARGUMENT;
    pm_find_options known;
    pmi_find_plan plan = {.engine = NULL};
    const pmi_search search = pmi_search_make(dict, pmi_simd_of(context)->finder, text, n);
    pm_status status = pmi_find_options_read(options, &known);
    if (status == PM_OK)
        status = pmi_find_plan_choose(context, dict, &known, &plan);
    if (status != PM_OK)
        return status;
    pmi_hit_sink sink = {.dict = dict, .kind = known.kind, .hits = hits, .capacity = capacity};
    if (n > 0 && dict->count > 0) {
        const pm_allocator allocator = pm_context_allocator(context);
        pmi_find_plan_divide(&plan, dict, n, threads);
        status = pmi_find_run(&allocator, &plan, &search, &sink);
    }
    if (sink.found > SIZE_MAX)
        return PM_TOO_LARGE;
    *found = (size_t)sink.found;
    return status;
}

static unsigned threads_of(const pm_context *context) {
    return context ? context->threads : 0;
}

pm_status pm_find_seq(pm_context *context, const pm_dict *dict, const char *text, size_t n, pm_hit *hits,
                      size_t capacity, size_t *found) {
    const pm_find_options oracle = {.engine = pmi_find_automaton.info.name};
    return find(context, dict, &oracle, 1, text, n, hits, capacity, found);
}

pm_status pm_find_omp(pm_context *context, const pm_dict *dict, const char *text, size_t n, pm_hit *hits,
                      size_t capacity, size_t *found) {
    return find(context, dict, NULL, threads_of(context), text, n, hits, capacity, found);
}

pm_status pm_find_gpu(pm_context *context, const pm_dict *dict, const char *text, size_t n, pm_hit *hits,
                      size_t capacity, size_t *found) {
    const bool present = context && dict && found && (n == 0 || text) && (capacity == 0 || hits);
    if (!present)
        return PM_INVALID_ARGUMENT;
    uint64_t all = 0;
    if (n > 0 && dict->count > 0) {
        pm_status status = pmi_context_gpu_open(context);
        if (status == PM_OK)
            status = pmi_gpu_find(context->gpu, dict, text, n, hits, capacity, &all);
        if (status != PM_OK)
            return status;
    }
    if (all > SIZE_MAX)
        return PM_TOO_LARGE;
    *found = (size_t)all;
    return PM_OK;
}

pm_status pm_find_auto(pm_context *context, const pm_dict *dict, const char *text, size_t n, pm_hit *hits,
                       size_t capacity, size_t *found) {
    return find(context, dict, NULL, threads_of(context), text, n, hits, capacity, found);
}

pm_status pm_find_with(pm_context *context, const pm_dict *dict, const pm_find_options *options, const char *text,
                       size_t n, pm_hit *hits, size_t capacity, size_t *found) {
    return find(context, dict, options, threads_of(context), text, n, hits, capacity, found);
}
