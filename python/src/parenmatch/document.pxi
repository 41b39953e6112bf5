# SPDX-License-Identifier: Apache-2.0
# The brackets of a text that changes.

DOCUMENT_BRACKET = np.dtype([("offset", np.int64), ("depth", np.int64), ("kind", np.uint8), ("open", np.bool_),
                             ("faulty", np.bool_)], align=True)
assert DOCUMENT_BRACKET.itemsize == sizeof(pm_document_bracket)


cdef class Document(Closable):
    """A text that changes; it has a copy of the text. After each edit it knows what ``check`` would find.

    Offsets count bytes, of the UTF-8 if a text is a str. An edit reads some thousand bytes again, wherever it is; a
    query first reads what its answer depends on. Languages with delimiters (XML, LaTeX) are not supported. One thread
    uses it at a time.

    >>> document = Document('{"a": [1, 2}', "json")
    >>> [str(fault) for fault in document.faults()]
    ['1:12: kind mismatch, its open is at 1:7', '1:1: unmatched open']
    >>> document.replace(11, 0, "]")
    >>> document.report().ok, document.partner(6), document.partner(7)
    (True, 11, None)
    """
    cdef pm_document *document
    cdef Language language

    def __init__(self, text="", language="text"):
        self.check_new()
        self.language = language_of(language)
        cdef const pm_language *chosen = self.language.language
        cdef Text t = text_of(text, "text")
        cdef pm_document *made = NULL
        cdef pm_status status
        with nogil:
            status = pm_document_create(NULL, chosen, t.data, t.n, &made)
        succeed(status, f"Document in {self.language.title!r}")
        self.document, self.made = made, True

    def __dealloc__(self):
        pm_document_destroy(self.document)

    cdef void destroy(self) noexcept:
        pm_document_destroy(self.document)
        self.document = NULL

    cdef uint64_t length(self) except? 0xFFFFFFFF:
        self.check_open()
        return pm_document_length(self.document)

    cdef uint64_t offset_of(self, object offset, str name) except? 0xFFFFFFFF:
        """Returns an offset of at most the length."""
        cdef uint64_t at = index_of(offset)
        if at > self.length():
            raise ValueError(f"{name}: {at}; the text has {self.length()} bytes")
        return at

    cdef uint64_t count_of(self, object n, uint64_t at, str name) except? 0xFFFFFFFF:
        """Returns a number of bytes from `at` on; None: all."""
        cdef uint64_t left = self.length() - at
        if n is None:
            return left
        cdef uint64_t count = index_of(n)
        if count > left:
            raise ValueError(f"{name}: {count} bytes at {at}; the text has {self.length()} bytes")
        return count

    def __len__(self):
        return self.length()

    @property
    def nbytes(self):
        """The bytes of memory that it takes, with the text."""
        self.check_open()
        return pm_document_size_in_bytes(self.document)

    def replace(self, at, removed, text=b""):
        """Replaces ``removed`` bytes from ``at`` on by a text. After a failure the document is as before."""
        cdef Text t = text_of(text, "text")
        cdef uint64_t begin = self.offset_of(at, "at")
        cdef uint64_t count = self.count_of(removed, begin, "removed")
        cdef pm_status status
        self.use(True)
        with nogil:
            status = pm_document_replace(self.document, begin, count, t.data, t.n)
        self.done()
        succeed(status, "Document.replace")

    def read(self, at=0, n=None):
        """Returns n bytes from ``at`` on, by default all.

        >>> Document("f(x)").read(1, 3)
        b'(x)'
        """
        cdef uint64_t begin = self.offset_of(at, "at")
        cdef size_t count = self.count_of(n, begin, "n")
        cdef bytes result = PyBytes_FromStringAndSize(NULL, count)
        cdef char *data = PyBytes_AS_STRING(result)
        cdef pm_status status
        self.use(True)
        with nogil:
            status = pm_document_read(self.document, begin, count, data)
        self.done()
        succeed(status, "Document.read")
        return result

    def place(self, offset):
        """Returns the Place of an offset, with its line and column."""
        return place_of(pm_document_place(self.document, self.offset_of(offset, "offset")))

    def line_offset(self, line):
        """Returns the offset at which a line, counted from 1, begins; None if there is no such line."""
        self.check_open()
        cdef uint64_t answer = pm_document_line_offset(self.document, index_of(line))
        return None if answer == NOTHING else answer

    @property
    def settled(self):
        """The offset up to which the text is read as it is now; the length if all is."""
        self.check_open()
        return pm_document_settled(self.document)

    def settle(self, most=None):
        """Reads on behind edits that changed how the text is read: at most about ``most`` bytes, by default all.

        Queries read what they need; this is for the time between edits. Returns whether all is read.
        """
        cdef uint64_t portion = NOTHING if most is None else index_of(most)
        cdef pm_status status
        self.use(True)
        with nogil:
            status = pm_document_settle(self.document, portion)
        self.done()
        succeed(status, "Document.settle")
        return pm_document_settled(self.document) == pm_document_length(self.document)

    def summary(self):
        """Returns the totals of the text, a Summary."""
        cdef pm_check_summary summary
        cdef pm_status status
        self.use(True)
        with nogil:
            status = pm_document_summary(self.document, &summary)
        self.done()
        succeed(status, "Document.summary")
        return Summary(*totals_of(&summary))

    def fault_count(self):
        """Returns the number of faults."""
        cdef uint64_t count
        self.use(True)
        with nogil:
            count = pm_document_fault_count(self.document)
        self.done()
        if count == NOTHING:
            raise MemoryError("Document.fault_count: no memory to read the text")
        return count

    def faults(self, begin=0):
        """Returns the faults at offset ``begin`` and behind it, in the order of ``check``."""
        cdef uint64_t first = index_of(begin)
        cdef Faults faults = Faults()
        cdef void *user = <void *>faults
        cdef pm_status status
        self.use(True)
        with nogil:
            status = pm_document_faults(self.document, first, add_fault, user)
        self.done()
        succeed(status, "Document.faults")
        return faults.taken()

    def report(self):
        """Returns what ``check`` returns for the text."""
        cdef pm_check_summary summary
        cdef Faults faults = Faults()
        cdef void *user = <void *>faults
        cdef pm_status status
        self.use(True)
        with nogil:
            status = pm_document_summary(self.document, &summary)
            if status == PM_OK:
                status = pm_document_faults(self.document, 0, add_fault, user)
        self.done()
        succeed(status, "Document.report")
        return Report(*totals_of(&summary), faults.taken())

    def partner(self, offset):
        """Returns the offset of the partner of the bracket at an offset; None if it has no partner."""
        cdef uint64_t at = index_of(offset), answer
        self.use(True)
        with nogil:
            answer = pm_document_partner(self.document, at)
        self.done()
        return None if answer == NOTHING else answer

    def brackets(self, at=0, n=None):
        """Returns the brackets in n bytes from ``at`` on, by default all, as an array.

        Its fields are ``offset``, ``depth``, ``kind``, ``open`` and ``faulty``. Whether an open is faulty is answered
        as the text was last read up to its end; ``settle()`` before makes it exact.

        >>> found = Document("f(a[1])").brackets()
        >>> found["offset"].tolist(), found["depth"].tolist(), found["open"].tolist()
        ([1, 3, 5, 6], [0, 1, 1, 0], [True, True, False, False])
        """
        cdef uint64_t begin = self.offset_of(at, "at")
        cdef uint64_t count = self.count_of(n, begin, "n")
        return self.listed(begin, count, NOTHING, False)

    def path(self, offset, most=None):
        """Returns the opens around an offset, innermost first, as ``brackets`` does; at most the innermost ``most``."""
        return self.listed(self.offset_of(offset, "offset"), 0, NOTHING if most is None else index_of(most), True)

    cdef object listed(self, uint64_t at, uint64_t n, uint64_t most, bint around):
        cdef size_t count = 0, capacity
        cdef pm_status status
        cdef pm_document_bracket *room
        self.use(True)
        try:
            with nogil:
                if around:
                    status = pm_document_path(self.document, at, 0, NULL, &count)
                else:
                    status = pm_document_brackets(self.document, at, n, 0, NULL, &count)
            succeed(status, "Document.path" if around else "Document.brackets")
            capacity = min(count, most)
            found = np.zeros(capacity, DOCUMENT_BRACKET)
            room = <pm_document_bracket *>np.PyArray_DATA(found)
            with nogil:
                if around:
                    status = pm_document_path(self.document, at, capacity, room, &count)
                else:
                    status = pm_document_brackets(self.document, at, n, capacity, room, &count)
            succeed(status, "Document.path" if around else "Document.brackets")
            return found
        finally:
            self.done()
