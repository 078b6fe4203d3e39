"""`pdf_form` lists, fills and flattens fields; results are read by libraries that did not write them."""

import io
from collections.abc import Mapping
from typing import Any

import pikepdf
import pypdf
import pypdfium2
import pytest
from pikepdf import Array, Dictionary, Name, String
from PIL import Image, ImageChops

import mediakit
from mediakit.errors import InvalidInput
from mediakit.results.files import PdfResult
from mediakit.samples import FORM
from mediakit.tools.pdf.pdf_form import PdfForm
from tests.support.form_kit import add_buttons, add_checkbox, add_field, form_of
from tests.support.pdf_kit import add_fields, add_signature, blank, plain, reopened, saved, texts

RADIO, PUSH = 1 << 15, 1 << 16
MULTILINE, COMB = 1 << 12, 1 << 24
COMBO, EDITABLE, MULTI = 1 << 17, 1 << 18, 1 << 21


def filled(pdf: pikepdf.Pdf, values: Mapping[str, Any], **options: Any) -> bytes:
    result = mediakit.pdf_form(saved(pdf), dict(values), **options)
    assert isinstance(result.pdf, PdfResult)
    return result.pdf.content


def values_of(content: bytes) -> dict[str, Any]:
    """Return the values as pypdf reads them."""
    fields = pypdf.PdfReader(io.BytesIO(content)).get_fields() or {}
    return {name: field.get("/V") for name, field in fields.items()}


def drawn(content: bytes) -> Image.Image:
    """Return the first page with its fields, as pdfium draws it."""
    document = pypdfium2.PdfDocument(content)
    document.init_forms()
    image: Image.Image = document[0].render().to_pil()
    return image.convert("L")


def ink(content: bytes, box: tuple[float, float, float, float]) -> int:
    """Return the number of dark pixels in a box of a page with a height of 400 points."""
    left, bottom, right, top = box
    area = drawn(content).crop((int(left), int(400 - top), int(right), int(400 - bottom)))
    return sum(area.histogram()[:140])


def shown(content: bytes) -> str:
    """Return the text of the first page, with that of its fields, as pdfium reads it from a flattened copy."""
    flat = mediakit.pdf_form(content, flatten=True).pdf
    assert flat is not None
    return texts(flat.content)[0]


def test_lists_the_fields_of_the_sample() -> None:
    form = mediakit.pdf_form(FORM)
    assert form.pdf is None
    assert form.pages == 1
    assert [(field.name, field.type) for field in form] == [
        ("name", "text"),
        ("email", "text"),
        ("birthday", "text"),
        ("country", "choice"),
        ("address.street", "text"),
        ("address.city", "text"),
        ("ticket", "radio"),
        ("meals", "list"),
        ("notes", "text"),
        ("newsletter", "checkbox"),
        ("terms", "checkbox"),
        ("reference", "text"),
    ]
    country = form["country"]
    assert country.options == ["DE", "ES", "FR", "GB", "JP", "PT", "US"]
    assert country.option_labels is not None
    assert country.option_labels[3] == "United Kingdom"
    assert (form["birthday"].max_length, form["notes"].multiline, form["name"].required) == (8, True, True)
    assert (form["reference"].read_only, form["reference"].value, form["meals"].multiple) == (True, "LC-2027", True)
    assert form["name"].label == "Full name"


def test_positions_are_those_of_the_page_as_it_is_seen() -> None:
    pdf = blank()
    add_field(pdf, "name", "Tx", box=(20, 50, 120, 70))
    pdf.pages[0].obj.Rotate = 90
    field = mediakit.pdf_form(saved(pdf))["name"]
    assert (field.page, field.x0, field.y0, field.x1, field.y1) == (1, 50, 20, 70, 120)


def test_file_without_fields_has_an_empty_list() -> None:
    assert list(mediakit.pdf_form(plain())) == []


@pytest.mark.parametrize("options", [{"values": {}}, {"flatten": True}])
def test_writing_requires_fields(options: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput, match=r"^file: has no form fields\.$"):
        mediakit.pdf_form(plain(), **options)


def test_sample_shows_all_values() -> None:
    values = {
        "name": "Ada Lovelace",
        "country": "GB",
        "city": "London",
        "ticket": "workshop",
        "meals": ["No nuts", "Vegetarian"],
        "newsletter": True,
    }
    result = mediakit.pdf_form(FORM, values)
    assert result.pdf is not None
    read = values_of(result.pdf.content)
    assert read["name"] == "Ada Lovelace"
    assert read["country"] == "GB"
    assert read["ticket"] == "/workshop"
    assert read["newsletter"] == "/Yes"
    assert read["meals"] == ["Vegetarian", "No nuts"]
    assert result.values["address.city"] == "London"
    assert result.meta["filled"] == ["name", "country", "address.city", "ticket", "meals", "newsletter"]
    text = shown(result.pdf.content)
    assert "Ada Lovelace" in text
    assert "United Kingdom" in text


def test_text_is_drawn_in_every_widget_of_a_field() -> None:
    pdf = blank()
    parent = pdf.make_indirect(Dictionary(FT=Name.Tx, T=String("name"), Kids=Array()))
    for bottom in (50, 150):
        field = add_field(pdf, "x", "Tx", box=(20, bottom, 220, bottom + 20))
        del field.T
        field.Parent = parent
        parent.Kids.append(field)
    form_of(pdf).Fields = Array([parent])
    content = filled(pdf, {"name": "Grace Hopper"})
    assert ink(content, (20, 50, 220, 70)) == ink(content, (20, 150, 220, 170)) > 50


def test_viewers_are_not_asked_to_make_appearances() -> None:
    pdf = blank()
    add_fields(pdf, {"name": "", "other": "kept"})
    pdf.Root.AcroForm.NeedAppearances = True
    content = filled(pdf, {"name": "Ada"})
    assert Name.NeedAppearances not in reopened(content).Root.AcroForm
    assert "Ada" in shown(content)
    assert "kept" in shown(content)


@pytest.mark.parametrize(("value", "text"), [(5, "5"), (2.5, "2.5"), (3.0, "3"), ("a", "a"), (None, "")])
def test_text_takes_numbers_and_null(value: Any, text: str) -> None:
    pdf = blank()
    add_fields(pdf, {"total": "old"})
    assert values_of(filled(pdf, {"total": value}))["total"] == text


def test_comb_centers_each_character_in_its_cell() -> None:
    pdf = blank()
    add_field(pdf, "code", "Tx", flags=COMB, MaxLen=4, box=(20, 50, 220, 70), DA=String("/Helv 12 Tf 0 g"))
    content = filled(pdf, {"code": "1111"})
    inked = [ink(content, (20 + 50 * cell + 18, 50, 20 + 50 * cell + 32, 70)) for cell in range(4)]
    assert len(set(inked)) == 1
    assert inked[0] > 5
    assert ink(content, (20, 50, 220, 70)) == sum(inked)


@pytest.mark.parametrize(("alignment", "side"), [(0, "left"), (1, "middle"), (2, "right")])
def test_alignment_places_the_text(alignment: int, side: str) -> None:
    pdf = blank()
    add_field(pdf, "name", "Tx", Q=alignment)
    content = filled(pdf, {"name": "Ada"})
    places = {"left": (20, 50, 60, 70), "middle": (100, 50, 140, 70), "right": (180, 50, 220, 70)}
    assert {name for name, box in places.items() if ink(content, box)} == {side}


def test_long_text_of_automatic_size_fits_its_field() -> None:
    pdf = blank()
    add_field(pdf, "name", "Tx", DA=String("/Helv 0 Tf 0 g"))
    content = filled(pdf, {"name": "A name that is as long as the whole field is wide"})
    assert ink(content, (20, 50, 220, 70)) > 50
    assert "whole field is wide" in shown(content)


def test_multiline_text_is_wrapped_from_the_top() -> None:
    pdf = blank()
    add_field(pdf, "notes", "Tx", flags=MULTILINE, box=(20, 50, 120, 150))
    content = filled(pdf, {"notes": "several words that need more than one line\nand a second paragraph"})
    assert ink(content, (20, 135, 120, 150)) > 10
    assert ink(content, (20, 110, 120, 125)) > 10
    assert ink(content, (20, 50, 120, 60)) == 0


def test_rotated_field_draws_rotated_text() -> None:
    pdf = blank()
    add_field(pdf, "side", "Tx", box=(20, 50, 40, 250), MK=Dictionary(R=90))
    content = filled(pdf, {"side": "Ada"})
    assert ink(content, (20, 50, 40, 80)) > 10
    assert ink(content, (20, 100, 40, 250)) == 0


@pytest.mark.parametrize("text", ["東京タワー", "مرحبا بالعالم", "שלום עולם", "Ελλάδα", "हिन्दी", "Привет"])
def test_text_of_every_script_is_drawn_with_an_embedded_font(text: str) -> None:
    pdf = blank()
    add_fields(pdf, {"name": ""})
    content = filled(pdf, {"name": text})
    assert values_of(content)["name"] == text
    assert ink(content, (20, 50, 120, 70)) > 20
    assert text in shown(content)
    assert len(content) < 40_000


def test_right_to_left_text_begins_at_the_right() -> None:
    pdf = blank()
    add_field(pdf, "name", "Tx")
    content = filled(pdf, {"name": "שלום"})
    assert ink(content, (180, 50, 220, 70)) > 10
    assert ink(content, (20, 50, 150, 70)) == 0


def test_character_without_font_is_refused() -> None:
    pdf = blank()
    add_fields(pdf, {"name": ""})
    with pytest.raises(InvalidInput, match=r'^values\.name: no font here has "\ue123" \(U\+E123\)\.$'):
        filled(pdf, {"name": "a\ue123"})


@pytest.mark.parametrize(
    ("value", "state"), [(True, "/Ja"), ("Ja", "/Ja"), ("yes", "/Ja"), (False, "/Off"), (None, "/Off"), ("0", "/Off")]
)
def test_check_box_takes_booleans_and_its_export_value(value: Any, state: str) -> None:
    pdf = blank()
    add_checkbox(pdf, "agreed", "Ja")
    content = filled(pdf, {"agreed": value})
    read = reopened(content)
    widget = read.pages[0].Annots[0]
    assert (str(widget.V), str(widget.AS)) == (state, state)
    assert (ink(content, (20, 50, 40, 70)) > 300) == (state == "/Ja")


def test_check_box_without_appearance_gets_one() -> None:
    pdf = blank()
    add_field(pdf, "agreed", "Btn", box=(20, 50, 40, 70), MK=Dictionary(CA=String("4"), BC=Array([0])))
    on, off = filled(pdf, {"agreed": True}), filled(pdf, {"agreed": False})
    assert ink(on, (22, 52, 38, 68)) > 20
    assert ink(off, (22, 52, 38, 68)) == 0


def test_radio_buttons_turn_each_other_off() -> None:
    pdf = blank()
    boxes = {"a": (20, 50, 40, 70), "b": (60, 50, 80, 70)}
    parent = add_buttons(pdf, "size", boxes, flags=RADIO)
    parent.V, parent.Kids[0].AS = Name("/a"), Name("/a")
    content = filled(pdf, {"size": "b"})
    assert values_of(content)["size"] == "/b"
    assert (ink(content, (20, 50, 40, 70)), ink(content, (60, 50, 80, 70)) > 300) == (0, True)
    assert mediakit.pdf_form(content)["size"].value == "b"


def test_export_values_of_buttons_may_be_a_list() -> None:
    pdf = blank()
    boxes = {"0": (20, 50, 40, 70), "1": (60, 50, 80, 70)}
    add_buttons(pdf, "size", boxes, flags=RADIO, Opt=Array([String("Größe S"), String("Größe M")]))
    content = filled(pdf, {"size": "Größe M"})
    assert values_of(content)["size"] == "/1"
    field = mediakit.pdf_form(content)["size"]
    assert (field.value, field.options) == ("Größe M", ["Größe S", "Größe M"])


def test_export_values_win_over_the_names_of_states() -> None:
    pdf = blank()
    boxes = {"0": (20, 50, 40, 70), "1": (60, 50, 80, 70)}
    add_buttons(pdf, "size", boxes, flags=RADIO, Opt=Array([String("1"), String("2")]))
    assert values_of(filled(pdf, {"size": "1"}))["size"] == "/0"
    assert mediakit.pdf_form(filled(pdf, {"size": "2"}))["size"].value == "2"


UNISON = 1 << 25


@pytest.mark.parametrize(("flags", "shown_buttons"), [(RADIO, 1), (RADIO | UNISON, 2), (0, 2)])
def test_buttons_with_the_same_export_value_go_together_only_if_the_field_says_so(
    flags: int, shown_buttons: int
) -> None:
    pdf = blank()
    boxes = {"0": (20, 50, 40, 70), "1": (60, 50, 80, 70), "2": (100, 50, 120, 70)}
    add_buttons(pdf, "size", boxes, flags=flags, Opt=Array([String("S"), String("M"), String("S")]))
    content = filled(pdf, {"size": "S"})
    assert sum(ink(content, box) > 300 for box in (boxes["0"], boxes["2"])) == shown_buttons
    assert ink(content, boxes["1"]) == 0
    assert mediakit.pdf_form(content)["size"].value == "S"


def test_radio_buttons_with_the_same_state_turn_each_other_off() -> None:
    pdf = blank()
    boxes = {"a": (20, 50, 40, 70), "b": (60, 50, 80, 70)}
    parent = add_buttons(pdf, "size", boxes, flags=RADIO)
    parent.Kids[1].AP = parent.Kids[0].AP
    assert [ink(filled(pdf, {"size": "a"}), box) > 300 for box in boxes.values()] == [True, False]
    parent.V, parent.Kids[1].AS = Name("/a"), Name("/a")
    assert [ink(filled(pdf, {"size": "a"}), box) > 300 for box in boxes.values()] == [False, True]


def add_country(pdf: pikepdf.Pdf, flags: int = COMBO) -> None:
    options = Array([Array([String("ES"), String("Spain")]), Array([String("FR"), String("France")])])
    add_field(pdf, "country", "Ch", flags=flags, Opt=options)


@pytest.mark.parametrize("value", ["FR", "France"])
def test_choice_takes_export_value_and_shown_text(value: str) -> None:
    pdf = blank()
    add_country(pdf)
    content = filled(pdf, {"country": value})
    assert values_of(content)["country"] == "FR"
    assert "France" in shown(content)


def test_editable_choice_takes_other_text() -> None:
    pdf = blank()
    add_country(pdf, COMBO | EDITABLE)
    assert values_of(filled(pdf, {"country": "Peru"}))["country"] == "Peru"


def test_list_marks_the_selected_rows() -> None:
    pdf = blank()
    add_field(pdf, "days", "Ch", flags=MULTI, box=(20, 50, 120, 150), Opt=Array([String("Mon"), String("Tue")]))
    content = filled(pdf, {"days": ["Tue"]})
    read = reopened(content)
    field = read.pages[0].Annots[0]
    assert (str(field.V), [int(index) for index in field.I]) == ("Tue", [1])
    image = drawn(content)
    rows = [row for row in range(250, 350) if image.getpixel((110, row)) != 255]
    assert 8 <= len(rows) <= 14
    assert rows[0] > 255


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"nmae": "x"}, 'values: there is no field "nmae"; did you mean "name"?'),
        ({"country": "XX"}, "values.country: must be one of ES, FR, got XX."),
        ({"code": "1234567"}, "values.code: holds at most 5 characters, got 7."),
        ({"sign": "x"}, "values.sign: signature fields cannot be filled."),
        ({"send": True}, "values.send: push buttons have no value and cannot be filled."),
        ({"fixed": "x"}, "values.fixed: is read-only."),
        ({"name": True}, "values.name: must be text or a number, got true."),
        ({"name": "a\nb"}, "values.name: holds one line, got 2."),
        ({"agreed": "maybe"}, "values.agreed: must be true, false or Yes, got maybe."),
        ({"country": ["ES", "FR"]}, "values.country: takes one option, got 2."),
        ({"first": 1}, 'values: several fields are called "first": a.first, b.first.'),
        ({"name": "x", "person.name": "y"}, 'values: "name" and "person.name" are the same field.'),
    ],
)
def test_error_names_the_field_and_the_rule(values: dict[str, Any], message: str) -> None:
    pdf = blank()
    add_fields(pdf, {"person.name": "", "a.first": "", "b.first": ""})
    add_country(pdf)
    add_field(pdf, "code", "Tx", MaxLen=5)
    add_field(pdf, "sign", "Sig")
    add_field(pdf, "send", "Btn", flags=PUSH)
    add_field(pdf, "fixed", "Tx", flags=1)
    add_checkbox(pdf, "agreed")
    with pytest.raises(InvalidInput) as error:
        filled(pdf, values)
    assert error.value.message == message


def test_unknown_names_are_listed_without_strict() -> None:
    pdf = blank()
    add_fields(pdf, {"name": ""})
    result = mediakit.pdf_form(saved(pdf), {"name": "Ada", "age": 5}, strict=False)
    assert (result.meta["filled"], result.meta["unknown"]) == (["name"], ["age"])


def test_calculated_and_formatted_fields_are_named_in_warnings() -> None:
    pdf = blank()
    add_fields(pdf, {"net": "", "total": "0"})
    net, total = form_of(pdf).Fields
    total.AA = Dictionary(C=Dictionary(S=Name.JavaScript, JS=String("event.value = 1")))
    net.AA = Dictionary(F=Dictionary(S=Name.JavaScript, JS=String("AFNumber_Format(2)")))
    form_of(pdf).CO = Array([total])
    warnings = mediakit.pdf_form(saved(pdf), {"net": 5}).meta["warnings"]
    assert "Scripts were not run, so these calculated fields keep their values: total." in warnings
    assert "Scripts were not run, so these values are not formatted: net." in warnings


def test_xfa_is_removed_with_a_warning() -> None:
    pdf = blank()
    add_fields(pdf, {"name": ""})
    pdf.Root.AcroForm.XFA = pdf.make_stream(b"<xdp/>")
    result = mediakit.pdf_form(saved(pdf), {"name": "Ada"})
    assert result.meta["warnings"] == ["The XFA version of the form was removed; the form fields stay."]
    assert Name.XFA not in reopened(result.content).Root.AcroForm


def test_dynamic_xfa_is_refused() -> None:
    pdf = blank()
    pdf.Root.AcroForm = Dictionary(Fields=Array(), XFA=pdf.make_stream(b"<xdp/>"))
    with pytest.raises(InvalidInput, match="dynamic XFA"):
        mediakit.pdf_form(saved(pdf))


def test_signature_is_removed_when_a_field_is_filled() -> None:
    pdf = blank()
    add_signature(pdf)
    add_fields(pdf, {"name": ""})
    content = saved(pdf)
    assert [field.type for field in mediakit.pdf_form(content)] == ["signature", "text"]
    result = mediakit.pdf_form(content, {"name": "Ada"})
    assert [field.type for field in result] == ["text"]
    assert "1 signature was removed: a signature covers the original file only." in result.meta["warnings"]
    with pytest.raises(InvalidInput, match=r"^values\.Signature: signature fields cannot be filled\.$"):
        mediakit.pdf_form(content, {"Signature": "x"})


def test_rich_text_gives_way_to_the_plain_value() -> None:
    pdf = blank()
    add_field(pdf, "name", "Tx", flags=1 << 25, RV=String("<body><p>old</p></body>"), V=String("old"))
    read = reopened(filled(pdf, {"name": "new"}))
    field = read.pages[0].Annots[0]
    assert Name.RV not in field
    assert str(field.V) == "new"


def test_flattened_form_has_no_fields_and_keeps_its_look() -> None:
    pdf = blank()
    add_fields(pdf, {"name": ""})
    form, flat = filled(pdf, {"name": "Ada"}), filled(pdf, {"name": "Ada"}, flatten=True)
    assert Name.AcroForm not in reopened(flat).Root
    changed = ImageChops.difference(drawn(flat), drawn(form)).histogram()
    assert not any(changed[32:])  # viewers smooth the text of fields and pages differently
    assert "Ada" in texts(flat)[0]


def test_flattened_fields_stay_in_their_own_layers() -> None:
    pdf = blank()
    layers = [pdf.make_indirect(Dictionary(Type=Name.OCG, Name=String(name))) for name in ("one", "two")]
    pdf.Root.OCProperties = Dictionary(OCGs=Array(layers), D=Dictionary(Order=Array(layers)))
    for number, layer in enumerate(layers):
        box = (20, 20 + 50 * number, 120, 40 + 50 * number)
        add_field(pdf, f"field{number}", "Tx", box=box, OC=Dictionary(Type=Name.OCMD, OCGs=layer))
    flat = reopened(filled(pdf, {"field0": "Ada", "field1": "Bob"}, flatten=True))
    properties = flat.pages[0].obj.Resources.Properties
    assert [str(layer.OCGs.Name) for _, layer in sorted(properties.items())] == ["one", "two"]


@pytest.mark.parametrize("name", ["/Field1", "/Field"])
def test_form_is_flattened_where_resources_are_damaged(name: str) -> None:
    pdf = blank()
    add_fields(pdf, {"name": ""})
    pdf.pages[0].obj.Resources = Dictionary(XObject=Dictionary({name: 5}))
    assert "Ada" in texts(filled(pdf, {"name": "Ada"}, flatten=True))[0]


def test_encryption_stays() -> None:
    pdf = blank()
    add_fields(pdf, {"name": ""})
    content = saved(pdf, encryption=pikepdf.Encryption(user="u", owner="o"))
    result = mediakit.pdf_form(content, {"name": "Ada"}, password="u")
    with pytest.raises(pikepdf.PasswordError):
        pikepdf.open(io.BytesIO(result.content))
    with pikepdf.open(io.BytesIO(result.content), password="u") as opened:
        assert str(opened.Root.AcroForm.Fields[0].V) == "Ada"


def test_equal_calls_give_equal_bytes() -> None:
    values = {"name": "Ada", "city": "東京"}
    assert (
        mediakit.pdf_form(FORM, values, flatten=True).content == mediakit.pdf_form(FORM, values, flatten=True).content
    )


def test_field_of_a_page_that_the_form_does_not_list_is_filled() -> None:
    pdf = blank()
    add_fields(pdf, {"name": ""})
    pdf.Root.AcroForm.Fields = Array()
    with pytest.warns(pikepdf.exceptions.PageCopyWarning):
        unlisted = saved(pdf)
    content = mediakit.pdf_form(unlisted, {"name": "Ada"}).content
    assert values_of(content)["name"] == "Ada"


def test_frame_has_a_row_for_each_field() -> None:
    frame = mediakit.pdf_form(FORM).to_frame()
    assert list(frame["name"][:2]) == ["name", "email"]
    assert list(frame.columns)[:3] == ["name", "type", "value"]


def test_notebook_shows_a_table_or_the_filled_pages() -> None:
    listed, _ = mediakit.pdf_form(FORM)._repr_mimebundle_()
    assert "United Kingdom" not in listed["text/html"]
    assert "address.street" in listed["text/html"]
    written, _ = mediakit.pdf_form(FORM, {"name": "Ada"})._repr_mimebundle_()
    assert {"image/png", "image/jpeg", "image/webp"} & written.keys()


def test_result_is_the_same_from_a_response() -> None:
    result = mediakit.pdf_form(FORM, {"name": "Ada"})
    from pydantic_core import from_json

    again = PdfForm.from_envelope(from_json(result.envelope()))
    assert again == result
    assert again["name"].value == "Ada"


def test_stored_value_that_no_font_has_does_not_stop_a_call() -> None:
    pdf = blank()
    add_fields(pdf, {"name": "", "other": "\ue123"})
    result = mediakit.pdf_form(saved(pdf), {"name": "Ada"})
    expected = 'other: no font here has "\ue123" (U+E123). The field keeps its appearance.'
    assert result.meta["warnings"] == [expected]
    assert "Ada" in shown(result.content)


def test_sheets_of_several_pages_show_fields_without_appearance() -> None:
    pdf = blank(2)
    add_fields(pdf, {"name": "Ada"})
    assert "Ada" in texts(mediakit.pdf_pages(saved(pdf), n_up=2).content)[0]


def test_command_of_a_result_writes_lists_as_json() -> None:
    code = mediakit.pdf_form(FORM, {"meals": ["Vegan", "Halal"], "name": None}).code("shell")
    assert """--values '{"meals": ["Vegan", "Halal"]}'""" in code
    assert """--values '{"name": null}'""" in code
