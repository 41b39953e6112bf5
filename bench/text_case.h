/* SPDX-License-Identifier: Apache-2.0 */
/* What is done with a text, timed beside reading it, on one thread. */
#ifndef PM_BENCH_TEXT_CASE_H
#define PM_BENCH_TEXT_CASE_H

#include "bench/suite.h"
#include "bench/texts.h"
#include "bench/timing.h"

/* Reports one line. *held: the subject's calls, which check themselves, all found what they should have. */
enum outcome text_time(const struct suite *suite, const struct settings *settings, const char *kind,
                       const struct text *text, const char *backend, struct action subject, const bool *held);

#endif
