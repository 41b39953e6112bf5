/* SPDX-License-Identifier: Apache-2.0 */
/* Suite match: each backend on each family and size, beside the store of as many bytes. */
#include "bench/suites/match_case.h"
#include "bench/suites/suite.h"

static enum outcome run(const struct suite *suite, const struct settings *settings) {
    return match_cases_run(suite->name, NULL, settings);
}

const struct suite suite_match = {
    .name = "match",
    .description = "each backend on each family and size, beside the store",
    .families = {10,
                 {"random", "bits", "flat", "zigzag", "saw:100", "saw:5000", "deep", "opens", "closes", "twist:.25"}},
    .sizes = {4, {1u << 12, 1u << 16, 1u << 20, 1u << 24}},
    .run = run};
