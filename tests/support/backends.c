/* SPDX-License-Identifier: Apache-2.0 */
/* A new backend is one more line here, and is tested and fuzzed. */
#include "tests/support/backends.h"

const backend backends[] = {
    {"auto", pm_match_auto},
    {"broadword", pm_match_broadword},
    {"omp", pm_match_omp},
    {"seq", pm_match_seq},
};
const size_t backend_count = sizeof backends / sizeof *backends;
