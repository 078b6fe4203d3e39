"""Measure the speed of mediakit and comparable packages, and print a table for each tool.

The ratios go to `bench/results`, of which `docs/build.py` makes the page on speed.
"""

import argparse
import importlib
import json
import os
import platform
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bench.race import ROUNDS, Bench, Row, race
from bench.table import table

RESULTS = Path(__file__).parent / "results"

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


def _ratios(tool: str, rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Return the ratios of our figures to those of the other packages, for the page on speed."""
    return [
        {
            "work": f"{tool}: {row.case}",
            "peer": row.contender,
            "cpu": float(f"{row.ours.cpu:.3g}"),
            "wall": float(f"{row.ours.wall:.3g}"),
            "bytes": float(f"{row.ours.size:.3g}") if row.median and row.median.size else None,
        }
        for row in rows
        if row.ours and row.contender != rows[0].contender
    ]


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
        ratios = []
        for bench in benches_of(name):
            print(f"\n## {bench.tool}\n\n{bench.about}\n", flush=True)
            rows = list(race(bench, arguments.rounds))
            print(table(rows), flush=True)
            ratios += _ratios(bench.tool, rows)
        if ratios:
            (RESULTS / f"{name}.json").write_text(json.dumps(ratios, indent=1) + "\n", "utf-8")
    if "web_to_markdown" in (arguments.tools or BENCHMARKS):
        print(f"\n## web_to_markdown on saved pages\n\n{_saved_pages()}", flush=True)
        print(f"\n## Quality of web_to_markdown\n\n{_main_content_scores()}", flush=True)
    if codes := os.environ.get("MEDIAKIT_BENCH_CODES"):
        print(f"\n## code_reader\n\n{importlib.import_module('bench.code_reader').report(Path(codes))}")


if __name__ == "__main__":
    main()
