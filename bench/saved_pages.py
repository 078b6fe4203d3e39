"""Compare `web_to_markdown` with other libraries on pages of a corpus: `python -m bench.saved_pages FOLDER...`.

Prints the median of the ratios of CPU time, and the ratio of the totals. The libraries take turns on each page, in one
process, and the shortest of several rounds counts.
"""

import argparse
import random
import time
from contextlib import suppress
from itertools import chain
from pathlib import Path
from statistics import median

from bench.corpus import read_pages
from bench.package_worker import Job
from bench.scores import quiet
from bench.web_to_markdown import extract_with_mediakit, extract_with_readability, extract_with_trafilatura

SEED = 60


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.saved_pages", description=__doc__)
    parser.add_argument("folders", type=Path, nargs="+", help="folders with truth.json and the pages")
    parser.add_argument("--pages", type=int, default=60, help="number of pages, chosen at random with a fixed seed")
    parser.add_argument("--rounds", type=int, default=2)
    arguments = parser.parse_args()
    pages = sorted(chain.from_iterable(map(read_pages, arguments.folders)), key=lambda page: page.key)
    chosen = random.Random(SEED).sample(pages, min(arguments.pages, len(pages)))
    with quiet():
        times = [_cpu_times(page.html, arguments.rounds) for page in chosen]
    for index, name in enumerate(("readability-lxml + markdownify", "trafilatura"), start=1):
        ratio = median(row[0] / row[index] for row in times)
        total = sum(row[0] for row in times) / sum(row[index] for row in times)
        print(f"Ours / {name}: median {ratio:.2f}, total {total:.2f} on {len(times)} pages")


def _cpu_times(html: str, rounds: int) -> list[float]:
    """Return the seconds of CPU time that mediakit and the other libraries take for a page."""
    jobs = [extract_with_mediakit(html), extract_with_readability(html), extract_with_trafilatura(html)]
    return [min(column) for column in zip(*([_seconds(job) for job in jobs] for _ in range(rounds)), strict=True)]


def _seconds(job: Job) -> float:
    start = time.process_time()
    with suppress(Exception):  # a library that fails on a page is measured up to the error
        job()
    return time.process_time() - start


if __name__ == "__main__":
    main()
