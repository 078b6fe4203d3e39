"""Fits pages to a paper size, with everything that is placed on them."""

from collections.abc import Mapping, Sequence
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Name, Stream

from mediakit.engines.pdf.destinations import annotations
from mediakit.engines.pdf.geometry import (
    Placement,
    is_number,
    is_turned,
    read_box,
    rounded,
    seen_size,
    visible_box,
)
from mediakit.engines.pdf.graphics_state import unbalanced
from mediakit.engines.pdf.moving import move_annotation, move_destinations, move_numbers
from mediakit.engines.pdf.objects import dictionaries, dictionary
from mediakit.engines.pdf.source import PageKey, Source

POINTS_PER_MM = 72 / 25.4

SAME_SIZE = 0.1
"""Points by which a side may differ from the paper without being scaled."""


def fit_pages(pdf: pikepdf.Pdf, pages: Sequence[int], width: float, height: float) -> None:
    """Scale pages to a paper size, in proportion and centered; each page keeps its orientation.

    Annotations and destinations move along.
    """
    placements: dict[PageKey, Placement] = {}
    for index in pages:
        page = pdf.pages[index]
        across, down = seen_size(page)
        if _is_equal((across, down), (width, height)) and Name.UserUnit not in page.obj:
            continue
        paper = (width, height) if (across > down) == (width > height) or across == down else (height, width)
        placements[page.obj.objgen] = _fit_page(pdf, page, *paper)
    move_destinations(Source(pdf), lambda parts: _moved(parts, placements))


def _fit_page(pdf: pikepdf.Pdf, page: pikepdf.Page, width: float, height: float) -> Placement:
    if is_turned(page):
        width, height = height, width
    left, bottom, right, top = visible_box(page)
    scale = min(width / (right - left), height / (top - bottom))
    placement = Placement(
        scale,
        (width - (right - left) * scale) / 2 - left * scale,
        (height - (top - bottom) * scale) / 2 - bottom * scale,
    )
    _move_content(pdf, page, placement, (left, bottom, right, top))
    _move_boxes(page.obj, placement, width, height)
    for annotation in annotations(page.obj):
        move_annotation(annotation, placement)
    for bead in dictionaries(page.obj.get(Name.B)):
        move_numbers(bead, Name.R, placement)
    return placement


def _move_content(
    pdf: pikepdf.Pdf, page: pikepdf.Page, placement: Placement, box: tuple[float, float, float, float]
) -> None:
    left, bottom, right, top = box
    under, over = unbalanced(page)
    matrix = f"{placement.scale:.6f} 0 0 {placement.scale:.6f} {placement.right:.4f} {placement.up:.4f} cm"
    clip = f"{left:.4f} {bottom:.4f} {right - left:.4f} {top - bottom:.4f} re W n"
    page.contents_add(f"q {matrix} {clip} {'q ' * under}".encode(), prepend=True)
    page.contents_add(f" {'Q ' * (over + 1)}".encode())
    _move_patterns(pdf, page, placement)


def _move_patterns(pdf: pikepdf.Pdf, page: pikepdf.Page, placement: Placement) -> None:
    """Move the patterns of a page, which are placed on the page and not within its content."""
    resources = dictionary(page.obj.get(Name.Resources))
    patterns = dictionary(resources.get(Name.Pattern))
    if not len(patterns.keys()):
        return
    moved = {key: _moved_pattern(pdf, pattern, placement) for key, pattern in patterns.items()}
    page.obj.Resources = Dictionary({**dict(resources.items()), "/Pattern": Dictionary(moved)})


def _moved_pattern(pdf: pikepdf.Pdf, pattern: pikepdf.Object, placement: Placement) -> pikepdf.Object:
    if not isinstance(pattern, Dictionary | Stream):
        return pattern
    if isinstance(pattern, Stream):
        copy: pikepdf.Object = pdf.make_stream(pattern.read_raw_bytes(), dict(pattern.stream_dict.items()))
    else:
        copy = pdf.make_indirect(Dictionary(dict(pattern.items())))
    matrix = pikepdf.Matrix(pattern.Matrix) if Name.Matrix in pattern else pikepdf.Matrix()
    outer = pikepdf.Matrix(placement.scale, 0, 0, placement.scale, placement.right, placement.up)
    copy.Matrix = (matrix @ outer).as_array()
    return copy


def _move_boxes(page: pikepdf.Object, placement: Placement, width: float, height: float) -> None:
    for key in (Name.TrimBox, Name.BleedBox, Name.ArtBox):
        box = read_box(page.get(key))
        if box is not None:
            page[key] = Array(rounded(placement.pairs(box)))
    for key in (Name.CropBox, Name.UserUnit):
        if key in page:
            del page[key]
    page.MediaBox = Array(rounded([0, 0, width, height]))


def _moved(parts: Sequence[Any], placements: Mapping[PageKey, Placement]) -> list[Any] | None:
    """Return a destination in the new coordinates of its page, or None where nothing moves."""
    if len(parts) < 3 or parts[0].objgen not in placements:
        return None
    placement, kind, numbers = placements[parts[0].objgen], str(parts[1]), parts[2:]
    if kind in ("/FitH", "/FitBH"):
        numbers = [_placed(numbers[0], placement.scale, placement.up)]
    elif kind in ("/FitV", "/FitBV"):
        numbers = [_placed(numbers[0], placement.scale, placement.right)]
    else:
        shifts = (placement.right, placement.up, placement.right, placement.up)
        count = 2 if kind == "/XYZ" else 4
        moved = [
            _placed(number, placement.scale, shift) for number, shift in zip(numbers[:count], shifts, strict=False)
        ]
        numbers = [*moved, *numbers[count:]]
    return [*parts[:2], *numbers]


def _placed(number: object, scale: float, shift: float) -> Any:
    return round(float(number) * scale + shift, 3) if is_number(number) else None  # type: ignore[arg-type]


def _is_equal(one: tuple[float, float], other: tuple[float, float]) -> bool:
    return all(abs(have - want) < SAME_SIZE for have, want in zip(sorted(one), sorted(other), strict=True))
