# SPDX-License-Identifier: Apache-2.0
# Arguments as the C library takes them: arrays, sequences, texts; and objects that can be closed.


cdef np.ndarray array_of(object x, str name, int typenum, int dimensions):
    """Returns x if it is an array whose memory the library can use as it is."""
    expected = np.PyArray_DescrFromType(typenum)
    if not isinstance(x, np.ndarray):
        raise TypeError(f"{name}: {type(x).__name__}; expected a NumPy array of {expected}")
    cdef np.ndarray array = x
    if not np.PyArray_EquivTypenums(np.PyArray_TYPE(array), typenum) or not np.PyArray_ISNOTSWAPPED(array):
        raise TypeError(f"{name}: dtype {array.dtype}; expected {expected}")
    if np.PyArray_NDIM(array) != dimensions:
        raise ValueError(f"{name}: {np.PyArray_NDIM(array)} dimensions; expected {dimensions}")
    if not np.PyArray_IS_C_CONTIGUOUS(array):
        raise ValueError(f"{name}: the array is not contiguous; numpy.ascontiguousarray() makes a copy that is")
    if not np.PyArray_ISALIGNED(array):
        raise ValueError(f"{name}: the array is not aligned; numpy.array() makes a copy that is")
    return array


cdef np.ndarray indices(object i, str name, int dimensions):
    """Indices of 64 bits, signed or not. A negative one is past every end, so it names no element."""
    if isinstance(i, np.ndarray) and (i.dtype.kind not in "iu" or i.dtype.itemsize != 8):
        raise TypeError(f"{name}: dtype {i.dtype}; expected int64 or uint64")
    signed = isinstance(i, np.ndarray) and i.dtype.kind == "i"
    return array_of(i, name, np.NPY_INT64 if signed else np.NPY_UINT64, dimensions)


cdef np.ndarray ascending(object offsets, str name, uint64_t most):
    """Offsets of 64 bits that ascend and are at most `most`."""
    cdef np.ndarray given = indices(offsets, name, 1)
    cdef const uint64_t *ends = <const uint64_t *>np.PyArray_DATA(given)
    cdef size_t k, entries = np.PyArray_DIM(given, 0)
    cdef size_t wrong = entries
    with nogil:
        for k in range(entries):
            if ends[k] > most or (k > 0 and ends[k] < ends[k - 1]):
                wrong = k
                break
    if wrong < entries:
        raise ValueError(f"{name}: entry {wrong} is {given[wrong]}; expected ascending offsets from 0 to {most}")
    return given


cdef np.ndarray result_array(object out, int typenum, int dimensions, np.npy_intp *shape):
    """Returns a new array, or the one of the caller if it has this type and shape and can be written."""
    if out is None:
        return np.PyArray_SimpleNew(dimensions, shape, typenum)
    cdef np.ndarray array = array_of(out, "out", typenum, dimensions)
    for k in range(dimensions):
        if np.PyArray_DIM(array, k) != shape[k]:
            raise ValueError(f"out: length {np.PyArray_DIM(array, k)} in dimension {k}; expected {shape[k]}")
    if not np.PyArray_ISWRITEABLE(array):
        raise ValueError("out: the array is read-only")
    return array


cdef np.ndarray vector(object out, int typenum, size_t n):
    cdef np.npy_intp length = <np.npy_intp>n
    return result_array(out, typenum, 1, &length)


cdef int apart(np.ndarray out, const void *data, size_t size, str name) except -1:
    """Raises if `out` overlaps an input."""
    cdef const char *begin = <const char *>np.PyArray_DATA(out)
    cdef const char *other = <const char *>data
    if size and begin < other + size and other < begin + np.PyArray_NBYTES(out):
        raise ValueError(f"out: it overlaps {name}")
    return 0


cdef int same_length(str name, size_t length, size_t expected) except -1:
    if length != expected:
        raise ValueError(f"{name}: length {length}; expected {expected}")
    return 0


cdef uint64_t load_eight(const uint8_t *source, size_t left, uint64_t padding) noexcept nogil:
    if left >= 8:
        memcpy(&padding, source, 8)
    else:
        memcpy(&padding, source, left)
    return padding


cdef bint pack_bytes(const uint8_t *source, size_t n, bint characters, uint64_t *words) noexcept nogil:
    """Packs n booleans, or n characters; returns false if one of these is not a parenthesis. ')' is '(' + 1."""
    cdef uint64_t flip = 0x2929292929292929ULL if characters else 0
    cdef uint64_t eight, low = 0x7F7F7F7F7F7F7F7FULL, strange = 0
    cdef size_t i
    for i in range(0, n, 8):
        eight = load_eight(source + i, n - i, flip) ^ flip
        strange |= eight
        eight = (((eight & low) + low) | eight) >> 7 & 0x0101010101010101ULL  # 1 for every byte that is not 0
        (<uint8_t *>words)[i // 8] = <uint8_t>(eight * 0x0102040810204080ULL >> 56)
    return not characters or not strange & 0xFEFEFEFEFEFEFEFEULL


@cython.final
@cython.freelist(16)
cdef class Parens:
    """A sequence as the library takes it: packed words, borrowed from `owner` or packed here."""
    cdef const uint64_t *words
    cdef size_t n
    cdef object owner
    cdef uint64_t *packed
    cdef uint64_t few[8]

    def __dealloc__(self):
        if self.packed != &self.few[0]:
            free(self.packed)

    cdef bint pack(self, const uint8_t *source, bint characters) except -1:
        cdef bint good
        cdef size_t size = (self.n + 63) // 64 * 8
        self.packed = &self.few[0] if size <= sizeof(self.few) else <uint64_t *>malloc(size)
        if self.packed == NULL:
            raise MemoryError(f"parens: no memory to pack {self.n} elements")
        self.words = self.packed
        if size:
            self.packed[size // 8 - 1] = 0
        with nogil:
            good = pack_bytes(source, self.n, characters, self.packed)
        return good


cdef size_t taken(object n, size_t length) except? 0xFFFFFFFF:
    """Returns how many elements to take of so long a sequence."""
    if n is None:
        return length
    n = PyNumber_Index(n)
    if not 0 <= n <= length:
        raise ValueError(f"n: {n}; expected 0 to {length}, the elements of parens")
    return n


cdef Parens sequence(object parens, object n):
    """Takes str, bytes and the like, an array of bool, or packed bits in an array of uint64."""
    cdef Parens p = Parens.__new__(Parens)
    cdef np.ndarray array
    if isinstance(parens, np.ndarray):
        if np.PyArray_TYPE(parens) == np.NPY_BOOL:
            array = array_of(parens, "parens", np.NPY_BOOL, 1)
            p.n = taken(n, np.PyArray_DIM(array, 0))
            p.pack(<const uint8_t *>np.PyArray_DATA(array), False)
        elif np.PyArray_EquivTypenums(np.PyArray_TYPE(parens), np.NPY_UINT64):
            array = array_of(parens, "parens", np.NPY_UINT64, 1)
            p.n = taken(n, 64 * <size_t>np.PyArray_DIM(array, 0))
            p.words = <const uint64_t *>np.PyArray_DATA(array)
            p.owner = array
        else:
            raise TypeError(f"parens: dtype {parens.dtype}; expected bool, or uint64 with packed bits")
    elif isinstance(parens, str):
        pack_text(p, parens, n)
    elif isinstance(parens, (bytes, bytearray, memoryview)):
        pack_buffer(p, parens, n)
    else:
        raise TypeError(f"parens: {type(parens).__name__}; expected str, bytes, or a NumPy array of bool or of "
                        "uint64 with packed bits")
    return p


cdef int pack_text(Parens p, str parens, object n) except -1:
    p.n = taken(n, len(parens))
    if PyUnicode_KIND(parens) != PyUnicode_1BYTE_KIND or not p.pack(<const uint8_t *>PyUnicode_1BYTE_DATA(parens), True):
        refuse_character(parens[:p.n])
        p.pack(<const uint8_t *>PyUnicode_1BYTE_DATA(parens[:p.n]), True)  # what is strange comes later
    return 0


cdef int pack_buffer(Parens p, object parens, object n) except -1:
    cdef Text text = text_of(parens, "parens")
    p.n = taken(n, text.n)
    if not p.pack(<const uint8_t *>text.data, True):
        refuse_character(bytes(parens)[:p.n].decode("latin-1"))
    return 0


cdef int refuse_character(str parens) except -1:
    for i, character in enumerate(parens):
        if character not in "()":
            raise ValueError(f"parens: character {character!r} at {i}; expected '(' or ')'")
    return 0


cdef Parens short_sequence(object parens, object n):
    """A sequence whose elements have indices of 32 bits."""
    cdef Parens p = sequence(parens, n)
    if p.n > 0xFFFFFFFF:
        raise Error(PM_TOO_LARGE, f"parens: {p.n} elements; at most 2**32 - 1 (PM_TOO_LARGE). A Stream takes more")
    return p


@cython.final
cdef class Text:
    """Bytes of a text; a str has those of its UTF-8."""
    cdef const char *data
    cdef size_t n
    cdef object owner
    cdef Py_buffer view
    cdef bint viewed

    def __dealloc__(self):
        if self.viewed:
            PyBuffer_Release(&self.view)


cdef Text text_of(object text, str name):
    cdef Text t = Text.__new__(Text)
    cdef Py_ssize_t size
    if isinstance(text, str):
        t.owner = text
        t.data = PyUnicode_AsUTF8AndSize(text, &size)
        t.n = size
        return t
    try:
        PyObject_GetBuffer(text, &t.view, PyBUF_SIMPLE)
    except TypeError:
        raise TypeError(f"{name}: {type(text).__name__}; expected str, bytes or another contiguous buffer") from None
    except (BufferError, ValueError) as error:
        raise ValueError(f"{name}: not a contiguous buffer of bytes: {error}") from None
    t.viewed = True
    t.data = <const char *>t.view.buf
    t.n = t.view.len
    return t


cdef class Closable:
    """An object with memory of the library. Several threads may use it at once; or one, if `alone` is asked for."""
    cdef int users
    cdef bint made, closed, alone

    cdef int check_new(self) except -1:
        if self.made or self.closed:
            raise ValueError(f"{type(self).__name__}: made twice")
        return 0

    cdef int check_open(self) except -1:
        if not self.made:
            raise ValueError(f"{type(self).__name__}: {'used after close()' if self.closed else 'not made'}")
        if self.alone:
            raise RuntimeError(f"{type(self).__name__}: in use by another thread")
        return 0

    cdef int use(self, bint alone=False) except -1:
        """Begins a use, with the GIL, before it is released; done() ends it, with the GIL, too."""
        self.check_open()
        if alone and self.users:
            raise RuntimeError(f"{type(self).__name__}: in use by another thread")
        self.users += 1
        self.alone = alone
        return 0

    cdef void done(self) noexcept:
        self.users -= 1
        self.alone = False

    cdef void destroy(self) noexcept:
        pass

    def close(self):
        """Frees the memory. Another call does nothing; any other use raises ValueError."""
        if self.users:
            raise RuntimeError(f"{type(self).__name__}: in use by another thread")
        self.made, self.closed = False, True
        self.destroy()

    def __enter__(self):
        self.check_open()
        return self

    def __exit__(self, *exception):
        self.close()
