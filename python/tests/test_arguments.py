# SPDX-License-Identifier: Apache-2.0
"""Bad arguments, and objects that are closed."""
import pickle

import numpy as np
import parenmatch as pm
import pytest


@pytest.mark.parametrize("parens, exception, what", [
    ("(()x)", ValueError, "'x' at 3"), ("(€", ValueError, "'€' at 1"), (b"(\xff", ValueError, "'ÿ' at 1"),
    ("(" * 600 + "[", ValueError, "'[' at 600"),
    (np.zeros(3, np.int8), TypeError, "int8"), (np.zeros(3, ">u8"), TypeError, "dtype >u8"),
    (np.zeros(3, object), TypeError, "object"), (np.zeros((2, 2), bool), ValueError, "2 dimensions"),
    (np.zeros(6, bool)[::2], ValueError, "contiguous"), (np.zeros(6, np.uint64)[::-1], ValueError, "contiguous"),
    (np.zeros(17, np.uint8)[1:].view(np.uint64), ValueError, "aligned"),
    (memoryview(b"()()")[::2], ValueError, "contiguous"),
    ([True, False], TypeError, "list"), (None, TypeError, "NoneType"), (5, TypeError, "int")])
def test_sequences(parens, exception, what, raises):
    for function in (pm.match, pm.BP, pm.depth, pm.pack, pm.position, pm.Stream().push):
        raises(exception, what, function, parens)


@pytest.mark.parametrize("n", [-1, 3, 2**64, 2**32 - 1])
def test_n_outside(n, raises):
    raises(ValueError, f"n: {n}", pm.match, "()", n=n)


def test_n_of_another_type(raises):
    raises(TypeError, "float", pm.match, "()", n=1.0)
    assert len(pm.match("()", n=np.int8(1))) == 1


def test_too_large(raises):
    words = np.zeros(2**26, np.uint64)  # not touched
    for function in (pm.match, pm.depth, pm.position, pm.partner):
        assert raises(pm.Error, "2**32 - 1", function, words).status == pm.Status.TOO_LARGE
    raises(pm.Error, "2**32 - 1", pm.match_masks, words, words)
    raises(pm.Error, "2**32 - 1", pm.tree_scan_down, words, np.zeros(1))


def test_out(raises):
    words = pm.pack("()" * 64)
    raises(TypeError, "int64; expected uint32", pm.match, words, out=np.zeros(128, np.int64))
    raises(TypeError, "list", pm.match, words, out=[0] * 128)
    raises(ValueError, "length 127", pm.match, words, out=np.zeros(127, np.uint32))
    raises(ValueError, "contiguous", pm.match, words, out=np.zeros(256, np.uint32)[::2])
    fixed = np.zeros(128, np.uint32)
    fixed.flags.writeable = False
    raises(ValueError, "read-only", pm.match, words, out=fixed)
    shared = np.zeros(65, np.uint64)
    raises(ValueError, "overlaps parens", pm.match, shared[63:], out=shared[:64].view(np.uint32))
    pm.match(shared[64:], out=shared[:32].view(np.uint32))
    raises(ValueError, "overlaps parens", pm.Stream().push, shared, n=65, out=shared.view(np.int64))


def test_vectors(raises):
    raises(ValueError, "match: length 1", pm.depth, "()", match=np.zeros(1, np.uint32))
    raises(TypeError, "match: dtype int64", pm.partner, "()", match=np.zeros(2, np.int64))
    raises(ValueError, "by: 'row'", pm.depth, "()", by="row")
    raises(ValueError, "by: []", pm.depth, "()", by=[])
    raises(pm.Error, "INVALID_ARGUMENT", pm.depth, "(())", match=np.full(4, 9, np.uint32))
    raises(ValueError, "closes: length 1", pm.match_masks, "()", ")")
    raises(pm.Error, "open and close", pm.match_masks, "((", "((")


def test_batch_and_keys(raises):
    raises(ValueError, "entry 1 is 7", pm.match_batch, "()", np.array([0, 7]))
    raises(ValueError, "entry 2 is 0", pm.match_batch, "()", np.array([0, 2, 0]))
    raises(ValueError, "entry 0 is -1", pm.match_batch, "()", np.array([-1, 2]))
    raises(TypeError, "offsets: list", pm.match_batch, "()", [0, 2])
    raises(TypeError, "offsets: dtype int32", pm.match_batch, "()", np.array([0, 2], np.int32))
    raises(ValueError, "keys: length 1", pm.match_keys, "()", np.zeros(1, np.uint8))
    raises(TypeError, "keys: uint64", pm.match_keys, "()", np.zeros(2, np.uint64))
    raises(TypeError, "keys: list", pm.match_keys, "()", [1, 2])


def test_scans(raises):
    raises(ValueError, "monoid: 'product'", pm.tree_scan_down, "()", np.zeros(1), "product")
    raises(TypeError, "'sum' takes", pm.tree_scan_down, "()", np.zeros(1, np.int32))
    raises(TypeError, "('n', 4)", pm.tree_scan_down, "()", np.zeros((1, 3), np.float32), "box_union")
    raises(ValueError, "values: length 2; expected 1", pm.tree_scan_down, "()", np.zeros(2))
    raises(ValueError, "contiguous", pm.tree_reduce_up, "()()", np.zeros(4)[::2])
    raises(TypeError, "list", pm.tree_scan_down, "()", [1])
    raises(TypeError, ">f8", pm.tree_scan_down, "()", np.zeros(1, ">f8"))
    values = np.zeros(2)
    raises(ValueError, "overlaps values", pm.tree_reduce_up, "()()", values, out=values)


def test_boxes(raises):
    kinds, boxes = np.zeros(2, np.uint8), np.zeros((2, 4), np.float32)
    raises(ValueError, "length 1; expected 2", pm.boxes, kinds, boxes[:1])
    raises(ValueError, "shape (2, 3)", pm.boxes, kinds, np.zeros((2, 3), np.float32))
    raises(TypeError, "float64", pm.boxes, kinds, boxes.astype(float))
    raises(pm.Error, "above 3", pm.boxes, kinds + np.uint8(4), boxes)
    room = np.zeros((3, 4), np.float32)
    raises(ValueError, "overlaps boxes", pm.boxes, kinds, room[1:], out=room[:2])


@pytest.mark.parametrize("make, use", [
    (lambda: pm.BP("()"), lambda tree: tree.find_close(0)), (lambda: pm.BP("()"), lambda tree: tree.lca(0, 0)),
    (lambda: pm.BP("()"), lambda tree: tree.find_close(np.arange(2))), (lambda: pm.BP("()"), len),
    (lambda: pm.BP("()"), lambda tree: tree.save("absent/file")),
    (lambda: pm.Edit("()"), lambda edit: edit.replace(0, 1)), (lambda: pm.Edit("()"), lambda edit: edit.lca(0, 0)),
    (lambda: pm.Edit("()"), lambda edit: edit.read()), (lambda: pm.Edit("()"), lambda edit: edit.snapshot()),
    (pm.Stream, lambda stream: stream.push("()")), (pm.Stream, lambda stream: stream.finish()),
    (pm.Checker, lambda checker: checker.push("()")), (pm.Checker, lambda checker: checker.finish()),
    (pm.Checker, lambda checker: checker.open()), (pm.Checker, lambda checker: checker.save()),
    (pm.Document, lambda document: document.replace(0, 0, "(")), (pm.Document, lambda document: document.partner(0)),
    (pm.Document, lambda document: document.report()), (pm.Document, lambda document: document.brackets()),
    (pm.Document, lambda document: document.place(0)), (pm.Document, len),
    (lambda: pm.Json("[]"), lambda index: index.skip(0)), (lambda: pm.Json("[]"), lambda index: index.root),
    (lambda: pm.Json("[]"), lambda index: index.tokens()), (lambda: pm.Json("[]"), lambda index: index.read("[]")),
    (lambda: pm.Dictionary(["a"]), lambda words: words.find("a")), (lambda: pm.Dictionary(["a"]), len)])
def test_closed(make, use, raises):
    thing = make()
    with thing:
        try:
            use(thing)
        except pm.Error as error:
            assert error.status == pm.Status.IO
    thing.close()
    raises(ValueError, "used after close()", use, thing)
    raises(ValueError, "used after close()", thing.__enter__)
    raises(ValueError, "not made", use, type(thing).__new__(type(thing)))
    if type(thing) is not pm.Stream:
        raises(ValueError, "made twice", thing.__init__, "()")


def test_errors_pass_between_processes():
    error = pickle.loads(pickle.dumps(pm.Error(3, "too much")))
    assert (error.status, str(error), error.fault) == (pm.Status.TOO_LARGE, "too much", None)
    with pytest.raises(pm.Error) as caught:
        pm.Json("[")
    assert pickle.loads(pickle.dumps(caught.value)).fault == caught.value.fault
