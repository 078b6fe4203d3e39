"""Draws contact sheets in a worker process. Importing this module does not import Pillow or PyMuPDF."""

import html
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from io import BytesIO
from itertools import accumulate
from typing import Any, Literal

SheetFormat = Literal["png", "jpeg", "webp"]

BACKGROUND, BORDER, EMPTY = "#f3f4f6", "#d1d5db", "#e5e7eb"
TEXT, MUTED, ERROR = "#111827", "#6b7280", "#b91c1c"

MARGIN, GAP, HEADER, CAPTION = 40, 20, 84, 40
"""Space around the sheet, between cells, of the title, and below an image for two lines of its name, in pixels."""

FONT_SIZE, TITLE_SIZE = 13, 26

EM_PER_CHARACTER = 0.56
"""Width of an average character in sizes of the font."""


@dataclass(frozen=True)
class Cell:
    """A row on the sheet."""

    name: str
    image: bytes = field(default=b"", repr=False)
    """PNG; empty if the file is not an image or the row has failed."""
    label: str = ""
    """What the cell shows instead of an image."""
    is_failed: bool = False


@dataclass(frozen=True)
class Sheet:
    """A grid of cells."""

    title: str
    facts: str
    """What is below the title, such as the number of files."""
    cells: Sequence[Cell]
    columns: int
    width: int
    """Width of a cell in pixels."""
    height: int
    """Height of an image at most, in pixels."""
    format: SheetFormat = "png"


def draw_thumbnails(files: Sequence[tuple[bytes, str]], width: int, height: int) -> list[bytes]:
    """Return images of files, the first pages of PDFs, as PNG; empty for a file that cannot be drawn.

    Args:
        files: Contents and media types.
        width: Maximum width in pixels.
        height: Maximum height in pixels.
    """
    return [_thumbnail(content, kind, width, height) for content, kind in files]


def draw_sheet(sheet: Sheet) -> bytes:
    """Return a contact sheet as an image."""
    from PIL import Image

    rows = -(-len(sheet.cells) // sheet.columns)
    size = (
        2 * MARGIN + sheet.columns * (sheet.width + GAP) - GAP,
        2 * MARGIN + HEADER + rows * (sheet.height + CAPTION + GAP) - GAP,
    )
    canvas = Image.new("RGB", size, BACKGROUND)
    for index, cell in enumerate(sheet.cells):
        _draw_image(canvas, cell, *_place(sheet, index), sheet)
    return _with_texts(canvas, sheet)


def _place(sheet: Sheet, index: int) -> tuple[int, int]:
    row, column = divmod(index, sheet.columns)
    left = MARGIN + column * (sheet.width + GAP)
    return left, MARGIN + HEADER + row * (sheet.height + CAPTION + GAP)


def _thumbnail(content: bytes, kind: str, width: int, height: int) -> bytes:
    from PIL import Image

    try:
        if kind == "application/pdf" or kind == "image/svg+xml":  # noqa: PLR1714
            return _page(content, "pdf" if kind == "application/pdf" else "svg", width, height)
        opened = Image.open(BytesIO(content))
        opened.draft("RGB", (2 * width, 2 * height))
        image = opened.convert("RGBA" if opened.mode in {"P", "PA", "LA", "RGBA"} else "RGB")
    except (OSError, ValueError, SyntaxError, RuntimeError, Image.DecompressionBombError):
        return b""
    image.thumbnail((width, height), Image.Resampling.LANCZOS)
    target = BytesIO()
    image.save(target, "PNG", compress_level=1)
    return target.getvalue()


def _page(content: bytes, kind: str, width: int, height: int) -> bytes:
    """Return the first page of a document as an image."""
    import pymupdf

    with pymupdf.open(stream=content, filetype=kind) as document:  # type: ignore[no-untyped-call]
        page = document[0]
        scale = min(width / page.rect.width, height / page.rect.height, 8.0)
        pixels = page.get_pixmap(matrix=pymupdf.Matrix(scale, scale), alpha=False)  # type: ignore[no-untyped-call]
        return bytes(pixels.tobytes("png"))


def _draw_image(canvas: Any, cell: Cell, left: int, top: int, sheet: Sheet) -> None:
    """Draw an image above its name, in the middle of its cell, on white paper with a thin border."""
    from PIL import Image, ImageDraw

    draw = ImageDraw.Draw(canvas)
    if not cell.image:
        box = (left, top, left + sheet.width - 1, top + sheet.height - 1)
        draw.rectangle(box, EMPTY, ERROR if cell.is_failed else BORDER)
        return
    image = Image.open(BytesIO(cell.image))
    x, y = left + (sheet.width - image.width) // 2, top + (sheet.height - image.height)
    draw.rectangle((x - 1, y - 1, x + image.width, y + image.height), "white", BORDER)
    canvas.paste(image, (x, y), image if image.mode == "RGBA" else None)


def _with_texts(canvas: Any, sheet: Sheet) -> bytes:
    """Return the sheet with its texts, which MuPDF shapes in all scripts."""
    import pymupdf
    from PIL import Image

    drawn = BytesIO()
    writer: Any = pymupdf.DocumentWriter(drawn)  # type: ignore[no-untyped-call]
    device = writer.begin_page(pymupdf.Rect(0, 0, canvas.width, canvas.height))  # type: ignore[no-untyped-call]
    for text in _texts(sheet, canvas.width):
        text.draw(device)
    writer.end_page()
    writer.close()
    with pymupdf.open(stream=drawn.getvalue()) as document:  # type: ignore[no-untyped-call]
        pixels = document[0].get_pixmap(alpha=True)
    texts = Image.frombytes("RGBa", (pixels.width, pixels.height), pixels.samples).convert("RGBA")
    canvas.paste(texts, (0, 0), texts)
    target = BytesIO()
    options: dict[str, Any] = {"png": {}, "jpeg": {"quality": 88}, "webp": {"quality": 85, "method": 2}}
    canvas.save(target, sheet.format.upper(), **options[sheet.format])
    return target.getvalue()


def _texts(sheet: Sheet, width: int) -> Iterator["_Text"]:
    right = width - MARGIN
    yield _Text(sheet.title, (MARGIN, MARGIN - 6, right, MARGIN + 34), TITLE_SIZE, TEXT, "left", "bold")
    yield _Text(sheet.facts, (MARGIN, MARGIN + 34, right, MARGIN + 60), FONT_SIZE + 2, MUTED, "left")
    for index, cell in enumerate(sheet.cells):
        left, top = _place(sheet, index)
        below, middle, end = top + sheet.height + 6, top + sheet.height / 2, left + sheet.width
        name = _shortened(cell.name, int(sheet.width / (FONT_SIZE * EM_PER_CHARACTER)) * 2 - 2)
        yield _Text(name, (left, below, end, below + CAPTION - 6), FONT_SIZE, ERROR if cell.is_failed else TEXT)
        if cell.label:
            yield _Text(
                cell.label, (left, middle - 10, end, middle + 12), FONT_SIZE, ERROR if cell.is_failed else MUTED
            )


@dataclass(frozen=True)
class _Text:
    """A text in a box; lines that do not fit are omitted."""

    text: str
    box: tuple[float, float, float, float]
    size: int
    color: str
    align: str = "center"
    weight: str = "normal"

    def draw(self, device: Any) -> None:
        """Draw the text on a page."""
        import pymupdf

        from mediakit.tools.pdf.pdf_merge.contents import drawable

        font = f"font: {self.weight} {self.size}pt sans-serif; line-height: 1.25"
        style = f"margin: 0; {font}; color: {self.color}; text-align: {self.align}"
        story = pymupdf.Story(
            f'<p style="{style}">{html.escape(drawable(self.text))}</p>', user_css="body { margin: 0 }"
        )  # type: ignore[no-untyped-call]
        story.place(pymupdf.Rect(*self.box))  # type: ignore[no-untyped-call]
        story.draw(device)  # type: ignore[no-untyped-call]


def _shortened(text: str, width: int) -> str:
    """Return a text with an ellipsis in its middle if it is wider than a number of average characters."""
    if sum(map(_width, text)) <= width:
        return text
    half = width // 2 - 1
    return f"{_fitting(text, half)}…{_fitting(text[::-1], half)[::-1]}"


def _fitting(text: str, width: int) -> str:
    used = accumulate(map(_width, text))
    return "".join(character for character, end in zip(text, used, strict=True) if end <= width)


def _width(character: str) -> int:
    """Return the width of a character: 2 for Chinese, Japanese and Korean ones."""
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
