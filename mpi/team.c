/* SPDX-License-Identifier: Apache-2.0 */
/* The team, on OpenMP where the compiler has it. */
#include "mpi/team.h"

#include <string.h>

enum {
    PARTS_OF_A_THREAD = 4, /* so that threads end together */
    PART_LEAST = 4096      /* elements, many times what a stream costs */
};

/* ---- Threads ---- */

/* Threads that the context asks for; one that says nothing has one, for ranks mostly share a machine. */
static unsigned threads_of(const pm_context *context) {
#ifdef _OPENMP
    return pm_context_threads(context);
#else
    (void)context;
    return 1;
#endif
}

static pm_mpi_worker *own_worker(const pm_mpi_team *team) {
#ifdef _OPENMP
    return &team->workers[omp_get_thread_num()];
#else
    return &team->workers[0];
#endif
}

/* ---- Memory ---- */

static void turn_begin(pm_mpi_team *team) {
#ifdef _OPENMP
    omp_set_lock(&team->turn);
#else
    (void)team;
#endif
}

static void turn_end(pm_mpi_team *team) {
#ifdef _OPENMP
    omp_unset_lock(&team->turn);
#else
    (void)team;
#endif
}

/* The rank's allocator is for one thread at a time. */
static void *allocate(size_t size, void *user) {
    pm_mpi_team *const team = user;
    turn_begin(team);
    void *const block = team->allocator.alloc(size, team->allocator.user);
    turn_end(team);
    return block;
}

static void give_back(void *block, void *user) {
    pm_mpi_team *const team = user;
    turn_begin(team);
    team->allocator.free(block, team->allocator.user);
    turn_end(team);
}

/* The vector instructions that the context would use for so many elements; NULL: the best. */
static const char *simd_of(pm_context *context, size_t n) {
    pm_auto_choice choice = {.struct_size = sizeof choice};
    const pm_status status = pm_auto_explain(context, n < UINT32_MAX ? n : UINT32_MAX, &choice);
    return status == PM_OK && strcmp(choice.simd, "none") != 0 ? choice.simd : NULL;
}

/* How many parts; less than two are none. */
static size_t parts_of(unsigned threads, size_t n) {
    const size_t most = n / PART_LEAST, wanted = (size_t)threads * PARTS_OF_A_THREAD;
    return most < wanted ? most : wanted;
}

static pm_status workers_open(pm_mpi_team *team, const char *simd) {
    const pm_options options = {.struct_size = sizeof options,
                                .threads = 1,
                                .simd = simd,
                                .allocator = {.alloc = allocate, .free = give_back, .user = team}};
    const size_t slices = team->parts + 1;
    pm_mpi_piece *pieces = (void *)(team->workers + team->threads);
    for (unsigned t = 0; t < team->threads; t++) {
        pm_mpi_worker *const worker = &team->workers[t];
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

pm_status pm_mpi_team_open(pm_mpi_team *team, pm_context *context, const uint64_t *parens, size_t n) {
    const unsigned threads = threads_of(context);
    const size_t parts = parts_of(threads, n);
    *team = (pm_mpi_team){.allocator = pm_context_allocator(context), .parens = parens, .n = n};
    if (threads < 2 || parts < 2)
        return PM_OK;
    team->threads = threads;
    team->part_elements = (n / parts / PM_WORD_BITS + 1) * PM_WORD_BITS;
    team->parts = n / team->part_elements + (n % team->part_elements != 0);
    const size_t slices = team->parts + 1, plan = slices * (2 * sizeof(pm_mpi_piece) + sizeof(pm_mpi_layer));
    const size_t bytes = slices * (sizeof(pm_mpi_slice) + sizeof(size_t)) + threads * (sizeof(pm_mpi_worker) + plan);
    team->memory = team->allocator.alloc(bytes, team->allocator.user);
    if (!team->memory)
        return PM_OUT_OF_MEMORY;
    memset(team->memory, 0, bytes);
#ifdef _OPENMP
    omp_init_lock(&team->turn);
#endif
    team->slices = team->memory;
    team->order = (void *)(team->slices + slices);
    team->workers = (void *)(team->order + slices);
    return workers_open(team, simd_of(context, n));
}

void pm_mpi_team_close(pm_mpi_team *team) {
    if (!team->memory)
        return;
    for (unsigned t = 0; t < team->threads; t++)
        pm_context_destroy(team->workers[t].context);
    team->allocator.free(team->memory, team->allocator.user);
    if (team->coming)
        team->allocator.free(team->coming, team->allocator.user);
#ifdef _OPENMP
    omp_destroy_lock(&team->turn);
#endif
    *team = (pm_mpi_team){0};
}

/* ---- Reduce ---- */

static const uint64_t *part_of(const pm_mpi_team *team, size_t part) {
    return team->parens + part * (team->part_elements / PM_WORD_BITS);
}

static size_t part_length(const pm_mpi_team *team, size_t part) {
    const size_t rest = team->n - part * team->part_elements;
    return rest < team->part_elements ? rest : team->part_elements;
}

/* Of several failures whichever. */
static void failure_keep(pm_status *failure, pm_status status) {
    if (status == PM_OK)
        return;
#pragma omp atomic write
    *failure = status;
}

pm_status pm_mpi_team_reduce(pm_mpi_team *team, pm_bic *bic) {
    pm_status failure = PM_OK;
#pragma omp parallel for num_threads(team->threads) schedule(static)
    for (size_t part = 0; part < team->parts; part++) {
        pm_mpi_slice *const slice = &team->slices[part + 1];
        slice->n = part_length(team, part);
        failure_keep(&failure, pm_slice_reduce(own_worker(team)->context, part_of(team, part), part_length(team, part),
                                               &slice->bic));
    }
    *bic = (pm_bic){0, 0};
    for (size_t part = 0; part < team->parts; part++)
        *bic = pm_bic_multiply(*bic, team->slices[part + 1].bic);
    return failure;
}

/* ---- The stack before a part ---- */

/* Words of opens, the topmost first, as they are found. */
typedef struct found {
    pm_open_word *words;
    size_t count;
} found;

static uint64_t take(uint64_t wanted, pm_open_word word, found *to) {
    const uint64_t opens = pm_bits_count(word.opens);
    for (uint64_t surplus = opens > wanted ? opens - wanted : 0; surplus > 0; surplus--)
        word.opens &= word.opens - 1; /* the lowest */
    to->words[to->count++] = word;
    return opens < wanted ? opens : wanted;
}

/* Opens of a piece of what has come from other ranks. */
static void coming_take(const pm_mpi_team *team, pm_mpi_piece piece, found *to) {
    uint64_t skip = piece.skip, wanted = piece.opens;
    for (size_t k = team->coming_count; k-- > 0 && wanted > 0;) {
        pm_open_word word = team->coming[k];
        const uint64_t opens = pm_bits_count(word.opens), dropped = opens < skip ? opens : skip;
        word.opens = pm_bits_drop_highest(word.opens, dropped);
        skip -= dropped;
        if (word.opens != 0)
            wanted -= take(wanted, word, to);
    }
}

/* Opens of a piece of a part of this slice, which begins at `index`. */
static void part_take(const pm_mpi_team *team, pm_context *context, size_t part, uint64_t index, pm_mpi_piece piece,
                      found *to) {
    size_t end = part_length(team, part), count;
    for (uint64_t skip = piece.skip; skip > 0;) {
        pm_open_word *const words = to->words + to->count; /* has room for all of the part, and is overwritten */
        (void)pm_slice_survivors(context, part_of(team, part), end, skip, part_length(team, part) / PM_WORD_BITS + 1,
                                 words, &count);
        for (size_t k = 0; k < count; k++)
            skip -= pm_bits_count(words[k].opens);
        end = (size_t)words[count - 1].first + pm_bits_lowest(words[count - 1].opens);
    }
    pm_open_word *const words = to->words + to->count;
    (void)pm_slice_survivors(context, part_of(team, part), end, piece.opens, part_length(team, part) / PM_WORD_BITS + 1,
                             words, &count);
    for (size_t k = 0; k < count; k++)
        words[k].first += index;
    to->count += count;
}

/* Most words that the pieces can lie in, and those that are skipped on the way. */
static size_t words_most(const pm_mpi_team *team, const pm_mpi_plan *plan) {
    size_t most = 0;
    for (int k = 0; k < plan->need_count; k++)
        most += plan->needs[k].rank == 0 ? team->coming_count : team->part_elements / PM_WORD_BITS + 1;
    return most;
}

static void found_reverse(found *opens) {
    for (size_t low = 0, high = opens->count; low + 1 < high; low++) {
        const pm_open_word word = opens->words[low];
        opens->words[low] = opens->words[--high];
        opens->words[high] = word;
    }
}

/* Brings the stream to the part's beginning, `position`, with the stack of that place; `index` is that of the slice. */
static pm_status stack_restore(pm_mpi_team *team, const pm_mpi_worker *worker, uint64_t index, uint64_t position,
                               pm_stream *stream) {
    const pm_mpi_plan *const plan = &worker->plan;
    const size_t most = words_most(team, plan);
    found opens = {.words = most > 0 ? allocate(most * sizeof *opens.words, team) : NULL};
    if (most > 0 && !opens.words)
        return PM_OUT_OF_MEMORY;
    for (int k = 0; k < plan->need_count; k++) {
        const pm_mpi_piece piece = plan->needs[k];
        const size_t part = (size_t)piece.rank - 1;
        if (piece.rank == 0)
            coming_take(team, piece, &opens);
        else
            part_take(team, worker->context, part, index + part * team->part_elements, piece, &opens);
    }
    found_reverse(&opens);
    const pm_status status = pm_stream_skip(stream, position, opens.words, opens.count);
    if (opens.words)
        give_back(opens.words, team);
    return status;
}

/* ---- Match ---- */

static pm_status part_match(pm_mpi_team *team, pm_mpi_worker *worker, size_t part, uint64_t index, uint64_t *match) {
    const size_t begin = part * team->part_elements;
    pm_stream *stream;
    pm_status status = pm_stream_create(worker->context, &stream);
    if (status != PM_OK)
        return status;
    pm_mpi_plan_make(&worker->plan, team->slices, (int)team->parts + 1, (int)part + 1);
    status = stack_restore(team, worker, index, index + begin, stream);
    if (status == PM_OK)
        status = pm_stream_push(stream, part_of(team, part), part_length(team, part), match + begin);
    pm_stream_destroy(stream);
    return status;
}

/* Does the part need what comes from other ranks? */
static bool part_waits(const pm_mpi_team *team, size_t part) {
    pm_mpi_plan *const plan = &team->workers[0].plan;
    pm_mpi_plan_make(plan, team->slices, (int)team->parts + 1, (int)part + 1);
    return plan->need_count > 0 && plan->needs[plan->need_count - 1].rank == 0;
}

/* Those that do not, first. */
static void parts_order(pm_mpi_team *team) {
    size_t last = team->parts;
    team->alone = 0;
    for (size_t part = 0; part < team->parts; part++)
        team->order[part_waits(team, part) ? --last : team->alone++] = part;
}

/* The next of the parts first ... end - 1 of the order; `end` if there is none. */
static size_t part_next(size_t *next, size_t end) {
    size_t taken;
#pragma omp atomic capture
    taken = (*next)++;
    return taken < end ? taken : end;
}

/* What has come in blocks, in one piece. */
static pm_status coming_keep(pm_mpi_team *team, const pm_mpi_block *lowest) {
    size_t count = 0;
    for (const pm_mpi_block *block = lowest; block; block = block->above)
        count += block->count;
    if (count == 0)
        return PM_OK;
    team->coming = allocate(count * sizeof *team->coming, team);
    if (!team->coming)
        return PM_OUT_OF_MEMORY;
    for (const pm_mpi_block *block = lowest; block; block = block->above) {
        memcpy(team->coming + team->coming_count, block->words, block->count * sizeof *block->words);
        team->coming_count += block->count;
    }
    return PM_OK;
}

static pm_status exchange_all(pm_mpi_team *team, pm_mpi_exchange *exchange) {
    pm_status status = pm_mpi_exchange_run(exchange);
    if (status == PM_OK)
        status = coming_keep(team, exchange->lowest);
    pm_mpi_exchange_free(exchange);
    return status;
}

/* May other threads work while this one is in MPI? */
static bool may_overlap(void) {
    int level = MPI_THREAD_SINGLE;
    return MPI_Query_thread(&level) == MPI_SUCCESS && level >= MPI_THREAD_FUNNELED;
}

pm_status pm_mpi_team_match(pm_mpi_team *team, pm_mpi_exchange *exchange, uint64_t *match) {
    const uint64_t index = exchange->origin + exchange->plan->first;
    const bool overlap = may_overlap();
    pm_status exchanged = PM_OK, failure = PM_OK;
    team->slices[0] = (pm_mpi_slice){0};
    for (int k = 0; k < exchange->plan->need_count; k++)
        team->slices[0].bic.open += exchange->plan->needs[k].opens;
    parts_order(team);
    if (!overlap)
        exchanged = exchange_all(team, exchange);
    size_t next_alone = 0, next_waiting = team->alone;
#pragma omp parallel num_threads(team->threads)
    {
        pm_mpi_worker *const worker = own_worker(team);
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
