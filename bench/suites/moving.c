/* SPDX-License-Identifier: Apache-2.0 */
/* Two floors in turn. */
#include "bench/suites/moving.h"

#define MOVING_NAME "copy" /* as results call it */

/* A floor at work on whole 32-bit words. */
static struct floor_job job_make(const char *name, void *to, const void *from, size_t size, unsigned threads) {
    return (struct floor_job){.floor = floor_named(name),
                              .block = {.to = to, .from = from, .size = size - size % 4, .threads = threads},
                              .held = true};
}

struct moving moving_make(void *to, const void *from, size_t copied, const void *more, size_t read, unsigned threads) {
    return (struct moving){.copy = job_make(MOVING_NAME, to, from, copied, threads),
                           .read = job_make("read", NULL, more, read, threads)};
}

static void moving_run(void *user, size_t calls) {
    struct moving *moving = user;
    const struct action copy = floor_action(&moving->copy), read = floor_action(&moving->read);
    for (size_t c = 0; c < calls; c++) {
        copy.run(copy.user, 1);
        read.run(read.user, 1);
    }
}

enum outcome moving_compare(struct moving *moving, struct action subject, void (*check)(void *user), const bool *right,
                            const struct settings *settings, struct result result) {
    result.times = timing_pairs(settings->sampling, (struct action){moving_run, moving}, subject, check);
    result.floor = MOVING_NAME;
    result.verified = *right;
    report_result(&result);
    return result.verified ? OUTCOME_VERIFIED : OUTCOME_WRONG;
}
