/* SPDX-License-Identifier: Apache-2.0 */
/* Which peers there are, as they were found when this was configured. */
#include "bench/peers/find_peers.h"

static const struct find_peer *const peers[] = {
#ifdef PM_BENCH_HYPERSCAN
    &find_hyperscan,
#endif
#ifdef PM_BENCH_RE2
    &find_re2,
#endif
#ifdef PM_BENCH_STD_REGEX
    &find_std_regex,
#endif
#ifdef PM_BENCH_GREP
    &find_grep,
#endif
#ifdef PM_BENCH_RIPGREP
    &find_ripgrep,
#endif
    NULL,
};

const struct find_peer *find_peer_at(size_t index) {
    return index < sizeof peers / sizeof *peers ? peers[index] : NULL;
}
