# SPDX-License-Identifier: Apache-2.0
# The structure of a JSON text.

cdef tuple JSON_KINDS = (None, *JsonKind)


cdef class Json(Closable):
    """An index of a JSON text: where its tokens begin, and the partner of each bracket. No numbers are read.

    A value or a key is named by the offset at which it begins, in bytes, of the UTF-8 if the text is a str. Where there
    is nothing to find, a query returns None. The text is borrowed and kept alive: do not change it. A text that is not
    JSON raises Error with its first ``fault``. Any number of threads may ask at once.

    >>> text = b'{"users": [{"name": "Ann", "age": 7}, {"name": "Bo"}]}'
    >>> index = Json(text)
    >>> text[index.pointer("/users/1/name")]
    b'"Bo"'
    >>> [text[user:index.skip(user)] for user in index.elements(index.pointer("/users").start)]
    [b'{"name": "Ann", "age": 7}', b'{"name": "Bo"}']
    >>> Json("[1, 2}")
    Traceback (most recent call last):
        ...
    parenmatch._results.Error: Json: 1:6: kind mismatch, its open is at 1:1 (PM_CORRUPT)
    """
    cdef pm_json *json
    cdef Text text

    def __init__(self, text):
        self.check_new()
        cdef Text t = text_of(text, "text")
        cdef pm_diagnostic fault
        cdef pm_json *made = NULL
        cdef pm_status status
        with nogil:
            status = pm_json_create(NULL, t.data, t.n, &fault, &made)
        accept_json(status, &fault, "Json")
        self.json, self.text, self.made = made, t, True

    def __dealloc__(self):
        pm_json_destroy(self.json)

    cdef void destroy(self) noexcept:
        pm_json_destroy(self.json)
        self.json = NULL
        self.text = None

    def read(self, text):
        """Makes it the index of another text, in the memory it has. After a failure it has no text."""
        cdef Text t = text_of(text, "text")
        cdef pm_diagnostic fault
        cdef pm_status status
        self.use(True)
        with nogil:
            status = pm_json_read(self.json, t.data, t.n, &fault)
        self.text = t
        self.done()
        accept_json(status, &fault, "Json.read")

    @property
    def nbytes(self):
        """The bytes of the index, without the text."""
        self.check_open()
        return pm_json_size_in_bytes(self.json)

    @property
    def token_count(self):
        """The number of tokens."""
        self.check_open()
        return pm_json_token_count(self.json)

    def tokens(self, begin=0, end=None):
        """Returns the tokens that begin at ``begin`` or behind it and before ``end``, as an array of int64.

        >>> Json('[1, "a"]').tokens().tolist()
        [0, 1, 2, 4, 7]
        """
        cdef uint64_t first = index_of(begin), behind = NOTHING if end is None else index_of(end), count
        cdef np.ndarray found
        cdef uint64_t *room
        self.use()
        try:
            with nogil:
                count = pm_json_tokens(self.json, first, behind, 0, NULL)
            found = vector(None, np.NPY_INT64, count)
            room = <uint64_t *>np.PyArray_DATA(found)
            with nogil:
                pm_json_tokens(self.json, first, behind, count, room)
        finally:
            self.done()
        return found

    cdef object ask(self, json_query query, object at):
        cdef uint64_t offset = index_of(at), answer
        self.use()
        with nogil:
            answer = query(self.json, offset)
        self.done()
        return None if answer == NOTHING else answer

    def next_token(self, offset):
        """Returns the first token at an offset or behind it."""
        return self.ask(pm_json_next_token, offset)

    def partner(self, offset):
        """Returns the partner of the bracket at an offset, in constant time."""
        return self.ask(pm_json_partner, offset)

    @property
    def root(self):
        """The value of the text; None if there is no text, after ``read`` failed."""
        self.check_open()
        cdef uint64_t answer = pm_json_root(self.json)
        return None if answer == NOTHING else answer

    def kind(self, value):
        """Returns the JsonKind of the value or key that begins at an offset."""
        cdef uint64_t offset = index_of(value)
        self.check_open()
        return JSON_KINDS[pm_json_kind_of(self.json, offset)]

    def skip(self, value):
        """Returns the offset behind a value or key, in constant time for an object or array."""
        return self.ask(pm_json_skip, value)

    def first(self, container):
        """Returns the first element of an array, or the first key of an object."""
        return self.ask(pm_json_first, container)

    def next(self, item):
        """Returns the element or key behind the one given. The value of a key may be given instead of the key."""
        return self.ask(pm_json_next, item)

    def member(self, key):
        """Returns the value of the key that begins at an offset."""
        return self.ask(pm_json_member, key)

    def count(self, container):
        """Returns the number of members or elements; 0 if no object or array begins there."""
        return self.ask(pm_json_count, container)

    def elements(self, array):
        """Iterates over the elements of an array."""
        if self.kind(array) is not JsonKind.ARRAY:
            raise ValueError(f"array: no array begins at {array}")
        return walked(self, array)

    def members(self, object):
        """Iterates over the members of an object, as pairs of key and value.

        >>> text = '{"a": 1, "b": [2]}'
        >>> index = Json(text)
        >>> [(text[key:index.skip(key)], text[value:index.skip(value)]) for key, value in index.members(0)]
        [('"a"', '1'), ('"b"', '[2]')]
        """
        if self.kind(object) is not JsonKind.OBJECT:
            raise ValueError(f"object: no object begins at {object}")
        return ((key, self.member(key)) for key in walked(self, object))

    def pointer(self, pointer):
        """Returns where the value is that a JSON Pointer (RFC 6901) names, as a slice of the bytes of the text.

        "" is the value of the text, "/a/0" element 0 of member "a". None: the text has no such value.
        """
        cdef Text p = text_of(pointer, "pointer")
        cdef pm_json_range found
        cdef pm_status status
        self.use()
        with nogil:
            status = pm_json_pointer(self.json, p.data, p.n, &found)
        self.done()
        succeed(status, f"pointer: {pointer!r}")
        return None if found.begin == NOTHING else slice(found.begin, found.end)


cdef int accept_json(pm_status status, const pm_diagnostic *fault, str what) except -1:
    if status == PM_CORRUPT:
        found = fault_of(fault)
        raise Error(status, f"{what}: {found} ({pm_status_name(status).decode()})", found)
    return succeed(status, what)


def walked(index, container):
    """Iterates over the elements or keys of a container."""
    item = index.first(container)
    while item is not None:
        yield item
        item = index.next(item)
