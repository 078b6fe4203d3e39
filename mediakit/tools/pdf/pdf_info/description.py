"""Describes a PDF, after the changes of a request.

Here are page sizes, fonts and images, pages without text, outline and labels; other modules have the rest.
"""

import re
import zlib
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

import pikepdf
import pymupdf
from pikepdf import Array, Dictionary, Name, Stream, String

from mediakit.core.inputs import file_of, files_of
from mediakit.engines.pdf.destinations import annotations
from mediakit.engines.pdf.document import open_to_change, open_to_read
from mediakit.engines.pdf.geometry import seen_size
from mediakit.engines.pdf.mupdf import open_pages
from mediakit.engines.pdf.objects import dictionary, is_true, items, name_of, write_number_tree
from mediakit.engines.pdf.opening import PageKey, Source
from mediakit.engines.pdf.outlines import bookmarks, label_texts
from mediakit.engines.pdf.saving import save
from mediakit.errors import InvalidInput
from mediakit.tools.pdf.pdf_info.attachments import attach, detach, read_attachments
from mediakit.tools.pdf.pdf_info.layers import read_layers
from mediakit.tools.pdf.pdf_info.metadata import conformance, read_properties, write_metadata
from mediakit.tools.pdf.pdf_info.removal import read_scripts, remove
from mediakit.tools.pdf.pdf_info.signatures import read_form, read_signatures
from mediakit.tools.pdf.pdf_info.tool import Described, LabelStyle, OutlineEntry, PdfInfoRequest

MM_PER_POINT = 25.4 / 72

TOLERANCE_MM = 1.5
"""Distance up to which a page has a paper size; writers round to points and to millimeters."""

PAPER_SIZES_MM: Mapping[str, tuple[float, float]] = {
    "A4": (210, 297), "Letter": (215.9, 279.4), "Legal": (215.9, 355.6), "Tabloid": (279.4, 431.8),
    "A0": (841, 1189), "A1": (594, 841), "A2": (420, 594), "A3": (297, 420), "A5": (148, 210), "A6": (105, 148),
    "A7": (74, 105), "A8": (52, 74), "A9": (37, 52), "A10": (26, 37),
    "B0": (1000, 1414), "B1": (707, 1000), "B2": (500, 707), "B3": (353, 500), "B4": (250, 353), "B5": (176, 250),
    "B6": (125, 176), "JIS B4": (257, 364), "JIS B5": (182, 257), "C4": (229, 324), "C5": (162, 229), "C6": (114, 162),
    "DL": (110, 220), "Executive": (184.2, 266.7), "Half Letter": (139.7, 215.9), "Government Letter": (203.2, 266.7),
    "ANSI C": (431.8, 558.8), "ANSI D": (558.8, 863.6), "ANSI E": (863.6, 1117.6), "Arch A": (228.6, 304.8),
    "Arch B": (304.8, 457.2), "Arch C": (457.2, 609.6), "Arch D": (609.6, 914.4), "Arch E": (914.4, 1219.2),
    "Slide 4:3": (190.5, 254), "Slide 16:9": (190.5, 338.67),
}  # fmt: skip
"""Width and height in portrait orientation (ISO 216, ISO 269, JIS P 0138, ANSI/ASME Y14.1); slides of PowerPoint."""


def read_page_sizes(source: Source) -> list[dict[str, Any]]:
    """Return each size of a page as it is seen, with the number of its pages, in the order of their first page."""
    sizes: Counter[tuple[float, float, int]] = Counter()
    for page in source.pdf.pages:
        width, height = (round(side * MM_PER_POINT, 1) for side in seen_size(page))
        sizes[width, height, page.rotation % 360] += 1
    return [
        {"width": width, "height": height, "rotate": rotate, "count": count, "name": paper_name(width, height)}
        for (width, height, rotate), count in sizes.items()
    ]


def paper_name(width: float, height: float) -> str | None:
    """Return the name of a paper size in either orientation, such as `A4`; None if there is none."""
    short, long = sorted((width, height))
    for name, (across, up) in PAPER_SIZES_MM.items():
        if abs(short - across) <= TOLERANCE_MM and abs(long - up) <= TOLERANCE_MM:
            return name
    return None


MAX_LAID_OUT_BYTES = 4_000_000
"""Size of a page's content up to which its text is laid out; in larger ones, operators that show text are searched."""

_SHOWS_TEXT = re.compile(rb"T[jJ]\s")


def pages_without_text(source: Source, content: bytes, password: str | None) -> list[int]:
    """Return the numbers of the pages; a page that cannot be read counts as one with text."""
    try:
        with open_pages(source, content, password) as document:
            return [index + 1 for index, page in enumerate(source.pages) if _lacks_text(document, index, page)]
    except (RuntimeError, ValueError, pymupdf.mupdf.FzErrorBase):
        return []


def _lacks_text(document: pymupdf.Document, index: int, page: pikepdf.Object) -> bool:
    contents = page.get(Name.Contents)
    head = b""  # a little more than is laid out
    for stream in [contents] if isinstance(contents, Stream) else items(contents):
        left = MAX_LAID_OUT_BYTES + 1 - len(head)
        if left > 0 and isinstance(stream, Stream):
            head += _inflated(stream, left)
    if len(head) > MAX_LAID_OUT_BYTES:
        return not _SHOWS_TEXT.search(head)
    try:
        laid_out = document[index]
        return not laid_out.get_text("text", flags=0).strip() and bool(laid_out.get_bboxlog())  # type: ignore[no-untyped-call]
    except (RuntimeError, ValueError, pymupdf.mupdf.FzErrorBase):
        return False


def _inflated(stream: pikepdf.Object, limit: int) -> bytes:
    raw = stream.read_raw_bytes()
    if stream.get(Name.Filter) not in (Name.FlateDecode, pikepdf.Array([Name.FlateDecode])):
        return raw[:limit]
    try:
        return zlib.decompressobj().decompress(raw, limit)
    except zlib.error:
        return b""


def _used_resources(pdf: pikepdf.Pdf) -> tuple[list[dict[str, Any]], int]:
    """Return the fonts (name, type, whether they are embedded and subsets) and the number of images of all content."""
    fonts: set[tuple[str, str, bool, bool]] = set()
    images: set[PageKey] = set()
    for scope in pdf.content_scopes():
        for font in dictionary(dictionary(scope.resources).get(Name.Font)).values():
            if isinstance(font, Dictionary):
                fonts.add(_font(font))
        for item in dictionary(dictionary(scope.resources).get(Name.XObject)).values():
            if isinstance(item, Stream) and item.get(Name.Subtype) == Name.Image:
                images.add(item.objgen)
    keys = ("name", "type", "embedded", "subset")
    return [dict(zip(keys, font, strict=True)) for font in sorted(fonts)], len(images)


def _font(font: pikepdf.Object) -> tuple[str, str, bool, bool]:
    kind, name = name_of(font.get(Name.Subtype))[1:], name_of(font.get(Name.BaseFont))[1:]
    descendants = items(font.get(Name.DescendantFonts))
    holder = descendants[0] if descendants and isinstance(descendants[0], Dictionary) else font
    if holder is not font:
        kind = name_of(holder.get(Name.Subtype))[1:] or kind
    descriptor = dictionary(holder.get(Name.FontDescriptor))
    embedded = kind == "Type3" or any(key in descriptor for key in (Name.FontFile, Name.FontFile2, Name.FontFile3))
    tag, plus, rest = name[:6], name[6:7], name[7:]  # six capital letters and a plus sign (ISO 32000-2, 9.9.2)
    subset = plus == "+" and tag.isalpha() and tag.isupper()
    return rest if subset else name or "unnamed", kind, embedded, subset


MAX_ITEMS = 10_000
"""Bookmarks that are read."""


def write_outline(source: Source, entries: Sequence[OutlineEntry]) -> None:
    """Replace the outline; nothing removes it.

    Raises:
        InvalidInput: A page does not exist.
    """
    pdf, count = source.pdf, len(source.pages)
    for index, entry in enumerate(entries):
        if entry["page"] > count:
            raise InvalidInput(f"outline[{index}]: the PDF has {count} page{'s' * (count != 1)}, got {entry['page']}.")
    if Name.Outlines in pdf.Root:
        del pdf.Root.Outlines
    if not entries:
        return
    with pdf.open_outline() as outline:
        levels = [outline.root]
        for entry in entries:
            page = pdf.pages[entry["page"] - 1]
            target = Array([page.obj, Name.XYZ, None, float(page.cropbox[3]), None])
            item = pikepdf.OutlineItem(entry["title"], target)
            del levels[entry["level"] :]
            levels[-1].append(item)
            levels.append(item.children)


NAMES: Mapping[LabelStyle, str] = {"1": "/D", "i": "/r", "I": "/R", "a": "/a", "A": "/A"}
"""Names of the numbering styles in a PDF."""


def write_labels(source: Source, ranges: Sequence[Any]) -> None:
    """Replace the page labels; no ranges remove them. Pages before the first range are numbered from 1.

    Raises:
        InvalidInput: A page does not exist.
    """
    count = len(source.pages)
    for index, each in enumerate(ranges):
        if each["from"] > count:
            raise InvalidInput(f"labels[{index}]: the PDF has {count} page{'s' * (count != 1)}, got {each['from']}.")
    if Name.PageLabels in source.root:
        del source.root.PageLabels
    labels = {0: Dictionary(S=Name.D)}
    for each in ranges:
        label = labels[each["from"] - 1] = Dictionary()
        if (style := each.get("style", "1")) in NAMES:
            label.S = Name(NAMES[style])
        if prefix := each.get("prefix"):
            label.P = String(prefix)
        if each.get("start", 1) != 1:
            label.St = each["start"]
    if ranges:
        source.root.PageLabels = write_number_tree(source.pdf, list(labels.items()))


PERMISSIONS = (
    ("print", "print_highres"),
    ("copy", "extract"),
    ("modify", "modify_other"),
    ("annotate", "modify_annotation"),
    ("fill", "modify_form"),
    ("assemble", "modify_assembly"),
)
"""Permissions by their names here and in pikepdf."""

NOT_COUNTED = ("/Link", "/Widget", "/Popup")
"""Annotations that are counted as links, as fields, or with the annotation that opens them."""


def describe(request: PdfInfoRequest) -> Described:
    """Return what is known of a PDF, after the changes.

    Raises:
        InvalidInput: The file cannot be read, or a change does not fit it.
    """
    file, password = file_of(request.file), request.password
    if not request.changes:
        source = open_to_read(file, password)
        return Described(_fields(source, file, password), None, source.warnings)
    source = open_to_change(file, password)
    remove(source, request.remove or ())  # first, so that new metadata and attachments stay
    detach(source, request.detach or ())
    if request.attach:
        attach(source, files_of(request.attach))
    if request.metadata is not None:
        write_metadata(source, dict(request.metadata))  # type: ignore[arg-type]  # of texts
    if request.outline is not None:
        write_outline(source, request.outline)
    if request.labels is not None:
        write_labels(source, request.labels)
    content = save(source.pdf)
    new_password = password if source.pdf.is_encrypted else None
    return Described(_fields(open_to_read(content, new_password), content, new_password), content, source.warnings)


def _encodable(value: Any) -> Any:
    """Return a value whose texts have no lone surrogates, which JSON cannot hold."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, list):
        return [_encodable(item) for item in value]
    return {name: _encodable(item) for name, item in value.items()} if isinstance(value, dict) else value


def _fields(source: Source, content: bytes, password: str | None) -> dict[str, Any]:
    pdf, root = source.pdf, source.root
    fonts, images = _used_resources(pdf)
    kinds = Counter(name_of(item.get(Name.Subtype)) for page in source.pages for item in annotations(page))
    has_tags = isinstance(root.get(Name.StructTreeRoot), Dictionary)
    fields = {
        "version": pdf.pdf_version,
        "pages": len(source.pages),
        **read_properties(source),
        "encrypted": source.is_encrypted,
        "restrictions": [
            name for name, permission in PERMISSIONS if pdf.is_encrypted and not getattr(pdf.allow, permission)
        ],
        "page_sizes": read_page_sizes(source),
        "page_labels": label_texts(source),
        "outline": [
            {"level": level, "title": title, "page": None if page is None else page + 1}
            for level, title, page in islice(bookmarks(source), MAX_ITEMS)
        ],
        "attachments": read_attachments(source),
        "fonts": fonts,
        "images": images,
        "links": kinds["/Link"],
        "annotations": sum(count for kind, count in kinds.items() if kind not in NOT_COUNTED),
        "form": read_form(source),
        "signatures": read_signatures(source, content),
        "javascript": read_scripts(source),
        "tagged": has_tags and is_true(dictionary(root.get(Name.MarkInfo)), Name.Marked),
        "linearized": pdf.is_linearized,
        "conformance": conformance(source),
        "layers": read_layers(source),
        "pages_without_text": pages_without_text(source, content, password),
    }
    return {name: _encodable(value) for name, value in fields.items()}
