"""`docx_template` lists and fills the placeholders of a Word document; results are read by python-docx."""

import io
import json
import re
import zipfile
from typing import Any

import pytest
from docx import Document
from lxml import etree
from PIL import Image

import mediakit
from mediakit.errors import InvalidInput
from mediakit.samples import LOGO, PROPOSAL, PROPOSAL_DATA, REPORT
from tests.support.word_kit import MAIN, W, docx, p, part, r, table, texts

WP = "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"
MILLIMETER = 36_000


def entries(content: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_lists_the_fields_of_the_sample() -> None:
    listed = mediakit.docx_template(PROPOSAL)
    assert not listed._has_file()
    assert listed["client.name"].kind == "value"
    assert listed["items"].kind == "list"
    assert listed["client.is_new"].kind == "condition"
    assert listed["studio.name"].where == "header 1, footer 1, properties"
    assert json.loads(listed.content)["fields"][0] == {"name": "title", "kind": "value", "in": "body, properties"}


def test_fills_the_sample() -> None:
    result = mediakit.docx_template(PROPOSAL, PROPOSAL_DATA)
    document = Document(io.BytesIO(result.content))
    lines = [paragraph.text for paragraph in document.paragraphs]
    assert lines[0] == "A new website for Lakeside Rowing"
    assert "2.\tYou see a first version after two weeks, with your own texts." in lines
    assert [cell.text for cell in document.tables[0].rows[1].cells] == [
        "Design of 8 pages, phones & desktops", "42", "€ 95.00", "€ 3,990.00",
    ]  # fmt: skip
    assert len(document.tables[0].rows) == 5
    assert document.core_properties.title == PROPOSAL_DATA["title"]
    assert document.sections[0].header.paragraphs[0].text == "Northlight Studio\tProposal 2026-014"
    assert not re.search(r"\{[{%]", "\n".join(lines))
    assert result.filename == "proposal.docx"
    assert result.meta["unused"] == result.meta["blank"] == result.meta["warnings"] == []


def test_image_has_the_asked_width_and_its_own_aspect_ratio() -> None:
    data = {"logo": {"image": LOGO, "width": 40, "alt": "Our <logo>"}, "n": [1, 2]}
    content = mediakit.docx_template(docx(p("{% for x in n %}{{ logo }}{% endfor %}")), data).content
    shapes = Document(io.BytesIO(content)).inline_shapes
    assert [(shape.width, shape.height) for shape in shapes] == [(40 * MILLIMETER, 40 * MILLIMETER)] * 2
    properties = list(part(content).iter(f"{{{WP}}}docPr"))
    assert [each.get("descr") for each in properties] == ["Our <logo>"] * 2
    assert len({each.get("id") for each in properties}) == 2
    assert [name for name in entries(content) if "media" in name] == ["word/media/image1.png"]
    assert entries(content)["word/media/image1.png"] == LOGO.read_bytes()


def test_result_of_another_tool_is_an_image_in_a_header() -> None:
    code = mediakit.qr("hello", size=200)
    content = mediakit.docx_template(docx(p("x"), {"header1": p("{{ code }}")}), {"code": code}).content
    assert b"media/image1.png" in entries(content)["word/_rels/header1.xml.rels"]
    assert entries(content)["word/media/image1.png"] == code.content


def test_webp_becomes_png_and_a_turned_photo_is_upright() -> None:
    photo = io.BytesIO()
    exif = Image.Exif()
    exif[0x0112] = 6
    Image.new("RGB", (40, 20), "red").save(photo, "JPEG", exif=exif)
    web = io.BytesIO()
    Image.new("RGB", (30, 20)).save(web, "WEBP")
    data = {"a": {"image": photo.getvalue(), "width": 10}, "b": {"image": web.getvalue(), "width": 30}}
    content = mediakit.docx_template(docx(p("{{ a }}{{ b }}")), data).content
    shapes = Document(io.BytesIO(content)).inline_shapes
    sizes = [(shape.width // MILLIMETER, shape.height // MILLIMETER) for shape in shapes]
    assert sizes == [(10, 20), (30, 20)]
    kinds = {
        name: Image.open(io.BytesIO(entries(content)[f"word/media/{name}"])) for name in ("image1.jpeg", "image2.png")
    }
    assert {name: image.size for name, image in kinds.items()} == {"image1.jpeg": (20, 40), "image2.png": (30, 20)}


def test_link_is_a_hyperlink() -> None:
    data = {"site": {"link": "https://example.com/?a=1&b=2", "text": "A & B"}}
    content = mediakit.docx_template(docx(p("See {{ site }}.")), data).content
    paragraph = Document(io.BytesIO(content)).paragraphs[0]
    assert paragraph.text == "See A & B."
    assert [link.address for link in paragraph.hyperlinks] == ["https://example.com/?a=1&b=2"]
    assert paragraph.hyperlinks[0].runs[0].font.underline


def test_link_has_line_breaks_and_the_style_of_links() -> None:
    styles = (
        b'<w:styles xmlns:w="%s"><w:style w:type="character" w:styleId="Lien"><w:name w:val="Hyperlink"/></w:style>'
        b"</w:styles>" % W.encode()
    )
    body = p(r("{{ a }} and {{ a }}", "<w:b/>"))
    relations = entries(docx(body))["word/_rels/document.xml.rels"].replace(
        b"</Relationships>",
        b'<Relationship Id="s" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles"'
        b' Target="styles.xml"/></Relationships>',
    )
    template = docx(body, files={"word/styles.xml": styles, "word/_rels/document.xml.rels": relations})
    data = {"a": {"link": "mailto:a@example.com", "text": "one\ntwo <3"}}
    content = mediakit.docx_template(template, data).content
    assert texts(content) == ["one\ntwo <3 and one\ntwo <3"]
    links = list(part(content).iter(f"{{{W}}}hyperlink"))
    assert [[etree.QName(child).localname for child in link[0][0]] for link in links] == [["rStyle", "b"]] * 2


def test_link_in_a_link_is_text() -> None:
    body = p(f'<w:hyperlink w:anchor="x">{r("See {{ a }}!")}</w:hyperlink>')
    content = mediakit.docx_template(docx(body), {"a": {"link": "https://example.com", "text": "A\tB"}}).content
    assert texts(content) == ["See A\tB!"]
    assert len(list(part(content).iter(f"{{{W}}}hyperlink"))) == 1


def test_table_of_python_repeats_rows() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"name": ["Tea", "Cake"], "price": [2.5, float("nan")]})
    template = docx(table(["{% for i in items %}{{ i.name }}", "{{ i.price | number(2) }}{% endfor %}"]))
    content = mediakit.docx_template(template, {"items": frame}).content
    assert texts(content) == ["Tea", "2.50", "Cake", ""]


def test_dates_of_python_are_printed() -> None:
    pandas = pytest.importorskip("pandas")
    data = {"day": pandas.Timestamp("2026-03-09").date(), "none": pandas.NaT}
    content = mediakit.docx_template(docx(p('{{ day | date("%d.%m.%Y") }}{{ none }}')), data).content
    assert texts(content) == ["09.03.2026"]


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"image": "AAAA"}, "data: logo.image must be a PNG, JPEG, GIF, BMP, TIFF, WebP or AVIF image of at "),
        ({"image": "?"}, "data: logo.image must be base64 text"),
        ({"image": LOGO.read_bytes(), "width": 0}, "data: logo.width must be between 1 and 550 mm, got 0"),
        ({"link": "javascript:alert(1)"}, "data: logo.link must begin with http://, https://, mailto: or tel:, got"),
        ({"link": "file:///etc/passwd"}, "data: logo.link must begin with"),
        ({"link": "\\\\server\\share"}, "data: logo.link must begin with"),
    ],
)
def test_wrong_image_or_link_is_refused(value: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        mediakit.docx_template(docx(p("{{ logo }}")), {"logo": value})
    assert str(caught.value).startswith(message)


def nested(depth: int) -> Any:
    return nested_list if (nested_list := [nested(depth - 1)] if depth else 1) else None


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ([], "data: must be an object, got []."),
        ({"a": nested(9)}, "is nested deeper than 8 levels."),
        ({"a": list(range(10_001))}, "data: must have at most 10,000 values."),
        ({"a": float("inf")}, "data: a must be a finite number."),
        ({"a": {"b": object()}}, "data: a.b must be text, a number, true, false, null, a list or an object, got"),
    ],
)
def test_wrong_data_is_refused(data: Any, message: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        mediakit.docx_template(docx(p("{{ a }}")), data)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("file", "message"),
    [
        (b"plain text", "file: must be a Word document (DOCX or DOTX), got a text file."),
        (REPORT.read_bytes(), "file: must be a Word document (DOCX or DOTX), got a PDF."),
        (docx(p("x"), main_type="application/vnd.ms-word.document.macroEnabled.main+xml"), "file: has macros"),
        (docx(p("x"), files={"word/vbaProject.bin": b"x"}), "file: has macros"),
        (docx(p("x"), main_type=f"{MAIN}.other+xml"), "file: must be a Word document"),
        (docx("<w:p>"), "file: its part word/document.xml is damaged XML."),
        (
            docx("<w:p>" * 250 + "</w:p>" * 250 + "{"),
            "file: its part word/document.xml is nested deeper than 200 levels.",
        ),
        (
            docx(
                "", files={"word/document.xml": b'<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>{&b;}</a>'}
            ),
            "file: its part word/document.xml declares a DTD, which is not allowed.",
        ),
    ],
)
def test_hostile_file_is_refused(file: bytes, message: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        mediakit.docx_template(file, {})
    assert str(caught.value).startswith(message)


def test_loops_that_make_too_much_are_refused() -> None:
    loops = "".join(f"{{% for x{n} in xs %}}" for n in range(6))
    with pytest.raises(InvalidInput, match="its loops make a document that is too large"):
        mediakit.docx_template(docx(p(f"{loops}x{'{% endfor %}' * 6}")), {"xs": list(range(50))})
    with pytest.raises(InvalidInput, match="its loops make a document that is too large"):
        mediakit.docx_template(
            docx(p(f"{'{% for x in xs %}' * 2}{{{{ t }}}}{'{% endfor %}' * 2}")), {"xs": [0] * 99, "t": "a" * 99_999}
        )


def test_attached_template_and_objects_stay_as_they_are() -> None:
    settings = b'<w:settings xmlns:w="%s"/>' % W.encode()
    rels = b'<Relationships><Relationship Id="r1" TargetMode="External" Target="http://example.invalid/x.dotm"/></Relationships>'
    files = {"word/settings.xml": settings, "word/_rels/settings.xml.rels": rels, "word/embeddings/o.bin": b"{{ a }}"}
    content = mediakit.docx_template(docx(p("{{ a }}"), files=files), {"a": 1}).content
    assert {name: entries(content)[name] for name in files} == files


def test_equal_input_gives_equal_bytes() -> None:
    first, second = (mediakit.docx_template(PROPOSAL, PROPOSAL_DATA).content for _ in range(2))
    assert first == second


def test_notebook_shows_name_download_and_text() -> None:
    data = {**PROPOSAL_DATA, "title": "<script>alert(1)</script>"}
    shown = mediakit.docx_template(PROPOSAL, data)._repr_mimebundle_()[0]["text/html"]  # what IPython calls
    assert "proposal.docx" in shown
    assert 'download="proposal.docx"' in shown
    assert "€ 3,990.00" in shown
    assert "&lt;script&gt;" in shown
    assert "<script>" not in shown


def test_notebook_shows_listed_fields_as_table() -> None:
    shown = mediakit.docx_template(PROPOSAL)._repr_mimebundle_()[0]["text/html"]  # what IPython calls
    assert "client.name" in shown
    assert "21 fields" in shown


def test_columns_of_a_batch_fill_the_placeholders() -> None:
    rows = [{"name": "Ada", "client.city": "Paris"}, {"name": "Grace", "client.city": "Rome"}]
    batch = mediakit.batch(
        mediakit.docx_template, rows, file=docx(p("{{ name }}, {{ client.city }}, {{ year }}")), data={"year": 2026}
    )
    assert [texts(result.content) for result in batch.values()] == [["Ada, Paris, 2026"], ["Grace, Rome, 2026"]]
