# SPDX-License-Identifier: Apache-2.0
# Matching: whole sequences, sequences with leaves, and streams.


def pack(parens):
    """Packs a sequence into 64-bit words, lowest bit first: an open is 1.

    Keep the words to use a long sequence several times; give their length as ``n``.

    >>> hex(pack("(()())")[0])
    '0xb'
    """
    cdef Parens p = sequence(parens, None)
    cdef size_t words = (p.n + 63) // 64
    cdef np.ndarray result = vector(None, np.NPY_UINT64, words)
    if words:
        memcpy(np.PyArray_DATA(result), p.words, 8 * words)
    return result


cdef np.ndarray match_of(Parens p, object out):
    cdef np.ndarray result = vector(out, np.NPY_UINT32, p.n)
    cdef uint32_t *match = <uint32_t *>np.PyArray_DATA(result)
    cdef pm_status status
    if out is not None:
        apart(result, p.words, (p.n + 63) // 64 * 8, "parens")
    with nogil:
        status = pm_match_auto(NULL, p.words, p.n, match, NULL)
    succeed(status, "match")
    return result


def match(parens, *, n=None, out=None):
    """Returns the index on top of the stack before each element: of a close its open, of an open its parent.

    ``NONE`` where the stack is empty. ``out`` receives the result, so that repeated calls allocate nothing.

    >>> match("(()())").tolist() == [NONE, 0, 1, 0, 3, 0]
    True
    """
    return match_of(short_sequence(parens, n), out)


def match_masks(opens, closes, *, n=None, out=None):
    """Matches a sequence with leaves. ``opens`` and ``closes`` are arrays as ``match`` takes them, one of each element.

    The match of a leaf is the open that encloses it.

    >>> import numpy as np
    >>> text = np.frombuffer(b"(a)", np.uint8)
    >>> match_masks(text == ord("("), text == ord(")")).tolist() == [NONE, 0, 0]
    True
    """
    cdef Parens p = short_sequence(opens, n)
    cdef Parens q = short_sequence(closes, n)
    same_length("closes", q.n, p.n)
    cdef np.ndarray result = vector(out, np.NPY_UINT32, p.n)
    cdef uint32_t *match = <uint32_t *>np.PyArray_DATA(result)
    cdef pm_status status
    apart(result, p.words, (p.n + 63) // 64 * 8, "opens")
    apart(result, q.words, (q.n + 63) // 64 * 8, "closes")
    with nogil:
        status = pm_match_masks(NULL, p.words, q.words, p.n, match, NULL)
    succeed(status, "match_masks (an element that is open and close?)")
    return result


def match_batch(parens, offsets, *, n=None, out=None):
    """Matches many sequences that lie one after another; each begins with an empty stack.

    ``offsets``: int64 or uint64, ascending; sequence s is the elements offsets[s] to offsets[s + 1] - 1. Matches count
    from the beginning of their own sequence. Elements outside of all sequences have ``NONE``.

    >>> import numpy as np
    >>> match_batch("()(())", np.array([0, 2, 6])).tolist() == [NONE, 0, NONE, 0, 1, 0]
    True
    """
    cdef Parens p = sequence(parens, n)
    cdef np.ndarray given = ascending(offsets, "offsets", p.n)
    cdef const uint64_t *ends = <const uint64_t *>np.PyArray_DATA(given)
    cdef size_t entries = np.PyArray_DIM(given, 0)
    cdef np.ndarray result = vector(out, np.NPY_UINT32, p.n)
    cdef uint32_t *match = <uint32_t *>np.PyArray_DATA(result)
    cdef pm_status status = PM_OK
    cdef size_t first = ends[0] if entries else p.n
    apart(result, p.words, (p.n + 63) // 64 * 8, "parens")
    apart(result, ends, 8 * entries, "offsets")
    with nogil:
        memset(match, 0xFF, 4 * first)
        if entries > 1:
            status = pm_match_batch_auto(NULL, p.words, ends, entries - 1, match, NULL)
        if entries:
            memset(match + ends[entries - 1], 0xFF, 4 * (p.n - ends[entries - 1]))
    succeed(status, "match_batch")
    return result


def match_keys(parens, keys, *, n=None, out=None):
    """Matches a sequence in which every key has a stack of its own, such as the events of several threads.

    ``keys``: uint8, uint16 or uint32, one of each element. Matches are indices in the whole sequence.

    >>> import numpy as np
    >>> match_keys("(())", np.array([7, 8, 7, 8], np.uint8)).tolist() == [NONE, NONE, 0, 1]
    True
    """
    cdef Parens p = short_sequence(parens, n)
    if not isinstance(keys, np.ndarray) or keys.dtype.kind != "u" or keys.dtype.itemsize > 4:
        raise TypeError(f"keys: {getattr(keys, 'dtype', type(keys).__name__)}; expected uint8, uint16 or uint32")
    cdef np.ndarray given = array_of(keys, "keys", np.PyArray_TYPE(keys), 1)
    same_length("keys", np.PyArray_DIM(given, 0), p.n)
    cdef np.ndarray result = vector(out, np.NPY_UINT32, p.n)
    cdef uint32_t *match = <uint32_t *>np.PyArray_DATA(result)
    cdef const void *data = np.PyArray_DATA(given)
    cdef size_t width = np.PyArray_ITEMSIZE(given)
    cdef pm_status status
    apart(result, p.words, (p.n + 63) // 64 * 8, "parens")
    apart(result, data, width * p.n, "keys")
    with nogil:
        status = pm_match_keys(NULL, p.words, data, width, p.n, match)
    succeed(status, "match_keys")
    return result


cdef class Stream(Closable):
    """Matches a sequence that arrives in chunks, of any length; its indices have 64 bits. One thread uses it at a time.

    >>> with Stream() as stream:
    ...     first, second = stream.push("(()"), stream.push("())")
    ...     second.tolist(), stream.finish()
    ([0, 3, 0], Total(closes=0, opens=0))
    """
    cdef pm_stream *stream

    def __init__(self):
        self.check_new()
        succeed(pm_stream_create(NULL, &self.stream), "Stream")
        self.made = True

    def __dealloc__(self):
        pm_stream_destroy(self.stream)

    cdef void destroy(self) noexcept:
        pm_stream_destroy(self.stream)
        self.stream = NULL

    def push(self, parens, *, n=None, out=None):
        """Appends a chunk and returns its match: indices in the whole stream, ``BP_NONE`` where the stack is empty."""
        cdef Parens p = sequence(parens, n)
        cdef np.ndarray result = vector(out, np.NPY_INT64, p.n)
        cdef uint64_t *match = <uint64_t *>np.PyArray_DATA(result)
        cdef pm_status status
        apart(result, p.words, (p.n + 63) // 64 * 8, "parens")
        self.use(True)
        with nogil:
            status = pm_stream_push(self.stream, p.words, p.n, match)
        self.done()
        succeed(status, "Stream.push")
        return result

    def finish(self):
        """Ends the sequence; the stream is then ready for the next one. Returns its unmatched closes and opens."""
        cdef pm_bic total
        cdef pm_status status
        self.use(True)
        with nogil:
            status = pm_stream_finish(self.stream, &total)
        self.done()
        succeed(status, "Stream.finish")
        return Total(total.close, total.open)
