/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pm_bench_mpi: matching on 1, 2, 4, ... and all ranks. --n is the number of elements of a rank: that number on
 * each rank is weak scaling; as many as all ranks have together, on fewer ranks, is strong scaling. Most options are
 * pm_bench's; one JSON object a line, as from pm_bench.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench/machine.h"
#include "bench/mpi/case.h"
#include "bench/report.h"
#include "bench/settings.h"

#define N_DEFAULT ((size_t)1 << 24)
#define ROUNDS 200u
#define WORDS_OF_SLICE 3

/* Deep: all opens cross the machine. Opens, flat: no rank closes another's, but each has a far parent. */
static const char *const families_default[] = {"random", "bits",       "deep",     "opens",
                                               "flat",   "twist:0.25", "saw:5000", "drift"};

static const char help[] =
    "usage: mpirun -n RANKS pm_bench_mpi [option]...\n"
    "Times pm_mpi_match on 1, 2, 4, ... and all ranks, and storing as much; one JSON object a line.\n"
    "\n"
    "Options marked * may be repeated.\n"
    "  --family NAME     * a family of inputs, as in inputs/families.h (default: eight of them)\n"
    "  --n N             * elements of a rank, as a number or as 2^K (default 2^24)\n"
    "  --weak              weak scaling only: no strong scaling\n"
    "  --threads N         threads of a rank (default 1)\n"
    "  --repetitions R     samples of each case (default: as many as --seconds allows, 5 at least)\n"
    "  --seconds S         time for each case (default 0.2)\n"
    "  --pin CPU           run the first rank on this CPU, and the others on those that follow; for ranks\n"
    "                      with one thread\n"
    "  --seed N            of the random families (default 1)\n"
    "  --help              print this, and exit\n"
    "\n"
    "Exit status: 0 every timed output was verified, 1 one was wrong, 2 usage or no memory.\n";

/* What is asked of this program. */
struct request {
    struct settings settings;
    bool weak; /* no strong scaling */
};

/* Fills in what was not asked for. */
static void settings_default(struct settings *settings) {
    if (settings->families.count == 0)
        for (size_t f = 0; f < sizeof families_default / sizeof *families_default; f++)
            settings->families.names[settings->families.count++] = families_default[f];
    if (settings->sizes.count == 0)
        settings->sizes.sizes[settings->sizes.count++] = N_DEFAULT;
}

static bool request_parse(int argc, char **argv, struct request *request) {
    *request = (struct request){0};
    const struct option_known weak = {.name = "weak", .take = take_flag, .to = &request->weak};
    if (!settings_parse(argc, argv, &weak, &request->settings))
        return false;
    settings_default(&request->settings);
    return true;
}

/* Ranks without work wait without keeping a core busy. */
static void wait_for_all(void) {
    MPI_Request request;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    for (int done = 0;;) {
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        if (done)
            return;
        nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
    }
}

static void print_result(const char *family, size_t n, int ranks, const struct mpi_result *result) {
    const pm_mpi_costs *steps = &result->steps;
    report_begin("mpi");
    report_text("backend", "match");
    report_text("kind", family);
    report_count("n", n);
    report_count("ranks", (unsigned)ranks);
    report_number("seconds", result->match.median);
    report_number("min", result->match.min);
    report_number("spread", result->match.spread);
    report_number("floor_seconds", result->floor.median);
    report_number("floor_min", result->floor.min);
    report_number("floor_spread", result->floor.spread);
    report_number("share", result->floor.median / result->match.median);
    report_number("share_spread", result->share_spread);
    report_number("reduce_seconds", steps->reduce_seconds);
    report_number("scan_seconds", steps->scan_seconds);
    report_number("exchange_seconds", steps->exchange_seconds);
    report_number("match_seconds", steps->match_seconds);
    report_count("sent_opens", steps->sent_opens);
    report_count("sent_bytes", steps->sent_bytes);
    report_count("sent_messages", steps->sent_messages);
    report_count("most_received", result->most_received);
    report_count("repetitions", result->repetitions);
    report_verified(result->verified);
}

/* ---- The network: what the cost model of docs/results/mpi.md begins with ---- */

/* Seconds of a message from the first rank of comm to the second: the median. */
static double message_seconds(MPI_Comm comm, size_t bytes) {
    double times[ROUNDS] = {0};
    unsigned char *const message = calloc(bytes, 1);
    int rank;
    MPI_Comm_rank(comm, &rank);
    MPI_Barrier(comm);
    for (unsigned r = 0; r < ROUNDS && message && rank < 2; r++) {
        const double begun = MPI_Wtime();
        if (rank == 0)
            MPI_Send(message, (int)bytes, MPI_BYTE, 1, 0, comm);
        MPI_Recv(message, (int)bytes, MPI_BYTE, 1 - rank, 0, comm, MPI_STATUS_IGNORE);
        if (rank == 1)
            MPI_Send(message, (int)bytes, MPI_BYTE, 0, 0, comm);
        times[r] = (MPI_Wtime() - begun) / 2;
    }
    free(message);
    return distribution_of(times, ROUNDS).median;
}

/* Seconds of the calls by which ranks learn of each other's slices: agreeing, and gathering 24 bytes from each. */
static double scan_seconds(MPI_Comm comm) {
    double times[ROUNDS] = {0};
    int rank, ranks;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    uint64_t *const all = calloc((size_t)ranks * WORDS_OF_SLICE, sizeof *all);
    if (!mpi_all(comm, all != NULL)) {
        free(all);
        return 0;
    }
    for (unsigned r = 0; r < ROUNDS; r++) {
        long long least = rank;
        MPI_Barrier(comm);
        const double begun = MPI_Wtime();
        MPI_Allreduce(MPI_IN_PLACE, &least, 1, MPI_LONG_LONG, MPI_MIN, comm);
        MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, WORDS_OF_SLICE, MPI_UINT64_T, comm);
        times[r] = MPI_Wtime() - begun;
    }
    free(all);
    return mpi_greatest(comm, distribution_of(times, ROUNDS).median);
}

static void print_network(MPI_Comm comm, int rank, int ranks) {
    const double scan = scan_seconds(comm);
    if (rank == 0)
        printf("{\"suite\":\"mpi\",\"backend\":\"scan\",\"ranks\":%d,\"seconds\":%.4g}\n", ranks, scan);
    for (size_t bytes = 16; ranks == 2 && bytes <= (size_t)1 << 20; bytes *= 8) {
        const double seconds = message_seconds(comm, bytes);
        if (rank == 0)
            printf("{\"suite\":\"mpi\",\"backend\":\"message\",\"bytes\":%zu,\"seconds\":%.4g}\n", bytes, seconds);
    }
    fflush(stdout);
}

/* ---- Cases ---- */

/* One case on the first `ranks` ranks. */
static enum outcome run_case(pm_context *context, MPI_Comm comm, const char *family, size_t n,
                             const struct settings *settings) {
    int rank, ranks;
    struct mpi_result result;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    if (!mpi_case_measure(context, comm, family, settings->seed, n, settings->sampling, &result)) {
        if (rank == 0)
            fprintf(stderr, "pm_bench_mpi: no memory, or no family '%s'\n", family);
        return OUTCOME_FAILED;
    }
    if (rank == 0)
        print_result(family, n, ranks, &result);
    return result.verified ? OUTCOME_VERIFIED : OUTCOME_WRONG;
}

/* All cases on some of `all` ranks: weak scaling, and strong scaling. */
static enum outcome run_cases(pm_context *context, MPI_Comm comm, const struct request *request, int all) {
    const struct settings *const settings = &request->settings;
    int rank, ranks;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    print_network(comm, rank, ranks);
    enum outcome worst = OUTCOME_VERIFIED;
    for (size_t s = 0; s < settings->sizes.count; s++)
        for (size_t f = 0; f < settings->families.count && worst != OUTCOME_FAILED; f++) {
            const size_t each = settings->sizes.sizes[s];
            const char *const family = settings->families.names[f];
            worst = outcome_worse(worst, run_case(context, comm, family, each * (size_t)ranks, settings));
            if (ranks < all && !request->weak && worst != OUTCOME_FAILED)
                worst = outcome_worse(worst, run_case(context, comm, family, each * (size_t)all, settings));
        }
    return worst;
}

/* On 1, 2, 4, ... and all ranks. */
static enum outcome run_all(pm_context *context, const struct request *request) {
    int rank, all, worst = OUTCOME_VERIFIED;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &all);
    for (int ranks = 1; ranks <= all; ranks = ranks < all && 2 * ranks > all ? all : 2 * ranks) {
        MPI_Comm comm;
        MPI_Comm_split(MPI_COMM_WORLD, rank < ranks ? 0 : MPI_UNDEFINED, rank, &comm);
        if (comm != MPI_COMM_NULL) {
            const int outcome = (int)run_cases(context, comm, request, all);
            worst = outcome > worst ? outcome : worst;
            MPI_Comm_free(&comm);
        }
        wait_for_all();
    }
    MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    return (enum outcome)worst;
}

/* Binds each rank to one CPU, if that is asked for. */
static bool pin(const struct settings *settings, int rank) {
    if (settings->pin < 0 || (settings->threads == 1 && machine_pin(settings->pin + rank, 1)))
        return true;
    fprintf(stderr, "pm_bench_mpi: rank %d cannot run on CPU %d\n", rank, settings->pin + rank);
    return false;
}

/* Everything, on a context. */
static enum outcome run(const struct request *request) {
    const pm_options options = {.struct_size = sizeof options, .threads = request->settings.threads};
    pm_context *context;
    if (pm_context_create(&options, &context) != PM_OK)
        return OUTCOME_FAILED;
    const enum outcome outcome = run_all(context, request);
    pm_context_destroy(context);
    return outcome;
}

int main(int argc, char **argv) {
    struct request request;
    int rank, level, outcome = OUTCOME_FAILED;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (request_parse(argc, argv, &request)) {
        if (rank == 0 && request.settings.help)
            fputs(help, stdout);
        else if (rank == 0)
            report_run(argc, argv);
        if (request.settings.help)
            outcome = OUTCOME_VERIFIED;
        else if (mpi_all(MPI_COMM_WORLD, pin(&request.settings, rank)))
            outcome = (int)run(&request);
    }
    MPI_Finalize();
    return outcome;
}
