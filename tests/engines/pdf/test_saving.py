"""Saving PDFs."""

import io

import pikepdf
import pypdfium2
from pikepdf import Encryption, Name

from mediakit.engines.pdf.opening import open_pdf
from mediakit.engines.pdf.saving import save
from tests.support.pdf_kit import blank, plain, saved, texts


def test_file_with_a_damaged_trailer_is_saved_whole() -> None:
    content = saved(blank(2), object_stream_mode=pikepdf.ObjectStreamMode.disable)
    damaged = content.replace(b"trailer <<", b"trailer >>")
    content = save(open_pdf(damaged).pdf)
    made = pikepdf.open(io.BytesIO(content))
    assert (len(made.pages), made.get_warnings()) == (2, [])
    assert texts(content) == ["page 1", "page 2"]


def test_encryption_without_a_key_length_is_kept() -> None:
    protection = Encryption(user="reader", owner="boss", R=4)
    content = saved(blank(1), encryption=protection, object_stream_mode=pikepdf.ObjectStreamMode.disable)
    without = content.replace(b"/Length 128 /O", b"            /O")
    source = open_pdf(without, passwords=["reader"])
    assert Name.Length not in source.pdf.trailer.Encrypt
    document = pypdfium2.PdfDocument(save(source.pdf), password="reader")
    assert document[0].get_textpage().get_text_bounded() == "page 1"


def test_equal_pages_have_equal_bytes_and_others_another_identifier() -> None:
    one, same, other = (save(pikepdf.open(io.BytesIO(content))) for content in (plain(1), plain(1), plain(2)))
    assert one == same
    identifiers = [bytes(pikepdf.open(io.BytesIO(content)).trailer.ID[0]) for content in (one, other)]
    assert identifiers[0] != identifiers[1]
