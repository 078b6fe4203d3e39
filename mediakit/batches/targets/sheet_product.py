"""A contact sheet: an image with a small image of the file of each row, and its name."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from statistics import median

from mediakit.batches.records import Record
from mediakit.batches.targets.backend import Backend
from mediakit.batches.targets.combined_files import CombinedFiles, report_lines, report_prefix
from mediakit.batches.targets.in_worker import run_in_worker
from mediakit.batches.targets.manifest import Manifest
from mediakit.batches.targets.sheet_jobs import GAP, Cell, Sheet, SheetFormat, draw_sheet, draw_thumbnails
from mediakit.batches.targets.store import Store
from mediakit.batches.targets.target import write_reports
from mediakit.core.media import media_type

MAX_CELLS = 400
"""Cells of a sheet. More rows need further sheets: `all-2.png`, `all-3.png` and so on."""

MAX_WIDTH, MIN_CELL, MAX_CELL = 3600, 150, 420
"""Widths of a sheet and of its cells, in pixels."""

SHEET_RATIO = 4 / 3
"""Width of a sheet by its height."""

MIN_RATIO, MAX_RATIO = 0.5, 1.45
"""Height of the images of a sheet by their width; the median of the first images, within these bounds."""

CAPTION_RATIO = 0.2
"""Height of a name by the width of an image, about."""

GROUP = 20
"""Files that are drawn in one call of a worker."""

SECONDS = 120.0


class SheetProduct:
    """Contact sheets of at most `MAX_CELLS` rows each.

    Args:
        title: What is above the images.
        image_format: Format of the sheets.
    """

    def __init__(self, title: str, image_format: SheetFormat) -> None:
        self._title = title
        self._format = image_format

    def check(self, record: Record) -> None:
        """Accept every file: one that cannot be drawn is shown by its type."""

    def build(self, manifest: Manifest, parts: Store, work: Path, file: str) -> list[Path]:
        """Write the sheets and the reports."""
        counts = _counted(manifest.records())
        records, paths = manifest.records(), []
        for number in range(1, -(-counts.rows // MAX_CELLS) + 1):
            sheet = self._sheet(list(islice(records, MAX_CELLS)), parts, counts, number)
            path = work / (file if number == 1 else f"-{number}.".join(file.rsplit(".", 1)))
            path.write_bytes(run_in_worker(draw_sheet, sheet, seconds=SECONDS))
            paths.append(path)
        return [*paths, *write_reports(manifest, work, report_prefix(file))]

    def restore(self, folder: Backend, file: str, parts: Backend) -> Iterator[bytes]:  # noqa: ARG002
        """Yield nothing: the files are not in the sheet."""
        yield from ()

    def lines(self, folder: Backend, file: str) -> Iterator[bytes]:
        """Yield the lines of the report."""
        return report_lines(folder, file)

    def finished(self, folder: Backend, file: str, location: str) -> Store:  # noqa: ARG002
        """Return the files of rows, which cannot be read alone."""
        return CombinedFiles(location)

    def _sheet(self, records: list[Record], parts: Store, counts: "_Counts", number: int) -> Sheet:
        ratio = _ratio(records, parts)
        columns, width = grid(len(records), ratio)
        height = round(width * ratio)
        cells = list(_cells(records, parts, width, height))
        return Sheet(self._title, counts.text(number), cells, columns, width, height, self._format)


@dataclass(frozen=True)
class _Counts:
    rows: int
    failed: int

    def text(self, number: int) -> str:
        """Return what is below the title of a sheet."""
        made = self.rows - self.failed
        sheets = -(-self.rows // MAX_CELLS)
        files = "1 file" if made == 1 else f"{made} files"
        parts = (files, f"{self.failed} failed" if self.failed else "", f"sheet {number} of {sheets}")
        return " · ".join(filter(None, parts if sheets > 1 else parts[:2]))


def grid(count: int, ratio: float) -> tuple[int, int]:
    """Return the number of columns and the width of a cell.

    Args:
        count: Number of cells.
        ratio: Height of an image by its width.
    """
    columns = max(1, round(math.sqrt(count * SHEET_RATIO * (ratio + CAPTION_RATIO))))
    columns = min(columns, count, MAX_WIDTH // (MIN_CELL + GAP))
    return columns, min(MAX_CELL, max(MIN_CELL, MAX_WIDTH // columns - GAP))


def _counted(records: Iterator[Record]) -> _Counts:
    rows = failed = 0
    for record in records:
        rows, failed = rows + 1, failed + bool(record.error)
    return _Counts(rows, failed)


def _ratio(records: list[Record], parts: Store) -> float:
    """Return the height by the width of typical images."""
    from io import BytesIO

    from PIL import Image

    made = [record for record in records if record.file]
    drawn = _thumbnails(made[:: max(1, len(made) // GROUP)][:GROUP], parts, MAX_CELL, MAX_CELL)
    sizes = [Image.open(BytesIO(image)).size for image in drawn if image]
    return max(MIN_RATIO, min(MAX_RATIO, median(height / width for width, height in sizes))) if sizes else 1.0


def _cells(records: list[Record], parts: Store, width: int, height: int) -> Iterator[Cell]:
    for start in range(0, len(records), GROUP):
        group = records[start : start + GROUP]
        images = iter(_thumbnails([record for record in group if record.file], parts, width, height))
        for record in group:
            if not record.file:
                yield Cell(record.name, label="failed", is_failed=True)
            elif image := next(images):
                yield Cell(record.name, image)
            else:
                media = media_type(record.mime_type)
                yield Cell(record.name, label=media.extensions[0].upper() if media else "file")


def _thumbnails(records: list[Record], parts: Store, width: int, height: int) -> list[bytes]:
    files = [(parts.read(record.file), record.mime_type) for record in records if record.file]
    return run_in_worker(draw_thumbnails, files, width, height, seconds=SECONDS)
