"""Assembling PDFs: everything that belongs to the pages is kept."""

from collections.abc import Sequence
from typing import Any

import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name, String

from mediakit.engines.pdf.assembly import Assembly
from mediakit.engines.pdf.destinations import warn_of_removed_links
from mediakit.engines.pdf.opening import Source
from mediakit.engines.pdf.outlines import Bookmarks
from tests.support.pdf_kit import (
    add_annotation,
    add_attachments,
    add_destinations,
    add_fields,
    add_labels,
    add_layers,
    add_link,
    add_outline,
    add_tags,
    blank,
    names_of,
    outline_titles,
    reader,
    reopened,
    saved,
    texts,
)


class Made:
    """An assembly of PDFs, with its sources."""

    def __init__(
        self, *pdfs: pikepdf.Pdf, pages: Sequence[Sequence[int] | None] = (), bookmarks: Bookmarks = "keep"
    ) -> None:
        self.sources = [Source(reopened(saved(pdf))) for pdf in pdfs]
        self.assembly = Assembly(bookmarks)
        for index, source in enumerate(self.sources):
            chosen = pages[index] if index < len(pages) else None
            indices = range(len(source.pages)) if chosen is None else chosen
            warn_of_removed_links(self.assembly.add(source, indices, f"File {index + 1}", leads=not index))
        self.assembly.finish()
        self.content = self.assembly.save()
        self.pdf = reopened(self.content)

    @property
    def warnings(self) -> list[str]:
        return [sentence for source in self.sources for sentence in source.warnings]

    @property
    def fields(self) -> dict[str, str]:
        return {
            name: str(field.value) for name, field in (reader(self.content).get_fields() or {}).items() if field.value
        }


def made_with(add: Any, *arguments: Any, pages: int = 2, **options: Any) -> pikepdf.Pdf:
    pdf = blank(pages)
    add(pdf, *arguments, **options)
    return pdf


# --- pages ------------------------------------------------------------------------------------------------------------


def test_pages_keep_boxes_and_rotation() -> None:
    pdf = blank(1)
    page = pdf.pages[0].obj
    boxes = {"/CropBox": [10, 20, 250, 350], "/TrimBox": [15, 25, 240, 340], "/ArtBox": [30, 30, 90, 90]}
    for name, box in boxes.items():
        page[name] = Array(box)
    page.Rotate, page.UserUnit = 90, 2
    made = Made(blank(1), pdf)
    kept = made.pdf.pages[1].obj
    assert {name: [int(edge) for edge in kept[name]] for name in boxes} == boxes
    assert (int(kept.Rotate), int(kept.UserUnit)) == (90, 2)


def test_attributes_that_pages_inherit_are_kept() -> None:
    pdf = blank(1)
    pdf.Root.Pages.Rotate = 180
    made = Made(blank(1), pdf)
    assert made.pdf.pages[1].obj.Rotate == 180


def test_equal_input_gives_equal_bytes() -> None:
    assert Made(blank(2), blank(3)).content == Made(blank(2), blank(3)).content


# --- bookmarks --------------------------------------------------------------------------------------------------------


def test_bookmarks_of_all_files_are_joined_with_color_and_state() -> None:
    made = Made(made_with(add_outline, ["A", "B"]), made_with(add_outline, ["C", "D"]))
    assert outline_titles(made.content) == ["A", ["A child"], "B", ["B child"], "C", ["C child"], "D", ["D child"]]
    third = made.pdf.Root.Outlines.First.Next.Next
    assert (str(third.Title), int(third.Count), [int(part) for part in third.C], int(third.F)) == (
        "C",
        -1,
        [1, 0, 0],
        2,
    )
    assert third.Dest[0].objgen == made.pdf.pages[2].obj.objgen
    assert made.pdf.Root.Outlines.Count == 4


def test_bookmarks_lie_below_an_entry_for_each_file() -> None:
    made = Made(made_with(add_outline, ["A", "B"]), blank(1), bookmarks="files")
    assert outline_titles(made.content) == ["File 1", ["A", ["A child"], "B", ["B child"]], "File 2"]
    first = made.pdf.Root.Outlines.First
    assert first.Count == 2
    assert first.First.Parent.objgen == first.objgen
    assert first.Next.Dest[0].objgen == made.pdf.pages[2].obj.objgen


def test_bookmarks_none_leaves_the_outline_out() -> None:
    assert Name.Outlines not in Made(made_with(add_outline, ["A", "B"]), bookmarks="none").pdf.Root


def test_bookmarks_of_pages_omitted_are_removed() -> None:
    made = Made(made_with(add_outline, ["A", "B", "C"], pages=3), pages=[[1]])
    assert outline_titles(made.content) == ["B", ["B child"]]


def test_bookmark_stays_as_a_heading_of_children_that_stay() -> None:
    pdf = made_with(add_outline, ["A", "B"])
    pdf.Root.Outlines.First.First.Dest = Array([pdf.pages[1].obj, Name.Fit])
    made = Made(pdf, pages=[[1]])
    assert outline_titles(made.content) == ["A", ["A child"], "B", ["B child"]]
    assert Name.Dest not in made.pdf.Root.Outlines.First


def test_bookmarks_below_themselves_end() -> None:
    """Without a note of what was read, each level would double the bookmarks."""
    pdf = made_with(add_outline, ["A", "B", "C"], pages=3)
    first = pdf.Root.Outlines.First
    first.First = first.Next.First = first
    made = Made(pdf, pages=[[0, 1]])
    assert [str(item.Title) for item in (made.pdf.Root.Outlines.First, made.pdf.Root.Outlines.First.Next)] == ["A", "B"]
    assert Name.First not in made.pdf.Root.Outlines.First


def test_changes_of_a_part_can_be_undone() -> None:
    pdf = made_with(add_outline, ["A", "B", "C"], pages=3)
    add_tags(pdf)
    add_fields(pdf, {"total": "1"}, page=2)
    add_link(pdf, 0, 2)
    source = Source(reopened(saved(pdf)))
    before = saved(source.pdf)
    part = Assembly().add(source, [0], leads=True)
    assert Name.Annots not in source.pages[0]
    part.changes.undo()
    assert saved(source.pdf) == before


def test_outline_loop_ends() -> None:
    pdf = made_with(add_outline, ["A", "B"])
    pdf.Root.Outlines.First.Next.Next = pdf.Root.Outlines.First
    assert outline_titles(Made(pdf, blank(1)).content) == ["A", ["A child"], "B", ["B child"]]


# --- links and destinations -------------------------------------------------------------------------------------------


def test_links_lead_to_their_pages_in_the_result() -> None:
    pdf = blank(2)
    add_link(pdf, 0, 1)
    add_link(pdf, 0, "https://example.org/")
    made = Made(blank(3), pdf)
    inside, outside = made.pdf.pages[3].obj.Annots
    assert inside.Dest[0].objgen == made.pdf.pages[4].obj.objgen
    assert str(outside.A.URI) == "https://example.org/"


def test_named_destinations_of_one_name_are_renamed_and_links_follow() -> None:
    def chapters() -> pikepdf.Pdf:
        pdf = blank(2)
        add_destinations(pdf, {"chapter": 1, "start": 0})
        add_link(pdf, 0, "chapter")
        add_outline(pdf, ["A"])
        pdf.Root.Outlines.First.Dest = String("chapter")
        return pdf

    made = Made(chapters(), chapters(), chapters())
    names = reader(made.content).named_destinations
    assert sorted(names) == ["chapter", "chapter_2", "chapter_3", "start", "start_2", "start_3"]
    assert [reader(made.content).get_destination_page_number(names[f"chapter{n}"]) for n in ("", "_2", "_3")] == [
        1,
        3,
        5,
    ]
    assert [str(made.pdf.pages[page].obj.Annots[0].Dest) for page in (0, 2, 4)] == ["chapter", "chapter_2", "chapter_3"]
    assert str(made.pdf.Root.Outlines.First.Next.Next.Dest) == "chapter_3"


def test_named_destinations_of_pdf_1_1_are_kept() -> None:
    pdf = blank(2)
    pdf.Root.Dests = Dictionary(old=Array([pdf.pages[1].obj, Name.Fit]))
    made = Made(blank(1), pdf)
    assert made.pdf.Root.Dests.old[0].objgen == made.pdf.pages[2].obj.objgen


def test_links_to_pages_omitted_are_removed_with_a_warning() -> None:
    pdf = blank(3)
    for target in (1, 2, "third", "https://example.org/"):
        add_link(pdf, 0, target)
    add_destinations(pdf, {"third": 2})
    made = Made(pdf, pages=[[0, 1]])
    assert len(made.pdf.pages[0].obj.Annots) == 2
    assert made.warnings == ["2 links were removed: the pages they lead to are omitted."]
    assert Name.Names not in made.pdf.Root


def test_no_object_of_a_page_omitted_stays() -> None:
    pdf = blank(2)
    pdf.pages[1].obj.Resources.Big = pdf.make_stream(bytes(range(256)) * 400)
    add_link(pdf, 0, 1)
    add_outline(pdf, ["A", "B"])
    add_fields(pdf, {"second": "x"}, page=1)
    assert len(Made(pdf, pages=[[0]]).content) < 3000


def test_repeated_page_has_annotations_and_fields_of_its_own() -> None:
    pdf = blank(2)
    add_link(pdf, 0, 1)
    add_fields(pdf, {"name": "Ada"})
    made = Made(pdf, pages=[[0, 1, 0]])
    first, copy = made.pdf.pages[0].obj, made.pdf.pages[2].obj
    assert {item.objgen for item in first.Annots}.isdisjoint(item.objgen for item in copy.Annots)
    assert made.fields == {"name": "Ada", "name_2": "Ada"}
    assert made.assembly.fields.renamed == {"name": "name_2"}


# --- page labels ------------------------------------------------------------------------------------------------------


def test_page_labels_of_all_files_are_kept() -> None:
    one = made_with(add_labels, {0: ("r", "", 1), 2: ("D", "", 1)}, pages=3)
    two = made_with(add_labels, {0: ("D", "A-", 5)})
    assert reader(Made(one, blank(2), two).content).page_labels == ["i", "ii", "1", "4", "5", "A-5", "A-6"]


def test_files_without_labels_get_none() -> None:
    assert Name.PageLabels not in Made(blank(2), blank(2)).pdf.Root


def test_labels_follow_their_pages_in_any_order() -> None:
    pdf = made_with(add_labels, {0: ("r", "", 1)}, pages=3)
    assert reader(Made(pdf, pages=[[2, 0, 1]]).content).page_labels == ["iii", "i", "ii"]


# --- form fields ------------------------------------------------------------------------------------------------------


def test_fields_of_one_name_are_renamed_and_never_joined() -> None:
    made = Made(*(made_with(add_fields, {"total": value, f"own{value}": value}) for value in "123"))
    assert made.fields == {"total": "1", "own1": "1", "total_2": "2", "own2": "2", "total_3": "3", "own3": "3"}
    assert made.assembly.fields.renamed == {"total": "total_2"}
    assert made.assembly.fields.latest == {"total": "total_3"}


def test_groups_of_fields_are_joined_and_only_clashing_fields_renamed() -> None:
    made = Made(
        made_with(add_fields, {"form.a": "1", "form.b": "2"}), made_with(add_fields, {"form.b": "3", "form.c": "4"})
    )
    assert made.fields == {"form.a": "1", "form.b": "2", "form.b_2": "3", "form.c": "4"}
    assert made.assembly.fields.renamed == {"form.b": "form.b_2"}
    assert len(made.pdf.Root.AcroForm.Fields) == 1


def test_new_field_name_avoids_names_that_are_taken() -> None:
    made = Made(made_with(add_fields, {"a": "1", "a_2": "2"}), made_with(add_fields, {"a": "3", "a_3": "4"}))
    assert made.fields == {"a": "1", "a_2": "2", "a_4": "3", "a_3": "4"}


def test_widgets_on_pages_are_the_fields_of_the_form() -> None:
    made = Made(blank(1), made_with(add_fields, {"a": "1"}))
    assert made.pdf.pages[1].obj.Annots[0].objgen == made.pdf.Root.AcroForm.Fields[0].objgen


def test_fields_of_pages_omitted_are_removed() -> None:
    pdf = made_with(add_fields, {"first": "1", "group.first": "2"})
    add_fields(pdf, {"second": "3", "group.second": "4"}, page=1)
    assert Made(pdf, pages=[[1]]).fields == {"second": "3", "group.second": "4"}


def test_other_font_of_the_same_name_is_renamed_in_default_appearances() -> None:
    other = made_with(add_fields, {"b": "2"})
    other.Root.AcroForm.DR.Font.Helv.BaseFont = Name.Courier
    made = Made(made_with(add_fields, {"a": "1"}), other)
    form = made.pdf.Root.AcroForm
    assert {key: str(font.BaseFont) for key, font in form.DR.Font.items()} == {
        "/Helv": "/Helvetica",
        "/Helv_2": "/Courier",
    }
    assert [str(field.DA) for field in form.Fields] == ["/Helv 10 Tf 0 g", "/Helv_2 10 Tf 0 g"]


def test_defaults_of_a_later_form_move_into_its_fields() -> None:
    other = made_with(add_fields, {"b": "2"})
    other.Root.AcroForm.Q = 2
    made = Made(made_with(add_fields, {"a": "1"}), other)
    form = made.pdf.Root.AcroForm
    assert [field.get(Name.Q) for field in form.Fields] == [None, 2]


def test_xfa_is_removed_with_a_warning() -> None:
    pdf = made_with(add_fields, {"a": "1"})
    pdf.Root.AcroForm.XFA = pdf.make_stream(b"<xdp/>")
    made = Made(pdf)
    assert Name.XFA not in made.pdf.Root.AcroForm
    assert made.warnings == ["The XFA version of the form was removed; the form fields stay."]


# --- attachments, layers, tags ----------------------------------------------------------------------------------------


def test_attachments_of_one_name_and_other_bytes_get_a_number() -> None:
    one, two, three = ({"data.csv": b"1", "same.txt": b"x"}, {"data.csv": b"2", "same.txt": b"x"}, {"data.csv": b"3"})
    made = Made(*(made_with(add_attachments, files) for files in (one, two, three)))
    found = {name: content[0] for name, content in reader(made.content).attachments.items()}
    assert found == {"data.csv": b"1", "same.txt": b"x", "data (2).csv": b"2", "data (3).csv": b"3"}


def test_portfolio_becomes_a_plain_pdf_with_its_attachments() -> None:
    pdf = made_with(add_attachments, {"a.txt": b"1"})
    pdf.Root.Collection = Dictionary(View=Name.D)
    made = Made(pdf)
    assert Name.Collection not in made.pdf.Root
    assert list(made.pdf.attachments) == ["a.txt"]
    assert made.warnings == ["The portfolio became a plain PDF: its cover pages and its attachments are kept."]


def test_layers_of_all_files_are_joined_and_stay_hidden() -> None:
    made = Made(
        made_with(add_layers, {"a": True, "b": False}), made_with(add_layers, {"c": True, "d": False}, base="OFF")
    )
    layers = made.pdf.Root.OCProperties
    assert [str(group.Name) for group in layers.OCGs] == ["a", "b", "c", "d"]
    assert [str(group.Name) for group in layers.D.Order] == ["a", "b", "c", "d"]
    assert sorted(str(group.Name) for group in layers.D.OFF) == ["b", "d"]
    assert layers.D.get(Name.BaseState, Name.ON) == Name.ON


def content_tags(pdf: pikepdf.Pdf) -> list[tuple[int, str]]:
    """Return index and role of each page's first tag, found through the parent tree."""
    parents = pikepdf.NumberTree(pdf.Root.StructTreeRoot.ParentTree)
    found = []
    for index, page in enumerate(pdf.pages):
        if Name.StructParents in page.obj:
            element = parents[int(page.obj.StructParents)][0]
            assert element.Pg.objgen == page.obj.objgen
            found.append((index, str(element.S)))
    return found


def test_tags_of_all_files_are_joined_under_one_root() -> None:
    made = Made(made_with(add_tags), made_with(add_tags), blank(1), made_with(add_tags, "Other", "P", "two"))
    root = made.pdf.Root.StructTreeRoot
    assert content_tags(made.pdf) == [
        (0, "/Headline"),
        (1, "/Headline"),
        (2, "/Headline"),
        (3, "/Headline"),
        (5, "/Other"),
        (6, "/Other"),
    ]
    assert all(top.P.objgen == root.objgen for top in root.K)
    assert {key: str(value) for key, value in root.RoleMap.items()} == {"/Headline": "/H1", "/Other": "/P"}
    assert sorted(str(key) for key in pikepdf.NameTree(root.IDTree)) == ["one", "one_2", "two"]
    assert bool(made.pdf.Root.MarkInfo.Marked)
    assert made.warnings == ["The file has no tags for screen readers, unlike others of the result."]


def test_role_that_means_something_else_is_renamed() -> None:
    made = Made(made_with(add_tags), made_with(add_tags, maps_to="P", element_id="two"))
    assert content_tags(made.pdf)[-1] == (3, "/Headline_2")
    assert {key: str(value) for key, value in made.pdf.Root.StructTreeRoot.RoleMap.items()} == {
        "/Headline": "/H1",
        "/Headline_2": "/P",
    }


def test_tags_of_form_xobjects_are_renumbered() -> None:
    pdf = made_with(add_tags)
    form = pdf.make_stream(b"", BBox=Array([0, 0, 1, 1]), StructParents=2)
    pdf.pages[0].obj.Resources.XObject = Dictionary(Form=form)
    element = pdf.make_indirect(Dictionary(S=Name.Figure, P=pdf.Root.StructTreeRoot.K[0]))
    pdf.Root.StructTreeRoot.ParentTree.Nums.extend(Array([2, Array([element])]))
    made = Made(made_with(add_tags, pages=4), pdf).pdf
    key = int(made.pages[4].obj.Resources.XObject.Form.StructParents)
    assert str(pikepdf.NumberTree(made.Root.StructTreeRoot.ParentTree)[key][0].S) == "/Figure"


def test_tags_of_pages_omitted_are_removed() -> None:
    made = Made(blank(1), made_with(add_tags, pages=3), pages=[None, [2]])
    assert content_tags(made.pdf) == [(1, "/Headline")]
    assert len(made.pdf.Root.StructTreeRoot.K[0].K) == 1


def test_language_of_a_later_file_stays_on_its_tags() -> None:
    one, two = made_with(add_tags), made_with(add_tags)
    one.Root.Lang, two.Root.Lang = String("en"), String("es")
    made = Made(one, two).pdf
    assert str(made.Root.Lang) == "en"
    assert [str(top.get(Name.Lang, "")) for top in made.Root.StructTreeRoot.K] == ["", "es"]


# --- the rest of the catalog ------------------------------------------------------------------------------------------


def test_properties_of_the_document_are_those_of_the_first_file() -> None:
    def titled(title: str) -> pikepdf.Pdf:
        pdf = blank(1)
        pdf.docinfo["/Title"] = title
        pdf.Root.Lang, pdf.Root.PageLayout = String(title), Name.TwoColumnLeft
        pdf.Root.ViewerPreferences = Dictionary(DisplayDocTitle=True)
        with pdf.open_metadata(set_pikepdf_as_editor=False) as metadata:
            metadata["dc:title"] = title
        return pdf

    made = Made(titled("first"), titled("second")).pdf
    assert str(made.docinfo["/Title"]) == str(made.Root.Lang) == "first"
    assert made.Root.PageLayout == Name.TwoColumnLeft
    assert bool(made.Root.ViewerPreferences.DisplayDocTitle)
    assert b"first" in made.Root.Metadata.read_bytes()


def test_output_intents_are_joined_once() -> None:
    def intended(condition: str) -> pikepdf.Pdf:
        pdf = blank(1)
        intent = Dictionary(Type=Name.OutputIntent, S=Name.GTS_PDFX, OutputConditionIdentifier=String(condition))
        pdf.Root.OutputIntents = Array([intent])
        return pdf

    made = Made(intended("FOGRA39"), intended("FOGRA39"), intended("SWOP")).pdf
    assert [str(intent.OutputConditionIdentifier) for intent in made.Root.OutputIntents] == ["FOGRA39", "SWOP"]


def test_scripts_of_all_files_are_kept_by_name() -> None:
    def scripted(code: str) -> pikepdf.Pdf:
        pdf = blank(1)
        action = Dictionary(S=Name.JavaScript, JS=String(code))
        names_of(pdf).JavaScript = Dictionary(Names=Array([String("init"), action]))
        return pdf

    made = Made(scripted("a()"), scripted("b()")).pdf
    scripts = pikepdf.NameTree(made.Root.Names.JavaScript)
    assert {str(name): str(action.JS) for name, action in scripts.items()} == {"init": "a()", "init_2": "b()"}


def test_open_action_is_that_of_the_first_file() -> None:
    one, two = blank(2), blank(1)
    one.Root.OpenAction = Array([one.pages[1].obj, Name.Fit])
    two.Root.OpenAction = Dictionary(S=Name.JavaScript, JS=String("x()"))
    made = Made(one, two)
    assert made.pdf.Root.OpenAction[0].objgen == made.pdf.pages[1].obj.objgen
    assert made.warnings == ["Actions that run when the document opens or closes were removed."]


@pytest.mark.parametrize(
    "value", [Array(), String("x"), Name.X, Dictionary(First=String("x"), Nums=Name.X, Names=Name.X)]
)
def test_catalog_entries_of_wrong_types_are_skipped(value: Any) -> None:
    pdf = blank(2)
    for key in ("/Outlines", "/Names", "/Dests", "/AcroForm", "/PageLabels", "/OCProperties", "/StructTreeRoot", "/AF"):
        pdf.Root[key] = value
    pdf.pages[0].obj.Annots = value
    assert texts(Made(blank(1), pdf, pages=[None, [0]]).content) == ["page 1", "page 1"]


def test_annotations_keep_popups_and_replies() -> None:
    pdf = blank(1)
    note = add_annotation(pdf, 0, Dictionary(Subtype=Name.Text, Rect=Array([0, 0, 9, 9]), Contents=String("note")))
    note.Popup = add_annotation(pdf, 0, Dictionary(Subtype=Name.Popup, Rect=Array([0, 0, 9, 9]), Parent=note))
    add_annotation(pdf, 0, Dictionary(Subtype=Name.Text, Rect=Array([0, 0, 9, 9]), IRT=note))
    for made in (Made(pdf), Made(pdf, pages=[[0, 0]])):
        first, popup, reply = made.pdf.pages[-1].obj.Annots
        assert first.Popup.objgen == popup.objgen
        assert popup.Parent.objgen == reply.IRT.objgen == first.objgen


def test_identifier_depends_on_the_content() -> None:
    identifiers = [reader(Made(blank(count)).content).trailer["/ID"] for count in (1, 1, 2)]
    assert identifiers[0] == identifiers[1] != identifiers[2]
