"""Names of PDF that people or programs chose: keys, layers, styles, colors, resources. A word can be in them, too."""

import re
from collections.abc import Iterator
from functools import cache

import pikepdf
from pikepdf import Array, Dictionary, Name, Object, Stream

from mediakit.engines.pdf.objects import name_of

_NAME = re.compile(rb"/([^\s()<>\[\]{}/%]+)")
_ESCAPED = re.compile(rb"#([0-9A-Fa-f]{2})")

_MORE = """
    ActualText Adobe AdobePSL All Annotation Artifact ArtBox AuthEvent AvgWidth Background BaseVersion BleedBox
    Block Bold CalGray CalRGB CapHeight Caption Chart CharSet CIDSet ClassMap Comments Company Condensed
    Contact ContactInfo Courier Courier-Bold Courier-BoldOblique Courier-Oblique CropBox Data Diagram Direction
    DisplayDocTitle DocOpen Endnote Expanded Export ExtensionLevel Extensions ExtraCondensed ExtraExpanded False
    FontFamily FontStretch FontWeight Footer Footnote FullScreen GTS_PDFA1 GTS_PDFX GTS_PDFXVersion Header Heading
    Heading1 Heading2 Heading3 HideMenubar HideToolbar HideWindowUI Helvetica Helvetica-Bold Helvetica-BoldOblique
    Helvetica-Oblique Identity-H Identity-V IDTree Inline InlineShape Italic Keywords L2R Layout Leading LineHeight
    LineThrough ListNumbering MacExpertEncoding MacRomanEncoding Manager Marked MarkInfo MaxWidth MediaBox Namespaces
    NeedsRendering NonFullScreenPageMode Normal NumCopies OneColumn OpenAction Outline PageLayout PageMode
    ParentTreeNextKey PDFDocEncoding PickTrayByPDFSize Placement PrintArea PrintClip PrintPageRange PrintScaling R2L
    RegistryName RoleMap RowSpan SemiCondensed SemiExpanded SinglePage Slide Slides SourceModified SpaceAfter
    SpaceBefore SpiderInfo Standard StemH SubmitForm Suspects Symbol Textbox TextAlign TextIndent Times-Bold
    Times-BoldItalic Times-Italic Times-Roman Trapped TrimBox True TwoColumnLeft TwoColumnRight TwoPageLeft
    TwoPageRight UltraCondensed UltraExpanded Underline Unknown UseAttachments UseNone UseOC UseOutlines UserProperties
    UseThumbs ViewArea ViewClip ViewerPreferences Workbook Worksheet WritingMode ZapfDingbats
"""
"""Names of ISO 32000-2 and of office programs that MuPDF does not know."""


@cache
def standard_names() -> frozenset[str]:
    """Return the names that have a meaning in every PDF, such as `Title`: those of the format, and of glyphs."""
    import pymupdf
    from fontTools import agl

    prefix = "PDF_ENUM_NAME_"
    known = (each.removeprefix(prefix) for each in dir(pymupdf.mupdf) if each.startswith(prefix))
    return frozenset((*known, *agl.AGL2UV, *_MORE.split()))


def names_in(holder: Object) -> Iterator[str]:
    """Yield the keys and values of a dictionary, or the items of an array, that are names and not standard ones."""
    found = list(holder) if isinstance(holder, Array) else [*map(Name, holder.keys()), *holder.values()]
    names = (name_of(each)[1:] for each in found)
    yield from (name for name in names if name and name not in standard_names())


def names_of_content(content: bytes) -> set[str]:
    """Return the names in a content stream that are not standard ones. Bytes of inline images can look like some."""
    names = {_ESCAPED.sub(lambda match: bytes([int(match[1], 16)]), each) for each in _NAME.findall(content)}
    return {name.decode("utf-8", "replace") for name in names} - standard_names()


def without_names(content: bytes) -> bytes:
    """Return a content stream without its names."""
    return _NAME.sub(b"/", content)


def containers(pdf: pikepdf.Pdf) -> Iterator[Object]:
    """Yield all dictionaries, streams and arrays, also those inside others."""
    waiting: list[object] = [*pdf.objects, pdf.trailer]
    while waiting:
        item = waiting.pop()
        if not isinstance(item, Dictionary | Stream | Array):
            continue
        yield item
        values: list[object] = list(item) if isinstance(item, Array) else list(item.values())
        waiting += [each for each in values if isinstance(each, Array | Dictionary) and not each.is_indirect]
