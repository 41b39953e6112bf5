/* SPDX-License-Identifier: Apache-2.0 */
/* From the index to the backends: the implementation that fits the CPU, and a team that reads the sequence. */
#include "core/bp/create.h"

#include "broadword/bp/kernels.h"
#include "broadword/match/match.h"
#include "core/bp/build.h"
#include "core/context/context.h"
#include "cpu/team.h"

#define PIECE 256u /* superblocks that a thread takes at a time: 256 KiB of the sequence */

const pmi_bp_kernel *pmi_bp_kernel_of(const pm_context *context) {
    return pmi_bp_kernel_for(pmi_engine_of(context)->name);
}

typedef struct fill {
    struct pm_bp *bp;
    const pmi_bp_kernel *kernel;
} fill;

static void fill_piece(size_t piece, unsigned thread, void *user) {
    (void)thread;
    const fill *const work = user;
    const uint64_t first = (uint64_t)piece * PIECE, left = work->bp->superblocks - first;
    pmi_bp_fill_lines(work->bp, work->kernel, first, left < PIECE ? left : PIECE);
}

void pmi_bp_fill_all_lines(const pm_context *context, struct pm_bp *bp) {
    fill work = {bp, pmi_bp_kernel_of(context)};
    const size_t pieces = (size_t)((bp->superblocks + PIECE - 1) / PIECE);
    const unsigned threads = pieces > 1 ? pmi_team_threads(context ? context->threads : 0) : 1;
    if (threads > 1)
        pmi_team_run(threads < pieces ? threads : (unsigned)pieces, pieces, fill_piece, &work);
    else if (pieces > 0)
        pmi_bp_fill_lines(bp, work.kernel, 0, bp->superblocks);
}
