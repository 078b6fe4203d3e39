"""Signatures are removed, because a rewritten file would break them."""

import pypdfium2
import pytest
from pikepdf import Array, Dictionary, Name, String

from mediakit.engines.pdf.flattening import remove_signatures
from mediakit.engines.pdf.opening import Source
from mediakit.engines.pdf.saving import save
from tests.support.pdf_kit import add_fields, add_signature, blank, plain, reopened, saved


def without_signatures(content: bytes) -> Source:
    source = Source(reopened(content))
    remove_signatures(source)
    return source


def test_signature_becomes_page_content() -> None:
    pdf = blank(1)
    add_signature(pdf)
    add_fields(pdf, {"name": "Ada"})
    source = without_signatures(saved(pdf))
    assert [str(field.T) for field in source.root.AcroForm.Fields] == ["name"]
    assert [str(item.T) for item in source.pages[0].Annots] == ["name"]
    assert Name.Perms not in source.root
    assert Name.SigFlags not in source.root.AcroForm
    content = save(source.pdf)
    assert b"ByteRange" not in content
    image = pypdfium2.PdfDocument(content)[0].render().to_pil().convert("RGB")
    assert [image.getpixel((x, 400 - y)) for x, y in ((150, 150), (105, 195), (90, 150), (210, 150))] == [
        (255, 0, 0),
        (255, 0, 0),
        (255, 255, 255),
        (255, 255, 255),
    ]


@pytest.mark.parametrize(("count", "words"), [(1, "1 signature was"), (2, "2 signatures were")])
def test_warning_counts_the_signatures(count: int, words: str) -> None:
    pdf = blank(2)
    for page in range(count):
        add_signature(pdf, page)
    expected = f"{words} removed: a signature covers the original file only."
    assert without_signatures(saved(pdf)).warnings == [expected]


def test_signature_field_without_signature_is_kept() -> None:
    pdf = blank(1)
    add_signature(pdf)
    del pdf.Root.AcroForm.Fields[0].V
    source = without_signatures(saved(pdf))
    assert len(source.root.AcroForm.Fields) == 1
    assert source.warnings == []


def test_hidden_signature_draws_nothing() -> None:
    pdf = blank(1)
    add_signature(pdf)
    pdf.Root.AcroForm.Fields[0].F = 2
    content = save(without_signatures(saved(pdf)).pdf)
    assert set(pypdfium2.PdfDocument(content)[0].render().to_pil().convert("RGB").tobytes()) != {255}
    image = pypdfium2.PdfDocument(content)[0].render().to_pil().convert("RGB")
    assert image.getpixel((150, 250)) == (255, 255, 255)


@pytest.mark.parametrize("form", [String("x"), Dictionary(Fields=String("x")), Dictionary(Fields=Array([1, None]))])
def test_malformed_form_has_no_signatures(form: object) -> None:
    pdf = reopened(plain())
    pdf.Root.AcroForm = form
    source = Source(pdf)
    remove_signatures(source)
    assert source.warnings == []
