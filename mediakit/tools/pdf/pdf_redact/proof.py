"""Proves that what was to be removed is gone: other libraries than the one that wrote the result read it again."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from io import BytesIO

import pikepdf
from pikepdf import Dictionary, Name, Object, Stream

from mediakit.engines.pdf.source import Source
from mediakit.tools.pdf.pdf_redact.claim import Claim
from mediakit.tools.pdf.pdf_redact.document_texts import appearances_of, exempt_objects, strings
from mediakit.tools.pdf.pdf_redact.links import decoded_address
from mediakit.tools.pdf.pdf_redact.marks import Box
from mediakit.tools.pdf.pdf_redact.metadata import metadata_texts
from mediakit.tools.pdf.pdf_redact.pdfium_text import letters_left
from mediakit.tools.pdf.pdf_redact.private_streams import private_streams
from mediakit.tools.pdf.pdf_redact.shown_text import ShownText
from mediakit.tools.pdf.pdf_redact.tags import exempt_tags


@dataclass
class Leaks:
    """What is still there."""

    letters: dict[int, list[Box]] = field(default_factory=dict)
    """Boxes of letters that pdfium reads, by index of the page."""
    streams: set[int] = field(default_factory=set)
    """Indexes of the pages whose streams show a match somewhere."""
    elsewhere: bool = False

    @property
    def pages(self) -> list[int]:
        """Indexes of the pages with leaks."""
        return sorted({*self.letters, *self.streams})


def prove(content: bytes, claim: Claim) -> Leaks:
    """Return what can still be found in a result."""
    leaks = Leaks()
    find, shown = claim.finder.find, ShownText()
    with pikepdf.open(BytesIO(content), password=claim.password or "") as pdf:
        leaks.streams = {
            index for index in claim.selected if any(find(text) for text in shown.of_page(pdf.pages[index]))
        }
        leaks.elsewhere = any(find(text) for text in document_texts(Source(pdf), claim.selected))
        visible = _all_layers_visible(pdf) if Name.OCProperties in pdf.Root else content
    leaks.letters = letters_left(visible, claim)
    return leaks


def _all_layers_visible(pdf: pikepdf.Pdf) -> bytes:
    del pdf.Root.OCProperties
    target = BytesIO()
    pdf.save(target, stream_decode_level=pikepdf.StreamDecodeLevel.none, encryption=pdf.is_encrypted)
    return target.getvalue()


def document_texts(source: Source, selected: Collection[int]) -> Iterator[str]:
    """Return all texts of a document outside the content of its pages.

    Args:
        source: The document.
        selected: Indexes of the pages whose annotations and tags count.
    """
    shown = ShownText()
    exempt = exempt_objects(source, selected)
    exempt |= exempt_tags(source, {source.pages[index].objgen for index in selected})
    for item in (*source.pdf.objects, source.pdf.trailer.get(Name.Info)):
        if isinstance(item, Object) and item.objgen not in exempt:
            yield from _texts_of(item)
    for index in selected:
        for form in appearances_of(source.pages[index]):
            yield from shown.of_form(form)
    yield from (text for _, text in private_streams(source.pdf))


def _texts_of(item: Object) -> Iterator[str]:
    for key, text in strings(item):
        yield from decoded_address(text.encode()) if key == "/URI" else (text,)
    metadata = item.get(Name.Metadata) if isinstance(item, Dictionary | Stream) else None
    if isinstance(metadata, Stream):
        yield from metadata_texts(metadata.read_bytes())
