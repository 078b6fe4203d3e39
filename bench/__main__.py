"""Measure the speed of mediakit and comparable packages, and print a table for each tool.

The ratios go to `bench/results`, of which `docs/build.py` makes the pages on speed and quality.
"""

import argparse
import importlib
import os
import platform
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bench.figures import ratios, store
from bench.race import ROUNDS, Bench, Row, race
from bench.table import table

BENCHMARKS = (
    "qr",
    "barcode",
    "images",
    "image_compare",
    "image_animate",
    "chart",
    "table_image",
    "web_to_markdown",
    "render",
    "guard",
    "start",
    "pdf_merge",
    "pdf_tools",
    "data_convert",
    "data_query",
    "data_diff",
    "data_profile",
    "archives",
    "documents",
    "document_to_markdown",
    "files",
    "validation",
    "batch",
)
"""Modules of this package, one a tool or subject."""

PROGRAMS = ("batch_dask", "validators", "roundtrip", "differential")
"""Modules that are programs of their own. `bench.serve` needs PostgreSQL, Redis and wrk, and is not among them."""


def benches_of(tool: str) -> Sequence[Bench]:
    """Return the benchmarks of a tool."""
    benches: Sequence[Bench] = importlib.import_module(f"bench.{tool}").BENCHES
    return benches


def _main_content_scores() -> str:
    """Return the scores on a corpus of saved pages, or why there are none."""
    directory = os.environ.get("MEDIAKIT_BENCH_CORPUS")
    if not directory:
        return "Not scored: set MEDIAKIT_BENCH_CORPUS to a directory with saved pages and truth.json (bench/corpus.py)."
    if not (Path(directory) / "truth.json").is_file():
        return f"Not scored: MEDIAKIT_BENCH_CORPUS is {directory}, which contains no truth.json."
    return str(importlib.import_module("bench.scores").report(Path(directory)))


def _saved_pages() -> str:
    """Return the ratios of CPU time on saved pages, or why there are none."""
    folders = os.environ.get("MEDIAKIT_BENCH_PAGES")
    if not folders:
        return f"Not measured: set MEDIAKIT_BENCH_PAGES to folders of saved pages, separated by {os.pathsep!r}."
    return str(importlib.import_module("bench.saved_pages").report([Path(each) for each in folders.split(os.pathsep)]))


def _ratios(name: str, tool: str, rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Return the ratios of our figures to those of the other packages, for the page on speed."""
    return [
        ratios(
            f"{tool}: {row.case}",
            row.contender,
            f"python -m bench {name}",
            cpu=row.ours.cpu,
            wall=row.ours.wall,
            size=row.ours.size if row.median and row.median.size else None,
        )
        for row in rows
        if row.ours and row.contender != rows[0].contender
    ]


def _measure(name: str, rounds: int) -> None:
    """Run the benchmarks of a module, print their tables and store the ratios."""
    figures, benches = [], benches_of(name)
    for bench in benches:
        print(f"\n## {bench.tool}\n\n{bench.about}\n", flush=True)
        rows = list(race(bench, rounds))
        print(table(rows), flush=True)
        figures += _ratios(name, bench.tool, rows)
    store(name, figures, [f"{bench.tool}: {case.name}" for bench in benches for case in bench.cases])


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument(
        "tools", nargs="*", metavar="TOOL", help=f"one or more of {', '.join(BENCHMARKS)}; default: all"
    )
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="measured rounds after the warm-up")
    arguments = parser.parse_args()
    if unknown := set(arguments.tools) - set(BENCHMARKS):
        parser.error(f"TOOL: must be one of {', '.join(BENCHMARKS)}, got {', '.join(sorted(unknown))}.")
    if arguments.rounds < 1:
        parser.error(f"--rounds: must be at least 1, got {arguments.rounds}.")
    print(
        f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()};",
        end=" ",
    )
    print(f"medians of {arguments.rounds} rounds. `Ours / other` below 1: mediakit is faster, or its file is smaller.")
    for name in arguments.tools or BENCHMARKS:
        _measure(name, arguments.rounds)
    if "web_to_markdown" in (arguments.tools or BENCHMARKS):
        print(f"\n## web_to_markdown on saved pages\n\n{_saved_pages()}", flush=True)
        print(f"\n## Quality of web_to_markdown\n\n{_main_content_scores()}", flush=True)
    if codes := os.environ.get("MEDIAKIT_BENCH_CODES"):
        print(f"\n## code_reader\n\n{importlib.import_module('bench.code_reader').report(Path(codes))}")
    if not arguments.tools:
        for name in PROGRAMS:
            print(f"\n## {name}\n", flush=True)
            subprocess.run([sys.executable, "-m", f"bench.{name}"], check=True)


if __name__ == "__main__":
    main()
