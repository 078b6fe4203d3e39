"""`pdf_info`: what it reads, and what it writes, read back with pypdf and pdfium."""

import hashlib
import io
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pikepdf
import pypdfium2
import pytest
from pikepdf import Array, Dictionary, Encryption, Name, Permissions, String
from PIL import Image

import mediakit
from mediakit.errors import InvalidInput
from mediakit.samples import REPORT
from mediakit.tools.pdf.pdf_info.description import paper_name
from mediakit.tools.pdf.pdf_info.result import PdfInfo
from tests.support.pdf_kit import (
    add_annotation,
    add_attachments,
    add_fields,
    add_labels,
    add_layers,
    add_link,
    add_outline,
    add_signature,
    add_tags,
    blank,
    names_of,
    outline_titles,
    plain,
    reader,
    reopened,
    saved,
    texts,
)


def info(pdf: pikepdf.Pdf | bytes, **options: Any) -> PdfInfo:
    return mediakit.pdf_info(pdf if isinstance(pdf, bytes) else saved(pdf), **options)


def changed(pdf: pikepdf.Pdf | bytes, **options: Any) -> bytes:
    result = info(pdf, **options).pdf
    assert result is not None
    return result.content


def refusal(pdf: pikepdf.Pdf | bytes, **options: Any) -> str:
    with pytest.raises(InvalidInput) as caught:
        info(pdf, **options)
    return caught.value.message


def script(code: str, **more: Any) -> Dictionary:
    return Dictionary(S=Name.JavaScript, JS=String(code), **more)


# --- reading ----------------------------------------------------------------------------------------------------------


def test_plain_pdf_has_pages_and_little_else() -> None:
    found = info(plain(2))
    assert (found.pages, found.title, found.outline, found.attachments, found.javascript) == (2, None, [], [], [])
    assert (found.encrypted, found.restrictions, found.tagged, found.page_labels) == (False, [], False, None)
    assert found.form == {"fields": 0, "xfa": "none"}
    assert found.pdf is None
    assert found.meta == {"size_bytes": len(plain(2)), "warnings": []}


def test_properties_are_those_of_the_info_dictionary() -> None:
    pdf = blank()
    pdf.docinfo.Title = String("Ein Täschen")
    pdf.docinfo.Author = String("Ada")
    pdf.docinfo.CreationDate = String("D:20261122093000+01'00'")
    pdf.docinfo.ModDate = String("D:2026")
    pdf.Root.Lang = String("de-DE")
    found = info(pdf)
    assert (found.title, found.author, found.subject, found.language) == ("Ein Täschen", "Ada", None, "de-DE")
    assert (found.created, found.modified) == ("2026-11-22T09:30:00+01:00", "2026")


@pytest.mark.parametrize(
    ("stored", "read"),
    [
        ("D:20200131", "2020-01-31"),
        ("D:20200131123456Z", "2020-01-31T12:34:56+00:00"),
        ("D:20200131123456-08'30", "2020-01-31T12:34:56-08:30"),
        ("D:202001311234", "2020-01-31T12:34:00"),
        ("20200131123456", "2020-01-31T12:34:56"),
        ("D:20209931", "D:20209931"),
        ("last Tuesday", "last Tuesday"),
    ],
)
def test_dates_are_read_as_iso_8601_and_other_text_as_it_is(stored: str, read: str) -> None:
    pdf = blank()
    pdf.docinfo.CreationDate = String(stored)
    assert info(pdf).created == read


def test_properties_of_xmp_are_read_where_there_is_no_info_dictionary() -> None:
    pdf = blank()
    with pdf.open_metadata(set_pikepdf_as_editor=False, update_docinfo=False) as metadata:
        metadata["dc:title"] = "Only XMP"
        metadata["dc:creator"] = ["Ada", "Bo"]
        metadata["pdfaid:part"], metadata["pdfaid:conformance"] = "2", "B"
        metadata["pdfuaid:part"] = "1"
    found = info(pdf)
    assert (found.title, found.author) == ("Only XMP", "Ada, Bo")
    assert found.conformance == ["PDF/A-2B", "PDF/UA-1"]


@pytest.mark.parametrize(
    ("width", "height", "name"),
    [
        (210, 297, "A4"),
        (297, 210, "A4"),
        (209.9, 297.2, "A4"),
        (215.9, 279.4, "Letter"),
        (215.9, 355.6, "Legal"),
        (431.8, 279.4, "Tabloid"),
        (841, 1189, "A0"),
        (176, 250, "B5"),
        (182, 257, "JIS B5"),
        (110, 220, "DL"),
        (214, 290, None),
        (100, 100, None),
    ],
)
def test_paper_sizes_have_names_in_either_orientation(width: float, height: float, name: str | None) -> None:
    assert paper_name(width, height) == name


def test_page_sizes_are_grouped_and_as_seen() -> None:
    pdf = blank(2, size=(595.28, 841.89))
    pdf.pages.extend(blank(1, size=(612, 792)).pages)
    pdf.pages[1].obj.Rotate = 90
    pdf.pages[2].obj.UserUnit = 2
    assert info(pdf).page_sizes == [
        {"width": 210.0, "height": 297.0, "rotate": 0, "count": 1, "name": "A4"},
        {"width": 297.0, "height": 210.0, "rotate": 90, "count": 1, "name": "A4"},
        {"width": 431.8, "height": 558.8, "rotate": 0, "count": 1, "name": "ANSI C"},
    ]


def test_outline_and_labels_are_read() -> None:
    pdf = blank(3)
    add_outline(pdf, ["One", "Two"])
    add_labels(pdf, {0: ("r", "", 1), 1: ("D", "A-", 9)})
    found = info(pdf)
    assert found.outline == [
        {"level": 1, "title": "One", "page": 1},
        {"level": 2, "title": "One child", "page": 1},
        {"level": 1, "title": "Two", "page": 2},
        {"level": 2, "title": "Two child", "page": 2},
    ]
    assert found.page_labels == ["i", "A-9", "A-10"]


def test_attachments_are_read_with_size_and_md5() -> None:
    pdf = blank()
    add_attachments(pdf, {"data.csv": b"a,b\n" * 5000})
    held = pikepdf.AttachedFileSpec(
        pdf, b"note", filename="n.txt", mime_type="text/plain", description="A note", creation_date="", mod_date=""
    )
    pin = Dictionary(Subtype=Name.FileAttachment, Rect=Array([0, 0, 9, 9]), FS=held.obj)
    add_annotation(pdf, 0, pin)
    found = {item["name"]: item for item in info(pdf).attachments}
    assert found["data.csv"]["size"] == 20000
    assert found["data.csv"]["md5"] == hashlib.md5(b"a,b\n" * 5000, usedforsecurity=False).hexdigest()
    assert found["n.txt"]["description"] == "A note"
    assert found["n.txt"]["mime_type"] == "text/plain"


def test_fonts_and_images_are_read() -> None:
    found = info(REPORT.read_bytes())
    assert [(font["name"], font["embedded"], font["subset"]) for font in found.fonts] == [
        ("DejaVuSans", True, True),
        ("DejaVuSans-Bold", True, True),
        ("DejaVuSerif", True, True),
    ]
    assert info(plain()).fonts == [{"name": "Helvetica", "type": "Type1", "embedded": False, "subset": False}]
    photo = io.BytesIO()
    Image.new("RGB", (20, 20), "red").save(photo, "PNG")
    merged = mediakit.pdf_merge([photo.getvalue(), plain()])
    found = info(merged.content)
    assert found.images == 1
    assert found.pages_without_text == [1]


def test_pages_without_any_content_are_not_scans() -> None:
    pdf = blank(1)
    pdf.pages[0].obj.Contents = pdf.make_stream(b"")
    assert info(pdf).pages_without_text == []


def test_links_annotations_and_fields_are_counted() -> None:
    pdf = blank(2)
    add_link(pdf, 0, 1)
    add_link(pdf, 0, "https://example.com")
    add_annotation(pdf, 1, Dictionary(Subtype=Name.Highlight, Rect=Array([0, 0, 9, 9])))
    add_annotation(pdf, 1, Dictionary(Subtype=Name.Popup, Rect=Array([0, 0, 9, 9])))
    add_fields(pdf, {"a": "1", "group.b": "2", "group.c": "3"})
    found = info(pdf)
    assert (found.links, found.annotations, found.form["fields"]) == (2, 1, 3)


@pytest.mark.parametrize(("fields", "kind"), [({}, "dynamic"), ({"a": "1"}, "static")])
def test_xfa_forms_are_named_by_their_kind(fields: dict[str, str], kind: str) -> None:
    pdf = blank()
    add_fields(pdf, fields)
    pdf.Root.AcroForm.XFA = String("<xdp/>")
    assert info(pdf).form["xfa"] == kind


def test_signatures_are_listed_and_never_called_valid() -> None:
    pdf = blank()
    add_signature(pdf)
    value = pdf.Root.AcroForm.Fields[0].V
    value.Name, value.M = String("Ada Lovelace"), String("D:20260102030405Z")
    found = info(pdf)
    assert found.signatures == [
        {
            "name": "Signature",
            "signer": "Ada Lovelace",
            "signed_at": "2026-01-02T03:04:05+00:00",
            "covers_whole_file": False,
        }
    ]
    assert "valid" not in json.dumps(found.to_dict())


def test_signature_is_listed_where_the_form_names_its_widget_and_not_its_field() -> None:
    pdf = blank()
    field = pdf.make_indirect(Dictionary(FT=Name.Sig, T=String("Signature")))
    widget = Dictionary(Subtype=Name.Widget, FT=Name.Sig, V=Dictionary(Type=Name.Sig), Parent=field)
    pdf.Root.AcroForm = Dictionary(Fields=Array([pdf.make_indirect(widget)]))
    assert len(info(pdf).signatures) == info(pdf).form["fields"] == 1


def test_widgets_without_a_parent_are_not_counted_as_fields() -> None:
    pdf = blank()
    widgets = [pdf.make_indirect(Dictionary(Subtype=Name.Widget)) for _ in range(3)]
    field = Dictionary(T=String("size"), FT=Name.Btn, Kids=Array(widgets))
    pdf.Root.AcroForm = Dictionary(Fields=Array([pdf.make_indirect(field)]))
    assert info(pdf).form["fields"] == 1


def test_signature_over_everything_but_itself_covers_the_whole_file() -> None:
    pdf = blank()
    add_signature(pdf)
    value = pdf.Root.AcroForm.Fields[0].V
    value.ByteRange, value.Contents = Array([0, 1234567890, 1234567891, 1234567892]), String(b"\xff" * 40)
    content = saved(pdf, object_stream_mode=pikepdf.ObjectStreamMode.disable)
    start = content.index(b"<" + b"ff" * 40)
    end = start + 82
    for marker, number in ((b"1234567890", start), (b"1234567891", end), (b"1234567892", len(content) - end)):
        content = content.replace(marker, str(number).encode().ljust(10))
    assert info(content).signatures[0]["covers_whole_file"] is True
    assert info(content + b"\n% more").signatures[0]["covers_whole_file"] is False


def scripted() -> pikepdf.Pdf:
    """Return a PDF with scripts in all places that have a name."""
    pdf = blank(2)
    add_fields(pdf, {"total": "1"})
    add_link(pdf, 1, "https://example.com")
    names_of(pdf).JavaScript = Dictionary(Names=Array([String("start"), pdf.make_indirect(script("start()"))]))
    pdf.Root.OpenAction = script("opened()", Next=script("then()"))
    pdf.Root.AA = Dictionary(WP=script("printing()"))
    pdf.pages[1].obj.AA = Dictionary(O=script("page()"))
    pdf.Root.AcroForm.Fields[0].AA = Dictionary(C=script("sum()"), K=pdf.make_indirect(script("keys()")))
    pdf.pages[1].obj.Annots[0].A.Next = script("linked()")
    return pdf


def test_scripts_are_listed_with_their_places() -> None:
    assert {(found["where"], found["code"]) for found in info(scripted()).javascript} == {
        ("document: start", "start()"),
        ("document: open", "opened()"),
        ("document: open", "then()"),
        ("document: before printing", "printing()"),
        ("page 2: open", "page()"),
        ("field total: calculate", "sum()"),
        ("field total: keystroke", "keys()"),
        ("page 2, link: activate", "linked()"),
    }


def test_layers_and_tags_are_read() -> None:
    pdf = blank()
    add_layers(pdf, {"Plan": True, "Notes": False})
    add_tags(pdf)
    found = info(pdf)
    assert found.layers == [{"name": "Plan", "visible": True}, {"name": "Notes", "visible": False}]
    assert found.tagged
    assert not found.linearized
    assert info(saved(pdf, linearize=True)).linearized


def test_restrictions_have_the_names_of_permissions() -> None:
    content = saved(blank(), encryption=Encryption(owner="o", allow=Permissions(extract=False, modify_form=False)))
    found = info(content)
    assert found.encrypted
    assert {"copy", "fill"} <= set(found.restrictions)
    assert "print" not in found.restrictions


# --- metadata ---------------------------------------------------------------------------------------------------------


def test_metadata_is_written_to_info_and_to_xmp() -> None:
    values = {
        "title": "Jahr & Tag",
        "author": "Ada",
        "subject": "S",
        "keywords": "a, b",
        "creator": "C",
        "producer": "P",
        "created": "2026-11-22T09:30:00+01:00",
        "modified": "2026-11-23",
        "language": "pt-BR",
    }
    result = info(plain(), metadata=values)
    assert {name: getattr(result, name) for name in values} == values
    read = reader(changed(plain(), metadata=values))
    assert read.metadata is not None
    stored = {key: str(value) for key, value in read.metadata.items()}
    assert (stored["/Title"], stored["/Author"], stored["/Keywords"]) == ("Jahr & Tag", "Ada", "a, b")
    assert stored["/CreationDate"] == "D:20261122093000+01'00'"
    assert stored["/ModDate"] == "D:20261123"
    xmp = read.xmp_metadata
    assert xmp is not None
    assert (xmp.dc_title, xmp.dc_creator, xmp.pdf_keywords) == ({"x-default": "Jahr & Tag"}, ["Ada"], "a, b")
    assert (xmp.xmp_creator_tool, xmp.pdf_producer, xmp.dc_language) == ("C", "P", ["pt-BR"])
    assert xmp.xmp_create_date == datetime(2026, 11, 22, 8, 30, tzinfo=UTC).replace(tzinfo=None)


def test_null_removes_a_property_from_both_places() -> None:
    full = changed(plain(), metadata={"title": "T", "author": "A", "language": "en"})
    empty = changed(full, metadata={"title": None, "language": None})
    read = reader(empty)
    assert read.metadata is not None
    assert read.metadata.title is None
    assert read.metadata.author == "A"
    assert read.xmp_metadata is not None
    assert not read.xmp_metadata.dc_title
    assert info(empty).language is None


def test_new_xmp_has_the_properties_that_stay() -> None:
    pdf = blank()
    pdf.docinfo.Title = String("Old title")
    xmp = reader(changed(pdf, metadata={"author": "Ada"})).xmp_metadata
    assert xmp is not None
    assert xmp.dc_title == {"x-default": "Old title"}


def test_python_dates_are_accepted() -> None:
    moment = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    assert info(plain(), metadata={"created": moment}).created == "2026-01-02T03:04:05+00:00"


def test_no_change_writes_nothing_and_equal_changes_are_equal_bytes() -> None:
    assert info(plain()).pdf is None
    one, other = (changed(plain(), metadata={"title": "x", "language": "en"}, attach=[REPORT]) for _ in range(2))
    assert one == other


# --- outline, labels, attachments -------------------------------------------------------------------------------------


def test_bookmarks_are_read_at_any_depth_with_the_page_of_their_first_action() -> None:
    pdf = blank(2)
    one, two = (Dictionary(S=Name.GoTo, D=Array([page.obj, Name.Fit])) for page in pdf.pages)
    two.Next = one
    item = pdf.make_indirect(Dictionary(Title=String("deepest"), A=two))
    for level in range(150, 0, -1):
        item = pdf.make_indirect(Dictionary(Title=String(f"{level}"), First=item, Last=item))
    pdf.Root.Outlines = pdf.make_indirect(Dictionary(First=item, Last=item))
    found = info(pdf).outline
    assert len(found) == 151
    assert found[-1] == {"level": 151, "title": "deepest", "page": 2}


def test_outline_is_replaced() -> None:
    pdf = blank(3)
    add_outline(pdf, ["Old"])
    entries = [
        {"level": 1, "title": "Intro", "page": 1},
        {"level": 2, "title": "Détails", "page": 2},
        {"level": 3, "title": "More", "page": 2},
        {"level": 1, "title": "End", "page": 3},
    ]
    result = info(pdf, outline=entries)
    assert result.outline == entries
    assert outline_titles(changed(pdf, outline=entries)) == ["Intro", ["Détails", ["More"]], "End"]
    document = pypdfium2.PdfDocument(changed(pdf, outline=entries))
    targets = [item.get_dest() for item in document.get_toc()]
    assert [target.get_index() for target in targets if target] == [0, 1, 1, 2]


def test_empty_outline_and_labels_remove_them() -> None:
    pdf = blank(3)
    add_outline(pdf, ["Old"])
    add_labels(pdf, {0: ("r", "", 1)})
    result = info(pdf, outline=[], labels=[])
    assert result.outline == []
    assert result.page_labels is None


def test_labels_are_replaced_in_every_style() -> None:
    ranges = [
        {"from": 6, "style": "none", "prefix": "Back"},
        {"from": 1, "style": "i"},
        {"from": 2, "style": "I", "start": 4},
        {"from": 3, "style": "a", "start": 27},
        {"from": 4, "style": "A"},
        {"from": 5, "prefix": "S-", "start": 3},
    ]
    expected = ["i", "IV", "aa", "A", "S-3", "Back"]
    assert info(plain(6), labels=ranges).page_labels == expected
    assert reader(changed(plain(6), labels=ranges)).page_labels == expected


def test_pages_before_the_first_range_are_numbered() -> None:
    assert reader(changed(plain(4), labels=[{"from": 3, "style": "i"}])).page_labels == ["1", "2", "i", "ii"]


def test_files_are_attached_and_detached(tmp_path: Path) -> None:
    file = tmp_path / "größe.csv"
    file.write_bytes(b"a,b")
    with_file = changed(plain(), attach=[file, REPORT])
    assert {name: parts[0] for name, parts in reader(with_file).attachments.items()} == {
        "größe.csv": b"a,b",
        "report.pdf": REPORT.read_bytes(),
    }
    assert {item["mime_type"] for item in info(with_file).attachments} == {"text/csv", "application/pdf"}
    without = changed(with_file, detach=["größe.csv"])
    assert list(reader(without).attachments) == ["report.pdf"]
    assert info(with_file, detach=["*"]).attachments == []


def test_attachment_of_the_same_name_is_replaced_with_a_warning(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_bytes(b"one")
    first = changed(plain(), attach=[file])
    file.write_bytes(b"two")
    result = info(first, attach=[file])
    assert result.pdf is not None
    assert reader(result.pdf.content).attachments["a.txt"] == [b"two"]
    assert result.meta["warnings"] == ['The attachment "a.txt" was replaced.']


# --- remove -----------------------------------------------------------------------------------------------------------


def test_removed_metadata_is_nowhere_in_the_file() -> None:
    pdf = blank()
    pdf.docinfo.Author = String("Secret Author")
    pdf.Root.PieceInfo = Dictionary(App=Dictionary(Private=String("Secret Author")))
    pdf.pages[0].obj.PieceInfo = Dictionary(App=Dictionary(Private=String("Secret Author")))
    with pdf.open_metadata() as metadata:
        metadata["dc:creator"] = ["Secret Author"]
    result = changed(pdf, remove=["metadata"])
    assert b"Secret Author" not in _unpacked(result)
    assert not reader(result).metadata


def _unpacked(content: bytes) -> bytes:
    """Return a PDF without compression and object streams."""
    with reopened(content) as pdf:
        return saved(
            pdf,
            object_stream_mode=pikepdf.ObjectStreamMode.disable,
            compress_streams=False,
            stream_decode_level=pikepdf.StreamDecodeLevel.all,
            encryption=False,
        )


def test_removed_scripts_are_nowhere_in_the_file() -> None:
    result = info(scripted(), remove=["javascript"])
    assert result.javascript == []
    assert result.links == 1
    assert result.pdf is not None
    unpacked = _unpacked(result.pdf.content)
    for code in (b"start()", b"opened()", b"then()", b"printing()", b"page()", b"sum()", b"keys()", b"linked()"):
        assert code not in unpacked
    assert b"https://example.com" in unpacked


def test_script_in_a_chain_is_removed_and_the_rest_of_the_chain_stays() -> None:
    pdf = blank(2)
    go = Dictionary(S=Name.GoTo, D=Array([pdf.pages[1].obj, Name.Fit]))
    pdf.Root.OpenAction = script("x()", Next=go)
    content = changed(pdf, remove=["javascript"])
    with reopened(content) as after:
        assert Name.GoTo == after.Root.OpenAction.S
    assert info(content).javascript == []


def test_removed_actions_leave_links_to_pages_and_addresses() -> None:
    pdf = scripted()
    add_link(pdf, 0, 1)
    launch = add_link(pdf, 0, "https://example.org")
    launch.A = Dictionary(S=Name.Launch, F=String("calc.exe"))
    unpacked = _unpacked(changed(pdf, remove=["actions"]))
    assert b"calc.exe" not in unpacked
    assert b"sum()" not in unpacked
    assert b"https://example.com" in unpacked
    assert info(pdf, remove=["actions"]).links == 3


def test_attachments_annotations_links_and_thumbnails_are_removed() -> None:
    pdf = blank(2)
    add_attachments(pdf, {"secret.txt": b"secret words"})
    add_annotation(pdf, 0, Dictionary(Subtype=Name.Text, Rect=Array([0, 0, 9, 9]), Contents=String("a comment")))
    add_link(pdf, 0, "https://example.com")
    add_fields(pdf, {"name": "Ada"})
    pdf.pages[0].obj.Thumb = pdf.make_stream(b"\0" * 3, Width=1, Height=1, ColorSpace=Name.DeviceRGB)
    result = info(pdf, remove=["attachments", "annotations", "links", "thumbnails"])
    assert (result.attachments, result.annotations, result.links) == ([], 0, 0)
    assert result.form["fields"] == 1
    assert result.pdf is not None
    unpacked = _unpacked(result.pdf.content)
    for words in (b"secret words", b"a comment", b"https://example.com", b"/Thumb"):
        assert words not in unpacked
    assert texts(result.pdf.content)[0] == "page 1"


def layered() -> pikepdf.Pdf:
    """Return a page with a visible layer, a hidden one, and a hidden image of a form."""
    pdf = blank(1, text=" ", size=(100, 100))
    add_layers(pdf, {"Plan": True, "Notes": False})
    plan, notes = pdf.Root.OCProperties.OCGs
    form = pdf.make_stream(b"0 0 1 rg 0 50 50 50 re f", BBox=Array([0, 0, 100, 100]), OC=notes)
    form.Type, form.Subtype = Name.XObject, Name.Form
    page = pdf.pages[0].obj
    page.Resources.Properties = Dictionary(Plan=plan, Notes=notes)
    page.Resources.XObject = Dictionary(Fm=form)
    page.Contents = pdf.make_stream(
        b"/OC /Plan BDC 1 0 0 rg 0 0 50 50 re f EMC "
        b"/OC /Notes BDC 0 1 0 rg 50 0 50 50 re f BT /F1 9 Tf 10 10 Td (hidden words) Tj ET EMC "
        b"/Fm Do 50 50 50 50 re f"
    )
    return pdf


def test_removed_layers_keep_what_shows_and_lose_what_is_hidden() -> None:
    content = changed(layered(), remove=["layers"])
    assert info(content).layers == []
    unpacked = _unpacked(content)
    assert b"hidden words" not in unpacked
    assert b"/OCG" not in unpacked
    before, after = (
        pypdfium2.PdfDocument(pdf)[0].render(scale=1).to_pil().convert("RGB") for pdf in (saved(layered()), content)
    )
    assert before.tobytes() == after.tobytes()
    places = ((25, 75), (75, 75), (25, 25), (75, 25))
    assert [after.getpixel(place) for place in places] == [(255, 0, 0), (255, 255, 255), (255, 255, 255), (0, 255, 0)]


# --- the rest of the file ---------------------------------------------------------------------------------------------


def test_change_keeps_everything_else() -> None:
    pdf = blank(3)
    add_outline(pdf, ["One"])
    add_labels(pdf, {0: ("r", "", 1)})
    add_fields(pdf, {"name": "Ada"})
    add_attachments(pdf, {"a.txt": b"x"})
    add_layers(pdf, {"Plan": True})
    add_tags(pdf)
    add_link(pdf, 0, 2)
    before, after = info(pdf).to_dict(), info(pdf, metadata={"subject": "new"}).to_dict()
    assert after | {"meta": {}} == {**before, "subject": "new", "version": after["version"], "meta": {}}


def test_encrypted_pdf_stays_encrypted() -> None:
    locked = saved(blank(), encryption=Encryption(user="u", owner="o"))
    result = info(locked, password="u", metadata={"title": "T"})
    assert result.pdf is not None
    assert result.encrypted
    assert result.title == "T"
    assert pypdfium2.PdfDocument(result.pdf.content, password="o").get_metadata_value("Title") == "T"


def test_writing_removes_signatures_with_a_warning_and_reading_does_not() -> None:
    pdf = blank()
    add_signature(pdf)
    assert len(info(pdf).signatures) == 1
    result = info(pdf, metadata={"title": "T"})
    assert result.signatures == []
    assert result.meta["warnings"] == ["1 signature was removed: a signature covers the original file only."]


# --- errors -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"outline": [{"level": 1, "title": "A", "page": 1}] * 2 + [{"level": 3, "title": "C", "page": 1}]},
            "outline[2]: level 3 cannot follow level 1.",
        ),
        ({"outline": [{"level": 2, "title": "A", "page": 1}]}, "outline[0]: level 2 cannot come first."),
        ({"outline": [{"level": 1, "title": "A", "page": 9}]}, "outline[0]: the PDF has 2 pages, got 9."),
        ({"outline": [{"level": 1, "title": "A"}]}, "outline[0].page: is required."),
        ({"labels": [{"from": 3}]}, "labels[0]: the PDF has 2 pages, got 3."),
        ({"labels": [{"from": 1}, {"from": 1}]}, "labels[1]: page 1 begins the range of labels[0] as well."),
        ({"detach": ["a.csv"]}, 'detach: there is no attachment "a.csv"; it has "b.csv".'),
        ({"attach": [b"x"]}, "attach[0]: needs a name."),
        ({"attach": [REPORT, REPORT]}, 'attach[1]: the name "report.pdf" is taken by attach[0].'),
        ({"metadata": {"titel": "x"}}, "metadata.titel: is not a known field."),
        (
            {"metadata": {"language": "german!"}},
            'metadata.language: must be a language tag such as "en" or "pt-BR", got "german!".',
        ),
        (
            {"metadata": {"created": "soon"}},
            'metadata.created: must be a date such as "2026-11-22" or "2026-11-22T09:30:00+01:00", got "soon".',
        ),
    ],
)
def test_change_that_does_not_fit_is_refused(options: dict[str, Any], message: str) -> None:
    pdf = blank(2)
    add_attachments(pdf, {"b.csv": b"x"})
    assert refusal(pdf, **options) == message


# --- results ----------------------------------------------------------------------------------------------------------


def test_changed_pdf_is_the_file_of_the_result(tmp_path: Path) -> None:
    result = info(plain(2), metadata={"title": "T"})
    assert result.save(tmp_path / "new.pdf").read_bytes() == changed(plain(2), metadata={"title": "T"})
    assert mediakit.pdf_merge([result, plain()]).pages == 3


def test_description_is_saved_as_json(tmp_path: Path) -> None:
    saved_file = info(plain(2)).save(tmp_path / "about.json")
    assert json.loads(saved_file.read_text("utf-8"))["pages"] == 2


def test_notebook_shows_facts_as_text_only() -> None:
    html = info(plain(3), metadata={"title": "<b>&", "author": "Ada"})._repr_mimebundle_()[0]["text/html"]
    assert "&lt;b&gt;&amp;" in html
    assert "3 × " in html
    assert "Keywords" not in html


# --- certificates -----------------------------------------------------------------------------------------------------


def der(tag: int, *parts: bytes) -> bytes:
    """Return an item of DER (ITU-T X.690)."""
    content = b"".join(parts)
    size = bytes([len(content)]) if len(content) < 128 else b"\x82" + len(content).to_bytes(2, "big")
    return bytes([tag]) + size + content


def certificate(serial: int, name: str) -> bytes:
    common_name = der(0x30, der(0x06, b"\x55\x04\x03"), der(0x0C, name.encode()))
    subject = der(0x30, der(0x31, der(0x30, der(0x06, b"\x55\x04\x06"), der(0x13, b"DE"))), der(0x31, common_name))
    version = der(0xA0, der(0x02, b"\x02"))
    body = der(0x30, version, der(0x02, bytes([serial])), der(0x30), der(0x30), der(0x30), subject, der(0x30))
    return der(0x30, body, der(0x30), der(0x03, b"\0"))


def signature(serial: int) -> bytes:
    """Return a CMS signature with two certificates, of which the serial number names that of the signer."""
    signer = der(0x30, der(0x02, b"\x01"), der(0x30, der(0x30), der(0x02, bytes([serial]))), der(0x30))
    certificates = der(0xA0, certificate(1, "Root CA"), certificate(2, "Zoë Müller"))
    signed = der(0x30, der(0x02, b"\x01"), der(0x31), der(0x30), certificates, der(0x31, signer))
    return der(0x30, der(0x06, b"\x2a\x86\x48\x86\xf7\x0d\x01\x07\x02"), der(0xA0, signed))


def test_signer_is_the_common_name_of_its_certificate() -> None:
    pdf = blank()
    add_signature(pdf)
    pdf.Root.AcroForm.Fields[0].V.Contents = String(signature(2) + b"\0" * 100)
    assert info(pdf).signatures[0]["signer"] == "Zoë Müller"


@pytest.mark.parametrize("content", [signature(9), signature(2)[:60], b"", b"\x30\x80\x30", b"\xff" * 50])
def test_signature_that_cannot_be_read_has_no_signer(content: bytes) -> None:
    pdf = blank()
    add_signature(pdf)
    pdf.Root.AcroForm.Fields[0].V.Contents = String(content)
    assert info(pdf).signatures[0]["signer"] is None


def test_names_that_are_not_utf_8_are_read() -> None:
    pdf = blank()
    content = saved(pdf, object_stream_mode=pikepdf.ObjectStreamMode.disable)
    (font,) = info(content.replace(b"/Helvetica", b"/H#cb#ce#cc")).fonts
    assert font["name"].startswith("H")
