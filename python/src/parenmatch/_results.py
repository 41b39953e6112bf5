# SPDX-License-Identifier: Apache-2.0
"""What calls return and raise."""
import enum
from dataclasses import dataclass, field
from typing import Any, List, NamedTuple, Optional

import numpy as np
import numpy.typing as npt


class Status(enum.IntEnum):
    """Why the C library refused a call; the names of its ``pm_status``."""

    INVALID_ARGUMENT = 1
    OUT_OF_MEMORY = 2
    TOO_LARGE = 3
    UNSUPPORTED = 4
    NO_DEVICE = 5
    DEVICE_LOST = 6
    IO = 7
    CORRUPT = 8


class Error(Exception):
    """A call that the C library refused, with the reason in ``status``. ``fault``: what is wrong with a JSON text."""

    def __init__(self, status: int, what: str, fault: Optional["Fault"] = None) -> None:
        super().__init__(what)
        self.status = Status(status)
        self.fault = fault

    def __reduce__(self) -> Any:  # with all arguments, so that it passes between processes
        return Error, (int(self.status), str(self), self.fault)


class Total(NamedTuple):
    """What a sequence leaves: its unmatched closes and opens."""

    closes: int
    opens: int


class FaultKind(enum.Enum):
    """What is wrong at a place of a text."""

    UNMATCHED_CLOSE = 0
    UNMATCHED_OPEN = 1
    KIND_MISMATCH = 2
    UNTERMINATED = 3
    MISPLACED = 4
    TRAILING = 5
    BAD_BYTE = 6


class Place(NamedTuple):
    """A place in a text: its offset in bytes, its line and its column in bytes, both from 1."""

    offset: int
    line: int
    column: int


class RepairKind(enum.Enum):
    """What a repair does with its bracket."""

    INSERT = 0
    REMOVE = 1
    REPLACE = 2


class Repair(NamedTuple):
    """A probable change of a text: the bracket, and where. ``new_line``: in a line of its own before ``at``."""

    kind: RepairKind
    at: Place
    byte: bytes
    new_line: bool
    certain: bool


class Fault(NamedTuple):
    """One fault of a text. ``partner`` is the open that a close of another kind closes; ``record`` counts from 0;
    ``repair`` is set if mistakes were asked for."""

    kind: FaultKind
    at: Place
    length: int
    partner: Optional[Place]
    record: int = 0
    repair: Optional[Repair] = None

    def __str__(self) -> str:
        what = f"{self.at.line}:{self.at.column}: {self.kind.name.lower().replace('_', ' ')}"
        return what + (f", its open is at {self.partner.line}:{self.partner.column}" if self.partner else "")


@dataclass(frozen=True)
class Summary:
    """The totals of a text. They are true if the text has no fault. ``records``: 0 in a text without records."""

    bytes: int
    lines: int
    brackets: int
    max_depth: int
    unmatched: Total
    mismatched: int
    unterminated: int
    records: int
    bad_records: int

    @property
    def ok(self) -> bool:
        """Whether the text has no fault."""
        return not (any(self.unmatched) or self.mismatched or self.unterminated)

    def __bool__(self) -> bool:
        return self.ok


@dataclass(frozen=True)
class Report(Summary):
    """The totals of a text and its faults. A report is true if the text has no fault."""

    faults: List[Fault] = field(repr=False)


class Inside(enum.Enum):
    """What a text ends in that is still arriving."""

    CODE = 0
    STRING = 1
    COMMENT = 2
    REGION = 3


class OpenBracket(NamedTuple):
    """A bracket or delimiter that is open: where it begins, its length, its kind, and its first byte."""

    at: Place
    length: int
    kind: int
    byte: bytes


class Open(NamedTuple):
    """What a text leaves open. ``brackets``: the innermost ones, innermost first; ``depth``: the number of all.

    ``inside``: what the text of ``offset`` bytes ends in, which began at ``begin``, 0 in code.
    """

    brackets: List[OpenBracket]
    depth: int
    offset: int
    inside: Inside
    begin: int


class JsonKind(enum.Enum):
    """What a JSON value is. A key is a string; a scalar is a number, true, false or null."""

    OBJECT = 1
    ARRAY = 2
    STRING = 3
    SCALAR = 4


class Brackets(NamedTuple):
    """The brackets of a text: packed bits for the other functions, their number, and where they are."""

    parens: npt.NDArray[np.uint64]
    n: int
    positions: npt.NDArray[np.int64]
    lengths: npt.NDArray[np.uint32]
    kinds: npt.NDArray[Any]
