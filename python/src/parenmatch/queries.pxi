# SPDX-License-Identifier: Apache-2.0
# Queries on a long sequence: of BP, which has an index of it, and of Edit, which changes.


# Functions of bp.h and of edit.h, which differ only in the struct that they take a pointer to.
ctypedef uint64_t (*tree_query)(const void *, uint64_t) noexcept nogil
ctypedef uint64_t (*tree_query2)(const void *, uint64_t, uint64_t) noexcept nogil
ctypedef void (*tree_query_many)(const void *, const uint64_t *, size_t, uint64_t *) noexcept nogil

cdef struct Queries:
    tree_query rank_open
    tree_query rank_close
    tree_query select_open
    tree_query select_close
    tree_query select_unmatched_open
    tree_query select_unmatched_close
    tree_query excess
    tree_query find_close
    tree_query find_open
    tree_query enclose
    tree_query parent
    tree_query depth
    tree_query is_leaf
    tree_query first_child
    tree_query last_child
    tree_query next_sibling
    tree_query prev_sibling
    tree_query subtree_size
    tree_query degree
    tree_query preorder_rank
    tree_query2 child
    tree_query2 level_ancestor
    tree_query2 lca
    tree_query2 is_ancestor
    tree_query_many find_close_many, find_open_many, enclose_many


cdef uint64_t pm_bp_excess_bits(const pm_bp *bp, uint64_t i) noexcept nogil:
    return <uint64_t>pm_bp_excess(bp, i)


cdef uint64_t pm_bp_is_leaf_bits(const pm_bp *bp, uint64_t i) noexcept nogil:
    return pm_bp_is_leaf(bp, i)


cdef uint64_t pm_bp_is_ancestor_bits(const pm_bp *bp, uint64_t a, uint64_t b) noexcept nogil:
    return pm_bp_is_ancestor(bp, a, b)


cdef Queries bp_queries
memset(&bp_queries, 0, sizeof(bp_queries))
bp_queries.rank_open = <tree_query>pm_bp_rank_open
bp_queries.rank_close = <tree_query>pm_bp_rank_close
bp_queries.select_open = <tree_query>pm_bp_select_open
bp_queries.select_close = <tree_query>pm_bp_select_close
bp_queries.select_unmatched_open = <tree_query>pm_bp_select_unmatched_open
bp_queries.select_unmatched_close = <tree_query>pm_bp_select_unmatched_close
bp_queries.excess = <tree_query>pm_bp_excess_bits
bp_queries.find_close = <tree_query>pm_bp_find_close
bp_queries.find_open = <tree_query>pm_bp_find_open
bp_queries.enclose = <tree_query>pm_bp_enclose
bp_queries.parent = <tree_query>pm_bp_parent
bp_queries.depth = <tree_query>pm_bp_depth
bp_queries.is_leaf = <tree_query>pm_bp_is_leaf_bits
bp_queries.first_child = <tree_query>pm_bp_first_child
bp_queries.last_child = <tree_query>pm_bp_last_child
bp_queries.next_sibling = <tree_query>pm_bp_next_sibling
bp_queries.prev_sibling = <tree_query>pm_bp_prev_sibling
bp_queries.subtree_size = <tree_query>pm_bp_subtree_size
bp_queries.degree = <tree_query>pm_bp_degree
bp_queries.preorder_rank = <tree_query>pm_bp_preorder_rank
bp_queries.child = <tree_query2>pm_bp_child
bp_queries.level_ancestor = <tree_query2>pm_bp_level_ancestor
bp_queries.lca = <tree_query2>pm_bp_lca
bp_queries.is_ancestor = <tree_query2>pm_bp_is_ancestor_bits
bp_queries.find_close_many = <tree_query_many>pm_bp_find_close_many
bp_queries.find_open_many = <tree_query_many>pm_bp_find_open_many
bp_queries.enclose_many = <tree_query_many>pm_bp_enclose_many


cdef uint64_t pm_edit_excess_bits(const pm_edit *edit, uint64_t i) noexcept nogil:
    return <uint64_t>pm_edit_excess(edit, i)


cdef uint64_t pm_edit_is_leaf_bits(const pm_edit *edit, uint64_t i) noexcept nogil:
    return pm_edit_is_leaf(edit, i)


cdef uint64_t pm_edit_is_ancestor_bits(const pm_edit *edit, uint64_t a, uint64_t b) noexcept nogil:
    return pm_edit_is_ancestor(edit, a, b)


cdef Queries edit_queries
memset(&edit_queries, 0, sizeof(edit_queries))
edit_queries.rank_open = <tree_query>pm_edit_rank_open
edit_queries.rank_close = <tree_query>pm_edit_rank_close
edit_queries.select_open = <tree_query>pm_edit_select_open
edit_queries.select_close = <tree_query>pm_edit_select_close
edit_queries.select_unmatched_open = <tree_query>pm_edit_select_unmatched_open
edit_queries.select_unmatched_close = <tree_query>pm_edit_select_unmatched_close
edit_queries.excess = <tree_query>pm_edit_excess_bits
edit_queries.find_close = <tree_query>pm_edit_find_close
edit_queries.find_open = <tree_query>pm_edit_find_open
edit_queries.enclose = <tree_query>pm_edit_enclose
edit_queries.parent = <tree_query>pm_edit_parent
edit_queries.depth = <tree_query>pm_edit_depth
edit_queries.is_leaf = <tree_query>pm_edit_is_leaf_bits
edit_queries.first_child = <tree_query>pm_edit_first_child
edit_queries.last_child = <tree_query>pm_edit_last_child
edit_queries.next_sibling = <tree_query>pm_edit_next_sibling
edit_queries.prev_sibling = <tree_query>pm_edit_prev_sibling
edit_queries.subtree_size = <tree_query>pm_edit_subtree_size
edit_queries.degree = <tree_query>pm_edit_degree
edit_queries.preorder_rank = <tree_query>pm_edit_preorder_rank
edit_queries.child = <tree_query2>pm_edit_child
edit_queries.level_ancestor = <tree_query2>pm_edit_level_ancestor
edit_queries.lca = <tree_query2>pm_edit_lca
edit_queries.is_ancestor = <tree_query2>pm_edit_is_ancestor_bits


cdef uint64_t index_of(object i) except? 0xFFFFFFFF:
    i = PyNumber_Index(i)
    if not 0 <= i < 2**64 - 1:
        raise ValueError(f"index: {i}; expected 0 to 2**64 - 2")
    return i


cdef class Tree(Closable):
    """What BP and Edit answer."""
    cdef void *handle
    cdef const Queries *table

    def __cinit__(self):
        self.table = &bp_queries  # so that there are queries, which then refuse, also if __init__ does not run

    cdef object ask(self, tree_query query, object i, tree_query_many many=NULL):
        cdef uint64_t answer
        self.check_open()
        if isinstance(i, np.ndarray):
            return self.ask_all(query, many, i)
        answer = query(self.handle, index_of(i))
        return None if answer == NOTHING else answer

    cdef np.ndarray ask_all(self, tree_query query, tree_query_many many, np.ndarray i):
        cdef np.ndarray given = indices(i, "indices", np.PyArray_NDIM(i))
        cdef np.ndarray result = np.PyArray_SimpleNew(np.PyArray_NDIM(i), np.PyArray_DIMS(i), np.NPY_INT64)
        cdef const uint64_t *source = <const uint64_t *>np.PyArray_DATA(given)
        cdef uint64_t *out = <uint64_t *>np.PyArray_DATA(result)
        cdef size_t k, count = np.PyArray_SIZE(given)
        self.use()
        with nogil:
            if many != NULL:
                many(self.handle, source, count, out)
            else:
                for k in range(count):
                    out[k] = query(self.handle, source[k])
        self.done()
        return result

    cdef object ask_two(self, tree_query2 query, object a, object b):
        """Of two arrays of one shape, or of one array and one int."""
        self.check_open()
        if not isinstance(a, np.ndarray) and not isinstance(b, np.ndarray):
            answer = query(self.handle, index_of(a), index_of(b))
            return None if answer == NOTHING else answer
        cdef uint64_t single = 0
        cdef const uint64_t *left = &single
        cdef const uint64_t *right = &single
        cdef np.ndarray first = None, second = None
        if isinstance(a, np.ndarray):
            first = indices(a, "indices", np.PyArray_NDIM(a))
            left = <const uint64_t *>np.PyArray_DATA(first)
        else:
            single = index_of(a)
        if isinstance(b, np.ndarray):
            second = indices(b, "indices", np.PyArray_NDIM(b))
            right = <const uint64_t *>np.PyArray_DATA(second)
        else:
            single = index_of(b)
        if first is not None and second is not None and (<object>first).shape != (<object>second).shape:
            raise ValueError(f"indices: shapes {(<object>first).shape} and {(<object>second).shape}; expected one shape")
        cdef size_t left_step = first is not None, right_step = second is not None
        cdef np.ndarray like = second if first is None else first
        cdef np.ndarray result = np.PyArray_SimpleNew(np.PyArray_NDIM(like), np.PyArray_DIMS(like), np.NPY_INT64)
        cdef uint64_t *out = <uint64_t *>np.PyArray_DATA(result)
        cdef size_t k, count = np.PyArray_SIZE(like)
        self.use()
        with nogil:
            for k in range(count):
                out[k] = query(self.handle, left[k * left_step], right[k * right_step])
        self.done()
        return result

    def rank_open(self, i):
        """Returns the number of opens before i."""
        return self.ask(self.table.rank_open, i)

    def rank_close(self, i):
        """Returns the number of closes before i."""
        return self.ask(self.table.rank_close, i)

    def select_open(self, k):
        """Returns the position of open k, counted from 0: node k in preorder."""
        return self.ask(self.table.select_open, k)

    def select_close(self, k):
        """Returns the position of close k, counted from 0."""
        return self.ask(self.table.select_close, k)

    def select_unmatched_open(self, k):
        """Returns unmatched open k, counted from 0 at the end."""
        return self.ask(self.table.select_unmatched_open, k)

    def select_unmatched_close(self, k):
        """Returns unmatched close k, counted from 0 at the beginning."""
        return self.ask(self.table.select_unmatched_close, k)

    def excess(self, i):
        """Returns opens minus closes among the elements up to i, with i."""
        self.check_open()
        if isinstance(i, np.ndarray):
            return self.ask_all(self.table.excess, NULL, i)
        return <int64_t>self.table.excess(self.handle, index_of(i))

    def find_close(self, i):
        """Returns the close that matches the open at i."""
        return self.ask(self.table.find_close, i, self.table.find_close_many)

    def find_open(self, i):
        """Returns the open that matches the close at i."""
        return self.ask(self.table.find_open, i, self.table.find_open_many)

    def enclose(self, i):
        """Returns the match of i: of a close its open, of an open its parent."""
        return self.ask(self.table.enclose, i, self.table.enclose_many)

    def parent(self, node):
        """Returns the parent of a node."""
        return self.ask(self.table.parent, node)

    def depth(self, node):
        """Returns the number of ancestors of a node."""
        return self.ask(self.table.depth, node)

    def is_leaf(self, node):
        """Returns whether a node has no children; an array's answers are bool."""
        answer = self.ask(self.table.is_leaf, node)
        return answer.astype(bool) if isinstance(node, np.ndarray) else bool(answer)

    def first_child(self, node):
        """Returns the first child of a node."""
        return self.ask(self.table.first_child, node)

    def last_child(self, node):
        """Returns the last child of a node."""
        return self.ask(self.table.last_child, node)

    def next_sibling(self, node):
        """Returns the next sibling of a node."""
        return self.ask(self.table.next_sibling, node)

    def prev_sibling(self, node):
        """Returns the previous sibling of a node."""
        return self.ask(self.table.prev_sibling, node)

    def subtree_size(self, node):
        """Returns the number of nodes in a node's subtree, with the node itself; 0 if no node is there."""
        return self.ask(self.table.subtree_size, node)

    def degree(self, node):
        """Returns the number of children of a node; 0 if no node is there."""
        return self.ask(self.table.degree, node)

    def preorder_rank(self, node):
        """Returns the number of nodes before a node in preorder."""
        return self.ask(self.table.preorder_rank, node)

    def child(self, node, k):
        """Returns child k of a node, counted from 0. Two arrays of one shape, or an array and an int."""
        return self.ask_two(self.table.child, node, k)

    def level_ancestor(self, node, distance):
        """Returns the ancestor that is ``distance`` steps above a node. Arguments as ``child``."""
        return self.ask_two(self.table.level_ancestor, node, distance)

    def lca(self, a, b):
        """Returns the lowest common ancestor of two nodes. Arguments as ``child``."""
        return self.ask_two(self.table.lca, a, b)

    def is_ancestor(self, ancestor, node):
        """Returns whether a node is an ancestor of another, or the same. Arguments as ``child``."""
        answer = self.ask_two(self.table.is_ancestor, ancestor, node)
        return answer.astype(bool) if isinstance(answer, np.ndarray) else bool(answer)
