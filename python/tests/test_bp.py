# SPDX-License-Identifier: Apache-2.0
import gc

import numpy as np
import oracle
import parenmatch as pm
import pytest
from conftest import every_short_sequence, plain, text_of, words_of
from hypothesis import given, strategies


def answers(opens):
    """(query, arguments, answer) of every query, for every element and one behind the end."""
    forest = oracle.Forest(opens)
    tops, n = oracle.match(opens), len(opens)
    unmatched = [i for i, mate in enumerate(forest.partners) if mate is None]
    lists = {"select_open": forest.nodes, "select_close": [i for i in range(n) if not opens[i]],
             "select_unmatched_open": [i for i in unmatched if opens[i]][::-1],
             "select_unmatched_close": [i for i in unmatched if not opens[i]]}
    for i in range(n + 1):
        is_node = i < n and bool(opens[i])
        mate = forest.partners[i] if i < n else None
        yield "rank_open", (i,), sum(opens[:i])
        yield "rank_close", (i,), i - sum(opens[:i])
        yield "excess", (i,), 2 * sum(opens[:i + 1]) - len(opens[:i + 1])
        yield "find_close", (i,), mate if is_node else None
        yield "find_open", (i,), None if is_node else mate
        yield "enclose", (i,), tops[i] if i < n else None
        for name, places in lists.items():
            yield name, (i,), places[i] if i < len(places) else None
        children = forest.children[i] if is_node else []
        for name in ("depth", "parent", "prev_sibling", "next_sibling", "first_child"):
            yield name, (i,), forest.vector(name)[i] if is_node else None
        yield "last_child", (i,), children[-1] if children else None
        yield "is_leaf", (i,), is_node and not children
        yield "subtree_size", (i,), len(forest.below[i]) if is_node else 0
        yield "degree", (i,), len(children)
        yield "preorder_rank", (i,), forest.nodes.index(i) if is_node else None
        path = forest.path(i) if is_node else []
        for k in range(n + 1):
            is_other = k < n and bool(opens[k])
            yield "child", (i, k), children[k] if k < len(children) else None
            yield "level_ancestor", (i, k), path[k] if k < len(path) else None
            yield "lca", (i, k), forest.lca(i, k) if is_node and is_other else None
            yield "is_ancestor", (k, i), is_other and k in path


def check(opens, tree):
    assert len(tree) == len(opens)
    by_query = {}
    for name, arguments, expected in answers(opens):
        found = getattr(tree, name)(*arguments)
        assert found == expected and type(found) is type(expected), (name, arguments)
        by_query.setdefault(name, []).append((arguments, expected))
    for name, rows in by_query.items():
        for dtype in (np.int64, np.uint64):
            columns = [np.array(column, dtype) for column in zip(*(arguments for arguments, _ in rows))]
            found = getattr(tree, name)(*columns)
            expected = [value for _, value in rows]
            assert (plain(found) if None in expected else found.tolist()) == expected, name


def test_every_short_sequence():
    for opens in every_short_sequence(5):
        check(opens, pm.BP(text_of(opens)))
        check(opens, pm.Edit(text_of(opens)))


def shifted(name, arguments, answer, offset, opens_before, closes_before, opens):
    """What an index of many sequences answers of one of them that begins at offset."""
    moved = {"rank_open": opens_before, "rank_close": closes_before, "preorder_rank": opens_before}
    if name in ("excess", "depth", "is_leaf", "subtree_size", "degree", "is_ancestor") or answer is None:
        return answer
    return answer + moved.get(name, offset)


def check_batch(chunks, before):
    opens = before + [is_open for chunk in chunks for is_open in chunk]
    offsets = len(before) + np.cumsum([0, *map(len, chunks)])
    tree = pm.BP(text_of(opens), offsets=offsets)
    assert len(tree) == (len(opens) if chunks else 0)
    for number, chunk in enumerate(chunks):
        offset = int(offsets[number])
        opens_before = sum(opens[:offset])
        for name, arguments, answer in answers(chunk):
            of_the_whole = name.startswith("select_") or arguments[0] >= len(chunk)
            if of_the_whole or (name in ("lca", "is_ancestor") and max(arguments) >= len(chunk)):
                continue
            places = [offset + arguments[0], *arguments[1:]]
            if name in ("lca", "is_ancestor"):
                places[1] += offset
            expected = shifted(name, arguments, answer, offset, opens_before, offset - opens_before, opens)
            assert getattr(tree, name)(*places) == expected, (name, places)
        for i in range(len(chunk)):
            assert tree.sequence_of(offset + i) == number
    assert tree.sequence_of(len(opens)) is None
    assert [tree.sequence_of(i) for i in range(len(before))] == [None] * len(before)


@given(strategies.lists(strategies.lists(strategies.booleans(), max_size=12), max_size=6),
       strategies.lists(strategies.booleans(), max_size=3))
def test_batch(chunks, before):
    check_batch(chunks, before)


def test_batch_of_every_short_sequence():
    check_batch(list(every_short_sequence(4)), [])


def test_batch_arguments(raises, tmp_path):
    assert len(pm.BP("", offsets=np.array([], np.int64))) == 0
    offsets = np.array([0, 2, 4])
    tree = pm.BP("()()", offsets=offsets)
    offsets[:] = 0  # of which the index has a copy
    assert tree.find_close(2) == 3 and tree.next_sibling(0) is None and pm.BP("(())").sequence_of(3) == 0
    raises(ValueError, "entry 1 is 5", pm.BP, "()()", offsets=np.array([0, 5]))
    raises(ValueError, "entry 2 is 1", pm.BP, "()()", offsets=np.array([0, 2, 1]))
    raises(TypeError, "float64", pm.BP, "()()", offsets=np.array([0.0, 2.0]))
    raises(pm.Error, "BP.save", tree.save, tmp_path / "index")


def bits(words, n):
    return np.unpackbits(words.view(np.uint8), bitorder="little")[:n].astype(bool).tolist()


@given(strategies.lists(strategies.booleans(), max_size=70), strategies.lists(strategies.tuples(
    strategies.floats(0, 1), strategies.floats(0, 1), strategies.lists(strategies.booleans(), max_size=70)), max_size=5))
def test_edits(opens, changes):
    edit = pm.Edit(text_of(opens))
    for where, share, inserted in changes:
        before, snapshot = list(opens), edit.snapshot()
        at = int(where * len(opens))
        removed = int(share * (len(opens) - at))
        opens = opens[:at] + inserted + opens[at + removed:]
        edit.replace(at, removed, text_of(inserted))
        assert bits(edit.read(), len(opens)) == opens
        assert bits(edit.read(at), len(opens) - at) == opens[at:]
        assert edit.read(0, at).tolist() == pm.pack(text_of(opens[:at])).tolist()
        assert plain(edit.enclose(np.arange(len(opens)))) == oracle.match(opens)
        assert bits(snapshot.read(), len(before)) == before
    assert edit.nbytes > 0


def test_bad_edits(raises):
    edit = pm.Edit("(())")
    raises(ValueError, "5, 0; the sequence has 4", edit.replace, 5, 0)
    raises(ValueError, "2, 3; the sequence has 4", edit.replace, 2, 3)
    raises(ValueError, "-1", edit.replace, -1, 0)
    raises(ValueError, "'x' at 0", edit.replace, 0, 0, "x")
    raises(ValueError, "at: 5", edit.read, 5)
    raises(ValueError, "n: 3", edit.read, 2, 3)
    assert bits(edit.read(), 4) == [True, True, False, False]


@given(strategies.lists(strategies.booleans(), min_size=60, max_size=70))
def test_queries_across_words(opens):
    tree, forest = pm.BP(text_of(opens)), oracle.Forest(opens)
    i = np.arange(len(opens))
    assert plain(tree.enclose(i)) == oracle.match(opens)
    assert plain(tree.lca(i, 0)) == [forest.lca(k, 0) if opens[k] and opens[0] else None for k in i]
    assert plain(tree.lca(0, i)) == plain(tree.lca(i, 0))
    assert tree.is_ancestor(i, i).tolist() == list(map(bool, opens))


def test_long_sequence():
    opens = oracle.random_opens(3, 100_000)
    tree = pm.BP(words_of(opens), n=len(opens))
    i = np.arange(len(opens)).reshape(100, 1000)
    partner = oracle.partner(opens)
    assert tree.find_close(i).shape == i.shape
    assert plain(tree.enclose(i.ravel())) == oracle.match(opens)
    assert plain(tree.find_close(i.ravel())) == [mate if o else None for o, mate in zip(opens, partner)]
    assert plain(tree.find_open(i.ravel())) == [None if o else mate for o, mate in zip(opens, partner)]
    assert 0 < tree.nbytes < 100_000 / 8


def test_words_are_kept_alive():
    opens = oracle.random_opens(4, 200_000)
    expected = oracle.match(opens)
    tree = pm.BP(words_of(opens), n=len(opens))
    gc.collect()
    rubbish = [np.full(3125, 0x5555555555555555, np.uint64) for _ in range(100)]
    assert plain(tree.enclose(np.arange(len(opens)))) == expected and rubbish


def test_save_and_load(tmp_path, raises):
    opens = oracle.random_opens(5, 5000)
    words = words_of(opens)
    pm.BP(words, n=5000).save(tmp_path / "index")
    tree = pm.BP.load(tmp_path / "index", words, n=5000)
    assert plain(tree.enclose(np.arange(5000))) == oracle.match(opens)
    assert raises(pm.Error, "index", pm.BP.load, tmp_path / "index", words, n=4999).status == pm.Status.CORRUPT
    assert raises(pm.Error, "absent", pm.BP.load, tmp_path / "absent", words).status == pm.Status.IO


@pytest.mark.parametrize("bad", [-1, 2**64 - 1, 2**70])
def test_index_outside_64_bits(bad, raises):
    raises(ValueError, str(bad), pm.BP("()").find_close, bad)


def test_bad_indices(raises):
    tree = pm.BP("(())")
    raises(TypeError, "float64", tree.find_close, np.zeros(2))
    raises(TypeError, "int32", tree.find_close, np.zeros(2, np.int32))
    raises(ValueError, "contiguous", tree.find_close, np.zeros(4, np.int64)[::2])
    raises(ValueError, "shapes", tree.lca, np.zeros(2, np.int64), np.zeros(3, np.int64))
    raises(TypeError, "float", tree.find_close, 1.5)
    assert plain(tree.find_close(np.array([-1, 0]))) == [None, 3]
