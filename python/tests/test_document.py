# SPDX-License-Identifier: Apache-2.0
"""Texts that change, texts that arrive, and JSON."""
import json

import numpy as np
import parenmatch as pm
import pytest
from hypothesis import given, strategies

PIECES = ["(", ")", "[", "]", "{", "}", '"', "\\", "a", "é", "\n", "/*", "*/", "//", "'"]
texts = strategies.lists(strategies.sampled_from(PIECES), max_size=30).map("".join)
edits = strategies.lists(strategies.tuples(strategies.integers(0, 999), strategies.integers(0, 9), texts), max_size=8)


def brackets_by(text, language):
    """(offset, depth, kind, open) of each bracket, its partner, and the path after each, with a plain stack."""
    found = pm.brackets(text, language)
    opens = np.unpackbits(found.parens.view(np.uint8), bitorder="little")[:found.n].tolist()
    stack, rows, partner = [], [], {}
    for at, kind, is_open in zip(found.positions.tolist(), found.kinds.tolist(), opens):
        if not is_open and stack:
            partner[at] = stack.pop()
            partner[partner[at]] = at
        rows.append((at, len(stack), kind, bool(is_open)))
        if is_open:
            stack.append(at)
    return rows, partner, stack[::-1]


@pytest.mark.parametrize("language", ["c", "json", "python", "text"])
@given(start=texts, changes=edits)
def test_document_after_every_edit(language, start, changes):
    text = bytearray(start.encode())
    with pm.Document(start, language) as document:
        for at, removed, inserted in [(0, 0, ""), *changes]:
            at %= len(text) + 1
            removed = min(removed, len(text) - at)
            text[at:at + removed] = inserted.encode()
            document.replace(at, removed, inserted)
            report = pm.check(text, language)
            assert document.report() == report and document.faults() == report.faults
            assert document.read() == bytes(text) and len(document) == len(text)
            assert document.summary().brackets == report.brackets and document.summary().ok == report.ok
            assert document.fault_count() == len(report.faults)
            assert document.faults(at) == [fault for fault in report.faults if fault.at.offset >= at]
            assert document.settle() and document.settled == len(text)
            rows, partner, path = brackets_by(bytes(text), language)
            found = document.brackets()
            assert found[["offset", "depth", "kind", "open"]].tolist() == rows
            assert [document.partner(i) for i in range(len(text))] == [partner.get(i) for i in range(len(text))]
            assert document.path(len(text))["offset"].tolist() == path
            assert document.path(len(text), 2)["offset"].tolist() == path[:2]
            wrong = {fault.at.offset for fault in report.faults if fault.kind is not pm.FaultKind.UNTERMINATED}
            wrong |= {fault.partner.offset for fault in report.faults if fault.partner}
            assert set(found["offset"][found["faulty"]].tolist()) == wrong


def test_document_places():
    document = pm.Document("é(\nb)\n")
    assert document.place(5) == pm.Place(5, 2, 2)
    assert [document.line_offset(line) for line in range(5)] == [None, 0, 4, 7, None]
    assert document.read(2, 1) == b"(" and document.partner(2) == 5
    assert document.brackets(3, 3)["offset"].tolist() == [5]
    assert document.nbytes > len(document) == 7


def test_document_settles_in_portions():
    document = pm.Document("(\n" * 200_000, "c")
    document.replace(0, 0, "/*")
    assert not document.settle(1000) and document.settled < len(document)
    assert document.settle() and document.summary().brackets == 0 and document.summary().unterminated == 1


def test_document_faults(raises):
    document = pm.Document("()")
    raises(ValueError, "at: 3; the text has 2 bytes", document.replace, 3, 0)
    raises(ValueError, "removed: 2 bytes at 1", document.replace, 1, 2)
    raises(ValueError, "n: 3 bytes at 0", document.read, 0, 3)
    raises(ValueError, "n: 2 bytes at 1", document.brackets, 1, 2)
    raises(ValueError, "offset: 3", document.path, 3)
    raises(ValueError, "index: -1", document.partner, -1)
    raises(TypeError, "text: int", document.replace, 0, 0, 5)
    assert document.read() == b"()" and document.partner(99) is None
    assert raises(pm.Error, "'xml'", pm.Document, "<a>", "xml").status == pm.Status.UNSUPPORTED


@given(texts)
def test_open_and_suffix(text):
    with pm.Checker("json") as checker:
        checker.push(text)
        left, suffix = checker.open(), checker.suffix()
        assert checker.open(1).brackets == left.brackets[:1] and checker.open(1).depth == left.depth
        _, _, path = brackets_by(text.encode(), "json")
        assert [bracket.at.offset for bracket in left.brackets] == path and left.depth == len(path)
        assert [bracket.byte for bracket in left.brackets] == [text.encode()[i:i + 1] for i in path]
        assert left.offset == len(text.encode()) and (left.inside is pm.Inside.STRING) == (b'"' in suffix)
        state = checker.save()
        before = checker.finish()
        checker.restore(state)
        checker.push(suffix)
        after = checker.finish()
        late = pm.FaultKind.UNMATCHED_OPEN, pm.FaultKind.UNTERMINATED
        assert after.faults == [fault for fault in before.faults if fault.kind not in late]


def test_states(raises):
    checker, other = pm.Checker(), pm.Checker()
    checker.push("(]")
    state = checker.save()
    for ending in ("]", "", ")("):
        checker.push(ending)
        assert checker.finish() == pm.check("(]" + ending)
        checker.restore(state)
    raises(ValueError, "another Checker", other.restore, state)
    raises(TypeError, "CheckState", checker.restore, None)
    raises(TypeError, "Checker.save()", pm.CheckState)
    checker.close()
    raises(ValueError, "used after close()", checker.restore, state)
    with pm.Checker("xml") as checker:
        checker.push("<a><b")
        assert (checker.open().inside, checker.open().brackets[0].length) == (pm.Inside.REGION, 3)
        checker.restore(checker.save())
        checker.push(">")
        assert checker.suffix() == b"</b></a>"


values = strategies.recursive(
    strategies.none() | strategies.booleans() | strategies.integers() | strategies.text(max_size=5),
    lambda inner: strategies.lists(inner, max_size=4) | strategies.dictionaries(strategies.text(max_size=4), inner,
                                                                                max_size=4), max_leaves=25)


def read_by(index, text, value):
    """The value that begins there, read by walking over the index; and where it is by its pointers."""
    kind = index.kind(value)
    if kind is pm.JsonKind.ARRAY:
        return [read_by(index, text, element) for element in index.elements(value)]
    if kind is pm.JsonKind.OBJECT:
        return {json.loads(text[key:index.skip(key)]): read_by(index, text, member)
                for key, member in index.members(value)}
    return json.loads(text[value:index.skip(value)])


def pointers(value, pointer=""):
    yield pointer, value
    items = enumerate(value) if isinstance(value, list) else value.items() if isinstance(value, dict) else ()
    for key, inner in items:
        yield from pointers(inner, f"{pointer}/{str(key).replace('~', '~0').replace('/', '~1')}")


@given(value=values, indent=strategies.sampled_from([None, 1]), ascii=strategies.booleans())
def test_json(value, indent, ascii):
    text = json.dumps(value, indent=indent, ensure_ascii=ascii)
    data, index = text.encode(), pm.Json(text)
    assert read_by(index, data, index.root) == value
    for pointer, inner in pointers(value):
        found = index.pointer(pointer)
        assert json.loads(data[found]) == inner and index.skip(found.start) == found.stop
        if isinstance(inner, (dict, list)):
            assert index.count(found.start) == len(inner)
            assert index.partner(found.start) == found.stop - 1 and index.partner(found.stop - 1) == found.start
    assert index.pointer("/absent/0") is None
    tokens = index.tokens()
    assert index.token_count == len(tokens) and index.tokens(1, len(data)).tolist() == tokens[tokens > 0].tolist()
    assert [index.next_token(token) for token in tokens.tolist()] == tokens.tolist()
    with index:
        index.read(b" 7")
        assert index.root == 1 and index.kind(1) is pm.JsonKind.SCALAR and index.kind(0) is None


@pytest.mark.parametrize("text, kind, at", [
    ("[1, 2}", "KIND_MISMATCH", 5), ("", "MISPLACED", 0), ("[1 2]", "MISPLACED", 3), ("1 2", "TRAILING", 2),
    (b'"\xff"', "BAD_BYTE", 1), ('"a', "UNTERMINATED", 0), ("[[]", "UNMATCHED_OPEN", 0), ("]", "UNMATCHED_CLOSE", 0)])
def test_json_faults(text, kind, at, raises):
    index = pm.Json(b"[]")
    for make in (pm.Json, index.read):
        error = raises(pm.Error, kind.lower().replace("_", " "), make, text)
        assert (error.status, error.fault.kind.name, error.fault.at.offset) == (pm.Status.CORRUPT, kind, at)
    assert index.root is None and index.first(0) is None and index.kind(0) is None


def test_json_bad_arguments(raises):
    index = pm.Json(bytearray(b'{"a": [1]}'))
    assert raises(pm.Error, "'a'", index.pointer, "a").status == pm.Status.INVALID_ARGUMENT
    raises(ValueError, "no array begins at 0", index.elements, 0)
    raises(ValueError, "no object begins at 6", index.members, 6)
    raises(ValueError, "index: -1", index.skip, -1)
    raises(TypeError, "text: list", pm.Json, [])
    walk = index.members(0)
    index.close()
    raises(ValueError, "used after close()", next, walk)


def test_json_holds_its_text(raises):
    text = bytearray(b"[1, 2]")
    index = pm.Json(text)
    raises(BufferError, "export", text.append, 32)
    index.read("[]")
    text.append(32)
