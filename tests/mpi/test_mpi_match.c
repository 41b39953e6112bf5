/* SPDX-License-Identifier: Apache-2.0 */
/* Matching on several ranks, against one stack; and that failures of one are failures of all. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/slice.h"
#include "inputs/families.h"
#include "mpi/team.h"
#include "tests/mpi/fixture.h"
#include "tests/support/unit.h"

#define CANARY UINT64_C(0xa5a5a5a5a5a5a5a5)

static void *allocate_words(size_t count) {
    void *memory = malloc(count * sizeof(uint64_t) + (count == 0));
    mpi_check(memory != NULL);
    return memory;
}

/* ---- A sequence, its match, and what is to be sent for it */

typedef struct sequence {
    size_t n;
    uint64_t *parens, *match;
    pm_bic total;
} sequence;

/* Of parentheses which it owns from then on. */
static sequence sequence_of(uint64_t *parens, size_t n) {
    sequence made = {.n = n, .parens = parens, .match = allocate_words(n)};
    pm_stream *stream;
    mpi_check(pm_stream_create(NULL, &stream) == PM_OK);
    mpi_check(pm_stream_push(stream, parens, n, made.match) == PM_OK);
    mpi_check(pm_stream_finish(stream, &made.total) == PM_OK);
    pm_stream_destroy(stream);
    return made;
}

static sequence sequence_make(const char *family, uint64_t seed, size_t n) {
    uint64_t *const parens = allocate_words(pmi_bits_words(n));
    mpi_check(family_fill(family, seed, n, parens));
    return sequence_of(parens, n);
}

static void sequence_free(sequence *made) {
    free(made->parens);
    free(made->match);
}

/* The rank that holds element i. */
static size_t owner_of(const size_t *boundaries, size_t i) {
    size_t r = 0;
    while (boundaries[r + 1] <= i)
        r++;
    return r;
}

/* Closes that a slice does not open itself. */
static size_t far_closes(const sequence *whole, size_t begin, size_t end) {
    size_t closes = 0, opens = 0;
    for (size_t i = begin; i < end; i++) {
        const bool open = pmi_bits_get(whole->parens, i);
        closes += !open && opens == 0;
        opens = open ? opens + 1 : opens - (opens > 0);
    }
    return closes;
}

/*
 * The model of the traffic, by one stack: what each slice that is not empty needs of the stack before it is the opens
 * that its far closes close, and one more. It takes 16 bytes for those of 64 elements of the slice that they are in.
 */
static uint64_t model_bytes(const sequence *whole, const size_t *boundaries) {
    size_t *const stack = allocate_words(whole->n), depth = 0;
    uint64_t words = 0;
    for (int r = 0; r < mpi_ranks(); r++) {
        const size_t begin = boundaries[r], end = boundaries[r + 1];
        const size_t wanted = begin < end ? far_closes(whole, begin, end) + 1 : 0;
        size_t last_owner = SIZE_MAX, last_word = SIZE_MAX;
        for (size_t k = 0; k < wanted && k < depth; k++) {
            const size_t open = stack[depth - 1 - k], owner = owner_of(boundaries, open);
            const size_t word = (open - boundaries[owner]) / 64;
            words += owner != last_owner || word != last_word;
            last_owner = owner;
            last_word = word;
        }
        for (size_t i = begin; i < end; i++) {
            if (pmi_bits_get(whole->parens, i))
                stack[depth++] = i;
            else
                depth -= depth > 0;
        }
    }
    free(stack);
    return words * sizeof(pm_open_word);
}

/* ---- Is it right? */

/* Matches the slices that the boundaries make; sums up what is sent if `costs` is given. */
static void check_slices(pm_context *context, const sequence *whole, const size_t *boundaries, uint64_t origin,
                         pm_mpi_costs *costs) {
    const size_t begin = boundaries[mpi_rank()], end = boundaries[mpi_rank() + 1], n = end - begin;
    uint64_t *const slice = mpi_slice_of(whole->parens, whole->n, begin, end);
    uint64_t *const match = allocate_words(n + 1);
    match[n] = CANARY;
    pm_bic total = {CANARY, CANARY};
    pm_mpi_costs own;
    mpi_check(pmi_mpi_match_at(context, MPI_COMM_WORLD, origin, slice, n, match, &total, &own) == PM_OK);
    for (size_t i = 0; i < n; i++) {
        const uint64_t expected = whole->match[begin + i];
        mpi_check(match[i] == (expected == PM_BP_NONE ? expected : expected + origin));
    }
    mpi_check(match[n] == CANARY);
    mpi_check(total.close == whole->total.close && total.open == whole->total.open);
    uint64_t bytes[2] = {own.sent_bytes, own.received_bytes};
    mpi_check(MPI_Allreduce(MPI_IN_PLACE, bytes, 2, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD) == MPI_SUCCESS);
    mpi_check(bytes[0] == bytes[1]);
    if (costs) {
        *costs = own;
        costs->sent_bytes = bytes[0];
    }
    free(match);
    free(slice);
}

static void check_cuts(pm_context *context, const char *family, size_t n, uint64_t seed) {
    size_t *const boundaries = allocate_words((size_t)mpi_ranks() + 1);
    sequence whole = sequence_make(family, seed, n);
    for (mpi_cut cut = 0; cut < MPI_CUT_COUNT; cut++) {
        pm_mpi_costs costs;
        mpi_cut_make(cut, seed + cut, n, boundaries);
        check_slices(context, &whole, boundaries, 0, &costs);
        mpi_check(costs.sent_bytes == model_bytes(&whole, boundaries));
    }
    sequence_free(&whole);
    free(boundaries);
}

TEST(test_every_family) {
    const size_t ranks = (size_t)mpi_ranks();
    const size_t sizes[] = {64 * ranks + 1, 3001};
    for (const char *const *name = family_names; *name; name++)
        for (size_t s = 0; s < COUNT_OF(sizes); s++)
            check_cuts(NULL, *name, sizes[s], s + 1);
}

/* About as many elements as ranks, and about a word for each. */
TEST(test_sizes_around_boundaries) {
    static const char *const families[] = {"bits", "deep", "comb:2", "sparse:40"};
    const size_t ranks = (size_t)mpi_ranks();
    const size_t sizes[] = {0,          2,          ranks - 1,       ranks,           ranks + 1,       63 * ranks,
                            64 * ranks, 65 * ranks, 128 * ranks - 1, 192 * ranks + 1, 192 * ranks + 63};
    for (size_t f = 0; f < COUNT_OF(families); f++)
        for (size_t s = 0; s < COUNT_OF(sizes); s++)
            check_cuts(NULL, families[f], sizes[s], s);
}

/* Every sequence of a few elements, cut at random. */
TEST(test_every_short_sequence) {
    size_t *const boundaries = allocate_words((size_t)mpi_ranks() + 1);
    for (uint64_t bits = 0; bits < 256; bits++) {
        uint64_t *const parens = allocate_words(1);
        *parens = bits;
        sequence whole = sequence_of(parens, 8);
        mpi_cut_make(MPI_CUT_RANDOM, bits, whole.n, boundaries);
        check_slices(NULL, &whole, boundaries, 0, NULL);
        sequence_free(&whole);
    }
    free(boundaries);
}

/* Ranks with three threads, whose slices are long enough for few parts or many. */
TEST(test_teams) {
    const pm_options options = {.struct_size = sizeof options, .threads = 3};
    pm_context *context;
    mpi_check(pm_context_create(&options, &context) == PM_OK);
    const size_t ranks = (size_t)mpi_ranks();
    for (const char *const *name = family_names; *name; name++)
        check_cuts(context, *name, 8256 * ranks - 1, 3);
    static const char *const families[] = {"bits", "deep", "drift"};
    for (size_t f = 0; f < COUNT_OF(families); f++)
        check_cuts(context, families[f], 40000 * ranks + 77, f);
    pm_context_destroy(context);
}

#ifdef _OPENMP
/* Threads are as many as have enough elements, and work with the context's instructions whatever pm_match_auto() would
 * choose. */
TEST(test_team_sizes) {
    static const size_t sizes[] = {0, 4095, 8191, 8192, 100000, (size_t)1 << 23};
    const pm_options options = {.struct_size = sizeof options, .threads = 50000, .simd = "portable"};
    pm_context *context;
    mpi_check(pm_context_create(&options, &context) == PM_OK);
    uint64_t *const parens = allocate_words(pmi_bits_words(sizes[COUNT_OF(sizes) - 1]));
    for (size_t s = 0; s < COUNT_OF(sizes); s++) {
        const size_t n = sizes[s], most = n < 8192 ? 0 : n / 4096 < 1024 ? n / 4096 : 1024;
        pmi_mpi_team team;
        mpi_check(pmi_mpi_team_open(&team, context, parens, n) == PM_OK);
        mpi_check(team.threads == most);
        for (unsigned t = 0; t < team.threads; t++)
            mpi_check(strcmp(pm_context_simd(team.workers[t].context), "portable") == 0);
        pmi_mpi_team_close(&team);
    }
    pm_context_destroy(context);
    free(parens);
}

/* An allocator that counts large blocks, and sees whether two threads call it at the same time. */
static struct {
    size_t large, count;
    atomic_flag busy;
    bool together;
} blocks;

static void *block_allocate(size_t size, void *user) {
    (void)user;
    blocks.together |= atomic_flag_test_and_set(&blocks.busy);
    blocks.count += size >= blocks.large;
    void *const block = malloc(size);
    atomic_flag_clear(&blocks.busy);
    return block;
}

static void block_free(void *block, void *user) {
    (void)user;
    free(block);
}

/* What has come from other ranks is needed by all parts together once, and is not copied for each. */
TEST(test_team_memory) {
    enum {
        HALF = 1 << 22, /* opens of the first rank, closes of the last */
        THREADS = 16
    };
    if (mpi_ranks() < 2)
        return;
    const bool first = mpi_rank() == 0, last = mpi_rank() == mpi_ranks() - 1;
    const size_t n = first || last ? HALF : 0;
    uint64_t *const parens = allocate_words(HALF / 64), *const match = allocate_words(HALF);
    memset(parens, first ? 0xff : 0, HALF / 8);
    blocks.large = HALF / 64 * sizeof(pm_open_word);
    blocks.count = 0;
    const pm_options options = {
        .struct_size = sizeof options, .threads = THREADS, .allocator = {block_allocate, block_free, NULL}};
    pm_context *context;
    mpi_check(pm_context_create(&options, &context) == PM_OK);
    mpi_check(pm_mpi_match(context, MPI_COMM_WORLD, parens, n, match, NULL) == PM_OK);
    for (size_t i = 0; last && i < HALF; i++)
        mpi_check(match[i] == HALF - 1 - i);
    mpi_check(blocks.count < THREADS && !blocks.together);
    pm_context_destroy(context);
    free(parens);
    free(match);
}
#endif

/* Every rank can open a device, the same one here. */
static bool devices_open(pm_context *context) {
    const uint64_t pair = 1;
    uint32_t match[2];
    int status = (int)pm_match_gpu(context, &pair, 2, match, NULL);
    MPI_Allreduce(MPI_IN_PLACE, &status, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    return status == PM_OK;
}

/* Ranks whose slices go to a GPU, all of them, and then the last one alone; another one has threads. */
TEST(test_devices) {
    const int last = mpi_ranks() - 1;
    const size_t ranks = (size_t)mpi_ranks();
    for (int first = 0; first <= last; first += last > 0 ? last : 1) {
        const bool here = mpi_rank() >= first;
        const pm_options options = {
            .struct_size = sizeof options, .threads = 3, .device = here ? "0" : NULL, .allow_cpu_device = true};
        pm_context *context;
        mpi_check(pm_context_create(&options, &context) == PM_OK);
        mpi_check(strcmp(pm_context_device(context), here ? "0" : "") == 0);
        if (!devices_open(context)) {
            pm_context_destroy(context);
            skip();
        }
        for (const char *const *name = family_names; *name; name++)
            check_cuts(context, *name, 300 * ranks + 5, 7);
        check_cuts(context, "drift", 5000 * ranks + 77, 1);
        size_t *const boundaries = allocate_words(ranks + 1);
        sequence whole = sequence_make("deep", 0, (size_t)4 * PM_MPI_BLOCK_WORDS * 64); /* several messages */
        mpi_cut_make(MPI_CUT_EVEN, 0, whole.n, boundaries);
        check_slices(context, &whole, boundaries, 0, NULL);
        sequence_free(&whole);
        free(boundaries);
        pm_context_destroy(context);
    }
}

/* A rank that names a device which is not there is everyone's failure. */
TEST(test_no_device) {
    const uint64_t pair = 1;
    uint64_t match[2];
    const pm_options options = {.struct_size = sizeof options, .device = mpi_rank() == 0 ? "999" : NULL};
    pm_context *context;
    mpi_check(pm_context_create(&options, &context) == PM_OK);
    mpi_check(pm_mpi_match(context, MPI_COMM_WORLD, &pair, 2, match, NULL) == PM_NO_DEVICE);
    pm_context_destroy(context);
}

/* More opens go from one rank to another than a message takes: all of them, and few of each word. */
TEST(test_many_messages) {
    static const char *const families[] = {"deep", "word:aaaaaaaaaaaaaaab"};
    size_t *const boundaries = allocate_words((size_t)mpi_ranks() + 1);
    const size_t words = 5 * PM_MPI_BLOCK_WORDS + 3, n = words * 64;
    for (size_t f = 0; f < COUNT_OF(families); f++) {
        uint64_t *const parens = allocate_words(words);
        pm_mpi_costs costs;
        mpi_check(family_fill(families[f], 0, n, parens));
        for (size_t w = words / 2; w < words; w++)
            parens[w] &= w % 64 == 0 ? 0 : parens[w]; /* so that the second one's opens are closed, some of them */
        for (mpi_cut cut = MPI_CUT_EVEN; cut <= MPI_CUT_WORDS; cut++) {
            sequence whole = sequence_of(memcpy(allocate_words(words), parens, words * sizeof *parens), n);
            mpi_cut_make(cut, 0, n, boundaries);
            check_slices(NULL, &whole, boundaries, 0, &costs);
            mpi_check(costs.sent_bytes == model_bytes(&whole, boundaries));
            mpi_check(mpi_ranks() != 2 || mpi_rank() != 0 || costs.sent_messages > (f == 0 ? 2 : 0));
            sequence_free(&whole);
        }
        free(parens);
    }
    free(boundaries);
}

/* Indices beyond 32 bits. */
TEST(test_far_origin) {
    static const uint64_t origins[] = {(UINT64_C(1) << 32) - 2500, UINT64_C(1) << 32, (UINT64_C(1) << 50) + 12345};
    size_t *const boundaries = allocate_words((size_t)mpi_ranks() + 1);
    for (size_t o = 0; o < COUNT_OF(origins); o++) {
        sequence whole = sequence_make("drift", o, 5003);
        mpi_cut_make(MPI_CUT_EVEN, 0, whole.n, boundaries);
        check_slices(NULL, &whole, boundaries, origins[o], NULL);
        sequence_free(&whole);
    }
    free(boundaries);
}

/* Any communicator will do, and its messages stay apart from the library's. */
TEST(test_communicators) {
    const uint64_t pair = 1;
    const int rank = mpi_rank(), ranks = mpi_ranks();
    uint64_t match[2];
    pm_bic total;
    mpi_check(pm_mpi_match(NULL, MPI_COMM_SELF, &pair, 2, match, &total) == PM_OK);
    mpi_check(match[0] == PM_BP_NONE && match[1] == 0 && total.close == 0 && total.open == 0);

    MPI_Comm reversed;
    MPI_Comm_split(MPI_COMM_WORLD, 0, ranks - rank, &reversed);
    const uint64_t open = rank != 0; /* the last one now has the only close */
    int token = rank, other = -1;
    MPI_Request request;
    MPI_Isend(&token, 1, MPI_INT, ranks - 1 - rank, 1, reversed, &request);
    mpi_check(pm_mpi_match(NULL, reversed, &open, 1, match, NULL) == PM_OK);
    mpi_check(match[0] == (rank == ranks - 1 ? PM_BP_NONE : (uint64_t)(ranks - 2 - rank)));
    MPI_Recv(&other, 1, MPI_INT, MPI_ANY_SOURCE, 1, reversed, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    mpi_check(other == rank || ranks > 1);
    MPI_Comm_free(&reversed);

    mpi_check(pm_mpi_match(NULL, MPI_COMM_NULL, &pair, 2, match, NULL) == PM_INVALID_ARGUMENT);
    if (ranks > 1) {
        MPI_Comm half, between;
        MPI_Comm_split(MPI_COMM_WORLD, rank == 0, rank, &half);
        MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank == 0 ? 1 : 0, 1, &between);
        mpi_check(pm_mpi_match(NULL, between, &pair, 2, match, NULL) == PM_INVALID_ARGUMENT);
        MPI_Comm_free(&between);
        MPI_Comm_free(&half);
    }
}

/* ---- Failures */

/* A rank with a bad argument is everyone's; of several failures the lowest rank's counts. */
TEST(test_bad_arguments) {
    const uint64_t pair = 1;
    uint64_t match[2];
    for (int bad = 0; bad < mpi_ranks(); bad++) {
        const bool here = bad == mpi_rank();
        mpi_check(pm_mpi_match(NULL, MPI_COMM_WORLD, here ? NULL : &pair, 2, match, NULL) == PM_INVALID_ARGUMENT);
        mpi_check(pm_mpi_match(NULL, MPI_COMM_WORLD, &pair, 2, here ? NULL : match, NULL) == PM_INVALID_ARGUMENT);
        mpi_check(pm_mpi_match(NULL, MPI_COMM_WORLD, here ? NULL : &pair, here ? 0 : 2, match, NULL) == PM_OK);
    }
    fault_allocator none = {.fail_at = 2};
    pm_context *context = NULL;
    mpi_check(fault_allocator_context(&none, &context) == PM_OK);
    const pm_status first = mpi_ranks() > 1 ? PM_INVALID_ARGUMENT : PM_OUT_OF_MEMORY;
    const bool starved = mpi_rank() == mpi_ranks() - 1; /* the last one */
    mpi_check(pm_mpi_match(starved ? context : NULL, MPI_COMM_WORLD, starved ? &pair : NULL, 2, match, NULL) == first);
    pm_context_destroy(context);
    mpi_check(fault_allocator_is_settled(&none));
}

/* A call with each allocation failing by turns on one rank: all ranks say so, nothing is lost, and the call after that
 * is right. Returns the failures. */
static unsigned starve(int starved, unsigned threads, const sequence *whole, const size_t *boundaries) {
    const size_t begin = boundaries[mpi_rank()], end = boundaries[mpi_rank() + 1];
    uint64_t *const slice = mpi_slice_of(whole->parens, whole->n, begin, end);
    uint64_t *const match = allocate_words(end - begin);
    pm_status status = PM_OUT_OF_MEMORY;
    unsigned failures = 0;
    for (size_t fail_at = 2; status != PM_OK; fail_at++) { /* after the context's own */
        fault_allocator faults = {.fail_at = starved == mpi_rank() ? fail_at : 0};
        const pm_options options = {
            .struct_size = sizeof options, .threads = threads, .allocator = fault_allocator_functions(&faults)};
        pm_context *context = NULL;
        mpi_check(pm_context_create(&options, &context) == PM_OK);
        status = pm_mpi_match(context, MPI_COMM_WORLD, slice, end - begin, match, NULL);
        mpi_check(status == PM_OK || status == PM_OUT_OF_MEMORY);
        int least = (int)status, most = (int)status;
        MPI_Allreduce(MPI_IN_PLACE, &least, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
        MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
        mpi_check(least == most);
        failures += status != PM_OK;
        pm_context_destroy(context);
        mpi_check(fault_allocator_is_settled(&faults));
    }
    mpi_check(memcmp(match, whole->match + begin, (end - begin) * sizeof *match) == 0);
    free(match);
    free(slice);
    return failures;
}

TEST(test_out_of_memory) {
    size_t *const boundaries = allocate_words((size_t)mpi_ranks() + 1);
    sequence whole = sequence_make("deep", 0, 300000);
    mpi_cut_make(MPI_CUT_EVEN, 0, whole.n, boundaries);
    const int last = mpi_ranks() - 1;
    for (int starved = 0; starved < mpi_ranks(); starved++) /* the last one also receives */
        mpi_check(starve(starved, 0, &whole, boundaries) >= (starved == last && starved > 0 ? 4 : 2));
    sequence_free(&whole);
    whole = sequence_make("deep", 0, 12345 * (size_t)mpi_ranks());
    mpi_cut_make(MPI_CUT_EVEN, 0, whole.n, boundaries);
    mpi_check(starve(last, 3, &whole, boundaries) >= 2); /* a team, if there can be one: of parts, too */
    sequence_free(&whole);
    free(boundaries);
}

int main(int argc, char **argv) {
    return mpi_run(&argc, &argv, tests_run);
}
