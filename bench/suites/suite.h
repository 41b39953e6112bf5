/* SPDX-License-Identifier: Apache-2.0 */
/* The suites: one file each. */
#ifndef PM_BENCH_SUITES_SUITE_H
#define PM_BENCH_SUITES_SUITE_H

#include "bench/settings.h"

struct suite;

/* Times one family at one size. */
typedef enum outcome suite_case(const struct suite *suite, const struct settings *settings, const char *family,
                                size_t n);

struct suite {
    const char *name, *description;
    struct name_list families; /* by default */
    struct size_list sizes;
    suite_case *time_case; /* for suites that are nothing but cases */
    enum outcome (*run)(const struct suite *suite, const struct settings *settings); /* else; settings are complete */
};

/* Does the suite have a line of this name? These are not backends. */
bool suite_find_knows(const char *name);
bool suite_bp_knows(const char *name);
bool suite_document_knows(const char *name);
bool suite_edit_knows(const char *name);
bool suite_json_knows(const char *name);
bool suite_open_knows(const char *name);
bool suite_open_worst_knows(const char *name);
bool suite_records_knows(const char *name);

/* Times every case of the settings, until one fails. */
enum outcome suite_run_cases(const struct suite *suite, const struct settings *settings, suite_case *time_case);

/* Times every family of the settings, or if they name none, those of family_at(0), family_at(1) ... up to NULL, at
 * every size, until one fails. */
enum outcome suite_run_families(const struct settings *settings, const char *(*family_at)(size_t k),
                                enum outcome (*time_family)(const struct settings *settings, const char *family,
                                                            size_t n));

extern const struct suite suite_batch, suite_boxes, suite_bp, suite_call, suite_crossover, suite_document, suite_edit,
    suite_find, suite_floor, suite_json, suite_keys, suite_match, suite_open, suite_open_worst, suite_records,
    suite_scan, suite_split, suite_structure, suite_text, suite_text_worst, suite_word, suite_worst;

#endif
