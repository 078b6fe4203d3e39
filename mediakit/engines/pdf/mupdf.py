"""Opens PDFs with MuPDF, for what is on the pages: text, images, drawings.

MuPDF and PDFium read only names of glyphs of one letter. Fonts get a map of the others, such as `T_h`, that have none:
`T_h` is "Th", `uni00660074` is "ft", `u1F600` is one character (Adobe Glyph List Specification). Letters of another
size or height are read as those of text: `Asmall` of Adobe's expert fonts, `parenleftbig` of TeX's fonts.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from io import BytesIO
from typing import Any

import pikepdf
import pymupdf
from pikepdf import Dictionary, Name, Object, Stream
from PIL import Image

from mediakit.engines.pdf import Thumbnail, Thumbnails
from mediakit.engines.pdf.document import open_to_read
from mediakit.engines.pdf.flattening import has_passwords, hide_passwords
from mediakit.engines.pdf.geometry import has_useless_crop
from mediakit.engines.pdf.objects import Visited, dictionaries, dictionary, differences, every_dictionary, stream_bytes
from mediakit.engines.pdf.opening import Source
from mediakit.engines.pdf.saslprep import forms
from mediakit.engines.pdf.shaped_text import to_unicode

SIMPLE_FONTS = (Name.Type1, Name.MMType1, Name.TrueType, Name.Type3)

_LETTERS_IN_NAME = re.compile(r"[^.]+_|uni(?:[0-9A-F]{4}){2,}|u[0-9A-F]{4,6}")
"""Names of several letters, and of characters by their number."""
_VARIANT = re.compile(r"(.+)(?:small|oldstyle|superior|inferior|display|text|[Bb]igg?)")
"""Names of a letter and its size or height."""
_SMALL_DIGITS = frozenset(f"{digit}superior" for digit in ("one", "two", "three"))
"""Variants that are letters of standard encodings."""
_NO_LETTER = re.compile("[\ue000-\uf8ff]?")
"""Nothing, or a character for private use, which Adobe's list has for variants."""

_TYPE1_ENTRY = re.compile(rb"dup\s+(\d{1,3})\s*/([^\s/\[\]<>(){}%]+)\s+put")
"""A code and its name in the encoding of a Type 1 font program."""

_NUMBERS = ((re.compile("[A-Za-z]([0-9A-Fa-f]{2})"), 16), (re.compile("[Cc](\\d{2,3})"), 10))
"""Names with the code of a letter, which other readers know too, and the base of their numbers."""


def character(name: str) -> str:
    """Return the letters of a glyph, by its name; empty if the name does not tell them."""
    from fontTools import agl

    letters = str(agl.toUnicode(name))
    if _NO_LETTER.fullmatch(letters) and (variant := _VARIANT.fullmatch(name)):
        return chr(pymupdf.mupdf.fz_unicode_from_glyph_name_strict(variant[1])).strip("\0") or letters
    return letters


def add_letters(pdf: pikepdf.Pdf) -> None:
    """Write ToUnicode maps for glyphs whose names MuPDF cannot read."""
    for font, letters in list(_missing(every_dictionary(pdf))):
        lines = [f"<{code:02x}> <{text.encode('utf-16-be').hex()}>" for code, text in letters.items()]
        section = f"\n{len(lines)} beginbfchar\n{chr(10).join(lines)}\nendbfchar\n".encode()
        present = font.get(Name.ToUnicode)
        old = (stream_bytes(present) or b"") if isinstance(present, Stream) else b""
        head, _, tail = old.rpartition(b"endcmap")
        font.ToUnicode = pdf.make_stream((head or _HEAD) + section + b"endcmap" + (tail or b"\nend\nend\n"))


def _missing(fonts: Iterable[Object]) -> Iterator[tuple[Object, dict[int, str]]]:
    """Yield the fonts, and the letters of their glyphs that their maps do not have."""
    for font in fonts:
        if font.get(Name.Subtype) not in SIMPLE_FONTS or not (Name.Encoding in font or Name.FontDescriptor in font):
            continue
        names = glyph_names(font)
        found = _numbered(names) or {
            code: character(name)
            for code, name in names.items()
            if _LETTERS_IN_NAME.match(name) or (name not in _SMALL_DIGITS and _VARIANT.fullmatch(name))
        }
        mapping = font.get(Name.ToUnicode) if found else None
        known = to_unicode(mapping) if isinstance(mapping, Stream) else {}
        if letters := {code: text for code, text in found.items() if text and code not in known}:
            yield font, letters


def _numbered(names: Mapping[int, str]) -> dict[int, str]:
    """Return the letters of glyphs that are all named by the codes of their letters, such as `c65` or `G4A`."""
    named = {code: name for code, name in names.items() if name != ".notdef"}
    for pattern, base in _NUMBERS:
        found = {code: match[1] for code, name in named.items() if (match := pattern.fullmatch(name))}
        letters = {code: chr(int(digits, base)) for code, digits in found.items()}
        has_base = base == 10 or any(not digits.isdigit() for digits in found.values())
        if letters and len(letters) == len(named) and has_base and "".join(letters.values()).isprintable():
            return letters
    return {}


def _shown_fonts(pdf: pikepdf.Pdf) -> Iterator[Object]:
    """Yield the fonts of all content that pages and annotations show."""
    visited = Visited()
    for scope in pdf.content_scopes():
        resources = dictionary(scope.resources)
        if not visited.add(resources):  # pages share them
            continue
        states = dictionary(resources.get(Name.ExtGState)).values()
        of_states = [font for state in states for font in dictionaries(dictionary(state).get(Name.Font))]
        for font in (*dictionary(resources.get(Name.Font)).values(), *of_states):
            if isinstance(font, Dictionary) and visited.add(font):
                yield font


def glyph_names(font: Object) -> Mapping[int, str]:
    """Return the names of the glyphs of a font with one-byte codes, as far as they differ from a standard encoding."""
    encoding = dictionary(font.get(Name.Encoding))
    has_own = Name.BaseEncoding not in encoding and not isinstance(font.get(Name.Encoding), Name)
    names = dict(_built_in(dictionary(font.get(Name.FontDescriptor)))) if has_own else {}
    return names | differences(encoding)


def _built_in(descriptor: Object) -> Iterator[tuple[int, str]]:
    """Yield the codes and names of the encoding in an embedded font program."""
    program = descriptor.get(Name.FontFile3, descriptor.get(Name.FontFile))
    if not isinstance(program, Stream):
        return
    encoding: Any = [".notdef"] * 256
    try:
        if Name.FontFile3 in descriptor:
            from fontTools.cffLib import CFFFontSet

            fonts = CFFFontSet()
            fonts.decompile(BytesIO(program.read_bytes()), None)
            encoding = fonts[0].Encoding
        else:
            for code, name in _TYPE1_ENTRY.findall(program.read_bytes().partition(b"eexec")[0]):
                if int(code) < 256:
                    encoding[int(code)] = name.decode("latin-1")
    except Exception:  # noqa: BLE001  # fontTools raises any exception for a damaged font
        return
    if isinstance(encoding, list):
        yield from ((code, name) for code, name in enumerate(encoding) if name not in (None, ".notdef"))


_HEAD = b"""/CIDInit /ProcSet findresource begin
12 dict begin
begincmap
/CMapName /Letters def
/CMapType 2 def
1 begincodespacerange
<00> <ff>
endcodespacerange"""


def open_pages(source: Source, content: bytes, password: str | None = None) -> pymupdf.Document:
    """Open the pages of a PDF that `opening.open_pdf` has accepted, with the password that opened it.

    If it was repaired, glyphs lack letters, password fields have values or crop boxes are empty, MuPDF reads a changed
    copy of it.
    """
    quiet()
    document = opened(content, password)
    is_changed = has_passwords(source.pdf) or any(_missing(_shown_fonts(source.pdf)))
    is_changed = is_changed or any(map(has_useless_crop, source.pdf.pages))
    is_changed = is_changed or document.is_encrypted or bool(source.repaired)
    if not is_changed and _stated_pages(document) == len(source.pages):
        return document
    target, changed = BytesIO(), BytesIO()
    source.pdf.save(target, encryption=False)
    with pikepdf.open(target) as copy:
        add_letters(copy)
        hide_passwords(copy)
        for page in filter(has_useless_crop, copy.pages):
            del page.obj.CropBox
        copy.save(changed)
    return opened(changed.getvalue(), None)


def has_stated_pages(document: pymupdf.Document, content: bytes) -> bool:
    """Return whether a PDF has the number of pages that its page tree states, which is all that MuPDF reads."""
    count = _stated_pages(document)
    try:
        with pikepdf.open(BytesIO(content)) as pdf:
            return len(pdf.pages) == count
    except (pikepdf.PdfError, pikepdf.PasswordError, RuntimeError, ValueError):
        with suppress(RuntimeError, ValueError, IndexError, pymupdf.mupdf.FzErrorBase):
            return count > 0 and document[count - 1] is not None  # MuPDF reads files that qpdf cannot open
        return False


def _stated_pages(document: pymupdf.Document) -> int:
    """Return the number of pages that the page tree states, which can be wrong; 0 for an impossible number."""
    try:
        return int(document.page_count)
    except RuntimeError:
        return 0


def quiet() -> None:
    """Turn off the messages that MuPDF prints about damaged files."""
    pymupdf.TOOLS.mupdf_display_errors(False)  # type: ignore[no-untyped-call]  # noqa: FBT003  # its signature
    pymupdf.TOOLS.mupdf_display_warnings(False)  # type: ignore[no-untyped-call]  # noqa: FBT003


def opened(content: bytes, password: str | None) -> pymupdf.Document:
    """Open a PDF with any form of a password; `needs_pass` and `is_encrypted` say whether it opens."""
    document = pymupdf.open(stream=content, filetype="pdf")  # type: ignore[no-untyped-call]
    if document.needs_pass:
        candidates = [form for form in forms(password or "") if isinstance(form, str)]
        any(document.authenticate(form) for form in candidates)  # type: ignore[no-untyped-call]
    return document


MAX_SCALE = 4.0
"""Pixels of a thumbnail in a point; small pages are not enlarged more."""


def thumbnails(content: bytes, password: str | None, side: int, pages: Sequence[int]) -> Thumbnails:
    """Return images of pages of a PDF, from 0, whose longest side has `side` pixels; pages that it lacks are omitted.

    Raises:
        InvalidInput: The file cannot be opened.
    """
    source = open_to_read(content, password)
    images = []
    with open_pages(source, content, password) as document:
        count = min(len(source.pages), document.page_count)
        for page in (document[index] for index in pages if index < count):
            width, height = page.rect.width, page.rect.height
            scale = min(side / max(width, height, 1), MAX_SCALE)
            pixels = page.get_pixmap(matrix=pymupdf.Matrix(scale, scale), alpha=False)  # type: ignore[no-untyped-call]
            target = BytesIO()
            image = Image.frombytes("RGB", (pixels.width, pixels.height), pixels.samples)
            image.save(target, "WEBP", quality=80, method=1)
            images.append(Thumbnail(target.getvalue(), width, height))
    return Thumbnails(len(source.pages), images)
