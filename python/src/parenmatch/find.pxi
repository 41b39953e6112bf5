# SPDX-License-Identifier: Apache-2.0
# Search for many patterns.

HIT = np.dtype([("start", np.int64), ("length", np.uint32), ("pattern", np.uint32)])
FIND_KINDS = {"all": 0, "longest": 1, "leftmost_longest": 2, "leftmost_first": 3}


cdef class Dictionary(Closable):
    """Patterns, str or bytes, to search for all at once. Any number of threads may search at once.

    >>> words = Dictionary(["he", "she", "hers"])
    >>> [(int(hit["start"]), int(hit["pattern"])) for hit in words.find("ushers")]
    [(1, 1), (2, 0), (2, 2)]
    """
    cdef pm_dict *dict

    def __init__(self, patterns, *, ignore_case=False):
        self.check_new()
        if isinstance(patterns, (str, bytes)):
            raise TypeError(f"patterns: {type(patterns).__name__}; expected a list of str or bytes")
        cdef list texts = [text_of(pattern, f"patterns[{k}]") for k, pattern in enumerate(patterns)]
        cdef size_t k, count = len(texts)
        cdef const char **data = <const char **>malloc((count + 1) * sizeof(char *))
        cdef size_t *lengths = <size_t *>malloc((count + 1) * sizeof(size_t))
        cdef unsigned flags = PM_DICT_IGNORE_CASE if ignore_case else 0
        cdef pm_dict *made = NULL
        cdef pm_status status
        try:
            if data == NULL or lengths == NULL:
                raise MemoryError(f"Dictionary: no memory for {count} patterns")
            for k in range(count):
                data[k] = (<Text>texts[k]).data
                lengths[k] = (<Text>texts[k]).n
            with nogil:
                status = pm_dict_create(NULL, data, lengths, count, flags, &made)
        finally:
            free(data)
            free(lengths)
        succeed(status, "Dictionary (a pattern that is empty, or twice?)")
        self.dict, self.made = made, True

    @staticmethod
    def load(path):
        """Reads a dictionary that ``save`` wrote."""
        cdef Dictionary d = Dictionary.__new__(Dictionary)
        cdef bytes name = os.fsencode(path)
        succeed(pm_dict_load(NULL, name, &d.dict), f"Dictionary.load: {os.fsdecode(name)}")
        d.made = True
        return d

    def __dealloc__(self):
        pm_dict_destroy(self.dict)

    cdef void destroy(self) noexcept:
        pm_dict_destroy(self.dict)
        self.dict = NULL

    def __len__(self):
        self.check_open()
        return pm_dict_count(self.dict)

    def save(self, path):
        """Writes the patterns to a file, for ``load``."""
        self.check_open()
        cdef bytes name = os.fsencode(path)
        succeed(pm_dict_save(self.dict, name), f"Dictionary.save: {os.fsdecode(name)}")

    def find(self, text, kind="all"):
        """Returns the hits in an array with the fields start, length (in bytes) and pattern, ordered by start.

        ``kind``: "all"; "longest" for each start; "leftmost_longest" and "leftmost_first" without overlaps.
        """
        if kind not in FIND_KINDS:
            raise ValueError(f"kind: {kind!r}; expected one of {list(FIND_KINDS)}")
        cdef Text t = text_of(text, "text")
        cdef pm_find_options options
        memset(&options, 0, sizeof(options))
        options.kind = FIND_KINDS[kind]
        self.check_open()
        # Room that is enough for most texts; a text with more hits is searched twice.
        cdef np.ndarray hits = np.empty(t.n // 16 + 16, HIT)
        cdef size_t found = self.search(&options, t, hits)
        if found > <size_t>np.PyArray_DIM(hits, 0):
            hits = np.empty(found, HIT)
            self.search(&options, t, hits)
        (<object>hits).resize(found, refcheck=False)
        return hits

    cdef size_t search(self, const pm_find_options *options, Text t, np.ndarray hits) except? 0xFFFFFFFF:
        cdef pm_hit *room = <pm_hit *>np.PyArray_DATA(hits)
        cdef size_t found = 0, capacity = np.PyArray_DIM(hits, 0)
        cdef pm_status status
        self.use()
        with nogil:
            status = pm_find_with(NULL, self.dict, options, t.data, t.n, room, capacity, &found)
        self.done()
        succeed(status, "Dictionary.find")
        return found


def find(patterns, text, kind="all", *, ignore_case=False):
    """Finds all patterns in a text; use a ``Dictionary`` to search several texts.

    >>> find(["lo", "o w"], "hello world")["start"].tolist()
    [3, 4]
    """
    with Dictionary(patterns, ignore_case=ignore_case) as words:
        return words.find(text, kind)
