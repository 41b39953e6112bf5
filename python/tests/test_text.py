# SPDX-License-Identifier: Apache-2.0
import mmap

import numpy as np
import parenmatch as pm
import pytest
from hypothesis import given, strategies

PAIRS = "()[]{}"


def faults_of(text):
    """(kind, offset, offset of the open) of each fault, with a plain stack."""
    stack, found = [], []
    for i, character in enumerate(text):
        kind = PAIRS.find(character)
        if kind >= 0 and kind % 2 == 0:
            stack.append(i)
        elif kind >= 0 and not stack:
            found.append((pm.FaultKind.UNMATCHED_CLOSE, i, None))
        elif kind >= 0:
            top = stack.pop()
            if PAIRS.index(text[top]) != kind - 1:
                found.append((pm.FaultKind.KIND_MISMATCH, i, top))
    return found + [(pm.FaultKind.UNMATCHED_OPEN, i, None) for i in stack]


def key(fault):
    return fault[0] is pm.FaultKind.UNMATCHED_OPEN, fault[1]


@given(strategies.lists(strategies.text(PAIRS + "a\n", max_size=40), max_size=5))
def test_check_and_checker(chunks):
    text = "".join(chunks)
    report = pm.check(text)
    found = [(f.kind, f.at.offset, f.partner.offset if f.partner else None) for f in report.faults]
    assert sorted(found, key=key) == sorted(faults_of(text), key=key)
    assert report.ok == bool(report) == (not found)
    assert report.bytes == len(text) and report.brackets == sum(c in PAIRS for c in text)
    for fault in report.faults:
        before = text[:fault.at.offset]
        assert (fault.at.line, fault.at.column) == (before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1)
    with pm.Checker() as checker:
        for _ in range(2):
            for chunk in chunks:
                checker.push(chunk)
            assert checker.finish() == report


@given(strategies.text("()[]a\n", max_size=12))
def test_mistakes(text):
    plain, report = pm.check(text), pm.check(text, repairs=True)
    assert len(report.faults) <= len(plain.faults) and bool(report.faults) == bool(plain.faults)
    assert all(fault.repair is None for fault in plain.faults)
    for fault in report.faults:
        assert text[fault.at.offset] in PAIRS
    if len(report.faults) == 1 and report.faults[0].repair:
        repair = report.faults[0].repair
        behind = repair.at.offset + (repair.kind is not pm.RepairKind.INSERT)
        added = "" if repair.kind is pm.RepairKind.REMOVE else repair.byte.decode()
        assert pm.check(text[:repair.at.offset] + added + text[behind:]).ok


def moved(fault, text, begin, record):
    place = lambda at: pm.Place(begin + at.offset, text[:begin + at.offset].count("\n") + 1,
                                begin + at.offset - text.rfind("\n", 0, begin + at.offset))
    return pm.Fault(fault.kind, place(fault.at), fault.length, fault.partner and place(fault.partner), record)


@given(strategies.lists(strategies.text(PAIRS + 'a"\\', max_size=30), max_size=8), strategies.booleans(),
       strategies.sampled_from(["text", "json", "c", "python"]))
def test_records(records, ends, language):
    text = "".join(record + "\n" for record in records)
    text = text if ends else text[:-1]
    alone = records if ends or (records and records[-1]) else records[:-1]
    begins = [sum(len(record) + 1 for record in alone[:r]) for r in range(len(alone))]
    faults, bad, brackets = [], 0, 0
    for number, (record, begin) in enumerate(zip(alone, begins)):
        report = pm.check(record, language)
        faults += [moved(fault, text, begin, number) for fault in report.faults]
        bad += not report
        brackets += report.brackets
    report = pm.check(text, language, records="\n")
    assert (report.faults, report.records, report.bad_records, report.brackets) == (faults, len(alone), bad, brackets)
    with pm.Checker(language, records=b"\n") as checker:
        for character in text:
            checker.push(character)
        assert checker.finish() == report
    offsets = np.array([*begins, len(text)])
    if len(alone):
        by_offsets = pm.check(text, language, records=offsets)
        assert by_offsets.records == len(alone) and by_offsets.brackets == brackets


def test_records_by_offsets(raises):
    report = pm.check("[1][2}(", "text", records=np.array([0, 3, 6, 6, 7]))
    assert [(str(fault), fault.record) for fault in report.faults] == [
        ("1:6: kind mismatch, its open is at 1:4", 1), ("1:7: unmatched open", 3)]
    assert (report.records, report.bad_records) == (4, 2)
    raises(ValueError, "entry 1 is 9", pm.check, "[]", "json", records=np.array([0, 9]))
    raises(ValueError, "from 0 on", pm.check, "[]", "json", records=np.array([1, 2]))
    raises(ValueError, "separator of one byte", pm.check, "[]", "json", records="ab")


def test_languages():
    assert {"text", "json", "c", "xml"} <= set(pm.languages())
    assert not pm.check('{"a": "]"', "json")
    assert pm.check('{"a": "]"}', "json")
    for name in pm.languages():
        assert pm.check("", name).ok and repr(pm.Language(name)) == f"Language({name!r})"


def test_offsets_count_bytes_of_utf8():
    text = "é(€]"
    fault, = pm.check(text).faults
    assert (fault.at, fault.partner.offset) == (pm.Place(6, 1, 7), 2)
    assert pm.check(text.encode()) == pm.check(text)
    assert pm.brackets(text).positions.tolist() == [2, 6]


def test_rules(raises):
    pascal = pm.Language.from_rules("pair begin end\nline //", "mine")
    assert pascal.name == "mine"
    assert pm.check("begin // end\nend", pascal)
    report = pm.check("begin end end", pascal)
    assert [(f.kind.name, f.at.offset, f.length) for f in report.faults] == [("UNMATCHED_CLOSE", 10, 3)]
    found = pm.brackets("begin begin end", pascal)
    assert (found.n, found.positions.tolist(), found.lengths.tolist()) == (3, [0, 6, 12], [5, 5, 3])
    assert pm.match(found.parens, n=found.n).tolist() == [pm.NONE, 0, 1]
    raises(pm.Error, "line 2", pm.Language.from_rules, "pair a b\nnonsense")


@given(strategies.text(PAIRS + "a", max_size=200))
def test_brackets(text):
    found = pm.brackets(text)
    places = [i for i, character in enumerate(text) if character in PAIRS]
    assert found.positions.tolist() == places and found.n == len(places)
    assert found.lengths.tolist() == [1] * len(places)
    bits = np.unpackbits(found.parens.view(np.uint8), bitorder="little")[:found.n]
    assert bits.tolist() == [text[i] in "([{" for i in places]
    square = pm.brackets(text, pairs="[]")
    assert square.positions.tolist() == [i for i, character in enumerate(text) if character in "[]"]
    assert not square.kinds.any()


def test_buffers(tmp_path):
    text = b"(]" * 5000
    (tmp_path / "file").write_bytes(text)
    with open(tmp_path / "file", "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
        assert pm.check(mapped) == pm.check(text) == pm.check(bytearray(text)) == pm.check(np.frombuffer(text, "u1"))
    assert pm.check(text).mismatched == 5000


def test_bad_arguments(raises):
    raises(ValueError, "'klingon' is unknown", pm.check, "", "klingon")
    raises(TypeError, "text: int", pm.check, 5)
    raises(TypeError, "language: int", pm.check, "", 5)
    raises(ValueError, "contiguous", pm.check, memoryview(b"()()")[::2])
    raises(ValueError, "delimiters of its own", pm.brackets, "", "xml", pairs="()")
    raises(pm.Error, "pairs", pm.brackets, "", pairs="(")
    raises(UnicodeEncodeError, "surrogates", pm.check, "\ud800")


@pytest.mark.parametrize("kind, best", [("all", None), ("longest", len), ("leftmost_longest", len),
                                        ("leftmost_first", None)])
@given(patterns=strategies.lists(strategies.text("ab", min_size=1, max_size=4), max_size=6, unique=True),
       text=strategies.text("abc", max_size=60))
def test_find(kind, best, patterns, text):
    hits = [(i, len(pattern), k) for i in range(len(text)) for k, pattern in enumerate(patterns)
            if text.startswith(pattern, i)]
    if kind != "all":
        order = (lambda hit: -hit[1]) if best else (lambda hit: hit[2])
        hits = [min((hit for hit in hits if hit[0] == i), key=order) for i in sorted({hit[0] for hit in hits})]
    if kind.startswith("leftmost"):
        end, kept = 0, []
        for hit in hits:
            if hit[0] >= end:
                kept.append(hit)
                end = hit[0] + hit[1]
        hits = kept
    with pm.Dictionary(patterns) as words:
        assert words.find(text, kind).tolist() == hits and len(words) == len(patterns)
    assert pm.find([pattern.encode() for pattern in patterns], text.encode(), kind).tolist() == hits


def test_find_more_hits_than_room():
    assert pm.find(["a"], "a" * 10_000)["start"].tolist() == list(range(10_000))
    assert len(pm.find(["A", "Aa"], "aA" * 5000, ignore_case=True)) == 19_999


def test_dictionary_file_and_faults(tmp_path, raises):
    pm.Dictionary(["one", b"two"]).save(tmp_path / "words")
    assert pm.Dictionary.load(tmp_path / "words").find("two")["pattern"].tolist() == [1]
    assert raises(pm.Error, "absent", pm.Dictionary.load, tmp_path / "absent").status == pm.Status.IO
    raises(pm.Error, "twice", pm.Dictionary, ["a", "a"])
    raises(pm.Error, "empty", pm.Dictionary, [""])
    raises(TypeError, "str; expected a list", pm.Dictionary, "abc")
    raises(TypeError, "patterns[1]: int", pm.Dictionary, ["a", 1])
    raises(ValueError, "'some'", pm.find, ["a"], "a", "some")
