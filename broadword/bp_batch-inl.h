// SPDX-License-Identifier: Apache-2.0
// Many queries at a time: each step is done for all of them, after what it reads has been asked for, so that they wait
// for memory together.
#if defined(PM_BROADWORD_BP_BATCH_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PM_BROADWORD_BP_BATCH_INL_H
#undef PM_BROADWORD_BP_BATCH_INL_H
#else
#define PM_BROADWORD_BP_BATCH_INL_H
#endif

#include "broadword/bp_queries-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pm {
namespace HWY_NAMESPACE {

template <class Block, class L> class BpBatch : private BpIndex<L> {
    using Queries = BpQueries<Block, L>;

  public:
    static void FindCloseMany(const pm_bp *bp, const uint64_t *i, size_t count, uint64_t *answers) {
        for (size_t q = 0; q < count; q++)
            answers[q] = Queries::FindClose(bp, i[q]);
    }
    static void FindOpenMany(const pm_bp *bp, const uint64_t *i, size_t count, uint64_t *answers) {
        for (size_t q = 0; q < count; q++)
            answers[q] = Queries::FindOpen(bp, i[q]);
    }
    static void EncloseMany(const pm_bp *bp, const uint64_t *i, size_t count, uint64_t *answers) {
        for (size_t q = 0; q < count; q++)
            answers[q] = Queries::Enclose(bp, i[q]);
    }
};

} // namespace HWY_NAMESPACE
} // namespace pm
HWY_AFTER_NAMESPACE();

#endif
