"""OpenDocument texts as Markdown: styles, lists, tables, notes, frames and formulas."""

import io
import time
import zipfile
from collections.abc import Mapping

import pytest
from PIL import Image

import mediakit
from mediakit.errors import InvalidInput

PREFIX = "urn:oasis:names:tc:opendocument:xmlns"
NAMESPACES = " ".join(
    [
        *(f'xmlns:{name}="{PREFIX}:{name}:1.0"' for name in ("office", "text", "table", "style", "chart")),
        f'xmlns:fo="{PREFIX}:xsl-fo-compatible:1.0" xmlns:draw="{PREFIX}:drawing:1.0"',
        f'xmlns:svg="{PREFIX}:svg-compatible:1.0" xmlns:xlink="http://www.w3.org/1999/xlink"',
        f'xmlns:form="{PREFIX}:form:1.0"',
        'xmlns:field="urn:openoffice:names:experimental:ooo-ms-interop:xmlns:field:1.0"',
        'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:math="http://www.w3.org/1998/Math/MathML"',
    ]
)


def odt(body: str, styles: str = "", parts: Mapping[str, str | bytes] | None = None) -> bytes:
    """Return a text from the XML of its body and its automatic styles."""
    files: dict[str, str | bytes] = {
        "content.xml": f"<office:document-content {NAMESPACES}><office:automatic-styles>{styles}"
        f"</office:automatic-styles><office:body><office:text>{body}</office:text></office:body>"
        "</office:document-content>",
        **(parts or {}),
    }
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.text")
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def markdown(content: bytes, **options: object) -> str:
    return mediakit.document_to_markdown(content, **options).content  # type: ignore[arg-type]


def text_style(name: str, properties: str, family: str = "text", parent: str = "") -> str:
    return (
        f'<style:style style:name="{name}" style:family="{family}" style:parent-style-name="{parent}">'
        f"<style:text-properties {properties}/></style:style>"
    )


STYLES = (
    text_style("B", 'fo:font-weight="bold"')
    + text_style("I", 'fo:font-style="italic"', parent="B")
    + text_style("S", 'style:text-line-through-style="solid"')
    + text_style("U", 'style:text-position="super 58%"')
    + text_style("H", 'text:display="none"')
    + text_style("P1", 'fo:font-weight="bold"', "paragraph")
)
LISTS = (
    '<text:list-style style:name="N"><text:list-level-style-number text:level="1" style:num-format="1" '
    'text:start-value="3"/><text:list-level-style-bullet text:level="2"/></text:list-style>'
)


def test_headings_have_the_level_of_their_outline() -> None:
    body = '<text:h text:outline-level="2">Tea</text:h><text:p text:style-name="Title">Cups</text:p>'
    assert markdown(odt(body)) == "## Tea\n\n# Cups"


def test_styles_of_spans_and_of_whole_paragraphs_are_marks() -> None:
    def span(style: str, text: str) -> str:
        return f'<text:span text:style-name="{style}">{text}</text:span>'

    body = (
        f"<text:p>a {span('B', 'b')} {span('I', 'c')} {span('S', 'd')} m{span('U', '2')}{span('H', 'hidden')}</text:p>"
        f'<text:p text:style-name="P1">whole</text:p><text:p>{span("Source_20_Text", "code")}</text:p>'
    )
    assert markdown(odt(body, STYLES)) == "a **b** _**c**_ ~~d~~ m<sup>2</sup>\n\n**whole**\n\n`code`"


def test_list_continues_with_its_numbers() -> None:
    def item(text: str, more: str = "") -> str:
        return f"<text:list-item><text:p>{text}</text:p>{more}</text:list-item>"

    inner = f"<text:list>{item('inner')}</text:list>"
    body = (
        f'<text:list text:style-name="N">{item("three", inner)}</text:list><text:p>Between.</text:p>'
        f'<text:list text:style-name="N" text:continue-numbering="true">{item("four")}</text:list>'
        f'<text:list text:style-name="N">{item("again")}</text:list>'
    )
    assert markdown(odt(body, LISTS)) == "3. three\n   - inner\n\nBetween.\n\n4. four\n\n3) again"


def test_items_that_hold_only_deeper_lists_belong_to_the_list_before() -> None:
    def listed(*items: str, style: str = "N") -> str:
        return f'<text:list text:style-name="{style}">{"".join(items)}</text:list>'

    def item(content: str) -> str:
        return f"<text:list-item>{content}</text:list-item>"

    def paragraph(text: str) -> str:
        return item(f"<text:p>{text}</text:p>")

    body = (
        listed(paragraph("Pack"), style="B")
        + listed(item(listed(paragraph("Books"), paragraph("Pens"), style="B")), style="B")
        + listed(item(listed(item(listed(paragraph("Red"), style="B")), style="B")), style="B")
        + listed(paragraph("Leave"), style="B")
    )
    assert markdown(odt(body)) == "- Pack\n  - Books\n  - Pens\n    - Red\n- Leave"


def test_page_break_before_deeper_items_is_not_an_item() -> None:
    inner = "<text:list><text:list-item><text:p>inner</text:p></text:list-item></text:list>"
    body = (
        "<text:list><text:list-item><text:p>outer</text:p></text:list-item>"
        f"<text:list-item><text:soft-page-break/>{inner}</text:list-item></text:list>"
    )
    assert markdown(odt(body)) == "- outer\n  - inner"


def test_cell_that_is_not_a_number_shows_its_text() -> None:
    cells = "".join(
        f'<table:table-cell office:value-type="float" office:value="NaN"><text:p>{text}</text:p></table:table-cell>'
        for text in ("#N/A", "NaN")
    )
    content = markdown(odt(f"<table:table><table:table-row>{cells}</table:table-row></table:table>"))
    assert content.endswith("| #N/A |  |")


def test_level_that_a_list_style_does_not_define_is_like_the_one_above() -> None:
    style = (
        '<text:list-style style:name="A"><text:list-level-style-number text:level="1" style:num-format="1"/>'
        "</text:list-style>"
    )
    inner = "<text:list><text:list-item><text:p>inner</text:p></text:list-item></text:list>"
    body = f'<text:list text:style-name="A"><text:list-item><text:p>outer</text:p>{inner}</text:list-item></text:list>'
    assert markdown(odt(body, style)) == "1. outer\n   1. inner"


def test_spaces_tabs_and_lines_of_code_are_kept() -> None:
    body = (
        '<text:p text:style-name="Preformatted_20_Text">def f():</text:p>'
        '<text:p text:style-name="Preformatted_20_Text"><text:s text:c="4"/>return 1</text:p>'
        "<text:p>a<text:tab/>b<text:line-break/>c</text:p>"
    )
    assert markdown(odt(body)) == "```\ndef f():\n    return 1\n```\n\na b  \nc"


def test_table_has_its_header_and_merged_cells() -> None:
    def row(*cells: str) -> str:
        return f"<table:table-row>{''.join(cells)}</table:table-row>"

    def cell(text: str, attributes: str = "") -> str:
        return f"<table:table-cell {attributes}><text:p>{text}</text:p></table:table-cell>"

    plain = (
        f"<table:table><table:table-header-rows>{row(cell('a'), cell('b'))}</table:table-header-rows>"
        + row(cell("1", 'table:number-columns-repeated="2"'))
        + "</table:table>"
    )
    assert markdown(odt(plain)) == "| a | b |\n| --- | --- |\n| 1 | 1 |"
    merged = row(cell("wide", 'table:number-columns-spanned="2"'), "<table:covered-table-cell/>")
    written = markdown(odt(f"<table:table>{merged}{row(cell('1'), cell('2'))}</table:table>"))
    assert '<td colspan="2">wide</td>' in written


def test_notes_and_comments_become_footnotes() -> None:
    body = (
        '<text:p>Text<text:note text:id="f"><text:note-citation>1</text:note-citation><text:note-body>'
        "<text:p>A note.</text:p></text:note-body></text:note><office:annotation><dc:creator>Ada</dc:creator>"
        "<text:p>Why?</text:p></office:annotation></text:p>"
    )
    assert markdown(odt(body)) == "Text[^1]\n\n[^1]: A note."
    assert markdown(odt(body), comments=True).endswith("[^1]: A note.\n\n[^c1]: Ada: Why?")


def test_formula_is_latex() -> None:
    formula = (
        f"<math:math {NAMESPACES}><math:semantics><math:mfrac><math:mi>a</math:mi><math:mi>b</math:mi></math:mfrac>"
        '<math:annotation encoding="StarMath 5.0">a over b</math:annotation></math:semantics></math:math>'
    )
    body = '<text:p>x <draw:frame><draw:object xlink:href="./Object 1"/></draw:frame></text:p>'
    assert markdown(odt(body, parts={"Object 1/content.xml": formula})) == r"x $\frac{a}{b}$"


def test_formula_in_a_line_of_text_is_not_on_a_line_of_its_own() -> None:
    formula = f'<math:math {NAMESPACES} display="block"><math:mi>a</math:mi></math:math>'
    frame = '<draw:frame><draw:object xlink:href="./Object 1"/></draw:frame>'
    body = f"<text:p>Let {frame} be.</text:p><text:p> {frame}</text:p>"
    assert markdown(odt(body, parts={"Object 1/content.xml": formula})) == "Let $a$ be.\n\n$$a$$"


def test_image_and_text_box_of_a_frame_are_read() -> None:
    buffer = io.BytesIO()
    Image.new("RGB", (4, 3)).save(buffer, "PNG")
    body = (
        '<text:p>a<draw:frame><draw:image xlink:href="media/x.png"/><svg:desc>A cup</svg:desc></draw:frame>'
        "<draw:frame><draw:text-box><text:p>box</text:p></draw:text-box></draw:frame></text:p>"
    )
    content = odt(body, parts={"media/x.png": buffer.getvalue()})
    assert markdown(content) == "a![A cup](image-1.png)\n\nbox"


def test_links_point_to_headings() -> None:
    body = (
        '<text:p><text:a xlink:href="#Tea|outline">x</text:a><text:a xlink:href="#mark">y</text:a></text:p>'
        '<text:h text:outline-level="1"><text:bookmark text:name="mark"/>Green Tea</text:h>'
    )
    assert markdown(odt(body)) == "[x](#Tea)[y](#green-tea)\n\n# Green Tea"


def test_deleted_text_is_omitted() -> None:
    body = (
        '<text:tracked-changes><text:changed-region text:id="c"><text:deletion><text:p>gone</text:p></text:deletion>'
        '</text:changed-region></text:tracked-changes><text:p>a<text:change text:change-id="c"/>b</text:p>'
    )
    assert markdown(odt(body)) == "ab"


def test_repeated_cells_are_limited() -> None:
    cell = '<table:table-cell table:number-columns-repeated="99999999"><text:p>x</text:p></table:table-cell>'
    row = f'<table:table-row table:number-rows-repeated="99999999">{cell}</table:table-row>'
    assert len(markdown(odt(f"<table:table>{row}</table:table>"))) <= 200_000


def test_hostile_text_is_rejected() -> None:
    content = odt("", parts={"content.xml": '<!DOCTYPE a [<!ENTITY b "bbb">]><a>&b;</a>'})
    with pytest.raises(InvalidInput, match=r"^file: its part content.xml declares a DTD, which is not allowed.$"):
        mediakit.document_to_markdown(content)


def test_underlined_text_is_written_without_a_mark() -> None:
    style = text_style("L", 'style:text-underline-style="solid"')
    content = odt('<text:p>A <text:span text:style-name="L">line</text:span> below.</text:p>', style)
    assert markdown(content) == "A line below."


def test_form_fields_and_controls_show_their_state() -> None:
    def field(kind: str, *parameters: tuple[str, str]) -> str:
        values = "".join(f'<field:param field:name="{name}" field:value="{value}"/>' for name, value in parameters)
        return f'<field:fieldmark field:type="vnd.oasis.opendocument.field.{kind}">{values}</field:fieldmark>'

    entries = [("Dropdown_ListEntry", name) for name in ("red", "green")]
    controls = (
        '<form:checkbox form:id="c1" form:label="Tea" form:current-state="checked"/>'
        '<form:checkbox xml:id="c2" form:label="Milk"/><form:text form:id="c3" form:current-value="two cups"/>'
        '<form:listbox form:id="c4"><form:option form:label="hot" form:current-selected="true"/>'
        '<form:option form:label="cold"/></form:listbox>'
    )
    shown = "".join(f'<text:p><draw:control draw:control="c{number}"/></text:p>' for number in range(1, 6))
    body = (
        f"<office:forms><form:form>{controls}</form:form></office:forms>"
        f"<text:p>{field('FORMCHECKBOX', ('Checkbox_Checked', 'true'))} {field('FORMCHECKBOX')} "
        f"{field('FORMDROPDOWN', *entries, ('Dropdown_Selected', '1'))} {field('FORMDROPDOWN', *entries)}</text:p>"
        f"{shown}"
    )
    assert markdown(odt(body)) == "☒ ☐ green red\n\n☒ Tea\n\n☐ Milk\n\ntwo cups\n\nhot"


def test_passwords_in_forms_are_not_shown() -> None:
    control = '<form:password form:id="c1" form:label="Word" form:current-value="hunter2"/>'
    body = f'<office:forms><form:form>{control}</form:form></office:forms><text:p>A <draw:control draw:control="c1"/>b'
    assert markdown(odt(f"{body}</text:p>")) == "A b"


def test_deeply_nested_forms_are_read_in_linear_time() -> None:
    controls = '<form:text form:id="c1" form:current-value="tea"/>' + "<form:text/>" * 20_000
    forms = f"{'<form:form>' * 60}{controls}{'</form:form>' * 60}"
    nested = f"{'<office:forms>' * 60}{forms}{'</office:forms>' * 60}"
    begin = time.process_time()
    assert markdown(odt(f'{nested}<text:p><draw:control draw:control="c1"/></text:p>')) == "tea"
    assert time.process_time() - begin < 5


def test_items_with_boxes_for_bullets_are_a_task_list() -> None:
    styles = "".join(
        f'<text:list-style style:name="{name}"><text:list-level-style-bullet text:level="1" '
        f'text:bullet-char="{bullet}"/></text:list-style>'
        for name, bullet in (("O", "☐"), ("X", "☑"))
    )
    items = "".join(
        f'<text:list text:style-name="{name}"><text:list-item><text:p>{text}</text:p></text:list-item></text:list>'
        for name, text in (("O", "pack"), ("X", "pay"))
    )
    lines = markdown(odt(items, styles)).replace("*", "-").split()
    assert " ".join(lines) == "- [ ] pack - [x] pay"


@pytest.mark.parametrize(
    ("content", "warning"),
    [
        ('<draw:frame><draw:object-ole xlink:href="./Object 1"/></draw:frame>', "Embedded files that were omitted: 1."),
        ('<draw:frame><draw:object xlink:href="./Object 2"/></draw:frame>', "Embedded files that were omitted: 1."),
        ('<draw:frame><draw:plugin xlink:href="Media/a.mp4"/></draw:frame>', "Audio and video that were omitted: 1."),
        (
            '<draw:frame><draw:image xlink:href="https://example.com/a.png"/></draw:frame>',
            "Linked images that were not loaded: 1.",
        ),
        (
            '<draw:frame><draw:image xlink:href="Images/gone.png"/></draw:frame>',
            "Images that are missing in the file: 1.",
        ),
    ],
)
def test_embedded_and_linked_material_is_a_warning(content: str, warning: str) -> None:
    result = mediakit.document_to_markdown(odt(f"<text:p>a{content}</text:p>"))
    assert result.meta["warnings"] == [warning]


def test_linked_section_without_content_is_a_warning() -> None:
    source = '<text:section-source xlink:href="https://example.com/part.odt"/>'
    empty = odt(f"<text:section>{source}</text:section><text:p>a</text:p>")
    saved = odt(f"<text:section>{source}<text:p>saved</text:p></text:section>")
    assert mediakit.document_to_markdown(empty).meta["warnings"] == ["Linked documents that were not loaded: 1."]
    assert mediakit.document_to_markdown(saved).meta["warnings"] == []
