"""`pdf_redact` against PDFs that hide a word: it is gone, or the result says that it is not verified and where."""

import io
import shutil
import subprocess
import zlib
from collections.abc import Iterator
from typing import Any

import pikepdf
import pymupdf
import pypdf
import pypdfium2
import pytest
from PIL import ImageCms
from pypdf.generic import ArrayObject, DictionaryObject, IndirectObject, StreamObject

import mediakit
from mediakit.errors import InvalidInput
from tests.support import redaction_attacks as made

NOTICE = b"Copyright (c) 2001 Hewlett Example Company, all rights reserved"

ENCODINGS = ("latin-1", "utf-8", "utf-16-be", "utf-16-le")


def readings(content: bytes) -> Iterator[str]:
    """Yield the text of a PDF as three renderers read it, and all strings and streams as pypdf decodes them."""
    yield from (page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument(content))
    with pymupdf.open(stream=content, filetype="pdf") as document:  # type: ignore[no-untyped-call]
        yield from (page.get_text() for page in document)
    if shutil.which("pdftotext"):
        yield subprocess.run(["pdftotext", "-", "-"], input=content, capture_output=True).stdout.decode()
    reader = pypdf.PdfReader(io.BytesIO(content))
    for number in range(1, len(reader.xref[0]) + 2 if reader.xref else 1):
        yield from texts(reader.get_object(IndirectObject(number, 0, reader)))
    yield from texts(reader.trailer)


def texts(item: Any) -> Iterator[str]:
    if isinstance(item, StreamObject):
        yield from decoded(item.get_data() if item.get("/Subtype") != "/Image" else item._data)
    if isinstance(item, DictionaryObject):
        for key, value in item.items():
            yield str(key)
            yield from texts(value)
    elif isinstance(item, ArrayObject):
        for value in item:
            yield from texts(value)
    elif not isinstance(item, IndirectObject) and item is not None:
        yield from decoded(getattr(item, "original_bytes", str(item).encode("utf-8", "replace")))


def decoded(content: bytes) -> Iterator[str]:
    yield from (content.decode(encoding, "replace") for encoding in ENCODINGS)


def joined(text: str) -> str:
    return "".join(text.casefold().split())


WHOLE = (made.attachment, made.piece_info, made.thumbnail, made.collection, made.font_family)
"""Places that go as a whole, or are not text of the document: a word that is only there is not found."""


def redacted(attack: made.Attack) -> Any:
    """Return the redacted PDF; None if the word is found nowhere, so that there is no result."""
    try:
        return mediakit.pdf_redact(attack.content, [attack.word])
    except InvalidInput as error:
        if error.message == "words: none of them is in the PDF.":
            return None
        raise


@pytest.mark.parametrize(
    "hide", [*made.STRINGS, *made.METADATA, *made.PAGE_TEXTS, *made.NAMES], ids=lambda hide: str(hide.__name__)
)
def test_hidden_word_is_gone_or_the_result_is_not_verified(hide: made.Hide) -> None:
    for attack in made.attacks(hide):
        result = redacted(attack)
        if result is None:
            assert hide in WHOLE, attack.name
            continue
        left = any(joined(attack.word) in joined(text) for text in readings(result.content))
        assert result.meta["verified"] is not left, attack.name
        assert not left or any("Not verified" in each for each in result.meta["warnings"]), attack.name
        words = pypdfium2.PdfDocument(result.content)[0].get_textpage().get_text_range().split()
        assert words[:2] == made.CONTROL.split(), attack.name
        assert set(words[2:]) <= {"a", "xy"}, attack.name  # what the attack draws besides the word


TRACES = (b"Zephyrina", b"yrina", b"%5A%65", rb"\x79", b"&#121;", "Zephyrina".encode("utf-16-be").hex().encode())
"""What is in the file if the word is, in one of the codes."""


def hidden_by(hide: made.Hide) -> bytes:
    pdf = made.base()
    hide(pdf, pdf.pages[0].obj, "Zephyrina")
    return made.saved(pdf)


@pytest.mark.parametrize("hide", made.SPELLINGS, ids=lambda hide: str(hide.__name__))
def test_word_in_other_codes_is_gone(hide: made.Hide) -> None:
    result = mediakit.pdf_redact(hidden_by(hide), ["Zephyrina", "Harmless"])
    assert result.meta["verified"] is True
    with pikepdf.open(io.BytesIO(result.content)) as pdf:
        packed = [stream.read_raw_bytes() for stream in pdf.objects if isinstance(stream, pikepdf.Stream)]
    parts = [result.content, *packed, *(zlib.decompressobj().decompress(each) for each in packed if each[:1] == b"x")]
    assert not any(trace in part for trace in TRACES for part in parts)
    assert not any("zephyrina" in joined(text).replace("\u034f", "") for text in readings(result.content))


@pytest.mark.parametrize("hide", made.IDENTIFIERS, ids=lambda hide: str(hide.__name__))
def test_word_in_identifiers_is_not_verified(hide: made.Hide) -> None:
    result = mediakit.pdf_redact(hidden_by(hide), ["Zephyrina", "Harmless"])
    assert result.meta["verified"] is False
    assert any("Not verified" in each for each in result.meta["warnings"])


@pytest.mark.parametrize("hide", made.UNUSED, ids=lambda hide: str(hide.__name__))
def test_word_in_content_that_nothing_draws_is_gone(hide: made.Hide) -> None:
    for attack in made.attacks(hide):
        result = redacted(attack)
        if result is None:
            assert hide in (made.template_of_page, made.named_look), attack.name
            continue
        assert result.meta["verified"] is True, attack.name
        _, operand = made.font_of(pikepdf.new(), attack.word)
        codes = bytes.fromhex(operand.decode()[1:-1])
        with pikepdf.open(io.BytesIO(result.content)) as pdf:
            contents = [each.read_bytes() for each in pdf.objects if isinstance(each, pikepdf.Stream)]
        if hide is made.unused_form_with_short_codes:
            codes = codes.replace(b"\0", b"")
        assert not any(codes in each or codes.hex().encode() in each.lower() for each in contents), attack.name


@pytest.mark.parametrize("hide", made.UNUSED, ids=lambda hide: str(hide.__name__))
def test_word_in_content_that_nothing_draws_is_gone_also_if_some_pages_are_searched(hide: made.Hide) -> None:
    attack = next(made.attacks(hide))
    with pikepdf.open(io.BytesIO(attack.content)) as pdf:
        pdf.add_blank_page(page_size=(300, 400)).obj.Resources = pikepdf.Dictionary(
            Font=pikepdf.Dictionary(F1=pdf.pages[0].obj.Resources.Font.F1)
        )
        pdf.pages[1].contents_add(f"BT /F1 12 Tf 40 300 Td ({attack.word}) Tj ET".encode())
        content = made.saved(pdf)
    try:
        result = mediakit.pdf_redact(content, [attack.word], pages="1")
    except InvalidInput:
        assert hide in (made.template_of_page, made.named_look)
        return
    assert result.meta["verified"] is True
    _, operand = made.font_of(pikepdf.new(), attack.word)
    codes = bytes.fromhex(operand.decode()[1:-1])
    if hide is made.unused_form_with_short_codes:
        codes = codes.replace(b"\0", b"")
    with pikepdf.open(io.BytesIO(result.content)) as pdf:
        contents = [each.read_bytes() for each in pdf.objects if isinstance(each, pikepdf.Stream)]
    assert not any(codes in each or codes.hex().encode() in each.lower() for each in contents)
    assert attack.word in pypdfium2.PdfDocument(result.content)[1].get_textpage().get_text_range()


@pytest.mark.parametrize(
    ("character_map", "codec"),
    [("90ms-RKSJ-H", "cp932"), ("UniJIS-UTF16-H", "utf-16-be"), ("EUC-H", "euc_jp"), ("UniJIS-UTF8-H", "utf-8")],
)
def test_word_in_a_usual_character_map_is_gone_from_a_form_that_nothing_draws(character_map: str, codec: str) -> None:
    word = "山田太郎"
    pdf = made.base()
    page = pdf.pages[0].obj
    made.plain_text(pdf, page, word)
    codes = word.encode(codec)
    look = made.form(pdf, page, b"BT /F3 12 Tf 40 300 Td <" + codes.hex().encode() + b"> Tj ET")
    look.Resources = pikepdf.Dictionary(Font=pikepdf.Dictionary(F3=made.japanese_font(character_map)))
    made.button(pdf, page, look)
    result = mediakit.pdf_redact(made.saved(pdf), [word])
    assert result.meta["verified"] is True
    with pikepdf.open(io.BytesIO(result.content)) as redacted_pdf:
        contents = [each.read_bytes() for each in redacted_pdf.objects if isinstance(each, pikepdf.Stream)]
    assert not any(codes in each or codes.hex().encode() in each.lower() for each in contents)


def test_names_of_the_format_are_not_leaks() -> None:
    words = ["Title", "Contents", "Helvetica", "Resources", "period", "creator", "Description", "Identity"]
    pdf = made.base(control=" ".join(words))
    pdf.trailer.Info = pdf.make_indirect(pikepdf.Dictionary(Title=pikepdf.String("Title of contents")))
    pdf.Root.Metadata = made.metadata(pdf, made.xmp("x"))
    made.plain_text(pdf, pdf.pages[0].obj, "Adobe")
    made.add_content(pdf, pdf.pages[0].obj, b"/Contents BMC 10 10 m 20 20 l S EMC\n")
    result = mediakit.pdf_redact(made.saved(pdf), words)
    assert result.meta["verified"] is True
    assert result.meta["warnings"] == ["Matches were also removed from document information."]


def test_word_in_names_of_metadata_is_not_verified() -> None:
    pdf = made.base(control="Zephyrina")
    own = b'<rdf:Description xmlns:pdfx="http://ns.adobe.com/pdfx/1.3/" pdfx:Zephyrina="1"/></rdf:RDF>'
    pdf.Root.Metadata = made.metadata(pdf, made.xmp("x").replace(b"</rdf:RDF>", own))
    result = mediakit.pdf_redact(made.saved(pdf), ["Zephyrina"])
    assert result.meta["verified"] is False
    assert "metadata" in result.meta["warnings"][-1]


def test_word_in_the_notice_of_a_color_profile_is_gone() -> None:
    pdf = made.base(control="Hewlett and Packard")
    page = pdf.pages[0].obj
    profile = pdf.make_stream(ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes() + NOTICE)
    profile.N = 3
    page.Resources.ColorSpace = pikepdf.Dictionary(C0=pikepdf.Array([pikepdf.Name.ICCBased, profile]))
    made.add_content(pdf, page, b"/C0 cs 1 0 0 scn 10 10 20 20 re f\n")
    result = mediakit.pdf_redact(made.saved(pdf), ["Hewlett"])
    assert result.meta["verified"] is True
    assert not any("hewlett" in joined(text) for text in readings(result.content))


def test_image_of_run_lengths_is_verified() -> None:
    pdf = made.base()
    stream = made.image(pdf, pdf.pages[0].obj, b"")
    stream.write(b"\x81\x33" * 6 + b"\x80", filter=pikepdf.Name.RunLengthDecode)
    result = mediakit.pdf_redact(made.saved(pdf), ["Harmless"])
    assert result.meta["verified"] is True


def test_image_of_jbig2_is_verified() -> None:
    pdf = made.base()
    stream = made.image(pdf, pdf.pages[0].obj, b"")
    stream.write(b"\0" * 20, filter=pikepdf.Name.JBIG2Decode)
    stream.ColorSpace, stream.BitsPerComponent = pikepdf.Name.DeviceGray, 1
    result = mediakit.pdf_redact(made.saved(pdf), ["Harmless"])
    assert result.meta["verified"] is True


def test_part_of_a_longer_word_is_not_a_leak_with_whole_words() -> None:
    pdf = made.base(control="Meier and Meiersdorf")
    pdf.Root.Metadata = made.metadata(pdf, made.xmp("Meiersdorf"))
    result = mediakit.pdf_redact(made.saved(pdf), ["Meier"], whole_words=True)
    assert result.meta["verified"] is True
    text = pypdfium2.PdfDocument(result.content)[0].get_textpage().get_text_range()
    assert "Meiersdorf" in text
    assert "Meier " not in text


def test_suite_has_at_least_300_files() -> None:
    hides = (*made.STRINGS, *made.METADATA, *made.PAGE_TEXTS)
    assert sum(len(made.spellings(hide)) for hide in hides) >= 300


def test_short_word_within_letters_that_are_placed_one_by_one_stays() -> None:
    pdf = made.base(control="Harmless xy")
    parts = " ".join(f"({part}) Tj 14 0 Td" for part in ("Gala", "x", "y", "_way"))
    made.add_content(pdf, pdf.pages[0].obj, f"BT /F1 12 Tf 1 0 0 1 40 300 Tm {parts} ET\n".encode())
    result = mediakit.pdf_redact(made.saved(pdf), ["xy"], whole_words=True)
    assert result.meta["verified"] is True
    with pikepdf.open(io.BytesIO(result.content)) as redacted_pdf:
        shown = b"".join(each.read_bytes() for each in redacted_pdf.objects if isinstance(each, pikepdf.Stream))
    assert b"(x)" in shown
    assert b"(y)" in shown


def test_digits_of_dates_are_not_a_leak() -> None:
    pdf = made.base(control="Harmless 20310")
    pdf.docinfo["/CreationDate"] = "D:20310415101010+01'00'"
    made.annotation(pdf, pdf.pages[0].obj, Subtype=pikepdf.Name.Text, M=pikepdf.String("D:20310415101010Z"))
    assert mediakit.pdf_redact(made.saved(pdf), ["20310"]).meta["verified"] is True


def test_names_of_programs_that_match_a_pattern_stay() -> None:
    pdf = made.base()
    page = pdf.pages[0].obj
    made.font_resource(pdf, page, "Zephyrina")
    result = mediakit.pdf_redact(made.saved(pdf), patterns=["[A-Z][a-z]{5,}a", "Harm[a-z]+"])
    assert result.meta["not_found"] == ["[A-Z][a-z]{5,}a"]
    with pikepdf.open(io.BytesIO(result.content)) as redacted_pdf:
        assert "/Zephyrina" in redacted_pdf.pages[0].Resources.Font


@pytest.mark.parametrize(
    "content",
    [
        b"BT /F1 0 Tf 40 300 Td (Zephyrina) Tj ET",
        b"BT /F1 12 Tf 0 Tz 40 300 Td [(Zephy) 1 (rina)] TJ ET",
        b"q 0 0 0 0 0 0 cm BT /F1 12 Tf 40 300 Td (Zephyrina) Tj ET Q",
        b"BT /F1 12 Tf 0 0 0 0 40 300 Tm (Zephyrina) Tj ET",
        b"/F1 12 Tf 40 300 Td [(Zephy) 1 (rina)] TJ",
    ],
)
def test_text_without_a_size_is_removed_from_a_page_with_boxes(content: bytes) -> None:
    pdf = made.base()
    page = pdf.pages[0].obj
    page.Resources.ExtGState = pikepdf.Dictionary(
        G=pikepdf.Dictionary(Font=pikepdf.Array([page.Resources.Font.F1, 12]))
    )
    made.add_content(pdf, page, b"/G gs BT 40 200 Td (Kept) Tj ET " + content)
    result = mediakit.pdf_redact(made.saved(pdf), boxes=[{"page": 1, "x0": 0, "y0": 70, "x1": 300, "y1": 120}])
    assert not any("zephyrina" in joined(text) for text in readings(result.content))
    with pikepdf.open(io.BytesIO(result.content)) as redacted_pdf:
        shown = b"".join(each.read_bytes() for each in redacted_pdf.objects if isinstance(each, pikepdf.Stream))
    assert b"rina" not in shown
    assert pypdfium2.PdfDocument(result.content)[0].get_textpage().get_text_range().split() == [
        "Harmless",
        "words",
        "Kept",
    ]
    assert result.meta["warnings"] == [
        "Text without a size was removed from pages with boxes: it can be in any of them."
    ]


def test_tables_of_a_jpeg_are_not_digits_that_a_pattern_finds() -> None:
    pdf = made.base(control="Harmless 4711")
    made.image(pdf, pdf.pages[0].obj, made.jpeg())
    result = mediakit.pdf_redact(made.saved(pdf), patterns=["[0-9]{4}"])
    assert result.meta["verified"] is True
    assert pypdfium2.PdfDocument(result.content)[0].get_textpage().get_text_range().split() == ["Harmless"]
