"""How much memory a worker holds at most: `python -m bench.peak` does the jobs of `images` twenty times each.

Every contender does every job in a process of its own, so what it loads to begin with counts too. Linux alone says.
"""

import argparse
from collections.abc import Callable

from bench.images import BENCHES
from bench.race import Case
from bench.worker import Worker, node_peer, ours

TIMES = 20


def peak(make: Callable[[], Worker], case: Case, times: int) -> int:
    """Give the bytes of a fresh process after the job was done some times."""
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
    given = parser.parse_args()
    (bench,) = BENCHES
    bench.set_up()
    print("| Case | mediakit, MB | sharp, MB | Ours / sharp |\n| --- | --: | --: | --: |")
    for case in bench.cases:
        this = peak(lambda: ours("bench.images:with_mediakit"), case, given.times)
        peer = peak(lambda: node_peer("sharp", "images.cjs"), case, given.times)
        print(f"| {case.name} | {this / 1e6:.0f} | {peer / 1e6:.0f} | {this / peer:.2f} |", flush=True)


if __name__ == "__main__":
    main()
