# SPDX-License-Identifier: Apache-2.0
# A sequence with an index, and a sequence that changes.


cdef class BP(Tree):
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

    With ``offsets``, as ``match_batch`` takes them, it is an index of many sequences: elements keep their positions,
    and no answer leaves the sequence of its argument. Ranks, selects and preorder numbers go through all sequences;
    unmatched elements cannot be selected. Such an index cannot be saved.

    >>> many = BP("()(())", offsets=np.array([0, 2, 6]))
    >>> many.parent(3), many.parent(2), many.excess(2), many.sequence_of(3)
    (2, None, 1, 1)
    """
    cdef Parens parens
    cdef np.ndarray offsets

    def __init__(self, parens, *, n=None, offsets=None):
        if offsets is None:
            self.make(parens, n, None)
        else:
            self.make_batch(parens, n, offsets)

    cdef int make_batch(self, object parens, object n, object offsets) except -1:
        self.check_new()
        cdef Parens p = sequence(parens, n)
        cdef np.ndarray given = np.array(ascending(offsets, "offsets", p.n)) # a copy, which nobody changes
        cdef const uint64_t *ends = <const uint64_t *>np.PyArray_DATA(given)
        cdef size_t entries = np.PyArray_DIM(given, 0)
        cdef pm_bp *bp = NULL
        cdef pm_status status
        with nogil:
            status = pm_bp_create_batch(NULL, NULL, p.words, ends if entries else NULL, entries - 1 if entries else 0,
                                        &bp)
        succeed(status, "BP")
        self.handle, self.table = bp, &bp_queries
        self.parens, self.offsets = p, given
        self.made = True
        return 0

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
        self.handle, self.table = bp, &bp_queries
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
        pm_bp_destroy(<pm_bp *>self.handle)

    cdef void destroy(self) noexcept:
        pm_bp_destroy(<pm_bp *>self.handle)
        self.handle = NULL
        self.parens = self.offsets = None

    def __len__(self):
        self.check_open()
        return pm_bp_length(<const pm_bp *>self.handle)

    def sequence_of(self, i):
        """Returns the number of the sequence that element i belongs to, 0 without ``offsets``."""
        return self.ask(<tree_query>pm_bp_sequence_of, i)

    @property
    def nbytes(self):
        """The bytes of the index, without the sequence."""
        self.check_open()
        return pm_bp_size_in_bytes(<const pm_bp *>self.handle)

    def save(self, path):
        """Writes the index to a file, for ``load``."""
        cdef bytes name = os.fsencode(path)
        cdef const char *name_data = PyBytes_AS_STRING(name)
        cdef pm_status status
        self.use()
        with nogil:
            status = pm_bp_save(<const pm_bp *>self.handle, name_data)
        self.done()
        succeed(status, f"BP.save: {os.fsdecode(name)}")


cdef class Edit(Tree):
    """A sequence that changes, with the queries of a BP; it has a copy of the sequence.

    An edit takes less than a microsecond anywhere, a query two to five times as long as in a BP. Queries may run on
    several threads at once, but not while another thread edits.

    >>> edit = Edit("(())")
    >>> edit.replace(1, 2, "()()")
    >>> edit.find_close(0), edit.degree(0), len(edit)
    (5, 2, 6)
    """
    def __init__(self, parens, *, n=None):
        self.check_new()
        cdef Parens p = sequence(parens, n)
        cdef pm_edit *edit = NULL
        cdef pm_status status
        with nogil:
            status = pm_edit_create(NULL, p.words, p.n, &edit)
        succeed(status, "Edit")
        self.take(edit)

    cdef void take(self, pm_edit *edit) noexcept:
        self.handle, self.table, self.made = edit, &edit_queries, True

    def __dealloc__(self):
        pm_edit_destroy(<pm_edit *>self.handle)

    cdef void destroy(self) noexcept:
        pm_edit_destroy(<pm_edit *>self.handle)
        self.handle = NULL

    def __len__(self):
        self.check_open()
        return pm_edit_length(<const pm_edit *>self.handle)

    @property
    def nbytes(self):
        """The bytes of the sequence, with what snapshots share."""
        self.check_open()
        return pm_edit_size_in_bytes(<const pm_edit *>self.handle)

    def replace(self, at, removed, parens="", *, n=None):
        """Replaces ``removed`` elements from ``at`` on by others. After a failure the sequence is as before."""
        cdef Parens p = sequence(parens, n)
        cdef uint64_t begin = index_of(at), count = index_of(removed)
        cdef pm_status status
        self.check_open()
        if begin > <uint64_t>len(self) or count > <uint64_t>len(self) - begin:
            raise ValueError(f"at, removed: {begin}, {count}; the sequence has {len(self)} elements")
        self.use(True)
        with nogil:
            status = pm_edit_replace(<pm_edit *>self.handle, begin, count, p.words, p.n)
        self.done()
        succeed(status, "Edit.replace")

    def read(self, at=0, n=None):
        """Returns n elements from ``at`` on, by default all, as packed bits.

        >>> bool((Edit("(())").read(1, 2) == pack("()")).all())
        True
        """
        self.check_open()
        cdef uint64_t begin = index_of(at)
        if begin > <uint64_t>len(self):
            raise ValueError(f"at: {begin}; the sequence has {len(self)} elements")
        cdef size_t count = taken(n, len(self) - begin)
        cdef np.ndarray result = vector(None, np.NPY_UINT64, (count + 63) // 64)
        cdef uint64_t *out = <uint64_t *>np.PyArray_DATA(result)
        cdef pm_status status
        self.use()
        with nogil:
            status = pm_edit_read(<const pm_edit *>self.handle, begin, count, out)
        self.done()
        succeed(status, "Edit.read")
        if count % 64:
            out[count // 64] &= (<uint64_t>1 << count % 64) - 1
        return result

    def snapshot(self):
        """Returns a second Edit with the same elements, in constant time; each can be edited without the other."""
        self.check_open()
        cdef Edit other = Edit.__new__(Edit)
        cdef pm_edit *copy = NULL
        succeed(pm_edit_snapshot(<const pm_edit *>self.handle, &copy), "Edit.snapshot")
        other.take(copy)
        return other
