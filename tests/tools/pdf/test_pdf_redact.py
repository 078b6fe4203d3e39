"""`pdf_redact`: what is removed is gone from every stream and string, and the rest is still there."""

import io
from collections.abc import Mapping, Sequence
from typing import Any

import pikepdf
import pypdf
import pypdfium2
import pytest
from pikepdf import Array, Dictionary, Encryption, Name, String
from PIL import Image

import mediakit
from mediakit.errors import InvalidInput
from mediakit.samples import CONTRACT, FORM
from tests.support.pdf_kit import (
    add_annotation,
    add_attachments,
    add_destinations,
    add_fields,
    add_link,
    add_outline,
    add_signature,
    blank,
    outline_titles,
    plain,
    reopened,
    saved,
)

SECRET = "Zephyrina"


def page_of(content: bytes, resources: Mapping[str, Any] | None = None, *, size: tuple[int, int] = (300, 400)) -> Any:
    """Return a PDF of one page with a font F1 and some content."""
    pdf = pikepdf.new()
    font = pdf.make_indirect(
        Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica, Encoding=Name.WinAnsiEncoding)
    )
    page = Dictionary(
        Type=Name.Page,
        MediaBox=Array([0, 0, *size]),
        Resources=Dictionary({"/Font": Dictionary(F1=font), **(resources or {})}),
        Contents=pdf.make_stream(content),
    )
    pdf.pages.append(pikepdf.Page(pdf.make_indirect(page)))
    return pdf


def text_page(*lines: str, size: tuple[int, int] = (300, 400)) -> Any:
    """Return a PDF of one page with lines of Helvetica of 12 points."""
    shown = " T* ".join(f"({line}) Tj" for line in lines)
    return page_of(f"BT /F1 12 Tf 16 TL 40 340 Td {shown} ET".encode("cp1252"), size=size)


def form(pdf: Any, content: bytes, box: Sequence[float] = (0, 0, 300, 400), **entries: Any) -> Any:
    """Return a form XObject with the font of the first page."""
    made = pdf.make_stream(content)
    made.Type, made.Subtype, made.BBox = Name.XObject, Name.Form, Array(list(box))
    made.Resources = Dictionary(Font=pdf.pages[0].obj.Resources.Font)
    for key, value in entries.items():
        made[f"/{key}"] = value
    return made


def redact(pdf: Any, *words: str, **options: Any) -> Any:
    content = pdf if isinstance(pdf, bytes) else saved(pdf)
    return mediakit.pdf_redact(content, list(words) or None, **options)


def everything(content: bytes, password: str = "") -> str:
    """Return all text of a PDF: by two readers, and every decoded stream and string."""
    found = [page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument(content, password=password or None)]
    found += [page.extract_text() for page in pypdf.PdfReader(io.BytesIO(content), password=password or None).pages]
    with pikepdf.open(io.BytesIO(content), password=password) as pdf:
        for item in pdf.objects:
            found += strings(item)
            if isinstance(item, pikepdf.Stream) and item.get(Name.Subtype) != Name.Image:
                data = item.read_bytes()
                found += [data.decode("latin-1"), data.decode("utf-16-be", "replace")]
    return "\n".join(found)


def strings(item: Any) -> list[str]:
    if isinstance(item, String | Name):
        return [str(item)]
    if isinstance(item, Array):
        return [text for value in item if not is_indirect(value) for text in strings(value)]
    if isinstance(item, Dictionary | pikepdf.Stream):
        return [text for key, value in item.items() for text in (key, *([] if is_indirect(value) else strings(value)))]
    return []


def is_indirect(value: Any) -> bool:
    return isinstance(value, pikepdf.Object) and value.is_indirect


def assert_gone(content: bytes, *words: str) -> None:
    text = everything(content).casefold()
    for word in words or (SECRET,):
        assert word.casefold() not in text


def visible_text(content: bytes, page: int = 0) -> str:
    return " ".join(str(pypdfium2.PdfDocument(content)[page].get_textpage().get_text_range()).split())


def pixel(content: bytes, x: float, y: float, page: int = 0) -> tuple[int, ...]:
    """Return the color of a page at a point from its top left corner."""
    drawn = pypdfium2.PdfDocument(content)[page].render(scale=2).to_pil().convert("RGB")
    color: tuple[int, ...] = drawn.getpixel((int(x * 2), int(y * 2)))
    return color


def refusal(*arguments: Any, **options: Any) -> str:
    with pytest.raises(InvalidInput) as caught:
        mediakit.pdf_redact(*arguments, **options)
    return caught.value.message


# --- words ------------------------------------------------------------------------------------------------------------


def test_word_is_removed_and_the_rest_stays() -> None:
    result = redact(text_page(f"Dear {SECRET}, hello", "another line"), SECRET)
    assert_gone(result.content)
    assert visible_text(result.content) == "Dear , hello another line"
    assert (result.found, result.meta["verified"], result.meta["pages_as_images"]) == (1, True, [])


def test_box_of_match_is_where_word_was_and_is_filled() -> None:
    result = redact(text_page(f"{SECRET} x"), SECRET, fill="#ff0000")
    (match,) = result.matches
    assert match["page"] == 1
    assert match["kind"] == "word"
    assert match["x0"] == pytest.approx(40, abs=0.5)
    assert match["y0"] < 60 < match["y1"]
    assert pixel(result.content, match["x0"] + 3, (match["y0"] + match["y1"]) / 2) == (255, 0, 0)
    assert "text" not in match


def test_neighbors_in_tight_lines_stay() -> None:
    lines = "".join(f"1 0 0 1 40 {300 - 8 * row} Tm (above {SECRET} below) Tj " for row in range(5))
    lines = lines.replace(f"276 Tm (above {SECRET}", "276 Tm (keep Marigold")
    result = redact(page_of(f"BT /F1 12 Tf {lines} ET".encode()), SECRET)
    assert_gone(result.content)
    assert "keep Marigold below" in visible_text(result.content)
    assert visible_text(result.content).count("above") == 4


@pytest.mark.parametrize(
    ("lines", "word"),
    [
        (["a Zephy-", "rina b"], "Zephyrina"),
        (["a Anna", "Zephyrina b"], "anna zephyrina"),
        (["a Baden-", "Zephyr b"], "Baden-Zephyr"),
        (["a DE89370400440", "532013000 b"], "DE89370400440532013000"),
    ],
)
def test_word_across_line_end_is_removed(lines: list[str], word: str) -> None:
    result = redact(text_page(*lines), word)
    assert (result.found, len(result.matches)) == (1, 2)
    assert visible_text(result.content) == "a b"


def test_parts_of_neighboring_lines_are_not_a_word() -> None:
    result = redact(text_page("the music", "at noon, a cat"), "cat")
    assert visible_text(result.content) == "the music at noon, a"


def test_whole_words_and_case_are_respected() -> None:
    pdf = saved(text_page("art Art party ART"))
    assert visible_text(redact(pdf, "art", whole_words=True).content) == "party"
    assert visible_text(redact(pdf, "Art", match_case=True).content) == "art party ART"
    assert visible_text(redact(pdf, "art").content) == "p y"


def test_composed_accent_is_found_by_decomposed_word() -> None:
    result = redact(text_page("Jos\u00e9 and Jose"), "Jose\u0301")
    assert visible_text(result.content) == "and Jose"


def test_accent_drawn_over_letter_is_found() -> None:
    pdf = page_of(b"BT /F1 12 Tf 40 300 Td (Jos) Tj (e) Tj -3.2 0 Td ET")
    pdf.pages[0].obj.Contents = pdf.make_stream(
        "BT /F1 12 Tf 1 0 0 1 40 300 Tm (Jose x) Tj 1 0 0 1 61.0 300 Tm (\xb4) Tj ET".encode("latin-1")
    )
    result = redact(pdf, "Jos\u00e9")
    assert result.found == 1
    assert visible_text(result.content) == "x"


def test_ligature_is_found_by_its_letters() -> None:
    pdf = text_page("")
    font = pdf.pages[0].obj.Resources.Font.F1
    font.Encoding = Dictionary(BaseEncoding=Name.WinAnsiEncoding, Differences=Array([1, Name("/fi")]))
    pdf.pages[0].obj.Contents = pdf.make_stream(b"BT /F1 12 Tf 40 300 Td (an of\001ce day) Tj ET")
    assert visible_text(redact(pdf, "office").content) == "an day"


# --- hiding places on pages -------------------------------------------------------------------------------------------


HIDDEN: Mapping[str, bytes] = {
    "kerning": b"BT /F1 12 Tf 40 300 Td [(Zep) 20 (hy) -30 (rina)] TJ ET",
    "several strings": b"BT /F1 12 Tf 40 300 Td (Zep) Tj (hyri) Tj <6e61> Tj ET",
    "several fonts": b"BT /F1 12 Tf 40 300 Td (Zephy) Tj /F1 12.5 Tf (rina) Tj ET",
    "letters in any order": b"BT /F1 12 Tf 1 0 0 1 60.01 300 Tm (hyrina) Tj 1 0 0 1 40 300 Tm (Zep) Tj ET",
    "invisible": b"BT 3 Tr /F1 12 Tf 40 300 Td (Zephyrina) Tj ET",
    "outside the page": b"BT /F1 12 Tf 40 -900 Td (Zephyrina) Tj ET",
    "under a drawn box": b"BT /F1 12 Tf 40 300 Td (Zephyrina) Tj ET 0 g 30 290 200 30 re f",
    "rotated": b"BT /F1 12 Tf .7071 .7071 -.7071 .7071 40 100 Tm (Zephyrina) Tj ET",
    "upside down": b"BT /F1 12 Tf -1 0 0 -1 200 300 Tm (Zephyrina) Tj ET",
    "next to an inline image": b"BT /F1 12 Tf 40 300 Td (Zephyrina) Tj ET q 9 0 0 9 40 200 cm "
    b"BI /W 1 /H 1 /BPC 8 /CS /G ID x EI Q BT /F1 12 Tf 40 250 Td (Zephyrina) Tj ET",
    "lines that begin with an apostrophe": b"BT /F1 12 Tf 14 TL 40 300 Td (a) Tj (Zephyrina) ' 1 0 (b) \" ET",
    "actual text": b"/Span <</ActualText (Zephyrina)>> BDC BT /F1 12 Tf 40 300 Td (xyz) Tj ET EMC",
    "actual text over another": b"/Span <</ActualText (x)>> BDC BT /F1 12 Tf 40 300 Td (Zephyrina) Tj ET EMC",
    "actual text as UTF-16": b"/Span <</ActualText <FEFF005A00650070006800790072006900"
    b"6E0061>>> BDC BT /F1 12 Tf 40 300 Td (xyz) Tj ET EMC",
    "clipped away": b"q 0 0 5 5 re W n BT /F1 12 Tf 40 300 Td (Zephyrina) Tj ET Q",
    "as a clip": b"q BT 7 Tr /F1 12 Tf 40 300 Td (Zephyrina) Tj ET 0 0 9 9 re f Q",
}


@pytest.mark.parametrize("content", HIDDEN.values(), ids=HIDDEN.keys())
def test_word_is_found_wherever_content_hides_it(content: bytes) -> None:
    result = redact(page_of(content + b" BT /F1 12 Tf 40 50 Td (Marigold) Tj ET"), SECRET)
    assert_gone(result.content)
    assert "Marigold" in visible_text(result.content)
    assert result.meta["pages_as_images"] == []


def test_text_after_removed_line_does_not_move() -> None:
    pdf = page_of(b"BT /F1 12 Tf 20 TL 40 300 Td (first) Tj (Zephyrina) ' (Marigold) ' T* (last) Tj ET")
    before, after = saved(pdf), redact(pdf, SECRET).content
    assert box_of(after, "Marigold") == pytest.approx(box_of(before, "Marigold"), abs=0.1)
    assert box_of(after, "last") == pytest.approx(box_of(before, "last"), abs=0.1)


def box_of(content: bytes, word: str) -> tuple[float, ...]:
    page = pypdfium2.PdfDocument(content)[0].get_textpage()
    start = page.get_text_range().index(word)
    box: tuple[float, ...] = page.get_charbox(start)
    return box


def test_word_in_nested_forms_is_removed_only_there() -> None:
    pdf = page_of(b"/Outer Do BT /F1 12 Tf 40 50 Td (Marigold) Tj ET")
    inner = form(pdf, b"BT /F1 12 Tf 40 300 Td (in Zephyrina in) Tj ET")
    outer = form(pdf, b"q 1 0 0 1 0 -20 cm /Inner Do Q")
    outer.Resources.XObject = Dictionary(Inner=inner)
    pdf.pages[0].obj.Resources.XObject = Dictionary(Outer=outer)
    result = redact(pdf, SECRET)
    assert_gone(result.content)
    assert visible_text(result.content) == "in in Marigold"


def test_word_in_hidden_layer_is_removed_and_layer_stays() -> None:
    pdf = page_of(b"/OC /Hidden BDC BT /F1 12 Tf 40 300 Td (x Zephyrina y) Tj ET EMC")
    layer = pdf.make_indirect(Dictionary(Type=Name.OCG, Name=String("Notes of Zephyrina")))
    pdf.pages[0].obj.Resources.Properties = Dictionary(Hidden=layer)
    pdf.Root.OCProperties = Dictionary(OCGs=Array([layer]), D=Dictionary(OFF=Array([layer])))
    result = redact(pdf, SECRET)
    assert_gone(result.content)
    after = reopened(result.content)
    properties = after.Root.OCProperties
    assert str(properties.OCGs[0].Name).startswith("Notes of ")
    assert properties.D.OFF[0].objgen == properties.OCGs[0].objgen


def test_text_of_type_3_font_is_removed() -> None:
    pdf = page_of(b"BT /T3 12 Tf 40 300 Td (ab) Tj ET BT /F1 12 Tf 40 50 Td (Marigold) Tj ET")
    glyph = pdf.make_stream(b"600 0 d0 BT /F1 1 Tf (Zephyrina) Tj ET")
    pdf.pages[0].obj.Resources.Font.T3 = Dictionary(
        Type=Name.Font,
        Subtype=Name.Type3,
        FontBBox=Array([0, 0, 1, 1]),
        FontMatrix=Array([1, 0, 0, 1, 0, 0]),
        CharProcs=Dictionary(a=glyph, b=glyph),
        Encoding=Dictionary(Differences=Array([97, Name.a, Name.b])),
        FirstChar=97,
        LastChar=98,
        Widths=Array([1, 1]),
        Resources=Dictionary(Font=Dictionary(F1=pdf.pages[0].obj.Resources.Font.F1)),
    )
    result = redact(pdf, SECRET)
    assert_gone(result.content)
    assert "Marigold" in visible_text(result.content)


def test_text_of_pattern_is_removed() -> None:
    pdf = page_of(b"/Pattern cs /P1 scn 0 0 300 400 re f BT /F1 12 Tf 40 50 Td (Marigold) Tj ET")
    pattern = form(pdf, b"BT /F1 12 Tf 5 5 Td (Zephyrina) Tj ET", (0, 0, 100, 30))
    del pattern.Subtype
    pattern.Type, pattern.PatternType, pattern.PaintType, pattern.TilingType = Name.Pattern, 1, 1, 1
    pattern.XStep, pattern.YStep = 100, 30
    pdf.pages[0].obj.Resources.Pattern = Dictionary(P1=pattern)
    result = redact(pdf, SECRET)
    assert_gone(result.content)
    assert "Marigold" in visible_text(result.content)


def test_word_in_fonts_with_their_own_codes_is_removed() -> None:
    pdf = text_page("")
    cmap = "begincmap 1 begincodespacerange <0000> <ffff> endcodespacerange\n9 beginbfchar\n"
    cmap += (
        "".join(f"<{code:04x}> <{ord(letter):04x}>\n" for code, letter in enumerate(SECRET, 1)) + "endbfchar endcmap"
    )
    descendant = Dictionary(
        Type=Name.Font,
        Subtype=Name.CIDFontType2,
        BaseFont=Name.Sample,
        CIDSystemInfo=Dictionary(Registry=String("Adobe"), Ordering=String("Identity"), Supplement=0),
        FontDescriptor=Dictionary(Type=Name.FontDescriptor, FontName=Name.Sample, Flags=4, ItalicAngle=0, StemV=80),
        DW=600,
    )
    pdf.pages[0].obj.Resources.Font.F2 = Dictionary(
        Type=Name.Font,
        Subtype=Name.Type0,
        BaseFont=Name.Sample,
        Encoding=Name("/Identity-H"),
        DescendantFonts=Array([pdf.make_indirect(descendant)]),
        ToUnicode=pdf.make_stream(cmap.encode()),
    )
    codes = "".join(f"{code:04x}" for code in range(1, 10))
    content = f"BT /F2 12 Tf 40 300 Td <{codes}> Tj /F1 12 Tf 0 -99 Td (Marigold) Tj ET"
    pdf.pages[0].obj.Contents = pdf.make_stream(content.encode())
    result = redact(pdf, SECRET)
    assert_gone(result.content)
    assert codes not in everything(result.content)
    assert "Marigold" in visible_text(result.content)


def test_other_page_with_the_same_content_is_redacted_too() -> None:
    pdf = text_page(f"x {SECRET} y")
    pdf.pages.append(pdf.pages[0])
    result = redact(pdf, SECRET)
    assert_gone(result.content)
    assert [visible_text(result.content, page) for page in (0, 1)] == ["x y", "x y"]


def test_rotated_and_cropped_page_gives_boxes_as_seen() -> None:
    pdf = text_page(f"{SECRET} x")
    page = pdf.pages[0].obj
    page.Rotate, page.CropBox = 90, Array([20, 100, 300, 400])
    result = redact(pdf, SECRET, fill="#00ff00")
    assert_gone(result.content)
    (match,) = result.matches
    assert match["x0"] < 240 < match["x1"]
    assert match["y0"] == pytest.approx(20, abs=0.5)
    assert pixel(result.content, (match["x0"] + match["x1"]) / 2, match["y0"] + 5) == (0, 255, 0)


def test_earlier_revision_is_gone() -> None:
    writer = pypdf.PdfWriter(io.BytesIO(saved(text_page(f"{SECRET} old"))), incremental=True)
    stream = pypdf.generic.StreamObject()
    stream.set_data(b"BT /F1 12 Tf 40 340 Td (new Marigold) Tj ET")
    writer.pages[0][pypdf.generic.NameObject("/Contents")] = writer._add_object(stream)
    target = io.BytesIO()
    writer.write(target)
    revised = target.getvalue()
    assert visible_text(revised) == "new Marigold"
    result = redact(revised, "Marigold")
    assert_gone(result.content, SECRET, "Marigold")
    assert result.content.count(b"%%EOF") == 1


# --- hiding places outside of pages -----------------------------------------------------------------------------------


def test_document_texts_are_redacted() -> None:
    pdf = text_page(f"about {SECRET}")
    with pdf.open_metadata(update_docinfo=False) as meta:
        meta["dc:title"] = f"Life of {SECRET}"
    pdf.docinfo = pdf.make_indirect(Dictionary(Title=String(f"Life of {SECRET}"), Author=String("Someone")))
    add_outline(pdf, [f"On {SECRET}"])
    add_destinations(pdf, {SECRET.lower(): 0, "other": 0})
    add_link(pdf, 0, SECRET.lower())
    add_link(pdf, 0, f"https://example.com/people/{SECRET}?q=1")
    add_link(pdf, 0, "https://example.com/%5Aephyrina")
    pdf.Root.PageLabels = Dictionary(Nums=Array([0, Dictionary(P=String(f"{SECRET}-"), S=Name.D)]))
    pdf.Root.Names.JavaScript = Dictionary(
        Names=Array([String("run"), Dictionary(S=Name.JavaScript, JS=String(f"alert('{SECRET}')"))])
    )
    result = redact(pdf, SECRET)
    assert_gone(result.content)
    after = reopened(result.content)
    assert str(after.docinfo.Title).startswith("Life of ")
    assert str(after.docinfo.Author) == "Someone"
    assert outline_titles(result.content)[0].startswith("On ")
    names = dict(pikepdf.NameTree(after.Root.Names.Dests))
    link = after.pages[0].obj.Annots[0]
    assert str(link.Dest) in names
    assert "other" in names
    assert any("bookmarks" in warning for warning in result.meta["warnings"])


def test_text_that_is_an_object_of_its_own_is_redacted() -> None:
    pdf = text_page(f"x {SECRET}")
    pdf.Root.Extra = Dictionary(Note=pdf.make_indirect(String(f"by {SECRET}")), Count=pdf.make_indirect(7))
    assert_gone(redact(pdf, SECRET).content)


def test_annotations_and_their_appearances_are_redacted() -> None:
    pdf = text_page("page text")
    look = form(pdf, b"BT /F1 12 Tf 5 5 Td (call Zephyrina now) Tj ET", (0, 0, 200, 30))
    add_annotation(
        pdf,
        0,
        Dictionary(
            Type=Name.Annot,
            Subtype=Name.FreeText,
            Rect=Array([20, 20, 220, 50]),
            Contents=String(f"call {SECRET} now"),
            T=String(SECRET),
            RC=String(f"<p>call {SECRET[:3]}<b>{SECRET[3:]}</b></p>"),
            AP=Dictionary(N=look),
        ),
    )
    result = redact(pdf, SECRET)
    assert_gone(result.content)
    after = reopened(result.content)
    note = after.pages[0].obj.Annots[0]
    assert str(note.Contents).startswith("call ")
    assert b"call" in note.AP.N.read_bytes()
    assert result.matches[0]["page"] == 1


def test_form_values_and_appearances_are_redacted() -> None:
    pdf = text_page("page text")
    add_fields(pdf, {"name": f"Ms {SECRET}", "city": "Leipzig"})
    widget = pdf.pages[0].obj.Annots[0]
    widget.AP = Dictionary(
        N=form(pdf, f"/Tx BMC BT /F1 10 Tf 2 5 Td (Ms {SECRET}) Tj ET EMC".encode(), (0, 0, 100, 20))
    )
    result = redact(pdf, SECRET)
    assert_gone(result.content)
    fields = pypdf.PdfReader(io.BytesIO(result.content)).get_form_text_fields()
    assert fields["city"] == "Leipzig"
    assert str(fields["name"]).startswith("Ms ")
    assert (result.found, result.meta["pages_touched"]) == (1, [1])


def test_tags_are_redacted_and_stay() -> None:
    pdf = page_of(f"/P <</MCID 0>> BDC BT /F1 12 Tf 40 300 Td (a {SECRET} b) Tj ET EMC".encode())
    element = pdf.make_indirect(
        Dictionary(S=Name.P, Pg=pdf.pages[0].obj, K=0, Alt=String(f"of {SECRET}"), ActualText=String("a Zephy rina b"))
    )
    pdf.Root.StructTreeRoot = pdf.make_indirect(
        Dictionary(
            Type=Name.StructTreeRoot,
            K=element,
            ParentTree=Dictionary(Nums=Array([0, Array([element])])),
        )
    )
    pdf.pages[0].obj.StructParents = 0
    pdf.Root.MarkInfo = Dictionary(Marked=True)
    result = redact(pdf, SECRET)
    assert_gone(result.content, SECRET, "Zephy rina")
    after = reopened(result.content)
    tag = after.Root.StructTreeRoot.K
    assert tag.S == Name.P
    assert tag.K == 0
    assert str(tag.Alt).startswith("of ")
    assert b"MCID 0" in page_content(after)


def page_content(pdf: Any) -> bytes:
    contents = pdf.pages[0].obj.Contents
    parts = contents if isinstance(contents, Array) else [contents]
    return b"\n".join(part.read_bytes() for part in parts)


def test_attachments_thumbnails_and_private_data_are_removed() -> None:
    pdf = text_page(f"x {SECRET}")
    add_attachments(pdf, {f"{SECRET}.txt": b"notes on Zephyrina"})
    page = pdf.pages[0].obj
    page.Thumb = pdf.make_stream(b"\0", Type=Name.XObject, Subtype=Name.Image, Width=1, Height=1)
    page.PieceInfo = Dictionary(App=Dictionary(Private=pdf.make_stream(b"Zephyrina in private")))
    result = redact(pdf, SECRET)
    assert_gone(result.content)
    assert "1 attachment was removed, because the content of attachments is not searched." in result.meta["warnings"]


def test_signature_is_removed_with_a_warning() -> None:
    pdf = text_page(f"x {SECRET}")
    add_signature(pdf)
    result = redact(pdf, SECRET)
    assert any("signature" in warning for warning in result.meta["warnings"])
    assert_gone(result.content)


def test_everything_else_is_kept() -> None:
    pdf = blank(3, text="Zephyrina page")
    add_outline(pdf, ["One", "Two", "Three"])
    add_destinations(pdf, {"start": 0})
    add_link(pdf, 0, 2)
    add_fields(pdf, {"a.b": "value"})
    result = redact(pdf, SECRET)
    after = reopened(result.content)
    assert outline_titles(result.content) == outline_titles(saved(pdf))
    assert [page.mediabox for page in after.pages] == [page.mediabox for page in pdf.pages]
    assert str(after.Root.AcroForm.Fields[0].Kids[0].V) == "value"
    assert after.pages[0].obj.Annots[0].Dest[0].objgen == after.pages[2].obj.objgen


def test_only_selected_pages_are_redacted() -> None:
    result = redact(blank(3, text=SECRET), SECRET, pages="2-")
    assert [SECRET in visible_text(result.content, page) for page in range(3)] == [True, False, False]
    assert result.meta["pages_touched"] == [2, 3]


# --- boxes ------------------------------------------------------------------------------------------------------------


def test_box_removes_letters_vectors_and_pixels_under_it() -> None:
    pdf = page_of(b"q 100 0 0 100 20 200 cm /Im Do Q BT /F1 12 Tf 150 250 Td (left secret right) Tj ET")
    image = pdf.make_stream(b"\xff\x00\x00" * 10000)
    image.Type, image.Subtype, image.Width, image.Height = Name.XObject, Name.Image, 100, 100
    image.ColorSpace, image.BitsPerComponent = Name.DeviceRGB, 8
    pdf.pages[0].obj.Resources.XObject = Dictionary(Im=image)
    boxes: list[Any] = [
        {"page": 1, "x0": 30, "y0": 110, "x1": 60, "y1": 140},
        {"page": 1, "x0": 172, "y0": 130, "x1": 208, "y1": 160},
    ]
    result = mediakit.pdf_redact(saved(pdf), boxes=boxes, fill="#0000ff")
    assert "secret" not in everything(result.content)
    assert visible_text(result.content).startswith("left")
    assert pixel(result.content, 45, 125) == (0, 0, 255)
    assert pixel(result.content, 90, 150) == (255, 0, 0)
    stored = stored_image(result.content)
    assert stored.getpixel((25, 25)) != (255, 0, 0)
    assert stored.getpixel((80, 80)) == (255, 0, 0)


def stored_image(content: bytes) -> Image.Image:
    """Return the first image of the first page, as it is stored."""
    with pikepdf.open(io.BytesIO(content)) as pdf:
        image: Any = next(iter(pdf.pages[0].obj.Resources.XObject.values()))
        return pikepdf.PdfImage(image).as_pil_image().convert("RGB")


VECTORS = {
    "fill": b"1 0 0 rg 10 100 200 200 re f",
    "odd fill": b"1 0 0 rg 10 100 m 210 100 l 210 300 l 10 300 l h f*",
    "curves": b"1 0 0 rg 10 200 m 10 330 210 330 210 200 c 210 70 10 70 10 200 c f",
    "stroke": b"1 0 0 RG 20 w 0 200 m 280 200 l S",
    "scaled": b"q 10 0 0 10 0 0 cm 1 0 0 RG 2 w 0 20 m 28 20 l S Q",
    "form": b"/Fm Do",
}


@pytest.mark.parametrize("content", VECTORS.values(), ids=VECTORS.keys())
def test_vectors_are_cut_at_the_edge_of_a_box(content: bytes) -> None:
    pdf = page_of(content)
    pdf.pages[0].obj.Resources.XObject = Dictionary(
        Fm=form(pdf, b"1 0 0 rg 5 95 200 200 re f", Matrix=Array([1, 0, 0, 1, 5, 5]))
    )
    boxes: list[Any] = [{"page": 1, "x0": 80, "y0": 150, "x1": 150, "y1": 399}]
    result = mediakit.pdf_redact(saved(pdf), boxes=boxes, fill="#0000ff")
    uncovered = reopened(result.content)
    drawn = page_content(uncovered)
    assert drawn.count(b"/Artifact BMC") == 1
    uncovered.pages[0].obj.Contents = uncovered.make_stream(drawn[: drawn.index(b"/Artifact BMC")])
    bare = saved(uncovered)
    assert pixel(bare, 60, 200) == (255, 0, 0)
    assert pixel(bare, 110, 200) == (255, 255, 255)
    assert pixel(bare, 170, 200) == (255, 0, 0)


def test_letter_goes_if_over_a_fifth_of_it_is_in_a_box() -> None:
    pdf = saved(page_of(b"BT /F1 100 Tf 20 200 Td (HI) Tj ET"))  # H is 72.2 points wide
    few = mediakit.pdf_redact(pdf, boxes=[{"page": 1, "x0": 0, "y0": 100, "x1": 32, "y1": 230}])
    many = mediakit.pdf_redact(pdf, boxes=[{"page": 1, "x0": 0, "y0": 100, "x1": 40, "y1": 230}])
    assert visible_text(few.content) == "HI"
    assert visible_text(many.content) == "I"


def test_labeled_box_stays_text() -> None:
    result = mediakit.pdf_redact(CONTRACT, boxes=[{"page": 2, "x0": 60, "y0": 430, "x1": 300, "y1": 470}], label="GONE")
    assert result.meta["pages_as_images"] == []
    assert "GONE" in visible_text(result.content, 1)


def test_field_in_box_goes_with_its_value() -> None:
    pdf = text_page("page text")
    add_fields(pdf, {"name": SECRET})
    result = mediakit.pdf_redact(saved(pdf), boxes=[{"page": 1, "x0": 30, "y0": 335, "x1": 60, "y1": 345}])
    assert_gone(result.content)
    assert any("lie in boxes" in warning for warning in result.meta["warnings"])


# --- patterns and kinds -----------------------------------------------------------------------------------------------


def test_patterns_are_removed() -> None:
    result = redact(text_page("Case AB-1234 and ab-1"), patterns=[r"[A-Z]{2}-\d+"])
    assert visible_text(result.content) == "Case and ab-1"
    assert result.matches[0]["kind"] == "pattern"


KINDS = [
    ("email", "ask ann.lee+x@mail.example.org or a@b", "ask or a@b"),
    ("phone", "tel +49 (0)341 5550 142 on 2026-11-22", "tel on 2026-11-22"),
    ("phone", "(212) 555-0100 or 030/1234567 and 12.50", "or and 12.50"),
    ("iban", "DE75 5121 0800 1245 1261 99 not DE75 5121 0800 1245 1261 98", "not DE75 5121 0800 1245 1261 98"),
    ("card", "4111 1111 1111 1111 or 4111 1111 1111 1112", "or 4111 1111 1111 1112"),
    ("ip", "192.0.2.17 and 2001:db8::1 at 10:30:45, 1.2.3.400", "and at 10:30:45, 1.2.3.400"),
    ("url", "see https://example.org/a_(b), www.example.com.", "see , ."),
]


@pytest.mark.parametrize(("kind", "text", "rest"), KINDS)
def test_kind_is_removed(kind: str, text: str, rest: str) -> None:
    result = redact(text_page(text.replace("(", "\\(").replace(")", "\\)"), size=(500, 400)), kinds=[kind])
    assert visible_text(result.content) == rest
    assert {match["kind"] for match in result.matches} == {kind}


# --- modes ------------------------------------------------------------------------------------------------------------


def test_find_only_returns_matches_with_text_and_no_pdf() -> None:
    result = redact(text_page(f"x {SECRET} y"), SECRET, "absent", find_only=True)
    assert (result.mime_type, result.found, result.matches[0]["text"]) == ("application/json", 1, SECRET)
    assert b"pdf" not in result.envelope()
    assert result.meta["not_found"] == ["absent"]


def test_find_only_without_a_match_returns_nothing_found() -> None:
    assert redact(text_page("x"), SECRET, find_only=True).found == 0


def test_image_mode_keeps_the_other_words_as_invisible_text() -> None:
    result = redact(text_page(f"Dear {SECRET}, hello", "second line"), SECRET, mode="image")
    assert_gone(result.content)
    assert result.meta["pages_as_images"] == [1]
    assert visible_text(result.content) == "Dear , hello second line"
    after = reopened(result.content)
    (image,) = after.pages[0].obj.Resources.XObject.values()
    assert int(image.Width) == pytest.approx(300 / 72 * 200, abs=1)
    assert int(image.Height) == pytest.approx(400 / 72 * 200, abs=1)
    assert box_of(result.content, "second")[0] == pytest.approx(40, abs=1)


def test_image_of_rotated_page_looks_the_same() -> None:
    pdf = page_of(b"1 0 0 rg 0 0 150 200 re f BT 0 g /F1 12 Tf 40 340 Td (Zephyrina) Tj ET")
    pdf.pages[0].obj.Rotate = 90
    before, after = saved(pdf), redact(pdf, SECRET, mode="image").content
    for x, y in ((100, 75), (300, 75), (100, 250)):
        assert pixel(after, x, y) == pytest.approx(pixel(before, x, y), abs=6)


def test_label_is_drawn_in_the_contrasting_color() -> None:
    dark = redact(text_page(f"x {SECRET}"), SECRET, label="REDACTED")
    light = redact(text_page(f"x {SECRET}"), SECRET, label="REDACTED", fill="#ffff00")
    assert "REDACTED" in visible_text(dark.content)
    (match,) = dark.matches
    box = tuple(int(match[edge] * 4) for edge in ("x0", "y0", "x1", "y1"))
    colors = []
    for result in (dark, light):
        drawn = pypdfium2.PdfDocument(result.content)[0].render(scale=4).to_pil().convert("L").crop(box)
        colors.append(drawn.getextrema())
    assert colors[0][1] > 200
    assert colors[1][0] < 60


def test_encrypted_pdf_stays_encrypted() -> None:
    locked = saved(text_page(f"x {SECRET}"), encryption=Encryption(user="secret", owner="owner"))
    result = redact(locked, SECRET, password="secret")
    with pikepdf.open(io.BytesIO(result.content), password="secret") as pdf:
        assert pdf.is_encrypted
    assert SECRET not in everything(result.content, "secret")


def test_equal_input_gives_equal_bytes() -> None:
    pdf = saved(text_page(f"x {SECRET}"))
    assert redact(pdf, SECRET, label="GONE").content == redact(pdf, SECRET, label="GONE").content


def test_right_to_left_phrase_with_a_number_is_found_and_removed() -> None:
    phrase = "נפתח בשנת 1950 בעיר"
    pdf = mediakit.pdf(html=f'<p dir="rtl" lang="he">המוזיאון {phrase} הישנה.</p><p>Opening hours</p>').content
    result = mediakit.pdf_redact(pdf, [phrase])
    assert result.found == 1
    assert result.meta["verified"] is True
    left = "".join(visible_text(result.content).split())
    assert "1950" not in left
    assert "Openinghours" in left


# --- what cannot be verified ------------------------------------------------------------------------------------------


def test_word_in_a_font_is_named_and_the_result_is_not_verified() -> None:
    pdf = text_page(f"x {SECRET}")
    program = pdf.make_stream(b"\0\1" + SECRET.encode() + b"\0\2")
    pdf.pages[0].obj.Resources.Font.F1.FontDescriptor = Dictionary(
        Type=Name.FontDescriptor, FontName=Name.Own, Flags=32, FontBBox=Array([0, 0, 9, 9]), FontFile3=program
    )
    result = redact(pdf, SECRET)
    assert result.meta["verified"] is False
    assert "Not verified: what was to be removed is still in font data." in result.meta["warnings"]


@pytest.mark.parametrize("encoding", ["latin-1", "utf-16-be"])
def test_word_in_the_license_of_a_font_is_blanked(encoding: str) -> None:
    pdf = text_page(f"x {SECRET}")
    notice = f"Copyright 2026 {SECRET} Foundry, all rights reserved."
    program = pdf.make_stream(b"\0\1\0" + notice.encode(encoding) + b"\0\0\2")
    pdf.pages[0].obj.Resources.Font.F1.FontDescriptor = Dictionary(
        Type=Name.FontDescriptor, FontName=Name.Own, Flags=32, FontBBox=Array([0, 0, 9, 9]), FontFile3=program
    )
    result = redact(pdf, SECRET)
    assert result.meta["verified"] is True
    after = reopened(result.content)
    content = after.pages[0].obj.Resources.Font.F1.FontDescriptor.FontFile3.read_bytes()
    assert notice.replace(SECRET, " " * len(SECRET)).encode(encoding) in content


def test_stream_that_cannot_be_decoded_is_named_and_the_result_is_not_verified() -> None:
    pdf = text_page(f"x {SECRET}")
    private = pdf.make_stream(b"not deflated")
    private.write(b"not deflated", filter=Name.FlateDecode)
    pdf.Root["/Private"] = pdf.make_indirect(private)
    result = redact(pdf, SECRET)
    assert result.meta["verified"] is False
    assert any("cannot be decoded" in each for each in result.meta["warnings"])


def test_words_that_are_not_found_are_a_warning() -> None:
    result = redact(text_page(f"x {SECRET}"), SECRET, "Absent Person")
    assert result.meta["warnings"] == ['Not found, so nothing was removed for "Absent Person".']
    assert result.meta["verified"] is True


def test_pattern_that_names_a_kind_suggests_kinds() -> None:
    assert refusal(plain(1), patterns=["email"]) == (
        "patterns: none of them is in the PDF. Did you mean kinds=['email']?"
    )
    result = redact(text_page(f"x {SECRET}"), SECRET, patterns=["iban"])
    assert result.meta["warnings"][0].endswith("Did you mean kinds=['iban']?")


def test_tags_of_pages_that_are_not_searched_stay() -> None:
    pdf = text_page(f"x {SECRET}")
    other = text_page(f"y {SECRET}")
    pdf.pages.append(other.pages[0])
    root = pdf.make_indirect(Dictionary(Type=Name.StructTreeRoot))
    tags = [
        pdf.make_indirect(Dictionary(Type=Name.StructElem, S=Name.Figure, P=root, Pg=page.obj, Alt=String(SECRET)))
        for page in pdf.pages
    ]
    root.K, pdf.Root.StructTreeRoot = Array(tags), root
    result = redact(pdf, SECRET, pages="1")
    assert result.meta["verified"] is True
    after = reopened(result.content)
    first, second = after.Root.StructTreeRoot.K
    assert SECRET not in str(first.Alt)
    assert str(second.Alt) == SECRET
    assert SECRET in visible_text(result.content, 1)


# --- errors -----------------------------------------------------------------------------------------------------------


def test_errors_name_the_field_and_the_reason() -> None:
    pdf = plain(4)
    box = {"page": 9, "x0": 0, "y0": 0, "x1": 9, "y1": 9}
    assert refusal(pdf, ["absent"]) == "words: none of them is in the PDF."
    assert refusal(pdf, patterns=["(a"]) == "patterns[0]: is not a valid expression: missing )"
    assert refusal(pdf, boxes=[box]) == "boxes[0]: page 9 of 4."
    assert refusal(pdf) == "words: at least one of words, patterns, kinds and boxes is required."
    assert refusal(pdf, ["page"], pages="9") == "pages: the PDF has 4 pages, got 9."
    assert refusal(pdf, ["page"], label="page") == "label: contains what is to be removed; choose another text."


def scan(pages: int) -> bytes:
    """Return a PDF whose pages are images."""
    sheet = Image.new("L", (60, 80), 200)
    target = io.BytesIO()
    sheet.save(target, "PDF", save_all=True, append_images=[sheet] * (pages - 1))
    return target.getvalue()


def test_form_that_draws_itself_is_refused() -> None:
    pdf = page_of(b"/Fm Do BT /F1 12 Tf 40 50 Td (Zephyrina) Tj ET")
    loop = pdf.make_indirect(form(pdf, b"/Fm Do"))
    loop.Resources.XObject = Dictionary(Fm=loop)
    pdf.pages[0].obj.Resources.XObject = Dictionary(Fm=loop)
    assert refusal(saved(pdf), [SECRET]) == "file: is damaged and cannot be redacted."


def test_scans_are_refused_without_boxes() -> None:
    assert refusal(scan(3), ["a"]) == "file: pages 1-3 are images without text; redact them by boxes."


def test_pages_without_text_are_listed() -> None:
    pdf = text_page(f"x {SECRET}")
    pdf.pages.extend(pikepdf.open(io.BytesIO(scan(1))).pages)
    assert redact(pdf, SECRET).meta["pages_without_text"] == [2]


def test_sample_contract_is_redacted() -> None:
    result = mediakit.pdf_redact(CONTRACT, ["Nora Feldmann"], kinds=["iban", "email"])
    text = everything(result.content).casefold()
    assert "feldmann" not in text
    assert "de75" not in text
    assert reopened(result.content).Root.StructTreeRoot


@pytest.mark.parametrize("pitch", [8, 14, 30])
def test_letters_in_cells_are_found_as_one_word(pitch: int) -> None:
    pdf = blank(1)
    cells = f" {pitch} 0 Td ".join(f"({letter}) Tj" for letter in SECRET.upper())
    pdf.pages[0].contents_add(f"BT /F1 10 Tf 20 200 Td {cells} ET".encode())
    result = mediakit.pdf_redact(saved(pdf), [SECRET])
    assert (result.meta["verified"], result.found) == (True, 1)
    assert pypdfium2.PdfDocument(result.content)[0].get_textpage().get_text_range().split() == ["page", "1"]


@pytest.mark.parametrize(("title", "word"), [("C O N F I D E N T I A L", "Confidential"), ("A B  C D E F", "cdef")])
def test_spaced_letters_are_found_as_words(title: str, word: str) -> None:
    pdf = blank(1)
    pdf.pages[0].contents_add(f"BT /F1 10 Tf 20 200 Td ({title}) Tj ET".encode())
    assert mediakit.pdf_redact(saved(pdf), [word], find_only=True).found == 1


def test_filled_comb_fields_are_redacted_as_fields_and_as_content() -> None:
    filled = mediakit.pdf_form(FORM, {"birthday": "10121815"}).content
    for form in (filled, mediakit.pdf_form(filled, flatten=True).content):
        result = mediakit.pdf_redact(form, ["10121815"])
        assert (result.meta["verified"], result.found, result.meta["pages_as_images"]) == (True, 1, [])


def test_form_whose_resources_are_not_a_dictionary_is_read() -> None:
    pdf = page_of(f"BT /F1 12 Tf 40 340 Td ({SECRET}) Tj ET /Fm0 Do".encode())
    pdf.pages[0].Resources.XObject = Dictionary(Fm0=form(pdf, b"BT (x) Tj ET"))
    pdf.pages[0].Resources.XObject.Fm0.Resources = 5
    assert mediakit.pdf_redact(saved(pdf), [SECRET]).meta["verified"]


def test_text_between_two_streams_stays_if_a_word_looks_like_a_comment() -> None:
    pdf = page_of(b"")
    parts = f"BT /F1 12 Tf 40 340 Td (100% {SECRET}) Tj 0 -20 Td [(Hel) 1 0", "(lo)] TJ ET"
    pdf.pages[0].obj.Contents = Array([pdf.make_stream(part.encode()) for part in parts])
    result = mediakit.pdf_redact(saved(pdf), [SECRET])
    assert pypdfium2.PdfDocument(result.content)[0].get_textpage().get_text_range().split() == ["100%", "Hello"]


@pytest.mark.parametrize("query", [{"words": ["joe@"]}, {"kinds": ["email"]}, {"patterns": ["joe@[a-z.]+"]}])
def test_metadata_of_jpeg_2000_images_are_removed(query: Mapping[str, Any]) -> None:
    Image.new("RGB", (40, 40), "red").save(target := io.BytesIO(), "JPEG2000")
    head, mark, rest = target.getvalue().partition(b"jp2c")
    text = b"<x>joe@example.com</x>"
    file = head[:-4] + (len(text) + 8).to_bytes(4) + b"xml " + text + head[-4:] + mark + rest
    pdf = page_of(b"BT /F1 12 Tf 40 340 Td (joe@example.com) Tj ET q 50 0 0 50 0 0 cm /Im0 Do Q")
    image = pdf.make_stream(file, Filter=Name.JPXDecode, Subtype=Name.Image, Width=40, Height=40)
    pdf.pages[0].Resources.XObject = Dictionary(Im0=image)
    result = mediakit.pdf_redact(saved(pdf), **query)
    redacted = reopened(result.content)
    [image] = redacted.pages[0].Resources.XObject.values()
    assert (image.read_raw_bytes(), result.meta["verified"]) == (target.getvalue(), True)


def test_password_in_the_encoding_of_an_older_file_opens_the_result() -> None:
    password = "p\u00e4ssw\u00f6rt"
    text_page(f"hello {SECRET}").save(target := io.BytesIO(), encryption=Encryption(owner="o", user=password, R=4))
    assert mediakit.pdf_redact(target.getvalue(), [SECRET], password=password).meta["verified"]
    assert mediakit.pdf_redact(target.getvalue(), [SECRET], password=password, find_only=True).found == 1


def test_words_that_have_the_check_digits_of_an_iban_by_chance_stay() -> None:
    text = next(text for text in (f"AB{code} of the people in this room" for code in range(10, 99)) if _is_iban(text))
    with pytest.raises(InvalidInput, match="none of them"):
        mediakit.pdf_redact(saved(text_page(text)), kinds=["iban"])


@pytest.mark.parametrize("word", ["Adobe", "Identity"])
def test_words_of_character_maps_are_not_in_the_text_layers_of_images(word: str) -> None:
    result = mediakit.pdf_redact(saved(text_page(f"hello {word} x")), [word], mode="image")
    assert (result.meta["verified"], result.meta["warnings"]) == (True, [])


@pytest.mark.parametrize("cut", [0, 2])
def test_text_that_stands_in_for_an_image_stays_if_the_image_only_lost_metadata(cut: int) -> None:
    Image.new("RGB", (40, 40), "red").save(target := io.BytesIO(), "JPEG", comment=SECRET.encode())
    file = target.getvalue()[: len(target.getvalue()) - cut]
    span = b"/Span <</ActualText (kept)>> BDC q 50 0 0 50 0 0 cm /Im0 Do Q EMC"
    pdf = page_of(f"BT /F1 12 Tf 40 340 Td ({SECRET}) Tj ET ".encode() + span)
    image = pdf.make_stream(file, Filter=Name.DCTDecode, Subtype=Name.Image, Width=40, Height=40)
    image.ColorSpace, image.BitsPerComponent = Name.DeviceRGB, 8
    pdf.pages[0].Resources.XObject = Dictionary(Im0=image)
    result = mediakit.pdf_redact(saved(pdf), [SECRET])
    assert result.meta["verified"]
    assert SECRET not in everything(result.content)
    assert "kept" in everything(result.content)


def _is_iban(text: str) -> bool:
    letters = "".join(text.split()).upper()
    return int("".join(str(int(each, 36)) for each in letters[4:] + letters[:4])) % 97 == 1
