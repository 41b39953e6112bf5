# SPDX-License-Identifier: Apache-2.0
import functools

import numpy as np
import oracle
import parenmatch as pm
import pytest
from conftest import every_short_sequence, plain, sequences, text_of
from hypothesis import given, strategies

VECTORS = ["depth", "parent", "prev_sibling", "next_sibling", "first_child", "subtree_size"]


def check_vectors(opens):
    forest, text = oracle.Forest(opens), text_of(opens)
    match = pm.match(text)
    assert plain(pm.partner(text)) == plain(pm.partner(text, match=match)) == forest.partners
    assert pm.position(text).tolist() == forest.nodes
    for name in VECTORS:
        counts = name in ("depth", "subtree_size")
        value = forest.vector(name)
        by_element = [value[i] if is_open else value[mate] if mate is not None else 0 if counts else None
                      for i, (is_open, mate) in enumerate(zip(opens, forest.partners))]
        by_node = [value[i] if counts or value[i] is None else forest.nodes.index(value[i]) for i in forest.nodes]
        assert plain(getattr(pm, name)(text)) == by_element, name
        assert plain(getattr(pm, name)(text, match=match, by="node")) == by_node, name


def test_every_short_sequence():
    for opens in every_short_sequence(8):
        check_vectors(opens)


@given(strategies.lists(strategies.booleans(), max_size=130))
def test_vectors(opens):
    check_vectors(opens)


@given(sequences)
def test_there_and_back(opens):
    text = text_of(opens)
    nodes = sum(opens)
    depth = pm.depth(text, by="node")
    parens = pm.parens_from_depth(depth)
    assert pm.depth(parens, n=2 * nodes, by="node").tolist() == depth.tolist()
    again, order = pm.parens_from_parent(pm.parent(text, by="node"))
    assert again.tolist() == parens.tolist() and order.tolist() == list(range(nodes))


def test_wrong_vectors(raises):
    error = raises(pm.Error, "entry 2", pm.parens_from_depth, np.array([0, 1, 3], np.uint32))
    assert error.status == pm.Status.INVALID_ARGUMENT
    raises(pm.Error, "entry 1", pm.parens_from_parent, np.array([0, 7], np.uint32))


@pytest.mark.parametrize("monoid, dtype, product", [
    ("sum", np.int64, int.__add__), ("sum", np.uint64, int.__add__), ("sum", np.float64, float.__add__),
    ("max", np.int64, max), ("max", np.float64, max)])
@given(opens=strategies.lists(strategies.booleans(), max_size=100))
def test_scans(monoid, dtype, product, opens):
    forest, text = oracle.Forest(opens), text_of(opens)
    value = {node: (7 * node) % 31 for node in forest.nodes}
    values = np.array(list(value.values()), dtype)
    fold = functools.partial(functools.reduce, product)
    cast = float if dtype is np.float64 else int
    down = [fold([cast(value[k]) for k in reversed(forest.path(i))]) for i in forest.nodes]
    up = [fold([cast(value[k]) for k in forest.below[i]]) for i in forest.nodes]
    out = np.empty_like(values)
    assert pm.tree_scan_down(text, values, monoid, out=out) is out
    assert out.tolist() == down
    assert pm.tree_reduce_up(text, values, monoid).tolist() == up
    if monoid == "sum":
        above = [a - v for a, v in zip(down, values.tolist())]
        assert pm.tree_scan_down(text, values, monoid, inclusive=False).tolist() == above


def test_scans_of_boxes_and_transforms():
    box = np.array([[0, 0, 4, 4], [1, 1, 9, 9]], np.float32)
    assert pm.tree_scan_down("(())", box, "box_intersection")[1].tolist() == [1, 1, 4, 4]
    assert pm.tree_reduce_up("(())", box, "box_union")[0].tolist() == [0, 0, 9, 9]
    double, move = np.eye(3, 4, dtype=np.float32) * 2, np.eye(3, 4, dtype=np.float32)
    move[:, 3] = 1, 2, 3
    product = pm.tree_scan_down("(())", np.stack([double, move]), "affine")[1]
    assert product[:, 3].tolist() == [2, 4, 6] and product[0, 0] == 2


def boxes_of(kinds, boxes):
    """A scene by its definition: leaves and clips under all clips above, blends as unions, ends as what they close."""
    empty, everything = (0.0,) * 4, (-np.inf, -np.inf, np.inf, np.inf)
    result, stack = [empty] * len(kinds), []

    def clip(a, b):
        x0, y0, x1, y1 = max(a[0], b[0]), max(a[1], b[1]), min(a[2], b[2]), min(a[3], b[3])
        return (x0, y0, x1, y1) if x0 < x1 and y0 < y1 else empty

    def unite(a, b):
        return a if b == empty else b if a == empty else (min(a[0], b[0]), min(a[1], b[1]), max(a[2], b[2]),
                                                          max(a[3], b[3]))
    for i, kind in enumerate(kinds):
        clips = functools.reduce(clip, [result[k] for k in stack if kinds[k] == pm.CLIP], everything)
        if kind in (pm.LEAF, pm.CLIP):
            result[i] = clip(clips, clip(everything, boxes[i]))
        if kind == pm.LEAF:
            for k in stack:
                result[k] = unite(result[k], result[i]) if kinds[k] == pm.BLEND else result[k]
        if kind in (pm.CLIP, pm.BLEND):
            stack.append(i)
        if kind == pm.END and stack:
            result[i] = stack.pop()
    return [result[r] if isinstance(r, int) else r for r in result]


@given(strategies.lists(strategies.tuples(strategies.integers(0, 3), strategies.tuples(
    *[strategies.integers(0, 9)] * 4)), max_size=60))
def test_boxes(scene):
    kinds = np.array([kind for kind, _ in scene], np.uint8)
    boxes = np.array([box for _, box in scene], np.float32).reshape(-1, 4)
    expected = np.array(boxes_of(kinds.tolist(), boxes.tolist()), np.float32).reshape(-1, 4)
    assert pm.boxes(kinds, boxes).tolist() == expected.tolist()
    assert pm.boxes(kinds, boxes, out=boxes) is boxes
    assert boxes.tolist() == expected.tolist()
