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
        self.users -= 1
        succeed(status, "Stream.push")
        return result

    def finish(self):
        """Ends the sequence; the stream is then ready for the next one. Returns its unmatched closes and opens."""
        cdef pm_bic total
        cdef pm_status status
        self.use(True)
        with nogil:
            status = pm_stream_finish(self.stream, &total)
        self.users -= 1
        succeed(status, "Stream.finish")
        return Total(total.close, total.open)
