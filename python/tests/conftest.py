# SPDX-License-Identifier: Apache-2.0
import itertools

import hypothesis
import numpy as np
import pytest
from hypothesis import strategies

hypothesis.settings.register_profile("parenmatch", deadline=None, max_examples=100, derandomize=True, database=None)
hypothesis.settings.load_profile("parenmatch")

sequences = strategies.one_of(
    strategies.lists(strategies.booleans(), max_size=300),
    strategies.lists(strategies.tuples(strategies.booleans(), strategies.integers(1, 80)), max_size=12).map(
        lambda runs: [is_open for is_open, length in runs for _ in range(length)]))


def every_short_sequence(most):
    return itertools.chain.from_iterable(itertools.product((False, True), repeat=n) for n in range(most + 1))


def text_of(opens):
    return "".join("(" if is_open else ")" for is_open in opens)


def words_of(opens):
    """Packed by NumPy, with rubbish behind the end."""
    bits = np.ones((len(opens) + 63) // 64 * 64, np.uint8)
    bits[:len(opens)] = opens
    return np.packbits(bits, bitorder="little").view(np.uint64)


def plain(array):
    """A list with None where nothing is found."""
    nothing = -1 if array.dtype == np.int64 else np.iinfo(array.dtype).max
    return [None if value == nothing else value for value in array.tolist()]


@pytest.fixture
def raises():
    """raises(EXCEPTION, TEXT, CALL): the call raises that, and its message has that text."""
    def check(exception, text, call, *arguments, **named):
        with pytest.raises(exception) as caught:
            call(*arguments, **named)
        assert text in str(caught.value)
        return caught.value
    return check
