// SPDX-License-Identifier: Apache-2.0
// Edits inside a leaf, and the table of functions that C calls.
#if defined(PM_BROADWORD_EDIT_KERNEL_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PM_BROADWORD_EDIT_KERNEL_INL_H
#undef PM_BROADWORD_EDIT_KERNEL_INL_H
#else
#define PM_BROADWORD_EDIT_KERNEL_INL_H
#endif

#include "broadword/edit/queries-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pm::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <class Block> class EditInLeaf {
    using Leaf = EditLeaf<Block>;
    using Numbers = hn::CappedTag<int64_t, PM_BP_FAN_OUT>; // of a node

  public:
    static bool Replace(pm_edit *edit, uint64_t at, uint64_t removed, const pmi_edit_source *source, uint64_t inserted,
                        uint64_t *first, uint64_t *last) {
        EditPath path;
        EditQueries<Block>::Locate(edit, at, &path);
        FetchSoon(path);
        const unsigned length = path.LeafLength(), in_leaf = static_cast<unsigned>(at - path.leaf_begin);
        *first = *last = at;
        if (removed > length - in_leaf || inserted > PM_EDIT_LEAF || length - removed + inserted > PM_EDIT_LEAF)
            return false;
        const unsigned after = static_cast<unsigned>(length - removed + inserted);
        if (after < length && !MayShrink(edit, path, after, length, first, last))
            return false;
        if (!IsAlone(edit, path))
            return false;
        uint64_t bits[PM_EDIT_LEAF_WORDS];
        for (unsigned plane = 0; plane < edit->planes; plane++) {
            if (plane > 0)
                pmi_edit_source_copy(source, plane, 0, inserted, bits, 0);
            Leaf::Replace(pmi_edit_words(path.leaf) + plane * PM_EDIT_LEAF_WORDS, in_leaf,
                          static_cast<unsigned>(removed), plane > 0 ? bits : source->parens,
                          static_cast<unsigned>(inserted));
        }
        int min;
        const int excess = Leaf::Summarise(pmi_edit_words(path.leaf), after, &min);
        Update(edit, path, int64_t{after} - length, excess - pmi_edit_child_excess(path.node[0], path.child[0]), min);
        return true;
    }

  private:
    // What the edit reads and writes, the leaf and the numbers of its node, comes from memory at the same time.
    static HWY_INLINE void FetchSoon(const EditPath &path) {
        const char *const leaf = reinterpret_cast<const char *>(path.leaf);
        for (unsigned line = 0; line <= PM_EDIT_LEAF_WORDS * sizeof(uint64_t) / PM_EDIT_LINE; line++)
            __builtin_prefetch(leaf + line * PM_EDIT_LINE, 1);
        const char *const numbers = reinterpret_cast<const char *>(path.node[0]->before);
        for (unsigned line = 0; line < 2 * PM_BP_FAN_OUT * sizeof(int64_t) / PM_EDIT_LINE; line++)
            __builtin_prefetch(numbers + line * PM_EDIT_LINE, 1);
    }

    // A leaf that becomes too short gets a new window; so does one that, with three neighbours, fits into three leaves.
    static HWY_INLINE bool MayShrink(const pm_edit *edit, const EditPath &path, unsigned after, unsigned length,
                                     uint64_t *first, uint64_t *last) {
        const pmi_edit_node *const node = path.node[0];
        if (after >= PM_EDIT_LEAF / 4 * 3 || (edit->height == 1 && node->count == 1))
            return true;
        if (node->count < PM_EDIT_WINDOW)
            return after >= PM_EDIT_LEAF / 2;
        const unsigned begin = HWY_MIN(path.child[0] - HWY_MIN(path.child[0], 1u), node->count - PM_EDIT_WINDOW);
        const unsigned end = begin + PM_EDIT_WINDOW;
        const int64_t to = end < node->count ? node->begin[end] : node->length;
        const int64_t elements = to - node->begin[begin] - (length - after);
        if (elements <= int64_t{(PM_EDIT_WINDOW - 1) * (PM_EDIT_LEAF - PM_EDIT_LEAF_ROOM)}) {
            *first = path.begin[0] + static_cast<uint64_t>(node->begin[begin]);
            *last = path.begin[0] + static_cast<uint64_t>(to) - 1;
            return false;
        }
        return after >= PM_EDIT_LEAF / 2;
    }

    // Does no other tree refer to what the path goes through?
    static HWY_INLINE bool IsAlone(const pm_edit *edit, const EditPath &path) {
        uint32_t more = pmi_edit_references(path.leaf) - 1;
        for (unsigned level = 0; level < edit->height; level++)
            more |= pmi_edit_references(path.node[level]) - 1;
        return more == 0;
    }

    // The leaf's length and excess have grown; `min` is its minimum excess.
    static HWY_INLINE void Update(const pm_edit *edit, const EditPath &path, int64_t length, int64_t excess,
                                  int64_t min) {
        for (unsigned level = 0; level < edit->height; level++)
            min = UpdateNode(path.node[level], path.child[level], length, excess, min);
    }

    // Child c of a node has grown; `min` is its minimum excess. Returns the node's.
    static HWY_INLINE int64_t UpdateNode(pmi_edit_node *node, unsigned c, int64_t length, int64_t excess, int64_t min) {
        node->length += length;
        node->excess += excess;
        // Short vectors lack comparisons of 64 bits, or take longer for them than compilers do without.
        return hn::MaxLanes(Numbers()) < 4 ? UpdateOneByOne(node, c, length, excess, min)
                                           : UpdateByVectors(node, c, length, excess, min);
    }

    // Children that the node lacks change as well; they stay as far as any.
    static HWY_INLINE int64_t UpdateOneByOne(pmi_edit_node *node, unsigned c, int64_t length, int64_t excess,
                                             int64_t min) {
        node->min[c] = node->before[c] + min;
        int64_t lowest = PM_EDIT_FAR;
        for (unsigned i = 0; i < PM_BP_FAN_OUT; i++) {
            const int64_t behind = -static_cast<int64_t>(i > c);
            node->begin[i] += length & behind;
            node->before[i] += excess & behind;
            node->min[i] += excess & behind;
            lowest = HWY_MIN(lowest, node->min[i]);
        }
        return lowest;
    }

    // Only the last step waits for `min`, which comes from the level below.
    static HWY_INLINE int64_t UpdateByVectors(pmi_edit_node *node, unsigned c, int64_t length, int64_t excess,
                                              int64_t min) {
        const Numbers d;
        const auto child = hn::Set(d, static_cast<int64_t>(c)), far = hn::Set(d, PM_EDIT_FAR);
        const auto longer = hn::Set(d, length), higher = hn::Set(d, excess);
        const int64_t of_child = node->before[c] + min;
        const auto min_of_child = hn::Set(d, of_child);
        auto others = far;
        for (unsigned i = 0; i < PM_BP_FAN_OUT; i += static_cast<unsigned>(hn::Lanes(d))) {
            const auto index = hn::Iota(d, static_cast<int64_t>(i));
            const auto behind = hn::Gt(index, child), is_child = hn::Eq(index, child);
            const auto rise = hn::IfThenElseZero(behind, higher);
            hn::StoreU(hn::Add(hn::LoadU(d, node->begin + i), hn::IfThenElseZero(behind, longer)), d, node->begin + i);
            hn::StoreU(hn::Add(hn::LoadU(d, node->before + i), rise), d, node->before + i);
            const auto mins = hn::Add(hn::LoadU(d, node->min + i), rise);
            hn::StoreU(hn::IfThenElse(is_child, min_of_child, mins), d, node->min + i);
            others = hn::Min(others, hn::IfThenElse(is_child, far, mins));
        }
        return HWY_MIN(hn::GetLane(hn::MinOfLanes(d, others)), of_child);
    }
};

template <class Block> constexpr pmi_edit_kernel EditMakeKernel() {
    using Queries = EditQueries<Block>;
    return {{Queries::FindClose, Queries::FindOpen, Queries::Enclose, Queries::RankOpen, Queries::template Select<true>,
             Queries::template Select<false>, Queries::Excess, Queries::Forwards, Queries::Backwards, Queries::Min,
             Queries::Count},
            EditInLeaf<Block>::Replace,
            EditLeaf<Block>::Summarise};
}

} // namespace pm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
