"""Peak memory of a worker: `python -m bench.peak` runs each case of `images` twenty times.

Every contender runs every case in a new process, so that loaded libraries are included. Linux only.
"""

import argparse
from collections.abc import Callable

from bench.images import BENCHES
from bench.race import Case
from bench.worker import Worker, node_peer, ours

TIMES = 20


def peak(make: Callable[[], Worker], case: Case, times: int) -> int:
    """Return the peak memory of a new process after repeated runs of a case, in bytes."""
    worker = make()
    worker.start()
    try:
        worker.time(case, times)
        return worker.peak()
    finally:
        worker.stop()


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.peak", description=__doc__)
    parser.add_argument("--times", type=int, default=TIMES)
    arguments = parser.parse_args()
    (bench,) = BENCHES
    bench.set_up()
    print("| Case | mediakit, MB | sharp, MB | Ours / sharp |\n| --- | --: | --: | --: |")
    for case in bench.cases:
        own = peak(lambda: ours("bench.images:with_mediakit"), case, arguments.times)
        peer = peak(lambda: node_peer("sharp", "images.cjs"), case, arguments.times)
        print(f"| {case.name} | {own / 1e6:.0f} | {peer / 1e6:.0f} | {own / peer:.2f} |", flush=True)


if __name__ == "__main__":
    main()
