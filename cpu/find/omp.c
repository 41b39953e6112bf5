/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A search on several threads, turn by turn. In a turn every thread searches ranges of the text, and keeps their
 * events; then it is known how many hits come before those of each range, and hits are stored: by all threads, or,
 * where there are few or one depends on another, by the calling one.
 */
#include "cpu/find/find.h"

#include "base/memory.h"
#include "cpu/threads.h"

#define THREAD_MIN_PLACES ((size_t)1 << 18) /* searched in the time that threads take to start and end */
#define STORING_PAYS_EVENTS ((size_t)1 << 14)

typedef struct find_range {
    size_t first, events;
    uint64_t hits;
    pmi_hit_sink sink; /* where they go */
} find_range;

typedef struct find_job {
    const pmi_find_plan *plan;
    const pmi_search *search;
    const pmi_hit_sink *sink;
    find_range *ranges; /* of the turn */
    pmi_event *events;  /* `room` for each range */
    size_t room;
} find_job;

void pmi_find_plan_threads(pmi_find_plan *plan, size_t n, unsigned most) {
    plan->threads = pmi_threads_paying(n, THREAD_MIN_PLACES, most);
    plan->ranges_a_turn = (size_t)plan->threads * PM_SLICES_PER_THREAD;
}

static void search_range(size_t r, unsigned thread, void *user) {
    (void)thread;
    const find_job *const job = user;
    find_range *const range = &job->ranges[r];
    const size_t left = job->search->places - range->first;
    pmi_event *const events = job->events + r * job->room;
    range->events =
        job->plan->engine->search(job->search, range->first, range->first + pmi_min(left, job->plan->range), events);
    if (pmi_hits_independent(job->sink->kind))
        range->hits = pmi_hits_count(job->search->dict, job->sink->kind, events, range->events);
}

static void store_range(size_t r, unsigned thread, void *user) {
    (void)thread;
    const find_job *const job = user;
    find_range *const range = &job->ranges[r];
    pmi_hit_sink_add(&range->sink, job->search->base + range->first, job->events + r * job->room, range->events);
}

/* Divides the room for hits among the ranges, which then are filled in any order. */
static void store_by_all(const find_job *job, size_t ranges, pmi_hit_sink *sink) {
    for (size_t r = 0; r < ranges; r++) {
        find_range *const range = &job->ranges[r];
        const size_t room = sink->capacity - sink->stored;
        range->sink = (pmi_hit_sink){.dict = sink->dict,
                                     .kind = sink->kind,
                                     .hits = room > 0 ? sink->hits + sink->stored : NULL,
                                     .capacity = range->hits < room ? (size_t)range->hits : room};
        sink->stored += range->sink.capacity;
        sink->found += range->hits;
    }
    pmi_threads_run(job->plan->threads, ranges, store_range, (void *)(uintptr_t)job);
}

static void store_turn(const find_job *job, size_t ranges, pmi_hit_sink *sink) {
    size_t events = 0;
    for (size_t r = 0; r < ranges; r++)
        events += job->ranges[r].events;
    const bool divisible = pmi_hits_independent(sink->kind) && !sink->report && sink->stored < sink->capacity;
    if (divisible && events >= STORING_PAYS_EVENTS) {
        store_by_all(job, ranges, sink);
        return;
    }
    for (size_t r = 0; r < ranges; r++)
        pmi_hit_sink_add(sink, job->search->base + job->ranges[r].first, job->events + r * job->room,
                         job->ranges[r].events);
}

pm_status pmi_omp_find(const pm_allocator *allocator, const pmi_find_plan *plan, const pmi_search *search,
                       pmi_hit_sink *sink) {
    const size_t n = search->places, size = plan->range, most = pmi_min(plan->ranges_a_turn, pmi_divide_up(n, size));
    find_job job = {.plan = plan, .search = search, .sink = sink, .room = pmi_find_room(plan->engine, size)};
    job.ranges = pmi_memory_allocate(allocator, most, sizeof *job.ranges);
    job.events = pmi_memory_allocate(allocator, most, pmi_memory_bytes(0, job.room, sizeof *job.events));
    const bool enough = job.ranges && job.events;
    for (size_t first = 0; enough && first < n;) {
        size_t ranges = 0;
        for (; ranges < most && first < n; first += pmi_min(n - first, size))
            job.ranges[ranges++] = (find_range){.first = first};
        pmi_threads_run(plan->threads, ranges, search_range, &job);
        store_turn(&job, ranges, sink);
    }
    pmi_memory_free(allocator, job.events);
    pmi_memory_free(allocator, job.ranges);
    return enough ? PM_OK : PM_OUT_OF_MEMORY;
}
