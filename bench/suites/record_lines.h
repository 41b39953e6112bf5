/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of languages, each of which is a text without a fault, alone and behind any other. */
#ifndef PM_BENCH_SUITES_RECORD_LINES_H
#define PM_BENCH_SUITES_RECORD_LINES_H

#include <stddef.h>

#define RECORD_LINES 4u

struct record_lines {
    const char *language;
    const char *lines[RECORD_LINES];
};

extern const struct record_lines record_lines[];
extern const size_t record_languages;

#endif
