# SPDX-License-Identifier: Apache-2.0
# Brackets and delimiters of texts, found and checked.

cdef object place_of(pm_place place):
    return Place(place.offset, place.line, place.column)


cdef tuple FAULT_KINDS = tuple(FaultKind)
cdef tuple INSIDES = tuple(Inside)


@cython.final
cdef class Faults:
    """Collects the faults of a text, and an exception if that fails."""
    cdef list faults
    cdef object error

    def __cinit__(self):
        self.faults = []

    cdef bint add(self, const pm_diagnostic *d) noexcept:
        try:
            self.faults.append(fault_of(d))
        except BaseException as error:
            self.error = error
        return self.error is None

    cdef list taken(self):
        """Returns the faults and begins the next text."""
        faults, error = self.faults, self.error
        self.faults, self.error = [], None
        if error is not None:
            raise error
        return faults


cdef tuple REPAIR_KINDS = tuple(RepairKind)


cdef object repair_of(const pm_repair *r):
    return Repair(REPAIR_KINDS[r.kind], place_of(r.at), bytes((&r.byte)[:1]), r.new_line, r.certain)


cdef object fault_of(const pm_diagnostic *d):
    kind = FAULT_KINDS[<int>d.fault]
    return Fault(kind, place_of(d.at), d.length, place_of(d.partner) if kind is FaultKind.KIND_MISMATCH else None,
                 d.record, repair_of(&d.repair) if d.has_repair else None)


cdef c_bool add_fault(const pm_diagnostic *d, void *faults) noexcept with gil:
    return (<Faults>faults).add(d)


cdef tuple totals_of(const pm_check_summary *s):
    return (s.bytes, s.lines, s.brackets, s.max_depth, Total(s.unmatched.close, s.unmatched.open), s.mismatched,
            s.unterminated, s.records, s.bad_records)


@cython.final
cdef class Language:
    """A language: its brackets or delimiters, its strings and comments. ``languages()`` lists the names.

    It never changes; any number of threads may use it at once.
    """
    cdef const pm_language *language
    cdef pm_language *made
    cdef str title

    def __init__(self, name):
        if self.title is not None:
            raise ValueError("Language: made twice")
        self.language = pm_language_by_name(name.encode())
        if self.language == NULL:
            raise ValueError(f"language: {name!r} is unknown; parenmatch.languages() lists the names")
        self.title = name

    @staticmethod
    def from_rules(rules, name="rules"):
        """Makes a language from rules, one a line, such as ``pair begin end``."""
        cdef Language language = Language.__new__(Language)
        language.read(rules)
        language.title = name
        return language

    cdef int read(self, object rules) except -1:
        cdef Text text = text_of(rules, "rules")
        cdef pm_language_error error
        memset(&error, 0, sizeof(error))
        cdef pm_status status = pm_language_create_rules(NULL, text.data, text.n, &self.made, &error)
        self.language = self.made
        if status != PM_OK and error.what != NULL:
            raise Error(status, f"rules: line {error.at.line}, column {error.at.column}: {error.what.decode()} "
                        f"({pm_status_name(status).decode()})")
        return succeed(status, "rules")

    def __dealloc__(self):
        pm_language_destroy(self.made)

    def __repr__(self):
        return f"Language({self.title!r})"

    @property
    def name(self):
        """The name that it was made with."""
        return self.title


cdef dict known_languages = {}


cdef Language language_of(object language):
    if isinstance(language, Language):
        if (<Language>language).title is None:
            raise ValueError("language: not made")
        return language
    if not isinstance(language, str):
        raise TypeError(f"language: {type(language).__name__}; expected a name or a Language")
    found = known_languages.get(language)
    if found is None:
        found = known_languages[language] = Language(language)
    return found


def languages():
    """Returns the names of all languages.

    >>> "json" in languages(), "xml" in languages()
    (True, True)
    """
    names, k = [], 0
    while pm_language_at(k) != NULL:
        names.append(pm_language_name(pm_language_at(k)).decode())
        k += 1
    return names


cdef int separator_of(object records) except -1:
    cdef Text separator = text_of(records, "records")
    if separator.n != 1:
        raise ValueError(f"records: {records!r}; expected a separator of one byte")
    return <unsigned char>separator.data[0]


cdef class Checker(Closable):
    """Checks the brackets or delimiters of a text that arrives in chunks. One thread uses it at a time.

    >>> with Checker("json") as checker:
    ...     checker.push('{"a": [1, ')
    ...     checker.push('2}')
    ...     for fault in checker.finish().faults:
    ...         print(fault)
    1:12: kind mismatch, its open is at 1:7
    1:1: unmatched open
    """
    cdef pm_check *check
    cdef Faults faults
    cdef Language language
    cdef pm_check_state **dropped  # states whose last user went during a use; room for all of them
    cdef size_t dropped_count, states

    def __init__(self, language="text", *, records=None):
        self.check_new()
        self.language = language_of(language)
        self.faults = Faults()
        succeed(pm_check_create(NULL, self.language.language, NULL, add_fault, <void *>self.faults, &self.check),
                "Checker")
        if records is not None:
            succeed(pm_check_set_records(self.check, separator_of(records)), "Checker")
        self.made = True

    def __dealloc__(self):
        pm_check_destroy(self.check)
        free(self.dropped)

    cdef void destroy(self) noexcept:
        pm_check_destroy(self.check)
        self.check = NULL

    cdef void done(self) noexcept:
        Closable.done(self)
        while self.dropped_count:
            self.dropped_count -= 1
            pm_check_state_destroy(self.dropped[self.dropped_count])

    cdef void drop(self, pm_check_state *state) noexcept:
        """Destroys a state; later, if another thread uses the check now."""
        self.states -= 1
        if self.users:
            self.dropped[self.dropped_count] = state
            self.dropped_count += 1
        else:
            pm_check_state_destroy(state)

    def push(self, text):
        """Appends a chunk: str, of which the UTF-8 is taken, or bytes. A character may be cut."""
        cdef Text t = text_of(text, "text")
        cdef pm_status status
        self.use(True)
        with nogil:
            status = pm_check_push(self.check, t.data, t.n)
        self.done()
        succeed(status, "Checker.push")

    def finish(self):
        """Ends the text and returns its Report; the checker is then ready for the next text."""
        cdef pm_check_summary summary
        cdef pm_status status
        self.use(True)
        with nogil:
            status = pm_check_finish(self.check, &summary)
        self.done()
        succeed(status, "Checker.finish")
        return Report(*totals_of(&summary), self.faults.taken())

    def open(self, most=None):
        """Returns what the text so far leaves open: an ``Open``, with all brackets or the innermost ``most``.

        >>> checker = Checker("json")
        >>> checker.push('{"a": [1, "x')
        >>> left = checker.open()
        >>> [bracket.byte for bracket in left.brackets], left.inside, left.begin
        ([b'[', b'{'], <Inside.STRING: 1>, 10)
        """
        cdef uint64_t count = 0
        cdef pm_open_end end
        cdef pm_open_bracket *opens = NULL
        cdef size_t k, capacity = 0
        cdef pm_status status
        self.use(True)
        try:
            with nogil:
                status = pm_check_open(self.check, NULL, 0, &count, NULL)
            succeed(status, "Checker.open")
            capacity = count if most is None else min(count, index_of(most))
            opens = <pm_open_bracket *>malloc(capacity * sizeof(pm_open_bracket) + 1)
            if opens == NULL:
                raise MemoryError(f"Checker.open: no memory for {capacity} brackets")
            with nogil:
                status = pm_check_open(self.check, opens, capacity, &count, &end)
            succeed(status, "Checker.open")
            brackets = [OpenBracket(place_of(opens[k].at), opens[k].length, opens[k].kind, bytes((&opens[k].byte)[:1]))
                        for k in range(capacity)]
            return Open(brackets, count, end.offset, INSIDES[<int>end.inside], end.begin)
        finally:
            free(opens)
            self.done()

    def suffix(self):
        """Returns the bytes that complete the text: the ends of its string or comment, then its closes.

        >>> checker = Checker("json")
        >>> checker.push('{"a": [1, "x')
        >>> checker.suffix()
        b'"]}'
        """
        cdef size_t length = 0, capacity
        cdef bytes suffix = b""
        cdef char *data
        cdef pm_status status
        self.use(True)
        try:
            with nogil:
                status = pm_check_suffix(self.check, NULL, 0, &length)
            succeed(status, "Checker.suffix")
            if length:
                suffix = PyBytes_FromStringAndSize(NULL, length)
                data, capacity = PyBytes_AS_STRING(suffix), length
                with nogil:
                    status = pm_check_suffix(self.check, data, capacity, &length)
                succeed(status, "Checker.suffix")
            return suffix
        finally:
            self.done()

    def save(self):
        """Returns the state of the check, a ``CheckState``, to go back to with ``restore``.

        >>> checker = Checker()
        >>> checker.push("(")
        >>> state = checker.save()
        >>> checker.push("]")
        >>> checker.restore(state)
        >>> checker.push(")")
        >>> checker.finish().ok
        True
        """
        cdef CheckState saved = CheckState.__new__(CheckState)
        cdef pm_check_state **room
        self.use(True)
        try:
            room = <pm_check_state **>realloc(self.dropped, (self.states + self.dropped_count + 1) * sizeof(void *))
            if room == NULL:
                raise MemoryError("Checker.save: no memory")
            self.dropped = room
            succeed(pm_check_save(self.check, &saved.state), "Checker.save")
            self.states += 1
            saved.checker, saved.faults = self, list(self.faults.faults)
        finally:
            self.done()
        return saved

    def restore(self, CheckState state not None):
        """Takes the check back, or forward, to a state that ``save`` returned. Faults found since are forgotten."""
        if state.checker is not self:
            raise ValueError("state: saved of another Checker")
        cdef pm_status status
        self.use(True)
        with nogil:
            status = pm_check_restore(self.check, state.state)
        self.done()
        succeed(status, "Checker.restore")
        self.faults.faults, self.faults.error = list(state.faults), None


@cython.final
@cython.no_gc_clear  # it needs its Checker to the end
cdef class CheckState:
    """A state of a Checker, which it keeps alive."""
    cdef pm_check_state *state
    cdef Checker checker
    cdef list faults

    def __init__(self):
        raise TypeError("CheckState: Checker.save() makes it")

    def __dealloc__(self):
        if self.state != NULL:
            self.checker.drop(self.state)


def check(text, language="text", *, records=None, repairs=False):
    """Checks the brackets or delimiters of a text; strings and comments of the language are skipped.

    ``language``: a name that ``languages()`` lists, or a ``Language``. Offsets and columns count bytes, of the UTF-8 if
    the text is a str.

    >>> check("f(a[1])", "python").ok
    True
    >>> [str(fault) for fault in check("<p>\\n<b></p>", "xml").faults]
    ['2:4: kind mismatch, its open is at 2:1', '1:1: unmatched open']

    ``records``: the byte that ends each record of the text, such as ``"\\n"``, or offsets, int64 or uint64: record r is
    bytes offsets[r] to offsets[r + 1] - 1. Each record is checked alone; places are those in the whole text.

    >>> report = check('[1]\\n[2}\\n[3]\\n', "json", records="\\n")
    >>> report.records, report.bad_records, report.faults[0].record, str(report.faults[0])
    (3, 1, 1, '2:3: kind mismatch, its open is at 2:1')

    ``repairs``: report the probable mistakes, each with its ``repair``, instead of all that follows from them.

    >>> fault, = check("f(a) {\\n  if (b) {\\n    g();\\n  h();\\n}\\n", "c", repairs=True).faults
    >>> str(fault), fault.repair.byte, fault.repair.at.line
    ('2:10: unmatched open', b'}', 4)
    """
    cdef bint listed = isinstance(records, (np.ndarray, list, tuple))
    cdef Checker checker = Checker(language, records=None if listed else records)
    succeed(pm_check_set_repairs(checker.check, repairs), "check")
    cdef Text t = text_of(text, "text")
    cdef np.ndarray offsets
    cdef const uint64_t *ends
    cdef size_t entries
    cdef pm_check_summary summary
    cdef pm_status status
    if listed:
        offsets = ascending(records, "records", t.n)
        ends, entries = <const uint64_t *>np.PyArray_DATA(offsets), np.PyArray_DIM(offsets, 0)
        if entries == 0 or ends[0] != 0:
            raise ValueError("records: expected offsets from 0 on")
        with nogil:
            status = pm_check_text_records(checker.check, t.data, ends, entries - 1, &summary)
    else:
        with nogil:
            status = pm_check_text(checker.check, t.data, t.n, &summary)
    succeed(status, "check")
    return Report(*totals_of(&summary), checker.faults.taken())


def brackets(text, language=None, *, pairs=None):
    """Finds the brackets or delimiters of a text, as packed bits, positions in bytes, lengths and kinds.

    ``pairs``: the brackets, such as ``"()[]"``; pair k is kind k. Without it they are those of the language. Without a
    language nothing is skipped.

    >>> found = brackets("(a,(b,c));", pairs="()")
    >>> found.positions.tolist(), match(found.parens, n=found.n).tolist() == [NONE, 0, 1, 0]
    ([0, 3, 7, 8], True)
    """
    cdef Language l = None
    cdef Text t = text_of(text, "text"), p
    cdef pm_alphabet alphabet
    cdef const pm_alphabet *given = NULL
    if language is not None or pairs is None:
        l = language_of("text" if language is None else language)
    if pairs is not None:
        p = text_of(pairs, "pairs")
        succeed(pm_alphabet_from_pairs(p.data, p.n, &alphabet), f"pairs: {pairs!r}")
        given = &alphabet
    if l is not None and pm_language_alphabet(l.language) == NULL:
        if pairs is not None:
            raise ValueError(f"pairs: {l.title!r} has delimiters of its own")
        return delimiters_found(l.language, t)
    return brackets_found(l, given, t)


cdef object brackets_found(Language skipped, const pm_alphabet *alphabet, Text t):
    cdef const pm_language *language = NULL
    if skipped is not None:
        language = skipped.language
    cdef size_t count = 0
    cdef pm_status status
    with nogil:
        status = pm_text_brackets(NULL, language, alphabet, t.data, t.n, 0, NULL, NULL, NULL, &count)
    succeed(status, "brackets")
    cdef np.ndarray parens = vector(None, np.NPY_UINT64, (count + 63) // 64)
    cdef np.ndarray positions = vector(None, np.NPY_INT64, count)
    cdef np.ndarray kinds = vector(None, np.NPY_UINT8, count)
    cdef uint64_t *bits = <uint64_t *>np.PyArray_DATA(parens)
    cdef uint64_t *places = <uint64_t *>np.PyArray_DATA(positions)
    cdef uint8_t *sorts = <uint8_t *>np.PyArray_DATA(kinds)
    cdef size_t n = count
    with nogil:
        status = pm_text_brackets(NULL, language, alphabet, t.data, t.n, n, bits, places, sorts, &count)
    succeed(status, "brackets")
    return Brackets(parens, n, positions, np.broadcast_to(np.uint32(1), n), kinds)


cdef object delimiters_found(const pm_language *language, Text t):
    cdef size_t count = 0
    cdef pm_status status
    with nogil:
        status = pm_text_scan(NULL, language, t.data, t.n, NULL, &count)
    succeed(status, "brackets")
    cdef np.ndarray parens = vector(None, np.NPY_UINT64, (count + 63) // 64)
    cdef np.ndarray positions = vector(None, np.NPY_INT64, count)
    cdef np.ndarray lengths = vector(None, np.NPY_UINT32, count)
    cdef np.ndarray kinds = vector(None, np.NPY_UINT32, count)
    cdef pm_text_arrays arrays
    memset(&arrays, 0, sizeof(arrays))
    arrays.struct_size = sizeof(arrays)
    arrays.capacity = count
    arrays.parens = <uint64_t *>np.PyArray_DATA(parens)
    arrays.positions = <uint64_t *>np.PyArray_DATA(positions)
    arrays.lengths = <uint32_t *>np.PyArray_DATA(lengths)
    arrays.kinds = <uint32_t *>np.PyArray_DATA(kinds)
    with nogil:
        status = pm_text_scan(NULL, language, t.data, t.n, &arrays, &count)
    succeed(status, "brackets")
    return Brackets(parens, arrays.capacity, positions, lengths, kinds)
