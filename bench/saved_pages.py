"""Compare `web_to_markdown` with other libraries on saved pages: `python -m bench.saved_pages FOLDER...`.

Prints the median of the ratios of CPU time, and the ratio of the totals. The libraries take turns on each page, in one
process, and the shortest of several rounds counts.
"""

import argparse
import random
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import chain
from pathlib import Path
from statistics import median

from bench.corpus import read_pages
from bench.package_worker import Job
from bench.scores import quiet
from bench.web_to_markdown import extract_with_mediakit, extract_with_readability, extract_with_trafilatura

PAGES = 60
ROUNDS = 2
SEED = 60


def report(folders: Sequence[Path], pages: int = PAGES, rounds: int = ROUNDS) -> str:
    """Return the ratios of CPU time on pages that are chosen at random, with a fixed seed.

    Args:
        folders: Each has `truth.json` and the pages of a corpus, or HTML files.
        pages: The number of pages.
        rounds: How often each page is converted by each library.
    """
    found = sorted(chain.from_iterable(map(_pages, folders)))
    chosen = random.Random(SEED).sample(found, min(pages, len(found)))
    if not chosen:
        return f"Not measured: no pages in {', '.join(map(str, folders))}."
    with quiet():
        times = [_cpu_times(html, rounds) for _, html in chosen]
    lines = [f"| {len(times)} pages, ours / other: CPU | Median of the ratios | Total |", "| --- | --: | --: |"]
    for index, name in enumerate(("readability-lxml + markdownify", "trafilatura"), start=1):
        ratio = median(row[0] / row[index] for row in times)
        total = sum(row[0] for row in times) / sum(row[index] for row in times)
        lines.append(f"| {name} | {ratio:.2f} | {total:.2f} |")
    return "\n".join(lines)


def _pages(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield the name and the HTML of each page of a folder."""
    if (folder / "truth.json").is_file():
        yield from ((page.key, page.html) for page in read_pages(folder))
    else:
        yield from ((page.name, page.read_text(encoding="utf-8", errors="replace")) for page in folder.glob("*.html"))


def _cpu_times(html: str, rounds: int) -> list[float]:
    """Return the seconds of CPU time that mediakit and the other libraries take for a page."""
    jobs = [extract_with_mediakit(html), extract_with_readability(html), extract_with_trafilatura(html)]
    return [min(column) for column in zip(*([_seconds(job) for job in jobs] for _ in range(rounds)), strict=True)]


def _seconds(job: Job) -> float:
    start = time.process_time()
    with suppress(Exception):  # a library that fails on a page is measured up to the error
        job()
    return time.process_time() - start


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.saved_pages", description=__doc__)
    parser.add_argument("folders", type=Path, nargs="+", help="folders with truth.json and pages, or with HTML files")
    parser.add_argument("--pages", type=int, default=PAGES, help="number of pages, chosen at random with a fixed seed")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    arguments = parser.parse_args()
    print(report(arguments.folders, arguments.pages, arguments.rounds))


if __name__ == "__main__":
    main()
