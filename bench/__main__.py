"""Measure the speed of mediakit beside its peers; print a table a tool."""

import argparse
import importlib
import os
import platform
from collections.abc import Sequence
from itertools import chain
from pathlib import Path

from bench.race import ROUNDS, Bench, race
from bench.table import table

TOOLS = ("qr", "barcode", "images", "chart", "web_to_markdown", "render", "guard", "start")
"""A module of this package each."""


def benches_of(tool: str) -> Sequence[Bench]:
    """Give what is measured for a tool."""
    benches: Sequence[Bench] = importlib.import_module(f"bench.{tool}").BENCHES
    return benches


def _quality_of_reading() -> str:
    """Score a corpus of saved pages, where one is at hand."""
    folder = os.environ.get("MEDIAKIT_BENCH_CORPUS")
    if not folder:
        return "Not scored: name a folder of saved pages and their truth (bench/corpus.py) by MEDIAKIT_BENCH_CORPUS."
    if not (Path(folder) / "truth.json").is_file():
        return f"Not scored: MEDIAKIT_BENCH_CORPUS is {folder}, which has no truth.json."
    return str(importlib.import_module("bench.scores").report(Path(folder)))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("tools", nargs="*", metavar="TOOL", help=f"of {', '.join(TOOLS)}; all, if none is named")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="turns of each contender, after a warm-up")
    given = parser.parse_args()
    if unknown := set(given.tools) - set(TOOLS):
        parser.error(f"TOOL: must be of {', '.join(TOOLS)}, got {', '.join(sorted(unknown))}.")
    if given.rounds < 1:
        parser.error(f"--rounds: must be at least 1, got {given.rounds}.")
    print(
        f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()};",
        end=" ",
    )
    print(f"medians of {given.rounds} rounds. `Ours / this` below 1: mediakit is faster, or its file smaller.")
    for bench in chain.from_iterable(map(benches_of, given.tools or TOOLS)):
        print(f"\n## {bench.tool}\n\n{bench.about}\n", flush=True)
        print(table(list(race(bench, given.rounds))), flush=True)
    if "web_to_markdown" in (given.tools or TOOLS):
        print(f"\n## Quality of web_to_markdown\n\n{_quality_of_reading()}", flush=True)
    if codes := os.environ.get("MEDIAKIT_BENCH_CODES"):
        print(f"\n## code_reader\n\n{importlib.import_module('bench.code_reader').report(Path(codes))}")


if __name__ == "__main__":
    main()
