/* SPDX-License-Identifier: Apache-2.0 */
/* A copy in pieces, which the threads of a team take by turns. */
#include "cpu/copy_team.h"

#include <string.h>

#include "cpu/team.h"

enum {
    PIECE = 1 << 18, /* bytes: some ten microseconds of copying, many times what it costs to wake a thread */
    /* Threads, unless a number is asked for: more than can have memory busy only wait for each other. 64 of them took
     * four times as long as 16. */
    THREADS_MOST = 16
};

typedef struct copy {
    unsigned char *to;
    const unsigned char *from;
    size_t bytes;
} copy;

static void piece_copy(size_t item, unsigned thread, void *user) {
    const copy *const all = user;
    const size_t begin = item * PIECE, rest = all->bytes - begin;
    (void)thread;
    memcpy(all->to + begin, all->from + begin, rest < PIECE ? rest : PIECE);
}

void pmi_copy_team(void *to, const void *from, size_t bytes, unsigned threads) {
    const size_t pieces = bytes / PIECE + (bytes % PIECE != 0);
    if (pieces < 2) {
        memcpy(to, from, bytes);
        return;
    }
    const unsigned given = pmi_team_threads(threads);
    const unsigned most = threads == 0 && given > THREADS_MOST ? THREADS_MOST : given;
    pmi_team_run(pieces < most ? (unsigned)pieces : most, pieces, piece_copy, &(copy){to, from, bytes});
}
