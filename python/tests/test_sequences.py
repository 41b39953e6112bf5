# SPDX-License-Identifier: Apache-2.0
import doctest
import pathlib

import numpy as np
import oracle
import parenmatch as pm
import pytest
from conftest import every_short_sequence, plain, sequences, text_of, words_of
from hypothesis import given, strategies

SIZES = [0, 1, 7, 8, 9, 63, 64, 65, 127, 128, 129, 511, 512, 513, 2047, 2049, 4096, 70_000]


def forms(opens):
    """The same sequence in every form that is taken, with the arguments it takes."""
    text = text_of(opens)
    yield text, {}
    yield text.encode(), {}
    yield bytearray(text.encode()), {}
    yield memoryview(text.encode()), {}
    yield np.array(opens, bool), {}
    yield words_of(opens), {"n": len(opens)}


def test_docstrings():
    result = doctest.testmod(pm._core)
    assert result.attempted > 50 and result.failed == 0


def test_guide():
    guide = pathlib.Path(__file__).parents[2] / "docs/guide/python.md"
    result = doctest.testfile(str(guide), module_relative=False)
    assert result.attempted > 20 and result.failed == 0


def test_every_short_sequence():
    for opens in every_short_sequence(11):
        assert plain(pm.match(text_of(opens))) == oracle.match(opens)


@given(sequences)
def test_match_in_every_form(opens):
    expected = oracle.match(opens)
    for parens, named in forms(opens):
        assert plain(pm.match(parens, **named)) == expected


@pytest.mark.parametrize("n", SIZES)
def test_sizes(n):
    opens = oracle.random_opens(n, n)
    expected = oracle.match(opens)
    for parens, named in forms(opens):
        assert plain(pm.match(parens, **named)) == expected
    assert (pm.pack(text_of(opens)) == pm.pack(np.array(opens, bool))).all()


@given(sequences, strategies.data())
def test_n_takes_a_part(opens, data):
    n = data.draw(strategies.integers(0, len(opens)))
    for parens, _ in forms(opens):
        assert plain(pm.match(parens, n=n)) == oracle.match(opens[:n])
    assert plain(pm.match(text_of(opens) + "€", n=n)) == oracle.match(opens[:n])


def test_booleans_that_are_not_0_or_1():
    strange = np.frombuffer(bytes([2, 0, 128, 0, 255, 0]), np.uint8).view(bool)
    assert plain(pm.match(strange)) == oracle.match([1, 0, 1, 0, 1, 0])


def test_out_is_written_and_returned():
    opens = oracle.random_opens(1, 1000)
    out = np.zeros(1000, np.uint32)
    assert pm.match(words_of(opens), n=1000, out=out) is out
    assert plain(out) == oracle.match(opens)


def test_words_are_not_copied():
    words = words_of([1, 0] * 64)
    words.flags.writeable = False
    assert plain(pm.match(words)) == oracle.match([1, 0] * 64)
    before = words.copy()
    pm.match(words)
    assert (words == before).all()


@given(strategies.lists(strategies.sampled_from("(.)"), max_size=200))
def test_masks(text):
    opens, closes = [c == "(" for c in text], [c == ")" for c in text]
    stack, expected = [], []
    for i, character in enumerate(text):
        expected.append(stack[-1] if stack else None)
        if character == "(":
            stack.append(i)
        elif character == ")" and stack:
            stack.pop()
    assert plain(pm.match_masks(np.array(opens, bool), np.array(closes, bool))) == expected


@given(strategies.lists(sequences, max_size=6), strategies.integers(0, 2), strategies.integers(0, 2))
def test_batch(chunks, before, behind):
    opens = [True] * before + [is_open for chunk in chunks for is_open in chunk] + [False] * behind
    offsets = before + np.cumsum([0, *map(len, chunks)])
    expected = [None] * before + [top for chunk in chunks for top in oracle.match(chunk)] + [None] * behind
    for parens, named in forms(opens):
        assert plain(pm.match_batch(parens, offsets, **named)) == expected
        assert plain(pm.match_batch(parens, offsets.astype(np.uint64), **named)) == expected
    assert plain(pm.match_batch(text_of(opens), offsets[:0])) == [None] * len(opens)


@given(strategies.lists(strategies.tuples(strategies.booleans(), strategies.integers(0, 3)), max_size=200),
       strategies.sampled_from([np.uint8, np.uint16, np.uint32]))
def test_keys(events, dtype):
    keys = np.array([key for _, key in events], dtype) * (np.iinfo(dtype).max // 3)
    stacks, expected = {key: [] for key in range(4)}, []
    for i, (is_open, key) in enumerate(events):
        expected.append(stacks[key][-1] if stacks[key] else None)
        if is_open:
            stacks[key].append(i)
        elif stacks[key]:
            stacks[key].pop()
    assert plain(pm.match_keys(np.array([is_open for is_open, _ in events], bool), keys)) == expected


@given(strategies.lists(sequences, max_size=6))
def test_stream(chunks):
    whole = [is_open for chunk in chunks for is_open in chunk]
    expected = oracle.match(whole)
    with pm.Stream() as stream:
        for _ in range(2):  # the stream is ready again after finish()
            found = [top for chunk in chunks for top in plain(stream.push(text_of(chunk)))]
            assert found == expected
            unmatched = [i for i, mate in enumerate(oracle.partner(whole)) if mate is None]
            opens = sum(whole[i] for i in unmatched)
            assert stream.finish() == pm.Total(len(unmatched) - opens, opens)
