/* SPDX-License-Identifier: Apache-2.0 */
/* Suite call: what a call costs where there is next to nothing to match, beside the plain stack's. */
#include "bench/suites/match_case.h"
#include "bench/suites/suite.h"

static enum outcome run(const struct suite *suite, const struct settings *settings) {
    const struct backend plain_stack = {"seq", "none", 1, pm_match_seq, false};
    return match_cases_run(suite->name, &plain_stack, settings);
}

const struct suite suite_call = {.name = "call",
                                 .description = "calls with n = 0 ... 64, beside the plain stack",
                                 .families = {1, {"random"}},
                                 .sizes = {10, {0, 1, 2, 4, 8, 16, 32, 48, 63, 64}},
                                 .run = run};
