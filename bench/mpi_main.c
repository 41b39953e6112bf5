/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pm_bench_mpi: matching on 1, 2, 4, ... and all ranks. --n is the number of elements of a rank; so many on each rank
 * is weak scaling, and as many as all ranks have together, on fewer, is strong scaling. Options are those of pm_bench;
 * one JSON object a line, as from pm_bench.
 */
#include <stdio.h>
#include <time.h>

#include "bench/mpi_case.h"
#include "bench/mpi_network.h"
#include "bench/report.h"
#include "bench/settings.h"

#define N_DEFAULT ((size_t)1 << 24)

/* Deep: all opens cross the machine. Opens, flat: nobody closes another's, but each rank has a far parent. */
static const char *const families_default[] = {"random", "bits",       "deep",     "opens",
                                               "flat",   "twist:0.25", "saw:5000", "drift"};

/* Ranks without work wait, and leave their cores to others. */
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
    printf(
        "{\"suite\":\"mpi\",\"backend\":\"match\",\"kind\":\"%s\",\"n\":%zu,\"ranks\":%d,\"seconds\":%.5g,\"min\":%.5g,"
        "\"spread\":%.3g,\"floor_seconds\":%.5g,\"floor_min\":%.5g,\"floor_spread\":%.3g,\"share\":%.4g,"
        "\"share_spread\":%.3g,",
        family, n, ranks, result->match.median, result->match.min, result->match.spread, result->floor.median,
        result->floor.min, result->floor.spread, result->floor.median / result->match.median, result->share_spread);
    printf("\"reduce_seconds\":%.4g,\"scan_seconds\":%.4g,\"exchange_seconds\":%.4g,\"match_seconds\":%.4g,"
           "\"sent_opens\":%llu,\"sent_bytes\":%llu,\"sent_messages\":%llu,\"most_received\":%llu,\"repetitions\":%u,"
           "\"verified\":%s}\n",
           steps->reduce_seconds, steps->scan_seconds, steps->exchange_seconds, steps->match_seconds,
           (unsigned long long)steps->sent_opens, (unsigned long long)steps->sent_bytes,
           (unsigned long long)steps->sent_messages, result->most_received, result->repetitions,
           result->verified ? "true" : "false");
    fflush(stdout);
}

static void print_network(MPI_Comm comm, int rank, int ranks) {
    const double scan = mpi_scan_seconds(comm);
    if (rank == 0)
        printf("{\"suite\":\"mpi\",\"backend\":\"scan\",\"ranks\":%d,\"seconds\":%.4g}\n", ranks, scan);
    for (size_t bytes = 16; ranks == 2 && bytes <= (size_t)1 << 20; bytes *= 8) {
        const double seconds = mpi_message_seconds(comm, bytes);
        if (rank == 0)
            printf("{\"suite\":\"mpi\",\"backend\":\"message\",\"bytes\":%zu,\"seconds\":%.4g}\n", bytes, seconds);
    }
    fflush(stdout);
}

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

/* All cases on some ranks, of `all` in all: so many elements each, and all of them together. */
static enum outcome run_cases(pm_context *context, MPI_Comm comm, const struct settings *settings, int all) {
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
            if (ranks < all && worst != OUTCOME_FAILED)
                worst = outcome_worse(worst, run_case(context, comm, family, each * (size_t)all, settings));
        }
    return worst;
}

/* On 1, 2, 4, ... and all ranks. */
static enum outcome run_all(pm_context *context, const struct settings *settings) {
    int rank, all, worst = OUTCOME_VERIFIED;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &all);
    for (int ranks = 1; ranks <= all; ranks = ranks < all && 2 * ranks > all ? all : 2 * ranks) {
        MPI_Comm comm;
        MPI_Comm_split(MPI_COMM_WORLD, rank < ranks ? 0 : MPI_UNDEFINED, rank, &comm);
        if (comm != MPI_COMM_NULL) {
            const int outcome = (int)run_cases(context, comm, settings, all);
            worst = outcome > worst ? outcome : worst;
            MPI_Comm_free(&comm);
        }
        wait_for_all();
    }
    MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    return (enum outcome)worst;
}

int main(int argc, char **argv) {
    struct settings settings;
    int rank, level, outcome = OUTCOME_FAILED;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (settings_parse(argc, argv, &settings)) {
        if (settings.families.count == 0)
            for (size_t f = 0; f < sizeof families_default / sizeof *families_default; f++)
                settings.families.names[settings.families.count++] = families_default[f];
        if (settings.sizes.count == 0)
            settings.sizes.sizes[settings.sizes.count++] = N_DEFAULT;
        if (rank == 0)
            report_run(argc, argv);
        const pm_options options = {.struct_size = sizeof options, .threads = settings.threads};
        pm_context *context;
        if (pm_context_create(&options, &context) == PM_OK) {
            outcome = (int)run_all(context, &settings);
            pm_context_destroy(context);
        }
    }
    MPI_Finalize();
    return outcome;
}
