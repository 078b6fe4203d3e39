"""Proves that what was to be removed is gone: code that removed nothing reads the result again, in three ways.

PDFium and MuPDF read the pages, our own reader the text that content streams show, also where nothing is visible, and
`file_search` each string and stream of the file.
"""

from dataclasses import dataclass, field
from io import BytesIO

import pikepdf
import pymupdf
from pikepdf import Name

from mediakit.engines.pdf.objects import dictionaries
from mediakit.engines.pdf.source import Source
from mediakit.tools.pdf.pdf_redact.claim import Claim
from mediakit.tools.pdf.pdf_redact.file_search import FileSearch
from mediakit.tools.pdf.pdf_redact.marks import Box
from mediakit.tools.pdf.pdf_redact.page_text import read_page
from mediakit.tools.pdf.pdf_redact.pdfium_text import letters_left
from mediakit.tools.pdf.pdf_redact.scope import appearances, exempt_objects
from mediakit.tools.pdf.pdf_redact.shown_text import ShownText


@dataclass
class Leaks:
    """What is still there."""

    letters: dict[int, list[Box]] = field(default_factory=dict)
    """Boxes of letters that PDFium reads, by index of the page."""
    streams: set[int] = field(default_factory=set)
    """Indexes of the pages whose content or annotations show a match somewhere."""
    places: set[str] = field(default_factory=set)
    """Where a match is outside the text of pages, for people."""
    undecoded: set[str] = field(default_factory=set)
    """What cannot be decoded, and so not be searched, for people."""

    @property
    def pages(self) -> list[int]:
        """Indexes of the pages with leaks."""
        return sorted({*self.letters, *self.streams})


def prove(content: bytes, claim: Claim) -> Leaks:
    """Return what can still be found in a result."""
    leaks = Leaks()
    with pikepdf.open(BytesIO(content), password=claim.password or "") as pdf:
        find, shown = claim.finder.find, ShownText()
        for index in claim.selected:
            annotations = dictionaries(pdf.pages[index].obj.get(Name.Annots))
            texts = [text for each in annotations for form in appearances(each) for text in shown.of_form(form)]
            if any(map(find, (*shown.of_page(pdf.pages[index]), *texts))):
                leaks.streams.add(index)
        if claim.finder:
            search = FileSearch(pdf, claim.finder, exempt_objects(Source(pdf), claim.selected))
            search.run()
            leaks.places |= search.places
            if len(claim.selected) == len(pdf.pages):
                unshown = (text for each in shown.unshown(pdf) for text in (each.text, *each.properties))
                leaks.places |= {"content that no page shows" for text in unshown if find(text)}
            leaks.undecoded = search.undecoded
        visible = _all_layers_visible(pdf) if Name.OCProperties in pdf.Root else content
    leaks.letters = letters_left(visible, claim)
    leaks.streams |= _pages_by_mupdf(visible, claim)
    return leaks


def _all_layers_visible(pdf: pikepdf.Pdf) -> bytes:
    del pdf.Root.OCProperties
    target = BytesIO()
    pdf.save(target, stream_decode_level=pikepdf.StreamDecodeLevel.none, encryption=pdf.is_encrypted)
    return target.getvalue()


def _pages_by_mupdf(content: bytes, claim: Claim) -> set[int]:
    """Return the indexes of the pages whose text, as MuPDF reads it, has a match."""
    with pymupdf.open(stream=content, filetype="pdf") as document:  # type: ignore[no-untyped-call]
        if document.needs_pass:
            document.authenticate(claim.password or "")
        return {
            index
            for index in claim.selected
            if any(claim.finder.find(reading.text) for reading in read_page(document[index]).readings)
        }
