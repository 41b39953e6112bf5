/* SPDX-License-Identifier: Apache-2.0 */
/* The suites: one file each. */
#ifndef PM_BENCH_SUITES_SUITE_H
#define PM_BENCH_SUITES_SUITE_H

#include "bench/settings.h"

struct suite {
    const char *name, *description;
    struct name_list families; /* what it runs on where the command line does not say */
    struct size_list sizes;
    enum outcome (*run)(const struct suite *suite,
                        const struct settings *settings); /* with families and sizes filled in */
};

/* One family at one size. */
typedef enum outcome suite_case(const struct suite *suite, const struct settings *settings, const char *family,
                                size_t n);

/* Does the suite find call a way to search so, and the suite bp an index or a line? These are not backends. */
bool suite_find_knows(const char *name);
bool suite_bp_knows(const char *name);

/* Every case of the settings, until one fails. */
enum outcome suite_run_cases(const struct suite *suite, const struct settings *settings, suite_case *time_case);

extern const struct suite suite_boxes, suite_bp, suite_call, suite_crossover, suite_find, suite_floor, suite_match,
    suite_scan, suite_split, suite_structure, suite_text, suite_word, suite_worst;

#endif
