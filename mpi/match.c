/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Matching on many ranks, in the three steps of everywhere:
 *
 *   reduce  every slice to its bicyclic element;
 *   scan    these, which all ranks get, for the stack before each slice, by layers; its opens come from their owners;
 *   match   every slice as a stream that begins in the middle, with that stack; or on a device, and that stack's
 *           opens put in afterwards.
 *
 * Ranks agree on failures twice: before anything is exchanged, when all memory but that for what is received is there;
 * and in the end.
 */
#include "mpi/ranks.h"

#include "base/memory.h"
#include "mpi/team.h"

typedef struct match_job {
    pmi_mpi_group group;
    pm_context *context;
    const uint64_t *parens;
    size_t n;
    uint64_t *match;
    uint64_t origin;
    pm_mpi_costs *costs;

    void *memory; /* all that follows, but the stream */
    pmi_mpi_slice *slices;
    pmi_mpi_plan plan;
    pmi_mpi_buffers *buffers;
    pmi_mpi_incoming *incoming;
    bool on_device;
    pm_stream *stream; /* NULL, if there is a team, or a device */
    pmi_mpi_team team;
    double mark; /* when the last step ended */
} match_job;

/* Seconds since the last step ended. */
static double step_seconds(match_job *job) {
    const double before = job->mark;
    job->mark = MPI_Wtime();
    return job->mark - before;
}

static pm_status job_allocate(match_job *job) {
    const pm_allocator allocator = pm_context_allocator(job->context);
    const size_t ranks = (size_t)job->group.ranks;
    const size_t each =
        sizeof *job->slices + 2 * sizeof(pmi_mpi_piece) + sizeof(pmi_slice_layer) + sizeof *job->incoming;
    unsigned char *const memory = pmi_memory_allocate_with(&allocator, sizeof *job->buffers, ranks, each);
    if (!memory)
        return PM_OUT_OF_MEMORY;
    job->memory = memory;
    job->buffers = job->memory;
    job->slices = (void *)(memory + sizeof *job->buffers);
    job->plan.sends = (void *)(job->slices + ranks);
    job->plan.needs = job->plan.sends + ranks;
    job->plan.layers = (void *)(job->plan.needs + ranks);
    job->incoming = (void *)(job->plan.layers + ranks);
    job->on_device = pmi_mpi_device_takes(job->context, job->n);
    if (job->on_device)
        return PM_OK;
    const pm_status status = pmi_mpi_team_open(&job->team, job->context, job->parens, job->n);
    return status == PM_OK && job->team.threads == 0 ? pm_stream_create(job->context, &job->stream) : status;
}

static void job_free(match_job *job) {
    const pm_allocator allocator = pm_context_allocator(job->context);
    pm_stream_destroy(job->stream);
    pmi_mpi_team_close(&job->team);
    pmi_memory_free(&allocator, job->memory);
}

/* ---- Reduce */

/* All that a rank does before it meets the others. */
static pm_status reduce(match_job *job, uint64_t n) {
    if (n > SIZE_MAX)
        return PM_TOO_LARGE;
    if (n > 0 && (!job->parens || !job->match))
        return PM_INVALID_ARGUMENT;
    job->n = (size_t)n;
    const pm_status status = job_allocate(job);
    if (status != PM_OK)
        return status;
    pmi_mpi_slice *const own = &job->slices[job->group.rank];
    own->n = n;
    return job->team.threads > 0 ? pmi_mpi_team_reduce(&job->team, &own->bic)
                                 : pm_slice_reduce(job->context, job->parens, job->n, &own->bic);
}

/* ---- Scan */

static pm_status scan(match_job *job) {
    const int code = MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, job->slices, PM_MPI_SLICE_WORDS, MPI_UINT64_T,
                                   job->group.comm);
    if (code == MPI_SUCCESS)
        pmi_mpi_plan_make(&job->plan, job->slices, job->group.ranks, job->group.rank);
    return pmi_mpi_status(code);
}

/* ---- Match */

/* Puts what was received on the stream's stack, which gets the memory that each block leaves. */
static pm_status restore_stack(const match_job *job, pmi_mpi_exchange *exchange) {
    pm_status status = PM_OK;
    for (; exchange->lowest && status == PM_OK; pmi_mpi_exchange_drop(exchange)) {
        const pmi_mpi_block *const block = exchange->lowest;
        const pm_open_word last = block->words[block->count - 1];
        status = pm_stream_skip(job->stream, last.first + pmi_bits_highest(last.opens) + 1, block->words, block->count);
    }
    if (status == PM_OK)
        status = pm_stream_skip(job->stream, job->origin + job->plan.first, NULL, 0);
    return status;
}

/* On the calling thread: first the exchange, then the match. */
static pm_status match_alone(match_job *job, pmi_mpi_exchange *exchange) {
    pm_status status = pmi_mpi_exchange_run(exchange);
    if (status == PM_OK)
        status = restore_stack(job, exchange);
    pmi_mpi_exchange_free(exchange);
    job->costs->exchange_seconds = step_seconds(job);
    return status == PM_OK ? pm_stream_push(job->stream, job->parens, job->n, job->match) : status;
}

/* On a device. */
static pm_status match_device(match_job *job, pmi_mpi_exchange *exchange) {
    pm_status status = pmi_mpi_exchange_run(exchange);
    job->costs->exchange_seconds = step_seconds(job);
    if (status == PM_OK)
        status = pmi_mpi_device_match(exchange, job->match);
    pmi_mpi_exchange_free(exchange);
    return status;
}

static pm_status match(match_job *job) {
    const bool team = job->team.threads > 0;
    pmi_mpi_exchange exchange = {.group = &job->group,
                                 .context = team ? pmi_mpi_team_context(&job->team) : job->context,
                                 .parens = job->parens,
                                 .n = job->n,
                                 .plan = &job->plan,
                                 .origin = job->origin,
                                 .buffers = job->buffers,
                                 .incoming = job->incoming,
                                 .costs = job->costs};
    const pm_status status = team             ? pmi_mpi_team_match(&job->team, &exchange, job->match)
                             : job->on_device ? match_device(job, &exchange)
                                              : match_alone(job, &exchange);
    job->costs->match_seconds = step_seconds(job);
    return status;
}

/* ---- All of it */

static pm_status run_job(match_job *job, uint64_t n) {
    job->mark = MPI_Wtime();
    pm_status status = reduce(job, n);
    job->costs->reduce_seconds = step_seconds(job);
    status = pmi_mpi_agree(&job->group, status);
    if (status == PM_OK)
        status = scan(job);
    job->costs->scan_seconds = step_seconds(job);
    if (status != PM_OK)
        return status;
    status = match(job);
    return status == PM_IO ? PM_IO : pmi_mpi_agree(&job->group, status); /* PM_IO: MPI has failed, and cannot agree */
}

pm_status pmi_mpi_match_at(pm_context *context, MPI_Comm comm, uint64_t origin, const uint64_t *parens, uint64_t n,
                           uint64_t *match, pm_bic *total, pm_mpi_costs *costs) {
    match_job job = {.context = context, .parens = parens, .match = match, .origin = origin, .costs = costs};
    *costs = (pm_mpi_costs){0};
    pm_status status = pmi_mpi_group_open(&job.group, comm);
    if (status != PM_OK)
        return status;
    status = run_job(&job, n);
    job_free(&job);
    pmi_mpi_group_close(&job.group);
    if (status == PM_OK && total)
        *total = job.plan.total;
    return status;
}

pm_status pm_mpi_match_costs(pm_context *context, MPI_Comm comm, const uint64_t *parens, uint64_t n, uint64_t *match,
                             pm_bic *total, pm_mpi_costs *costs) {
    pm_mpi_costs unwanted;
    return pmi_mpi_match_at(context, comm, 0, parens, n, match, total, costs ? costs : &unwanted);
}

pm_status pm_mpi_match(pm_context *context, MPI_Comm comm, const uint64_t *parens, uint64_t n, uint64_t *match,
                       pm_bic *total) {
    return pm_mpi_match_costs(context, comm, parens, n, match, total, NULL);
}
