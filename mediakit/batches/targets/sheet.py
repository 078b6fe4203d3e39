"""A contact sheet: the cards of a gallery, a small image of the file of each row above its name, as one image."""

import math
from collections.abc import Sequence
from html import escape
from io import BytesIO
from itertools import islice
from pathlib import Path
from statistics import median
from typing import Any

from typing_extensions import override

from mediakit.batches.targets.combined import CombinedTarget, run_in_worker
from mediakit.batches.targets.journal import Record
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
"""Height of the images of a sheet by their width; the median of the images, within these bounds."""

MARGIN, GAP, HEADER, CAPTION = 40, 20, 84, 40
"""Space around the sheet, between cells, of the title, and below an image for two lines of its name, in pixels."""

MAX_NAME = 80
"""Characters of a name."""

GROUP = 20
"""Files that are drawn in one call of a worker."""

SECONDS = 120.0

FAILED = "failed"
"""The label of a failed row, and its class in the style sheet."""

BACKGROUND, BORDER, EMPTY = "#f3f4f6", "#d1d5db", "#e5e7eb"
CSS = "* {font-family: sans-serif; margin: 0} .failed {color: #b91c1c} .muted {color: #6b7280}"
FORMATS = {"png": "png", "jpg": "jpeg", "jpeg": "jpeg", "webp": "webp"}
"""The format of a sheet by the suffix of its file."""

ENCODING: dict[str, dict[str, Any]] = {"png": {}, "jpeg": {"quality": 88}, "webp": {"quality": 85, "method": 2}}


Cell = tuple[str, bytes, str]
"""The name of a row, its image as WebP, and what the cell shows if the image is empty, because there is none."""


class SheetTarget(CombinedTarget):
    """Contact sheets of at most `MAX_CELLS` rows each, with a title above the images."""

    @override
    def _build(self, work: Path) -> list[Path]:
        outcomes = [bool(record.error) for record in self.manifest.records()]
        sheets = -(-len(outcomes) // MAX_CELLS)
        made, failed = outcomes.count(False), outcomes.count(True)
        facts = ["1 file" if made == 1 else f"{made} files", *([f"{failed} failed"] if failed else [])]
        stem, _, suffix = self._file.rpartition(".")
        records, paths = self.manifest.records(), []
        for number in range(1, sheets + 1):
            about = " · ".join([*facts, *([f"sheet {number} of {sheets}"] if sheets > 1 else [])])
            cells = _cells(list(islice(records, MAX_CELLS)), self.store)
            paths.append(work / (self._file if number == 1 else f"{stem}-{number}.{suffix}"))
            drawn = run_in_worker(_draw, self._title, about, cells, FORMATS[suffix.lower()], seconds=SECONDS)
            paths[-1].write_bytes(drawn)
        return [*paths, *write_reports(self.manifest, work, self._report_prefix)]


def grid(count: int, ratio: float) -> tuple[int, int]:
    """Return the number of columns and the width of cells whose images have a height of `ratio` by their width."""
    columns = max(1, round(math.sqrt(count * SHEET_RATIO * (ratio + 0.2))))  # a name is about 0.2 high
    columns = min(columns, count, MAX_WIDTH // (MIN_CELL + GAP))
    return columns, min(MAX_CELL, max(MIN_CELL, MAX_WIDTH // columns - GAP))


def _cells(records: Sequence[Record], parts: Store) -> list[Cell]:
    cells: list[Cell] = []
    for start in range(0, len(records), GROUP):
        group = records[start : start + GROUP]
        files = [(parts.read(record.file) if record.file else b"", record.mime_type) for record in group]
        for record, image in zip(group, run_in_worker(_thumbnails, files, seconds=SECONDS), strict=True):
            media = media_type(record.mime_type)
            label = FAILED if record.error else media.extensions[0].upper() if media else "file"
            cells.append((record.name, image, label))
    return cells


def _thumbnails(files: Sequence[tuple[bytes, str]]) -> list[bytes]:
    from mediakit.display.images import file_thumbnail

    return [file_thumbnail(content, kind, MAX_CELL) for content, kind in files]


def _draw(title: str, facts: str, cells: Sequence[Cell], image_format: str) -> bytes:
    """Return a contact sheet as an image; MuPDF draws it, which shapes names in all scripts."""
    import pymupdf
    from PIL import Image

    images = [Image.open(BytesIO(image)) if image else None for _, image, _ in cells]
    ratios = [image.height / image.width for image in images if image]
    ratio = max(MIN_RATIO, min(MAX_RATIO, median(ratios))) if ratios else 1.0
    columns, width = grid(len(cells), ratio)
    height = round(width * ratio)
    rows = -(-len(cells) // columns)
    size = (2 * MARGIN + columns * (width + GAP) - GAP, 2 * MARGIN + HEADER + rows * (height + CAPTION + GAP) - GAP)
    canvas = Image.new("RGB", size, BACKGROUND)
    document: Any = pymupdf.open()  # type: ignore[no-untyped-call]
    page = document.new_page(width=size[0], height=size[1])
    _write(page, (MARGIN, MARGIN - 6, size[0] - MARGIN, MARGIN + 34), f"<b style='font-size:26px'>{escape(title)}</b>")
    _write(page, (MARGIN, MARGIN + 34, size[0] - MARGIN, MARGIN + 60), f"<p class=muted>{escape(facts)}</p>")
    for index, ((name, _, label), image) in enumerate(zip(cells, images, strict=True)):
        row, column = divmod(index, columns)
        left, top = MARGIN + column * (width + GAP), MARGIN + HEADER + row * (height + CAPTION + GAP)
        kind = FAILED if label == FAILED else ""
        shown = name if len(name) <= MAX_NAME else f"{name[: MAX_NAME // 2]}…{name[-30:]}"
        style = "font-size:13px;text-align:center"
        box = (left, top + height + 6, left + width, top + height + CAPTION)
        _write(page, box, f"<p class='{kind}' style='{style}'>{escape(shown)}</p>")
        if image is None:
            canvas.paste(EMPTY, (left, top, left + width, top + height))
            middle = (left, top + height // 2 - 10, left + width, top + height // 2 + 12)
            _write(page, middle, f"<p class='{kind or 'muted'}' style='{style}'>{label}</p>")
        else:
            image.thumbnail((width, height))
            x, y = left + (width - image.width) // 2, top + height - image.height
            canvas.paste(BORDER, (x - 1, y - 1, x + image.width + 1, y + image.height + 1))
            canvas.paste("white", (x, y, x + image.width, y + image.height))
            canvas.paste(image, (x, y), image if image.mode == "RGBA" else None)
    pixels = page.get_pixmap(alpha=True)
    texts = Image.frombytes("RGBa", (pixels.width, pixels.height), pixels.samples).convert("RGBA")
    canvas.paste(texts, (0, 0), texts)
    target = BytesIO()
    canvas.save(target, image_format.upper(), **ENCODING[image_format])
    return target.getvalue()


def _write(page: Any, box: tuple[float, float, float, float], text: str) -> None:
    """Write a text in a box, smaller if it does not fit."""
    page.insert_htmlbox(box, text, css=CSS)
