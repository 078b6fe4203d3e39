"""The results that benchmarks write, of which `docs/build.py` makes the pages on speed and quality."""

import json
import re
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).parent / "results"


def ratios(
    work: str,
    peer: str,
    command: str,
    *,
    cpu: float | None = None,
    wall: float | None = None,
    size: float | None = None,
) -> dict[str, Any]:
    """Return a row of the page on speed: our figures divided by those of another package."""
    figures = {"cpu": cpu, "wall": wall, "bytes": size}
    rounded = {name: None if value is None else float(f"{value:.3g}") for name, value in figures.items()}
    return {"work": work, "peer": peer, **rounded, "command": command}


def check(work: str, ours: str, peer: str, command: str) -> dict[str, str]:
    """Return a row of the page on quality."""
    return {"work": work, "ours": ours, "peer": peer, "command": command}


def store(name: str, rows: Sequence[Mapping[str, Any]], works: Collection[str] = ()) -> None:
    """Write rows in place of those of the same work and package. Rows of packages that this machine lacks stay.

    Args:
        name: Name of the file, without its suffix.
        rows: What was measured.
        works: All work that the command measures where every package is installed. Rows of other work are removed.
    """
    path = RESULTS / f"{name}.json"
    before = json.loads(path.read_text("utf-8")) if path.is_file() else []
    new = {_key(row): row for row in rows}
    kept = {_key(row): row for row in before if row["work"] in works}
    path.write_text(json.dumps([*(kept | new).values()], indent=1, ensure_ascii=False) + "\n", "utf-8")


def _key(row: Mapping[str, Any]) -> tuple[str, str]:
    """Return the work and the package without its version."""
    return row["work"], re.sub(r" \d[\w.]*", "", row["peer"])
