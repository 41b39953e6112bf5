# SPDX-License-Identifier: Apache-2.0
# Queries on a long sequence.


cdef uint64_t excess_bits(const pm_bp *bp, uint64_t i) noexcept nogil:
    return <uint64_t>pm_bp_excess(bp, i)


cdef uint64_t is_leaf_bits(const pm_bp *bp, uint64_t i) noexcept nogil:
    return pm_bp_is_leaf(bp, i)


cdef uint64_t is_ancestor_bits(const pm_bp *bp, uint64_t a, uint64_t b) noexcept nogil:
    return pm_bp_is_ancestor(bp, a, b)


cdef uint64_t index_of(object i) except? 0xFFFFFFFF:
    i = PyNumber_Index(i)
    if not 0 <= i < 2**64 - 1:
        raise ValueError(f"index: {i}; expected 0 to 2**64 - 2")
    return i


cdef class BP(Closable):
    """An index for queries on a sequence, each in nanoseconds, in 0.075 bits an element.

    Packed words are borrowed and kept alive: do not change them. Every open is a node, named by its position. A query
    takes an int and returns an int, or None if there is nothing to find; or it takes an array of int64 or uint64 and
    returns an array of int64 of the same shape, with ``BP_NONE``, -1. Any number of threads may ask at once.

    >>> tree = BP("(()(()))")
    >>> tree.find_close(0), tree.parent(4), tree.parent(0)
    (7, 3, None)
    >>> import numpy as np
    >>> tree.find_close(np.array([3, 4])).tolist()
    [6, 5]
    """
    cdef pm_bp *bp
    cdef Parens parens

    def __init__(self, parens, *, n=None):
        self.make(parens, n, None)

    cdef int make(self, object parens, object n, bytes path) except -1:
        self.check_new()
        cdef Parens p = sequence(parens, n)
        cdef const char *name = NULL if path is None else PyBytes_AS_STRING(path)
        cdef pm_bp *bp = NULL
        cdef pm_status status
        with nogil:
            if name == NULL:
                status = pm_bp_create(NULL, p.words, p.n, &bp)
            else:
                status = pm_bp_load(NULL, name, p.words, p.n, &bp)
        succeed(status, "BP" if path is None else f"BP.load: {os.fsdecode(path)}")
        self.bp = bp
        self.parens = p
        self.made = True
        return 0

    @staticmethod
    def load(path, parens, *, n=None):
        """Reads an index that ``save`` wrote. The sequence must be the one that was indexed; it is checked."""
        cdef BP bp = BP.__new__(BP)
        bp.make(parens, n, os.fsencode(path))
        return bp

    def __dealloc__(self):
        pm_bp_destroy(self.bp)

    cdef void destroy(self) noexcept:
        pm_bp_destroy(self.bp)
        self.bp = NULL
        self.parens = None

    def __len__(self):
        self.check_open()
        return self.parens.n

    @property
    def nbytes(self):
        """The bytes of the index, without the sequence."""
        self.check_open()
        return pm_bp_size_in_bytes(self.bp)

    def save(self, path):
        """Writes the index to a file, for ``load``."""
        cdef bytes name = os.fsencode(path)
        cdef const char *name_data = PyBytes_AS_STRING(name)
        cdef pm_status status
        self.use()
        with nogil:
            status = pm_bp_save(self.bp, name_data)
        self.users -= 1
        succeed(status, f"BP.save: {os.fsdecode(name)}")

    cdef object ask(self, bp_query query, object i, bp_query_many many=NULL):
        cdef uint64_t answer
        self.check_open()
        if isinstance(i, np.ndarray):
            return self.ask_all(query, many, i)
        answer = query(self.bp, index_of(i))
        return None if answer == NOTHING else answer

    cdef np.ndarray ask_all(self, bp_query query, bp_query_many many, np.ndarray i):
        cdef np.ndarray given = indices(i, "indices", np.PyArray_NDIM(i))
        cdef np.ndarray result = np.PyArray_SimpleNew(np.PyArray_NDIM(i), np.PyArray_DIMS(i), np.NPY_INT64)
        cdef const uint64_t *source = <const uint64_t *>np.PyArray_DATA(given)
        cdef uint64_t *out = <uint64_t *>np.PyArray_DATA(result)
        cdef size_t k, count = np.PyArray_SIZE(given)
        self.use()
        with nogil:
            if many != NULL:
                many(self.bp, source, count, out)
            else:
                for k in range(count):
                    out[k] = query(self.bp, source[k])
        self.users -= 1
        return result

    cdef object ask_two(self, bp_query2 query, object a, object b):
        """Of two arrays of one shape, or of one array and one int."""
        self.check_open()
        if not isinstance(a, np.ndarray) and not isinstance(b, np.ndarray):
            answer = query(self.bp, index_of(a), index_of(b))
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
                out[k] = query(self.bp, left[k * left_step], right[k * right_step])
        self.users -= 1
        return result

    def rank_open(self, i):
        """Returns the number of opens before i."""
        return self.ask(pm_bp_rank_open, i)

    def rank_close(self, i):
        """Returns the number of closes before i."""
        return self.ask(pm_bp_rank_close, i)

    def select_open(self, k):
        """Returns the position of open k, counted from 0: node k in preorder."""
        return self.ask(pm_bp_select_open, k)

    def select_close(self, k):
        """Returns the position of close k, counted from 0."""
        return self.ask(pm_bp_select_close, k)

    def select_unmatched_open(self, k):
        """Returns unmatched open k, counted from 0 at the end."""
        return self.ask(pm_bp_select_unmatched_open, k)

    def select_unmatched_close(self, k):
        """Returns unmatched close k, counted from 0 at the beginning."""
        return self.ask(pm_bp_select_unmatched_close, k)

    def excess(self, i):
        """Returns opens minus closes among the elements up to i, with i."""
        self.check_open()
        if isinstance(i, np.ndarray):
            return self.ask_all(excess_bits, NULL, i)
        return pm_bp_excess(self.bp, index_of(i))

    def find_close(self, i):
        """Returns the close that matches the open at i."""
        return self.ask(pm_bp_find_close, i, pm_bp_find_close_many)

    def find_open(self, i):
        """Returns the open that matches the close at i."""
        return self.ask(pm_bp_find_open, i, pm_bp_find_open_many)

    def enclose(self, i):
        """Returns the match of i: of a close its open, of an open its parent."""
        return self.ask(pm_bp_enclose, i, pm_bp_enclose_many)

    def parent(self, node):
        """Returns the parent of a node."""
        return self.ask(pm_bp_parent, node)

    def depth(self, node):
        """Returns the number of ancestors of a node."""
        return self.ask(pm_bp_depth, node)

    def is_leaf(self, node):
        """Returns whether a node has no children; an array's answers are bool."""
        answer = self.ask(is_leaf_bits, node)
        return answer.astype(bool) if isinstance(node, np.ndarray) else bool(answer)

    def first_child(self, node):
        """Returns the first child of a node."""
        return self.ask(pm_bp_first_child, node)

    def last_child(self, node):
        """Returns the last child of a node."""
        return self.ask(pm_bp_last_child, node)

    def next_sibling(self, node):
        """Returns the next sibling of a node."""
        return self.ask(pm_bp_next_sibling, node)

    def prev_sibling(self, node):
        """Returns the previous sibling of a node."""
        return self.ask(pm_bp_prev_sibling, node)

    def subtree_size(self, node):
        """Returns the number of nodes in a node's subtree, with the node itself; 0 if no node is there."""
        return self.ask(pm_bp_subtree_size, node)

    def degree(self, node):
        """Returns the number of children of a node; 0 if no node is there."""
        return self.ask(pm_bp_degree, node)

    def preorder_rank(self, node):
        """Returns the number of nodes before a node in preorder."""
        return self.ask(pm_bp_preorder_rank, node)

    def child(self, node, k):
        """Returns child k of a node, counted from 0. Two arrays of one shape, or an array and an int."""
        return self.ask_two(pm_bp_child, node, k)

    def level_ancestor(self, node, distance):
        """Returns the ancestor that is ``distance`` steps above a node. Arguments as ``child``."""
        return self.ask_two(pm_bp_level_ancestor, node, distance)

    def lca(self, a, b):
        """Returns the lowest common ancestor of two nodes. Arguments as ``child``."""
        return self.ask_two(pm_bp_lca, a, b)

    def is_ancestor(self, ancestor, node):
        """Returns whether a node is an ancestor of another, or the same. Arguments as ``child``."""
        answer = self.ask_two(is_ancestor_bits, ancestor, node)
        return answer.astype(bool) if isinstance(answer, np.ndarray) else bool(answer)
