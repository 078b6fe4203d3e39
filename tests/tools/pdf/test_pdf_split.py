"""`pdf_split`: a PDF becomes several; read back with pypdf and pdfium."""

import io
from collections.abc import Sequence
from typing import Any
from zipfile import ZipFile

import numpy as np
import pikepdf
import pypdfium2
import pytest
from pikepdf import Array, Dictionary, Encryption, Name, String

import mediakit
from mediakit import PdfResult
from mediakit.errors import InvalidInput
from mediakit.results.files import ZipResult
from tests.support.pdf_kit import (
    add_attachments,
    add_destinations,
    add_fields,
    add_labels,
    add_layers,
    add_link,
    add_outline,
    add_signature,
    add_tags,
    blank,
    outline_titles,
    plain,
    reader,
    reopened,
    saved,
    texts,
)


def refusal(*arguments: Any, **options: Any) -> str:
    with pytest.raises(InvalidInput) as caught:
        mediakit.pdf_split(*arguments, **options)
    return caught.value.message


def words(result: ZipResult[PdfResult]) -> list[list[str]]:
    """Return the text of each page of each part."""
    return [texts(part.content) for part in result]


def named(name: str, content: bytes) -> io.BytesIO:
    file = io.BytesIO(content)
    file.name = name
    return file


def noise(pdf: pikepdf.Pdf, page: int, size: int) -> None:
    """Add an image to a page that compresses badly."""
    pixels = np.random.default_rng(page).integers(0, 256, size, dtype=np.uint8).tobytes()
    image = pdf.make_stream(
        pixels,
        Dictionary(
            Type=Name.XObject, Subtype=Name.Image, Width=size, Height=1, BitsPerComponent=8, ColorSpace=Name.DeviceGray
        ),
    )
    pdf.pages[page].obj.Resources.XObject = Dictionary(Im=image)
    pdf.pages[page].contents_add(b"q 10 0 0 10 0 0 cm /Im Do Q")


def chapters() -> pikepdf.Pdf:
    """Return six pages with a bookmark on pages 2, 4 (two levels) and 5 (second level)."""
    pdf = blank(6)
    with pdf.open_outline() as outline:
        for title, page in (("Start", 1), ("Middle", 3)):
            outline.root.append(pikepdf.OutlineItem(title, page))
        for title, page in (("Section", 3), ("Detail", 4)):
            outline.root[1].children.append(pikepdf.OutlineItem(title, page))
    return pdf


# --- every, ranges ----------------------------------------------------------------------------------------------------


def test_every_page_is_a_part_by_default() -> None:
    result = mediakit.pdf_split(named("report.pdf", plain(3)))
    assert words(result) == [["page 1"], ["page 2"], ["page 3"]]
    assert result.names == ["report-1.pdf", "report-2.pdf", "report-3.pdf"]
    assert result.filename == "report.zip"
    assert isinstance(result["report-2.pdf"], PdfResult)


def test_archive_holds_the_parts_in_order() -> None:
    result = mediakit.pdf_split(plain(2))
    with ZipFile(io.BytesIO(result.content)) as archive:
        assert archive.namelist() == ["document-1.pdf", "document-2.pdf"]
        assert texts(archive.read("document-2.pdf")) == ["page 2"]


def test_parts_have_a_number_of_pages() -> None:
    result = mediakit.pdf_split(named("a.pdf", plain(5)), every=2)
    assert words(result) == [["page 1", "page 2"], ["page 3", "page 4"], ["page 5"]]
    assert [(part["name"], part["pages"], part["page_count"]) for part in result.meta["parts"]] == [
        ("a-1.pdf", "1-2", 2),
        ("a-2.pdf", "3-4", 2),
        ("a-3.pdf", "5", 1),
    ]
    assert [part["size_bytes"] for part in result.meta["parts"]] == [len(part.content) for part in result]


def test_ranges_can_overlap_and_skip() -> None:
    result = mediakit.pdf_split(plain(6), ranges=["1-3,5", "2", "5-"])
    assert words(result) == [["page 1", "page 2", "page 3", "page 5"], ["page 2"], ["page 5", "page 6"]]
    assert [part["pages"] for part in result.meta["parts"]] == ["1-3,5", "2", "5-6"]


# --- bookmarks --------------------------------------------------------------------------------------------------------


def test_parts_begin_at_bookmarks_of_the_first_level() -> None:
    result = mediakit.pdf_split(named("book.pdf", saved(chapters())), mode="bookmarks")
    assert [(part["title"], part["pages"]) for part in result.meta["parts"]] == [
        ("book", "1"),
        ("Start", "2-3"),
        ("Middle", "4-6"),
    ]
    assert [outline_titles(part.content) for part in result] == [[], ["Start"], ["Middle", ["Section", "Detail"]]]


def test_level_splits_at_bookmarks_below() -> None:
    result = mediakit.pdf_split(saved(chapters()), mode="bookmarks", level=2, filename="{title}")
    assert result.names == ["document.pdf", "Start.pdf", "Middle.pdf", "Detail.pdf"]
    assert [part["pages"] for part in result.meta["parts"]] == ["1", "2-3", "4", "5-6"]


def test_bookmarks_by_name_begin_parts() -> None:
    pdf = blank(2)
    add_destinations(pdf, {"second": 1})
    with pdf.open_outline() as outline:
        outline.root.append(pikepdf.OutlineItem("Two", String("second")))
    result = mediakit.pdf_split(saved(pdf), mode="bookmarks")
    assert words(result) == [["page 1"], ["page 2"]]


# --- blank ------------------------------------------------------------------------------------------------------------


def test_blank_pages_end_parts_and_are_omitted() -> None:
    pdf = blank(7)
    for page, content in ((1, b""), (4, b"0.95 g 0 0 300 400 re f 0 g 10 10 5 5 re f"), (5, b" ")):
        pdf.pages[page].obj.Contents = pdf.make_stream(content)
    result = mediakit.pdf_split(saved(pdf), mode="blank")
    assert words(result) == [["page 1"], ["page 3", "page 4"], ["page 7"]]
    assert result.meta["warnings"] == ["3 blank pages were omitted: 2,5-6."]


@pytest.mark.parametrize("content", [b"0 g 10 10 100 1 re f", b"0 g 0 0 300 400 re f", b"0.6 g 20 20 100 100 re f"])
def test_page_with_little_or_only_ink_is_not_blank(content: bytes) -> None:
    pdf = blank(3)
    pdf.pages[1].obj.Contents = pdf.make_stream(content)
    result = mediakit.pdf_split(saved(pdf), mode="blank")
    assert [part["pages"] for part in result.meta["parts"]] == ["1-3"]
    assert result.meta["warnings"] == ["No page is blank, so the only part is the whole file."]


def test_page_that_takes_long_to_draw_is_not_blank() -> None:
    pdf = blank(3)
    pdf.pages[1].obj.Contents = pdf.make_stream(b"1 g 0 0 9 9 re f " * 100_000)
    assert len(mediakit.pdf_split(saved(pdf), mode="blank")) == 1


def test_blank_pages_of_an_encrypted_file_are_found() -> None:
    pdf = blank(3)
    pdf.pages[1].obj.Contents = pdf.make_stream(b"")
    content = saved(pdf, encryption=Encryption(user="reader", owner="boss"))
    assert words(mediakit.pdf_split(content, mode="blank", password="reader")) == [["page 1"], ["page 3"]]


def test_file_of_blank_pages_is_refused() -> None:
    pdf = pikepdf.new()
    pdf.add_blank_page()
    assert refusal(saved(pdf), mode="blank") == "mode: all pages are blank."


# --- size -------------------------------------------------------------------------------------------------------------


def sized(sizes: Sequence[int]) -> bytes:
    pdf = blank(len(sizes))
    for page, size in enumerate(sizes):
        noise(pdf, page, size)
    return saved(pdf)


@pytest.mark.parametrize(
    "sizes",
    [[3000] * 12, [9000, 200, 200, 9000, 200, 5000, 5000, 5000, 200, 200], [100] * 60, [7000, 100] * 10],
    ids=["even", "mixed", "small", "alternating"],
)
def test_part_has_as_many_pages_as_fit(sizes: Sequence[int]) -> None:
    content = sized(sizes)
    result = mediakit.pdf_split(content, max_bytes=12_000)
    assert all(len(part.content) <= 12_000 for part in result)
    assert [page for part in words(result) for page in part] == [f"page {n}" for n in range(1, len(sizes) + 1)]
    for part in result.meta["parts"][:-1]:
        first, _, last = part["pages"].partition("-")
        one_more = mediakit.pdf_split(content, ranges=[f"{first}-{int(last or first) + 1}"])
        assert len(one_more[0].content) > 12_000


def test_page_larger_than_the_size_is_a_part_of_its_own_with_a_warning() -> None:
    result = mediakit.pdf_split(sized([500, 500, 20_000, 500]), max_bytes=10_000)
    assert [part["pages"] for part in result.meta["parts"]] == ["1-2", "3", "4"]
    size = len(result[1].content)
    assert result.meta["warnings"] == [f"Page 3 alone has {size} bytes, more than max_bytes; it is a part of its own."]


def test_file_that_fits_is_one_part() -> None:
    assert [part["pages"] for part in mediakit.pdf_split(plain(30), max_bytes=20_000_000).meta["parts"]] == ["1-30"]


def test_shared_font_counts_in_each_part() -> None:
    pdf = blank(20)
    file = pdf.make_stream(np.random.default_rng(1).integers(0, 256, 8000, dtype=np.uint8).tobytes())
    for page in pdf.pages:
        page.obj.Resources.Font.F1.FontDescriptor = Dictionary(Type=Name.FontDescriptor, FontFile2=file)
    result = mediakit.pdf_split(saved(pdf), max_bytes=11_000)
    assert len(result) > 1
    assert all(8000 < len(part.content) <= 11_000 for part in result)


# --- what parts keep --------------------------------------------------------------------------------------------------


def full() -> bytes:
    pdf = blank(4)
    add_outline(pdf, ["One", "Two", "Three", "Four"])
    add_labels(pdf, {0: ("r", "", 1), 2: ("D", "A-", 7)})
    add_destinations(pdf, {"start": 0, "end": 3})
    add_attachments(pdf, {"data.csv": b"a,b"})
    add_layers(pdf, {"Draft": False})
    add_fields(pdf, {"total": "12", "group.first": "a"}, page=1)
    add_fields(pdf, {"group.second": "b"}, page=3)
    add_link(pdf, 2, 3)
    add_link(pdf, 3, "start")
    add_link(pdf, 3, "https://example.com/")
    add_tags(pdf)
    pdf.docinfo["/Title"] = "Everything"
    pdf.Root.Lang = String("en")
    return saved(pdf)


def test_parts_keep_what_belongs_to_their_pages() -> None:
    result = mediakit.pdf_split(full(), every=2)
    first, second = (reader(part.content) for part in result)
    assert [list(part.page_labels) for part in (first, second)] == [["i", "ii"], ["A-7", "A-8"]]
    assert [set(part.named_destinations) for part in (first, second)] == [{"start"}, {"end"}]
    fields = [{name for name, field in (part.get_fields() or {}).items() if field.value} for part in (first, second)]
    assert fields == [{"total", "group.first"}, {"group.second"}]
    assert [outline_titles(part.content) for part in result] == [
        ["One", ["One child"], "Two", ["Two child"]],
        ["Three", ["Three child"], "Four", ["Four child"]],
    ]
    for part in result:
        made = reopened(part.content)
        assert (str(made.docinfo["/Title"]), str(made.Root.Lang)) == ("Everything", "en")
        assert made.Root.OCProperties.D.OFF[0].Name == "Draft"
        elements = list(made.Root.StructTreeRoot.K[0].K)
        assert [element.Pg.objgen for element in elements] == [page.obj.objgen for page in made.pages]
        numbers = list(made.Root.StructTreeRoot.ParentTree.Nums)
        parents = dict(zip(numbers[::2], numbers[1::2], strict=True))
        assert [parents[page.obj.StructParents][0].objgen for page in made.pages] == [item.objgen for item in elements]


def test_links_within_a_part_stay_and_others_are_removed_with_a_warning() -> None:
    result = mediakit.pdf_split(full(), every=2)
    made = reopened(result[1].content)
    links = [item for page in made.pages for item in page.obj.Annots if item.Subtype == Name.Link]
    assert links[0].Dest[0].objgen == made.pages[1].obj.objgen
    assert str(links[1].A.URI) == "https://example.com/"
    assert len(links) == 2
    assert "1 link was removed: the pages they lead to are not in the same part." in result.meta["warnings"]


def test_tag_of_a_removed_link_forgets_it() -> None:
    pdf = blank(2)
    add_tags(pdf)
    link = add_link(pdf, 0, 1)
    root = pdf.Root.StructTreeRoot
    tag = root.K[0].K[0]
    tag.K = Array([0, Dictionary(Type=Name.OBJR, Obj=link, Pg=pdf.pages[0].obj)])
    link.StructParent = 2
    root.ParentTree.Nums.extend(Array([2, tag]))
    made = reopened(mediakit.pdf_split(saved(pdf))[0].content)
    assert not [item for item in made.objects if isinstance(item, Dictionary) and Name.Rect in item]
    assert list(made.Root.StructTreeRoot.K[0].K[0].K) == [0]
    assert list(made.Root.StructTreeRoot.ParentTree.Nums)[::2] == [0]


def test_articles_keep_the_columns_of_their_pages() -> None:
    pdf = blank(4)
    beads = [pdf.make_indirect(Dictionary(P=page.obj, R=Array([0, 0, 9, 9]))) for page in pdf.pages for _ in "ab"]
    for one, following in zip(beads, [*beads[1:], beads[0]], strict=True):
        one.N, following.V = following, one
    for number, page in enumerate(pdf.pages):
        page.obj.B = Array(beads[number * 2 : number * 2 + 2])
    pdf.Root.Threads = Array([pdf.make_indirect(Dictionary(F=beads[0]))])
    for part in mediakit.pdf_split(saved(pdf), every=2):
        made = reopened(part.content)
        bead: Any = made.Root.Threads[0].F
        seen: list[tuple[int, int]] = []
        while bead.objgen not in seen:
            seen.append(bead.objgen)
            assert bead.N.V.objgen == bead.objgen
            bead = bead.N
        assert seen == [bead.objgen for page in made.pages for bead in page.obj.B]
        assert len([item for item in made.objects if isinstance(item, Dictionary) and Name.R in item]) == 4


def test_attachments_stay_with_the_first_part() -> None:
    result = mediakit.pdf_split(full(), every=2)
    assert [list(reader(part.content).attachments) for part in result] == [["data.csv"], []]
    assert "The attachments are in the first part only." in result.meta["warnings"]


def test_pages_of_other_parts_leave_no_objects() -> None:
    pdf = blank(40)
    for page in range(40):
        noise(pdf, page, 5000)
    add_outline(pdf, [f"T{n}" for n in range(40)])
    add_fields(pdf, {"a": "1"}, page=0)
    add_tags(pdf)
    sizes = [len(part.content) for part in mediakit.pdf_split(saved(pdf))]
    assert max(sizes) < 9500
    made = reopened(mediakit.pdf_split(saved(pdf))[20].content)
    kinds = [str(item.get("/Type", "")) for item in made.objects if isinstance(item, Dictionary)]
    assert (kinds.count("/Page"), kinds.count("/StructElem"), kinds.count("/Annot")) == (1, 2, 0)


def test_images_in_shared_resources_stay_with_their_pages() -> None:
    """Some programs write one dictionary with the images of all pages."""
    pdf = blank(10)
    for page in range(10):
        noise(pdf, page, 5000)
    shared = Dictionary({f"/Im{page}": pdf.pages[page].obj.Resources.XObject.Im for page in range(10)})
    resources = pdf.make_indirect(Dictionary(XObject=shared, Font=pdf.pages[0].obj.Resources.Font))
    for number, item in enumerate(pdf.pages):
        item.obj.Contents = pdf.make_stream(f"BT /F1 9 Tf (x) Tj ET 10 0 0 10 0 0 cm /Im{number} Do".encode())
        item.obj.Resources = resources
    content = saved(pdf)
    result = mediakit.pdf_split(content)
    assert max(len(part.content) for part in result) < 8000
    for number, part in enumerate(result):
        made = reopened(part.content)
        assert list(made.pages[0].obj.Resources.XObject.keys()) == [f"/Im{number}"]
    assert len(mediakit.pdf_pages(content, "3").content) < 8000


def test_images_that_own_resources_name_but_do_not_draw_stay_with_their_pages() -> None:
    pdf = blank(8)
    for page in range(8):
        noise(pdf, page, 5000)
    images = [page.obj.Resources.XObject.Im for page in pdf.pages]
    for number, item in enumerate(pdf.pages):
        names = {f"/Image{index}": image for index, image in enumerate(images)}
        item.obj.Resources = Dictionary(XObject=Dictionary(names))
        item.obj.Contents = pdf.make_stream(f"10 0 0 10 0 0 cm /Image{number} Do".encode())
    content = saved(pdf)
    assert max(len(part.content) for part in mediakit.pdf_split(content)) < 8000
    assert len(mediakit.pdf_pages(content, "4").content) < 8000


def test_file_is_the_same_for_each_part() -> None:
    """Parts that overlap get the same, in whatever order they are made."""
    content = full()
    once = mediakit.pdf_split(content, ranges=["1", "2-3"])[1].content
    assert mediakit.pdf_split(content, ranges=["1", "4", "1-4", "3", "2-3"])[4].content == once


@pytest.mark.parametrize("every", [1, 2, 3])
def test_split_and_merged_file_is_the_same(every: int) -> None:
    content = full()
    merged = mediakit.pdf_merge(list(mediakit.pdf_split(content, every=every)), bookmarks="keep")
    assert texts(merged.content) == texts(content)
    assert outline_titles(merged.content) == outline_titles(content)
    assert list(reader(merged.content).page_labels) == list(reader(content).page_labels)
    assert set(reader(merged.content).get_fields() or {}) >= {"total", "group.first", "group.second"}
    for before, after in zip(pypdfium2.PdfDocument(content), pypdfium2.PdfDocument(merged.content), strict=True):
        assert not (before.render().to_numpy() != after.render().to_numpy()).any()


def test_bookmark_that_leads_out_of_the_file_stays() -> None:
    pdf = blank(2)
    add_outline(pdf, ["One", "Two"])
    del pdf.Root.Outlines.First.Next.First.Dest
    pdf.Root.Outlines.First.Next.First.A = Dictionary(S=Name.URI, URI=String("https://example.com/"))
    result = mediakit.pdf_split(saved(pdf))
    assert outline_titles(result[1].content) == ["Two", ["Two child"]]


def test_empty_cell_stays_with_its_row() -> None:
    pdf = blank(2)
    add_tags(pdf)
    top = pdf.Root.StructTreeRoot.K[0]
    for number in (0, 1):
        cell = pdf.make_indirect(Dictionary(Type=Name.StructElem, S=Name.TD, P=top.K[number * 2]))
        row = pdf.make_indirect(Dictionary(Type=Name.StructElem, S=Name.TR, P=top, K=Array([top.K[number * 2], cell])))
        top.K[number * 2] = row
        top.K.insert(number * 2 + 1, pdf.make_indirect(Dictionary(Type=Name.StructElem, S=Name.P, P=top)))
    for part in mediakit.pdf_split(saved(pdf)):
        made = reopened(part.content)
        assert [str(item.S) for item in made.Root.StructTreeRoot.K[0].K] == ["/TR", "/P"]
        assert [str(item.S) for item in made.Root.StructTreeRoot.K[0].K[0].K] == ["/Headline", "/TD"]


# --- names ------------------------------------------------------------------------------------------------------------


def test_names_have_placeholders() -> None:
    pdf = blank(3)
    add_outline(pdf, ["One", "Two", "Three"])
    add_labels(pdf, {0: ("r", "p", 4)})
    result = mediakit.pdf_split(
        named("all.pdf", saved(pdf)), ranges=["1-2", "3"], filename="{n:03} {name} {title} {label} {first}-{last}.pdf"
    )
    assert result.names == ["001 all One piv 1-2.pdf", "002 all Three pvi 3-3.pdf"]


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("../../etc/passwd", "-..-etc-passwd.pdf"),
        ("CON", "_CON.pdf"),
        ("a\tb\x00c", "a b-c.pdf"),
        ("...", "_.pdf"),
        ("x" * 300, "x" * 110 + ".pdf"),
    ],
)
def test_names_are_safe(title: str, name: str) -> None:
    pdf = blank(1)
    add_outline(pdf, [title])
    assert mediakit.pdf_split(saved(pdf), filename="{title}").names == [name]


def test_equal_names_are_numbered() -> None:
    assert mediakit.pdf_split(plain(3), filename="part").names == ["part.pdf", "part (2).pdf", "part (3).pdf"]


# --- refusals and protection ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"mode": "bookmarks"}, "mode: bookmarks needs an outline, this PDF has none."),
        ({"ranges": ["1", "2", "9"]}, "ranges[2]: the PDF has 4 pages, got 9."),
        ({"ranges": ["1"], "every": 2}, "ranges: cannot be combined with every."),
        ({"every": 2, "max_bytes": 20_000}, "every: cannot be combined with max_bytes."),
        ({"every": 2, "mode": "blank"}, "every: cannot be combined with mode blank."),
        ({"mode": "ranges"}, "ranges: is required with mode ranges."),
        ({"mode": "size"}, "max_bytes: is required with mode size."),
        (
            {"filename": "{page}"},
            "filename: can have {name}, {n}, {n:03}, {title}, {label}, {first} and {last}, got {page}.",
        ),
    ],
)
def test_refusals_name_the_field_and_the_rule(options: dict[str, Any], message: str) -> None:
    assert refusal(plain(4), **options) == message


def test_more_than_200_parts_are_refused() -> None:
    assert refusal(plain(201)) == "every: makes 201 parts; the most is 200."


def test_parts_that_are_too_large_together_are_refused() -> None:
    content = sized([19_000_000])
    assert refusal(content, ranges=["1"] * 12) == "ranges: makes parts of more than 200 MB together."


def test_protection_is_lost_with_a_warning() -> None:
    content = saved(
        blank(2), encryption=Encryption(user="reader", owner="boss", allow=pikepdf.Permissions(extract=False))
    )
    result = mediakit.pdf_split(content, password="reader")
    assert words(result) == [["page 1"], ["page 2"]]
    assert result.meta["warnings"] == ["The file restricts copying and assembling pages; the result is not protected."]
    assert refusal(content) == "file: is encrypted; send its password."


def test_signatures_are_removed_with_a_warning() -> None:
    pdf = blank(2)
    add_signature(pdf)
    result = mediakit.pdf_split(saved(pdf))
    assert result.meta["warnings"] == ["1 signature was removed: a signature covers the original file only."]


def test_equal_input_gives_equal_bytes() -> None:
    assert mediakit.pdf_split(full()).content == mediakit.pdf_split(full()).content
