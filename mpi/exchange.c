/* SPDX-License-Identifier: Apache-2.0 */
/* The exchange: a rank sends while there is a free buffer and receives what has come, so that nobody waits in a ring.
 */
#include "mpi/ranks.h"

#include <string.h>

#include "base/memory.h"

#define OPENS_TAG 1
#define BUFFERS 2
#define WORDS_OF_ENTRY 2
_Static_assert(sizeof(pm_open_word) == WORDS_OF_ENTRY * sizeof(uint64_t), "sent as words of 64 bits");

/* How far a rank has come. */
typedef struct progress {
    int send;           /* piece that is being sent, */
    uint64_t send_left; /* opens of it left, */
    size_t send_end;    /* the highest of them is the topmost survivor of the slice's first send_end elements */
    MPI_Request requests[BUFFERS];
    int needs_left; /* pieces that have not come, or not all of them */
    bool out_of_memory;
} progress;

static void begin_send(const pmi_mpi_plan *plan, progress *at) {
    at->send_left = at->send < plan->send_count ? plan->sends[at->send].opens : 0;
}

static void begin_needs(const pmi_mpi_exchange *exchange, progress *at) {
    at->needs_left = exchange->plan->need_count;
    for (int k = 0; k < at->needs_left; k++)
        exchange->incoming[k] = (pmi_mpi_incoming){.left = exchange->plan->needs[k].opens};
}

/* The piece that comes from this owner, of whom there is one; the owners of later pieces come before. */
static int need_of(const pmi_mpi_plan *plan, int owner) {
    int low = 0, high = plan->need_count - 1;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (plan->needs[middle].rank > owner)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Opens of so few words that bytes can count those of each eighth of them all. Word by word, pmi_bits_count() is a call
 * for each where the compiler may not use an instruction for it. */
static uint64_t opens_of_some(const pm_open_word *words, size_t count) {
    uint64_t bytes = 0;
    for (size_t k = 0; k < count; k++) {
        uint64_t x = words[k].opens;
        x -= x >> 1 & UINT64_C(0x5555555555555555);
        x = (x & UINT64_C(0x3333333333333333)) + (x >> 2 & UINT64_C(0x3333333333333333));
        bytes += (x + (x >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    }
    const uint64_t pairs = (bytes & UINT64_C(0x00ff00ff00ff00ff)) + (bytes >> 8 & UINT64_C(0x00ff00ff00ff00ff));
    return pairs * UINT64_C(0x0001000100010001) >> 48;
}

static uint64_t opens_of(const pm_open_word *words, size_t count) {
    enum {
        SOME = UINT8_MAX / 8
    };
    uint64_t opens = 0;
    for (size_t k = 0; k < count; k += SOME)
        opens += opens_of_some(words + k, count - k < SOME ? count - k : SOME);
    return opens;
}

/* The next opens of the piece, top first; indices become those of the whole sequence. Returns the words. */
static size_t fill_block(const pmi_mpi_exchange *exchange, progress *at, pm_open_word *words) {
    size_t count = 0;
    (void)pm_slice_survivors(exchange->context, exchange->parens, at->send_end, at->send_left, PM_MPI_BLOCK_WORDS,
                             words, &count); /* whose arguments are right */
    const uint64_t opens = opens_of(words, count);
    at->send_left -= opens;
    at->send_end = (size_t)words[count - 1].first + pmi_bits_lowest(words[count - 1].opens);
    for (size_t k = 0; k < count; k++)
        words[k].first += exchange->origin + exchange->plan->first;
    exchange->costs->sent_opens += opens;
    return count;
}

/* Sends a block from a buffer that is free. */
static int send_block(const pmi_mpi_exchange *exchange, progress *at, int buffer) {
    const pmi_mpi_plan *const plan = exchange->plan;
    const pmi_mpi_piece piece = plan->sends[at->send];
    pm_open_word *const words = exchange->buffers->out[buffer];
    const size_t count = fill_block(exchange, at, words);
    exchange->costs->sent_bytes += count * sizeof *words;
    exchange->costs->sent_messages++;
    if (at->send_left == 0) {
        at->send_end += piece.kept; /* the next receiver begins with the same open again */
        at->send++;
        begin_send(plan, at);
    }
    return MPI_Isend(words, (int)count * WORDS_OF_ENTRY, MPI_UINT64_T, piece.rank, OPENS_TAG, exchange->group->comm,
                     &at->requests[buffer]);
}

/* Puts a block away, beneath those that came before it from the same owner. */
static void keep_block(const pmi_mpi_exchange *exchange, progress *at, pmi_mpi_incoming *from,
                       const pm_open_word *words, size_t count) {
    const pm_allocator allocator = pm_context_allocator(exchange->context);
    pmi_mpi_block *const block = pmi_memory_allocate_with(&allocator, sizeof *block, count, sizeof *words);
    if (!block) {
        at->out_of_memory = true;
        return;
    }
    *block = (pmi_mpi_block){.above = from->lowest, .count = count};
    for (size_t k = 0; k < count; k++)
        block->words[k] = words[count - 1 - k];
    from->lowest = block;
    if (!from->highest)
        from->highest = block;
}

/* All that came, in one row. */
static void join_blocks(pmi_mpi_exchange *exchange) {
    pmi_mpi_block *above = NULL;
    for (int k = 0; k < exchange->plan->need_count; k++) {
        const pmi_mpi_incoming *const from = &exchange->incoming[k];
        if (!from->lowest)
            continue;
        from->highest->above = above;
        above = from->lowest;
    }
    exchange->lowest = above;
}

/* Receives a block that has come from this owner. */
static int receive_block(const pmi_mpi_exchange *exchange, progress *at, int owner) {
    pmi_mpi_incoming *const from = &exchange->incoming[need_of(exchange->plan, owner)];
    pm_open_word *const words = exchange->buffers->in;
    MPI_Status about;
    int got = 0;
    int code = MPI_Recv(words, PM_MPI_BLOCK_WORDS * WORDS_OF_ENTRY, MPI_UINT64_T, owner, OPENS_TAG,
                        exchange->group->comm, &about);
    if (code == MPI_SUCCESS)
        code = MPI_Get_count(&about, MPI_UINT64_T, &got);
    if (code != MPI_SUCCESS)
        return code;
    const size_t count = (size_t)got / WORDS_OF_ENTRY;
    const uint64_t opens = opens_of(words, count);
    exchange->costs->received_bytes += count * sizeof *words;
    keep_block(exchange, at, from, words, count);
    from->left -= opens;
    at->needs_left -= from->left == 0;
    return MPI_SUCCESS;
}

/* Is there a block to receive, and from whom? Waits for one where nothing is left to send. */
static int block_came(const pmi_mpi_exchange *exchange, bool wait, int *came, int *owner) {
    MPI_Status about;
    const MPI_Comm comm = exchange->group->comm;
    const int code = wait ? MPI_Probe(MPI_ANY_SOURCE, OPENS_TAG, comm, &about)
                          : MPI_Iprobe(MPI_ANY_SOURCE, OPENS_TAG, comm, came, &about);
    if (wait)
        *came = 1;
    if (code == MPI_SUCCESS && *came)
        *owner = about.MPI_SOURCE;
    return code;
}

/* Sends what there are free buffers for. */
static int send_some(const pmi_mpi_exchange *exchange, progress *at, bool *sending) {
    *sending = false;
    for (int b = 0; b < BUFFERS; b++) {
        int free = 0, code = MPI_Test(&at->requests[b], &free, MPI_STATUS_IGNORE);
        if (code == MPI_SUCCESS && free && at->send_left > 0) {
            code = send_block(exchange, at, b);
            free = 0;
        }
        if (code != MPI_SUCCESS)
            return code;
        *sending |= !free;
    }
    return MPI_SUCCESS;
}

static int receive_some(const pmi_mpi_exchange *exchange, progress *at, bool wait) {
    if (at->needs_left == 0)
        return MPI_SUCCESS;
    int came = 0, owner = 0;
    const int code = block_came(exchange, wait, &came, &owner);
    return code == MPI_SUCCESS && came ? receive_block(exchange, at, owner) : code;
}

/* MPI has failed: nothing more is sent from the buffers. */
static void give_up(progress *at) {
    for (int b = 0; b < BUFFERS; b++)
        if (at->requests[b] != MPI_REQUEST_NULL) {
            (void)MPI_Cancel(&at->requests[b]);
            (void)MPI_Request_free(&at->requests[b]);
        }
}

pm_status pmi_mpi_exchange_run(pmi_mpi_exchange *exchange) {
    progress at = {.send_end = exchange->n, .requests = {MPI_REQUEST_NULL, MPI_REQUEST_NULL}};
    begin_send(exchange->plan, &at);
    begin_needs(exchange, &at);
    int code = MPI_SUCCESS;
    for (bool sending = true; code == MPI_SUCCESS && (sending || at.needs_left > 0);) {
        code = send_some(exchange, &at, &sending);
        if (code == MPI_SUCCESS)
            code = receive_some(exchange, &at, !sending);
    }
    join_blocks(exchange);
    if (code != MPI_SUCCESS) {
        give_up(&at);
        return PM_IO;
    }
    return at.out_of_memory ? PM_OUT_OF_MEMORY : PM_OK;
}

void pmi_mpi_exchange_drop(pmi_mpi_exchange *exchange) {
    const pm_allocator allocator = pm_context_allocator(exchange->context);
    pmi_mpi_block *const block = exchange->lowest;
    exchange->lowest = block->above;
    pmi_memory_free(&allocator, block);
}

void pmi_mpi_exchange_free(pmi_mpi_exchange *exchange) {
    while (exchange->lowest)
        pmi_mpi_exchange_drop(exchange);
}
