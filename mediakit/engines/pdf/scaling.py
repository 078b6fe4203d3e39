"""Fits pages to a paper size, with their annotations, patterns and destinations."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Name, Stream, String

from mediakit.engines.pdf.destinations import annotations, holders, page_of
from mediakit.engines.pdf.geometry import (
    Placement,
    is_number,
    is_turned,
    read_box,
    read_numbers,
    rounded,
    seen_size,
    user_unit,
    visible_box,
)
from mediakit.engines.pdf.objects import ancestry, appearances, delete, dictionaries, dictionary, dictionary_of, items
from mediakit.engines.pdf.opening import PageKey, Source
from mediakit.engines.pdf.page_content import unbalanced
from mediakit.engines.pdf.page_ranges import compact

NO_ROTATE = 0b10000
"""Annotation flag: the appearance stays upright when the page is turned."""

Mover = Callable[[Sequence[Any]], Sequence[Any] | None]
"""Returns the new items of a destination: a page, the kind of view and its numbers."""

_FONT_SIZE = re.compile(rb"([\d.]+)(\s+Tf)")


def move_destinations(source: Source, moved: Mover) -> None:
    """Replace the destinations of links, bookmarks, actions and names for which `moved` returns new items."""
    for holder, key in holders(source, source.pages):
        if (new := _moved_target(source, holder[key], moved)) is not None:
            holder[key] = new
    seen: set[PageKey] = set()
    for value in source.named_destinations.values():
        if value.is_indirect and value.objgen in seen:
            continue
        seen.add(value.objgen)
        if isinstance(value, Dictionary):
            if (new := _moved_target(source, value.get(Name.D), moved)) is not None:
                value.D = new
        elif (new := _moved_target(source, value, moved)) is not None:
            del value[:]  # others refer to the array
            value.extend(new)


def _moved_target(source: Source, target: object, moved: Mover) -> pikepdf.Object | None:
    page = page_of(source, target) if isinstance(target, Array) else None
    new = None if page is None else moved([page, *items(target)[1:]])
    return None if new is None else Array(list(new))


def move_annotation(annotation: pikepdf.Object, placement: Placement) -> None:
    """Move, scale and turn an annotation."""
    if rectangle := read_numbers(annotation.get(Name.Rect)):
        annotation.Rect = Array(rounded(placement.box(rectangle)))
    for key in (Name.QuadPoints, Name.Vertices, Name.L, Name.CL):
        move_numbers(annotation, key, placement)
    if strokes := items(annotation.get(Name.InkList)):
        annotation.InkList = Array([Array(rounded(placement.pairs(read_numbers(stroke)))) for stroke in strokes])
    if Name.RD in annotation:
        annotation.RD = Array(rounded(placement.margins(read_numbers(annotation.RD))))
    _scale_border_and_font(annotation, placement.scale)
    if placement.turn and not int(annotation.get(Name.F, 0)) & NO_ROTATE:
        turn = pikepdf.Matrix(*Placement(1, 0, 0, placement.turn).matrix)
        for form in appearances(annotation):  # viewers fit them into the rectangle (ISO 32000-2, 12.5.5, algorithm 8)
            matrix = pikepdf.Matrix(form.Matrix) if Name.Matrix in form else pikepdf.Matrix()
            form.Matrix = (matrix @ turn).as_array()


def move_numbers(holder: pikepdf.Object, key: Name, placement: Placement) -> None:
    """Move points that are given as x and y in turn."""
    if numbers := read_numbers(holder.get(key)):
        holder[key] = Array(rounded(placement.pairs(numbers)))


def _scale_border_and_font(annotation: pikepdf.Object, scale: float) -> None:
    """Scale the border, and the font size of a text field or a free text annotation, own or inherited."""
    style = annotation.get(Name.BS)
    if isinstance(style, Dictionary) and Name.W in style:
        annotation.BS = dictionary_of({**dict(style.items()), "/W": round(float(style.W) * scale, 4)})
    border = items(annotation.get(Name.Border))
    if len(border) >= 3 and all(is_number(value) for value in border[:3]):
        annotation.Border = Array([*rounded([float(value) * scale for value in border[:3]]), *border[3:]])
    for node in ancestry(annotation):
        if isinstance(appearance := node.get(Name.DA), String):
            scaled = _FONT_SIZE.sub(lambda match: b"%g%s" % (float(match[1]) * scale, match[2]), bytes(appearance))
            if scaled != bytes(appearance):
                annotation.DA = String(scaled)
            return


POINTS_PER_MM = 72 / 25.4

AS_LARGE = 0.995
"""Scale from which a page counts as not smaller."""

SAME_SIZE = 0.1
"""Points by which a side may differ from the paper without being scaled."""


def fit_pages(pdf: pikepdf.Pdf, pages: Sequence[int], width: float, height: float) -> list[str]:
    """Scale pages to a paper size, in proportion and centered; each page keeps its orientation.

    Annotations and destinations move along.

    Returns:
        A warning if pages became smaller.
    """
    smaller: dict[int, float] = {}
    placements: dict[PageKey, Placement] = {}
    for index in pages:
        page = pdf.pages[index]
        across, down = seen_size(page)
        differences = zip(sorted((across, down)), sorted((width, height)), strict=True)
        if all(abs(have - want) < SAME_SIZE for have, want in differences) and Name.UserUnit not in page.obj:
            continue
        paper = (width, height) if (across > down) == (width > height) or across == down else (height, width)
        unit = user_unit(page.obj)
        placement = _fit_page(pdf, page, *paper)
        placements[page.obj.objgen] = placement
        scale = placement.scale / unit
        if scale < AS_LARGE:
            smaller[index + 1] = scale
    move_destinations(Source(pdf), lambda parts: _moved(parts, placements))
    if not smaller:
        return []
    least, most = (f"{limit(smaller.values()):.0%}" for limit in (min, max))
    size = least if least == most else f"{least} to {most}"
    noun, was, its = ("Page", "was", "its size") if len(smaller) == 1 else ("Pages", "were", "their size")
    return [f"{noun} {compact(sorted(smaller))} {was} scaled down to fit the paper, to {size} of {its}."]


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
    under, over = unbalanced(page)
    matrix = f"{scale:.6f} 0 0 {scale:.6f} {placement.right:.4f} {placement.up:.4f} cm"
    clip = f"{left:.4f} {bottom:.4f} {right - left:.4f} {top - bottom:.4f} re W n"
    page.contents_add(f"q {matrix} {clip} {'q ' * under}".encode(), prepend=True)
    page.contents_add(f"\n{'Q ' * (over + 1)}".encode())
    _move_patterns(pdf, page, placement)
    for key in (Name.TrimBox, Name.BleedBox, Name.ArtBox):
        if (box := read_box(page.obj.get(key))) is not None:
            page.obj[key] = Array(rounded(placement.pairs(box)))
    delete(page.obj, "/CropBox", "/UserUnit")
    page.obj.MediaBox = Array(rounded([0, 0, width, height]))
    for annotation in annotations(page.obj):
        move_annotation(annotation, placement)
    for bead in dictionaries(page.obj.get(Name.B)):
        move_numbers(bead, Name.R, placement)
    return placement


def _move_patterns(pdf: pikepdf.Pdf, page: pikepdf.Page, placement: Placement) -> None:
    """Move the patterns of a page, which are placed on the page and not within its content."""
    resources = dictionary(page.obj.get(Name.Resources))
    moved = dict(dictionary(resources.get(Name.Pattern)).items())
    for key, pattern in moved.items():
        if isinstance(pattern, Stream):
            copy: pikepdf.Object = pdf.make_stream(pattern.read_raw_bytes(), dict(pattern.stream_dict.items()))
        elif isinstance(pattern, Dictionary):
            copy = pdf.make_indirect(Dictionary(dict(pattern.items())))
        else:
            continue
        matrix = pikepdf.Matrix(pattern.Matrix) if Name.Matrix in pattern else pikepdf.Matrix()
        copy.Matrix = (matrix @ pikepdf.Matrix(*placement.matrix)).as_array()
        moved[key] = copy
    if moved:
        page.obj.Resources = dictionary_of({**dict(resources.items()), "/Pattern": dictionary_of(moved)})


def _moved(parts: Sequence[Any], placements: Mapping[PageKey, Placement]) -> list[Any] | None:
    """Return a destination in the new coordinates of its page, or None where nothing moves."""
    if len(parts) < 3 or parts[0].objgen not in placements:
        return None
    placement, kind, numbers = placements[parts[0].objgen], str(parts[1]), parts[2:]
    right, up = placement.right, placement.up
    shifts, rest = [right, up, right, up], numbers[4:]
    if kind == "/XYZ":  # left, top and zoom
        shifts, rest = [right, up], numbers[2:]
    elif kind in ("/FitH", "/FitBH", "/FitV", "/FitBV"):
        shifts, rest = [up if kind.endswith("H") else right], []
    moved = [
        round(float(number) * placement.scale + shift, 3) if is_number(number) else None
        for number, shift in zip(numbers, shifts, strict=False)
    ]
    return [*parts[:2], *moved, *rest]
