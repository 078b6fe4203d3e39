"""Memory of a batch of many rows: `python -m bench.batch_memory` saves QR codes to a folder and samples all processes.

`--certificates` makes certificates in one PDF instead. The rows come from a generator. The proportional set size (PSS)
counts shared memory once. Linux only.
"""

import argparse
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sized
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import psutil

import mediakit
from bench.memory import used_memory

ROWS, CERTIFICATES = 100_000, 1000
SAMPLE_SECONDS = 0.5


@dataclass
class Samples:
    """Memory of this process and its children, by the number of rows that were read so far."""

    rows: list[int] = field(default_factory=list)
    megabytes: list[float] = field(default_factory=list)
    seconds: float = 0.0

    def add(self, row: int) -> None:
        """Measure the memory at a row; do nothing if a process ends at the same time."""
        try:
            used = used_memory(psutil.Process())
        except (OSError, psutil.Error):
            return
        self.rows.append(row)
        self.megabytes.append(used / 1e6)


class Source:
    """Rows that count how many were read."""

    def __init__(self, count: int, column: str, text: str) -> None:
        self._count = count
        self._column = column
        self._text = text
        self.row = 0

    def __iter__(self) -> Iterator[dict[str, str]]:
        for number in range(1, self._count + 1):
            self.row = number
            yield {self._column: f"{self._text}{number:06}"}


def codes(count: int) -> Samples:
    """Return the memory of a batch of QR codes in a folder."""
    source = Source(count, "data", "https://example.com/tickets/")
    return measure(source, count, lambda folder: mediakit.batch(mediakit.qr, iter(source), to=folder / "codes"))


def certificates(count: int) -> Samples:
    """Return the memory of a batch of certificates in one PDF."""
    source = Source(count, "recipient", "Recipient Number ")
    template = partial(mediakit.batch, mediakit.pdf, template="certificate")
    return measure(source, count, lambda folder: template(iter(source), to=folder / "all.pdf"))


def measure(source: Source, count: int, run: Callable[[Path], Sized]) -> Samples:
    """Run a batch in a new folder and return the memory that was used meanwhile."""
    samples, stopped, start = Samples(), threading.Event(), time.perf_counter()

    def sample() -> None:
        while not stopped.wait(SAMPLE_SECONDS):
            samples.add(source.row)

    sampler = threading.Thread(target=sample)
    with tempfile.TemporaryDirectory() as folder:
        sampler.start()
        try:
            result = run(Path(folder))
            samples.seconds = time.perf_counter() - start
        finally:
            stopped.set()
            sampler.join()
    if len(result) != count:
        raise RuntimeError(f"{len(result)} of {count} rows were made.")
    return samples


def summary(samples: Samples) -> str:
    """Return the peak, and the means of the second and the last tenth of the rows, which show growth."""
    last = samples.rows[-1]
    pairs = list(zip(samples.rows, samples.megabytes, strict=True))
    early = [used for row, used in pairs if 0.1 <= row / last < 0.2]
    late = [used for row, used in pairs if row / last >= 0.9]
    means = " to ".join(f"{sum(part) / len(part):.0f} MB" for part in (early, late) if part)
    peak = f"peak {max(samples.megabytes):.0f} MB"
    return f"{last:,} rows in {samples.seconds:.0f} s: {peak}; second to last tenth: {means}"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.batch_memory", description=__doc__)
    parser.add_argument("--rows", type=int)
    parser.add_argument("--certificates", action="store_true", help="make one PDF of certificates")
    arguments = parser.parse_args()
    run, rows = (certificates, CERTIFICATES) if arguments.certificates else (codes, ROWS)
    print(summary(run(arguments.rows or rows)))


if __name__ == "__main__":
    main()
