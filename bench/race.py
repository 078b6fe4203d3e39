"""The runner: contenders take turns, round by round, so that a busy machine slows all of them alike."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from statistics import median
from typing import Any, NamedTuple, Protocol, TypeVar

T = TypeVar("T")

ROUNDS = 9
ROUND_SECONDS = 0.1
MOST_REPEATS = 200


class NotMeasured(Exception):  # noqa: N818 - it is said in the table, not an error
    """A contender cannot run here; its text says why."""


@dataclass(frozen=True)
class Case:
    """One job, the same for all contenders."""

    name: str
    values: Mapping[str, Any] = field(default_factory=dict)


class Sample(NamedTuple):
    """Seconds of one call."""

    wall: float
    cpu: float
    """Of all threads."""


class Contender(Protocol):
    """Something that does the job and can be timed."""

    @property
    def name(self) -> str:
        """What the table calls it, with its version."""

    def start(self) -> None:
        """Install and start it; a peer that cannot raises `NotMeasured`."""

    def stop(self) -> None:
        """End what `start` has started."""

    def make(self, case: Case) -> bytes:
        """Do the job once and give what it makes; a peer that cannot raises `NotMeasured`."""

    def time(self, case: Case, repeats: int) -> Sample:
        """Do the job again and again, and give the mean of a call."""


@dataclass(frozen=True)
class Bench:
    """What is measured for one tool."""

    tool: str
    about: str
    cases: Sequence[Case]
    ours: Contender
    peers: Sequence[Contender]
    inspect: Callable[[Case, bytes], str] = lambda _case, _content: ""
    """Reads a result back and says what it is worth."""
    set_up: Callable[[], None] = lambda: None
    """Makes the files that the cases name."""


class Figures(NamedTuple):
    """Seconds of a call, bytes of its result."""

    wall: float
    cpu: float
    size: float


@dataclass(frozen=True)
class Row:
    """What is known of one contender in one case."""

    case: str
    contender: str
    remark: str
    """What the result is worth, or why there is none."""
    median: Figures | None = None
    ours: Figures | None = None
    """Our figures divided by this contender's: the median over the rounds."""


def race(bench: Bench, rounds: int = ROUNDS) -> Iterator[Row]:
    """Measure all cases; give the rows of each as soon as they are known, ours first."""
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
    made = {bench.ours: bench.ours.make(case)}
    made_by_peers, refused = _try_each(peers, lambda peer: peer.make(case))
    made |= made_by_peers
    samples = _alternate(case, list(made), rounds)
    ours = samples[bench.ours], len(made[bench.ours])
    for contender, content in made.items():
        yield _row(case, contender, bench.inspect(case, content), (samples[contender], len(content)), ours)
    yield from (Row(case.name, contender.name, reason) for contender, reason in refused.items())


def _try_each(
    contenders: Sequence[Contender], attempt: Callable[[Contender], T]
) -> tuple[dict[Contender, T], dict[Contender, str]]:
    """Give what each contender gives, and why the others give nothing."""
    given: dict[Contender, T] = {}
    reasons: dict[Contender, str] = {}
    for contender in contenders:
        try:
            given[contender] = attempt(contender)
        except NotMeasured as reason:
            reasons[contender] = f"not measured: {reason}"
    return given, reasons


def _alternate(case: Case, contenders: Sequence[Contender], rounds: int) -> dict[Contender, list[Sample]]:
    """Time the contenders in turn, every other round backwards, after a warm-up of about a round each."""
    repeats = {contender: _repeats(contender, case) for contender in contenders}
    samples: dict[Contender, list[Sample]] = {contender: [] for contender in contenders}
    for number in range(rounds):
        for contender in contenders[:: -1 if number % 2 else 1]:
            samples[contender].append(contender.time(case, repeats[contender]))
    return samples


def _repeats(contender: Contender, case: Case) -> int:
    """Find how many calls fill a round, by doubling: a just-in-time compiler is warm when that is known."""
    repeats = 1
    while (wall := contender.time(case, repeats).wall) * repeats < ROUND_SECONDS and repeats < MOST_REPEATS:
        repeats *= 2
    return min(MOST_REPEATS, math.ceil(ROUND_SECONDS / wall)) if wall else MOST_REPEATS


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
