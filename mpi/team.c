/* SPDX-License-Identifier: Apache-2.0 */
/* The team, on OpenMP. */
#include "mpi/team.h"

#include <string.h>

#include "base/memory.h"

enum {
    PARTS_OF_A_THREAD = 4, /* so that threads end together */
    PART_LEAST = 4096,     /* elements, many times what a stream costs */
    THREADS_MOST = 1024    /* more are taken for a mistake: if the system refuses one, OpenMP ends the process */
};

static pmi_mpi_worker *own_worker(const pmi_mpi_team *team) {
    return &team->workers[omp_get_thread_num()];
}

/* ---- Threads and memory ---- */

void *pmi_mpi_team_allocate(size_t size, void *user) {
    pmi_mpi_team *const team = user;
    omp_set_lock(&team->turn);
    void *const block = pmi_memory_allocate(&team->allocator, size, 1);
    omp_unset_lock(&team->turn);
    return block;
}

void pmi_mpi_team_free(void *block, void *user) {
    pmi_mpi_team *const team = user;
    omp_set_lock(&team->turn);
    pmi_memory_free(&team->allocator, block);
    omp_unset_lock(&team->turn);
}

/* As many threads as the context asks for, if the slice has enough elements for each. Not asked, it is one: ranks
 * mostly share a machine. */
static unsigned threads_of(const pm_context *context, size_t n) {
    const unsigned asked = pm_context_threads(context), wanted = asked < THREADS_MOST ? asked : THREADS_MOST;
    return n / PART_LEAST < wanted ? (unsigned)(n / PART_LEAST) : wanted;
}

/* How many parts; fewer than two: the slice is not divided. */
static size_t parts_of(unsigned threads, size_t n) {
    const size_t most = n / PART_LEAST, wanted = (size_t)threads * PARTS_OF_A_THREAD;
    return most < wanted ? most : wanted;
}

static pm_status workers_open(pmi_mpi_team *team, const char *simd) {
    const pm_options options = {.struct_size = sizeof options,
                                .threads = 1,
                                .simd = simd,
                                .allocator = {.alloc = pmi_mpi_team_allocate, .free = pmi_mpi_team_free, .user = team}};
    const size_t slices = team->parts + 1;
    pmi_mpi_piece *pieces = (void *)(team->workers + team->threads);
    for (unsigned t = 0; t < team->threads; t++) {
        pmi_mpi_worker *const worker = &team->workers[t];
        worker->plan.sends = pieces;
        worker->plan.needs = pieces + slices;
        worker->plan.layers = (void *)(pieces + 2 * slices);
        pieces = (void *)(worker->plan.layers + slices);
        const pm_status status = pm_context_create(&options, &worker->context);
        if (status != PM_OK)
            return status;
    }
    return PM_OK;
}

pm_status pmi_mpi_team_open(pmi_mpi_team *team, pm_context *context, const uint64_t *parens, size_t n) {
    const unsigned threads = threads_of(context, n);
    const size_t parts = parts_of(threads, n);
    *team = (pmi_mpi_team){.allocator = pm_context_allocator(context), .parens = parens, .n = n};
    if (threads < 2 || parts < 2)
        return PM_OK;
    team->threads = threads;
    team->part_elements = (n / parts / PM_WORD_BITS + 1) * PM_WORD_BITS;
    team->parts = n / team->part_elements + (n % team->part_elements != 0);
    const size_t slices = team->parts + 1, plan = slices * (2 * sizeof(pmi_mpi_piece) + sizeof(pmi_slice_layer));
    const size_t bytes = slices * (sizeof(pmi_mpi_slice) + sizeof(size_t)) + threads * (sizeof(pmi_mpi_worker) + plan);
    team->memory = pmi_memory_allocate(&team->allocator, bytes, 1);
    if (!team->memory)
        return PM_OUT_OF_MEMORY;
    memset(team->memory, 0, bytes);
    omp_init_lock(&team->turn);
    team->slices = team->memory;
    team->order = (void *)(team->slices + slices);
    team->workers = (void *)(team->order + slices);
    return workers_open(team, pm_context_simd(context));
}

void pmi_mpi_team_close(pmi_mpi_team *team) {
    if (!team->memory)
        return;
    for (unsigned t = 0; t < team->threads; t++)
        pm_context_destroy(team->workers[t].context);
    pmi_memory_free(&team->allocator, team->memory);
    pmi_memory_free(&team->allocator, team->coming);
    omp_destroy_lock(&team->turn);
    *team = (pmi_mpi_team){0};
}

/* ---- Reduce ---- */

/* Of several failures whichever. */
static void failure_keep(pm_status *failure, pm_status status) {
    if (status == PM_OK)
        return;
#pragma omp atomic write
    *failure = status;
}

pm_status pmi_mpi_team_reduce(pmi_mpi_team *team, pm_bic *bic) {
    pm_status failure = PM_OK;
#pragma omp parallel for num_threads(team->threads) schedule(static)
    for (size_t part = 0; part < team->parts; part++) {
        pmi_mpi_slice *const slice = &team->slices[part + 1];
        slice->n = pmi_mpi_team_part_length(team, part);
        failure_keep(&failure, pm_slice_reduce(own_worker(team)->context, pmi_mpi_team_part(team, part),
                                               pmi_mpi_team_part_length(team, part), &slice->bic));
    }
    *bic = (pm_bic){0, 0};
    for (size_t part = 0; part < team->parts; part++)
        *bic = pmi_bic_multiply(*bic, team->slices[part + 1].bic);
    return failure;
}

/* ---- Match ---- */

static pm_status part_match(pmi_mpi_team *team, pmi_mpi_worker *worker, size_t part, uint64_t index, uint64_t *match) {
    const size_t begin = part * team->part_elements;
    pm_stream *stream;
    pm_status status = pm_stream_create(worker->context, &stream);
    if (status != PM_OK)
        return status;
    pmi_mpi_plan_make(&worker->plan, team->slices, (int)team->parts + 1, (int)part + 1);
    status = pmi_mpi_team_stack(team, worker, index, index + begin, stream);
    if (status == PM_OK)
        status =
            pm_stream_push(stream, pmi_mpi_team_part(team, part), pmi_mpi_team_part_length(team, part), match + begin);
    pm_stream_destroy(stream);
    return status;
}

/* Does the part need what comes from other ranks? */
static bool part_waits(const pmi_mpi_team *team, size_t part) {
    pmi_mpi_plan *const plan = &team->workers[0].plan;
    pmi_mpi_plan_make(plan, team->slices, (int)team->parts + 1, (int)part + 1);
    return plan->need_count > 0 && plan->needs[plan->need_count - 1].rank == 0;
}

/* Those that do not, first. */
static void parts_order(pmi_mpi_team *team) {
    size_t last = team->parts;
    team->alone = 0;
    for (size_t part = 0; part < team->parts; part++)
        team->order[part_waits(team, part) ? --last : team->alone++] = part;
}

/* The next of the parts first ... end - 1 of the order; `end` after the last. */
static size_t part_next(size_t *next, size_t end) {
    size_t taken;
#pragma omp atomic capture
    taken = (*next)++;
    return taken < end ? taken : end;
}

/* What has come in blocks, in one piece. */
static pm_status coming_keep(pmi_mpi_team *team, const pmi_mpi_block *lowest) {
    size_t count = 0;
    for (const pmi_mpi_block *block = lowest; block; block = block->above)
        count += block->count;
    if (count == 0)
        return PM_OK;
    team->coming = pmi_mpi_team_allocate(count * sizeof *team->coming, team);
    if (!team->coming)
        return PM_OUT_OF_MEMORY;
    for (const pmi_mpi_block *block = lowest; block; block = block->above) {
        memcpy(team->coming + team->coming_count, block->words, block->count * sizeof *block->words);
        team->coming_count += block->count;
    }
    return PM_OK;
}

static pm_status exchange_all(pmi_mpi_team *team, pmi_mpi_exchange *exchange) {
    pm_status status = pmi_mpi_exchange_run(exchange);
    if (status == PM_OK)
        status = coming_keep(team, exchange->lowest);
    pmi_mpi_exchange_free(exchange);
    return status;
}

/* May other threads work while this one is in MPI? */
static bool may_overlap(void) {
    int level = MPI_THREAD_SINGLE;
    return MPI_Query_thread(&level) == MPI_SUCCESS && level >= MPI_THREAD_FUNNELED;
}

pm_status pmi_mpi_team_match(pmi_mpi_team *team, pmi_mpi_exchange *exchange, uint64_t *match) {
    const uint64_t index = exchange->origin + exchange->plan->first;
    const bool overlap = may_overlap();
    pm_status exchanged = PM_OK, failure = PM_OK;
    team->slices[0] = (pmi_mpi_slice){0};
    for (int k = 0; k < exchange->plan->need_count; k++)
        team->slices[0].bic.open += exchange->plan->needs[k].opens;
    parts_order(team);
    if (!overlap)
        exchanged = exchange_all(team, exchange);
    size_t next_alone = 0, next_waiting = team->alone;
#pragma omp parallel num_threads(team->threads)
    {
        pmi_mpi_worker *const worker = own_worker(team);
        if (overlap && worker == team->workers)
            exchanged = exchange_all(team, exchange);
        for (size_t k; (k = part_next(&next_alone, team->alone)) < team->alone;)
            failure_keep(&failure, part_match(team, worker, team->order[k], index, match));
#pragma omp barrier
        for (size_t k; exchanged == PM_OK && (k = part_next(&next_waiting, team->parts)) < team->parts;)
            failure_keep(&failure, part_match(team, worker, team->order[k], index, match));
    }
    return exchanged == PM_OK ? failure : exchanged;
}
