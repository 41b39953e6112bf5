/* SPDX-License-Identifier: Apache-2.0 */
/* What is done with a text, in several ways, each timed beside reading it, on one thread. */
#ifndef PM_BENCH_SUITES_TEXT_CASE_H
#define PM_BENCH_SUITES_TEXT_CASE_H

#include "bench/suites/suite.h"
#include "bench/suites/texts.h"
#include "bench/timing.h"

/* A way to read a text. */
struct text_subject {
    const char *name;
    void (*run)(void *job, size_t calls);
};

/* Reports a line for each subject. *held: the calls of the job, which check themselves, all found what they should
 * have. */
enum outcome text_time(const struct suite *suite, const struct settings *settings, const char *kind,
                       const struct text *text, const struct text_subject *subjects, size_t count, void *job,
                       const bool *held);

#endif
