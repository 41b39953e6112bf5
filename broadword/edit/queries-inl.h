// SPDX-License-Identifier: Apache-2.0
// The queries on a sequence that changes: down the tree to an element, and from there to another.
#if defined(PM_BROADWORD_EDIT_QUERIES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PM_BROADWORD_EDIT_QUERIES_INL_H
#undef PM_BROADWORD_EDIT_QUERIES_INL_H
#else
#define PM_BROADWORD_EDIT_QUERIES_INL_H
#endif

#include "broadword/edit/leaf-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pm::HWY_NAMESPACE {

// The way from the root to an element. Level 0 is that of the nodes whose children are leaves.
struct EditPath {
    pmi_edit_node *node[PM_EDIT_HEIGHT_MAX];
    unsigned child[PM_EDIT_HEIGHT_MAX];
    uint64_t begin[PM_EDIT_HEIGHT_MAX]; // of the node
    pmi_edit_leaf *leaf;
    uint64_t leaf_begin;

    HWY_INLINE unsigned LeafLength() const {
        return static_cast<unsigned>(pmi_edit_child_length(node[0], child[0]));
    }
};

template <class Block> class EditQueries {
  public:
    using Leaf = EditLeaf<Block>;

    // The child that has the element at `at`, relative to the node; the last one for what is behind.
    static HWY_INLINE unsigned ChildAt(const pmi_edit_node *node, uint64_t at) {
        return pmi_bits_highest(Block::AtMost(node->begin, static_cast<int64_t>(at)) | 1);
    }

    static HWY_INLINE void Locate(const pm_edit *edit, uint64_t i, EditPath *path) {
        pmi_edit_node *node = edit->root;
        uint64_t begin = 0;
        for (unsigned level = edit->height; level-- > 0;) {
            const unsigned c = ChildAt(node, i - begin);
            path->node[level] = node;
            path->child[level] = c;
            path->begin[level] = begin;
            begin += static_cast<uint64_t>(node->begin[c]);
            node = static_cast<pmi_edit_node *>(node->child[c]); // of level 0 a leaf
        }
        path->leaf = reinterpret_cast<pmi_edit_leaf *>(node);
        path->leaf_begin = begin;
    }

    static uint64_t Forwards(const pm_edit *edit, uint64_t s, uint64_t fall) {
        if (s >= Length(edit))
            return PM_BP_NONE;
        EditPath path;
        Locate(edit, s, &path);
        return From(edit, path, s, static_cast<int64_t>(fall));
    }

    static uint64_t Backwards(const pm_edit *edit, uint64_t t, uint64_t fall) {
        if (t == 0)
            return PM_BP_NONE;
        EditPath path;
        Locate(edit, t - 1, &path);
        return Before(edit, path, t, static_cast<int64_t>(fall));
    }

    static uint64_t FindClose(const pm_edit *edit, uint64_t i) {
        EditPath path;
        if (i >= Length(edit))
            return PM_BP_NONE;
        Locate(edit, i, &path);
        return IsOpen(path, i) ? From(edit, path, i + 1, 1) : PM_BP_NONE;
    }

    static uint64_t FindOpen(const pm_edit *edit, uint64_t i) {
        EditPath path;
        if (i >= Length(edit))
            return PM_BP_NONE;
        Locate(edit, i, &path);
        return IsOpen(path, i) ? PM_BP_NONE : Before(edit, path, i, 1);
    }

    static uint64_t Enclose(const pm_edit *edit, uint64_t i) {
        EditPath path;
        if (i >= Length(edit))
            return PM_BP_NONE;
        Locate(edit, i, &path);
        return Before(edit, path, i, 1);
    }

    // P(k).
    static int64_t Excess(const pm_edit *edit, uint64_t k) {
        if (k >= Length(edit))
            return edit->root->excess;
        EditPath path;
        Locate(edit, k, &path);
        int64_t excess = Leaf::Excess(pmi_edit_read_words(path.leaf), static_cast<unsigned>(k - path.leaf_begin));
        for (unsigned level = 0; level < edit->height; level++)
            excess += path.node[level]->before[path.child[level]];
        return excess;
    }

    static uint64_t RankOpen(const pm_edit *edit, uint64_t i) {
        const uint64_t k = HWY_MIN(i, Length(edit));
        return static_cast<uint64_t>(static_cast<int64_t>(k) + Excess(edit, k)) / 2;
    }

    // The last child that begins with at most k opens (or closes) before it has number k.
    template <bool kOpen> static uint64_t Select(const pm_edit *edit, uint64_t k) {
        const pmi_edit_node *node = edit->root;
        if (k >= Twice<kOpen>(node->length, node->excess) / 2)
            return PM_BP_NONE;
        uint64_t begin = 0, twice = 2 * k;
        for (unsigned level = edit->height; level-- > 0;) {
            unsigned c = 0;
            for (unsigned i = 1; i < PM_BP_FAN_OUT; i++)
                c += i < node->count && Twice<kOpen>(node->begin[i], node->before[i]) <= twice;
            begin += static_cast<uint64_t>(node->begin[c]);
            twice -= Twice<kOpen>(node->begin[c], node->before[c]);
            node = static_cast<const pmi_edit_node *>(node->child[c]);
        }
        const uint64_t *const words = pmi_edit_read_words(node);
        return begin + Leaf::template Select<kOpen>(words, static_cast<unsigned>(twice / 2));
    }

    static int64_t Min(const pm_edit *edit, uint64_t first, uint64_t last) {
        return first == last ? Excess(edit, first) : MinIn(edit->root, edit->height, first, last);
    }

    static uint64_t Count(const pm_edit *edit, uint64_t first, uint64_t last, int64_t excess, uint64_t most,
                          uint64_t *kth) {
        return CountIn(edit->root, edit->height, {0, first, last, excess, most}, kth);
    }

  private:
    static HWY_INLINE uint64_t Length(const pm_edit *edit) {
        return static_cast<uint64_t>(edit->root->length);
    }
    static HWY_INLINE bool IsOpen(const EditPath &path, uint64_t i) {
        return pmi_bits_get(pmi_edit_read_words(path.leaf), i - path.leaf_begin);
    }
    template <bool kOpen> static HWY_INLINE uint64_t Twice(int64_t length, int64_t excess) {
        return static_cast<uint64_t>(kOpen ? length + excess : length - excess);
    }
    static HWY_INLINE uint32_t Reached(const pmi_edit_node *node, int64_t excess) {
        return Block::AtMost(node->min, excess);
    }

    // The first element j >= s with P(j + 1) = P(s) - fall; s is in the path's leaf, or ends it.
    static HWY_INLINE uint64_t From(const pm_edit *edit, const EditPath &path, uint64_t s, int64_t fall) {
        const unsigned from = static_cast<unsigned>(s - path.leaf_begin);
        const auto found = Leaf::First(pmi_edit_read_words(path.leaf), path.LeafLength(), from, fall);
        if (HWY_LIKELY(found.at < PM_EDIT_LEAF))
            return path.leaf_begin + found.at;
        const pmi_edit_node *node = path.node[0];
        const unsigned c = path.child[0];
        int64_t wanted = node->before[c] + pmi_edit_child_excess(node, c) - found.rise - fall;
        for (unsigned level = 0;;) {
            const uint32_t hits = Reached(node, wanted) & (UINT32_C(0xfffffffe) << path.child[level]);
            if (hits != 0)
                return FirstOf(node, level, path.begin[level], pmi_bits_lowest(hits), wanted);
            if (++level == edit->height)
                return PM_BP_NONE;
            node = path.node[level];
            wanted += node->before[path.child[level]];
        }
    }

    // The last element j < t with P(j) = P(t) - fall; t - 1 is in the path's leaf, or t begins it.
    static HWY_INLINE uint64_t Before(const pm_edit *edit, const EditPath &path, uint64_t t, int64_t fall) {
        const auto found = Leaf::Last(pmi_edit_read_words(path.leaf), static_cast<unsigned>(t - path.leaf_begin), fall);
        if (HWY_LIKELY(found.at < PM_EDIT_LEAF))
            return path.leaf_begin + found.at;
        const pmi_edit_node *node = path.node[0];
        int64_t wanted = node->before[path.child[0]] + found.rise - fall;
        for (unsigned level = 0;;) {
            const uint32_t hits = Reached(node, wanted) & ((UINT32_C(1) << path.child[level]) - 1);
            if (hits != 0)
                return LastOf(node, level, path.begin[level], pmi_bits_highest(hits), wanted);
            if (++level == edit->height)
                return PM_BP_NONE;
            node = path.node[level];
            wanted += node->before[path.child[level]];
        }
    }

    // The first, or last, element of child c of a node that comes down to an excess relative to the node.
    static HWY_INLINE uint64_t FirstOf(const pmi_edit_node *node, unsigned level, uint64_t begin, unsigned c,
                                       int64_t wanted) {
        for (;; level--) {
            begin += static_cast<uint64_t>(node->begin[c]);
            wanted -= node->before[c];
            if (level == 0)
                break;
            node = static_cast<const pmi_edit_node *>(node->child[c]);
            c = pmi_bits_lowest(Reached(node, wanted) | UINT32_C(0x80000000));
        }
        const unsigned length = static_cast<unsigned>(pmi_edit_child_length(node, c));
        return begin + Leaf::First(pmi_edit_read_words(node->child[c]), length, 0, -wanted).at;
    }
    static HWY_INLINE uint64_t LastOf(const pmi_edit_node *node, unsigned level, uint64_t begin, unsigned c,
                                      int64_t wanted) {
        for (;; level--) {
            begin += static_cast<uint64_t>(node->begin[c]);
            wanted -= node->before[c];
            if (level == 0)
                break;
            node = static_cast<const pmi_edit_node *>(node->child[c]);
            c = pmi_bits_highest(Reached(node, wanted) | 1);
        }
        const unsigned length = static_cast<unsigned>(pmi_edit_child_length(node, c));
        const int64_t fall = pmi_edit_child_excess(node, c) - wanted;
        return begin + Leaf::Last(pmi_edit_read_words(node->child[c]), length, fall).at;
    }

    // The minimum of the excesses before elements `from` < ... < `to`, relative to a node as these are.
    static int64_t MinIn(const pmi_edit_node *node, unsigned height, uint64_t from, uint64_t to) {
        if (height == 0)
            return Leaf::Min(pmi_edit_read_words(node), static_cast<unsigned>(from), static_cast<unsigned>(to));
        const unsigned first = ChildAt(node, from), last = ChildAt(node, to - 1);
        int64_t min = PM_EDIT_FAR;
        for (unsigned c = first; c <= last; c++) {
            const uint64_t begin = static_cast<uint64_t>(node->begin[c]);
            const uint64_t end = begin + static_cast<uint64_t>(pmi_edit_child_length(node, c));
            if (from <= begin && end <= to) {
                min = HWY_MIN(min, node->min[c]);
                continue;
            }
            const uint64_t a = HWY_MAX(from, begin) - begin, b = HWY_MIN(to, end) - begin;
            const int64_t of_child = MinIn(static_cast<const pmi_edit_node *>(node->child[c]), height - 1, a, b);
            min = HWY_MIN(min, node->before[c] + of_child);
        }
        return min;
    }

    struct Counting {
        uint64_t begin, first, last; // of the node; elements, relative to it
        int64_t wanted;
        uint64_t most;
    };

    // How many of elements first ... last have the wanted excess, which is the minimum there, before them.
    static uint64_t CountIn(const pmi_edit_node *node, unsigned height, Counting in, uint64_t *kth) {
        if (height == 0) {
            unsigned at = 0;
            const uint64_t found = Leaf::Count(pmi_edit_read_words(node), static_cast<unsigned>(in.first),
                                               static_cast<unsigned>(in.last), in.wanted, in.most, &at);
            if (found == in.most)
                *kth = in.begin + at;
            return found;
        }
        uint64_t count = 0;
        const unsigned last = ChildAt(node, in.last);
        for (unsigned c = ChildAt(node, in.first); c <= last && count < in.most; c++) {
            if (node->min[c] > in.wanted)
                continue;
            const uint64_t begin = static_cast<uint64_t>(node->begin[c]);
            const uint64_t end = begin + static_cast<uint64_t>(pmi_edit_child_length(node, c)) - 1;
            const Counting inside = {in.begin + begin, HWY_MAX(in.first, begin) - begin, HWY_MIN(in.last, end) - begin,
                                     in.wanted - node->before[c], in.most - count};
            count += CountIn(static_cast<const pmi_edit_node *>(node->child[c]), height - 1, inside, kth);
        }
        return count;
    }
};

} // namespace pm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
