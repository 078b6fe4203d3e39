"""Measures contenders in alternating rounds, so that other load on the machine affects all of them equally."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from statistics import median
from typing import Any, NamedTuple, Protocol, TypeVar

T = TypeVar("T")

ROUNDS = 9
ROUND_SECONDS = 0.1
MAX_REPEATS = 200


class NotMeasured(Exception):  # noqa: N818 - shown in the table, not an error
    """A contender cannot run; the message is the reason."""


@dataclass(frozen=True)
class Case:
    """One job, which is the same for all contenders."""

    name: str
    values: Mapping[str, Any] = field(default_factory=dict)


class Sample(NamedTuple):
    """Seconds of one call."""

    wall: float
    cpu: float
    """CPU time of all threads."""


class Contender(Protocol):
    """A package that can run cases."""

    @property
    def name(self) -> str:
        """Name and version for the table."""

    def start(self) -> None:
        """Install and start the contender.

        Raises:
            NotMeasured: The contender cannot run on this machine.
        """

    def stop(self) -> None:
        """Stop the contender."""

    def make(self, case: Case) -> bytes:
        """Run the case once and return the result.

        Raises:
            NotMeasured: The contender does not support the case.
        """

    def time(self, case: Case, repeats: int) -> Sample:
        """Run the case repeatedly and return the mean time of a call."""


@dataclass(frozen=True)
class Bench:
    """A benchmark of one tool."""

    tool: str
    about: str
    cases: Sequence[Case]
    ours: Contender
    peers: Sequence[Contender]
    inspect: Callable[[Case, bytes], str] = lambda _case, _content: ""
    """Checks a result and describes it for the table."""
    set_up: Callable[[], None] = lambda: None
    """Creates the input files."""


class Figures(NamedTuple):
    """Seconds of a call, and bytes of its result."""

    wall: float
    cpu: float
    size: float


@dataclass(frozen=True)
class Row:
    """The measurement of one contender in one case."""

    case: str
    contender: str
    remark: str
    """Description of the result, or the reason why there is none."""
    median: Figures | None = None
    ours: Figures | None = None
    """Our figures divided by those of this contender: the median over the rounds."""


def race(bench: Bench, rounds: int = ROUNDS) -> Iterator[Row]:
    """Measure all cases and yield their rows, ours first."""
    with ExitStack() as stack:
        for contender in (bench.ours, *bench.peers):
            stack.callback(contender.stop)
        bench.set_up()
        bench.ours.start()
        _, absent = _try_each(bench.peers, lambda peer: peer.start())
        for case in bench.cases:
            yield from _rows(bench, case, [peer for peer in bench.peers if peer not in absent], rounds)
            yield from (Row(case.name, peer.name, reason) for peer, reason in absent.items())


def _rows(bench: Bench, case: Case, peers: Sequence[Contender], rounds: int) -> Iterator[Row]:
    contents = {bench.ours: bench.ours.make(case)}
    peer_contents, unsupported = _try_each(peers, lambda peer: peer.make(case))
    contents |= peer_contents
    samples = _alternate(case, list(contents), rounds)
    ours = samples[bench.ours], len(contents[bench.ours])
    for contender, content in contents.items():
        yield _row(case, contender, bench.inspect(case, content), (samples[contender], len(content)), ours)
    yield from (Row(case.name, contender.name, reason) for contender, reason in unsupported.items())


def _try_each(
    contenders: Sequence[Contender], attempt: Callable[[Contender], T]
) -> tuple[dict[Contender, T], dict[Contender, str]]:
    """Return the result of each contender, and the reasons of those that cannot be measured."""
    results: dict[Contender, T] = {}
    reasons: dict[Contender, str] = {}
    for contender in contenders:
        try:
            results[contender] = attempt(contender)
        except NotMeasured as reason:
            reasons[contender] = f"not measured: {reason}"
    return results, reasons


def _alternate(case: Case, contenders: Sequence[Contender], rounds: int) -> dict[Contender, list[Sample]]:
    """Time the contenders in turn, in reverse order every other round, after a warm-up of about one round."""
    repeats = {contender: _repeats(contender, case) for contender in contenders}
    samples: dict[Contender, list[Sample]] = {contender: [] for contender in contenders}
    for number in range(rounds):
        for contender in contenders[:: -1 if number % 2 else 1]:
            samples[contender].append(contender.time(case, repeats[contender]))
    return samples


def _repeats(contender: Contender, case: Case) -> int:
    """Return the number of calls that fill a round; finding it also warms up a just-in-time compiler."""
    repeats = 1
    while (wall := contender.time(case, repeats).wall) * repeats < ROUND_SECONDS and repeats < MAX_REPEATS:
        repeats *= 2
    return min(MAX_REPEATS, math.ceil(ROUND_SECONDS / wall)) if wall else MAX_REPEATS


Measured = tuple[list[Sample], int]


def _row(case: Case, contender: Contender, remark: str, this: Measured, ours: Measured) -> Row:
    pairs = list(zip(ours[0], this[0], strict=False))
    figures = Figures(median(s.wall for s in this[0]), median(s.cpu for s in this[0]), this[1])
    ratios = Figures(
        median(a.wall / b.wall for a, b in pairs),
        median(a.cpu / b.cpu for a, b in pairs),
        ours[1] / this[1] if this[1] else 1.0,
    )
    return Row(case.name, contender.name, remark, figures, ratios)
